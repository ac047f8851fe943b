/* transform_iterator and transform_output_iterator: a function between an algorithm and what another iterator refers to. */
#pragma once
#pragma GCC system_header
#include "counting_iterator.h"

namespace thrust {
namespace detail {
template <class T, class Otherwise> using unless_default = typename std::conditional<std::is_same<T, use_default>::value, Otherwise, T>::type;
}  // namespace detail

template <class F, class I, class Reference = use_default, class Value = use_default>
class transform_iterator
    : public detail::facade<transform_iterator<F, I, Reference, Value>,
                            typename std::decay<detail::unless_default<Value, detail::unless_default<Reference, detail::given<F, detail::value_of<I>>>>>::type,
                            detail::unless_default<Reference, detail::given<F, detail::value_of<I>>>> {
 public:
  typedef detail::unless_default<Reference, detail::given<F, detail::value_of<I>>> result;
  transform_iterator() = default;
  __host__ __device__ transform_iterator(I base, F f = F()) : under(base), f(f) {}
  __host__ __device__ const I& base() const { return under; }
  __host__ __device__ const F& functor() const { return f; }
  __host__ __device__ result refer(std::ptrdiff_t n) const { return F(f)(under[n]); }
  __host__ __device__ void move(std::ptrdiff_t n) { under += n; }
  __host__ __device__ std::ptrdiff_t distance(const transform_iterator& other) const { return under - other.under; }

 private:
  I under;
  F f;
};
template <class I, class F> __host__ __device__ transform_iterator<F, I> make_transform_iterator(I base, F f) { return {base, f}; }

namespace detail {
template <class F, class R> struct through {
  F f;
  R to;
  template <class T> __host__ __device__ const through& operator=(const T& value) const { const_cast<through*>(this)->to = F(f)(value); return *this; }
};
template <class F, class I, class R, class V> struct is_neutral<transform_iterator<F, I, R, V>> : is_neutral<I> {};
template <class F, class I, class R, class V> struct is_device<transform_iterator<F, I, R, V>> : is_device<I> {};
template <class F, class I, class R, class V> struct raw_iterator<transform_iterator<F, I, R, V>> {
  typedef transform_iterator<F, raw_of<I>, R, V> type;
  __host__ __device__ static type of(const transform_iterator<F, I, R, V>& i) { return type(raw(i.base()), i.functor()); }
};
}  // namespace detail

template <class F, class I>
class transform_output_iterator : public detail::facade<transform_output_iterator<F, I>, typename std::iterator_traits<I>::value_type, detail::through<F, typename std::iterator_traits<I>::reference>> {
 public:
  typedef detail::through<F, typename std::iterator_traits<I>::reference> result;
  __host__ __device__ transform_output_iterator(I base, F f) : under(base), f(f) {}
  __host__ __device__ const I& base() const { return under; }
  __host__ __device__ const F& functor() const { return f; }
  __host__ __device__ result refer(std::ptrdiff_t n) const { return result{f, under[n]}; }
  __host__ __device__ void move(std::ptrdiff_t n) { under += n; }
  __host__ __device__ std::ptrdiff_t distance(const transform_output_iterator& other) const { return under - other.under; }

 private:
  I under;
  F f;
};
template <class I, class F> __host__ __device__ transform_output_iterator<F, I> make_transform_output_iterator(I base, F f) { return {base, f}; }

namespace detail {
template <class F, class I> struct is_neutral<transform_output_iterator<F, I>> : is_neutral<I> {};
template <class F, class I> struct is_device<transform_output_iterator<F, I>> : is_device<I> {};
template <class F, class I> struct raw_iterator<transform_output_iterator<F, I>> {
  typedef transform_output_iterator<F, raw_of<I>> type;
  __host__ __device__ static type of(const transform_output_iterator<F, I>& i) { return type(raw(i.base()), i.functor()); }
};
}  // namespace detail

}  // namespace thrust
