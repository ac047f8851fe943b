#pragma once
#include "../../host_vector.h"
#include "../../execution_policy.h"

namespace thrust {
namespace omp {
template <class T, class A = std::allocator<T>> using vector = thrust::host_vector<T, A>;
}  // namespace omp
namespace system {
namespace omp = thrust::omp;
}  // namespace system
}  // namespace thrust
