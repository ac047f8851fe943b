/* _1, _2 and so on: functions written as expressions of their arguments. */
#pragma once
#pragma GCC system_header
#include "core.h"
#include <tuple>

namespace thrust {
namespace detail {
template <class E> struct placeholder_expression;

template <std::size_t N> struct argument {
  template <class A> __host__ __device__ decltype(auto) of(A& arguments) const { return std::get<N>(arguments); }
};
template <class T> struct fixed_value {
  T value;
  template <class A> __host__ __device__ T of(A&) const { return value; }
};
template <class T> struct as_expression {
  typedef fixed_value<typename std::decay<T>::type> type;
  __host__ __device__ static type make(const T& value) { return {value}; }
};
template <class E> struct as_expression<placeholder_expression<E>> {
  typedef E type;
  __host__ __device__ static type make(const placeholder_expression<E>& value) { return value.e; }
};
template <class T> using expression_of = typename as_expression<typename std::decay<T>::type>::type;
template <class T> __host__ __device__ expression_of<T> to_expression(const T& value) { return as_expression<typename std::decay<T>::type>::make(value); }
template <class T> struct is_placeholder_expression : std::false_type {};
template <class E> struct is_placeholder_expression<placeholder_expression<E>> : std::true_type {};

template <class Op, class... E> struct applied {
  std::tuple<E...> parts;
  template <class A> __host__ __device__ decltype(auto) of(A& arguments) const { return all(arguments, std::index_sequence_for<E...>()); }
  template <class A, std::size_t... K> __host__ __device__ decltype(auto) all(A& arguments, std::index_sequence<K...>) const { return Op::of(std::get<K>(parts).of(arguments)...); }
};
template <class Op, class... T> __host__ __device__ placeholder_expression<applied<Op, expression_of<T>...>> apply_operator(const T&... values) {
  return {applied<Op, expression_of<T>...>{std::tuple<expression_of<T>...>(to_expression(values)...)}};
}

#define __LANEWISE_BINARY(name, op) \
  struct operator_##name { \
    template <class X, class Y> __host__ __device__ static decltype(auto) of(X&& x, Y&& y) { return static_cast<X&&>(x) op static_cast<Y&&>(y); } \
  };
__LANEWISE_BINARY(add, +) __LANEWISE_BINARY(subtract, -) __LANEWISE_BINARY(multiply, *) __LANEWISE_BINARY(divide, /) __LANEWISE_BINARY(rest, %) __LANEWISE_BINARY(both, &) __LANEWISE_BINARY(either, |) __LANEWISE_BINARY(differ, ^) __LANEWISE_BINARY(up, <<) __LANEWISE_BINARY(down, >>) __LANEWISE_BINARY(same, ==) __LANEWISE_BINARY(other, !=) __LANEWISE_BINARY(less, <) __LANEWISE_BINARY(more, >) __LANEWISE_BINARY(at_most, <=) __LANEWISE_BINARY(at_least, >=) __LANEWISE_BINARY(and_also, &&) __LANEWISE_BINARY(or_else, ||)
__LANEWISE_BINARY(set, =) __LANEWISE_BINARY(add_to, +=) __LANEWISE_BINARY(subtract_from, -=) __LANEWISE_BINARY(multiply_by, *=) __LANEWISE_BINARY(divide_by, /=) __LANEWISE_BINARY(rest_by, %=) __LANEWISE_BINARY(mask, &=) __LANEWISE_BINARY(add_bits, |=) __LANEWISE_BINARY(flip, ^=)
#undef __LANEWISE_BINARY
#define __LANEWISE_UNARY(name, op) \
  struct operator_##name { \
    template <class X> __host__ __device__ static decltype(auto) of(X&& x) { return op static_cast<X&&>(x); } \
  };
__LANEWISE_UNARY(negate, -) __LANEWISE_UNARY(plain, +) __LANEWISE_UNARY(no, !) __LANEWISE_UNARY(complement, ~)
#undef __LANEWISE_UNARY

template <class E> struct placeholder_expression {
  E e;
  template <class... A> __host__ __device__ decltype(auto) operator()(A&&... a) const {
    std::tuple<A&&...> arguments(static_cast<A&&>(a)...);
    return e.of(arguments);
  }
  template <class T> __host__ __device__ auto operator=(const T& value) const { return apply_operator<operator_set>(*this, value); }
  template <class T> __host__ __device__ auto operator+=(const T& value) const { return apply_operator<operator_add_to>(*this, value); }
  template <class T> __host__ __device__ auto operator-=(const T& value) const { return apply_operator<operator_subtract_from>(*this, value); }
  template <class T> __host__ __device__ auto operator*=(const T& value) const { return apply_operator<operator_multiply_by>(*this, value); }
  template <class T> __host__ __device__ auto operator/=(const T& value) const { return apply_operator<operator_divide_by>(*this, value); }
  template <class T> __host__ __device__ auto operator%=(const T& value) const { return apply_operator<operator_rest_by>(*this, value); }
  template <class T> __host__ __device__ auto operator&=(const T& value) const { return apply_operator<operator_mask>(*this, value); }
  template <class T> __host__ __device__ auto operator|=(const T& value) const { return apply_operator<operator_add_bits>(*this, value); }
  template <class T> __host__ __device__ auto operator^=(const T& value) const { return apply_operator<operator_flip>(*this, value); }
};
#define __LANEWISE_BINARY(name, op) \
  template <class X, class Y, class = typename std::enable_if<is_placeholder_expression<X>::value || is_placeholder_expression<Y>::value>::type> \
  __host__ __device__ auto operator op(const X& x, const Y& y) { return apply_operator<operator_##name>(x, y); }
__LANEWISE_BINARY(add, +) __LANEWISE_BINARY(subtract, -) __LANEWISE_BINARY(multiply, *) __LANEWISE_BINARY(divide, /) __LANEWISE_BINARY(rest, %) __LANEWISE_BINARY(both, &) __LANEWISE_BINARY(either, |) __LANEWISE_BINARY(differ, ^) __LANEWISE_BINARY(up, <<) __LANEWISE_BINARY(down, >>) __LANEWISE_BINARY(same, ==) __LANEWISE_BINARY(other, !=) __LANEWISE_BINARY(less, <) __LANEWISE_BINARY(more, >) __LANEWISE_BINARY(at_most, <=) __LANEWISE_BINARY(at_least, >=) __LANEWISE_BINARY(and_also, &&) __LANEWISE_BINARY(or_else, ||)
#undef __LANEWISE_BINARY
template <class E> __host__ __device__ auto operator-(const placeholder_expression<E>& x) { return apply_operator<operator_negate>(x); }
template <class E> __host__ __device__ auto operator+(const placeholder_expression<E>& x) { return apply_operator<operator_plain>(x); }
template <class E> __host__ __device__ auto operator!(const placeholder_expression<E>& x) { return apply_operator<operator_no>(x); }
template <class E> __host__ __device__ auto operator~(const placeholder_expression<E>& x) { return apply_operator<operator_complement>(x); }
}  // namespace detail

namespace placeholders {
static constexpr detail::placeholder_expression<detail::argument<0>> _1{};
static constexpr detail::placeholder_expression<detail::argument<1>> _2{};
static constexpr detail::placeholder_expression<detail::argument<2>> _3{};
static constexpr detail::placeholder_expression<detail::argument<3>> _4{};
static constexpr detail::placeholder_expression<detail::argument<4>> _5{};
static constexpr detail::placeholder_expression<detail::argument<5>> _6{};
static constexpr detail::placeholder_expression<detail::argument<6>> _7{};
static constexpr detail::placeholder_expression<detail::argument<7>> _8{};
static constexpr detail::placeholder_expression<detail::argument<8>> _9{};
static constexpr detail::placeholder_expression<detail::argument<9>> _10{};
}  // namespace placeholders
}  // namespace thrust
