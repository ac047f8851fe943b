#ifndef NVTOOLSEXT_CUDART_V3
#define NVTOOLSEXT_CUDART_V3
#pragma GCC system_header
#include "nvToolsExt.h"
#include "../cuda_runtime_api.h"

static inline void nvtxNameCudaDeviceA(int device, const char* name) { (void)device; (void)name; }
static inline void nvtxNameCudaStreamA(cudaStream_t stream, const char* name) { (void)stream; (void)name; }
static inline void nvtxNameCudaEventA(cudaEvent_t event, const char* name) { (void)event; (void)name; }
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif
