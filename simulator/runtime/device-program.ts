/**
 * The device side of one program: its modules on engines, and the grids that run on it, with those that they launch themselves. Keeps
 * unified memory in step, and tells the clock what kernels take.
 */

import type { DeviceProfile } from '../../devices/profile.ts';
import { requireSupported } from '../ir/reachable.ts';
import { UnsupportedIr } from '../ir/types.ts';
import type { Fault, Launch } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import { localVariableBytes, MAX_LOCAL_BYTES } from '../machine/stack.ts';
import type { CountedFinding } from '../sanitizer/finding-log.ts';
import { MisuseFindings } from '../sanitizer/misuse-findings.ts';
import type { Sanitizer } from '../sanitizer/sanitizer.ts';
import type { Engine, LaunchOutcome } from '../scheduling/engine.ts';
import { LaunchEstimator } from '../timing/estimator.ts';
import type { LaunchTime } from '../timing/launch-time.ts';
import { migrationNs, prefetchCost } from './clock/copies.ts';
import { type KernelTree, residentBlocks as residentOnDevice, throughputOf } from './clock/kernels.ts';
import type { CudaContext } from './cuda-context.ts';
import { EqualCounts } from './equal-counts.ts';
import { readsClock } from './repeatability.ts';
import { RepeatedLaunches, writtenBy } from './repeated-launches.ts';

/** The device code of one source file: kernels and variables that no other file's device code knows. */
export interface DeviceUnit {
  readonly module: LoadedModule;
  readonly engine: Engine;
}

export interface DeviceProgramOptions {
  readonly units: readonly DeviceUnit[];
  /** The same on another device than the first; missing where there is only one. */
  readonly others?: (device: number) => readonly DeviceUnit[];
  readonly context: CudaContext;
  /** Execute launches that would change nothing, too. */
  readonly everyLaunch: boolean;
  readonly sanitizer?: Sanitizer;
  /** Told before a grid runs. */
  starting(launch: Launch): void;
  /** Told when a grid has run, faults included. `repeats`: it was counted without being executed. `time`: with cold caches. */
  /** Told of each launch of the host's that launched others. */
  nested?(tree: KernelTree): void;
  finished(
    module: LoadedModule,
    launch: Launch,
    outcome: LaunchOutcome,
    about: { readonly repeats: boolean; readonly time: LaunchTime | undefined },
  ): void;
}

/** CUDA Programming Guide, "Dynamic Parallelism": the deepest nesting of grids. */
const MAX_DEPTH = 24;

export class DeviceProgram {
  /** On the first device. */
  readonly units: readonly DeviceUnit[];
  readonly #context: CudaContext;
  readonly #options: DeviceProgramOptions;
  readonly #repeated: RepeatedLaunches;
  readonly #equalCounts = new EqualCounts();
  readonly #misuses = new MisuseFindings();
  readonly #estimators = new Map<DeviceProfile, LaunchEstimator>();
  /** Allocations that the grids of a launch have written to. */
  readonly #written = new Set<number>();
  /** Whether kernels read clocks. */
  readonly #clockReaders = new Map<DeviceUnit, Map<string, boolean>>();

  constructor(options: DeviceProgramOptions) {
    const { memory, unified } = options.context;
    this.units = options.units;
    this.#context = options.context;
    this.#options = options;
    this.#repeated = new RepeatedLaunches(memory, unified);
  }

  /** What the sanitizer has found, or, of runs without it, what came up by itself. undefined if that is nothing. */
  get findings(): readonly CountedFinding[] | undefined {
    const { sanitizer } = this.#options;
    if (sanitizer && !sanitizer.isBrief) return sanitizer.findings;
    const findings = [...(sanitizer?.findings ?? []), ...this.#misuses.findings];
    return findings.length > 0 ? findings : undefined;
  }

  /** Runs a grid and everything it launches. A fault ends it and is kept in the context. */
  run(first: DeviceUnit, launch: Launch): void {
    if (this.#context.isDead) return;
    const { busy, devices, memory } = this.#context;
    const unit = this.unitsOn(busy.index)[this.units.indexOf(first)];
    if (devices.length === 1) {
      this.#run(unit, launch);
      return;
    }
    const { owner } = memory;
    memory.owner = busy.index;
    memory.hide((of) => of === busy.index || busy.peers.has(of));
    this.#run(unit, launch);
    memory.show();
    memory.owner = owner;
  }

  /** The modules on a device. */
  unitsOn(device: number): readonly DeviceUnit[] {
    return device === 0 ? this.units : this.#options.others!(device);
  }

  #run(unit: DeviceUnit, launch: Launch): void {
    const { unified, clock } = this.#context;
    this.#context.launches++;
    unified.copyToDevice();
    const known = this.#options.everyLaunch || this.#isSanitized ? undefined : this.#repeated.known(unit, launch);
    for (const address of known?.written ?? []) this.#written.add(address);
    const tree = known ? this.#count(unit, launch, known.outcome, true) : this.#grid(unit, launch, 0);
    if (tree) clock.kernel(tree);
    if (tree && tree.children.length + tree.tails.length > 0) this.#options.nested?.(tree);
    this.#options.sanitizer?.endKernel();
    unified.copyToHost(this.#written);
    this.#written.clear();
  }

  /** What it took, with all that it launched; undefined if it did not run. */
  #grid(unit: DeviceUnit, launch: Launch, depth: number): KernelTree | undefined {
    const timed = this.#timed(unit, launch, depth);
    const outcome = this.#outcome(unit, timed, depth);
    if ('message' in outcome) {
      this.#context.fail(outcome);
      return undefined;
    }
    for (const address of writtenBy(this.#context.memory, outcome)) this.#written.add(address);
    const tree = this.#count(unit, launch, outcome, false);
    if (outcome.misuses && !this.#isSanitized) this.#misuses.add(launch, outcome.misuses);
    if (outcome.fault) this.#context.fail(outcome.fault);
    // A grid has ended when the grids that it launched have; tail launches follow it one after the other.
    const run = (child: Launch): KernelTree[] => {
      const below = this.#context.isDead ? undefined : this.#grid(unit, child, depth + 1);
      return below ? [below] : [];
    };
    const { children } = outcome;
    if (children.length === 0) return tree;
    const beside = children.filter(({ tail }) => !tail).flatMap(run);
    return { ...tree, children: beside, tails: children.filter(({ tail }) => tail).flatMap(run) };
  }

  /** Somebody has asked for all that the sanitizer can find. */
  get #isSanitized(): boolean {
    const { sanitizer } = this.#options;
    return sanitizer !== undefined && !sanitizer.isBrief;
  }

  #readsClock(unit: DeviceUnit, kernel: string): boolean {
    let kernels = this.#clockReaders.get(unit);
    if (!kernels) {
      kernels = new Map();
      this.#clockReaders.set(unit, kernels);
    }
    let reads = kernels.get(kernel);
    if (reads === undefined) {
      reads = readsClock(unit.module, kernel);
      kernels.set(kernel, reads);
    }
    return reads;
  }

  /** A kernel that reads clocks has to know when it starts. */
  #timed(unit: DeviceUnit, launch: Launch, depth: number): Launch {
    if (!this.#readsClock(unit, launch.kernel)) return launch;
    const { clock } = this.#context;
    clock.deviceReads++;
    // When a kernel has launched another one, and what it had done by then, is not known.
    return depth > 0 ? launch : { ...launch, startNs: clock.forecastKernel() };
  }

  /** Of the device that runs. */
  #estimator(): LaunchEstimator {
    const { busy, memory } = this.#context;
    let estimator = this.#estimators.get(busy.profile);
    if (!estimator) {
      estimator = new LaunchEstimator(busy.profile, memory);
      this.#estimators.set(busy.profile, estimator);
    }
    return estimator;
  }

  #count(unit: DeviceUnit, launch: Launch, outcome: LaunchOutcome, repeats: boolean): KernelTree {
    const times = this.#estimator().times(unit.module, launch, outcome);
    this.#options.finished(unit.module, launch, outcome, { repeats, time: outcome.fault ? undefined : times.cold });
    return this.#time(unit, launch, { outcome, estimate: this.#context.clock.isCacheFlushed ? times.cold : times.warm });
  }

  #time({ module }: DeviceUnit, launch: Launch, { outcome, estimate }: { outcome: LaunchOutcome; estimate: LaunchTime }): KernelTree {
    const { busy, unified } = this.#context;
    const device = busy.profile;
    const { kernel, grid, block, dynamicSharedBytes } = launch;
    const { fault, footprint } = outcome;
    const blocks = grid[0] * grid[1] * grid[2];
    const sharedBytes = (module.sharedBytes.get(kernel) ?? 0) + dynamicSharedBytes;
    const resident = residentOnDevice(device, block[0] * block[1] * block[2], sharedBytes);
    const shape = { name: kernel, grid, block, blocks, residentBlocks: resident, children: [], tails: [] };
    // How much of a launch that faults is counted depends on the engine.
    if (fault) return { ...shape, ns: device.prices.launchNs, migratedBytes: 0, throughput: 0 };
    const migrated = unified.migrate((address) => footprint.read.has(address) || footprint.written.has(address));
    const waitedNs = migrationNs(device, migrated);
    this.#noteWait(migrated.bytes + migrated.freshBytes, waitedNs, estimate.ns);
    return {
      ...shape,
      ns: estimate.ns + waitedNs,
      migratedBytes: migrated.bytes,
      throughput: throughputOf(estimate, Math.min(1, blocks / device.multiprocessors)),
    };
  }

  #noteWait(bytes: number, ns: number, kernelNs: number): void {
    const { busy, managedWaits } = this.#context;
    managedWaits.kernelsNs += kernelNs;
    if (ns === 0) return;
    managedWaits.launches++;
    managedWaits.bytes += bytes;
    managedWaits.ns += ns;
    managedWaits.prefetchedNs += prefetchCost([busy.profile], 0, 'in', bytes).ns;
  }

  /** Memory is told what a launch has written that nobody looks at to count it again. */
  #changing(outcome: LaunchOutcome): LaunchOutcome {
    const { memory } = this.#context;
    for (const address of writtenBy(memory, outcome)) memory.changed(address);
    return outcome;
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
      const traced = this.#estimator().traced(module, launch);
      if (sanitizer && !sanitizer.isBrief) return this.#changing(engine.launch(traced, sanitizer.probes(module, launch)));
      const probes = sanitizer?.probesWithin(module, launch, depth > 0);
      const execute = (): LaunchOutcome => {
        const outcome = engine.launch(traced, probes);
        sanitizer?.endWithin(probes, outcome);
        return { ...outcome, counters: this.#equalCounts.of(unit, launch, outcome.counters) };
      };
      return everyLaunch ? this.#changing(execute()) : this.#repeated.execute(unit, launch, execute);
    } catch (error) {
      if (!(error instanceof UnsupportedIr)) throw error;
      return { kind: 'unsupported', kernel, message: error.message, location: error.location };
    }
  }
}
