/* counting_iterator, constant_iterator and discard_iterator: no memory, the value follows from the position. */
#pragma once
#pragma GCC system_header
#include "../detail/facade.h"

namespace thrust {

struct use_default {};

template <class T, class System = use_default, class Traversal = use_default, class Difference = use_default>
class counting_iterator : public detail::facade<counting_iterator<T, System, Traversal, Difference>, T, T> {
 public:
  __host__ __device__ explicit counting_iterator(T at = T()) : at(at) {}
  __host__ __device__ T refer(std::ptrdiff_t n) const { return (T)(at + (T)n); }
  __host__ __device__ void move(std::ptrdiff_t n) { at += n; }
  __host__ __device__ std::ptrdiff_t distance(const counting_iterator& other) const { return (std::ptrdiff_t)at - (std::ptrdiff_t)other.at; }
  __host__ __device__ const T& base() const { return at; }

 private:
  T at;
};
template <class T> __host__ __device__ counting_iterator<T> make_counting_iterator(T at) { return counting_iterator<T>(at); }

template <class T, class I = use_default, class System = use_default> class constant_iterator : public detail::facade<constant_iterator<T, I, System>, T, T> {
 public:
  __host__ __device__ explicit constant_iterator(T value = T(), std::ptrdiff_t at = 0) : kept(value), at(at) {}
  __host__ __device__ T refer(std::ptrdiff_t) const { return kept; }
  __host__ __device__ void move(std::ptrdiff_t n) { at += n; }
  __host__ __device__ std::ptrdiff_t distance(const constant_iterator& other) const { return at - other.at; }
  __host__ __device__ const T& value() const { return kept; }

 private:
  T kept;
  std::ptrdiff_t at;
};
template <class T> __host__ __device__ constant_iterator<T> make_constant_iterator(T value, std::ptrdiff_t at = 0) { return constant_iterator<T>(value, at); }

namespace detail {
/* Takes any value and keeps none. */
struct discarded {
  template <class T> __host__ __device__ const discarded& operator=(const T&) const { return *this; }
  __host__ __device__ const discarded& operator=(const discarded&) const { return *this; }
};
}  // namespace detail
template <class System = use_default> class discard_iterator : public detail::facade<discard_iterator<System>, detail::discarded, detail::discarded> {
 public:
  __host__ __device__ explicit discard_iterator(std::ptrdiff_t at = 0) : at(at) {}
  __host__ __device__ detail::discarded refer(std::ptrdiff_t) const { return {}; }
  __host__ __device__ void move(std::ptrdiff_t n) { at += n; }
  __host__ __device__ std::ptrdiff_t distance(const discard_iterator& other) const { return at - other.at; }

 private:
  std::ptrdiff_t at;
};
__host__ __device__ inline discard_iterator<> make_discard_iterator(std::ptrdiff_t at = 0) { return discard_iterator<>(at); }

namespace detail {
template <class... A> struct is_neutral<counting_iterator<A...>> : std::true_type {};
template <class... A> struct is_neutral<constant_iterator<A...>> : std::true_type {};
template <class... A> struct is_neutral<discard_iterator<A...>> : std::true_type {};
}  // namespace detail

}  // namespace thrust
