/** The quotient of two gamma-distributed numbers. */
#ifndef LANEWISE_STD_FISHER_F_DISTRIBUTION_H
#define LANEWISE_STD_FISHER_F_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <__random/gamma_distribution.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Real>
class __fisher_f_values {
public:
  explicit __fisher_f_values(_Real __m = 1, _Real __n = 1) : __m_(__m), __n_(__n) {}
  _Real m() const { return __m_; }
  _Real n() const { return __n_; }

  bool __same(const __fisher_f_values& __x) const { return __m_ == __x.__m_ && __n_ == __x.__n_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__m_);
    __visit(__x.__n_);
  }
  void __prepare() {}

private:
  _Real __m_;
  _Real __n_;
};

template <class _Real = double>
class fisher_f_distribution : public __distribution<fisher_f_distribution<_Real>, _Real, __fisher_f_values<_Real>> {
  typedef __distribution<fisher_f_distribution<_Real>, _Real, __fisher_f_values<_Real>> _Base;

public:
  typedef typename _Base::param_type param_type;

  fisher_f_distribution() : fisher_f_distribution(1) {}
  explicit fisher_f_distribution(_Real __m, _Real __n = 1) : fisher_f_distribution(param_type(__m, __n)) {}
  explicit fisher_f_distribution(const param_type& __p) : _Base(__p), __x_(__p.m() / 2), __y_(__p.n() / 2) {}

  _Real m() const { return this->__parameters_.m(); }
  _Real n() const { return this->__parameters_.n(); }
  _Real min() const { return _Real(0); }
  _Real max() const { return numeric_limits<_Real>::max(); }


  /** libstdc++ scales with the distribution's own m and n, whatever the call's parameters are. */
  template <class _Engine>
  _Real __draw(_Engine& __engine, const param_type& __p) {
    const _Real __x = __x_(__engine, _Gamma_values(__p.m() / 2)) * n();
    return __x / (__y_(__engine, _Gamma_values(__p.n() / 2)) * m());
  }
  void __changed() {
    __x_.param(_Gamma_values(m() / 2));
    __y_.param(_Gamma_values(n() / 2));
  }

  void reset() {
    __x_.reset();
    __y_.reset();
  }
  bool __same_state(const fisher_f_distribution& __x) const { return __x_ == __x.__x_ && __y_ == __x.__y_; }
  template <class _This, class _Visitor>
  static void __each_of_state(_This& __x, _Visitor& __visit) {
    __visit(__x.__x_);
    __visit(__x.__y_);
  }

private:
  typedef typename gamma_distribution<_Real>::param_type _Gamma_values;
  gamma_distribution<_Real> __x_, __y_;
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
