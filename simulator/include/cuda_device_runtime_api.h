/* Part of cuda_runtime_api.h here. */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__
#include "cuda_runtime_api.h"
#endif
