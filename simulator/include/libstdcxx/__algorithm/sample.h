/** std::sample as libstdc++ does it: a reservoir for input iterators, selection for others, two choices from a number where it suffices. */
#ifndef LANEWISE_STD_SAMPLE_H
#define LANEWISE_STD_SAMPLE_H

#include <__algorithm/iterator_operations.h>
#include <__algorithm/shuffle.h>
#include <__config>
#include <__iterator/iterator_traits.h>
#include <__random/uniform_int_distribution.h>
#include <__type_traits/common_type.h>
#include <__type_traits/make_unsigned.h>
#include <__type_traits/remove_reference.h>
#include <__utility/move.h>
#include <__utility/pair.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Policy, class _Iterator, class _Sentinel, class _Output, class _Size, class _Engine>
_Output __sample(_Iterator __first, _Sentinel __last, _Output __out, _Size __wanted, _Engine& __engine, input_iterator_tag) {
  _Size __taken = 0;
  for (; __first != __last && __taken != __wanted; ++__first, (void)++__taken)
    __out[__taken] = *__first;
  uniform_int_distribution<_Size> __places;
  for (_Size __seen = __taken; __first != __last; ++__first, (void)++__seen) {
    const _Size __place = __places(__engine, typename uniform_int_distribution<_Size>::param_type(0, __seen));
    if (__place < __wanted)
      __out[__place] = *__first;
  }
  return __out + __taken;
}

template <class _Policy, class _Iterator, class _Sentinel, class _Output, class _Size, class _Engine>
_Output __sample(_Iterator __first, _Sentinel __last, _Output __out, _Size __wanted, _Engine& __engine, forward_iterator_tag) {
  typedef __libcpp_remove_reference_t<_Engine> _Bare;
  typedef typename common_type<typename _Bare::result_type, __make_unsigned_t<_Size> >::type _Word;
  if (__first == __last)
    return __out;
  _Size __left = _IterOps<_Policy>::distance(__first, __last);
  if (__left < __wanted)
    __wanted = __left;
  const auto __take_if = [&](bool __chosen) {
    --__left;
    if (__chosen) {
      *__out = *__first;
      ++__out;
      --__wanted;
    }
    ++__first;
  };
  if (std::__says_two_places<_Word, _Bare>(_Word(__left)))
    while (__wanted != 0 && __left >= 2) {
      const pair<_Size, _Size> __two = std::__two_below(__left, _Size(__left - 1), __engine);
      __take_if(__two.first < __wanted);
      if (__wanted != 0)
        __take_if(__two.second < __wanted);
    }
  uniform_int_distribution<_Size> __places;
  while (__wanted != 0)
    __take_if(__places(__engine, typename uniform_int_distribution<_Size>::param_type(0, _Size(__left - 1))) < __wanted);
  return __out;
}

template <class _Policy, class _Iterator, class _Sentinel, class _Output, class _Size, class _Engine>
_Output __sample(_Iterator __first, _Sentinel __last, _Output __out, _Size __wanted, _Engine& __engine) {
  typedef typename _IterOps<_Policy>::template __iterator_category<_Iterator> _Category;
  typedef typename _IterOps<_Policy>::template __difference_type<_Iterator> _Distance;
  return std::__sample<_Policy>(std::move(__first), std::move(__last), std::move(__out), _Distance(__wanted), __engine, _Category());
}

#if _LIBCPP_STD_VER >= 17
template <class _Iterator, class _Output, class _Size, class _Engine>
_Output sample(_Iterator __first, _Iterator __last, _Output __out, _Size __wanted, _Engine&& __engine) {
  static_assert(__has_forward_iterator_category<_Iterator>::value || __has_random_access_iterator_category<_Output>::value,
                "output range must use a RandomAccessIterator when input range does not meet the ForwardIterator requirements");
  return std::__sample<_ClassicAlgPolicy>(std::move(__first), std::move(__last), std::move(__out), __wanted, __engine);
}
#endif

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
