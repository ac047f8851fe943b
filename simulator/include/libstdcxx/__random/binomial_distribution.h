/** Successes of t attempts. Where few are expected, waiting times are summed; else Devroye's rejection method (Non-Uniform Random Variate
 * Generation, 1986, chapter X.4, with the errata): normal bodies left and right of the mode, and exponential tails. */
#ifndef LANEWISE_STD_BINOMIAL_DISTRIBUTION_H
#define LANEWISE_STD_BINOMIAL_DISTRIBUTION_H

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
class __binomial_values {
public:
  explicit __binomial_values(_Int __t = 1, double __p = 0.5) : __t_(__t), __p_(__p) { __prepare(); }
  _Int t() const { return __t_; }
  double p() const { return __p_; }

  bool __same(const __binomial_values& __x) const { return __t_ == __x.__t_ && __p_ == __x.__p_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__t_);
    __visit(__x.__p_);
  }
  void __prepare() {
    const double __q = __p_ <= 0.5 ? __p_ : 1.0 - __p_;
    __easy_ = !(__t_ * __q >= 8);
    if (__easy_) {
      __waiting_ = -std::log(1 - __q);
      return;
    }
    const double __pi_4 = 0.78539816339744830961566084581987572L;
    const double __sqrt_pi_2 = 1.25331413731550025120788264240552263L;
    const double __mode = std::floor(__t_ * __q);
    const double __pa = __mode / __t_;
    const double __rest = 1 - __pa;
    const double __root = std::sqrt(__mode * __rest);
    __right_end_ = __rounded(std::sqrt(__mode * __rest * std::log(32 * __mode / (81 * __pi_4 * __rest))));
    __left_end_ = __rounded(std::sqrt(__mode * __rest * std::log(32 * __t_ * __rest / (__pi_4 * __pa))));
    __right_width_ = __root * (1 + __right_end_ / (4 * __mode));
    __left_width_ = __root * (1 + __left_end_ / (4 * __t_ * __rest));
    __shift_ = 2 * __right_end_ / __mode;
    __right_ = std::exp(__shift_) * __right_width_ * __sqrt_pi_2;
    __left_ = __right_ + __left_width_ * __sqrt_pi_2;
    const double __right_square = __right_width_ * __right_width_;
    __right_tail_ = __left_ + std::exp(__right_end_ / (__t_ * __rest)) * 2 * __right_square / __right_end_ *
                                  std::exp(-__right_end_ * __right_end_ / (2 * __right_square));
    const double __left_square = __left_width_ * __left_width_;
    __all_ = __right_tail_ + 2 * __left_square / __left_end_ * std::exp(-__left_end_ * __left_end_ / (2 * __left_square));
    __log_factorials_ = std::lgamma(__mode + 1) + std::lgamma(__t_ - __mode + 1);
    __log_odds_ = std::log(__pa / __rest);
    __waiting_ = -std::log(1 - (__q - __pa) / __rest);
  }

  bool __easy_;
  double __waiting_;
  // Ends and widths of the normal bodies, areas up to the end of each part, and terms of the density's logarithm.
  double __right_end_ = 0, __left_end_ = 0, __right_width_ = 0, __left_width_ = 0;
  double __right_ = 0, __left_ = 0, __right_tail_ = 0, __all_ = 0;
  double __shift_ = 0, __log_factorials_ = 0, __log_odds_ = 0;

private:
  static double __rounded(double __x) { return std::round(1.0 < __x ? __x : 1.0); }

  _Int __t_;
  double __p_;
};

template <class _Int = int>
class binomial_distribution : public __distribution<binomial_distribution<_Int>, _Int, __binomial_values<_Int>> {
  typedef __distribution<binomial_distribution<_Int>, _Int, __binomial_values<_Int>> _Base;

public:
  typedef typename _Base::param_type param_type;

  binomial_distribution() : binomial_distribution(1) {}
  explicit binomial_distribution(_Int __t, double __p = 0.5) : binomial_distribution(param_type(__t, __p)) {}
  explicit binomial_distribution(const param_type& __p) : _Base(__p) {}

  _Int t() const { return this->__parameters_.t(); }
  double p() const { return this->__parameters_.p(); }
  _Int min() const { return 0; }
  _Int max() const { return t(); }


  template <class _Engine>
  _Int __draw(_Engine& __engine, const param_type& __p) {
    const _Int __count = __p.__easy_ ? __wait(__engine, __p.t(), __p.__waiting_) : __reject(__engine, __p);
    return __p.p() <= 0.5 ? __count : __p.t() - __count;
  }

  void reset() {
    __normal_.reset();
  }
  bool __same_state(const binomial_distribution& __x) const { return __normal_ == __x.__normal_; }
  template <class _This, class _Visitor>
  static void __each_of_state(_This& __x, _Visitor& __visit) {
    __visit(__x.__normal_);
  }

private:
  template <class _Engine>
  static double __exponential(_Engine& __engine) {
    return -std::log(1.0 - std::__unit<double>(__engine));
  }

  template <class _Engine>
  static _Int __wait(_Engine& __engine, _Int __attempts, double __end) {
    _Int __count = 0;
    double __sum = 0;
    do {
      if (__count == __attempts)
        return __count;
      __sum += __exponential(__engine) / (__attempts - __count);
      __count += 1;
    } while (__sum <= __end);
    return __count - 1;
  }

  template <class _Engine>
  _Int __reject(_Engine& __engine, const param_type& __p) {
    const double __half = (1 - numeric_limits<double>::epsilon()) / 2;
    const _Int __t = __p.t();
    const double __mode = std::floor(__t * (__p.p() <= 0.5 ? __p.p() : 1.0 - __p.p()));
    const double __right_square = __p.__right_width_ * __p.__right_width_;
    const double __left_square = __p.__left_width_ * __p.__left_width_;
    for (;;) {
      const double __u = __p.__all_ * std::__unit<double>(__engine);
      double __x, __v;
      if (__u <= __p.__left_) {
        const bool __is_right = __u <= __p.__right_;
        const double __n = __normal_(__engine);
        const double __y = (__is_right ? __p.__right_width_ : __p.__left_width_) * std::abs(__n);
        if (__y >= (__is_right ? __p.__right_end_ : __p.__left_end_))
          continue;
        __v = -__exponential(__engine) - __n * __n / 2;
        if (__is_right)
          __v += __p.__shift_;
        __x = std::floor(__is_right ? __y : -__y);
      } else {
        const double __e1 = __exponential(__engine);
        const double __e2 = __exponential(__engine);
        if (__u <= __p.__right_tail_) {
          const double __y = __p.__right_end_ + 2 * __right_square * __e1 / __p.__right_end_;
          __x = std::floor(__y);
          __v = -__e2 + __p.__right_end_ * (1 / (__t - __mode) - __y / (2 * __right_square));
        } else {
          const double __y = __p.__left_end_ + 2 * __left_square * __e1 / __p.__left_end_;
          __x = std::floor(-__y);
          __v = -__e2 - __p.__left_end_ * __y / (2 * __left_square);
        }
      }
      if (__x < -__mode || __x > __t - __mode)
        continue;
      const double __log_density = std::lgamma(__mode + __x + 1) + std::lgamma(__t - (__mode + __x) + 1);
      if (__v > __p.__log_factorials_ - __log_density + __x * __p.__log_odds_)
        continue;
      if (__x + __mode >= numeric_limits<_Int>::max() + __half)
        continue;
      const _Int __body = _Int(__x + (__mode + __half));
      return __body + __wait(__engine, __t - __body, __p.__waiting_);
    }
  }

  normal_distribution<double> __normal_;
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
