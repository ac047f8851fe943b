#pragma once
#include "../../host_vector.h"
#include "../../execution_policy.h"

namespace thrust {
namespace tbb {
template <class T, class A = std::allocator<T>> using vector = thrust::host_vector<T, A>;
}  // namespace tbb
namespace system {
namespace tbb = thrust::tbb;
}  // namespace system
}  // namespace thrust
