/*
 * Reads of texture objects, reads and writes of surface objects: every function becomes a call of one of four of the simulator's own. What
 * shape an image has is known when the kernel runs. Sparse images are left out.
 */
#pragma once
#include "../surface_types.h"
#include "../texture_types.h"
#include "../vector_types.h"

typedef int __lanewise_words __attribute__((ext_vector_type(4)));

/* operation: 0 the texel number `layer`, 1 at (x, y, z) of a layer and level, 2 one channel, `layer`, of the four texels around (x, y). */
extern "C" __device__ __attribute__((pure, nothrow, noconvergent)) __lanewise_words __lanewise_texture(
    unsigned long long object, int operation, float x, float y, float z, int layer, float level);
/* The level of detail, by how much the coordinates change from pixel to pixel in two directions. */
extern "C" __device__ __attribute__((pure, nothrow, noconvergent)) float __lanewise_texture_level(
    unsigned long long object, float ax, float ay, float az, float bx, float by, float bz);
/* how: bytes + 256 * cudaSurfaceBoundaryMode. x is in bytes. */
extern "C" __device__ __attribute__((pure, nothrow, noconvergent)) __lanewise_words __lanewise_surface_read(
    unsigned long long object, int how, int x, int y, int slice);
extern "C" __device__ __attribute__((nothrow, noconvergent)) void __lanewise_surface_write(
    unsigned long long object, int how, int x, int y, int slice, int first, int second, int third, int fourth);

template <class E> __LANEWISE_DEVICE E __lanewise_channel(int word) { return (E)word; }
template <> inline __device__ float __lanewise_channel<float>(int word) { return __builtin_bit_cast(float, word); }

/* What a texel of a type is made of. Types without one cannot be read from a texture. */
template <class T> struct __lanewise_texel;
#define __LANEWISE_TEXELS(element, name) \
  template <> struct __lanewise_texel<element> { \
    static __LANEWISE_DEVICE_METHOD element from(__lanewise_words w) { return __lanewise_channel<element>(w.x); } \
  }; \
  __LANEWISE_VECTOR_TEXELS(element, name)
#define __LANEWISE_VECTOR_TEXELS(element, name) \
  template <> struct __lanewise_texel<name##1> { \
    static __LANEWISE_DEVICE_METHOD name##1 from(__lanewise_words w) { return {__lanewise_channel<element>(w.x)}; } \
  }; \
  template <> struct __lanewise_texel<name##2> { \
    static __LANEWISE_DEVICE_METHOD name##2 from(__lanewise_words w) { \
      return {__lanewise_channel<element>(w.x), __lanewise_channel<element>(w.y)}; \
    } \
  }; \
  template <> struct __lanewise_texel<name##4> { \
    static __LANEWISE_DEVICE_METHOD name##4 from(__lanewise_words w) { \
      return {__lanewise_channel<element>(w.x), __lanewise_channel<element>(w.y), __lanewise_channel<element>(w.z), __lanewise_channel<element>(w.w)}; \
    } \
  };
template <> struct __lanewise_texel<char> {
  static __LANEWISE_DEVICE_METHOD char from(__lanewise_words w) { return (char)w.x; }
};
__LANEWISE_TEXELS(signed char, char)
__LANEWISE_TEXELS(unsigned char, uchar)
__LANEWISE_TEXELS(short, short)
__LANEWISE_TEXELS(unsigned short, ushort)
__LANEWISE_TEXELS(int, int)
__LANEWISE_TEXELS(unsigned int, uint)
__LANEWISE_TEXELS(float, float)
#undef __LANEWISE_TEXELS
#undef __LANEWISE_VECTOR_TEXELS

/* A function that gives the texel, and one that stores it. */
#define __LANEWISE_UNWRAP(...) __VA_ARGS__
#define __LANEWISE_TEXTURE(name, parameters, arguments, ...) \
  template <class T> static inline __device__ __attribute__((always_inline, __LANEWISE_PLACE)) \
  T name(cudaTextureObject_t object, __LANEWISE_UNWRAP parameters) { return __lanewise_texel<T>::from(__VA_ARGS__); } \
  template <class T> static inline __device__ __attribute__((always_inline, __LANEWISE_PLACE)) \
  decltype(__lanewise_texel<T>::from(__lanewise_words()), void()) name(T* to, cudaTextureObject_t object, __LANEWISE_UNWRAP parameters) { \
    *to = name<T>(object, __LANEWISE_UNWRAP arguments); \
  }
#define __LANEWISE_AT(x, y, z, layer, level) __lanewise_texture(object, 1, x, y, z, layer, level)
#define __LANEWISE_GRAD1 __lanewise_texture_level(object, dPdx, 0, 0, dPdy, 0, 0)
#define __LANEWISE_GRAD2 __lanewise_texture_level(object, dPdx.x, dPdx.y, 0, dPdy.x, dPdy.y, 0)
#define __LANEWISE_GRAD3 __lanewise_texture_level(object, dPdx.x, dPdx.y, dPdx.z, dPdy.x, dPdy.y, dPdy.z)

__LANEWISE_TEXTURE(tex1Dfetch, (int x), (x), __lanewise_texture(object, 0, 0, 0, 0, x, 0))
__LANEWISE_TEXTURE(tex1D, (float x), (x), __LANEWISE_AT(x, 0, 0, 0, 0))
__LANEWISE_TEXTURE(tex1DLod, (float x, float level), (x, level), __LANEWISE_AT(x, 0, 0, 0, level))
__LANEWISE_TEXTURE(tex1DGrad, (float x, float dPdx, float dPdy), (x, dPdx, dPdy), __LANEWISE_AT(x, 0, 0, 0, __LANEWISE_GRAD1))
__LANEWISE_TEXTURE(tex1DLayered, (float x, int layer), (x, layer), __LANEWISE_AT(x, 0, 0, layer, 0))
__LANEWISE_TEXTURE(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level), __LANEWISE_AT(x, 0, 0, layer, level))
__LANEWISE_TEXTURE(tex1DLayeredGrad, (float x, int layer, float dPdx, float dPdy), (x, layer, dPdx, dPdy), __LANEWISE_AT(x, 0, 0, layer, __LANEWISE_GRAD1))
__LANEWISE_TEXTURE(tex2D, (float x, float y), (x, y), __LANEWISE_AT(x, y, 0, 0, 0))
__LANEWISE_TEXTURE(tex2DLod, (float x, float y, float level), (x, y, level), __LANEWISE_AT(x, y, 0, 0, level))
__LANEWISE_TEXTURE(tex2DGrad, (float x, float y, float2 dPdx, float2 dPdy), (x, y, dPdx, dPdy), __LANEWISE_AT(x, y, 0, 0, __LANEWISE_GRAD2))
__LANEWISE_TEXTURE(tex2DLayered, (float x, float y, int layer), (x, y, layer), __LANEWISE_AT(x, y, 0, layer, 0))
__LANEWISE_TEXTURE(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level), __LANEWISE_AT(x, y, 0, layer, level))
__LANEWISE_TEXTURE(tex2DLayeredGrad, (float x, float y, int layer, float2 dPdx, float2 dPdy), (x, y, layer, dPdx, dPdy), __LANEWISE_AT(x, y, 0, layer, __LANEWISE_GRAD2))
__LANEWISE_TEXTURE(tex2Dgather, (float x, float y, int channel = 0), (x, y, channel), __lanewise_texture(object, 2, x, y, 0, channel, 0))
__LANEWISE_TEXTURE(tex3D, (float x, float y, float z), (x, y, z), __LANEWISE_AT(x, y, z, 0, 0))
__LANEWISE_TEXTURE(tex3DLod, (float x, float y, float z, float level), (x, y, z, level), __LANEWISE_AT(x, y, z, 0, level))
__LANEWISE_TEXTURE(tex3DGrad, (float x, float y, float z, float4 dPdx, float4 dPdy), (x, y, z, dPdx, dPdy), __LANEWISE_AT(x, y, z, 0, __LANEWISE_GRAD3))
__LANEWISE_TEXTURE(texCubemap, (float x, float y, float z), (x, y, z), __LANEWISE_AT(x, y, z, 0, 0))
__LANEWISE_TEXTURE(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level), __LANEWISE_AT(x, y, z, 0, level))
__LANEWISE_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), __LANEWISE_AT(x, y, z, layer, 0))
__LANEWISE_TEXTURE(texCubemapLayeredLod, (float x, float y, float z, int layer, float level), (x, y, z, layer, level), __LANEWISE_AT(x, y, z, layer, level))
#undef __LANEWISE_TEXTURE
#undef __LANEWISE_AT
#undef __LANEWISE_GRAD1
#undef __LANEWISE_GRAD2
#undef __LANEWISE_GRAD3

/* Values of surfaces, of 1, 2, 4, 8 or 16 bytes, as words. */
template <class T> __LANEWISE_DEVICE T __lanewise_from_words(__lanewise_words words) {
  T value;
  __builtin_memcpy(&value, &words, sizeof(T));
  return value;
}
template <class T> __LANEWISE_DEVICE __lanewise_words __lanewise_to_words(T value) {
  static_assert(sizeof(T) <= 16 && (sizeof(T) & (sizeof(T) - 1)) == 0, "a surface holds values of 1, 2, 4, 8 or 16 bytes");
  __lanewise_words words = {0, 0, 0, 0};
  __builtin_memcpy(&words, &value, sizeof(T));
  return words;
}
template <class T> __LANEWISE_DEVICE void __lanewise_surface_store(T value, cudaSurfaceObject_t object, int x, int y, int slice, int mode) {
  __lanewise_words words = __lanewise_to_words(value);
  __lanewise_surface_write(object, (int)sizeof(T) + 256 * mode, x, y, slice, words.x, words.y, words.z, words.w);
}

#define __LANEWISE_SURFACE(name, parameters, arguments, y, slice) \
  template <class T> static inline __device__ __attribute__((always_inline, __LANEWISE_PLACE)) \
  T name##read(cudaSurfaceObject_t object, __LANEWISE_UNWRAP parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    return __lanewise_from_words<T>(__lanewise_surface_read(object, (int)sizeof(T) + 256 * mode, x, y, slice)); \
  } \
  template <class T> static inline __device__ __attribute__((always_inline, __LANEWISE_PLACE)) \
  void name##read(T* to, cudaSurfaceObject_t object, __LANEWISE_UNWRAP parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    *to = name##read<T>(object, __LANEWISE_UNWRAP arguments, mode); \
  } \
  template <class T> static inline __device__ __attribute__((always_inline, __LANEWISE_PLACE)) \
  void name##write(T value, cudaSurfaceObject_t object, __LANEWISE_UNWRAP parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    __lanewise_surface_store(value, object, x, y, slice, mode); \
  }
__LANEWISE_SURFACE(surf1D, (int x), (x), 0, 0)
__LANEWISE_SURFACE(surf2D, (int x, int y), (x, y), y, 0)
__LANEWISE_SURFACE(surf3D, (int x, int y, int z), (x, y, z), y, z)
__LANEWISE_SURFACE(surf1DLayered, (int x, int layer), (x, layer), 0, layer)
__LANEWISE_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer), y, layer)
__LANEWISE_SURFACE(surfCubemap, (int x, int y, int face), (x, y, face), y, face)
__LANEWISE_SURFACE(surfCubemapLayered, (int x, int y, int layerFace), (x, y, layerFace), y, layerFace)
#undef __LANEWISE_SURFACE
#undef __LANEWISE_UNWRAP
