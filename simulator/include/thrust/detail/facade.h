/* What random access iterators have in common: a class says how it moves, how far it is from another, and what it refers to. */
#pragma once
#pragma GCC system_header
#include "core.h"

namespace thrust {
namespace detail {

template <class Self, class Value, class Reference, class Difference = std::ptrdiff_t> class facade {
 public:
  typedef std::random_access_iterator_tag iterator_category;
  typedef Value value_type;
  typedef Difference difference_type;
  typedef Value* pointer;
  typedef Reference reference;
  __host__ __device__ Reference operator*() const { return self().refer(0); }
  __host__ __device__ Reference operator[](Difference n) const { return self().refer(n); }
  __host__ __device__ Self& operator++() { self().move(1); return self(); }
  __host__ __device__ Self operator++(int) { Self old = self(); self().move(1); return old; }
  __host__ __device__ Self& operator--() { self().move(-1); return self(); }
  __host__ __device__ Self operator--(int) { Self old = self(); self().move(-1); return old; }
  __host__ __device__ Self& operator+=(Difference n) { self().move(n); return self(); }
  __host__ __device__ Self& operator-=(Difference n) { self().move(-n); return self(); }
  __host__ __device__ friend Self operator+(Self a, Difference n) { return a += n; }
  __host__ __device__ friend Self operator+(Difference n, Self a) { return a += n; }
  __host__ __device__ friend Self operator-(Self a, Difference n) { return a -= n; }
  __host__ __device__ friend Difference operator-(const Self& a, const Self& b) { return a.distance(b); }
  __host__ __device__ friend bool operator==(const Self& a, const Self& b) { return a.distance(b) == 0; }
  __host__ __device__ friend bool operator!=(const Self& a, const Self& b) { return a.distance(b) != 0; }
  __host__ __device__ friend bool operator<(const Self& a, const Self& b) { return a.distance(b) < 0; }
  __host__ __device__ friend bool operator>(const Self& a, const Self& b) { return a.distance(b) > 0; }
  __host__ __device__ friend bool operator<=(const Self& a, const Self& b) { return a.distance(b) <= 0; }
  __host__ __device__ friend bool operator>=(const Self& a, const Self& b) { return a.distance(b) >= 0; }

 private:
  __host__ __device__ Self& self() { return *static_cast<Self*>(this); }
  __host__ __device__ const Self& self() const { return *static_cast<const Self*>(this); }
};

}  // namespace detail
}  // namespace thrust
