/* Function objects. */
#pragma once
#pragma GCC system_header
#include "detail/core.h"
#include "detail/placeholders.h"

namespace thrust {

#define __LANEWISE_THRUST_BINARY(name, result, expression) \
  template <class T = void> struct name { \
    typedef T first_argument_type; \
    typedef T second_argument_type; \
    typedef result result_type; \
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
__LANEWISE_THRUST_BINARY(project1st, T, ((void)b, a))
__LANEWISE_THRUST_BINARY(project2nd, T, ((void)a, b))
#undef __LANEWISE_THRUST_BINARY

#define __LANEWISE_THRUST_UNARY(name, result, expression) \
  template <class T = void> struct name { \
    typedef T argument_type; \
    typedef result result_type; \
    __host__ __device__ constexpr result operator()(const T& a) const { return expression; } \
  }; \
  template <> struct name<void> { \
    template <class T> __host__ __device__ constexpr auto operator()(const T& a) const { return expression; } \
  };
__LANEWISE_THRUST_UNARY(negate, T, -a)
__LANEWISE_THRUST_UNARY(square, T, a * a)
__LANEWISE_THRUST_UNARY(identity, T, a)
__LANEWISE_THRUST_UNARY(logical_not, bool, !a)
__LANEWISE_THRUST_UNARY(bit_not, T, ~a)
#undef __LANEWISE_THRUST_UNARY

/* Bases of function objects, from before C++11. */
template <class A, class R> struct unary_function { typedef A argument_type; typedef R result_type; };
template <class A, class B, class R> struct binary_function { typedef A first_argument_type; typedef B second_argument_type; typedef R result_type; };
template <class P> struct unary_negate {
  P p;
  __host__ __device__ explicit unary_negate(P p) : p(p) {}
  template <class T> __host__ __device__ bool operator()(const T& v) const { return !P(p)(v); }
};
template <class P> __host__ __device__ unary_negate<P> not1(const P& p) { return unary_negate<P>(p); }
template <class P> __host__ __device__ unary_negate<P> not_fn(const P& p) { return unary_negate<P>(p); }

}  // namespace thrust
