/* Kernels launched from device code: what <<< >>> turns into there. The simulator implements both. */
#pragma once
#include "../cuda_runtime_api.h"

extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void* function, void* parameters, dim3 grid, dim3 block, unsigned int sharedBytes, cudaStream_t stream);
__device__ unsigned int __lanewise_device_stream(void);
}

/* A block's own streams: what is launched into them runs when the kernel has ended, in the order of the launches. */
__LANEWISE_DEVICE cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  if (!stream || flags != cudaStreamNonBlocking) return cudaErrorInvalidValue;
  *stream = (cudaStream_t)(size_t)__lanewise_device_stream();
  return cudaSuccess;
}
__LANEWISE_DEVICE cudaError_t cudaStreamDestroy(cudaStream_t stream) { return (size_t)stream < 0x100 ? cudaErrorInvalidResourceHandle : cudaSuccess; }

/* The value of a graph's condition is a word of device memory, and its handle is its address. */
__LANEWISE_DEVICE void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) { *(volatile unsigned int*)handle = value; }

/* Programmatic dependent launch: here a kernel starts when those before it in its stream have ended. */
__LANEWISE_DEVICE void cudaGridDependencySynchronize(void) {}
__LANEWISE_DEVICE void cudaTriggerProgrammaticLaunchCompletion(void) {}

/* Errors of the device's runtime alone. */
#define __LANEWISE_DEVICE_ERRORS(CASE) \
  CASE(cudaSuccess, "no error") CASE(cudaErrorInvalidValue, "invalid argument") CASE(cudaErrorMemoryAllocation, "out of memory") \
  CASE(cudaErrorInvalidConfiguration, "invalid configuration argument") CASE(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy") \
  CASE(cudaErrorInvalidDeviceFunction, "invalid device function") CASE(cudaErrorInvalidResourceHandle, "invalid resource handle") \
  CASE(cudaErrorLaunchMaxDepthExceeded, "launch would exceed maximum depth of nested launches") \
  CASE(cudaErrorLaunchPendingCountExceeded, "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount") \
  CASE(cudaErrorLaunchOutOfResources, "too many resources requested for launch") CASE(cudaErrorNotPermitted, "operation not permitted") \
  CASE(cudaErrorNotSupported, "operation not supported") CASE(cudaErrorUnknown, "unknown error")
__LANEWISE_DEVICE const char* cudaGetErrorString(cudaError_t error) {
#define __LANEWISE_CASE(code, text) if (error == code) return text;
  __LANEWISE_DEVICE_ERRORS(__LANEWISE_CASE)
#undef __LANEWISE_CASE
  return "unrecognized error code";
}
__LANEWISE_DEVICE const char* cudaGetErrorName(cudaError_t error) {
#define __LANEWISE_CASE(code, text) if (error == code) return #code;
  __LANEWISE_DEVICE_ERRORS(__LANEWISE_CASE)
#undef __LANEWISE_CASE
  return "unrecognized error code";
}
#undef __LANEWISE_DEVICE_ERRORS

#ifdef __CLANG_RDC__
/* Copies and fills that kernels order are kernels of one block, in the order of their stream. */
namespace cuda_device_runtime {
template <class T> __global__ void copy(T* to, const T* from, size_t count) {
  for (size_t k = threadIdx.x; k < count; k += blockDim.x) to[k] = from[k];
}
template <class T> __global__ void fill(T* to, T value, size_t count) {
  for (size_t k = threadIdx.x; k < count; k += blockDim.x) to[k] = value;
}
__LANEWISE_DEVICE unsigned int threadsFor(size_t count) { return count < 1024 ? (unsigned int)count : 1024; }
}  // namespace cuda_device_runtime

template <int = 0> __LANEWISE_DEVICE cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, enum cudaMemcpyKind kind, cudaStream_t stream = 0) {
  using namespace cuda_device_runtime;
  if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (count == 0) return cudaSuccess;
  if ((((size_t)to | (size_t)from | count) & 3) == 0) copy<<<1, threadsFor(count / 4), 0, stream>>>((unsigned int*)to, (const unsigned int*)from, count / 4);
  else copy<<<1, threadsFor(count), 0, stream>>>((unsigned char*)to, (const unsigned char*)from, count);
  return cudaSuccess;
}
template <int = 0> __LANEWISE_DEVICE cudaError_t cudaMemsetAsync(void* to, int value, size_t count, cudaStream_t stream = 0) {
  using namespace cuda_device_runtime;
  if (count != 0) fill<<<1, threadsFor(count), 0, stream>>>((unsigned char*)to, (unsigned char)value, count);
  return cudaSuccess;
}
#endif
