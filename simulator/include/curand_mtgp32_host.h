/* What prepares cuRAND's generators MTGP32 for kernels: their parameters and first states, made by the host and copied to the device. */
#ifndef CURAND_MTGP32_HOST_H
#define CURAND_MTGP32_HOST_H
#pragma GCC system_header
#include "curand.h"
#include "curand_mtgp32.h"
#include "curand_mtgp32dc_p_11213.h"

inline curandStatus_t curandMakeMTGP32Constants(const mtgp32_params_fast_t params[], mtgp32_kernel_params_t* p) {
  mtgp32_kernel_params_t made;
  __lanewise::mtgpParameters(params, &made);
  return cudaMemcpy(p, &made, sizeof(made), cudaMemcpyHostToDevice) == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}
inline curandStatus_t curandMakeMTGP32KernelState(curandStateMtgp32_t* s, mtgp32_params_fast_t params[], mtgp32_kernel_params_t* k, int n, unsigned long long seed) {
  std::vector<curandStateMtgp32_t> made(n);
  for (int i = 0; i < n; ++i) __lanewise::mtgpStart(&made[i], params, i, k, seed);
  return cudaMemcpy(s, made.data(), n * sizeof(made[0]), cudaMemcpyHostToDevice) == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}

#endif
