/*
 * CUB's functions for whole arrays, on our Thrust's kernels: results are CUB's, but launches and their counts are not. Temporary storage is
 * asked for as with CUB, and not used.
 */
#pragma once
#pragma GCC system_header
#include "../../thrust/detail/core.h"
#include "../../thrust/reduce.h"
#include "../../thrust/scan.h"
#include "../../thrust/sort.h"
#include "warp.h"
#include <limits>

namespace cub {
namespace detail {
/* True where only the size was asked for. */
inline bool asksForSize(void* storage, size_t& bytes) {
  if (!storage) bytes = 1;
  return storage == nullptr;
}
template <class I> using valueOf = typename std::iterator_traits<I>::value_type;
/* Device memory for iterators that the program gives as pointers. */
template <class I> auto seen(I i) { return thrust::detail::in_device_memory(i); }

template <class I, class O, class Op, class T> cudaError_t reduce(I in, O out, size_t n, Op op, T initial) {
  auto from = thrust::detail::raw(seen(in));
  auto to = thrust::detail::raw(seen(out));
  size_t pieces = thrust::detail::pieces(n);
  thrust::detail::scratch<T> partials(pieces);
  T* partial = partials.get();
  thrust::detail::run(pieces, [=] __device__(size_t p) {
    size_t k = p * thrust::detail::pieceLength, end = k + thrust::detail::pieceLength < n ? k + thrust::detail::pieceLength : n;
    T sum = from[k];
    while (++k < end) sum = Op(op)(sum, (T)from[k]);
    partial[p] = sum;
  });
  thrust::detail::run(1, [=] __device__(size_t) {
    T sum = initial;
    for (size_t p = 0; p < pieces; ++p) sum = Op(op)(sum, partial[p]);
    *to = sum;
  });
  return cudaGetLastError();
}
template <class K, class V, class C> cudaError_t sort(const K* keys, K* sorted, const V* values, V* sortedValues, size_t n, C less) {
  cudaMemcpyAsync((void*)sorted, (const void*)keys, n * sizeof(K), cudaMemcpyDeviceToDevice);
  if constexpr (!std::is_same<V, thrust::detail::nothing>::value) cudaMemcpyAsync((void*)sortedValues, (const void*)values, n * sizeof(V), cudaMemcpyDeviceToDevice);
  thrust::detail::merge_sort(sorted, sortedValues, n, less);
  return cudaGetLastError();
}
struct Less { template <class T> __host__ __device__ bool operator()(const T& a, const T& b) const { return a < b; } };
struct Greater { template <class T> __host__ __device__ bool operator()(const T& a, const T& b) const { return b < a; } };
}  // namespace detail

struct DeviceReduce {
  template <class I, class O, class Op, class T> static cudaError_t Reduce(void* storage, size_t& bytes, I in, O out, size_t n, Op op, T initial, cudaStream_t = 0) {
    return detail::asksForSize(storage, bytes) ? cudaSuccess : detail::reduce(in, out, n, op, initial);
  }
  template <class I, class O> static cudaError_t Sum(void* storage, size_t& bytes, I in, O out, size_t n, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, n, cub::Sum(), detail::valueOf<I>(), stream);
  }
  template <class I, class O> static cudaError_t Max(void* storage, size_t& bytes, I in, O out, size_t n, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, n, cub::Max(), std::numeric_limits<detail::valueOf<I>>::lowest(), stream);
  }
  template <class I, class O> static cudaError_t Min(void* storage, size_t& bytes, I in, O out, size_t n, cudaStream_t stream = 0) {
    return Reduce(storage, bytes, in, out, n, cub::Min(), std::numeric_limits<detail::valueOf<I>>::max(), stream);
  }
};

struct DeviceScan {
  template <class I, class O> static cudaError_t ExclusiveSum(void* storage, size_t& bytes, I in, O out, size_t n, cudaStream_t = 0) {
    return ExclusiveScan(storage, bytes, in, out, Sum(), detail::valueOf<I>(), n);
  }
  template <class I, class O> static cudaError_t InclusiveSum(void* storage, size_t& bytes, I in, O out, size_t n, cudaStream_t = 0) {
    return InclusiveScan(storage, bytes, in, out, Sum(), n);
  }
  template <class I, class O, class Op, class T> static cudaError_t ExclusiveScan(void* storage, size_t& bytes, I in, O out, Op op, T initial, size_t n, cudaStream_t = 0) {
    if (detail::asksForSize(storage, bytes)) return cudaSuccess;
    auto from = detail::seen(in);
    thrust::exclusive_scan(from, from + n, detail::seen(out), initial, op);
    return cudaGetLastError();
  }
  template <class I, class O, class Op> static cudaError_t InclusiveScan(void* storage, size_t& bytes, I in, O out, Op op, size_t n, cudaStream_t = 0) {
    if (detail::asksForSize(storage, bytes)) return cudaSuccess;
    auto from = detail::seen(in);
    thrust::inclusive_scan(from, from + n, detail::seen(out), op);
    return cudaGetLastError();
  }
};

/* Sorts by comparison: the order is that of a radix sort of whole keys, stable as it is. */
struct DeviceRadixSort {
  template <class K> static cudaError_t SortKeys(void* storage, size_t& bytes, const K* keys, K* sorted, size_t n, int first = 0, int last = sizeof(K) * 8, cudaStream_t = 0) {
    return run(storage, bytes, keys, sorted, (const thrust::detail::nothing*)nullptr, (thrust::detail::nothing*)nullptr, n, first, last, detail::Less());
  }
  template <class K> static cudaError_t SortKeysDescending(void* storage, size_t& bytes, const K* keys, K* sorted, size_t n, int first = 0, int last = sizeof(K) * 8, cudaStream_t = 0) {
    return run(storage, bytes, keys, sorted, (const thrust::detail::nothing*)nullptr, (thrust::detail::nothing*)nullptr, n, first, last, detail::Greater());
  }
  template <class K, class V> static cudaError_t SortPairs(void* storage, size_t& bytes, const K* keys, K* sorted, const V* values, V* sortedValues, size_t n, int first = 0, int last = sizeof(K) * 8, cudaStream_t = 0) {
    return run(storage, bytes, keys, sorted, values, sortedValues, n, first, last, detail::Less());
  }
  template <class K, class V> static cudaError_t SortPairsDescending(void* storage, size_t& bytes, const K* keys, K* sorted, const V* values, V* sortedValues, size_t n, int first = 0, int last = sizeof(K) * 8, cudaStream_t = 0) {
    return run(storage, bytes, keys, sorted, values, sortedValues, n, first, last, detail::Greater());
  }

 private:
  template <class K, class V, class C> static cudaError_t run(void* storage, size_t& bytes, const K* keys, K* sorted, const V* values, V* sortedValues, size_t n, int first, int last, C less) {
    if (first != 0 || last != (int)sizeof(K) * 8) {
      fprintf(stderr, "cub::DeviceRadixSort in the simulator sorts by all bits of a key, not by those from %d to %d\n", first, last);
      return cudaErrorNotSupported;
    }
    return detail::asksForSize(storage, bytes) ? cudaSuccess : detail::sort(keys, sorted, values, sortedValues, n, less);
  }
};

struct DeviceSelect {
  template <class I, class F, class O, class N> static cudaError_t Flagged(void* storage, size_t& bytes, I in, F flags, O out, N count, size_t n, cudaStream_t = 0) {
    if (detail::asksForSize(storage, bytes)) return cudaSuccess;
    auto wanted = thrust::detail::raw(detail::seen(flags));
    return select(in, out, count, n, [=] __device__(size_t k) { return (bool)wanted[k]; });
  }
  template <class I, class O, class N, class P> static cudaError_t If(void* storage, size_t& bytes, I in, O out, N count, size_t n, P predicate, cudaStream_t = 0) {
    if (detail::asksForSize(storage, bytes)) return cudaSuccess;
    auto from = thrust::detail::raw(detail::seen(in));
    return select(in, out, count, n, [=] __device__(size_t k) { return (bool)P(predicate)(from[k]); });
  }

 private:
  template <class I, class O, class N, class P> static cudaError_t select(I in, O out, N count, size_t n, P wanted) {
    auto from = thrust::detail::raw(detail::seen(in));
    auto to = thrust::detail::raw(detail::seen(out));
    auto total = thrust::detail::raw(detail::seen(count));
    thrust::detail::scratch<size_t> places(n + 1);
    size_t* place = places.get();
    thrust::detail::run(n + 1, [=] __device__(size_t k) { place[k] = k < n && wanted(k) ? 1 : 0; });
    thrust::device_ptr<size_t> p(place);
    thrust::exclusive_scan(p, p + n + 1, p, (size_t)0, Sum());
    thrust::detail::run(n, [=] __device__(size_t k) { if (place[k + 1] != place[k]) to[place[k]] = from[k]; });
    thrust::detail::run(1, [=] __device__(size_t) { *total = place[n]; });
    return cudaGetLastError();
  }
};

}  // namespace cub
