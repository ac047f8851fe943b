/* What NVIDIA's samples ask of errors and devices. */
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_
#include "../cuda_runtime.h"
#include "helper_string.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

inline const char* _cudaGetErrorEnum(cudaError_t error) { return cudaGetErrorName(error); }
#ifdef __cuda_cuda_h__
inline const char* _cudaGetErrorEnum(CUresult error) {
  const char* name = nullptr;
  cuGetErrorName(error, &name);
  return name ? name : "<unknown>";
}
#endif
#ifdef CUBLAS_V2_H_
inline const char* _cudaGetErrorEnum(cublasStatus_t error) { return cublasGetStatusName(error); }
#endif
/* Results of libraries that have no names for them. */
template <class T> const char* _cudaGetErrorEnum(T) { return "<unknown>"; }

template <class T> void check(T result, const char* call, const char* file, int line) {
  if (!result) return;
  fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, (int)result, _cudaGetErrorEnum(result), call);
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)

inline void __getLastCudaError(const char* message, const char* file, int line) {
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message, (int)error, cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
inline void __printLastCudaError(const char* message, const char* file, int line) {
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message, (int)error, cudaGetErrorString(error));
}
#define printLastCudaError(message) __printLastCudaError(message, __FILE__, __LINE__)

/* Rounds to the nearest integer, halves away from zero. */
inline int ftoi(float value) { return (int)(value >= 0 ? value + 0.5f : value - 0.5f); }

/* Sums of 32-bit floats per cycle of a multiprocessor (CUDA C++ Programming Guide, "Arithmetic Instructions"). */
inline int _ConvertSMVer2Cores(int major, int minor) {
  switch (major) {
    case 3: return 192;
    case 5: return 128;
    case 6: return minor == 0 ? 64 : 128;
    case 7: return 64;
    case 8: return minor == 0 ? 64 : 128;
    default: return 128;
  }
}
inline const char* _ConvertSMVer2ArchName(int major, int minor) {
  switch (major) {
    case 3: return "Kepler";
    case 5: return "Maxwell";
    case 6: return "Pascal";
    case 7: return minor == 0 ? "Volta" : minor == 2 ? "Xavier" : "Turing";
    case 8: return minor == 9 ? "Ada" : "Ampere";
    case 9: return "Hopper";
    case 10: case 11: case 12: return "Blackwell";
    default: return "Graphics Device";
  }
}

namespace lanewise_samples {
inline int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&value, which, device));
  return value;
}
inline int deviceCount() {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (count > 0) return count;
  fprintf(stderr, "CUDA error: no devices supporting CUDA.\n");
  exit(EXIT_FAILURE);
}
}  // namespace lanewise_samples

inline int gpuDeviceInit(int device) {
  using lanewise_samples::attribute;
  int count = lanewise_samples::deviceCount();
  if (device < 0) device = 0;
  if (device >= count) {
    fprintf(stderr, "\n%d CUDA capable GPU device(s) detected.\ngpuDeviceInit (-device=%d) is not a valid GPU device.\n\n", count, device);
    return -device;
  }
  if (attribute(cudaDevAttrComputeMode, device) == cudaComputeModeProhibited) {
    fprintf(stderr, "Error: device is running in <Compute Mode Prohibited>, no threads can use cudaSetDevice().\n");
    return -1;
  }
  checkCudaErrors(cudaSetDevice(device));
  int major = attribute(cudaDevAttrComputeCapabilityMajor, device), minor = attribute(cudaDevAttrComputeCapabilityMinor, device);
  printf("gpuDeviceInit() CUDA Device [%d]: \"%s\n", device, _ConvertSMVer2ArchName(major, minor));
  return device;
}
/* The device with the most sums of floats per second. */
inline int gpuGetMaxGflopsDeviceId() {
  using lanewise_samples::attribute;
  int best = -1;
  uint64_t most = 0;
  for (int device = 0, count = lanewise_samples::deviceCount(); device < count; ++device) {
    if (attribute(cudaDevAttrComputeMode, device) == cudaComputeModeProhibited) continue;
    int major = attribute(cudaDevAttrComputeCapabilityMajor, device), minor = attribute(cudaDevAttrComputeCapabilityMinor, device);
    uint64_t cores = (uint64_t)attribute(cudaDevAttrMultiProcessorCount, device) * _ConvertSMVer2Cores(major, minor);
    uint64_t speed = cores * attribute(cudaDevAttrClockRate, device);
    if (speed > most) most = speed, best = device;
  }
  if (best >= 0) return best;
  fprintf(stderr, "gpuGetMaxGflopsDeviceId() CUDA error: all devices have compute mode prohibited.\n");
  exit(EXIT_FAILURE);
}
/* The device of -device=N, or the fastest. */
inline int findCudaDevice(int argc, const char** argv) {
  using lanewise_samples::attribute;
  if (checkCmdLineFlag(argc, argv, "device")) {
    int device = gpuDeviceInit(getCmdLineArgumentInt(argc, argv, "device="));
    if (device >= 0) return device;
    printf("exiting...\n");
    exit(EXIT_FAILURE);
  }
  int device = gpuGetMaxGflopsDeviceId();
  checkCudaErrors(cudaSetDevice(device));
  int major = attribute(cudaDevAttrComputeCapabilityMajor, device), minor = attribute(cudaDevAttrComputeCapabilityMinor, device);
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, _ConvertSMVer2ArchName(major, minor), major, minor);
  return device;
}
inline int findCudaDevice(int argc, char** argv) { return findCudaDevice(argc, (const char**)argv); }
/* A device that shares the host's memory, or -1. */
inline int findIntegratedGPU() {
  for (int device = 0, count = lanewise_samples::deviceCount(); device < count; ++device) {
    if (!lanewise_samples::attribute(cudaDevAttrIntegrated, device)) continue;
    checkCudaErrors(cudaSetDevice(device));
    return device;
  }
  return -1;
}
inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0;
  checkCudaErrors(cudaGetDevice(&device));
  int ours = lanewise_samples::attribute(cudaDevAttrComputeCapabilityMajor, device);
  if (ours > major || (ours == major && lanewise_samples::attribute(cudaDevAttrComputeCapabilityMinor, device) >= minor)) return true;
  printf("  No GPU device was found that can support CUDA compute capability %d.%d.\n", major, minor);
  return false;
}
#endif
