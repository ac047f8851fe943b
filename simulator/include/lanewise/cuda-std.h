/* cuda::std is the standard library, whose constexpr functions and templates both sides can call. What libcu++ has of its own, or what
   the standard library has for the host alone, is declared in cuda::std itself and found before. */
#pragma once
#include "../cuda_runtime.h"

namespace std {}
namespace cuda {
namespace std {
using namespace ::std;
}  // namespace std
}  // namespace cuda
