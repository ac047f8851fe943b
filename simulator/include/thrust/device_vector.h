/* A vector in device memory. */
#pragma once
#pragma GCC system_header
#include "detail/vector.h"

namespace thrust {

template <class T, class A = device_allocator<T>> class device_vector : public detail::vector_of<T, A> {
  typedef detail::vector_of<T, A> base;

 public:
  using base::base;
  using base::operator=;
  device_vector() = default;
  device_vector(std::initializer_list<T> values) : base(values) {}
  device_vector& operator=(std::initializer_list<T> values) { return this->assign(values.begin(), values.end()), *this; }
};
template <class I> device_vector(I, I) -> device_vector<typename std::iterator_traits<I>::value_type>;

}  // namespace thrust
