/** Failures before the first success: the logarithm of a uniform number, rounded down. */
#ifndef LANEWISE_STD_GEOMETRIC_DISTRIBUTION_H
#define LANEWISE_STD_GEOMETRIC_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <cmath>
#include <limits>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Int>
class __geometric_values {
public:
  explicit __geometric_values(double __p = 0.5) : __p_(__p) { __prepare(); }
  double p() const { return __p_; }

  bool __same(const __geometric_values& __x) const { return __p_ == __x.__p_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__p_);
  }
  void __prepare() {
    __log_failure_ = std::log(1.0 - __p_);
  }

  double __log_failure_;

private:
  double __p_;
};

template <class _Int = int>
class geometric_distribution : public __distribution<geometric_distribution<_Int>, _Int, __geometric_values<_Int>> {
  typedef __distribution<geometric_distribution<_Int>, _Int, __geometric_values<_Int>> _Base;

public:
  typedef typename _Base::param_type param_type;

  geometric_distribution() : geometric_distribution(0.5) {}
  explicit geometric_distribution(double __p) : geometric_distribution(param_type(__p)) {}
  explicit geometric_distribution(const param_type& __p) : _Base(__p) {}

  double p() const { return this->__parameters_.p(); }
  _Int min() const { return 0; }
  _Int max() const { return numeric_limits<_Int>::max(); }


  template <class _Engine>
  _Int __draw(_Engine& __engine, const param_type& __p) {
    const double __half = (1 - numeric_limits<double>::epsilon()) / 2;
    double __count;
    do
      __count = std::floor(std::log(1.0 - std::__unit<double>(__engine)) / __p.__log_failure_);
    while (__count >= numeric_limits<_Int>::max() + __half);
    return _Int(__count + __half);
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
