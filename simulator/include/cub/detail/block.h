/*
 * CUB's primitives of a block: reductions, scans, loads and stores. Warps reduce by shuffles, then one thread goes over the warps' results in
 * order, whichever algorithm a program names; that would change nothing but the counts on hardware. Loads and stores are those it names.
 */
#pragma once
#pragma GCC system_header
#include "exchange.h"

namespace cub {

enum BlockReduceAlgorithm { BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY, BLOCK_REDUCE_RAKING, BLOCK_REDUCE_WARP_REDUCTIONS, BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC };
enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };
enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT, BLOCK_LOAD_STRIPED, BLOCK_LOAD_VECTORIZE, BLOCK_LOAD_TRANSPOSE, BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};
enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT, BLOCK_STORE_STRIPED, BLOCK_STORE_VECTORIZE, BLOCK_STORE_TRANSPOSE, BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace detail {
template <class T, int N, class Op> __device__ __forceinline__ T ofItems(T (&items)[N], Op op) {
  T sum = items[0];
  for (int k = 1; k < N; ++k) sum = op(sum, items[k]);
  return sum;
}
}  // namespace detail

template <class T, int X, BlockReduceAlgorithm A = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int = 0> class BlockReduce {
  static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;

 public:
  struct TempStorage { detail::Slots<T, warps> sums; };
  __device__ __forceinline__ BlockReduce(TempStorage& storage) : sums(storage.sums) {}
  __device__ __forceinline__ BlockReduce() : sums(own().sums) {}
  /* Thread 0 gets the result. */
  template <class Op> __device__ __forceinline__ T Reduce(T value, Op op, int valid) {
    int thread = detail::thread(), lane = thread % 32, warp = thread / 32;
    int inWarp = threads - warp * 32 < 32 ? threads - warp * 32 : 32;
    unsigned int mask = inWarp == 32 ? 0xffffffffu : (1u << inWarp) - 1;
    for (int distance = 1; distance < 32; distance *= 2) {
      T other = detail::fromLane(mask, value, lane + distance < inWarp ? lane + distance : lane, 32);
      if (lane + distance < inWarp && thread + distance < valid) value = op(value, other);
    }
    if (warps == 1) return value;
    if (lane == 0) sums[warp] = value;
    __syncthreads();
    if (thread == 0) for (int k = 1; k < warps && k * 32 < valid; ++k) value = op(value, sums[k]);
    return value;
  }
  template <class Op> __device__ __forceinline__ T Reduce(T value, Op op) { return Reduce(value, op, threads); }
  template <int N, class Op> __device__ __forceinline__ T Reduce(T (&items)[N], Op op) { return Reduce(detail::ofItems(items, op), op, threads); }
  __device__ __forceinline__ T Sum(T value) { return Reduce(value, cub::Sum(), threads); }
  __device__ __forceinline__ T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }
  template <int N> __device__ __forceinline__ T Sum(T (&items)[N]) { return Reduce(items, cub::Sum()); }

 private:
  detail::Slots<T, warps>& sums;
  static __device__ __forceinline__ TempStorage& own() { __shared__ TempStorage storage; return storage; }
};

template <class T, int X, BlockScanAlgorithm A = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0> class BlockScan {
  static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;

 public:
  struct TempStorage { detail::Slots<T, warps + 1> sums; };
  __device__ __forceinline__ BlockScan(TempStorage& storage) : sums(storage.sums) {}
  __device__ __forceinline__ BlockScan() : sums(own().sums) {}

  template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T& output, Op op, T& aggregate) {
    T before;
    output = scan(input, op, before, aggregate) ? op(before, input) : input;
  }
  template <class Op> __device__ __forceinline__ void InclusiveScan(T input, T& output, Op op) { T aggregate; InclusiveScan(input, output, op, aggregate); }
  template <class Op, class P> __device__ __forceinline__ void InclusiveScan(T input, T& output, Op op, P& prefixOf) {
    T before;
    prefixed(input, op, before, prefixOf);
    output = op(before, input);
  }
  template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T& output, T initial, Op op, T& aggregate) {
    T before;
    output = scan(input, op, before, aggregate) ? op(initial, before) : initial;
  }
  template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T& output, T initial, Op op) { T aggregate; ExclusiveScan(input, output, initial, op, aggregate); }
  /* Without a value to begin with, that of thread 0 is not defined. */
  template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T& output, Op op, T& aggregate) {
    T before;
    scan(input, op, before, aggregate);
    output = before;
  }
  template <class Op> __device__ __forceinline__ void ExclusiveScan(T input, T& output, Op op) { T aggregate; ExclusiveScan(input, output, op, aggregate); }
  template <class Op, class P> __device__ __forceinline__ void ExclusiveScan(T input, T& output, Op op, P& prefixOf) { prefixed(input, op, output, prefixOf); }

  template <int N, class Op> __device__ __forceinline__ void InclusiveScan(T (&input)[N], T (&output)[N], Op op, T& aggregate) {
    T before;
    bool follows = scan(detail::ofItems(input, op), op, before, aggregate);
    inclusive(input, output, op, before, follows);
  }
  template <int N, class Op> __device__ __forceinline__ void InclusiveScan(T (&input)[N], T (&output)[N], Op op) { T aggregate; InclusiveScan(input, output, op, aggregate); }
  template <int N, class Op> __device__ __forceinline__ void InclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op, T& aggregate) {
    T before;
    bool follows = scan(detail::ofItems(input, op), op, before, aggregate);
    inclusive(input, output, op, follows ? op(initial, before) : initial, true);
  }
  template <int N, class Op> __device__ __forceinline__ void InclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op) { T aggregate; InclusiveScan(input, output, initial, op, aggregate); }
  template <int N, class Op, class P> __device__ __forceinline__ void InclusiveScan(T (&input)[N], T (&output)[N], Op op, P& prefixOf) {
    T before;
    prefixed(detail::ofItems(input, op), op, before, prefixOf);
    inclusive(input, output, op, before, true);
  }
  template <int N, class Op> __device__ __forceinline__ void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op, T& aggregate) {
    T before;
    bool follows = scan(detail::ofItems(input, op), op, before, aggregate);
    exclusive(input, output, op, follows ? op(initial, before) : initial, true);
  }
  template <int N, class Op> __device__ __forceinline__ void ExclusiveScan(T (&input)[N], T (&output)[N], T initial, Op op) { T aggregate; ExclusiveScan(input, output, initial, op, aggregate); }
  template <int N, class Op> __device__ __forceinline__ void ExclusiveScan(T (&input)[N], T (&output)[N], Op op, T& aggregate) {
    T before;
    bool follows = scan(detail::ofItems(input, op), op, before, aggregate);
    exclusive(input, output, op, before, follows);
  }
  template <int N, class Op> __device__ __forceinline__ void ExclusiveScan(T (&input)[N], T (&output)[N], Op op) { T aggregate; ExclusiveScan(input, output, op, aggregate); }
  template <int N, class Op, class P> __device__ __forceinline__ void ExclusiveScan(T (&input)[N], T (&output)[N], Op op, P& prefixOf) {
    T before;
    prefixed(detail::ofItems(input, op), op, before, prefixOf);
    exclusive(input, output, op, before, true);
  }

  __device__ __forceinline__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  __device__ __forceinline__ void InclusiveSum(T input, T& output, T& aggregate) { InclusiveScan(input, output, cub::Sum(), aggregate); }
  template <class P> __device__ __forceinline__ void InclusiveSum(T input, T& output, P& prefixOf) { InclusiveScan(input, output, cub::Sum(), prefixOf); }
  template <int N> __device__ __forceinline__ void InclusiveSum(T (&input)[N], T (&output)[N]) { InclusiveScan(input, output, cub::Sum()); }
  template <int N> __device__ __forceinline__ void InclusiveSum(T (&input)[N], T (&output)[N], T& aggregate) { InclusiveScan(input, output, cub::Sum(), aggregate); }
  template <int N, class P> __device__ __forceinline__ void InclusiveSum(T (&input)[N], T (&output)[N], P& prefixOf) { InclusiveScan(input, output, cub::Sum(), prefixOf); }
  __device__ __forceinline__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), cub::Sum()); }
  __device__ __forceinline__ void ExclusiveSum(T input, T& output, T& aggregate) { ExclusiveScan(input, output, T(), cub::Sum(), aggregate); }
  template <class P> __device__ __forceinline__ void ExclusiveSum(T input, T& output, P& prefixOf) { ExclusiveScan(input, output, cub::Sum(), prefixOf); }
  template <int N> __device__ __forceinline__ void ExclusiveSum(T (&input)[N], T (&output)[N]) { ExclusiveScan(input, output, T(), cub::Sum()); }
  template <int N> __device__ __forceinline__ void ExclusiveSum(T (&input)[N], T (&output)[N], T& aggregate) { ExclusiveScan(input, output, T(), cub::Sum(), aggregate); }
  template <int N, class P> __device__ __forceinline__ void ExclusiveSum(T (&input)[N], T (&output)[N], P& prefixOf) { ExclusiveScan(input, output, cub::Sum(), prefixOf); }

 private:
  detail::Slots<T, warps + 1>& sums;
  static __device__ __forceinline__ TempStorage& own() { __shared__ TempStorage storage; return storage; }
  /* `before`: what the threads before give together; false in thread 0, which has none. */
  template <class Op> __device__ __forceinline__ bool scan(T value, Op op, T& before, T& aggregate) {
    int thread = detail::thread(), lane = thread % 32, warp = thread / 32;
    int inWarp = threads - warp * 32 < 32 ? threads - warp * 32 : 32;
    unsigned int mask = inWarp == 32 ? 0xffffffffu : (1u << inWarp) - 1;
    for (int distance = 1; distance < 32; distance *= 2) {
      T other = detail::fromLane(mask, value, lane >= distance ? lane - distance : lane, 32);
      if (lane >= distance) value = op(other, value);
    }
    if (lane == inWarp - 1) sums[warp] = value;
    before = detail::fromLane(mask, value, lane ? lane - 1 : 0, 32);
    __syncthreads();
    T prefix = sums[0];
    for (int k = 1; k < warp; ++k) prefix = op(prefix, sums[k]);
    if (warp > 0) before = lane ? op(prefix, before) : prefix;
    aggregate = sums[0];
    for (int k = 1; k < warps; ++k) aggregate = op(aggregate, sums[k]);
    return thread > 0;
  }
  /* What is before the block is asked of the program's function by the first warp, and lane 0's answer counts. */
  template <class Op, class P> __device__ __forceinline__ void prefixed(T value, Op op, T& before, P& prefixOf) {
    T aggregate, sum;
    bool follows = scan(value, op, sum, aggregate);
    if (detail::thread() < 32) {
      T prefix = prefixOf(aggregate);
      if (detail::thread() == 0) sums[warps] = prefix;
    }
    __syncthreads();
    T prefix = sums[warps];
    before = follows ? op(prefix, sum) : prefix;
  }
  template <int N, class Op> static __device__ __forceinline__ void inclusive(T (&input)[N], T (&output)[N], Op op, T before, bool follows) {
    for (int k = 0; k < N; ++k) {
      before = follows || k ? op(before, input[k]) : input[k];
      output[k] = before;
    }
  }
  template <int N, class Op> static __device__ __forceinline__ void exclusive(T (&input)[N], T (&output)[N], Op op, T before, bool follows) {
    for (int k = 0; k < N; ++k) {
      T item = input[k];
      output[k] = before;
      before = follows || k ? op(before, item) : item;
    }
  }
};

namespace detail {
/* How a block's threads share the items of its tile in memory, and which of them they work on. */
template <class T, int threads, int ITEMS, bool isStriped, bool isVector, bool isTransposed, bool byWarps> class BlockTile {
  typedef Exchange<T, ITEMS, std::conditional_t<byWarps && (threads > 32), WarpsOfBlock<threads>, BlockGroup<threads>>> Across;
  static __device__ __forceinline__ int place(int k) {
    return isStriped ? k * threads + thread() : isTransposed ? Across::striped(k) : thread() * ITEMS + k;
  }
  template <class I> static __device__ __forceinline__ void get(I from, T (&items)[ITEMS]) {
    for (int k = 0; k < ITEMS; ++k) items[k] = from[place(k)];
  }
  template <class O> static __device__ __forceinline__ void put(O to, T (&items)[ITEMS]) {
    for (int k = 0; k < ITEMS; ++k) to[place(k)] = items[k];
  }
  typedef Pieces<sizeof(T), ITEMS> Vector;
  static __device__ __forceinline__ void get(T* from, T (&items)[ITEMS]) { get((const T*)from, items); }
  static __device__ __forceinline__ void get(const T* from, T (&items)[ITEMS]) {
    if (isVector && (unsigned long long)from % Vector::bytes == 0)
      for (int k = 0; k < Vector::count; ++k) {
        typename Vector::Piece piece = ((const typename Vector::Piece*)from)[thread() * Vector::count + k];
        __builtin_memcpy((char*)items + k * Vector::bytes, &piece, Vector::bytes);
      }
    else
      for (int k = 0; k < ITEMS; ++k) items[k] = from[place(k)];
  }
  static __device__ __forceinline__ void put(T* to, T (&items)[ITEMS]) {
    if (isVector && (unsigned long long)to % Vector::bytes == 0)
      for (int k = 0; k < Vector::count; ++k) {
        typename Vector::Piece piece;
        __builtin_memcpy(&piece, (char*)items + k * Vector::bytes, Vector::bytes);
        ((typename Vector::Piece*)to)[thread() * Vector::count + k] = piece;
      }
    else
      for (int k = 0; k < ITEMS; ++k) to[place(k)] = items[k];
  }

 public:
  typedef std::conditional_t<isTransposed, typename Across::Storage, NoStorage> Storage;
  static __device__ __forceinline__ Storage& own() { __shared__ Storage storage; return storage; }
  template <class I> static __device__ __forceinline__ void load(Storage& storage, I from, T (&items)[ITEMS]) {
    get(from, items);
    if constexpr (isTransposed) Across::toBlocked(storage, items, items);
  }
  template <class I> static __device__ __forceinline__ void load(Storage& storage, I from, T (&items)[ITEMS], int valid) {
    for (int k = 0; k < ITEMS; ++k) if (place(k) < valid) items[k] = from[place(k)];
    if constexpr (isTransposed) Across::toBlocked(storage, items, items);
  }
  template <class I, class D> static __device__ __forceinline__ void load(Storage& storage, I from, T (&items)[ITEMS], int valid, D otherwise) {
    for (int k = 0; k < ITEMS; ++k) items[k] = place(k) < valid ? (T)from[place(k)] : (T)otherwise;
    if constexpr (isTransposed) Across::toBlocked(storage, items, items);
  }
  template <class O> static __device__ __forceinline__ void store(Storage& storage, O to, T (&items)[ITEMS]) {
    if constexpr (isTransposed) Across::toStriped(storage, items, items);
    put(to, items);
  }
  template <class O> static __device__ __forceinline__ void store(Storage& storage, O to, T (&items)[ITEMS], int valid) {
    if constexpr (isTransposed) Across::toStriped(storage, items, items);
    for (int k = 0; k < ITEMS; ++k) if (place(k) < valid) to[place(k)] = items[k];
  }
};
}  // namespace detail

template <class T, int X, int ITEMS, BlockLoadAlgorithm A = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int = 0> class BlockLoad {
  typedef detail::BlockTile<T, X * Y * Z, ITEMS, A == BLOCK_LOAD_STRIPED, A == BLOCK_LOAD_VECTORIZE, (A >= BLOCK_LOAD_TRANSPOSE), (A > BLOCK_LOAD_TRANSPOSE)> Tile;

 public:
  typedef typename Tile::Storage TempStorage;
  __device__ __forceinline__ BlockLoad() : storage(Tile::own()) {}
  __device__ __forceinline__ BlockLoad(TempStorage& storage) : storage(storage) {}
  template <class I> __device__ __forceinline__ void Load(I from, T (&items)[ITEMS]) { Tile::load(storage, from, items); }
  template <class I> __device__ __forceinline__ void Load(I from, T (&items)[ITEMS], int valid) { Tile::load(storage, from, items, valid); }
  template <class I, class D> __device__ __forceinline__ void Load(I from, T (&items)[ITEMS], int valid, D otherwise) { Tile::load(storage, from, items, valid, otherwise); }

 private:
  TempStorage& storage;
};
template <class T, int X, int ITEMS, BlockStoreAlgorithm A = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int = 0> class BlockStore {
  typedef detail::BlockTile<T, X * Y * Z, ITEMS, A == BLOCK_STORE_STRIPED, A == BLOCK_STORE_VECTORIZE, (A >= BLOCK_STORE_TRANSPOSE), (A > BLOCK_STORE_TRANSPOSE)> Tile;

 public:
  typedef typename Tile::Storage TempStorage;
  __device__ __forceinline__ BlockStore() : storage(Tile::own()) {}
  __device__ __forceinline__ BlockStore(TempStorage& storage) : storage(storage) {}
  template <class O> __device__ __forceinline__ void Store(O to, T (&items)[ITEMS]) { Tile::store(storage, to, items); }
  template <class O> __device__ __forceinline__ void Store(O to, T (&items)[ITEMS], int valid) { Tile::store(storage, to, items, valid); }

 private:
  TempStorage& storage;
};

/* Each item with the one before it, or behind it; the block's first, or last, stays. */
template <class T, int X, int Y = 1, int Z = 1> class BlockAdjacentDifference {
  static constexpr int threads = X * Y * Z;

 public:
  typedef detail::Slots<T, threads> TempStorage;
  __device__ __forceinline__ BlockAdjacentDifference() : ends(own()) {}
  __device__ __forceinline__ BlockAdjacentDifference(TempStorage& storage) : ends(storage) {}
  template <int N, class O, class Op> __device__ __forceinline__ void SubtractLeft(T (&input)[N], O (&output)[N], Op op) {
    int thread = detail::thread();
    ends[thread] = input[N - 1];
    __syncthreads();
    for (int k = N - 1; k > 0; --k) output[k] = op(input[k], input[k - 1]);
    if (thread == 0) output[0] = input[0];
    else output[0] = op(input[0], ends[thread - 1]);
  }
  template <int N, class O, class Op> __device__ __forceinline__ void SubtractRight(T (&input)[N], O (&output)[N], Op op) {
    int thread = detail::thread();
    ends[thread] = input[0];
    __syncthreads();
    for (int k = 0; k < N - 1; ++k) output[k] = op(input[k], input[k + 1]);
    if (thread == threads - 1) output[N - 1] = input[N - 1];
    else output[N - 1] = op(input[N - 1], ends[thread + 1]);
  }

 private:
  TempStorage& ends;
  static __device__ __forceinline__ TempStorage& own() { __shared__ TempStorage storage; return storage; }
};

}  // namespace cub
