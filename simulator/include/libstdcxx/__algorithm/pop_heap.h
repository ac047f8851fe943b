/** std::pop_heap; how is said in heap.h. */
#ifndef LANEWISE_STD_POP_HEAP_H
#define LANEWISE_STD_POP_HEAP_H

#include <__algorithm/comp.h>
#include <__algorithm/heap.h>
#include <__algorithm/iterator_operations.h>
#include <__config>
#include <__utility/move.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Iterator, class _Compare>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void pop_heap(_Iterator __first, _Iterator __last, _Compare __less) {
  const auto __length = __last - __first;
  std::__pop_heap<_ClassicAlgPolicy>(std::move(__first), std::move(__last), __less, __length);
}

template <class _Iterator>
_LIBCPP_CONSTEXPR_SINCE_CXX20 void pop_heap(_Iterator __first, _Iterator __last) {
  std::pop_heap(std::move(__first), std::move(__last), __less<>());
}

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
