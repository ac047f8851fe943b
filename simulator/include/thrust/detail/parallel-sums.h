/* Algorithms as kernels, second part: reductions and prefix sums. Pieces are folded in order, then their results in order. */
#pragma once
#pragma GCC system_header
#include "parallel.h"

namespace thrust {
namespace detail {
namespace parallel {

/* `initial` and then element(0), element(1), ... of type T. */
template <class T, class E, class B> T fold(with policy, std::size_t n, E element, T initial, B operation) {
  if (n == 0) return initial;
  std::size_t count = pieces(n), length = piece_length(n);
  scratch<T> partials(policy, count);
  T* partial = partials.get();
  run(policy, count, [=] __device__(std::size_t p) {
    std::size_t k = p * length, end = k + length < n ? k + length : n;
    T sum = element(k);
    while (++k < end) sum = B(operation)(sum, (T)element(k));
    put(partial + p, sum);
  });
  run(policy, 1, [=] __device__(std::size_t) {
    T sum = initial;
    for (std::size_t p = 0; p < count; ++p) sum = B(operation)(sum, partial[p]);
    put(partial, sum);
  });
  return partials.at(0);
}
template <class I, class F, class T, class B> T transform_reduce(with policy, I first, I last, F f, T initial, B operation) {
  auto at = raw(first);
  return fold<T>(policy, last - first, [=] __device__(std::size_t k) -> T { return F(f)(at[k]); }, initial, operation);
}
template <class I, class T, class B> T reduce(with policy, I first, I last, T initial, B operation) {
  auto at = raw(first);
  return fold<T>(policy, last - first, [=] __device__(std::size_t k) -> T { return at[k]; }, initial, operation);
}
template <class I, class T> T reduce(with policy, I first, I last, T initial) { return parallel::reduce(policy, first, last, initial, plus<T>()); }
template <class I> value_of<I> reduce(with policy, I first, I last) { return parallel::reduce(policy, first, last, value_of<I>()); }
template <class I, class J, class T, class B, class C> T inner_product(with policy, I first, I last, J second, T initial, B add, C multiply) {
  auto a = raw(first);
  auto b = raw(second);
  return fold<T>(policy, last - first, [=] __device__(std::size_t k) -> T { return C(multiply)(a[k], b[k]); }, initial, add);
}
template <class I, class J, class T> T inner_product(with policy, I first, I last, J second, T initial) { return parallel::inner_product(policy, first, last, second, initial, plus<T>(), multiplies<T>()); }
template <class I, class P> std::ptrdiff_t count_if(with policy, I first, I last, P wanted) {
  auto at = raw(first);
  return fold<std::ptrdiff_t>(policy, last - first, [=] __device__(std::size_t k) -> std::ptrdiff_t { return P(wanted)(at[k]) ? 1 : 0; }, 0, plus<std::ptrdiff_t>());
}
template <class I, class T> std::ptrdiff_t count(with policy, I first, I last, const T& value) { return parallel::count_if(policy, first, last, sequential::is_value<T>{value}); }

/* The first index for which `wanted` holds, or n. */
template <class W> std::size_t first_index(with policy, std::size_t n, W wanted) {
  return fold<std::size_t>(policy, n, [=] __device__(std::size_t k) -> std::size_t { return wanted(k) ? k : n; }, n, minimum<std::size_t>());
}
template <class I, class P> I find_if(with policy, I first, I last, P wanted) {
  auto at = raw(first);
  return first + first_index(policy, last - first, [=] __device__(std::size_t k) -> bool { return P(wanted)(at[k]); });
}
template <class I, class P> I find_if_not(with policy, I first, I last, P wanted) { return parallel::find_if(policy, first, last, sequential::opposite<P>{wanted}); }
template <class I, class T> I find(with policy, I first, I last, const T& value) { return parallel::find_if(policy, first, last, sequential::is_value<T>{value}); }
template <class I, class P> bool any_of(with policy, I first, I last, P wanted) { return parallel::find_if(policy, first, last, wanted) != last; }
template <class I, class P> bool all_of(with policy, I first, I last, P wanted) { return parallel::find_if_not(policy, first, last, wanted) == last; }
template <class I, class P> bool none_of(with policy, I first, I last, P wanted) { return parallel::find_if(policy, first, last, wanted) == last; }
template <class I, class P> I partition_point(with policy, I first, I last, P wanted) { return parallel::find_if_not(policy, first, last, wanted); }
template <class I, class P> bool is_partitioned(with policy, I first, I last, P wanted) { return parallel::none_of(policy, parallel::find_if_not(policy, first, last, wanted), last, wanted); }
template <class I, class J, class P> pair<I, J> mismatch(with policy, I first, I last, J second, P same) {
  auto a = raw(first);
  auto b = raw(second);
  std::size_t k = first_index(policy, last - first, [=] __device__(std::size_t k) -> bool { return !P(same)(a[k], b[k]); });
  return pair<I, J>(first + k, second + k);
}
template <class I, class J> pair<I, J> mismatch(with policy, I first, I last, J second) { return parallel::mismatch(policy, first, last, second, equal_to<value_of<I>>()); }
template <class I, class J, class P> bool equal(with policy, I first, I last, J second, P same) { return parallel::mismatch(policy, first, last, second, same).first == last; }
template <class I, class J> bool equal(with policy, I first, I last, J second) { return parallel::equal(policy, first, last, second, equal_to<value_of<I>>()); }
template <class I, class C> I is_sorted_until(with policy, I first, I last, C less) {
  if (last - first < 2) return last;
  auto at = raw(first);
  return first + 1 + first_index(policy, last - first - 1, [=] __device__(std::size_t k) -> bool { return C(less)(at[k + 1], at[k]); });
}
template <class I> I is_sorted_until(with policy, I first, I last) { return parallel::is_sorted_until(policy, first, last, less<value_of<I>>()); }
template <class I, class C> bool is_sorted(with policy, I first, I last, C less) { return parallel::is_sorted_until(policy, first, last, less) == last; }
template <class I> bool is_sorted(with policy, I first, I last) { return parallel::is_sorted_until(policy, first, last) == last; }

/* The first of the smallest elements, or of the largest. */
template <class I, class C> I extremum(with policy, I first, I last, C less, bool largest) {
  if (first == last) return last;
  auto at = raw(first);
  return first + fold<std::size_t>(policy, last - first, [=] __device__(std::size_t k) { return k; }, 0, [=] __device__(std::size_t a, std::size_t b) {
           bool better = largest ? C(less)(at[a], at[b]) : C(less)(at[b], at[a]);
           return better ? b : a;
         });
}
template <class I, class C> I max_element(with policy, I first, I last, C less) { return extremum(policy, first, last, less, true); }
template <class I> I max_element(with policy, I first, I last) { return extremum(policy, first, last, less<value_of<I>>(), true); }
template <class I, class C> I min_element(with policy, I first, I last, C less) { return extremum(policy, first, last, less, false); }
template <class I> I min_element(with policy, I first, I last) { return extremum(policy, first, last, less<value_of<I>>(), false); }
template <class I, class C> pair<I, I> minmax_element(with policy, I first, I last, C less) { return pair<I, I>(extremum(policy, first, last, less, false), extremum(policy, first, last, less, true)); }
template <class I> pair<I, I> minmax_element(with policy, I first, I last) { return parallel::minmax_element(policy, first, last, less<value_of<I>>()); }

/* Sums start again where `starts(k)` holds, with `initial` if there is one; store(k, sum of what is before k, sum with k). */
template <class T, class E, class H, class B, class S> void scan(with policy, std::size_t n, E element, H starts, const T* initial, B operation, S store) {
  std::size_t count = pieces(n), length = piece_length(n);
  scratch<T> partials(policy, count + 1);
  scratch<unsigned char> resets(policy, count);
  T* partial = partials.get();
  unsigned char* reset = resets.get();
  bool has = initial != nullptr;
  T* start = partial + count;
  if (has && n) { T copy = *initial; run(policy, 1, [=] __device__(std::size_t) { put(start, copy); }); }
  run(policy, count, [=] __device__(std::size_t p) {
    std::size_t k = p * length, end = k + length < n ? k + length : n;
    bool again = k > 0 && starts(k);
    T sum = element(k);
    if (again && has) sum = B(operation)(*start, sum);
    while (++k < end) {
      if (!starts(k)) { sum = B(operation)(sum, (T)element(k)); continue; }
      again = true;
      sum = element(k);
      if (has) sum = B(operation)(*start, sum);
    }
    put(partial + p, sum);
    reset[p] = again;
  });
  /* Afterwards partial[p] is what comes before piece p; piece 0 has something before it only with an initial value. */
  run(policy, n ? 1 : 0, [=] __device__(std::size_t) {
    T before = partial[0];
    if (has) { if (!reset[0]) before = B(operation)(*start, before); partial[0] = *start; }
    for (std::size_t p = 1; p < count; ++p) {
      T own = partial[p];
      partial[p] = before;
      before = reset[p] ? own : B(operation)(before, own);
    }
  });
  run(policy, count, [=] __device__(std::size_t p) {
    std::size_t k = p * length, end = k + length < n ? k + length : n;
    T sum = partial[p];
    bool any = p > 0 || has;
    for (; k < end; ++k) {
      if (k > 0 && starts(k)) { any = has; if (has) sum = *start; }
      T value = element(k);
      T next = value;
      if (any) next = B(operation)(sum, value);
      store(k, sum, next);
      sum = next;
      any = true;
    }
  });
}
struct never {
  __host__ __device__ bool operator()(std::size_t) const { return false; }
};
template <bool exclusive, class T, class I, class O, class F, class B> O scan_of(with policy, I first, I last, O out, F f, const T* initial, B operation) {
  auto from = raw(first);
  auto to = raw(out);
  scan<T>(
      policy, last - first, [=] __device__(std::size_t k) -> T { return F(f)(from[k]); }, never(), initial, operation,
      [=] __device__(std::size_t k, const T& before, const T& sum) { if (exclusive) to[k] = before; else to[k] = sum; });
  return out + (last - first);
}
template <class I, class O, class B> O inclusive_scan(with policy, I first, I last, O out, B operation) { return scan_of<false, value_of<I>>(policy, first, last, out, same_value(), nullptr, operation); }
template <class I, class O> O inclusive_scan(with policy, I first, I last, O out) { return parallel::inclusive_scan(policy, first, last, out, plus<value_of<I>>()); }
template <class I, class O, class T, class B> O inclusive_scan(with policy, I first, I last, O out, T initial, B operation) { return scan_of<false, T>(policy, first, last, out, same_value(), &initial, operation); }
template <class I, class O, class T, class B> O exclusive_scan(with policy, I first, I last, O out, T initial, B operation) { return scan_of<true, T>(policy, first, last, out, same_value(), &initial, operation); }
template <class I, class O, class T> O exclusive_scan(with policy, I first, I last, O out, T initial) { return parallel::exclusive_scan(policy, first, last, out, initial, plus<T>()); }
template <class I, class O> O exclusive_scan(with policy, I first, I last, O out) { return parallel::exclusive_scan(policy, first, last, out, value_of<I>()); }
template <class I, class O, class F, class B> O transform_inclusive_scan(with policy, I first, I last, O out, F f, B operation) {
  typedef typename std::decay<given<F, value_of<I>>>::type T;
  return scan_of<false, T>(policy, first, last, out, f, nullptr, operation);
}
template <class I, class O, class F, class T, class B> O transform_exclusive_scan(with policy, I first, I last, O out, F f, T initial, B operation) { return scan_of<true, T>(policy, first, last, out, f, &initial, operation); }
template <bool exclusive, class T, class K, class I, class O, class E, class B> O scan_by_key(with policy, K first, K last, I values, O out, const T* initial, E same, B operation) {
  auto key = raw(first);
  auto from = raw(values);
  auto to = raw(out);
  scan<T>(
      policy, last - first, [=] __device__(std::size_t k) -> T { return from[k]; }, [=] __device__(std::size_t k) -> bool { return !E(same)(key[k - 1], key[k]); }, initial,
      operation, [=] __device__(std::size_t k, const T& before, const T& sum) { if (exclusive) to[k] = before; else to[k] = sum; });
  return out + (last - first);
}
template <class K, class I, class O, class E, class B> O inclusive_scan_by_key(with policy, K first, K last, I values, O out, E same, B operation) { return parallel::scan_by_key<false, value_of<I>>(policy, first, last, values, out, nullptr, same, operation); }
template <class K, class I, class O, class E> O inclusive_scan_by_key(with policy, K first, K last, I values, O out, E same) { return parallel::inclusive_scan_by_key(policy, first, last, values, out, same, plus<value_of<I>>()); }
template <class K, class I, class O> O inclusive_scan_by_key(with policy, K first, K last, I values, O out) { return parallel::inclusive_scan_by_key(policy, first, last, values, out, equal_to<value_of<K>>()); }
template <class K, class I, class O, class T, class E, class B> O exclusive_scan_by_key(with policy, K first, K last, I values, O out, T initial, E same, B operation) { return parallel::scan_by_key<true, T>(policy, first, last, values, out, &initial, same, operation); }
template <class K, class I, class O, class T, class E> O exclusive_scan_by_key(with policy, K first, K last, I values, O out, T initial, E same) { return parallel::exclusive_scan_by_key(policy, first, last, values, out, initial, same, plus<T>()); }
template <class K, class I, class O, class T> O exclusive_scan_by_key(with policy, K first, K last, I values, O out, T initial) { return parallel::exclusive_scan_by_key(policy, first, last, values, out, initial, equal_to<value_of<K>>()); }
template <class K, class I, class O> O exclusive_scan_by_key(with policy, K first, K last, I values, O out) { return parallel::exclusive_scan_by_key(policy, first, last, values, out, value_of<I>()); }
/* Each key's sum goes to the place of that key among the keys. */
template <class K, class I, class KO, class O, class E, class B> pair<KO, O> reduce_by_key(with policy, K first, K last, I values, KO keys, O out, E same, B operation) {
  typedef value_of<I> T;
  std::size_t n = last - first;
  if (n == 0) return pair<KO, O>(keys, out);
  auto key = raw(first);
  auto from = raw(values);
  auto toKeys = raw(keys);
  auto to = raw(out);
  scratch<std::size_t> places(policy, n);
  std::size_t* place = places.get();
  auto starts = [=] __device__(std::size_t k) -> bool { return !E(same)(key[k - 1], key[k]); };
  scan<std::size_t>(
      policy, n, [=] __device__(std::size_t k) -> std::size_t { return k == 0 || !E(same)(key[k - 1], key[k]) ? 1 : 0; }, never(), nullptr, plus<std::size_t>(),
      [=] __device__(std::size_t k, const std::size_t&, const std::size_t& sum) { place[k] = sum - 1; });
  scan<T>(
      policy, n, [=] __device__(std::size_t k) -> T { return from[k]; }, starts, nullptr, operation, [=] __device__(std::size_t k, const T&, const T& sum) {
        if (k + 1 == n || place[k + 1] != place[k]) to[place[k]] = sum;
        if (k == 0 || place[k - 1] != place[k]) toKeys[place[k]] = key[k];
      });
  std::size_t count = places.at(n - 1) + 1;
  return pair<KO, O>(keys + count, out + count);
}
template <class K, class I, class KO, class O, class E> pair<KO, O> reduce_by_key(with policy, K first, K last, I values, KO keys, O out, E same) { return parallel::reduce_by_key(policy, first, last, values, keys, out, same, plus<value_of<I>>()); }
template <class K, class I, class KO, class O> pair<KO, O> reduce_by_key(with policy, K first, K last, I values, KO keys, O out) { return parallel::reduce_by_key(policy, first, last, values, keys, out, equal_to<value_of<K>>()); }

}  // namespace parallel
}  // namespace detail
}  // namespace thrust
