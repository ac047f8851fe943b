#pragma once
#pragma GCC system_header
#include "detail/algorithms.h"

namespace thrust {
template <class T> __host__ __device__ void swap(T& a, T& b) { T old = a; a = b; b = old; }
}  // namespace thrust
