/* A stable merge sort: in each round every element finds its place by a binary search in the neighbouring run. */
#pragma once
#pragma GCC system_header
#include "detail/core.h"
#include "functional.h"

namespace thrust {
namespace detail {

struct nothing {};
template <class K, class V, class C> void merge_sort(K* keys, V* values, std::size_t n, C less) {
  constexpr bool pairs = !std::is_same<V, nothing>::value;
  scratch<K> otherKeys(n);
  scratch<V> otherValues(pairs ? n : 1);
  K *from = keys, *to = otherKeys.get();
  V *fromValues = values, *toValues = otherValues.get();
  for (std::size_t width = 1; width < n; width *= 2) {
    run(n, [=] __device__(std::size_t k) {
      std::size_t start = k / (2 * width) * (2 * width), middle = start + width < n ? start + width : n, end = start + 2 * width < n ? start + 2 * width : n;
      bool left = k < middle;
      std::size_t low = left ? middle : start, high = left ? end : middle, base = low;
      /* Of equals the left run's come first. */
      while (low < high) {
        std::size_t half = (low + high) / 2;
        bool before = left ? C(less)(from[half], from[k]) : !C(less)(from[k], from[half]);
        if (before) low = half + 1;
        else high = half;
      }
      std::size_t place = start + (k - (left ? start : middle)) + (low - base);
      to[place] = from[k];
      if constexpr (pairs) toValues[place] = fromValues[k];
    });
    std::swap(from, to);
    std::swap(fromValues, toValues);
  }
  if (from != keys) {
    cudaMemcpy((void*)keys, (const void*)from, n * sizeof(K), cudaMemcpyDeviceToDevice);
    if constexpr (pairs) cudaMemcpy((void*)values, (const void*)fromValues, n * sizeof(V), cudaMemcpyDeviceToDevice);
  }
}

}  // namespace detail

template <class I, class C> void stable_sort(I first, I last, C less) {
  if constexpr (detail::is_device<I>::value) detail::merge_sort(detail::raw(first), (detail::nothing*)nullptr, last - first, less);
  else std::stable_sort(first, last, less);
}
template <class I> void stable_sort(I first, I last) { thrust::stable_sort(first, last, less<detail::value_of<I>>()); }
template <class I, class C> void sort(I first, I last, C less) { thrust::stable_sort(first, last, less); }
template <class I> void sort(I first, I last) { thrust::stable_sort(first, last); }
template <class I, class J, class C> void sort_by_key(I first, I last, J values, C less) {
  if constexpr (detail::is_device<I>::value) {
    detail::merge_sort(detail::raw(first), detail::raw(values), last - first, less);
  } else {
    std::vector<std::pair<detail::value_of<I>, detail::value_of<J>>> both;
    J value = values;
    for (I key = first; key != last; ++key, ++value) both.emplace_back(*key, *value);
    std::stable_sort(both.begin(), both.end(), [&](const auto& a, const auto& b) { return less(a.first, b.first); });
    for (const auto& pair : both) { *first++ = pair.first; *values++ = pair.second; }
  }
}
template <class I, class J> void sort_by_key(I first, I last, J values) { thrust::sort_by_key(first, last, values, less<detail::value_of<I>>()); }
template <class I, class J> void stable_sort_by_key(I first, I last, J values) { thrust::sort_by_key(first, last, values); }

}  // namespace thrust
