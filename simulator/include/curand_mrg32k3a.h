#ifndef CURAND_MRG32K3A_MATRICES_H_
#define CURAND_MRG32K3A_MATRICES_H_
#include "curand_kernel.h"
#endif
