/* An allocator of device memory. CUB's keeps blocks for later; this one does not, so allocations are counted as the program asks for them. */
#pragma once
#pragma GCC system_header
#include "util_debug.cuh"

namespace cub {
struct CachingDeviceAllocator {
  template <class... A> CachingDeviceAllocator(A...) {}
  cudaError_t DeviceAllocate(void** p, size_t bytes, cudaStream_t = 0) { return cudaMalloc(p, bytes); }
  cudaError_t DeviceAllocate(int, void** p, size_t bytes, cudaStream_t = 0) { return cudaMalloc(p, bytes); }
  cudaError_t DeviceFree(void* p) { return cudaFree(p); }
  cudaError_t DeviceFree(int, void* p) { return cudaFree(p); }
  cudaError_t FreeAllCached() { return cudaSuccess; }
};
}  // namespace cub
