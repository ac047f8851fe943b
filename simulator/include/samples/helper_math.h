/* Operators and functions of vector types, as NVIDIA's samples and many other programs use them. Vectors of floats have all of them;
   those of integers have no division, and unsigned ones no sign. */
#ifndef HELPER_MATH_H
#define HELPER_MATH_H
#include "cuda_runtime.h"
#include <cmath>

typedef unsigned int uint;
typedef unsigned short ushort;

#ifndef __CUDACC__
inline float fminf(float a, float b) { return a < b ? a : b; }
inline float fmaxf(float a, float b) { return a > b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }
inline int min(int a, int b) { return a < b ? a : b; }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
#endif

#define LW_FN inline __host__ __device__
#define LW_2(each) each(x), each(y)
#define LW_3(each) LW_2(each), each(z)
#define LW_4(each) LW_3(each), each(w)
#define LW_SUM2(each) each(x) + each(y)
#define LW_SUM3(each) LW_SUM2(each) + each(z)
#define LW_SUM4(each) LW_SUM3(each) + each(w)

/* From one number, from fewer components and from those of other types. */
#define LW_MAKE(T) \
  LW_FN T##2 make_##T##2(T s) { return make_##T##2(s, s); } \
  LW_FN T##2 make_##T##2(T##3 a) { return make_##T##2(a.x, a.y); } \
  LW_FN T##3 make_##T##3(T s) { return make_##T##3(s, s, s); } \
  LW_FN T##3 make_##T##3(T##2 a) { return make_##T##3(a.x, a.y, 0); } \
  LW_FN T##3 make_##T##3(T##2 a, T s) { return make_##T##3(a.x, a.y, s); } \
  LW_FN T##3 make_##T##3(T##4 a) { return make_##T##3(a.x, a.y, a.z); } \
  LW_FN T##4 make_##T##4(T s) { return make_##T##4(s, s, s, s); } \
  LW_FN T##4 make_##T##4(T##3 a) { return make_##T##4(a.x, a.y, a.z, 0); } \
  LW_FN T##4 make_##T##4(T##3 a, T w) { return make_##T##4(a.x, a.y, a.z, w); }
LW_MAKE(float) LW_MAKE(int) LW_MAKE(uint)
#define LW_CONVERT(T, From) \
  LW_FN T##2 make_##T##2(From##2 a) { return make_##T##2(T(a.x), T(a.y)); } \
  LW_FN T##3 make_##T##3(From##3 a) { return make_##T##3(T(a.x), T(a.y), T(a.z)); } \
  LW_FN T##4 make_##T##4(From##4 a) { return make_##T##4(T(a.x), T(a.y), T(a.z), T(a.w)); }
LW_CONVERT(float, int) LW_CONVERT(float, uint) LW_CONVERT(int, float) LW_CONVERT(int, uint) LW_CONVERT(uint, int)

#define LW_NEGATED(c) -a.c
#define LW_NEGATE(T, n) LW_FN T##n operator-(const T##n& a) { return make_##T##n(LW_##n(LW_NEGATED)); }
LW_NEGATE(float, 2) LW_NEGATE(float, 3) LW_NEGATE(float, 4) LW_NEGATE(int, 2) LW_NEGATE(int, 3) LW_NEGATE(int, 4)

/* Component by component; a number stands for a vector of it. */
#define LW_OPERATOR(T, n, op, both, left, right) \
  LW_FN T##n operator op(T##n a, T##n b) { return make_##T##n(LW_##n(both)); } \
  LW_FN T##n operator op(T##n a, T b) { return make_##T##n(LW_##n(left)); } \
  LW_FN T##n operator op(T a, T##n b) { return make_##T##n(LW_##n(right)); } \
  LW_FN void operator op##=(T##n& a, T##n b) { a = a op b; } \
  LW_FN void operator op##=(T##n& a, T b) { a = a op b; }
#define LW_ADD(c) a.c + b.c
#define LW_ADD_B(c) a.c + b
#define LW_ADD_A(c) a + b.c
#define LW_SUB(c) a.c - b.c
#define LW_SUB_B(c) a.c - b
#define LW_SUB_A(c) a - b.c
#define LW_MUL(c) a.c * b.c
#define LW_MUL_B(c) a.c * b
#define LW_MUL_A(c) a * b.c
#define LW_DIV(c) a.c / b.c
#define LW_DIV_B(c) a.c / b
#define LW_DIV_A(c) a / b.c
#define LW_ARITHMETIC(T, n) \
  LW_OPERATOR(T, n, +, LW_ADD, LW_ADD_B, LW_ADD_A) LW_OPERATOR(T, n, -, LW_SUB, LW_SUB_B, LW_SUB_A) \
  LW_OPERATOR(T, n, *, LW_MUL, LW_MUL_B, LW_MUL_A)
#define LW_SIZES(each, T) each(T, 2) each(T, 3) each(T, 4)
LW_SIZES(LW_ARITHMETIC, float) LW_SIZES(LW_ARITHMETIC, int) LW_SIZES(LW_ARITHMETIC, uint)
#define LW_DIVISION(T, n) LW_OPERATOR(T, n, /, LW_DIV, LW_DIV_B, LW_DIV_A)
LW_SIZES(LW_DIVISION, float)

#define LW_CLAMP(T, least, most) LW_FN T clamp(T f, T a, T b) { return most(a, least(f, b)); }
LW_CLAMP(float, fminf, fmaxf) LW_CLAMP(int, min, max) LW_CLAMP(uint, min, max)
#define LW_CLAMPED(c) clamp(v.c, a.c, b.c)
#define LW_CLAMPED_TO(c) clamp(v.c, a, b)
#define LW_PRODUCT(c) a.c * b.c
#define LW_BOUNDS(T, n) \
  LW_FN T##n clamp(T##n v, T a, T b) { return make_##T##n(LW_##n(LW_CLAMPED_TO)); } \
  LW_FN T##n clamp(T##n v, T##n a, T##n b) { return make_##T##n(LW_##n(LW_CLAMPED)); } \
  LW_FN T dot(T##n a, T##n b) { return LW_SUM##n(LW_PRODUCT); }
LW_SIZES(LW_BOUNDS, float) LW_SIZES(LW_BOUNDS, int) LW_SIZES(LW_BOUNDS, uint)

#define LW_FMINF(c) fminf(a.c, b.c)
#define LW_FMAXF(c) fmaxf(a.c, b.c)
#define LW_MIN(c) min(a.c, b.c)
#define LW_MAX(c) max(a.c, b.c)
#define LW_EXTREMUM(T, n, name, each) LW_FN T##n name(T##n a, T##n b) { return make_##T##n(LW_##n(each)); }
#define LW_FLOAT_EXTREMA(T, n) LW_EXTREMUM(T, n, fminf, LW_FMINF) LW_EXTREMUM(T, n, fmaxf, LW_FMAXF)
#define LW_EXTREMA(T, n) LW_EXTREMUM(T, n, min, LW_MIN) LW_EXTREMUM(T, n, max, LW_MAX)
LW_SIZES(LW_FLOAT_EXTREMA, float) LW_SIZES(LW_EXTREMA, int) LW_SIZES(LW_EXTREMA, uint)

LW_FN float lerp(float a, float b, float t) { return a + t * (b - a); }
LW_FN float fracf(float v) { return v - floorf(v); }
LW_FN float smoothstep(float a, float b, float x) {
  float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
  return y * y * (3.0f - 2.0f * y);
}
#define LW_FLOOR(c) floorf(v.c)
#define LW_FRACTION(c) fracf(v.c)
#define LW_FABS(c) fabs(v.c)
#define LW_ABS(c) abs(v.c)
#define LW_FMOD(c) fmodf(a.c, b.c)
#define LW_SMOOTHSTEP(c) smoothstep(a.c, b.c, x.c)
#define LW_GEOMETRY(T, n) \
  LW_FN T##n lerp(T##n a, T##n b, T t) { return a + t * (b - a); } \
  LW_FN T length(T##n v) { return sqrtf(dot(v, v)); } \
  LW_FN T##n normalize(T##n v) { return v * rsqrtf(dot(v, v)); } \
  LW_FN T##n floorf(T##n v) { return make_##T##n(LW_##n(LW_FLOOR)); } \
  LW_FN T##n fracf(T##n v) { return make_##T##n(LW_##n(LW_FRACTION)); } \
  LW_FN T##n fabs(T##n v) { return make_##T##n(LW_##n(LW_FABS)); } \
  LW_FN T##n fmodf(T##n a, T##n b) { return make_##T##n(LW_##n(LW_FMOD)); } \
  LW_FN T##n smoothstep(T##n a, T##n b, T##n x) { return make_##T##n(LW_##n(LW_SMOOTHSTEP)); }
LW_SIZES(LW_GEOMETRY, float)
#define LW_ABSOLUTE(T, n) LW_FN T##n abs(T##n v) { return make_##T##n(LW_##n(LW_ABS)); }
LW_SIZES(LW_ABSOLUTE, int)

/* The incoming direction i, mirrored at the surface whose unit normal is n. */
LW_FN float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }
LW_FN float3 cross(float3 a, float3 b) { return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }

#undef LW_FN
#undef LW_2
#undef LW_3
#undef LW_4
#undef LW_SUM2
#undef LW_SUM3
#undef LW_SUM4
#undef LW_MAKE
#undef LW_CONVERT
#undef LW_NEGATED
#undef LW_NEGATE
#undef LW_OPERATOR
#undef LW_ADD
#undef LW_ADD_B
#undef LW_ADD_A
#undef LW_SUB
#undef LW_SUB_B
#undef LW_SUB_A
#undef LW_MUL
#undef LW_MUL_B
#undef LW_MUL_A
#undef LW_DIV
#undef LW_DIV_B
#undef LW_DIV_A
#undef LW_ARITHMETIC
#undef LW_SIZES
#undef LW_DIVISION
#undef LW_CLAMP
#undef LW_CLAMPED
#undef LW_CLAMPED_TO
#undef LW_PRODUCT
#undef LW_BOUNDS
#undef LW_FMINF
#undef LW_FMAXF
#undef LW_MIN
#undef LW_MAX
#undef LW_EXTREMUM
#undef LW_FLOAT_EXTREMA
#undef LW_EXTREMA
#undef LW_FLOOR
#undef LW_FRACTION
#undef LW_FABS
#undef LW_ABS
#undef LW_FMOD
#undef LW_SMOOTHSTEP
#undef LW_GEOMETRY
#undef LW_ABSOLUTE
#endif
