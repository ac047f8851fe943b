/* permutation_iterator: the elements of one sequence in the order that another one gives. reverse_iterator: from the last to the first. */
#pragma once
#pragma GCC system_header
#include "../detail/facade.h"

namespace thrust {

template <class E, class I>
class permutation_iterator : public detail::facade<permutation_iterator<E, I>, typename std::iterator_traits<E>::value_type, typename std::iterator_traits<E>::reference> {
 public:
  permutation_iterator() = default;
  __host__ __device__ permutation_iterator(E elements, I indices) : elements(elements), indices(indices) {}
  __host__ __device__ const I& base() const { return indices; }
  __host__ __device__ const E& all() const { return elements; }
  __host__ __device__ typename std::iterator_traits<E>::reference refer(std::ptrdiff_t n) const { return elements[(std::ptrdiff_t)(typename std::iterator_traits<I>::value_type)indices[n]]; }
  __host__ __device__ void move(std::ptrdiff_t n) { indices += n; }
  __host__ __device__ std::ptrdiff_t distance(const permutation_iterator& other) const { return indices - other.indices; }

 private:
  E elements;
  I indices;
};
template <class E, class I> __host__ __device__ permutation_iterator<E, I> make_permutation_iterator(E elements, I indices) { return {elements, indices}; }

template <class I> class reverse_iterator : public detail::facade<reverse_iterator<I>, typename std::iterator_traits<I>::value_type, typename std::iterator_traits<I>::reference> {
 public:
  reverse_iterator() = default;
  __host__ __device__ explicit reverse_iterator(I end) : under(end) {}
  __host__ __device__ const I& base() const { return under; }
  __host__ __device__ typename std::iterator_traits<I>::reference refer(std::ptrdiff_t n) const { return under[-1 - n]; }
  __host__ __device__ void move(std::ptrdiff_t n) { under -= n; }
  __host__ __device__ std::ptrdiff_t distance(const reverse_iterator& other) const { return other.under - under; }

 private:
  I under;
};
template <class I> __host__ __device__ reverse_iterator<I> make_reverse_iterator(I end) { return reverse_iterator<I>(end); }

namespace detail {
template <class E, class I> struct is_device<permutation_iterator<E, I>> : std::bool_constant<is_device<E>::value || is_device<I>::value> {};
template <class E, class I> struct is_neutral<permutation_iterator<E, I>> : std::bool_constant<is_neutral<E>::value && is_neutral<I>::value> {};
template <class E, class I> struct raw_iterator<permutation_iterator<E, I>> {
  typedef permutation_iterator<raw_of<E>, raw_of<I>> type;
  __host__ __device__ static type of(const permutation_iterator<E, I>& i) { return type(raw(i.all()), raw(i.base())); }
};
template <class I> struct is_device<reverse_iterator<I>> : is_device<I> {};
template <class I> struct is_neutral<reverse_iterator<I>> : is_neutral<I> {};
template <class I> struct raw_iterator<reverse_iterator<I>> {
  typedef reverse_iterator<raw_of<I>> type;
  __host__ __device__ static type of(const reverse_iterator<I>& i) { return type(raw(i.base())); }
};
}  // namespace detail

}  // namespace thrust
