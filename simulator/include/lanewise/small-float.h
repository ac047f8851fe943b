/*
 * What __half and __nv_bfloat16 have in common: arithmetic, comparison and functions of the scalar and of the pair, on top of a conversion
 * from and to float. Sums, products, quotients and roots rounded from float to 16 bits are the correctly rounded ones.
 */
#pragma once
#include "../cuda_runtime.h"

#ifndef __CUDA__
/* In plain C++ the device's functions below are declarations that nothing calls. */
#include "host-math.h"
#define __LANEWISE_LANES(name, lane) int name(unsigned int mask, int value, lane from, int width);
__LANEWISE_LANES(__shfl_sync, int) __LANEWISE_LANES(__shfl_up_sync, unsigned int) __LANEWISE_LANES(__shfl_down_sync, unsigned int) __LANEWISE_LANES(__shfl_xor_sync, int)
#undef __LANEWISE_LANES
unsigned int atomicCAS(unsigned int* address, unsigned int compare, unsigned int value);
#endif

/* A number in a small format. how: 0 to the nearest, ties to even, 1 towards zero, 2 up, 3 down. least: the smallest normal exponent. */
__LANEWISE_BOTH unsigned short __lanewise_small_bits(double v, int how, int fraction, int least, unsigned int infinity) {
  if (v != v) return 0x7fff;
  unsigned long long wide = __builtin_bit_cast(unsigned long long, v);
  unsigned int sign = (unsigned int)(wide >> 48) & 0x8000u;
  double size = __builtin_fabs(v);
  if (size == __builtin_huge_val()) return (unsigned short)(sign | infinity);
  int exponent = (int)((wide >> 52) & 0x7ff) - 1023;
  if (exponent < least) exponent = least;
  double scaled = size * __builtin_bit_cast(double, (unsigned long long)(fraction - exponent + 1023) << 52), whole = __builtin_floor(scaled);
  double rest = scaled - whole;
  bool outwards = how == 0 ? rest > 0.5 || (rest == 0.5 && __builtin_floor(whole * 0.5) * 2.0 != whole) : how == 1 ? false : rest > 0.0 && (how == 2) == (sign == 0);
  double units = (double)((exponent - least) * (1 << fraction)) + whole + (outwards ? 1.0 : 0.0);
  if (units < (double)infinity) return (unsigned short)(sign | (unsigned int)units);
  return (unsigned short)(sign | (how == 0 || (how != 1 && (how == 2) == (sign == 0)) ? infinity : infinity - 1));
}
/* A sum that rounds to a small format as the exact sum does: its last bit is odd where it is not exact. */
__LANEWISE_BOTH double __lanewise_odd_sum(double a, double b) {
  _Pragma("clang fp contract(off)")
  double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
  unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
  if (error != 0.0 && error == error && sum - sum == 0.0 && (bits & 1) == 0) bits += (error > 0.0) == (sum > 0.0) ? 1 : -1;
  return __builtin_bit_cast(double, bits);
}
/* A double that rounds to a small format as the integer does: what lies below its 53 bits is one sticky bit. */
__LANEWISE_BOTH double __lanewise_sticky(unsigned long long v) { return (double)(v >> 53 ? (v & ~0xfffull) | ((v & 0xfff) != 0 ? 0x800 : 0) : v); }
__LANEWISE_BOTH double __lanewise_sticky(long long v) { return v < 0 ? -__lanewise_sticky(0ull - (unsigned long long)v) : __lanewise_sticky((unsigned long long)v); }
__LANEWISE_BOTH double __lanewise_sticky(int v) { return v; }
__LANEWISE_BOTH double __lanewise_sticky(unsigned int v) { return v; }
/* The nearest integer of a type, 0 for NaN. */
template <class I> __LANEWISE_BOTH I __lanewise_to_integer(float v) {
  if (sizeof(I) >= 4) {
    if (!(v == v)) return (I)(sizeof(I) == 8 ? 1ull << 63 : 0);
    const float beyond = (I)-1 > (I)0 ? 2.0f * (float)(1ull << (8 * sizeof(I) - 1)) : (float)(1ull << (8 * sizeof(I) - 1));
    if (v >= beyond) return (I)-1 > (I)0 ? (I)-1 : (I)((1ull << (8 * sizeof(I) - 1)) - 1);
    if ((I)-1 > (I)0 ? !(v > 0.0f) : v < -beyond) return (I)-1 > (I)0 ? (I)0 : (I)(1ull << (8 * sizeof(I) - 1));
    return (I)v;
  }
  const int most = (I)-1 > (I)0 ? (1 << 8 * (int)sizeof(I)) - 1 : (1 << (8 * (int)sizeof(I) - 1)) - 1, least = (I)-1 > (I)0 ? 0 : -most - 1;
  if (!(v == v)) return 0;
  return (I)(v > (float)most ? most : v < (float)least ? least : (int)v);
}
/* Conversions of a small format H, called `word` in names, from and to an integer. BITS: (number, how) to bits; TO: H to float. */
#define __LANEWISE_SMALL_INTEGER(H, word, name, type, BITS, TO) \
  __LANEWISE_SMALL_ROUNDED(H, __##name##2##word, type, __lanewise_sticky, BITS) \
  __LANEWISE_BOTH type __##word##2##name##_rn(H a) { return __lanewise_to_integer<type>(__builtin_rintf(TO(a))); } \
  __LANEWISE_BOTH type __##word##2##name##_rz(H a) { return __lanewise_to_integer<type>(TO(a)); } \
  __LANEWISE_BOTH type __##word##2##name##_ru(H a) { return __lanewise_to_integer<type>(__builtin_ceilf(TO(a))); } \
  __LANEWISE_BOTH type __##word##2##name##_rd(H a) { return __lanewise_to_integer<type>(__builtin_floorf(TO(a))); }
#define __LANEWISE_SMALL_ROUNDED(H, name, type, wide, BITS) \
  __LANEWISE_BOTH H name##_rn(type v) { H h; h.__x = BITS(wide(v), 0); return h; } \
  __LANEWISE_BOTH H name##_rz(type v) { H h; h.__x = BITS(wide(v), 1); return h; } \
  __LANEWISE_BOTH H name##_ru(type v) { H h; h.__x = BITS(wide(v), 2); return h; } \
  __LANEWISE_BOTH H name##_rd(type v) { H h; h.__x = BITS(wide(v), 3); return h; }
#define __LANEWISE_SMALL_INTEGERS(H, word, BITS, TO) \
  __LANEWISE_SMALL_INTEGER(H, word, int, int, BITS, TO) __LANEWISE_SMALL_INTEGER(H, word, uint, unsigned int, BITS, TO) \
  __LANEWISE_SMALL_INTEGER(H, word, short, short, BITS, TO) __LANEWISE_SMALL_INTEGER(H, word, ushort, unsigned short, BITS, TO) \
  __LANEWISE_SMALL_INTEGER(H, word, ll, long long, BITS, TO) __LANEWISE_SMALL_INTEGER(H, word, ull, unsigned long long, BITS, TO) \
  __LANEWISE_BOTH signed char __##word##2char_rz(H a) { return __lanewise_to_integer<signed char>(TO(a)); } \
  __LANEWISE_BOTH unsigned char __##word##2uchar_rz(H a) { return __lanewise_to_integer<unsigned char>(TO(a)); }
/* One instruction in device code, of which compilers know what it costs; the host has none. */
#ifdef __CUDA_ARCH__
#define __LANEWISE_SMALL_FMA(H, N, TO, FROM_DOUBLE) \
  H r; \
  r.__x = __builtin_bit_cast(unsigned short, __builtin_elementwise_fma( \
    __builtin_bit_cast(N, a.__x), __builtin_bit_cast(N, b.__x), __builtin_bit_cast(N, c.__x))); \
  return r;
#else
#define __LANEWISE_SMALL_FMA(H, N, TO, FROM_DOUBLE) \
  _Pragma("clang fp contract(off)") return FROM_DOUBLE(__lanewise_odd_sum((double)TO(a) * TO(b), TO(c)));
#endif
/* H: scalar, H2: pair, N: Clang's own type of the format, TO: H to float, FROM: float to H. */
#define __LANEWISE_SMALL_FLOAT(H, H2, N, TO, FROM, FROM_DOUBLE) \
  __LANEWISE_BOTH H __hadd(H a, H b) { return FROM(TO(a) + TO(b)); } \
  __LANEWISE_BOTH H __hsub(H a, H b) { return FROM(TO(a) - TO(b)); } \
  __LANEWISE_BOTH H __hmul(H a, H b) { return FROM(TO(a) * TO(b)); } \
  /* These are never fused with a neighbour. */ \
  __LANEWISE_BOTH H __hadd_rn(H a, H b) { _Pragma("clang fp contract(off)") return FROM(TO(a) + TO(b)); } \
  __LANEWISE_BOTH H __hsub_rn(H a, H b) { _Pragma("clang fp contract(off)") return FROM(TO(a) - TO(b)); } \
  __LANEWISE_BOTH H __hmul_rn(H a, H b) { _Pragma("clang fp contract(off)") return FROM(TO(a) * TO(b)); } \
  __LANEWISE_BOTH H __hdiv(H a, H b) { return FROM(TO(a) / TO(b)); } \
  __LANEWISE_BOTH H __hfma(H a, H b, H c) { __LANEWISE_SMALL_FMA(H, N, TO, FROM_DOUBLE) } \
  __LANEWISE_BOTH bool __hisnan(H a) { return TO(a) != TO(a); } \
  __LANEWISE_BOTH H __hneg(H a) { H r; r.__x = __hisnan(a) ? 0x7fff : a.__x ^ 0x8000u; return r; } \
  __LANEWISE_BOTH H __habs(H a) { H r; r.__x = __hisnan(a) ? 0x7fff : a.__x & 0x7fffu; return r; } \
  __LANEWISE_BOTH H __lanewise_saturate(float v, H) { return FROM(v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f); } \
  __LANEWISE_BOTH H __hadd_sat(H a, H b) { return __lanewise_saturate(TO(__hadd(a, b)), a); } \
  __LANEWISE_BOTH H __hsub_sat(H a, H b) { return __lanewise_saturate(TO(__hsub(a, b)), a); } \
  __LANEWISE_BOTH H __hmul_sat(H a, H b) { return __lanewise_saturate(TO(__hmul(a, b)), a); } \
  __LANEWISE_BOTH H __hfma_sat(H a, H b, H c) { return __lanewise_saturate(TO(__hfma(a, b, c)), a); } \
  __LANEWISE_BOTH H __hfma_relu(H a, H b, H c) { H r = __hfma(a, b, c); return TO(r) <= 0.0f ? FROM(0.0f) : r; } \
  __LANEWISE_BOTH int __hisinf(H a) { return TO(a) == __builtin_huge_valf() ? 1 : TO(a) == -__builtin_huge_valf() ? -1 : 0; } \
  __LANEWISE_BOTH H __hmax(H a, H b) { return FROM(__builtin_fmaxf(TO(a), TO(b))); } \
  __LANEWISE_BOTH H __hmin(H a, H b) { return FROM(__builtin_fminf(TO(a), TO(b))); } \
  __LANEWISE_BOTH H __lanewise_nan(H a) { a.__x = 0x7fff; return a; } \
  __LANEWISE_BOTH H __hmax_nan(H a, H b) { return __hisnan(a) || __hisnan(b) ? __lanewise_nan(a) : __hmax(a, b); } \
  __LANEWISE_BOTH H __hmin_nan(H a, H b) { return __hisnan(a) || __hisnan(b) ? __lanewise_nan(a) : __hmin(a, b); } \
  __LANEWISE_SMALL_COMPARE(H, H2, TO, FROM, eq, ==) \
  __LANEWISE_SMALL_COMPARE(H, H2, TO, FROM, lt, <) \
  __LANEWISE_SMALL_COMPARE(H, H2, TO, FROM, le, <=) \
  __LANEWISE_SMALL_COMPARE(H, H2, TO, FROM, gt, >) \
  __LANEWISE_SMALL_COMPARE(H, H2, TO, FROM, ge, >=) \
  __LANEWISE_BOTH bool __hne(H a, H b) { return TO(a) < TO(b) || TO(a) > TO(b); } \
  __LANEWISE_BOTH bool __hneu(H a, H b) { return TO(a) != TO(b); } \
  __LANEWISE_SMALL_COMPARE2(H2, FROM, ne) __LANEWISE_SMALL_COMPARE2(H2, FROM, neu) \
  __LANEWISE_SMALL_PAIR2(H2, __hadd2, __hadd) __LANEWISE_SMALL_PAIR2(H2, __hsub2, __hsub) __LANEWISE_SMALL_PAIR2(H2, __hmul2, __hmul) \
  __LANEWISE_SMALL_PAIR2(H2, __hadd2_rn, __hadd_rn) __LANEWISE_SMALL_PAIR2(H2, __hsub2_rn, __hsub_rn) __LANEWISE_SMALL_PAIR2(H2, __hmul2_rn, __hmul_rn) \
  __LANEWISE_SMALL_PAIR2(H2, __h2div, __hdiv) __LANEWISE_SMALL_PAIR2(H2, __hmax2, __hmax) __LANEWISE_SMALL_PAIR2(H2, __hmin2, __hmin) \
  __LANEWISE_SMALL_PAIR2(H2, __hmax2_nan, __hmax_nan) __LANEWISE_SMALL_PAIR2(H2, __hmin2_nan, __hmin_nan) \
  /* a b + c as complex numbers. */ \
  __LANEWISE_BOTH H2 __hcmadd(H2 a, H2 b, H2 c) { \
    return H2{__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))}; \
  } \
  __LANEWISE_SMALL_PAIR2(H2, __hadd2_sat, __hadd_sat) __LANEWISE_SMALL_PAIR2(H2, __hsub2_sat, __hsub_sat) \
  __LANEWISE_SMALL_PAIR2(H2, __hmul2_sat, __hmul_sat) \
  __LANEWISE_BOTH H2 __hfma2(H2 a, H2 b, H2 c) { return H2{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; } \
  __LANEWISE_BOTH H2 __hfma2_sat(H2 a, H2 b, H2 c) { return H2{__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)}; } \
  __LANEWISE_BOTH H2 __hfma2_relu(H2 a, H2 b, H2 c) { return H2{__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)}; } \
  __LANEWISE_BOTH H2 __hneg2(H2 a) { return H2{__hneg(a.x), __hneg(a.y)}; } \
  __LANEWISE_BOTH H2 __habs2(H2 a) { return H2{__habs(a.x), __habs(a.y)}; } \
  __LANEWISE_BOTH H2 __hisnan2(H2 a) { return H2{FROM(__hisnan(a.x) ? 1.0f : 0.0f), FROM(__hisnan(a.y) ? 1.0f : 0.0f)}; } \
  __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, sqrt, sqrtf) __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, rsqrt, rsqrtf) \
  __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, exp, expf) __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, exp2, exp2f) \
  __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, exp10, exp10f) __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, log, logf) \
  __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, log2, log2f) __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, log10, log10f) \
  __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, sin, sinf) __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, cos, cosf) \
  __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, tanh, tanhf) __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, tanh_approx, tanhf) \
  __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, floor, floorf) \
  __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, ceil, ceilf) __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, trunc, truncf) \
  __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, rint, rintf) __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, rcp, 1.0f /) \
  __LANEWISE_SMALL_OPERATOR(H, +, __hadd) __LANEWISE_SMALL_OPERATOR(H, -, __hsub) \
  __LANEWISE_SMALL_OPERATOR(H, *, __hmul) __LANEWISE_SMALL_OPERATOR(H, /, __hdiv) \
  __LANEWISE_SMALL_OPERATOR(H2, +, __hadd2) __LANEWISE_SMALL_OPERATOR(H2, -, __hsub2) \
  __LANEWISE_SMALL_OPERATOR(H2, *, __hmul2) __LANEWISE_SMALL_OPERATOR(H2, /, __h2div) \
  __LANEWISE_BOTH H operator-(const H& a) { return __hneg(a); } \
  __LANEWISE_BOTH H operator+(const H& a) { return a; } \
  __LANEWISE_BOTH H2 operator-(const H2& a) { return __hneg2(a); } \
  __LANEWISE_BOTH H& operator++(H& a) { return a = __hadd(a, FROM(1.0f)); } \
  __LANEWISE_BOTH H& operator--(H& a) { return a = __hsub(a, FROM(1.0f)); } \
  __LANEWISE_BOTH H operator++(H& a, int) { H before = a; ++a; return before; } \
  __LANEWISE_BOTH H operator--(H& a, int) { H before = a; --a; return before; } \
  __LANEWISE_BOTH H2 operator+(const H2& a) { return a; } \
  __LANEWISE_BOTH H2& operator++(H2& a) { return a = __hadd2(a, H2(FROM(1.0f), FROM(1.0f))); } \
  __LANEWISE_BOTH H2& operator--(H2& a) { return a = __hsub2(a, H2(FROM(1.0f), FROM(1.0f))); } \
  __LANEWISE_BOTH H2 operator++(H2& a, int) { H2 before = a; ++a; return before; } \
  __LANEWISE_BOTH H2 operator--(H2& a, int) { H2 before = a; --a; return before; } \
  __LANEWISE_BOTH bool operator==(const H& a, const H& b) { return __heq(a, b); } \
  __LANEWISE_BOTH bool operator!=(const H& a, const H& b) { return __hneu(a, b); } \
  __LANEWISE_BOTH bool operator<(const H& a, const H& b) { return __hlt(a, b); } \
  __LANEWISE_BOTH bool operator<=(const H& a, const H& b) { return __hle(a, b); } \
  __LANEWISE_BOTH bool operator>(const H& a, const H& b) { return __hgt(a, b); } \
  __LANEWISE_BOTH bool operator>=(const H& a, const H& b) { return __hge(a, b); } \
  __LANEWISE_BOTH bool operator==(const H2& a, const H2& b) { return __hbeq2(a, b); } \
  __LANEWISE_BOTH bool operator<(const H2& a, const H2& b) { return __hblt2(a, b); } \
  __LANEWISE_BOTH bool operator<=(const H2& a, const H2& b) { return __hble2(a, b); } \
  __LANEWISE_BOTH bool operator>(const H2& a, const H2& b) { return __hbgt2(a, b); } \
  __LANEWISE_BOTH bool operator>=(const H2& a, const H2& b) { return __hbge2(a, b); } \
  __LANEWISE_BOTH bool operator!=(const H2& a, const H2& b) { return __hneu(a.x, b.x) && __hneu(a.y, b.y); } \
  __LANEWISE_SMALL_SHUFFLE(H, H2, __shfl_sync, int) __LANEWISE_SMALL_SHUFFLE(H, H2, __shfl_up_sync, unsigned int) \
  __LANEWISE_SMALL_SHUFFLE(H, H2, __shfl_down_sync, unsigned int) __LANEWISE_SMALL_SHUFFLE(H, H2, __shfl_xor_sync, int) \
  /* A compare-and-swap loop on the word, as hardware without a native instruction does it. */ \
  __LANEWISE_DEVICE H2 atomicAdd(H2* address, H2 value) { \
    unsigned int* word = (unsigned int*)address; \
    unsigned int seen = *word, assumed; \
    do { \
      assumed = seen; \
      seen = atomicCAS(word, assumed, __builtin_bit_cast(unsigned int, __hadd2(__builtin_bit_cast(H2, assumed), value))); \
    } while (assumed != seen); \
    return __builtin_bit_cast(H2, seen); \
  } \
  __LANEWISE_DEVICE H atomicAdd(H* address, H value) { \
    unsigned int* word = (unsigned int*)((size_t)address & ~(size_t)3); \
    unsigned int shift = ((size_t)address & 2) * 8, seen = *word, assumed; \
    H old; \
    do { \
      assumed = seen; \
      old.__x = (unsigned short)(assumed >> shift); \
      seen = atomicCAS(word, assumed, (assumed & ~(0xffffu << shift)) | ((unsigned int)__hadd(old, value).__x << shift)); \
    } while (assumed != seen); \
    return old; \
  }

#define __LANEWISE_SMALL_COMPARE(H, H2, TO, FROM, name, op) \
  __LANEWISE_BOTH bool __h##name(H a, H b) { return TO(a) op TO(b); } \
  __LANEWISE_BOTH bool __h##name##u(H a, H b) { return TO(a) op TO(b) || __hisnan(a) || __hisnan(b); } \
  __LANEWISE_SMALL_COMPARE2(H2, FROM, name) __LANEWISE_SMALL_COMPARE2(H2, FROM, name##u)
#define __LANEWISE_SMALL_COMPARE2(H2, FROM, name) \
  __LANEWISE_BOTH H2 __h##name##2(H2 a, H2 b) { return H2{FROM(__h##name(a.x, b.x) ? 1.0f : 0.0f), FROM(__h##name(a.y, b.y) ? 1.0f : 0.0f)}; } \
  __LANEWISE_BOTH bool __hb##name##2(H2 a, H2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); } \
  __LANEWISE_BOTH unsigned int __h##name##2_mask(H2 a, H2 b) { \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u); \
  }
#define __LANEWISE_SMALL_PAIR2(H2, name, scalar) \
  __LANEWISE_BOTH H2 name(H2 a, H2 b) { return H2{scalar(a.x, b.x), scalar(a.y, b.y)}; }
#define __LANEWISE_SMALL_FUNCTION(H, H2, TO, FROM, name, function) \
  __LANEWISE_BOTH H h##name(H a) { return FROM(function(TO(a))); } \
  __LANEWISE_BOTH H2 h2##name(H2 a) { return H2{h##name(a.x), h##name(a.y)}; }
#define __LANEWISE_SMALL_OPERATOR(T, op, function) \
  __LANEWISE_BOTH T operator op(const T& a, const T& b) { return function(a, b); } \
  __LANEWISE_BOTH T& operator op##=(T& a, const T& b) { return a = function(a, b); }
#define __LANEWISE_SMALL_SHUFFLE(H, H2, name, lane) \
  __LANEWISE_DEVICE H2 name(unsigned int mask, H2 value, lane from, int width = 32) { \
    return __builtin_bit_cast(H2, name(mask, __builtin_bit_cast(int, value), from, width)); \
  } \
  __LANEWISE_DEVICE H name(unsigned int mask, H value, lane from, int width = 32) { \
    value.__x = (unsigned short)name(mask, (int)value.__x, from, width); \
    return value; \
  }

/* Constructors from and conversions to the arithmetic types, inside the class. */
#define __LANEWISE_SMALL_CLASS(H, TO, FROM) \
  unsigned short __x; \
  H() = default; \
  __LANEWISE_METHOD H(float v) : __x(FROM(v)) {} \
  __LANEWISE_METHOD H(double v) : __x(FROM((float)v)) {} \
  __LANEWISE_METHOD H(short v) : __x(FROM((float)v)) {} \
  __LANEWISE_METHOD H(unsigned short v) : __x(FROM((float)v)) {} \
  __LANEWISE_METHOD H(int v) : __x(FROM((float)v)) {} \
  __LANEWISE_METHOD H(unsigned int v) : __x(FROM((float)v)) {} \
  __LANEWISE_METHOD H(long v) : __x(FROM((float)v)) {} \
  __LANEWISE_METHOD H(unsigned long v) : __x(FROM((float)v)) {} \
  __LANEWISE_METHOD H(long long v) : __x(FROM((float)v)) {} \
  __LANEWISE_METHOD H(unsigned long long v) : __x(FROM((float)v)) {} \
  __LANEWISE_METHOD operator float() const { return TO(__x); } \
  __LANEWISE_METHOD explicit operator double() const { return TO(__x); } \
  __LANEWISE_METHOD explicit operator short() const { return (short)TO(__x); } \
  __LANEWISE_METHOD explicit operator unsigned short() const { return (unsigned short)TO(__x); } \
  __LANEWISE_METHOD explicit operator int() const { return (int)TO(__x); } \
  __LANEWISE_METHOD explicit operator unsigned int() const { return (unsigned int)TO(__x); } \
  __LANEWISE_METHOD explicit operator long() const { return (long)TO(__x); } \
  __LANEWISE_METHOD explicit operator unsigned long() const { return (unsigned long)TO(__x); } \
  __LANEWISE_METHOD explicit operator long long() const { return (long long)TO(__x); } \
  __LANEWISE_METHOD explicit operator unsigned long long() const { return (unsigned long long)TO(__x); } \
  __LANEWISE_METHOD explicit operator bool() const { return (__x & 0x7fffu) != 0; } \
  __LANEWISE_METHOD H& operator=(float v) { __x = FROM(v); return *this; } \
  __LANEWISE_METHOD H& operator=(double v) { __x = FROM((float)v); return *this; } \
  __LANEWISE_METHOD H& operator=(int v) { __x = FROM((float)v); return *this; }
