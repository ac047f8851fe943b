#pragma once
#include "../../host_vector.h"
#include "../../execution_policy.h"

namespace thrust {
namespace cpp {
template <class T, class A = std::allocator<T>> using vector = thrust::host_vector<T, A>;
}  // namespace cpp
namespace system {
namespace cpp = thrust::cpp;
}  // namespace system
}  // namespace thrust
