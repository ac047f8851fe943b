/* transform_input_output_iterator: one function of what is read, another of what is written. */
#pragma once
#pragma GCC system_header
#include "transform_iterator.h"

namespace thrust {
namespace detail {
template <class In, class Out, class R> struct both_ways {
  In in;
  Out out;
  R at;
  typedef given<In, std::decay_t<R>> read;
  __host__ __device__ operator typename std::decay<read>::type() const { return In(in)(at); }
  template <class T> __host__ __device__ const both_ways& operator=(const T& value) const { const_cast<both_ways*>(this)->at = Out(out)(value); return *this; }
};
}  // namespace detail

template <class In, class Out, class I>
class transform_input_output_iterator
    : public detail::facade<transform_input_output_iterator<In, Out, I>, typename std::decay<detail::given<In, detail::value_of<I>>>::type, detail::both_ways<In, Out, typename std::iterator_traits<I>::reference>> {
  I under;
  In in;
  Out out;

 public:
  typedef detail::both_ways<In, Out, typename std::iterator_traits<I>::reference> result;
  __host__ __device__ transform_input_output_iterator(I base, In in, Out out) : under(base), in(in), out(out) {}
  __host__ __device__ const I& base() const { return under; }
  __host__ __device__ result refer(std::ptrdiff_t n) const { return result{in, out, under[n]}; }
  __host__ __device__ void move(std::ptrdiff_t n) { under += n; }
  __host__ __device__ std::ptrdiff_t distance(const transform_input_output_iterator& other) const { return under - other.under; }
  __host__ __device__ transform_input_output_iterator<In, Out, detail::raw_of<I>> plain() const { return {detail::raw(under), in, out}; }
};
template <class I, class In, class Out> __host__ __device__ transform_input_output_iterator<In, Out, I> make_transform_input_output_iterator(I base, In in, Out out) { return {base, in, out}; }

namespace detail {
template <class In, class Out, class I> struct is_device<transform_input_output_iterator<In, Out, I>> : is_device<I> {};
template <class In, class Out, class I> struct is_neutral<transform_input_output_iterator<In, Out, I>> : is_neutral<I> {};
template <class In, class Out, class I> struct raw_iterator<transform_input_output_iterator<In, Out, I>> {
  typedef transform_input_output_iterator<In, Out, raw_of<I>> type;
  __host__ __device__ static type of(const transform_input_output_iterator<In, Out, I>& i) { return i.plain(); }
};
}  // namespace detail

}  // namespace thrust
