#pragma once
#pragma GCC system_header
#include "iterator_facade.h"
#include "transform_iterator.h"

namespace thrust {

template <class Self, class Base, class Value = use_default, class System = use_default, class Traversal = use_default, class Reference = use_default, class Difference = use_default>
class iterator_adaptor
    : public iterator_facade<Self, detail::unless_default<Value, typename std::iterator_traits<Base>::value_type>, System, Traversal,
                             detail::unless_default<Reference, typename std::conditional<std::is_same<Value, use_default>::value, typename std::iterator_traits<Base>::reference, Value&>::type>,
                             detail::unless_default<Difference, typename std::iterator_traits<Base>::difference_type>> {
  friend class iterator_core_access;
  Base under;

 public:
  typedef Base base_type;
  typedef Base __lanewise_base;
  typedef iterator_adaptor super_t;
  iterator_adaptor() = default;
  __host__ __device__ explicit iterator_adaptor(const Base& base) : under(base) {}
  __host__ __device__ const Base& base() const { return under; }

 protected:
  __host__ __device__ const Base& base_reference() const { return under; }
  __host__ __device__ Base& base_reference() { return under; }

 private:
  __host__ __device__ typename iterator_adaptor::reference dereference() const { return *under; }
  __host__ __device__ void increment() { ++under; }
  __host__ __device__ void decrement() { --under; }
  __host__ __device__ void advance(typename iterator_adaptor::difference_type n) { under += n; }
  template <class I> __host__ __device__ bool equal(const I& other) const { return under == other.base(); }
  template <class I> __host__ __device__ typename iterator_adaptor::difference_type distance_to(const I& other) const { return other.base() - under; }
};

}  // namespace thrust
