/* A vector in device memory. */
#pragma once
#pragma GCC system_header
#include "copy.h"
#include "fill.h"
#include "host_vector.h"
#include <initializer_list>

namespace thrust {

template <class T> class device_vector {
 public:
  typedef T value_type;
  typedef device_ptr<T> pointer;
  typedef device_ptr<const T> const_pointer;
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;
  typedef device_reference<T> reference;
  typedef std::size_t size_type;
  typedef std::ptrdiff_t difference_type;

  device_vector() = default;
  explicit device_vector(size_type n) : device_vector(n, T()) {}
  device_vector(size_type n, const T& value) { resize(n, value); }
  device_vector(const device_vector& other) { *this = other; }
  device_vector(device_vector&& other) noexcept { swap(other); }
  template <class U> device_vector(const device_vector<U>& other) { assign(other.begin(), other.end()); }
  device_vector(const std::vector<T>& other) { assign(other.begin(), other.end()); }
  device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  template <class I, class = typename std::iterator_traits<I>::iterator_category> device_vector(I first, I last) { assign(first, last); }
  ~device_vector() { cudaFree(memory); }

  device_vector& operator=(const device_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept { swap(other); return *this; }
  device_vector& operator=(const std::vector<T>& other) { assign(other.begin(), other.end()); return *this; }

  template <class I, class = typename std::iterator_traits<I>::iterator_category> void assign(I first, I last) {
    allocate(last - first);
    count = last - first;
    thrust::copy(first, last, begin());
  }
  void assign(size_type n, const T& value) { count = 0; resize(n, value); }
  void resize(size_type n, const T& value = T()) {
    if (n > reserved) reserve(n);
    if (n > count) thrust::fill(begin() + count, begin() + n, value);
    count = n;
  }
  void reserve(size_type n) {
    if (n <= reserved) return;
    T* old = memory;
    memory = nullptr;
    size_type kept = count;
    allocate(n);
    if (kept) cudaMemcpy(memory, old, kept * sizeof(T), cudaMemcpyDeviceToDevice);
    count = kept;
    cudaFree(old);
  }
  void push_back(const T& value) { if (count == reserved) reserve(count ? 2 * count : 16); ++count; back() = value; }
  void pop_back() { --count; }
  void clear() { count = 0; }
  void shrink_to_fit() {}
  void swap(device_vector& other) { std::swap(memory, other.memory); std::swap(count, other.count); std::swap(reserved, other.reserved); }

  size_type size() const { return count; }
  size_type capacity() const { return reserved; }
  bool empty() const { return count == 0; }
  iterator begin() { return iterator(memory); }
  iterator end() { return iterator(memory + count); }
  const_iterator begin() const { return const_iterator(memory); }
  const_iterator end() const { return const_iterator(memory + count); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  pointer data() { return pointer(memory); }
  const_pointer data() const { return const_pointer(memory); }
  reference operator[](size_type k) { return reference(memory + k); }
  device_reference<const T> operator[](size_type k) const { return device_reference<const T>(memory + k); }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[count - 1]; }
  device_reference<const T> front() const { return (*this)[0]; }
  device_reference<const T> back() const { return (*this)[count - 1]; }

 private:
  T* memory = nullptr;
  size_type count = 0, reserved = 0;
  /* Room for n elements, contents lost. */
  void allocate(size_type n) {
    if (n <= reserved) return;
    cudaFree(memory);
    memory = nullptr;
    cudaMalloc(&memory, n * sizeof(T));
    reserved = n;
  }
};

template <class T> bool operator==(const device_vector<T>& a, const device_vector<T>& b) { return host_vector<T>(a) == host_vector<T>(b); }
template <class T> bool operator!=(const device_vector<T>& a, const device_vector<T>& b) { return !(a == b); }

}  // namespace thrust
