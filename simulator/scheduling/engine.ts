/**
 * What an engine is: it executes one grid of an IR module on the simulated machine and says what happened. The interpreter and the
 * compiler both are engines and must agree bit for bit on memory, output, counters and faults.
 */

import type { DeviceProfile } from '../../devices/profile.ts';
import type { SiteCounters } from '../counters/site-counters.ts';
import type { DeviceMemory } from '../machine/device-memory.ts';
import type { Footprint } from '../machine/footprint.ts';
import type { ChildLaunch, Fault, Launch, LaunchLimits } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import type { Probes } from './probes.ts';

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
  /** Executes the grid to its end, to a fault or to a limit, and tells the probes. Throws only for bugs and UnsupportedIr. */
  launch(launch: Launch, probes?: Probes): LaunchOutcome;
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
