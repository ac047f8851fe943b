/*
 * The part of the driver API that is the runtime's under other names: arrays, textures and surfaces, libraries, launches with attributes,
 * hints, captured graphs. Each function ends in the runtime's or in those of cuda.h.
 */
#pragma once
#include "../cuda_runtime_api.h"
#include "graph-api.h"

typedef enum CUarray_format_enum {
  CU_AD_FORMAT_UNSIGNED_INT8 = 0x01, CU_AD_FORMAT_UNSIGNED_INT16 = 0x02, CU_AD_FORMAT_UNSIGNED_INT32 = 0x03, CU_AD_FORMAT_SIGNED_INT8 = 0x08,
  CU_AD_FORMAT_SIGNED_INT16 = 0x09, CU_AD_FORMAT_SIGNED_INT32 = 0x0a, CU_AD_FORMAT_HALF = 0x10, CU_AD_FORMAT_FLOAT = 0x20
} CUarray_format;
typedef enum CUaddress_mode_enum { CU_TR_ADDRESS_MODE_WRAP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_MIRROR, CU_TR_ADDRESS_MODE_BORDER } CUaddress_mode;
typedef enum CUfilter_mode_enum { CU_TR_FILTER_MODE_POINT, CU_TR_FILTER_MODE_LINEAR } CUfilter_mode;
typedef enum CUresourcetype_enum { CU_RESOURCE_TYPE_ARRAY, CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, CU_RESOURCE_TYPE_LINEAR, CU_RESOURCE_TYPE_PITCH2D } CUresourcetype;
typedef struct CUmipmappedArray_st* CUmipmappedArray;
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10
#define CU_TRSA_OVERRIDE_FORMAT 0x01
#define CUDA_ARRAY3D_LAYERED 0x01
#define CUDA_ARRAY3D_2DARRAY 0x01
#define CUDA_ARRAY3D_SURFACE_LDST 0x02
#define CUDA_ARRAY3D_CUBEMAP 0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08
typedef struct CUDA_ARRAY_DESCRIPTOR_st {
  size_t Width, Height;
  CUarray_format Format;
  unsigned int NumChannels;
} CUDA_ARRAY_DESCRIPTOR;
typedef struct CUDA_ARRAY3D_DESCRIPTOR_st {
  size_t Width, Height, Depth;
  CUarray_format Format;
  unsigned int NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;
typedef struct CUDA_MEMCPY3D_st {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void* reserved0;
  size_t srcPitch, srcHeight, dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void* reserved1;
  size_t dstPitch, dstHeight, WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;
typedef struct CUDA_RESOURCE_DESC_st {
  CUresourcetype resType;
  union {
    struct { CUarray hArray; } array;
    struct { CUmipmappedArray hMipmappedArray; } mipmap;
    struct { CUdeviceptr devPtr; CUarray_format format; unsigned int numChannels; size_t sizeInBytes; } linear;
    struct { CUdeviceptr devPtr; CUarray_format format; unsigned int numChannels; size_t width, height, pitchInBytes; } pitch2D;
    struct { int reserved[32]; } reserved;
  } res;
  unsigned int flags;
} CUDA_RESOURCE_DESC;
typedef struct CUDA_TEXTURE_DESC_st {
  CUaddress_mode addressMode[3];
  CUfilter_mode filterMode;
  unsigned int flags, maxAnisotropy;
  CUfilter_mode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp, borderColor[4];
  int reserved[12];
} CUDA_TEXTURE_DESC;
typedef struct CUDA_RESOURCE_VIEW_DESC_st {
  int format;
  size_t width, height, depth;
  unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
} CUDA_RESOURCE_VIEW_DESC;
typedef enum CUmem_advise_enum {
  CU_MEM_ADVISE_SET_READ_MOSTLY = 1, CU_MEM_ADVISE_UNSET_READ_MOSTLY = 2, CU_MEM_ADVISE_SET_PREFERRED_LOCATION = 3, CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION = 4,
  CU_MEM_ADVISE_SET_ACCESSED_BY = 5, CU_MEM_ADVISE_UNSET_ACCESSED_BY = 6
} CUmem_advise;
typedef enum CUstreamCaptureMode_enum { CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL, CU_STREAM_CAPTURE_MODE_RELAXED } CUstreamCaptureMode;
typedef enum CUstreamCaptureStatus_enum { CU_STREAM_CAPTURE_STATUS_NONE, CU_STREAM_CAPTURE_STATUS_ACTIVE, CU_STREAM_CAPTURE_STATUS_INVALIDATED } CUstreamCaptureStatus;
typedef enum CUlaunchAttributeID_enum {
  CU_LAUNCH_ATTRIBUTE_IGNORE = 0, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1, CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6, CU_LAUNCH_ATTRIBUTE_PRIORITY = 8
} CUlaunchAttributeID;
typedef union CUlaunchAttributeValue_union {
  char pad[64];
  int cooperative;
  struct { unsigned int x, y, z; } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
} CUlaunchAttributeValue;
typedef struct CUlaunchAttribute_st {
  CUlaunchAttributeID id;
  char pad[4];
  CUlaunchAttributeValue value;
} CUlaunchAttribute;
typedef struct CUlaunchConfig_st {
  unsigned int gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute* attrs;
  unsigned int numAttrs;
} CUlaunchConfig;
typedef enum CUlibraryOption_enum { CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0, CU_LIBRARY_BINARY_IS_PRESERVED = 1 } CUlibraryOption;

/* The bits of an element's coordinates. */
static inline __attribute__((unused)) cudaChannelFormatDesc __lanewise_channels(CUarray_format format, unsigned int count) {
  int low = format & 0x0f, bits = format == CU_AD_FORMAT_HALF ? 16 : format == CU_AD_FORMAT_FLOAT ? 32 : 8 << ((low & 7) - (low >= 8 ? 0 : 1));
  cudaChannelFormatDesc channels = {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 2 ? bits : 0,
                                    format >= CU_AD_FORMAT_HALF ? cudaChannelFormatKindFloat : format >= CU_AD_FORMAT_SIGNED_INT8 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned};
  return channels;
}
static inline __attribute__((unused)) void __lanewise_format(const cudaChannelFormatDesc* channels, CUarray_format* format, unsigned int* count) {
  *count = (channels->x > 0) + (channels->y > 0) + (channels->z > 0) + (channels->w > 0);
  int size = channels->x == 8 ? 0 : channels->x == 16 ? 1 : 2;
  *format = (CUarray_format)(channels->f == cudaChannelFormatKindFloat ? (size == 1 ? 0x10 : 0x20) : channels->f == cudaChannelFormatKindSigned ? 8 + size : 1 + size);
}

#define __LANEWISE_DRIVER static inline __attribute__((unused))
/* Arrays */
__LANEWISE_DRIVER CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* wanted) {
  cudaChannelFormatDesc channels = __lanewise_channels(wanted->Format, wanted->NumChannels);
  cudaExtent extent = {wanted->Width, wanted->Height, wanted->Depth};
  return (CUresult)cudaMalloc3DArray((cudaArray_t*)array, &channels, extent, wanted->Flags);
}
__LANEWISE_DRIVER CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* wanted) {
  CUDA_ARRAY3D_DESCRIPTOR all = {wanted->Width, wanted->Height, 0, wanted->Format, wanted->NumChannels, 0};
  return cuArray3DCreate(array, &all);
}
__LANEWISE_DRIVER CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* to, CUarray array) {
  cudaChannelFormatDesc channels;
  cudaExtent extent;
  CUresult code = (CUresult)cudaArrayGetInfo(&channels, &extent, &to->Flags, (cudaArray_t)array);
  if (code) return code;
  to->Width = extent.width, to->Height = extent.height, to->Depth = extent.depth;
  __lanewise_format(&channels, &to->Format, &to->NumChannels);
  return code;
}
__LANEWISE_DRIVER CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* to, CUarray array) {
  CUDA_ARRAY3D_DESCRIPTOR all;
  CUresult code = cuArray3DGetDescriptor(&all, array);
  if (code) return code;
  to->Width = all.Width, to->Height = all.Height, to->Format = all.Format, to->NumChannels = all.NumChannels;
  return code;
}
__LANEWISE_DRIVER CUresult cuArrayDestroy(CUarray array) { return (CUresult)cudaFreeArray((cudaArray_t)array); }
__LANEWISE_DRIVER CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t bytes) { return (CUresult)cudaMemcpyToArray((cudaArray_t)to, offset, 0, from, bytes, cudaMemcpyHostToDevice); }
__LANEWISE_DRIVER CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t bytes) { return (CUresult)cudaMemcpyFromArray(to, (cudaArray_t)from, offset, 0, bytes, cudaMemcpyDeviceToHost); }
__LANEWISE_DRIVER CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) { return (CUresult)cudaMemcpyToArray((cudaArray_t)to, offset, 0, (const void*)from, bytes, cudaMemcpyDeviceToDevice); }
__LANEWISE_DRIVER CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) { return (CUresult)cudaMemcpyFromArray((void*)to, (cudaArray_t)from, offset, 0, bytes, cudaMemcpyDeviceToDevice); }
__LANEWISE_DRIVER size_t __lanewise_element_bytes(CUarray array) {
  cudaChannelFormatDesc channels = {8};
  cudaArrayGetInfo(&channels, nullptr, nullptr, (cudaArray_t)array);
  return (channels.x + channels.y + channels.z + channels.w) / 8;
}
__LANEWISE_DRIVER CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream stream) {
  cudaMemcpy3DParms all = {};
  const bool from = copy->srcMemoryType == CU_MEMORYTYPE_ARRAY, to = copy->dstMemoryType == CU_MEMORYTYPE_ARRAY;
  const size_t fromBytes = from ? __lanewise_element_bytes(copy->srcArray) : 1, toBytes = to ? __lanewise_element_bytes(copy->dstArray) : 1;
  all.srcPos.x = copy->srcXInBytes / fromBytes, all.srcPos.y = copy->srcY, all.srcPos.z = copy->srcZ;
  all.dstPos.x = copy->dstXInBytes / toBytes, all.dstPos.y = copy->dstY, all.dstPos.z = copy->dstZ;
  if (from) all.srcArray = (cudaArray_t)copy->srcArray;
  else all.srcPtr = {copy->srcMemoryType == CU_MEMORYTYPE_HOST ? (void*)copy->srcHost : (void*)copy->srcDevice, copy->srcPitch ? copy->srcPitch : copy->WidthInBytes, copy->WidthInBytes, copy->srcHeight ? copy->srcHeight : copy->Height};
  if (to) all.dstArray = (cudaArray_t)copy->dstArray;
  else all.dstPtr = {copy->dstMemoryType == CU_MEMORYTYPE_HOST ? copy->dstHost : (void*)copy->dstDevice, copy->dstPitch ? copy->dstPitch : copy->WidthInBytes, copy->WidthInBytes, copy->dstHeight ? copy->dstHeight : copy->Height};
  all.extent = {copy->WidthInBytes / (from ? fromBytes : toBytes), copy->Height, copy->Depth};
  all.kind = cudaMemcpyDefault;
  return (CUresult)(stream ? cudaMemcpy3DAsync(&all, (cudaStream_t)stream) : cudaMemcpy3D(&all));
}
__LANEWISE_DRIVER CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy) { return cuMemcpy3DAsync(copy, 0); }

/* Textures and surfaces */
__LANEWISE_DRIVER cudaResourceDesc __lanewise_resource(const CUDA_RESOURCE_DESC* of) {
  cudaResourceDesc resource = {};
  resource.resType = (cudaResourceType)of->resType;
  if (of->resType == CU_RESOURCE_TYPE_ARRAY) resource.res.array.array = (cudaArray_t)of->res.array.hArray;
  else if (of->resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) resource.res.mipmap.mipmap = (cudaMipmappedArray_t)of->res.mipmap.hMipmappedArray;
  else if (of->resType == CU_RESOURCE_TYPE_LINEAR) {
    resource.res.linear.devPtr = (void*)of->res.linear.devPtr;
    resource.res.linear.desc = __lanewise_channels(of->res.linear.format, of->res.linear.numChannels);
    resource.res.linear.sizeInBytes = of->res.linear.sizeInBytes;
  } else {
    resource.res.pitch2D.devPtr = (void*)of->res.pitch2D.devPtr;
    resource.res.pitch2D.desc = __lanewise_channels(of->res.pitch2D.format, of->res.pitch2D.numChannels);
    resource.res.pitch2D.width = of->res.pitch2D.width;
    resource.res.pitch2D.height = of->res.pitch2D.height;
    resource.res.pitch2D.pitchInBytes = of->res.pitch2D.pitchInBytes;
  }
  return resource;
}
__LANEWISE_DRIVER CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* of, const CUDA_TEXTURE_DESC* how, const CUDA_RESOURCE_VIEW_DESC* view) {
  cudaResourceDesc resource = __lanewise_resource(of);
  cudaTextureDesc all = {};
  cudaChannelFormatDesc channels = {};
  if (of->resType == CU_RESOURCE_TYPE_ARRAY) cudaGetChannelDesc(&channels, resource.res.array.array);
  else channels = of->resType == CU_RESOURCE_TYPE_LINEAR ? resource.res.linear.desc : resource.res.pitch2D.desc;
  for (int k = 0; k < 3; k++) all.addressMode[k] = (cudaTextureAddressMode)how->addressMode[k];
  for (int k = 0; k < 4; k++) all.borderColor[k] = how->borderColor[k];
  all.filterMode = (cudaTextureFilterMode)how->filterMode;
  /* Integers of 8 and 16 bits become fractions, unless they are asked for as they are. */
  all.readMode = channels.f != cudaChannelFormatKindFloat && channels.x < 32 && channels.x > 0 && !(how->flags & CU_TRSF_READ_AS_INTEGER) ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  all.sRGB = (how->flags & CU_TRSF_SRGB) != 0;
  all.normalizedCoords = (how->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  all.maxAnisotropy = how->maxAnisotropy;
  all.mipmapFilterMode = (cudaTextureFilterMode)how->mipmapFilterMode;
  all.mipmapLevelBias = how->mipmapLevelBias;
  all.minMipmapLevelClamp = how->minMipmapLevelClamp;
  all.maxMipmapLevelClamp = how->maxMipmapLevelClamp;
  return (CUresult)cudaCreateTextureObject((cudaTextureObject_t*)texture, &resource, &all, (const cudaResourceViewDesc*)view);
}
__LANEWISE_DRIVER CUresult cuSurfObjectCreate(CUsurfObject* surface, const CUDA_RESOURCE_DESC* of) {
  cudaResourceDesc resource = __lanewise_resource(of);
  return (CUresult)cudaCreateSurfaceObject((cudaSurfaceObject_t*)surface, &resource);
}
__LANEWISE_DRIVER CUresult cuTexObjectDestroy(CUtexObject texture) { return (CUresult)cudaDestroyTextureObject(texture); }
__LANEWISE_DRIVER CUresult cuSurfObjectDestroy(CUsurfObject surface) { return (CUresult)cudaDestroySurfaceObject(surface); }

/* Modules as libraries, and launches with attributes */
__LANEWISE_DRIVER CUresult cuLibraryLoadData(CUlibrary* library, const void* image, CUjit_option*, void**, unsigned int, CUlibraryOption*, void**, unsigned int) { return cuModuleLoadData((CUmodule*)library, image); }
__LANEWISE_DRIVER CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option*, void**, unsigned int, CUlibraryOption*, void**, unsigned int) { return cuModuleLoad((CUmodule*)library, file); }
__LANEWISE_DRIVER CUresult cuLibraryUnload(CUlibrary library) { return cuModuleUnload((CUmodule)library); }
__LANEWISE_DRIVER CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) { return cuModuleGetFunction((CUfunction*)kernel, (CUmodule)library, name); }
__LANEWISE_DRIVER CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) { *module = (CUmodule)library; return CUDA_SUCCESS; }
__LANEWISE_DRIVER CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary library, const char* name) { return cuModuleGetGlobal(pointer, bytes, (CUmodule)library, name); }
__LANEWISE_DRIVER CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) { *function = (CUfunction)kernel; return CUDA_SUCCESS; }
__LANEWISE_DRIVER CUresult cuKernelGetName(const char** name, CUkernel kernel) { return cuFuncGetName(name, (CUfunction)kernel); }
__LANEWISE_DRIVER CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice) { return cuFuncGetAttribute(value, attribute, (CUfunction)kernel); }
__LANEWISE_DRIVER CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice) { return cuFuncSetAttribute((CUfunction)kernel, attribute, value); }
/* Cooperative or not; a cluster of several blocks is not launched this way here. */
__LANEWISE_DRIVER CUresult cuLaunchKernelEx(const CUlaunchConfig* c, CUfunction function, void** parameters, void** extra) {
  int together = 0;
  for (unsigned int k = 0; k < c->numAttrs; k++) {
    const CUlaunchAttribute* attribute = &c->attrs[k];
    if (attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) together = attribute->value.cooperative;
    if (attribute->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION && attribute->value.clusterDim.x * attribute->value.clusterDim.y * attribute->value.clusterDim.z > 1) return CUDA_ERROR_NOT_SUPPORTED;
  }
  if (together) return cuLaunchCooperativeKernel(function, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY, c->blockDimZ, c->sharedMemBytes, c->hStream, parameters);
  return cuLaunchKernel(function, c->gridDimX, c->gridDimY, c->gridDimZ, c->blockDimX, c->blockDimY, c->blockDimZ, c->sharedMemBytes, c->hStream, parameters, extra);
}
/* The block size of most threads on a multiprocessor, the largest of several. */
__LANEWISE_DRIVER CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function, CUoccupancyB2DSize sharedOf, size_t shared, int limit, unsigned int flags) {
  int multiprocessors = 0, most = 0, best = 0;
  CUdevice device;
  CUresult code = cuCtxGetDevice(&device);
  if (!code) code = cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device);
  if (!code) code = cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
  if (code) return code;
  if (limit > 0 && limit < most) most = limit;
  for (int size = (most + 31) / 32 * 32; size > 0; size -= 32) {
    int own = size < most ? size : most, blocks = 0;
    code = cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, function, own, sharedOf ? sharedOf(own) : shared, flags);
    if (code) return code;
    if (blocks * own > best) best = blocks * own, *block = own, *grid = blocks * multiprocessors;
  }
  return CUDA_SUCCESS;
}
__LANEWISE_DRIVER CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function, CUoccupancyB2DSize sharedOf, size_t shared, int limit) { return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, sharedOf, shared, limit, 0); }

/* Hints, peers, pools, captured graphs */
__LANEWISE_DRIVER CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUdevice device) { return (CUresult)cudaMemAdvise((const void*)pointer, bytes, (cudaMemoryAdvise)advice, device); }
__LANEWISE_DRIVER CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream) { return (CUresult)cudaMemPrefetchAsync((const void*)pointer, bytes, device, (cudaStream_t)stream); }
__LANEWISE_DRIVER CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes, unsigned int flags) { return (CUresult)cudaStreamAttachMemAsync((cudaStream_t)stream, (void*)pointer, bytes, flags); }
__LANEWISE_DRIVER CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes) { return cuMemcpyDtoD(to, from, bytes); }
__LANEWISE_DRIVER CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t bytes, CUstream stream) { return cuMemcpyDtoDAsync(to, from, bytes, stream); }
__LANEWISE_DRIVER CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) { return (CUresult)cudaDeviceGetDefaultMemPool((cudaMemPool_t*)pool, device); }
__LANEWISE_DRIVER CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes, CUmemoryPool pool, CUstream stream) { return (CUresult)cudaMallocFromPoolAsync((void**)pointer, bytes, (cudaMemPool_t)pool, (cudaStream_t)stream); }
__LANEWISE_DRIVER CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) { return (CUresult)cudaStreamIsCapturing((cudaStream_t)stream, (cudaStreamCaptureStatus*)status); }
__LANEWISE_DRIVER CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) { return (CUresult)cudaStreamBeginCapture((cudaStream_t)stream, (cudaStreamCaptureMode)mode); }
__LANEWISE_DRIVER CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) { return (CUresult)cudaStreamEndCapture((cudaStream_t)stream, (cudaGraph_t*)graph); }
__LANEWISE_DRIVER CUresult cuGraphInstantiate(CUgraphExec* executable, CUgraph graph, unsigned long long flags) { return (CUresult)cudaGraphInstantiate((cudaGraphExec_t*)executable, (cudaGraph_t)graph, flags); }
__LANEWISE_DRIVER CUresult cuGraphLaunch(CUgraphExec executable, CUstream stream) { return (CUresult)cudaGraphLaunch((cudaGraphExec_t)executable, (cudaStream_t)stream); }
__LANEWISE_DRIVER CUresult cuGraphExecDestroy(CUgraphExec executable) { return (CUresult)cudaGraphExecDestroy((cudaGraphExec_t)executable); }
__LANEWISE_DRIVER CUresult cuGraphDestroy(CUgraph graph) { return (CUresult)cudaGraphDestroy((cudaGraph_t)graph); }
#undef __LANEWISE_DRIVER
