/*
 * Cooperative groups: tiles of a warp and of several, coalesced groups, blocks, clusters and the grid.
 */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_
/* The precompiled headers hold what follows and forget the guard above, which is for programs that include this file. */
#ifndef __LANEWISE_COOPERATIVE_GROUPS_H
#define __LANEWISE_COOPERATIVE_GROUPS_H
#pragma GCC system_header
#include "cuda_runtime.h"

extern "C" {
/* A barrier over all blocks of a cooperative launch; in any other launch it is a fault. */
__device__ void __lanewise_grid_sync(void);
__device__ __attribute__((const, noconvergent)) int __lanewise_grid_is_cooperative(void);
/* The barrier of a cluster, in two parts. */
__device__ __attribute__((convergent)) void __lanewise_cluster_arrive(void);
__device__ __attribute__((convergent)) void __lanewise_cluster_wait(void);
__device__ __attribute__((const, noconvergent)) void* __lanewise_map_shared_rank(const void* address, unsigned int rank);
}

namespace cooperative_groups {

namespace details {
__LANEWISE_DEVICE unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
__LANEWISE_DEVICE unsigned int lanesBelow() { return __nvvm_read_ptx_sreg_lanemask_lt(); }
__LANEWISE_DEVICE unsigned int threadInBlock() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__LANEWISE_DEVICE unsigned int blockThreads() { return blockDim.x * blockDim.y * blockDim.z; }
__LANEWISE_DEVICE unsigned int blockInGrid() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
__LANEWISE_DEVICE unsigned int gridBlocks() { return gridDim.x * gridDim.y * gridDim.z; }

/* Any type is exchanged in words. */
template <class T, class Exchange> __LANEWISE_DEVICE T exchangeWords(const T& value, Exchange exchange) {
  constexpr unsigned int words = (sizeof(T) + 3) / 4;
  unsigned int buffer[words] = {};
  __builtin_memcpy(buffer, &value, sizeof(T));
  for (unsigned int k = 0; k < words; ++k) buffer[k] = exchange(buffer[k]);
  T result;
  __builtin_memcpy(&result, buffer, sizeof(T));
  return result;
}
}  // namespace details

class thread_group {
 public:
  enum kind { block_kind, grid_kind, warp_kind, cluster_kind };
  __LANEWISE_DEVICE_METHOD thread_group(kind which, unsigned int mask, unsigned int rank, unsigned int count) : which(which), mask(mask), rank(rank), count(count) {}
  __LANEWISE_DEVICE_METHOD void sync() const {
    if (which == block_kind) __syncthreads();
    else if (which == grid_kind) __lanewise_grid_sync();
    else if (which == cluster_kind) {
      __lanewise_cluster_arrive();
      __lanewise_cluster_wait();
    }
    else __syncwarp(mask);
  }
  __LANEWISE_DEVICE_METHOD unsigned int size() const { return count; }
  __LANEWISE_DEVICE_METHOD unsigned int num_threads() const { return count; }
  __LANEWISE_DEVICE_METHOD unsigned int thread_rank() const { return rank; }
  __LANEWISE_DEVICE_METHOD bool is_valid() const { return which != grid_kind || __lanewise_grid_is_cooperative(); }
  __LANEWISE_DEVICE_METHOD unsigned int __mask() const { return mask; }
  __LANEWISE_DEVICE_METHOD kind __kind() const { return which; }

 protected:
  kind which;
  unsigned int mask, rank, count;
};

class thread_block {
 public:
  static __LANEWISE_DEVICE_METHOD void sync() { __syncthreads(); }
  /* Arriving and waiting apart are one barrier here: the wait. */
  struct arrival_token {};
  static __LANEWISE_DEVICE_METHOD arrival_token barrier_arrive() { return {}; }
  static __LANEWISE_DEVICE_METHOD void barrier_wait(arrival_token&&) { __syncthreads(); }
  static __LANEWISE_DEVICE_METHOD void barrier_wait() { __syncthreads(); }
  static __LANEWISE_DEVICE_METHOD unsigned int size() { return details::blockThreads(); }
  static __LANEWISE_DEVICE_METHOD unsigned int num_threads() { return details::blockThreads(); }
  static __LANEWISE_DEVICE_METHOD unsigned int thread_rank() { return details::threadInBlock(); }
  static __LANEWISE_DEVICE_METHOD dim3 group_index() { return blockIdx; }
  static __LANEWISE_DEVICE_METHOD dim3 thread_index() { return threadIdx; }
  static __LANEWISE_DEVICE_METHOD dim3 group_dim() { return blockDim; }
  static __LANEWISE_DEVICE_METHOD dim3 dim_threads() { return blockDim; }
  static __LANEWISE_DEVICE_METHOD bool is_valid() { return true; }
  __LANEWISE_DEVICE_METHOD operator thread_group() const { return {thread_group::block_kind, 0, thread_rank(), size()}; }
};
__LANEWISE_DEVICE thread_block this_thread_block() { return {}; }
/* Tiles of several warps find memory by themselves, as on GPUs from compute capability 8.0 on. */
template <unsigned int MaxBlockSize = 1024> struct block_tile_memory { char reserved[MaxBlockSize < 32 ? 16 : MaxBlockSize / 2]; };
template <unsigned int MaxBlockSize> __LANEWISE_DEVICE thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) { return {}; }
/* Their place before CUDA 12. */
namespace experimental {
using cooperative_groups::block_tile_memory;
using cooperative_groups::this_thread_block;
}  // namespace experimental

class cluster_group {
 public:
  struct arrival_token {};
  static __LANEWISE_DEVICE_METHOD void sync() {
    barrier_arrive();
    barrier_wait();
  }
  static __LANEWISE_DEVICE_METHOD arrival_token barrier_arrive() {
    __lanewise_cluster_arrive();
    return {};
  }
  static __LANEWISE_DEVICE_METHOD void barrier_wait() { __lanewise_cluster_wait(); }
  static __LANEWISE_DEVICE_METHOD void barrier_wait(arrival_token&&) { __lanewise_cluster_wait(); }
  static __LANEWISE_DEVICE_METHOD bool is_valid() { return true; }
  static __LANEWISE_DEVICE_METHOD dim3 block_index() {
    return dim3(__nvvm_read_ptx_sreg_cluster_ctaid_x(), __nvvm_read_ptx_sreg_cluster_ctaid_y(), __nvvm_read_ptx_sreg_cluster_ctaid_z());
  }
  static __LANEWISE_DEVICE_METHOD dim3 dim_blocks() {
    return dim3(__nvvm_read_ptx_sreg_cluster_nctaid_x(), __nvvm_read_ptx_sreg_cluster_nctaid_y(), __nvvm_read_ptx_sreg_cluster_nctaid_z());
  }
  static __LANEWISE_DEVICE_METHOD unsigned int block_rank() { return __nvvm_read_ptx_sreg_cluster_ctarank(); }
  static __LANEWISE_DEVICE_METHOD unsigned int num_blocks() { return __nvvm_read_ptx_sreg_cluster_nctarank(); }
  static __LANEWISE_DEVICE_METHOD dim3 thread_index() {
    dim3 at = block_index();
    return dim3(at.x * blockDim.x + threadIdx.x, at.y * blockDim.y + threadIdx.y, at.z * blockDim.z + threadIdx.z);
  }
  static __LANEWISE_DEVICE_METHOD dim3 dim_threads() {
    dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  static __LANEWISE_DEVICE_METHOD unsigned int num_threads() { return num_blocks() * details::blockThreads(); }
  static __LANEWISE_DEVICE_METHOD unsigned int size() { return num_threads(); }
  static __LANEWISE_DEVICE_METHOD unsigned int thread_rank() { return block_rank() * details::blockThreads() + details::threadInBlock(); }
  /* Where the block of a rank has the variable; and which block has what an address leads to. */
  template <class T> static __LANEWISE_DEVICE_METHOD T* map_shared_rank(T* address, int rank) {
    return (T*)__lanewise_map_shared_rank((const void*)address, (unsigned int)rank);
  }
  static __LANEWISE_DEVICE_METHOD unsigned int query_shared_rank(const void* address) {
    unsigned int window = ((unsigned int)(size_t)address & 0xffffff) >> 18;
    return window == 0 ? block_rank() : window - 1;
  }
  __LANEWISE_DEVICE_METHOD operator thread_group() const { return {thread_group::cluster_kind, 0, thread_rank(), size()}; }
};
__LANEWISE_DEVICE cluster_group this_cluster() { return {}; }

class grid_group {
 public:
  static __LANEWISE_DEVICE_METHOD bool is_valid() { return __lanewise_grid_is_cooperative(); }
  static __LANEWISE_DEVICE_METHOD void sync() { __lanewise_grid_sync(); }
  struct arrival_token {};
  static __LANEWISE_DEVICE_METHOD arrival_token barrier_arrive() { return {}; }
  static __LANEWISE_DEVICE_METHOD void barrier_wait(arrival_token&&) { __lanewise_grid_sync(); }
  static __LANEWISE_DEVICE_METHOD unsigned long long size() { return (unsigned long long)details::gridBlocks() * details::blockThreads(); }
  static __LANEWISE_DEVICE_METHOD unsigned long long num_threads() { return size(); }
  static __LANEWISE_DEVICE_METHOD unsigned long long thread_rank() {
    return (unsigned long long)details::blockInGrid() * details::blockThreads() + details::threadInBlock();
  }
  static __LANEWISE_DEVICE_METHOD dim3 group_dim() { return gridDim; }
  static __LANEWISE_DEVICE_METHOD dim3 dim_blocks() { return gridDim; }
  static __LANEWISE_DEVICE_METHOD unsigned long long num_blocks() { return details::gridBlocks(); }
  static __LANEWISE_DEVICE_METHOD dim3 block_index() { return blockIdx; }
  static __LANEWISE_DEVICE_METHOD unsigned long long block_rank() { return details::blockInGrid(); }
  static __LANEWISE_DEVICE_METHOD dim3 thread_index() {
    return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, blockIdx.z * blockDim.z + threadIdx.z);
  }
  static __LANEWISE_DEVICE_METHOD dim3 dim_threads() { return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z); }
  static __LANEWISE_DEVICE_METHOD dim3 cluster_index() {
    return dim3(__nvvm_read_ptx_sreg_clusterid_x(), __nvvm_read_ptx_sreg_clusterid_y(), __nvvm_read_ptx_sreg_clusterid_z());
  }
  static __LANEWISE_DEVICE_METHOD dim3 dim_clusters() {
    return dim3(__nvvm_read_ptx_sreg_nclusterid_x(), __nvvm_read_ptx_sreg_nclusterid_y(), __nvvm_read_ptx_sreg_nclusterid_z());
  }
  static __LANEWISE_DEVICE_METHOD unsigned long long num_clusters() {
    dim3 n = dim_clusters();
    return (unsigned long long)n.x * n.y * n.z;
  }
  static __LANEWISE_DEVICE_METHOD unsigned long long cluster_rank() {
    dim3 n = dim_clusters(), at = cluster_index();
    return ((unsigned long long)at.z * n.y + at.y) * n.x + at.x;
  }
  __LANEWISE_DEVICE_METHOD operator thread_group() const {
    return {thread_group::grid_kind, 0, (unsigned int)thread_rank(), (unsigned int)size()};
  }
};
__LANEWISE_DEVICE grid_group this_grid() { return {}; }

/* Lanes of one warp that a mask names; the rank counts the named lanes below. */
class coalesced_group {
 public:
  __LANEWISE_DEVICE_METHOD explicit coalesced_group(unsigned int mask, unsigned int metaRank = 0, unsigned int metaSize = 1)
      : mask(mask), metaRank(metaRank), metaSize(metaSize) {}
  __LANEWISE_DEVICE_METHOD void sync() const { __syncwarp(mask); }
  __LANEWISE_DEVICE_METHOD unsigned int size() const { return __popc(mask); }
  __LANEWISE_DEVICE_METHOD unsigned int num_threads() const { return __popc(mask); }
  __LANEWISE_DEVICE_METHOD unsigned int thread_rank() const { return __popc(mask & details::lanesBelow()); }
  __LANEWISE_DEVICE_METHOD unsigned int meta_group_rank() const { return metaRank; }
  __LANEWISE_DEVICE_METHOD unsigned int meta_group_size() const { return metaSize; }
  __LANEWISE_DEVICE_METHOD bool is_valid() const { return true; }
  __LANEWISE_DEVICE_METHOD int any(int predicate) const { return __any_sync(mask, predicate); }
  __LANEWISE_DEVICE_METHOD int all(int predicate) const { return __all_sync(mask, predicate); }
  __LANEWISE_DEVICE_METHOD unsigned int ballot(int predicate) const { return packed(__ballot_sync(mask, predicate)); }
  template <class T> __LANEWISE_DEVICE_METHOD unsigned int match_any(T value) const { return packed(__match_any_sync(mask, value)); }
  template <class T> __LANEWISE_DEVICE_METHOD unsigned int match_all(T value, int& predicate) const {
    return packed(__match_all_sync(mask, value, &predicate));
  }
  template <class T> __LANEWISE_DEVICE_METHOD T shfl(T value, int rank) const {
    unsigned int source = laneOf((unsigned int)rank % size()), group = mask;
    return details::exchangeWords(value, [=](unsigned int word) { return __shfl_sync(group, word, source); });
  }
  template <class T> __LANEWISE_DEVICE_METHOD T shfl_up(T value, unsigned int delta) const {
    unsigned int rank = thread_rank();
    unsigned int source = rank >= delta ? laneOf(rank - delta) : details::lane(), group = mask;
    return details::exchangeWords(value, [=](unsigned int word) { return __shfl_sync(group, word, source); });
  }
  template <class T> __LANEWISE_DEVICE_METHOD T shfl_down(T value, unsigned int delta) const {
    unsigned int rank = thread_rank() + delta;
    unsigned int source = rank < size() ? laneOf(rank) : details::lane(), group = mask;
    return details::exchangeWords(value, [=](unsigned int word) { return __shfl_sync(group, word, source); });
  }
  __LANEWISE_DEVICE_METHOD operator thread_group() const { return {thread_group::warp_kind, mask, thread_rank(), size()}; }
  __LANEWISE_DEVICE_METHOD unsigned int __mask() const { return mask; }

 private:
  unsigned int mask, metaRank, metaSize;
  /* Lane number of the member with this rank. */
  __LANEWISE_DEVICE_METHOD unsigned int laneOf(unsigned int rank) const { return mask == 0xffffffffu ? rank : __fns(mask, 0, rank + 1); }
  /* The bits of the members, moved together. */
  __LANEWISE_DEVICE_METHOD unsigned int packed(unsigned int lanes) const {
    if (mask == 0xffffffffu) return lanes;
    unsigned int result = 0, place = 0;
    for (unsigned int rest = mask; rest; rest &= rest - 1, ++place) result |= ((lanes >> (__ffs(rest) - 1)) & 1u) << place;
    return result;
  }
};
__LANEWISE_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned int Size, class Parent = void> class thread_block_tile;
namespace details {
/* What a tile is a part of: the block, or a larger tile. */
template <class Parent> struct Tiles {
  static __LANEWISE_DEVICE_METHOD unsigned int threadInParent() { return threadInBlock(); }
  static __LANEWISE_DEVICE_METHOD unsigned int threads() { return blockThreads(); }
};
template <unsigned int Size, class Parent> struct Tiles<thread_block_tile<Size, Parent>> {
  static __LANEWISE_DEVICE_METHOD unsigned int threadInParent() { return threadInBlock() & (Size - 1); }
  static __LANEWISE_DEVICE_METHOD unsigned int threads() { return Size; }
};
}  // namespace details

/* A fixed power of two of neighbouring lanes. */
template <unsigned int Size, class Parent> class thread_block_tile {
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  __LANEWISE_DEVICE_METHOD thread_block_tile() {}
  template <class Other> __LANEWISE_DEVICE_METHOD thread_block_tile(const thread_block_tile<Size, Other>&) {}
  static __LANEWISE_DEVICE_METHOD void sync() { __syncwarp(mask()); }
  static __LANEWISE_DEVICE_METHOD constexpr unsigned int size() { return Size; }
  static __LANEWISE_DEVICE_METHOD constexpr unsigned int num_threads() { return Size; }
  static __LANEWISE_DEVICE_METHOD unsigned int thread_rank() { return details::threadInBlock() & (Size - 1); }
  static __LANEWISE_DEVICE_METHOD unsigned int meta_group_rank() { return details::Tiles<Parent>::threadInParent() / Size; }
  static __LANEWISE_DEVICE_METHOD unsigned int meta_group_size() { return (details::Tiles<Parent>::threads() + Size - 1) / Size; }
  static __LANEWISE_DEVICE_METHOD bool is_valid() { return true; }
  template <class T> __LANEWISE_DEVICE_METHOD T shfl(const T& value, int rank) const {
    unsigned int group = mask();
    return details::exchangeWords(value, [=](unsigned int word) { return __shfl_sync(group, word, rank, Size); });
  }
  template <class T> __LANEWISE_DEVICE_METHOD T shfl_up(const T& value, unsigned int delta) const {
    unsigned int group = mask();
    return details::exchangeWords(value, [=](unsigned int word) { return __shfl_up_sync(group, word, delta, Size); });
  }
  template <class T> __LANEWISE_DEVICE_METHOD T shfl_down(const T& value, unsigned int delta) const {
    unsigned int group = mask();
    return details::exchangeWords(value, [=](unsigned int word) { return __shfl_down_sync(group, word, delta, Size); });
  }
  template <class T> __LANEWISE_DEVICE_METHOD T shfl_xor(const T& value, unsigned int laneMask) const {
    unsigned int group = mask();
    return details::exchangeWords(value, [=](unsigned int word) { return __shfl_xor_sync(group, word, (int)laneMask, Size); });
  }
  static __LANEWISE_DEVICE_METHOD int any(int predicate) { return Size == 32 ? __any_sync(mask(), predicate) : ballot(predicate) != 0; }
  static __LANEWISE_DEVICE_METHOD int all(int predicate) { return Size == 32 ? __all_sync(mask(), predicate) : ballot(!predicate) == 0; }
  static __LANEWISE_DEVICE_METHOD unsigned int ballot(int predicate) { return moved(__ballot_sync(mask(), predicate)); }
  template <class T> static __LANEWISE_DEVICE_METHOD unsigned int match_any(T value) { return moved(__match_any_sync(mask(), value)); }
  template <class T> static __LANEWISE_DEVICE_METHOD unsigned int match_all(T value, int& predicate) {
    return moved(__match_all_sync(mask(), value, &predicate));
  }
  __LANEWISE_DEVICE_METHOD operator thread_group() const { return {thread_group::warp_kind, mask(), thread_rank(), Size}; }
  __LANEWISE_DEVICE_METHOD operator coalesced_group() const { return coalesced_group(mask(), meta_group_rank(), meta_group_size()); }
  static __LANEWISE_DEVICE_METHOD unsigned int __mask() { return mask(); }

 private:
  static __LANEWISE_DEVICE_METHOD unsigned int firstLane() { return details::lane() & ~(Size - 1); }
  static __LANEWISE_DEVICE_METHOD unsigned int mask() {
    if constexpr (Size == 32) return 0xffffffffu;
    else return ((1u << Size) - 1) << firstLane();
  }
  static __LANEWISE_DEVICE_METHOD unsigned int moved(unsigned int lanes) {
    if constexpr (Size == 32) return lanes;
    else return (lanes >> firstLane()) & ((1u << Size) - 1);
  }
};

namespace details {
/* Numbers of barriers that programs cannot use; tiles of each size have their own. */
constexpr unsigned int firstTileBarrier = 16;

/* A fixed power of two of neighbouring threads of several warps. */
template <unsigned int Size, class Parent> class LargeTile {
 public:
  static __LANEWISE_DEVICE_METHOD void sync() { __nvvm_barrier_sync_cnt(firstTileBarrier + 1024 / Size + tileInBlock(), Size); }
  static __LANEWISE_DEVICE_METHOD constexpr unsigned int size() { return Size; }
  static __LANEWISE_DEVICE_METHOD constexpr unsigned int num_threads() { return Size; }
  static __LANEWISE_DEVICE_METHOD unsigned int thread_rank() { return threadInBlock() & (Size - 1); }
  static __LANEWISE_DEVICE_METHOD unsigned int meta_group_rank() { return Tiles<Parent>::threadInParent() / Size; }
  static __LANEWISE_DEVICE_METHOD unsigned int meta_group_size() { return (Tiles<Parent>::threads() + Size - 1) / Size; }
  static __LANEWISE_DEVICE_METHOD bool is_valid() { return true; }
  template <class T> __LANEWISE_DEVICE_METHOD T shfl(const T& value, int rank) const {
    T* place = scratch<T>();
    if (thread_rank() == (unsigned int)rank) place[firstWarp()] = value;
    sync();
    T result = place[firstWarp()];
    sync();
    return result;
  }
  static __LANEWISE_DEVICE_METHOD int any(int predicate) { return __overWarps((int)__any_sync(0xffffffffu, predicate), [](int a, int b) { return a | b; }); }
  static __LANEWISE_DEVICE_METHOD int all(int predicate) { return __overWarps((int)__all_sync(0xffffffffu, predicate), [](int a, int b) { return a & b; }); }

  /* Combines what warps have, in their order: of all, or of so many of the first; `none` where there are none. */
  template <class T, class F> static __LANEWISE_DEVICE_METHOD T __overWarps(const T& value, F&& combine) {
    return __ofWarps(value, combine, Size / 32, value);
  }
  template <class T, class F> static __LANEWISE_DEVICE_METHOD T __ofWarps(const T& mine, F&& combine, unsigned int count, const T& none) {
    T* place = scratch<T>();
    if ((threadInBlock() & 31) == 31) place[threadInBlock() / 32] = mine;
    sync();
    T result = count == 0 ? none : place[firstWarp()];
    for (unsigned int k = 1; k < count; ++k) result = combine(result, place[firstWarp() + k]);
    sync();
    return result;
  }
  static __LANEWISE_DEVICE_METHOD unsigned int __warpsBefore() { return thread_rank() / 32; }

 private:
  static __LANEWISE_DEVICE_METHOD unsigned int tileInBlock() { return threadInBlock() / Size; }
  static __LANEWISE_DEVICE_METHOD unsigned int firstWarp() { return tileInBlock() * (Size / 32); }
  template <class T> static __LANEWISE_DEVICE_METHOD T* scratch() {
    __shared__ alignas(16) char words[32 * sizeof(T)];
    return (T*)words;
  }
};
}  // namespace details
#define __LANEWISE_LARGE_TILE(size) \
  template <class Parent> class thread_block_tile<size, Parent> : public details::LargeTile<size, Parent> { \
   public: \
    __LANEWISE_DEVICE_METHOD thread_block_tile() {} \
    template <class Other> __LANEWISE_DEVICE_METHOD thread_block_tile(const thread_block_tile<size, Other>&) {} \
  };
__LANEWISE_LARGE_TILE(64)
__LANEWISE_LARGE_TILE(128)
__LANEWISE_LARGE_TILE(256)
__LANEWISE_LARGE_TILE(512)
__LANEWISE_LARGE_TILE(1024)
#undef __LANEWISE_LARGE_TILE

template <unsigned int Size, class Group> __LANEWISE_DEVICE thread_block_tile<Size, Group> tiled_partition(const Group&) { return {}; }
/* With a size known at run time only: a group of lanes by mask. */
__LANEWISE_DEVICE thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  unsigned int rank = parent.thread_rank(), first = details::lane() & ~(size - 1);
  unsigned int mask = size >= 32 ? 0xffffffffu : ((1u << size) - 1) << first;
  if (parent.__kind() == thread_group::warp_kind) mask &= parent.__mask();
  return {thread_group::warp_kind, mask, rank & (size - 1), size < parent.size() ? size : parent.size()};
}

/* Neighbours by rank. */
__LANEWISE_DEVICE coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size) {
  unsigned int rank = parent.thread_rank(), tile = rank / size, end = (tile + 1) * size, lanes = parent.__mask();
  unsigned int mask = lanes & (0xffffffffu << __fns(lanes, 0, (int)(tile * size) + 1));
  if (end < parent.size()) mask &= ~(0xffffffffu << __fns(lanes, 0, (int)end + 1));
  return coalesced_group(mask, tile, (parent.size() + size - 1) / size);
}

/* The group of those whose predicate is false is the first. */
template <class Group> __LANEWISE_DEVICE coalesced_group binary_partition(const Group& group, bool predicate) {
  unsigned int yes = __ballot_sync(group.__mask(), predicate);
  return coalesced_group(predicate ? yes : group.__mask() & ~yes, predicate ? 1 : 0, 2);
}
/* Groups are numbered by their lowest lanes. */
template <class Group, class T> __LANEWISE_DEVICE coalesced_group labeled_partition(const Group& group, T label) {
  unsigned int mask = __match_any_sync(group.__mask(), label), first = __ffs(mask) - 1;
  unsigned int leaders = __ballot_sync(group.__mask(), details::lane() == first);
  return coalesced_group(mask, __popc(leaders & ((1u << first) - 1)), __popc(leaders));
}

template <class Group> __LANEWISE_DEVICE void sync(const Group& group) { group.sync(); }
template <class Group> __LANEWISE_DEVICE auto thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> __LANEWISE_DEVICE auto group_size(const Group& group) { return group.size(); }

template <class Group, class F, class... Arguments> __LANEWISE_DEVICE void invoke_one(const Group& group, F&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function((Arguments&&)arguments...);
}
/* All threads of the group get the result of the one that called. */
template <class Group, class F, class... Arguments>
__LANEWISE_DEVICE auto invoke_one_broadcast(const Group& group, F&& function, Arguments&&... arguments) -> decltype(function((Arguments&&)arguments...)) {
  decltype(function((Arguments&&)arguments...)) result{};
  if (group.thread_rank() == 0) result = function((Arguments&&)arguments...);
  return group.shfl(result, 0);
}

}  // namespace cooperative_groups
#endif
#endif
