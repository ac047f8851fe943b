/* The bits of numbers, and how they come to be in the numbers' order: for sorts by digits. */
#pragma once
#pragma GCC system_header
#include "../cuda_runtime.h"
#include <type_traits>

struct __half;
struct __nv_bfloat16;

template <std::size_t bytes> struct __lanewise_word { typedef unsigned char type; };
template <> struct __lanewise_word<2> { typedef unsigned short type; };
template <> struct __lanewise_word<4> { typedef unsigned int type; };
template <> struct __lanewise_word<8> { typedef unsigned long long type; };
template <> struct __lanewise_word<16> { typedef unsigned __int128 type; };
template <class T> inline constexpr bool __lanewise_is_float = std::is_floating_point<T>::value || std::is_same<T, __half>::value || std::is_same<T, __nv_bfloat16>::value;
template <class T> inline constexpr bool __lanewise_is_signed = std::is_signed<T>::value || std::is_same<T, __int128>::value;

/* Both zeros are one. */
template <class K> __host__ __device__ typename __lanewise_word<sizeof(K)>::type __lanewise_ordered_bits(K key) {
  typedef typename __lanewise_word<sizeof(K)>::type word;
  constexpr word top = (word)((word)1 << (8 * sizeof(K) - 1));
  word bits;
  memcpy(&bits, (const void*)&key, sizeof(K));
  if constexpr (__lanewise_is_float<K>) {
    if (bits == top) bits = 0;
    return bits & top ? (word)~bits : (word)(bits | top);
  } else if constexpr (__lanewise_is_signed<K>) {
    return bits ^ top;
  } else {
    return bits;
  }
}
