/**
 * std::transform_reduce and reduce: libstdc++ takes four elements at a time where it can, as ((1 2) (3 4)), which sums of floating-point
 * numbers show.
 */
#ifndef LANEWISE_STD_TRANSFORM_REDUCE_H
#define LANEWISE_STD_TRANSFORM_REDUCE_H

#include <__config>
#include <__functional/operations.h>
#include <__iterator/iterator_traits.h>
#include <__utility/move.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

#if _LIBCPP_STD_VER >= 17

/** `__next()` gives the elements in turn. */
template <class _Count, class _Value, class _Operation, class _Next>
_LIBCPP_CONSTEXPR_SINCE_CXX20 _Value __reduce_by_four(_Count __count, _Value __value, _Operation& __operation, _Next __next) {
  for (; __count >= 4; __count -= 4) {
    auto&& __a = __next();
    _Value __left = __operation(__a, __next());
    auto&& __c = __next();
    _Value __right = __operation(__c, __next());
    _Value __all = __operation(__left, __right);
    __value = __operation(__value, __all);
  }
  for (; __count > 0; --__count)
    __value = __operation(__value, __next());
  return __value;
}

template <class _Iterator, class _Value, class _Reduce, class _Transform>
_LIBCPP_CONSTEXPR_SINCE_CXX20 _Value
transform_reduce(_Iterator __first, _Iterator __last, _Value __value, _Reduce __reduce, _Transform __transform) {
  if constexpr (__has_random_access_iterator_category<_Iterator>::value) {
    return std::__reduce_by_four(__last - __first, std::move(__value), __reduce,
                                 [&]() -> decltype(auto) { return __transform(*__first++); });
  } else {
    for (; __first != __last; ++__first)
      __value = __reduce(__value, __transform(*__first));
    return __value;
  }
}

template <class _Iterator1, class _Iterator2, class _Value, class _Reduce, class _Transform>
_LIBCPP_CONSTEXPR_SINCE_CXX20 _Value transform_reduce(_Iterator1 __first1, _Iterator1 __last1, _Iterator2 __first2, _Value __value,
                                                      _Reduce __reduce, _Transform __transform) {
  if constexpr (__has_random_access_iterator_category<_Iterator1>::value && __has_random_access_iterator_category<_Iterator2>::value) {
    return std::__reduce_by_four(__last1 - __first1, std::move(__value), __reduce,
                                 [&]() -> decltype(auto) { return __transform(*__first1++, *__first2++); });
  } else {
    for (; __first1 != __last1; ++__first1, (void)++__first2)
      __value = __reduce(__value, __transform(*__first1, *__first2));
    return __value;
  }
}

template <class _Iterator1, class _Iterator2, class _Value>
_LIBCPP_CONSTEXPR_SINCE_CXX20 _Value
transform_reduce(_Iterator1 __first1, _Iterator1 __last1, _Iterator2 __first2, _Value __value) {
  return std::transform_reduce(__first1, __last1, __first2, std::move(__value), std::plus<>(), std::multiplies<>());
}

template <class _Iterator, class _Value, class _Operation>
_LIBCPP_CONSTEXPR_SINCE_CXX20 _Value reduce(_Iterator __first, _Iterator __last, _Value __value, _Operation __operation) {
  if constexpr (__has_random_access_iterator_category<_Iterator>::value) {
    return std::__reduce_by_four(__last - __first, std::move(__value), __operation, [&]() -> decltype(auto) { return *__first++; });
  } else {
    for (; __first != __last; ++__first)
      __value = __operation(__value, *__first);
    return __value;
  }
}

template <class _Iterator, class _Value>
_LIBCPP_CONSTEXPR_SINCE_CXX20 _Value reduce(_Iterator __first, _Iterator __last, _Value __value) {
  return std::reduce(__first, __last, std::move(__value), std::plus<>());
}

template <class _Iterator>
_LIBCPP_CONSTEXPR_SINCE_CXX20 typename iterator_traits<_Iterator>::value_type reduce(_Iterator __first, _Iterator __last) {
  return std::reduce(__first, __last, typename iterator_traits<_Iterator>::value_type{});
}

#endif

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
