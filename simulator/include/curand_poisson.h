#ifndef CURAND_POISSON_H_
#define CURAND_POISSON_H_
#include "curand_kernel.h"
#endif
