/** Cauchy's distribution, by the inverse of its cumulative function. */
#ifndef LANEWISE_STD_CAUCHY_DISTRIBUTION_H
#define LANEWISE_STD_CAUCHY_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <cmath>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Real>
class __cauchy_values {
public:
  explicit __cauchy_values(_Real __a = 0, _Real __b = 1) : __a_(__a), __b_(__b) {}
  _Real a() const { return __a_; }
  _Real b() const { return __b_; }

  bool __same(const __cauchy_values& __x) const { return __a_ == __x.__a_ && __b_ == __x.__b_; }
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
class cauchy_distribution : public __distribution<cauchy_distribution<_Real>, _Real, __cauchy_values<_Real>> {
  typedef __distribution<cauchy_distribution<_Real>, _Real, __cauchy_values<_Real>> _Base;

public:
  typedef typename _Base::param_type param_type;

  cauchy_distribution() : cauchy_distribution(0) {}
  explicit cauchy_distribution(_Real __a, _Real __b = 1) : cauchy_distribution(param_type(__a, __b)) {}
  explicit cauchy_distribution(const param_type& __p) : _Base(__p) {}

  _Real a() const { return this->__parameters_.a(); }
  _Real b() const { return this->__parameters_.b(); }
  _Real min() const { return numeric_limits<_Real>::lowest(); }
  _Real max() const { return numeric_limits<_Real>::max(); }


  template <class _Engine>
  _Real __draw(_Engine& __engine, const param_type& __p) {
    const _Real __pi = 3.14159265358979323846264338327950288L;
    _Real __u;
    do
      __u = std::__unit<_Real>(__engine);
    while (__u == _Real(0.5));
    return __p.a() + __p.b() * std::tan(__pi * __u);
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
