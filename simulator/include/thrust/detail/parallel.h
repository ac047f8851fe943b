/* Algorithms as kernels, first part: one thread for each element. */
#pragma once
#pragma GCC system_header
#include "sequential-order.h"

namespace thrust {
namespace detail {
namespace parallel {

typedef const device_policy& with;

template <class I, class N, class F> I for_each_n(with policy, I first, N n, F f) {
  auto at = raw(first);
  run(policy, n, [=] __device__(std::size_t k) { F g = f; g(at[k]); });
  return first + n;
}
template <class I, class F> I for_each(with policy, I first, I last, F f) { return parallel::for_each_n(policy, first, last - first, f); }
template <class I, class F> void tabulate(with policy, I first, I last, F f) {
  auto to = raw(first);
  run(policy, last - first, [=] __device__(std::size_t k) { F g = f; to[k] = g((std::ptrdiff_t)k); });
}
template <class I, class T> void fill(with policy, I first, I last, const T& value) {
  value_of<I> v = value;
  auto to = raw(first);
  run(policy, last - first, [=] __device__(std::size_t k) { to[k] = v; });
}
template <class I, class N, class T> I fill_n(with policy, I first, N n, const T& value) { parallel::fill(policy, first, first + n, value); return first + n; }
template <class I, class T> void sequence(with policy, I first, I last, T start, T step) {
  auto to = raw(first);
  run(policy, last - first, [=] __device__(std::size_t k) { to[k] = (value_of<I>)(start + step * (T)k); });
}
template <class I, class T> void sequence(with policy, I first, I last, T start) { parallel::sequence(policy, first, last, start, T(1)); }
template <class I> void sequence(with policy, I first, I last) { parallel::sequence(policy, first, last, value_of<I>(0)); }
template <class I, class G> void generate(with policy, I first, I last, G g) {
  auto to = raw(first);
  run(policy, last - first, [=] __device__(std::size_t k) { G h = g; to[k] = h(); });
}
template <class I, class N, class G> I generate_n(with policy, I first, N n, G g) { parallel::generate(policy, first, first + n, g); return first + n; }

template <class I, class O, class F> O transform(with policy, I first, I last, O out, F f) {
  auto from = raw(first);
  auto to = raw(out);
  run(policy, last - first, [=] __device__(std::size_t k) { F g = f; to[k] = g(from[k]); });
  return out + (last - first);
}
template <class I, class J, class O, class F> O transform(with policy, I first, I last, J second, O out, F f) {
  auto a = raw(first);
  auto b = raw(second);
  auto to = raw(out);
  run(policy, last - first, [=] __device__(std::size_t k) { F g = f; to[k] = g(a[k], b[k]); });
  return out + (last - first);
}
template <class I, class S, class O, class F, class P> O transform_if(with policy, I first, I last, S stencil, O out, F f, P wanted) {
  auto from = raw(first);
  auto flag = raw(stencil);
  auto to = raw(out);
  run(policy, last - first, [=] __device__(std::size_t k) { if (P(wanted)(flag[k])) to[k] = F(f)(from[k]); });
  return out + (last - first);
}
template <class I, class O, class F, class P> O transform_if(with policy, I first, I last, O out, F f, P wanted) { return parallel::transform_if(policy, first, last, first, out, f, wanted); }
struct same_value {
  template <class T> __host__ __device__ const T& operator()(const T& v) const { return v; }
};
struct is_true {
  template <class T> __host__ __device__ bool operator()(const T& v) const { return (bool)v; }
};
/* What lies on the two sides is moved by the runtime, everything else by a kernel. */
template <class I, class O> O copy(with policy, I first, I last, O out) {
  std::size_t n = last - first;
  if constexpr (is_host<I>::value && is_device<O>::value && !std::is_pointer<I>::value) {
    std::vector<value_of<I>> buffer(first, last);
    scratch<value_of<I>> moved(policy, n);
    if (n) cudaMemcpy((void*)moved.get(), (const void*)buffer.data(), n * sizeof(value_of<I>), cudaMemcpyHostToDevice);
    parallel::transform(policy, moved.get(), moved.get() + n, out, same_value());
  } else {
    parallel::transform(policy, first, last, out, same_value());
  }
  return out + n;
}
template <class I, class N, class O> O copy_n(with policy, I first, N n, O out) { return parallel::copy(policy, first, first + n, out); }
template <class M, class S, class I, class O, class P> O gather_if(with policy, M first, M last, S stencil, I source, O out, P wanted) {
  auto map = raw(first);
  auto flag = raw(stencil);
  auto from = raw(source);
  auto to = raw(out);
  run(policy, last - first, [=] __device__(std::size_t k) { if (P(wanted)(flag[k])) to[k] = from[map[k]]; });
  return out + (last - first);
}
template <class M, class S, class I, class O> O gather_if(with policy, M first, M last, S stencil, I source, O out) { return parallel::gather_if(policy, first, last, stencil, source, out, is_true()); }
template <class M, class I, class O> O gather(with policy, M first, M last, I source, O out) {
  auto map = raw(first);
  auto from = raw(source);
  auto to = raw(out);
  run(policy, last - first, [=] __device__(std::size_t k) { to[k] = from[map[k]]; });
  return out + (last - first);
}
template <class I, class M, class S, class O, class P> void scatter_if(with policy, I first, I last, M places, S stencil, O out, P wanted) {
  auto from = raw(first);
  auto map = raw(places);
  auto flag = raw(stencil);
  auto to = raw(out);
  run(policy, last - first, [=] __device__(std::size_t k) { if (P(wanted)(flag[k])) to[map[k]] = from[k]; });
}
template <class I, class M, class S, class O> void scatter_if(with policy, I first, I last, M places, S stencil, O out) { parallel::scatter_if(policy, first, last, places, stencil, out, is_true()); }
template <class I, class M, class O> void scatter(with policy, I first, I last, M places, O out) {
  auto from = raw(first);
  auto map = raw(places);
  auto to = raw(out);
  run(policy, last - first, [=] __device__(std::size_t k) { to[map[k]] = from[k]; });
}
template <class I, class S, class P, class T> void replace_if(with policy, I first, I last, S stencil, P wanted, const T& value) {
  auto to = raw(first);
  auto flag = raw(stencil);
  T v = value;
  run(policy, last - first, [=] __device__(std::size_t k) { if (P(wanted)(flag[k])) to[k] = v; });
}
template <class I, class P, class T> void replace_if(with policy, I first, I last, P wanted, const T& value) { parallel::replace_if(policy, first, last, first, wanted, value); }
template <class I, class T> void replace(with policy, I first, I last, const T& old, const T& value) { parallel::replace_if(policy, first, last, sequential::is_value<T>{old}, value); }
template <class I, class O, class P, class T> O replace_copy_if(with policy, I first, I last, O out, P wanted, const T& value) {
  parallel::copy(policy, first, last, out);
  parallel::replace_if(policy, out, out + (last - first), first, wanted, value);
  return out + (last - first);
}
template <class I, class O, class T> O replace_copy(with policy, I first, I last, O out, const T& old, const T& value) { return parallel::replace_copy_if(policy, first, last, out, sequential::is_value<T>{old}, value); }
template <class I, class J> J swap_ranges(with policy, I first, I last, J second) {
  auto a = raw(first);
  auto b = raw(second);
  run(policy, last - first, [=] __device__(std::size_t k) { value_of<I> old = a[k]; a[k] = b[k]; b[k] = old; });
  return second + (last - first);
}
template <class I> void reverse(with policy, I first, I last) {
  std::size_t n = last - first;
  auto a = raw(first);
  run(policy, n / 2, [=] __device__(std::size_t k) { value_of<I> old = a[k]; a[k] = a[n - 1 - k]; a[n - 1 - k] = old; });
}
template <class I, class O> O reverse_copy(with policy, I first, I last, O out) {
  std::size_t n = last - first;
  auto from = raw(first);
  auto to = raw(out);
  run(policy, n, [=] __device__(std::size_t k) { to[k] = from[n - 1 - k]; });
  return out + n;
}
/* The result may take the place of the elements: they are read from a copy. */
template <class I, class O, class F> O adjacent_difference(with policy, I first, I last, O out, F f) {
  typedef value_of<I> T;
  std::size_t n = last - first;
  scratch<T> copies(policy, n);
  T* from = copies.get();
  auto source = raw(first);
  auto to = raw(out);
  run(policy, n, [=] __device__(std::size_t k) { put(from + k, (T)source[k]); });
  run(policy, n, [=] __device__(std::size_t k) {
    if (k == 0) to[0] = from[0];
    else to[k] = F(f)(from[k], from[k - 1]);
  });
  return out + n;
}
template <class I, class O> O adjacent_difference(with policy, I first, I last, O out) { return parallel::adjacent_difference(policy, first, last, out, minus<value_of<I>>()); }

}  // namespace parallel
}  // namespace detail
}  // namespace thrust
