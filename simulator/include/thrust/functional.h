/* Function objects. */
#pragma once
#pragma GCC system_header
#include "detail/core.h"

namespace thrust {

#define __LANEWISE_THRUST_BINARY(name, result, expression) \
  template <class T = void> struct name { \
    __host__ __device__ constexpr result operator()(const T& a, const T& b) const { return expression; } \
  }; \
  template <> struct name<void> { \
    template <class T, class U> __host__ __device__ constexpr auto operator()(const T& a, const U& b) const { return expression; } \
  };
__LANEWISE_THRUST_BINARY(plus, T, a + b)
__LANEWISE_THRUST_BINARY(minus, T, a - b)
__LANEWISE_THRUST_BINARY(multiplies, T, a * b)
__LANEWISE_THRUST_BINARY(divides, T, a / b)
__LANEWISE_THRUST_BINARY(modulus, T, a % b)
__LANEWISE_THRUST_BINARY(bit_and, T, a & b)
__LANEWISE_THRUST_BINARY(bit_or, T, a | b)
__LANEWISE_THRUST_BINARY(bit_xor, T, a ^ b)
__LANEWISE_THRUST_BINARY(maximum, T, a < b ? b : a)
__LANEWISE_THRUST_BINARY(minimum, T, b < a ? b : a)
__LANEWISE_THRUST_BINARY(equal_to, bool, a == b)
__LANEWISE_THRUST_BINARY(not_equal_to, bool, a != b)
__LANEWISE_THRUST_BINARY(less, bool, a < b)
__LANEWISE_THRUST_BINARY(greater, bool, a > b)
__LANEWISE_THRUST_BINARY(less_equal, bool, a <= b)
__LANEWISE_THRUST_BINARY(greater_equal, bool, a >= b)
__LANEWISE_THRUST_BINARY(logical_and, bool, a && b)
__LANEWISE_THRUST_BINARY(logical_or, bool, a || b)
#undef __LANEWISE_THRUST_BINARY
template <class T = void> struct negate { __host__ __device__ constexpr T operator()(const T& a) const { return -a; } };
template <class T = void> struct square { __host__ __device__ constexpr T operator()(const T& a) const { return a * a; } };
template <class T = void> struct identity { __host__ __device__ constexpr const T& operator()(const T& a) const { return a; } };
template <class T = void> struct logical_not { __host__ __device__ constexpr bool operator()(const T& a) const { return !a; } };

}  // namespace thrust
