/**
 * How many blocks fit on one multiprocessor by each resource that the simulator knows (registers it does not). Source: CUDA C++
 * Programming Guide, "Hardware Multithreading".
 */
import type { DeviceProfile } from '../devices/profile.ts';

export interface OccupancyLimits {
  readonly blocks: number;
  readonly warps: number;
  readonly sharedMemory: number;
}

export function occupancyLimits(device: DeviceProfile, block: { readonly threads: number; readonly sharedBytes: number }): OccupancyLimits {
  const warpsPerBlock = Math.ceil(block.threads / device.warpSize);
  const warps = Math.floor(device.maxThreadsPerMultiprocessor / device.warpSize / warpsPerBlock);
  return { blocks: device.maxBlocksPerMultiprocessor, warps, sharedMemory: sharedLimit(device, block.sharedBytes) };
}

/** Blocks that the whole shared memory of a multiprocessor holds; the driver may configure less of it as shared memory. */
function sharedLimit(device: DeviceProfile, sharedBytes: number): number {
  if (sharedBytes === 0) return device.maxBlocksPerMultiprocessor;
  const perBlock = Math.ceil((sharedBytes + device.reservedSharedPerBlock) / 128) * 128;
  return Math.floor(device.sharedPerMultiprocessor / perBlock);
}
