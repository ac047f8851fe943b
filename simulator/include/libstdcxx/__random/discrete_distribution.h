/** Indices by weight. */
#ifndef LANEWISE_STD_DISCRETE_DISTRIBUTION_H
#define LANEWISE_STD_DISCRETE_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <__random/weights.h>
#include <initializer_list>
#include <limits>
#include <vector>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Int>
class __discrete_values {
public:
  __discrete_values() = default;
  template <class _Iterator>
  __discrete_values(_Iterator __first, _Iterator __last) : __weights_(__first, __last) {
    __prepare();
  }
  __discrete_values(initializer_list<double> __weights) : __weights_(__weights) { __prepare(); }
  template <class _Function>
  __discrete_values(size_t __count, double __min, double __max, _Function __weight) {
    const double __step = (__max - __min) / (__count == 0 ? 1 : __count);
    for (size_t __k = 0; __k != __count; ++__k)
      __weights_.push_back(__weight(__min + __k * __step + 0.5 * __step));
    __prepare();
  }

  vector<double> probabilities() const { return __weights_.empty() ? vector<double>(1, 1.0) : __weights_; }

  bool __same(const __discrete_values& __x) const { return __weights_ == __x.__weights_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    size_t __count = __x.probabilities().size();
    __visit(__count);
    auto __shown = __x.probabilities();
    __shown.resize(__count);
    std::__each_of_row(__shown, __visit);
    __keep(__x, __shown);
  }
  /** One choice is no choice: nothing is drawn then. */
  void __prepare() {
    __sums_.clear();
    if (__weights_.size() < 2)
      __weights_.clear();
    else
      __sums_ = std::__cumulate(__weights_);
  }

  vector<double> __sums_;

private:
  static void __keep(const __discrete_values&, const vector<double>&) {}
  static void __keep(__discrete_values& __x, const vector<double>& __weights) { __x.__weights_ = __weights; }

  vector<double> __weights_;
};

template <class _Int = int>
class discrete_distribution : public __distribution<discrete_distribution<_Int>, _Int, __discrete_values<_Int> > {
  typedef __distribution<discrete_distribution<_Int>, _Int, __discrete_values<_Int> > _Base;

public:
  typedef typename _Base::param_type param_type;

  discrete_distribution() = default;
  template <class _Iterator>
  discrete_distribution(_Iterator __first, _Iterator __last) : _Base(param_type(__first, __last)) {}
  discrete_distribution(initializer_list<double> __weights) : _Base(param_type(__weights)) {}
  template <class _Function>
  discrete_distribution(size_t __count, double __min, double __max, _Function __weight)
      : _Base(param_type(__count, __min, __max, __weight)) {}
  explicit discrete_distribution(const param_type& __p) : _Base(__p) {}

  vector<double> probabilities() const { return this->__parameters_.probabilities(); }
  _Int min() const { return 0; }
  _Int max() const { return this->__parameters_.__sums_.empty() ? 0 : _Int(this->__parameters_.__sums_.size() - 1); }

  template <class _Engine>
  _Int __draw(_Engine& __engine, const param_type& __p) {
    return __p.__sums_.empty() ? _Int(0) : _Int(std::__place_in(__p.__sums_, std::__unit<double>(__engine)));
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
