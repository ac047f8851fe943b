/*
 * shuffle and shuffle_copy: the elements in the order of random keys that the engine gives. Which permutation an engine leads to is ours:
 * NVIDIA's Thrust documents none.
 */
#pragma once
#pragma GCC system_header
#include "device_vector.h"

namespace thrust {
namespace detail {
template <class P, class I, class E> void shuffle_by(const P& policy, I first, I last, E& engine) {
  std::vector<unsigned long long> keys(last - first);
  for (auto& key : keys) { unsigned long long high = engine(); key = high << 32 ^ engine(); }
  if constexpr (is_device_policy<P>) {
    device_vector<unsigned long long> order(keys.begin(), keys.end());
    thrust::sort_by_key(policy, order.begin(), order.end(), first);
  } else {
    sequential::sort_by_key(keys.begin(), keys.end(), first);
  }
}
}  // namespace detail
template <class P, class I, class E, class = typename std::enable_if<detail::is_policy<P>>::type> void shuffle(const P& policy, I first, I last, E&& engine) { detail::shuffle_by(policy, first, last, engine); }
template <class I, class E> void shuffle(I first, I last, E&& engine) {
  if constexpr (detail::on_device<I>) detail::shuffle_by(device, first, last, engine);
  else detail::shuffle_by(host, first, last, engine);
}
template <class I, class O, class E> void shuffle_copy(I first, I last, O out, E&& engine) {
  thrust::copy(first, last, out);
  thrust::shuffle(out, out + (last - first), engine);
}

}  // namespace thrust
