#ifndef __CUDA_BF16_HPP__
#define __CUDA_BF16_HPP__
#include "cuda_bf16.h"
#endif
