/* tabulate_output_iterator: a function of where something is written, and what. */
#pragma once
#pragma GCC system_header
#include "counting_iterator.h"

namespace thrust {
namespace detail {
template <class F, class I> struct told_where {
  F f;
  I at;
  template <class T> __host__ __device__ const told_where& operator=(const T& value) const { const_cast<told_where*>(this)->f(at, value); return *this; }
};
}  // namespace detail

template <class F, class System = use_default, class Difference = std::ptrdiff_t>
class tabulate_output_iterator : public detail::facade<tabulate_output_iterator<F, System, Difference>, detail::told_where<F, Difference>, detail::told_where<F, Difference>, Difference> {
  F f;
  Difference at;

 public:
  __host__ __device__ explicit tabulate_output_iterator(F f, Difference at = 0) : f(f), at(at) {}
  __host__ __device__ detail::told_where<F, Difference> refer(Difference n) const { return {f, at + n}; }
  __host__ __device__ void move(Difference n) { at += n; }
  __host__ __device__ Difference distance(const tabulate_output_iterator& other) const { return at - other.at; }
};
template <class F> __host__ __device__ tabulate_output_iterator<F> make_tabulate_output_iterator(F f, std::ptrdiff_t at = 0) { return tabulate_output_iterator<F>(f, at); }

namespace detail {
template <class... A> struct is_neutral<tabulate_output_iterator<A...>> : std::true_type {};
}  // namespace detail

}  // namespace thrust
