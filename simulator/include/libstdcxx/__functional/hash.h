/**
 * std::hash with libstdc++'s values: integers are their own hash, everything else that is hashed by its bytes goes through Austin
 * Appleby's MurmurHash64A with libstdc++'s seed. Stands in front of libc++'s header of this name.
 */
#ifndef LANEWISE_STD_HASH_H
#define LANEWISE_STD_HASH_H

#include <__config>
#include <__cstddef/nullptr_t.h>
#include <__cstddef/size_t.h>
#include <__functional/unary_function.h>
#include <__fwd/functional.h>
#include <__memory/addressof.h>
#include <__type_traits/conjunction.h>
#include <__type_traits/enable_if.h>
#include <__type_traits/integral_constant.h>
#include <__type_traits/invoke.h>
#include <__type_traits/is_constructible.h>
#include <__type_traits/is_enum.h>
#include <__type_traits/is_integral.h>
#include <__type_traits/is_unqualified.h>
#include <__type_traits/underlying_type.h>
#include <__utility/pair.h>
#include <limits>

#pragma GCC system_header

_LIBCPP_BEGIN_NAMESPACE_STD

struct __murmur {
  static const unsigned long long __seed = 0xc70f6907ull;
  static const unsigned long long __factor = 0xc6a4a7935bd1e995ull;

  static unsigned long long __fold(unsigned long long __x) { return __x ^ (__x >> 47); }

  /** The little-endian number of `__count` (at most 8) bytes. */
  static unsigned long long __word(const unsigned char* __bytes, size_t __count) {
    unsigned long long __x = 0;
    __builtin_memcpy(&__x, __bytes, __count);
    return __x;
  }

  static size_t __of(const void* __data, size_t __size, unsigned long long __start = __seed) {
    const unsigned char* __bytes = static_cast<const unsigned char*>(__data);
    unsigned long long __state = __start ^ (__size * __factor);
    for (; __size >= 8; __bytes += 8, __size -= 8)
      __state = (__state ^ (__fold(__word(__bytes, 8) * __factor) * __factor)) * __factor;
    if (__size != 0)
      __state = (__state ^ __word(__bytes, __size)) * __factor;
    return static_cast<size_t>(__fold(__fold(__state) * __factor));
  }
};

// The name under which libc++'s strings and functional.cpp ask for it.
template <class _Size>
struct __murmur2_or_cityhash {
  _Size operator()(const void* __data, _Size __size) const { return __murmur::__of(__data, __size); }
};

#ifdef _LIBCPP_BUILDING_LIBRARY
_LIBCPP_EXPORTED_FROM_ABI size_t __hash_memory(_LIBCPP_NOESCAPE const void*, size_t) _NOEXCEPT;
#else
inline size_t __hash_memory(const void* __data, size_t __size) _NOEXCEPT { return __murmur::__of(__data, __size); }
#endif

inline size_t __hash_combine(size_t __a, size_t __b) _NOEXCEPT { return __a + __b; }

template <class _Tp>
struct __hash_of_type {
  typedef size_t result_type;
  typedef _Tp argument_type;
};

/** What has no hash: neither made, copied nor called. */
template <class _Tp, class = void>
struct __standard_hash {
  __standard_hash() = delete;
  __standard_hash(const __standard_hash&) = delete;
  __standard_hash& operator=(const __standard_hash&) = delete;
};

template <class _Tp>
struct __standard_hash<_Tp, __enable_if_t<is_integral<_Tp>::value && __is_unqualified_v<_Tp> > > : __hash_of_type<_Tp> {
  size_t operator()(_Tp __v) const _NOEXCEPT { return static_cast<size_t>(__v); }
};

template <class _Tp>
struct __standard_hash<_Tp, __enable_if_t<is_enum<_Tp>::value && __is_unqualified_v<_Tp> > > : __hash_of_type<_Tp> {
  size_t operator()(_Tp __v) const _NOEXCEPT { return static_cast<size_t>(static_cast<__underlying_type_t<_Tp> >(__v)); }
};

/** Zeros of both signs are equal, so their hashes are too. */
template <class _Tp>
struct __floating_hash : __hash_of_type<_Tp> {
  size_t operator()(_Tp __v) const _NOEXCEPT { return __v == 0 ? 0 : __murmur::__of(&__v, sizeof(__v)); }
};

template <>
struct __standard_hash<float> : __floating_hash<float> {};
template <>
struct __standard_hash<double> : __floating_hash<double> {};

/** By value, as the unused bytes of x86's ten-byte format must not count: the fraction's bits, and the exponent times a constant. */
template <>
struct __standard_hash<long double> : __hash_of_type<long double> {
  size_t operator()(long double __v) const _NOEXCEPT {
    if (__v == 0)
      return 0;
    int __exponent;
    const long double __part = __builtin_frexpl(__v, &__exponent);
    const long double __word = 18446744073709551616.0L;
    const long double __fraction = (__part < 0 ? -(__part + 0.5L) : __part) * __word;
    const size_t __high = static_cast<size_t>(__fraction);
    const size_t __low = static_cast<size_t>((__fraction - __high) * __word);
    return __high + __low + ~size_t(0) / 16384 * __exponent;
  }
};

template <>
struct __standard_hash<nullptr_t> : __hash_of_type<nullptr_t> {
  size_t operator()(nullptr_t) const _NOEXCEPT { return 0; }
};

template <class _Tp>
struct hash : __standard_hash<_Tp> {};

template <class _Tp>
struct hash<_Tp*> : __hash_of_type<_Tp*> {
  size_t operator()(_Tp* __v) const _NOEXCEPT { return reinterpret_cast<size_t>(__v); }
};

template <class _Key, class _Hash>
using __check_hash_requirements = integral_constant<bool, is_copy_constructible<_Hash>::value &&
                                                              is_move_constructible<_Hash>::value &&
                                                              __is_invocable_r_v<size_t, _Hash, const _Key&> >;

template <class _Key, class _Hash = hash<_Key> >
using __has_enabled_hash =
    integral_constant<bool, __check_hash_requirements<_Key, _Hash>::value && is_default_constructible<_Hash>::value>;

template <class _Type, class>
using __type_if_valid = _Type;

/** `_Type`, where all of `_Keys` have a hash: by it libc++'s optional, variant and unique_ptr say whether they have one. */
template <class _Type, class... _Keys>
using __enable_hash_helper = __type_if_valid<_Type, __enable_if_t<__all<__has_enabled_hash<_Keys>::value...>::value> >;

_LIBCPP_END_NAMESPACE_STD

#endif
