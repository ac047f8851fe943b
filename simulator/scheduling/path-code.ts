/** What executes the paths of a grid: the interpreter's steps, or compiled code. The scheduling above it is the same for both. */

import type { LocalMemory } from '../machine/local-memory.ts';
import type { MemoryViews } from '../machine/memory-views.ts';
import type { BlockState } from './block.ts';
import type { Frame, Path } from './warp.ts';

/** Where a block that runs keeps its shared memory, and each of its warps its values and local memory. */
export interface BlockPlace {
  readonly shared: MemoryViews;
  /** What holds the shared memory of all blocks of the cluster, and where this one's lies in it. */
  readonly all: MemoryViews;
  readonly sharedAt: number;
  readonly warps: readonly { readonly frame: Frame; readonly local: LocalMemory }[];
}

export interface PathCode {
  /** Warp-level instructions executed so far, also in the middle of a run. */
  readonly steps: number;
  /** What they weigh. */
  readonly weight: number;
  /** Makes room for a block that starts. */
  open(block: BlockState): BlockPlace;
  /** Runs a path until it stops, parts or ends. False if it has paused because the grid's budget is spent. */
  run(path: Path): boolean;
  /** All threads of the block have exited: its place may be used again. */
  close(block: BlockState): void;
}
