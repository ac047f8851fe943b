#ifndef CURAND_UNIFORM_H_
#define CURAND_UNIFORM_H_
#include "curand_kernel.h"
#endif
