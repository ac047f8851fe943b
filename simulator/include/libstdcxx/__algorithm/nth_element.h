/** std::nth_element; how is said in introsort.h. */
#ifndef LANEWISE_STD_NTH_ELEMENT_H
#define LANEWISE_STD_NTH_ELEMENT_H

#include <__algorithm/comp.h>
#include <__algorithm/introsort.h>
#include <__algorithm/iterator_operations.h>
#include <__config>
#include <__utility/move.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

// The name that ranges::nth_element calls.
template <class _Policy, class _Compare, class _Iterator>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void __nth_element_impl(_Iterator __first, _Iterator __nth, _Iterator __last, _Compare& __less) {
  std::__introselect<_Policy>(std::move(__first), std::move(__nth), std::move(__last), __less);
}

template <class _Iterator, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void nth_element(_Iterator __first, _Iterator __nth, _Iterator __last, _Compare __less) {
  std::__introselect<_ClassicAlgPolicy>(std::move(__first), std::move(__nth), std::move(__last), __less);
}

template <class _Iterator>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void nth_element(_Iterator __first, _Iterator __nth, _Iterator __last) {
  std::nth_element(std::move(__first), std::move(__nth), std::move(__last), __less<>());
}

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
