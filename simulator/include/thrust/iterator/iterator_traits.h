#pragma once
#pragma GCC system_header
#include "../detail/core.h"

namespace thrust {

template <class I> using iterator_traits = std::iterator_traits<I>;
template <class I> struct iterator_value { typedef typename std::iterator_traits<I>::value_type type; };
template <class I> struct iterator_reference { typedef typename std::iterator_traits<I>::reference type; };
template <class I> struct iterator_pointer { typedef typename std::iterator_traits<I>::pointer type; };
template <class I> struct iterator_difference { typedef typename std::iterator_traits<I>::difference_type type; };
template <class I> using iterator_value_t = typename std::iterator_traits<I>::value_type;
template <class I> __host__ __device__ typename std::iterator_traits<I>::difference_type distance(I first, I last) { return last - first; }
template <class I, class N> __host__ __device__ void advance(I& i, N n) { i += n; }
template <class I> __host__ __device__ I next(I i, std::ptrdiff_t n = 1) { return i += n; }
template <class I> __host__ __device__ I prev(I i, std::ptrdiff_t n = 1) { return i -= n; }

}  // namespace thrust
