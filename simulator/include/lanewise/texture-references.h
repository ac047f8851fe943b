/*
 * Texture and surface references, which CUDA 12 removed: there for programs of a cudaVersion below 12. A reference is a handle that Clang
 * makes of the variable; binding it makes an object, which the runtime finds under this handle.
 */
#pragma once
#include "textures.h"

struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  /* What it is read as, and the object that it is bound to. */
  int __readMode;
  cudaTextureObject_t __object;
};
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
  cudaSurfaceObject_t __object;
};

template <class T, int dim = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  __host__ texture(int normalize = 0, enum cudaTextureFilterMode filter = cudaFilterModePoint,
                   enum cudaTextureAddressMode address = cudaAddressModeClamp, struct cudaChannelFormatDesc format = cudaCreateChannelDesc<T>())
      : textureReference{normalize, filter, {address, address, address}, format, 0, 0, cudaFilterModePoint, 0, 0, 0, 0, mode, 0} {}
};
template <class T, int dim = 1> struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
  __host__ surface() : surfaceReference{cudaCreateChannelDesc<T>(), 0} {}
};
template <int dim> struct __attribute__((device_builtin_surface_type)) surface<void, dim> : public surfaceReference {
  __host__ surface(void) : surfaceReference{{0, 0, 0, 0, cudaChannelFormatKindNone}, 0} {}
};

/* Bound under the variable's handle; 0 unbinds. */
extern "C" cudaError_t __lanewise_bind_texture(const struct textureReference* reference, cudaTextureObject_t object);
extern "C" cudaError_t __lanewise_bind_surface(const struct surfaceReference* reference, cudaSurfaceObject_t object);
/* How many bytes the allocation of a pointer has from there on. */
extern "C" cudaError_t __lanewise_bytes_from(size_t* bytes, const void* pointer);

static inline cudaError_t cudaUnbindTexture(const struct textureReference* reference) {
  cudaError_t error = __lanewise_bind_texture(reference, 0);
  if (reference->__object) cudaDestroyTextureObject(reference->__object);
  const_cast<struct textureReference*>(reference)->__object = 0;
  return error;
}
static inline cudaError_t __lanewise_bind(const struct textureReference* reference, const struct cudaResourceDesc& resource) {
  cudaUnbindTexture(reference);
  struct cudaTextureDesc how = {};
  for (int k = 0; k < 3; k++) how.addressMode[k] = reference->addressMode[k];
  how.filterMode = reference->filterMode;
  how.readMode = (enum cudaTextureReadMode)reference->__readMode;
  how.sRGB = reference->sRGB;
  how.normalizedCoords = reference->normalized;
  how.maxAnisotropy = reference->maxAnisotropy;
  how.mipmapFilterMode = reference->mipmapFilterMode;
  how.mipmapLevelBias = reference->mipmapLevelBias;
  how.minMipmapLevelClamp = reference->minMipmapLevelClamp;
  how.maxMipmapLevelClamp = reference->maxMipmapLevelClamp;
  cudaError_t error = cudaCreateTextureObject(&const_cast<struct textureReference*>(reference)->__object, &resource, &how, nullptr);
  return error ? error : __lanewise_bind_texture(reference, reference->__object);
}
static inline cudaError_t cudaBindTexture(size_t* offset, const struct textureReference* reference, const void* pointer,
                                          const struct cudaChannelFormatDesc* format, size_t size = (size_t)-1) {
  /* What lies before the next multiple of a texture's alignment is told to the caller, who adds it to what it fetches. */
  size_t before = (size_t)pointer % 512;
  if (before && !offset) return cudaErrorInvalidValue;
  if (offset) *offset = before;
  struct cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = (char*)pointer - before;
  resource.res.linear.desc = *format;
  resource.res.linear.sizeInBytes = size;
  /* Without a size it reaches as far as the allocation. */
  cudaError_t error = size == (size_t)-1 ? __lanewise_bytes_from(&resource.res.linear.sizeInBytes, pointer) : cudaSuccess;
  if (error) return error;
  resource.res.linear.sizeInBytes += before;
  return __lanewise_bind(reference, resource);
}
static inline cudaError_t cudaBindTexture2D(size_t* offset, const struct textureReference* reference, const void* pointer,
                                            const struct cudaChannelFormatDesc* format, size_t width, size_t height, size_t pitch) {
  if (offset) *offset = 0;
  struct cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = const_cast<void*>(pointer);
  resource.res.pitch2D.desc = *format;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  return __lanewise_bind(reference, resource);
}
static inline cudaError_t cudaBindTextureToArray(const struct textureReference* reference, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc*) {
  struct cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = (cudaArray_t)array;
  return __lanewise_bind(reference, resource);
}
static inline cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference* reference, cudaMipmappedArray_const_t array,
                                                          const struct cudaChannelFormatDesc*) {
  struct cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = (cudaMipmappedArray_t)array;
  return __lanewise_bind(reference, resource);
}
static inline cudaError_t cudaBindSurfaceToArray(const struct surfaceReference* reference, cudaArray_const_t array,
                                                 const struct cudaChannelFormatDesc*) {
  struct cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = (cudaArray_t)array;
  cudaError_t error = cudaCreateSurfaceObject(&const_cast<struct surfaceReference*>(reference)->__object, &resource);
  return error ? error : __lanewise_bind_surface(reference, reference->__object);
}
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const struct textureReference* reference) {
  if (!reference->__object) return cudaErrorInvalidTextureBinding;
  *offset = 0;
  return cudaSuccess;
}
static inline cudaError_t cudaGetTextureReference(const struct textureReference** reference, const void* symbol) {
  *reference = (const struct textureReference*)symbol;
  return cudaSuccess;
}
static inline cudaError_t cudaGetSurfaceReference(const struct surfaceReference** reference, const void* symbol) {
  *reference = (const struct surfaceReference*)symbol;
  return cudaSuccess;
}

#define __LANEWISE_REFERENCE template <class T, int dim, enum cudaTextureReadMode mode> static inline __host__ cudaError_t
__LANEWISE_REFERENCE cudaBindTexture(size_t* offset, const texture<T, dim, mode>& reference, const void* pointer,
                                     const struct cudaChannelFormatDesc& format, size_t size = (size_t)-1) {
  return cudaBindTexture(offset, (const struct textureReference*)&reference, pointer, &format, size);
}
__LANEWISE_REFERENCE cudaBindTexture(size_t* offset, const texture<T, dim, mode>& reference, const void* pointer, size_t size = (size_t)-1) {
  return cudaBindTexture(offset, reference, pointer, reference.channelDesc, size);
}
__LANEWISE_REFERENCE cudaBindTexture2D(size_t* offset, const texture<T, dim, mode>& reference, const void* pointer,
                                       const struct cudaChannelFormatDesc& format, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, (const struct textureReference*)&reference, pointer, &format, width, height, pitch);
}
__LANEWISE_REFERENCE cudaBindTexture2D(size_t* offset, const texture<T, dim, mode>& reference, const void* pointer, size_t width,
                                       size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, reference, pointer, reference.channelDesc, width, height, pitch);
}
__LANEWISE_REFERENCE cudaBindTextureToArray(const texture<T, dim, mode>& reference, cudaArray_const_t array,
                                            const struct cudaChannelFormatDesc& format) {
  return cudaBindTextureToArray((const struct textureReference*)&reference, array, &format);
}
__LANEWISE_REFERENCE cudaBindTextureToArray(const texture<T, dim, mode>& reference, cudaArray_const_t array) {
  return cudaBindTextureToArray(reference, array, reference.channelDesc);
}
__LANEWISE_REFERENCE cudaUnbindTexture(const texture<T, dim, mode>& reference) {
  return cudaUnbindTexture((const struct textureReference*)&reference);
}
__LANEWISE_REFERENCE cudaGetTextureAlignmentOffset(size_t* offset, const texture<T, dim, mode>& reference) {
  return cudaGetTextureAlignmentOffset(offset, (const struct textureReference*)&reference);
}
#undef __LANEWISE_REFERENCE
template <class T, int dim> static inline __host__ cudaError_t cudaBindSurfaceToArray(const surface<T, dim>& reference, cudaArray_const_t array) {
  return cudaBindSurfaceToArray((const struct surfaceReference*)&reference, array, &reference.channelDesc);
}
template <class T, int dim>
static inline __host__ cudaError_t cudaBindSurfaceToArray(const surface<T, dim>& reference, cudaArray_const_t array,
                                                          const struct cudaChannelFormatDesc&) {
  return cudaBindSurfaceToArray(reference, array);
}

/* What a read gives: the element, or floats of as many channels. */
template <class T, enum cudaTextureReadMode mode> struct __lanewise_read_type { typedef T type; };
#define __LANEWISE_NORMALISED(element, name) \
  template <> struct __lanewise_read_type<element, cudaReadModeNormalizedFloat> { typedef float type; }; \
  template <> struct __lanewise_read_type<name##1, cudaReadModeNormalizedFloat> { typedef float1 type; }; \
  template <> struct __lanewise_read_type<name##2, cudaReadModeNormalizedFloat> { typedef float2 type; }; \
  template <> struct __lanewise_read_type<name##4, cudaReadModeNormalizedFloat> { typedef float4 type; };
template <> struct __lanewise_read_type<char, cudaReadModeNormalizedFloat> { typedef float type; };
__LANEWISE_NORMALISED(signed char, char)
__LANEWISE_NORMALISED(unsigned char, uchar)
__LANEWISE_NORMALISED(short, short)
__LANEWISE_NORMALISED(unsigned short, ushort)
#undef __LANEWISE_NORMALISED

/* The handle of the variable that was handed over by value. */
template <class R> __LANEWISE_DEVICE unsigned long long __lanewise_handle(R reference) {
  unsigned long long handle;
  asm("mov.u64 %0, %1;" : "=l"(handle) : "l"(reference));
  return handle;
}
#define __LANEWISE_UNWRAP(...) __VA_ARGS__
#define __LANEWISE_FETCH(name, kind, parameters, arguments) \
  template <class T, enum cudaTextureReadMode mode> static inline __device__ __attribute__((always_inline, __LANEWISE_PLACE)) \
  typename __lanewise_read_type<T, mode>::type name(texture<T, kind, mode> reference, __LANEWISE_UNWRAP parameters) { \
    return name<typename __lanewise_read_type<T, mode>::type>((cudaTextureObject_t)__lanewise_handle(reference), __LANEWISE_UNWRAP arguments); \
  }
__LANEWISE_FETCH(tex1Dfetch, cudaTextureType1D, (int x), (x))
__LANEWISE_FETCH(tex1D, cudaTextureType1D, (float x), (x))
__LANEWISE_FETCH(tex1DLod, cudaTextureType1D, (float x, float level), (x, level))
__LANEWISE_FETCH(tex2D, cudaTextureType2D, (float x, float y), (x, y))
__LANEWISE_FETCH(tex2DLod, cudaTextureType2D, (float x, float y, float level), (x, y, level))
__LANEWISE_FETCH(tex2Dgather, cudaTextureType2D, (float x, float y, int channel = 0), (x, y, channel))
__LANEWISE_FETCH(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
__LANEWISE_FETCH(tex3DLod, cudaTextureType3D, (float x, float y, float z, float level), (x, y, z, level))
__LANEWISE_FETCH(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z))
__LANEWISE_FETCH(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
__LANEWISE_FETCH(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer))
__LANEWISE_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer))
#undef __LANEWISE_FETCH
#define __LANEWISE_THROUGH(name, kind, parameters, arguments) \
  template <class T, class S> static inline __device__ __attribute__((always_inline, __LANEWISE_PLACE)) \
  T name##read(surface<S, kind> reference, __LANEWISE_UNWRAP parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    return name##read<T>((cudaSurfaceObject_t)__lanewise_handle(reference), __LANEWISE_UNWRAP arguments, mode); \
  } \
  template <class T, class S> static inline __device__ __attribute__((always_inline, __LANEWISE_PLACE)) \
  void name##read(T* to, surface<S, kind> reference, __LANEWISE_UNWRAP parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    *to = name##read<T>((cudaSurfaceObject_t)__lanewise_handle(reference), __LANEWISE_UNWRAP arguments, mode); \
  } \
  template <class T, class S> static inline __device__ __attribute__((always_inline, __LANEWISE_PLACE)) \
  void name##write(T value, surface<S, kind> reference, __LANEWISE_UNWRAP parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    name##write(value, (cudaSurfaceObject_t)__lanewise_handle(reference), __LANEWISE_UNWRAP arguments, mode); \
  }
__LANEWISE_THROUGH(surf1D, cudaSurfaceType1D, (int x), (x))
__LANEWISE_THROUGH(surf2D, cudaSurfaceType2D, (int x, int y), (x, y))
__LANEWISE_THROUGH(surf3D, cudaSurfaceType3D, (int x, int y, int z), (x, y, z))
__LANEWISE_THROUGH(surf2DLayered, cudaSurfaceType2DLayered, (int x, int y, int layer), (x, y, layer))
#undef __LANEWISE_THROUGH
#undef __LANEWISE_UNWRAP
