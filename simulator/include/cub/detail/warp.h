/* CUB's primitives of a warp: reductions and scans by shuffles, in the order in which CUB combines. */
#pragma once
#pragma GCC system_header
#include "thread.h"

namespace cub {

namespace detail {
/* Any type is moved in words. */
template <class T> __device__ __forceinline__ T fromLane(unsigned int mask, const T& value, unsigned int lane, int width) {
  constexpr unsigned int words = (sizeof(T) + 3) / 4;
  unsigned int buffer[words] = {};
  memcpy(buffer, &value, sizeof(T));
  for (unsigned int k = 0; k < words; ++k) buffer[k] = __shfl_sync(mask, buffer[k], lane, width);
  T result;
  memcpy((void*)&result, buffer, sizeof(T));
  return result;
}
template <int width> __device__ __forceinline__ unsigned int lanesOf() {
  if constexpr (width == 32) return 0xffffffffu;
  else return ((1u << width) - 1) << (__nvvm_read_ptx_sreg_laneid() / width * width);
}
}  // namespace detail

template <class T, int LOGICAL_WARP_THREADS = 32, int = 0> class WarpReduce {
  static constexpr int width = LOGICAL_WARP_THREADS;
  static constexpr bool isWhole = width > 0 && width <= 32 && (width & (width - 1)) == 0;
  static_assert(width > 0 && width <= 32, "a warp has 1 to 32 threads");
  /* Groups of another number of threads lie side by side from the warp's first lane on. */
  static __device__ __forceinline__ int first() { return __nvvm_read_ptx_sreg_laneid() / width * width; }
  static __device__ __forceinline__ unsigned int mask() {
    if constexpr (isWhole) return detail::lanesOf<width>();
    else return ((1u << width) - 1) << first();
  }
  static __device__ __forceinline__ T fromMember(T value, int member) {
    if constexpr (isWhole) return detail::fromLane(mask(), value, member, width);
    else return detail::fromLane(mask(), value, first() + member, 32);
  }
  /* Lanes combine with those behind them, up to the last of their segment. */
  template <class Op> static __device__ __forceinline__ T upTo(T value, Op op, int last) {
    int lane = __nvvm_read_ptx_sreg_laneid() - first();
    for (int distance = 1; distance < width; distance *= 2) {
      T other = fromMember(value, lane + distance < width ? lane + distance : lane);
      if (lane + distance <= last) value = op(value, other);
    }
    return value;
  }

 public:
  typedef detail::NoStorage TempStorage;
  __device__ __forceinline__ WarpReduce(TempStorage&) {}
  template <class Op> __device__ __forceinline__ T Reduce(T value, Op op, int valid = width) { return upTo(value, op, valid - 1); }
  template <int N, class Op> __device__ __forceinline__ T Reduce(const T (&items)[N], Op op) {
    T sum = items[0];
    for (int k = 1; k < N; ++k) sum = op(sum, items[k]);
    return Reduce(sum, op);
  }
  __device__ __forceinline__ T Sum(T value, int valid = width) { return Reduce(value, cub::Sum(), valid); }
  template <int N> __device__ __forceinline__ T Sum(const T (&items)[N]) { return Reduce(items, cub::Sum()); }
  __device__ __forceinline__ T Max(T value, int valid = width) { return Reduce(value, cub::Max(), valid); }
  __device__ __forceinline__ T Min(T value, int valid = width) { return Reduce(value, cub::Min(), valid); }
  /* The first lane of each segment gets its sum. */
  template <class Op, class Flag> __device__ __forceinline__ T HeadSegmentedReduce(T value, Flag head, Op op) {
    unsigned int heads = __ballot_sync(mask(), (bool)head) >> first(), lane = __nvvm_read_ptx_sreg_laneid() - first();
    unsigned int behind = lane == 31 ? 0 : heads >> (lane + 1);
    return upTo(value, op, behind && lane + (unsigned int)__ffs(behind) <= (unsigned int)width ? (int)lane + __ffs(behind) - 1 : width - 1);
  }
  template <class Op, class Flag> __device__ __forceinline__ T TailSegmentedReduce(T value, Flag tail, Op op) {
    unsigned int tails = __ballot_sync(mask(), (bool)tail) >> first(), lane = __nvvm_read_ptx_sreg_laneid() - first();
    unsigned int here = tails >> lane;
    return upTo(value, op, here && lane + (unsigned int)__ffs(here) <= (unsigned int)width ? (int)lane + __ffs(here) - 1 : width - 1);
  }
  template <class Flag> __device__ __forceinline__ T HeadSegmentedSum(T value, Flag head) { return HeadSegmentedReduce(value, head, cub::Sum()); }
  template <class Flag> __device__ __forceinline__ T TailSegmentedSum(T value, Flag tail) { return TailSegmentedReduce(value, tail, cub::Sum()); }
};

template <class T, int LOGICAL_WARP_THREADS = 32, int = 0> class WarpScan {
  static constexpr int width = LOGICAL_WARP_THREADS;
  static __device__ __forceinline__ int rank() { return __nvvm_read_ptx_sreg_laneid() % width; }
  static __device__ __forceinline__ T before(T inclusive) { return detail::fromLane(detail::lanesOf<width>(), inclusive, (rank() - 1) & (width - 1), width); }
  static __device__ __forceinline__ T total(T inclusive) { return detail::fromLane(detail::lanesOf<width>(), inclusive, width - 1, width); }

 public:
  typedef detail::NoStorage TempStorage;
  __device__ __forceinline__ WarpScan(TempStorage&) {}
  template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T& output, Op op) {
    int lane = rank();
    unsigned int mask = detail::lanesOf<width>();
    T sum = input;
    for (int distance = 1; distance < width; distance *= 2) {
      T other = detail::fromLane(mask, sum, (lane - distance) & (width - 1), width);
      if (lane >= distance) sum = op(other, sum);
    }
    output = sum;
  }
  template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T& output, Op op, T& aggregate) {
    InclusiveScan(input, output, op);
    aggregate = total(output);
  }
  template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T& output, T initial, Op op) {
    InclusiveScan(input, output, op);
    output = op(initial, output);
  }
  template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T& output, T initial, Op op, T& aggregate) {
    InclusiveScan(input, output, op, aggregate);
    output = op(initial, output);
  }
  /* Without a value to begin with, that of lane 0 is not defined. */
  template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T& output, Op op) {
    T inclusive;
    InclusiveScan(input, inclusive, op);
    output = before(inclusive);
  }
  template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T& output, Op op, T& aggregate) {
    T inclusive;
    InclusiveScan(input, inclusive, op, aggregate);
    output = before(inclusive);
  }
  template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T& output, T initial, Op op) {
    T inclusive;
    Scan(input, inclusive, output, initial, op, false);
  }
  template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T& output, T initial, Op op, T& aggregate) {
    T inclusive;
    Scan(input, inclusive, output, initial, op, false);
    aggregate = total(inclusive);
  }
  template <class Op> __device__ __forceinline__ void Scan(T input, T& inclusive, T& exclusive, Op op) {
    T sum;
    InclusiveScan(input, sum, op);
    exclusive = before(sum);
    inclusive = sum;
  }
  template <class Op> __device__ __forceinline__ void Scan(T input, T& inclusive, T& exclusive, T initial, Op op) { Scan(input, inclusive, exclusive, initial, op, true); }
  __device__ __forceinline__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  __device__ __forceinline__ void InclusiveSum(T input, T& output, T& aggregate) { InclusiveScan(input, output, cub::Sum(), aggregate); }
  __device__ __forceinline__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), cub::Sum()); }
  __device__ __forceinline__ void ExclusiveSum(T input, T& output, T& aggregate) { ExclusiveScan(input, output, T(), cub::Sum(), aggregate); }
  __device__ __forceinline__ void Sum(T input, T& inclusive, T& exclusive) { Scan(input, inclusive, exclusive, T(), cub::Sum()); }
  __device__ __forceinline__ T Broadcast(T input, unsigned int source) { return detail::fromLane(detail::lanesOf<width>(), input, source, width); }

 private:
  template <class Op> __device__ __forceinline__ void Scan(T input, T& inclusive, T& exclusive, T initial, Op op, bool begins) {
    T sum;
    InclusiveScan(input, sum, op);
    T previous = before(sum);
    exclusive = rank() == 0 ? initial : op(initial, previous);
    inclusive = begins ? op(initial, sum) : sum;
  }
};

}  // namespace cub
