/**
 * The device side of one program: its module on an engine, and the grids that run on it, with those that they launch themselves. Keeps
 * unified memory in step and turns counts into simulated time.
 */

import type { DeviceProfile } from '../../devices/profile.ts';
import { FIELD, SITE_FIELDS, type SiteCounters } from '../counters/site-counters.ts';
import type { ChildLaunch, Engine, Fault, Launch, LoadedModule } from '../engine.ts';
import { requireSupported } from '../ir/reachable.ts';
import { UnsupportedIr } from '../ir/types.ts';
import type { CudaContext } from './cuda-context.ts';

export interface DeviceProgramOptions {
  readonly module: LoadedModule;
  readonly engine: Engine;
  readonly context: CudaContext;
  /** Told before a grid runs. */
  starting(launch: Launch): void;
  /** Told when a grid has run, faults included. */
  finished(launch: Launch, counters: SiteCounters): void;
}

/** Nanoseconds from a launch to its first instruction, as measured with empty kernels on an H200 (shared/hardware: about 2,000). */
const LAUNCH_NS = 2000;
/** Warp instructions that one multiprocessor issues per clock: one by each of its four schedulers. */
const ISSUES_PER_CLOCK = 4;
/** CUDA Programming Guide, "Dynamic Parallelism": the deepest nesting of grids. */
const MAX_DEPTH = 24;

export class DeviceProgram {
  readonly module: LoadedModule;
  readonly #engine: Engine;
  readonly #context: CudaContext;
  readonly #options: DeviceProgramOptions;

  constructor(options: DeviceProgramOptions) {
    this.module = options.module;
    this.#engine = options.engine;
    this.#context = options.context;
    this.#options = options;
  }

  /** Runs a grid and everything it launches. A fault ends it and is kept in the context. */
  run(launch: Launch): void {
    if (this.#context.isDead) return;
    this.#context.unified.copyToDevice();
    this.#grid(launch, 0);
    this.#context.unified.copyToHost();
  }

  #grid(launch: Launch, depth: number): void {
    const fault = this.#refusal(launch, depth);
    if (fault) {
      this.#context.fail(fault);
      return;
    }
    this.#options.starting(launch);
    const outcome = this.#engine.launch(launch);
    this.#context.print(outcome.output);
    this.#context.nowNs += gridNs(launch, outcome.counters, this.#context.device);
    this.#options.finished(launch, outcome.counters);
    if (outcome.fault) this.#context.fail(outcome.fault);
    // A grid has ended when the grids that it launched have; tail launches follow it one after the other.
    this.#children(
      outcome.children.filter((child) => !child.tail),
      depth,
    );
    this.#children(
      outcome.children.filter((child) => child.tail),
      depth,
    );
  }

  #children(children: readonly ChildLaunch[], depth: number): void {
    for (const child of children) {
      if (this.#context.isDead) return;
      this.#grid(child, depth + 1);
    }
  }

  /** Why a grid cannot run at all. */
  #refusal({ kernel }: Launch, depth: number): Fault | undefined {
    if (depth > MAX_DEPTH) return { kind: 'unsupported', kernel, message: `grids are nested more than ${MAX_DEPTH} deep` };
    try {
      requireSupported(this.module.ir, kernel);
      return undefined;
    } catch (error) {
      if (!(error instanceof UnsupportedIr)) throw error;
      return { kind: 'unsupported', kernel, message: error.message, location: error.location };
    }
  }
}

/**
 * Estimated time of a grid: the larger of issuing its instructions and moving its sectors. It orders kernels sensibly and is the same
 * in every run; it is not a measurement, and no report shows it.
 */
function gridNs(launch: Launch, counters: SiteCounters, device: DeviceProfile): number {
  let executions = 0;
  let sectors = 0;
  for (const { data } of counters.values()) {
    for (let row = 0; row < data.length; row += SITE_FIELDS.length) {
      executions += data[row + FIELD.executions];
      sectors += data[row + FIELD.globalSectors];
    }
  }
  const blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  const issuesPerNs = (Math.min(blocks, device.multiprocessors) * ISSUES_PER_CLOCK * device.clockKHz) / 1e6;
  const bytesPerNs = (2 * device.memoryClockKHz * (device.memoryBusBits / 8)) / 1e6;
  return LAUNCH_NS + Math.max(executions / issuesPerNs, (sectors * 32) / bytesPerNs);
}
