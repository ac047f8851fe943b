/**
 * What an engine is: it executes one grid of an IR module on the simulated machine and says what happened. The interpreter and the
 * compiler both are engines and must agree bit for bit on memory, output, counters and faults.
 */

import type { DeviceProfile } from '../../devices/profile.ts';
import type { SiteCounters } from '../counters/site-counters.ts';
import type { Instruction, IrFunction, Type } from '../ir/types.ts';
import type { Trace } from '../machine/access-trace.ts';
import type { DeviceMemory } from '../machine/device-memory.ts';
import type { Footprint } from '../machine/footprint.ts';
import type { ChildLaunch, Dim3, Elapsed, Fault, Launch, LaunchLimits } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import type { ScheduleChoice } from '../options/schedules.ts';
import type { Misuse } from './misuse.ts';
import type { PrintedPiece } from './printed-output.ts';
import type { Probes } from './probes.ts';

export interface LaunchOutcome {
  readonly counters: SiteCounters;
  readonly fault?: Fault;
  /** Bytes that device printf wrote, in order, without what `printed` was given. */
  readonly output: Uint8Array;
  /** Grids that the device program launched, in order. */
  readonly children: readonly ChildLaunch[];
  /** The longest time that a warp saw pass on the device's clocks, in cycles; undefined or 0 where no warp looked twice. */
  readonly clockCycles?: number;
  /** Of a launch without a fault. */
  readonly elapsed?: Elapsed;
  /** What a launch without a fault read and wrote. */
  readonly footprint: Footprint;
  /** Wrong use of masks and of the grid's barrier that came up by itself. */
  readonly misuses?: readonly { readonly misuse: Misuse; readonly count: number }[];
  /** What the blocks that the launch asks for have done to global memory; missing where it asks for none, or has faulted. */
  readonly trace?: Trace;
  /** Why the fast engine left the launch to the interpreter; undefined if it did not. */
  readonly interpretedBecause?: string;
}

export interface Engine {
  /** Executes the grid to its end, to a fault or to a limit, and tells the probes. Throws only for bugs and UnsupportedIr. */
  launch(launch: Launch, probes?: Probes): LaunchOutcome;
  /** Frees workers and memory of the engine. */
  close(): void;
}

/** An engine that can stop in the middle of a launch. */
export interface SteppingEngine extends Engine {
  /** Begins a launch; nothing is executed yet. */
  begin(launch: Launch, probes?: Probes): Run;
}

/** A launch under way. All that belongs to it is here: several may be under way on one engine. */
export interface Run {
  /** Executes so many instructions of warps, all that are left unless given. undefined: the launch goes on. */
  step(budget?: number): LaunchOutcome | undefined;
  /** Where the launch has paused; undefined before the first step and after the last. */
  readonly position: Position | undefined;
  /** A variable of the source as the lanes of the paused warp have it; undefined where there is none of the name, or without debugging. */
  variable(name: string): VariableValue | undefined;
}

export interface VariableValue {
  readonly type: Type;
  /** By lane: the scalars of the variable, in order; undefined in a lane that has not come to its declaration. */
  readonly lanes: readonly (readonly (number | bigint)[] | undefined)[];
}

/** Between two instructions: what is executed next, and for which lanes. */
export interface Position {
  readonly block: Dim3;
  readonly warp: number;
  /** Lanes that execute the instruction. */
  readonly mask: number;
  readonly function: string;
  readonly instruction: Instruction;
}

export interface EngineOptions {
  readonly module: LoadedModule;
  readonly memory: DeviceMemory;
  readonly device: DeviceProfile;
  readonly limits: LaunchLimits;
  /** By site, what instructions of a function weigh in `LaunchOutcome.elapsed`: whole numbers, 1 unless given. */
  readonly weigh?: (fn: IrFunction) => ArrayLike<number>;
  /** Who takes turns when; as launched unless given. The interpreter alone knows others. */
  readonly schedule?: ScheduleChoice;
  /** Takes what device printf prints while a launch goes on. */
  readonly printed?: (piece: PrintedPiece) => void;
}

export type CreateEngine = (options: EngineOptions) => Engine;
