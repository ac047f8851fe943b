/* The runtime API's C++ overloads: typed pointers, symbols and kernels instead of void*. */
#pragma once
#include "../cuda_runtime_api.h"

#define __LANEWISE_API static inline __host__ __attribute__((nodebug, unused)) cudaError_t

template <class T> __LANEWISE_API cudaMalloc(T** pointer, size_t size) { return ::cudaMalloc((void**)(void*)pointer, size); }
template <class T> __LANEWISE_API cudaMallocHost(T** pointer, size_t size, unsigned int flags = 0) {
  return flags == 0 ? ::cudaMallocHost((void**)(void*)pointer, size) : ::cudaHostAlloc((void**)(void*)pointer, size, flags);
}
__LANEWISE_API cudaMallocHost(void** pointer, size_t size, unsigned int flags) { return ::cudaHostAlloc(pointer, size, flags); }
template <class T> __LANEWISE_API cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void**)(void*)pointer, size, flags);
}
template <class T> __LANEWISE_API cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)(void*)device, host, flags);
}
template <class T> __LANEWISE_API cudaMallocManaged(T** pointer, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)(void*)pointer, size, flags);
}
template <class T> __LANEWISE_API cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)(void*)pointer, pitch, width, height);
}
template <class T> __LANEWISE_API cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)(void*)pointer, size, stream);
}
template <class T> __LANEWISE_API cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t length = 0, unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void*)pointer, length, flags);
}

/* Managed memory: CUDA 13 names places by type, CUDA 12 by the number of a device. */
static inline __host__ int __lanewise_device_of(cudaMemLocation place) { return place.type == cudaMemLocationTypeDevice ? place.id : cudaCpuDeviceId; }
__LANEWISE_API cudaMemPrefetchAsync(const void* pointer, size_t count, cudaMemLocation place, unsigned int, cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync(pointer, count, __lanewise_device_of(place), stream);
}
__LANEWISE_API cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, cudaMemLocation place) {
  return ::cudaMemAdvise(pointer, count, advice, __lanewise_device_of(place));
}
template <class T> __LANEWISE_API cudaMallocAsync(T** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(void*)pointer, size, pool, stream);
}
__LANEWISE_API cudaMallocAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(pointer, size, pool, stream);
}
template <class T> __LANEWISE_API cudaMallocFromPoolAsync(T** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(void*)pointer, size, pool, stream);
}

/* Graphs: edges without data, as before CUDA 13. */
__LANEWISE_API cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count) {
  return ::cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
__LANEWISE_API cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, size_t count) {
  return ::cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
__LANEWISE_API cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  return ::cudaGraphGetEdges(graph, from, to, nullptr, count);
}
__LANEWISE_API cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, size_t* count) {
  return ::cudaGraphNodeGetDependencies(node, dependencies, nullptr, count);
}
__LANEWISE_API cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents, size_t* count) {
  return ::cudaGraphNodeGetDependentNodes(node, dependents, nullptr, count);
}
__LANEWISE_API cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count, cudaGraphNodeParams* parameters) {
  return ::cudaGraphAddNode(node, graph, dependencies, nullptr, count, parameters);
}
__LANEWISE_API cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id = 0, cudaGraph_t* graph = 0, const cudaGraphNode_t** dependencies = 0, size_t* count = 0) {
  return ::cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}
__LANEWISE_API cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies, size_t count, unsigned int flags = 0) {
  return ::cudaStreamUpdateCaptureDependencies(stream, dependencies, nullptr, count, flags);
}
/* As it was before CUDA 12. */
__LANEWISE_API cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* node, cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info;
  cudaError_t error = ::cudaGraphExecUpdate(exec, graph, &info);
  if (node) *node = info.errorNode;
  if (result) *result = info.result;
  return error;
}
template <class T> __LANEWISE_API cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count, const T& symbol, const void* source, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, count, (const void*)&symbol, source, bytes, offset, kind);
}
template <class T> __LANEWISE_API cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count, void* destination, const T& symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, count, destination, (const void*)&symbol, bytes, offset, kind);
}

/* As it was before CUDA 12: there is no node that could be at fault, and nothing is logged. */
__LANEWISE_API cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t*, char*, size_t) {
  return ::cudaGraphInstantiate(exec, graph, 0);
}

template <class T> __LANEWISE_API cudaMemcpyToSymbol(const T& symbol, const void* source, size_t count, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void*)&symbol, source, count, offset, kind);
}
template <class T> __LANEWISE_API cudaMemcpyFromSymbol(void* destination, const T& symbol, size_t count, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(destination, (const void*)&symbol, count, offset, kind);
}
template <class T> __LANEWISE_API cudaMemcpyToSymbolAsync(const T& symbol, const void* source, size_t count, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void*)&symbol, source, count, offset, kind, stream);
}
template <class T> __LANEWISE_API cudaMemcpyFromSymbolAsync(void* destination, const T& symbol, size_t count, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(destination, (const void*)&symbol, count, offset, kind, stream);
}
template <class T> __LANEWISE_API cudaGetSymbolAddress(void** pointer, const T& symbol) { return ::cudaGetSymbolAddress(pointer, (const void*)&symbol); }
template <class T> __LANEWISE_API cudaGetSymbolAddress(T** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress((void**)(void*)pointer, (const void*)&symbol);
}
template <class T> __LANEWISE_API cudaGetSymbolSize(size_t* size, const T& symbol) { return ::cudaGetSymbolSize(size, (const void*)&symbol); }

__LANEWISE_API cudaEventCreate(cudaEvent_t* event, unsigned int flags) { return ::cudaEventCreateWithFlags(event, flags); }

template <class F> __LANEWISE_API cudaLaunchKernel(F* function, dim3 grid, dim3 block, void** args, size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void*)function, grid, block, args, sharedBytes, stream);
}
template <class F> __LANEWISE_API cudaLaunchCooperativeKernel(F* function, dim3 grid, dim3 block, void** args, size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void*)function, grid, block, args, sharedBytes, stream);
}
template <class... Parameters, class... Arguments>
__LANEWISE_API cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), Arguments&&... arguments) {
  return [&](Parameters... converted) {
    void* args[] = {(void*)&converted..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void*)kernel, args);
  }(static_cast<Arguments&&>(arguments)...);
}
template <class F> __LANEWISE_API cudaFuncSetAttribute(F* function, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute((const void*)function, attribute, value);
}
template <class F> __LANEWISE_API cudaFuncSetCacheConfig(F* function, cudaFuncCache config) { return ::cudaFuncSetCacheConfig((const void*)function, config); }
template <class F> __LANEWISE_API cudaFuncSetSharedMemConfig(F* function, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void*)function, config);
}
template <class F> __LANEWISE_API cudaFuncGetAttributes(cudaFuncAttributes* attributes, F* function) {
  return ::cudaFuncGetAttributes(attributes, (const void*)function);
}
template <class F> __LANEWISE_API cudaFuncGetParamInfo(F* function, size_t index, size_t* offset, size_t* size) {
  return ::cudaFuncGetParamInfo((const void*)function, index, offset, size);
}
template <class F> __LANEWISE_API cudaGetFuncBySymbol(cudaFunction_t* handle, F* function) { return ::cudaGetFuncBySymbol(handle, (const void*)function); }
template <class F> __LANEWISE_API cudaGetKernel(cudaKernel_t* kernel, F* function) { return ::cudaGetKernel(kernel, (const void*)function); }
template <class F> __LANEWISE_API cudaOccupancyMaxActiveClusters(int* clusters, F* function, const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxActiveClusters(clusters, (const void*)function, config);
}
template <class F> __LANEWISE_API cudaOccupancyMaxPotentialClusterSize(int* size, F* function, const cudaLaunchConfig_t* config) {
  return ::cudaOccupancyMaxPotentialClusterSize(size, (const void*)function, config);
}
template <class F> __LANEWISE_API cudaFuncGetName(const char** name, F* function) { return ::cudaFuncGetName(name, (const void*)function); }
template <class F> __LANEWISE_API cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F function, int blockSize, size_t sharedBytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)function, blockSize, sharedBytes);
}
template <class F> __LANEWISE_API cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F function, int blockSize, size_t sharedBytes, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)function, blockSize, sharedBytes, flags);
}
template <class F> __LANEWISE_API cudaOccupancyAvailableDynamicSMemPerBlock(size_t* size, F* function, int blocks, int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(size, (const void*)function, blocks, blockSize);
}

/* The block size, a multiple of the warp, with the most resident threads per multiprocessor; the largest of equals. */
template <class SharedBytesOf, class F>
__LANEWISE_API cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize, F function, SharedBytesOf sharedBytesOf, int limit = 0) {
  int device = 0, multiprocessors = 0, warp = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess) error = ::cudaFuncGetAttributes(&attributes, (const void*)function);
  if (error != cudaSuccess) return error;
  int most = attributes.maxThreadsPerBlock, bestThreads = 0;
  if (limit > 0 && limit < most) most = limit;
  for (int size = (most + warp - 1) / warp * warp; size > 0; size -= warp) {
    int threads = size < most ? size : most, blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)function, threads, sharedBytesOf(threads));
    if (error != cudaSuccess) return error;
    if (blocks * threads > bestThreads) {
      bestThreads = blocks * threads;
      *blockSize = threads;
      *minGridSize = blocks * multiprocessors;
    }
  }
  return cudaSuccess;
}
template <class F>
__LANEWISE_API cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, F function, size_t sharedBytes = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(minGridSize, blockSize, function, [=](int) { return sharedBytes; }, limit);
}
template <class F>
__LANEWISE_API cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, F function, size_t sharedBytes = 0, int limit = 0, unsigned int = 0) {
  return cudaOccupancyMaxPotentialBlockSize(minGridSize, blockSize, function, sharedBytes, limit);
}

__LANEWISE_BOTH cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) { return cudaExtent{width, height, depth}; }
__LANEWISE_BOTH cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return cudaPos{x, y, z}; }
__LANEWISE_BOTH cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height) {
  return cudaPitchedPtr{pointer, pitch, width, height};
}
#undef __LANEWISE_API
