#pragma once
#pragma GCC system_header
#include "detail/core.h"

namespace thrust {

template <class I, class F> I for_each(I first, I last, F f) {
  if constexpr (detail::is_device<I>::value || detail::is_neutral<I>::value) {
    auto at = detail::raw(first);
    detail::run(last - first, [=] __device__(std::size_t k) {
      F function = f;
      function(at[k]);
    });
    return last;
  } else {
    std::for_each(first, last, f);
    return last;
  }
}
template <class I, class N, class F> I for_each_n(I first, N n, F f) { return thrust::for_each(first, first + n, f); }

}  // namespace thrust
