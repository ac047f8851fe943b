/* Part of cuda_runtime.h here. */
#ifndef __CUDA_PROFILER_API_H__
#define __CUDA_PROFILER_API_H__
#include "cuda_runtime.h"
#endif
