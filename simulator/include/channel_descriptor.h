/* The channel format of a type's texels. */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__
#include "cuda_runtime_api.h"
#ifdef __cplusplus

template <class T> static inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc() { return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone); }

#define __LANEWISE_CHANNELS(type, y, z, w, bits, kind) \
  template <> inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc<type>() { \
    return cudaCreateChannelDesc(bits, y * bits, z * bits, w * bits, cudaChannelFormatKind##kind); \
  }
#define __LANEWISE_FORMAT(scalar, name, kind) \
  __LANEWISE_CHANNELS(scalar, 0, 0, 0, (int)(8 * sizeof(scalar)), kind) \
  __LANEWISE_VECTOR_FORMAT(name, (int)(8 * sizeof(scalar)), kind)
#define __LANEWISE_VECTOR_FORMAT(name, bits, kind) \
  __LANEWISE_CHANNELS(name##1, 0, 0, 0, bits, kind) \
  __LANEWISE_CHANNELS(name##2, 1, 0, 0, bits, kind) \
  __LANEWISE_CHANNELS(name##4, 1, 1, 1, bits, kind)
__LANEWISE_CHANNELS(char, 0, 0, 0, 8, Signed)
__LANEWISE_FORMAT(signed char, char, Signed)
__LANEWISE_FORMAT(unsigned char, uchar, Unsigned)
__LANEWISE_FORMAT(short, short, Signed)
__LANEWISE_FORMAT(unsigned short, ushort, Unsigned)
__LANEWISE_FORMAT(int, int, Signed)
__LANEWISE_FORMAT(unsigned int, uint, Unsigned)
__LANEWISE_FORMAT(float, float, Float)
#undef __LANEWISE_FORMAT
#undef __LANEWISE_VECTOR_FORMAT
#undef __LANEWISE_CHANNELS

static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf() { return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat); }
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf2() { return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat); }
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf4() { return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat); }
#endif
#endif
