/*
 * cuBLAS as it was before handles: functions of cublas_v2.h on one handle of the program's, with numbers by value and letters for the
 * kinds of matrices. What is not here is left out.
 */
#ifndef CUBLAS_H_
#define CUBLAS_H_
#pragma GCC system_header
#include "cublas_v2.h"

typedef cublasStatus_t cublasStatus;
/* Public code asks for this one. */
#define CUBLASAPI

namespace __lanewise_cublas {
inline cublasHandle_t handle = nullptr;
inline cublasStatus_t error = CUBLAS_STATUS_SUCCESS;
inline void keep(cublasStatus_t status) { if (status != CUBLAS_STATUS_SUCCESS) error = status; }
inline cublasOperation_t operation(char c) { return c == 'N' || c == 'n' ? CUBLAS_OP_N : c == 'T' || c == 't' ? CUBLAS_OP_T : CUBLAS_OP_C; }
inline cublasFillMode_t fill(char c) { return c == 'U' || c == 'u' ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER; }
inline cublasSideMode_t side(char c) { return c == 'L' || c == 'l' ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT; }
inline cublasDiagType_t diagonal(char c) { return c == 'U' || c == 'u' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT; }
}  // namespace __lanewise_cublas

inline cublasStatus_t cublasInit() { return __lanewise_cublas::handle ? CUBLAS_STATUS_SUCCESS : cublasCreate(&__lanewise_cublas::handle); }
inline cublasStatus_t cublasShutdown() {
  cublasStatus_t status = __lanewise_cublas::handle ? cublasDestroy(__lanewise_cublas::handle) : CUBLAS_STATUS_NOT_INITIALIZED;
  __lanewise_cublas::handle = nullptr;
  return status;
}
/* The first function to fail since this was asked. */
inline cublasStatus_t cublasGetError() {
  cublasStatus_t status = __lanewise_cublas::error;
  __lanewise_cublas::error = CUBLAS_STATUS_SUCCESS;
  return status;
}
inline cublasStatus_t cublasGetVersion(int* version) { return cublasGetVersion(__lanewise_cublas::handle, version); }
inline cublasStatus_t cublasSetKernelStream(cudaStream_t stream) { return cublasSetStream(__lanewise_cublas::handle, stream); }
inline cublasStatus_t cublasAlloc(int n, int size, void** p) {
  if (n <= 0 || size <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  return cudaMalloc(p, (size_t)n * size) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
inline cublasStatus_t cublasFree(void* p) { return cudaFree(p) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR; }

inline int cublasIsamax(int n, const float* x, int incx) { int result{}; __lanewise_cublas::keep(cublasIsamax(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline int cublasIsamin(int n, const float* x, int incx) { int result{}; __lanewise_cublas::keep(cublasIsamin(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline float cublasSasum(int n, const float* x, int incx) { float result{}; __lanewise_cublas::keep(cublasSasum(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline float cublasSnrm2(int n, const float* x, int incx) { float result{}; __lanewise_cublas::keep(cublasSnrm2(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline float cublasSdot(int n, const float* x, int incx, const float* y, int incy) { float result{}; __lanewise_cublas::keep(cublasSdot(__lanewise_cublas::handle, n, x, incx, y, incy, &result)); return result; }
inline void cublasSaxpy(int n, float alpha, const float* x, int incx, float* y, int incy) { __lanewise_cublas::keep(cublasSaxpy(__lanewise_cublas::handle, n, &alpha, x, incx, y, incy)); }
inline void cublasScopy(int n, const float* x, int incx, float* y, int incy) { __lanewise_cublas::keep(cublasScopy(__lanewise_cublas::handle, n, x, incx, y, incy)); }
inline void cublasSswap(int n, float* x, int incx, float* y, int incy) { __lanewise_cublas::keep(cublasSswap(__lanewise_cublas::handle, n, x, incx, y, incy)); }
inline void cublasSscal(int n, float alpha, float* x, int incx) { __lanewise_cublas::keep(cublasSscal(__lanewise_cublas::handle, n, &alpha, x, incx)); }
inline void cublasSrot(int n, float* x, int incx, float* y, int incy, float c, float s) { __lanewise_cublas::keep(cublasSrot(__lanewise_cublas::handle, n, x, incx, y, incy, &c, &s)); }
inline void cublasSsymv(char uplo, int n, float alpha, const float* A, int lda, const float* x, int incx, float beta, float* y, int incy) { __lanewise_cublas::keep(cublasSsymv(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), n, &alpha, A, lda, x, incx, &beta, y, incy)); }
inline void cublasSsyr(char uplo, int n, float alpha, const float* x, int incx, float* A, int lda) { __lanewise_cublas::keep(cublasSsyr(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), n, &alpha, x, incx, A, lda)); }
inline void cublasSger(int m, int n, float alpha, const float* x, int incx, const float* y, int incy, float* A, int lda) { __lanewise_cublas::keep(cublasSger(__lanewise_cublas::handle, m, n, &alpha, x, incx, y, incy, A, lda)); }
inline void cublasSgemv(char trans, int m, int n, float alpha, const float* A, int lda, const float* x, int incx, float beta, float* y, int incy) { __lanewise_cublas::keep(cublasSgemv(__lanewise_cublas::handle, __lanewise_cublas::operation(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy)); }
inline void cublasStrmv(char uplo, char trans, char diag, int n, const float* A, int lda, float* x, int incx) { __lanewise_cublas::keep(cublasStrmv(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), n, A, lda, x, incx)); }
inline void cublasStrsv(char uplo, char trans, char diag, int n, const float* A, int lda, float* x, int incx) { __lanewise_cublas::keep(cublasStrsv(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), n, A, lda, x, incx)); }
inline void cublasSgemm(char transa, char transb, int m, int n, int k, float alpha, const float* A, int lda, const float* B, int ldb, float beta, float* C, int ldc) { __lanewise_cublas::keep(cublasSgemm(__lanewise_cublas::handle, __lanewise_cublas::operation(transa), __lanewise_cublas::operation(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc)); }
inline void cublasSsymm(char side, char uplo, int m, int n, float alpha, const float* A, int lda, const float* B, int ldb, float beta, float* C, int ldc) { __lanewise_cublas::keep(cublasSsymm(__lanewise_cublas::handle, __lanewise_cublas::side(side), __lanewise_cublas::fill(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc)); }
inline void cublasSsyrk(char uplo, char trans, int n, int k, float alpha, const float* A, int lda, float beta, float* C, int ldc) { __lanewise_cublas::keep(cublasSsyrk(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), n, k, &alpha, A, lda, &beta, C, ldc)); }
inline void cublasSsyr2k(char uplo, char trans, int n, int k, float alpha, const float* A, int lda, const float* B, int ldb, float beta, float* C, int ldc) { __lanewise_cublas::keep(cublasSsyr2k(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), n, k, &alpha, A, lda, B, ldb, &beta, C, ldc)); }
inline void cublasStrsm(char side, char uplo, char trans, char diag, int m, int n, float alpha, const float* A, int lda, float* B, int ldb) { __lanewise_cublas::keep(cublasStrsm(__lanewise_cublas::handle, __lanewise_cublas::side(side), __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), m, n, &alpha, A, lda, B, ldb)); }
inline void cublasStrmm(char side, char uplo, char trans, char diag, int m, int n, float alpha, const float* A, int lda, float* B, int ldb) { __lanewise_cublas::keep(cublasStrmm(__lanewise_cublas::handle, __lanewise_cublas::side(side), __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), m, n, &alpha, A, lda, B, ldb, B, ldb)); }
inline int cublasIdamax(int n, const double* x, int incx) { int result{}; __lanewise_cublas::keep(cublasIdamax(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline int cublasIdamin(int n, const double* x, int incx) { int result{}; __lanewise_cublas::keep(cublasIdamin(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline double cublasDasum(int n, const double* x, int incx) { double result{}; __lanewise_cublas::keep(cublasDasum(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline double cublasDnrm2(int n, const double* x, int incx) { double result{}; __lanewise_cublas::keep(cublasDnrm2(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline double cublasDdot(int n, const double* x, int incx, const double* y, int incy) { double result{}; __lanewise_cublas::keep(cublasDdot(__lanewise_cublas::handle, n, x, incx, y, incy, &result)); return result; }
inline void cublasDaxpy(int n, double alpha, const double* x, int incx, double* y, int incy) { __lanewise_cublas::keep(cublasDaxpy(__lanewise_cublas::handle, n, &alpha, x, incx, y, incy)); }
inline void cublasDcopy(int n, const double* x, int incx, double* y, int incy) { __lanewise_cublas::keep(cublasDcopy(__lanewise_cublas::handle, n, x, incx, y, incy)); }
inline void cublasDswap(int n, double* x, int incx, double* y, int incy) { __lanewise_cublas::keep(cublasDswap(__lanewise_cublas::handle, n, x, incx, y, incy)); }
inline void cublasDscal(int n, double alpha, double* x, int incx) { __lanewise_cublas::keep(cublasDscal(__lanewise_cublas::handle, n, &alpha, x, incx)); }
inline void cublasDrot(int n, double* x, int incx, double* y, int incy, double c, double s) { __lanewise_cublas::keep(cublasDrot(__lanewise_cublas::handle, n, x, incx, y, incy, &c, &s)); }
inline void cublasDsymv(char uplo, int n, double alpha, const double* A, int lda, const double* x, int incx, double beta, double* y, int incy) { __lanewise_cublas::keep(cublasDsymv(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), n, &alpha, A, lda, x, incx, &beta, y, incy)); }
inline void cublasDsyr(char uplo, int n, double alpha, const double* x, int incx, double* A, int lda) { __lanewise_cublas::keep(cublasDsyr(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), n, &alpha, x, incx, A, lda)); }
inline void cublasDger(int m, int n, double alpha, const double* x, int incx, const double* y, int incy, double* A, int lda) { __lanewise_cublas::keep(cublasDger(__lanewise_cublas::handle, m, n, &alpha, x, incx, y, incy, A, lda)); }
inline void cublasDgemv(char trans, int m, int n, double alpha, const double* A, int lda, const double* x, int incx, double beta, double* y, int incy) { __lanewise_cublas::keep(cublasDgemv(__lanewise_cublas::handle, __lanewise_cublas::operation(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy)); }
inline void cublasDtrmv(char uplo, char trans, char diag, int n, const double* A, int lda, double* x, int incx) { __lanewise_cublas::keep(cublasDtrmv(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), n, A, lda, x, incx)); }
inline void cublasDtrsv(char uplo, char trans, char diag, int n, const double* A, int lda, double* x, int incx) { __lanewise_cublas::keep(cublasDtrsv(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), n, A, lda, x, incx)); }
inline void cublasDgemm(char transa, char transb, int m, int n, int k, double alpha, const double* A, int lda, const double* B, int ldb, double beta, double* C, int ldc) { __lanewise_cublas::keep(cublasDgemm(__lanewise_cublas::handle, __lanewise_cublas::operation(transa), __lanewise_cublas::operation(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc)); }
inline void cublasDsymm(char side, char uplo, int m, int n, double alpha, const double* A, int lda, const double* B, int ldb, double beta, double* C, int ldc) { __lanewise_cublas::keep(cublasDsymm(__lanewise_cublas::handle, __lanewise_cublas::side(side), __lanewise_cublas::fill(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc)); }
inline void cublasDsyrk(char uplo, char trans, int n, int k, double alpha, const double* A, int lda, double beta, double* C, int ldc) { __lanewise_cublas::keep(cublasDsyrk(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), n, k, &alpha, A, lda, &beta, C, ldc)); }
inline void cublasDsyr2k(char uplo, char trans, int n, int k, double alpha, const double* A, int lda, const double* B, int ldb, double beta, double* C, int ldc) { __lanewise_cublas::keep(cublasDsyr2k(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), n, k, &alpha, A, lda, B, ldb, &beta, C, ldc)); }
inline void cublasDtrsm(char side, char uplo, char trans, char diag, int m, int n, double alpha, const double* A, int lda, double* B, int ldb) { __lanewise_cublas::keep(cublasDtrsm(__lanewise_cublas::handle, __lanewise_cublas::side(side), __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), m, n, &alpha, A, lda, B, ldb)); }
inline void cublasDtrmm(char side, char uplo, char trans, char diag, int m, int n, double alpha, const double* A, int lda, double* B, int ldb) { __lanewise_cublas::keep(cublasDtrmm(__lanewise_cublas::handle, __lanewise_cublas::side(side), __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), m, n, &alpha, A, lda, B, ldb, B, ldb)); }
inline int cublasIcamax(int n, const cuComplex* x, int incx) { int result{}; __lanewise_cublas::keep(cublasIcamax(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline int cublasIcamin(int n, const cuComplex* x, int incx) { int result{}; __lanewise_cublas::keep(cublasIcamin(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline float cublasScasum(int n, const cuComplex* x, int incx) { float result{}; __lanewise_cublas::keep(cublasScasum(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline float cublasScnrm2(int n, const cuComplex* x, int incx) { float result{}; __lanewise_cublas::keep(cublasScnrm2(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline cuComplex cublasCdotu(int n, const cuComplex* x, int incx, const cuComplex* y, int incy) { cuComplex result{}; __lanewise_cublas::keep(cublasCdotu(__lanewise_cublas::handle, n, x, incx, y, incy, &result)); return result; }
inline cuComplex cublasCdotc(int n, const cuComplex* x, int incx, const cuComplex* y, int incy) { cuComplex result{}; __lanewise_cublas::keep(cublasCdotc(__lanewise_cublas::handle, n, x, incx, y, incy, &result)); return result; }
inline void cublasCaxpy(int n, cuComplex alpha, const cuComplex* x, int incx, cuComplex* y, int incy) { __lanewise_cublas::keep(cublasCaxpy(__lanewise_cublas::handle, n, &alpha, x, incx, y, incy)); }
inline void cublasCcopy(int n, const cuComplex* x, int incx, cuComplex* y, int incy) { __lanewise_cublas::keep(cublasCcopy(__lanewise_cublas::handle, n, x, incx, y, incy)); }
inline void cublasCswap(int n, cuComplex* x, int incx, cuComplex* y, int incy) { __lanewise_cublas::keep(cublasCswap(__lanewise_cublas::handle, n, x, incx, y, incy)); }
inline void cublasCscal(int n, cuComplex alpha, cuComplex* x, int incx) { __lanewise_cublas::keep(cublasCscal(__lanewise_cublas::handle, n, &alpha, x, incx)); }
inline void cublasCgeru(int m, int n, cuComplex alpha, const cuComplex* x, int incx, const cuComplex* y, int incy, cuComplex* A, int lda) { __lanewise_cublas::keep(cublasCgeru(__lanewise_cublas::handle, m, n, &alpha, x, incx, y, incy, A, lda)); }
inline void cublasCgerc(int m, int n, cuComplex alpha, const cuComplex* x, int incx, const cuComplex* y, int incy, cuComplex* A, int lda) { __lanewise_cublas::keep(cublasCgerc(__lanewise_cublas::handle, m, n, &alpha, x, incx, y, incy, A, lda)); }
inline void cublasCgemv(char trans, int m, int n, cuComplex alpha, const cuComplex* A, int lda, const cuComplex* x, int incx, cuComplex beta, cuComplex* y, int incy) { __lanewise_cublas::keep(cublasCgemv(__lanewise_cublas::handle, __lanewise_cublas::operation(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy)); }
inline void cublasCtrmv(char uplo, char trans, char diag, int n, const cuComplex* A, int lda, cuComplex* x, int incx) { __lanewise_cublas::keep(cublasCtrmv(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), n, A, lda, x, incx)); }
inline void cublasCtrsv(char uplo, char trans, char diag, int n, const cuComplex* A, int lda, cuComplex* x, int incx) { __lanewise_cublas::keep(cublasCtrsv(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), n, A, lda, x, incx)); }
inline void cublasCgemm(char transa, char transb, int m, int n, int k, cuComplex alpha, const cuComplex* A, int lda, const cuComplex* B, int ldb, cuComplex beta, cuComplex* C, int ldc) { __lanewise_cublas::keep(cublasCgemm(__lanewise_cublas::handle, __lanewise_cublas::operation(transa), __lanewise_cublas::operation(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc)); }
inline void cublasCsymm(char side, char uplo, int m, int n, cuComplex alpha, const cuComplex* A, int lda, const cuComplex* B, int ldb, cuComplex beta, cuComplex* C, int ldc) { __lanewise_cublas::keep(cublasCsymm(__lanewise_cublas::handle, __lanewise_cublas::side(side), __lanewise_cublas::fill(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc)); }
inline void cublasCsyrk(char uplo, char trans, int n, int k, cuComplex alpha, const cuComplex* A, int lda, cuComplex beta, cuComplex* C, int ldc) { __lanewise_cublas::keep(cublasCsyrk(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), n, k, &alpha, A, lda, &beta, C, ldc)); }
inline void cublasCsyr2k(char uplo, char trans, int n, int k, cuComplex alpha, const cuComplex* A, int lda, const cuComplex* B, int ldb, cuComplex beta, cuComplex* C, int ldc) { __lanewise_cublas::keep(cublasCsyr2k(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), n, k, &alpha, A, lda, B, ldb, &beta, C, ldc)); }
inline void cublasCtrsm(char side, char uplo, char trans, char diag, int m, int n, cuComplex alpha, const cuComplex* A, int lda, cuComplex* B, int ldb) { __lanewise_cublas::keep(cublasCtrsm(__lanewise_cublas::handle, __lanewise_cublas::side(side), __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), m, n, &alpha, A, lda, B, ldb)); }
inline void cublasCtrmm(char side, char uplo, char trans, char diag, int m, int n, cuComplex alpha, const cuComplex* A, int lda, cuComplex* B, int ldb) { __lanewise_cublas::keep(cublasCtrmm(__lanewise_cublas::handle, __lanewise_cublas::side(side), __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), m, n, &alpha, A, lda, B, ldb, B, ldb)); }
inline int cublasIzamax(int n, const cuDoubleComplex* x, int incx) { int result{}; __lanewise_cublas::keep(cublasIzamax(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline int cublasIzamin(int n, const cuDoubleComplex* x, int incx) { int result{}; __lanewise_cublas::keep(cublasIzamin(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline double cublasDzasum(int n, const cuDoubleComplex* x, int incx) { double result{}; __lanewise_cublas::keep(cublasDzasum(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline double cublasDznrm2(int n, const cuDoubleComplex* x, int incx) { double result{}; __lanewise_cublas::keep(cublasDznrm2(__lanewise_cublas::handle, n, x, incx, &result)); return result; }
inline cuDoubleComplex cublasZdotu(int n, const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy) { cuDoubleComplex result{}; __lanewise_cublas::keep(cublasZdotu(__lanewise_cublas::handle, n, x, incx, y, incy, &result)); return result; }
inline cuDoubleComplex cublasZdotc(int n, const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy) { cuDoubleComplex result{}; __lanewise_cublas::keep(cublasZdotc(__lanewise_cublas::handle, n, x, incx, y, incy, &result)); return result; }
inline void cublasZaxpy(int n, cuDoubleComplex alpha, const cuDoubleComplex* x, int incx, cuDoubleComplex* y, int incy) { __lanewise_cublas::keep(cublasZaxpy(__lanewise_cublas::handle, n, &alpha, x, incx, y, incy)); }
inline void cublasZcopy(int n, const cuDoubleComplex* x, int incx, cuDoubleComplex* y, int incy) { __lanewise_cublas::keep(cublasZcopy(__lanewise_cublas::handle, n, x, incx, y, incy)); }
inline void cublasZswap(int n, cuDoubleComplex* x, int incx, cuDoubleComplex* y, int incy) { __lanewise_cublas::keep(cublasZswap(__lanewise_cublas::handle, n, x, incx, y, incy)); }
inline void cublasZscal(int n, cuDoubleComplex alpha, cuDoubleComplex* x, int incx) { __lanewise_cublas::keep(cublasZscal(__lanewise_cublas::handle, n, &alpha, x, incx)); }
inline void cublasZgeru(int m, int n, cuDoubleComplex alpha, const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy, cuDoubleComplex* A, int lda) { __lanewise_cublas::keep(cublasZgeru(__lanewise_cublas::handle, m, n, &alpha, x, incx, y, incy, A, lda)); }
inline void cublasZgerc(int m, int n, cuDoubleComplex alpha, const cuDoubleComplex* x, int incx, const cuDoubleComplex* y, int incy, cuDoubleComplex* A, int lda) { __lanewise_cublas::keep(cublasZgerc(__lanewise_cublas::handle, m, n, &alpha, x, incx, y, incy, A, lda)); }
inline void cublasZgemv(char trans, int m, int n, cuDoubleComplex alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* x, int incx, cuDoubleComplex beta, cuDoubleComplex* y, int incy) { __lanewise_cublas::keep(cublasZgemv(__lanewise_cublas::handle, __lanewise_cublas::operation(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy)); }
inline void cublasZtrmv(char uplo, char trans, char diag, int n, const cuDoubleComplex* A, int lda, cuDoubleComplex* x, int incx) { __lanewise_cublas::keep(cublasZtrmv(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), n, A, lda, x, incx)); }
inline void cublasZtrsv(char uplo, char trans, char diag, int n, const cuDoubleComplex* A, int lda, cuDoubleComplex* x, int incx) { __lanewise_cublas::keep(cublasZtrsv(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), n, A, lda, x, incx)); }
inline void cublasZgemm(char transa, char transb, int m, int n, int k, cuDoubleComplex alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* B, int ldb, cuDoubleComplex beta, cuDoubleComplex* C, int ldc) { __lanewise_cublas::keep(cublasZgemm(__lanewise_cublas::handle, __lanewise_cublas::operation(transa), __lanewise_cublas::operation(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc)); }
inline void cublasZsymm(char side, char uplo, int m, int n, cuDoubleComplex alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* B, int ldb, cuDoubleComplex beta, cuDoubleComplex* C, int ldc) { __lanewise_cublas::keep(cublasZsymm(__lanewise_cublas::handle, __lanewise_cublas::side(side), __lanewise_cublas::fill(uplo), m, n, &alpha, A, lda, B, ldb, &beta, C, ldc)); }
inline void cublasZsyrk(char uplo, char trans, int n, int k, cuDoubleComplex alpha, const cuDoubleComplex* A, int lda, cuDoubleComplex beta, cuDoubleComplex* C, int ldc) { __lanewise_cublas::keep(cublasZsyrk(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), n, k, &alpha, A, lda, &beta, C, ldc)); }
inline void cublasZsyr2k(char uplo, char trans, int n, int k, cuDoubleComplex alpha, const cuDoubleComplex* A, int lda, const cuDoubleComplex* B, int ldb, cuDoubleComplex beta, cuDoubleComplex* C, int ldc) { __lanewise_cublas::keep(cublasZsyr2k(__lanewise_cublas::handle, __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), n, k, &alpha, A, lda, B, ldb, &beta, C, ldc)); }
inline void cublasZtrsm(char side, char uplo, char trans, char diag, int m, int n, cuDoubleComplex alpha, const cuDoubleComplex* A, int lda, cuDoubleComplex* B, int ldb) { __lanewise_cublas::keep(cublasZtrsm(__lanewise_cublas::handle, __lanewise_cublas::side(side), __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), m, n, &alpha, A, lda, B, ldb)); }
inline void cublasZtrmm(char side, char uplo, char trans, char diag, int m, int n, cuDoubleComplex alpha, const cuDoubleComplex* A, int lda, cuDoubleComplex* B, int ldb) { __lanewise_cublas::keep(cublasZtrmm(__lanewise_cublas::handle, __lanewise_cublas::side(side), __lanewise_cublas::fill(uplo), __lanewise_cublas::operation(trans), __lanewise_cublas::diagonal(diag), m, n, &alpha, A, lda, B, ldb, B, ldb)); }
#endif
