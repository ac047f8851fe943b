/* pair and tuple, on both sides. */
#pragma once
#pragma GCC system_header
#include "../cuda_runtime.h"
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace thrust {

template <class A, class B> struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;
  __host__ __device__ constexpr pair() : first(), second() {}
  __host__ __device__ constexpr pair(const A& a, const B& b) : first(a), second(b) {}
  template <class C, class D> __host__ __device__ constexpr pair(const pair<C, D>& other) : first(other.first), second(other.second) {}
  template <class C, class D> __host__ __device__ constexpr pair(const std::pair<C, D>& other) : first(other.first), second(other.second) {}
  __host__ __device__ constexpr void swap(pair& other) { pair old = *this; *this = other; other = old; }
};
template <class A, class B> __host__ __device__ constexpr bool operator==(const pair<A, B>& x, const pair<A, B>& y) { return x.first == y.first && x.second == y.second; }
template <class A, class B> __host__ __device__ constexpr bool operator!=(const pair<A, B>& x, const pair<A, B>& y) { return !(x == y); }
template <class A, class B> __host__ __device__ constexpr bool operator<(const pair<A, B>& x, const pair<A, B>& y) { return x.first < y.first || (!(y.first < x.first) && x.second < y.second); }
template <class A, class B> __host__ __device__ constexpr bool operator>(const pair<A, B>& x, const pair<A, B>& y) { return y < x; }
template <class A, class B> __host__ __device__ constexpr bool operator<=(const pair<A, B>& x, const pair<A, B>& y) { return !(y < x); }
template <class A, class B> __host__ __device__ constexpr bool operator>=(const pair<A, B>& x, const pair<A, B>& y) { return !(x < y); }
template <class A, class B> __host__ __device__ constexpr pair<typename std::decay<A>::type, typename std::decay<B>::type> make_pair(A&& a, B&& b) { return {a, b}; }

template <class... T> class tuple;

namespace detail {
template <std::size_t K, class T> struct element {
  T value;
  __host__ __device__ constexpr element() : value() {}
  template <class U> __host__ __device__ constexpr explicit element(int, U&& u) : value(static_cast<U&&>(u)) {}
};
template <class Places, class... T> struct elements;
template <std::size_t... K, class... T> struct elements<std::index_sequence<K...>, T...> : element<K, T>... {
  constexpr elements() = default;
  template <class... U> __host__ __device__ constexpr elements(int, U&&... u) : element<K, T>(0, static_cast<U&&>(u))... {}
};
template <std::size_t K, class T> __host__ __device__ constexpr element<K, T>& place(element<K, T>& e) { return e; }
template <std::size_t K, class T> __host__ __device__ constexpr const element<K, T>& place(const element<K, T>& e) { return e; }
template <class T> struct is_tuple : std::false_type {};
template <class... T> struct is_tuple<tuple<T...>> : std::true_type {};
template <class... T> struct is_tuple<std::tuple<T...>> : std::true_type {};
template <class A, class B> struct is_tuple<pair<A, B>> : std::true_type {};
}  // namespace detail

template <std::size_t K, class T> struct tuple_element;
template <std::size_t K, class... T> struct tuple_element<K, tuple<T...>> { typedef typename std::tuple_element<K, std::tuple<T...>>::type type; };
template <std::size_t K, class T> struct tuple_element<K, const T> { typedef const typename tuple_element<K, T>::type type; };
template <class A, class B> struct tuple_element<0, pair<A, B>> { typedef A type; };
template <class A, class B> struct tuple_element<1, pair<A, B>> { typedef B type; };
template <std::size_t K, class T> using tuple_element_t = typename tuple_element<K, T>::type;
template <class T> struct tuple_size;
template <class... T> struct tuple_size<tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <class T> struct tuple_size<const T> : tuple_size<T> {};
template <class A, class B> struct tuple_size<pair<A, B>> : std::integral_constant<std::size_t, 2> {};

template <class... T> class tuple {
 public:
  constexpr tuple() = default;
  constexpr tuple(const tuple&) = default;
  template <class U = void, class = typename std::enable_if<(sizeof...(T) > 0) && std::is_void<U>::value>::type>
  __host__ __device__ constexpr tuple(const T&... values) : all(0, values...) {}
  template <class... U, class = typename std::enable_if<sizeof...(U) == sizeof...(T) && (std::is_convertible<U&&, T>::value && ...) &&
                                                        !(sizeof...(U) == 1 && (detail::is_tuple<typename std::decay<U>::type>::value && ...))>::type>
  __host__ __device__ constexpr tuple(U&&... values) : all(0, static_cast<U&&>(values)...) {}
  template <class... U, class = typename std::enable_if<sizeof...(U) == sizeof...(T)>::type>
  __host__ __device__ constexpr tuple(const tuple<U...>& other) : tuple(other, std::index_sequence_for<T...>()) {}
  template <class A, class B> __host__ __device__ constexpr tuple(const pair<A, B>& other) : all(0, other.first, other.second) {}
  __host__ __device__ constexpr tuple& operator=(const tuple& other) { set(other, std::index_sequence_for<T...>()); return *this; }
  template <class... U> __host__ __device__ constexpr tuple& operator=(const tuple<U...>& other) { set(other, std::index_sequence_for<T...>()); return *this; }
  template <class... U> __host__ __device__ constexpr const tuple& operator=(const tuple<U...>& other) const { const_cast<tuple*>(this)->set(other, std::index_sequence_for<T...>()); return *this; }
  template <class A, class B> __host__ __device__ constexpr tuple& operator=(const pair<A, B>& other) {
    detail::place<0>(all).value = other.first;
    detail::place<1>(all).value = other.second;
    return *this;
  }
  __host__ __device__ constexpr void swap(tuple& other) { tuple old = *this; *this = other; other = old; }
  template <std::size_t K> __host__ __device__ constexpr auto& slot() { return detail::place<K>(all).value; }
  template <std::size_t K> __host__ __device__ constexpr auto& slot() const { return detail::place<K>(all).value; }

 private:
  detail::elements<std::index_sequence_for<T...>, T...> all;
  template <class U, std::size_t... K> __host__ __device__ constexpr tuple(const U& other, std::index_sequence<K...>) : all(0, other.template slot<K>()...) {}
  template <class U, std::size_t... K> __host__ __device__ constexpr void set(const U& other, std::index_sequence<K...>) {
    ((detail::place<K>(all).value = other.template slot<K>()), ...);
  }
};
template <class... T> tuple(T...) -> tuple<T...>;

template <std::size_t K, class... T> __host__ __device__ constexpr tuple_element_t<K, tuple<T...>>& get(tuple<T...>& t) { return t.template slot<K>(); }
template <std::size_t K, class... T> __host__ __device__ constexpr const tuple_element_t<K, tuple<T...>>& get(const tuple<T...>& t) { return t.template slot<K>(); }
template <std::size_t K, class... T> __host__ __device__ constexpr tuple_element_t<K, tuple<T...>>&& get(tuple<T...>&& t) { return static_cast<tuple_element_t<K, tuple<T...>>&&>(t.template slot<K>()); }
template <std::size_t K, class A, class B> __host__ __device__ constexpr auto& get(pair<A, B>& p) { if constexpr (K == 0) return p.first; else return p.second; }
template <std::size_t K, class A, class B> __host__ __device__ constexpr const auto& get(const pair<A, B>& p) { if constexpr (K == 0) return p.first; else return p.second; }
template <class... T> __host__ __device__ constexpr tuple<typename std::decay<T>::type...> make_tuple(T&&... values) { return tuple<typename std::decay<T>::type...>(static_cast<T&&>(values)...); }
template <class... T> __host__ __device__ constexpr tuple<T&...> tie(T&... values) { return tuple<T&...>(values...); }
template <class T> __host__ __device__ constexpr void swap(tuple<T>& a, tuple<T>& b) { a.swap(b); }

namespace detail {
template <std::size_t K, class A, class B> __host__ __device__ constexpr int compare(const A& a, const B& b) {
  if constexpr (K == tuple_size<A>::value) return 0;
  else return thrust::get<K>(a) < thrust::get<K>(b) ? -1 : thrust::get<K>(b) < thrust::get<K>(a) ? 1 : compare<K + 1>(a, b);
}
template <std::size_t K, class A, class B> __host__ __device__ constexpr bool same(const A& a, const B& b) {
  if constexpr (K == tuple_size<A>::value) return true;
  else return thrust::get<K>(a) == thrust::get<K>(b) && same<K + 1>(a, b);
}
}  // namespace detail
template <class... T, class... U> __host__ __device__ constexpr bool operator==(const tuple<T...>& a, const tuple<U...>& b) { return detail::same<0>(a, b); }
template <class... T, class... U> __host__ __device__ constexpr bool operator!=(const tuple<T...>& a, const tuple<U...>& b) { return !detail::same<0>(a, b); }
template <class... T, class... U> __host__ __device__ constexpr bool operator<(const tuple<T...>& a, const tuple<U...>& b) { return detail::compare<0>(a, b) < 0; }
template <class... T, class... U> __host__ __device__ constexpr bool operator>(const tuple<T...>& a, const tuple<U...>& b) { return detail::compare<0>(b, a) < 0; }
template <class... T, class... U> __host__ __device__ constexpr bool operator<=(const tuple<T...>& a, const tuple<U...>& b) { return detail::compare<0>(b, a) >= 0; }
template <class... T, class... U> __host__ __device__ constexpr bool operator>=(const tuple<T...>& a, const tuple<U...>& b) { return detail::compare<0>(a, b) >= 0; }

}  // namespace thrust

/* For structured bindings. */
template <class... T> struct std::tuple_size<thrust::tuple<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <std::size_t K, class... T> struct std::tuple_element<K, thrust::tuple<T...>> { typedef thrust::tuple_element_t<K, thrust::tuple<T...>> type; };
