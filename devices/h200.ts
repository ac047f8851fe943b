import { SM_90 } from './prices.ts';
import type { DeviceProfile } from './profile.ts';

/**
 * Measured: cudaGetDeviceProperties and cudaDeviceGetAttribute on one NVIDIA H200 (driver for CUDA 13.0), 2026-11. The granule of shared
 * memory is from cuda_occupancy.h.
 */
export const h200: DeviceProfile = {
  id: 'h200',
  name: 'NVIDIA H200',
  computeCapability: [9, 0],
  multiprocessors: 132,
  warpSize: 32,
  maxThreadsPerBlock: 1024,
  maxThreadsPerMultiprocessor: 2048,
  maxBlocksPerMultiprocessor: 32,
  maxBlock: [1024, 1024, 64],
  maxGrid: [2147483647, 65535, 65535],
  registersPerMultiprocessor: 65536,
  registersPerBlock: 65536,
  sharedPerMultiprocessor: 233472,
  sharedPerBlock: 49152,
  sharedPerBlockOptin: 232448,
  reservedSharedPerBlock: 1024,
  sharedGranuleBytes: 128,
  constantBytes: 65536,
  l2Bytes: 62914560,
  persistingL2MaxBytes: 39321600,
  accessPolicyMaxWindowBytes: 134217728,
  globalBytes: 150109880320,
  clockKHz: 1980000,
  memoryClockKHz: 3201000,
  memoryBusBits: 6016,
  prices: SM_90,
};
