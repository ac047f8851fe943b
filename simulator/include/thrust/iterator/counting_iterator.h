/* counting_iterator and constant_iterator: no memory, the value follows from the position. */
#pragma once
#pragma GCC system_header
#include "../detail/core.h"

namespace thrust {

#define __LANEWISE_THRUST_ITERATOR(name, T, valueType, dereference) \
  typedef std::random_access_iterator_tag iterator_category; \
  typedef valueType value_type; \
  typedef std::ptrdiff_t difference_type; \
  typedef const valueType* pointer; \
  typedef valueType reference; \
  __host__ __device__ reference operator*() const { return (*this)[0]; } \
  __host__ __device__ reference operator[](difference_type n) const { return dereference; } \
  __host__ __device__ name& operator++() { ++at; return *this; } \
  __host__ __device__ name operator++(int) { name old = *this; ++at; return old; } \
  __host__ __device__ name& operator--() { --at; return *this; } \
  __host__ __device__ name& operator+=(difference_type n) { at += n; return *this; } \
  __host__ __device__ name& operator-=(difference_type n) { at -= n; return *this; } \
  __host__ __device__ friend name operator+(name a, difference_type n) { return a += n; } \
  __host__ __device__ friend name operator+(difference_type n, name a) { return a += n; } \
  __host__ __device__ friend name operator-(name a, difference_type n) { return a -= n; } \
  __host__ __device__ friend difference_type operator-(name a, name b) { return (difference_type)(a.at - b.at); } \
  __host__ __device__ friend bool operator==(name a, name b) { return a.at == b.at; } \
  __host__ __device__ friend bool operator!=(name a, name b) { return a.at != b.at; } \
  __host__ __device__ friend bool operator<(name a, name b) { return a.at < b.at; }

template <class T> class counting_iterator {
 public:
  __host__ __device__ explicit counting_iterator(T at = T()) : at(at) {}
  __LANEWISE_THRUST_ITERATOR(counting_iterator, T, T, (T)(at + (T)n))

 private:
  T at;
};
template <class T> __host__ __device__ counting_iterator<T> make_counting_iterator(T at) { return counting_iterator<T>(at); }

template <class T> class constant_iterator {
 public:
  __host__ __device__ explicit constant_iterator(T value, std::ptrdiff_t at = 0) : value(value), at(at) {}
  __LANEWISE_THRUST_ITERATOR(constant_iterator, T, T, ((void)n, value))

 private:
  T value;
  std::ptrdiff_t at;
};
template <class T> __host__ __device__ constant_iterator<T> make_constant_iterator(T value) { return constant_iterator<T>(value); }

namespace detail {
template <class T> struct is_neutral<counting_iterator<T>> : std::true_type {};
template <class T> struct is_neutral<constant_iterator<T>> : std::true_type {};
}  // namespace detail

}  // namespace thrust
