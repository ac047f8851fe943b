/** Yes with probability p. */
#ifndef LANEWISE_STD_BERNOULLI_DISTRIBUTION_H
#define LANEWISE_STD_BERNOULLI_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

class __bernoulli_values {
public:
  explicit __bernoulli_values(double __p = 0.5) : __p_(__p) {}
  double p() const { return __p_; }

  bool __same(const __bernoulli_values& __x) const { return __p_ == __x.__p_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__p_);
  }
  void __prepare() {}

private:
  double __p_;
};

class bernoulli_distribution : public __distribution<bernoulli_distribution, bool, __bernoulli_values> {
  typedef __distribution<bernoulli_distribution, bool, __bernoulli_values> _Base;

public:
  typedef _Base::param_type param_type;

  bernoulli_distribution() : bernoulli_distribution(0.5) {}
  explicit bernoulli_distribution(double __p) : bernoulli_distribution(param_type(__p)) {}
  explicit bernoulli_distribution(const param_type& __p) : _Base(__p) {}

  double p() const { return this->__parameters_.p(); }
  bool min() const { return false; }
  bool max() const { return true; }


  template <class _Engine>
  bool __draw(_Engine& __engine, const param_type& __p) {
    return std::__unit<double>(__engine) < __p.p();
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
