/*
 * CUB's functions for whole arrays, on our Thrust's kernels: results are CUB's, but launches and their counts are not. Temporary storage is
 * asked for as with CUB, and not used.
 */
#pragma once
#pragma GCC system_header
#include "../../thrust/detail/algorithms.h"
#include "iterators.h"
#include <limits>
#include <tuple>

namespace thrust {
namespace detail {
/* A block for each range. */
template <class I, class O, class S> __global__ void copyRanges(I from, O to, S sizes) {
  auto source = from[blockIdx.x];
  auto target = to[blockIdx.x];
  size_t n = sizes[blockIdx.x];
  for (size_t k = threadIdx.x; k < n; k += blockDim.x) target[k] = source[k];
}
}  // namespace detail
}  // namespace thrust

namespace cub {
namespace detail {
namespace with = thrust::detail::parallel;
using thrust::detail::raw;
using thrust::detail::run;
using thrust::detail::scratch;
typedef thrust::detail::device_policy On;
template <class I> using valueOf = typename std::iterator_traits<I>::value_type;

/* What sums of one type, and of another one to begin with, are kept in: bytes that are added make an int. */
template <class Op, class T, class S = T> using accumulatorOf = std::decay_t<thrust::detail::given<Op, S, T>>;
/* Totals begin with a zero of the type that they are stored as, if the place has one. */
template <class O, class I> using storedOf = std::conditional_t<std::is_void<valueOf<O>>::value, valueOf<I>, valueOf<O>>;

/* Asked without storage, a function says how much it needs. */
template <class F> cudaError_t answer(void* storage, size_t& bytes, F work) {
  if (!storage) {
    bytes = 1;
    return cudaSuccess;
  }
  work();
  return cudaGetLastError();
}
/* One value to where an iterator leads. */
template <class O, class T> void give(On on, O out, const T& value) {
  auto to = raw(out);
  T v = value;
  run(on, 1, [=] __device__(size_t) { *to = v; });
}
template <class I, class O, class Op, class T> void reduce(On on, I in, O out, size_t n, Op op, T initial) {
  typedef accumulatorOf<Op, valueOf<I>, T> A;
  auto from = raw(in);
  give(on, out, with::fold<A>(on, n, [=] __device__(size_t k) -> A { return from[k]; }, (A)initial, op));
}
/* The extremum with its place. Of none it is the worst value, at 1. */
template <class Pair, class I, class Op> Pair extremum(On on, I in, size_t n, Op op, valueOf<I> worst) {
  auto from = raw(in);
  if (n == 0) return Pair(1, worst);
  typedef typename Pair::Key Key;
  return with::fold<Pair>(on, n, [=] __device__(size_t k) { return Pair((Key)k, from[k]); }, Pair(std::numeric_limits<Key>::max(), worst), op);
}
template <class I, class O, class Op> void argument(On on, I in, O out, size_t n, Op op, valueOf<I> worst) { give(on, out, extremum<KeyValuePair<int, valueOf<I>>>(on, in, n, op, worst)); }
template <class I, class E, class X, class Op> void argument(On on, I in, E value, X place, size_t n, Op op, valueOf<I> worst) {
  auto found = extremum<KeyValuePair<long long, valueOf<I>>>(on, in, n, op, worst);
  give(on, value, found.value);
  give(on, place, found.key);
}
/* A count that stands where another form of a function has a place to write to. */
template <class T> using unlessNumber = std::enable_if_t<!std::is_arithmetic<T>::value>;
template <class I, class O, class N, class W> void select(On on, I in, O out, N count, size_t n, W wanted) { give(on, count, with::select(on, n, wanted, in, out)); }
}  // namespace detail

#define __LANEWISE_CUB detail::answer(storage, bytes, [&] { detail::On on(stream);
#define __LANEWISE_CUB_END })

struct DeviceReduce {
  template <class I, class O, class Op, class T> static cudaError_t Reduce(void* storage, size_t& bytes, I in, O out, size_t n, Op op, T initial, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::reduce(on, in, out, n, op, initial); __LANEWISE_CUB_END;
  }
  template <class I, class O> static cudaError_t Sum(void* storage, size_t& bytes, I in, O out, size_t n, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, n, cub::Sum(), detail::storedOf<O, I>(), stream);
  }
  template <class I, class O> static cudaError_t Max(void* storage, size_t& bytes, I in, O out, size_t n, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, n, cub::Max(), std::numeric_limits<detail::valueOf<I>>::lowest(), stream);
  }
  template <class I, class O> static cudaError_t Min(void* storage, size_t& bytes, I in, O out, size_t n, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, n, cub::Min(), std::numeric_limits<detail::valueOf<I>>::max(), stream);
  }
  template <class I, class O> static cudaError_t ArgMax(void* storage, size_t& bytes, I in, O out, size_t n, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::argument(on, in, out, n, cub::ArgMax(), std::numeric_limits<detail::valueOf<I>>::lowest()); __LANEWISE_CUB_END;
  }
  template <class I, class O> static cudaError_t ArgMin(void* storage, size_t& bytes, I in, O out, size_t n, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::argument(on, in, out, n, cub::ArgMin(), std::numeric_limits<detail::valueOf<I>>::max()); __LANEWISE_CUB_END;
  }
  template <class I, class E, class X, class = detail::unlessNumber<X>> static cudaError_t ArgMax(void* storage, size_t& bytes, I in, E value, X place, size_t n, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::argument(on, in, value, place, n, cub::ArgMax(), std::numeric_limits<detail::valueOf<I>>::lowest()); __LANEWISE_CUB_END;
  }
  template <class I, class E, class X, class = detail::unlessNumber<X>> static cudaError_t ArgMin(void* storage, size_t& bytes, I in, E value, X place, size_t n, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::argument(on, in, value, place, n, cub::ArgMin(), std::numeric_limits<detail::valueOf<I>>::max()); __LANEWISE_CUB_END;
  }
  template <class I, class O, class Op, class F, class T> static cudaError_t TransformReduce(void* storage, size_t& bytes, I in, O out, size_t n, Op op, F f, T initial, cudaStream_t stream = 0) {
    typedef std::decay_t<thrust::detail::given<F, detail::valueOf<I>>> U;
    typedef detail::accumulatorOf<Op, U, T> A;
    auto from = detail::raw(in);
    return __LANEWISE_CUB
      detail::give(on, out, detail::with::fold<A>(on, n, [=] __device__(size_t k) -> A { return F(f)(from[k]); }, (A)initial, op));
    __LANEWISE_CUB_END;
  }
  template <class K, class U, class V, class A, class N, class Op>
  static cudaError_t ReduceByKey(void* storage, size_t& bytes, K keys, U unique, V values, A sums, N count, Op op, size_t n, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::give(on, count, detail::with::reduce_by_key(on, keys, keys + n, values, unique, sums, thrust::equal_to<detail::valueOf<K>>(), op).first - unique); __LANEWISE_CUB_END;
  }
};

struct DeviceScan {
  template <class I, class O, class Op, class T, class = detail::unlessNumber<Op>> static cudaError_t ExclusiveScan(void* storage, size_t& bytes, I in, O out, Op op, T initial, size_t n, cudaStream_t stream = 0) {
    typedef detail::accumulatorOf<Op, detail::valueOf<I>, T> A;
    return __LANEWISE_CUB detail::with::exclusive_scan(on, in, in + n, out, (A)initial, op); __LANEWISE_CUB_END;
  }
  template <class I, class O, class Op, class = detail::unlessNumber<Op>> static cudaError_t InclusiveScan(void* storage, size_t& bytes, I in, O out, Op op, size_t n, cudaStream_t stream = 0) {
    typedef detail::accumulatorOf<Op, detail::valueOf<I>> A;
    return __LANEWISE_CUB detail::with::scan_of<false, A>(on, in, in + n, out, detail::with::same_value(), nullptr, op); __LANEWISE_CUB_END;
  }
  template <class I, class O, class Op, class T> static cudaError_t InclusiveScanInit(void* storage, size_t& bytes, I in, O out, Op op, T initial, size_t n, cudaStream_t stream = 0) {
    typedef detail::accumulatorOf<Op, detail::valueOf<I>, T> A;
    return __LANEWISE_CUB detail::with::inclusive_scan(on, in, in + n, out, (A)initial, op); __LANEWISE_CUB_END;
  }
  template <class I, class Op, class T, class = detail::unlessNumber<Op>> static cudaError_t ExclusiveScan(void* storage, size_t& bytes, I data, Op op, T initial, size_t n, cudaStream_t stream = 0) { return ExclusiveScan(storage, bytes, data, data, op, initial, n, stream); }
  template <class I, class Op, class = detail::unlessNumber<Op>> static cudaError_t InclusiveScan(void* storage, size_t& bytes, I data, Op op, size_t n, cudaStream_t stream = 0) { return InclusiveScan(storage, bytes, data, data, op, n, stream); }
  template <class K, class I, class O, class Op, class T, class E = thrust::equal_to<>>
  static cudaError_t ExclusiveScanByKey(void* storage, size_t& bytes, K keys, I in, O out, Op op, T initial, size_t n, E same = E(), cudaStream_t stream = 0) {
    typedef detail::accumulatorOf<Op, detail::valueOf<I>, T> A;
    return __LANEWISE_CUB detail::with::exclusive_scan_by_key(on, keys, keys + n, in, out, (A)initial, same, op); __LANEWISE_CUB_END;
  }
  template <class K, class I, class O, class Op, class E = thrust::equal_to<>>
  static cudaError_t InclusiveScanByKey(void* storage, size_t& bytes, K keys, I in, O out, Op op, size_t n, E same = E(), cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::with::inclusive_scan_by_key(on, keys, keys + n, in, out, same, op); __LANEWISE_CUB_END;
  }
  template <class I, class O> static cudaError_t ExclusiveSum(void* storage, size_t& bytes, I in, O out, size_t n, cudaStream_t stream = 0) {
    return ExclusiveScan(storage, bytes, in, out, Sum(), detail::valueOf<I>(), n, stream);
  }
  template <class I, class O> static cudaError_t InclusiveSum(void* storage, size_t& bytes, I in, O out, size_t n, cudaStream_t stream = 0) {
    return InclusiveScan(storage, bytes, in, out, Sum(), n, stream);
  }
  template <class I> static cudaError_t ExclusiveSum(void* storage, size_t& bytes, I data, size_t n, cudaStream_t stream = 0) { return ExclusiveSum(storage, bytes, data, data, n, stream); }
  template <class I> static cudaError_t InclusiveSum(void* storage, size_t& bytes, I data, size_t n, cudaStream_t stream = 0) { return InclusiveSum(storage, bytes, data, data, n, stream); }
  template <class K, class I, class O, class E = thrust::equal_to<>> static cudaError_t ExclusiveSumByKey(void* storage, size_t& bytes, K keys, I in, O out, size_t n, E same = E(), cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::with::exclusive_scan_by_key(on, keys, keys + n, in, out, detail::valueOf<I>(), same); __LANEWISE_CUB_END;
  }
  template <class K, class I, class O, class E = thrust::equal_to<>> static cudaError_t InclusiveSumByKey(void* storage, size_t& bytes, K keys, I in, O out, size_t n, E same = E(), cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::with::inclusive_scan_by_key(on, keys, keys + n, in, out, same); __LANEWISE_CUB_END;
  }
};

struct DeviceRadixSort {
#define __LANEWISE_CUB_SORT(suffix, descending) \
  template <class K, class N> static cudaError_t SortKeys##suffix(void* storage, size_t& bytes, const K* keys, K* sorted, N n, int first = 0, int last = sizeof(K) * 8, cudaStream_t stream = 0) { \
    return __LANEWISE_CUB detail::with::radix_sort<false>(on, n, keys, (const char*)nullptr, sorted, (char*)nullptr, descending, first, last); __LANEWISE_CUB_END; \
  } \
  template <class K, class V, class N> static cudaError_t SortPairs##suffix(void* storage, size_t& bytes, const K* keys, K* sorted, const V* values, V* sortedValues, N n, int first = 0, int last = sizeof(K) * 8, cudaStream_t stream = 0) { \
    return __LANEWISE_CUB detail::with::radix_sort<true>(on, n, keys, values, sorted, sortedValues, descending, first, last); __LANEWISE_CUB_END; \
  } \
  template <class K, class N> static cudaError_t SortKeys##suffix(void* storage, size_t& bytes, DoubleBuffer<K>& keys, N n, int first = 0, int last = sizeof(K) * 8, cudaStream_t stream = 0) { \
    cudaError_t error = SortKeys##suffix(storage, bytes, (const K*)keys.Current(), keys.Alternate(), n, first, last, stream); \
    if (storage) keys.selector ^= 1; \
    return error; \
  } \
  template <class K, class V, class N> static cudaError_t SortPairs##suffix(void* storage, size_t& bytes, DoubleBuffer<K>& keys, DoubleBuffer<V>& values, N n, int first = 0, int last = sizeof(K) * 8, cudaStream_t stream = 0) { \
    cudaError_t error = SortPairs##suffix(storage, bytes, (const K*)keys.Current(), keys.Alternate(), (const V*)values.Current(), values.Alternate(), n, first, last, stream); \
    if (storage) { keys.selector ^= 1; values.selector ^= 1; } \
    return error; \
  }
  __LANEWISE_CUB_SORT(, false)
  __LANEWISE_CUB_SORT(Descending, true)
#undef __LANEWISE_CUB_SORT
};

struct DeviceMergeSort {
  template <class I, class C> static cudaError_t SortKeys(void* storage, size_t& bytes, I keys, size_t n, C less, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::with::stable_sort(on, keys, keys + n, less); __LANEWISE_CUB_END;
  }
  template <class I, class J, class C> static cudaError_t SortPairs(void* storage, size_t& bytes, I keys, J values, size_t n, C less, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::with::stable_sort_by_key(on, keys, keys + n, values, less); __LANEWISE_CUB_END;
  }
  template <class I, class O, class C> static cudaError_t SortKeysCopy(void* storage, size_t& bytes, I keys, O sorted, size_t n, C less, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::with::copy(on, keys, keys + n, sorted); detail::with::stable_sort(on, sorted, sorted + n, less); __LANEWISE_CUB_END;
  }
  template <class I, class J, class O, class P, class C> static cudaError_t SortPairsCopy(void* storage, size_t& bytes, I keys, J values, O sorted, P sortedValues, size_t n, C less, cudaStream_t stream = 0) {
    return __LANEWISE_CUB
      detail::with::copy(on, keys, keys + n, sorted);
      detail::with::copy(on, values, values + n, sortedValues);
      detail::with::stable_sort_by_key(on, sorted, sorted + n, sortedValues, less);
    __LANEWISE_CUB_END;
  }
  template <class... A> static cudaError_t StableSortKeys(void* storage, size_t& bytes, A... rest) { return SortKeys(storage, bytes, rest...); }
  template <class... A> static cudaError_t StableSortPairs(void* storage, size_t& bytes, A... rest) { return SortPairs(storage, bytes, rest...); }
  template <class... A> static cudaError_t StableSortKeysCopy(void* storage, size_t& bytes, A... rest) { return SortKeysCopy(storage, bytes, rest...); }
};

struct DeviceSelect {
  template <class I, class F, class O, class N, class = detail::unlessNumber<N>> static cudaError_t Flagged(void* storage, size_t& bytes, I in, F flags, O out, N count, size_t n, cudaStream_t stream = 0) {
    auto wanted = detail::raw(flags);
    return __LANEWISE_CUB detail::select(on, in, out, count, n, [=] __device__(size_t k) { return (bool)wanted[k]; }); __LANEWISE_CUB_END;
  }
  template <class I, class O, class N, class P> static cudaError_t If(void* storage, size_t& bytes, I in, O out, N count, size_t n, P predicate, cudaStream_t stream = 0) {
    auto from = detail::raw(in);
    return __LANEWISE_CUB detail::select(on, in, out, count, n, [=] __device__(size_t k) { return (bool)P(predicate)(from[k]); }); __LANEWISE_CUB_END;
  }
  template <class I, class O, class N> static cudaError_t Unique(void* storage, size_t& bytes, I in, O out, N count, size_t n, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::give(on, count, detail::with::unique_copy(on, in, in + n, out) - out); __LANEWISE_CUB_END;
  }
  /* In place. */
  template <class I, class F, class N> static cudaError_t Flagged(void* storage, size_t& bytes, I data, F flags, N count, size_t n, cudaStream_t stream = 0) { return Flagged(storage, bytes, data, flags, data, count, n, stream); }
  template <class I, class N, class P> static cudaError_t If(void* storage, size_t& bytes, I data, N count, size_t n, P predicate, cudaStream_t stream = 0) { return If(storage, bytes, data, data, count, n, predicate, stream); }
  template <class I, class F, class O, class N, class P> static cudaError_t FlaggedIf(void* storage, size_t& bytes, I in, F flags, O out, N count, size_t n, P predicate, cudaStream_t stream = 0) {
    auto flag = detail::raw(flags);
    return __LANEWISE_CUB detail::select(on, in, out, count, n, [=] __device__(size_t k) { return (bool)P(predicate)(flag[k]); }); __LANEWISE_CUB_END;
  }
  template <class I, class F, class N, class P> static cudaError_t FlaggedIf(void* storage, size_t& bytes, I data, F flags, N count, size_t n, P predicate, cudaStream_t stream = 0) { return FlaggedIf(storage, bytes, data, flags, data, count, n, predicate, stream); }
  template <class K, class V, class O, class P, class N, class E> static cudaError_t UniqueByKey(void* storage, size_t& bytes, K keys, V values, O unique, P firsts, N count, size_t n, E same, cudaStream_t stream = 0) {
    auto key = detail::raw(keys);
    auto begins = [=] __device__(size_t k) { return k == 0 || !(bool)E(same)(key[k - 1], key[k]); };
    return __LANEWISE_CUB
      detail::with::select(on, n, begins, values, firsts);
      detail::select(on, keys, unique, count, n, begins);
    __LANEWISE_CUB_END;
  }
  template <class K, class V, class O, class P, class N> static cudaError_t UniqueByKey(void* storage, size_t& bytes, K keys, V values, O unique, P firsts, N count, size_t n, cudaStream_t stream = 0) {
    return UniqueByKey(storage, bytes, keys, values, unique, firsts, count, n, thrust::equal_to<>(), stream);
  }
};

struct DevicePartition {
  /* The others follow, in reverse order. */
  template <class I, class O, class N, class W> static void part(detail::On on, I in, O out, N count, size_t n, W wanted) {
    size_t chosen = detail::with::select(on, n, wanted, in, out);
    detail::with::select(on, n, [=] __device__(size_t k) { return !wanted(k); }, in, out + chosen);
    detail::with::reverse(on, out + chosen, out + n);
    detail::give(on, count, chosen);
  }
  template <class I, class F, class O, class N> static cudaError_t Flagged(void* storage, size_t& bytes, I in, F flags, O out, N count, size_t n, cudaStream_t stream = 0) {
    auto wanted = detail::raw(flags);
    return __LANEWISE_CUB part(on, in, out, count, n, [=] __device__(size_t k) { return (bool)wanted[k]; }); __LANEWISE_CUB_END;
  }
  template <class I, class O, class N, class P> static cudaError_t If(void* storage, size_t& bytes, I in, O out, N count, size_t n, P predicate, cudaStream_t stream = 0) {
    auto from = detail::raw(in);
    return __LANEWISE_CUB part(on, in, out, count, n, [=] __device__(size_t k) { return (bool)P(predicate)(from[k]); }); __LANEWISE_CUB_END;
  }
  /* Three ways: `counts` says how many the first and the second function chose. */
  template <class I, class O, class P, class Q, class N, class F, class G>
  static cudaError_t If(void* storage, size_t& bytes, I in, O first, P second, Q others, N counts, size_t n, F isFirst, G isSecond, cudaStream_t stream = 0) {
    auto from = detail::raw(in);
    auto to = detail::raw(counts);
    return __LANEWISE_CUB
      size_t a = detail::with::select(on, n, [=] __device__(size_t k) { return (bool)F(isFirst)(from[k]); }, in, first);
      size_t b = detail::with::select(on, n, [=] __device__(size_t k) { return !F(isFirst)(from[k]) && G(isSecond)(from[k]); }, in, second);
      detail::with::select(on, n, [=] __device__(size_t k) { return !F(isFirst)(from[k]) && !G(isSecond)(from[k]); }, in, others);
      detail::run(on, 1, [=] __device__(size_t) { to[0] = a; to[1] = b; });
    __LANEWISE_CUB_END;
  }
};

struct DeviceRunLengthEncode {
  template <class I, class U, class C, class N> static cudaError_t Encode(void* storage, size_t& bytes, I in, U unique, C counts, N runs, size_t n, cudaStream_t stream = 0) {
    thrust::constant_iterator<detail::valueOf<C>> one(1);
    return DeviceReduce::ReduceByKey(storage, bytes, in, unique, one, counts, runs, Sum(), n, stream);
  }
  /* Runs of two and more. */
  template <class I, class O, class L, class N> static cudaError_t NonTrivialRuns(void* storage, size_t& bytes, I in, O offsets, L lengths, N runs, size_t n, cudaStream_t stream = 0) {
    auto from = detail::raw(in);
    auto begins = [=] __device__(size_t k) { return (k == 0 || !(from[k - 1] == from[k])) && k + 1 < n && from[k] == from[k + 1]; };
    auto ends = [=] __device__(size_t k) { return k > 0 && from[k - 1] == from[k] && (k + 1 == n || !(from[k] == from[k + 1])); };
    return __LANEWISE_CUB
      thrust::counting_iterator<size_t> places(0);
      detail::scratch<size_t> firsts(on, n), lasts(on, n);
      size_t *first = firsts.get(), *last = lasts.get();
      size_t count = detail::with::select(on, n, begins, places, thrust::device_ptr<size_t>(first));
      detail::with::select(on, n, ends, places, thrust::device_ptr<size_t>(last));
      auto toOffsets = detail::raw(offsets);
      auto toLengths = detail::raw(lengths);
      detail::run(on, count, [=] __device__(size_t r) { toOffsets[r] = first[r]; toLengths[r] = last[r] - first[r] + 1; });
      detail::give(on, runs, count);
    __LANEWISE_CUB_END;
  }
};

namespace detail {
/* Bins of equal width, or between bounds; of no bin -1. */
template <class L> struct EvenBins {
  int levels;
  L lowest, highest;
  __device__ int operator()(L value) const {
    if (value < lowest || !(value < highest)) return -1;
    int bin;
    if constexpr (std::is_integral<L>::value) bin = (int)((unsigned long long)(value - lowest) * (levels - 1) / (unsigned long long)(highest - lowest));
    else bin = (int)((value - lowest) * ((L)(levels - 1) / (highest - lowest)));
    return bin < levels - 1 ? bin : levels - 2;
  }
};
template <class L> struct BoundedBins {
  int levels;
  const L* bounds;
  __device__ int operator()(L value) const {
    const L* above = thrust::detail::sequential::upper_bound(bounds, bounds + levels, value, thrust::less<L>());
    return above != bounds && above != bounds + levels ? (int)(above - bounds - 1) : -1;
  }
};
/* One of `channels` numbers that stand together; rows may have more bytes than numbers. */
template <class L, class I, class C, class B> void histogram(On on, I samples, int channel, int channels, C* counts, int levels, B binOf, size_t perRow, size_t rows, size_t rowBytes) {
  auto from = raw(samples);
  size_t stride = rows > 1 ? rowBytes / sizeof(valueOf<I>) : 0;
  with::fill(on, counts, counts + levels - 1, C());
  run(on, perRow * rows, [=] __device__(size_t k) {
    int bin = binOf((L)from[k / perRow * stride + k % perRow * channels + channel]);
    if (bin >= 0) atomicAdd(counts + bin, C(1));
  });
}
}  // namespace detail

struct DeviceHistogram {
  /* `levels` bounds make levels - 1 bins of equal width between the lowest (inside) and the highest (outside). */
  template <class I, class C, class L> static cudaError_t HistogramEven(void* storage, size_t& bytes, I samples, C* histogram, int levels, L lowest, L highest, size_t perRow, size_t rows, size_t rowBytes, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::histogram<L>(on, samples, 0, 1, histogram, levels, detail::EvenBins<L>{levels, lowest, highest}, perRow, rows, rowBytes); __LANEWISE_CUB_END;
  }
  template <class I, class C, class L> static cudaError_t HistogramEven(void* storage, size_t& bytes, I samples, C* histogram, int levels, L lowest, L highest, size_t n, cudaStream_t stream = 0) {
    return HistogramEven(storage, bytes, samples, histogram, levels, lowest, highest, n, 1, 0, stream);
  }
  template <class I, class C, class L> static cudaError_t HistogramRange(void* storage, size_t& bytes, I samples, C* histogram, int levels, const L* bounds, size_t perRow, size_t rows, size_t rowBytes, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::histogram<L>(on, samples, 0, 1, histogram, levels, detail::BoundedBins<L>{levels, bounds}, perRow, rows, rowBytes); __LANEWISE_CUB_END;
  }
  template <class I, class C, class L> static cudaError_t HistogramRange(void* storage, size_t& bytes, I samples, C* histogram, int levels, const L* bounds, size_t n, cudaStream_t stream = 0) {
    return HistogramRange(storage, bytes, samples, histogram, levels, bounds, n, 1, 0, stream);
  }
  /* Of the first ACTIVE of CHANNELS numbers that stand together. `H` and `L`: arrays, or classes with an index. */
  template <int CHANNELS, int ACTIVE, class I, class H, class M, class L>
  static cudaError_t MultiHistogramEven(void* storage, size_t& bytes, I samples, const H& histograms, const M& levels, const L& lowest, const L& highest, size_t perRow, size_t rows, size_t rowBytes, cudaStream_t stream = 0) {
    typedef std::decay_t<decltype(lowest[0])> Level;
    return __LANEWISE_CUB
      for (int c = 0; c < ACTIVE; ++c)
        detail::histogram<Level>(on, samples, c, CHANNELS, histograms[c], levels[c], detail::EvenBins<Level>{levels[c], lowest[c], highest[c]}, perRow, rows, rowBytes);
    __LANEWISE_CUB_END;
  }
  template <int CHANNELS, int ACTIVE, class I, class H, class M, class L>
  static cudaError_t MultiHistogramEven(void* storage, size_t& bytes, I samples, const H& histograms, const M& levels, const L& lowest, const L& highest, size_t n, cudaStream_t stream = 0) {
    return MultiHistogramEven<CHANNELS, ACTIVE>(storage, bytes, samples, histograms, levels, lowest, highest, n, 1, 0, stream);
  }
  template <int CHANNELS, int ACTIVE, class I, class H, class M, class B>
  static cudaError_t MultiHistogramRange(void* storage, size_t& bytes, I samples, const H& histograms, const M& levels, const B& bounds, size_t perRow, size_t rows, size_t rowBytes, cudaStream_t stream = 0) {
    typedef std::decay_t<decltype(bounds[0][0])> Level;
    return __LANEWISE_CUB
      for (int c = 0; c < ACTIVE; ++c)
        detail::histogram<Level>(on, samples, c, CHANNELS, histograms[c], levels[c], detail::BoundedBins<Level>{levels[c], bounds[c]}, perRow, rows, rowBytes);
    __LANEWISE_CUB_END;
  }
  template <int CHANNELS, int ACTIVE, class I, class H, class M, class B>
  static cudaError_t MultiHistogramRange(void* storage, size_t& bytes, I samples, const H& histograms, const M& levels, const B& bounds, size_t n, cudaStream_t stream = 0) {
    return MultiHistogramRange<CHANNELS, ACTIVE>(storage, bytes, samples, histograms, levels, bounds, n, 1, 0, stream);
  }
};

/* One thread for each segment. */
struct DeviceSegmentedReduce {
  template <class I, class O, class B, class E, class Op, class T> static cudaError_t Reduce(void* storage, size_t& bytes, I in, O out, size_t segments, B begins, E ends, Op op, T initial, cudaStream_t stream = 0) {
    typedef detail::accumulatorOf<Op, detail::valueOf<I>, T> A;
    auto from = detail::raw(in);
    auto to = detail::raw(out);
    auto first = detail::raw(begins);
    auto last = detail::raw(ends);
    return __LANEWISE_CUB
      detail::run(on, segments, [=] __device__(size_t s) {
        A sum = initial;
        for (size_t k = first[s]; k < (size_t)last[s]; ++k) sum = Op(op)(sum, from[k]);
        to[s] = sum;
      });
    __LANEWISE_CUB_END;
  }
  template <class I, class O, class B, class E> static cudaError_t Sum(void* storage, size_t& bytes, I in, O out, size_t segments, B begins, E ends, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Sum(), detail::storedOf<O, I>(), stream);
  }
  template <class I, class O, class B, class E> static cudaError_t Max(void* storage, size_t& bytes, I in, O out, size_t segments, B begins, E ends, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Max(), std::numeric_limits<detail::valueOf<I>>::lowest(), stream);
  }
  template <class I, class O, class B, class E> static cudaError_t Min(void* storage, size_t& bytes, I in, O out, size_t segments, B begins, E ends, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Min(), std::numeric_limits<detail::valueOf<I>>::max(), stream);
  }
  /* The places are those in the segment. */
  template <class I, class O, class B, class E> static cudaError_t ArgMin(void* storage, size_t& bytes, I in, O out, size_t segments, B begins, E ends, cudaStream_t stream = 0) {
    return argument(storage, bytes, in, out, segments, begins, ends, cub::ArgMin(), std::numeric_limits<detail::valueOf<I>>::max(), stream);
  }
  template <class I, class O, class B, class E> static cudaError_t ArgMax(void* storage, size_t& bytes, I in, O out, size_t segments, B begins, E ends, cudaStream_t stream = 0) {
    return argument(storage, bytes, in, out, segments, begins, ends, cub::ArgMax(), std::numeric_limits<detail::valueOf<I>>::lowest(), stream);
  }

 private:
  template <class I, class O, class B, class E, class Op> static cudaError_t argument(void* storage, size_t& bytes, I in, O out, size_t segments, B begins, E ends, Op op, detail::valueOf<I> worst, cudaStream_t stream) {
    typedef KeyValuePair<int, detail::valueOf<I>> Pair;
    auto from = detail::raw(in);
    auto to = detail::raw(out);
    auto first = detail::raw(begins);
    auto last = detail::raw(ends);
    return __LANEWISE_CUB
      detail::run(on, segments, [=] __device__(size_t s) {
        size_t start = first[s], end = last[s];
        Pair best(1, worst);
        for (size_t k = start; k < end; ++k) best = k == start ? Pair(0, from[k]) : op(best, Pair((int)(k - start), from[k]));
        to[s] = best;
      });
    __LANEWISE_CUB_END;
  }
};

struct DeviceFor {
  template <class N, class F> static cudaError_t Bulk(N n, F f, cudaStream_t stream = 0) {
    detail::run(detail::On(stream), n, [=] __device__(size_t k) { const_cast<F&>(f)((N)k); });
    return cudaGetLastError();
  }
  template <class I, class F> static cudaError_t ForEach(I first, I last, F f, cudaStream_t stream = 0) {
    detail::with::for_each(detail::On(stream), first, last, f);
    return cudaGetLastError();
  }
};

namespace detail {
/* Segments are sorted by number, then, among what a sort of all keys left in order, taken to where their segment begins. */
template <bool pairs, class K, class V, class B, class E>
void sortSegments(On on, const K* keys, K* sorted, const V* values, V* sortedValues, size_t n, size_t segments, B begins, E ends, bool descending, int first, int last) {
  if (n == 0 || segments == 0) return;
  auto begin = raw(begins);
  auto end = raw(ends);
  scratch<unsigned int> ofItem(on, n), orders(on, n), sortedSegments(on, n), starts(on, segments);
  scratch<K> sortedKeys(on, n);
  unsigned int *segment = ofItem.get(), *order = orders.get(), *inOrder = sortedSegments.get(), *start = starts.get();
  K* rest = sortedKeys.get();
  with::fill(on, segment, segment + n, (unsigned int)segments);
  run(on, segments, [=] __device__(size_t s) { for (size_t k = begin[s]; k < (size_t)end[s]; ++k) segment[k] = s; });
  thrust::counting_iterator<unsigned int> places(0);
  with::radix_sort<true>(on, n, keys, places, rest, order, descending, first, last);
  run(on, n, [=] __device__(size_t k) { inOrder[k] = segment[order[k]]; });
  int bits = 1;
  while (bits < 32 && segments >> bits) ++bits;
  with::radix_sort<true>(on, n, (const unsigned int*)inOrder, (const unsigned int*)order, inOrder, order, false, 0, bits);
  run(on, n, [=] __device__(size_t k) { if (inOrder[k] < segments && (k == 0 || inOrder[k - 1] != inOrder[k])) start[inOrder[k]] = k; });
  /* What is sorted may take the place of what is read. */
  scratch<V> sortedCopies(on, pairs ? n : 1);
  V* copies = sortedCopies.get();
  run(on, n, [=] __device__(size_t k) {
    rest[k] = keys[order[k]];
    if constexpr (pairs) copies[k] = values[order[k]];
  });
  run(on, n, [=] __device__(size_t k) {
    unsigned int s = inOrder[k];
    if (s >= segments) return;
    size_t place = begin[s] + (k - start[s]);
    sorted[place] = rest[k];
    if constexpr (pairs) sortedValues[place] = copies[k];
  });
}
}  // namespace detail

#define __LANEWISE_CUB_SEGMENTS(keysName, pairsName, descending, bits, first, last) \
  template <class K, class B, class E> static cudaError_t keysName(void* storage, size_t& bytes, const K* keys, K* sorted, size_t n, size_t segments, B begins, E ends bits, cudaStream_t stream = 0) { \
    return __LANEWISE_CUB detail::sortSegments<false>(on, keys, sorted, (const char*)nullptr, (char*)nullptr, n, segments, begins, ends, descending, first, last); __LANEWISE_CUB_END; \
  } \
  template <class K, class V, class B, class E> static cudaError_t pairsName(void* storage, size_t& bytes, const K* keys, K* sorted, const V* values, V* sortedValues, size_t n, size_t segments, B begins, E ends bits, cudaStream_t stream = 0) { \
    return __LANEWISE_CUB detail::sortSegments<true>(on, keys, sorted, values, sortedValues, n, segments, begins, ends, descending, first, last); __LANEWISE_CUB_END; \
  } \
  template <class K, class B, class E> static cudaError_t keysName(void* storage, size_t& bytes, DoubleBuffer<K>& keys, size_t n, size_t segments, B begins, E ends bits, cudaStream_t stream = 0) { \
    return __LANEWISE_CUB detail::sortSegments<false>(on, (const K*)keys.Current(), keys.Alternate(), (const char*)nullptr, (char*)nullptr, n, segments, begins, ends, descending, first, last); keys.selector ^= 1; __LANEWISE_CUB_END; \
  } \
  template <class K, class V, class B, class E> static cudaError_t pairsName(void* storage, size_t& bytes, DoubleBuffer<K>& keys, DoubleBuffer<V>& values, size_t n, size_t segments, B begins, E ends bits, cudaStream_t stream = 0) { \
    return __LANEWISE_CUB detail::sortSegments<true>(on, (const K*)keys.Current(), keys.Alternate(), (const V*)values.Current(), values.Alternate(), n, segments, begins, ends, descending, first, last); keys.selector ^= 1; values.selector ^= 1; __LANEWISE_CUB_END; \
  }
#define __LANEWISE_CUB_BITS , int first = 0, int last = sizeof(K) * 8
struct DeviceSegmentedRadixSort {
  __LANEWISE_CUB_SEGMENTS(SortKeys, SortPairs, false, __LANEWISE_CUB_BITS, first, last)
  __LANEWISE_CUB_SEGMENTS(SortKeysDescending, SortPairsDescending, true, __LANEWISE_CUB_BITS, first, last)
};
struct DeviceSegmentedSort {
  __LANEWISE_CUB_SEGMENTS(SortKeys, SortPairs, false, , 0, sizeof(K) * 8)
  __LANEWISE_CUB_SEGMENTS(SortKeysDescending, SortPairsDescending, true, , 0, sizeof(K) * 8)
  __LANEWISE_CUB_SEGMENTS(StableSortKeys, StableSortPairs, false, , 0, sizeof(K) * 8)
  __LANEWISE_CUB_SEGMENTS(StableSortKeysDescending, StableSortPairsDescending, true, , 0, sizeof(K) * 8)
};
#undef __LANEWISE_CUB_BITS
#undef __LANEWISE_CUB_SEGMENTS

/* Each item with the one before it, or behind it; the first, or the last, stays. */
struct DeviceAdjacentDifference {
  template <class I, class O, class Op = thrust::minus<>> static cudaError_t SubtractLeftCopy(void* storage, size_t& bytes, I in, O out, size_t n, Op op = Op(), cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::with::adjacent_difference(on, in, in + n, out, op); __LANEWISE_CUB_END;
  }
  template <class I, class O, class Op = thrust::minus<>> static cudaError_t SubtractRightCopy(void* storage, size_t& bytes, I in, O out, size_t n, Op op = Op(), cudaStream_t stream = 0) {
    typedef detail::valueOf<I> T;
    auto source = detail::raw(in);
    auto to = detail::raw(out);
    return __LANEWISE_CUB
      detail::scratch<T> copies(on, n);
      T* from = copies.get();
      detail::run(on, n, [=] __device__(size_t k) { thrust::detail::put(from + k, (T)source[k]); });
      detail::run(on, n, [=] __device__(size_t k) {
        if (k + 1 < n) to[k] = Op(op)(from[k], from[k + 1]);
        else to[k] = from[k];
      });
    __LANEWISE_CUB_END;
  }
  template <class I, class Op = thrust::minus<>> static cudaError_t SubtractLeft(void* storage, size_t& bytes, I data, size_t n, Op op = Op(), cudaStream_t stream = 0) { return SubtractLeftCopy(storage, bytes, data, data, n, op, stream); }
  template <class I, class Op = thrust::minus<>> static cudaError_t SubtractRight(void* storage, size_t& bytes, I data, size_t n, Op op = Op(), cudaStream_t stream = 0) { return SubtractRightCopy(storage, bytes, data, data, n, op, stream); }
};

struct DeviceMerge {
  template <class I, class J, class O, class C = thrust::less<>> static cudaError_t MergeKeys(void* storage, size_t& bytes, I a, size_t n, J b, size_t m, O out, C less = C(), cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::with::merge(on, a, a + n, b, b + m, out, less); __LANEWISE_CUB_END;
  }
  template <class I, class V, class J, class W, class O, class P, class C = thrust::less<>>
  static cudaError_t MergePairs(void* storage, size_t& bytes, I a, V aValues, size_t n, J b, W bValues, size_t m, O out, P outValues, C less = C(), cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::with::merge_by_key(on, a, a + n, b, b + m, aValues, bValues, out, outValues, less); __LANEWISE_CUB_END;
  }
};

struct DeviceTransform {
  template <class... I, class O, class F> static cudaError_t Transform(std::tuple<I...> in, O out, size_t n, F f, cudaStream_t stream = 0) {
    std::apply([&](auto... each) { transform(stream, detail::raw(out), n, f, detail::raw(each)...); }, in);
    return cudaGetLastError();
  }
  template <class I, class O, class F> static cudaError_t Transform(I in, O out, size_t n, F f, cudaStream_t stream = 0) {
    transform(stream, detail::raw(out), n, f, detail::raw(in));
    return cudaGetLastError();
  }
  template <class O, class F> static cudaError_t Generate(O out, size_t n, F f, cudaStream_t stream = 0) {
    auto to = detail::raw(out);
    detail::run(detail::On(stream), n, [=] __device__(size_t k) { to[k] = F(f)(); });
    return cudaGetLastError();
  }
  template <class O, class T> static cudaError_t Fill(O out, size_t n, T value, cudaStream_t stream = 0) {
    auto to = detail::raw(out);
    detail::run(detail::On(stream), n, [=] __device__(size_t k) { to[k] = value; });
    return cudaGetLastError();
  }
  template <class... A> static cudaError_t TransformStableArgumentAddresses(A... arguments) { return Transform(arguments...); }

 private:
  template <class O, class F, class... I> static void transform(cudaStream_t stream, O to, size_t n, F f, I... from) {
    detail::run(detail::On(stream), n, [=] __device__(size_t k) { to[k] = F(f)(from[k]...); });
  }
};

namespace detail {
template <class I> struct Bytes {
  I at;
  __device__ auto operator[](size_t k) const {
    typedef std::conditional_t<std::is_const<std::remove_pointer_t<std::decay_t<decltype(at[k])>>>::value, const char, char> byte;
    return (byte*)at[k];
  }
};
}  // namespace detail
struct DeviceCopy {
  template <class I, class O, class S> static cudaError_t Batched(void* storage, size_t& bytes, I from, O to, S sizes, size_t ranges, cudaStream_t stream = 0) {
    auto source = detail::raw(from);
    auto target = detail::raw(to);
    auto counts = detail::raw(sizes);
    return __LANEWISE_CUB if (ranges > 0) thrust::detail::copyRanges<<<(unsigned int)ranges, 128, 0, on.stream>>>(source, target, counts); __LANEWISE_CUB_END;
  }
};
struct DeviceMemcpy {
  template <class I, class O, class S> static cudaError_t Batched(void* storage, size_t& bytes, I from, O to, S sizes, size_t buffers, cudaStream_t stream = 0) {
    auto source = detail::raw(from);
    auto target = detail::raw(to);
    return DeviceCopy::Batched(storage, bytes, detail::Bytes<decltype(source)>{source}, detail::Bytes<decltype(target)>{target}, sizes, buffers, stream);
  }
};

#undef __LANEWISE_CUB
#undef __LANEWISE_CUB_END

}  // namespace cub
