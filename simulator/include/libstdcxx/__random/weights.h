/** Weighted choices, for the discrete and piecewise distributions: sums of weights, and how to find a place among them. */
#ifndef LANEWISE_STD_WEIGHTS_H
#define LANEWISE_STD_WEIGHTS_H

#include <__config>
#include <__cstddef/size_t.h>
#include <vector>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

/** Divides all by their sum and returns the running sums, whose last one is exactly 1. */
inline vector<double> __cumulate(vector<double>& __weights) {
  double __sum = 0;
  for (double __weight : __weights)
    __sum += __weight;
  vector<double> __sums;
  __sums.reserve(__weights.size());
  double __running = 0;
  for (double& __weight : __weights) {
    __weight /= __sum;
    __running += __weight;
    __sums.push_back(__running);
  }
  __sums.back() = 1;
  return __sums;
}

/** The first sum that is not below a random number. */
inline size_t __place_in(const vector<double>& __sums, double __p) {
  size_t __first = 0;
  for (size_t __count = __sums.size(); __count != 0;) {
    const size_t __half = __count / 2;
    if (__sums[__first + __half] < __p) {
      __first += __half + 1;
      __count -= __half + 1;
    } else {
      __count = __half;
    }
  }
  return __first;
}

/** How streams show a row of numbers. */
template <class _Row, class _Visitor>
void __each_of_row(_Row& __row, _Visitor& __visit) {
  for (auto& __value : __row)
    __visit(__value);
}

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
