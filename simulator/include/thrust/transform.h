#pragma once
#pragma GCC system_header
#include "detail/core.h"

namespace thrust {

template <class I, class O, class F> O transform(I first, I last, O out, F f) {
  if constexpr (detail::on_device<I, O>) {
    auto from = detail::raw(first);
    auto to = detail::raw(out);
    detail::run(last - first, [=] __device__(std::size_t k) { to[k] = F(f)(from[k]); });
    return out + (last - first);
  } else {
    return std::transform(first, last, out, f);
  }
}
template <class I, class J, class O, class F> O transform(I first, I last, J second, O out, F f) {
  if constexpr (detail::on_device<I, J, O>) {
    auto a = detail::raw(first);
    auto b = detail::raw(second);
    auto to = detail::raw(out);
    detail::run(last - first, [=] __device__(std::size_t k) { to[k] = F(f)(a[k], b[k]); });
    return out + (last - first);
  } else {
    return std::transform(first, last, second, out, f);
  }
}

}  // namespace thrust
