#pragma once
#pragma GCC system_header
#include "iterator_categories.h"

namespace thrust {

/* A pointer that algorithms take for one of the device. */
template <class System, class T> __host__ __device__ auto retag(T* p) {
  if constexpr (std::is_same<System, device_system_tag>::value) return device_ptr<T>(p);
  else return p;
}
template <class System, class T> __host__ __device__ auto reinterpret_tag(T* p) { return retag<System>(p); }

}  // namespace thrust
