/** Plain data about a compiled kernel and a launch of it, as worker threads get them. */
import type { Dim3 } from '../engine.ts';
import type { KnownAllocation } from './memory-host.ts';

export interface MemorySiteFacts {
  /** Offset of its record in a worker's area. */
  readonly record: number;
  /** Site of the instruction in the kernel's function. */
  readonly site: number;
  readonly bytes: number;
  readonly align: number;
  /** How the request is counted; undefined for one that counts with another. */
  readonly counted: { readonly bytes: number; readonly offset: number } | undefined;
}

export interface KernelPlan {
  readonly name: string;
  readonly frameBytes: number;
  readonly areaBytes: number;
  readonly localBytes: number;
  readonly parameterBytes: number;
  readonly usesLocal: boolean;
  readonly sites: readonly MemorySiteFacts[];
  readonly blockRows: readonly number[];
  /** Instructions of each block. */
  readonly blockInstructions: readonly number[];
}

export interface LaunchPlan {
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly sharedLimit: number;
  readonly dynamicSharedBytes: number;
  /** Kernel parameters as the area holds them. */
  readonly parameters: Uint8Array;
  /** Structures passed by value: their bytes and where in each lane's local memory they go. */
  readonly byval: readonly { readonly bytes: Uint8Array; readonly offset: number }[];
  readonly allocations: readonly KnownAllocation[];
  /** Most warp-level instructions. */
  readonly limit: number;
  /** Other workers run blocks of the same grid at the same time. */
  readonly parallel: boolean;
}

/** Bytes of device memory that a worker needs for a launch, and where its parts begin. */
export interface WorkerLayout {
  readonly area: number;
  readonly frames: number;
  readonly shared: number;
  readonly locals: number;
  readonly bytes: number;
}

export function workerLayout(kernel: KernelPlan, launch: LaunchPlan): WorkerLayout {
  const warps = warpCount(launch);
  // A page between the parts keeps different workers' hot words in different cache lines.
  const frames = kernel.areaBytes + 256;
  const shared = frames + warps * kernel.frameBytes + 256;
  const locals = shared + Math.ceil(launch.sharedLimit / 256) * 256 + 256;
  const bytes = locals + (kernel.usesLocal ? warps * 32 * kernel.localBytes : 0) + 256;
  return { area: 0, frames, shared, locals, bytes: Math.ceil(bytes / 256) * 256 };
}

export function warpCount({ block }: LaunchPlan): number {
  return Math.ceil((block[0] * block[1] * block[2]) / 32);
}
