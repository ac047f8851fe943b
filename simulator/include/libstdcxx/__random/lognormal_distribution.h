/** Numbers whose logarithm is normal. */
#ifndef LANEWISE_STD_LOGNORMAL_DISTRIBUTION_H
#define LANEWISE_STD_LOGNORMAL_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <__random/normal_distribution.h>
#include <cmath>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Real>
class __lognormal_values {
public:
  explicit __lognormal_values(_Real __m = 0, _Real __s = 1) : __m_(__m), __s_(__s) {}
  _Real m() const { return __m_; }
  _Real s() const { return __s_; }

  bool __same(const __lognormal_values& __x) const { return __m_ == __x.__m_ && __s_ == __x.__s_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__m_);
    __visit(__x.__s_);
  }
  void __prepare() {}

private:
  _Real __m_;
  _Real __s_;
};

template <class _Real = double>
class lognormal_distribution : public __distribution<lognormal_distribution<_Real>, _Real, __lognormal_values<_Real>> {
  typedef __distribution<lognormal_distribution<_Real>, _Real, __lognormal_values<_Real>> _Base;

public:
  typedef typename _Base::param_type param_type;

  lognormal_distribution() : lognormal_distribution(0) {}
  explicit lognormal_distribution(_Real __m, _Real __s = 1) : lognormal_distribution(param_type(__m, __s)) {}
  explicit lognormal_distribution(const param_type& __p) : _Base(__p) {}

  _Real m() const { return this->__parameters_.m(); }
  _Real s() const { return this->__parameters_.s(); }
  _Real min() const { return _Real(0); }
  _Real max() const { return numeric_limits<_Real>::max(); }


  template <class _Engine>
  _Real __draw(_Engine& __engine, const param_type& __p) {
    return std::exp(__p.s() * __normal_(__engine) + __p.m());
  }

  void reset() {
    __normal_.reset();
  }
  bool __same_state(const lognormal_distribution& __x) const { return __normal_ == __x.__normal_; }
  template <class _This, class _Visitor>
  static void __each_of_state(_This& __x, _Visitor& __visit) {
    __visit(__x.__normal_);
  }

private:
  normal_distribution<_Real> __normal_;
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
