/* Reductions over tiles and coalesced groups. */
#ifndef _COOPERATIVE_GROUPS_REDUCE_H
#define _COOPERATIVE_GROUPS_REDUCE_H
#pragma GCC system_header
#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T> struct plus { __LANEWISE_METHOD T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { __LANEWISE_METHOD T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { __LANEWISE_METHOD T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { __LANEWISE_METHOD T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { __LANEWISE_METHOD T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { __LANEWISE_METHOD T operator()(T a, T b) const { return a ^ b; } };

template <unsigned int Size, class Parent, class T, class Operation>
__LANEWISE_DEVICE T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
  if constexpr (Size > 32) {
    return tile.__overWarps(reduce(thread_block_tile<32, void>(), value, operation), operation);
  } else {
    for (unsigned int offset = Size / 2; offset > 0; offset /= 2) value = operation(value, tile.shfl_xor(value, offset));
    return value;
  }
}
/* By halves, as the GPU's sums of floats show: those of the lower ranks take those of the higher, and rank 0 has the result. */
template <class T, class Operation> __LANEWISE_DEVICE T reduce(const coalesced_group& group, T value, Operation operation) {
  unsigned int size = group.size(), rank = group.thread_rank();
  for (unsigned int offset = size > 1 ? 1u << (31 - __clz((int)size - 1)) : 0; offset > 0; offset /= 2) {
    T above = group.shfl_down(value, offset);
    if (rank + offset < size) value = operation(value, above);
  }
  return group.shfl(value, 0);
}

/* The group's result, by one of its threads onto an atomic (cuda::atomic, cuda::atomic_ref), or into one. */
namespace details {
template <class Atomic, class T> __LANEWISE_DEVICE void update(Atomic& to, T value, plus<T>) { to.fetch_add(value); }
template <class Atomic, class T> __LANEWISE_DEVICE void update(Atomic& to, T value, less<T>) { to.fetch_min(value); }
template <class Atomic, class T> __LANEWISE_DEVICE void update(Atomic& to, T value, greater<T>) { to.fetch_max(value); }
template <class Atomic, class T> __LANEWISE_DEVICE void update(Atomic& to, T value, bit_and<T>) { to.fetch_and(value); }
template <class Atomic, class T> __LANEWISE_DEVICE void update(Atomic& to, T value, bit_or<T>) { to.fetch_or(value); }
template <class Atomic, class T> __LANEWISE_DEVICE void update(Atomic& to, T value, bit_xor<T>) { to.fetch_xor(value); }
}  // namespace details
template <class Group, class Atomic, class T, class Operation> __LANEWISE_DEVICE void reduce_update_async(const Group& group, Atomic& to, T value, Operation operation) {
  value = reduce(group, value, operation);
  if (group.thread_rank() == 0) details::update(to, value, operation);
}
template <class Group, class Atomic, class T, class Operation> __LANEWISE_DEVICE void reduce_store_async(const Group& group, Atomic& to, T value, Operation operation) {
  value = reduce(group, value, operation);
  if (group.thread_rank() == 0) to.store(value);
}

}  // namespace cooperative_groups
#endif
