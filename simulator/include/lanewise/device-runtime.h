/* Kernels launched from device code: what <<< >>> turns into there. The simulator implements both. */
#pragma once
#include "../cuda_runtime_api.h"

extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void* function, void* parameters, dim3 grid, dim3 block, unsigned int sharedBytes, cudaStream_t stream);
}

/* The value of a graph's condition is a word of device memory, and its handle is its address. */
__LANEWISE_DEVICE void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) { *(volatile unsigned int*)handle = value; }

/* Programmatic dependent launch: here a kernel starts when those before it in its stream have ended. */
__LANEWISE_DEVICE void cudaGridDependencySynchronize(void) {}
__LANEWISE_DEVICE void cudaTriggerProgrammaticLaunchCompletion(void) {}
