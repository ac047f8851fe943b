/* Of cuFFT's extensions plans by the types of their elements. Those of several devices answer CUFFT_NOT_SUPPORTED; callbacks and half
   precision are left out. */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_
#pragma GCC system_header
#include "cufft.h"

inline cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int* n, long long int* inembed, long long int istride, long long int idist, cudaDataType in, long long int* onembed, long long int ostride, long long int odist, cudaDataType out, long long int batch, size_t* bytes, cudaDataType execution) {
  struct { cudaDataType in, out; cufftType type; } known[] = {
    {CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C}, {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R},
    {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z}, {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
  for (auto& each : known) {
    if (each.in != in || each.out != out || execution != (each.type & 0x40 ? CUDA_C_64F : CUDA_C_32F)) continue;
    return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, each.type, batch, bytes);
  }
  return CUFFT_NOT_SUPPORTED;
}

/* One transform on several devices. */
enum cudaXtCopyType { LIB_XT_COPY_HOST_TO_DEVICE, LIB_XT_COPY_DEVICE_TO_HOST, LIB_XT_COPY_DEVICE_TO_DEVICE };
typedef enum cudaXtCopyType cudaLibXtCopyType;
enum libFormat_t { LIB_FORMAT_CUFFT = 0, LIB_FORMAT_UNDEFINED = 1 };
typedef enum libFormat_t libFormat;
#define MAX_CUDA_DESCRIPTOR_GPUS 64
struct cudaXtDesc_t { int version, nGPUs, GPUs[MAX_CUDA_DESCRIPTOR_GPUS]; void* data[MAX_CUDA_DESCRIPTOR_GPUS]; size_t size[MAX_CUDA_DESCRIPTOR_GPUS]; void* cudaXtState; };
typedef struct cudaXtDesc_t cudaXtDesc;
struct cudaLibXtDesc_t { int version; cudaXtDesc* descriptor; libFormat library; int subFormat; void* libDescriptor; };
typedef struct cudaLibXtDesc_t cudaLibXtDesc;
typedef enum cufftXtSubFormat_t { CUFFT_XT_FORMAT_INPUT, CUFFT_XT_FORMAT_OUTPUT, CUFFT_XT_FORMAT_INPLACE, CUFFT_XT_FORMAT_INPLACE_SHUFFLED, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED, CUFFT_XT_FORMAT_DISTRIBUTED_INPUT, CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT, CUFFT_FORMAT_UNDEFINED } cufftXtSubFormat;
typedef enum cufftXtCopyType_t { CUFFT_COPY_HOST_TO_DEVICE, CUFFT_COPY_DEVICE_TO_HOST, CUFFT_COPY_DEVICE_TO_DEVICE, CUFFT_COPY_UNDEFINED } cufftXtCopyType;
inline cufftResult cufftXtSetGPUs(cufftHandle, int count, int* devices) {
  int present = 0;
  cudaGetDeviceCount(&present);
  for (int k = 0; k < count; ++k) if (devices[k] < 0 || devices[k] >= present) return CUFFT_INVALID_DEVICE;
  return CUFFT_NOT_SUPPORTED;
}
inline cufftResult cufftXtMalloc(cufftHandle, cudaLibXtDesc**, cufftXtSubFormat) { return CUFFT_NOT_SUPPORTED; }
inline cufftResult cufftXtFree(cudaLibXtDesc*) { return CUFFT_NOT_SUPPORTED; }
inline cufftResult cufftXtMemcpy(cufftHandle, void*, void*, cufftXtCopyType) { return CUFFT_NOT_SUPPORTED; }
inline cufftResult cufftXtExecDescriptor(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int) { return CUFFT_NOT_SUPPORTED; }
inline cufftResult cufftXtExecDescriptorC2C(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int) { return CUFFT_NOT_SUPPORTED; }
inline cufftResult cufftXtExecDescriptorZ2Z(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int) { return CUFFT_NOT_SUPPORTED; }
#endif
