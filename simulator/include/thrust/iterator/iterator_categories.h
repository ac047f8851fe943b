/* How far iterators move at once, and where what they refer to lies. */
#pragma once
#pragma GCC system_header
#include "../detail/core.h"

namespace thrust {

struct incrementable_traversal_tag {};
struct single_pass_traversal_tag : incrementable_traversal_tag {};
struct forward_traversal_tag : single_pass_traversal_tag {};
struct bidirectional_traversal_tag : forward_traversal_tag {};
struct random_access_traversal_tag : bidirectional_traversal_tag {};
typedef std::input_iterator_tag input_host_iterator_tag, input_device_iterator_tag;
typedef std::output_iterator_tag output_host_iterator_tag, output_device_iterator_tag;
typedef std::forward_iterator_tag forward_host_iterator_tag, forward_device_iterator_tag;
typedef std::bidirectional_iterator_tag bidirectional_host_iterator_tag, bidirectional_device_iterator_tag;
typedef std::random_access_iterator_tag random_access_host_iterator_tag, random_access_device_iterator_tag, random_access_universal_iterator_tag;

namespace detail {
/* The standard's word for it. Whatever says nothing, or is the standard's already, is taken for one of random access. */
template <class T> struct std_category_of { typedef std::random_access_iterator_tag type; };
template <> struct std_category_of<single_pass_traversal_tag> { typedef std::input_iterator_tag type; };
template <> struct std_category_of<forward_traversal_tag> { typedef std::forward_iterator_tag type; };
template <> struct std_category_of<bidirectional_traversal_tag> { typedef std::bidirectional_iterator_tag type; };
template <class T> using std_category = typename std_category_of<T>::type;
}  // namespace detail

template <class I> struct iterator_system {
  typedef typename std::conditional<detail::is_device<I>::value, device_system_tag, typename std::conditional<detail::is_neutral<I>::value, any_system_tag, host_system_tag>::type>::type type;
};
template <class I> struct iterator_traversal { typedef random_access_traversal_tag type; };

}  // namespace thrust
