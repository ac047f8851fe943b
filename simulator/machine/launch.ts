/** What a launch is, and what a fault of the user's program is. */
import type { Location } from '../ir/types.ts';
import type { TraceSample } from './access-trace.ts';

export type Dim3 = readonly [x: number, y: number, z: number];

export interface Launch {
  readonly kernel: string;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedBytes: number;
  /** Value of each kernel parameter, little endian, in the parameter's own size; a byval structure's whole bytes. */
  readonly args: readonly Uint8Array[];
  readonly cooperative: boolean;
  /** How many blocks a cluster has along each axis: those run together and reach each other's shared memory. Each is alone unless given. */
  readonly cluster?: Dim3;
  /** When it starts, in nanoseconds of the program's clock: for kernels that read clocks. 0 unless given. */
  readonly startNs?: number;
  /** Blocks whose requests to global memory the outcome has a trace of; none unless given. */
  readonly traced?: TraceSample;
  /** What its stream keeps in L2. */
  readonly window?: L2Window;
}

/** A range of global memory that L2 keeps before others (cudaAccessPolicyWindow). */
export interface L2Window {
  readonly address: number;
  readonly sizeBytes: number;
  /** Share of its accesses that it holds for. */
  readonly hitRatio: number;
  /** Of L2, for all that persists. */
  readonly setAsideBytes: number;
}

export interface LaunchLimits {
  /** Most warp-level instructions that one launch may execute before it is stopped with a `step-limit` fault. */
  readonly warpInstructions: number;
  /** Most launches by one grid that may wait for its end. */
  readonly pendingLaunches?: number;
}

export type FaultKind =
  | 'out-of-bounds'
  | 'misaligned'
  | 'barrier'
  | 'illegal-instruction'
  | 'trap'
  | 'assert'
  | 'step-limit'
  | 'stack-overflow'
  | 'unsupported';

/** A fault of the user's program: a result, not an exception. */
/** What the runtime prints of an assertion. */
export interface Assertion {
  /** As the compiler writes it, or as the program has it: "void scale(float *)". */
  readonly function: string;
  /** All that failed together. */
  readonly threads: readonly Dim3[];
}

export interface Fault {
  readonly kind: FaultKind;
  /** One sentence with everything a reader needs: address, size, nearest allocation, what to do. */
  readonly message: string;
  readonly kernel: string;
  readonly location?: Location;
  readonly block?: Dim3;
  readonly thread?: Dim3;
  readonly address?: number;
  readonly assertion?: Assertion;
}

export interface ChildLaunch extends Launch {
  /** Tail launches run when the whole grid has ended; others may run when their block has ended. */
  readonly tail: boolean;
}

/** What instructions weigh on the longest way through a block: those of one warp after the other, as they wait for each other at barriers. */
export interface Elapsed {
  /** The most of all blocks. */
  readonly longest: number;
  /** The sum over all blocks. */
  readonly blocks: number;
}
