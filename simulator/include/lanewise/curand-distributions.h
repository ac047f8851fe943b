/* How cuRAND makes one number of a distribution from one word of a generator: for quasi-random sequences and the Mersenne Twisters. */
#pragma once
#include "curand-generators.h"
#include "host-math.h"
#include <cmath>

namespace __lanewise {

__LANEWISE_BOTH double coarseUniform(unsigned int x) { return x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE; }

/* By the inverse of the normal distribution, for the upper half from the lower. */
__LANEWISE_BOTH float inverseNormal(unsigned int x) {
  float sign = -1.4142135623730951f;
  if (x > 0x80000000u) { x = 0xffffffffu - x; sign = -sign; }
#ifdef __CUDA_ARCH__
  return sign * erfcinvf(2 * uniform(x));
#else
  return sign * (float)erfcinv((double)(2 * uniform(x)));
#endif
}
__LANEWISE_BOTH double fineInverseNormal(unsigned int x) {
  double sign = -1.4142135623730951;
  if (x > 0x80000000u) { x = 0xffffffffu - x; sign = -sign; }
  return sign * erfcinv(2 * (x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE / 2));
}
/* By adding up the distribution; e^-lambda is multiplied in by parts, as it can be too small. From 1000 on by a normal number. */
__LANEWISE_BOTH unsigned int inversePoisson(unsigned int x, double lambda) {
  if (lambda >= 1000) return (unsigned int)(sqrt(lambda) * fineInverseNormal(x) + lambda + 0.5);
  double u = x * CURAND_2POW32_INV_DOUBLE + CURAND_2POW32_INV_DOUBLE / 2, term = 1, sum = 1;
  unsigned int count = 0;
  for (int done = 0; done < lambda; done += 500) {
    double part = lambda - done > 500 ? exp(-500.0) : exp(done - lambda);
    term *= part;
    sum *= part;
    while (u > sum) sum += term *= lambda / ++count;
  }
  return count;
}

}  // namespace __lanewise
