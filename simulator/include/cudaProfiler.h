/* Part of cuda.h here. */
#ifndef cuda_profiler_H
#define cuda_profiler_H
#include "cuda.h"
#endif
