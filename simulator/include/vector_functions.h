/* make_int2(1, 2) and its kin. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__
#include "vector_types.h"

#define __LANEWISE_MAKE(name, element) \
  __LANEWISE_BOTH name##1 make_##name##1(element x) { return __LANEWISE_VALUE(name##1){x}; } \
  __LANEWISE_BOTH name##2 make_##name##2(element x, element y) { return __LANEWISE_VALUE(name##2){x, y}; } \
  __LANEWISE_BOTH name##3 make_##name##3(element x, element y, element z) { return __LANEWISE_VALUE(name##3){x, y, z}; } \
  __LANEWISE_BOTH name##4 make_##name##4(element x, element y, element z, element w) { return __LANEWISE_VALUE(name##4){x, y, z, w}; }

__LANEWISE_MAKE(char, signed char)
__LANEWISE_MAKE(uchar, unsigned char)
__LANEWISE_MAKE(short, short)
__LANEWISE_MAKE(ushort, unsigned short)
__LANEWISE_MAKE(int, int)
__LANEWISE_MAKE(uint, unsigned int)
__LANEWISE_MAKE(long, long)
__LANEWISE_MAKE(ulong, unsigned long)
__LANEWISE_MAKE(longlong, long long)
__LANEWISE_MAKE(ulonglong, unsigned long long)
__LANEWISE_MAKE(float, float)
__LANEWISE_MAKE(double, double)
#undef __LANEWISE_MAKE

#define __LANEWISE_MAKE_WIDE(name, element) \
  __LANEWISE_BOTH name##4_16a make_##name##4_16a(element x, element y, element z, element w) { return __LANEWISE_VALUE(name##4_16a){x, y, z, w}; } \
  __LANEWISE_BOTH name##4_32a make_##name##4_32a(element x, element y, element z, element w) { return __LANEWISE_VALUE(name##4_32a){x, y, z, w}; }
__LANEWISE_MAKE_WIDE(long, long)
__LANEWISE_MAKE_WIDE(ulong, unsigned long)
__LANEWISE_MAKE_WIDE(longlong, long long)
__LANEWISE_MAKE_WIDE(ulonglong, unsigned long long)
__LANEWISE_MAKE_WIDE(double, double)
#undef __LANEWISE_MAKE_WIDE
#endif
