/* Vectors in managed memory, whose elements the host gets at as the device does. */
#pragma once
#pragma GCC system_header
#include "detail/vector.h"

namespace thrust {

template <class T, class A = universal_allocator<T>> class universal_vector : public detail::vector_of<T, A> {
  typedef detail::vector_of<T, A> base;

 public:
  using base::base;
  using base::operator=;
  universal_vector() = default;
  universal_vector(std::initializer_list<T> values) : base(values) {}
  universal_vector& operator=(std::initializer_list<T> values) { return this->assign(values.begin(), values.end()), *this; }
};
template <class I> universal_vector(I, I) -> universal_vector<typename std::iterator_traits<I>::value_type>;
/* Of memory of the host, which the device sees. */
template <class T> using universal_host_pinned_vector = universal_vector<T, universal_host_pinned_allocator<T>>;

}  // namespace thrust
