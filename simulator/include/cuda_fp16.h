/* Half precision: __half, __half2 and their functions. The device converts with LLVM's half type, the host in software. */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__
#pragma GCC system_header
#include "lanewise/cxx-only.h"
#ifdef __cplusplus
#include "cuda_runtime.h"
#include "lanewise/small-float.h"

__LANEWISE_BOTH float __lanewise_half_to_float(unsigned short bits) {
#ifdef __CUDA_ARCH__
  return (float)__builtin_bit_cast(_Float16, bits);
#else
  unsigned int sign = (bits & 0x8000u) << 16, exponent = (bits >> 10) & 31u, fraction = bits & 0x3ffu;
  if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000u | (fraction << 13));
  if (exponent != 0) return __builtin_bit_cast(float, sign | ((exponent + 112) << 23) | (fraction << 13));
  float small = (float)fraction * 0x1p-24f;
  return sign ? -small : small;
#endif
}
__LANEWISE_BOTH unsigned short __lanewise_double_to_half(double value) {
#ifdef __CUDA_ARCH__
  return __builtin_bit_cast(unsigned short, (_Float16)value);
#else
  return __lanewise_small_bits(value, 0, 10, -14, 0x7c00);
#endif
}
__LANEWISE_BOTH unsigned short __lanewise_float_to_half(float value) {
#ifdef __CUDA_ARCH__
  return __builtin_bit_cast(unsigned short, (_Float16)value);
#else
  return __lanewise_double_to_half(value);
#endif
}

struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };
struct __align__(2) __half {
  __LANEWISE_SMALL_CLASS(__half, __lanewise_half_to_float, __lanewise_float_to_half)
  __LANEWISE_METHOD __half(const __half_raw& raw) : __x(raw.x) {}
  __LANEWISE_METHOD operator __half_raw() const { return __half_raw{__x}; }
  __LANEWISE_METHOD operator __half_raw() const volatile { return __half_raw{__x}; }
  __LANEWISE_METHOD __half& operator=(const __half_raw& raw) { return __x = raw.x, *this; }
  __LANEWISE_METHOD volatile __half& operator=(const __half_raw& raw) volatile { return __x = raw.x, *this; }
  __LANEWISE_METHOD volatile __half& operator=(const volatile __half_raw& raw) volatile { return __x = raw.x, *this; }
};
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __LANEWISE_METHOD constexpr __half2(const __half& a, const __half& b) : x(a), y(b) {}
};
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

__LANEWISE_BOTH float __half2float(__half a) { return __lanewise_half_to_float(a.__x); }
__LANEWISE_BOTH __half __ushort_as_half(unsigned short bits) { __half h; h.__x = bits; return h; }
__LANEWISE_BOTH __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }
__LANEWISE_BOTH unsigned short __half_as_ushort(__half h) { return h.__x; }
__LANEWISE_BOTH short __half_as_short(__half h) { return (short)h.__x; }
__LANEWISE_BOTH __half __float2half(float a) { return __ushort_as_half(__lanewise_float_to_half(a)); }
__LANEWISE_BOTH __half __float2half_rn(float a) { return __float2half(a); }
__LANEWISE_BOTH __half __double2half(double a) { return __ushort_as_half(__lanewise_double_to_half(a)); }

__LANEWISE_SMALL_FLOAT(__half, __half2, _Float16, __half2float, __float2half, __double2half)

__LANEWISE_BOTH unsigned short __lanewise_half_bits(double v, int how) { return how == 0 ? __lanewise_double_to_half(v) : __lanewise_small_bits(v, how, 10, -14, 0x7c00); }
__LANEWISE_BOTH __half __float2half_rz(float a) { return __ushort_as_half(__lanewise_half_bits(a, 1)); }
__LANEWISE_BOTH __half __float2half_ru(float a) { return __ushort_as_half(__lanewise_half_bits(a, 2)); }
__LANEWISE_BOTH __half __float2half_rd(float a) { return __ushort_as_half(__lanewise_half_bits(a, 3)); }
__LANEWISE_SMALL_INTEGERS(__half, half, __lanewise_half_bits, __half2float)

__LANEWISE_BOTH __half2 make_half2(__half x, __half y) { return __half2(x, y); }
__LANEWISE_BOTH __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
__LANEWISE_BOTH __half2 __half2half2(__half a) { return __half2(a, a); }
__LANEWISE_BOTH __half2 __float2half2_rn(float a) { return __half2half2(__float2half(a)); }
__LANEWISE_BOTH __half2 __floats2half2_rn(float a, float b) { return __half2(__float2half(a), __float2half(b)); }
__LANEWISE_BOTH __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
__LANEWISE_BOTH float2 __half22float2(__half2 a) { return float2{__half2float(a.x), __half2float(a.y)}; }
__LANEWISE_BOTH __half __low2half(__half2 a) { return a.x; }
__LANEWISE_BOTH __half __high2half(__half2 a) { return a.y; }
__LANEWISE_BOTH float __low2float(__half2 a) { return __half2float(a.x); }
__LANEWISE_BOTH float __high2float(__half2 a) { return __half2float(a.y); }
__LANEWISE_BOTH __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
__LANEWISE_BOTH __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
__LANEWISE_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
__LANEWISE_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
__LANEWISE_BOTH __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
#endif
#endif
