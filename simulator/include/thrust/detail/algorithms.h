/*
 * The names that programs call, each for a policy first or none. Without a policy the iterators say where the work is done, with
 * thrust::device plain pointers lead to device memory, too. In kernels every algorithm is a loop of the calling thread.
 */
#pragma once
#pragma GCC system_header
#include "parallel-order.h"

namespace thrust {
namespace detail {

template <class P> inline constexpr bool is_device_policy = std::is_base_of<device_policy, typename std::decay<P>::type>::value;

}  // namespace detail

#define __LANEWISE_THRUST(name) \
  template <class A, class... B> __host__ auto name(A&& a, B&&... b) { \
    if constexpr (detail::is_device_policy<A>) return detail::parallel::name(a, static_cast<B&&>(b)...); \
    else if constexpr (detail::is_policy<A>) return detail::sequential::name(static_cast<B&&>(b)...); \
    else if constexpr (detail::on_device<A, B...>) return detail::parallel::name(detail::device_policy(), static_cast<A&&>(a), static_cast<B&&>(b)...); \
    else return detail::sequential::name(static_cast<A&&>(a), static_cast<B&&>(b)...); \
  } \
  template <class A, class... B> __device__ auto name(A&& a, B&&... b) { \
    if constexpr (detail::is_policy<A>) return detail::sequential::name(static_cast<B&&>(b)...); \
    else return detail::sequential::name(static_cast<A&&>(a), static_cast<B&&>(b)...); \
  }
__LANEWISE_THRUST(adjacent_difference) __LANEWISE_THRUST(all_of) __LANEWISE_THRUST(any_of) __LANEWISE_THRUST(binary_search) __LANEWISE_THRUST(copy_if)
__LANEWISE_THRUST(count) __LANEWISE_THRUST(count_if) __LANEWISE_THRUST(equal) __LANEWISE_THRUST(equal_range) __LANEWISE_THRUST(exclusive_scan)
__LANEWISE_THRUST(exclusive_scan_by_key) __LANEWISE_THRUST(fill) __LANEWISE_THRUST(fill_n) __LANEWISE_THRUST(find) __LANEWISE_THRUST(find_if)
__LANEWISE_THRUST(find_if_not) __LANEWISE_THRUST(for_each) __LANEWISE_THRUST(for_each_n) __LANEWISE_THRUST(gather) __LANEWISE_THRUST(gather_if)
__LANEWISE_THRUST(generate) __LANEWISE_THRUST(generate_n) __LANEWISE_THRUST(inclusive_scan) __LANEWISE_THRUST(inclusive_scan_by_key)
__LANEWISE_THRUST(inner_product) __LANEWISE_THRUST(is_partitioned) __LANEWISE_THRUST(is_sorted) __LANEWISE_THRUST(is_sorted_until)
__LANEWISE_THRUST(lower_bound) __LANEWISE_THRUST(max_element) __LANEWISE_THRUST(merge) __LANEWISE_THRUST(merge_by_key) __LANEWISE_THRUST(min_element)
__LANEWISE_THRUST(minmax_element) __LANEWISE_THRUST(mismatch) __LANEWISE_THRUST(none_of) __LANEWISE_THRUST(partition) __LANEWISE_THRUST(partition_copy)
__LANEWISE_THRUST(partition_point) __LANEWISE_THRUST(reduce) __LANEWISE_THRUST(reduce_by_key) __LANEWISE_THRUST(remove) __LANEWISE_THRUST(remove_copy)
__LANEWISE_THRUST(remove_copy_if) __LANEWISE_THRUST(remove_if) __LANEWISE_THRUST(replace) __LANEWISE_THRUST(replace_copy) __LANEWISE_THRUST(replace_copy_if)
__LANEWISE_THRUST(replace_if) __LANEWISE_THRUST(reverse) __LANEWISE_THRUST(reverse_copy) __LANEWISE_THRUST(scatter) __LANEWISE_THRUST(scatter_if)
__LANEWISE_THRUST(sequence) __LANEWISE_THRUST(set_difference) __LANEWISE_THRUST(set_intersection) __LANEWISE_THRUST(set_symmetric_difference)
__LANEWISE_THRUST(set_union) __LANEWISE_THRUST(sort) __LANEWISE_THRUST(sort_by_key) __LANEWISE_THRUST(stable_partition) __LANEWISE_THRUST(stable_partition_copy)
__LANEWISE_THRUST(stable_sort) __LANEWISE_THRUST(stable_sort_by_key) __LANEWISE_THRUST(swap_ranges) __LANEWISE_THRUST(tabulate) __LANEWISE_THRUST(transform)
__LANEWISE_THRUST(transform_exclusive_scan) __LANEWISE_THRUST(transform_if) __LANEWISE_THRUST(transform_inclusive_scan) __LANEWISE_THRUST(transform_reduce)
__LANEWISE_THRUST(unique) __LANEWISE_THRUST(unique_by_key) __LANEWISE_THRUST(unique_by_key_copy) __LANEWISE_THRUST(unique_copy) __LANEWISE_THRUST(unique_count)
__LANEWISE_THRUST(upper_bound)
#undef __LANEWISE_THRUST

/* Between any two of host memory, device memory and streams. Elements in a row are moved by the runtime. */
namespace detail {
/* Host memory for n elements on their way. */
template <class T> struct passage {
  T* p;
  explicit passage(std::size_t n) : p((T*)::malloc((n ? n : 1) * sizeof(T))) {}
  ~passage() { ::free(p); }
};
template <class I, class O> O copy_within_device(const device_policy& policy, I first, I last, O out) {
  typedef value_of<I> T;
  if constexpr (in_a_row<I>::value && in_a_row<O>::value && std::is_same<T, value_of<O>>::value && std::is_trivially_copyable<T>::value) {
    if (first != last) cudaMemcpyAsync((void*)raw(out), (const void*)raw(first), (last - first) * sizeof(T), cudaMemcpyDeviceToDevice, policy.stream);
    return out + (last - first);
  } else {
    return parallel::copy(policy, first, last, out);
  }
}
template <class I, class O> O copy_from_device(I first, I last, O out) {
  typedef value_of<I> T;
  std::size_t n = last - first;
  if (n == 0) return out;
  passage<T> values(n);
  if constexpr (in_a_row<I>::value) {
    cudaMemcpy((void*)values.p, (const void*)raw(first), n * sizeof(T), cudaMemcpyDeviceToHost);
  } else {
    scratch<T> moved(device_policy(), n);
    parallel::transform(device_policy(), first, last, moved.get(), parallel::same_value());
    cudaMemcpy((void*)values.p, (const void*)moved.get(), n * sizeof(T), cudaMemcpyDeviceToHost);
  }
  for (std::size_t k = 0; k < n; ++k, ++out) *out = values.p[k];
  return out;
}
template <class I, class O> O copy_to_device(I first, I last, O out) {
  typedef value_of<O> T;
  std::size_t n = std::distance(first, last);
  if (n == 0) return out;
  passage<T> values(n);
  for (std::size_t k = 0; k < n; ++k, ++first) ::new ((void*)(values.p + k)) T(*first);
  if constexpr (in_a_row<O>::value) {
    cudaMemcpy((void*)raw(out), (const void*)values.p, n * sizeof(T), cudaMemcpyHostToDevice);
  } else {
    scratch<T> moved(device_policy(), n);
    cudaMemcpy((void*)moved.get(), (const void*)values.p, n * sizeof(T), cudaMemcpyHostToDevice);
    parallel::transform(device_policy(), moved.get(), moved.get() + n, out, parallel::same_value());
  }
  return out + n;
}
template <class P, class I, class O> O copy_by(const P& policy, I first, I last, O out) {
  if constexpr (is_device_policy<P>) return copy_within_device(policy, first, last, out);
  else return sequential::copy(first, last, out);
}
template <class I, class O> O copy_between(I first, I last, O out) {
  constexpr bool from = is_device<I>::value, to = is_device<O>::value;
  if constexpr ((from && (to || is_neutral<O>::value)) || (to && is_neutral<I>::value)) return copy_within_device(device_policy(), first, last, out);
  else if constexpr (from) return copy_from_device(first, last, out);
  else if constexpr (to) return copy_to_device(first, last, out);
  else return sequential::copy(first, last, out);
}
}  // namespace detail
template <class A, class B, class C> __host__ auto copy(A first, B last, C out) { return detail::copy_between((B)first, last, out); }
template <class P, class I, class O> __host__ auto copy(const P& policy, I first, I last, O out) { return detail::copy_by(policy, first, last, out); }
template <class A, class B, class C> __device__ auto copy(A first, B last, C out) { return detail::sequential::copy(first, last, out); }
template <class P, class I, class O> __device__ auto copy(const P&, I first, I last, O out) { return detail::sequential::copy(first, last, out); }
template <class I, class N, class O> __host__ O copy_n(I first, N n, O out) { return detail::copy_between(first, first + n, out); }
template <class P, class I, class N, class O> __host__ O copy_n(const P& policy, I first, N n, O out) { return detail::copy_by(policy, first, first + n, out); }
template <class I, class N, class O> __device__ O copy_n(I first, N n, O out) { return detail::sequential::copy_n(first, n, out); }
template <class P, class I, class N, class O> __device__ O copy_n(const P&, I first, N n, O out) { return detail::sequential::copy_n(first, n, out); }
template <class I, class O> O uninitialized_copy(I first, I last, O out) { return thrust::copy(first, last, out); }
template <class I, class T> void uninitialized_fill(I first, I last, const T& value) { thrust::fill(first, last, value); }

}  // namespace thrust
