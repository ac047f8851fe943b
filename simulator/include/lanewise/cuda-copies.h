/* cuda::memcpy_async, whose copies happen at once: one of the orders that hardware allows. So whoever is to be told of them has nothing to wait for. */
#pragma once
#include "cuda-synchronisation.h"

namespace cuda {
template <::std::size_t Alignment> struct aligned_size_t {
  static constexpr ::std::size_t align = Alignment;
  ::std::size_t value;
  __LANEWISE_METHOD constexpr explicit aligned_size_t(::std::size_t size) : value(size) {}
  __LANEWISE_METHOD constexpr operator ::std::size_t() const { return value; }
};
}  // namespace cuda

namespace __lanewise {
struct OneThread {
  __LANEWISE_METHOD unsigned int thread_rank() const { return 0; }
  __LANEWISE_METHOD unsigned int size() const { return 1; }
};
template <class Size> constexpr ::std::size_t knownAlignment = 1;
template <::std::size_t N> constexpr ::std::size_t knownAlignment<cuda::aligned_size_t<N>> = N;

template <class Unit, class Group> __LANEWISE_BOTH void copyUnits(const Group& group, void* to, const void* from, ::std::size_t bytes) {
  for (::std::size_t k = group.thread_rank(); k < bytes / sizeof(Unit); k += group.size()) ((Unit*)to)[k] = ((const Unit*)from)[k];
}
/* In the largest units of cp.async that the types' alignment allows. */
template <::std::size_t Alignment, class Group> __LANEWISE_BOTH void copyTogether(const Group& group, void* to, const void* from, ::std::size_t bytes) {
  if constexpr (Alignment >= 16) { if (bytes % 16 == 0) return copyUnits<int4>(group, to, from, bytes); }
  if constexpr (Alignment >= 8) { if (bytes % 8 == 0) return copyUnits<int2>(group, to, from, bytes); }
  if constexpr (Alignment >= 4) { if (bytes % 4 == 0) return copyUnits<int>(group, to, from, bytes); }
  copyUnits<char>(group, to, from, bytes);
}
template <class T, class Size> constexpr ::std::size_t copyAlignment = alignof(T) > knownAlignment<Size> ? alignof(T) : knownAlignment<Size>;
template <class Size> constexpr ::std::size_t copyAlignment<void, Size> = knownAlignment<Size>;
template <class T, class Size, class Group> __LANEWISE_BOTH void copyAsync(const Group& group, T* to, const T* from, Size size) {
  copyTogether<copyAlignment<T, Size>>(group, to, from, (::std::size_t)size);
}
}  // namespace __lanewise

namespace cuda {
template <class T, class Size, thread_scope S, class C> __host__ __device__ void memcpy_async(T* to, const T* from, Size size, barrier<S, C>&) {
  __lanewise::copyAsync(__lanewise::OneThread(), to, from, size);
}
template <class Group, class T, class Size, thread_scope S, class C>
__host__ __device__ void memcpy_async(const Group& group, T* to, const T* from, Size size, barrier<S, C>&) {
  __lanewise::copyAsync(group, to, from, size);
}
}  // namespace cuda
