/* A vector in host memory: std::vector, with copies from vectors of the device. */
#pragma once
#pragma GCC system_header
#include "detail/algorithms.h"
#include <initializer_list>

namespace thrust {

namespace detail {
template <class T, class A> class vector_of;
}

template <class T, class A = std::allocator<T>> class host_vector : public std::vector<T, A> {
 public:
  using std::vector<T, A>::vector;
  host_vector() = default;
  host_vector(const std::vector<T, A>& other) : std::vector<T, A>(other) {}
  host_vector(std::initializer_list<T> values) : std::vector<T, A>(values) {}
  template <class I, class = typename std::iterator_traits<I>::iterator_category> host_vector(I first, I last) { assign(first, last); }
  template <class U, class B> host_vector(const detail::vector_of<U, B>& other) { *this = other; }
  template <class U, class B> host_vector& operator=(const detail::vector_of<U, B>& other) {
    assign(other.begin(), other.end());
    return *this;
  }
  host_vector& operator=(const std::vector<T, A>& other) { std::vector<T, A>::operator=(other); return *this; }
  using std::vector<T, A>::assign;
  template <class I, class = typename std::iterator_traits<I>::iterator_category> void assign(I first, I last) {
    this->resize(last - first);
    thrust::copy(first, last, this->begin());
  }
};
template <class T, class A> void swap(host_vector<T, A>& a, host_vector<T, A>& b) { a.swap(b); }

}  // namespace thrust
