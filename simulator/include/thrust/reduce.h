/* reduce, transform_reduce, inner_product, count, extrema. Pieces are folded in order, then their results in order. */
#pragma once
#pragma GCC system_header
#include "detail/core.h"
#include "functional.h"

namespace thrust {

template <class I, class F, class T, class B> T transform_reduce(I first, I last, F f, T initial, B operation) {
  std::size_t n = last - first;
  if constexpr (detail::is_device<I>::value || detail::is_neutral<I>::value) {
    if (n == 0) return initial;
    std::size_t count = detail::pieces(n);
    detail::scratch<T> partials(count);
    T* partial = partials.get();
    auto at = detail::raw(first);
    detail::run(count, [=] __device__(std::size_t p) {
      std::size_t k = p * detail::pieceLength, end = k + detail::pieceLength < n ? k + detail::pieceLength : n;
      T sum = F(f)(at[k]);
      while (++k < end) sum = B(operation)(sum, (T)F(f)(at[k]));
      partial[p] = sum;
    });
    detail::run(1, [=] __device__(std::size_t) {
      T sum = initial;
      for (std::size_t p = 0; p < count; ++p) sum = B(operation)(sum, partial[p]);
      partial[0] = sum;
    });
    return partials.first();
  } else {
    for (; first != last; ++first) initial = operation(initial, f(*first));
    return initial;
  }
}

template <class I, class T, class B> T reduce(I first, I last, T initial, B operation) {
  return thrust::transform_reduce(first, last, identity<detail::value_of<I>>(), initial, operation);
}
template <class I, class T> T reduce(I first, I last, T initial) { return thrust::reduce(first, last, initial, plus<T>()); }
template <class I> detail::value_of<I> reduce(I first, I last) { return thrust::reduce(first, last, detail::value_of<I>(0)); }

namespace detail {
template <class T, class P> struct count_where {
  P predicate;
  __device__ __host__ std::ptrdiff_t operator()(const T& v) const { return P(predicate)(v) ? 1 : 0; }
};
template <class T> struct equals {
  T value;
  __device__ __host__ bool operator()(const T& v) const { return v == value; }
};
/* Index of the first of equal extrema. */
template <class I, class C> I extremum(I first, I last, C better) {
  std::size_t n = last - first;
  if constexpr (is_device<I>::value) {
    if (n == 0) return last;
    std::size_t count = pieces(n);
    scratch<std::size_t> bests(count);
    std::size_t* best = bests.get();
    auto at = raw(first);
    run(count, [=] __device__(std::size_t p) {
      std::size_t k = p * pieceLength, end = k + pieceLength < n ? k + pieceLength : n, found = k;
      while (++k < end) if (C(better)(at[k], at[found])) found = k;
      best[p] = found;
    });
    run(1, [=] __device__(std::size_t) {
      for (std::size_t p = 1; p < count; ++p) if (C(better)(at[best[p]], at[best[0]])) best[0] = best[p];
    });
    return first + bests.first();
  } else {
    I found = first;
    for (I k = first; k != last; ++k) if (better(*k, *found)) found = k;
    return found;
  }
}
template <class C> struct reversed {
  C less;
  template <class T> __host__ __device__ bool operator()(const T& a, const T& b) const { return C(less)(b, a); }
};
}  // namespace detail

template <class I, class P> std::ptrdiff_t count_if(I first, I last, P predicate) {
  return thrust::transform_reduce(first, last, detail::count_where<detail::value_of<I>, P>{predicate}, std::ptrdiff_t(0), plus<std::ptrdiff_t>());
}
template <class I, class T> std::ptrdiff_t count(I first, I last, const T& value) {
  return thrust::count_if(first, last, detail::equals<detail::value_of<I>>{value});
}
template <class I, class C> I max_element(I first, I last, C less) { return detail::extremum(first, last, detail::reversed<C>{less}); }
template <class I> I max_element(I first, I last) { return thrust::max_element(first, last, thrust::less<detail::value_of<I>>()); }
template <class I, class C> I min_element(I first, I last, C less) { return detail::extremum(first, last, less); }
template <class I> I min_element(I first, I last) { return thrust::min_element(first, last, thrust::less<detail::value_of<I>>()); }

template <class I, class J, class T> T inner_product(I first, I last, J second, T initial) {
  std::size_t n = last - first;
  if constexpr (detail::on_device<I, J>) {
    detail::scratch<T> products(n);
    T* product = products.get();
    auto a = detail::raw(first);
    auto b = detail::raw(second);
    detail::run(n, [=] __device__(std::size_t k) { product[k] = a[k] * b[k]; });
    return thrust::reduce(device_ptr<T>(product), device_ptr<T>(product + n), initial);
  } else {
    return std::inner_product(first, last, second, initial);
  }
}

}  // namespace thrust
