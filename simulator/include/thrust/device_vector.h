/* A vector in device memory. */
#pragma once
#pragma GCC system_header
#include "host_vector.h"
#include "iterator/iterator_traits.h"
#include "iterator/permutation_iterator.h"
#include "iterator/transform_iterator.h"
#include "iterator/zip_iterator.h"
#include <initializer_list>

namespace thrust {

template <class T, class A = std::allocator<T>> class device_vector {
 public:
  typedef T value_type;
  typedef device_ptr<T> pointer;
  typedef device_ptr<const T> const_pointer;
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;
  typedef device_reference<T> reference;
  typedef device_reference<const T> const_reference;
  typedef A allocator_type;
  typedef std::size_t size_type;
  typedef std::ptrdiff_t difference_type;

  device_vector() = default;
  explicit device_vector(size_type n) : device_vector(n, T()) {}
  device_vector(size_type n, const T& value) { resize(n, value); }
  device_vector(const device_vector& other) { *this = other; }
  device_vector(device_vector&& other) noexcept { swap(other); }
  template <class U, class B> device_vector(const device_vector<U, B>& other) { assign(other.begin(), other.end()); }
  template <class U, class B> device_vector(const std::vector<U, B>& other) { assign(other.begin(), other.end()); }
  device_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  template <class I, class = typename std::iterator_traits<I>::iterator_category> device_vector(I first, I last) { assign(first, last); }
  ~device_vector() { cudaFree(memory); }

  device_vector& operator=(const device_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  device_vector& operator=(device_vector&& other) noexcept { swap(other); return *this; }
  template <class U, class B> device_vector& operator=(const std::vector<U, B>& other) { assign(other.begin(), other.end()); return *this; }
  template <class U, class B> device_vector& operator=(const device_vector<U, B>& other) { assign(other.begin(), other.end()); return *this; }

  template <class I, class = typename std::iterator_traits<I>::iterator_category> void assign(I first, I last) {
    allocate(std::distance(first, last));
    count = std::distance(first, last);
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
  template <class... U> void emplace_back(U&&... values) { push_back(T(values...)); }
  iterator insert(iterator at, const T& value) { return insert(at, 1, value), at; }
  void insert(iterator at, size_type n, const T& value) {
    device_vector values(n, value);
    insert(at, values.begin(), values.end());
  }
  template <class I, class = typename std::iterator_traits<I>::iterator_category> void insert(iterator at, I first, I last) {
    size_type before = at - begin();
    device_vector all(count + (last - first));
    iterator next = thrust::copy(begin(), begin() + before, all.begin());
    next = thrust::copy(first, last, next);
    thrust::copy(begin() + before, end(), next);
    swap(all);
  }
  iterator erase(iterator first, iterator last) {
    device_vector rest(last, end());
    thrust::copy(rest.begin(), rest.end(), first);
    count -= last - first;
    return first;
  }
  iterator erase(iterator at) { return erase(at, at + 1); }
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
  thrust::reverse_iterator<iterator> rbegin() { return thrust::reverse_iterator<iterator>(end()); }
  thrust::reverse_iterator<iterator> rend() { return thrust::reverse_iterator<iterator>(begin()); }
  thrust::reverse_iterator<const_iterator> rbegin() const { return thrust::reverse_iterator<const_iterator>(end()); }
  thrust::reverse_iterator<const_iterator> rend() const { return thrust::reverse_iterator<const_iterator>(begin()); }
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

template <class T, class A, class B> bool operator==(const device_vector<T, A>& a, const device_vector<T, B>& b) { return a.size() == b.size() && thrust::equal(a.begin(), a.end(), b.begin()); }
template <class T, class A, class B> bool operator!=(const device_vector<T, A>& a, const device_vector<T, B>& b) { return !(a == b); }
template <class T, class A, class B> bool operator==(const device_vector<T, A>& a, const std::vector<T, B>& b) { return host_vector<T>(a) == b; }
template <class T, class A, class B> bool operator==(const std::vector<T, A>& a, const device_vector<T, B>& b) { return host_vector<T>(b) == a; }
template <class T, class A, class B> bool operator!=(const device_vector<T, A>& a, const std::vector<T, B>& b) { return !(a == b); }
template <class T, class A, class B> bool operator!=(const std::vector<T, A>& a, const device_vector<T, B>& b) { return !(b == a); }
template <class T, class A> void swap(device_vector<T, A>& a, device_vector<T, A>& b) { a.swap(b); }

}  // namespace thrust
