/*
 * NVML: which GPUs there are, by the simulated devices' profiles. What only a real GPU has (temperature, power, load, fans) answers
 * NVML_ERROR_NOT_SUPPORTED. A function that is not here is left out.
 */
#ifndef __nvml_nvml_h__
#define __nvml_nvml_h__
#pragma GCC system_header
#include "lanewise/cxx-only.h"
#ifdef __cplusplus
#include "cuda_runtime.h"
#include <string.h>

#define NVML_API_VERSION 12
#define NVML_DEVICE_NAME_BUFFER_SIZE 64
#define NVML_DEVICE_NAME_V2_BUFFER_SIZE 96
#define NVML_DEVICE_UUID_BUFFER_SIZE 80
#define NVML_DEVICE_UUID_V2_BUFFER_SIZE 96
#define NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE 32
#define NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE 80
#define NVML_CUDA_DRIVER_VERSION_MAJOR(v) ((v) / 1000)
#define NVML_CUDA_DRIVER_VERSION_MINOR(v) (((v) % 1000) / 10)

typedef enum nvmlReturn_enum {
  NVML_SUCCESS = 0, NVML_ERROR_UNINITIALIZED = 1, NVML_ERROR_INVALID_ARGUMENT = 2, NVML_ERROR_NOT_SUPPORTED = 3, NVML_ERROR_NO_PERMISSION = 4,
  NVML_ERROR_ALREADY_INITIALIZED = 5, NVML_ERROR_NOT_FOUND = 6, NVML_ERROR_INSUFFICIENT_SIZE = 7, NVML_ERROR_INSUFFICIENT_POWER = 8,
  NVML_ERROR_DRIVER_NOT_LOADED = 9, NVML_ERROR_TIMEOUT = 10, NVML_ERROR_GPU_IS_LOST = 15, NVML_ERROR_UNKNOWN = 999
} nvmlReturn_t;
typedef struct nvmlDevice_st* nvmlDevice_t;
typedef struct { unsigned long long total, free, used; } nvmlMemory_t;
typedef struct { unsigned int gpu, memory; } nvmlUtilization_t;
typedef struct {
  char busIdLegacy[16];
  unsigned int domain, bus, device, pciDeviceId, pciSubSystemId;
  char busId[NVML_DEVICE_PCI_BUS_ID_BUFFER_SIZE];
} nvmlPciInfo_t;
typedef enum { NVML_TEMPERATURE_GPU = 0 } nvmlTemperatureSensors_t;
typedef enum { NVML_CLOCK_GRAPHICS = 0, NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2, NVML_CLOCK_VIDEO = 3 } nvmlClockType_t;
typedef enum { NVML_FEATURE_DISABLED = 0, NVML_FEATURE_ENABLED = 1 } nvmlEnableState_t;

namespace __lanewise_nvml {
inline int begun = 0;
/* A handle is the device's number, from 1 on. */
inline nvmlReturn_t device(nvmlDevice_t handle, int* index) {
  int count = 0;
  if (begun == 0) return NVML_ERROR_UNINITIALIZED;
  cudaGetDeviceCount(&count);
  *index = (int)(unsigned long long)handle - 1;
  return *index >= 0 && *index < count ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}
inline nvmlReturn_t properties(nvmlDevice_t handle, cudaDeviceProp* p) {
  int index;
  nvmlReturn_t status = device(handle, &index);
  if (status == NVML_SUCCESS) cudaGetDeviceProperties(p, index);
  return status;
}
inline nvmlReturn_t unsupported(nvmlDevice_t handle) {
  int index;
  nvmlReturn_t status = device(handle, &index);
  return status == NVML_SUCCESS ? NVML_ERROR_NOT_SUPPORTED : status;
}
inline nvmlReturn_t text(const char* from, char* to, unsigned int length) {
  if (!to) return NVML_ERROR_INVALID_ARGUMENT;
  if (strlen(from) + 1 > length) return NVML_ERROR_INSUFFICIENT_SIZE;
  strcpy(to, from);
  return NVML_SUCCESS;
}
}  // namespace __lanewise_nvml

inline nvmlReturn_t nvmlInit_v2() { ++__lanewise_nvml::begun; return NVML_SUCCESS; }
inline nvmlReturn_t nvmlInitWithFlags(unsigned int) { return nvmlInit_v2(); }
inline nvmlReturn_t nvmlShutdown() {
  if (__lanewise_nvml::begun == 0) return NVML_ERROR_UNINITIALIZED;
  --__lanewise_nvml::begun;
  return NVML_SUCCESS;
}
inline const char* nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
    case NVML_SUCCESS: return "Success";
    case NVML_ERROR_UNINITIALIZED: return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT: return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED: return "Not Supported";
    case NVML_ERROR_NO_PERMISSION: return "Insufficient Permissions";
    case NVML_ERROR_NOT_FOUND: return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE: return "Insufficient Size";
    default: return "Unknown Error";
  }
}
inline nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count) {
  int n = 0;
  if (__lanewise_nvml::begun == 0) return NVML_ERROR_UNINITIALIZED;
  if (!count) return NVML_ERROR_INVALID_ARGUMENT;
  cudaGetDeviceCount(&n);
  *count = n;
  return NVML_SUCCESS;
}
inline nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
  int number;
  nvmlDevice_t handle = (nvmlDevice_t)(unsigned long long)(index + 1);
  nvmlReturn_t status = device ? __lanewise_nvml::device(handle, &number) : NVML_ERROR_INVALID_ARGUMENT;
  if (status == NVML_SUCCESS) *device = handle;
  return status;
}
inline nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
  int number;
  nvmlReturn_t status = __lanewise_nvml::device(device, &number);
  if (status == NVML_SUCCESS) *index = number;
  return status;
}
inline nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length) {
  cudaDeviceProp p;
  nvmlReturn_t status = __lanewise_nvml::properties(device, &p);
  return status == NVML_SUCCESS ? __lanewise_nvml::text(p.name, name, length) : status;
}
inline nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
  int number, current;
  nvmlReturn_t status = __lanewise_nvml::device(device, &number);
  if (status != NVML_SUCCESS) return status;
  size_t free, total;
  cudaGetDevice(&current);
  cudaSetDevice(number);
  cudaMemGetInfo(&free, &total);
  cudaSetDevice(current);
  memory->free = free;
  memory->total = total;
  memory->used = total - free;
  return status;
}
inline nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor) {
  cudaDeviceProp p;
  nvmlReturn_t status = __lanewise_nvml::properties(device, &p);
  if (status == NVML_SUCCESS) *major = p.major, *minor = p.minor;
  return status;
}
inline nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
  cudaDeviceProp p;
  nvmlReturn_t status = __lanewise_nvml::properties(device, &p);
  if (status != NVML_SUCCESS) return status;
  memset(pci, 0, sizeof *pci);
  pci->domain = p.pciDomainID, pci->bus = p.pciBusID, pci->device = p.pciDeviceID;
  int number;
  __lanewise_nvml::device(device, &number);
  cudaDeviceGetPCIBusId(pci->busId, sizeof pci->busId, number);
  strncpy(pci->busIdLegacy, pci->busId, sizeof pci->busIdLegacy - 1);
  return status;
}
inline nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) {
  if (__lanewise_nvml::begun == 0) return NVML_ERROR_UNINITIALIZED;
  return cudaDriverGetVersion(version) == cudaSuccess ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}
inline nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) { return nvmlSystemGetCudaDriverVersion_v2(version); }
inline nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, nvmlTemperatureSensors_t, unsigned int*) { return __lanewise_nvml::unsupported(device); }
inline nvmlReturn_t nvmlDeviceGetPowerUsage(nvmlDevice_t device, unsigned int*) { return __lanewise_nvml::unsupported(device); }
inline nvmlReturn_t nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_t device, unsigned long long*) { return __lanewise_nvml::unsupported(device); }
inline nvmlReturn_t nvmlDeviceGetEnforcedPowerLimit(nvmlDevice_t device, unsigned int*) { return __lanewise_nvml::unsupported(device); }
inline nvmlReturn_t nvmlDeviceGetPowerManagementLimit(nvmlDevice_t device, unsigned int*) { return __lanewise_nvml::unsupported(device); }
inline nvmlReturn_t nvmlDeviceGetUtilizationRates(nvmlDevice_t device, nvmlUtilization_t*) { return __lanewise_nvml::unsupported(device); }
inline nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t, unsigned int*) { return __lanewise_nvml::unsupported(device); }
inline nvmlReturn_t nvmlDeviceGetFanSpeed(nvmlDevice_t device, unsigned int*) { return __lanewise_nvml::unsupported(device); }
inline nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char*, unsigned int) { return __lanewise_nvml::unsupported(device); }
inline nvmlReturn_t nvmlDeviceSetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t) { return __lanewise_nvml::unsupported(device); }

#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetPciInfo nvmlDeviceGetPciInfo_v3
#endif
#endif
