/*
 * Numbers of 4 and 6 bits without infinities and NaN: conversions, and the classes of one, two and four of them. What is too large becomes
 * the largest number, and so does NaN.
 */
#pragma once
#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "../cuda_fp8.h"

/* fraction: its bits. least: the smallest normal exponent. most: the code of the largest number. */
__LANEWISE_BOTH unsigned char __lanewise_tiny_bits(double v, enum cudaRoundMode rounding, int fraction, int least, unsigned int most) {
  if (v != v) return (unsigned char)most;
  unsigned int wide = __lanewise_small_bits(v, rounding, fraction, least, most + 1), size = wide & 0x7fff;
  return (unsigned char)((wide >> 15) * (most + 1) | (size < most ? size : most));
}
/* Exact: a half with the same fields, but another bias of the exponent. */
__LANEWISE_BOTH __half_raw __lanewise_tiny_half(unsigned int code, int fraction, int least, unsigned int most) {
  __half field(__half_raw{(unsigned short)((code & most) << (10 - fraction))});
  float scale = __builtin_bit_cast(float, (unsigned int)(127 + 14 + least) << 23);
  return __half_raw(__float2half(__half2float(field) * (code > most ? -scale : scale)));
}

/* `pack`: bits from one number of a pair to the next. */
#define __LANEWISE_TINY_CONVERSIONS(name, pack, Kind, FRACTION, LEAST, MOST) \
  __LANEWISE_BOTH name##_storage_t __nv_cvt_double_to_##pack(const double x, const Kind kind, const enum cudaRoundMode rounding) { \
    return __lanewise_tiny_bits(x, rounding, FRACTION, LEAST, MOST); \
  } \
  __LANEWISE_BOTH name##_storage_t __nv_cvt_float_to_##pack(const float x, const Kind kind, const enum cudaRoundMode rounding) { \
    return __nv_cvt_double_to_##pack(x, kind, rounding); \
  } \
  __LANEWISE_BOTH name##_storage_t __nv_cvt_halfraw_to_##pack(const __half_raw x, const Kind kind, const enum cudaRoundMode rounding) { \
    return __nv_cvt_double_to_##pack(__half2float(x), kind, rounding); \
  } \
  __LANEWISE_BOTH name##_storage_t __nv_cvt_bfloat16raw_to_##pack(const __nv_bfloat16_raw x, const Kind kind, const enum cudaRoundMode rounding) { \
    return __nv_cvt_double_to_##pack(__bfloat162float(x), kind, rounding); \
  } \
  __LANEWISE_BOTH name##x2_storage_t __nv_cvt_double2_to_##pack##x2(const double2 x, const Kind kind, const enum cudaRoundMode rounding) { \
    return (name##x2_storage_t)(__nv_cvt_double_to_##pack(x.x, kind, rounding) | __nv_cvt_double_to_##pack(x.y, kind, rounding) << __LANEWISE_TINY_STEP); \
  } \
  __LANEWISE_BOTH name##x2_storage_t __nv_cvt_float2_to_##pack##x2(const float2 x, const Kind kind, const enum cudaRoundMode rounding) { \
    return __nv_cvt_double2_to_##pack##x2(double2{x.x, x.y}, kind, rounding); \
  } \
  __LANEWISE_BOTH name##x2_storage_t __nv_cvt_halfraw2_to_##pack##x2(const __half2_raw x, const Kind kind, const enum cudaRoundMode rounding) { \
    return __nv_cvt_double2_to_##pack##x2(double2{__half2float(__half_raw{x.x}), __half2float(__half_raw{x.y})}, kind, rounding); \
  } \
  __LANEWISE_BOTH name##x2_storage_t __nv_cvt_bfloat16raw2_to_##pack##x2(const __nv_bfloat162_raw x, const Kind kind, const enum cudaRoundMode rounding) { \
    return __nv_cvt_double2_to_##pack##x2(double2{__bfloat162float(__nv_bfloat16_raw{x.x}), __bfloat162float(__nv_bfloat16_raw{x.y})}, kind, rounding); \
  } \
  __LANEWISE_BOTH __half_raw __nv_cvt_##pack##_to_halfraw(const name##_storage_t x, const Kind kind) { \
    return __lanewise_tiny_half(x & (2 * (MOST) + 1), FRACTION, LEAST, MOST); \
  } \
  __LANEWISE_BOTH __half2_raw __nv_cvt_##pack##x2_to_halfraw2(const name##x2_storage_t x, const Kind kind) { \
    return __half2_raw{__nv_cvt_##pack##_to_halfraw((name##_storage_t)x, kind).x, __nv_cvt_##pack##_to_halfraw((name##_storage_t)(x >> __LANEWISE_TINY_STEP), kind).x}; \
  }

#define __LANEWISE_TINY_TO(type) \
  __LANEWISE_METHOD explicit operator type() const { return __lanewise_to_integer<type>((float)*this); }
#define __LANEWISE_TINY_FROM(H, type) \
  __LANEWISE_METHOD explicit H(const type v) { *this = H((float)v); }
#define __LANEWISE_TINY_FROM4(H2, H4, type, pair) \
  __LANEWISE_METHOD explicit H4(const type v) : __x(both(H2(pair{v.x, v.y}), H2(pair{v.z, v.w}))) {}

#define __LANEWISE_TINY_CLASSES(name, pack, H, H2, H4, kind, MOST) \
  struct __align__(sizeof(name##_storage_t)) H { \
    name##_storage_t __x; \
    H() = default; \
    __LANEWISE_METHOD explicit H(const double v) : __x(__nv_cvt_double_to_##pack(v, kind, cudaRoundNearest)) {} \
    __LANEWISE_METHOD explicit H(const float v) : __x(__nv_cvt_float_to_##pack(v, kind, cudaRoundNearest)) {} \
    __LANEWISE_METHOD explicit H(const __half v) : __x(__nv_cvt_halfraw_to_##pack(v, kind, cudaRoundNearest)) {} \
    __LANEWISE_METHOD explicit H(const __nv_bfloat16 v) : __x(__nv_cvt_bfloat16raw_to_##pack(v, kind, cudaRoundNearest)) {} \
    __LANEWISE_TINY_FROM(H, short) __LANEWISE_TINY_FROM(H, unsigned short) __LANEWISE_TINY_FROM(H, int) __LANEWISE_TINY_FROM(H, unsigned int) \
    __LANEWISE_TINY_FROM(H, long) __LANEWISE_TINY_FROM(H, unsigned long) __LANEWISE_TINY_FROM(H, long long) __LANEWISE_TINY_FROM(H, unsigned long long) \
    __LANEWISE_METHOD explicit operator __half() const { return __half(__nv_cvt_##pack##_to_halfraw(__x, kind)); } \
    __LANEWISE_METHOD explicit operator float() const { return __half2float((__half)*this); } \
    __LANEWISE_METHOD explicit operator double() const { return (float)*this; } \
    __LANEWISE_METHOD explicit operator __nv_bfloat16() const { return __float2bfloat16((float)*this); } \
    __LANEWISE_METHOD explicit operator bool() const { return (__x & (MOST)) != 0; } \
    __LANEWISE_TINY_TO(unsigned char) __LANEWISE_TINY_TO(signed char) __LANEWISE_TINY_TO(char) __LANEWISE_TINY_TO(unsigned short) \
    __LANEWISE_TINY_TO(short) __LANEWISE_TINY_TO(unsigned int) __LANEWISE_TINY_TO(int) __LANEWISE_TINY_TO(unsigned long) \
    __LANEWISE_TINY_TO(long) __LANEWISE_TINY_TO(unsigned long long) __LANEWISE_TINY_TO(long long) \
  }; \
  struct __align__(sizeof(name##x2_storage_t)) H2 { \
    name##x2_storage_t __x; \
    H2() = default; \
    __LANEWISE_METHOD explicit H2(const __half2 v) : H2(__half22float2(v)) {} \
    __LANEWISE_METHOD explicit H2(const __nv_bfloat162 v) : H2(__bfloat1622float2(v)) {} \
    __LANEWISE_METHOD explicit H2(const float2 v) : __x(__nv_cvt_float2_to_##pack##x2(v, kind, cudaRoundNearest)) {} \
    __LANEWISE_METHOD explicit H2(const double2 v) : __x(__nv_cvt_double2_to_##pack##x2(v, kind, cudaRoundNearest)) {} \
    __LANEWISE_METHOD explicit operator __half2() const { \
      __half2_raw r = __nv_cvt_##pack##x2_to_halfraw2(__x, kind); \
      return __half2(__half(__half_raw{r.x}), __half(__half_raw{r.y})); \
    } \
    __LANEWISE_METHOD explicit operator float2() const { return __half22float2((__half2)*this); } \
  }; \
  struct __align__(sizeof(name##x4_storage_t)) H4 { \
    name##x4_storage_t __x; \
    H4() = default; \
    __LANEWISE_METHOD explicit H4(const __half2 low, const __half2 high) : __x(both(H2(low), H2(high))) {} \
    __LANEWISE_METHOD explicit H4(const __nv_bfloat162 low, const __nv_bfloat162 high) : __x(both(H2(low), H2(high))) {} \
    __LANEWISE_TINY_FROM4(H2, H4, float4, float2) __LANEWISE_TINY_FROM4(H2, H4, double4, double2) \
    __LANEWISE_TINY_FROM4(H2, H4, double4_16a, double2) __LANEWISE_TINY_FROM4(H2, H4, double4_32a, double2) \
    __LANEWISE_METHOD explicit operator float4() const { \
      H2 low, high; \
      low.__x = (name##x2_storage_t)__x; \
      high.__x = (name##x2_storage_t)(__x >> 8 * sizeof(low)); \
      float2 a = (float2)low, b = (float2)high; \
      return float4{a.x, a.y, b.x, b.y}; \
    } \
   private: \
    static __LANEWISE_METHOD name##x4_storage_t both(H2 low, H2 high) { return (name##x4_storage_t)(low.__x | (name##x4_storage_t)high.__x << 8 * sizeof(low)); } \
  };
