/** A number in [0, 1) of as many calls of an engine as its digits need. libstdc++ rounds the engine's range and the powers of it as
 * long double; where these do not fit into double the 64 bits of x86's long double are kept here too. */
#ifndef LANEWISE_STD_GENERATE_CANONICAL_H
#define LANEWISE_STD_GENERATE_CANONICAL_H

#include <__config>
#include <__random/log2.h>
#include <limits>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

/** How many bits a number of the engine has for certain. */
template <class _Engine>
constexpr int __engine_bits() {
  unsigned long long __span = (unsigned long long)_Engine::max() - _Engine::min();
  if (__span == ~0ull)
    return 64;
  int __bits = -1;
  for (unsigned long long __n = __span + 1; __n != 0; __n >>= 1)
    ++__bits;
  return __bits;
}

template <class _Real, size_t __bits, class _Engine>
_Real generate_canonical(_Engine& __engine) {
  static_assert(is_floating_point<_Real>::value, "template argument must be a floating point type");
  constexpr int __wanted = __bits < size_t(numeric_limits<_Real>::digits) ? int(__bits) : numeric_limits<_Real>::digits;
  constexpr int __each = std::__engine_bits<_Engine>();
  constexpr int __calls = __wanted <= __each ? 1 : (__wanted + __each - 1) / __each;
  const long double __range = (long double)_Engine::max() - (long double)_Engine::min() + 1.0L;
  _Real __sum = 0;
  _Real __place = 1;
  for (int __k = 0; __k != __calls; ++__k) {
    __sum += _Real(__engine() - _Engine::min()) * __place;
    __place = _Real(__place * __range);
  }
  const _Real __value = __sum / __place;
  return __value < 1 ? __value : _Real(1) - numeric_limits<_Real>::epsilon() / 2;
}

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
