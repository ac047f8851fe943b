/** A normal number over the root of a gamma-distributed one. */
#ifndef LANEWISE_STD_STUDENT_T_DISTRIBUTION_H
#define LANEWISE_STD_STUDENT_T_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <__random/gamma_distribution.h>
#include <__random/normal_distribution.h>
#include <cmath>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Real>
class __student_t_values {
public:
  explicit __student_t_values(_Real __n = 1) : __n_(__n) {}
  _Real n() const { return __n_; }

  bool __same(const __student_t_values& __x) const { return __n_ == __x.__n_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__n_);
  }
  void __prepare() {}

private:
  _Real __n_;
};

template <class _Real = double>
class student_t_distribution : public __distribution<student_t_distribution<_Real>, _Real, __student_t_values<_Real>> {
  typedef __distribution<student_t_distribution<_Real>, _Real, __student_t_values<_Real>> _Base;

public:
  typedef typename _Base::param_type param_type;

  student_t_distribution() : student_t_distribution(1) {}
  explicit student_t_distribution(_Real __n) : student_t_distribution(param_type(__n)) {}
  explicit student_t_distribution(const param_type& __p) : _Base(__p), __gamma_(__p.n() / 2, 2) {}

  _Real n() const { return this->__parameters_.n(); }
  _Real min() const { return numeric_limits<_Real>::lowest(); }
  _Real max() const { return numeric_limits<_Real>::max(); }


  template <class _Engine>
  _Real __next(_Engine& __engine) {
    const _Real __x = __normal_(__engine);
    return __x * std::sqrt(n() / __gamma_(__engine));
  }
  /** With parameters of its own a call draws in the other order. */
  template <class _Engine>
  _Real __draw(_Engine& __engine, const param_type& __p) {
    const _Real __square = __gamma_(__engine, _Gamma_values(__p.n() / 2, 2));
    return __normal_(__engine) * std::sqrt(__p.n() / __square);
  }
  void __changed() { __gamma_.param(_Gamma_values(n() / 2, 2)); }

  void reset() {
    __normal_.reset();
    __gamma_.reset();
  }
  bool __same_state(const student_t_distribution& __x) const { return __normal_ == __x.__normal_ && __gamma_ == __x.__gamma_; }
  template <class _This, class _Visitor>
  static void __each_of_state(_This& __x, _Visitor& __visit) {
    __visit(__x.__normal_);
    __visit(__x.__gamma_);
  }

private:
  typedef typename gamma_distribution<_Real>::param_type _Gamma_values;
  normal_distribution<_Real> __normal_;
  gamma_distribution<_Real> __gamma_;
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
