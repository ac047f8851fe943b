/* SIMD-within-a-word intrinsics: __vadd4 and its kin, byte by byte and halfword by halfword. */
#pragma once
#include "../host_defines.h"

/* Applies an expression of a, b (lanes of the given type, in int) and puts the results together. */
#define __LANEWISE_VIDEO_LANES(name, bits, type, expression) \
  __LANEWISE_DEVICE unsigned int name(unsigned int x, unsigned int y) { \
    unsigned int result = 0; \
    for (int k = 0; k < 32; k += bits) { \
      int a = (type)(x >> k), b = (type)(y >> k); \
      result |= ((unsigned int)(expression) & ((1u << bits) - 1)) << k; \
    } \
    return result; \
  }
#define __LANEWISE_VIDEO_LANES1(name, bits, type, expression) \
  __LANEWISE_DEVICE unsigned int name(unsigned int x) { \
    unsigned int result = 0; \
    for (int k = 0; k < 32; k += bits) { \
      int a = (type)(x >> k); \
      result |= ((unsigned int)(expression) & ((1u << bits) - 1)) << k; \
    } \
    return result; \
  }
#define __LANEWISE_VIDEO_SUM(name, bits, type, expression) \
  __LANEWISE_DEVICE unsigned int name(unsigned int x, unsigned int y) { \
    unsigned int sum = 0; \
    for (int k = 0; k < 32; k += bits) { \
      int a = (type)(x >> k), b = (type)(y >> k); \
      sum += (unsigned int)(expression); \
    } \
    return sum; \
  }
#define __LANEWISE_CLAMP(v, low, high) ((v) < (low) ? (low) : (v) > (high) ? (high) : (v))

#define __LANEWISE_VIDEO(n, bits, signedType, unsignedType, lowest, highest, most) \
  __LANEWISE_VIDEO_LANES(__vadd##n, bits, unsignedType, a + b) \
  __LANEWISE_VIDEO_LANES(__vsub##n, bits, unsignedType, a - b) \
  __LANEWISE_VIDEO_LANES(__vaddss##n, bits, signedType, __LANEWISE_CLAMP(a + b, lowest, highest)) \
  __LANEWISE_VIDEO_LANES(__vaddus##n, bits, unsignedType, __LANEWISE_CLAMP(a + b, 0, most)) \
  __LANEWISE_VIDEO_LANES(__vsubss##n, bits, signedType, __LANEWISE_CLAMP(a - b, lowest, highest)) \
  __LANEWISE_VIDEO_LANES(__vsubus##n, bits, unsignedType, __LANEWISE_CLAMP(a - b, 0, most)) \
  __LANEWISE_VIDEO_LANES(__vabsdiffs##n, bits, signedType, a > b ? a - b : b - a) \
  __LANEWISE_VIDEO_LANES(__vabsdiffu##n, bits, unsignedType, a > b ? a - b : b - a) \
  __LANEWISE_VIDEO_LANES(__vavgs##n, bits, signedType, (a + b + (a + b >= 0)) >> 1) \
  __LANEWISE_VIDEO_LANES(__vavgu##n, bits, unsignedType, (a + b + 1) >> 1) \
  __LANEWISE_VIDEO_LANES(__vhaddu##n, bits, unsignedType, (a + b) >> 1) \
  __LANEWISE_VIDEO_LANES(__vmaxs##n, bits, signedType, a > b ? a : b) \
  __LANEWISE_VIDEO_LANES(__vmaxu##n, bits, unsignedType, a > b ? a : b) \
  __LANEWISE_VIDEO_LANES(__vmins##n, bits, signedType, a < b ? a : b) \
  __LANEWISE_VIDEO_LANES(__vminu##n, bits, unsignedType, a < b ? a : b) \
  __LANEWISE_VIDEO_LANES1(__vabs##n, bits, signedType, a < 0 ? -a : a) \
  __LANEWISE_VIDEO_LANES1(__vabsss##n, bits, signedType, a < 0 ? __LANEWISE_CLAMP(-a, 0, highest) : a) \
  __LANEWISE_VIDEO_LANES1(__vneg##n, bits, signedType, -a) \
  __LANEWISE_VIDEO_LANES1(__vnegss##n, bits, signedType, __LANEWISE_CLAMP(-a, lowest, highest)) \
  __LANEWISE_VIDEO_SUM(__vsads##n, bits, signedType, a > b ? a - b : b - a) \
  __LANEWISE_VIDEO_SUM(__vsadu##n, bits, unsignedType, a > b ? a - b : b - a) \
  __LANEWISE_VIDEO_COMPARE(n, bits, signedType, unsignedType, eq, eq, ==) \
  __LANEWISE_VIDEO_COMPARE(n, bits, signedType, unsignedType, ne, ne, !=) \
  __LANEWISE_VIDEO_COMPARE(n, bits, signedType, signedType, ges, ges, >=) \
  __LANEWISE_VIDEO_COMPARE(n, bits, signedType, unsignedType, geu, geu, >=) \
  __LANEWISE_VIDEO_COMPARE(n, bits, signedType, signedType, gts, gts, >) \
  __LANEWISE_VIDEO_COMPARE(n, bits, signedType, unsignedType, gtu, gtu, >) \
  __LANEWISE_VIDEO_COMPARE(n, bits, signedType, signedType, les, les, <=) \
  __LANEWISE_VIDEO_COMPARE(n, bits, signedType, unsignedType, leu, leu, <=) \
  __LANEWISE_VIDEO_COMPARE(n, bits, signedType, signedType, lts, lts, <) \
  __LANEWISE_VIDEO_COMPARE(n, bits, signedType, unsignedType, ltu, ltu, <)
#define __LANEWISE_VIDEO_COMPARE(n, bits, signedType, type, mask, set, op) \
  __LANEWISE_VIDEO_LANES(__vcmp##mask##n, bits, type, a op b ? -1 : 0) \
  __LANEWISE_VIDEO_LANES(__vset##set##n, bits, type, a op b ? 1 : 0)

__LANEWISE_VIDEO(4, 8, signed char, unsigned char, -128, 127, 255)
__LANEWISE_VIDEO(2, 16, short, unsigned short, -32768, 32767, 65535)

#undef __LANEWISE_VIDEO
#undef __LANEWISE_VIDEO_COMPARE
#undef __LANEWISE_VIDEO_SUM
#undef __LANEWISE_VIDEO_LANES1
#undef __LANEWISE_VIDEO_LANES
#undef __LANEWISE_CLAMP
