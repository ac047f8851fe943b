/* CUB's checks of errors and its macros. */
#pragma once
#pragma GCC system_header
#include "../cuda_runtime.h"
#include <cstdio>
#include <cstdlib>

namespace cub {
__host__ __device__ inline cudaError_t Debug(cudaError_t error, const char* file, int line) {
  if (error != cudaSuccess) printf("CUDA error %d [%s, %d]\n", (int)error, file, line);
  return error;
}
}  // namespace cub

#define CubDebug(e) ::cub::Debug((cudaError_t)(e), __FILE__, __LINE__)
#define CubDebugExit(e) do { if (::cub::Debug((cudaError_t)(e), __FILE__, __LINE__) != cudaSuccess) exit(1); } while (0)
#define _CubLog(format, ...) printf(format, __VA_ARGS__)
#define CUB_MIN(a, b) (((a) > (b)) ? (b) : (a))
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_QUOTIENT_FLOOR(x, y) ((x) / (y))
#define CUB_QUOTIENT_CEILING(x, y) (((x) + (y) - 1) / (y))
#define CUB_ROUND_UP_NEAREST(x, y) (CUB_QUOTIENT_CEILING(x, y) * (y))
#define CUB_ROUND_DOWN_NEAREST(x, y) (((x) / (y)) * (y))
#define CUB_RUNTIME_FUNCTION __host__ __device__
