/** Marsaglia's and Tsang's method (ACM TOMS 26, 2000): the cube of a normal number, and a power for alpha below 1. */
#ifndef LANEWISE_STD_GAMMA_DISTRIBUTION_H
#define LANEWISE_STD_GAMMA_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <__random/normal_distribution.h>
#include <cmath>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Real>
class __gamma_values {
public:
  explicit __gamma_values(_Real __alpha = 1, _Real __beta = 1) : __alpha_(__alpha), __beta_(__beta) { __prepare(); }
  _Real alpha() const { return __alpha_; }
  _Real beta() const { return __beta_; }

  bool __same(const __gamma_values& __x) const { return __alpha_ == __x.__alpha_ && __beta_ == __x.__beta_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__alpha_);
    __visit(__x.__beta_);
  }
  void __prepare() {
    __shape_ = __alpha_ < 1 ? __alpha_ + _Real(1) : __alpha_;
    __d_ = __shape_ - _Real(1) / _Real(3);
    __c_ = _Real(1) / std::sqrt(_Real(9) * __d_);
  }

  // The method's d and c, for a shape that is at least 1.
  _Real __shape_, __d_, __c_;

private:
  _Real __alpha_;
  _Real __beta_;
};

template <class _Real = double>
class gamma_distribution : public __distribution<gamma_distribution<_Real>, _Real, __gamma_values<_Real>> {
  typedef __distribution<gamma_distribution<_Real>, _Real, __gamma_values<_Real>> _Base;

public:
  typedef typename _Base::param_type param_type;

  gamma_distribution() : gamma_distribution(1) {}
  explicit gamma_distribution(_Real __alpha, _Real __beta = 1) : gamma_distribution(param_type(__alpha, __beta)) {}
  explicit gamma_distribution(const param_type& __p) : _Base(__p) {}

  _Real alpha() const { return this->__parameters_.alpha(); }
  _Real beta() const { return this->__parameters_.beta(); }
  _Real min() const { return _Real(0); }
  _Real max() const { return numeric_limits<_Real>::max(); }


  template <class _Engine>
  _Real __draw(_Engine& __engine, const param_type& __p) {
    const _Real __d = __p.__d_;
    _Real __x, __v, __u;
    do {
      do {
        __x = __normal_(__engine);
        __v = _Real(1) + __p.__c_ * __x;
      } while (__v <= 0);
      __v = __v * __v * __v;
      __u = std::__unit<_Real>(__engine);
      // The constants are of type double, whatever _Real is.
    } while (__u > _Real(1) - 0.0331 * __x * __x * __x * __x && std::log(__u) > 0.5 * __x * __x + __d * (1.0 - __v + std::log(__v)));
    if (__p.alpha() == __p.__shape_)
      return __d * __v * __p.beta();
    do
      __u = std::__unit<_Real>(__engine);
    while (__u == 0);
    return std::pow(__u, _Real(1) / __p.alpha()) * __d * __v * __p.beta();
  }

  void reset() {
    __normal_.reset();
  }
  bool __same_state(const gamma_distribution& __x) const { return __normal_ == __x.__normal_; }
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
