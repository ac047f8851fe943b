/*
 * Thrust: containers, iterators and algorithms. Whatever touches device memory runs as a kernel, so functors may be device-only; on host
 * iterators, and in kernels, algorithms are loops. How a kernel does its work is ours, so counters of these kernels are not those of
 * NVIDIA's Thrust.
 */
#pragma once
#pragma GCC system_header
#include "../../cuda_runtime.h"
#include "../version.h"
#include "errors.h"
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace thrust {

namespace detail {
/* What every policy is derived from: an algorithm's first argument is one or is none. */
struct any_policy {};
template <class P> inline constexpr bool is_policy = std::is_base_of<any_policy, typename std::decay<P>::type>::value;

struct host_policy : any_policy {
  template <class A> constexpr host_policy operator()(A&&) const { return *this; }
};
struct device_policy : any_policy {
  cudaStream_t stream = 0;
  constexpr device_policy() = default;
  __host__ __device__ constexpr explicit device_policy(cudaStream_t s) : stream(s) {}
  __host__ __device__ constexpr device_policy on(cudaStream_t s) const { return device_policy(s); }
  /* An allocator for what an algorithm needs meanwhile: that comes from cudaMallocAsync here. */
  template <class A> constexpr device_policy operator()(A&&) const { return *this; }
};
}  // namespace detail

/* Bases of a program's own policies, and the systems by name, which are policies too. */
template <class Own> struct host_execution_policy : detail::host_policy {};
template <class Own> struct device_execution_policy : detail::device_policy {};
struct device_system_tag : detail::device_policy {};
struct host_system_tag : detail::host_policy {};
struct any_system_tag : detail::device_policy {};
inline constexpr detail::host_policy host{};
inline constexpr detail::host_policy seq{};
inline constexpr detail::device_policy device{};
namespace cuda {
inline constexpr detail::device_policy par{}, par_nosync{};
typedef device_system_tag tag;
template <class Own> struct execution_policy : detail::device_policy {};
}
namespace cpp {
inline constexpr detail::host_policy par{};
}
namespace omp {
inline constexpr detail::host_policy par{};
}
namespace tbb {
inline constexpr detail::host_policy par{};
}

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
  template <class U> __host__ __device__ device_reference& operator=(const device_reference<U>& other) { set(value_type(typename device_reference<U>::value_type(other))); return *this; }
#define __LANEWISE_THRUST_UPDATE(op) \
  template <class U> __host__ __device__ const device_reference& operator op##=(const U& v) const { value_type old = get(); old op##= v; set(old); return *this; }
  __LANEWISE_THRUST_UPDATE(+) __LANEWISE_THRUST_UPDATE(-) __LANEWISE_THRUST_UPDATE(*) __LANEWISE_THRUST_UPDATE(/) __LANEWISE_THRUST_UPDATE(%)
  __LANEWISE_THRUST_UPDATE(&) __LANEWISE_THRUST_UPDATE(|) __LANEWISE_THRUST_UPDATE(^) __LANEWISE_THRUST_UPDATE(<<) __LANEWISE_THRUST_UPDATE(>>)
#undef __LANEWISE_THRUST_UPDATE
  __host__ __device__ const device_reference& operator++() const { value_type v = get(); set(++v); return *this; }
  __host__ __device__ const device_reference& operator--() const { value_type v = get(); set(--v); return *this; }
  __host__ __device__ value_type operator++(int) const { value_type old = get(), v = old; set(++v); return old; }
  __host__ __device__ value_type operator--(int) const { value_type old = get(), v = old; set(--v); return old; }
  friend void swap(device_reference a, device_reference b) { value_type old = a; a = value_type(b); b = old; }
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
  template <class U, class = typename std::enable_if<std::is_void<U>::value>::type, class = void>
  __host__ __device__ explicit device_ptr(const device_ptr<U>& other) : p((T*)other.get()) {}
  __host__ __device__ T* get() const { return p; }
  __host__ __device__ device_ptr base() const { return *this; }
  __host__ __device__ explicit operator bool() const { return p != nullptr; }
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
template <class T> __host__ __device__ T& raw_reference_cast(T& r) { return r; }
template <class T> __host__ __device__ T& raw_reference_cast(device_reference<T> r) { return *(&r).get(); }
template <class T> __host__ __device__ device_ptr<T> device_pointer_cast(device_ptr<T> p) { return p; }

template <class T> device_ptr<T> device_malloc(std::size_t n) {
  T* p = nullptr;
  cudaMalloc(&p, n * sizeof(T));
  return device_ptr<T>(p);
}
inline device_ptr<void> device_malloc(std::size_t bytes) {
  void* p = nullptr;
  cudaMalloc(&p, bytes);
  return device_ptr<void>(p);
}
template <class T> void device_free(device_ptr<T> p) { cudaFree((void*)p.get()); }

/* Memory of a system: of the device, or of the host. */
template <class T, class P> auto malloc(const P&, std::size_t n) {
  if constexpr (std::is_base_of<detail::device_policy, P>::value) return device_malloc<T>(n);
  else return (T*)::malloc(n * sizeof(T));
}
template <class P> auto malloc(const P& policy, std::size_t bytes) { return thrust::malloc<char>(policy, bytes); }
template <class P, class T> void free(const P&, device_ptr<T> p) { device_free(p); }
template <class P, class T> void free(const P&, T* p) {
  if constexpr (std::is_base_of<detail::device_policy, P>::value) cudaFree((void*)p);
  else ::free((void*)p);
}
namespace cuda {
template <class T> device_ptr<T> malloc(std::size_t n) { return device_malloc<T>(n); }
inline device_ptr<void> malloc(std::size_t bytes) { return device_malloc(bytes); }
template <class T> void free(device_ptr<T> p) { device_free(p); }
}  // namespace cuda

template <class T> __host__ __device__ constexpr T min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr T max(const T& a, const T& b) { return a < b ? b : a; }
template <class T, class F> __host__ __device__ T min(const T& a, const T& b, F less) { return less(b, a) ? b : a; }
template <class T, class F> __host__ __device__ T max(const T& a, const T& b, F less) { return less(a, b) ? b : a; }
template <class T> __host__ __device__ void swap(device_ptr<T>& a, device_ptr<T>& b) { device_ptr<T> old = a; a = b; b = old; }

namespace detail {

/* Of which side an iterator's memory is. Iterators that count, repeat or compute have none: they go with either side. */
template <class I> struct is_device;
template <class I> struct is_neutral;
/* A program's own iterators on top of another one (iterator_adaptor) are where that is. */
template <class I, class = void> struct is_above_device : std::false_type {};
template <class I> struct is_above_device<I, std::void_t<typename I::__lanewise_base>> : is_device<typename I::__lanewise_base> {};
template <class I, class = void> struct is_above_neutral : std::false_type {};
template <class I> struct is_above_neutral<I, std::void_t<typename I::__lanewise_base>> : is_neutral<typename I::__lanewise_base> {};
template <class I> struct is_device : is_above_device<I> {};
template <class T> struct is_device<device_ptr<T>> : std::true_type {};
template <class I> struct is_neutral : is_above_neutral<I> {};
template <class I, class = void> struct is_host : std::false_type {};
template <class I> struct is_host<I, std::void_t<typename std::iterator_traits<I>::iterator_category>>
    : std::bool_constant<!is_device<I>::value && !is_neutral<I>::value> {};
/* Where an algorithm without a policy runs. */
template <class... I> inline constexpr bool on_device =
    (is_device<typename std::decay<I>::type>::value || ...) ||
    ((is_neutral<typename std::decay<I>::type>::value || ...) && !(is_host<typename std::decay<I>::type>::value || ...));

/* Elements lie side by side in memory. */
template <class I> struct in_a_row : std::bool_constant<std::is_pointer<I>::value> {};
template <class T> struct in_a_row<device_ptr<T>> : std::true_type {};

template <class I> using value_of = typename std::iterator_traits<I>::value_type;

/* What a function gives. Asked within a function of both sides, since that of a program may be one of kernels alone; it is never called. */
template <class F, class... A> __host__ __device__ decltype(auto) given_by(F& f, A&&... a) { return f(static_cast<A&&>(a)...); }
template <class F, class... A> using given = decltype(given_by(std::declval<F&>(), std::declval<A>()...));

/* In a kernel a device pointer is a pointer, and iterators on top of one are on top of that; other iterators are themselves. */
template <class I> struct raw_iterator { typedef I type; __host__ __device__ static I of(I i) { return i; } };
template <class T> struct raw_iterator<device_ptr<T>> { typedef T* type; __host__ __device__ static T* of(device_ptr<T> p) { return p.get(); } };
template <class I> using raw_of = typename raw_iterator<I>::type;
template <class I> __host__ __device__ raw_of<I> raw(I i) { return raw_iterator<I>::of(i); }

template <class F> __global__ void for_each_index(F f, std::size_t n) {
  std::size_t i = (std::size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}
template <class F> void run(const device_policy& policy, std::size_t n, F f) {
  if (n > 0) for_each_index<<<(unsigned int)((n + 255) / 256), 256, 0, policy.stream>>>(f, n);
}

/* Device memory for the time of one algorithm. */
template <class T> class scratch {
 public:
  scratch(const device_policy& policy, std::size_t n) : stream(policy.stream) { cudaMallocAsync(&p, (n ? n : 1) * sizeof(T), stream); }
  scratch(const scratch&) = delete;
  ~scratch() { cudaFreeAsync(p, stream); }
  T* get() const { return p; }
  T at(std::size_t k) const {
    union holder { T v; __host__ __device__ holder() {} __host__ __device__ ~holder() {} } h;
    cudaMemcpyAsync((void*)&h.v, (const void*)(p + k), sizeof(T), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    return h.v;
  }

 private:
  T* p = nullptr;
  cudaStream_t stream;
};

/* Work in order is cut into pieces, one thread each; one thread puts their results together. */
__host__ __device__ inline std::size_t piece_length(std::size_t n) { return n > 64 * 4096 ? (n + 4095) / 4096 : 64; }
__host__ __device__ inline std::size_t pieces(std::size_t n) { return (n + piece_length(n) - 1) / piece_length(n); }

/* Memory that holds no object yet. */
template <class T> __host__ __device__ void put(T* p, const T& value) { ::new ((void*)p) T(value); }

}  // namespace detail
}  // namespace thrust
