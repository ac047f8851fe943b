/* Objects in device memory. */
#pragma once
#pragma GCC system_header
#include "detail/algorithms.h"

namespace thrust {

template <class T> device_ptr<T> device_new(device_ptr<void> at, const T& value, std::size_t n = 1) {
  device_ptr<T> p(at);
  thrust::fill(p, p + n, value);
  return p;
}
template <class T> device_ptr<T> device_new(device_ptr<void> at, std::size_t n = 1) { return device_new<T>(at, T(), n); }
template <class T> device_ptr<T> device_new(std::size_t n = 1) { return device_new<T>(device_ptr<void>(device_malloc<T>(n).get()), n); }

}  // namespace thrust
