/* cudaGetDeviceProperties, filled from attributes, so that the structure's layout is known to this folder alone. */
#pragma once
#include <string.h>
#include "../cuda_runtime_api.h"

__LANEWISE_C_BEGIN
/* cudaSuccess, or cudaErrorInvalidDevice. */
cudaError_t __lanewise_device_check(int device);
/* Value of a cudaDeviceAttr; 10000: bytes of global memory. */
double __lanewise_device_property(int attribute);
void __lanewise_device_name(char* buffer, size_t capacity);
__LANEWISE_C_END

static inline __attribute__((nodebug, unused)) cudaError_t __lanewise_get_device_properties(struct cudaDeviceProp* p, int device) {
  if (p == 0) return cudaErrorInvalidValue;
  cudaError_t error = __lanewise_device_check(device);
  if (error != cudaSuccess) return error;
  memset(p, 0, sizeof *p);
  __lanewise_device_name(p->name, sizeof p->name);
#define __LANEWISE_PROPERTY(field, attribute) p->field = (__typeof__(p->field + 0))__lanewise_device_property(attribute)
  __LANEWISE_PROPERTY(totalGlobalMem, 10000);
  __LANEWISE_PROPERTY(sharedMemPerBlock, cudaDevAttrMaxSharedMemoryPerBlock);
  __LANEWISE_PROPERTY(regsPerBlock, cudaDevAttrMaxRegistersPerBlock);
  __LANEWISE_PROPERTY(warpSize, cudaDevAttrWarpSize);
  __LANEWISE_PROPERTY(memPitch, cudaDevAttrMaxPitch);
  __LANEWISE_PROPERTY(maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock);
  __LANEWISE_PROPERTY(maxThreadsDim[0], cudaDevAttrMaxBlockDimX);
  __LANEWISE_PROPERTY(maxThreadsDim[1], cudaDevAttrMaxBlockDimY);
  __LANEWISE_PROPERTY(maxThreadsDim[2], cudaDevAttrMaxBlockDimZ);
  __LANEWISE_PROPERTY(maxGridSize[0], cudaDevAttrMaxGridDimX);
  __LANEWISE_PROPERTY(maxGridSize[1], cudaDevAttrMaxGridDimY);
  __LANEWISE_PROPERTY(maxGridSize[2], cudaDevAttrMaxGridDimZ);
  __LANEWISE_PROPERTY(clockRate, cudaDevAttrClockRate);
  __LANEWISE_PROPERTY(totalConstMem, cudaDevAttrTotalConstantMemory);
  __LANEWISE_PROPERTY(major, cudaDevAttrComputeCapabilityMajor);
  __LANEWISE_PROPERTY(minor, cudaDevAttrComputeCapabilityMinor);
  __LANEWISE_PROPERTY(textureAlignment, cudaDevAttrTextureAlignment);
  __LANEWISE_PROPERTY(texturePitchAlignment, cudaDevAttrTexturePitchAlignment);
  __LANEWISE_PROPERTY(deviceOverlap, cudaDevAttrGpuOverlap);
  __LANEWISE_PROPERTY(multiProcessorCount, cudaDevAttrMultiProcessorCount);
  __LANEWISE_PROPERTY(kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout);
  __LANEWISE_PROPERTY(integrated, cudaDevAttrIntegrated);
  __LANEWISE_PROPERTY(canMapHostMemory, cudaDevAttrCanMapHostMemory);
  __LANEWISE_PROPERTY(computeMode, cudaDevAttrComputeMode);
  __LANEWISE_PROPERTY(maxTexture1D, cudaDevAttrMaxTexture1DWidth);
  __LANEWISE_PROPERTY(maxTexture2D[0], cudaDevAttrMaxTexture2DWidth);
  __LANEWISE_PROPERTY(maxTexture2D[1], cudaDevAttrMaxTexture2DHeight);
  __LANEWISE_PROPERTY(maxTexture3D[0], cudaDevAttrMaxTexture3DWidth);
  __LANEWISE_PROPERTY(maxTexture3D[1], cudaDevAttrMaxTexture3DHeight);
  __LANEWISE_PROPERTY(maxTexture3D[2], cudaDevAttrMaxTexture3DDepth);
  __LANEWISE_PROPERTY(maxTexture1DLayered[0], cudaDevAttrMaxTexture1DLayeredWidth);
  __LANEWISE_PROPERTY(maxTexture1DLayered[1], cudaDevAttrMaxTexture1DLayeredLayers);
  __LANEWISE_PROPERTY(maxTexture2DLayered[0], cudaDevAttrMaxTexture2DLayeredWidth);
  __LANEWISE_PROPERTY(maxTexture2DLayered[1], cudaDevAttrMaxTexture2DLayeredHeight);
  __LANEWISE_PROPERTY(maxTexture2DLayered[2], cudaDevAttrMaxTexture2DLayeredLayers);
  __LANEWISE_PROPERTY(surfaceAlignment, cudaDevAttrSurfaceAlignment);
  __LANEWISE_PROPERTY(concurrentKernels, cudaDevAttrConcurrentKernels);
  __LANEWISE_PROPERTY(ECCEnabled, cudaDevAttrEccEnabled);
  __LANEWISE_PROPERTY(pciBusID, cudaDevAttrPciBusId);
  __LANEWISE_PROPERTY(pciDeviceID, cudaDevAttrPciDeviceId);
  __LANEWISE_PROPERTY(pciDomainID, cudaDevAttrPciDomainId);
  __LANEWISE_PROPERTY(tccDriver, cudaDevAttrTccDriver);
  __LANEWISE_PROPERTY(asyncEngineCount, cudaDevAttrAsyncEngineCount);
  __LANEWISE_PROPERTY(unifiedAddressing, cudaDevAttrUnifiedAddressing);
  __LANEWISE_PROPERTY(memoryClockRate, cudaDevAttrMemoryClockRate);
  __LANEWISE_PROPERTY(memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth);
  __LANEWISE_PROPERTY(l2CacheSize, cudaDevAttrL2CacheSize);
  __LANEWISE_PROPERTY(persistingL2CacheMaxSize, cudaDevAttrMaxPersistingL2CacheSize);
  __LANEWISE_PROPERTY(maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor);
  __LANEWISE_PROPERTY(streamPrioritiesSupported, cudaDevAttrStreamPrioritiesSupported);
  __LANEWISE_PROPERTY(globalL1CacheSupported, cudaDevAttrGlobalL1CacheSupported);
  __LANEWISE_PROPERTY(localL1CacheSupported, cudaDevAttrLocalL1CacheSupported);
  __LANEWISE_PROPERTY(sharedMemPerMultiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  __LANEWISE_PROPERTY(regsPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor);
  __LANEWISE_PROPERTY(managedMemory, cudaDevAttrManagedMemory);
  __LANEWISE_PROPERTY(isMultiGpuBoard, cudaDevAttrIsMultiGpuBoard);
  __LANEWISE_PROPERTY(multiGpuBoardGroupID, cudaDevAttrMultiGpuBoardGroupID);
  __LANEWISE_PROPERTY(hostNativeAtomicSupported, cudaDevAttrHostNativeAtomicSupported);
  __LANEWISE_PROPERTY(singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio);
  __LANEWISE_PROPERTY(pageableMemoryAccess, cudaDevAttrPageableMemoryAccess);
  __LANEWISE_PROPERTY(concurrentManagedAccess, cudaDevAttrConcurrentManagedAccess);
  __LANEWISE_PROPERTY(computePreemptionSupported, cudaDevAttrComputePreemptionSupported);
  __LANEWISE_PROPERTY(canUseHostPointerForRegisteredMem, cudaDevAttrCanUseHostPointerForRegisteredMem);
  __LANEWISE_PROPERTY(cooperativeLaunch, cudaDevAttrCooperativeLaunch);
  __LANEWISE_PROPERTY(cooperativeMultiDeviceLaunch, cudaDevAttrCooperativeMultiDeviceLaunch);
  __LANEWISE_PROPERTY(sharedMemPerBlockOptin, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  __LANEWISE_PROPERTY(pageableMemoryAccessUsesHostPageTables, cudaDevAttrPageableMemoryAccessUsesHostPageTables);
  __LANEWISE_PROPERTY(directManagedMemAccessFromHost, cudaDevAttrDirectManagedMemAccessFromHost);
  __LANEWISE_PROPERTY(maxBlocksPerMultiProcessor, cudaDevAttrMaxBlocksPerMultiprocessor);
  __LANEWISE_PROPERTY(accessPolicyMaxWindowSize, cudaDevAttrMaxAccessPolicyWindowSize);
  __LANEWISE_PROPERTY(reservedSharedMemPerBlock, cudaDevAttrReservedSharedMemoryPerBlock);
  __LANEWISE_PROPERTY(hostRegisterSupported, cudaDevAttrHostRegisterSupported);
  __LANEWISE_PROPERTY(memoryPoolsSupported, cudaDevAttrMemoryPoolsSupported);
  __LANEWISE_PROPERTY(clusterLaunch, cudaDevAttrClusterLaunch);
#undef __LANEWISE_PROPERTY
  return cudaSuccess;
}
#define cudaGetDeviceProperties(properties, device) __lanewise_get_device_properties(properties, device)
#define cudaGetDeviceProperties_v2(properties, device) __lanewise_get_device_properties(properties, device)
