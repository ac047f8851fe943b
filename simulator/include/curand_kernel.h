/*
 * cuRAND's functions for kernels: the generators XORWOW, Philox4x32-10 and MRG32k3a with uniform, normal, log-normal and Poisson numbers,
 * MTGP32, and Sobol's sequences of 32 and 64 bits.
 * Integers and uniform numbers are cuRAND's bit for bit; normal ones to the accuracy of the mathematics library. Left out:
 * scrambled Sobol, curand_discrete.
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_
#pragma GCC system_header
#include "cuda_runtime.h"
#include "curand_mtgp32_kernel.h"
#include "lanewise/curand-generators.h"
#include "lanewise/curand-sobol.h"

/* Below 64 by counting uniform numbers, as cuRAND does (Knuth); up to 4000 by rejection (Hormann's PTRS), where cuRAND's numbers are others;
   above from a normal number, as cuRAND does. */
template <class State> __LANEWISE_DEVICE unsigned int curand_poisson(State* state, double lambda) {
  if (lambda < 64) {
    unsigned int count = 0;
    for (float p = expf((float)lambda); ; ++count) {
      p *= curand_uniform(state);
      if (!(p > 1.0)) return count;
    }
  }
  if (lambda > 4000) return (unsigned int)(sqrt(lambda) * curand_normal_double(state) + lambda + 0.5);
  double slope = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * slope, ratio = 0.9277 - 3.6224 / (slope - 2);
  for (;;) {
    double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state), us = 0.5 - fabs(u);
    double k = floor((2 * a / us + slope) * u + lambda + 0.43);
    if (us >= 0.07 && v <= ratio) return (unsigned int)k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (log(v) + log(1.1239 + 1.1328 / (slope - 3.4)) - log(a / (us * us) + slope) <= k * log(lambda) - lambda - lgamma(k + 1)) return (unsigned int)k;
  }
}
__LANEWISE_DEVICE uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  uint4 result;
  result.x = curand_poisson(state, lambda);
  result.y = curand_poisson(state, lambda);
  result.z = curand_poisson(state, lambda);
  result.w = curand_poisson(state, lambda);
  return result;
}
__LANEWISE_DEVICE float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float deviation) {
  float4 x = curand_normal4(state);
  return float4{expf(mean + deviation * x.x), expf(mean + deviation * x.y), expf(mean + deviation * x.z), expf(mean + deviation * x.w)};
}
#endif
