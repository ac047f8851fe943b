/*
 * Every .cu file sees this header first, as with nvcc: keywords, types, built-in variables, device functions, and the runtime API with its
 * C++ overloads. A .cpp file that includes it sees what is for the host, and a .c file what of that is C.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__
#pragma GCC system_header

#ifdef __CUDA__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
/* nvcc leaves this to cuda.h; Clang defines it always, and NVIDIA's CCCL relies on that. */
#define CUDA_VERSION 12080
#endif
#define __CUDA_API_VER_MAJOR__ 12
#define __CUDA_API_VER_MINOR__ 8

#include "host_defines.h"
#include <assert.h>
#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>
#endif
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Names that GNU's <sys/types.h>, which nvcc programs get on Linux, defines. */
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#include "vector_types.h"
#include "vector_functions.h"
#include "vector_functions.hpp"
#include "library_types.h"
#include "driver_types.h"
#include "cuda_runtime_api.h"
#include "channel_descriptor.h"
#ifdef __CUDA__
#include "device_launch_parameters.h"
#include "lanewise/common.h"
#include "lanewise/minmax.h"
#include "lanewise/device-math.h"
#include "lanewise/fast-math.h"
#include "lanewise/host-math.h"
#include "lanewise/intrinsics.h"
#include "lanewise/video.h"
#include "lanewise/dpx.h"
#include "lanewise/warp.h"
#include "lanewise/atomics.h"
#include "lanewise/textures.h"
#ifdef __LANEWISE_TEXTURE_REFERENCES
#include "lanewise/texture-references.h"
#endif
#include "lanewise/device-runtime.h"
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
extern "C" int __lanewise_per_thread_default_stream(void);
static const int __lanewise_default_stream = __lanewise_per_thread_default_stream();
#endif
/* NVIDIA's has these in files of their own. Their guards are defined here, because programs ask for them. */
#include "common_functions.h"
#include "device_atomic_functions.h"
#include "device_double_functions.h"
#include "device_functions.h"
#include "math_functions.h"
#include "sm_20_atomic_functions.h"
#include "sm_20_intrinsics.h"
#include "sm_30_intrinsics.h"
#include "sm_32_atomic_functions.h"
#include "sm_32_intrinsics.h"
#include "sm_35_atomic_functions.h"
#include "sm_35_intrinsics.h"
#include "sm_60_atomic_functions.h"
#include "sm_61_intrinsics.h"
#include "surface_indirect_functions.h"
#include "texture_indirect_functions.h"
#endif
#include "lanewise/device-properties.h"
#ifdef __cplusplus
#include "lanewise/runtime-templates.h"
#endif
#endif
