/* Prefix sums over tiles and coalesced groups. */
#ifndef _COOPERATIVE_GROUPS_SCAN_H
#define _COOPERATIVE_GROUPS_SCAN_H
#pragma GCC system_header
#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Operation> __LANEWISE_DEVICE T inclusive_scan(const Group& group, T value, Operation operation) {
  for (unsigned int offset = 1; offset < group.size(); offset *= 2) {
    T below = group.shfl_up(value, offset);
    if (group.thread_rank() >= offset) value = operation(value, below);
  }
  return value;
}
/* Over several warps: what those before have comes first. */
template <unsigned int Size, class Parent, class T, class Operation, class = decltype(thread_block_tile<Size, Parent>::__warpsBefore())>
__LANEWISE_DEVICE T inclusive_scan(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
  T own = inclusive_scan(thread_block_tile<32, void>(), value, operation);
  T before = tile.__ofWarps(own, operation, tile.__warpsBefore(), own);
  return tile.__warpsBefore() == 0 ? own : operation(before, own);
}
template <unsigned int Size, class Parent, class T, class Operation, class = decltype(thread_block_tile<Size, Parent>::__warpsBefore())>
__LANEWISE_DEVICE T exclusive_scan(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
  thread_block_tile<32, void> warp;
  T own = inclusive_scan(warp, value, operation);
  T before = tile.__ofWarps(own, operation, tile.__warpsBefore(), own);
  T below = warp.shfl_up(own, 1);
  if (warp.thread_rank() == 0) return tile.__warpsBefore() == 0 ? T() : before;
  return tile.__warpsBefore() == 0 ? below : operation(before, below);
}
template <class Group, class T> __LANEWISE_DEVICE T inclusive_scan(const Group& group, T value) { return inclusive_scan(group, value, plus<T>()); }
template <class Group, class T, class Operation> __LANEWISE_DEVICE T exclusive_scan(const Group& group, T value, Operation operation) {
  T below = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : below;
}
template <class Group, class T> __LANEWISE_DEVICE T exclusive_scan(const Group& group, T value) { return exclusive_scan(group, value, plus<T>()); }

}  // namespace cooperative_groups
#endif
