/*
 * cuBLAS: levels 1 to 3 for all four types and what is used most of its extensions. The simulator computes them on the host
 * (simulator/runtime/libraries/cublas.ts); no launch counts them. A function that is not here is left out.
 */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_
#pragma GCC system_header
#include "lanewise/cxx-only.h"
#ifdef __cplusplus
#include "cublas_api.h"
#include "cuda_runtime.h"
#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "library_types.h"
#include <stdint.h>

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 1
#define CUBLAS_VER_PATCH 1
#define CUBLAS_VER_BUILD 3
#define CUBLAS_VERSION 130101

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1, CUBLAS_FILL_MODE_FULL = 2 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG = 3 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0, CUBLAS_GEMM_ALGO1, CUBLAS_GEMM_ALGO2, CUBLAS_GEMM_ALGO3, CUBLAS_GEMM_ALGO4, CUBLAS_GEMM_ALGO5, CUBLAS_GEMM_ALGO6,
  CUBLAS_GEMM_ALGO7, CUBLAS_GEMM_ALGO8, CUBLAS_GEMM_ALGO9, CUBLAS_GEMM_ALGO10, CUBLAS_GEMM_ALGO11, CUBLAS_GEMM_ALGO12, CUBLAS_GEMM_ALGO13,
  CUBLAS_GEMM_ALGO14, CUBLAS_GEMM_ALGO15, CUBLAS_GEMM_ALGO16, CUBLAS_GEMM_ALGO17, CUBLAS_GEMM_ALGO18, CUBLAS_GEMM_ALGO19,
  CUBLAS_GEMM_ALGO20, CUBLAS_GEMM_ALGO21, CUBLAS_GEMM_ALGO22, CUBLAS_GEMM_ALGO23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99, CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100, CUBLAS_GEMM_ALGO1_TENSOR_OP, CUBLAS_GEMM_ALGO2_TENSOR_OP, CUBLAS_GEMM_ALGO3_TENSOR_OP,
  CUBLAS_GEMM_ALGO4_TENSOR_OP, CUBLAS_GEMM_ALGO5_TENSOR_OP, CUBLAS_GEMM_ALGO6_TENSOR_OP, CUBLAS_GEMM_ALGO7_TENSOR_OP,
  CUBLAS_GEMM_ALGO8_TENSOR_OP, CUBLAS_GEMM_ALGO9_TENSOR_OP, CUBLAS_GEMM_ALGO10_TENSOR_OP, CUBLAS_GEMM_ALGO11_TENSOR_OP,
  CUBLAS_GEMM_ALGO12_TENSOR_OP, CUBLAS_GEMM_ALGO13_TENSOR_OP, CUBLAS_GEMM_ALGO14_TENSOR_OP, CUBLAS_GEMM_ALGO15_TENSOR_OP
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72, CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74, CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;
struct cublasContext;
typedef struct cublasContext* cublasHandle_t;

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void* workspace, size_t bytes);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t* mode);
cublasStatus_t cublasIsamax(cublasHandle_t handle, int n, const float* x, int incx, int* result);
cublasStatus_t cublasIsamin(cublasHandle_t handle, int n, const float* x, int incx, int* result);
cublasStatus_t cublasSasum(cublasHandle_t handle, int n, const float* x, int incx, float* result);
cublasStatus_t cublasSnrm2(cublasHandle_t handle, int n, const float* x, int incx, float* result);
cublasStatus_t cublasSaxpy(cublasHandle_t handle, int n, const float* alpha, const float* x, int incx, float* y, int incy);
cublasStatus_t cublasScopy(cublasHandle_t handle, int n, const float* x, int incx, float* y, int incy);
cublasStatus_t cublasSswap(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy);
cublasStatus_t cublasSscal(cublasHandle_t handle, int n, const float* alpha, float* x, int incx);
cublasStatus_t cublasSgetrfBatched(cublasHandle_t handle, int n, float* const a[], int lda, int* pivots, int* info, int count);
cublasStatus_t cublasSgetriBatched(cublasHandle_t handle, int n, const float* const a[], int lda, const int* pivots, float* const c[], int ldc, int* info, int count);
cublasStatus_t cublasSgetrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int columns, const float* const a[], int lda, const int* pivots, float* const b[], int ldb, int* info, int count);
cublasStatus_t cublasSmatinvBatched(cublasHandle_t handle, int n, const float* const a[], int lda, float* const c[], int ldc, int* info, int count);
cublasStatus_t cublasDgetrfBatched(cublasHandle_t handle, int n, double* const a[], int lda, int* pivots, int* info, int count);
cublasStatus_t cublasDgetriBatched(cublasHandle_t handle, int n, const double* const a[], int lda, const int* pivots, double* const c[], int ldc, int* info, int count);
cublasStatus_t cublasDgetrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int columns, const double* const a[], int lda, const int* pivots, double* const b[], int ldb, int* info, int count);
cublasStatus_t cublasDmatinvBatched(cublasHandle_t handle, int n, const double* const a[], int lda, double* const c[], int ldc, int* info, int count);
cublasStatus_t cublasCgetrfBatched(cublasHandle_t handle, int n, cuComplex* const a[], int lda, int* pivots, int* info, int count);
cublasStatus_t cublasCgetriBatched(cublasHandle_t handle, int n, const cuComplex* const a[], int lda, const int* pivots, cuComplex* const c[], int ldc, int* info, int count);
cublasStatus_t cublasCgetrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int columns, const cuComplex* const a[], int lda, const int* pivots, cuComplex* const b[], int ldb, int* info, int count);
cublasStatus_t cublasCmatinvBatched(cublasHandle_t handle, int n, const cuComplex* const a[], int lda, cuComplex* const c[], int ldc, int* info, int count);
cublasStatus_t cublasZgetrfBatched(cublasHandle_t handle, int n, cuDoubleComplex* const a[], int lda, int* pivots, int* info, int count);
cublasStatus_t cublasZgetriBatched(cublasHandle_t handle, int n, const cuDoubleComplex* const a[], int lda, const int* pivots, cuDoubleComplex* const c[], int ldc, int* info, int count);
cublasStatus_t cublasZgetrsBatched(cublasHandle_t handle, cublasOperation_t op, int n, int columns, const cuDoubleComplex* const a[], int lda, const int* pivots, cuDoubleComplex* const b[], int ldb, int* info, int count);
cublasStatus_t cublasZmatinvBatched(cublasHandle_t handle, int n, const cuDoubleComplex* const a[], int lda, cuDoubleComplex* const c[], int ldc, int* info, int count);
cublasStatus_t cublasSgemvBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const float* alpha, const float* const A[], int lda, const float* const x[], int incx, const float* beta, float* const y[], int incy, int batchCount);
cublasStatus_t cublasSgemvStridedBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const float* alpha, const float* A, int lda, long long strideA, const float* x, int incx, long long strideX, const float* beta, float* y, int incy, long long strideY, int batchCount);
cublasStatus_t cublasStrsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const float* alpha, const float* const A[], int lda, float* const B[], int ldb, int batchCount);
cublasStatus_t cublasSgbmv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int kl, int ku, const float* alpha, const float* A, int lda, const float* x, int incx, const float* beta, float* y, int incy);
cublasStatus_t cublasSsbmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, int k, const float* alpha, const float* A, int lda, const float* x, int incx, const float* beta, float* y, int incy);
cublasStatus_t cublasSspmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* alpha, const float* AP, const float* x, int incx, const float* beta, float* y, int incy);
cublasStatus_t cublasSsyr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* alpha, const float* x, int incx, const float* y, int incy, float* A, int lda);
cublasStatus_t cublasDgemvBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const double* alpha, const double* const A[], int lda, const double* const x[], int incx, const double* beta, double* const y[], int incy, int batchCount);
cublasStatus_t cublasDgemvStridedBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const double* alpha, const double* A, int lda, long long strideA, const double* x, int incx, long long strideX, const double* beta, double* y, int incy, long long strideY, int batchCount);
cublasStatus_t cublasDtrsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const double* alpha, const double* const A[], int lda, double* const B[], int ldb, int batchCount);
cublasStatus_t cublasDgbmv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int kl, int ku, const double* alpha, const double* A, int lda, const double* x, int incx, const double* beta, double* y, int incy);
cublasStatus_t cublasDsbmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, int k, const double* alpha, const double* A, int lda, const double* x, int incx, const double* beta, double* y, int incy);
cublasStatus_t cublasDspmv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* alpha, const double* AP, const double* x, int incx, const double* beta, double* y, int incy);
cublasStatus_t cublasDsyr2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* alpha, const double* x, int incx, const double* y, int incy, double* A, int lda);
cublasStatus_t cublasCgemvBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const cuComplex* alpha, const cuComplex* const A[], int lda, const cuComplex* const x[], int incx, const cuComplex* beta, cuComplex* const y[], int incy, int batchCount);
cublasStatus_t cublasCgemvStridedBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const cuComplex* alpha, const cuComplex* A, int lda, long long strideA, const cuComplex* x, int incx, long long strideX, const cuComplex* beta, cuComplex* y, int incy, long long strideY, int batchCount);
cublasStatus_t cublasCtrsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const cuComplex* alpha, const cuComplex* const A[], int lda, cuComplex* const B[], int ldb, int batchCount);
cublasStatus_t cublasZgemvBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* const A[], int lda, const cuDoubleComplex* const x[], int incx, const cuDoubleComplex* beta, cuDoubleComplex* const y[], int incy, int batchCount);
cublasStatus_t cublasZgemvStridedBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda, long long strideA, const cuDoubleComplex* x, int incx, long long strideX, const cuDoubleComplex* beta, cuDoubleComplex* y, int incy, long long strideY, int batchCount);
cublasStatus_t cublasZtrsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* const A[], int lda, cuDoubleComplex* const B[], int ldb, int batchCount);
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, const void* y, cudaDataType yType, int incy, void* result, cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, const void* y, cudaDataType yType, int incy, void* result, cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType, const void* x, cudaDataType xType, int incx, void* y, cudaDataType yType, int incy, cudaDataType executionType);
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alphaType, void* x, cudaDataType xType, int incx, cudaDataType executionType);
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, cudaDataType xType, int incx, void* result, cudaDataType resultType, cudaDataType executionType);
cublasStatus_t cublasSdot(cublasHandle_t handle, int n, const float* x, int incx, const float* y, int incy, float* result);
cublasStatus_t cublasSrot(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy, const float* c, const float* s);
cublasStatus_t cublasSger(cublasHandle_t handle, int m, int n, const float* alpha, const float* x, int incx, const float* y, int incy, float* A, int lda);
cublasStatus_t cublasSsymv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* alpha, const float* A, int lda, const float* x, int incx, const float* beta, float* y, int incy);
cublasStatus_t cublasSsyr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* alpha, const float* x, int incx, float* A, int lda);
cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const float* alpha, const float* A, int lda, const float* x, int incx, const float* beta, float* y, int incy);
cublasStatus_t cublasStrmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const float* A, int lda, float* x, int incx);
cublasStatus_t cublasStrsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const float* A, int lda, float* x, int incx);
cublasStatus_t cublasSsymm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, const float* alpha, const float* A, int lda, const float* B, int ldb, const float* beta, float* C, int ldc);
cublasStatus_t cublasSsyrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const float* alpha, const float* A, int lda, const float* beta, float* C, int ldc);
cublasStatus_t cublasSsyr2k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const float* alpha, const float* A, int lda, const float* B, int ldb, const float* beta, float* C, int ldc);
cublasStatus_t cublasStrmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const float* alpha, const float* A, int lda, const float* B, int ldb, float* C, int ldc);
cublasStatus_t cublasStrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const float* alpha, const float* A, int lda, float* B, int ldb);
cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, const float* alpha, const float* A, int lda, const float* beta, const float* B, int ldb, float* C, int ldc);
cublasStatus_t cublasSdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const float* A, int lda, const float* x, int incx, float* C, int ldc);
cublasStatus_t cublasIdamax(cublasHandle_t handle, int n, const double* x, int incx, int* result);
cublasStatus_t cublasIdamin(cublasHandle_t handle, int n, const double* x, int incx, int* result);
cublasStatus_t cublasDasum(cublasHandle_t handle, int n, const double* x, int incx, double* result);
cublasStatus_t cublasDnrm2(cublasHandle_t handle, int n, const double* x, int incx, double* result);
cublasStatus_t cublasDaxpy(cublasHandle_t handle, int n, const double* alpha, const double* x, int incx, double* y, int incy);
cublasStatus_t cublasDcopy(cublasHandle_t handle, int n, const double* x, int incx, double* y, int incy);
cublasStatus_t cublasDswap(cublasHandle_t handle, int n, double* x, int incx, double* y, int incy);
cublasStatus_t cublasDscal(cublasHandle_t handle, int n, const double* alpha, double* x, int incx);
cublasStatus_t cublasDdot(cublasHandle_t handle, int n, const double* x, int incx, const double* y, int incy, double* result);
cublasStatus_t cublasDrot(cublasHandle_t handle, int n, double* x, int incx, double* y, int incy, const double* c, const double* s);
cublasStatus_t cublasDger(cublasHandle_t handle, int m, int n, const double* alpha, const double* x, int incx, const double* y, int incy, double* A, int lda);
cublasStatus_t cublasDsymv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* alpha, const double* A, int lda, const double* x, int incx, const double* beta, double* y, int incy);
cublasStatus_t cublasDsyr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* alpha, const double* x, int incx, double* A, int lda);
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const double* alpha, const double* A, int lda, const double* x, int incx, const double* beta, double* y, int incy);
cublasStatus_t cublasDtrmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const double* A, int lda, double* x, int incx);
cublasStatus_t cublasDtrsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const double* A, int lda, double* x, int incx);
cublasStatus_t cublasDsymm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, const double* alpha, const double* A, int lda, const double* B, int ldb, const double* beta, double* C, int ldc);
cublasStatus_t cublasDsyrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const double* alpha, const double* A, int lda, const double* beta, double* C, int ldc);
cublasStatus_t cublasDsyr2k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const double* alpha, const double* A, int lda, const double* B, int ldb, const double* beta, double* C, int ldc);
cublasStatus_t cublasDtrmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const double* alpha, const double* A, int lda, const double* B, int ldb, double* C, int ldc);
cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const double* alpha, const double* A, int lda, double* B, int ldb);
cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, const double* alpha, const double* A, int lda, const double* beta, const double* B, int ldb, double* C, int ldc);
cublasStatus_t cublasDdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const double* A, int lda, const double* x, int incx, double* C, int ldc);
cublasStatus_t cublasIcamax(cublasHandle_t handle, int n, const cuComplex* x, int incx, int* result);
cublasStatus_t cublasIcamin(cublasHandle_t handle, int n, const cuComplex* x, int incx, int* result);
cublasStatus_t cublasScasum(cublasHandle_t handle, int n, const cuComplex* x, int incx, float* result);
cublasStatus_t cublasScnrm2(cublasHandle_t handle, int n, const cuComplex* x, int incx, float* result);
cublasStatus_t cublasCaxpy(cublasHandle_t handle, int n, const cuComplex* alpha, const cuComplex* x, int incx, cuComplex* y, int incy);
cublasStatus_t cublasCcopy(cublasHandle_t handle, int n, const cuComplex* x, int incx, cuComplex* y, int incy);
cublasStatus_t cublasCswap(cublasHandle_t handle, int n, cuComplex* x, int incx, cuComplex* y, int incy);
cublasStatus_t cublasCscal(cublasHandle_t handle, int n, const cuComplex* alpha, cuComplex* x, int incx);
cublasStatus_t cublasCsscal(cublasHandle_t handle, int n, const float* alpha, cuComplex* x, int incx);
cublasStatus_t cublasCdotu(cublasHandle_t handle, int n, const cuComplex* x, int incx, const cuComplex* y, int incy, cuComplex* result);
cublasStatus_t cublasCgeru(cublasHandle_t handle, int m, int n, const cuComplex* alpha, const cuComplex* x, int incx, const cuComplex* y, int incy, cuComplex* A, int lda);
cublasStatus_t cublasCdotc(cublasHandle_t handle, int n, const cuComplex* x, int incx, const cuComplex* y, int incy, cuComplex* result);
cublasStatus_t cublasCgerc(cublasHandle_t handle, int m, int n, const cuComplex* alpha, const cuComplex* x, int incx, const cuComplex* y, int incy, cuComplex* A, int lda);
cublasStatus_t cublasChemv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const cuComplex* alpha, const cuComplex* A, int lda, const cuComplex* x, int incx, const cuComplex* beta, cuComplex* y, int incy);
cublasStatus_t cublasCher(cublasHandle_t handle, cublasFillMode_t uplo, int n, const float* alpha, const cuComplex* x, int incx, cuComplex* A, int lda);
cublasStatus_t cublasChemm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, const cuComplex* alpha, const cuComplex* A, int lda, const cuComplex* B, int ldb, const cuComplex* beta, cuComplex* C, int ldc);
cublasStatus_t cublasCherk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const float* alpha, const cuComplex* A, int lda, const float* beta, cuComplex* C, int ldc);
cublasStatus_t cublasCgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const cuComplex* alpha, const cuComplex* A, int lda, const cuComplex* x, int incx, const cuComplex* beta, cuComplex* y, int incy);
cublasStatus_t cublasCtrmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const cuComplex* A, int lda, cuComplex* x, int incx);
cublasStatus_t cublasCtrsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const cuComplex* A, int lda, cuComplex* x, int incx);
cublasStatus_t cublasCsymm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, const cuComplex* alpha, const cuComplex* A, int lda, const cuComplex* B, int ldb, const cuComplex* beta, cuComplex* C, int ldc);
cublasStatus_t cublasCsyrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const cuComplex* alpha, const cuComplex* A, int lda, const cuComplex* beta, cuComplex* C, int ldc);
cublasStatus_t cublasCsyr2k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const cuComplex* alpha, const cuComplex* A, int lda, const cuComplex* B, int ldb, const cuComplex* beta, cuComplex* C, int ldc);
cublasStatus_t cublasCtrmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const cuComplex* alpha, const cuComplex* A, int lda, const cuComplex* B, int ldb, cuComplex* C, int ldc);
cublasStatus_t cublasCtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const cuComplex* alpha, const cuComplex* A, int lda, cuComplex* B, int ldb);
cublasStatus_t cublasCgeam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, const cuComplex* alpha, const cuComplex* A, int lda, const cuComplex* beta, const cuComplex* B, int ldb, cuComplex* C, int ldc);
cublasStatus_t cublasCdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const cuComplex* A, int lda, const cuComplex* x, int incx, cuComplex* C, int ldc);
cublasStatus_t cublasIzamax(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx, int* result);
cublasStatus_t cublasIzamin(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx, int* result);
cublasStatus_t cublasDzasum(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx, double* result);
cublasStatus_t cublasDznrm2(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx, double* result);
cublasStatus_t cublasZaxpy(cublasHandle_t handle, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* x, int incx, cuDoubleComplex* y, int incy);
cublasStatus_t cublasZcopy(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx, cuDoubleComplex* y, int incy);
cublasStatus_t cublasZswap(cublasHandle_t handle, int n, cuDoubleComplex* x, int incx, cuDoubleComplex* y, int incy);
cublasStatus_t cublasZscal(cublasHandle_t handle, int n, const cuDoubleComplex* alpha, cuDoubleComplex* x, int incx);
cublasStatus_t cublasZdscal(cublasHandle_t handle, int n, const double* alpha, cuDoubleComplex* x, int incx);
cublasStatus_t cublasZdotu(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy, cuDoubleComplex* result);
cublasStatus_t cublasZgeru(cublasHandle_t handle, int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy, cuDoubleComplex* A, int lda);
cublasStatus_t cublasZdotc(cublasHandle_t handle, int n, const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy, cuDoubleComplex* result);
cublasStatus_t cublasZgerc(cublasHandle_t handle, int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy, cuDoubleComplex* A, int lda);
cublasStatus_t cublasZhemv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* x, int incx, const cuDoubleComplex* beta, cuDoubleComplex* y, int incy);
cublasStatus_t cublasZher(cublasHandle_t handle, cublasFillMode_t uplo, int n, const double* alpha, const cuDoubleComplex* x, int incx, cuDoubleComplex* A, int lda);
cublasStatus_t cublasZhemm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* B, int ldb, const cuDoubleComplex* beta, cuDoubleComplex* C, int ldc);
cublasStatus_t cublasZherk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const double* alpha, const cuDoubleComplex* A, int lda, const double* beta, cuDoubleComplex* C, int ldc);
cublasStatus_t cublasZgemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* x, int incx, const cuDoubleComplex* beta, cuDoubleComplex* y, int incy);
cublasStatus_t cublasZtrmv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const cuDoubleComplex* A, int lda, cuDoubleComplex* x, int incx);
cublasStatus_t cublasZtrsv(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int n, const cuDoubleComplex* A, int lda, cuDoubleComplex* x, int incx);
cublasStatus_t cublasZsymm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* B, int ldb, const cuDoubleComplex* beta, cuDoubleComplex* C, int ldc);
cublasStatus_t cublasZsyrk(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* beta, cuDoubleComplex* C, int ldc);
cublasStatus_t cublasZsyr2k(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* B, int ldb, const cuDoubleComplex* beta, cuDoubleComplex* C, int ldc);
cublasStatus_t cublasZtrmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* B, int ldb, cuDoubleComplex* C, int ldc);
cublasStatus_t cublasZtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda, cuDoubleComplex* B, int ldb);
cublasStatus_t cublasZgeam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* beta, const cuDoubleComplex* B, int ldb, cuDoubleComplex* C, int ldc);
cublasStatus_t cublasZdgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const cuDoubleComplex* A, int lda, const cuDoubleComplex* x, int incx, cuDoubleComplex* C, int ldc);
cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const float* alpha, const float* A, int lda, const float* B, int ldb, const float* beta, float* C, int ldc);
cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const float* alpha, const float* const A[], int lda, const float* const B[], int ldb, const float* beta, float* const C[], int ldc, int batchCount);
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const float* alpha, const float* A, int lda, long long strideA, const float* B, int ldb, long long strideB, const float* beta, float* C, int ldc, long long strideC, int batchCount);
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const double* alpha, const double* A, int lda, const double* B, int ldb, const double* beta, double* C, int ldc);
cublasStatus_t cublasDgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const double* alpha, const double* const A[], int lda, const double* const B[], int ldb, const double* beta, double* const C[], int ldc, int batchCount);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const double* alpha, const double* A, int lda, long long strideA, const double* B, int ldb, long long strideB, const double* beta, double* C, int ldc, long long strideC, int batchCount);
cublasStatus_t cublasCgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const cuComplex* alpha, const cuComplex* A, int lda, const cuComplex* B, int ldb, const cuComplex* beta, cuComplex* C, int ldc);
cublasStatus_t cublasCgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const cuComplex* alpha, const cuComplex* const A[], int lda, const cuComplex* const B[], int ldb, const cuComplex* beta, cuComplex* const C[], int ldc, int batchCount);
cublasStatus_t cublasCgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const cuComplex* alpha, const cuComplex* A, int lda, long long strideA, const cuComplex* B, int ldb, long long strideB, const cuComplex* beta, cuComplex* C, int ldc, long long strideC, int batchCount);
cublasStatus_t cublasZgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* B, int ldb, const cuDoubleComplex* beta, cuDoubleComplex* C, int ldc);
cublasStatus_t cublasZgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const cuDoubleComplex* alpha, const cuDoubleComplex* const A[], int lda, const cuDoubleComplex* const B[], int ldb, const cuDoubleComplex* beta, cuDoubleComplex* const C[], int ldc, int batchCount);
cublasStatus_t cublasZgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int lda, long long strideA, const cuDoubleComplex* B, int ldb, long long strideB, const cuDoubleComplex* beta, cuDoubleComplex* C, int ldc, long long strideC, int batchCount);
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const __half* alpha, const __half* A, int lda, const __half* B, int ldb, const __half* beta, __half* C, int ldc);
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const __half* alpha, const __half* const A[], int lda, const __half* const B[], int ldb, const __half* beta, __half* const C[], int ldc, int batchCount);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const __half* alpha, const __half* A, int lda, long long strideA, const __half* B, int ldb, long long strideB, const __half* beta, __half* C, int ldc, long long strideC, int batchCount);
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const float* alpha, const void* A, cudaDataType Atype, int lda, const void* B, cudaDataType Btype, int ldb, const float* beta, void* C, cudaDataType Ctype, int ldc);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void* alpha, const void* A, cudaDataType Atype, int lda, const void* B, cudaDataType Btype, int ldb, const void* beta, void* C, cudaDataType Ctype, int ldc, cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void* alpha, const void* const A[], cudaDataType Atype, int lda, const void* const B[], cudaDataType Btype, int ldb, const void* beta, void* const C[], cudaDataType Ctype, int ldc, int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void* alpha, const void* A, cudaDataType Atype, int lda, long long strideA, const void* B, cudaDataType Btype, int ldb, long long strideB, const void* beta, void* C, cudaDataType Ctype, int ldc, long long strideC, int batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo);
}

/* As before CUDA 11: the computation's type by its data type. */
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void* alpha, const void* A, cudaDataType Atype, int lda, const void* B, cudaDataType Btype, int ldb, const void* beta, void* C, cudaDataType Ctype, int ldc, cudaDataType computeType, cublasGemmAlgo_t algo) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc, (cublasComputeType_t)computeType, algo);
}
inline cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void* alpha, const void* A, cudaDataType Atype, int lda, long long strideA, const void* B, cudaDataType Btype, int ldb, long long strideB, const void* beta, void* C, cudaDataType Ctype, int ldc, long long strideC, int batchCount, cudaDataType computeType, cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, A, Atype, lda, strideA, B, Btype, ldb, strideB, beta, C, Ctype, ldc, strideC, batchCount, (cublasComputeType_t)computeType, algo);
}

inline cublasStatus_t __lanewise_cublas_copy(cudaError_t error) { return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR; }

/* The functions whose numbers have 64 bits: of what memory here has room for, all fit into 32. */
inline int __lanewise_cublas_int(int64_t n) { return n >= -0x7fffffffll && n <= 0x7fffffffll ? (int)n : -1; }
/* A result of 64 bits, in memory of either side. */
template <class F> cublasStatus_t __lanewise_cublas_place(cublasHandle_t handle, int64_t* result, F find) {
  cublasPointerMode_t mode;
  int place = 0;
  cublasStatus_t status = cublasGetPointerMode(handle, &mode);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  status = find(&place);
  cublasSetPointerMode(handle, mode);
  int64_t wide = place;
  if (status == CUBLAS_STATUS_SUCCESS) status = __lanewise_cublas_copy(cudaMemcpy(result, &wide, sizeof wide, cudaMemcpyDefault));
  return status;
}
inline cublasStatus_t cublasSgemvBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const float* alpha, const float* const A[], int64_t lda, const float* const x[], int64_t incx, const float* beta, float* const y[], int64_t incy, int64_t batchCount) { return cublasSgemvBatched(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasSgemvStridedBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const float* alpha, const float* A, int64_t lda, long long strideA, const float* x, int64_t incx, long long strideX, const float* beta, float* y, int64_t incy, long long strideY, int64_t batchCount) { return cublasSgemvStridedBatched(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), strideA, x, __lanewise_cublas_int(incx), strideX, beta, y, __lanewise_cublas_int(incy), strideY, __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasStrsmBatched_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const float* alpha, const float* const A[], int64_t lda, float* const B[], int64_t ldb, int64_t batchCount) { return cublasStrsmBatched(handle, side, uplo, trans, diag, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasSgbmv_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, int64_t kl, int64_t ku, const float* alpha, const float* A, int64_t lda, const float* x, int64_t incx, const float* beta, float* y, int64_t incy) { return cublasSgbmv(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(kl), __lanewise_cublas_int(ku), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasSsbmv_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t k, const float* alpha, const float* A, int64_t lda, const float* x, int64_t incx, const float* beta, float* y, int64_t incy) { return cublasSsbmv(handle, uplo, __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasSspmv_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float* alpha, const float* AP, const float* x, int64_t incx, const float* beta, float* y, int64_t incy) { return cublasSspmv(handle, uplo, __lanewise_cublas_int(n), alpha, AP, x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasSsyr2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float* alpha, const float* x, int64_t incx, const float* y, int64_t incy, float* A, int64_t lda) { return cublasSsyr2(handle, uplo, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), A, __lanewise_cublas_int(lda)); }
inline cublasStatus_t cublasDgemvBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const double* alpha, const double* const A[], int64_t lda, const double* const x[], int64_t incx, const double* beta, double* const y[], int64_t incy, int64_t batchCount) { return cublasDgemvBatched(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasDgemvStridedBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const double* alpha, const double* A, int64_t lda, long long strideA, const double* x, int64_t incx, long long strideX, const double* beta, double* y, int64_t incy, long long strideY, int64_t batchCount) { return cublasDgemvStridedBatched(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), strideA, x, __lanewise_cublas_int(incx), strideX, beta, y, __lanewise_cublas_int(incy), strideY, __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasDtrsmBatched_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const double* alpha, const double* const A[], int64_t lda, double* const B[], int64_t ldb, int64_t batchCount) { return cublasDtrsmBatched(handle, side, uplo, trans, diag, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasDgbmv_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, int64_t kl, int64_t ku, const double* alpha, const double* A, int64_t lda, const double* x, int64_t incx, const double* beta, double* y, int64_t incy) { return cublasDgbmv(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(kl), __lanewise_cublas_int(ku), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasDsbmv_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t k, const double* alpha, const double* A, int64_t lda, const double* x, int64_t incx, const double* beta, double* y, int64_t incy) { return cublasDsbmv(handle, uplo, __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasDspmv_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double* alpha, const double* AP, const double* x, int64_t incx, const double* beta, double* y, int64_t incy) { return cublasDspmv(handle, uplo, __lanewise_cublas_int(n), alpha, AP, x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasDsyr2_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double* alpha, const double* x, int64_t incx, const double* y, int64_t incy, double* A, int64_t lda) { return cublasDsyr2(handle, uplo, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), A, __lanewise_cublas_int(lda)); }
inline cublasStatus_t cublasCgemvBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuComplex* alpha, const cuComplex* const A[], int64_t lda, const cuComplex* const x[], int64_t incx, const cuComplex* beta, cuComplex* const y[], int64_t incy, int64_t batchCount) { return cublasCgemvBatched(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasCgemvStridedBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuComplex* alpha, const cuComplex* A, int64_t lda, long long strideA, const cuComplex* x, int64_t incx, long long strideX, const cuComplex* beta, cuComplex* y, int64_t incy, long long strideY, int64_t batchCount) { return cublasCgemvStridedBatched(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), strideA, x, __lanewise_cublas_int(incx), strideX, beta, y, __lanewise_cublas_int(incy), strideY, __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasCtrsmBatched_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const cuComplex* alpha, const cuComplex* const A[], int64_t lda, cuComplex* const B[], int64_t ldb, int64_t batchCount) { return cublasCtrsmBatched(handle, side, uplo, trans, diag, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasZgemvBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* const A[], int64_t lda, const cuDoubleComplex* const x[], int64_t incx, const cuDoubleComplex* beta, cuDoubleComplex* const y[], int64_t incy, int64_t batchCount) { return cublasZgemvBatched(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasZgemvStridedBatched_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda, long long strideA, const cuDoubleComplex* x, int64_t incx, long long strideX, const cuDoubleComplex* beta, cuDoubleComplex* y, int64_t incy, long long strideY, int64_t batchCount) { return cublasZgemvStridedBatched(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), strideA, x, __lanewise_cublas_int(incx), strideX, beta, y, __lanewise_cublas_int(incy), strideY, __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasZtrsmBatched_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* const A[], int64_t lda, cuDoubleComplex* const B[], int64_t ldb, int64_t batchCount) { return cublasZtrsmBatched(handle, side, uplo, trans, diag, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasIsamax_64(cublasHandle_t handle, int64_t n, const float* x, int64_t incx, int64_t* result) { return __lanewise_cublas_place(handle, result, [&](int* place) { return cublasIsamax(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), place); }); }
inline cublasStatus_t cublasIsamin_64(cublasHandle_t handle, int64_t n, const float* x, int64_t incx, int64_t* result) { return __lanewise_cublas_place(handle, result, [&](int* place) { return cublasIsamin(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), place); }); }
inline cublasStatus_t cublasSasum_64(cublasHandle_t handle, int64_t n, const float* x, int64_t incx, float* result) { return cublasSasum(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), result); }
inline cublasStatus_t cublasSnrm2_64(cublasHandle_t handle, int64_t n, const float* x, int64_t incx, float* result) { return cublasSnrm2(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), result); }
inline cublasStatus_t cublasSaxpy_64(cublasHandle_t handle, int64_t n, const float* alpha, const float* x, int64_t incx, float* y, int64_t incy) { return cublasSaxpy(handle, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasScopy_64(cublasHandle_t handle, int64_t n, const float* x, int64_t incx, float* y, int64_t incy) { return cublasScopy(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasSswap_64(cublasHandle_t handle, int64_t n, float* x, int64_t incx, float* y, int64_t incy) { return cublasSswap(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasSscal_64(cublasHandle_t handle, int64_t n, const float* alpha, float* x, int64_t incx) { return cublasSscal(handle, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasDotEx_64(cublasHandle_t handle, int64_t n, const void* x, cudaDataType xType, int64_t incx, const void* y, cudaDataType yType, int64_t incy, void* result, cudaDataType resultType, cudaDataType executionType) { return cublasDotEx(handle, __lanewise_cublas_int(n), x, xType, __lanewise_cublas_int(incx), y, yType, __lanewise_cublas_int(incy), result, resultType, executionType); }
inline cublasStatus_t cublasDotcEx_64(cublasHandle_t handle, int64_t n, const void* x, cudaDataType xType, int64_t incx, const void* y, cudaDataType yType, int64_t incy, void* result, cudaDataType resultType, cudaDataType executionType) { return cublasDotcEx(handle, __lanewise_cublas_int(n), x, xType, __lanewise_cublas_int(incx), y, yType, __lanewise_cublas_int(incy), result, resultType, executionType); }
inline cublasStatus_t cublasAxpyEx_64(cublasHandle_t handle, int64_t n, const void* alpha, cudaDataType alphaType, const void* x, cudaDataType xType, int64_t incx, void* y, cudaDataType yType, int64_t incy, cudaDataType executionType) { return cublasAxpyEx(handle, __lanewise_cublas_int(n), alpha, alphaType, x, xType, __lanewise_cublas_int(incx), y, yType, __lanewise_cublas_int(incy), executionType); }
inline cublasStatus_t cublasScalEx_64(cublasHandle_t handle, int64_t n, const void* alpha, cudaDataType alphaType, void* x, cudaDataType xType, int64_t incx, cudaDataType executionType) { return cublasScalEx(handle, __lanewise_cublas_int(n), alpha, alphaType, x, xType, __lanewise_cublas_int(incx), executionType); }
inline cublasStatus_t cublasNrm2Ex_64(cublasHandle_t handle, int64_t n, const void* x, cudaDataType xType, int64_t incx, void* result, cudaDataType resultType, cudaDataType executionType) { return cublasNrm2Ex(handle, __lanewise_cublas_int(n), x, xType, __lanewise_cublas_int(incx), result, resultType, executionType); }
inline cublasStatus_t cublasSdot_64(cublasHandle_t handle, int64_t n, const float* x, int64_t incx, const float* y, int64_t incy, float* result) { return cublasSdot(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), result); }
inline cublasStatus_t cublasSrot_64(cublasHandle_t handle, int64_t n, float* x, int64_t incx, float* y, int64_t incy, const float* c, const float* s) { return cublasSrot(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), c, s); }
inline cublasStatus_t cublasSger_64(cublasHandle_t handle, int64_t m, int64_t n, const float* alpha, const float* x, int64_t incx, const float* y, int64_t incy, float* A, int64_t lda) { return cublasSger(handle, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), A, __lanewise_cublas_int(lda)); }
inline cublasStatus_t cublasSsymv_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float* alpha, const float* A, int64_t lda, const float* x, int64_t incx, const float* beta, float* y, int64_t incy) { return cublasSsymv(handle, uplo, __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasSsyr_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float* alpha, const float* x, int64_t incx, float* A, int64_t lda) { return cublasSsyr(handle, uplo, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), A, __lanewise_cublas_int(lda)); }
inline cublasStatus_t cublasSgemv_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const float* alpha, const float* A, int64_t lda, const float* x, int64_t incx, const float* beta, float* y, int64_t incy) { return cublasSgemv(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasStrmv_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const float* A, int64_t lda, float* x, int64_t incx) { return cublasStrmv(handle, uplo, trans, diag, __lanewise_cublas_int(n), A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasStrsv_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const float* A, int64_t lda, float* x, int64_t incx) { return cublasStrsv(handle, uplo, trans, diag, __lanewise_cublas_int(n), A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasSsymm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const float* alpha, const float* A, int64_t lda, const float* B, int64_t ldb, const float* beta, float* C, int64_t ldc) { return cublasSsymm(handle, side, uplo, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasSsyrk_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const float* alpha, const float* A, int64_t lda, const float* beta, float* C, int64_t ldc) { return cublasSsyrk(handle, uplo, trans, __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasSsyr2k_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const float* alpha, const float* A, int64_t lda, const float* B, int64_t ldb, const float* beta, float* C, int64_t ldc) { return cublasSsyr2k(handle, uplo, trans, __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasStrmm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const float* alpha, const float* A, int64_t lda, const float* B, int64_t ldb, float* C, int64_t ldc) { return cublasStrmm(handle, side, uplo, trans, diag, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasStrsm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const float* alpha, const float* A, int64_t lda, float* B, int64_t ldb) { return cublasStrsm(handle, side, uplo, trans, diag, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb)); }
inline cublasStatus_t cublasSgeam_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, const float* alpha, const float* A, int64_t lda, const float* beta, const float* B, int64_t ldb, float* C, int64_t ldc) { return cublasSgeam(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), beta, B, __lanewise_cublas_int(ldb), C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasSdgmm_64(cublasHandle_t handle, cublasSideMode_t side, int64_t m, int64_t n, const float* A, int64_t lda, const float* x, int64_t incx, float* C, int64_t ldc) { return cublasSdgmm(handle, side, __lanewise_cublas_int(m), __lanewise_cublas_int(n), A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasIdamax_64(cublasHandle_t handle, int64_t n, const double* x, int64_t incx, int64_t* result) { return __lanewise_cublas_place(handle, result, [&](int* place) { return cublasIdamax(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), place); }); }
inline cublasStatus_t cublasIdamin_64(cublasHandle_t handle, int64_t n, const double* x, int64_t incx, int64_t* result) { return __lanewise_cublas_place(handle, result, [&](int* place) { return cublasIdamin(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), place); }); }
inline cublasStatus_t cublasDasum_64(cublasHandle_t handle, int64_t n, const double* x, int64_t incx, double* result) { return cublasDasum(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), result); }
inline cublasStatus_t cublasDnrm2_64(cublasHandle_t handle, int64_t n, const double* x, int64_t incx, double* result) { return cublasDnrm2(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), result); }
inline cublasStatus_t cublasDaxpy_64(cublasHandle_t handle, int64_t n, const double* alpha, const double* x, int64_t incx, double* y, int64_t incy) { return cublasDaxpy(handle, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasDcopy_64(cublasHandle_t handle, int64_t n, const double* x, int64_t incx, double* y, int64_t incy) { return cublasDcopy(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasDswap_64(cublasHandle_t handle, int64_t n, double* x, int64_t incx, double* y, int64_t incy) { return cublasDswap(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasDscal_64(cublasHandle_t handle, int64_t n, const double* alpha, double* x, int64_t incx) { return cublasDscal(handle, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasDdot_64(cublasHandle_t handle, int64_t n, const double* x, int64_t incx, const double* y, int64_t incy, double* result) { return cublasDdot(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), result); }
inline cublasStatus_t cublasDrot_64(cublasHandle_t handle, int64_t n, double* x, int64_t incx, double* y, int64_t incy, const double* c, const double* s) { return cublasDrot(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), c, s); }
inline cublasStatus_t cublasDger_64(cublasHandle_t handle, int64_t m, int64_t n, const double* alpha, const double* x, int64_t incx, const double* y, int64_t incy, double* A, int64_t lda) { return cublasDger(handle, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), A, __lanewise_cublas_int(lda)); }
inline cublasStatus_t cublasDsymv_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double* alpha, const double* A, int64_t lda, const double* x, int64_t incx, const double* beta, double* y, int64_t incy) { return cublasDsymv(handle, uplo, __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasDsyr_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double* alpha, const double* x, int64_t incx, double* A, int64_t lda) { return cublasDsyr(handle, uplo, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), A, __lanewise_cublas_int(lda)); }
inline cublasStatus_t cublasDgemv_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const double* alpha, const double* A, int64_t lda, const double* x, int64_t incx, const double* beta, double* y, int64_t incy) { return cublasDgemv(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasDtrmv_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const double* A, int64_t lda, double* x, int64_t incx) { return cublasDtrmv(handle, uplo, trans, diag, __lanewise_cublas_int(n), A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasDtrsv_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const double* A, int64_t lda, double* x, int64_t incx) { return cublasDtrsv(handle, uplo, trans, diag, __lanewise_cublas_int(n), A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasDsymm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const double* alpha, const double* A, int64_t lda, const double* B, int64_t ldb, const double* beta, double* C, int64_t ldc) { return cublasDsymm(handle, side, uplo, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasDsyrk_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const double* alpha, const double* A, int64_t lda, const double* beta, double* C, int64_t ldc) { return cublasDsyrk(handle, uplo, trans, __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasDsyr2k_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const double* alpha, const double* A, int64_t lda, const double* B, int64_t ldb, const double* beta, double* C, int64_t ldc) { return cublasDsyr2k(handle, uplo, trans, __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasDtrmm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const double* alpha, const double* A, int64_t lda, const double* B, int64_t ldb, double* C, int64_t ldc) { return cublasDtrmm(handle, side, uplo, trans, diag, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasDtrsm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const double* alpha, const double* A, int64_t lda, double* B, int64_t ldb) { return cublasDtrsm(handle, side, uplo, trans, diag, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb)); }
inline cublasStatus_t cublasDgeam_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, const double* alpha, const double* A, int64_t lda, const double* beta, const double* B, int64_t ldb, double* C, int64_t ldc) { return cublasDgeam(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), beta, B, __lanewise_cublas_int(ldb), C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasDdgmm_64(cublasHandle_t handle, cublasSideMode_t side, int64_t m, int64_t n, const double* A, int64_t lda, const double* x, int64_t incx, double* C, int64_t ldc) { return cublasDdgmm(handle, side, __lanewise_cublas_int(m), __lanewise_cublas_int(n), A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasIcamax_64(cublasHandle_t handle, int64_t n, const cuComplex* x, int64_t incx, int64_t* result) { return __lanewise_cublas_place(handle, result, [&](int* place) { return cublasIcamax(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), place); }); }
inline cublasStatus_t cublasIcamin_64(cublasHandle_t handle, int64_t n, const cuComplex* x, int64_t incx, int64_t* result) { return __lanewise_cublas_place(handle, result, [&](int* place) { return cublasIcamin(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), place); }); }
inline cublasStatus_t cublasScasum_64(cublasHandle_t handle, int64_t n, const cuComplex* x, int64_t incx, float* result) { return cublasScasum(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), result); }
inline cublasStatus_t cublasScnrm2_64(cublasHandle_t handle, int64_t n, const cuComplex* x, int64_t incx, float* result) { return cublasScnrm2(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), result); }
inline cublasStatus_t cublasCaxpy_64(cublasHandle_t handle, int64_t n, const cuComplex* alpha, const cuComplex* x, int64_t incx, cuComplex* y, int64_t incy) { return cublasCaxpy(handle, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasCcopy_64(cublasHandle_t handle, int64_t n, const cuComplex* x, int64_t incx, cuComplex* y, int64_t incy) { return cublasCcopy(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasCswap_64(cublasHandle_t handle, int64_t n, cuComplex* x, int64_t incx, cuComplex* y, int64_t incy) { return cublasCswap(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasCscal_64(cublasHandle_t handle, int64_t n, const cuComplex* alpha, cuComplex* x, int64_t incx) { return cublasCscal(handle, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasCsscal_64(cublasHandle_t handle, int64_t n, const float* alpha, cuComplex* x, int64_t incx) { return cublasCsscal(handle, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasCdotu_64(cublasHandle_t handle, int64_t n, const cuComplex* x, int64_t incx, const cuComplex* y, int64_t incy, cuComplex* result) { return cublasCdotu(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), result); }
inline cublasStatus_t cublasCgeru_64(cublasHandle_t handle, int64_t m, int64_t n, const cuComplex* alpha, const cuComplex* x, int64_t incx, const cuComplex* y, int64_t incy, cuComplex* A, int64_t lda) { return cublasCgeru(handle, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), A, __lanewise_cublas_int(lda)); }
inline cublasStatus_t cublasCdotc_64(cublasHandle_t handle, int64_t n, const cuComplex* x, int64_t incx, const cuComplex* y, int64_t incy, cuComplex* result) { return cublasCdotc(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), result); }
inline cublasStatus_t cublasCgerc_64(cublasHandle_t handle, int64_t m, int64_t n, const cuComplex* alpha, const cuComplex* x, int64_t incx, const cuComplex* y, int64_t incy, cuComplex* A, int64_t lda) { return cublasCgerc(handle, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), A, __lanewise_cublas_int(lda)); }
inline cublasStatus_t cublasChemv_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuComplex* alpha, const cuComplex* A, int64_t lda, const cuComplex* x, int64_t incx, const cuComplex* beta, cuComplex* y, int64_t incy) { return cublasChemv(handle, uplo, __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasCher_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const float* alpha, const cuComplex* x, int64_t incx, cuComplex* A, int64_t lda) { return cublasCher(handle, uplo, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), A, __lanewise_cublas_int(lda)); }
inline cublasStatus_t cublasChemm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const cuComplex* alpha, const cuComplex* A, int64_t lda, const cuComplex* B, int64_t ldb, const cuComplex* beta, cuComplex* C, int64_t ldc) { return cublasChemm(handle, side, uplo, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasCherk_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const float* alpha, const cuComplex* A, int64_t lda, const float* beta, cuComplex* C, int64_t ldc) { return cublasCherk(handle, uplo, trans, __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasCgemv_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuComplex* alpha, const cuComplex* A, int64_t lda, const cuComplex* x, int64_t incx, const cuComplex* beta, cuComplex* y, int64_t incy) { return cublasCgemv(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasCtrmv_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const cuComplex* A, int64_t lda, cuComplex* x, int64_t incx) { return cublasCtrmv(handle, uplo, trans, diag, __lanewise_cublas_int(n), A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasCtrsv_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const cuComplex* A, int64_t lda, cuComplex* x, int64_t incx) { return cublasCtrsv(handle, uplo, trans, diag, __lanewise_cublas_int(n), A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasCsymm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const cuComplex* alpha, const cuComplex* A, int64_t lda, const cuComplex* B, int64_t ldb, const cuComplex* beta, cuComplex* C, int64_t ldc) { return cublasCsymm(handle, side, uplo, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasCsyrk_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuComplex* alpha, const cuComplex* A, int64_t lda, const cuComplex* beta, cuComplex* C, int64_t ldc) { return cublasCsyrk(handle, uplo, trans, __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasCsyr2k_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuComplex* alpha, const cuComplex* A, int64_t lda, const cuComplex* B, int64_t ldb, const cuComplex* beta, cuComplex* C, int64_t ldc) { return cublasCsyr2k(handle, uplo, trans, __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasCtrmm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const cuComplex* alpha, const cuComplex* A, int64_t lda, const cuComplex* B, int64_t ldb, cuComplex* C, int64_t ldc) { return cublasCtrmm(handle, side, uplo, trans, diag, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasCtrsm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const cuComplex* alpha, const cuComplex* A, int64_t lda, cuComplex* B, int64_t ldb) { return cublasCtrsm(handle, side, uplo, trans, diag, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb)); }
inline cublasStatus_t cublasCgeam_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, const cuComplex* alpha, const cuComplex* A, int64_t lda, const cuComplex* beta, const cuComplex* B, int64_t ldb, cuComplex* C, int64_t ldc) { return cublasCgeam(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), beta, B, __lanewise_cublas_int(ldb), C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasCdgmm_64(cublasHandle_t handle, cublasSideMode_t side, int64_t m, int64_t n, const cuComplex* A, int64_t lda, const cuComplex* x, int64_t incx, cuComplex* C, int64_t ldc) { return cublasCdgmm(handle, side, __lanewise_cublas_int(m), __lanewise_cublas_int(n), A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasIzamax_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex* x, int64_t incx, int64_t* result) { return __lanewise_cublas_place(handle, result, [&](int* place) { return cublasIzamax(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), place); }); }
inline cublasStatus_t cublasIzamin_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex* x, int64_t incx, int64_t* result) { return __lanewise_cublas_place(handle, result, [&](int* place) { return cublasIzamin(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), place); }); }
inline cublasStatus_t cublasDzasum_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex* x, int64_t incx, double* result) { return cublasDzasum(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), result); }
inline cublasStatus_t cublasDznrm2_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex* x, int64_t incx, double* result) { return cublasDznrm2(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), result); }
inline cublasStatus_t cublasZaxpy_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* x, int64_t incx, cuDoubleComplex* y, int64_t incy) { return cublasZaxpy(handle, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasZcopy_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex* x, int64_t incx, cuDoubleComplex* y, int64_t incy) { return cublasZcopy(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasZswap_64(cublasHandle_t handle, int64_t n, cuDoubleComplex* x, int64_t incx, cuDoubleComplex* y, int64_t incy) { return cublasZswap(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasZscal_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex* alpha, cuDoubleComplex* x, int64_t incx) { return cublasZscal(handle, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasZdscal_64(cublasHandle_t handle, int64_t n, const double* alpha, cuDoubleComplex* x, int64_t incx) { return cublasZdscal(handle, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasZdotu_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex* x, int64_t incx, const cuDoubleComplex* y, int64_t incy, cuDoubleComplex* result) { return cublasZdotu(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), result); }
inline cublasStatus_t cublasZgeru_64(cublasHandle_t handle, int64_t m, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* x, int64_t incx, const cuDoubleComplex* y, int64_t incy, cuDoubleComplex* A, int64_t lda) { return cublasZgeru(handle, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), A, __lanewise_cublas_int(lda)); }
inline cublasStatus_t cublasZdotc_64(cublasHandle_t handle, int64_t n, const cuDoubleComplex* x, int64_t incx, const cuDoubleComplex* y, int64_t incy, cuDoubleComplex* result) { return cublasZdotc(handle, __lanewise_cublas_int(n), x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), result); }
inline cublasStatus_t cublasZgerc_64(cublasHandle_t handle, int64_t m, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* x, int64_t incx, const cuDoubleComplex* y, int64_t incy, cuDoubleComplex* A, int64_t lda) { return cublasZgerc(handle, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), y, __lanewise_cublas_int(incy), A, __lanewise_cublas_int(lda)); }
inline cublasStatus_t cublasZhemv_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda, const cuDoubleComplex* x, int64_t incx, const cuDoubleComplex* beta, cuDoubleComplex* y, int64_t incy) { return cublasZhemv(handle, uplo, __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasZher_64(cublasHandle_t handle, cublasFillMode_t uplo, int64_t n, const double* alpha, const cuDoubleComplex* x, int64_t incx, cuDoubleComplex* A, int64_t lda) { return cublasZher(handle, uplo, __lanewise_cublas_int(n), alpha, x, __lanewise_cublas_int(incx), A, __lanewise_cublas_int(lda)); }
inline cublasStatus_t cublasZhemm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda, const cuDoubleComplex* B, int64_t ldb, const cuDoubleComplex* beta, cuDoubleComplex* C, int64_t ldc) { return cublasZhemm(handle, side, uplo, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasZherk_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const double* alpha, const cuDoubleComplex* A, int64_t lda, const double* beta, cuDoubleComplex* C, int64_t ldc) { return cublasZherk(handle, uplo, trans, __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasZgemv_64(cublasHandle_t handle, cublasOperation_t trans, int64_t m, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda, const cuDoubleComplex* x, int64_t incx, const cuDoubleComplex* beta, cuDoubleComplex* y, int64_t incy) { return cublasZgemv(handle, trans, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), beta, y, __lanewise_cublas_int(incy)); }
inline cublasStatus_t cublasZtrmv_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const cuDoubleComplex* A, int64_t lda, cuDoubleComplex* x, int64_t incx) { return cublasZtrmv(handle, uplo, trans, diag, __lanewise_cublas_int(n), A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasZtrsv_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t n, const cuDoubleComplex* A, int64_t lda, cuDoubleComplex* x, int64_t incx) { return cublasZtrsv(handle, uplo, trans, diag, __lanewise_cublas_int(n), A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx)); }
inline cublasStatus_t cublasZsymm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int64_t m, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda, const cuDoubleComplex* B, int64_t ldb, const cuDoubleComplex* beta, cuDoubleComplex* C, int64_t ldc) { return cublasZsymm(handle, side, uplo, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasZsyrk_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda, const cuDoubleComplex* beta, cuDoubleComplex* C, int64_t ldc) { return cublasZsyrk(handle, uplo, trans, __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasZsyr2k_64(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int64_t n, int64_t k, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda, const cuDoubleComplex* B, int64_t ldb, const cuDoubleComplex* beta, cuDoubleComplex* C, int64_t ldc) { return cublasZsyr2k(handle, uplo, trans, __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasZtrmm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda, const cuDoubleComplex* B, int64_t ldb, cuDoubleComplex* C, int64_t ldc) { return cublasZtrmm(handle, side, uplo, trans, diag, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasZtrsm_64(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, cublasOperation_t trans, cublasDiagType_t diag, int64_t m, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda, cuDoubleComplex* B, int64_t ldb) { return cublasZtrsm(handle, side, uplo, trans, diag, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb)); }
inline cublasStatus_t cublasZgeam_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda, const cuDoubleComplex* beta, const cuDoubleComplex* B, int64_t ldb, cuDoubleComplex* C, int64_t ldc) { return cublasZgeam(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), alpha, A, __lanewise_cublas_int(lda), beta, B, __lanewise_cublas_int(ldb), C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasZdgmm_64(cublasHandle_t handle, cublasSideMode_t side, int64_t m, int64_t n, const cuDoubleComplex* A, int64_t lda, const cuDoubleComplex* x, int64_t incx, cuDoubleComplex* C, int64_t ldc) { return cublasZdgmm(handle, side, __lanewise_cublas_int(m), __lanewise_cublas_int(n), A, __lanewise_cublas_int(lda), x, __lanewise_cublas_int(incx), C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasSgemm_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const float* alpha, const float* A, int64_t lda, const float* B, int64_t ldb, const float* beta, float* C, int64_t ldc) { return cublasSgemm(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasSgemmBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const float* alpha, const float* const A[], int64_t lda, const float* const B[], int64_t ldb, const float* beta, float* const C[], int64_t ldc, int64_t batchCount) { return cublasSgemmBatched(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasSgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const float* alpha, const float* A, int64_t lda, long long strideA, const float* B, int64_t ldb, long long strideB, const float* beta, float* C, int64_t ldc, long long strideC, int64_t batchCount) { return cublasSgemmStridedBatched(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), strideA, B, __lanewise_cublas_int(ldb), strideB, beta, C, __lanewise_cublas_int(ldc), strideC, __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasDgemm_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const double* alpha, const double* A, int64_t lda, const double* B, int64_t ldb, const double* beta, double* C, int64_t ldc) { return cublasDgemm(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasDgemmBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const double* alpha, const double* const A[], int64_t lda, const double* const B[], int64_t ldb, const double* beta, double* const C[], int64_t ldc, int64_t batchCount) { return cublasDgemmBatched(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasDgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const double* alpha, const double* A, int64_t lda, long long strideA, const double* B, int64_t ldb, long long strideB, const double* beta, double* C, int64_t ldc, long long strideC, int64_t batchCount) { return cublasDgemmStridedBatched(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), strideA, B, __lanewise_cublas_int(ldb), strideB, beta, C, __lanewise_cublas_int(ldc), strideC, __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasCgemm_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuComplex* alpha, const cuComplex* A, int64_t lda, const cuComplex* B, int64_t ldb, const cuComplex* beta, cuComplex* C, int64_t ldc) { return cublasCgemm(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasCgemmBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuComplex* alpha, const cuComplex* const A[], int64_t lda, const cuComplex* const B[], int64_t ldb, const cuComplex* beta, cuComplex* const C[], int64_t ldc, int64_t batchCount) { return cublasCgemmBatched(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasCgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuComplex* alpha, const cuComplex* A, int64_t lda, long long strideA, const cuComplex* B, int64_t ldb, long long strideB, const cuComplex* beta, cuComplex* C, int64_t ldc, long long strideC, int64_t batchCount) { return cublasCgemmStridedBatched(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), strideA, B, __lanewise_cublas_int(ldb), strideB, beta, C, __lanewise_cublas_int(ldc), strideC, __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasZgemm_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda, const cuDoubleComplex* B, int64_t ldb, const cuDoubleComplex* beta, cuDoubleComplex* C, int64_t ldc) { return cublasZgemm(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasZgemmBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuDoubleComplex* alpha, const cuDoubleComplex* const A[], int64_t lda, const cuDoubleComplex* const B[], int64_t ldb, const cuDoubleComplex* beta, cuDoubleComplex* const C[], int64_t ldc, int64_t batchCount) { return cublasZgemmBatched(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasZgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const cuDoubleComplex* alpha, const cuDoubleComplex* A, int64_t lda, long long strideA, const cuDoubleComplex* B, int64_t ldb, long long strideB, const cuDoubleComplex* beta, cuDoubleComplex* C, int64_t ldc, long long strideC, int64_t batchCount) { return cublasZgemmStridedBatched(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), strideA, B, __lanewise_cublas_int(ldb), strideB, beta, C, __lanewise_cublas_int(ldc), strideC, __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasHgemm_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const __half* alpha, const __half* A, int64_t lda, const __half* B, int64_t ldb, const __half* beta, __half* C, int64_t ldc) { return cublasHgemm(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasHgemmBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const __half* alpha, const __half* const A[], int64_t lda, const __half* const B[], int64_t ldb, const __half* beta, __half* const C[], int64_t ldc, int64_t batchCount) { return cublasHgemmBatched(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), B, __lanewise_cublas_int(ldb), beta, C, __lanewise_cublas_int(ldc), __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasHgemmStridedBatched_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const __half* alpha, const __half* A, int64_t lda, long long strideA, const __half* B, int64_t ldb, long long strideB, const __half* beta, __half* C, int64_t ldc, long long strideC, int64_t batchCount) { return cublasHgemmStridedBatched(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, __lanewise_cublas_int(lda), strideA, B, __lanewise_cublas_int(ldb), strideB, beta, C, __lanewise_cublas_int(ldc), strideC, __lanewise_cublas_int(batchCount)); }
inline cublasStatus_t cublasSgemmEx_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const float* alpha, const void* A, cudaDataType Atype, int64_t lda, const void* B, cudaDataType Btype, int64_t ldb, const float* beta, void* C, cudaDataType Ctype, int64_t ldc) { return cublasSgemmEx(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, Atype, __lanewise_cublas_int(lda), B, Btype, __lanewise_cublas_int(ldb), beta, C, Ctype, __lanewise_cublas_int(ldc)); }
inline cublasStatus_t cublasGemmEx_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const void* alpha, const void* A, cudaDataType Atype, int64_t lda, const void* B, cudaDataType Btype, int64_t ldb, const void* beta, void* C, cudaDataType Ctype, int64_t ldc, cublasComputeType_t computeType, cublasGemmAlgo_t algo) { return cublasGemmEx(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, Atype, __lanewise_cublas_int(lda), B, Btype, __lanewise_cublas_int(ldb), beta, C, Ctype, __lanewise_cublas_int(ldc), computeType, algo); }
inline cublasStatus_t cublasGemmBatchedEx_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const void* alpha, const void* const A[], cudaDataType Atype, int64_t lda, const void* const B[], cudaDataType Btype, int64_t ldb, const void* beta, void* const C[], cudaDataType Ctype, int64_t ldc, int64_t batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo) { return cublasGemmBatchedEx(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, Atype, __lanewise_cublas_int(lda), B, Btype, __lanewise_cublas_int(ldb), beta, C, Ctype, __lanewise_cublas_int(ldc), __lanewise_cublas_int(batchCount), computeType, algo); }
inline cublasStatus_t cublasGemmStridedBatchedEx_64(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n, int64_t k, const void* alpha, const void* A, cudaDataType Atype, int64_t lda, long long strideA, const void* B, cudaDataType Btype, int64_t ldb, long long strideB, const void* beta, void* C, cudaDataType Ctype, int64_t ldc, long long strideC, int64_t batchCount, cublasComputeType_t computeType, cublasGemmAlgo_t algo) { return cublasGemmStridedBatchedEx(handle, transa, transb, __lanewise_cublas_int(m), __lanewise_cublas_int(n), __lanewise_cublas_int(k), alpha, A, Atype, __lanewise_cublas_int(lda), strideA, B, Btype, __lanewise_cublas_int(ldb), strideB, beta, C, Ctype, __lanewise_cublas_int(ldc), strideC, __lanewise_cublas_int(batchCount), computeType, algo); }
inline cublasStatus_t cublasSetMatrix(int rows, int columns, int elemSize, const void* A, int lda, void* B, int ldb) {
  if (rows < 0 || columns < 0 || elemSize <= 0 || lda <= 0 || ldb <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  return __lanewise_cublas_copy(cudaMemcpy2D(B, (size_t)ldb * elemSize, A, (size_t)lda * elemSize, (size_t)rows * elemSize, columns, cudaMemcpyHostToDevice));
}
inline cublasStatus_t cublasGetMatrix(int rows, int columns, int elemSize, const void* A, int lda, void* B, int ldb) {
  if (rows < 0 || columns < 0 || elemSize <= 0 || lda <= 0 || ldb <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  return __lanewise_cublas_copy(cudaMemcpy2D(B, (size_t)ldb * elemSize, A, (size_t)lda * elemSize, (size_t)rows * elemSize, columns, cudaMemcpyDeviceToHost));
}
inline cublasStatus_t cublasSetVector(int n, int elemSize, const void* x, int incx, void* y, int incy) { return cublasSetMatrix(1, n, elemSize, x, incx, y, incy); }
inline cublasStatus_t cublasGetVector(int n, int elemSize, const void* x, int incx, void* y, int incy) { return cublasGetMatrix(1, n, elemSize, x, incx, y, incy); }
inline cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int elemSize, const void* A, int lda, void* B, int ldb, cudaStream_t stream) {
  return __lanewise_cublas_copy(cudaMemcpy2DAsync(B, (size_t)ldb * elemSize, A, (size_t)lda * elemSize, (size_t)rows * elemSize, columns, cudaMemcpyHostToDevice, stream));
}
inline cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int elemSize, const void* A, int lda, void* B, int ldb, cudaStream_t stream) {
  return __lanewise_cublas_copy(cudaMemcpy2DAsync(B, (size_t)ldb * elemSize, A, (size_t)lda * elemSize, (size_t)rows * elemSize, columns, cudaMemcpyDeviceToHost, stream));
}
inline cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void* x, int incx, void* y, int incy, cudaStream_t stream) { return cublasSetMatrixAsync(1, n, elemSize, x, incx, y, incy, stream); }
inline cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void* x, int incx, void* y, int incy, cudaStream_t stream) { return cublasGetMatrixAsync(1, n, elemSize, x, incx, y, incy, stream); }

inline const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR: return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR: return "CUBLAS_STATUS_LICENSE_ERROR";
    default: return "unknown cublasStatus_t";
  }
}
inline const char* cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasGetVersion_v2 cublasGetVersion
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasIsamax_v2 cublasIsamax
#define cublasIsamin_v2 cublasIsamin
#define cublasSasum_v2 cublasSasum
#define cublasSnrm2_v2 cublasSnrm2
#define cublasSaxpy_v2 cublasSaxpy
#define cublasScopy_v2 cublasScopy
#define cublasSswap_v2 cublasSswap
#define cublasSscal_v2 cublasSscal
#define cublasSdot_v2 cublasSdot
#define cublasSrot_v2 cublasSrot
#define cublasSger_v2 cublasSger
#define cublasSsymv_v2 cublasSsymv
#define cublasSsyr_v2 cublasSsyr
#define cublasSgemv_v2 cublasSgemv
#define cublasStrmv_v2 cublasStrmv
#define cublasStrsv_v2 cublasStrsv
#define cublasSsymm_v2 cublasSsymm
#define cublasSsyrk_v2 cublasSsyrk
#define cublasSsyr2k_v2 cublasSsyr2k
#define cublasStrmm_v2 cublasStrmm
#define cublasStrsm_v2 cublasStrsm
#define cublasIdamax_v2 cublasIdamax
#define cublasIdamin_v2 cublasIdamin
#define cublasDasum_v2 cublasDasum
#define cublasDnrm2_v2 cublasDnrm2
#define cublasDaxpy_v2 cublasDaxpy
#define cublasDcopy_v2 cublasDcopy
#define cublasDswap_v2 cublasDswap
#define cublasDscal_v2 cublasDscal
#define cublasDdot_v2 cublasDdot
#define cublasDrot_v2 cublasDrot
#define cublasDger_v2 cublasDger
#define cublasDsymv_v2 cublasDsymv
#define cublasDsyr_v2 cublasDsyr
#define cublasDgemv_v2 cublasDgemv
#define cublasDtrmv_v2 cublasDtrmv
#define cublasDtrsv_v2 cublasDtrsv
#define cublasDsymm_v2 cublasDsymm
#define cublasDsyrk_v2 cublasDsyrk
#define cublasDsyr2k_v2 cublasDsyr2k
#define cublasDtrmm_v2 cublasDtrmm
#define cublasDtrsm_v2 cublasDtrsm
#define cublasIcamax_v2 cublasIcamax
#define cublasIcamin_v2 cublasIcamin
#define cublasScasum_v2 cublasScasum
#define cublasScnrm2_v2 cublasScnrm2
#define cublasCaxpy_v2 cublasCaxpy
#define cublasCcopy_v2 cublasCcopy
#define cublasCswap_v2 cublasCswap
#define cublasCscal_v2 cublasCscal
#define cublasCsscal_v2 cublasCsscal
#define cublasCdotu_v2 cublasCdotu
#define cublasCgeru_v2 cublasCgeru
#define cublasCdotc_v2 cublasCdotc
#define cublasCgerc_v2 cublasCgerc
#define cublasChemv_v2 cublasChemv
#define cublasCher_v2 cublasCher
#define cublasChemm_v2 cublasChemm
#define cublasCherk_v2 cublasCherk
#define cublasCgemv_v2 cublasCgemv
#define cublasCtrmv_v2 cublasCtrmv
#define cublasCtrsv_v2 cublasCtrsv
#define cublasCsymm_v2 cublasCsymm
#define cublasCsyrk_v2 cublasCsyrk
#define cublasCsyr2k_v2 cublasCsyr2k
#define cublasCtrmm_v2 cublasCtrmm
#define cublasCtrsm_v2 cublasCtrsm
#define cublasIzamax_v2 cublasIzamax
#define cublasIzamin_v2 cublasIzamin
#define cublasDzasum_v2 cublasDzasum
#define cublasDznrm2_v2 cublasDznrm2
#define cublasZaxpy_v2 cublasZaxpy
#define cublasZcopy_v2 cublasZcopy
#define cublasZswap_v2 cublasZswap
#define cublasZscal_v2 cublasZscal
#define cublasZdscal_v2 cublasZdscal
#define cublasZdotu_v2 cublasZdotu
#define cublasZgeru_v2 cublasZgeru
#define cublasZdotc_v2 cublasZdotc
#define cublasZgerc_v2 cublasZgerc
#define cublasZhemv_v2 cublasZhemv
#define cublasZher_v2 cublasZher
#define cublasZhemm_v2 cublasZhemm
#define cublasZherk_v2 cublasZherk
#define cublasZgemv_v2 cublasZgemv
#define cublasZtrmv_v2 cublasZtrmv
#define cublasZtrsv_v2 cublasZtrsv
#define cublasZsymm_v2 cublasZsymm
#define cublasZsyrk_v2 cublasZsyrk
#define cublasZsyr2k_v2 cublasZsyr2k
#define cublasZtrmm_v2 cublasZtrmm
#define cublasZtrsm_v2 cublasZtrsm
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#define cublasCgemm_v2 cublasCgemm
#define cublasZgemm_v2 cublasZgemm
#define cublasSgbmv_v2 cublasSgbmv
#define cublasSsbmv_v2 cublasSsbmv
#define cublasSspmv_v2 cublasSspmv
#define cublasSsyr2_v2 cublasSsyr2
#define cublasDgbmv_v2 cublasDgbmv
#define cublasDsbmv_v2 cublasDsbmv
#define cublasDspmv_v2 cublasDspmv
#define cublasDsyr2_v2 cublasDsyr2
#endif
#endif
