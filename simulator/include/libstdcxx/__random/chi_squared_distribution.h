/** Twice a gamma-distributed number. */
#ifndef LANEWISE_STD_CHI_SQUARED_DISTRIBUTION_H
#define LANEWISE_STD_CHI_SQUARED_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <__random/gamma_distribution.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Real>
class __chi_squared_values {
public:
  explicit __chi_squared_values(_Real __n = 1) : __n_(__n) {}
  _Real n() const { return __n_; }

  bool __same(const __chi_squared_values& __x) const { return __n_ == __x.__n_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__n_);
  }
  void __prepare() {}

private:
  _Real __n_;
};

template <class _Real = double>
class chi_squared_distribution : public __distribution<chi_squared_distribution<_Real>, _Real, __chi_squared_values<_Real>> {
  typedef __distribution<chi_squared_distribution<_Real>, _Real, __chi_squared_values<_Real>> _Base;

public:
  typedef typename _Base::param_type param_type;

  chi_squared_distribution() : chi_squared_distribution(1) {}
  explicit chi_squared_distribution(_Real __n) : chi_squared_distribution(param_type(__n)) {}
  explicit chi_squared_distribution(const param_type& __p) : _Base(__p), __gamma_(__p.n() / 2) {}

  _Real n() const { return this->__parameters_.n(); }
  _Real min() const { return _Real(0); }
  _Real max() const { return numeric_limits<_Real>::max(); }


  template <class _Engine>
  _Real __draw(_Engine& __engine, const param_type& __p) {
    return 2 * __gamma_(__engine, _Gamma_values(__p.n() / 2));
  }
  void __changed() { __gamma_.param(_Gamma_values(n() / 2)); }

  void reset() {
    __gamma_.reset();
  }
  bool __same_state(const chi_squared_distribution& __x) const { return __gamma_ == __x.__gamma_; }
  template <class _This, class _Visitor>
  static void __each_of_state(_This& __x, _Visitor& __visit) {
    __visit(__x.__gamma_);
  }

private:
  typedef typename gamma_distribution<_Real>::param_type _Gamma_values;
  gamma_distribution<_Real> __gamma_;
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
