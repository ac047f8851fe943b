#pragma once
#pragma GCC system_header
#include <type_traits>

namespace thrust {
namespace detail {
using std::is_same; using std::is_integral; using std::is_floating_point; using std::is_arithmetic; using std::is_pointer; using std::is_signed;
using std::enable_if; using std::remove_const; using std::remove_reference; using std::integral_constant; using std::true_type; using std::false_type;
using std::is_convertible; using std::conditional; using std::make_unsigned;
}  // namespace detail
}  // namespace thrust
