/* bfloat16: __nv_bfloat16, __nv_bfloat162 and their functions: the upper half of a float, rounded to nearest even. */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__
#pragma GCC system_header
#include "lanewise/cxx-only.h"
#ifdef __cplusplus
#include "cuda_runtime.h"
#include "lanewise/small-float.h"

__LANEWISE_BOTH float __lanewise_bfloat_to_float(unsigned short bits) { return __builtin_bit_cast(float, (unsigned int)bits << 16); }
__LANEWISE_BOTH unsigned short __lanewise_float_to_bfloat(float value) {
#ifdef __CUDA_ARCH__
  return __builtin_bit_cast(unsigned short, (__bf16)value);
#else
  unsigned int bits = __builtin_bit_cast(unsigned int, value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return (unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
#endif
}

struct __nv_bfloat16_raw { unsigned short x; };
struct __nv_bfloat162_raw { unsigned short x, y; };
struct __align__(2) __nv_bfloat16 {
  __LANEWISE_SMALL_CLASS(__nv_bfloat16, __lanewise_bfloat_to_float, __lanewise_float_to_bfloat)
  __LANEWISE_METHOD __nv_bfloat16(const __nv_bfloat16_raw& raw) : __x(raw.x) {}
  __LANEWISE_METHOD operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  __LANEWISE_METHOD operator __nv_bfloat16_raw() const volatile { return __nv_bfloat16_raw{__x}; }
  __LANEWISE_METHOD __nv_bfloat16& operator=(const __nv_bfloat16_raw& raw) { return __x = raw.x, *this; }
  __LANEWISE_METHOD volatile __nv_bfloat16& operator=(const __nv_bfloat16_raw& raw) volatile { return __x = raw.x, *this; }
  __LANEWISE_METHOD volatile __nv_bfloat16& operator=(const volatile __nv_bfloat16_raw& raw) volatile { return __x = raw.x, *this; }
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __LANEWISE_METHOD constexpr __nv_bfloat162(const __nv_bfloat16& a, const __nv_bfloat16& b) : x(a), y(b) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__LANEWISE_BOTH float __bfloat162float(__nv_bfloat16 a) { return __lanewise_bfloat_to_float(a.__x); }
__LANEWISE_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { __nv_bfloat16 h; h.__x = bits; return h; }
__LANEWISE_BOTH __nv_bfloat16 __short_as_bfloat16(short bits) { return __ushort_as_bfloat16((unsigned short)bits); }
__LANEWISE_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
__LANEWISE_BOTH short __bfloat16_as_short(__nv_bfloat16 h) { return (short)h.__x; }
__LANEWISE_BOTH __nv_bfloat16 __float2bfloat16(float a) { return __ushort_as_bfloat16(__lanewise_float_to_bfloat(a)); }
__LANEWISE_BOTH __nv_bfloat16 __float2bfloat16_rn(float a) { return __float2bfloat16(a); }
__LANEWISE_BOTH unsigned short __lanewise_bfloat_bits(double v, int how) { return __lanewise_small_bits(v, how, 7, -126, 0x7f80); }
__LANEWISE_BOTH __nv_bfloat16 __double2bfloat16(double a) {
  /* A NaN keeps its sign and its highest bits. */
  if (a != a) return __ushort_as_bfloat16((unsigned short)((__builtin_bit_cast(unsigned long long, a) >> 48 & 0x8000u) | 0x7fc0u | (__builtin_bit_cast(unsigned long long, a) >> 45 & 0x3fu)));
  return __ushort_as_bfloat16(__lanewise_bfloat_bits(a, 0));
}
__LANEWISE_BOTH __nv_bfloat16 __float2bfloat16_rz(float a) { return __ushort_as_bfloat16(__lanewise_bfloat_bits(a, 1)); }
__LANEWISE_BOTH __nv_bfloat16 __float2bfloat16_ru(float a) { return __ushort_as_bfloat16(__lanewise_bfloat_bits(a, 2)); }
__LANEWISE_BOTH __nv_bfloat16 __float2bfloat16_rd(float a) { return __ushort_as_bfloat16(__lanewise_bfloat_bits(a, 3)); }

__LANEWISE_BOTH __nv_bfloat16 __lanewise_rounded_bfloat(double a) { return __ushort_as_bfloat16(__lanewise_bfloat_bits(a, 0)); }
__LANEWISE_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, __bf16, __bfloat162float, __float2bfloat16, __lanewise_rounded_bfloat)

__LANEWISE_SMALL_INTEGERS(__nv_bfloat16, bfloat16, __lanewise_bfloat_bits, __bfloat162float)

__LANEWISE_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
__LANEWISE_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
__LANEWISE_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
__LANEWISE_BOTH __nv_bfloat162 __float2bfloat162_rn(float a) { return __bfloat162bfloat162(__float2bfloat16(a)); }
__LANEWISE_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(__float2bfloat16(a), __float2bfloat16(b)); }
__LANEWISE_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 a) { return __floats2bfloat162_rn(a.x, a.y); }
__LANEWISE_BOTH float2 __bfloat1622float2(__nv_bfloat162 a) { return float2{__bfloat162float(a.x), __bfloat162float(a.y)}; }
__LANEWISE_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
__LANEWISE_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
__LANEWISE_BOTH float __low2float(__nv_bfloat162 a) { return __bfloat162float(a.x); }
__LANEWISE_BOTH float __high2float(__nv_bfloat162 a) { return __bfloat162float(a.y); }
__LANEWISE_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
__LANEWISE_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
__LANEWISE_BOTH __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x, b.x); }
__LANEWISE_BOTH __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.y, b.y); }
__LANEWISE_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.x); }
#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
#endif
#endif
