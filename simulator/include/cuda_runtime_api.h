/*
 * The CUDA runtime API as plain functions. Each is an import of the host module under its own name; one that the simulator does not
 * implement is refused when it is called. Interoperability with graphics is left out.
 */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__
#include "cuda_device_runtime_api.h"
#include "device_types.h"
#include "driver_types.h"
#include "surface_types.h"
#include "texture_types.h"

#define CUDART_VERSION 12080
#define CUDA_IPC_HANDLE_SIZE 64

__LANEWISE_C_BEGIN

/* Errors */
__host__ __device__ cudaError_t cudaGetLastError(void);
__host__ __device__ cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

/* Devices */
__host__ __device__ cudaError_t cudaGetDevice(int* device);
__host__ __device__ cudaError_t cudaGetDeviceCount(int* count);
__host__ __device__ cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device);
__host__ __device__ cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit);
__host__ __device__ cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* id);
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device);
cudaError_t cudaDeviceGetP2PAttribute(int* value, enum cudaDeviceP2PAttr attribute, int source, int destination);
cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* properties);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
cudaError_t cudaSetValidDevices(int* devices, int length);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaGetDeviceFlags(unsigned int* flags);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* Streams and events */
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
__host__ __device__ cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags __dv(0));
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t length __dv(0), unsigned int flags __dv(cudaMemAttachSingle));
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, const cudaStreamAttrValue* value);
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID attribute, cudaStreamAttrValue* value);
cudaError_t cudaStreamCopyAttributes(cudaStream_t destination, cudaStream_t source);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus* status);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
__host__ __device__ cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
__host__ __device__ cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream __dv(0));
__host__ __device__ cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream __dv(0), unsigned int flags __dv(0));
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

/* Memory */
__host__ __device__ cudaError_t cudaMalloc(void** pointer, size_t size);
__host__ __device__ cudaError_t cudaFree(void* pointer);
cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned int flags __dv(cudaMemAttachGlobal));
cudaError_t cudaMallocHost(void** pointer, size_t size);
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr* pointer, struct cudaExtent extent);
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags);
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer);
cudaError_t cudaMemAdvise(const void* pointer, size_t count, enum cudaMemoryAdvise advice, int device);
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device, cudaStream_t stream __dv(0));
cudaError_t cudaMemRangeGetAttribute(void* data, size_t size, enum cudaMemRangeAttribute attribute, const void* pointer, size_t count);
cudaError_t cudaMemcpy(void* destination, const void* source, size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyPeer(void* destination, int destinationDevice, const void* source, int sourceDevice, size_t count);
cudaError_t cudaMemcpyPeerAsync(void* destination, int destinationDevice, const void* source, int sourceDevice, size_t count, cudaStream_t stream __dv(0));
cudaError_t cudaMemcpy2D(void* destination, size_t dpitch, const void* source, size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* destination, const void* source, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
__host__ __device__ cudaError_t cudaMemcpy2DAsync(void* destination, size_t dpitch, const void* source, size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
__host__ __device__ cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* parameters, cudaStream_t stream __dv(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* parameters);
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t count, size_t offset __dv(0), enum cudaMemcpyKind kind __dv(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, size_t count, size_t offset __dv(0), enum cudaMemcpyKind kind __dv(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t count, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, size_t count, size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol);
cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol);
cudaError_t cudaMemset(void* pointer, int value, size_t count);
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream __dv(0));
__host__ __device__ cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream __dv(0));
__host__ __device__ cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent, cudaStream_t stream __dv(0));

/* Arrays: the layout of their texels is nobody's business. */
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* format, cudaArray_const_t array);
cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* format, size_t width, size_t height __dv(0), unsigned int flags __dv(0));
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* format, struct cudaExtent extent, unsigned int flags __dv(0));
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* mipmap, const struct cudaChannelFormatDesc* format, struct cudaExtent extent, unsigned int levels, unsigned int flags __dv(0));
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* array, cudaMipmappedArray_const_t mipmap, unsigned int level);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmap);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc* format, struct cudaExtent* extent, unsigned int* flags, cudaArray_t array);
cudaError_t cudaArrayGetPlane(cudaArray_t* plane, cudaArray_t array, unsigned int index);
cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements* requirements, cudaArray_t array, int device);
cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements* requirements, cudaMipmappedArray_t mipmap, int device);
cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties* properties, cudaArray_t array);
cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties* properties, cudaMipmappedArray_t mipmap);
cudaError_t cudaMemcpy2DToArray(cudaArray_t destination, size_t x, size_t y, const void* source, size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t destination, size_t x, size_t y, const void* source, size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
cudaError_t cudaMemcpy2DFromArray(void* destination, size_t dpitch, cudaArray_const_t source, size_t x, size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* destination, size_t dpitch, cudaArray_const_t source, size_t x, size_t y, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t destination, size_t dx, size_t dy, cudaArray_const_t source, size_t sx, size_t sy, size_t width, size_t height, enum cudaMemcpyKind kind __dv(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyToArray(cudaArray_t destination, size_t x, size_t y, const void* source, size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t destination, size_t x, size_t y, const void* source, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
cudaError_t cudaMemcpyFromArray(void* destination, cudaArray_const_t source, size_t x, size_t y, size_t count, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArrayAsync(void* destination, cudaArray_const_t source, size_t x, size_t y, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
cudaError_t cudaMemcpyArrayToArray(cudaArray_t destination, size_t dx, size_t dy, cudaArray_const_t source, size_t sx, size_t sy, size_t count, enum cudaMemcpyKind kind __dv(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms* parameters);
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms* parameters, cudaStream_t stream __dv(0));

/* Textures and surfaces */
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const struct cudaResourceDesc* resource, const struct cudaTextureDesc* texture, const struct cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc* resource, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc* texture, cudaTextureObject_t object);
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc* view, cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const struct cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc* resource, cudaSurfaceObject_t object);
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width, const struct cudaChannelFormatDesc* format, int device);

/* Functions and launches */
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** args, size_t sharedBytes, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** args, size_t sharedBytes, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams* launches, unsigned int devices, unsigned int flags __dv(0));
cudaError_t cudaLaunchKernelExC(const struct cudaLaunchConfig_t* config, const void* function, void** args);
cudaError_t cudaFuncSetAttribute(const void* function, enum cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void* function, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void* function, enum cudaSharedMemConfig config);
__host__ __device__ cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* function);
cudaError_t cudaFuncGetName(const char** name, const void* function);
__host__ __device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int blockSize, size_t sharedBytes);
__host__ __device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int blockSize, size_t sharedBytes, unsigned int flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* size, const void* function, int blocks, int blockSize);

/* Graphs */
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags __dv(0));
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags __dv(0));
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);

/* What <<< >>> turns into. */
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* sharedBytes, cudaStream_t* stream);
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes __dv(0), cudaStream_t stream __dv(0));
__LANEWISE_C_END
#include "lanewise/graph-api.h"
#endif
