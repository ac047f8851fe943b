/* CUB's primitives of a warp: reductions and scans by shuffles, in the order in which CUB combines. */
#pragma once
#pragma GCC system_header
#include "../../cuda_runtime.h"
#include <type_traits>

namespace cub {

struct Sum { template <class T, class U> __host__ __device__ auto operator()(const T& a, const U& b) const { return a + b; } };
struct Difference { template <class T, class U> __host__ __device__ auto operator()(const T& a, const U& b) const { return a - b; } };
struct Max { template <class T, class U> __host__ __device__ std::common_type_t<T, U> operator()(const T& a, const U& b) const { return a < b ? b : a; } };
struct Min { template <class T, class U> __host__ __device__ std::common_type_t<T, U> operator()(const T& a, const U& b) const { return b < a ? b : a; } };
struct Equality { template <class T> __host__ __device__ bool operator()(const T& a, const T& b) const { return a == b; } };
struct Inequality { template <class T> __host__ __device__ bool operator()(const T& a, const T& b) const { return a != b; } };
template <class K, class V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  KeyValuePair() = default;
  __host__ __device__ KeyValuePair(const K& k, const V& v) : key(k), value(v) {}
  __host__ __device__ bool operator!=(const KeyValuePair& b) const { return value != b.value || key != b.key; }
};
/* Of equal values the one with the lower key. */
struct ArgMax {
  template <class T, class K> __host__ __device__ KeyValuePair<K, T> operator()(const KeyValuePair<K, T>& a, const KeyValuePair<K, T>& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class T, class K> __host__ __device__ KeyValuePair<K, T> operator()(const KeyValuePair<K, T>& a, const KeyValuePair<K, T>& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

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
struct NoStorage {};
__device__ __forceinline__ int thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
}  // namespace detail

template <class T, int LOGICAL_WARP_THREADS = 32> class WarpReduce {
  static constexpr int width = LOGICAL_WARP_THREADS;
  static_assert(width > 0 && width <= 32 && (width & (width - 1)) == 0, "the simulator's cub::WarpReduce needs a power of two of threads");

 public:
  typedef detail::NoStorage TempStorage;
  __device__ __forceinline__ WarpReduce(TempStorage&) {}
  template <class Op> __device__ __forceinline__ T Reduce(T value, Op op, int valid = width) {
    int lane = __nvvm_read_ptx_sreg_laneid() % width;
    unsigned int mask = detail::lanesOf<width>();
    for (int distance = 1; distance < width; distance *= 2) {
      T other = detail::fromLane(mask, value, (lane + distance) % width, width);
      if (lane + distance < valid) value = op(value, other);
    }
    return value;
  }
  __device__ __forceinline__ T Sum(T value, int valid = width) { return Reduce(value, cub::Sum(), valid); }
  __device__ __forceinline__ T Max(T value, int valid = width) { return Reduce(value, cub::Max(), valid); }
  __device__ __forceinline__ T Min(T value, int valid = width) { return Reduce(value, cub::Min(), valid); }
};

template <class T, int LOGICAL_WARP_THREADS = 32> class WarpScan {
  static constexpr int width = LOGICAL_WARP_THREADS;

 public:
  typedef detail::NoStorage TempStorage;
  __device__ __forceinline__ WarpScan(TempStorage&) {}
  template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T& output, Op op) {
    int lane = __nvvm_read_ptx_sreg_laneid() % width;
    unsigned int mask = detail::lanesOf<width>();
    output = input;
    for (int distance = 1; distance < width; distance *= 2) {
      T other = detail::fromLane(mask, output, (lane - distance) & (width - 1), width);
      if (lane >= distance) output = op(other, output);
    }
  }
  template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T& output, Op op, T& aggregate) {
    InclusiveScan(input, output, op);
    aggregate = detail::fromLane(detail::lanesOf<width>(), output, width - 1, width);
  }
  template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T& output, T initial, Op op) {
    T inclusive;
    InclusiveScan(input, inclusive, op);
    int lane = __nvvm_read_ptx_sreg_laneid() % width;
    T before = detail::fromLane(detail::lanesOf<width>(), inclusive, (lane - 1) & (width - 1), width);
    output = lane == 0 ? initial : op(initial, before);
  }
  template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T& output, T initial, Op op, T& aggregate) {
    T inclusive;
    InclusiveScan(input, inclusive, op, aggregate);
    ExclusiveScan(input, output, initial, op);
  }
  __device__ __forceinline__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, Sum()); }
  __device__ __forceinline__ void InclusiveSum(T input, T& output, T& aggregate) { InclusiveScan(input, output, Sum(), aggregate); }
  __device__ __forceinline__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), Sum()); }
  __device__ __forceinline__ void ExclusiveSum(T input, T& output, T& aggregate) { ExclusiveScan(input, output, T(), Sum(), aggregate); }
  __device__ __forceinline__ T Broadcast(T input, unsigned int source) { return detail::fromLane(detail::lanesOf<width>(), input, source, width); }
};

}  // namespace cub
