/**
 * std::shuffle and random_shuffle as libstdc++ does them: each element is swapped with one before it or itself, and where an engine's
 * range allows it one random number says two places.
 */
#ifndef LANEWISE_STD_SHUFFLE_H
#define LANEWISE_STD_SHUFFLE_H

#include <__algorithm/iterator_operations.h>
#include <__config>
#include <__iterator/iterator_traits.h>
#include <__random/uniform_int_distribution.h>
#include <__type_traits/common_type.h>
#include <__type_traits/make_unsigned.h>
#include <__type_traits/remove_reference.h>
#include <__utility/forward.h>
#include <__utility/move.h>
#include <__utility/pair.h>
#include <cstdint>
#include <cstdlib>

#pragma GCC system_header
_LIBCPP_PUSH_MACROS
#include <__undef_macros>

_LIBCPP_BEGIN_NAMESPACE_STD

/** One number below `__b0`, one below `__b1`. */
template <class _Int, class _Engine>
pair<_Int, _Int> __two_below(_Int __b0, _Int __b1, _Engine& __engine) {
  const _Int __both = uniform_int_distribution<_Int>(0, __b0 * __b1 - 1)(__engine);
  return pair<_Int, _Int>(__both / __b1, __both % __b1);
}

/** Whether one number of the engine can say two places among `__count`. */
template <class _Word, class _Engine>
bool __says_two_places(_Word __count) {
  return _Word(_Engine::max() - _Engine::min()) / __count >= __count;
}

template <class _Policy, class _Iterator, class _Sentinel, class _EngineReference>
_Iterator __shuffle(_Iterator __first, _Sentinel __end, _EngineReference&& __engine) {
  typedef typename iterator_traits<_Iterator>::difference_type _Distance;
  typedef __make_unsigned_t<_Distance> _Place;
  typedef __libcpp_remove_reference_t<_EngineReference> _Engine;
  typedef typename common_type<typename _Engine::result_type, _Place>::type _Word;
  typedef uniform_int_distribution<_Place> _Places;

  const _Iterator __last = _IterOps<_Policy>::next(__first, __end);
  if (__first == __last)
    return __last;
  const _Word __count = _Word(__last - __first);
  _Iterator __at = __first;
  ++__at;
  const auto __swap_with = [&](_Word __place) {
    _IterOps<_Policy>::iter_swap(__at, __first + _Distance(__place));
    ++__at;
  };
  if (!std::__says_two_places<_Word, _Engine>(__count)) {
    _Places __places;
    while (__at != __last)
      __swap_with(__places(__engine, typename _Places::param_type(0, _Place(__at - __first))));
    return __last;
  }
  if (__count % 2 == 0)
    __swap_with(_Places(0, 1)(__engine));
  while (__at != __last) {
    const _Word __below = _Word(__at - __first) + 1;
    const pair<_Word, _Word> __two = std::__two_below(__below, _Word(__below + 1), __engine);
    __swap_with(__two.first);
    __swap_with(__two.second);
  }
  return __last;
}

template <class _Iterator, class _Engine>
void shuffle(_Iterator __first, _Iterator __last, _Engine&& __engine) {
  (void)std::__shuffle<_ClassicAlgPolicy>(std::move(__first), std::move(__last), std::forward<_Engine>(__engine));
}

// libstdc++ keeps it in later standards.
template <class _Iterator, class _Chooser>
void random_shuffle(_Iterator __first, _Iterator __last, _Chooser&& __chooser) {
  if (__first == __last)
    return;
  for (_Iterator __at = __first + 1; __at != __last; ++__at) {
    const _Iterator __other = __first + __chooser((__at - __first) + 1);
    if (__at != __other)
      _IterOps<_ClassicAlgPolicy>::iter_swap(__at, __other);
  }
}

template <class _Iterator>
void random_shuffle(_Iterator __first, _Iterator __last) {
  typedef typename iterator_traits<_Iterator>::difference_type _Distance;
  std::random_shuffle(__first, __last, [](_Distance __count) { return _Distance(std::rand() % __count); });
}

#ifdef _LIBCPP_BUILDING_LIBRARY
// What random_shuffle.cpp defines for libc++'s own random_shuffle.
class __rs_default {
  static unsigned __c_;
  __rs_default();

public:
  typedef uint_fast32_t result_type;
  __rs_default(const __rs_default&);
  ~__rs_default();
  result_type operator()();
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xFFFFFFFF; }
  friend __rs_default __rs_get();
};
__rs_default __rs_get();
#endif

_LIBCPP_END_NAMESPACE_STD
_LIBCPP_POP_MACROS

#endif
