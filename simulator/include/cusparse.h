/*
 * cuSPARSE: the basics of its generic API. The simulator computes them on the host (simulator/runtime/libraries/cusparse.ts); no launch
 * counts them. A function that is not here is left out, among them all that solve on the arrays of one format (gtsv2), and csric02.
 */
#ifndef CUSPARSE_H_
#define CUSPARSE_H_
#pragma GCC system_header
#include "lanewise/cxx-only.h"
#ifdef __cplusplus
#include "cuda_runtime.h"
#include "cuComplex.h"
#include "library_types.h"
#include <stdint.h>

/* Public code asks for this one. */
#define CUSPARSEAPI
#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 6
#define CUSPARSE_VER_PATCH 3
#define CUSPARSE_VER_BUILD 3
#define CUSPARSE_VERSION (CUSPARSE_VER_MAJOR * 1000 + CUSPARSE_VER_MINOR * 100 + CUSPARSE_VER_PATCH)

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0, CUSPARSE_STATUS_NOT_INITIALIZED = 1, CUSPARSE_STATUS_ALLOC_FAILED = 2, CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4, CUSPARSE_STATUS_MAPPING_ERROR = 5, CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7, CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8, CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum { CUSPARSE_MATRIX_TYPE_GENERAL = 0, CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1, CUSPARSE_MATRIX_TYPE_HERMITIAN = 2, CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3 } cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum { CUSPARSE_OPERATION_NON_TRANSPOSE = 0, CUSPARSE_OPERATION_TRANSPOSE = 1, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2 } cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0, CUSPARSE_SPMV_COO_ALG1 = 1, CUSPARSE_SPMV_CSR_ALG1 = 2, CUSPARSE_SPMV_CSR_ALG2 = 3, CUSPARSE_SPMV_COO_ALG2 = 4,
  /* Names before CUDA 12. */
  CUSPARSE_MV_ALG_DEFAULT = 0, CUSPARSE_COOMV_ALG = 1, CUSPARSE_CSRMV_ALG1 = 2, CUSPARSE_CSRMV_ALG2 = 3
} cusparseSpMVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0, CUSPARSE_SPMM_COO_ALG1 = 1, CUSPARSE_SPMM_COO_ALG2 = 2, CUSPARSE_SPMM_COO_ALG3 = 3, CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_COO_ALG4 = 5, CUSPARSE_SPMM_CSR_ALG2 = 6, CUSPARSE_SPMM_CSR_ALG3 = 12,
  /* Names before CUDA 12. */
  CUSPARSE_MM_ALG_DEFAULT = 0, CUSPARSE_COOMM_ALG1 = 1, CUSPARSE_COOMM_ALG2 = 2, CUSPARSE_COOMM_ALG3 = 3, CUSPARSE_CSRMM_ALG1 = 4
} cusparseSpMMAlg_t;
typedef enum {
  CUSPARSE_SPGEMM_DEFAULT = 0, CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1, CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2, CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4, CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1 } cusparseCsr2CscAlg_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0, CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1 } cusparseSolvePolicy_t;
typedef struct csrilu02Info* csrilu02Info_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;

typedef struct cusparseContext* cusparseHandle_t;
typedef struct cusparseSpMatDescr* cusparseSpMatDescr_t;
typedef struct cusparseSpVecDescr* cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr* cusparseDnVecDescr_t;
typedef struct cusparseDnMatDescr* cusparseDnMatDescr_t;
typedef struct cusparseSpMatDescr const* cusparseConstSpMatDescr_t;
typedef struct cusparseSpVecDescr const* cusparseConstSpVecDescr_t;
typedef struct cusparseDnVecDescr const* cusparseConstDnVecDescr_t;
typedef struct cusparseDnMatDescr const* cusparseConstDnMatDescr_t;
typedef struct cusparseSpSVDescr { int unused; }* cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr { int unused; }* cusparseSpSMDescr_t;
typedef struct cusparseSpGEMMDescr* cusparseSpGEMMDescr_t;
typedef struct cusparseMatDescr {
  cusparseMatrixType_t type;
  cusparseFillMode_t fill;
  cusparseDiagType_t diagonal;
  cusparseIndexBase_t base;
}* cusparseMatDescr_t;

extern "C" {
cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode);

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* a, int64_t rows, int64_t columns, int64_t count, void* offsets, void* indices, void* values, cusparseIndexType_t offsetType, cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* a, int64_t rows, int64_t columns, int64_t count, void* offsets, void* indices, void* values, cusparseIndexType_t offsetType, cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* a, int64_t rows, int64_t columns, int64_t count, void* rowIndices, void* columnIndices, void* values, cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t a);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t a, int64_t* rows, int64_t* columns, int64_t* count);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t a, void* offsets, void* indices, void* values);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t a, void* offsets, void* indices, void* values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t a, void* rowIndices, void* columnIndices, void* values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t a, void* values);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t a, void** values);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t a, cusparseSpMatAttribute_t attribute, const void* data, size_t bytes);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* x, int64_t size, void* values, cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t x);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t x, void* values);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t x, void** values);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* a, int64_t rows, int64_t columns, int64_t ld, void* values, cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t a);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t a, void* values);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t a, void** values);
cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* x, int64_t size, int64_t count, void* indices, void* values, cusparseIndexType_t indexType, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t x);

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm, size_t* bytes);
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t algorithm, size_t* bytes);
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t descriptor, size_t* bytes);
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t descriptor, void* buffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t algorithm, cusparseSpSVDescr_t descriptor);
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descriptor, size_t* bytes);
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descriptor, void* buffer);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t algorithm, cusparseSpSMDescr_t descriptor);
cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSDDMMAlg_t algorithm, size_t* bytes);
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSDDMMAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSDDMMAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* descriptor);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t descriptor);
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descriptor, size_t* bytes, void* buffer);
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descriptor, size_t* bytes, void* buffer);
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t opA, cusparseOperation_t opB, const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void* beta, cusparseSpMatDescr_t c, cudaDataType compute, cusparseSpGEMMAlg_t algorithm, cusparseSpGEMMDescr_t descriptor);
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm, size_t* bytes);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm, size_t* bytes);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha, cusparseConstSpVecDescr_t x, const void* beta, cusparseDnVecDescr_t y);
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y, const void* result, cudaDataType computeType, size_t* bytes);
cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t op, cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y, void* result, cudaDataType computeType, void* buffer);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* rowIndices, int count, int rows, int* offsets, cusparseIndexBase_t base);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* offsets, int count, int rows, int* rowIndices, cusparseIndexBase_t base);
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int rows, int columns, int count, const void* values, const int* offsets, const int* columnIndices, void* toValues, int* toOffsets, int* toIndices, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm, size_t* bytes);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int rows, int columns, int count, const void* values, const int* offsets, const int* columnIndices, void* toValues, int* toOffsets, int* toIndices, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base, cusparseCsr2CscAlg_t algorithm, void* buffer);
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* p);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int rows, int columns, int count, const int* offsets, const int* columnIndices, size_t* bytes);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int rows, int columns, int count, const cusparseMatDescr_t descriptor, const int* offsets, int* columnIndices, int* p, void* buffer);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int* position);
cusparseStatus_t cusparseScsrilu02_bufferSize(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, float* values, const int* offsets, const int* columnIndices, csrilu02Info_t info, int* bytes);
cusparseStatus_t cusparseScsrilu02_analysis(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, const float* values, const int* offsets, const int* columnIndices, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseScsrilu02(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, float* values, const int* offsets, const int* columnIndices, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseDcsrilu02_bufferSize(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, double* values, const int* offsets, const int* columnIndices, csrilu02Info_t info, int* bytes);
cusparseStatus_t cusparseDcsrilu02_analysis(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, const double* values, const int* offsets, const int* columnIndices, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseDcsrilu02(cusparseHandle_t handle, int rows, int count, const cusparseMatDescr_t descriptor, double* values, const int* offsets, const int* columnIndices, csrilu02Info_t info, cusparseSolvePolicy_t policy, void* buffer);
cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x);
cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y);
}

inline cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descriptor) { *descriptor = new cusparseSpSVDescr(); return CUSPARSE_STATUS_SUCCESS; }
inline cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor) { delete descriptor; return CUSPARSE_STATUS_SUCCESS; }
inline cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descriptor) { *descriptor = new cusparseSpSMDescr(); return CUSPARSE_STATUS_SUCCESS; }
inline cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descriptor) { delete descriptor; return CUSPARSE_STATUS_SUCCESS; }
inline cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int* version) { *version = CUSPARSE_VERSION; return CUSPARSE_STATUS_SUCCESS; }
inline cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descriptor) { *descriptor = new cusparseMatDescr(); return CUSPARSE_STATUS_SUCCESS; }
inline cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor) { delete descriptor; return CUSPARSE_STATUS_SUCCESS; }
inline cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descriptor, cusparseMatrixType_t type) { descriptor->type = type; return CUSPARSE_STATUS_SUCCESS; }
inline cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descriptor) { return descriptor->type; }
inline cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descriptor, cusparseFillMode_t fill) { descriptor->fill = fill; return CUSPARSE_STATUS_SUCCESS; }
inline cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descriptor) { return descriptor->fill; }
inline cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descriptor, cusparseDiagType_t type) { descriptor->diagonal = type; return CUSPARSE_STATUS_SUCCESS; }
inline cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descriptor) { return descriptor->diagonal; }
inline cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descriptor, cusparseIndexBase_t base) { descriptor->base = base; return CUSPARSE_STATUS_SUCCESS; }
inline cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descriptor) { return descriptor->base; }

#define __LANEWISE_CUSPARSE(word, text) case CUSPARSE_STATUS_##word: return wantsName ? "CUSPARSE_STATUS_" #word : text;
inline const char* __lanewise_cusparse_error(cusparseStatus_t status, bool wantsName) {
  switch (status) {
    __LANEWISE_CUSPARSE(SUCCESS, "success")
    __LANEWISE_CUSPARSE(NOT_INITIALIZED, "initialization error")
    __LANEWISE_CUSPARSE(ALLOC_FAILED, "out of memory")
    __LANEWISE_CUSPARSE(INVALID_VALUE, "invalid value")
    __LANEWISE_CUSPARSE(ARCH_MISMATCH, "architecture mismatch")
    __LANEWISE_CUSPARSE(MAPPING_ERROR, "memory mapping error")
    __LANEWISE_CUSPARSE(EXECUTION_FAILED, "kernel launch failure")
    __LANEWISE_CUSPARSE(INTERNAL_ERROR, "internal error")
    __LANEWISE_CUSPARSE(MATRIX_TYPE_NOT_SUPPORTED, "matrix type not supported")
    __LANEWISE_CUSPARSE(ZERO_PIVOT, "zero pivot")
    __LANEWISE_CUSPARSE(NOT_SUPPORTED, "operation not supported")
    __LANEWISE_CUSPARSE(INSUFFICIENT_RESOURCES, "insufficient resources")
  }
  return "unknown error";
}
#undef __LANEWISE_CUSPARSE
inline const char* cusparseGetErrorString(cusparseStatus_t status) { return __lanewise_cusparse_error(status, false); }
inline const char* cusparseGetErrorName(cusparseStatus_t status) { return __lanewise_cusparse_error(status, true); }
#endif
#endif
