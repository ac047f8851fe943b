/** Events in a span of time. Below a mean of 12 a product of uniform numbers; from there on Devroye's rejection method (Non-Uniform Random
 * Variate Generation, 1986, chapter X.3, with the errata): normal bodies left and right of the mode, an exponential tail, and two bars. */
#ifndef LANEWISE_STD_POISSON_DISTRIBUTION_H
#define LANEWISE_STD_POISSON_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <__random/normal_distribution.h>
#include <cmath>
#include <limits>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Int>
class __poisson_values {
public:
  explicit __poisson_values(double __mean = 1.0) : __mean_(__mean) { __prepare(); }
  double mean() const { return __mean_; }

  bool __same(const __poisson_values& __x) const { return __mean_ == __x.__mean_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__mean_);
  }
  void __prepare() {
    if (__mean_ < 12) {
      __limit_ = std::exp(-__mean_);
      return;
    }
    const double __pi_4 = 0.78539816339744830961566084581987572L;
    const double __mode = std::floor(__mean_);
    __limit_ = std::log(__mean_);
    __log_factorial_ = std::lgamma(__mode + 1);
    __left_width_ = std::sqrt(__mode);
    const double __reach = std::sqrt(2 * __mode * std::log(32 * __mode / __pi_4));
    const double __within = __reach < __mode ? __reach : __mode;
    __delta_ = std::round(6.0 < __within ? __within : 6.0);
    const double __cx = 2 * __mode + __delta_;
    __right_width_ = std::sqrt(__cx / 2);
    __inverse_ = 1 / __cx;
    __right_area_ = std::sqrt(__pi_4 * __cx) * std::exp(__inverse_);
    __tail_area_ = 2 * __cx * std::exp(-__delta_ * __inverse_ * (1 + __delta_ / 2)) / __delta_;
  }

  // exp(-mean) below 12, else the mean's logarithm; the others only from 12 on.
  double __limit_;
  double __log_factorial_ = 0, __left_width_ = 0, __delta_ = 0, __right_width_ = 0, __inverse_ = 0, __right_area_ = 0, __tail_area_ = 0;

private:
  double __mean_;
};

template <class _Int = int>
class poisson_distribution : public __distribution<poisson_distribution<_Int>, _Int, __poisson_values<_Int>> {
  typedef __distribution<poisson_distribution<_Int>, _Int, __poisson_values<_Int>> _Base;

public:
  typedef typename _Base::param_type param_type;

  poisson_distribution() : poisson_distribution(1.0) {}
  explicit poisson_distribution(double __mean) : poisson_distribution(param_type(__mean)) {}
  explicit poisson_distribution(const param_type& __p) : _Base(__p) {}

  double mean() const { return this->__parameters_.mean(); }
  _Int min() const { return 0; }
  _Int max() const { return numeric_limits<_Int>::max(); }


  template <class _Engine>
  _Int __draw(_Engine& __engine, const param_type& __p) {
    return __p.mean() < 12 ? __multiply(__engine, __p.__limit_) : __reject(__engine, __p);
  }

  void reset() {
    __normal_.reset();
  }
  bool __same_state(const poisson_distribution& __x) const { return __normal_ == __x.__normal_; }
  template <class _This, class _Visitor>
  static void __each_of_state(_This& __x, _Visitor& __visit) {
    __visit(__x.__normal_);
  }

private:
  template <class _Engine>
  static _Int __multiply(_Engine& __engine, double __limit) {
    _Int __factors = 0;
    double __product = 1;
    do {
      __product *= std::__unit<double>(__engine);
      __factors += 1;
    } while (__product > __limit);
    return __factors - 1;
  }

  template <class _Engine>
  _Int __reject(_Engine& __engine, const param_type& __p) {
    const double __half = (1 - numeric_limits<double>::epsilon()) / 2;
    const double __sqrt_pi_2 = 1.25331413731550025120788264240552263L;
    const double __mode = std::floor(__p.mean());
    const double __left = __p.__left_width_ * __sqrt_pi_2;
    const double __right = __p.__right_area_ + __left;
    const double __bar_before = __right + 1;
    const double __bar_at = __bar_before + 1;
    const double __bar_after = __bar_at + 1.01290304793200185831855147775129833L;  // exp(1 / 78)
    const double __all = __p.__tail_area_ + __bar_after;
    for (;;) {
      const double __u = __all * std::__unit<double>(__engine);
      const double __e = -std::log(1.0 - std::__unit<double>(__engine));
      double __x = 0;
      double __weight = 0;
      if (__u <= __left) {
        const double __n = __normal_(__engine);
        __x = std::floor(-std::abs(__n) * __p.__left_width_ - 1);
        __weight = -__n * __n / 2;
        if (__x < -__mode)
          continue;
      } else if (__u <= __right) {
        const double __n = __normal_(__engine);
        const double __y = 1 + std::abs(__n) * __p.__right_width_;
        __x = std::ceil(__y);
        __weight = __y * (2 - __y) * __p.__inverse_;
        if (__x > __p.__delta_)
          continue;
      } else if (__u <= __bar_before) {
        __x = -1;
      } else if (__u <= __bar_at) {
        __x = 0;
      } else if (__u <= __bar_after) {
        __x = 1;
        __weight = 0.01282051282051282051282051282051282L;  // 1 / 78
      } else {
        const double __v = -std::log(1.0 - std::__unit<double>(__engine));
        const double __y = __p.__delta_ + __v * (2 * (2 * __mode + __p.__delta_)) / __p.__delta_;
        __x = std::ceil(__y);
        __weight = -__p.__delta_ * __p.__inverse_ * (1 + __y / 2);
      }
      const bool __outside = __weight - __e - __x * __p.__limit_ > __p.__log_factorial_ - std::lgamma(__x + __mode + 1);
      if (!__outside && __x + __mode < numeric_limits<_Int>::max() + __half)
        return _Int(__x + __mode + __half);
    }
  }

  normal_distribution<double> __normal_;
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
