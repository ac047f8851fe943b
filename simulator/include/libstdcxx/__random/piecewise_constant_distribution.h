/** Intervals by weight, all numbers of one alike. */
#ifndef LANEWISE_STD_PIECEWISE_CONSTANT_DISTRIBUTION_H
#define LANEWISE_STD_PIECEWISE_CONSTANT_DISTRIBUTION_H

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
class __piecewise_constant_values {
public:
  __piecewise_constant_values() = default;
  template <class _Bound, class _Weight>
  __piecewise_constant_values(_Bound __first, _Bound __last, _Weight __weight) {
    for (; __first != __last; ++__first) {
      if (!__bounds_.empty()) {
        __densities_.push_back(*__weight);
        ++__weight;
      }
      __bounds_.push_back(*__first);
    }
    __prepare();
  }
  template <class _Function>
  __piecewise_constant_values(initializer_list<_Real> __bounds, _Function __density) : __bounds_(__bounds) {
    for (size_t __k = 1; __k < __bounds_.size(); ++__k)
      __densities_.push_back(__density(0.5 * (__bounds_[__k] + __bounds_[__k - 1])));
    __prepare();
  }
  template <class _Function>
  __piecewise_constant_values(size_t __count, _Real __min, _Real __max, _Function __density) {
    const _Real __step = (__max - __min) / (__count == 0 ? 1 : __count);
    for (size_t __k = 0; __k <= __count; ++__k)
      __bounds_.push_back(__min + __k * __step);
    for (size_t __k = 0; __k != __count; ++__k)
      __densities_.push_back(__density(__bounds_[__k] + 0.5 * __step));
    __prepare();
  }

  vector<_Real> intervals() const { return __bounds_.empty() ? vector<_Real>{0, 1} : __bounds_; }
  vector<double> densities() const { return __densities_.empty() ? vector<double>(1, 1.0) : __densities_; }

  bool __same(const __piecewise_constant_values& __x) const { return __bounds_ == __x.__bounds_ && __densities_ == __x.__densities_; }
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
  /** Weights become densities; [0, 1) alone needs none. */
  void __prepare() {
    __sums_.clear();
    if (__bounds_.size() < 2 || (__bounds_.size() == 2 && __bounds_[0] == 0 && __bounds_[1] == 1)) {
      __bounds_.clear();
      __densities_.clear();
      return;
    }
    __sums_ = std::__cumulate(__densities_);
    for (size_t __k = 0; __k != __densities_.size(); ++__k)
      __densities_[__k] /= __bounds_[__k + 1] - __bounds_[__k];
  }


  vector<_Real> __bounds_;
  vector<double> __densities_, __sums_;

private:
  static void __keep(const __piecewise_constant_values&, const vector<_Real>&, const vector<double>&) {}
  static void __keep(__piecewise_constant_values& __x, const vector<_Real>& __bounds, const vector<double>& __densities) {
    __x.__bounds_ = __bounds;
    __x.__densities_ = __densities;
  }
};

template <class _Real = double>
class piecewise_constant_distribution : public __distribution<piecewise_constant_distribution<_Real>, _Real, __piecewise_constant_values<_Real> > {
  typedef __distribution<piecewise_constant_distribution<_Real>, _Real, __piecewise_constant_values<_Real> > _Base;

public:
  typedef typename _Base::param_type param_type;

  piecewise_constant_distribution() = default;
  template <class _Bound, class _Weight>
  piecewise_constant_distribution(_Bound __first, _Bound __last, _Weight __weight) : _Base(param_type(__first, __last, __weight)) {}
  template <class _Function>
  piecewise_constant_distribution(initializer_list<_Real> __bounds, _Function __density) : _Base(param_type(__bounds, __density)) {}
  template <class _Function>
  piecewise_constant_distribution(size_t __count, _Real __min, _Real __max, _Function __density)
      : _Base(param_type(__count, __min, __max, __density)) {}
  explicit piecewise_constant_distribution(const param_type& __p) : _Base(__p) {}

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
    return __p.__bounds_[__i] + __within / __p.__densities_[__i];
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
