/** std::partial_sort_copy: the least elements are kept in a heap, which is sorted at the end. */
#ifndef LANEWISE_STD_PARTIAL_SORT_COPY_H
#define LANEWISE_STD_PARTIAL_SORT_COPY_H

#include <__algorithm/comp.h>
#include <__algorithm/heap.h>
#include <__algorithm/iterator_operations.h>
#include <__algorithm/make_projected.h>
#include <__config>
#include <__functional/identity.h>
#include <__type_traits/invoke.h>
#include <__type_traits/is_same.h>
#include <__utility/move.h>
#include <__utility/pair.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

// The name that ranges::partial_sort_copy calls.
template <class _Policy, class _Compare, class _Input, class _End, class _Iterator, class _Result_end, class _Projection1,
          class _Projection2>
_LIBCPP_CONSTEXPR_SINCE_CXX20 pair<_Input, _Iterator>
__partial_sort_copy(_Input __first, _End __last, _Iterator __result, _Result_end __result_last, _Compare&& __comp,
                    _Projection1&& __projection1, _Projection2&& __projection2) {
  typedef typename iterator_traits<_Iterator>::difference_type _Distance;
  auto&& __less = std::__make_projected(__comp, __projection2);
  _Iterator __end = __result;
  for (; __first != __last && __end != __result_last; ++__first, (void)++__end)
    *__end = *__first;
  if (__end != __result) {
    std::__make_heap<_Policy>(__result, __end, __less);
    for (; __first != __last; ++__first)
      if (std::__invoke(__comp, std::__invoke(__projection1, *__first), std::__invoke(__projection2, *__result))) {
        if (!is_same<_Policy, _ClassicAlgPolicy>::value) {
          // As ranges::partial_sort does.
          std::__pop_heap<_Policy>(__result, __end, __less, __end - __result);
          *(__end - 1) = *__first;
          std::__push_heap<_Policy>(__result, __end, __less);
          continue;
        }
        __element_of<_Policy, _Input> __value(*__first);
        std::__sink<_Policy>(__result, _Distance(0), _Distance(__end - __result), std::move(__value), __less);
      }
    std::__sort_heap<_Policy>(__result, __end, __less);
  }
  return pair<_Input, _Iterator>(_IterOps<_Policy>::next(std::move(__first), std::move(__last)), std::move(__end));
}

template <class _Input, class _Iterator, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 _Iterator
partial_sort_copy(_Input __first, _Input __last, _Iterator __result, _Iterator __result_last, _Compare __less) {
  return std::__partial_sort_copy<_ClassicAlgPolicy>(__first, __last, __result, __result_last, __less, __identity(), __identity())
      .second;
}

template <class _Input, class _Iterator>
_LIBCPP_CONSTEXPR_SINCE_CXX20 _Iterator partial_sort_copy(_Input __first, _Input __last, _Iterator __result, _Iterator __result_last) {
  return std::partial_sort_copy(__first, __last, __result, __result_last, __less<>());
}

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
