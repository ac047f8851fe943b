/** A Poisson distribution with a gamma-distributed mean. */
#ifndef LANEWISE_STD_NEGATIVE_BINOMIAL_DISTRIBUTION_H
#define LANEWISE_STD_NEGATIVE_BINOMIAL_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <__random/gamma_distribution.h>
#include <__random/poisson_distribution.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Int>
class __negative_binomial_values {
public:
  explicit __negative_binomial_values(_Int __k = 1, double __p = 0.5) : __k_(__k), __p_(__p) {}
  _Int k() const { return __k_; }
  double p() const { return __p_; }

  bool __same(const __negative_binomial_values& __x) const { return __k_ == __x.__k_ && __p_ == __x.__p_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__k_);
    __visit(__x.__p_);
  }
  void __prepare() {}

private:
  _Int __k_;
  double __p_;
};

template <class _Int = int>
class negative_binomial_distribution : public __distribution<negative_binomial_distribution<_Int>, _Int, __negative_binomial_values<_Int>> {
  typedef __distribution<negative_binomial_distribution<_Int>, _Int, __negative_binomial_values<_Int>> _Base;

public:
  typedef typename _Base::param_type param_type;

  negative_binomial_distribution() : negative_binomial_distribution(1) {}
  explicit negative_binomial_distribution(_Int __k, double __p = 0.5) : negative_binomial_distribution(param_type(__k, __p)) {}
  explicit negative_binomial_distribution(const param_type& __p) : _Base(__p), __gamma_(__mean_of(__p)) {}

  _Int k() const { return this->__parameters_.k(); }
  double p() const { return this->__parameters_.p(); }
  _Int min() const { return 0; }
  _Int max() const { return numeric_limits<_Int>::max(); }


  template <class _Engine>
  _Int __draw(_Engine& __engine, const param_type& __p) {
    return poisson_distribution<_Int>(__gamma_(__engine, __mean_of(__p)))(__engine);
  }
  void __changed() { __gamma_.param(__mean_of(this->__parameters_)); }

  void reset() {
    __gamma_.reset();
  }
  bool __same_state(const negative_binomial_distribution& __x) const { return __gamma_ == __x.__gamma_; }
  template <class _This, class _Visitor>
  static void __each_of_state(_This& __x, _Visitor& __visit) {
    __visit(__x.__gamma_);
  }

private:
  typedef gamma_distribution<double>::param_type _Gamma_values;
  static _Gamma_values __mean_of(const param_type& __p) { return _Gamma_values(__p.k(), (1.0 - __p.p()) / __p.p()); }

  gamma_distribution<double> __gamma_;
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
