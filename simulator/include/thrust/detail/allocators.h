/* Allocators of vectors, and the pointers to memory that host and device see. */
#pragma once
#pragma GCC system_header
#include "errors.h"
#include "facade.h"

namespace thrust {

template <class T> class universal_ptr : public detail::facade<universal_ptr<T>, typename std::remove_cv<T>::type, T&> {
  T* p;

 public:
  typedef T* raw_pointer;
  typedef T element_type;
  __host__ __device__ universal_ptr(T* p = nullptr) : p(p) {}
  template <class U, class = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
  __host__ __device__ universal_ptr(const universal_ptr<U>& other) : p(other.get()) {}
  __host__ __device__ T* get() const { return p; }
  __host__ __device__ T* operator->() const { return p; }
  __host__ __device__ universal_ptr base() const { return *this; }
  __host__ __device__ explicit operator bool() const { return p != nullptr; }
  __host__ __device__ T& refer(std::ptrdiff_t n) const { return p[n]; }
  __host__ __device__ void move(std::ptrdiff_t n) { p += n; }
  __host__ __device__ std::ptrdiff_t distance(const universal_ptr& other) const { return p - other.p; }
};
template <class T> __host__ __device__ T* raw_pointer_cast(universal_ptr<T> p) { return p.get(); }

namespace detail {
template <class T> struct is_device<universal_ptr<T>> : std::true_type {};
template <class T> struct raw_iterator<universal_ptr<T>> { typedef T* type; __host__ __device__ static T* of(universal_ptr<T> p) { return p.get(); } };
template <class T> struct in_a_row<universal_ptr<T>> : std::true_type {};

/* The pointers of a vector whose allocator has pointers P: those that are plain say nothing of the host. */
template <class T, class P> struct pointer_like { typedef device_ptr<T> type; };
template <class T, class U> struct pointer_like<T, universal_ptr<U>> { typedef universal_ptr<T> type; };
template <class T, class P> using pointer_of = typename pointer_like<T, P>::type;

inline cudaError_t allocate_pinned(void** p, std::size_t bytes) { return cudaMallocHost(p, bytes); }
inline cudaError_t allocate_managed(void** p, std::size_t bytes) { return cudaMallocManaged(p, bytes); }
inline cudaError_t allocate_on_device(void** p, std::size_t bytes) { return cudaMalloc(p, bytes); }
template <class T, class P, cudaError_t (*Allocate)(void**, std::size_t), cudaError_t (*Free)(void*)> struct allocator_of {
  typedef T value_type;
  typedef P pointer;
  typedef typename std::iterator_traits<P>::reference reference;
  typedef std::size_t size_type;
  typedef std::ptrdiff_t difference_type;
  pointer allocate(size_type n) {
    void* p = nullptr;
    if (cudaError_t error = Allocate(&p, n * sizeof(T))) cudaGetLastError(), throw system::detail::bad_alloc(cuda_category().message(error));
    return pointer((T*)p);
  }
  void deallocate(pointer p, size_type) { Free((void*)thrust::raw_pointer_cast(p)); }
  friend bool operator==(const allocator_of&, const allocator_of&) { return true; }
  friend bool operator!=(const allocator_of&, const allocator_of&) { return false; }
};
}  // namespace detail

template <class T> struct device_allocator : detail::allocator_of<T, device_ptr<T>, detail::allocate_on_device, cudaFree> {
  template <class U> struct rebind { typedef device_allocator<U> other; };
  device_allocator() = default;
  template <class U> device_allocator(const device_allocator<U>&) {}
};
template <class T> struct universal_allocator : detail::allocator_of<T, universal_ptr<T>, detail::allocate_managed, cudaFree> {
  template <class U> struct rebind { typedef universal_allocator<U> other; };
  universal_allocator() = default;
  template <class U> universal_allocator(const universal_allocator<U>&) {}
};
template <class T> struct universal_host_pinned_allocator : detail::allocator_of<T, universal_ptr<T>, detail::allocate_pinned, cudaFreeHost> {
  template <class U> struct rebind { typedef universal_host_pinned_allocator<U> other; };
  universal_host_pinned_allocator() = default;
  template <class U> universal_host_pinned_allocator(const universal_host_pinned_allocator<U>&) {}
};
template <class T> using device_malloc_allocator = device_allocator<T>;
template <class T> using device_new_allocator = device_allocator<T>;

namespace cuda {
template <class T> using allocator = device_allocator<T>;
template <class T> using universal_allocator = thrust::universal_allocator<T>;
template <class T> using pointer = device_ptr<T>;
template <class T> using universal_pointer = universal_ptr<T>;
namespace experimental {
/* For vectors of the host, whose memory is not paged out. */
template <class T> struct pinned_allocator : thrust::detail::allocator_of<T, T*, thrust::detail::allocate_pinned, cudaFreeHost> {
  template <class U> struct rebind { typedef pinned_allocator<U> other; };
  pinned_allocator() = default;
  template <class U> pinned_allocator(const pinned_allocator<U>&) {}
};
}  // namespace experimental
}  // namespace cuda
namespace system {
namespace cuda = thrust::cuda;
}  // namespace system

}  // namespace thrust
