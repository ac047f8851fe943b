/* Iterators of a program's own: iterator_facade makes them of a few private functions, iterator_adaptor changes some of another's. */
#pragma once
#pragma GCC system_header
#include "../detail/core.h"
#include "iterator_categories.h"
#include "counting_iterator.h"

namespace thrust {

/* The friend of such iterators, through which their functions are called. */
class iterator_core_access {
 public:
  template <class I> __host__ __device__ static decltype(auto) dereference(const I& i) { return i.dereference(); }
  template <class I> __host__ __device__ static void increment(I& i) { i.increment(); }
  template <class I> __host__ __device__ static void decrement(I& i) { i.decrement(); }
  template <class I, class N> __host__ __device__ static void advance(I& i, N n) { i.advance(n); }
  template <class I, class J> __host__ __device__ static auto distance(const I& from, const J& to) { return from.distance_to(to); }
  template <class I, class J> __host__ __device__ static bool equal(const I& a, const J& b) { return a.equal(b); }
};

template <class Self, class Value, class System, class Traversal, class Reference, class Difference = std::ptrdiff_t> class iterator_facade {
 public:
  typedef typename std::remove_cv<Value>::type value_type;
  typedef Reference reference;
  typedef Difference difference_type;
  typedef value_type* pointer;
  typedef detail::std_category<Traversal> iterator_category;
  __host__ __device__ Reference operator*() const { return iterator_core_access::dereference(self()); }
  __host__ __device__ Reference operator[](Difference n) const { Self at = self(); iterator_core_access::advance(at, n); return iterator_core_access::dereference(at); }
  __host__ __device__ auto operator->() const { return &iterator_core_access::dereference(self()); }
  __host__ __device__ Self& operator++() { iterator_core_access::increment(self()); return self(); }
  __host__ __device__ Self operator++(int) { Self old = self(); iterator_core_access::increment(self()); return old; }
  __host__ __device__ Self& operator--() { iterator_core_access::decrement(self()); return self(); }
  __host__ __device__ Self operator--(int) { Self old = self(); iterator_core_access::decrement(self()); return old; }
  __host__ __device__ Self& operator+=(Difference n) { iterator_core_access::advance(self(), n); return self(); }
  __host__ __device__ Self& operator-=(Difference n) { iterator_core_access::advance(self(), -n); return self(); }
  __host__ __device__ friend Self operator+(Self a, Difference n) { return a += n; }
  __host__ __device__ friend Self operator+(Difference n, Self a) { return a += n; }
  __host__ __device__ friend Self operator-(Self a, Difference n) { return a -= n; }
  __host__ __device__ friend Difference operator-(const Self& a, const Self& b) { return iterator_core_access::distance(b, a); }
  __host__ __device__ friend bool operator==(const Self& a, const Self& b) { return iterator_core_access::equal(a, b); }
  __host__ __device__ friend bool operator!=(const Self& a, const Self& b) { return !iterator_core_access::equal(a, b); }
  __host__ __device__ friend bool operator<(const Self& a, const Self& b) { return iterator_core_access::distance(a, b) > 0; }
  __host__ __device__ friend bool operator>(const Self& a, const Self& b) { return iterator_core_access::distance(a, b) < 0; }
  __host__ __device__ friend bool operator<=(const Self& a, const Self& b) { return iterator_core_access::distance(a, b) >= 0; }
  __host__ __device__ friend bool operator>=(const Self& a, const Self& b) { return iterator_core_access::distance(a, b) <= 0; }

 private:
  __host__ __device__ Self& self() { return *static_cast<Self*>(this); }
  __host__ __device__ const Self& self() const { return *static_cast<const Self*>(this); }
};

}  // namespace thrust
