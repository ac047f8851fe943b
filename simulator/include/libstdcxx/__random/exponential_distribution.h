/** Times between events: the logarithm of a uniform number. */
#ifndef LANEWISE_STD_EXPONENTIAL_DISTRIBUTION_H
#define LANEWISE_STD_EXPONENTIAL_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <cmath>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Real>
class __exponential_values {
public:
  explicit __exponential_values(_Real __lambda = 1) : __lambda_(__lambda) {}
  _Real lambda() const { return __lambda_; }

  bool __same(const __exponential_values& __x) const { return __lambda_ == __x.__lambda_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__lambda_);
  }
  void __prepare() {}

private:
  _Real __lambda_;
};

template <class _Real = double>
class exponential_distribution : public __distribution<exponential_distribution<_Real>, _Real, __exponential_values<_Real>> {
  typedef __distribution<exponential_distribution<_Real>, _Real, __exponential_values<_Real>> _Base;

public:
  typedef typename _Base::param_type param_type;

  exponential_distribution() : exponential_distribution(1) {}
  explicit exponential_distribution(_Real __lambda) : exponential_distribution(param_type(__lambda)) {}
  explicit exponential_distribution(const param_type& __p) : _Base(__p) {}

  _Real lambda() const { return this->__parameters_.lambda(); }
  _Real min() const { return _Real(0); }
  _Real max() const { return numeric_limits<_Real>::max(); }


  template <class _Engine>
  _Real __draw(_Engine& __engine, const param_type& __p) {
    return -std::log(_Real(1) - std::__unit<_Real>(__engine)) / __p.lambda();
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
