/* cuda::memcpy_async, which reports to a barrier (cuda::pipeline's is in <cuda/pipeline>). */
#pragma once
#include "async-copies.h"
#include "cuda-synchronisation.h"

/* <cuda.h> has it. */
struct CUtensorMap_st;

namespace cuda {
template <::std::size_t Alignment> struct aligned_size_t {
  static constexpr ::std::size_t align = Alignment;
  ::std::size_t value;
  __LANEWISE_METHOD constexpr explicit aligned_size_t(::std::size_t size) : value(size) {}
  __LANEWISE_METHOD constexpr operator ::std::size_t() const { return value; }
};
/* Whether the copy was left to hardware, or done where it was called. */
enum class async_contract_fulfillment { none, async };
}  // namespace cuda

namespace __lanewise {
template <class Size> constexpr ::std::size_t knownAlignment = 1;
template <::std::size_t N> constexpr ::std::size_t knownAlignment<cuda::aligned_size_t<N>> = N;
template <class T, class Size> constexpr ::std::size_t copyAlignment = alignof(T) > knownAlignment<Size> ? alignof(T) : knownAlignment<Size>;
template <class Size> constexpr ::std::size_t copyAlignment<void, Size> = knownAlignment<Size>;

/* In units of the alignment, at most 16 bytes. Whether copies have begun for which somebody has to wait. */
template <::std::size_t Alignment, class Group> __LANEWISE_BOTH bool copyTogether(const Group& group, char* to, const char* from, ::std::size_t bytes) {
  constexpr ::std::size_t unit = Alignment > 16 ? 16 : Alignment;
  if constexpr (unit >= 4) {
    if (isFromGlobalToShared(to, from)) {
      for (int at = (int)(group.thread_rank() * unit); at < (int)bytes; at += (int)(group.size() * unit)) beginCopy<unit>(to + at, from + at);
      return true;
    }
  }
  copyNow<unit>(group, to, from, (bytes + unit - 1) / unit);
  return false;
}
/* A barrier of the block in shared memory hears of the copies; others make their thread wait. */
template <cuda::thread_scope S, class C> __LANEWISE_BOTH void arriveForCopies(cuda::barrier<S, C>& barrier) {
#ifdef __CUDA_ARCH__
  if constexpr (S == cuda::thread_scope_block && ::std::is_same<C, NoCompletion>::value) {
    if (__isShared(&barrier)) return __pipeline_arrive_on((__mbarrier_t*)&barrier);
  }
#endif
  waitForCopies();
}
template <class T, class Size, class Group, cuda::thread_scope S, class C>
__LANEWISE_BOTH cuda::async_contract_fulfillment copyForBarrier(const Group& group, T* to, const T* from, Size size, cuda::barrier<S, C>& barrier) {
  if (!copyTogether<copyAlignment<T, Size>>(group, (char*)to, (const char*)from, (::std::size_t)size)) return cuda::async_contract_fulfillment::none;
  arriveForCopies(barrier);
  return cuda::async_contract_fulfillment::async;
}
}  // namespace __lanewise

namespace cuda {
template <class T, class Size, thread_scope S, class C>
__host__ __device__ async_contract_fulfillment memcpy_async(T* to, const T* from, Size size, barrier<S, C>& barrier) {
  return __lanewise::copyForBarrier(__lanewise::OneThread(), to, from, size, barrier);
}
template <class Group, class T, class Size, thread_scope S, class C>
__host__ __device__ async_contract_fulfillment memcpy_async(const Group& group, T* to, const T* from, Size size, barrier<S, C>& barrier) {
  return __lanewise::copyForBarrier(group, to, from, size, barrier);
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
__LANEWISE_DEVICE void cp_async_bulk_tensor_1d_global_to_shared(void* to, const ::CUtensorMap_st* map, int c0, barrier<thread_scope_block>& at) {
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(map),
               "r"(c0), "r"((unsigned int)__cvta_generic_to_shared(barrier_native_handle(at))) : "memory");
}
__LANEWISE_DEVICE void cp_async_bulk_tensor_1d_shared_to_global(const ::CUtensorMap_st* map, int c0, const void* from) {
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%1}], [%2];" ::"l"(map), "r"(c0),
               "r"((unsigned int)__cvta_generic_to_shared(from)) : "memory");
}
__LANEWISE_DEVICE void cp_async_bulk_tensor_2d_global_to_shared(void* to, const ::CUtensorMap_st* map, int c0, int c1, barrier<thread_scope_block>& at) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(map),
               "r"(c0), "r"(c1), "r"((unsigned int)__cvta_generic_to_shared(barrier_native_handle(at))) : "memory");
}
__LANEWISE_DEVICE void cp_async_bulk_tensor_2d_shared_to_global(const ::CUtensorMap_st* map, int c0, int c1, const void* from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map), "r"(c0), "r"(c1),
               "r"((unsigned int)__cvta_generic_to_shared(from)) : "memory");
}
__LANEWISE_DEVICE void cp_async_bulk_tensor_3d_global_to_shared(void* to, const ::CUtensorMap_st* map, int c0, int c1, int c2, barrier<thread_scope_block>& at) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(map),
               "r"(c0), "r"(c1), "r"(c2), "r"((unsigned int)__cvta_generic_to_shared(barrier_native_handle(at))) : "memory");
}
__LANEWISE_DEVICE void cp_async_bulk_tensor_3d_shared_to_global(const ::CUtensorMap_st* map, int c0, int c1, int c2, const void* from) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(map), "r"(c0), "r"(c1), "r"(c2),
               "r"((unsigned int)__cvta_generic_to_shared(from)) : "memory");
}
__LANEWISE_DEVICE void cp_async_bulk_tensor_4d_global_to_shared(void* to, const ::CUtensorMap_st* map, int c0, int c1, int c2, int c3, barrier<thread_scope_block>& at) {
  asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(map),
               "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"((unsigned int)__cvta_generic_to_shared(barrier_native_handle(at))) : "memory");
}
__LANEWISE_DEVICE void cp_async_bulk_tensor_4d_shared_to_global(const ::CUtensorMap_st* map, int c0, int c1, int c2, int c3, const void* from) {
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4}], [%5];" ::"l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3),
               "r"((unsigned int)__cvta_generic_to_shared(from)) : "memory");
}
__LANEWISE_DEVICE void cp_async_bulk_tensor_5d_global_to_shared(void* to, const ::CUtensorMap_st* map, int c0, int c1, int c2, int c3, int c4, barrier<thread_scope_block>& at) {
  asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5, %6}], [%7];" ::"r"((unsigned int)__cvta_generic_to_shared(to)), "l"(map),
               "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4), "r"((unsigned int)__cvta_generic_to_shared(barrier_native_handle(at))) : "memory");
}
__LANEWISE_DEVICE void cp_async_bulk_tensor_5d_shared_to_global(const ::CUtensorMap_st* map, int c0, int c1, int c2, int c3, int c4, const void* from) {
  asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%1, %2, %3, %4, %5}], [%6];" ::"l"(map), "r"(c0), "r"(c1), "r"(c2), "r"(c3), "r"(c4),
               "r"((unsigned int)__cvta_generic_to_shared(from)) : "memory");
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
