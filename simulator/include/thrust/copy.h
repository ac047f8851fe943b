/* copy, copy_n, copy_if: between any two of host memory, device memory and streams. */
#pragma once
#pragma GCC system_header
#include "scan.h"

namespace thrust {

template <class I, class O> O copy(I first, I last, O out) {
  std::size_t n = std::distance(first, last);
  if constexpr (detail::is_device<I>::value && detail::is_device<O>::value) {
    auto from = detail::raw(first);
    auto to = detail::raw(out);
    detail::run(n, [=] __device__(std::size_t k) { to[k] = from[k]; });
    return out + n;
  } else if constexpr (detail::is_device<I>::value) {
    typedef detail::value_of<I> T;
    std::vector<T> buffer(n);
    if (n) cudaMemcpy((void*)buffer.data(), (const void*)first.get(), n * sizeof(T), cudaMemcpyDeviceToHost);
    return std::copy(buffer.begin(), buffer.end(), out);
  } else if constexpr (detail::is_device<O>::value) {
    if constexpr (detail::is_neutral<I>::value) {
      auto to = detail::raw(out);
      detail::run(n, [=] __device__(std::size_t k) { to[k] = first[k]; });
    } else {
      std::vector<detail::value_of<O>> buffer(first, last);
      if (n) cudaMemcpy((void*)out.get(), (const void*)buffer.data(), n * sizeof(buffer[0]), cudaMemcpyHostToDevice);
    }
    return out + n;
  } else {
    return std::copy(first, last, out);
  }
}
template <class I, class N, class O> O copy_n(I first, N n, O out) { return thrust::copy(first, first + n, out); }

/* Elements whose flag holds keep their order: their places are the sums of the flags before them. */
template <class I, class S, class O, class P> O copy_if(I first, I last, S stencil, O out, P predicate) {
  std::size_t n = last - first;
  if constexpr (detail::on_device<I, S, O>) {
    if (n == 0) return out;
    detail::scratch<unsigned int> places(n);
    unsigned int* place = places.get();
    auto from = detail::raw(first);
    auto flag = detail::raw(stencil);
    auto to = detail::raw(out);
    detail::run(n, [=] __device__(std::size_t k) { place[k] = predicate(flag[k]) ? 1 : 0; });
    thrust::inclusive_scan(device_ptr<unsigned int>(place), device_ptr<unsigned int>(place + n), device_ptr<unsigned int>(place));
    detail::run(n, [=] __device__(std::size_t k) {
      if (predicate(flag[k])) to[place[k] - 1] = from[k];
    });
    return out + (unsigned int)*device_ptr<unsigned int>(place + n - 1);
  } else {
    for (; first != last; ++first, ++stencil) if (predicate(*stencil)) *out++ = *first;
    return out;
  }
}
template <class I, class O, class P> O copy_if(I first, I last, O out, P predicate) { return thrust::copy_if(first, last, first, out, predicate); }

}  // namespace thrust
