/** Weibull's distribution, by the inverse of its cumulative function. */
#ifndef LANEWISE_STD_WEIBULL_DISTRIBUTION_H
#define LANEWISE_STD_WEIBULL_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <cmath>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Real>
class __weibull_values {
public:
  explicit __weibull_values(_Real __a = 1, _Real __b = 1) : __a_(__a), __b_(__b) {}
  _Real a() const { return __a_; }
  _Real b() const { return __b_; }

  bool __same(const __weibull_values& __x) const { return __a_ == __x.__a_ && __b_ == __x.__b_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__a_);
    __visit(__x.__b_);
  }
  void __prepare() {}

private:
  _Real __a_;
  _Real __b_;
};

template <class _Real = double>
class weibull_distribution : public __distribution<weibull_distribution<_Real>, _Real, __weibull_values<_Real>> {
  typedef __distribution<weibull_distribution<_Real>, _Real, __weibull_values<_Real>> _Base;

public:
  typedef typename _Base::param_type param_type;

  weibull_distribution() : weibull_distribution(1) {}
  explicit weibull_distribution(_Real __a, _Real __b = 1) : weibull_distribution(param_type(__a, __b)) {}
  explicit weibull_distribution(const param_type& __p) : _Base(__p) {}

  _Real a() const { return this->__parameters_.a(); }
  _Real b() const { return this->__parameters_.b(); }
  _Real min() const { return _Real(0); }
  _Real max() const { return numeric_limits<_Real>::max(); }


  template <class _Engine>
  _Real __draw(_Engine& __engine, const param_type& __p) {
    return __p.b() * std::pow(-std::log(_Real(1) - std::__unit<_Real>(__engine)), _Real(1) / __p.a());
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
