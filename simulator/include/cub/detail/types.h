/* CUB's functors and what it knows of types. */
#pragma once
#pragma GCC system_header
#include "../../lanewise/number-bits.h"
#include <cfloat>
#include <limits>
#include <type_traits>

namespace cub {

struct Sum { template <class T, class U> __host__ __device__ auto operator()(const T& a, const U& b) const { return a + b; } };
struct Difference { template <class T, class U> __host__ __device__ auto operator()(const T& a, const U& b) const { return a - b; } };
struct Division { template <class T, class U> __host__ __device__ auto operator()(const T& a, const U& b) const { return a / b; } };
struct Max { template <class T, class U> __host__ __device__ std::common_type_t<T, U> operator()(const T& a, const U& b) const { return a < b ? b : a; } };
struct Min { template <class T, class U> __host__ __device__ std::common_type_t<T, U> operator()(const T& a, const U& b) const { return b < a ? b : a; } };
struct Equality { template <class T> __host__ __device__ bool operator()(const T& a, const T& b) const { return a == b; } };
struct Inequality { template <class T> __host__ __device__ bool operator()(const T& a, const T& b) const { return a != b; } };
template <class K, class V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  KeyValuePair() = default;
  __host__ __device__ KeyValuePair(const K& k, const V& v) : key(k), value(v) {}
  __host__ __device__ bool operator!=(const KeyValuePair& b) const { return value != b.value || key != b.key; }
};
/* Of equal values the one with the lower key. */
struct ArgMax {
  template <class T, class K> __host__ __device__ KeyValuePair<K, T> operator()(const KeyValuePair<K, T>& a, const KeyValuePair<K, T>& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class T, class K> __host__ __device__ KeyValuePair<K, T> operator()(const KeyValuePair<K, T>& a, const KeyValuePair<K, T>& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
template <class E> struct InequalityWrapper {
  E op;
  __host__ __device__ InequalityWrapper(E op) : op(op) {}
  template <class T, class U> __host__ __device__ bool operator()(const T& a, const U& b) { return !op(a, b); }
};
template <class B> struct CastOp { template <class A> __host__ __device__ B operator()(const A& a) const { return (B)a; } };
template <class Op> class SwizzleScanOp {
  Op op;

 public:
  __host__ __device__ SwizzleScanOp(Op op) : op(op) {}
  template <class T> __host__ __device__ T operator()(const T& a, const T& b) { return op(b, a); }
};
/* Sums that start again where the key, or the flag in its place, says so. */
template <class Op> struct ReduceBySegmentOp {
  Op op;
  ReduceBySegmentOp() = default;
  __host__ __device__ ReduceBySegmentOp(Op op) : op(op) {}
  template <class P> __host__ __device__ P operator()(const P& a, const P& b) {
    P sum;
    sum.key = a.key + b.key;
    sum.value = b.key ? b.value : op(a.value, b.value);
    return sum;
  }
};
template <class Op> struct ReduceByKeyOp {
  Op op;
  ReduceByKeyOp() = default;
  __host__ __device__ ReduceByKeyOp(Op op) : op(op) {}
  template <class P> __host__ __device__ P operator()(const P& a, const P& b) {
    P sum = b;
    if (a.key == b.key) sum.value = op(a.value, b.value);
    return sum;
  }
};

struct NullType {
  template <class T> __host__ __device__ NullType& operator=(const T&) { return *this; }
  __host__ __device__ bool operator==(const NullType&) const { return true; }
  __host__ __device__ bool operator!=(const NullType&) const { return false; }
};
template <int A> struct Int2Type { enum { VALUE = A }; };
template <bool condition, class A, class B> struct If { typedef std::conditional_t<condition, A, B> Type; };
template <class A, class B> struct Equals { enum { VALUE = std::is_same<A, B>::value, NEGATE = !VALUE }; };
template <int N> struct PowerOfTwo { enum { VALUE = (N & (N - 1)) == 0 }; };
template <int N> struct Log2 {
  static constexpr int of(int n) { return n <= 1 ? 0 : 1 + of((n + 1) / 2); }
  enum { VALUE = of(N) };
};
template <class T> struct alignas(T) Uninitialized {
  unsigned char bytes[sizeof(T)];
  __host__ __device__ T& Alias() { return (T&)*this; }
};
template <class T, class = void> struct RemoveQualifiers { typedef std::remove_cv_t<T> Type; };

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

/* A number's bits, and how they become bits in the numbers' order. */
template <class T> struct Traits {
  static constexpr bool isNumber = std::is_integral<T>::value || __lanewise_is_float<T>;
  static constexpr Category CATEGORY = __lanewise_is_float<T> ? FLOATING_POINT : !isNumber ? NOT_A_NUMBER : __lanewise_is_signed<T> ? SIGNED_INTEGER : UNSIGNED_INTEGER;
  enum { PRIMITIVE = isNumber, NULL_TYPE = std::is_same<T, NullType>::value };
  typedef typename __lanewise_word<sizeof(T)>::type UnsignedBits;
  static constexpr UnsignedBits HIGH_BIT = (UnsignedBits)((UnsignedBits)1 << (8 * sizeof(UnsignedBits) - 1));
  static __host__ __device__ __forceinline__ UnsignedBits TwiddleIn(UnsignedBits key) {
    if constexpr (CATEGORY == FLOATING_POINT) return key & HIGH_BIT ? (UnsignedBits)~key : (UnsignedBits)(key ^ HIGH_BIT);
    else if constexpr (CATEGORY == SIGNED_INTEGER) return key ^ HIGH_BIT;
    else return key;
  }
  static __host__ __device__ __forceinline__ UnsignedBits TwiddleOut(UnsignedBits key) {
    if constexpr (CATEGORY == FLOATING_POINT) return key & HIGH_BIT ? (UnsignedBits)(key ^ HIGH_BIT) : (UnsignedBits)~key;
    else if constexpr (CATEGORY == SIGNED_INTEGER) return key ^ HIGH_BIT;
    else return key;
  }
  static __host__ __device__ __forceinline__ T Max() { return std::numeric_limits<T>::max(); }
  static __host__ __device__ __forceinline__ T Lowest() { return std::numeric_limits<T>::lowest(); }
};
template <class T> using NumericTraits = Traits<T>;

}  // namespace cub
