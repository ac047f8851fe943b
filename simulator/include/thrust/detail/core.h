/*
 * A small Thrust: containers and the common algorithms. Whatever touches device memory runs as a kernel, so functors may be
 * device-only; on host iterators the standard library does the work.
 */
#pragma once
#pragma GCC system_header
#include "../../cuda_runtime.h"
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <vector>

namespace thrust {

struct host_execution_policy {};
struct device_execution_policy {
  cudaStream_t stream = 0;
  device_execution_policy on(cudaStream_t s) const { return device_execution_policy{s}; }
};
inline constexpr host_execution_policy host{};
inline constexpr device_execution_policy device{};
struct sequential_execution_policy {};
inline constexpr sequential_execution_policy seq{};

template <class T> class device_ptr;

/* What *p is for a device pointer: reads and writes copy one element. */
template <class T> class device_reference {
 public:
  typedef typename std::remove_const<T>::type value_type;
  __host__ __device__ explicit device_reference(T* p) : p(p) {}
  __host__ __device__ device_reference(const device_reference& other) = default;
  __host__ __device__ operator value_type() const { return get(); }
  __host__ __device__ const device_reference& operator=(const value_type& v) const { set(v); return *this; }
  __host__ __device__ device_reference& operator=(const value_type& v) { set(v); return *this; }
  __host__ __device__ device_reference& operator=(const device_reference& other) { set(other.get()); return *this; }
  __host__ __device__ const device_reference& operator+=(const value_type& v) const { set(get() + v); return *this; }
  __host__ __device__ const device_reference& operator-=(const value_type& v) const { set(get() - v); return *this; }
  __host__ __device__ const device_reference& operator*=(const value_type& v) const { set(get() * v); return *this; }
  __host__ __device__ const device_reference& operator++() const { set(get() + 1); return *this; }
  __host__ __device__ device_ptr<T> operator&() const { return device_ptr<T>(p); }

 private:
  T* p;
  __host__ __device__ value_type get() const {
#ifdef __CUDA_ARCH__
    return *p;
#else
    value_type v;
    cudaMemcpy((void*)&v, (const void*)p, sizeof v, cudaMemcpyDeviceToHost);
    return v;
#endif
  }
  __host__ __device__ void set(const value_type& v) const {
#ifdef __CUDA_ARCH__
    *const_cast<value_type*>(p) = v;
#else
    cudaMemcpy((void*)p, (const void*)&v, sizeof v, cudaMemcpyHostToDevice);
#endif
  }
};

template <class T> class device_ptr {
 public:
  typedef std::random_access_iterator_tag iterator_category;
  typedef typename std::remove_const<T>::type value_type;
  typedef std::ptrdiff_t difference_type;
  typedef device_ptr pointer;
  typedef device_reference<T> reference;
  __host__ __device__ device_ptr(T* p = nullptr) : p(p) {}
  template <class U, class = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
  __host__ __device__ device_ptr(const device_ptr<U>& other) : p(other.get()) {}
  __host__ __device__ T* get() const { return p; }
  __host__ __device__ reference operator*() const { return reference(p); }
  __host__ __device__ reference operator[](difference_type n) const { return reference(p + n); }
  __host__ __device__ device_ptr& operator++() { ++p; return *this; }
  __host__ __device__ device_ptr operator++(int) { return device_ptr(p++); }
  __host__ __device__ device_ptr& operator--() { --p; return *this; }
  __host__ __device__ device_ptr operator--(int) { return device_ptr(p--); }
  __host__ __device__ device_ptr& operator+=(difference_type n) { p += n; return *this; }
  __host__ __device__ device_ptr& operator-=(difference_type n) { p -= n; return *this; }
  __host__ __device__ friend device_ptr operator+(device_ptr a, difference_type n) { return device_ptr(a.p + n); }
  __host__ __device__ friend device_ptr operator+(difference_type n, device_ptr a) { return device_ptr(a.p + n); }
  __host__ __device__ friend device_ptr operator-(device_ptr a, difference_type n) { return device_ptr(a.p - n); }
  __host__ __device__ friend difference_type operator-(device_ptr a, device_ptr b) { return a.p - b.p; }
  __host__ __device__ friend bool operator==(device_ptr a, device_ptr b) { return a.p == b.p; }
  __host__ __device__ friend bool operator!=(device_ptr a, device_ptr b) { return a.p != b.p; }
  __host__ __device__ friend bool operator<(device_ptr a, device_ptr b) { return a.p < b.p; }
  __host__ __device__ friend bool operator>(device_ptr a, device_ptr b) { return a.p > b.p; }
  __host__ __device__ friend bool operator<=(device_ptr a, device_ptr b) { return a.p <= b.p; }
  __host__ __device__ friend bool operator>=(device_ptr a, device_ptr b) { return a.p >= b.p; }

 private:
  T* p;
};

template <class T> __host__ __device__ device_ptr<T> device_pointer_cast(T* p) { return device_ptr<T>(p); }
template <class T> __host__ __device__ T* raw_pointer_cast(device_ptr<T> p) { return p.get(); }
template <class T> __host__ __device__ T* raw_pointer_cast(T* p) { return p; }
template <class T> device_ptr<T> device_malloc(std::size_t n) {
  T* p = nullptr;
  cudaMalloc(&p, n * sizeof(T));
  return device_ptr<T>(p);
}
template <class T> void device_free(device_ptr<T> p) { cudaFree((void*)p.get()); }

namespace detail {

/* Iterators that count, repeat or compute have no memory: they go with either side. */
template <class I> struct is_device : std::false_type {};
template <class T> struct is_device<device_ptr<T>> : std::true_type {};
template <class I> struct is_neutral : std::false_type {};
template <class... I> inline constexpr bool on_device = (is_device<I>::value || ...);

template <class I> using value_of = typename std::iterator_traits<I>::value_type;

/* In a kernel a device pointer is a pointer; other iterators are themselves. */
template <class I> __host__ __device__ I raw(I i) { return i; }
template <class T> __host__ __device__ T* raw(device_ptr<T> p) { return p.get(); }
/* With thrust::device a plain pointer means device memory. */
template <class I> I in_device_memory(I i) { return i; }
template <class T> device_ptr<T> in_device_memory(T* p) { return device_ptr<T>(p); }

template <class F> __global__ void for_each_index(F f, std::size_t n) {
  std::size_t i = (std::size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
template <class F> void run(std::size_t n, F f) {
  if (n > 0) for_each_index<<<(unsigned int)((n + 255) / 256), 256>>>(f, n);
}

/* Device memory for the time of one algorithm. */
template <class T> class scratch {
 public:
  explicit scratch(std::size_t n) { cudaMalloc(&p, (n ? n : 1) * sizeof(T)); }
  scratch(const scratch&) = delete;
  ~scratch() { cudaFree(p); }
  T* get() const { return p; }
  T first() const {
    T v;
    cudaMemcpy((void*)&v, p, sizeof v, cudaMemcpyDeviceToHost);
    return v;
  }

 private:
  T* p = nullptr;
};

/* Work in order is cut into pieces, one thread each. */
inline constexpr std::size_t pieceLength = 64;
__host__ __device__ inline std::size_t pieces(std::size_t n) { return (n + pieceLength - 1) / pieceLength; }

}  // namespace detail
}  // namespace thrust
