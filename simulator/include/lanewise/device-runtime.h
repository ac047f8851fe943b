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
