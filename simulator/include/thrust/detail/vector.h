/* A vector in memory of the device. */
#pragma once
#pragma GCC system_header
#include "../host_vector.h"
#include "../iterator/iterator_traits.h"
#include "../iterator/permutation_iterator.h"
#include "../iterator/transform_iterator.h"
#include "../iterator/zip_iterator.h"
#include "allocators.h"
#include <initializer_list>

namespace thrust {

/* Elements of a new vector that nobody sets. */
struct no_init_t {};
struct default_init_t {};
inline constexpr no_init_t no_init{};
inline constexpr default_init_t default_init{};

namespace detail {
/* What device_vector and universal_vector are: they differ in their allocators, whose pointers say how the host gets at elements. */
template <class T, class A> class vector_of {
 public:
  typedef T value_type;
  typedef pointer_of<T, typename A::pointer> pointer;
  typedef pointer_of<const T, typename A::pointer> const_pointer;
  typedef pointer iterator;
  typedef const_pointer const_iterator;
  typedef typename std::iterator_traits<pointer>::reference reference;
  typedef typename std::iterator_traits<const_pointer>::reference const_reference;
  typedef A allocator_type;
  typedef std::size_t size_type;
  typedef std::ptrdiff_t difference_type;

  vector_of() = default;
  explicit vector_of(const A& allocator) : allocator(allocator) {}
  explicit vector_of(size_type n) : vector_of(n, T()) {}
  vector_of(size_type n, no_init_t) { enlarge(n), count = n; }
  vector_of(size_type n, default_init_t) : vector_of(n, T()) {}
  vector_of(size_type n, const T& value, const A& allocator = A()) : allocator(allocator) { resize(n, value); }
  vector_of(const vector_of& other) { *this = other; }
  vector_of(vector_of&& other) noexcept { swap(other); }
  template <class U, class B> vector_of(const vector_of<U, B>& other) { assign(other.begin(), other.end()); }
  template <class U, class B> vector_of(const std::vector<U, B>& other) { assign(other.begin(), other.end()); }
  vector_of(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  template <class I, class = typename std::iterator_traits<I>::iterator_category> vector_of(I first, I last) { assign(first, last); }
  ~vector_of() { release(); }

  vector_of& operator=(const vector_of& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  vector_of& operator=(vector_of&& other) noexcept { swap(other); return *this; }
  template <class U, class B> vector_of& operator=(const std::vector<U, B>& other) { assign(other.begin(), other.end()); return *this; }
  template <class U, class B> vector_of& operator=(const vector_of<U, B>& other) { assign(other.begin(), other.end()); return *this; }

  template <class I, class = typename std::iterator_traits<I>::iterator_category> void assign(I first, I last) {
    if ((size_type)std::distance(first, last) > reserved) count = 0, release(), enlarge(std::distance(first, last));
    count = std::distance(first, last);
    thrust::copy(first, last, begin());
  }
  void assign(size_type n, const T& value) { count = 0; resize(n, value); }
  void resize(size_type n, const T& value = T()) {
    if (n > reserved) reserve(n);
    if (n > count) thrust::fill(begin() + count, begin() + n, value);
    count = n;
  }
  void resize(size_type n, no_init_t) {
    reserve(n);
    count = n;
  }
  void reserve(size_type n) {
    if (n <= reserved) return;
    vector_of larger;
    larger.allocator = allocator;
    larger.enlarge(n);
    if (count) cudaMemcpy(larger.memory, memory, count * sizeof(T), cudaMemcpyDeviceToDevice);
    larger.count = count;
    swap(larger);
  }
  void push_back(const T& value) { if (count == reserved) reserve(count ? 2 * count : 16); ++count; back() = value; }
  void pop_back() { --count; }
  template <class... U> void emplace_back(U&&... values) { push_back(T(values...)); }
  iterator insert(iterator at, const T& value) { return insert(at, 1, value), at; }
  void insert(iterator at, size_type n, const T& value) {
    vector_of values(n, value);
    insert(at, values.begin(), values.end());
  }
  template <class I, class = typename std::iterator_traits<I>::iterator_category> void insert(iterator at, I first, I last) {
    size_type before = at - begin();
    vector_of all(count + (last - first));
    iterator next = thrust::copy(begin(), begin() + before, all.begin());
    next = thrust::copy(first, last, next);
    thrust::copy(begin() + before, end(), next);
    swap(all);
  }
  iterator erase(iterator first, iterator last) {
    vector_of rest(last, end());
    thrust::copy(rest.begin(), rest.end(), first);
    count -= last - first;
    return first;
  }
  iterator erase(iterator at) { return erase(at, at + 1); }
  void clear() { count = 0; }
  void shrink_to_fit() {
    if (count == reserved) return;
    vector_of kept(begin(), end());
    swap(kept);
  }
  A get_allocator() const { return allocator; }
  void swap(vector_of& other) { std::swap(memory, other.memory); std::swap(count, other.count); std::swap(reserved, other.reserved); std::swap(allocator, other.allocator); }

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
  reference operator[](size_type k) { return begin()[k]; }
  const_reference operator[](size_type k) const { return begin()[k]; }
  reference front() { return (*this)[0]; }
  reference back() { return (*this)[count - 1]; }
  const_reference front() const { return (*this)[0]; }
  const_reference back() const { return (*this)[count - 1]; }

 private:
  T* memory = nullptr;
  size_type count = 0, reserved = 0;
  A allocator;
  /* Room for n elements where there is none. */
  void enlarge(size_type n) {
    if (n == 0) return;
    memory = thrust::raw_pointer_cast(allocator.allocate(n));
    reserved = n;
  }
  void release() {
    if (memory) allocator.deallocate(typename A::pointer(memory), reserved);
    memory = nullptr;
    reserved = 0;
  }
};

template <class T, class A, class B> bool operator==(const vector_of<T, A>& a, const vector_of<T, B>& b) { return a.size() == b.size() && thrust::equal(a.begin(), a.end(), b.begin()); }
template <class T, class A, class B> bool operator!=(const vector_of<T, A>& a, const vector_of<T, B>& b) { return !(a == b); }
template <class T, class A, class B> bool operator==(const vector_of<T, A>& a, const std::vector<T, B>& b) { return host_vector<T>(a) == b; }
template <class T, class A, class B> bool operator==(const std::vector<T, A>& a, const vector_of<T, B>& b) { return host_vector<T>(b) == a; }
template <class T, class A, class B> bool operator!=(const vector_of<T, A>& a, const std::vector<T, B>& b) { return !(a == b); }
template <class T, class A, class B> bool operator!=(const std::vector<T, A>& a, const vector_of<T, B>& b) { return !(b == a); }
template <class T, class A> void swap(vector_of<T, A>& a, vector_of<T, A>& b) { a.swap(b); }
}  // namespace detail
}  // namespace thrust
