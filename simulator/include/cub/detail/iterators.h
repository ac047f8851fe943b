/* CUB's iterators and its double buffer, on Thrust's. */
#pragma once
#pragma GCC system_header
#include "../../thrust/iterator/counting_iterator.h"
#include "../../thrust/iterator/transform_iterator.h"
#include "thread.h"

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

/* Each element with its place. */
template <class I, class Offset = std::ptrdiff_t, class Value = typename std::iterator_traits<I>::value_type>
class ArgIndexInputIterator : public thrust::detail::facade<ArgIndexInputIterator<I, Offset, Value>, KeyValuePair<Offset, Value>, KeyValuePair<Offset, Value>> {
 public:
  __host__ __device__ ArgIndexInputIterator(I base, std::ptrdiff_t at = 0) : under(base), at(at) {}
  __host__ __device__ KeyValuePair<Offset, Value> refer(std::ptrdiff_t n) const { return KeyValuePair<Offset, Value>((Offset)(at + n), under[at + n]); }
  __host__ __device__ void move(std::ptrdiff_t n) { at += n; }
  __host__ __device__ std::ptrdiff_t distance(const ArgIndexInputIterator& other) const { return at - other.at; }
  __host__ __device__ void normalize() { under += at, at = 0; }
  __host__ __device__ const I& base() const { return under; }
  __host__ __device__ std::ptrdiff_t place() const { return at; }

 private:
  I under;
  std::ptrdiff_t at;
};
/* Reads of device memory with a hint for caches. */
template <CacheLoadModifier M, class T, class Offset = std::ptrdiff_t> class CacheModifiedInputIterator : public thrust::detail::facade<CacheModifiedInputIterator<M, T, Offset>, T, T> {
 public:
  __host__ __device__ CacheModifiedInputIterator(const T* p) : p(p) {}
  __device__ T refer(std::ptrdiff_t n) const { return ThreadLoad<M>(p + n); }
  __host__ __device__ void move(std::ptrdiff_t n) { p += n; }
  __host__ __device__ std::ptrdiff_t distance(const CacheModifiedInputIterator& other) const { return p - other.p; }

 private:
  const T* p;
};
namespace detail {
template <CacheStoreModifier M, class T> struct Stored {
  T* p;
  __device__ const Stored& operator=(const T& value) const { ThreadStore<M>(p, value); return *this; }
};
}  // namespace detail
template <CacheStoreModifier M, class T, class Offset = std::ptrdiff_t> class CacheModifiedOutputIterator : public thrust::detail::facade<CacheModifiedOutputIterator<M, T, Offset>, T, detail::Stored<M, T>> {
 public:
  __host__ __device__ CacheModifiedOutputIterator(T* p) : p(p) {}
  __host__ __device__ detail::Stored<M, T> refer(std::ptrdiff_t n) const { return {p + n}; }
  __host__ __device__ void move(std::ptrdiff_t n) { p += n; }
  __host__ __device__ std::ptrdiff_t distance(const CacheModifiedOutputIterator& other) const { return p - other.p; }

 private:
  T* p;
};

}  // namespace cub

namespace thrust {
namespace detail {
template <class T, class F, class I, class O> struct is_device<cub::TransformInputIterator<T, F, I, O>> : is_device<I> {};
template <class T, class F, class I, class O> struct is_neutral<cub::TransformInputIterator<T, F, I, O>> : is_neutral<I> {};
template <class T, class F, class I, class O> struct raw_iterator<cub::TransformInputIterator<T, F, I, O>> : raw_iterator<transform_iterator<F, I, T, T>> {};
template <class I, class O, class V> struct is_device<cub::ArgIndexInputIterator<I, O, V>> : is_device<I> {};
template <class I, class O, class V> struct raw_iterator<cub::ArgIndexInputIterator<I, O, V>> {
  typedef cub::ArgIndexInputIterator<raw_of<I>, O, V> type;
  __host__ __device__ static type of(const cub::ArgIndexInputIterator<I, O, V>& i) { return type(raw(i.base()), i.place()); }
};
}  // namespace detail
}  // namespace thrust
