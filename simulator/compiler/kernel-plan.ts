/** Plain data about a compiled kernel and a launch of it, as worker threads get them. */

import type { TraceSample } from '../machine/access-trace.ts';
import type { Dim3 } from '../machine/launch.ts';
import type { AccessShape } from '../machine/request.ts';
import type { KnownAllocation } from './memory-host.ts';

export interface MemorySiteFacts extends AccessShape {
  /** Offset of its record in a worker's area. */
  readonly record: number;
  /** Site of the instruction in the kernel's function. */
  readonly site: number;
}

/** An instruction with branches inside: where in a worker's area is counted how many of these have diverged, and how often lanes took a slow path that loads so many words. */
export interface InnerBranches {
  readonly site: number;
  readonly offset: number;
  readonly reads: number;
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
  readonly innerBranches: readonly InnerBranches[];
  /** Instructions of each block. */
  readonly blockInstructions: readonly number[];
  /** The scheduler of paths runs it; its code is one path's. */
  readonly pathByPath: boolean;
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
  /** Some accesses must wait until all blocks before have ended. */
  readonly inTurn: boolean;
  /** Which blocks' requests are traced. */
  readonly traced: TraceSample | undefined;
}

/** Bytes of device memory that a worker needs for a launch: its area, and behind it the context of a block that runs. */
export interface WorkerLayout {
  readonly areaBytes: number;
  /** In the area: what local memory of a block holds at first, if structures are passed by value. */
  readonly image: number;
  /** Where the parts of a block's context begin: frames of its warps, shared memory, local memory. */
  readonly frames: number;
  readonly shared: number;
  readonly locals: number;
  readonly contextBytes: number;
}

export function workerLayout(kernel: KernelPlan, launch: LaunchPlan): WorkerLayout {
  const warps = warpCount(launch);
  const pages = (bytes: number): number => Math.ceil(bytes / 256) * 256;
  // A page between the parts keeps different workers' hot words in different cache lines.
  const frames = 0;
  const shared = pages(warps * kernel.frameBytes) + 256;
  const locals = shared + pages(launch.sharedLimit) + 256;
  const contextBytes = pages(locals + (kernel.usesLocal ? warps * 32 * kernel.localBytes : 0) + 256);
  const image = pages(kernel.areaBytes);
  const imageBytes = kernel.usesLocal && launch.byval.length > 0 ? warps * 32 * kernel.localBytes : 0;
  return { areaBytes: image + pages(imageBytes) + 256, image, frames, shared, locals, contextBytes };
}

export function warpCount({ block }: LaunchPlan): number {
  return Math.ceil((block[0] * block[1] * block[2]) / 32);
}
