/** std::partial_sort: the least elements are kept in a heap, which is sorted at the end. */
#ifndef LANEWISE_STD_PARTIAL_SORT_H
#define LANEWISE_STD_PARTIAL_SORT_H

#include <__algorithm/comp.h>
#include <__algorithm/heap.h>
#include <__algorithm/iterator_operations.h>
#include <__config>
#include <__type_traits/is_same.h>
#include <__utility/move.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

/** What ranges::partial_sort does: the heap's greatest element changes places with a lesser one, which then rises. */
template <class _Policy, class _Iterator, class _Sentinel, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 _Iterator __select_by_swaps(_Iterator __first, _Iterator __middle, _Sentinel __last, _Compare& __less) {
  if (__first == __middle)
    return _IterOps<_Policy>::next(__middle, __last);
  std::__make_heap<_Policy>(__first, __middle, __less);
  _Iterator __at = __middle;
  for (; __at != __last; ++__at) {
    if (!__less(*__at, *__first))
      continue;
    std::__pop_heap<_Policy>(__first, __middle, __less, __middle - __first);
    _IterOps<_Policy>::iter_swap(__middle - 1, __at);
    std::__push_heap<_Policy>(__first, __middle, __less);
  }
  return __at;
}

template <class _Policy, class _Compare, class _Iterator, class _Sentinel>
_LIBCPP_CONSTEXPR_SINCE_CXX20 _Iterator __partial_sort(_Iterator __first, _Iterator __middle, _Sentinel __last, _Compare& __less) {
  const _Iterator __end = is_same<_Policy, _ClassicAlgPolicy>::value
                              ? std::__select_by_heap<_Policy>(__first, __middle, __last, __less)
                              : std::__select_by_swaps<_Policy>(__first, __middle, __last, __less);
  std::__sort_heap<_Policy>(std::move(__first), std::move(__middle), __less);
  return __end;
}

template <class _Iterator, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void partial_sort(_Iterator __first, _Iterator __middle, _Iterator __last, _Compare __less) {
  (void)std::__partial_sort<_ClassicAlgPolicy>(std::move(__first), std::move(__middle), std::move(__last), __less);
}

template <class _Iterator>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void partial_sort(_Iterator __first, _Iterator __middle, _Iterator __last) {
  std::partial_sort(std::move(__first), std::move(__middle), std::move(__last), __less<>());
}

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
