/*
 * Numbers of 8 bits: __nv_fp8_e4m3 (four bits of exponent, three of fraction, no infinities), __nv_fp8_e5m2 (the upper byte of a half) and
 * __nv_fp8_e8m0 (powers of two), pairs and quadruples of them, and conversions.
 */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__
#pragma GCC system_header
#include "lanewise/cxx-only.h"
#ifdef __cplusplus
#include "cuda_runtime.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __CUDA_ARCH__
/* One instruction each. */
extern "C" __device__ __attribute__((const, nothrow, noconvergent)) unsigned int __lanewise_fp8_pair(float low, float high, int kind, int saturate);
extern "C" __device__ __attribute__((const, nothrow, noconvergent)) unsigned int __lanewise_fp8_half(unsigned int code, int kind);
#endif

/* To the nearest, ties to even. What is too large becomes the largest number, or NaN (E4M3) or infinity (E5M2). */
__LANEWISE_BOTH __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
  /* Of doubles NaN keeps its sign, and E5M2's is another one. */
  if (x != x) return (__nv_fp8_storage_t)((__builtin_bit_cast(unsigned long long, x) >> 56 & 0x80u) | (kind == __NV_E4M3 ? 0x7f : 0x7e));
  /* Of E4M3, 0x7f is NaN, not the number 480 that the other codes would make of it. */
  const unsigned int most = kind == __NV_E4M3 ? 0x7e : 0x7b, beyond = kind == __NV_E4M3 ? 0x7f : 0x7c;
  unsigned int wide = kind == __NV_E4M3 ? __lanewise_small_bits(x, 0, 3, -6, 0x80) : __lanewise_small_bits(x, 0, 2, -14, 0x7c);
  unsigned int sign = wide >> 8, size = wide & 0xff;
  return (__nv_fp8_storage_t)(sign | (size <= most ? size : saturate == __NV_SATFINITE ? most : beyond));
}
__LANEWISE_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
#ifdef __CUDA_ARCH__
  return (__nv_fp8_storage_t)__lanewise_fp8_pair(x, 0.0f, kind, saturate);
#else
  return x != x ? (__nv_fp8_storage_t)0x7f : __nv_cvt_double_to_fp8(x, saturate, kind);
#endif
}
__LANEWISE_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__half2float(x), saturate, kind);
}
__LANEWISE_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__bfloat162float(x), saturate, kind);
}
__LANEWISE_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
#ifdef __CUDA_ARCH__
  return (__nv_fp8x2_storage_t)__lanewise_fp8_pair(x.x, x.y, kind, saturate);
#else
  return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_fp8(x.x, saturate, kind) | __nv_cvt_float_to_fp8(x.y, saturate, kind) << 8);
#endif
}
__LANEWISE_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.x, saturate, kind) | __nv_cvt_double_to_fp8(x.y, saturate, kind) << 8);
}
__LANEWISE_BOTH __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(float2{__half2float(__half_raw{x.x}), __half2float(__half_raw{x.y})}, saturate, kind);
}
__LANEWISE_BOTH __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw x, const __nv_saturation_t saturate, const __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(float2{__bfloat162float(__nv_bfloat16_raw{x.x}), __bfloat162float(__nv_bfloat16_raw{x.y})}, saturate, kind);
}

/* Exact. */
__LANEWISE_BOTH __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind) {
#ifdef __CUDA_ARCH__
  return __half_raw{(unsigned short)__lanewise_fp8_half(x, kind)};
#else
  unsigned int sign = (x & 0x80u) << 8, size = x & 0x7fu;
  if (kind == __NV_E5M2) return __half_raw{(unsigned short)(size > 0x7c ? 0x7fffu : sign | size << 8)};
  if (size == 0x7f) return __half_raw{0x7fff};
  if (size >= 8) return __half_raw{(unsigned short)(sign | ((size << 7) + (8u << 10)))};
  return __half_raw{(unsigned short)(sign | (size == 0 ? 0u : __float2half((float)size * 0x1p-9f).__x))};
#endif
}
__LANEWISE_BOTH __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x, const __nv_fp8_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x, __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
}

/* Powers of two by their exponent alone: towards zero or up. 0xff is NaN. */
__LANEWISE_BOTH __nv_fp8_storage_t __nv_cvt_double_to_e8m0(const double x, const __nv_saturation_t saturate, const enum cudaRoundMode rounding) {
  if (x != x) return 0xff;
  double size = __builtin_fabs(x);
  if (size == __builtin_huge_val()) return saturate == __NV_SATFINITE ? 0xfe : 0xff;
  unsigned long long bits = __builtin_bit_cast(unsigned long long, size);
  int code = (int)(bits >> 52) - 1023 + 127;
  if (rounding != cudaRoundZero && (bits & 0xfffffffffffffull) != 0) ++code;
  return (__nv_fp8_storage_t)(code < 0 ? 0 : code > 254 ? saturate == __NV_SATFINITE ? 254 : 255 : code);
}
__LANEWISE_BOTH __nv_fp8_storage_t __nv_cvt_float_to_e8m0(const float x, const __nv_saturation_t saturate, const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(x, saturate, rounding);
}
__LANEWISE_BOTH __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_e8m0(const __nv_bfloat16_raw x, const __nv_saturation_t saturate, const enum cudaRoundMode rounding) {
  return __nv_cvt_double_to_e8m0(__bfloat162float(x), saturate, rounding);
}
__LANEWISE_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_e8m0x2(const float2 x, const __nv_saturation_t saturate, const enum cudaRoundMode rounding) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_float_to_e8m0(x.x, saturate, rounding) | __nv_cvt_float_to_e8m0(x.y, saturate, rounding) << 8);
}
__LANEWISE_BOTH __nv_fp8x2_storage_t __nv_cvt_double2_to_e8m0x2(const double2 x, const __nv_saturation_t saturate, const enum cudaRoundMode rounding) {
  return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_e8m0(x.x, saturate, rounding) | __nv_cvt_double_to_e8m0(x.y, saturate, rounding) << 8);
}
__LANEWISE_BOTH __nv_bfloat16_raw __nv_cvt_e8m0_to_bf16raw(const __nv_fp8_storage_t x) {
  return __nv_bfloat16_raw{(unsigned short)(x == 0xff ? 0x7fff : x == 0 ? 0x40 : x << 7)};
}

/* Conversions to integers, towards zero; what is out of range becomes the nearest. */
#define __LANEWISE_FP8_INTEGERS \
  __LANEWISE_FP8_INTEGER(unsigned char) __LANEWISE_FP8_INTEGER(signed char) __LANEWISE_FP8_INTEGER(char) __LANEWISE_FP8_INTEGER(unsigned short) \
  __LANEWISE_FP8_INTEGER(short) __LANEWISE_FP8_INTEGER(unsigned int) __LANEWISE_FP8_INTEGER(int) __LANEWISE_FP8_INTEGER(unsigned long) \
  __LANEWISE_FP8_INTEGER(long) __LANEWISE_FP8_INTEGER(unsigned long long) __LANEWISE_FP8_INTEGER(long long)
#define __LANEWISE_FP8_INTEGER(type) \
  __LANEWISE_METHOD explicit operator type() const { return __lanewise_to_integer<type>((float)*this); }
#define __LANEWISE_FP8_FROM(H, type, wide) \
  __LANEWISE_METHOD explicit H(const type v) { *this = H((wide)v); }

#define __LANEWISE_FP8(H, H2, H4, kind) \
  struct __align__(1) H { \
    __nv_fp8_storage_t __x; \
    H() = default; \
    __LANEWISE_METHOD explicit H(const double v) : __x(__nv_cvt_double_to_fp8(v, __NV_SATFINITE, kind)) {} \
    __LANEWISE_METHOD explicit H(const float v) : __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, kind)) {} \
    __LANEWISE_METHOD explicit H(const __half v) : __x(__nv_cvt_halfraw_to_fp8(v, __NV_SATFINITE, kind)) {} \
    __LANEWISE_METHOD explicit H(const __nv_bfloat16 v) : __x(__nv_cvt_bfloat16raw_to_fp8(v, __NV_SATFINITE, kind)) {} \
    __LANEWISE_FP8_FROM(H, short, float) __LANEWISE_FP8_FROM(H, unsigned short, float) __LANEWISE_FP8_FROM(H, int, float) \
    __LANEWISE_FP8_FROM(H, unsigned int, float) __LANEWISE_FP8_FROM(H, long, float) __LANEWISE_FP8_FROM(H, unsigned long, float) \
    __LANEWISE_FP8_FROM(H, long long, float) __LANEWISE_FP8_FROM(H, unsigned long long, float) \
    __LANEWISE_METHOD explicit operator __half() const { return __half(__nv_cvt_fp8_to_halfraw(__x, kind)); } \
    __LANEWISE_METHOD explicit operator float() const { return __half2float(__half(__nv_cvt_fp8_to_halfraw(__x, kind))); } \
    __LANEWISE_METHOD explicit operator double() const { return (float)*this; } \
    __LANEWISE_METHOD explicit operator __nv_bfloat16() const { return __float2bfloat16((float)*this); } \
    __LANEWISE_METHOD explicit operator bool() const { return (__x & 0x7f) != 0; } \
    __LANEWISE_FP8_INTEGERS \
  }; \
  struct __align__(2) H2 { \
    __nv_fp8x2_storage_t __x; \
    H2() = default; \
    __LANEWISE_METHOD explicit H2(const __half2 v) : __x(__nv_cvt_float2_to_fp8x2(__half22float2(v), __NV_SATFINITE, kind)) {} \
    __LANEWISE_METHOD explicit H2(const __nv_bfloat162 v) : __x(__nv_cvt_float2_to_fp8x2(__bfloat1622float2(v), __NV_SATFINITE, kind)) {} \
    __LANEWISE_METHOD explicit H2(const float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind)) {} \
    __LANEWISE_METHOD explicit H2(const double2 v) : __x(__nv_cvt_double2_to_fp8x2(v, __NV_SATFINITE, kind)) {} \
    __LANEWISE_METHOD explicit operator __half2() const { \
      __half2_raw r = __nv_cvt_fp8x2_to_halfraw2(__x, kind); \
      return __half2(__half(__half_raw{r.x}), __half(__half_raw{r.y})); \
    } \
    __LANEWISE_METHOD explicit operator float2() const { return __half22float2((__half2)*this); } \
  }; \
  struct __align__(4) H4 { \
    __nv_fp8x4_storage_t __x; \
    H4() = default; \
    __LANEWISE_METHOD explicit H4(const __half2 low, const __half2 high) : __x(H2(low).__x | (unsigned int)H2(high).__x << 16) {} \
    __LANEWISE_METHOD explicit H4(const __nv_bfloat162 low, const __nv_bfloat162 high) : __x(H2(low).__x | (unsigned int)H2(high).__x << 16) {} \
    __LANEWISE_METHOD explicit H4(const float4 v) : __x(H2(float2{v.x, v.y}).__x | (unsigned int)H2(float2{v.z, v.w}).__x << 16) {} \
    __LANEWISE_METHOD explicit H4(const double4 v) : __x(H2(double2{v.x, v.y}).__x | (unsigned int)H2(double2{v.z, v.w}).__x << 16) {} \
    __LANEWISE_METHOD explicit operator float4() const { \
      H2 low, high; \
      low.__x = (__nv_fp8x2_storage_t)__x; \
      high.__x = (__nv_fp8x2_storage_t)(__x >> 16); \
      float2 a = (float2)low, b = (float2)high; \
      return float4{a.x, a.y, b.x, b.y}; \
    } \
  };
__LANEWISE_FP8(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
__LANEWISE_FP8(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)

struct __align__(1) __nv_fp8_e8m0 {
  __nv_fp8_storage_t __x;
  __nv_fp8_e8m0() = default;
  __LANEWISE_METHOD explicit __nv_fp8_e8m0(const double v) : __x(__nv_cvt_double_to_e8m0(v, __NV_SATFINITE, cudaRoundPosInf)) {}
  __LANEWISE_METHOD explicit __nv_fp8_e8m0(const float v) : __nv_fp8_e8m0((double)v) {}
  __LANEWISE_METHOD explicit __nv_fp8_e8m0(const __half v) : __nv_fp8_e8m0((double)__half2float(v)) {}
  __LANEWISE_METHOD explicit __nv_fp8_e8m0(const __nv_bfloat16 v) : __nv_fp8_e8m0((double)__bfloat162float(v)) {}
  __LANEWISE_METHOD explicit operator __nv_bfloat16() const { return __nv_bfloat16(__nv_cvt_e8m0_to_bf16raw(__x)); }
  __LANEWISE_METHOD explicit operator float() const { return __bfloat162float((__nv_bfloat16)*this); }
  __LANEWISE_METHOD explicit operator double() const { return (float)*this; }
};
#undef __LANEWISE_FP8
#undef __LANEWISE_FP8_FROM
#undef __LANEWISE_FP8_INTEGER
#undef __LANEWISE_FP8_INTEGERS
#endif
#endif
