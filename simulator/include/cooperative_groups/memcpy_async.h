/* memcpy_async of a group and the waits for it: copies in the largest units that both addresses allow, and what is left before and behind by bytes. */
#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC
#include "../cooperative_groups.h"
#include "../lanewise/async-copies.h"

namespace cooperative_groups {
namespace details {
template <class Group> constexpr bool copiesWithAllLanes = false;
template <unsigned int Size, class Parent> constexpr bool copiesWithAllLanes<thread_block_tile<Size, Parent>> = Size > 1;

template <::std::size_t Unit, class Group> __LANEWISE_DEVICE void copyUnits(const Group& group, char* to, const char* from, size_t count) {
  if (!__lanewise::isFromGlobalToShared(to, from)) return __lanewise::copyNow<Unit>(group, to, from, count);
  if constexpr (copiesWithAllLanes<Group>) {
    // Lanes for which the last round has nothing copy its last unit again.
    const unsigned int lanes = group.size(), left = (unsigned int)count & (lanes - 1);
    const size_t whole = count - left;
    for (size_t k = 0; k < whole; k += lanes) __lanewise::beginCopy<Unit>(to + (k + group.thread_rank()) * Unit, from + (k + group.thread_rank()) * Unit);
    if (left == 0) return;
    const size_t last = whole + (group.thread_rank() < left ? group.thread_rank() : left - 1);
    __lanewise::beginCopy<Unit>(to + last * Unit, from + last * Unit);
  } else {
    for (size_t k = group.thread_rank(); k < count; k += group.size()) __lanewise::beginCopy<Unit>(to + k * Unit, from + k * Unit);
  }
}
template <::std::size_t Unit, class Group> __LANEWISE_DEVICE void copyAround(const Group& group, char* to, const char* from, size_t bytes) {
  const size_t before = -(size_t)from & (Unit - 1), units = (bytes - before) / Unit, behind = before + units * Unit;
  __lanewise::copyNow<1>(group, to, from, before);
  copyUnits<Unit>(group, to + before, from + before, units);
  __lanewise::copyNow<1>(group, to + behind, from + behind, bytes - behind);
}
/* Of a known alignment of 4 bytes and more nothing else is looked at. */
template <::std::size_t Alignment, class Group> __LANEWISE_DEVICE void copyAsync(const Group& group, void* destination, const void* source, size_t bytes) {
  char* to = (char*)destination;
  const char* from = (const char*)source;
  if constexpr (Alignment >= 4) {
    constexpr ::std::size_t unit = Alignment > 16 ? 16 : Alignment;
    copyUnits<unit>(group, to, from, bytes / unit);
  } else {
    const unsigned int apart = ((unsigned int)(size_t)from ^ (unsigned int)(size_t)to) & 15;
    unsigned int unit = apart == 0 ? 16 : apart & -apart;
    if (unit < Alignment) unit = Alignment;
    if (bytes < unit) unit = Alignment;
    switch (unit) {
      case 4: copyAround<4>(group, to, from, bytes); break;
      case 8: copyAround<8>(group, to, from, bytes); break;
      case 16: copyAround<16>(group, to, from, bytes); break;
      case 2: __lanewise::copyNow<2>(group, to, from, bytes / 2); break;
      default: __lanewise::copyNow<1>(group, to, from, bytes);
    }
  }
}
template <class T, class Size> constexpr ::std::size_t copyAlignment = alignof(T);
template <class Size> constexpr ::std::size_t copyAlignment<void, Size> = 1;
template <class T, template <::std::size_t> class Aligned, ::std::size_t N> constexpr ::std::size_t copyAlignment<T, Aligned<N>> = N;
template <template <::std::size_t> class Aligned, ::std::size_t N> constexpr ::std::size_t copyAlignment<void, Aligned<N>> = N;
}  // namespace details

/* `size`: bytes. */
template <class Group, class T, class Size> __LANEWISE_DEVICE void memcpy_async(const Group& group, T* to, const T* from, const Size& size) {
  details::copyAsync<details::copyAlignment<T, Size>>(group, to, from, (size_t)size);
  __pipeline_commit();
}
template <class Group, class T, class U, class Size> __LANEWISE_DEVICE void memcpy_async(const Group& group, T* to, const U* from, const Size& size) {
  memcpy_async(group, to, (const T*)from, size);
}
/* `toCount`, `fromCount`: elements; the fewer are copied. */
template <class Group, class T, class ToCount, class FromCount>
__LANEWISE_DEVICE void memcpy_async(const Group& group, T* to, const ToCount& toCount, const T* from, const FromCount& fromCount) {
  const size_t count = (size_t)toCount < (size_t)fromCount ? (size_t)toCount : (size_t)fromCount;
  details::copyAsync<details::copyAlignment<T, ToCount>>(group, to, from, count * sizeof(T));
  __pipeline_commit();
}
template <unsigned int Latest, class Group> __LANEWISE_DEVICE void wait_prior(const Group& group) {
  __pipeline_wait_prior(Latest);
  group.sync();
}
template <class Group> __LANEWISE_DEVICE void wait(const Group& group) {
  __pipeline_wait_prior(0);
  group.sync();
}
}  // namespace cooperative_groups
#endif
