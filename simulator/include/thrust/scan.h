/* Prefix sums: each piece's sum, a scan of the sums, then each piece from its start. */
#pragma once
#pragma GCC system_header
#include "detail/core.h"
#include "functional.h"

namespace thrust {
namespace detail {

template <class I, class O, class T, class B> O scan(I first, I last, O out, T initial, bool hasInitial, bool exclusive, B operation) {
  std::size_t n = last - first, count = pieces(n);
  scratch<T> partials(count);
  T* partial = partials.get();
  auto from = raw(first);
  auto to = raw(out);
  run(count, [=] __device__(std::size_t p) {
    std::size_t k = p * pieceLength, end = k + pieceLength < n ? k + pieceLength : n;
    T sum = from[k];
    while (++k < end) sum = B(operation)(sum, (T)from[k]);
    partial[p] = sum;
  });
  /* Afterwards partial[p] is what comes before piece p; piece 0 has something before it only with an initial value. */
  run(1, [=] __device__(std::size_t) {
    T before = initial;
    for (std::size_t p = 0; p < count; ++p) {
      T own = partial[p];
      partial[p] = before;
      before = p == 0 && !hasInitial ? own : B(operation)(before, own);
    }
  });
  run(count, [=] __device__(std::size_t p) {
    std::size_t k = p * pieceLength, end = k + pieceLength < n ? k + pieceLength : n;
    bool some = p > 0 || hasInitial;
    T sum = partial[p];
    for (; k < end; ++k) {
      T value = from[k], next = some ? B(operation)(sum, value) : value;
      to[k] = exclusive ? sum : next;
      sum = next;
      some = true;
    }
  });
  return out + n;
}

}  // namespace detail

template <class I, class O, class B> O inclusive_scan(I first, I last, O out, B operation) {
  typedef detail::value_of<I> T;
  if constexpr (detail::on_device<I, O>) return detail::scan(first, last, out, T(), false, false, operation);
  else return std::partial_sum(first, last, out, operation);
}
template <class I, class O> O inclusive_scan(I first, I last, O out) { return thrust::inclusive_scan(first, last, out, plus<detail::value_of<I>>()); }
template <class I, class O, class T, class B> O exclusive_scan(I first, I last, O out, T initial, B operation) {
  if constexpr (detail::on_device<I, O>) {
    return detail::scan(first, last, out, initial, true, true, operation);
  } else {
    for (; first != last; ++first) {
      T value = *first;
      *out++ = initial;
      initial = operation(initial, value);
    }
    return out;
  }
}
template <class I, class O, class T> O exclusive_scan(I first, I last, O out, T initial) { return thrust::exclusive_scan(first, last, out, initial, plus<T>()); }
template <class I, class O> O exclusive_scan(I first, I last, O out) { return thrust::exclusive_scan(first, last, out, detail::value_of<I>(0)); }

}  // namespace thrust
