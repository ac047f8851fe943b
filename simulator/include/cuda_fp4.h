/* Numbers of 4 bits: __nv_fp4_e2m1 (two bits of exponent, one of fraction), two of them in a byte, four in two bytes, and conversions. */
#ifndef __CUDA_FP4_H__
#define __CUDA_FP4_H__
#pragma GCC system_header
#include "lanewise/cxx-only.h"
#ifdef __cplusplus
#include "lanewise/tiny-float.h"

typedef __nv_fp8_storage_t __nv_fp4_storage_t;
typedef __nv_fp8_storage_t __nv_fp4x2_storage_t;
typedef __nv_fp8x2_storage_t __nv_fp4x4_storage_t;
typedef enum __nv_fp4_interpretation_t { __NV_E2M1 } __nv_fp4_interpretation_t;

#define __LANEWISE_TINY_STEP 4
__LANEWISE_TINY_CONVERSIONS(__nv_fp4, fp4, __nv_fp4_interpretation_t, 1, 0, 7)
__LANEWISE_TINY_CLASSES(__nv_fp4, fp4, __nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1, __NV_E2M1, 7)
#undef __LANEWISE_TINY_STEP
#endif
#endif
