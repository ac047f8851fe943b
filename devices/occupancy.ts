/**
 * How many blocks fit on one multiprocessor by each resource that is known without compiling for hardware; registers are not. Source:
 * CUDA C++ Programming Guide, "Hardware Multithreading"; cuda_occupancy.h of CUDA 13.0.
 */
import type { DeviceProfile } from './profile.ts';

export interface OccupancyLimits {
  readonly blocks: number;
  readonly warps: number;
  readonly sharedMemory: number;
}

/** `sharedBytes`: static and dynamic, of one block. */
export function occupancyLimits(device: DeviceProfile, block: { readonly threads: number; readonly sharedBytes: number }): OccupancyLimits {
  const warpsPerBlock = Math.ceil(block.threads / device.warpSize);
  const warps = Math.floor(device.maxThreadsPerMultiprocessor / device.warpSize / warpsPerBlock);
  return { blocks: device.maxBlocksPerMultiprocessor, warps, sharedMemory: sharedLimit(device, block.sharedBytes) };
}

/** Blocks resident at once by what is known: the least of the limits. */
export function residentBlocks({ blocks, warps, sharedMemory }: OccupancyLimits): number {
  return Math.min(blocks, warps, sharedMemory);
}

/** Blocks that the whole shared memory of a multiprocessor holds; the driver may configure less of it as shared memory. */
function sharedLimit(device: DeviceProfile, sharedBytes: number): number {
  if (sharedBytes === 0) return device.maxBlocksPerMultiprocessor;
  const granule = device.sharedGranuleBytes;
  const perBlock = Math.ceil((sharedBytes + device.reservedSharedPerBlock) / granule) * granule;
  return Math.floor(device.sharedPerMultiprocessor / perBlock);
}

/** A warp gets registers in units of 256, from one of four register files (cuda_occupancy.h of CUDA 13.0). */
const REGISTER_UNIT = 256;
const REGISTER_FILES = 4;

/** Blocks whose registers one multiprocessor holds. `registers`: of a thread. */
export function blocksByRegisters(device: DeviceProfile, { threads, registers }: { threads: number; registers: number }): number {
  const perWarp = Math.ceil((registers * device.warpSize) / REGISTER_UNIT) * REGISTER_UNIT;
  const warps = Math.floor(device.registersPerMultiprocessor / REGISTER_FILES / perWarp) * REGISTER_FILES;
  return Math.floor(warps / Math.ceil(threads / device.warpSize));
}
