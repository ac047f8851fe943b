/* Algorithms with a policy first: thrust::device makes plain pointers device pointers, thrust::host and thrust::seq leave all as it is. */
#pragma once
#pragma GCC system_header
#include "copy.h"
#include "fill.h"
#include "for_each.h"
#include "reduce.h"
#include "scan.h"
#include "sort.h"
#include "transform.h"

namespace thrust {

#define __LANEWISE_THRUST_POLICY(name) \
  template <class... A> auto name(const device_execution_policy&, A... arguments) { return thrust::name(detail::in_device_memory(arguments)...); } \
  template <class... A> auto name(const host_execution_policy&, A... arguments) { return thrust::name(arguments...); } \
  template <class... A> auto name(const sequential_execution_policy&, A... arguments) { return thrust::name(arguments...); }
__LANEWISE_THRUST_POLICY(copy)
__LANEWISE_THRUST_POLICY(copy_n)
__LANEWISE_THRUST_POLICY(copy_if)
__LANEWISE_THRUST_POLICY(fill)
__LANEWISE_THRUST_POLICY(fill_n)
__LANEWISE_THRUST_POLICY(sequence)
__LANEWISE_THRUST_POLICY(generate)
__LANEWISE_THRUST_POLICY(for_each)
__LANEWISE_THRUST_POLICY(for_each_n)
__LANEWISE_THRUST_POLICY(transform)
__LANEWISE_THRUST_POLICY(reduce)
__LANEWISE_THRUST_POLICY(transform_reduce)
__LANEWISE_THRUST_POLICY(inner_product)
__LANEWISE_THRUST_POLICY(count)
__LANEWISE_THRUST_POLICY(count_if)
__LANEWISE_THRUST_POLICY(max_element)
__LANEWISE_THRUST_POLICY(min_element)
__LANEWISE_THRUST_POLICY(inclusive_scan)
__LANEWISE_THRUST_POLICY(exclusive_scan)
__LANEWISE_THRUST_POLICY(sort)
__LANEWISE_THRUST_POLICY(stable_sort)
__LANEWISE_THRUST_POLICY(sort_by_key)
#undef __LANEWISE_THRUST_POLICY

}  // namespace thrust
