/*
 * Numbers of 6 bits: __nv_fp6_e3m2 (three bits of exponent, two of fraction) and __nv_fp6_e2m3, each in a byte of its own, pairs and
 * quadruples of them, and conversions.
 */
#ifndef __CUDA_FP6_H__
#define __CUDA_FP6_H__
#pragma GCC system_header
#include "lanewise/cxx-only.h"
#ifdef __cplusplus
#include "lanewise/tiny-float.h"

typedef __nv_fp8_storage_t __nv_fp6_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp6x2_storage_t;
typedef __nv_fp8x4_storage_t __nv_fp6x4_storage_t;
typedef enum __nv_fp6_interpretation_t { __NV_E2M3, __NV_E3M2 } __nv_fp6_interpretation_t;

#define __LANEWISE_TINY_STEP 8
__LANEWISE_TINY_CONVERSIONS(__nv_fp6, fp6, __nv_fp6_interpretation_t, kind == __NV_E3M2 ? 2 : 3, kind == __NV_E3M2 ? -2 : 0, 31)
__LANEWISE_TINY_CLASSES(__nv_fp6, fp6, __nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2, __NV_E3M2, 31)
__LANEWISE_TINY_CLASSES(__nv_fp6, fp6, __nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3, __NV_E2M3, 31)
#undef __LANEWISE_TINY_STEP
#endif
#endif
