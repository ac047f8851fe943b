/* CUB's iterators and its double buffer, on Thrust's. */
#pragma once
#pragma GCC system_header
#include "../../thrust/iterator/counting_iterator.h"
#include "../../thrust/iterator/transform_iterator.h"
#include "warp.h"

namespace cub {

template <class T> struct DoubleBuffer {
  T* d_buffers[2];
  int selector;
  __host__ __device__ DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  __host__ __device__ DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate}, selector(0) {}
  __host__ __device__ T* Current() { return d_buffers[selector]; }
  __host__ __device__ T* Alternate() { return d_buffers[selector ^ 1]; }
};

template <class T, class Offset = std::ptrdiff_t> using CountingInputIterator = thrust::counting_iterator<T>;
template <class T, class Offset = std::ptrdiff_t> using ConstantInputIterator = thrust::constant_iterator<T>;
template <class Offset = std::ptrdiff_t> using DiscardOutputIterator = thrust::discard_iterator<>;
template <class T, class F, class I, class Offset = std::ptrdiff_t> class TransformInputIterator : public thrust::transform_iterator<F, I, T, T> {
 public:
  __host__ __device__ TransformInputIterator(I base, F f) : thrust::transform_iterator<F, I, T, T>(base, f) {}
};

}  // namespace cub

namespace thrust {
namespace detail {
template <class T, class F, class I, class O> struct is_device<cub::TransformInputIterator<T, F, I, O>> : is_device<I> {};
template <class T, class F, class I, class O> struct is_neutral<cub::TransformInputIterator<T, F, I, O>> : is_neutral<I> {};
template <class T, class F, class I, class O> struct raw_iterator<cub::TransformInputIterator<T, F, I, O>> : raw_iterator<transform_iterator<F, I, T, T>> {};
}  // namespace detail
}  // namespace thrust
