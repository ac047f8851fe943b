/*
 * cuBLASLt: products of matrices with what follows them (bias, ReLU, GELU, their gradients), scales and batches, and changes of layout.
 * Descriptors are kept here; the simulator computes on the host (simulator/runtime/libraries/cublas/light.ts), and no launch counts it.
 * A function that is not here is left out.
 */
#ifndef __LANEWISE_CUBLASLT_H__
#define __LANEWISE_CUBLASLT_H__
#pragma GCC system_header
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "cublas_api.h"

typedef struct cublasLtContext* cublasLtHandle_t;

typedef enum {
  CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0, CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1, CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
  CUBLASLT_MATMUL_DESC_TRANSA = 3, CUBLASLT_MATMUL_DESC_TRANSB = 4, CUBLASLT_MATMUL_DESC_TRANSC = 5, CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7, CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13, CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14,
  CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
  CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23,
  CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24, CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26,
  CUBLASLT_MATMUL_DESC_A_SCALE_MODE = 31, CUBLASLT_MATMUL_DESC_B_SCALE_MODE = 32, CUBLASLT_MATMUL_DESC_C_SCALE_MODE = 33,
  CUBLASLT_MATMUL_DESC_D_SCALE_MODE = 34, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE = 35
} cublasLtMatmulDescAttributes_t;
typedef enum {
  CUBLASLT_MATRIX_LAYOUT_TYPE = 0, CUBLASLT_MATRIX_LAYOUT_ORDER = 1, CUBLASLT_MATRIX_LAYOUT_ROWS = 2, CUBLASLT_MATRIX_LAYOUT_COLS = 3,
  CUBLASLT_MATRIX_LAYOUT_LD = 4, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
  CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7
} cublasLtMatrixLayoutAttribute_t;
typedef enum {
  CUBLASLT_ORDER_COL = 0, CUBLASLT_ORDER_ROW = 1, CUBLASLT_ORDER_COL32 = 2, CUBLASLT_ORDER_COL4_4R2_8C = 3, CUBLASLT_ORDER_COL32_2R_4R4 = 4
} cublasLtOrder_t;
typedef enum {
  CUBLASLT_EPILOGUE_DEFAULT = 1, CUBLASLT_EPILOGUE_RELU = 2, CUBLASLT_EPILOGUE_RELU_AUX = 130, CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6, CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 134, CUBLASLT_EPILOGUE_DRELU = 136,
  CUBLASLT_EPILOGUE_DRELU_BGRAD = 152, CUBLASLT_EPILOGUE_GELU = 32, CUBLASLT_EPILOGUE_GELU_AUX = 160, CUBLASLT_EPILOGUE_GELU_BIAS = 36,
  CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 164, CUBLASLT_EPILOGUE_DGELU = 192, CUBLASLT_EPILOGUE_DGELU_BGRAD = 208,
  CUBLASLT_EPILOGUE_BGRADA = 256, CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;
typedef enum {
  CUBLASLT_POINTER_MODE_HOST = 0, CUBLASLT_POINTER_MODE_DEVICE = 1, CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3, CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4
} cublasLtPointerMode_t;
typedef enum { CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F = 0 } cublasLtMatmulMatrixScale_t;
typedef enum {
  CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
  CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9, CUBLASLT_MATMUL_PREF_IMPL_MASK = 12
} cublasLtMatmulPreferenceAttributes_t;
typedef enum { CUBLASLT_SEARCH_BEST_FIT = 0, CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID = 1 } cublasLtMatmulSearch_t;
typedef enum {
  CUBLASLT_REDUCTION_SCHEME_NONE = 0, CUBLASLT_REDUCTION_SCHEME_INPLACE = 1, CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE = 2,
  CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE = 4, CUBLASLT_REDUCTION_SCHEME_MASK = 7
} cublasLtReductionScheme_t;
typedef enum {
  CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE = 0, CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE = 1,
  CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA = 2, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB = 3
} cublasLtMatrixTransformDescAttributes_t;

/* Attributes by their numbers. */
typedef struct { int64_t values[40]; } cublasLtMatmulDescOpaque_t;
typedef struct { int64_t values[8]; } cublasLtMatrixLayoutOpaque_t;
typedef struct { int64_t values[13]; } cublasLtMatmulPreferenceOpaque_t;
typedef struct { int64_t values[4]; } cublasLtMatrixTransformDescOpaque_t;
typedef cublasLtMatmulDescOpaque_t* cublasLtMatmulDesc_t;
typedef cublasLtMatrixLayoutOpaque_t* cublasLtMatrixLayout_t;
typedef cublasLtMatmulPreferenceOpaque_t* cublasLtMatmulPreference_t;
typedef cublasLtMatrixTransformDescOpaque_t* cublasLtMatrixTransformDesc_t;
typedef struct { uint64_t data[8]; } cublasLtMatmulAlgo_t;
typedef struct {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
} cublasLtMatmulHeuristicResult_t;

extern "C" {
cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);
/* Nothing is computed where there is no alpha: only whether it can be is answered. */
cublasStatus_t __lanewise_cublasLtMatmul(cublasLtHandle_t handle, const int64_t* product, const int64_t* a, const int64_t* b, const int64_t* c, const int64_t* d, const void* alpha, const void* beta, const void* A, const void* B, const void* C, void* D);
cublasStatus_t __lanewise_cublasLtTransform(cublasLtHandle_t handle, const int64_t* transform, const int64_t* a, const int64_t* b, const int64_t* c, const void* alpha, const void* beta, const void* A, const void* B, void* C);
}

/* Attributes that the library keeps in 8 bytes, by bits; all others have 4, but one that has 1. */
#define __LANEWISE_LT_MATMUL_LONG 0x1be7d00ull
#define __LANEWISE_LT_LAYOUT_LONG 0xdcull
#define __LANEWISE_LT_PREFERENCE_LONG 0x1002ull
#define __LANEWISE_LT_FAST_ACCUM 25
inline size_t __lanewise_lt_bytes(unsigned attribute, uint64_t longs, int byte) {
  return (int)attribute == byte ? 1 : (longs >> attribute & 1) ? 8 : 4;
}
inline cublasStatus_t __lanewise_lt_set(int64_t* values, unsigned count, unsigned attribute, uint64_t longs, int byte, const void* from, size_t bytes) {
  if (!values || !from || attribute >= count || bytes != __lanewise_lt_bytes(attribute, longs, byte)) return CUBLAS_STATUS_INVALID_VALUE;
  int32_t word;
  if (bytes == 4) memcpy(&word, from, 4);
  if (bytes == 4) values[attribute] = word;
  else memcpy(&(values[attribute] = 0), from, bytes);
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t __lanewise_lt_get(const int64_t* values, unsigned count, unsigned attribute, uint64_t longs, int byte, void* to, size_t bytes, size_t* written) {
  if (!values || attribute >= count) return CUBLAS_STATUS_INVALID_VALUE;
  size_t needed = __lanewise_lt_bytes(attribute, longs, byte);
  if (written) *written = needed;
  if (bytes == 0 && written) return CUBLAS_STATUS_SUCCESS;
  if (!to || bytes != needed) return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(to, &values[attribute], bytes);
  return CUBLAS_STATUS_SUCCESS;
}

inline size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
inline size_t cublasLtGetCudartVersion() { return CUDART_VERSION; }
inline const char* cublasLtGetStatusName(cublasStatus_t status) { return cublasGetStatusName(status); }
inline const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasGetStatusString(status); }

inline cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t descriptor, cublasComputeType_t computeType, cudaDataType_t scaleType) {
  if (!descriptor) return CUBLAS_STATUS_INVALID_VALUE;
  memset(descriptor, 0, sizeof *descriptor);
  descriptor->values[CUBLASLT_MATMUL_DESC_COMPUTE_TYPE] = computeType;
  descriptor->values[CUBLASLT_MATMUL_DESC_SCALE_TYPE] = scaleType;
  descriptor->values[CUBLASLT_MATMUL_DESC_FILL_MODE] = CUBLAS_FILL_MODE_FULL;
  descriptor->values[CUBLASLT_MATMUL_DESC_EPILOGUE] = CUBLASLT_EPILOGUE_DEFAULT;
  descriptor->values[CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE] = descriptor->values[CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE] = -1;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* descriptor, cublasComputeType_t computeType, cudaDataType_t scaleType) {
  return descriptor ? cublasLtMatmulDescInit(*descriptor = new cublasLtMatmulDescOpaque_t, computeType, scaleType) : CUBLAS_STATUS_INVALID_VALUE;
}
inline cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t descriptor) { delete descriptor; return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t descriptor, cublasLtMatmulDescAttributes_t attribute, const void* value, size_t bytes) {
  return __lanewise_lt_set(descriptor ? descriptor->values : nullptr, 40, attribute, __LANEWISE_LT_MATMUL_LONG, __LANEWISE_LT_FAST_ACCUM, value, bytes);
}
inline cublasStatus_t cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t descriptor, cublasLtMatmulDescAttributes_t attribute, void* value, size_t bytes, size_t* written) {
  return __lanewise_lt_get(descriptor ? descriptor->values : nullptr, 40, attribute, __LANEWISE_LT_MATMUL_LONG, __LANEWISE_LT_FAST_ACCUM, value, bytes, written);
}

inline cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld) {
  if (!layout) return CUBLAS_STATUS_INVALID_VALUE;
  int64_t values[8] = {type, CUBLASLT_ORDER_COL, (int64_t)rows, (int64_t)columns, ld, 1, 0, 0};
  memcpy(layout->values, values, sizeof values);
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows, uint64_t columns, int64_t ld) {
  return layout ? cublasLtMatrixLayoutInit(*layout = new cublasLtMatrixLayoutOpaque_t, type, rows, columns, ld) : CUBLAS_STATUS_INVALID_VALUE;
}
inline cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) { delete layout; return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, const void* value, size_t bytes) {
  return __lanewise_lt_set(layout ? layout->values : nullptr, 8, attribute, __LANEWISE_LT_LAYOUT_LONG, -1, value, bytes);
}
inline cublasStatus_t cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, void* value, size_t bytes, size_t* written) {
  return __lanewise_lt_get(layout ? layout->values : nullptr, 8, attribute, __LANEWISE_LT_LAYOUT_LONG, -1, value, bytes, written);
}

inline cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference) {
  if (!preference) return CUBLAS_STATUS_INVALID_VALUE;
  memset(preference, 0, sizeof *preference);
  preference->values[CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK] = CUBLASLT_REDUCTION_SCHEME_MASK;
  for (int k = CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES; k <= CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES; ++k) preference->values[k] = 256;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return preference ? cublasLtMatmulPreferenceInit(*preference = new cublasLtMatmulPreferenceOpaque_t) : CUBLAS_STATUS_INVALID_VALUE;
}
inline cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) { delete preference; return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute, const void* value, size_t bytes) {
  return __lanewise_lt_set(preference ? preference->values : nullptr, 13, attribute, __LANEWISE_LT_PREFERENCE_LONG, -1, value, bytes);
}
inline cublasStatus_t cublasLtMatmulPreferenceGetAttribute(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute, void* value, size_t bytes, size_t* written) {
  return __lanewise_lt_get(preference ? preference->values : nullptr, 13, attribute, __LANEWISE_LT_PREFERENCE_LONG, -1, value, bytes, written);
}

/* One way to compute each product: it needs no workspace. */
inline cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t product, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t preference, int requested, cublasLtMatmulHeuristicResult_t results[], int* returned) {
  if (!product || !a || !b || !c || !d || !preference || !results || !returned || requested < 1) return CUBLAS_STATUS_INVALID_VALUE;
  cublasStatus_t status = __lanewise_cublasLtMatmul(handle, product->values, a->values, b->values, c->values, d->values, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  *returned = status == CUBLAS_STATUS_SUCCESS;
  memset(results, 0, sizeof *results);
  results->state = status;
  results->wavesCount = 1;
  return status;
}
inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product, const void* alpha, const void* A, cublasLtMatrixLayout_t a, const void* B, cublasLtMatrixLayout_t b, const void* beta, const void* C, cublasLtMatrixLayout_t c, void* D, cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t*, void*, size_t, cudaStream_t) {
  if (!product || !alpha || !beta || !a || !b || !c || !d) return CUBLAS_STATUS_INVALID_VALUE;
  return __lanewise_cublasLtMatmul(handle, product->values, a->values, b->values, c->values, d->values, alpha, beta, A, B, C, D);
}

inline cublasStatus_t cublasLtMatrixTransformDescInit(cublasLtMatrixTransformDesc_t descriptor, cudaDataType scaleType) {
  if (!descriptor) return CUBLAS_STATUS_INVALID_VALUE;
  memset(descriptor, 0, sizeof *descriptor);
  descriptor->values[CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE] = scaleType;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* descriptor, cudaDataType scaleType) {
  return descriptor ? cublasLtMatrixTransformDescInit(*descriptor = new cublasLtMatrixTransformDescOpaque_t, scaleType) : CUBLAS_STATUS_INVALID_VALUE;
}
inline cublasStatus_t cublasLtMatrixTransformDescDestroy(cublasLtMatrixTransformDesc_t descriptor) { delete descriptor; return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasLtMatrixTransformDescSetAttribute(cublasLtMatrixTransformDesc_t descriptor, cublasLtMatrixTransformDescAttributes_t attribute, const void* value, size_t bytes) {
  return __lanewise_lt_set(descriptor ? descriptor->values : nullptr, 4, attribute, 0, -1, value, bytes);
}
inline cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t handle, cublasLtMatrixTransformDesc_t transform, const void* alpha, const void* A, cublasLtMatrixLayout_t a, const void* beta, const void* B, cublasLtMatrixLayout_t b, void* C, cublasLtMatrixLayout_t c, cudaStream_t) {
  if (!transform || !alpha || !beta || !a || !c) return CUBLAS_STATUS_INVALID_VALUE;
  return __lanewise_cublasLtTransform(handle, transform->values, a->values, b ? b->values : nullptr, c->values, alpha, beta, A, B, C);
}
#endif
