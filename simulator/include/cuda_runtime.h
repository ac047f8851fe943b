/*
 * Every .cu file sees this header first, as with nvcc: keywords, types, built-in variables, device functions, and the runtime API with its
 * C++ overloads. Textures, surfaces and CUDA arrays are left out.
 */
#pragma once
#pragma GCC system_header

#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define __CUDACC_VER_BUILD__ 0
#define CUDA_VERSION 12080
#define __CUDA_API_VER_MAJOR__ 12
#define __CUDA_API_VER_MINOR__ 8
#define __CUDACC_EXTENDED_LAMBDA__ 1

#include "host_defines.h"
#include <assert.h>
#include <cmath>
#include <cstdlib>
#include <limits.h>
#include <math.h>
#include <new>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <utility>

/* Names that GNU's <sys/types.h>, which nvcc programs get on Linux, defines. */
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#include "vector_types.h"
#include "vector_functions.h"
#include "driver_types.h"
#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
#include "lanewise/common.h"
#include "lanewise/minmax.h"
#include "lanewise/device-math.h"
#include "lanewise/fast-math.h"
#include "lanewise/host-math.h"
#include "lanewise/intrinsics.h"
#include "lanewise/video.h"
#include "lanewise/warp.h"
#include "lanewise/atomics.h"
#include "lanewise/device-properties.h"
#include "lanewise/device-runtime.h"
#include "lanewise/runtime-templates.h"
