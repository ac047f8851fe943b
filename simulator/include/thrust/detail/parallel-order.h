/* Algorithms as kernels, third part: selecting, sorting, merging and searching. */
#pragma once
#pragma GCC system_header
#include "radix.h"

namespace thrust {
namespace detail {
namespace parallel {

/* Elements that are wanted keep their order: their places are the sums of the flags before them. place[k] is the number wanted up to k. */
template <class W> std::size_t places_of(with policy, std::size_t n, std::size_t* place, W wanted) {
  if (n == 0) return 0;
  scan<std::size_t>(
      policy, n, [=] __device__(std::size_t k) -> std::size_t { return wanted(k) ? 1 : 0; }, never(), nullptr, plus<std::size_t>(),
      [=] __device__(std::size_t k, const std::size_t&, const std::size_t& sum) { place[k] = sum; });
  std::size_t count;
  cudaMemcpyAsync(&count, place + n - 1, sizeof count, cudaMemcpyDeviceToHost, policy.stream);
  cudaStreamSynchronize(policy.stream);
  return count;
}
/* Whether element k was wanted, by the places: the predicate is asked once, and what it looks at may be overwritten. */
__host__ __device__ inline bool chosen(const std::size_t* place, std::size_t k) { return place[k] != (k ? place[k - 1] : 0); }
/* Of one or two sequences, to others; `after` is where the unwanted ones go, if anywhere. The result may take the elements' place. */
template <class W, class I, class O> std::size_t select(with policy, std::size_t n, W wanted, I first, O out) {
  typedef value_of<I> T;
  scratch<std::size_t> places(policy, n);
  scratch<T> copies(policy, n);
  std::size_t* place = places.get();
  T* kept = copies.get();
  std::size_t count = places_of(policy, n, place, wanted);
  auto from = raw(first);
  auto to = raw(out);
  run(policy, n, [=] __device__(std::size_t k) { if (chosen(place, k)) put(kept + place[k] - 1, (T)from[k]); });
  run(policy, count, [=] __device__(std::size_t k) { to[k] = kept[k]; });
  return count;
}
template <class I, class S, class O, class P, class = typename std::iterator_traits<O>::iterator_category> O copy_if(with policy, I first, I last, S stencil, O out, P wanted) {
  auto flag = raw(stencil);
  return out + select(policy, last - first, [=] __device__(std::size_t k) -> bool { return P(wanted)(flag[k]); }, first, out);
}
template <class I, class O, class P> O copy_if(with policy, I first, I last, O out, P wanted) { return parallel::copy_if(policy, first, last, first, out, wanted); }
template <class I, class S, class O, class P, class = typename std::iterator_traits<O>::iterator_category> O remove_copy_if(with policy, I first, I last, S stencil, O out, P unwanted) {
  return parallel::copy_if(policy, first, last, stencil, out, sequential::opposite<P>{unwanted});
}
template <class I, class O, class P> O remove_copy_if(with policy, I first, I last, O out, P unwanted) { return parallel::copy_if(policy, first, last, first, out, sequential::opposite<P>{unwanted}); }
template <class I, class O, class T> O remove_copy(with policy, I first, I last, O out, const T& value) { return parallel::remove_copy_if(policy, first, last, out, sequential::is_value<T>{value}); }
template <class I, class S, class P> I remove_if(with policy, I first, I last, S stencil, P unwanted) { return parallel::copy_if(policy, first, last, stencil, first, sequential::opposite<P>{unwanted}); }
template <class I, class P> I remove_if(with policy, I first, I last, P unwanted) { return parallel::remove_if(policy, first, last, first, unwanted); }
template <class I, class T> I remove(with policy, I first, I last, const T& value) { return parallel::remove_if(policy, first, last, first, sequential::is_value<T>{value}); }
template <class I, class O, class E> O unique_copy(with policy, I first, I last, O out, E same) {
  auto at = raw(first);
  return out + select(policy, last - first, [=] __device__(std::size_t k) -> bool { return k == 0 || !E(same)(at[k - 1], at[k]); }, first, out);
}
template <class I, class O> O unique_copy(with policy, I first, I last, O out) { return parallel::unique_copy(policy, first, last, out, equal_to<value_of<I>>()); }
template <class I, class E> I unique(with policy, I first, I last, E same) { return parallel::unique_copy(policy, first, last, first, same); }
template <class I> I unique(with policy, I first, I last) { return parallel::unique_copy(policy, first, last, first); }
template <class I, class E> std::ptrdiff_t unique_count(with policy, I first, I last, E same) {
  auto at = raw(first);
  return fold<std::ptrdiff_t>(policy, last - first, [=] __device__(std::size_t k) -> std::ptrdiff_t { return k == 0 || !E(same)(at[k - 1], at[k]) ? 1 : 0; }, 0, plus<std::ptrdiff_t>());
}
template <class I> std::ptrdiff_t unique_count(with policy, I first, I last) { return parallel::unique_count(policy, first, last, equal_to<value_of<I>>()); }
template <class K, class I, class KO, class O, class E> pair<KO, O> unique_by_key_copy(with policy, K first, K last, I values, KO keys, O out, E same) {
  typedef value_of<K> T;
  std::size_t n = last - first;
  scratch<T> copies(policy, n);
  T* copied = copies.get();
  parallel::transform(policy, first, last, copied, same_value());
  auto first_of_run = [=] __device__(std::size_t k) -> bool { return k == 0 || !E(same)(copied[k - 1], copied[k]); };
  std::size_t count = select(policy, n, first_of_run, values, out);
  select(policy, n, first_of_run, copied, keys);
  return pair<KO, O>(keys + count, out + count);
}
template <class K, class I, class KO, class O, class = typename std::iterator_traits<O>::iterator_category> pair<KO, O> unique_by_key_copy(with policy, K first, K last, I values, KO keys, O out) {
  return parallel::unique_by_key_copy(policy, first, last, values, keys, out, equal_to<value_of<K>>());
}
template <class K, class I, class E> pair<K, I> unique_by_key(with policy, K first, K last, I values, E same) { return parallel::unique_by_key_copy(policy, first, last, values, first, values, same); }
template <class K, class I> pair<K, I> unique_by_key(with policy, K first, K last, I values) { return parallel::unique_by_key(policy, first, last, values, equal_to<value_of<K>>()); }
template <class I, class S, class O, class R, class P> pair<O, R> partition_copy(with policy, I first, I last, S stencil, O yes, R no, P wanted) {
  auto flag = raw(stencil);
  std::size_t n = last - first, count = select(policy, n, [=] __device__(std::size_t k) -> bool { return P(wanted)(flag[k]); }, first, yes);
  select(policy, n, [=] __device__(std::size_t k) -> bool { return !P(wanted)(flag[k]); }, first, no);
  return pair<O, R>(yes + count, no + (n - count));
}
template <class I, class O, class R, class P> pair<O, R> partition_copy(with policy, I first, I last, O yes, R no, P wanted) { return parallel::partition_copy(policy, first, last, first, yes, no, wanted); }
template <class I, class O, class R, class P> pair<O, R> stable_partition_copy(with policy, I first, I last, O yes, R no, P wanted) { return parallel::partition_copy(policy, first, last, first, yes, no, wanted); }
template <class I, class P> I stable_partition(with policy, I first, I last, P wanted) {
  typedef value_of<I> T;
  std::size_t n = last - first;
  scratch<T> copies(policy, n);
  T* copied = copies.get();
  parallel::transform(policy, first, last, copied, same_value());
  I end = parallel::copy_if(policy, copied, copied + n, first, wanted);
  parallel::remove_copy_if(policy, copied, copied + n, end, wanted);
  return end;
}
template <class I, class P> I partition(with policy, I first, I last, P wanted) { return parallel::stable_partition(policy, first, last, wanted); }

/* A stable merge sort: in each round every element finds its place by a binary search in the neighbouring run. */
template <class I, class J, class C> void sort_pairs(with policy, I first, I last, J values, bool hasValues, C less) {
  typedef value_of<I> K;
  typedef value_of<J> V;
  std::size_t n = last - first;
  if (n < 2) return;
  if constexpr (has_radix<K, C>) {
    auto keys = raw(first);
    auto own = raw(values);
    if (hasValues) radix_sort<true>(policy, n, keys, own, keys, own, descends<K, C>, 0, 8 * sizeof(K));
    else radix_sort<false>(policy, n, keys, own, keys, own, descends<K, C>, 0, 8 * sizeof(K));
    return;
  }
  std::size_t m = hasValues ? n : 1;
  scratch<K> keysA(policy, n), keysB(policy, n);
  scratch<V> valuesA(policy, m), valuesB(policy, m);
  K *from = keysA.get(), *to = keysB.get();
  V *fromValues = valuesA.get(), *toValues = valuesB.get();
  auto ownKeys = raw(first);
  auto ownValues = raw(values);
  /* Runs of eight to begin with, sorted by insertion. */
  constexpr std::size_t shortest = 8;
  K* a = from;
  V* av = fromValues;
  run(policy, (n + shortest - 1) / shortest, [=] __device__(std::size_t p) {
    std::size_t start = p * shortest, end = start + shortest < n ? start + shortest : n;
    for (std::size_t k = start; k < end; ++k) {
      K key = ownKeys[k];
      std::size_t at = k;
      for (; at > start && C(less)(key, a[at - 1]); --at) {
        put(a + at, a[at - 1]);
        if (hasValues) put(av + at, av[at - 1]);
      }
      put(a + at, key);
      if (hasValues) put(av + at, (V)ownValues[k]);
    }
  });
  for (std::size_t width = shortest; width < n; width *= 2) {
    run(policy, n, [=] __device__(std::size_t k) {
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
      put(to + place, from[k]);
      if (hasValues) put(toValues + place, fromValues[k]);
    });
    std::swap(from, to);
    std::swap(fromValues, toValues);
  }
  run(policy, n, [=] __device__(std::size_t k) {
    ownKeys[k] = from[k];
    if (hasValues) ownValues[k] = fromValues[k];
  });
}
template <class I, class C> void stable_sort(with policy, I first, I last, C less) { parallel::sort_pairs(policy, first, last, (char*)nullptr, false, less); }
template <class I> void stable_sort(with policy, I first, I last) { parallel::stable_sort(policy, first, last, less<value_of<I>>()); }
template <class I, class C> void sort(with policy, I first, I last, C less) { parallel::stable_sort(policy, first, last, less); }
template <class I> void sort(with policy, I first, I last) { parallel::stable_sort(policy, first, last); }
template <class K, class I, class C> void stable_sort_by_key(with policy, K first, K last, I values, C less) { parallel::sort_pairs(policy, first, last, values, true, less); }
template <class K, class I> void stable_sort_by_key(with policy, K first, K last, I values) { parallel::stable_sort_by_key(policy, first, last, values, less<value_of<K>>()); }
template <class K, class I, class C> void sort_by_key(with policy, K first, K last, I values, C less) { parallel::stable_sort_by_key(policy, first, last, values, less); }
template <class K, class I> void sort_by_key(with policy, K first, K last, I values) { parallel::stable_sort_by_key(policy, first, last, values); }

/* Every element of a is told how many of b come before it, and the other way round. */
template <class I, class J, class V, class W, class KO, class O, class C> pair<KO, O> merge_by_key(with policy, I a, I aEnd, J b, J bEnd, V aValues, W bValues, KO keys, O out, C less) {
  std::size_t n = aEnd - a, m = bEnd - b;
  auto left = raw(a); auto right = raw(b);
  auto leftValues = raw(aValues); auto rightValues = raw(bValues);
  auto to = raw(keys); auto toValues = raw(out);
  run(policy, n + m, [=] __device__(std::size_t k) {
    if (k < n) {
      std::size_t place = k + (sequential::lower_bound(right, right + m, left[k], less) - right);
      to[place] = left[k];
      toValues[place] = leftValues[k];
    } else {
      std::size_t j = k - n, place = j + (sequential::upper_bound(left, left + n, right[j], less) - left);
      to[place] = right[j];
      toValues[place] = rightValues[j];
    }
  });
  return pair<KO, O>(keys + n + m, out + n + m);
}
template <class I, class J, class V, class W, class KO, class O> pair<KO, O> merge_by_key(with policy, I a, I aEnd, J b, J bEnd, V aValues, W bValues, KO keys, O out) {
  return parallel::merge_by_key(policy, a, aEnd, b, bEnd, aValues, bValues, keys, out, less<value_of<I>>());
}
template <class I, class J, class O, class C> O merge(with policy, I a, I aEnd, J b, J bEnd, O out, C less) {
  std::size_t n = aEnd - a, m = bEnd - b;
  auto left = raw(a); auto right = raw(b);
  auto to = raw(out);
  run(policy, n + m, [=] __device__(std::size_t k) {
    if (k < n) to[k + (sequential::lower_bound(right, right + m, left[k], less) - right)] = left[k];
    else to[k - n + (sequential::upper_bound(left, left + n, right[k - n], less) - left)] = right[k - n];
  });
  return out + n + m;
}
template <class I, class J, class O> O merge(with policy, I a, I aEnd, J b, J bEnd, O out) { return parallel::merge(policy, a, aEnd, b, bEnd, out, less<value_of<I>>()); }
/* Sets are combined by one thread. */
#define __LANEWISE_THRUST_COMBINE(name) \
  template <class I, class J, class O, class C> O name(with policy, I a, I aEnd, J b, J bEnd, O out, C less) { \
    scratch<std::size_t> counts(policy, 1); \
    std::size_t* count = counts.get(); \
    auto left = raw(a); auto leftEnd = raw(aEnd); auto right = raw(b); auto rightEnd = raw(bEnd); \
    auto to = raw(out); \
    run(policy, 1, [=] __device__(std::size_t) { *count = sequential::name(left, leftEnd, right, rightEnd, to, less) - to; }); \
    return out + counts.at(0); \
  } \
  template <class I, class J, class O> O name(with policy, I a, I aEnd, J b, J bEnd, O out) { return parallel::name(policy, a, aEnd, b, bEnd, out, less<value_of<I>>()); }
__LANEWISE_THRUST_COMBINE(set_union)
__LANEWISE_THRUST_COMBINE(set_intersection)
__LANEWISE_THRUST_COMBINE(set_difference)
__LANEWISE_THRUST_COMBINE(set_symmetric_difference)
#undef __LANEWISE_THRUST_COMBINE

}  // namespace parallel

/* What the searches have in common; `one` is for one value. */
namespace searching {
enum class found { lower, upper, any };
template <found what, class I, class T, class C> __host__ __device__ std::ptrdiff_t one(I first, I last, const T& value, C less) {
  if (what == found::lower) return sequential::lower_bound(first, last, value, less) - first;
  if (what == found::upper) return sequential::upper_bound(first, last, value, less) - first;
  return sequential::binary_search(first, last, value, less);
}
template <found what, class I, class T, class C> std::ptrdiff_t on_device(const device_policy& policy, I first, I last, const T& value, C less) {
  scratch<std::ptrdiff_t> results(policy, 1);
  std::ptrdiff_t* result = results.get();
  auto from = raw(first);
  auto end = raw(last);
  T wanted = value;
  run(policy, 1, [=] __device__(std::size_t) { *result = one<what>(from, end, wanted, less); });
  return results.at(0);
}
template <found what, class I, class J, class O, class C> O each(const device_policy& policy, I first, I last, J values, J valuesEnd, O out, C less) {
  auto from = raw(first);
  auto end = raw(last);
  auto wanted = raw(values);
  auto to = raw(out);
  run(policy, valuesEnd - values, [=] __device__(std::size_t k) { to[k] = one<what>(from, end, wanted[k], less); });
  return out + (valuesEnd - values);
}
template <found what, class I, class J, class O, class C> __host__ __device__ O each(const host_policy&, I first, I last, J values, J valuesEnd, O out, C less) {
  for (; values != valuesEnd; ++values, ++out) *out = one<what>(first, last, *values, less);
  return out;
}
}  // namespace searching

namespace parallel {
#define __LANEWISE_THRUST_SEARCH(name, what, result) \
  template <class I, class T, class C> auto name(with policy, I first, I last, const T& value, C less) { return result(searching::on_device<searching::found::what>(policy, first, last, value, less)); } \
  template <class I, class T> auto name(with policy, I first, I last, const T& value) { return parallel::name(policy, first, last, value, less<value_of<I>>()); } \
  template <class I, class J, class O, class C> O name(with policy, I first, I last, J values, J valuesEnd, O out, C less) { return searching::each<searching::found::what>(policy, first, last, values, valuesEnd, out, less); } \
  template <class I, class J, class O> O name(with policy, I first, I last, J values, J valuesEnd, O out) { return parallel::name(policy, first, last, values, valuesEnd, out, less<value_of<I>>()); }
__LANEWISE_THRUST_SEARCH(lower_bound, lower, first +)
__LANEWISE_THRUST_SEARCH(upper_bound, upper, first +)
__LANEWISE_THRUST_SEARCH(binary_search, any, 0 !=)
#undef __LANEWISE_THRUST_SEARCH
template <class I, class T, class C> pair<I, I> equal_range(with policy, I first, I last, const T& value, C less) { return pair<I, I>(parallel::lower_bound(policy, first, last, value, less), parallel::upper_bound(policy, first, last, value, less)); }
template <class I, class T> pair<I, I> equal_range(with policy, I first, I last, const T& value) { return parallel::equal_range(policy, first, last, value, less<value_of<I>>()); }
}  // namespace parallel

namespace sequential {
#define __LANEWISE_THRUST_SEARCH(name, what) \
  template <class I, class T> __LANEWISE_BOTH auto name(I first, I last, const T& value) { return sequential::name(first, last, value, less<value_of<I>>()); } \
  template <class I, class J, class O, class C> __LANEWISE_BOTH O name(I first, I last, J values, J valuesEnd, O out, C less) { return searching::each<searching::found::what>(host_policy(), first, last, values, valuesEnd, out, less); } \
  template <class I, class J, class O, class = typename std::iterator_traits<O>::iterator_category> __LANEWISE_BOTH O name(I first, I last, J values, J valuesEnd, O out) { return sequential::name(first, last, values, valuesEnd, out, less<value_of<I>>()); }
__LANEWISE_THRUST_SEARCH(lower_bound, lower)
__LANEWISE_THRUST_SEARCH(upper_bound, upper)
__LANEWISE_THRUST_SEARCH(binary_search, any)
#undef __LANEWISE_THRUST_SEARCH
template <class I, class T, class C> __LANEWISE_BOTH pair<I, I> equal_range(I first, I last, const T& value, C less) { return pair<I, I>(sequential::lower_bound(first, last, value, less), sequential::upper_bound(first, last, value, less)); }
template <class I, class T> __LANEWISE_BOTH pair<I, I> equal_range(I first, I last, const T& value) { return sequential::equal_range(first, last, value, less<value_of<I>>()); }
}  // namespace sequential

}  // namespace detail
}  // namespace thrust
