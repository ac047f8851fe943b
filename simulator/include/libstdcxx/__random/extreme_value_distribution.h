/** Gumbel's distribution, by the inverse of its cumulative function. */
#ifndef LANEWISE_STD_EXTREME_VALUE_DISTRIBUTION_H
#define LANEWISE_STD_EXTREME_VALUE_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <cmath>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Real>
class __extreme_value_values {
public:
  explicit __extreme_value_values(_Real __a = 0, _Real __b = 1) : __a_(__a), __b_(__b) {}
  _Real a() const { return __a_; }
  _Real b() const { return __b_; }

  bool __same(const __extreme_value_values& __x) const { return __a_ == __x.__a_ && __b_ == __x.__b_; }
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
class extreme_value_distribution : public __distribution<extreme_value_distribution<_Real>, _Real, __extreme_value_values<_Real>> {
  typedef __distribution<extreme_value_distribution<_Real>, _Real, __extreme_value_values<_Real>> _Base;

public:
  typedef typename _Base::param_type param_type;

  extreme_value_distribution() : extreme_value_distribution(0) {}
  explicit extreme_value_distribution(_Real __a, _Real __b = 1) : extreme_value_distribution(param_type(__a, __b)) {}
  explicit extreme_value_distribution(const param_type& __p) : _Base(__p) {}

  _Real a() const { return this->__parameters_.a(); }
  _Real b() const { return this->__parameters_.b(); }
  _Real min() const { return numeric_limits<_Real>::lowest(); }
  _Real max() const { return numeric_limits<_Real>::max(); }


  template <class _Engine>
  _Real __draw(_Engine& __engine, const param_type& __p) {
    return __p.a() - __p.b() * std::log(-std::log(_Real(1) - std::__unit<_Real>(__engine)));
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
