/*
 * What CUB's blocks and warps do with the order of their items: sorts by digits and by comparison, histograms, runs and neighbours.
 * Sorts are stable, as CUB's are.
 */
#pragma once
#pragma GCC system_header
#include "block.h"

namespace cub {
namespace detail {

/* Sorts by four bits at a time: each thread counts its digits, and what is before a digit of a thread is a prefix sum over all of them. */
template <class K, class V, int threads, int ITEMS> class DigitSorter {
  static_assert(Traits<K>::PRIMITIVE, "the simulator's cub::BlockRadixSort sorts numbers: structures need cub::BlockMergeSort, or the headers of a CUDA toolkit (-I TOOLKIT/include/cccl)");
  static constexpr bool pairs = !std::is_same<V, NullType>::value;
  typedef BlockGroup<threads> G;
  typedef BlockScan<unsigned int, threads> Scan;
  typedef Exchange<K, ITEMS, G> Keys;
  typedef Exchange<std::conditional_t<pairs, V, char>, ITEMS, G> Values;
  struct Count {
    unsigned int of[16 * threads];
    typename Scan::TempStorage scan;
  };

 public:
  union Storage {
    Count count;
    typename Keys::Storage keys;
    typename Values::Storage values;
  };
  static __device__ void sort(Storage& storage, K (&keys)[ITEMS], V (&values)[ITEMS], int first, int last, bool descending, bool stripes) {
    unsigned int* counts = storage.count.of;
    int thread = G::rank(), ranks[ITEMS];
    unsigned int digits[ITEMS];
    for (int shift = first; shift < last; shift += 4) {
      unsigned int mask = last - shift < 4 ? (1u << (last - shift)) - 1 : 15, before[ITEMS];
      if (shift > first) __syncthreads();
      for (int d = 0; d < 16; ++d) counts[d * threads + thread] = 0;
      for (int k = 0; k < ITEMS; ++k) {
        digits[k] = ((unsigned int)(__lanewise_ordered_bits(keys[k]) >> shift) & mask) ^ (descending ? mask : 0);
        before[k] = counts[digits[k] * threads + thread]++;
      }
      __syncthreads();
      unsigned int sum = 0, start;
      for (int k = 0; k < 16; ++k) sum += counts[thread * 16 + k];
      Scan(storage.count.scan).ExclusiveSum(sum, start);
      for (int k = 0; k < 16; ++k) {
        unsigned int own = counts[thread * 16 + k];
        counts[thread * 16 + k] = start;
        start += own;
      }
      __syncthreads();
      for (int k = 0; k < ITEMS; ++k) ranks[k] = counts[digits[k] * threads + thread] + before[k];
      __syncthreads();
      bool striped = stripes && shift + 4 >= last;
      Keys::scatter(storage.keys, keys, ranks, Always());
      if (striped) Keys::fetchStriped(storage.keys, keys);
      else Keys::fetchBlocked(storage.keys, keys);
      if constexpr (pairs) {
        __syncthreads();
        Values::scatter(storage.values, values, ranks, Always());
        if (striped) Values::fetchStriped(storage.values, values);
        else Values::fetchBlocked(storage.values, values);
      }
    }
    if (stripes && first >= last) {
      Keys::toStriped(storage.keys, keys, keys);
      if constexpr (pairs) {
        __syncthreads();
        Values::toStriped(storage.values, values, values);
      }
    }
  }
};

/* Sorts by comparison: each thread its own items, then twice as many threads in each round merge what two halves have sorted. */
template <class K, class V, int ITEMS, class G> class MergeSorter {
  static constexpr bool pairs = !std::is_same<V, NullType>::value;
  typedef std::conditional_t<pairs, V, char> Value;

 public:
  union Storage {
    Slots<K, G::size * ITEMS + 1> keys;
    Slots<Value, G::size * ITEMS + 1> values;
  };
  template <class C> static __device__ void sort(Storage& storage, K (&keys)[ITEMS], V (&values)[ITEMS], C less) {
    for (int k = 1; k < ITEMS; ++k)
      for (int j = k; j > 0; --j)
        if (less(keys[j], keys[j - 1])) {
          K key = keys[j];
          keys[j] = keys[j - 1];
          keys[j - 1] = key;
          if constexpr (pairs) {
            V value = values[j];
            values[j] = values[j - 1];
            values[j - 1] = value;
          }
        }
    int rank = G::rank();
    for (int half = 1; half < G::size; half *= 2) {
      int a = rank / (2 * half) * (2 * half) * ITEMS, b = a + half * ITEMS, end = b + half * ITEMS, middle = b, taken = rank * ITEMS - a, places[ITEMS];
      G::meet();
      for (int k = 0; k < ITEMS; ++k) storage.keys[rank * ITEMS + k] = keys[k];
      G::meet();
      int low = taken > half * ITEMS ? taken - half * ITEMS : 0, high = taken < half * ITEMS ? taken : half * ITEMS;
      while (low < high) {
        int split = (low + high) / 2;
        if (less(storage.keys[b + taken - 1 - split], storage.keys[a + split])) high = split;
        else low = split + 1;
      }
      b += taken - low;
      a += low;
      for (int k = 0; k < ITEMS; ++k) {
        places[k] = a < middle && (b >= end || !less(storage.keys[b], storage.keys[a])) ? a++ : b++;
        keys[k] = storage.keys[places[k]];
      }
      if constexpr (pairs) {
        G::meet();
        for (int k = 0; k < ITEMS; ++k) storage.values[rank * ITEMS + k] = values[k];
        G::meet();
        for (int k = 0; k < ITEMS; ++k) values[k] = storage.values[places[k]];
      }
    }
  }
};

template <class K, class V, int ITEMS, class G> class MergeSort {
  typedef MergeSorter<K, V, ITEMS, G> Sorter;

 public:
  typedef typename Sorter::Storage TempStorage;
  __device__ __forceinline__ MergeSort(TempStorage& storage) : storage(storage) {}
  template <class C> __device__ __forceinline__ void Sort(K (&keys)[ITEMS], C less) {
    NullType none[ITEMS];
    MergeSorter<K, NullType, ITEMS, G>::sort((typename MergeSorter<K, NullType, ITEMS, G>::Storage&)storage, keys, none, less);
  }
  template <class C> __device__ __forceinline__ void Sort(K (&keys)[ITEMS], C less, int valid, K last) {
    fill(keys, valid, last);
    Sort(keys, less);
  }
  template <class C> __device__ __forceinline__ void Sort(K (&keys)[ITEMS], V (&values)[ITEMS], C less) { Sorter::sort(storage, keys, values, less); }
  template <class C> __device__ __forceinline__ void Sort(K (&keys)[ITEMS], V (&values)[ITEMS], C less, int valid, K last) {
    fill(keys, valid, last);
    Sort(keys, values, less);
  }
  template <class... A> __device__ __forceinline__ void StableSort(K (&keys)[ITEMS], A&&... rest) { Sort(keys, static_cast<A&&>(rest)...); }

 private:
  TempStorage& storage;
  static __device__ __forceinline__ void fill(K (&keys)[ITEMS], int valid, K last) {
    for (int k = 0; k < ITEMS; ++k) if (G::rank() * ITEMS + k >= valid) keys[k] = last;
  }
};
}  // namespace detail

template <class K, int X, int ITEMS, class V = NullType, int Y = 1, int Z = 1> class BlockMergeSort : public detail::MergeSort<K, V, ITEMS, detail::BlockGroup<X * Y * Z>> {
  typedef detail::MergeSort<K, V, ITEMS, detail::BlockGroup<X * Y * Z>> Base;
  static_assert((X * Y * Z & (X * Y * Z - 1)) == 0, "cub::BlockMergeSort needs a power of two of threads");
  static __device__ __forceinline__ typename Base::TempStorage& own() { __shared__ typename Base::TempStorage storage; return storage; }

 public:
  __device__ __forceinline__ BlockMergeSort() : Base(own()) {}
  __device__ __forceinline__ explicit BlockMergeSort(typename Base::TempStorage& storage) : Base(storage) {}
};
template <class K, int ITEMS, int LOGICAL_WARP_THREADS = 32, class V = NullType, int = 1> class WarpMergeSort : public detail::MergeSort<K, V, ITEMS, detail::WarpGroup<LOGICAL_WARP_THREADS>> {
  typedef detail::MergeSort<K, V, ITEMS, detail::WarpGroup<LOGICAL_WARP_THREADS>> Base;

 public:
  WarpMergeSort() = delete;
  __device__ __forceinline__ WarpMergeSort(typename Base::TempStorage& storage) : Base(storage) {}
};

template <class K, int X, int ITEMS, class V = NullType, int RADIX_BITS = 4, bool MEMOIZE_OUTER_SCAN = true, BlockScanAlgorithm = BLOCK_SCAN_WARP_SCANS, cudaSharedMemConfig = cudaSharedMemBankSizeFourByte, int Y = 1, int Z = 1>
class BlockRadixSort {
  typedef detail::DigitSorter<K, V, X * Y * Z, ITEMS> Sorter;
  typedef detail::DigitSorter<K, NullType, X * Y * Z, ITEMS> KeySorter;
  static __device__ __forceinline__ typename Sorter::Storage& own() { __shared__ typename Sorter::Storage storage; return storage; }
  typename Sorter::Storage& storage;
  __device__ __forceinline__ void sort(K (&keys)[ITEMS], int first, int last, bool descending, bool stripes) {
    NullType none[ITEMS];
    KeySorter::sort((typename KeySorter::Storage&)storage, keys, none, first, last, descending, stripes);
  }

 public:
  typedef typename Sorter::Storage TempStorage;
  __device__ __forceinline__ BlockRadixSort() : storage(own()) {}
  __device__ __forceinline__ BlockRadixSort(TempStorage& storage) : storage(storage) {}
#define __LANEWISE_CUB_SORT(name, descending, stripes) \
  __device__ __forceinline__ void name(K (&keys)[ITEMS], int first = 0, int last = sizeof(K) * 8) { sort(keys, first, last, descending, stripes); } \
  __device__ __forceinline__ void name(K (&keys)[ITEMS], V (&values)[ITEMS], int first = 0, int last = sizeof(K) * 8) { Sorter::sort(storage, keys, values, first, last, descending, stripes); }
  __LANEWISE_CUB_SORT(Sort, false, false)
  __LANEWISE_CUB_SORT(SortDescending, true, false)
  __LANEWISE_CUB_SORT(SortBlockedToStriped, false, true)
  __LANEWISE_CUB_SORT(SortDescendingBlockedToStriped, true, true)
#undef __LANEWISE_CUB_SORT
};

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };
template <class T, int X, int ITEMS, int BINS, BlockHistogramAlgorithm A = BLOCK_HISTO_SORT, int Y = 1, int Z = 1> class BlockHistogram {
  static constexpr int threads = X * Y * Z;
  /* Counters that no atomic has are counted by the thread of the bin. */
  template <class C> static constexpr bool hasAtomic = (std::is_integral<C>::value && sizeof(C) == 4) || std::is_same<C, unsigned long long>::value || std::is_same<C, float>::value || std::is_same<C, double>::value;

 public:
  typedef detail::Slots<T, threads * ITEMS> TempStorage;
  __device__ __forceinline__ BlockHistogram() : items(own()) {}
  __device__ __forceinline__ BlockHistogram(TempStorage& storage) : items(storage) {}
  template <class C> __device__ __forceinline__ void InitHistogram(C* histogram) {
    for (int bin = detail::thread(); bin < BINS; bin += threads) histogram[bin] = 0;
  }
  template <class C> __device__ __forceinline__ void Composite(T (&own)[ITEMS], C* histogram) {
    if constexpr (hasAtomic<C>) {
      for (int k = 0; k < ITEMS; ++k) atomicAdd(histogram + own[k], (C)1);
    } else {
      for (int k = 0; k < ITEMS; ++k) items[k * threads + detail::thread()] = own[k];
      __syncthreads();
      for (int bin = detail::thread(); bin < BINS; bin += threads)
        for (int k = 0; k < threads * ITEMS; ++k) if ((int)items[k] == bin) ++histogram[bin];
    }
  }
  template <class C> __device__ __forceinline__ void Histogram(T (&own)[ITEMS], C* histogram) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(own, histogram);
  }

 private:
  TempStorage& items;
  static __device__ __forceinline__ TempStorage& own() { __shared__ TempStorage storage; return storage; }
};

/* Where an item differs from the one before it, or from the one behind it, as the program's function says. */
template <class T, int X, int Y = 1, int Z = 1, int = 0> class BlockDiscontinuity {
  static constexpr int threads = X * Y * Z;

 public:
  struct TempStorage { detail::Slots<T, threads> firsts, lasts; };
  __device__ __forceinline__ BlockDiscontinuity() : storage(own()) {}
  __device__ __forceinline__ BlockDiscontinuity(TempStorage& storage) : storage(storage) {}
  template <int N, class F, class Op> __device__ __forceinline__ void FlagHeads(F (&heads)[N], T (&input)[N], T (&before)[N], Op op) { headsOf(heads, input, before, op, nullptr); }
  template <int N, class F, class Op> __device__ __forceinline__ void FlagHeads(F (&heads)[N], T (&input)[N], T (&before)[N], Op op, T predecessor) { headsOf(heads, input, before, op, &predecessor); }
  template <int N, class F, class Op> __device__ __forceinline__ void FlagHeads(F (&heads)[N], T (&input)[N], Op op) { T before[N]; headsOf(heads, input, before, op, nullptr); }
  template <int N, class F, class Op> __device__ __forceinline__ void FlagHeads(F (&heads)[N], T (&input)[N], Op op, T predecessor) { T before[N]; headsOf(heads, input, before, op, &predecessor); }
  template <int N, class F, class Op> __device__ __forceinline__ void FlagTails(F (&tails)[N], T (&input)[N], Op op) { tailsOf(tails, input, op, nullptr); }
  template <int N, class F, class Op> __device__ __forceinline__ void FlagTails(F (&tails)[N], T (&input)[N], Op op, T successor) { tailsOf(tails, input, op, &successor); }
  template <int N, class F, class Op> __device__ __forceinline__ void FlagHeadsAndTails(F (&heads)[N], F (&tails)[N], T (&input)[N], Op op) { FlagHeads(heads, input, op); FlagTails(tails, input, op); }
  template <int N, class F, class Op> __device__ __forceinline__ void FlagHeadsAndTails(F (&heads)[N], F (&tails)[N], T successor, T (&input)[N], Op op) { FlagHeads(heads, input, op); FlagTails(tails, input, op, successor); }
  template <int N, class F, class Op> __device__ __forceinline__ void FlagHeadsAndTails(F (&heads)[N], T predecessor, F (&tails)[N], T (&input)[N], Op op) { FlagHeads(heads, input, op, predecessor); FlagTails(tails, input, op); }
  template <int N, class F, class Op> __device__ __forceinline__ void FlagHeadsAndTails(F (&heads)[N], T predecessor, F (&tails)[N], T successor, T (&input)[N], Op op) { FlagHeads(heads, input, op, predecessor); FlagTails(tails, input, op, successor); }

 private:
  TempStorage& storage;
  static __device__ __forceinline__ TempStorage& own() { __shared__ TempStorage storage; return storage; }
  template <int N, class F, class Op> __device__ __forceinline__ void headsOf(F (&heads)[N], T (&input)[N], T (&before)[N], Op op, const T* predecessor) {
    int thread = detail::thread();
    storage.lasts[thread] = input[N - 1];
    __syncthreads();
    for (int k = 1; k < N; ++k) before[k] = input[k - 1];
    if (thread > 0) before[0] = storage.lasts[thread - 1];
    else if (predecessor) before[0] = *predecessor;
    heads[0] = thread > 0 || predecessor ? ask(op, before[0], input[0], thread * N) : 1;
    for (int k = 1; k < N; ++k) heads[k] = ask(op, before[k], input[k], thread * N + k);
  }
  template <int N, class F, class Op> __device__ __forceinline__ void tailsOf(F (&tails)[N], T (&input)[N], Op op, const T* successor) {
    int thread = detail::thread();
    storage.firsts[thread] = input[0];
    __syncthreads();
    for (int k = 0; k < N - 1; ++k) tails[k] = ask(op, input[k], input[k + 1], thread * N + k + 1);
    bool follows = thread < threads - 1;
    tails[N - 1] = follows || successor ? ask(op, input[N - 1], follows ? storage.firsts[thread + 1] : *successor, thread * N + N) : 1;
  }
  /* The function may want the second item's place in the block, too. */
  template <class Op> static __device__ __forceinline__ auto asked(Op& op, const T& a, const T& b, int place, int) -> decltype((bool)op(a, b, place)) { return op(a, b, place); }
  template <class Op> static __device__ __forceinline__ bool asked(Op& op, const T& a, const T& b, int, long) { return op(a, b); }
  template <class Op> static __device__ __forceinline__ bool ask(Op& op, const T& a, const T& b, int place) { return asked(op, a, b, place, 0); }
};

/* Items of other threads: of those that are a distance away, or the neighbours of each. */
template <class T, int X, int Y = 1, int Z = 1, int = 0> class BlockShuffle {
  static constexpr int threads = X * Y * Z;

 public:
  typedef detail::Slots<T, threads> TempStorage;
  __device__ __forceinline__ BlockShuffle() : slots(own()) {}
  __device__ __forceinline__ BlockShuffle(TempStorage& storage) : slots(storage) {}
  /* Where there is no such thread, the output stays. */
  __device__ __forceinline__ void Offset(T input, T& output, int distance = 1) {
    int from = detail::thread() + distance;
    slots[detail::thread()] = input;
    __syncthreads();
    if (from >= 0 && from < threads) output = slots[from];
  }
  __device__ __forceinline__ void Rotate(T input, T& output, unsigned int distance = 1) {
    slots[detail::thread()] = input;
    __syncthreads();
    unsigned int from = detail::thread() + distance;
    output = slots[from >= threads ? from - threads : from];
  }
  template <int N> __device__ __forceinline__ void Up(T (&input)[N], T (&before)[N]) {
    int thread = detail::thread();
    slots[thread] = input[N - 1];
    __syncthreads();
    for (int k = N - 1; k > 0; --k) before[k] = input[k - 1];
    if (thread > 0) before[0] = slots[thread - 1];
  }
  template <int N> __device__ __forceinline__ void Up(T (&input)[N], T (&before)[N], T& last) {
    Up(input, before);
    last = slots[threads - 1];
  }
  template <int N> __device__ __forceinline__ void Down(T (&input)[N], T (&behind)[N]) {
    int thread = detail::thread();
    slots[thread] = input[0];
    __syncthreads();
    for (int k = 0; k < N - 1; ++k) behind[k] = input[k + 1];
    if (thread < threads - 1) behind[N - 1] = slots[thread + 1];
  }
  template <int N> __device__ __forceinline__ void Down(T (&input)[N], T (&behind)[N], T& first) {
    Down(input, behind);
    first = slots[0];
  }

 private:
  TempStorage& slots;
  static __device__ __forceinline__ TempStorage& own() { __shared__ TempStorage storage; return storage; }
};

}  // namespace cub
