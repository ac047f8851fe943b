#ifndef CURAND_LOGNORMAL_H_
#define CURAND_LOGNORMAL_H_
#include "curand_kernel.h"
#endif
