/* cuda::memcpy_async, whose copies happen at once: one of the orders that hardware allows. So whoever is to be told of them has nothing to wait for. */
#pragma once
#include "cuda-synchronisation.h"

namespace cuda {
template <::std::size_t Alignment> struct aligned_size_t {
  static constexpr ::std::size_t align = Alignment;
  ::std::size_t value;
  __LANEWISE_METHOD constexpr explicit aligned_size_t(::std::size_t size) : value(size) {}
  __LANEWISE_METHOD constexpr operator ::std::size_t() const { return value; }
};
}  // namespace cuda

namespace __lanewise {
struct OneThread {
  __LANEWISE_METHOD unsigned int thread_rank() const { return 0; }
  __LANEWISE_METHOD unsigned int size() const { return 1; }
};
template <class Size> constexpr ::std::size_t knownAlignment = 1;
template <::std::size_t N> constexpr ::std::size_t knownAlignment<cuda::aligned_size_t<N>> = N;

template <class Unit, class Group> __LANEWISE_BOTH void copyUnits(const Group& group, void* to, const void* from, ::std::size_t bytes) {
  for (::std::size_t k = group.thread_rank(); k < bytes / sizeof(Unit); k += group.size()) ((Unit*)to)[k] = ((const Unit*)from)[k];
}
/* In the largest units of cp.async that the types' alignment allows. */
template <::std::size_t Alignment, class Group> __LANEWISE_BOTH void copyTogether(const Group& group, void* to, const void* from, ::std::size_t bytes) {
  if constexpr (Alignment >= 16) { if (bytes % 16 == 0) return copyUnits<int4>(group, to, from, bytes); }
  if constexpr (Alignment >= 8) { if (bytes % 8 == 0) return copyUnits<int2>(group, to, from, bytes); }
  if constexpr (Alignment >= 4) { if (bytes % 4 == 0) return copyUnits<int>(group, to, from, bytes); }
  copyUnits<char>(group, to, from, bytes);
}
template <class T, class Size> constexpr ::std::size_t copyAlignment = alignof(T) > knownAlignment<Size> ? alignof(T) : knownAlignment<Size>;
template <class Size> constexpr ::std::size_t copyAlignment<void, Size> = knownAlignment<Size>;
template <class T, class Size, class Group> __LANEWISE_BOTH void copyAsync(const Group& group, T* to, const T* from, Size size) {
  copyTogether<copyAlignment<T, Size>>(group, to, from, (::std::size_t)size);
}
}  // namespace __lanewise

namespace cuda {
template <class T, class Size, thread_scope S, class C> __host__ __device__ void memcpy_async(T* to, const T* from, Size size, barrier<S, C>&) {
  __lanewise::copyAsync(__lanewise::OneThread(), to, from, size);
}
template <class Group, class T, class Size, thread_scope S, class C>
__host__ __device__ void memcpy_async(const Group& group, T* to, const T* from, Size size, barrier<S, C>&) {
  __lanewise::copyAsync(group, to, from, size);
}

/* Copies by one thread of multiples of 16 bytes, whose barrier waits for their bytes: cp.async.bulk. */
namespace device {
namespace experimental {
__LANEWISE_DEVICE void cp_async_bulk_global_to_shared(void* to, const void* from, ::std::uint32_t bytes, barrier<thread_scope_block>& at) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)),
               "r"(bytes), "r"((unsigned int)__cvta_generic_to_shared(barrier_native_handle(at))) : "memory");
}
__LANEWISE_DEVICE void cp_async_bulk_shared_to_global(void* to, const void* from, ::std::uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)), "r"((unsigned int)__cvta_generic_to_shared(from)), "r"(bytes) : "memory");
}
__LANEWISE_DEVICE void cp_async_bulk_commit_group() {}
template <int Most> __LANEWISE_DEVICE void cp_async_bulk_wait_group_read() {}
__LANEWISE_DEVICE void fence_proxy_async_shared_cta() { __threadfence_block(); }
}  // namespace experimental
template <class T, ::std::size_t Alignment> __LANEWISE_DEVICE void memcpy_async_tx(T* to, const T* from, aligned_size_t<Alignment> size, barrier<thread_scope_block>& at) {
  experimental::cp_async_bulk_global_to_shared(to, from, (::std::uint32_t)size, at);
}
}  // namespace device
}  // namespace cuda
