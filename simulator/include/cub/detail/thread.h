/* What CUB has for one thread: loads and stores with hints for caches, who it is, folds of its items, bits and lanes. */
#pragma once
#pragma GCC system_header
#include "types.h"

#define CUB_PTX_WARP_THREADS 32
#define CUB_WARP_THREADS(arch) 32
#define CUB_PTX_LOG_WARP_THREADS 5
#define CUB_LOG_WARP_THREADS(arch) 5
#define CUB_PTX_SMEM_BANKS 32
#define CUB_SMEM_BANKS(arch) 32

namespace cub {
namespace detail {
struct NoStorage {};
__device__ __forceinline__ int thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
/* Each time anew, in the widest words that the type's alignment has. */
template <class T> using WordOf = typename __lanewise_word<sizeof(T) % alignof(T) ? 1 : alignof(T) < 8 ? alignof(T) : 8>::type;
template <class T> __device__ __forceinline__ T loadAnew(const T* p) {
  typedef WordOf<std::remove_cv_t<T>> W;
  constexpr int words = sizeof(T) / sizeof(W);
  W buffer[words];
  for (int k = 0; k < words; ++k) buffer[k] = ((const volatile W*)p)[k];
  std::remove_cv_t<T> result;
  memcpy((void*)&result, buffer, sizeof(T));
  return result;
}
template <class T> __device__ __forceinline__ void storeAtOnce(T* p, const T& value) {
  typedef WordOf<T> W;
  constexpr int words = sizeof(T) / sizeof(W);
  W buffer[words];
  memcpy(buffer, (const void*)&value, sizeof(T));
  for (int k = 0; k < words; ++k) ((volatile W*)p)[k] = buffer[k];
}
}  // namespace detail

enum CacheLoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG, LOAD_CS, LOAD_CV, LOAD_LDG, LOAD_VOLATILE };
enum CacheStoreModifier { STORE_DEFAULT, STORE_WB, STORE_CG, STORE_CS, STORE_WT, STORE_VOLATILE };
template <CacheLoadModifier M, class T> __device__ __forceinline__ std::remove_cv_t<T> ThreadLoad(T* p) {
  if constexpr (M == LOAD_LDG) return __ldg((const std::remove_cv_t<T>*)p);
  else if constexpr (M == LOAD_CG || M == LOAD_CV || M == LOAD_VOLATILE) return detail::loadAnew(p);
  else return *p;
}
template <CacheLoadModifier M, class I, std::enable_if_t<!std::is_pointer<I>::value, int> = 0> __device__ __forceinline__ auto ThreadLoad(I from) { return *from; }
template <CacheStoreModifier M, class O, class T> __device__ __forceinline__ void ThreadStore(O to, T value) {
  if constexpr (M == STORE_VOLATILE && std::is_pointer<O>::value) detail::storeAtOnce(to, (std::remove_pointer_t<O>)value);
  else *to = value;
}

__device__ __forceinline__ int RowMajorTid(int x, int y, int) { return ((int)threadIdx.z * y + (int)threadIdx.y) * x + (int)threadIdx.x; }
namespace detail {
/* A value of any size, moved between lanes in words. */
template <class T, class Move> __device__ __forceinline__ T move_words(const T& value, Move move) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned int buffer[words] = {};
  __builtin_memcpy(buffer, &value, sizeof(T));
  for (int k = 0; k < words; ++k) buffer[k] = move(buffer[k]);
  T result;
  __builtin_memcpy((void*)&result, buffer, sizeof(T));
  return result;
}
}  // namespace detail
template <int Threads, class T> __device__ __forceinline__ T ShuffleUp(T value, int by, int first, unsigned int mask) {
  return detail::move_words(value, [&](unsigned int word) {
    unsigned int moved = __shfl_up_sync(mask, word, by, Threads);
    int lane = (int)__nvvm_read_ptx_sreg_laneid() % Threads;
    return lane - by < first ? word : moved;
  });
}
template <int Threads, class T> __device__ __forceinline__ T ShuffleDown(T value, int by, int last, unsigned int mask) {
  return detail::move_words(value, [&](unsigned int word) {
    unsigned int moved = __shfl_down_sync(mask, word, by, Threads);
    int lane = (int)__nvvm_read_ptx_sreg_laneid() % Threads;
    return lane + by > last ? word : moved;
  });
}
template <int Threads, class T> __device__ __forceinline__ T ShuffleIndex(T value, int from, unsigned int mask) {
  return detail::move_words(value, [&](unsigned int word) { return __shfl_sync(mask, word, from, Threads); });
}
__device__ __forceinline__ unsigned int LaneId() { return __nvvm_read_ptx_sreg_laneid(); }
__device__ __forceinline__ unsigned int WarpId() { return detail::thread() / 32; }
__device__ __forceinline__ unsigned int LaneMaskLt() { return (1u << LaneId()) - 1; }
__device__ __forceinline__ unsigned int LaneMaskLe() { return (2u << LaneId()) - 1; }
__device__ __forceinline__ unsigned int LaneMaskGt() { return ~LaneMaskLe(); }
__device__ __forceinline__ unsigned int LaneMaskGe() { return ~LaneMaskLt(); }
template <int width, int = 0> __host__ __device__ __forceinline__ unsigned int WarpMask(unsigned int warp) {
  if constexpr (width == 32) return 0xffffffffu;
  else if constexpr ((width & (width - 1)) == 0) return ((1u << width) - 1) << (warp * width);
  else return (1u << width) - 1;
}
__device__ __forceinline__ void CTA_SYNC() { __syncthreads(); }
__device__ __forceinline__ int CTA_SYNC_AND(int holds) { return __syncthreads_and(holds); }
__device__ __forceinline__ int CTA_SYNC_OR(int holds) { return __syncthreads_or(holds); }
__device__ __forceinline__ void WARP_SYNC(unsigned int mask) { __syncwarp(mask); }
__device__ __forceinline__ int WARP_ANY(int holds, unsigned int mask) { return __any_sync(mask, holds); }
__device__ __forceinline__ int WARP_ALL(int holds, unsigned int mask) { return __all_sync(mask, holds); }
__device__ __forceinline__ int WARP_BALLOT(int holds, unsigned int mask) { return __ballot_sync(mask, holds); }
template <class T> __device__ __forceinline__ unsigned int BFE(T source, unsigned int start, unsigned int bits) {
  return (unsigned int)((unsigned long long)source >> start) & (bits >= 32 ? 0xffffffffu : (1u << bits) - 1);
}
__device__ __forceinline__ unsigned int PRMT(unsigned int a, unsigned int b, unsigned int selectors) { return __byte_perm(a, b, selectors); }
template <class T> __host__ __device__ __forceinline__ constexpr T DivideAndRoundUp(T n, T by) { return n / by + (n % by != 0); }

template <int N, class T, class Op> __device__ __forceinline__ T ThreadReduce(T* items, Op op, T prefix) {
  for (int k = 0; k < N; ++k) prefix = op(prefix, items[k]);
  return prefix;
}
template <int N, class T, class Op> __device__ __forceinline__ T ThreadReduce(T (&items)[N], Op op, T prefix) { return ThreadReduce<N>((T*)items, op, prefix); }
template <int N, class T, class Op> __device__ __forceinline__ T ThreadReduce(T (&items)[N], Op op) {
  T sum = items[0];
  for (int k = 1; k < N; ++k) sum = op(sum, items[k]);
  return sum;
}
namespace internal {
using cub::ThreadReduce;
template <int N, class T, class Op> __device__ __forceinline__ T ThreadScanInclusive(T (&input)[N], T (&output)[N], Op op) {
  T sum = input[0];
  output[0] = sum;
  for (int k = 1; k < N; ++k) output[k] = sum = op(sum, input[k]);
  return sum;
}
template <int N, class T, class Op> __device__ __forceinline__ T ThreadScanInclusive(T (&input)[N], T (&output)[N], Op op, T prefix, bool begins = true) {
  T sum = begins ? op(prefix, input[0]) : input[0];
  output[0] = sum;
  for (int k = 1; k < N; ++k) output[k] = sum = op(sum, input[k]);
  return sum;
}
template <int N, class T, class Op> __device__ __forceinline__ T ThreadScanExclusive(T (&input)[N], T (&output)[N], Op op, T prefix, bool begins = true) {
  T sum = begins ? op(prefix, input[0]) : input[0];
  output[0] = prefix;
  for (int k = 1; k < N; ++k) {
    T item = input[k];
    output[k] = sum;
    sum = op(sum, item);
  }
  return sum;
}
}  // namespace internal

/* The first place that `value` may take, or the last. */
template <class I, class N, class T> __device__ __forceinline__ N LowerBound(I items, N count, T value) {
  N first = 0;
  while (count > 0) {
    N half = count / 2;
    if (items[first + half] < value) first += half + 1, count -= half + 1;
    else count = half;
  }
  return first;
}
template <class I, class N, class T> __device__ __forceinline__ N UpperBound(I items, N count, T value) {
  N first = 0;
  while (count > 0) {
    N half = count / 2;
    if (value < items[first + half]) count = half;
    else first += half + 1, count -= half + 1;
  }
  return first;
}

}  // namespace cub
