/* Random number engines and distributions, on both sides: the numbers are those of NVIDIA's Thrust. */
#pragma once
#pragma GCC system_header
#include "../cuda_runtime.h"
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <type_traits>

namespace thrust {
namespace random {

/* x = (a x + c) mod m. */
template <class U, U a, U c, U m> class linear_congruential_engine {
 public:
  typedef U result_type;
  static constexpr U multiplier = a, increment = c, modulus = m, min = c == 0 ? 1 : 0, max = m - 1, default_seed = 1;
  __host__ __device__ explicit linear_congruential_engine(U s = default_seed) { seed(s); }
  __host__ __device__ void seed(U s = default_seed) { x = c == 0 && s % m == 0 ? 1 : s % m; }
  __host__ __device__ U operator()() { return x = (U)(((std::uint64_t)a * x + c) % m); }
  /* n steps at once: the step's powers of two are put together. */
  __host__ __device__ void discard(unsigned long long n) {
    std::uint64_t factor = a, add = c, allFactor = 1, allAdd = 0;
    for (; n > 0; n /= 2) {
      if (n & 1) { allFactor = allFactor * factor % m; allAdd = (allAdd * factor + add) % m; }
      add = (factor + 1) * add % m;
      factor = factor * factor % m;
    }
    x = (U)((allFactor * x + allAdd) % m);
  }
  __host__ __device__ friend bool operator==(const linear_congruential_engine& p, const linear_congruential_engine& q) { return p.x == q.x; }
  __host__ __device__ friend bool operator!=(const linear_congruential_engine& p, const linear_congruential_engine& q) { return p.x != q.x; }
  friend std::ostream& operator<<(std::ostream& out, const linear_congruential_engine& e) { return out << e.x; }
  friend std::istream& operator>>(std::istream& in, linear_congruential_engine& e) { return in >> e.x; }

 private:
  U x;
};
typedef linear_congruential_engine<std::uint32_t, 16807, 0, 2147483647> minstd_rand0;
typedef linear_congruential_engine<std::uint32_t, 48271, 0, 2147483647> minstd_rand;
typedef minstd_rand default_random_engine;

/* x[n] = x[n - s] - x[n - r] - carry, mod 2^w. */
template <class U, std::size_t w, std::size_t s, std::size_t r> class subtract_with_carry_engine {
 public:
  typedef U result_type;
  static constexpr U min = 0, max = (U)(((std::uint64_t)1 << w) - 1), default_seed = 19780503u;
  __host__ __device__ explicit subtract_with_carry_engine(U value = default_seed) { seed(value); }
  __host__ __device__ void seed(U value = default_seed) {
    linear_congruential_engine<U, 40014u, 0u, 2147483563u> words(value == 0 ? (U)default_seed : value);
    for (std::size_t k = 0; k < r; ++k) state[k] = words() & max;
    carry = state[r - 1] == 0;
    at = 0;
  }
  __host__ __device__ U operator()() {
    std::size_t other = at < s ? at + r - s : at - s;
    U x = (state[other] - state[at] - carry) & max;
    carry = state[other] < state[at] + carry;
    state[at] = x;
    at = at + 1 == r ? 0 : at + 1;
    return x;
  }
  __host__ __device__ void discard(unsigned long long n) { for (; n > 0; --n) (*this)(); }

 private:
  U state[r];
  std::size_t at;
  U carry;
};
/* Of each p numbers the first r. */
template <class E, std::size_t p, std::size_t r> class discard_block_engine {
 public:
  typedef typename E::result_type result_type;
  static constexpr result_type min = E::min, max = E::max;
  __host__ __device__ discard_block_engine() = default;
  template <class U, class = typename std::enable_if<std::is_integral<U>::value>::type> __host__ __device__ explicit discard_block_engine(U s) : engine((result_type)s) {}
  __host__ __device__ void seed() { engine.seed(); used = 0; }
  __host__ __device__ void seed(result_type s) { engine.seed(s); used = 0; }
  __host__ __device__ result_type operator()() {
    if (used >= r) { engine.discard(p - r); used = 0; }
    ++used;
    return engine();
  }
  __host__ __device__ void discard(unsigned long long n) { for (; n > 0; --n) (*this)(); }
  __host__ __device__ const E& base() const { return engine; }

 private:
  E engine;
  unsigned int used = 0;
};
/* A shift register of k bits of w, q from its tap, s steps at once. */
template <class U, std::size_t w, std::size_t k, std::size_t q, std::size_t s> class linear_feedback_shift_engine {
 public:
  typedef U result_type;
  static constexpr U wordmask = (U)(~(U)0 >> (8 * sizeof(U) - w)), min = 0, max = wordmask, default_seed = 341u;
  __host__ __device__ explicit linear_feedback_shift_engine(U value = default_seed) { seed(value); }
  __host__ __device__ void seed(U value = default_seed) { x = value; }
  __host__ __device__ U operator()() {
    U back = (((x << q) ^ x) & wordmask) >> (k - s), top = (wordmask << (w - k)) & wordmask;
    return x = ((x & top) << s) ^ back;
  }
  __host__ __device__ void discard(unsigned long long n) { for (; n > 0; --n) (*this)(); }

 private:
  U x;
};
template <class A, std::size_t a, class B, std::size_t b> class xor_combine_engine {
 public:
  typedef typename A::result_type result_type;
  static constexpr result_type min = 0, max = (A::max << a) | (B::max << b);
  __host__ __device__ xor_combine_engine() = default;
  __host__ __device__ explicit xor_combine_engine(result_type s) : first(s), second(s) {}
  __host__ __device__ void seed(result_type s) { first.seed(s); second.seed(s); }
  __host__ __device__ result_type operator()() { result_type x = first() << a; return x ^ second() << b; }
  __host__ __device__ void discard(unsigned long long n) { for (; n > 0; --n) (*this)(); }

 private:
  A first;
  B second;
};
typedef xor_combine_engine<xor_combine_engine<linear_feedback_shift_engine<std::uint32_t, 32, 31, 13, 12>, 0, linear_feedback_shift_engine<std::uint32_t, 32, 29, 2, 4>, 0>, 0,
                           linear_feedback_shift_engine<std::uint32_t, 32, 28, 3, 17>, 0> taus88;
typedef subtract_with_carry_engine<std::uint32_t, 24, 10, 24> ranlux24_base;
typedef subtract_with_carry_engine<std::uint64_t, 48, 5, 12> ranlux48_base;
typedef discard_block_engine<ranlux24_base, 223, 23> ranlux24;
typedef discard_block_engine<ranlux48_base, 389, 11> ranlux48;

template <class T = double> class uniform_real_distribution {
 public:
  typedef T result_type;
  struct param_type { T first, second; };
  __host__ __device__ explicit uniform_real_distribution(T a = 0, T b = 1) : range{a, b} {}
  __host__ __device__ explicit uniform_real_distribution(const param_type& p) : range(p) {}
  __host__ __device__ void reset() {}
  template <class E> __host__ __device__ T operator()(E& engine) { return (*this)(engine, range); }
  template <class E> __host__ __device__ T operator()(E& engine, const param_type& p) const {
    T unit = (T)(engine() - E::min) / (T(1) + (T)(E::max - E::min));
    return unit * (p.second - p.first) + p.first;
  }
  __host__ __device__ T a() const { return range.first; }
  __host__ __device__ T b() const { return range.second; }
  __host__ __device__ T min() const { return range.first; }
  __host__ __device__ T max() const { return range.second; }

 private:
  param_type range;
};
template <class T = int> class uniform_int_distribution {
 public:
  typedef T result_type;
  struct param_type { T first, second; };
  __host__ __device__ explicit uniform_int_distribution(T a = 0, T b = std::numeric_limits<T>::max()) : range{a, b} {}
  __host__ __device__ explicit uniform_int_distribution(const param_type& p) : range(p) {}
  __host__ __device__ void reset() {}
  template <class E> __host__ __device__ T operator()(E& engine) { return (*this)(engine, range); }
  template <class E> __host__ __device__ T operator()(E& engine, const param_type& p) const {
    typedef typename std::conditional<(sizeof(T) > 4), double, typename std::conditional<(sizeof(T) > 2), double, float>::type>::type real;
    uniform_real_distribution<real> values((real)p.first, (real)p.second + 1);
    return (T)values(engine);
  }
  __host__ __device__ T a() const { return range.first; }
  __host__ __device__ T b() const { return range.second; }
  __host__ __device__ T min() const { return range.first; }
  __host__ __device__ T max() const { return range.second; }

 private:
  param_type range;
};
/* By the inverse of the complementary error function, of the half of the range in which the number lies. */
template <class T = double> class normal_distribution {
 public:
  typedef T result_type;
  struct param_type { T first, second; };
  __host__ __device__ explicit normal_distribution(T mean = 0, T deviation = 1) : shape{mean, deviation} {}
  __host__ __device__ explicit normal_distribution(const param_type& p) : shape(p) {}
  __host__ __device__ void reset() {}
  template <class E> __host__ __device__ T operator()(E& engine) { return (*this)(engine, shape); }
  template <class E> __host__ __device__ T operator()(E& engine, const param_type& p) const {
    typedef typename E::result_type U;
    const U all = E::max - E::min;
    const T unit = (T)(1.0 / (double)all);
    U u = engine() - E::min;
    T sign = (T)-1.4142135623730950488016887242097;
    if (u > all / 2) { u = all - u; sign = -sign; }
    return p.first + p.second * sign * (T)erfcinv(2 * ((T)u * unit + unit / 2));
  }
  __host__ __device__ T mean() const { return shape.first; }
  __host__ __device__ T stddev() const { return shape.second; }

 private:
  param_type shape;
};

}  // namespace random

using random::default_random_engine; using random::minstd_rand; using random::minstd_rand0; using random::linear_congruential_engine;
using random::ranlux24; using random::ranlux24_base; using random::ranlux48; using random::ranlux48_base;
using random::taus88; using random::xor_combine_engine; using random::linear_feedback_shift_engine; using random::discard_block_engine; using random::subtract_with_carry_engine;
using random::uniform_int_distribution; using random::uniform_real_distribution; using random::normal_distribution;

}  // namespace thrust
