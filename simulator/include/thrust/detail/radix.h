/* Sorting numbers by their bits, four at a time: stable, each thread moves a piece of the sequence in order. */
#pragma once
#pragma GCC system_header
#include "../../lanewise/number-bits.h"
#include "parallel-sums.h"
#include <functional>

namespace thrust {
namespace detail {
namespace parallel {

template <class K, class C> inline constexpr bool ascends = std::is_same<C, less<K>>::value || std::is_same<C, less<void>>::value || std::is_same<C, std::less<K>>::value || std::is_same<C, std::less<void>>::value;
template <class K, class C> inline constexpr bool descends = std::is_same<C, greater<K>>::value || std::is_same<C, greater<void>>::value || std::is_same<C, std::greater<K>>::value || std::is_same<C, std::greater<void>>::value;
template <class K, class C> inline constexpr bool has_radix = std::is_arithmetic<K>::value && sizeof(K) <= 8 && (ascends<K, C> || descends<K, C>);

/* By the bits from `first` up to `last`. What is sorted is read from `keys` and `values`, and written to `toKeys` and `toValues`. */
template <bool pairs, class I, class J, class O, class P> void radix_sort(with policy, std::size_t n, I keys, J values, O toKeys, P toValues, bool descending, int first, int last) {
  typedef value_of<I> K;
  typedef value_of<J> V;
  if (n == 0) return;
  std::size_t length = n > 32 * 4096 ? (n + 4095) / 4096 : 32, threads = (n + length - 1) / length;
  scratch<K> keysA(policy, n), keysB(policy, n);
  scratch<V> valuesA(policy, pairs ? n : 1), valuesB(policy, pairs ? n : 1);
  scratch<unsigned int> starts(policy, 16 * threads);
  unsigned int* start = starts.get();
  K *from = keysA.get(), *to = keysB.get();
  V *fromValues = valuesA.get(), *otherValues = valuesB.get();
  run(policy, n, [=] __device__(std::size_t k) {
    put(from + k, (K)keys[k]);
    if constexpr (pairs) put(fromValues + k, (V)values[k]);
  });
  for (int shift = first; shift < last; shift += 4) {
    unsigned int mask = last - shift < 4 ? (1u << (last - shift)) - 1 : 15;
    auto digit = [=] __device__(K key) -> unsigned int { return ((unsigned int)(__lanewise_ordered_bits(key) >> shift) & mask) ^ (descending ? mask : 0); };
    run(policy, threads, [=] __device__(std::size_t t) {
      unsigned int counts[16] = {};
      for (std::size_t k = t * length; k < n && k < (t + 1) * length; ++k) ++counts[digit(from[k])];
      for (unsigned int d = 0; d < 16; ++d) start[d * threads + t] = counts[d];
    });
    unsigned int none = 0;
    scan_of<true, unsigned int>(policy, start, start + 16 * threads, start, same_value(), &none, plus<unsigned int>());
    run(policy, threads, [=] __device__(std::size_t t) {
      unsigned int places[16];
      for (unsigned int d = 0; d < 16; ++d) places[d] = start[d * threads + t];
      for (std::size_t k = t * length; k < n && k < (t + 1) * length; ++k) {
        unsigned int place = places[digit(from[k])]++;
        put(to + place, from[k]);
        if constexpr (pairs) put(otherValues + place, fromValues[k]);
      }
    });
    std::swap(from, to);
    std::swap(fromValues, otherValues);
  }
  run(policy, n, [=] __device__(std::size_t k) {
    toKeys[k] = from[k];
    if constexpr (pairs) toValues[k] = fromValues[k];
  });
}

}  // namespace parallel
}  // namespace detail
}  // namespace thrust
