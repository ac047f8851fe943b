/*
 * cublasXt: products of matrices in host memory, which cuBLAS spreads over several GPUs in tiles. Here each call copies its matrices to the
 * device, has cuBLAS compute, and copies the result back.
 */
#ifndef CUBLAS_XT_H_
#define CUBLAS_XT_H_
#pragma GCC system_header
#include "cublas_v2.h"
#include <stddef.h>

struct cublasXtContext {
  cublasHandle_t handle;
  int blockDim;
};
typedef struct cublasXtContext* cublasXtHandle_t;
typedef enum { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 } cublasXtPinnedMemMode_t;
typedef enum { CUBLASXT_FLOAT = 0, CUBLASXT_DOUBLE = 1, CUBLASXT_COMPLEX = 2, CUBLASXT_DOUBLECOMPLEX = 3 } cublasXtOpType_t;
typedef enum { CUBLASXT_GEMM = 0, CUBLASXT_SYRK = 1, CUBLASXT_HERK = 2, CUBLASXT_SYMM = 3, CUBLASXT_HEMM = 4, CUBLASXT_TRSM = 5, CUBLASXT_SYR2K = 6, CUBLASXT_HER2K = 7, CUBLASXT_SPMM = 8, CUBLASXT_SYRKX = 9, CUBLASXT_HERKX = 10, CUBLASXT_TRMM = 11, CUBLASXT_ROUTINE_MAX = 12 } cublasXtBlasOp_t;

inline cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle) {
  cublasXtContext* made = new cublasXtContext{nullptr, 2048};
  cublasStatus_t status = cublasCreate(&made->handle);
  if (status == CUBLAS_STATUS_SUCCESS) *handle = made;
  else delete made;
  return status;
}
inline cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  cublasStatus_t status = cublasDestroy(handle->handle);
  delete handle;
  return status;
}
inline cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int* devices) {
  if (!handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  return count > 0 && devices ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
inline cublasStatus_t cublasXtGetNumBoards(int count, int*, int* boards) { return *boards = count, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasXtMaxBoards(int* boards) { return cudaGetDeviceCount(boards) ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* blockDim) { return *blockDim = handle->blockDim, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int blockDim) {
  if (blockDim <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  return handle->blockDim = blockDim, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasXtGetPinningMemMode(cublasXtHandle_t, cublasXtPinnedMemMode_t* mode) { return *mode = CUBLASXT_PINNING_DISABLED, CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t, cublasXtPinnedMemMode_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasXtSetCpuRatio(cublasXtHandle_t, cublasXtBlasOp_t, cublasXtOpType_t, float) { return CUBLAS_STATUS_SUCCESS; }

namespace __lanewise {
/* A matrix on the device for the time of one call. */
template <class T> class XtMatrix {
  T *host, *memory = nullptr;
  size_t bytes;

 public:
  XtMatrix(const T* host, size_t ld, size_t columns) : host((T*)host), bytes(ld * columns * sizeof(T)) {
    cudaMalloc((void**)&memory, bytes ? bytes : 1);
    cudaMemcpy(memory, host, bytes, cudaMemcpyDefault);
  }
  XtMatrix(const XtMatrix&) = delete;
  ~XtMatrix() { cudaFree(memory); }
  operator T*() const { return memory; }
  cublasStatus_t back(cublasStatus_t status) {
    if (status == CUBLAS_STATUS_SUCCESS && cudaMemcpy(host, memory, bytes, cudaMemcpyDefault)) return CUBLAS_STATUS_EXECUTION_FAILED;
    return status;
  }
};
}  // namespace __lanewise
#define __LANEWISE_XT(S, T) \
  inline cublasStatus_t cublasXt##S##gemm(cublasXtHandle_t h, cublasOperation_t ta, cublasOperation_t tb, size_t m, size_t n, size_t k, const T* alpha, const T* A, size_t lda, const T* B, size_t ldb, const T* beta, T* C, size_t ldc) { \
    __lanewise::XtMatrix<T> a(A, lda, ta == CUBLAS_OP_N ? k : m), b(B, ldb, tb == CUBLAS_OP_N ? n : k), c(C, ldc, n); \
    return c.back(cublas##S##gemm(h->handle, ta, tb, (int)m, (int)n, (int)k, alpha, a, (int)lda, b, (int)ldb, beta, c, (int)ldc)); \
  } \
  inline cublasStatus_t cublasXt##S##symm(cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, size_t m, size_t n, const T* alpha, const T* A, size_t lda, const T* B, size_t ldb, const T* beta, T* C, size_t ldc) { \
    __lanewise::XtMatrix<T> a(A, lda, side == CUBLAS_SIDE_LEFT ? m : n), b(B, ldb, n), c(C, ldc, n); \
    return c.back(cublas##S##symm(h->handle, side, fill, (int)m, (int)n, alpha, a, (int)lda, b, (int)ldb, beta, c, (int)ldc)); \
  } \
  inline cublasStatus_t cublasXt##S##syrk(cublasXtHandle_t h, cublasFillMode_t fill, cublasOperation_t t, size_t n, size_t k, const T* alpha, const T* A, size_t lda, const T* beta, T* C, size_t ldc) { \
    __lanewise::XtMatrix<T> a(A, lda, t == CUBLAS_OP_N ? k : n), c(C, ldc, n); \
    return c.back(cublas##S##syrk(h->handle, fill, t, (int)n, (int)k, alpha, a, (int)lda, beta, c, (int)ldc)); \
  } \
  inline cublasStatus_t cublasXt##S##trsm(cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t t, cublasDiagType_t diag, size_t m, size_t n, const T* alpha, const T* A, size_t lda, T* B, size_t ldb) { \
    __lanewise::XtMatrix<T> a(A, lda, side == CUBLAS_SIDE_LEFT ? m : n), b(B, ldb, n); \
    return b.back(cublas##S##trsm(h->handle, side, fill, t, diag, (int)m, (int)n, alpha, a, (int)lda, b, (int)ldb)); \
  } \
  inline cublasStatus_t cublasXt##S##trmm(cublasXtHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t t, cublasDiagType_t diag, size_t m, size_t n, const T* alpha, const T* A, size_t lda, const T* B, size_t ldb, T* C, size_t ldc) { \
    __lanewise::XtMatrix<T> a(A, lda, side == CUBLAS_SIDE_LEFT ? m : n), b(B, ldb, n), c(C, ldc, n); \
    return c.back(cublas##S##trmm(h->handle, side, fill, t, diag, (int)m, (int)n, alpha, a, (int)lda, b, (int)ldb, c, (int)ldc)); \
  }
__LANEWISE_XT(S, float)
__LANEWISE_XT(D, double)
__LANEWISE_XT(C, cuComplex)
__LANEWISE_XT(Z, cuDoubleComplex)
#undef __LANEWISE_XT
#endif
