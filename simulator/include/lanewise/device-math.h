/*
 * CUDA's math library on the device. What LLVM knows exactly (roots, rounding, fused multiply-add, minimum and maximum) becomes an LLVM
 * intrinsic; everything else calls `__nv_<name>`, libdevice's name, which the simulator's engines implement.
 */
#pragma once
#include "../host_defines.h"

/* name(float), name(double), name(integer) and namef(float). */
#define __LANEWISE_OVERLOADS1(name) \
  __LANEWISE_DEVICE float name(float x) { return name##f(x); } \
  template <class T> __LANEWISE_DEVICE __lanewise_if_integer<T, double> name(T x) { return name((double)x); }
#define __LANEWISE_OVERLOADS2(name) \
  __LANEWISE_DEVICE float name(float x, float y) { return name##f(x, y); } \
  template <class T, class U> __LANEWISE_DEVICE __lanewise_promote<T, U> name(T x, U y) { \
    return name((__lanewise_promote<T, U>)x, (__lanewise_promote<T, U>)y); \
  }

#define __LANEWISE_MATH1(name) \
  __LANEWISE_PURE float __nv_##name##f(float); \
  __LANEWISE_PURE double __nv_##name(double); \
  __LANEWISE_DEVICE float name##f(float x) { return __nv_##name##f(x); } \
  __LANEWISE_DEVICE double name(double x) { return __nv_##name(x); } \
  __LANEWISE_OVERLOADS1(name)
#define __LANEWISE_MATH2(name) \
  __LANEWISE_PURE float __nv_##name##f(float, float); \
  __LANEWISE_PURE double __nv_##name(double, double); \
  __LANEWISE_DEVICE float name##f(float x, float y) { return __nv_##name##f(x, y); } \
  __LANEWISE_DEVICE double name(double x, double y) { return __nv_##name(x, y); } \
  __LANEWISE_OVERLOADS2(name)
#define __LANEWISE_LLVM1(name) \
  __LANEWISE_DEVICE float name##f(float x) { return __builtin_##name##f(x); } \
  __LANEWISE_DEVICE double name(double x) { return __builtin_##name(x); } \
  __LANEWISE_OVERLOADS1(name)
#define __LANEWISE_LLVM2(name) \
  __LANEWISE_DEVICE float name##f(float x, float y) { return __builtin_##name##f(x, y); } \
  __LANEWISE_DEVICE double name(double x, double y) { return __builtin_##name(x, y); } \
  __LANEWISE_OVERLOADS2(name)

/* The same where the double version reads a table, by the quarter turns of its argument. */
#define __LANEWISE_TURN(name, quarters) \
  __LANEWISE_PURE float __nv_##name##f(float); \
  __LANEWISE_PURE double __nv_##name(double); \
  __LANEWISE_DEVICE float name##f(float x) { return __nv_##name##f(x); } \
  __LANEWISE_DEVICE double name(double x) { return __nv_##name(__lanewise_read_quarter(x, quarters)); } \
  __LANEWISE_OVERLOADS1(name)

/*
 * libdevice takes the polynomials of double sine and cosine from a table of 128 bytes in global memory, one half for even and one for odd
 * quarter turns, by three loads of 16 bytes (`__cudart_sin_cos_coeffs` in the PTX of nvcc 13.0; Nsight Compute counts their requests).
 * The engines compute both functions by themselves, so these loads change nothing: x + -0.0 is x. sincos() needs none. The last two
 * doubles of each half, which nothing reads, differ from the others: a table of equal values would be folded away.
 */
typedef double __lanewise_two_doubles __attribute__((ext_vector_type(2)));
static __device__ __lanewise_two_doubles __lanewise_quarters[8] = {-0.0, -0.0, -0.0, 1.0, -0.0, -0.0, -0.0, 1.0};
__LANEWISE_DEVICE double __lanewise_read_quarter(double x, double quarters) {
  double turn = __builtin_rint(quarters);
  bool odd = turn - 2 * __builtin_floor(turn * 0.5) == 1.0;
  const __lanewise_two_doubles* half = __lanewise_quarters + (odd ? 4 : 0);
  __lanewise_two_doubles sum = half[0] + half[1] + half[2];
  return x + (sum.x + sum.y);
}

template <bool, class T> struct __lanewise_enable {};
template <class T> struct __lanewise_enable<true, T> { typedef T type; };
template <class T, class R> using __lanewise_if_integer = typename __lanewise_enable<__is_integral(T), R>::type;
/* The type of a call with mixed arguments: double, as soon as one is an integer or a double. Equal types have overloads of their own. */
template <class T, class U>
using __lanewise_promote = typename __lanewise_enable<__is_arithmetic(T) && __is_arithmetic(U) && (!__is_same(T, U) || __is_integral(T)), double>::type;

__LANEWISE_MATH1(acos)
__LANEWISE_MATH1(acosh)
__LANEWISE_MATH1(asin)
__LANEWISE_MATH1(asinh)
__LANEWISE_MATH1(atan)
__LANEWISE_MATH1(atanh)
__LANEWISE_MATH1(cbrt)
__LANEWISE_TURN(cos, x * 0.63661977236758134 + 1)
__LANEWISE_MATH1(cosh)
__LANEWISE_TURN(cospi, 2 * x + 1)
__LANEWISE_MATH1(erf)
__LANEWISE_MATH1(erfc)
__LANEWISE_MATH1(erfcinv)
__LANEWISE_MATH1(erfcx)
__LANEWISE_MATH1(erfinv)
__LANEWISE_MATH1(exp)
__LANEWISE_MATH1(exp10)
__LANEWISE_MATH1(exp2)
__LANEWISE_MATH1(expm1)
__LANEWISE_MATH1(j0)
__LANEWISE_MATH1(j1)
__LANEWISE_MATH1(lgamma)
__LANEWISE_MATH1(log)
__LANEWISE_MATH1(log10)
__LANEWISE_MATH1(log1p)
__LANEWISE_MATH1(log2)
__LANEWISE_MATH1(logb)
__LANEWISE_MATH1(normcdf)
__LANEWISE_MATH1(normcdfinv)
__LANEWISE_MATH1(rcbrt)
__LANEWISE_MATH1(rsqrt)
__LANEWISE_TURN(sin, x * 0.63661977236758134)
__LANEWISE_MATH1(sinh)
__LANEWISE_TURN(sinpi, 2 * x)
__LANEWISE_MATH1(tan)
__LANEWISE_MATH1(tanh)
__LANEWISE_MATH1(tgamma)
__LANEWISE_MATH1(y0)
__LANEWISE_MATH1(y1)
__LANEWISE_MATH1(cyl_bessel_i0)
__LANEWISE_MATH1(cyl_bessel_i1)
__LANEWISE_MATH2(atan2)
__LANEWISE_MATH2(fmod)
__LANEWISE_MATH2(hypot)
__LANEWISE_MATH2(nextafter)
__LANEWISE_MATH2(pow)
__LANEWISE_MATH2(remainder)
__LANEWISE_MATH2(rhypot)
__LANEWISE_LLVM1(ceil)
__LANEWISE_LLVM1(fabs)
__LANEWISE_LLVM1(floor)
__LANEWISE_LLVM1(nearbyint)
__LANEWISE_LLVM1(rint)
__LANEWISE_LLVM1(round)
__LANEWISE_LLVM1(sqrt)
__LANEWISE_LLVM1(trunc)
__LANEWISE_LLVM2(copysign)
__LANEWISE_LLVM2(fmax)
__LANEWISE_LLVM2(fmin)

__LANEWISE_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__LANEWISE_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
__LANEWISE_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
__LANEWISE_DEVICE float fdimf(float x, float y) { return x <= y ? 0.0f : x - y; }
__LANEWISE_DEVICE double fdim(double x, double y) { return x <= y ? 0.0 : x - y; }
__LANEWISE_OVERLOADS2(fdim)
__LANEWISE_DEVICE float fdividef(float x, float y) { return x / y; }

/* An exponent beyond an int is as good as the largest. */
__LANEWISE_DEVICE int __lanewise_exponent(int n) { return n; }
__LANEWISE_DEVICE int __lanewise_exponent(long n) { return n > 0x7fffffffL ? 0x7fffffff : n < -0x7fffffffL ? -0x7fffffff : (int)n; }
#define __LANEWISE_SCALE(name, nv, count) \
  __LANEWISE_DEVICE float name##f(float x, count n) { return __nv_##nv##f(x, __lanewise_exponent(n)); } \
  __LANEWISE_DEVICE double name(double x, count n) { return __nv_##nv(x, __lanewise_exponent(n)); } \
  __LANEWISE_DEVICE float name(float x, count n) { return __nv_##nv##f(x, __lanewise_exponent(n)); } \
  template <class T> __LANEWISE_DEVICE __lanewise_if_integer<T, double> name(T x, count n) { return name((double)x, n); }
__LANEWISE_PURE float __nv_ldexpf(float, int);
__LANEWISE_PURE double __nv_ldexp(double, int);
__LANEWISE_SCALE(ldexp, ldexp, int)
__LANEWISE_SCALE(scalbn, ldexp, int)
__LANEWISE_SCALE(scalbln, ldexp, long)
#undef __LANEWISE_SCALE

__LANEWISE_PURE int __nv_ilogbf(float);
__LANEWISE_PURE int __nv_ilogb(double);
__LANEWISE_DEVICE int ilogbf(float x) { return __nv_ilogbf(x); }
__LANEWISE_DEVICE int ilogb(double x) { return __nv_ilogb(x); }
__LANEWISE_DEVICE int ilogb(float x) { return __nv_ilogbf(x); }

#define __LANEWISE_TO_INTEGER(name, rounding, type) \
  __LANEWISE_DEVICE type name##f(float x) { return (type)__builtin_##rounding##f(x); } \
  __LANEWISE_DEVICE type name(double x) { return (type)__builtin_##rounding(x); } \
  __LANEWISE_DEVICE type name(float x) { return (type)__builtin_##rounding##f(x); }
__LANEWISE_TO_INTEGER(lrint, rint, long)
__LANEWISE_TO_INTEGER(llrint, rint, long long)
__LANEWISE_TO_INTEGER(lround, round, long)
__LANEWISE_TO_INTEGER(llround, round, long long)
#undef __LANEWISE_TO_INTEGER

__LANEWISE_PURE float __nv_jnf(int, float);
__LANEWISE_PURE double __nv_jn(int, double);
__LANEWISE_PURE float __nv_ynf(int, float);
__LANEWISE_PURE double __nv_yn(int, double);
__LANEWISE_DEVICE float jnf(int n, float x) { return __nv_jnf(n, x); }
__LANEWISE_DEVICE double jn(int n, double x) { return __nv_jn(n, x); }
__LANEWISE_DEVICE float ynf(int n, float x) { return __nv_ynf(n, x); }
__LANEWISE_DEVICE double yn(int n, double x) { return __nv_yn(n, x); }

/*
 * Without overflow on the way: singles have room in double precision, doubles are scaled by a power of two. One that is infinite decides, as
 * in hypot, whatever the others are.
 */
__LANEWISE_DEVICE double __lanewise_sum4(double a, double b, double c, double d) { return a * a + b * b + c * c + d * d; }
__LANEWISE_DEVICE double __lanewise_norm4(double a, double b, double c, double d, double* scale) {
  double most = fmax(fmax(fabs(a), fabs(b)), fmax(fabs(c), fabs(d)));
  *scale = 1.0;
  if (most == __builtin_huge_val()) return most;
  if (!(most > 0x1p-400 && most < 0x1p400) && most > 0.0) {
    *scale = most < 1.0 ? 0x1p600 : 0x1p-600;
    a *= *scale, b *= *scale, c *= *scale, d *= *scale;
  }
  return sqrt(__lanewise_sum4(a, b, c, d));
}
__LANEWISE_DEVICE float __lanewise_norm4f(float a, float b, float c, float d, bool inverse) {
  bool infinite = __builtin_isinf(a) || __builtin_isinf(b) || __builtin_isinf(c) || __builtin_isinf(d);
  double norm = infinite ? __builtin_huge_val() : sqrt(__lanewise_sum4(a, b, c, d));
  return (float)(inverse ? 1.0 / norm : norm);
}
__LANEWISE_DEVICE float norm3df(float a, float b, float c) { return __lanewise_norm4f(a, b, c, 0.0f, false); }
__LANEWISE_DEVICE float norm4df(float a, float b, float c, float d) { return __lanewise_norm4f(a, b, c, d, false); }
__LANEWISE_DEVICE float rnorm3df(float a, float b, float c) { return __lanewise_norm4f(a, b, c, 0.0f, true); }
__LANEWISE_DEVICE float rnorm4df(float a, float b, float c, float d) { return __lanewise_norm4f(a, b, c, d, true); }
__LANEWISE_DEVICE double norm4d(double a, double b, double c, double d) {
  double scale, norm = __lanewise_norm4(a, b, c, d, &scale);
  return norm / scale;
}
__LANEWISE_DEVICE double norm3d(double a, double b, double c) { return norm4d(a, b, c, 0.0); }
__LANEWISE_DEVICE double rnorm4d(double a, double b, double c, double d) {
  double scale, norm = __lanewise_norm4(a, b, c, d, &scale);
  return scale / norm;
}
__LANEWISE_DEVICE double rnorm3d(double a, double b, double c) { return rnorm4d(a, b, c, 0.0); }
__LANEWISE_DEVICE float normf(int n, const float* v) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += v[k] * v[k];
  return sqrtf(sum);
}
__LANEWISE_DEVICE double norm(int n, const double* v) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += v[k] * v[k];
  return sqrt(sum);
}
__LANEWISE_DEVICE float rnormf(int n, const float* v) { return 1.0f / normf(n, v); }
__LANEWISE_DEVICE double rnorm(int n, const double* v) { return 1.0 / norm(n, v); }

__LANEWISE_DEVICE void sincosf(float x, float* s, float* c) { *s = sinf(x); *c = cosf(x); }
__LANEWISE_DEVICE void sincos(double x, double* s, double* c) { *s = __nv_sin(x); *c = __nv_cos(x); }
__LANEWISE_DEVICE void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
__LANEWISE_DEVICE void sincospif(float x, float* s, float* c) { *s = sinpif(x); *c = cospif(x); }
__LANEWISE_DEVICE void sincospi(double x, double* s, double* c) { *s = __nv_sinpi(x); *c = __nv_cospi(x); }
__LANEWISE_DEVICE void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }

__LANEWISE_DEVICE float modff(float x, float* whole) {
  *whole = truncf(x);
  return copysignf(__builtin_isinf(x) ? 0.0f : x - *whole, x);
}
__LANEWISE_DEVICE double modf(double x, double* whole) {
  *whole = trunc(x);
  return copysign(__builtin_isinf(x) ? 0.0 : x - *whole, x);
}
__LANEWISE_DEVICE float modf(float x, float* whole) { return modff(x, whole); }
__LANEWISE_DEVICE float frexpf(float x, int* exponent) {
  bool plain = x != 0 && x - x == 0;
  *exponent = plain ? ilogbf(x) + 1 : 0;
  return plain ? ldexpf(x, -*exponent) : x;
}
__LANEWISE_DEVICE double frexp(double x, int* exponent) {
  bool plain = x != 0 && x - x == 0;
  *exponent = plain ? ilogb(x) + 1 : 0;
  return plain ? ldexp(x, -*exponent) : x;
}
__LANEWISE_DEVICE float frexp(float x, int* exponent) { return frexpf(x, exponent); }
__LANEWISE_DEVICE double remquo(double x, double y, int* quotient) {
  double rest = remainder(x, y);
  *quotient = (int)fmod(rint((x - rest) / y), 8.0);
  return rest;
}
__LANEWISE_DEVICE float remquof(float x, float y, int* quotient) { return (float)remquo((double)x, (double)y, quotient); }
__LANEWISE_DEVICE float remquo(float x, float y, int* quotient) { return remquof(x, y, quotient); }
__LANEWISE_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
__LANEWISE_DEVICE double nan(const char*) { return __builtin_nan(""); }

#define __LANEWISE_CLASSIFY(name) \
  __LANEWISE_DEVICE bool name(float x) { return __builtin_##name(x); } \
  __LANEWISE_DEVICE bool name(double x) { return __builtin_##name(x); } \
  template <class T> __LANEWISE_DEVICE __lanewise_if_integer<T, bool> name(T x) { return __builtin_##name((double)x); }
__LANEWISE_CLASSIFY(isnan)
__LANEWISE_CLASSIFY(isinf)
__LANEWISE_CLASSIFY(isfinite)
__LANEWISE_CLASSIFY(isnormal)
__LANEWISE_CLASSIFY(signbit)
#undef __LANEWISE_CLASSIFY
__LANEWISE_DEVICE int __isnanf(float x) { return __builtin_isnan(x); }
__LANEWISE_DEVICE int __isnan(double x) { return __builtin_isnan(x); }
__LANEWISE_DEVICE int __isinff(float x) { return __builtin_isinf(x); }
__LANEWISE_DEVICE int __isinf(double x) { return __builtin_isinf(x); }
__LANEWISE_DEVICE int __finitef(float x) { return __builtin_isfinite(x); }
__LANEWISE_DEVICE int __finite(double x) { return __builtin_isfinite(x); }
__LANEWISE_DEVICE int __signbitf(float x) { return __builtin_signbitf(x); }
__LANEWISE_DEVICE int __signbit(double x) { return __builtin_signbit(x); }

__LANEWISE_DEVICE int abs(int x) { return __builtin_abs(x); }
__LANEWISE_DEVICE long abs(long x) { return __builtin_labs(x); }
__LANEWISE_DEVICE long long abs(long long x) { return __builtin_llabs(x); }
__LANEWISE_DEVICE float abs(float x) { return __builtin_fabsf(x); }
__LANEWISE_DEVICE double abs(double x) { return __builtin_fabs(x); }
__LANEWISE_DEVICE long labs(long x) { return __builtin_labs(x); }
__LANEWISE_DEVICE long long llabs(long long x) { return __builtin_llabs(x); }

/* In namespace std, beside the host's, so that std::sin(x) finds its device version too. */
_LIBCPP_BEGIN_NAMESPACE_STD
using ::abs; using ::acos; using ::acosh; using ::asin; using ::asinh; using ::atan; using ::atan2; using ::atanh; using ::cbrt; using ::ceil;
using ::copysign; using ::cos; using ::cosh; using ::erf; using ::erfc; using ::exp; using ::exp2; using ::expm1; using ::fabs; using ::fdim;
using ::floor; using ::fma; using ::fmax; using ::fmin; using ::fmod; using ::frexp; using ::hypot; using ::ilogb; using ::isfinite;
using ::isinf; using ::isnan; using ::isnormal; using ::labs; using ::ldexp; using ::lgamma; using ::llabs; using ::llrint; using ::llround;
using ::log; using ::log10; using ::log1p; using ::log2; using ::logb; using ::lrint; using ::lround; using ::modf; using ::nan;
using ::nearbyint; using ::nextafter; using ::pow; using ::remainder; using ::remquo; using ::rint; using ::round; using ::scalbln;
using ::scalbn; using ::signbit; using ::sin; using ::sinh; using ::sqrt; using ::tan; using ::tanh; using ::tgamma; using ::trunc;
using ::acosf; using ::asinf; using ::atan2f; using ::atanf; using ::ceilf; using ::cosf; using ::expf; using ::fabsf; using ::floorf;
using ::fmaf; using ::fmaxf; using ::fminf; using ::fmodf; using ::log10f; using ::logf; using ::powf; using ::roundf; using ::sinf;
using ::sqrtf; using ::tanf; using ::tanhf; using ::truncf;
_LIBCPP_END_NAMESPACE_STD

#undef __LANEWISE_OVERLOADS1
#undef __LANEWISE_OVERLOADS2
#undef __LANEWISE_MATH1
#undef __LANEWISE_MATH2
#undef __LANEWISE_LLVM1
#undef __LANEWISE_LLVM2
