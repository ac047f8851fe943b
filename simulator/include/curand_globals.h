#ifndef CURAND_GLOBALS_H
#define CURAND_GLOBALS_H
#include "curand_kernel.h"
#endif
