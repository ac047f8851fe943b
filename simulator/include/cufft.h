/*
 * cuFFT: transforms of one to three dimensions, in single and double precision, batched and with strides. The simulator computes them on
 * the host (simulator/runtime/libraries/cufft.ts); no launch counts them. A function that is not here is left out.
 */
#ifndef _CUFFT_H_
#define _CUFFT_H_
#pragma GCC system_header
#include "lanewise/cxx-only.h"
#ifdef __cplusplus
#include "cuda_runtime.h"
#include "cuComplex.h"
#include "library_types.h"

#define CUFFT_VER_MAJOR 12
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VER_BUILD 61
#define CUFFT_VERSION 12000
#define MAX_CUFFT_ERROR 0x15
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

typedef enum cufftResult_t {
  CUFFT_SUCCESS = 0, CUFFT_INVALID_PLAN = 1, CUFFT_ALLOC_FAILED = 2, CUFFT_INVALID_TYPE = 3, CUFFT_INVALID_VALUE = 4, CUFFT_INTERNAL_ERROR = 5,
  CUFFT_EXEC_FAILED = 6, CUFFT_SETUP_FAILED = 7, CUFFT_INVALID_SIZE = 8, CUFFT_UNALIGNED_DATA = 9, CUFFT_INCOMPLETE_PARAMETER_LIST = 10,
  CUFFT_INVALID_DEVICE = 11, CUFFT_PARSE_ERROR = 12, CUFFT_NO_WORKSPACE = 13, CUFFT_NOT_IMPLEMENTED = 14, CUFFT_LICENSE_ERROR = 15,
  CUFFT_NOT_SUPPORTED = 16, CUFFT_MISSING_DEPENDENCY = 17, CUFFT_NVRTC_FAILURE = 18, CUFFT_NVJITLINK_FAILURE = 19, CUFFT_NVSHMEM_FAILURE = 20
} cufftResult;
typedef enum cufftType_t { CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c, CUFFT_Z2Z = 0x69 } cufftType;
typedef enum cufftCompatibility_t { CUFFT_COMPATIBILITY_FFTW_PADDING = 1 } cufftCompatibility;
#define CUFFT_COMPATIBILITY_DEFAULT CUFFT_COMPATIBILITY_FFTW_PADDING
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;

extern "C" {
cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch);
cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type);
cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type);
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, cufftType type, int batch);
cufftResult cufftCreate(cufftHandle* plan);
cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* bytes);
cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* bytes);
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t* bytes);
cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride, int odist, cufftType type, int batch, size_t* bytes);
cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int* n, long long int* inembed, long long int istride, long long int idist, long long int* onembed, long long int ostride, long long int odist, cufftType type, long long int batch, size_t* bytes);
cufftResult cufftGetSize(cufftHandle plan, size_t* bytes);
cufftResult cufftSetWorkArea(cufftHandle plan, void* area);
cufftResult cufftSetAutoAllocation(cufftHandle plan, int allocate);
cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream);
cufftResult cufftDestroy(cufftHandle plan);
cufftResult __lanewise_cufft_execute(cufftHandle plan, cufftType type, void* in, void* out, int direction);
/* What executes a plan that has callbacks (cufftXt.h); null for others. */
cufftResult __lanewise_cufft_hook(cufftHandle plan, void** hook);
}
inline cufftResult __lanewise_cufft_run(cufftHandle plan, cufftType type, void* in, void* out, int direction) {
  void* hook = nullptr;
  __lanewise_cufft_hook(plan, &hook);
  auto run = hook ? (cufftResult (*)(cufftHandle, cufftType, void*, void*, int))hook : __lanewise_cufft_execute;
  return run(plan, type, in, out, direction);
}
inline cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction) { return __lanewise_cufft_run(plan, CUFFT_C2C, in, out, direction); }
inline cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) { return __lanewise_cufft_run(plan, CUFFT_R2C, in, out, CUFFT_FORWARD); }
inline cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out) { return __lanewise_cufft_run(plan, CUFFT_C2R, in, out, CUFFT_INVERSE); }
inline cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out, int direction) { return __lanewise_cufft_run(plan, CUFFT_Z2Z, in, out, direction); }
inline cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out) { return __lanewise_cufft_run(plan, CUFFT_D2Z, in, out, CUFFT_FORWARD); }
inline cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out) { return __lanewise_cufft_run(plan, CUFFT_Z2D, in, out, CUFFT_INVERSE); }
inline cufftResult cufftGetVersion(int* version) { *version = CUFFT_VERSION; return CUFFT_SUCCESS; }
inline cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  *value = type == MAJOR_VERSION ? CUFFT_VER_MAJOR : type == MINOR_VERSION ? CUFFT_VER_MINOR : CUFFT_VER_PATCH;
  return CUFFT_SUCCESS;
}
/* The memory that a plan would need: none here. */
inline cufftResult cufftEstimate1d(int, cufftType, int, size_t* bytes) { *bytes = 0; return CUFFT_SUCCESS; }
inline cufftResult cufftEstimate2d(int, int, cufftType, size_t* bytes) { *bytes = 0; return CUFFT_SUCCESS; }
inline cufftResult cufftEstimate3d(int, int, int, cufftType, size_t* bytes) { *bytes = 0; return CUFFT_SUCCESS; }
#endif
#endif
