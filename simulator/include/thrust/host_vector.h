/* host_vector is std::vector, with copies from a device_vector. */
#pragma once
#pragma GCC system_header
#include "detail/core.h"

namespace thrust {

template <class T> class device_vector;

template <class T> class host_vector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  host_vector() = default;
  host_vector(const std::vector<T>& other) : std::vector<T>(other) {}
  template <class U> host_vector(const device_vector<U>& other) { *this = other; }
  template <class U> host_vector& operator=(const device_vector<U>& other) {
    this->resize(other.size());
    if constexpr (std::is_same<T, U>::value) {
      cudaMemcpy((void*)this->data(), (const void*)other.data().get(), other.size() * sizeof(T), cudaMemcpyDeviceToHost);
    } else {
      host_vector<U> same(other);
      std::copy(same.begin(), same.end(), this->begin());
    }
    return *this;
  }
};

}  // namespace thrust
