/* Part of cuda_runtime.h here. */
#ifndef __DRIVER_FUNCTIONS_H__
#define __DRIVER_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
