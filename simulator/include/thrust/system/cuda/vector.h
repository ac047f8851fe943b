#pragma once
#include "../../device_vector.h"
#include "../../universal_vector.h"

namespace thrust {
namespace cuda {
template <class T, class A = thrust::device_allocator<T>> using vector = thrust::device_vector<T, A>;
template <class T> using universal_vector = thrust::universal_vector<T>;
}  // namespace cuda
}  // namespace thrust
