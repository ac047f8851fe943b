/* fill, fill_n, sequence, generate. */
#pragma once
#pragma GCC system_header
#include "detail/core.h"

namespace thrust {

template <class I, class T> void fill(I first, I last, const T& value) {
  if constexpr (detail::is_device<I>::value) {
    auto to = detail::raw(first);
    detail::value_of<I> v = value;
    detail::run(last - first, [=] __device__(std::size_t k) { to[k] = v; });
  } else {
    std::fill(first, last, value);
  }
}
template <class I, class N, class T> I fill_n(I first, N n, const T& value) { thrust::fill(first, first + n, value); return first + n; }
template <class I, class T> void sequence(I first, I last, T start, T step) {
  if constexpr (detail::is_device<I>::value) {
    auto to = detail::raw(first);
    detail::run(last - first, [=] __device__(std::size_t k) { to[k] = start + step * (T)k; });
  } else {
    for (T k = 0; first != last; ++first, ++k) *first = start + step * k;
  }
}
template <class I, class T> void sequence(I first, I last, T start) { thrust::sequence(first, last, start, T(1)); }
template <class I> void sequence(I first, I last) { thrust::sequence(first, last, detail::value_of<I>(0)); }
template <class I, class G> void generate(I first, I last, G generator) {
  if constexpr (detail::is_device<I>::value) {
    auto to = detail::raw(first);
    detail::run(last - first, [=] __device__(std::size_t k) { to[k] = G(generator)(); });
  } else {
    std::generate(first, last, generator);
  }
}

}  // namespace thrust
