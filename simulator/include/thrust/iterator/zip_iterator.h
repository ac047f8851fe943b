/* zip_iterator: several sequences as one of tuples; zip_function spreads a tuple to the arguments of a function. */
#pragma once
#pragma GCC system_header
#include "../detail/facade.h"
#include "../tuple.h"

namespace thrust {

template <class Iterators> class zip_iterator;
template <class... I>
class zip_iterator<tuple<I...>> : public detail::facade<zip_iterator<tuple<I...>>, tuple<typename std::iterator_traits<I>::value_type...>, tuple<typename std::iterator_traits<I>::reference...>> {
 public:
  typedef tuple<I...> iterator_tuple;
  typedef tuple<typename std::iterator_traits<I>::reference...> result;
  zip_iterator() = default;
  __host__ __device__ zip_iterator(const tuple<I...>& iterators) : iterators(iterators) {}
  template <class... J> __host__ __device__ zip_iterator(const zip_iterator<tuple<J...>>& other) : iterators(other.get_iterator_tuple()) {}
  __host__ __device__ const tuple<I...>& get_iterator_tuple() const { return iterators; }
  __host__ __device__ result refer(std::ptrdiff_t n) const { return all(n, std::index_sequence_for<I...>()); }
  __host__ __device__ void move(std::ptrdiff_t n) { advance(n, std::index_sequence_for<I...>()); }
  __host__ __device__ std::ptrdiff_t distance(const zip_iterator& other) const { return thrust::get<0>(iterators) - thrust::get<0>(other.iterators); }

 private:
  tuple<I...> iterators;
  template <std::size_t... K> __host__ __device__ result all(std::ptrdiff_t n, std::index_sequence<K...>) const { return result(thrust::get<K>(iterators)[n]...); }
  template <std::size_t... K> __host__ __device__ void advance(std::ptrdiff_t n, std::index_sequence<K...>) { ((thrust::get<K>(iterators) += n), ...); }
};
template <class... I> __host__ __device__ zip_iterator<tuple<I...>> make_zip_iterator(const tuple<I...>& iterators) { return zip_iterator<tuple<I...>>(iterators); }
template <class I, class... J, class = typename std::iterator_traits<I>::iterator_category> __host__ __device__ zip_iterator<tuple<I, J...>> make_zip_iterator(I first, J... others) {
  return zip_iterator<tuple<I, J...>>(tuple<I, J...>(first, others...));
}

namespace detail {
template <class... I> struct is_device<zip_iterator<tuple<I...>>> : std::bool_constant<(is_device<I>::value || ...)> {};
template <class... I> struct is_neutral<zip_iterator<tuple<I...>>> : std::bool_constant<(is_neutral<I>::value && ...)> {};
template <class... I> struct raw_iterator<zip_iterator<tuple<I...>>> {
  typedef zip_iterator<tuple<raw_of<I>...>> type;
  __host__ __device__ static type of(const zip_iterator<tuple<I...>>& i) { return all(i.get_iterator_tuple(), std::index_sequence_for<I...>()); }
  template <std::size_t... K> __host__ __device__ static type all(const tuple<I...>& t, std::index_sequence<K...>) { return type(tuple<raw_of<I>...>(raw(thrust::get<K>(t))...)); }
};
}  // namespace detail

template <class F> class zip_function {
 public:
  __host__ __device__ explicit zip_function(F f) : f(f) {}
  template <class T> __host__ __device__ decltype(auto) operator()(T&& t) const { return apply(t, std::make_index_sequence<tuple_size<typename std::decay<T>::type>::value>()); }

 private:
  F f;
  template <class T, std::size_t... K> __host__ __device__ decltype(auto) apply(T& t, std::index_sequence<K...>) const { return F(f)(thrust::get<K>(t)...); }
};
template <class F> __host__ __device__ zip_function<typename std::decay<F>::type> make_zip_function(F&& f) { return zip_function<typename std::decay<F>::type>(f); }

}  // namespace thrust
