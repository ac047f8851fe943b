#pragma once
#pragma GCC system_header
#include "lanewise/simd.h"
