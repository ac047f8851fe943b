/* Part of cuda_runtime.h here. */
#ifndef __cuda_occupancy_h__
#define __cuda_occupancy_h__
#include "cuda_runtime.h"
#endif
