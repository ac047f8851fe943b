/**
 * What an engine is: it executes one grid of an IR module on the simulated machine and says what happened. The interpreter and the
 * compiler both are engines and must agree bit for bit on memory, output, counters and faults.
 */

import type { DeviceProfile } from '../../devices/profile.ts';
import type { SiteCounters } from '../counters/site-counters.ts';
import type { IrModule, Location } from '../ir/types.ts';
import type { DeviceMemory } from '../machine/device-memory.ts';
import type { Footprint } from '../machine/footprint.ts';

export type Dim3 = readonly [x: number, y: number, z: number];

/** A module whose globals have been placed in device memory: what both engines start from. */
export interface LoadedModule {
  readonly ir: IrModule;
  /** Generic address of every global (space 1 and 4) and the shared-window offset of every static shared variable (space 3).
   *  Extern shared arrays lie at the kernel's static shared size, rounded up to 16. Functions have an address too (for indirect
   *  calls): an index from 1 into `functionTable`. */
  readonly addresses: ReadonlyMap<string, number>;
  readonly functionTable: readonly string[];
  /** Static shared bytes of each kernel (the variables that it and its callees use). */
  readonly sharedBytes: ReadonlyMap<string, number>;
}

export interface Launch {
  readonly kernel: string;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedBytes: number;
  /** Value of each kernel parameter, little endian, in the parameter's own size; a byval structure's whole bytes. */
  readonly args: readonly Uint8Array[];
  readonly cooperative: boolean;
}

export interface LaunchLimits {
  /** Most warp-level instructions that one launch may execute before it is stopped with a `step-limit` fault. */
  readonly warpInstructions: number;
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
export interface Fault {
  readonly kind: FaultKind;
  /** One sentence with everything a reader needs: address, size, nearest allocation, what to do. */
  readonly message: string;
  readonly kernel: string;
  readonly location?: Location;
  readonly block?: Dim3;
  readonly thread?: Dim3;
  readonly address?: number;
}

export interface ChildLaunch extends Launch {
  /** Tail launches run when the whole grid has ended; others may run when their block has ended. */
  readonly tail: boolean;
}

export interface LaunchOutcome {
  readonly counters: SiteCounters;
  readonly fault?: Fault;
  /** Bytes that device printf wrote, in order. */
  readonly output: Uint8Array;
  /** Grids that the device program launched, in order. */
  readonly children: readonly ChildLaunch[];
  /** Of a launch without a fault: what it read and wrote. */
  readonly footprint: Footprint;
  /** Why the fast engine left the launch to the interpreter; undefined if it did not. */
  readonly interpretedBecause?: string;
}

export interface Engine {
  /** Executes the grid to its end, to a fault or to a limit. Throws only for bugs and UnsupportedIr. */
  launch(launch: Launch): LaunchOutcome;
  /** Frees workers and memory of the engine. */
  close(): void;
}

export interface EngineOptions {
  readonly module: LoadedModule;
  readonly memory: DeviceMemory;
  readonly device: DeviceProfile;
  readonly limits: LaunchLimits;
}

export type CreateEngine = (options: EngineOptions) => Engine;
