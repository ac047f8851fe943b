/* Items that threads of a block or of a warp hold change their owners, through shared memory. */
#pragma once
#pragma GCC system_header
#include "warp.h"

namespace cub {
namespace detail {
template <class T, int count> struct Slots {
  alignas(T) unsigned char bytes[count * sizeof(T)];
  __device__ __forceinline__ T& operator[](int k) { return ((T*)bytes)[k]; }
};

/* Threads that exchange with each other: how many, which one this is, how they meet, and for which items there is room in all. */
template <int threads> struct BlockGroup {
  static constexpr int size = threads, all = threads;
  static __device__ __forceinline__ int rank() { return thread(); }
  static __device__ __forceinline__ int first() { return 0; }
  static __device__ __forceinline__ void meet() { __syncthreads(); }
};
template <int threads> struct WarpsOfBlock {
  static constexpr int size = 32, all = threads;
  static __device__ __forceinline__ int rank() { return thread() % 32; }
  static __device__ __forceinline__ int first() { return thread() / 32 * 32; }
  static __device__ __forceinline__ void meet() { __syncwarp(); }
};
template <int width> struct WarpGroup {
  static constexpr int size = width, all = width;
  static __device__ __forceinline__ int rank() { return __nvvm_read_ptx_sreg_laneid() % width; }
  static __device__ __forceinline__ int first() { return 0; }
  static __device__ __forceinline__ void meet() { __syncwarp(lanesOf<width>()); }
};

/* Blocked: a thread's items are side by side. Striped: those of neighbouring threads are. */
template <class T, int ITEMS, class G> class Exchange {
  /* Where no item stands, so that rows of as many items as there are banks do not meet in one. */
  static constexpr int gap = ITEMS > 4 && (ITEMS & (ITEMS - 1)) == 0 ? 32 : 0;
  static __device__ __forceinline__ int slot(int item) { return gap ? item + item / 32 : item; }

 public:
  typedef Slots<T, G::all * ITEMS + (gap ? G::all * ITEMS / 32 : 0)> Storage;
  /* Of the whole storage: the thread's k-th item in the order of memory, and in its own. */
  static __device__ __forceinline__ int striped(int k) { return G::first() * ITEMS + k * G::size + G::rank(); }
  static __device__ __forceinline__ int blocked(int k) { return (G::first() + G::rank()) * ITEMS + k; }
  template <class U> static __device__ __forceinline__ void toBlocked(Storage& slots, const T (&input)[ITEMS], U (&output)[ITEMS]) {
    for (int k = 0; k < ITEMS; ++k) slots[slot(striped(k))] = input[k];
    G::meet();
    fetchBlocked(slots, output);
  }
  template <class U> static __device__ __forceinline__ void toStriped(Storage& slots, const T (&input)[ITEMS], U (&output)[ITEMS]) {
    for (int k = 0; k < ITEMS; ++k) slots[slot(blocked(k))] = input[k];
    G::meet();
    fetchStriped(slots, output);
  }
  /* Each item to its rank, if it is wanted. */
  template <class R, class W> static __device__ __forceinline__ void scatter(Storage& slots, const T (&input)[ITEMS], R& ranks, W wanted) {
    for (int k = 0; k < ITEMS; ++k) if (wanted(k)) slots[slot(G::first() * ITEMS + (int)ranks[k])] = input[k];
    G::meet();
  }
  template <class U> static __device__ __forceinline__ void fetchBlocked(Storage& slots, U (&output)[ITEMS]) {
    for (int k = 0; k < ITEMS; ++k) output[k] = slots[slot(blocked(k))];
  }
  template <class U> static __device__ __forceinline__ void fetchStriped(Storage& slots, U (&output)[ITEMS]) {
    for (int k = 0; k < ITEMS; ++k) output[k] = slots[slot(striped(k))];
  }
};
struct Always { __device__ __forceinline__ bool operator()(int) const { return true; } };

/* What the exchanges of blocks and warps have in common. */
template <class T, int ITEMS, class G> class Exchanger {
 protected:
  typedef Exchange<T, ITEMS, G> Across;
  typename Across::Storage& slots;
  __device__ __forceinline__ Exchanger(typename Across::Storage& slots) : slots(slots) {}

 public:
  typedef typename Across::Storage TempStorage;
  template <class U> __device__ __forceinline__ void StripedToBlocked(const T (&input)[ITEMS], U (&output)[ITEMS]) { Across::toBlocked(slots, input, output); }
  template <class U> __device__ __forceinline__ void BlockedToStriped(const T (&input)[ITEMS], U (&output)[ITEMS]) { Across::toStriped(slots, input, output); }
  template <class U, class R> __device__ __forceinline__ void ScatterToStriped(const T (&input)[ITEMS], U (&output)[ITEMS], R (&ranks)[ITEMS]) {
    Across::scatter(slots, input, ranks, Always());
    Across::fetchStriped(slots, output);
  }
  template <class R> __device__ __forceinline__ void ScatterToStriped(T (&items)[ITEMS], R (&ranks)[ITEMS]) { ScatterToStriped(items, items, ranks); }
};
}  // namespace detail

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };
template <class T, int ITEMS, int LOGICAL_WARP_THREADS = 32, WarpExchangeAlgorithm = WARP_EXCHANGE_SMEM, class = void>
class WarpExchange : public detail::Exchanger<T, ITEMS, detail::WarpGroup<LOGICAL_WARP_THREADS>> {
  typedef detail::Exchanger<T, ITEMS, detail::WarpGroup<LOGICAL_WARP_THREADS>> Base;

 public:
  typedef typename Base::TempStorage TempStorage;
  WarpExchange() = delete;
  __device__ __forceinline__ explicit WarpExchange(TempStorage& storage) : Base(storage) {}
};

template <class T, int X, int ITEMS, bool WARP_TIME_SLICING = false, int Y = 1, int Z = 1, int = 0> class BlockExchange : public detail::Exchanger<T, ITEMS, detail::BlockGroup<X * Y * Z>> {
  static constexpr int threads = X * Y * Z;
  typedef detail::Exchanger<T, ITEMS, detail::BlockGroup<threads>> Base;
  typedef detail::Exchange<T, ITEMS, detail::WarpsOfBlock<threads>> Warps;
  typedef typename Base::Across Across;
  static __device__ __forceinline__ typename Base::TempStorage& own() { __shared__ typename Base::TempStorage storage; return storage; }

 public:
  typedef typename Base::TempStorage TempStorage;
  __device__ __forceinline__ BlockExchange() : Base(own()) {}
  __device__ __forceinline__ BlockExchange(TempStorage& storage) : Base(storage) {}
  using Base::StripedToBlocked;
  using Base::BlockedToStriped;
  using Base::ScatterToStriped;
  __device__ __forceinline__ void StripedToBlocked(T (&items)[ITEMS]) { StripedToBlocked(items, items); }
  __device__ __forceinline__ void BlockedToStriped(T (&items)[ITEMS]) { BlockedToStriped(items, items); }
  template <class U> __device__ __forceinline__ void WarpStripedToBlocked(const T (&input)[ITEMS], U (&output)[ITEMS]) { Warps::toBlocked(this->slots, input, output); }
  template <class U> __device__ __forceinline__ void BlockedToWarpStriped(const T (&input)[ITEMS], U (&output)[ITEMS]) { Warps::toStriped(this->slots, input, output); }
  __device__ __forceinline__ void WarpStripedToBlocked(T (&items)[ITEMS]) { WarpStripedToBlocked(items, items); }
  __device__ __forceinline__ void BlockedToWarpStriped(T (&items)[ITEMS]) { BlockedToWarpStriped(items, items); }
  template <class U, class R> __device__ __forceinline__ void ScatterToBlocked(const T (&input)[ITEMS], U (&output)[ITEMS], R (&ranks)[ITEMS]) {
    Across::scatter(this->slots, input, ranks, detail::Always());
    Across::fetchBlocked(this->slots, output);
  }
  template <class R> __device__ __forceinline__ void ScatterToBlocked(T (&items)[ITEMS], R (&ranks)[ITEMS]) { ScatterToBlocked(items, items, ranks); }
  /* Items whose rank is below 0, or which are not flagged, stay behind. */
  template <class U, class R> __device__ __forceinline__ void ScatterToStripedGuarded(const T (&input)[ITEMS], U (&output)[ITEMS], R (&ranks)[ITEMS]) {
    Across::scatter(this->slots, input, ranks, [&] __device__(int k) { return (long long)ranks[k] >= 0; });
    Across::fetchStriped(this->slots, output);
  }
  template <class R> __device__ __forceinline__ void ScatterToStripedGuarded(T (&items)[ITEMS], R (&ranks)[ITEMS]) { ScatterToStripedGuarded(items, items, ranks); }
  template <class U, class R, class F> __device__ __forceinline__ void ScatterToStripedFlagged(const T (&input)[ITEMS], U (&output)[ITEMS], R (&ranks)[ITEMS], F (&flags)[ITEMS]) {
    Across::scatter(this->slots, input, ranks, [&] __device__(int k) { return (bool)flags[k]; });
    Across::fetchStriped(this->slots, output);
  }
  template <class R, class F> __device__ __forceinline__ void ScatterToStripedFlagged(T (&items)[ITEMS], R (&ranks)[ITEMS], F (&flags)[ITEMS]) { ScatterToStripedFlagged(items, items, ranks, flags); }
};

/* Loads and stores of one thread's items, as threads share those of a tile: blocked, striped, or striped by warps. */
#define __LANEWISE_CUB_DIRECT(how, parameters, place) \
  template <parameters class T, int ITEMS, class I> __device__ __forceinline__ void LoadDirect##how(int thread, I from, T (&items)[ITEMS]) { for (int k = 0; k < ITEMS; ++k) items[k] = from[place]; } \
  template <parameters class T, int ITEMS, class I> __device__ __forceinline__ void LoadDirect##how(int thread, I from, T (&items)[ITEMS], int valid) { for (int k = 0; k < ITEMS; ++k) if ((place) < valid) items[k] = from[place]; } \
  template <parameters class T, class D, int ITEMS, class I> __device__ __forceinline__ void LoadDirect##how(int thread, I from, T (&items)[ITEMS], int valid, D otherwise) { for (int k = 0; k < ITEMS; ++k) items[k] = (place) < valid ? (T)from[place] : (T)otherwise; } \
  template <parameters class T, int ITEMS, class O> __device__ __forceinline__ void StoreDirect##how(int thread, O to, T (&items)[ITEMS]) { for (int k = 0; k < ITEMS; ++k) to[place] = items[k]; } \
  template <parameters class T, int ITEMS, class O> __device__ __forceinline__ void StoreDirect##how(int thread, O to, T (&items)[ITEMS], int valid) { for (int k = 0; k < ITEMS; ++k) if ((place) < valid) to[place] = items[k]; }
#define __LANEWISE_CUB_COMMA ,
__LANEWISE_CUB_DIRECT(Blocked, , thread * ITEMS + k)
__LANEWISE_CUB_DIRECT(Striped, int threads __LANEWISE_CUB_COMMA, k * threads + thread)
__LANEWISE_CUB_DIRECT(WarpStriped, , thread / 32 * 32 * ITEMS + k * 32 + thread % 32)
#undef __LANEWISE_CUB_DIRECT
#undef __LANEWISE_CUB_COMMA

namespace detail {
/* Pieces of up to 16 bytes in which all items of a thread move. */
template <int size, int ITEMS> struct Pieces {
  static constexpr int word = size % 8 == 0 ? 8 : size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1, words = size * ITEMS / word;
  static constexpr int most = word * (words % 4 == 0 ? 4 : words % 2 == 0 ? 2 : 1), bytes = most > 16 ? 16 : most, count = size * ITEMS / bytes;
  struct alignas(bytes) Piece { unsigned char of[bytes]; };
};
}  // namespace detail
template <class T, int ITEMS> __device__ __forceinline__ void LoadDirectBlockedVectorized(int thread, T* from, std::remove_cv_t<T> (&items)[ITEMS]) {
  typedef detail::Pieces<sizeof(T), ITEMS> Vector;
  for (int k = 0; k < Vector::count; ++k) {
    typename Vector::Piece piece = ((const typename Vector::Piece*)from)[thread * Vector::count + k];
    __builtin_memcpy((char*)items + k * Vector::bytes, &piece, Vector::bytes);
  }
}
template <class T, int ITEMS> __device__ __forceinline__ void StoreDirectBlockedVectorized(int thread, T* to, T (&items)[ITEMS]) {
  typedef detail::Pieces<sizeof(T), ITEMS> Vector;
  for (int k = 0; k < Vector::count; ++k) {
    typename Vector::Piece piece;
    __builtin_memcpy(&piece, (char*)items + k * Vector::bytes, Vector::bytes);
    ((typename Vector::Piece*)to)[thread * Vector::count + k] = piece;
  }
}

enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };
enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };
template <class T, int ITEMS, WarpLoadAlgorithm A = WARP_LOAD_DIRECT, int LOGICAL_WARP_THREADS = 32, int = 0> class WarpLoad {
  typedef detail::Exchange<T, ITEMS, detail::WarpGroup<LOGICAL_WARP_THREADS>> Across;
  static __device__ __forceinline__ int place(int k) { return A == WARP_LOAD_STRIPED || A == WARP_LOAD_TRANSPOSE ? Across::striped(k) : Across::blocked(k); }
  __device__ __forceinline__ void settle(T (&items)[ITEMS]) { if constexpr (A == WARP_LOAD_TRANSPOSE) Across::toBlocked(storage, items, items); }

 public:
  typedef std::conditional_t<A == WARP_LOAD_TRANSPOSE, typename Across::Storage, detail::NoStorage> TempStorage;
  __device__ __forceinline__ WarpLoad(TempStorage& storage) : storage(storage) {}
  template <class I> __device__ __forceinline__ void Load(I from, T (&items)[ITEMS]) {
    if constexpr (A == WARP_LOAD_VECTORIZE && std::is_pointer<I>::value) LoadDirectBlockedVectorized(Across::blocked(0) / ITEMS, from, items);
    else for (int k = 0; k < ITEMS; ++k) items[k] = from[place(k)];
    settle(items);
  }
  template <class I> __device__ __forceinline__ void Load(I from, T (&items)[ITEMS], int valid) {
    for (int k = 0; k < ITEMS; ++k) if (place(k) < valid) items[k] = from[place(k)];
    settle(items);
  }
  template <class I, class D> __device__ __forceinline__ void Load(I from, T (&items)[ITEMS], int valid, D otherwise) {
    for (int k = 0; k < ITEMS; ++k) items[k] = place(k) < valid ? (T)from[place(k)] : (T)otherwise;
    settle(items);
  }

 private:
  TempStorage& storage;
};
template <class T, int ITEMS, WarpStoreAlgorithm A = WARP_STORE_DIRECT, int LOGICAL_WARP_THREADS = 32, int = 0> class WarpStore {
  typedef detail::Exchange<T, ITEMS, detail::WarpGroup<LOGICAL_WARP_THREADS>> Across;
  static __device__ __forceinline__ int place(int k) { return A == WARP_STORE_STRIPED || A == WARP_STORE_TRANSPOSE ? Across::striped(k) : Across::blocked(k); }
  __device__ __forceinline__ void settle(T (&items)[ITEMS]) { if constexpr (A == WARP_STORE_TRANSPOSE) Across::toStriped(storage, items, items); }

 public:
  typedef std::conditional_t<A == WARP_STORE_TRANSPOSE, typename Across::Storage, detail::NoStorage> TempStorage;
  __device__ __forceinline__ WarpStore(TempStorage& storage) : storage(storage) {}
  template <class O> __device__ __forceinline__ void Store(O to, T (&items)[ITEMS]) {
    settle(items);
    if constexpr (A == WARP_STORE_VECTORIZE && std::is_same<O, T*>::value) StoreDirectBlockedVectorized(Across::blocked(0) / ITEMS, to, items);
    else for (int k = 0; k < ITEMS; ++k) to[place(k)] = items[k];
  }
  template <class O> __device__ __forceinline__ void Store(O to, T (&items)[ITEMS], int valid) {
    settle(items);
    for (int k = 0; k < ITEMS; ++k) if (place(k) < valid) to[place(k)] = items[k];
  }

 private:
  TempStorage& storage;
};

}  // namespace cub
