/* Of cuFFT's extensions plans by the types of their elements, and callbacks, which are kernels of their own before and behind the transform.
   What is of several devices answers CUFFT_NOT_SUPPORTED, and so does a callback of a plan whose elements do not lie together. */
#ifndef _CUFFTXT_H_
#define _CUFFTXT_H_
#pragma GCC system_header
#include "cufft.h"

inline cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int* n, long long int* inembed, long long int istride, long long int idist, cudaDataType in, long long int* onembed, long long int ostride, long long int odist, cudaDataType out, long long int batch, size_t* bytes, cudaDataType execution) {
  struct { cudaDataType in, out; cufftType type; } known[] = {
    {CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C}, {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R},
    {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z}, {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D}};
  for (auto& each : known) {
    if (each.in != in || each.out != out || execution != (each.type & 0x40 ? CUDA_C_64F : CUDA_C_32F)) continue;
    return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, each.type, batch, bytes);
  }
  return CUFFT_NOT_SUPPORTED;
}

/* Callbacks: what gives the elements of the input, or takes those of the output. */
typedef enum cufftXtCallbackType_t {
  CUFFT_CB_LD_COMPLEX = 0, CUFFT_CB_LD_COMPLEX_DOUBLE = 1, CUFFT_CB_LD_REAL = 2, CUFFT_CB_LD_REAL_DOUBLE = 3, CUFFT_CB_ST_COMPLEX = 4,
  CUFFT_CB_ST_COMPLEX_DOUBLE = 5, CUFFT_CB_ST_REAL = 6, CUFFT_CB_ST_REAL_DOUBLE = 7, CUFFT_CB_UNDEFINED = 8
} cufftXtCallbackType;
typedef cufftComplex (*cufftCallbackLoadC)(void* in, size_t offset, void* info, void* shared);
typedef cufftDoubleComplex (*cufftCallbackLoadZ)(void* in, size_t offset, void* info, void* shared);
typedef cufftReal (*cufftCallbackLoadR)(void* in, size_t offset, void* info, void* shared);
typedef cufftDoubleReal (*cufftCallbackLoadD)(void* in, size_t offset, void* info, void* shared);
typedef void (*cufftCallbackStoreC)(void* out, size_t offset, cufftComplex element, void* info, void* shared);
typedef void (*cufftCallbackStoreZ)(void* out, size_t offset, cufftDoubleComplex element, void* info, void* shared);
typedef void (*cufftCallbackStoreR)(void* out, size_t offset, cufftReal element, void* info, void* shared);
typedef void (*cufftCallbackStoreD)(void* out, size_t offset, cufftDoubleReal element, void* info, void* shared);

struct __lanewise_cufft_callback_t { void *routine, *info; size_t shared; };
struct __lanewise_cufft_counts_t { size_t in, out; };
extern "C" {
cufftResult __lanewise_cufft_set_callback(cufftHandle plan, int type, void* routine, void* info, void* hook);
cufftResult __lanewise_cufft_set_shared(cufftHandle plan, int type, size_t bytes);
cufftResult __lanewise_cufft_callback(cufftHandle plan, int type, __lanewise_cufft_callback_t* callback);
cufftResult __lanewise_cufft_counts(cufftHandle plan, int inPlace, __lanewise_cufft_counts_t* counts);
}
template <class T> __global__ void __lanewise_cufft_load(T (*routine)(void*, size_t, void*, void*), void* in, T* out, void* info, size_t count) {
  extern __shared__ double __lanewise_cufft_shared[];
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = routine(in, i, info, __lanewise_cufft_shared);
}
template <class T> __global__ void __lanewise_cufft_store(void (*routine)(void*, size_t, T, void*, void*), const T* in, void* out, void* info, size_t count) {
  extern __shared__ double __lanewise_cufft_shared[];
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) routine(out, i, in[i], info, __lanewise_cufft_shared);
}
template <class In, class Out> cufftResult __lanewise_cufft_around(cufftHandle plan, cufftType type, void* in, void* out, int direction, int load, int store) {
  constexpr unsigned threads = 256;
  __lanewise_cufft_counts_t counts;
  __lanewise_cufft_callback_t before = {}, behind = {};
  cufftResult status = __lanewise_cufft_counts(plan, in == out, &counts);
  if (status != CUFFT_SUCCESS) return status;
  __lanewise_cufft_callback(plan, load, &before);
  __lanewise_cufft_callback(plan, store, &behind);
  void *from = in, *to = out;
  if (before.routine && cudaMalloc(&from, counts.in * sizeof(In)) != cudaSuccess) return CUFFT_ALLOC_FAILED;
  if (behind.routine && cudaMalloc(&to, counts.out * sizeof(Out)) != cudaSuccess) status = CUFFT_ALLOC_FAILED;
  if (status == CUFFT_SUCCESS && before.routine) {
    auto routine = (In (*)(void*, size_t, void*, void*))before.routine;
    __lanewise_cufft_load<In><<<(unsigned)((counts.in + threads - 1) / threads), threads, before.shared>>>(routine, in, (In*)from, before.info, counts.in);
  }
  if (status == CUFFT_SUCCESS) status = __lanewise_cufft_execute(plan, type, from, to, direction);
  if (status == CUFFT_SUCCESS && behind.routine) {
    auto routine = (void (*)(void*, size_t, Out, void*, void*))behind.routine;
    __lanewise_cufft_store<Out><<<(unsigned)((counts.out + threads - 1) / threads), threads, behind.shared>>>(routine, (const Out*)to, out, behind.info, counts.out);
  }
  if (from != in) cudaFree(from);
  if (to != out && to) cudaFree(to);
  return status;
}
inline cufftResult __lanewise_cufft_with_callbacks(cufftHandle plan, cufftType type, void* in, void* out, int direction) {
  switch (type) {
    case CUFFT_C2C: return __lanewise_cufft_around<cufftComplex, cufftComplex>(plan, type, in, out, direction, CUFFT_CB_LD_COMPLEX, CUFFT_CB_ST_COMPLEX);
    case CUFFT_R2C: return __lanewise_cufft_around<cufftReal, cufftComplex>(plan, type, in, out, direction, CUFFT_CB_LD_REAL, CUFFT_CB_ST_COMPLEX);
    case CUFFT_C2R: return __lanewise_cufft_around<cufftComplex, cufftReal>(plan, type, in, out, direction, CUFFT_CB_LD_COMPLEX, CUFFT_CB_ST_REAL);
    case CUFFT_Z2Z: return __lanewise_cufft_around<cufftDoubleComplex, cufftDoubleComplex>(plan, type, in, out, direction, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_ST_COMPLEX_DOUBLE);
    case CUFFT_D2Z: return __lanewise_cufft_around<cufftDoubleReal, cufftDoubleComplex>(plan, type, in, out, direction, CUFFT_CB_LD_REAL_DOUBLE, CUFFT_CB_ST_COMPLEX_DOUBLE);
    case CUFFT_Z2D: return __lanewise_cufft_around<cufftDoubleComplex, cufftDoubleReal>(plan, type, in, out, direction, CUFFT_CB_LD_COMPLEX_DOUBLE, CUFFT_CB_ST_REAL_DOUBLE);
  }
  return CUFFT_INVALID_TYPE;
}
inline cufftResult cufftXtSetCallback(cufftHandle plan, void** routines, cufftXtCallbackType type, void** infos) {
  if (!routines || !routines[0]) return CUFFT_INVALID_VALUE;
  return __lanewise_cufft_set_callback(plan, type, routines[0], infos ? infos[0] : nullptr, (void*)__lanewise_cufft_with_callbacks);
}
inline cufftResult cufftXtClearCallback(cufftHandle plan, cufftXtCallbackType type) { return __lanewise_cufft_set_callback(plan, type, nullptr, nullptr, nullptr); }
inline cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType type, size_t bytes) { return __lanewise_cufft_set_shared(plan, type, bytes); }

/* One transform on several devices. */
enum cudaXtCopyType { LIB_XT_COPY_HOST_TO_DEVICE, LIB_XT_COPY_DEVICE_TO_HOST, LIB_XT_COPY_DEVICE_TO_DEVICE };
typedef enum cudaXtCopyType cudaLibXtCopyType;
enum libFormat_t { LIB_FORMAT_CUFFT = 0, LIB_FORMAT_UNDEFINED = 1 };
typedef enum libFormat_t libFormat;
#define MAX_CUDA_DESCRIPTOR_GPUS 64
struct cudaXtDesc_t { int version, nGPUs, GPUs[MAX_CUDA_DESCRIPTOR_GPUS]; void* data[MAX_CUDA_DESCRIPTOR_GPUS]; size_t size[MAX_CUDA_DESCRIPTOR_GPUS]; void* cudaXtState; };
typedef struct cudaXtDesc_t cudaXtDesc;
struct cudaLibXtDesc_t { int version; cudaXtDesc* descriptor; libFormat library; int subFormat; void* libDescriptor; };
typedef struct cudaLibXtDesc_t cudaLibXtDesc;
typedef enum cufftXtSubFormat_t { CUFFT_XT_FORMAT_INPUT, CUFFT_XT_FORMAT_OUTPUT, CUFFT_XT_FORMAT_INPLACE, CUFFT_XT_FORMAT_INPLACE_SHUFFLED, CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED, CUFFT_XT_FORMAT_DISTRIBUTED_INPUT, CUFFT_XT_FORMAT_DISTRIBUTED_OUTPUT, CUFFT_FORMAT_UNDEFINED } cufftXtSubFormat;
typedef enum cufftXtCopyType_t { CUFFT_COPY_HOST_TO_DEVICE, CUFFT_COPY_DEVICE_TO_HOST, CUFFT_COPY_DEVICE_TO_DEVICE, CUFFT_COPY_UNDEFINED } cufftXtCopyType;
inline cufftResult cufftXtSetGPUs(cufftHandle, int count, int* devices) {
  int present = 0;
  cudaGetDeviceCount(&present);
  for (int k = 0; k < count; ++k) if (devices[k] < 0 || devices[k] >= present) return CUFFT_INVALID_DEVICE;
  return CUFFT_NOT_SUPPORTED;
}
inline cufftResult cufftXtMalloc(cufftHandle, cudaLibXtDesc**, cufftXtSubFormat) { return CUFFT_NOT_SUPPORTED; }
inline cufftResult cufftXtFree(cudaLibXtDesc*) { return CUFFT_NOT_SUPPORTED; }
inline cufftResult cufftXtMemcpy(cufftHandle, void*, void*, cufftXtCopyType) { return CUFFT_NOT_SUPPORTED; }
inline cufftResult cufftXtExecDescriptor(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int) { return CUFFT_NOT_SUPPORTED; }
inline cufftResult cufftXtExecDescriptorC2C(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int) { return CUFFT_NOT_SUPPORTED; }
inline cufftResult cufftXtExecDescriptorZ2Z(cufftHandle, cudaLibXtDesc*, cudaLibXtDesc*, int) { return CUFFT_NOT_SUPPORTED; }
#endif
