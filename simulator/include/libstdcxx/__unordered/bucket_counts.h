/**
 * How many buckets an unordered container has: the primes and the moments of growth of libstdc++ 12 (read off
 * std::__detail::_Prime_rehash_policy of g++ 12.2), which the order of iteration follows from.
 */
#ifndef LANEWISE_STD_BUCKET_COUNTS_H
#define LANEWISE_STD_BUCKET_COUNTS_H

#include <__config>
#include <__cstddef/size_t.h>

#pragma GCC system_header
_LIBCPP_BEGIN_NAMESPACE_STD

/** The least count of libstdc++'s that is not below `__wanted`. */
inline size_t __bucket_count_from(size_t __wanted) {
  static const unsigned char __small[] = {1, 2, 2, 3, 5, 5, 7, 7, 11, 11, 11, 11, 13, 13};
  static const unsigned __primes[] = {
      17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 103, 109, 113, 127, 137, 139, 149, 157, 167,
      179, 193, 199, 211, 227, 241, 257, 277, 293, 313, 337, 359, 383, 409, 439, 467, 503, 541, 577, 619, 661, 709, 761, 823, 887,
      953, 1031, 1109, 1193, 1289, 1381, 1493, 1613, 1741, 1879, 2029, 2179, 2357, 2549, 2753, 2971, 3209, 3469, 3739, 4027, 4349,
      4703, 5087, 5503, 5953, 6427, 6949, 7517, 8123, 8783, 9497, 10273, 11113, 12011, 12983, 14033, 15173, 16411, 17749, 19183,
      20753, 22447, 24281, 26267, 28411, 30727, 33223, 35933, 38873, 42043, 45481, 49201, 53201, 57557, 62233, 67307, 72817,
      78779, 85229, 92203, 99733, 107897, 116731, 126271, 136607, 147793, 159871, 172933, 187091, 202409, 218971, 236897, 256279,
      277261, 299951, 324503, 351061, 379787, 410857, 444487, 480881, 520241, 562841, 608903, 658753, 712697, 771049, 834181,
      902483, 976369, 1056323, 1142821, 1236397, 1337629, 1447153, 1565659, 1693859, 1832561, 1982627, 2144977, 2320627, 2510653,
      2716249, 2938679, 3179303, 3439651, 3721303, 4026031, 4355707, 4712381, 5098259, 5515729, 5967347, 6456007, 6984629,
      7556579, 8175383, 8844859, 9569143, 10352717, 11200489, 12117689, 13109983, 14183539, 15345007, 16601593, 17961079,
      19431899, 21023161, 22744717, 24607243, 26622317, 28802401, 31160981, 33712729, 36473443, 39460231, 42691603, 46187573,
      49969847, 54061849, 58488943, 63278561, 68460391, 74066549, 80131819, 86693767, 93793069, 101473717, 109783337, 118773397,
      128499677, 139022417, 150406843, 162723577, 176048909, 190465427, 206062531, 222936881, 241193053, 260944219, 282312799,
      305431229, 330442829, 357502601, 386778277, 418451333, 452718089, 489790921, 529899637, 573292817, 620239453, 671030513,
      725980837, 785430967, 849749479, 919334987, 994618837, 1076067617, 1164186217, 1259520799, 1362662261, 1474249943,
      1594975441, 1725587117, 1866894511, 2019773507, 2185171673, 2364114217, 2557710269, 2767159799, 2993761039, 3238918481,
      3504151727, 3791104843, 4101556399, 4294967291};
  if (__wanted < sizeof(__small))
    return __small[__wanted];
  size_t __first = 0;
  for (size_t __count = sizeof(__primes) / sizeof(*__primes) - 1; __count != 0;) {
    const size_t __half = __count / 2;
    if (__primes[__first + __half] < __wanted) {
      __first += __half + 1;
      __count -= __half + 1;
    } else {
      __count = __half;
    }
  }
  return __primes[__first];
}

/** When a container grows, and to how many buckets. */
class __bucket_policy {
public:
  explicit __bucket_policy(float __max_load = 1.0f) : __max_load_(__max_load) {}

  float __max_load() const { return __max_load_; }
  size_t __buckets_for(size_t __elements) const { return size_t(__builtin_ceil(__elements / double(__max_load_))); }

  /** Takes a count: the container is full when this many buckets are. */
  size_t __take(size_t __wanted) {
    const size_t __count = std::__bucket_count_from(__wanted);
    // Nothing is allocated yet: the first element brings more than one bucket.
    if (__wanted != 0)
      __capacity_ = __capacity_of(__count);
    return __count;
  }

  /** The count to which `__added` elements make a container grow, 0 if they find room. The first ones bring at least 13 buckets. */
  size_t __growth(size_t __buckets, size_t __elements, size_t __added) {
    size_t __total = __elements + __added;
    if (__total <= __capacity_)
      return 0;
    if (__capacity_ == 0 && __total < 11)
      __total = 11;
    const double __least = __total / double(__max_load_);
    if (__least < __buckets) {
      __capacity_ = __capacity_of(__buckets);
      return 0;
    }
    const size_t __wanted = size_t(__builtin_floor(__least)) + 1;
    return __take(__wanted < 2 * __buckets ? 2 * __buckets : __wanted);
  }

  void __forget() { __capacity_ = 0; }

private:
  size_t __capacity_of(size_t __buckets) const { return size_t(__builtin_floor(__buckets * double(__max_load_))); }

  float __max_load_;
  size_t __capacity_ = 0;
};

_LIBCPP_END_NAMESPACE_STD

#endif
