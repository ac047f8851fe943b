/*
 * CUB's functions for whole arrays, on our Thrust's kernels: results are CUB's, but launches and their counts are not. Temporary storage is
 * asked for as with CUB, and not used.
 */
#pragma once
#pragma GCC system_header
#include "../../thrust/detail/algorithms.h"
#include "iterators.h"
#include <limits>

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
/* The extremum with its place. */
template <class I, class O, class Op> void argument(On on, I in, O out, size_t n, Op op, valueOf<I> worst) {
  typedef KeyValuePair<int, valueOf<I>> Pair;
  auto from = raw(in);
  give(on, out, n == 0 ? Pair(1, worst) : with::fold<Pair>(on, n - 1, [=] __device__(size_t k) { return Pair((int)k + 1, from[k + 1]); }, Pair(0, thrust::device_ptr<const valueOf<I>>(&from[0])[0]), op));
}
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
  template <class I, class O, class Op, class F, class T> static cudaError_t TransformReduce(void* storage, size_t& bytes, I in, O out, size_t n, Op op, F f, T initial, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::give(on, out, detail::with::transform_reduce(on, in, in + n, f, initial, op)); __LANEWISE_CUB_END;
  }
  template <class K, class U, class V, class A, class N, class Op>
  static cudaError_t ReduceByKey(void* storage, size_t& bytes, K keys, U unique, V values, A sums, N count, Op op, size_t n, cudaStream_t stream = 0) {
    return __LANEWISE_CUB detail::give(on, count, detail::with::reduce_by_key(on, keys, keys + n, values, unique, sums, thrust::equal_to<detail::valueOf<K>>(), op).first - unique); __LANEWISE_CUB_END;
  }
};

struct DeviceScan {
  template <class I, class O, class Op, class T> static cudaError_t ExclusiveScan(void* storage, size_t& bytes, I in, O out, Op op, T initial, size_t n, cudaStream_t stream = 0) {
    typedef detail::accumulatorOf<Op, detail::valueOf<I>, T> A;
    return __LANEWISE_CUB detail::with::exclusive_scan(on, in, in + n, out, (A)initial, op); __LANEWISE_CUB_END;
  }
  template <class I, class O, class Op> static cudaError_t InclusiveScan(void* storage, size_t& bytes, I in, O out, Op op, size_t n, cudaStream_t stream = 0) {
    typedef detail::accumulatorOf<Op, detail::valueOf<I>> A;
    return __LANEWISE_CUB detail::with::scan_of<false, A>(on, in, in + n, out, detail::with::same_value(), nullptr, op); __LANEWISE_CUB_END;
  }
  template <class I, class O, class Op, class T> static cudaError_t InclusiveScanInit(void* storage, size_t& bytes, I in, O out, Op op, T initial, size_t n, cudaStream_t stream = 0) {
    typedef detail::accumulatorOf<Op, detail::valueOf<I>, T> A;
    return __LANEWISE_CUB detail::with::inclusive_scan(on, in, in + n, out, (A)initial, op); __LANEWISE_CUB_END;
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
  template <class I, class C> static cudaError_t StableSortKeys(void* storage, size_t& bytes, I keys, size_t n, C less, cudaStream_t stream = 0) { return SortKeys(storage, bytes, keys, n, less, stream); }
  template <class I, class J, class C> static cudaError_t StableSortPairs(void* storage, size_t& bytes, I keys, J values, size_t n, C less, cudaStream_t stream = 0) { return SortPairs(storage, bytes, keys, values, n, less, stream); }
};

struct DeviceSelect {
  template <class I, class F, class O, class N> static cudaError_t Flagged(void* storage, size_t& bytes, I in, F flags, O out, N count, size_t n, cudaStream_t stream = 0) {
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
};

struct DeviceRunLengthEncode {
  template <class I, class U, class C, class N> static cudaError_t Encode(void* storage, size_t& bytes, I in, U unique, C counts, N runs, size_t n, cudaStream_t stream = 0) {
    thrust::constant_iterator<detail::valueOf<C>> one(1);
    return DeviceReduce::ReduceByKey(storage, bytes, in, unique, one, counts, runs, Sum(), n, stream);
  }
};

struct DeviceHistogram {
  /* `levels` bounds make levels - 1 bins of equal width between the lowest (inside) and the highest (outside). */
  template <class I, class C, class L, class N> static cudaError_t HistogramEven(void* storage, size_t& bytes, I samples, C* histogram, int levels, L lowest, L highest, N n, cudaStream_t stream = 0) {
    auto from = detail::raw(samples);
    return __LANEWISE_CUB
      detail::with::fill(on, histogram, histogram + levels - 1, C());
      detail::run(on, n, [=] __device__(size_t k) {
        L value = (L)from[k];
        if (value < lowest || !(value < highest)) return;
        int bin;
        if constexpr (std::is_integral<L>::value) bin = (int)((unsigned long long)(value - lowest) * (levels - 1) / (unsigned long long)(highest - lowest));
        else bin = (int)((value - lowest) * ((L)(levels - 1) / (highest - lowest)));
        atomicAdd(histogram + (bin < levels - 1 ? bin : levels - 2), C(1));
      });
    __LANEWISE_CUB_END;
  }
  template <class I, class C, class L, class N> static cudaError_t HistogramRange(void* storage, size_t& bytes, I samples, C* histogram, int levels, const L* bounds, N n, cudaStream_t stream = 0) {
    auto from = detail::raw(samples);
    return __LANEWISE_CUB
      detail::with::fill(on, histogram, histogram + levels - 1, C());
      detail::run(on, n, [=] __device__(size_t k) {
        L value = (L)from[k];
        const L* above = thrust::detail::sequential::upper_bound(bounds, bounds + levels, value, thrust::less<L>());
        if (above != bounds && above != bounds + levels) atomicAdd(histogram + (above - bounds - 1), C(1));
      });
    __LANEWISE_CUB_END;
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
};

struct DeviceFor {
  template <class N, class F> static cudaError_t Bulk(N n, F f, cudaStream_t stream = 0) {
    detail::run(detail::On(stream), n, [=] __device__(size_t k) { F(f)((N)k); });
    return cudaGetLastError();
  }
  template <class I, class F> static cudaError_t ForEach(I first, I last, F f, cudaStream_t stream = 0) {
    detail::with::for_each(detail::On(stream), first, last, f);
    return cudaGetLastError();
  }
};

#undef __LANEWISE_CUB
#undef __LANEWISE_CUB_END

}  // namespace cub
