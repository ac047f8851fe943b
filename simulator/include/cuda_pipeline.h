/* Asynchronous copies' functions. NVIDIA's header also has an experimental class from before libcu++'s cuda::pipeline; this one has not. */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_
#include "cuda_pipeline_primitives.h"
#endif
