/* Approximate functions and arithmetic with a rounding mode in its name. */
#pragma once
#include "../host_defines.h"

#define __LANEWISE_FAST(name) \
  __LANEWISE_PURE float __nv_fast_##name(float); \
  __LANEWISE_DEVICE float __##name(float x) { return __nv_fast_##name(x); }
__LANEWISE_FAST(cosf)
__LANEWISE_FAST(exp10f)
__LANEWISE_FAST(expf)
__LANEWISE_FAST(log10f)
__LANEWISE_FAST(log2f)
__LANEWISE_FAST(logf)
__LANEWISE_FAST(sinf)
__LANEWISE_FAST(tanf)
__LANEWISE_FAST(tanhf)
#undef __LANEWISE_FAST
__LANEWISE_PURE float __nv_fast_powf(float, float);
__LANEWISE_PURE float __nv_fast_fdividef(float, float);
__LANEWISE_DEVICE float __powf(float x, float y) { return __nv_fast_powf(x, y); }
__LANEWISE_DEVICE float __fdividef(float x, float y) { return __nv_fast_fdividef(x, y); }
__LANEWISE_DEVICE void __sincosf(float x, float* s, float* c) { *s = __sinf(x); *c = __cosf(x); }
__LANEWISE_DEVICE float __saturatef(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }

/* To nearest is the ordinary operation, never fused with a neighbour. */
#define __LANEWISE_NEAREST(type, name, parameters, expression) \
  __LANEWISE_DEVICE type name##_rn parameters { \
    _Pragma("clang fp contract(off)") return expression; \
  }
__LANEWISE_NEAREST(float, __fadd, (float x, float y), x + y)
__LANEWISE_NEAREST(float, __fsub, (float x, float y), x - y)
__LANEWISE_NEAREST(float, __fmul, (float x, float y), x * y)
__LANEWISE_NEAREST(float, __fdiv, (float x, float y), x / y)
__LANEWISE_NEAREST(float, __frcp, (float x), 1.0f / x)
__LANEWISE_NEAREST(float, __fsqrt, (float x), __builtin_sqrtf(x))
__LANEWISE_NEAREST(float, __fmaf, (float x, float y, float z), __builtin_fmaf(x, y, z))
__LANEWISE_NEAREST(double, __dadd, (double x, double y), x + y)
__LANEWISE_NEAREST(double, __dsub, (double x, double y), x - y)
__LANEWISE_NEAREST(double, __dmul, (double x, double y), x * y)
__LANEWISE_NEAREST(double, __ddiv, (double x, double y), x / y)
__LANEWISE_NEAREST(double, __drcp, (double x), 1.0 / x)
__LANEWISE_NEAREST(double, __dsqrt, (double x), __builtin_sqrt(x))
__LANEWISE_NEAREST(double, __fma, (double x, double y, double z), __builtin_fma(x, y, z))
#undef __LANEWISE_NEAREST
__LANEWISE_PURE float __nv_rsqrtf(float);
__LANEWISE_DEVICE float __frsqrt_rn(float x) { return __nv_rsqrtf(x); }

/* The other directions: towards zero, up, down. */
#define __LANEWISE_DIRECTED1(type, name, suffix) \
  __LANEWISE_PURE type __nv_##name##suffix(type); \
  __LANEWISE_DEVICE type __##name##suffix(type x) { return __nv_##name##suffix(x); }
#define __LANEWISE_DIRECTED2(type, name, suffix) \
  __LANEWISE_PURE type __nv_##name##suffix(type, type); \
  __LANEWISE_DEVICE type __##name##suffix(type x, type y) { return __nv_##name##suffix(x, y); }
#define __LANEWISE_DIRECTED3(type, name, suffix) \
  __LANEWISE_PURE type __nv_##name##suffix(type, type, type); \
  __LANEWISE_DEVICE type __##name##suffix(type x, type y, type z) { return __nv_##name##suffix(x, y, z); }
#define __LANEWISE_DIRECTIONS(kind, type, name) kind(type, name, _rz) kind(type, name, _ru) kind(type, name, _rd)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED2, float, fadd)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED2, float, fsub)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED2, float, fmul)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED2, float, fdiv)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED1, float, frcp)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED1, float, fsqrt)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED3, float, fmaf)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED2, double, dadd)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED2, double, dsub)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED2, double, dmul)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED2, double, ddiv)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED1, double, drcp)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED1, double, dsqrt)
__LANEWISE_DIRECTIONS(__LANEWISE_DIRECTED3, double, fma)
#undef __LANEWISE_DIRECTIONS
#undef __LANEWISE_DIRECTED1
#undef __LANEWISE_DIRECTED2
#undef __LANEWISE_DIRECTED3

/* Conversions to integers round first, then convert exactly. */
#define __LANEWISE_TO_INTEGER(from, suffix, name, type) \
  __LANEWISE_DEVICE type __##from##2##name##_rn(from x) { return (type)__builtin_rint##suffix(x); } \
  __LANEWISE_DEVICE type __##from##2##name##_rz(from x) { return (type)x; } \
  __LANEWISE_DEVICE type __##from##2##name##_ru(from x) { return (type)__builtin_ceil##suffix(x); } \
  __LANEWISE_DEVICE type __##from##2##name##_rd(from x) { return (type)__builtin_floor##suffix(x); }
__LANEWISE_TO_INTEGER(float, f, int, int)
__LANEWISE_TO_INTEGER(float, f, uint, unsigned int)
__LANEWISE_TO_INTEGER(float, f, ll, long long)
__LANEWISE_TO_INTEGER(float, f, ull, unsigned long long)
__LANEWISE_TO_INTEGER(double, , int, int)
__LANEWISE_TO_INTEGER(double, , uint, unsigned int)
__LANEWISE_TO_INTEGER(double, , ll, long long)
__LANEWISE_TO_INTEGER(double, , ull, unsigned long long)
#undef __LANEWISE_TO_INTEGER

/* Conversions that may round: to nearest is C's, the rest are external. */
#define __LANEWISE_CONVERT(from, type, to) \
  __LANEWISE_DEVICE to __##from##2##to##_rn(type x) { return (to)x; } \
  __LANEWISE_PURE to __nv_##from##2##to##_rz(type); \
  __LANEWISE_PURE to __nv_##from##2##to##_ru(type); \
  __LANEWISE_PURE to __nv_##from##2##to##_rd(type); \
  __LANEWISE_DEVICE to __##from##2##to##_rz(type x) { return __nv_##from##2##to##_rz(x); } \
  __LANEWISE_DEVICE to __##from##2##to##_ru(type x) { return __nv_##from##2##to##_ru(x); } \
  __LANEWISE_DEVICE to __##from##2##to##_rd(type x) { return __nv_##from##2##to##_rd(x); }
__LANEWISE_CONVERT(int, int, float)
__LANEWISE_CONVERT(uint, unsigned int, float)
__LANEWISE_CONVERT(ll, long long, float)
__LANEWISE_CONVERT(ull, unsigned long long, float)
__LANEWISE_CONVERT(ll, long long, double)
__LANEWISE_CONVERT(ull, unsigned long long, double)
__LANEWISE_CONVERT(double, double, float)
#undef __LANEWISE_CONVERT
__LANEWISE_DEVICE double __int2double_rn(int x) { return x; }
__LANEWISE_DEVICE double __uint2double_rn(unsigned int x) { return x; }
