#pragma once
#pragma GCC system_header
#include "detail/core.h"

namespace thrust {

template <class T> void device_delete(device_ptr<T> p, std::size_t = 0) { device_free(p); }

}  // namespace thrust
