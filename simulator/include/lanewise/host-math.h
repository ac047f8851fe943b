/* Functions of CUDA's math library that the C library lacks, for host code. */
#pragma once
#include <math.h>
#include "../host_defines.h"

#define __LANEWISE_HOST_MATH(name, expression) \
  __LANEWISE_HOST double name(double x) { return expression; } \
  __LANEWISE_HOST float name##f(float f) { double x = f; return (float)(expression); } \
  __LANEWISE_HOST float name(float f) { return name##f(f); }
__LANEWISE_HOST double __lanewise_erfinv(double y);
/* The inverse of erfc: an estimate, and Newton's steps (of third order) from there. */
__LANEWISE_HOST double __lanewise_erfcinv(double y) {
  if (!(y > 0 && y < 2)) return y == 0 ? HUGE_VAL : y == 2 ? -HUGE_VAL : NAN;
  if (y > 0.5 && y < 1.5) return __lanewise_erfinv(1 - y);
  double p = y < 1 ? y : 2 - y, t = ::sqrt(-2 * ::log(p / 2));
  double x = (t - (2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481))) * 0.70710678118654752440;
  for (int step = 0; step < 3; ++step) {
    double error = ::erfc(x) - p;
    x += error / (1.12837916709551257390 * ::exp(-x * x) - x * error);
  }
  return y < 1 ? x : -x;
}
__LANEWISE_HOST double __lanewise_erfinv(double y) {
  if (y > -0.5 && y < 0.5) {
    double x = y * 0.88622692545275801365;
    for (int step = 0; step < 4; ++step) {
      double error = ::erf(x) - y;
      x -= error / (1.12837916709551257390 * ::exp(-x * x) + x * error);
    }
    return x;
  }
  return y < 0 ? -__lanewise_erfcinv(1 + y) : __lanewise_erfcinv(1 - y);
}
__LANEWISE_HOST_MATH(erfcinv, __lanewise_erfcinv(x))
__LANEWISE_HOST_MATH(erfinv, __lanewise_erfinv(x))
__LANEWISE_HOST_MATH(normcdfinv, -1.41421356237309504880 * __lanewise_erfcinv(2 * x))
__LANEWISE_HOST_MATH(rsqrt, 1.0 / ::sqrt(x))
__LANEWISE_HOST_MATH(rcbrt, 1.0 / ::cbrt(x))
__LANEWISE_HOST_MATH(sinpi, ::sin(::fmod(x, 2.0) * 3.14159265358979323846))
__LANEWISE_HOST_MATH(cospi, ::cos(::fmod(x, 2.0) * 3.14159265358979323846))
__LANEWISE_HOST_MATH(normcdf, 0.5 * ::erfc(-x * 0.70710678118654752440))
#undef __LANEWISE_HOST_MATH
__LANEWISE_HOST double rhypot(double x, double y) { return 1.0 / ::hypot(x, y); }
__LANEWISE_HOST float rhypotf(float x, float y) { return (float)(1.0 / ::hypot((double)x, (double)y)); }
__LANEWISE_HOST double norm3d(double a, double b, double c) { return ::sqrt(a * a + b * b + c * c); }
__LANEWISE_HOST float norm3df(float a, float b, float c) { return (float)norm3d(a, b, c); }
__LANEWISE_HOST double norm4d(double a, double b, double c, double d) { return ::sqrt(a * a + b * b + c * c + d * d); }
__LANEWISE_HOST float norm4df(float a, float b, float c, float d) { return (float)norm4d(a, b, c, d); }
__LANEWISE_HOST double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
__LANEWISE_HOST float rnorm3df(float a, float b, float c) { return (float)rnorm3d(a, b, c); }
__LANEWISE_HOST void sincospi(double x, double* s, double* c) { *s = sinpi(x); *c = cospi(x); }
__LANEWISE_HOST void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
