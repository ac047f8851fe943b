#ifndef CURAND_PHILOX4X32_X__H_
#define CURAND_PHILOX4X32_X__H_
#include "curand_kernel.h"
#endif
