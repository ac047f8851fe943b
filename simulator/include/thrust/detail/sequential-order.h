/* The algorithms as loops, second part: selecting, sorting, merging and searching. */
#pragma once
#pragma GCC system_header
#include "sequential.h"

namespace thrust {
namespace detail {
namespace sequential {

template <class I, class S, class O, class P, class = typename std::iterator_traits<O>::iterator_category>
__LANEWISE_BOTH O copy_if(I first, I last, S stencil, O out, P wanted) {
  for (; first != last; ++first, ++stencil) if (wanted(*stencil)) { *out = *first; ++out; }
  return out;
}
template <class I, class O, class P> __LANEWISE_BOTH O copy_if(I first, I last, O out, P wanted) { return sequential::copy_if(first, last, first, out, wanted); }
template <class P> struct opposite {
  P p;
  template <class T> __LANEWISE_BOTH bool operator()(const T& v) const { return !P(p)(v); }
};
template <class T> struct is_value {
  T value;
  template <class U> __LANEWISE_BOTH bool operator()(const U& v) const { return v == value; }
};
template <class I, class O, class P> __LANEWISE_BOTH O remove_copy_if(I first, I last, O out, P unwanted) { return sequential::copy_if(first, last, first, out, opposite<P>{unwanted}); }
template <class I, class S, class O, class P, class = typename std::iterator_traits<O>::iterator_category>
__LANEWISE_BOTH O remove_copy_if(I first, I last, S stencil, O out, P unwanted) { return sequential::copy_if(first, last, stencil, out, opposite<P>{unwanted}); }
template <class I, class O, class T> __LANEWISE_BOTH O remove_copy(I first, I last, O out, const T& value) { return sequential::remove_copy_if(first, last, out, is_value<T>{value}); }
template <class I, class P> __LANEWISE_BOTH I remove_if(I first, I last, P unwanted) { return sequential::copy_if(first, last, first, first, opposite<P>{unwanted}); }
template <class I, class S, class P> __LANEWISE_BOTH I remove_if(I first, I last, S stencil, P unwanted) { return sequential::copy_if(first, last, stencil, first, opposite<P>{unwanted}); }
template <class I, class T> __LANEWISE_BOTH I remove(I first, I last, const T& value) { return sequential::remove_if(first, last, is_value<T>{value}); }
template <class I, class O, class E> __LANEWISE_BOTH O unique_copy(I first, I last, O out, E same) {
  if (first == last) return out;
  value_of<I> before = *first;
  *out = before;
  ++out;
  while (++first != last) {
    value_of<I> now = *first;
    if (!same(before, now)) { *out = now; ++out; }
    before = now;
  }
  return out;
}
template <class I, class O> __LANEWISE_BOTH O unique_copy(I first, I last, O out) { return sequential::unique_copy(first, last, out, equal_to<value_of<I>>()); }
template <class I, class E> __LANEWISE_BOTH I unique(I first, I last, E same) { return sequential::unique_copy(first, last, first, same); }
template <class I> __LANEWISE_BOTH I unique(I first, I last) { return sequential::unique_copy(first, last, first); }
template <class I, class E> __LANEWISE_BOTH std::ptrdiff_t unique_count(I first, I last, E same) {
  std::ptrdiff_t n = first != last;
  for (I before = first; first != last && ++first != last; before = first) if (!same(*before, *first)) ++n;
  return n;
}
template <class I> __LANEWISE_BOTH std::ptrdiff_t unique_count(I first, I last) { return sequential::unique_count(first, last, equal_to<value_of<I>>()); }
template <class K, class I, class KO, class O, class E> __LANEWISE_BOTH pair<KO, O> unique_by_key_copy(K first, K last, I values, KO keys, O out, E same) {
  if (first == last) return pair<KO, O>(keys, out);
  value_of<K> before = *first;
  *keys = before; *out = *values;
  ++keys; ++out;
  for (++first, ++values; first != last; ++first, ++values) {
    value_of<K> now = *first;
    if (!same(before, now)) { *keys = now; *out = *values; ++keys; ++out; }
    before = now;
  }
  return pair<KO, O>(keys, out);
}
template <class K, class I, class KO, class O, class = typename std::iterator_traits<O>::iterator_category>
__LANEWISE_BOTH pair<KO, O> unique_by_key_copy(K first, K last, I values, KO keys, O out) { return sequential::unique_by_key_copy(first, last, values, keys, out, equal_to<value_of<K>>()); }
template <class K, class I, class E> __LANEWISE_BOTH pair<K, I> unique_by_key(K first, K last, I values, E same) { return sequential::unique_by_key_copy(first, last, values, first, values, same); }
template <class K, class I> __LANEWISE_BOTH pair<K, I> unique_by_key(K first, K last, I values) { return sequential::unique_by_key(first, last, values, equal_to<value_of<K>>()); }
template <class I, class S, class O, class R, class P> __LANEWISE_BOTH pair<O, R> partition_copy(I first, I last, S stencil, O yes, R no, P wanted) {
  for (; first != last; ++first, ++stencil) if (wanted(*stencil)) { *yes = *first; ++yes; } else { *no = *first; ++no; }
  return pair<O, R>(yes, no);
}
template <class I, class O, class R, class P> __LANEWISE_BOTH pair<O, R> partition_copy(I first, I last, O yes, R no, P wanted) { return sequential::partition_copy(first, last, first, yes, no, wanted); }
template <class I, class O, class R, class P> __LANEWISE_BOTH pair<O, R> stable_partition_copy(I first, I last, O yes, R no, P wanted) { return sequential::partition_copy(first, last, first, yes, no, wanted); }

/* Halves are exchanged by turning: no memory is needed. */
template <class I> __LANEWISE_BOTH I rotate(I first, I middle, I last) {
  sequential::reverse(first, middle);
  sequential::reverse(middle, last);
  sequential::reverse(first, last);
  return first + (last - middle);
}
template <class I, class P> __LANEWISE_BOTH I stable_partition(I first, I last, P wanted) {
  I end = first;
  for (; first != last; ++first) {
    if (!wanted(*first)) continue;
    sequential::rotate(end, first, first + 1);
    ++end;
  }
  return end;
}
template <class I, class P> __LANEWISE_BOTH I partition(I first, I last, P wanted) { return sequential::stable_partition(first, last, wanted); }

template <class I, class T, class C> __LANEWISE_BOTH I lower_bound(I first, I last, const T& value, C less) {
  for (std::ptrdiff_t n = last - first; n > 0;) {
    std::ptrdiff_t half = n / 2;
    if (less(first[half], value)) { first += half + 1; n -= half + 1; } else n = half;
  }
  return first;
}
template <class I, class T, class C> __LANEWISE_BOTH I upper_bound(I first, I last, const T& value, C less) {
  for (std::ptrdiff_t n = last - first; n > 0;) {
    std::ptrdiff_t half = n / 2;
    if (!less(value, first[half])) { first += half + 1; n -= half + 1; } else n = half;
  }
  return first;
}
template <class I, class T, class C> __LANEWISE_BOTH bool binary_search(I first, I last, const T& value, C less) {
  I found = sequential::lower_bound(first, last, value, less);
  return found != last && !less(value, *found);
}

/* Runs of growing length are merged, from one place to the other and back. Values move with their keys. */
template <class K, class V, class C> __LANEWISE_BOTH void merge_pass(K* from, K* to, V* fromValues, V* toValues, std::ptrdiff_t n, std::ptrdiff_t width, C& less) {
  for (std::ptrdiff_t start = 0; start < n; start += 2 * width) {
    std::ptrdiff_t middle = start + width < n ? start + width : n, end = start + 2 * width < n ? start + 2 * width : n;
    for (std::ptrdiff_t a = start, b = middle, k = start; k < end; ++k) {
      std::ptrdiff_t taken = a < middle && (b == end || !less(from[b], from[a])) ? a++ : b++;
      to[k] = from[taken];
      if (fromValues) toValues[k] = fromValues[taken];
    }
  }
}
template <class I, class J, class C> __LANEWISE_BOTH void sort_pairs(I keys, I last, J values, bool hasValues, C less) {
  typedef value_of<I> K;
  typedef value_of<J> V;
  std::ptrdiff_t n = last - keys;
  if (n < 2) return;
  K* room = n > 16 ? (K*)::malloc(2 * n * sizeof(K)) : nullptr;
  V* valueRoom = room && hasValues ? (V*)::malloc(2 * n * sizeof(V)) : nullptr;
  if (!room || (hasValues && !valueRoom)) {
    ::free(room);
    for (std::ptrdiff_t k = 1; k < n; ++k) {
      K key = keys[k];
      V value = values[hasValues ? k : 0];
      std::ptrdiff_t at = k;
      for (; at > 0 && less(key, keys[at - 1]); --at) { keys[at] = keys[at - 1]; if (hasValues) values[at] = values[at - 1]; }
      keys[at] = key;
      if (hasValues) values[at] = value;
    }
    return;
  }
  for (std::ptrdiff_t k = 0; k < n; ++k) {
    ::new ((void*)(room + k)) K(keys[k]);
    ::new ((void*)(room + n + k)) K(keys[k]);
    if (hasValues) { ::new ((void*)(valueRoom + k)) V(values[k]); ::new ((void*)(valueRoom + n + k)) V(values[k]); }
  }
  K *from = room, *to = room + n;
  V *fromValues = valueRoom, *toValues = hasValues ? valueRoom + n : nullptr;
  for (std::ptrdiff_t width = 1; width < n; width *= 2) {
    merge_pass(from, to, fromValues, toValues, n, width, less);
    K* k = from; from = to; to = k;
    V* v = fromValues; fromValues = toValues; toValues = v;
  }
  for (std::ptrdiff_t k = 0; k < n; ++k) { keys[k] = from[k]; if (hasValues) values[k] = fromValues[k]; }
  for (std::ptrdiff_t k = 0; k < 2 * n; ++k) { room[k].~K(); if (hasValues) valueRoom[k].~V(); }
  ::free(room);
  ::free(valueRoom);
}
template <class I, class C> __LANEWISE_BOTH void stable_sort(I first, I last, C less) { sequential::sort_pairs(first, last, (char*)&first, false, less); }
template <class I> __LANEWISE_BOTH void stable_sort(I first, I last) { sequential::stable_sort(first, last, less<value_of<I>>()); }
template <class I, class C> __LANEWISE_BOTH void sort(I first, I last, C less) { sequential::stable_sort(first, last, less); }
template <class I> __LANEWISE_BOTH void sort(I first, I last) { sequential::stable_sort(first, last); }
template <class K, class I, class C> __LANEWISE_BOTH void stable_sort_by_key(K first, K last, I values, C less) { sequential::sort_pairs(first, last, values, true, less); }
template <class K, class I> __LANEWISE_BOTH void stable_sort_by_key(K first, K last, I values) { sequential::stable_sort_by_key(first, last, values, less<value_of<K>>()); }
template <class K, class I, class C> __LANEWISE_BOTH void sort_by_key(K first, K last, I values, C less) { sequential::stable_sort_by_key(first, last, values, less); }
template <class K, class I> __LANEWISE_BOTH void sort_by_key(K first, K last, I values) { sequential::stable_sort_by_key(first, last, values); }

/* Which elements of two sorted sequences a union, intersection or difference keeps: of m equal ones here and n there, as std's algorithms. */
enum class keep { all, either, both, first, exactly_one };
template <keep kept, class I, class J, class O, class C> __LANEWISE_BOTH O combine(I a, I aEnd, J b, J bEnd, O out, C less) {
  while (a != aEnd || b != bEnd) {
    bool fromA = b == bEnd || (a != aEnd && less(*a, *b)), fromB = !fromA && (a == aEnd || less(*b, *a));
    if (fromA) {
      if (kept != keep::both) { *out = *a; ++out; }
      ++a;
    } else if (fromB) {
      if (kept != keep::both && kept != keep::first) { *out = *b; ++out; }
      ++b;
    } else if (kept == keep::all) {
      *out = *a; ++out; ++a;
    } else {
      if (kept == keep::either || kept == keep::both) { *out = *a; ++out; }
      ++a; ++b;
    }
  }
  return out;
}
#define __LANEWISE_THRUST_COMBINE(name, kept) \
  template <class I, class J, class O, class C> __LANEWISE_BOTH O name(I a, I aEnd, J b, J bEnd, O out, C less) { return combine<keep::kept>(a, aEnd, b, bEnd, out, less); } \
  template <class I, class J, class O> __LANEWISE_BOTH O name(I a, I aEnd, J b, J bEnd, O out) { return combine<keep::kept>(a, aEnd, b, bEnd, out, less<value_of<I>>()); }
__LANEWISE_THRUST_COMBINE(merge, all)
__LANEWISE_THRUST_COMBINE(set_union, either)
__LANEWISE_THRUST_COMBINE(set_intersection, both)
__LANEWISE_THRUST_COMBINE(set_difference, first)
__LANEWISE_THRUST_COMBINE(set_symmetric_difference, exactly_one)
#undef __LANEWISE_THRUST_COMBINE
template <class I, class J, class V, class W, class KO, class O, class C> __LANEWISE_BOTH pair<KO, O> merge_by_key(I a, I aEnd, J b, J bEnd, V aValues, W bValues, KO keys, O out, C less) {
  while (a != aEnd || b != bEnd) {
    if (b == bEnd || (a != aEnd && !less(*b, *a))) { *keys = *a; *out = *aValues; ++a; ++aValues; }
    else { *keys = *b; *out = *bValues; ++b; ++bValues; }
    ++keys; ++out;
  }
  return pair<KO, O>(keys, out);
}
template <class I, class J, class V, class W, class KO, class O> __LANEWISE_BOTH pair<KO, O> merge_by_key(I a, I aEnd, J b, J bEnd, V aValues, W bValues, KO keys, O out) {
  return sequential::merge_by_key(a, aEnd, b, bEnd, aValues, bValues, keys, out, less<value_of<I>>());
}

}  // namespace sequential
}  // namespace detail
}  // namespace thrust
