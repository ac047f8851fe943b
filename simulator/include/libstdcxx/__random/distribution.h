/**
 * What the distributions of <random> have alike: sets of parameters, comparison, and their form in a stream. A distribution's own header
 * says how it turns random numbers into values, with libstdc++'s arithmetic, so that a seed gives the sequence that it gives on Linux.
 */
#ifndef LANEWISE_STD_DISTRIBUTION_H
#define LANEWISE_STD_DISTRIBUTION_H

#include <__config>
#include <__random/generate_canonical.h>
#include <iosfwd>
#include <limits>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>
_LIBCPP_BEGIN_NAMESPACE_STD

/**
 * Base of `_Self`. `_Values` has the parameters: constructors, accessors, `__same(other)`, `__prepare()`, which computes what follows
 * from them, and `__each(values, f)`, which calls f with each value that a stream shows. `_Self` has `__draw(engine, parameters)`.
 */
template <class _Self, class _Result, class _Values>
class __distribution {
public:
  typedef _Result result_type;

  class param_type : public _Values {
  public:
    typedef _Self distribution_type;
    using _Values::_Values;
    friend bool operator==(const param_type& __x, const param_type& __y) { return __x.__same(__y); }
    friend bool operator!=(const param_type& __x, const param_type& __y) { return !__x.__same(__y); }
  };

  void reset() {}
  param_type param() const { return __parameters_; }
  void param(const param_type& __p) {
    __parameters_ = __p;
    __self().__changed();
  }

  template <class _Engine>
  result_type operator()(_Engine& __engine) {
    return __self().__next(__engine);
  }
  template <class _Engine>
  result_type operator()(_Engine& __engine, const param_type& __p) {
    return __self().__draw(__engine, __p);
  }

  friend bool operator==(const _Self& __x, const _Self& __y) {
    return __x.__parameters_ == __y.__parameters_ && __x.__same_state(__y);
  }
  friend bool operator!=(const _Self& __x, const _Self& __y) { return !(__x == __y); }

  template <class _Char, class _Traits>
  friend basic_ostream<_Char, _Traits>& operator<<(basic_ostream<_Char, _Traits>& __stream, const _Self& __x) {
    typedef typename basic_ostream<_Char, _Traits>::ios_base _Base;
    const auto __flags = __stream.flags(_Base::scientific | _Base::left);
    const auto __fill = __stream.fill(__stream.widen(' '));
    const auto __precision = __stream.precision(__distribution::__digits);
    bool __first = true;
    auto __write = [&](const auto& __value) {
      if (!__first)
        __stream << __stream.widen(' ');
      __first = false;
      __stream << __value;
    };
    _Values::__each(__x.__parameters_, __write);
    _Self::__each_of_state(__x, __write);
    __stream.flags(__flags);
    __stream.fill(__fill);
    __stream.precision(__precision);
    return __stream;
  }

  template <class _Char, class _Traits>
  friend basic_istream<_Char, _Traits>& operator>>(basic_istream<_Char, _Traits>& __stream, _Self& __x) {
    typedef typename basic_istream<_Char, _Traits>::ios_base _Base;
    const auto __flags = __stream.flags(_Base::dec | _Base::skipws);
    _Self __read = __x;
    auto __take = [&](auto& __value) { __stream >> __value; };
    _Values::__each(__read.__parameters_, __take);
    __read.__parameters_.__prepare();
    __read.__changed();
    _Self::__each_of_state(__read, __take);
    if (!__stream.fail())
      __x = __read;
    __stream.flags(__flags);
    return __stream;
  }

protected:
  __distribution() = default;
  explicit __distribution(const param_type& __p) : __parameters_(__p) {}

  param_type __parameters_;

public:
  // What a distribution without state has in these places; one with state hides them.
  template <class _Engine>
  result_type __next(_Engine& __engine) {
    return __self().__draw(__engine, __parameters_);
  }
  bool __same_state(const _Self&) const { return true; }
  template <class _This, class _Visitor>
  static void __each_of_state(_This&, _Visitor&) {}
  void __changed() {}

private:
  static const int __digits =
      numeric_limits<_Result>::is_integer ? numeric_limits<double>::max_digits10 : numeric_limits<_Result>::max_digits10;

  _Self& __self() { return static_cast<_Self&>(*this); }
};

/** A number in [0, 1) with all of its digits random. */
template <class _Real, class _Engine>
_Real __unit(_Engine& __engine) {
  return std::generate_canonical<_Real, numeric_limits<_Real>::digits>(__engine);
}

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
