/** Densities that change linearly between bounds. */
#ifndef LANEWISE_STD_PIECEWISE_LINEAR_DISTRIBUTION_H
#define LANEWISE_STD_PIECEWISE_LINEAR_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <__random/weights.h>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Real>
class __piecewise_linear_values {
public:
  __piecewise_linear_values() = default;
  template <class _Bound, class _Weight>
  __piecewise_linear_values(_Bound __first, _Bound __last, _Weight __weight) {
    for (; __first != __last; ++__first, ++__weight) {
      __bounds_.push_back(*__first);
      __densities_.push_back(*__weight);
    }
    __prepare();
  }
  template <class _Function>
  __piecewise_linear_values(initializer_list<_Real> __bounds, _Function __density) : __bounds_(__bounds) {
    for (_Real __bound : __bounds_)
      __densities_.push_back(__density(__bound));
    __prepare();
  }
  template <class _Function>
  __piecewise_linear_values(size_t __count, _Real __min, _Real __max, _Function __density) {
    const _Real __step = (__max - __min) / (__count == 0 ? 1 : __count);
    for (size_t __k = 0; __k <= __count; ++__k)
      __bounds_.push_back(__min + __k * __step);
    for (size_t __k = 0; __k <= __count; ++__k)
      __densities_.push_back(__density(__bounds_[__k] + __step));
    __prepare();
  }

  vector<_Real> intervals() const { return __bounds_.empty() ? vector<_Real>{0, 1} : __bounds_; }
  vector<double> densities() const { return __densities_.empty() ? vector<double>(2, 1.0) : __densities_; }

  bool __same(const __piecewise_linear_values& __x) const { return __bounds_ == __x.__bounds_ && __densities_ == __x.__densities_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    auto __bounds = __x.intervals();
    auto __densities = __x.densities();
    const size_t __more = __densities.size() + 1 - __bounds.size();
    size_t __count = __bounds.size() - 1;
    __visit(__count);
    __bounds.resize(__count + 1);
    __densities.resize(__count + __more);
    std::__each_of_row(__bounds, __visit);
    std::__each_of_row(__densities, __visit);
    __keep(__x, __bounds, __densities);
  }
  /** [0, 1) with equal densities needs no sums. */
  void __prepare() {
    __sums_.clear();
    __slopes_.clear();
    if (__bounds_.size() < 2 ||
        (__bounds_.size() == 2 && __bounds_[0] == 0 && __bounds_[1] == 1 && __densities_[0] == __densities_[1])) {
      __bounds_.clear();
      __densities_.clear();
      return;
    }
    double __sum = 0;
    for (size_t __k = 1; __k != __bounds_.size(); ++__k) {
      const _Real __width = __bounds_[__k] - __bounds_[__k - 1];
      __sum += 0.5 * (__densities_[__k] + __densities_[__k - 1]) * __width;
      __sums_.push_back(__sum);
      __slopes_.push_back((__densities_[__k] - __densities_[__k - 1]) / __width);
    }
    for (vector<double>* __row : {&__densities_, &__sums_, &__slopes_})
      for (double& __value : *__row)
        __value /= __sum;
    __sums_.back() = 1;
  }

  vector<double> __slopes_;
  vector<_Real> __bounds_;
  vector<double> __densities_, __sums_;

private:
  static void __keep(const __piecewise_linear_values&, const vector<_Real>&, const vector<double>&) {}
  static void __keep(__piecewise_linear_values& __x, const vector<_Real>& __bounds, const vector<double>& __densities) {
    __x.__bounds_ = __bounds;
    __x.__densities_ = __densities;
  }
};

template <class _Real = double>
class piecewise_linear_distribution : public __distribution<piecewise_linear_distribution<_Real>, _Real, __piecewise_linear_values<_Real> > {
  typedef __distribution<piecewise_linear_distribution<_Real>, _Real, __piecewise_linear_values<_Real> > _Base;

public:
  typedef typename _Base::param_type param_type;

  piecewise_linear_distribution() = default;
  template <class _Bound, class _Weight>
  piecewise_linear_distribution(_Bound __first, _Bound __last, _Weight __weight) : _Base(param_type(__first, __last, __weight)) {}
  template <class _Function>
  piecewise_linear_distribution(initializer_list<_Real> __bounds, _Function __density) : _Base(param_type(__bounds, __density)) {}
  template <class _Function>
  piecewise_linear_distribution(size_t __count, _Real __min, _Real __max, _Function __density)
      : _Base(param_type(__count, __min, __max, __density)) {}
  explicit piecewise_linear_distribution(const param_type& __p) : _Base(__p) {}

  vector<_Real> intervals() const { return this->__parameters_.intervals(); }
  vector<double> densities() const { return this->__parameters_.densities(); }
  _Real min() const { return this->__parameters_.intervals().front(); }
  _Real max() const { return this->__parameters_.intervals().back(); }

  template <class _Engine>
  _Real __draw(_Engine& __engine, const param_type& __p) {
    const double __u = std::__unit<double>(__engine);
    if (__p.__sums_.empty())
      return __u;
    const size_t __i = std::__place_in(__p.__sums_, __u);
    const double __within = __u - (__i == 0 ? 0.0 : __p.__sums_[__i - 1]);
    const double __a = 0.5 * __p.__slopes_[__i];
    const double __b = __p.__densities_[__i];
    _Real __x = __p.__bounds_[__i];
    if (__a == 0)
      __x += __within / __b;
    else
      __x += 0.5 * (std::sqrt(__b * __b + 4.0 * __a * __within) - __b) / __a;
    return __x;
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
