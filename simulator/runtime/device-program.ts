/**
 * The device side of one program: its modules on engines, and the grids that run on it, with those that they launch themselves. Keeps
 * unified memory in step and turns counts into simulated time.
 */

import { requireSupported } from '../ir/reachable.ts';
import { UnsupportedIr } from '../ir/types.ts';
import type { Fault, Launch } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { localVariableBytes, MAX_LOCAL_BYTES } from '../machine/stack.ts';
import type { Sanitizer } from '../sanitizer/sanitizer.ts';
import type { Engine, LaunchOutcome } from '../scheduling/engine.ts';
import { estimateLaunch } from '../timing/launch-time.ts';
import type { CudaContext } from './cuda-context.ts';
import { RepeatedLaunches, writtenBy } from './repeated-launches.ts';

/** The device code of one source file: kernels and variables that no other file's device code knows. */
export interface DeviceUnit {
  readonly module: LoadedModule;
  readonly engine: Engine;
}

export interface DeviceProgramOptions {
  readonly units: readonly DeviceUnit[];
  readonly context: CudaContext;
  /** Execute launches that would change nothing, too. */
  readonly everyLaunch: boolean;
  readonly sanitizer?: Sanitizer;
  /** Told before a grid runs. */
  starting(launch: Launch): void;
  /** Told when a grid has run, faults included. `repeats`: it was counted without being executed. */
  finished(module: LoadedModule, launch: Launch, outcome: LaunchOutcome, repeats: boolean): void;
}

/** CUDA Programming Guide, "Dynamic Parallelism": the deepest nesting of grids. */
const MAX_DEPTH = 24;

export class DeviceProgram {
  readonly units: readonly DeviceUnit[];
  readonly #context: CudaContext;
  readonly #options: DeviceProgramOptions;
  readonly #repeated: RepeatedLaunches;
  /** Allocations that the grids of a launch have written to. */
  readonly #written = new Set<number>();

  constructor(options: DeviceProgramOptions) {
    const { memory, unified } = options.context;
    this.units = options.units;
    this.#context = options.context;
    this.#options = options;
    this.#repeated = new RepeatedLaunches(memory, unified);
  }

  /** Runs a grid and everything it launches. A fault ends it and is kept in the context. */
  run(unit: DeviceUnit, launch: Launch): void {
    if (this.#context.isDead) return;
    this.#context.launches++;
    this.#context.unified.copyToDevice();
    const known = this.#options.everyLaunch || this.#options.sanitizer ? undefined : this.#repeated.known(unit, launch);
    if (known) this.#count(unit, launch, known, true);
    else this.#grid(unit, launch, 0);
    this.#options.sanitizer?.endKernel();
    this.#context.unified.copyToHost(this.#written);
    this.#written.clear();
  }

  #grid(unit: DeviceUnit, launch: Launch, depth: number): void {
    const outcome = this.#outcome(unit, launch, depth);
    if ('message' in outcome) {
      this.#context.fail(outcome);
      return;
    }
    for (const address of writtenBy(this.#context.memory, outcome)) this.#written.add(address);
    this.#count(unit, launch, outcome, false);
    if (outcome.fault) this.#context.fail(outcome.fault);
    // A grid has ended when the grids that it launched have; tail launches follow it one after the other.
    const { children } = outcome;
    for (const child of [...children.filter(({ tail }) => !tail), ...children.filter(({ tail }) => tail)]) {
      if (this.#context.isDead) return;
      this.#grid(unit, child, depth + 1);
    }
  }

  #count(unit: DeviceUnit, launch: Launch, outcome: LaunchOutcome, repeats: boolean): void {
    const { device } = this.#context;
    this.#context.nowNs += estimateLaunch({ module: unit.module, launch, device, counters: outcome.counters, caches: 'warm' }).ns;
    this.#options.finished(unit.module, launch, outcome, repeats);
  }

  /** What a grid did, or why it cannot run at all. */
  #outcome(unit: DeviceUnit, launch: Launch, depth: number): LaunchOutcome | Fault {
    const { module, engine } = unit;
    const { everyLaunch, sanitizer } = this.#options;
    const { kernel } = launch;
    if (depth > MAX_DEPTH) return { kind: 'unsupported', kernel, message: `device-side launches are nested more than ${MAX_DEPTH} deep` };
    const local = localVariableBytes(module.ir.functions.get(kernel));
    if (local > MAX_LOCAL_BYTES) {
      const message = `the kernel's local variables have ${local} bytes; a thread has ${MAX_LOCAL_BYTES / 1024} KB of local memory`;
      return { kind: 'stack-overflow', kernel, message };
    }
    try {
      requireSupported(module.ir, kernel);
      this.#context.printf.launched(module, kernel);
      this.#options.starting(launch);
      if (sanitizer) return engine.launch(launch, sanitizer.probes(module, launch));
      return everyLaunch ? engine.launch(launch) : this.#repeated.execute(unit, launch, () => engine.launch(launch));
    } catch (error) {
      if (!(error instanceof UnsupportedIr)) throw error;
      return { kind: 'unsupported', kernel, message: error.message, location: error.location };
    }
  }
}
