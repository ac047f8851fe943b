/**
 * Heaps as libstdc++ keeps them: a hole sinks to the bottom along the greater children, and the value rises from there (Floyd 1964). Which
 * of equal elements comes first follows from that, and programs see it in priority queues and sorted pairs.
 */
#ifndef LANEWISE_STD_HEAP_H
#define LANEWISE_STD_HEAP_H

#include <__algorithm/comp.h>
#include <__algorithm/comp_ref_type.h>
#include <__algorithm/iterator_operations.h>
#include <__config>
#include <__iterator/iterator_traits.h>
#include <__utility/move.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Policy, class _Iterator>
using __element_of = typename _IterOps<_Policy>::template __value_type<_Iterator>;

template <class _Policy, class _Iterator, class _Distance, class _Value, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void
__rise(_Iterator __first, _Distance __hole, _Distance __top, _Value&& __value, _Compare& __less) {
  while (__hole > __top) {
    const _Distance __parent = (__hole - 1) / 2;
    if (!__less(*(__first + __parent), __value))
      break;
    *(__first + __hole) = _IterOps<_Policy>::__iter_move(__first + __parent);
    __hole = __parent;
  }
  *(__first + __hole) = std::move(__value);
}

template <class _Policy, class _Iterator, class _Distance, class _Value, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void
__sink(_Iterator __first, _Distance __top, _Distance __length, _Value&& __value, _Compare& __less) {
  _Distance __hole = __top;
  for (;;) {
    _Distance __child = 2 * __hole + 2;
    if (__child > __length)
      break;
    if (__child == __length || __less(*(__first + __child), *(__first + (__child - 1))))
      --__child;
    *(__first + __hole) = _IterOps<_Policy>::__iter_move(__first + __child);
    __hole = __child;
  }
  std::__rise<_Policy>(__first, __hole, __top, std::move(__value), __less);
}

/** Puts the greatest at `__place` and what was there into the heap [first, last). */
template <class _Policy, class _Iterator, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void __take_greatest(_Iterator __first, _Iterator __last, _Iterator __place, _Compare& __less) {
  typedef typename iterator_traits<_Iterator>::difference_type _Distance;
  __element_of<_Policy, _Iterator> __value(_IterOps<_Policy>::__iter_move(__place));
  *__place = _IterOps<_Policy>::__iter_move(__first);
  std::__sink<_Policy>(__first, _Distance(0), _Distance(__last - __first), std::move(__value), __less);
}

template <class _Policy, class _Compare, class _Iterator>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void __make_heap(_Iterator __first, _Iterator __last, _Compare&& __less) {
  typedef typename iterator_traits<_Iterator>::difference_type _Distance;
  const _Distance __length = __last - __first;
  for (_Distance __at = __length / 2; __at-- > 0;) {
    __element_of<_Policy, _Iterator> __value(_IterOps<_Policy>::__iter_move(__first + __at));
    std::__sink<_Policy>(__first, __at, __length, std::move(__value), __less);
  }
}

template <class _Policy, class _Iterator, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void __push_heap(_Iterator __first, _Iterator __last, _Compare& __less) {
  typedef typename iterator_traits<_Iterator>::difference_type _Distance;
  if (__first == __last)
    return;
  __element_of<_Policy, _Iterator> __value(_IterOps<_Policy>::__iter_move(__last - 1));
  std::__rise<_Policy>(__first, _Distance(__last - __first) - 1, _Distance(0), std::move(__value), __less);
}

template <class _Policy, class _Compare, class _Iterator>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void __pop_heap(_Iterator __first, _Iterator __last, _Compare& __less,
                                              typename iterator_traits<_Iterator>::difference_type __length) {
  if (__length < 2)
    return;
  --__last;
  std::__take_greatest<_Policy>(__first, __last, __last, __less);
}

template <class _Policy, class _Compare, class _Iterator>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void __sort_heap(_Iterator __first, _Iterator __last, _Compare&& __less) {
  while (__last - __first > 1) {
    --__last;
    std::__take_greatest<_Policy>(__first, __last, __last, __less);
  }
}

/** Makes a heap of the least elements in [first, middle). */
template <class _Policy, class _Iterator, class _Sentinel, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 _Iterator __select_by_heap(_Iterator __first, _Iterator __middle, _Sentinel __last, _Compare& __less) {
  std::__make_heap<_Policy>(__first, __middle, __less);
  _Iterator __at = __middle;
  for (; __at != __last; ++__at)
    if (__less(*__at, *__first))
      std::__take_greatest<_Policy>(__first, __middle, __at, __less);
  return __at;
}

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
