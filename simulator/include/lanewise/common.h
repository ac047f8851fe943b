/* Device versions of the C library's functions, and of new and delete. */
#pragma once
#include "../host_defines.h"

extern "C" {
__device__ int printf(const char* format, ...) __attribute__((noconvergent));
__device__ int vprintf(const char* format, __builtin_va_list) __attribute__((noconvergent));
__device__ void* malloc(size_t size) __attribute__((malloc, nothrow, noconvergent));
__device__ void free(void* pointer) __attribute__((nothrow, noconvergent));
__device__ __attribute__((noreturn)) void __assertfail(const char* message, const char* file, unsigned int line, const char* function, size_t charSize);
}
/* What <assert.h> calls. */
static inline __device__ __attribute__((noreturn, always_inline, nodebug, unused)) void __assert_fail(const char* message, const char* file, int line, const char* function) {
  __assertfail(message, file, (unsigned int)line, function, sizeof(char));
}
__LANEWISE_DEVICE void* memcpy(void* destination, const void* source, size_t count) { return __builtin_memcpy(destination, source, count); }
__LANEWISE_DEVICE void* memmove(void* destination, const void* source, size_t count) { return __builtin_memmove(destination, source, count); }
__LANEWISE_DEVICE void* memset(void* destination, int value, size_t count) { return __builtin_memset(destination, value, count); }
static inline __device__ __attribute__((unused)) int memcmp(const void* a, const void* b, size_t count) {
  const unsigned char *x = (const unsigned char*)a, *y = (const unsigned char*)b;
  for (size_t k = 0; k < count; ++k) if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
  return 0;
}
static inline __device__ __attribute__((unused)) size_t strlen(const char* text) {
  size_t length = 0;
  while (text[length]) ++length;
  return length;
}
static inline __device__ __attribute__((unused)) int strcmp(const char* a, const char* b) {
  while (*a && *a == *b) ++a, ++b;
  return (unsigned char)*a - (unsigned char)*b;
}
static inline __device__ __attribute__((unused)) char* strcpy(char* destination, const char* source) {
  char* to = destination;
  while ((*to++ = *source++)) {}
  return destination;
}

inline __device__ void* operator new(size_t size) { return ::malloc(size ? size : 1); }
inline __device__ void* operator new[](size_t size) { return ::malloc(size ? size : 1); }
inline __device__ void operator delete(void* pointer) noexcept { ::free(pointer); }
inline __device__ void operator delete[](void* pointer) noexcept { ::free(pointer); }
inline __device__ void operator delete(void* pointer, size_t) noexcept { ::free(pointer); }
inline __device__ void operator delete[](void* pointer, size_t) noexcept { ::free(pointer); }
__LANEWISE_DEVICE_METHOD void* operator new(size_t, void* place) noexcept { return place; }
__LANEWISE_DEVICE_METHOD void* operator new[](size_t, void* place) noexcept { return place; }
/* What a constructor that throws would call. */
__LANEWISE_DEVICE_METHOD void operator delete(void*, void*) noexcept {}
__LANEWISE_DEVICE_METHOD void operator delete[](void*, void*) noexcept {}
