/* DPX: sums, maxima and minima of three, of words and of pairs of halfwords, and those that say which argument won. On both sides. */
#pragma once
#include "../host_defines.h"

/* An expression of a, b and c (int) for both halfwords. */
#define __LANEWISE_DPX_PAIR(name, type, expression) \
  __LANEWISE_BOTH unsigned int name(const unsigned int x, const unsigned int y, const unsigned int z) { \
    unsigned int result = 0; \
    for (int k = 0; k < 32; k += 16) { \
      int a = (type)(x >> k), b = (type)(y >> k), c = (type)(z >> k); \
      result |= ((unsigned int)(expression) & 0xffffu) << k; \
    } \
    return result; \
  }
#define __LANEWISE_DPX_MORE(a, b) ((a) > (b) ? (a) : (b))
#define __LANEWISE_DPX_LESS(a, b) ((a) < (b) ? (a) : (b))

#define __LANEWISE_DPX(name, choose, op) \
  __LANEWISE_BOTH int __viadd##name##_s32(const int a, const int b, const int c) { int sum = (int)((unsigned int)a + (unsigned int)b); return choose(sum, c); } \
  __LANEWISE_BOTH int __viadd##name##_s32_relu(const int a, const int b, const int c) { int v = __viadd##name##_s32(a, b, c); return __LANEWISE_DPX_MORE(v, 0); } \
  __LANEWISE_BOTH unsigned int __viadd##name##_u32(const unsigned int a, const unsigned int b, const unsigned int c) { unsigned int sum = a + b; return choose(sum, c); } \
  __LANEWISE_BOTH int __vi##name##3_s32(const int a, const int b, const int c) { int v = choose(a, b); return choose(v, c); } \
  __LANEWISE_BOTH int __vi##name##3_s32_relu(const int a, const int b, const int c) { int v = __vi##name##3_s32(a, b, c); return __LANEWISE_DPX_MORE(v, 0); } \
  __LANEWISE_BOTH unsigned int __vi##name##3_u32(const unsigned int a, const unsigned int b, const unsigned int c) { unsigned int v = choose(a, b); return choose(v, c); } \
  __LANEWISE_BOTH int __vi##name##_s32_relu(const int a, const int b) { int v = choose(a, b); return __LANEWISE_DPX_MORE(v, 0); } \
  __LANEWISE_BOTH int __vib##name##_s32(const int a, const int b, bool* const pred) { *pred = a op b; return choose(a, b); } \
  __LANEWISE_BOTH unsigned int __vib##name##_u32(const unsigned int a, const unsigned int b, bool* const pred) { *pred = a op b; return choose(a, b); } \
  __LANEWISE_DPX_PAIR(__viadd##name##_s16x2, short, choose((short)(a + b), c)) \
  __LANEWISE_DPX_PAIR(__viadd##name##_s16x2_relu, short, __LANEWISE_DPX_MORE(choose((short)(a + b), c), 0)) \
  __LANEWISE_DPX_PAIR(__viadd##name##_u16x2, unsigned short, choose((unsigned short)(a + b), c)) \
  __LANEWISE_DPX_PAIR(__vi##name##3_s16x2, short, choose(choose(a, b), c)) \
  __LANEWISE_DPX_PAIR(__vi##name##3_s16x2_relu, short, __LANEWISE_DPX_MORE(choose(choose(a, b), c), 0)) \
  __LANEWISE_DPX_PAIR(__vi##name##3_u16x2, unsigned short, choose(choose(a, b), c)) \
  __LANEWISE_BOTH unsigned int __vi##name##_s16x2_relu(const unsigned int a, const unsigned int b) { return __vi##name##3_s16x2_relu(a, b, b); } \
  __LANEWISE_BOTH unsigned int __vib##name##_s16x2(const unsigned int a, const unsigned int b, bool* const pred_hi, bool* const pred_lo) { \
    *pred_hi = (short)(a >> 16) op (short)(b >> 16); \
    *pred_lo = (short)a op (short)b; \
    return __vi##name##3_s16x2(a, b, b); \
  } \
  __LANEWISE_BOTH unsigned int __vib##name##_u16x2(const unsigned int a, const unsigned int b, bool* const pred_hi, bool* const pred_lo) { \
    *pred_hi = (unsigned short)(a >> 16) op (unsigned short)(b >> 16); \
    *pred_lo = (unsigned short)a op (unsigned short)b; \
    return __vi##name##3_u16x2(a, b, b); \
  }
__LANEWISE_DPX(max, __LANEWISE_DPX_MORE, >=)
__LANEWISE_DPX(min, __LANEWISE_DPX_LESS, <=)

#undef __LANEWISE_DPX
#undef __LANEWISE_DPX_PAIR
#undef __LANEWISE_DPX_MORE
#undef __LANEWISE_DPX_LESS
