/*
 * Copies by the threads of a group, together: by cp.async where they go from global to shared memory in units of 4, 8 or 16 bytes, and
 * otherwise by the threads themselves, at once. Which units, and who copies what, is what CUDA's libraries choose (their counters are compared).
 */
#pragma once
#include "../cuda_pipeline_primitives.h"

namespace __lanewise {
struct OneThread {
  __LANEWISE_METHOD unsigned int thread_rank() const { return 0; }
  __LANEWISE_METHOD unsigned int size() const { return 1; }
};
template <::std::size_t Bytes> struct alignas(Bytes) CopyUnit { char bytes[Bytes]; };

template <::std::size_t Bytes, class Group> __LANEWISE_BOTH void copyNow(const Group& group, char* to, const char* from, ::std::size_t count) {
  for (::std::size_t k = group.thread_rank(); k < count; k += group.size()) ((CopyUnit<Bytes>*)to)[k] = ((const CopyUnit<Bytes>*)from)[k];
}
__LANEWISE_BOTH bool isFromGlobalToShared(const void* to, const void* from) {
#ifdef __CUDA_ARCH__
  return __isShared(to) && __isGlobal(from);
#else
  return false;
#endif
}
template <::std::size_t Bytes> __LANEWISE_BOTH void beginCopy(char* to, const char* from) {
#ifdef __CUDA_ARCH__
  __pipeline_memcpy_async(to, from, Bytes);
#endif
}
__LANEWISE_BOTH void waitForCopies() {
#ifdef __CUDA_ARCH__
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
}  // namespace __lanewise
