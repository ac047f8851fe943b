/**
 * Sorting as libstdc++ does it: Musser's introsort (1997), quicksort by the median of three down to 16 elements, a heap sort where that
 * goes too deep, and one insertion sort at the end. Where elements are equal, or a comparison contradicts itself, programs see the steps.
 */
#ifndef LANEWISE_STD_INTROSORT_H
#define LANEWISE_STD_INTROSORT_H

#include <__algorithm/heap.h>
#include <__algorithm/iterator_operations.h>
#include <__config>
#include <__iterator/iterator_traits.h>
#include <__utility/move.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

/** Twice the binary logarithm: how deep quicksort may go. */
template <class _Distance>
_LIBCPP_CONSTEXPR_SINCE_CXX20 int __depth_for(_Distance __length) {
  return 2 * (63 - __builtin_clzll((unsigned long long)__length));
}

/** There is an element before `__at` that is not greater. */
template <class _Policy, class _Iterator, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void __insert_unguarded(_Iterator __at, _Compare& __less) {
  __element_of<_Policy, _Iterator> __value(_IterOps<_Policy>::__iter_move(__at));
  for (_Iterator __before = __at; __less(__value, *--__before); __at = __before)
    *__at = _IterOps<_Policy>::__iter_move(__before);
  *__at = std::move(__value);
}

template <class _Policy, class _Compare, class _Iterator>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void __insertion_sort(_Iterator __first, _Iterator __last, _Compare&& __less) {
  if (__first == __last)
    return;
  for (_Iterator __at = __first + 1; __at != __last; ++__at) {
    if (!__less(*__at, *__first)) {
      std::__insert_unguarded<_Policy>(__at, __less);
      continue;
    }
    __element_of<_Policy, _Iterator> __value(_IterOps<_Policy>::__iter_move(__at));
    for (_Iterator __hole = __at; __hole != __first; --__hole)
      *__hole = _IterOps<_Policy>::__iter_move(__hole - 1);
    *__first = std::move(__value);
  }
}

/** Swaps the median of three elements to `__first`. */
template <class _Policy, class _Iterator, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void
__median_to(_Iterator __first, _Iterator __a, _Iterator __b, _Iterator __c, _Compare& __less) {
  const bool __ordered = __less(*__a, *__b);
  const _Iterator __low = __ordered ? __a : __b;
  const _Iterator __high = __ordered ? __b : __a;
  const _Iterator __median = __less(*__high, *__c) ? __high : __less(*__low, *__c) ? __c : __low;
  _IterOps<_Policy>::iter_swap(__first, __median);
}

/** Where the upper part begins; the pivot stays at `__first`. */
template <class _Policy, class _Iterator, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 _Iterator __partition_by_median(_Iterator __first, _Iterator __last, _Compare& __less) {
  std::__median_to<_Policy>(__first, __first + 1, __first + (__last - __first) / 2, __last - 1, __less);
  _Iterator __low = __first + 1;
  for (;; ++__low) {
    while (__less(*__low, *__first))
      ++__low;
    --__last;
    while (__less(*__first, *__last))
      --__last;
    if (!(__low < __last))
      return __low;
    _IterOps<_Policy>::iter_swap(__low, __last);
  }
}

template <class _Policy, class _Iterator, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void __quicksort(_Iterator __first, _Iterator __last, int __depth, _Compare& __less) {
  while (__last - __first > 16) {
    if (__depth-- == 0) {
      std::__select_by_heap<_Policy>(__first, __last, __last, __less);
      std::__sort_heap<_Policy>(__first, __last, __less);
      return;
    }
    const _Iterator __upper = std::__partition_by_median<_Policy>(__first, __last, __less);
    std::__quicksort<_Policy>(__upper, __last, __depth, __less);
    __last = __upper;
  }
}

template <class _Policy, class _Iterator, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void __introsort(_Iterator __first, _Iterator __last, _Compare& __less) {
  if (__first == __last)
    return;
  std::__quicksort<_Policy>(__first, __last, std::__depth_for(__last - __first), __less);
  if (__last - __first <= 16) {
    std::__insertion_sort<_Policy>(__first, __last, __less);
    return;
  }
  std::__insertion_sort<_Policy>(__first, __first + 16, __less);
  for (_Iterator __at = __first + 16; __at != __last; ++__at)
    std::__insert_unguarded<_Policy>(__at, __less);
}

template <class _Policy, class _Iterator, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void __introselect(_Iterator __first, _Iterator __nth, _Iterator __last, _Compare& __less) {
  if (__first == __last || __nth == __last)
    return;
  int __depth = std::__depth_for(__last - __first);
  while (__last - __first > 3) {
    if (__depth-- == 0) {
      std::__select_by_heap<_Policy>(__first, __nth + 1, __last, __less);
      _IterOps<_Policy>::iter_swap(__first, __nth);
      return;
    }
    const _Iterator __upper = std::__partition_by_median<_Policy>(__first, __last, __less);
    if (__upper <= __nth)
      __first = __upper;
    else
      __last = __upper;
  }
  std::__insertion_sort<_Policy>(__first, __last, __less);
}

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
