/** Marsaglia's polar method: points of the unit circle give two values, of which the second one drawn is returned first. */
#ifndef LANEWISE_STD_NORMAL_DISTRIBUTION_H
#define LANEWISE_STD_NORMAL_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <cmath>
#include <limits>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Real>
class __normal_values {
public:
  explicit __normal_values(_Real __mean = 0, _Real __stddev = 1) : __mean_(__mean), __stddev_(__stddev) {}
  _Real mean() const { return __mean_; }
  _Real stddev() const { return __stddev_; }

  bool __same(const __normal_values& __x) const { return __mean_ == __x.__mean_ && __stddev_ == __x.__stddev_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__mean_);
    __visit(__x.__stddev_);
  }
  void __prepare() {}

private:
  _Real __mean_;
  _Real __stddev_;
};

template <class _Real = double>
class normal_distribution : public __distribution<normal_distribution<_Real>, _Real, __normal_values<_Real>> {
  typedef __distribution<normal_distribution<_Real>, _Real, __normal_values<_Real>> _Base;

public:
  typedef typename _Base::param_type param_type;

  normal_distribution() : normal_distribution(0) {}
  explicit normal_distribution(_Real __mean, _Real __stddev = 1) : normal_distribution(param_type(__mean, __stddev)) {}
  explicit normal_distribution(const param_type& __p) : _Base(__p) {}

  _Real mean() const { return this->__parameters_.mean(); }
  _Real stddev() const { return this->__parameters_.stddev(); }
  _Real min() const { return numeric_limits<_Real>::lowest(); }
  _Real max() const { return numeric_limits<_Real>::max(); }


  template <class _Engine>
  _Real __draw(_Engine& __engine, const param_type& __p) {
    return __standard(__engine) * __p.stddev() + __p.mean();
  }

  void reset() { __has_saved_ = false; }
  bool __same_state(const normal_distribution& __x) const {
    return __has_saved_ == __x.__has_saved_ && (!__has_saved_ || __saved_ == __x.__saved_);
  }
  template <class _This, class _Visitor>
  static void __each_of_state(_This& __x, _Visitor& __visit) {
    __visit(__x.__has_saved_);
    if (__x.__has_saved_)
      __visit(__x.__saved_);
  }

private:
  template <class _Engine>
  _Real __standard(_Engine& __engine) {
    if (__has_saved_) {
      __has_saved_ = false;
      return __saved_;
    }
    _Real __x, __y, __square;
    do {
      __x = _Real(2) * std::__unit<_Real>(__engine) - _Real(1);
      __y = _Real(2) * std::__unit<_Real>(__engine) - _Real(1);
      __square = __x * __x + __y * __y;
    } while (__square > 1 || __square == 0);
    const _Real __scale = std::sqrt(-2 * std::log(__square) / __square);
    __saved_ = __x * __scale;
    __has_saved_ = true;
    return __y * __scale;
  }

  _Real __saved_ = 0;
  bool __has_saved_ = false;
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
