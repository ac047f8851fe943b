/* Of cuFFT's extensions plans by the types of their elements. Several devices, callbacks and half precision are left out. */
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
#endif
