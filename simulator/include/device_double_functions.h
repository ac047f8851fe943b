/* Part of cuda_runtime.h here. */
#ifndef __DEVICE_DOUBLE_FUNCTIONS_H__
#define __DEVICE_DOUBLE_FUNCTIONS_H__
#include "cuda_runtime.h"
#endif
