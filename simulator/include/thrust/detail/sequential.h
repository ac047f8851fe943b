/* The algorithms as loops: for host iterators, and in kernels. What the standard library has and no kernel needs is taken from there. */
#pragma once
#pragma GCC system_header
#include "../functional.h"
#include "../tuple.h"
#include "core.h"

namespace thrust {
namespace detail {
namespace sequential {

#define __LANEWISE_BOTH __host__ __device__

template <class I, class F> __LANEWISE_BOTH I for_each(I first, I last, F f) { for (; first != last; ++first) f(*first); return last; }
template <class I, class N, class F> __LANEWISE_BOTH I for_each_n(I first, N n, F f) { return sequential::for_each(first, first + n, f); }
template <class I, class T> __LANEWISE_BOTH void fill(I first, I last, const T& value) { for (; first != last; ++first) *first = value; }
template <class I, class N, class T> __LANEWISE_BOTH I fill_n(I first, N n, const T& value) { sequential::fill(first, first + n, value); return first + n; }
template <class I, class T> __LANEWISE_BOTH void sequence(I first, I last, T start, T step) { for (std::ptrdiff_t k = 0; first != last; ++first, ++k) *first = (value_of<I>)(start + step * (T)k); }
template <class I, class T> __LANEWISE_BOTH void sequence(I first, I last, T start) { sequential::sequence(first, last, start, T(1)); }
template <class I> __LANEWISE_BOTH void sequence(I first, I last) { sequential::sequence(first, last, value_of<I>(0)); }
template <class I, class G> __LANEWISE_BOTH void generate(I first, I last, G g) { for (; first != last; ++first) *first = g(); }
template <class I, class N, class G> __LANEWISE_BOTH I generate_n(I first, N n, G g) { sequential::generate(first, first + n, g); return first + n; }
template <class I, class F> __LANEWISE_BOTH void tabulate(I first, I last, F f) { for (std::ptrdiff_t k = 0; first != last; ++first, ++k) *first = f(k); }
template <class I, class O> __LANEWISE_BOTH O copy(I first, I last, O out) { for (; first != last; ++first, ++out) *out = *first; return out; }
template <class I, class N, class O> __LANEWISE_BOTH O copy_n(I first, N n, O out) { for (N k = 0; k < n; ++k, ++first, ++out) *out = *first; return out; }
template <class I, class O, class F> __LANEWISE_BOTH O transform(I first, I last, O out, F f) { for (; first != last; ++first, ++out) *out = f(*first); return out; }
template <class I, class J, class O, class F> __LANEWISE_BOTH O transform(I first, I last, J second, O out, F f) {
  for (; first != last; ++first, ++second, ++out) *out = f(*first, *second);
  return out;
}
template <class I, class O, class F, class P> __LANEWISE_BOTH O transform_if(I first, I last, O out, F f, P wanted) {
  for (; first != last; ++first, ++out) if (wanted(*first)) *out = f(*first);
  return out;
}
template <class I, class S, class O, class F, class P, class = typename std::iterator_traits<O>::iterator_category>
__LANEWISE_BOTH O transform_if(I first, I last, S stencil, O out, F f, P wanted) {
  for (; first != last; ++first, ++stencil, ++out) if (wanted(*stencil)) *out = f(*first);
  return out;
}
template <class M, class I, class O> __LANEWISE_BOTH O gather(M first, M last, I from, O out) { for (; first != last; ++first, ++out) *out = from[*first]; return out; }
template <class M, class S, class I, class O, class P> __LANEWISE_BOTH O gather_if(M first, M last, S stencil, I from, O out, P wanted) {
  for (; first != last; ++first, ++stencil, ++out) if (wanted(*stencil)) *out = from[*first];
  return out;
}
template <class M, class S, class I, class O> __LANEWISE_BOTH O gather_if(M first, M last, S stencil, I from, O out) {
  for (; first != last; ++first, ++stencil, ++out) if (*stencil) *out = from[*first];
  return out;
}
template <class I, class M, class O> __LANEWISE_BOTH void scatter(I first, I last, M map, O out) { for (; first != last; ++first, ++map) out[*map] = *first; }
template <class I, class M, class S, class O, class P> __LANEWISE_BOTH void scatter_if(I first, I last, M map, S stencil, O out, P wanted) {
  for (; first != last; ++first, ++map, ++stencil) if (wanted(*stencil)) out[*map] = *first;
}
template <class I, class M, class S, class O> __LANEWISE_BOTH void scatter_if(I first, I last, M map, S stencil, O out) {
  for (; first != last; ++first, ++map, ++stencil) if (*stencil) out[*map] = *first;
}
template <class I, class P, class T> __LANEWISE_BOTH void replace_if(I first, I last, P wanted, const T& value) { for (; first != last; ++first) if (wanted(*first)) *first = value; }
template <class I, class S, class P, class T> __LANEWISE_BOTH void replace_if(I first, I last, S stencil, P wanted, const T& value) { for (; first != last; ++first, ++stencil) if (wanted(*stencil)) *first = value; }
template <class I, class T> __LANEWISE_BOTH void replace(I first, I last, const T& old, const T& value) { for (; first != last; ++first) if (*first == old) *first = value; }
template <class I, class O, class P, class T> __LANEWISE_BOTH O replace_copy_if(I first, I last, O out, P wanted, const T& value) {
  for (; first != last; ++first, ++out) if (wanted(*first)) *out = value; else *out = *first;
  return out;
}
template <class I, class O, class T> __LANEWISE_BOTH O replace_copy(I first, I last, O out, const T& old, const T& value) {
  for (; first != last; ++first, ++out) if (*first == old) *out = value; else *out = *first;
  return out;
}
template <class I, class J> __LANEWISE_BOTH J swap_ranges(I first, I last, J second) {
  for (; first != last; ++first, ++second) { value_of<I> old = *first; *first = *second; *second = old; }
  return second;
}
template <class I> __LANEWISE_BOTH void reverse(I first, I last) {
  for (; first < last && first < --last; ++first) { value_of<I> old = *first; *first = *last; *last = old; }
}
template <class I, class O> __LANEWISE_BOTH O reverse_copy(I first, I last, O out) { while (last != first) { --last; *out = *last; ++out; } return out; }
template <class I, class O, class F> __LANEWISE_BOTH O adjacent_difference(I first, I last, O out, F f) {
  if (first == last) return out;
  value_of<I> before = *first;
  *out = before;
  for (++first, ++out; first != last; ++first, ++out) { value_of<I> now = *first; *out = f(now, before); before = now; }
  return out;
}
template <class I, class O> __LANEWISE_BOTH O adjacent_difference(I first, I last, O out) { return sequential::adjacent_difference(first, last, out, minus<value_of<I>>()); }

template <class I, class T, class B> __LANEWISE_BOTH T reduce(I first, I last, T sum, B operation) { for (; first != last; ++first) sum = operation(sum, *first); return sum; }
template <class I, class T> __LANEWISE_BOTH T reduce(I first, I last, T sum) { return sequential::reduce(first, last, sum, plus<T>()); }
template <class I> __LANEWISE_BOTH value_of<I> reduce(I first, I last) { return sequential::reduce(first, last, value_of<I>()); }
template <class I, class F, class T, class B> __LANEWISE_BOTH T transform_reduce(I first, I last, F f, T sum, B operation) { for (; first != last; ++first) sum = operation(sum, f(*first)); return sum; }
template <class I, class J, class T, class B, class C> __LANEWISE_BOTH T inner_product(I first, I last, J second, T sum, B add, C multiply) {
  for (; first != last; ++first, ++second) sum = add(sum, multiply(*first, *second));
  return sum;
}
template <class I, class J, class T> __LANEWISE_BOTH T inner_product(I first, I last, J second, T sum) { return sequential::inner_product(first, last, second, sum, plus<T>(), multiplies<T>()); }
template <class I, class P> __LANEWISE_BOTH std::ptrdiff_t count_if(I first, I last, P wanted) { std::ptrdiff_t n = 0; for (; first != last; ++first) if (wanted(*first)) ++n; return n; }
template <class I, class T> __LANEWISE_BOTH std::ptrdiff_t count(I first, I last, const T& value) { std::ptrdiff_t n = 0; for (; first != last; ++first) if (*first == value) ++n; return n; }
template <class I, class P> __LANEWISE_BOTH I find_if(I first, I last, P wanted) { for (; first != last; ++first) if (wanted(*first)) break; return first; }
template <class I, class P> __LANEWISE_BOTH I find_if_not(I first, I last, P wanted) { for (; first != last; ++first) if (!wanted(*first)) break; return first; }
template <class I, class T> __LANEWISE_BOTH I find(I first, I last, const T& value) { for (; first != last; ++first) if (*first == value) break; return first; }
template <class I, class P> __LANEWISE_BOTH bool any_of(I first, I last, P wanted) { return sequential::find_if(first, last, wanted) != last; }
template <class I, class P> __LANEWISE_BOTH bool all_of(I first, I last, P wanted) { return sequential::find_if_not(first, last, wanted) == last; }
template <class I, class P> __LANEWISE_BOTH bool none_of(I first, I last, P wanted) { return sequential::find_if(first, last, wanted) == last; }
template <class I, class J, class P> __LANEWISE_BOTH pair<I, J> mismatch(I first, I last, J second, P same) { for (; first != last && same(*first, *second); ++first, ++second) {} return pair<I, J>(first, second); }
template <class I, class J> __LANEWISE_BOTH pair<I, J> mismatch(I first, I last, J second) { return sequential::mismatch(first, last, second, equal_to<value_of<I>>()); }
template <class I, class J, class P> __LANEWISE_BOTH bool equal(I first, I last, J second, P same) { return sequential::mismatch(first, last, second, same).first == last; }
template <class I, class J> __LANEWISE_BOTH bool equal(I first, I last, J second) { return sequential::equal(first, last, second, equal_to<value_of<I>>()); }
template <class I, class C> __LANEWISE_BOTH I is_sorted_until(I first, I last, C less) {
  if (first == last) return last;
  for (I next = first; ++next != last; first = next) if (less(*next, *first)) return next;
  return last;
}
template <class I> __LANEWISE_BOTH I is_sorted_until(I first, I last) { return sequential::is_sorted_until(first, last, less<value_of<I>>()); }
template <class I, class C> __LANEWISE_BOTH bool is_sorted(I first, I last, C less) { return sequential::is_sorted_until(first, last, less) == last; }
template <class I> __LANEWISE_BOTH bool is_sorted(I first, I last) { return sequential::is_sorted_until(first, last) == last; }
template <class I, class P> __LANEWISE_BOTH I partition_point(I first, I last, P wanted) { return sequential::find_if_not(first, last, wanted); }
template <class I, class P> __LANEWISE_BOTH bool is_partitioned(I first, I last, P wanted) { return sequential::none_of(sequential::find_if_not(first, last, wanted), last, wanted); }
template <class I, class C> __LANEWISE_BOTH I min_element(I first, I last, C less) { I best = first; for (; first != last; ++first) if (less(*first, *best)) best = first; return best; }
template <class I> __LANEWISE_BOTH I min_element(I first, I last) { return sequential::min_element(first, last, less<value_of<I>>()); }
template <class I, class C> __LANEWISE_BOTH I max_element(I first, I last, C less) { I best = first; for (; first != last; ++first) if (less(*best, *first)) best = first; return best; }
template <class I> __LANEWISE_BOTH I max_element(I first, I last) { return sequential::max_element(first, last, less<value_of<I>>()); }
template <class I, class C> __LANEWISE_BOTH pair<I, I> minmax_element(I first, I last, C less) { return pair<I, I>(sequential::min_element(first, last, less), sequential::max_element(first, last, less)); }
template <class I> __LANEWISE_BOTH pair<I, I> minmax_element(I first, I last) { return sequential::minmax_element(first, last, less<value_of<I>>()); }

template <class I, class O, class B> __LANEWISE_BOTH O inclusive_scan(I first, I last, O out, B operation) {
  if (first == last) return out;
  value_of<I> sum = *first;
  *out = sum;
  for (++first, ++out; first != last; ++first, ++out) *out = sum = operation(sum, *first);
  return out;
}
template <class I, class O> __LANEWISE_BOTH O inclusive_scan(I first, I last, O out) { return sequential::inclusive_scan(first, last, out, plus<value_of<I>>()); }
template <class I, class O, class T, class B> __LANEWISE_BOTH O inclusive_scan(I first, I last, O out, T sum, B operation) { for (; first != last; ++first, ++out) *out = sum = operation(sum, *first); return out; }
template <class I, class O, class T, class B> __LANEWISE_BOTH O exclusive_scan(I first, I last, O out, T sum, B operation) {
  for (; first != last; ++first, ++out) { T next = operation(sum, *first); *out = sum; sum = next; }
  return out;
}
template <class I, class O, class T> __LANEWISE_BOTH O exclusive_scan(I first, I last, O out, T sum) { return sequential::exclusive_scan(first, last, out, sum, plus<T>()); }
template <class I, class O> __LANEWISE_BOTH O exclusive_scan(I first, I last, O out) { return sequential::exclusive_scan(first, last, out, value_of<I>()); }
template <class I, class O, class F, class B> __LANEWISE_BOTH O transform_inclusive_scan(I first, I last, O out, F f, B operation) {
  if (first == last) return out;
  auto sum = f(*first);
  *out = sum;
  for (++first, ++out; first != last; ++first, ++out) *out = sum = operation(sum, f(*first));
  return out;
}
template <class I, class O, class F, class T, class B> __LANEWISE_BOTH O transform_exclusive_scan(I first, I last, O out, F f, T sum, B operation) {
  for (; first != last; ++first, ++out) { T next = operation(sum, f(*first)); *out = sum; sum = next; }
  return out;
}
template <class K, class I, class O, class E, class B> __LANEWISE_BOTH O inclusive_scan_by_key(K first, K last, I values, O out, E same, B operation) {
  if (first == last) return out;
  value_of<I> sum = *values;
  *out = sum;
  for (K before = first; ++first != last; before = first) {
    ++values; ++out;
    if (same(*before, *first)) sum = operation(sum, *values); else sum = *values;
    *out = sum;
  }
  return ++out;
}
template <class K, class I, class O, class E> __LANEWISE_BOTH O inclusive_scan_by_key(K first, K last, I values, O out, E same) { return sequential::inclusive_scan_by_key(first, last, values, out, same, plus<value_of<I>>()); }
template <class K, class I, class O> __LANEWISE_BOTH O inclusive_scan_by_key(K first, K last, I values, O out) { return sequential::inclusive_scan_by_key(first, last, values, out, equal_to<value_of<K>>()); }
template <class K, class I, class O, class T, class E, class B> __LANEWISE_BOTH O exclusive_scan_by_key(K first, K last, I values, O out, T initial, E same, B operation) {
  T sum = initial;
  for (K before = first; first != last; before = first, ++first, ++values, ++out) {
    if (!same(*before, *first)) sum = initial;
    T next = operation(sum, *values);
    *out = sum;
    sum = next;
  }
  return out;
}
template <class K, class I, class O, class T, class E> __LANEWISE_BOTH O exclusive_scan_by_key(K first, K last, I values, O out, T initial, E same) { return sequential::exclusive_scan_by_key(first, last, values, out, initial, same, plus<T>()); }
template <class K, class I, class O, class T> __LANEWISE_BOTH O exclusive_scan_by_key(K first, K last, I values, O out, T initial) { return sequential::exclusive_scan_by_key(first, last, values, out, initial, equal_to<value_of<K>>()); }
template <class K, class I, class O> __LANEWISE_BOTH O exclusive_scan_by_key(K first, K last, I values, O out) { return sequential::exclusive_scan_by_key(first, last, values, out, value_of<I>()); }
template <class K, class I, class KO, class O, class E, class B> __LANEWISE_BOTH pair<KO, O> reduce_by_key(K first, K last, I values, KO keys, O out, E same, B operation) {
  while (first != last) {
    value_of<K> key = *first;
    value_of<I> sum = *values;
    for (++first, ++values; first != last && same(key, *first); ++first, ++values) sum = operation(sum, *values);
    *keys = key; *out = sum;
    ++keys; ++out;
  }
  return pair<KO, O>(keys, out);
}
template <class K, class I, class KO, class O, class E> __LANEWISE_BOTH pair<KO, O> reduce_by_key(K first, K last, I values, KO keys, O out, E same) { return sequential::reduce_by_key(first, last, values, keys, out, same, plus<value_of<I>>()); }
template <class K, class I, class KO, class O> __LANEWISE_BOTH pair<KO, O> reduce_by_key(K first, K last, I values, KO keys, O out) { return sequential::reduce_by_key(first, last, values, keys, out, equal_to<value_of<K>>()); }

}  // namespace sequential
}  // namespace detail
}  // namespace thrust
