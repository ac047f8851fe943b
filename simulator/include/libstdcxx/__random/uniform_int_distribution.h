/** Integers of a range, all alike: Lemire's multiplication (ACM TOMACS 29, 2019) for engines of exactly 32 or 64 random bits, as libstdc++ 12 has it. */
#ifndef LANEWISE_STD_UNIFORM_INT_DISTRIBUTION_H
#define LANEWISE_STD_UNIFORM_INT_DISTRIBUTION_H

#include <__config>
#include <__random/distribution.h>
#include <__type_traits/common_type.h>
#include <__type_traits/is_integral.h>
#include <__type_traits/make_unsigned.h>
#include <cstdint>
#include <limits>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Int>
class __uniform_int_values {
public:
  explicit __uniform_int_values(_Int __a = 0, _Int __b = numeric_limits<_Int>::max()) : __a_(__a), __b_(__b) {}
  _Int a() const { return __a_; }
  _Int b() const { return __b_; }

  bool __same(const __uniform_int_values& __x) const { return __a_ == __x.__a_ && __b_ == __x.__b_; }
  template <class _This, class _Visitor>
  static void __each(_This& __x, _Visitor& __visit) {
    __visit(__x.__a_);
    __visit(__x.__b_);
  }
  void __prepare() {}

private:
  _Int __a_;
  _Int __b_;
};

/** A number below `__range` from an engine of all numbers of `_Word`, of which `_Double` holds a product. */
template <class _Double, class _Word, class _Engine>
_Word __lemire(_Engine& __engine, _Word __range) {
  const int __width = numeric_limits<_Word>::digits;
  _Double __product = _Double(__engine()) * _Double(__range);
  if (_Word(__product) < __range) {
    const _Word __biased = _Word(-__range) % __range;
    while (_Word(__product) < __biased)
      __product = _Double(__engine()) * _Double(__range);
  }
  return _Word(__product >> __width);
}

template <class _Int = int>
class uniform_int_distribution : public __distribution<uniform_int_distribution<_Int>, _Int, __uniform_int_values<_Int>> {
  typedef __distribution<uniform_int_distribution<_Int>, _Int, __uniform_int_values<_Int>> _Base;

public:
  typedef typename _Base::param_type param_type;

  uniform_int_distribution() : uniform_int_distribution(0) {}
  explicit uniform_int_distribution(_Int __a, _Int __b = numeric_limits<_Int>::max()) : uniform_int_distribution(param_type(__a, __b)) {}
  explicit uniform_int_distribution(const param_type& __p) : _Base(__p) {}

  _Int a() const { return this->__parameters_.a(); }
  _Int b() const { return this->__parameters_.b(); }
  _Int min() const { return a(); }
  _Int max() const { return b(); }


  static_assert(is_integral<_Int>::value, "template argument must be an integral type");

  template <class _Engine>
  _Int __draw(_Engine& __engine, const param_type& __p) {
    typedef typename common_type<typename _Engine::result_type, __make_unsigned_t<_Int> >::type _Wide;
    constexpr _Wide __least = _Engine::min();
    constexpr _Wide __span = _Wide(_Engine::max()) - __least;
    static_assert(__span != 0, "Uniform random bit generator must define min() < max()");
    const _Wide __wanted = _Wide(__p.b()) - _Wide(__p.a());
    _Wide __value;
    if (__span > __wanted)
      __value = __reduce<_Wide, __least, __span>(__engine, __wanted + 1);
    else if (__span == __wanted)
      __value = _Wide(__engine()) - __least;
    else
      __value = __compose<_Wide, __least, __span>(__engine, __wanted);
    return _Int(__value + _Wide(__p.a()));
  }

private:
  /** The engine has more values than `__range`. */
  template <class _Wide, _Wide __least, _Wide __span, class _Engine>
  static _Wide __reduce(_Engine& __engine, _Wide __range) {
    if (__span == UINT64_MAX)
      return _Wide(std::__lemire<unsigned __int128>(__engine, uint64_t(__range)));
    if (__span == UINT32_MAX)
      return _Wide(std::__lemire<uint64_t>(__engine, uint32_t(__range)));
    const _Wide __share = __span / __range;
    const _Wide __end = __range * __share;
    _Wide __value;
    do
      __value = _Wide(__engine()) - __least;
    while (__value >= __end);
    return __value / __share;
  }

  /** The engine has too few values: they are the low digit of a number whose high digits are drawn in the same way. */
  template <class _Wide, _Wide __least, _Wide __span, class _Engine>
  _Wide __compose(_Engine& __engine, _Wide __wanted) {
    const _Wide __base = __span + 1;
    for (;;) {
      const _Wide __high = __base * _Wide(__draw(__engine, param_type(0, _Int(__wanted / __base))));
      const _Wide __value = __high + (_Wide(__engine()) - __least);
      if (__value <= __wanted && __value >= __high)
        return __value;
    }
  }
};

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
