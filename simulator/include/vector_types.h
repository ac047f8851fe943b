/* CUDA's vector types, with CUDA's alignments: those of 2 and 4 elements are read and written whole, up to 16 bytes. */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__
#include "host_defines.h"

/* NVIDIA's headers put these around uses of the types that CUDA 13 deprecates, which are not deprecated here. */
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END

#define __LANEWISE_VECTOR(name, element, align2, align4) \
  struct name##1 { element x; }; \
  struct __align__(align2) name##2 { element x, y; }; \
  struct name##3 { element x, y, z; }; \
  struct __align__(align4) name##4 { element x, y, z, w; }; \
  typedef struct name##1 name##1; \
  typedef struct name##2 name##2; \
  typedef struct name##3 name##3; \
  typedef struct name##4 name##4;

__LANEWISE_VECTOR(char, signed char, 2, 4)
__LANEWISE_VECTOR(uchar, unsigned char, 2, 4)
__LANEWISE_VECTOR(short, short, 4, 8)
__LANEWISE_VECTOR(ushort, unsigned short, 4, 8)
__LANEWISE_VECTOR(int, int, 8, 16)
__LANEWISE_VECTOR(uint, unsigned int, 8, 16)
__LANEWISE_VECTOR(long, long, 16, 16)
__LANEWISE_VECTOR(ulong, unsigned long, 16, 16)
__LANEWISE_VECTOR(longlong, long long, 16, 16)
__LANEWISE_VECTOR(ulonglong, unsigned long long, 16, 16)
__LANEWISE_VECTOR(float, float, 8, 16)
__LANEWISE_VECTOR(double, double, 16, 16)
#undef __LANEWISE_VECTOR

/* The names that CUDA 13 gives to 256-bit types, by alignment. */
#define __LANEWISE_WIDE(name, element) \
  struct __align__(16) name##4_16a { element x, y, z, w; }; \
  struct __align__(32) name##4_32a { element x, y, z, w; }; \
  typedef struct name##4_16a name##4_16a; \
  typedef struct name##4_32a name##4_32a;
__LANEWISE_WIDE(long, long)
__LANEWISE_WIDE(ulong, unsigned long)
__LANEWISE_WIDE(longlong, long long)
__LANEWISE_WIDE(ulonglong, unsigned long long)
__LANEWISE_WIDE(double, double)
#undef __LANEWISE_WIDE

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  constexpr __LANEWISE_METHOD dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  constexpr __LANEWISE_METHOD dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr __LANEWISE_METHOD operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
#endif
