/**
 * The fast engine: compiles kernels to WebAssembly with SIMD and runs them. What it does not compile the interpreter executes, with
 * the same results.
 */
import { code, threads } from '#platform';
import { addCounters, type FunctionCounters } from '../counters/site-counters.ts';
import { UnsupportedIr } from '../ir/types.ts';
import type { AccessTrace } from '../machine/access-trace.ts';
import { joinFootprints } from '../machine/footprint.ts';
import type { Launch } from '../machine/launch.ts';
import type { Engine, EngineOptions, LaunchOutcome } from '../scheduling/engine.ts';
import type { Fallback } from '../scheduling/fallback.ts';
import type { Grid } from '../scheduling/grid.ts';
import { type ChosenProbes, chosenProbes, kernelKey, NO_PROBES, type Probes } from '../scheduling/probes.ts';
import { Reporter } from '../scheduling/reporter.ts';
import { BlockRunner, type FaultPlace, type RunnerOptions, stepLimitFault } from './block-runner.ts';
import type { BlockResult } from './block-worker.ts';
import { CompiledPaths, NoRoomForBlock } from './compiled-paths.ts';
import { CONTROL, reportFault } from './control.ts';
import { HostSteps } from './host-steps.ts';
import { type CompiledKernel, type CompileOptions, compileKernel } from './kernel-compiler.ts';
import { KernelCode } from './kernel-instance.ts';
import { type LaunchPlan, warpCount, workerLayout } from './kernel-plan.ts';
import { launchFacts, launchPlan, planOf } from './launch-plan.ts';
import { type KnownAllocation, PartedLanes } from './memory-host.ts';
import { type CompiledProgram, countersOf, describeFault, faultOf, joinElapsed, noRoom } from './outcome.ts';
import { sitesInTurn, writtenAllocations } from './parallel-safety.ts';
import { ProbeTeller } from './probe-teller.ts';
import { Turns } from './turns.ts';
import { WorkerPool } from './worker-pool.ts';

/** An error of the engine itself while compiled code ran: what the launch has done to memory until then stays. */
export class CompiledCodeFailure extends Error {
  constructor(kernel: string, cause: unknown) {
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    const way = '`--engine interpreter`, or the setting `lanewise.engine`';
    super(
      `compiled code of kernel ${kernel} failed (${reason}). This is a bug in Lanewise; the slower engine may still run the program: ${way}`,
      { cause },
    );
    this.name = 'CompiledCodeFailure';
  }
}

/** A kernel as the engine keeps it: compiled, or the reason why the interpreter runs it. */
type Kernel = CompiledProgram | { readonly kind: 'interpreted'; readonly reason: string };

export interface CompilerEngine extends Engine {
  /** Why the interpreter executes a kernel; undefined for one that is compiled. */
  whyInterpreted(kernel: string): string | undefined;
  /** How many threads besides this one were asked to help with the last launch. */
  readonly helpers: number;
  /** Starts the threads and waits for them, for measurements and tests. */
  warmUp(): void;
}

export interface CompilerOptions {
  /** Runs what is not compiled. */
  readonly fallback: Fallback;
  /** Threads besides the launching one: one less than there are cores unless given. */
  readonly workers?: number;
  /** Fewest warps of a grid that is spread over threads. */
  readonly parallelWarps?: number;
  /** Leave a kernel to the interpreter when compiling it fails for a reason nobody foresaw: users must not meet such a bug, tests must. */
  readonly hideBugs?: boolean;
  /** Run every kernel path by path, also those that do not need it: for tests. */
  readonly pathByPath?: boolean;
}

/** A launch and whom to tell of it. */
interface Job {
  readonly launch: Launch;
  readonly probes?: Probes;
  readonly reporter?: Reporter;
  /** What has been executed of it already. */
  readonly done?: Done;
  /** On one thread. */
  readonly alone?: true;
}

/** The first blocks of a launch, and the instructions of warps in them. */
interface Done {
  readonly blocks: number;
  readonly steps: number;
}

/** Below this, handing out blocks costs more than it gains. */
const PARALLEL_WARPS = 512;

/** Most launches of a kernel on one thread before helping ones are asked again. */
const MOST_ALONE = 256;

/** Most bytes that a launch on several threads may write and still be undone: a copy costs time, too. */
const UNDOABLE_BYTES = 1 << 26;

/** Bytes that are copied in less time than a kernel takes longer, for each of its threads, path by path. */
const REMEMBERED_BYTES = { least: 1 << 20, ofThread: 256 } as const;

function mostRemembered({ grid, block }: Launch): number {
  const threads = [...grid, ...block].reduce((product, n) => product * n, 1);
  return Math.min(UNDOABLE_BYTES, Math.max(REMEMBERED_BYTES.least, REMEMBERED_BYTES.ofThread * threads));
}

export function createCompiler(choices: CompilerOptions, options: EngineOptions): CompilerEngine {
  return new WasmEngine(choices, options);
}

class WasmEngine implements CompilerEngine {
  helpers = 0;
  readonly #options: EngineOptions;
  readonly #fallback: Fallback;
  readonly #workers: number;
  readonly #parallelWarps: number;
  readonly #hideBugs: boolean;
  readonly #pathByPath: boolean;
  readonly #kernels = new Map<string, Kernel>();
  readonly #pathForms = new Map<string, Kernel>();
  #interpreter: Engine | undefined;
  /** Kernels compiled so far. */
  #number = 0;
  #pool: WorkerPool | undefined;
  /** Kernels whose blocks mostly waited for those before them: for how many launches they stay on one thread, and how many are left. */
  readonly #idle = new WeakMap<CompiledProgram, { readonly launches: number; left: number }>();
  /** Of the launch that has run: its blocks of which all has been told, where the rest has not run yet. */
  #toldOf: Done | undefined;
  /** Where a launch keeps what it may have to bring back. */
  #saved = new Uint8Array();

  constructor(choices: CompilerOptions, options: EngineOptions) {
    this.#options = options;
    this.#fallback = choices.fallback;
    this.#workers = choices.workers ?? threads.count - 1;
    this.#parallelWarps = choices.parallelWarps ?? PARALLEL_WARPS;
    this.#hideBugs = choices.hideBugs ?? false;
    this.#pathByPath = choices.pathByPath ?? false;
  }

  launch(launch: Launch, probes?: Probes): LaunchOutcome {
    if (!probes) return this.#launch({ launch });
    const reporter = new Reporter(probes, launch);
    reporter.launchBegin();
    const outcome = this.#launch({ launch, reporter, probes });
    reporter.launchEnd(outcome);
    return outcome;
  }

  #launch(job: Job): LaunchOutcome {
    const { launch, probes } = job;
    const chosen = chosenProbes(probes);
    let kernel = this.#kernel(launch.kernel, chosen, launch);
    // What has been told cannot be undone.
    const mayPart = kernel.kind === 'compiled' && kernel.compiled.mayPart;
    if (probes && mayPart) kernel = this.#prepare(launch.kernel, { paths: true, probes: chosen });
    if (kernel.kind === 'compiled') {
      this.#toldOf = undefined;
      const outcome = this.#runCompiled(kernel, job);
      if (outcome && this.#toldOf) return this.#withRest(outcome, launch, this.#toldOf);
      if (outcome) return outcome;
    }
    this.#interpreter ??= this.#fallback.createEngine(this.#options);
    const reason = kernel.kind === 'interpreted' ? kernel.reason : 'compiled code needs scratch memory, and device memory is full';
    // That the launch begins has been told.
    const others = probes && { ...probes, launchBegin: undefined, launchEnd: undefined };
    return { ...this.#interpreter.launch(launch, others), interpretedBecause: reason };
  }

  /** undefined if the interpreter has to run the launch. */
  #runCompiled(kernel: CompiledProgram, job: Job): LaunchOutcome | undefined {
    try {
      return kernel.compiled.paths ? this.#runPaths(kernel, job) : this.#runOrRestore(kernel, job);
    } catch (error) {
      throw new CompiledCodeFailure(job.launch.kernel, error);
    }
  }

  whyInterpreted(name: string): string | undefined {
    const kernel = this.#kernel(name, NO_PROBES);
    return kernel.kind === 'interpreted' ? kernel.reason : undefined;
  }

  warmUp(): void {
    this.#pool ??= new WorkerPool(this.#workers);
    this.#pool.waitUntilReady(this.#workers, 5000);
  }

  close(): void {
    this.#kernels.clear();
    this.#pathForms.clear();
    this.#interpreter?.close();
    this.#pool?.close();
  }

  /** Compiled as a launch of it needs it, if there is one. */
  #kernel(name: string, chosen: ChosenProbes, launch?: Launch): Kernel {
    const known = this.#kernels.get(kernelKey(name, chosen));
    if (known) return known;
    const inTurn: CompileOptions['inTurn'] = (kernel) =>
      (launch && chosen.size === 0 && this.#sitesInTurn(kernel, { launch })) || new Set();
    return this.#prepare(name, { paths: this.#pathByPath, mayHope: chosen.size === 0, probes: chosen, inTurn });
  }

  #prepare(name: string, how: CompileOptions & { readonly probes: ChosenProbes }): Kernel {
    const kernel = prepare(this.#options, this.#fallback, { ...how, name, number: this.#number++, hideBugs: this.#hideBugs });
    this.#kernels.set(kernelKey(name, how.probes), kernel);
    return kernel;
  }

  /** Lanes of a warp have had to wait for each other where they had parted: from now on, the kernel runs path by path. */
  #partedRun(launch: Launch): LaunchOutcome | undefined {
    this.#kernels.set(kernelKey(launch.kernel, NO_PROBES), this.#withPaths(launch.kernel));
    return this.#runWithPaths(launch);
  }

  #runWithPaths(launch: Launch): LaunchOutcome | undefined {
    const kernel = this.#withPaths(launch.kernel);
    return kernel.kind === 'compiled' ? this.#runPaths(kernel, { launch }) : undefined;
  }

  /** The form that runs path by path of a kernel that has another, too. */
  #withPaths(name: string): Kernel {
    const kernel =
      this.#pathForms.get(name) ??
      prepare(this.#options, this.#fallback, { paths: true, probes: NO_PROBES, name, number: this.#number++, hideBugs: this.#hideBugs });
    this.#pathForms.set(name, kernel);
    return kernel;
  }

  /** Runs a kernel whose paths take turns as the scheduler lets them. undefined if there is no memory for it. */
  #runPaths(kernel: CompiledProgram, { launch, reporter }: Job): LaunchOutcome | undefined {
    const { memory, module } = this.#options;
    const plan = launchPlan(this.#options, kernel.compiled, launch);
    const area = memory.allocateScratch(workerLayout(kernel.plan, plan).areaBytes);
    if (!area) return undefined;
    this.helpers = 0;
    let paths: CompiledPaths | undefined;
    try {
      const runner = new BlockRunner({
        code: kernel.code,
        kernel: kernel.plan,
        launch: plan,
        base: area.address,
        hostStep: (_, { step, mask }) => paths!.hostStep(step, mask),
        probes: teller(kernel, reporter),
        stopped: () => false,
      });
      const steps = kernel.steps!;
      steps.watch(runner);
      const program = steps.pathProgram((fault) => describeFault(this.#options, kernel, launch, fault));
      const codeOf = (of: Grid): CompiledPaths => {
        paths = new CompiledPaths(of, runner, program);
        return paths;
      };
      const grid = steps.grid(launch, codeOf, reporter);
      grid.trace = runner.trace && { into: runner.trace, keyOf: (_, site) => site };
      const outcome = grid.run();
      const footprint = joinFootprints([outcome.footprint, runner.host.footprint]);
      const counters = countersOf(module, kernel, [runner.counts()], grid.countsOf(grid.kernel).rows);
      return { ...outcome, footprint, counters, trace: tracedBy(kernel, runner.trace) };
    } catch (error) {
      if (!(error instanceof NoRoomForBlock)) throw error;
      const nothing = { output: new Uint8Array(), children: [], counters: new Map(), footprint: joinFootprints([]) };
      return { ...nothing, fault: noRoom(launch, error) };
    } finally {
      paths?.release();
      memory.releaseScratch(area.address);
    }
  }

  /** undefined if the interpreter has to run the launch: memory is then as it was before. */
  #runOrRestore(kernel: CompiledProgram, job: Job): LaunchOutcome | undefined {
    const { launch, done } = job;
    const whole = launchPlan(this.#options, kernel.compiled, launch);
    const plan = done ? { ...whole, limit: whole.limit - done.steps } : whole;
    const waiting = job.probes || job.alone || kernel.steps ? undefined : this.#sitesInTurn(kernel.compiled, job, plan);
    const again = waiting && this.#preparedFor(waiting, kernel);
    if (again) return this.#runOrRestore(again, job);
    const parallel = waiting !== undefined && (waiting.size === 0 || !this.#stayedAlone(kernel));
    if (parallel) this.#pool ??= new WorkerPool(this.#workers);
    const helpers = parallel ? this.#pool!.willing : [];
    const written = kernel.compiled.mayPart || helpers.length > 0 ? this.#written(kernel, launch, plan) : [];
    const bytes = written.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    // To remember so much would take longer than to go path by path.
    if (kernel.compiled.hopes && bytes > mostRemembered(launch)) return this.#runWithPaths(launch);
    const undoable = kernel.compiled.mayPart || bytes <= UNDOABLE_BYTES;
    const restore = undoable ? this.#save(written) : undefined;
    try {
      const outcome = this.#run(kernel, job, { plan: { ...plan, inTurn: parallel && waiting.size > 0 }, helpers });
      if (!outcome?.fault || helpers.length === 0) return outcome;
      // How far other blocks had come when one faulted depends on time; in order on one thread it does not.
      if (!restore) return { ...outcome, counters: new Map() };
      restore();
      return this.#run(kernel, job, { plan, helpers: [] });
    } catch (error) {
      if (!(error instanceof PartedLanes)) throw error;
      restore?.();
      return this.#partedRun(launch);
    }
  }

  #written(kernel: CompiledProgram, launch: Launch, plan: LaunchPlan): readonly KnownAllocation[] {
    const facts = launchFacts(this.#options, kernel.compiled, launch, plan);
    return writtenAllocations({ fn: kernel.compiled.fn, facts, allocations: plan.allocations });
  }

  /** Remembers what allocations hold; what it returns brings it back. */
  #save(allocations: readonly KnownAllocation[]): () => void {
    const { memory } = this.#options;
    const total = allocations.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    // Fresh memory costs a page fault every 4 KB, which is more than the copy itself.
    const store = total <= this.#saved.length ? this.#saved : new Uint8Array(total);
    if (total <= UNDOABLE_BYTES) this.#saved = store;
    let end = 0;
    const saved = allocations.map(({ address, sizeBytes }) => {
      const bytes = store.subarray(end, end + sizeBytes);
      end += sizeBytes;
      bytes.set(memory.bytes.subarray(address, address + sizeBytes));
      return { at: address, bytes };
    });
    return () => {
      for (const { at, bytes } of saved) memory.bytes.set(bytes, at);
    };
  }

  #run(
    kernel: CompiledProgram,
    job: Job,
    { plan, helpers }: { readonly plan: LaunchPlan; readonly helpers: readonly number[] },
  ): LaunchOutcome | undefined {
    const { memory } = this.#options;
    this.helpers = helpers.length;
    const { areaBytes, contextBytes } = workerLayout(kernel.plan, plan);
    const bytes = areaBytes + contextBytes;
    const area = memory.allocateScratch(bytes * (1 + helpers.length));
    // Device memory is full: the interpreter needs none of it.
    if (!area) return undefined;
    const base = area.address;
    try {
      if (helpers.length === 0) return this.#runAlone(kernel, job, plan, base);
      return this.#runTogether(kernel, job, {
        plan: { ...plan, parallel: true },
        bases: helpers.map((_, k) => base + bytes * (k + 1)),
        base,
        helpers,
      });
    } finally {
      memory.releaseScratch(area.address);
    }
  }

  /** See sitesInTurn; undefined also where several threads are not worth it. */
  #sitesInTurn(
    kernel: Pick<CompiledKernel, 'fn' | 'structures'>,
    { launch, done }: Job,
    known?: LaunchPlan,
  ): ReadonlySet<number> | undefined {
    if (this.#workers < 1) return undefined;
    const plan = known ?? launchPlan(this.#options, kernel, launch);
    const blocks = launch.grid[0] * launch.grid[1] * launch.grid[2] - (done?.blocks ?? 0);
    // The threads share a counter of 32 bits.
    if (blocks < 2 || blocks > 0x7fffffff || blocks * warpCount(plan) < this.#parallelWarps) return undefined;
    const facts = launchFacts(this.#options, kernel, launch, plan);
    return sitesInTurn({ fn: kernel.fn, facts, allocations: plan.allocations });
  }

  #stayedAlone(kernel: CompiledProgram): boolean {
    const idle = this.#idle.get(kernel);
    if (!idle || idle.left === 0) return false;
    idle.left--;
    return true;
  }

  /** A machine that is busy with something else for a moment makes threads wait, too: they are asked again, less and less often. */
  #noteIdle(kernel: CompiledProgram, isIdle: boolean): void {
    if (!isIdle) {
      this.#idle.delete(kernel);
      return;
    }
    const launches = Math.min(MOST_ALONE, 2 * (this.#idle.get(kernel)?.launches ?? 2));
    this.#idle.set(kernel, { launches, left: launches });
  }

  /** The kernel with code that can wait at some sites; undefined if it has that already. */
  #preparedFor(sites: ReadonlySet<number>, { compiled }: CompiledProgram): CompiledProgram | undefined {
    if ([...sites].every((site) => compiled.inTurn.has(site))) return undefined;
    const inTurn = new Set([...compiled.inTurn, ...sites]);
    const kernel = this.#prepare(compiled.fn.name, { paths: false, mayHope: true, probes: NO_PROBES, inTurn: () => inTurn });
    return kernel.kind === 'compiled' ? kernel : undefined;
  }

  #runAlone(kernel: CompiledProgram, { launch, reporter, done }: Job, plan: LaunchPlan, base: number): LaunchOutcome {
    const steps = kernel.steps?.begin(launch);
    const runner = new BlockRunner({
      code: kernel.code,
      kernel: kernel.plan,
      launch: plan,
      base,
      hostStep: steps && ((at, step) => steps.run(at, step)),
      probes: teller(kernel, reporter),
      stopped: () => false,
    });
    kernel.steps?.watch(runner);
    if (steps) steps.grid.trace = runner.trace && { into: runner.trace, keyOf: (_, site) => site };
    const count = launch.grid[0] * launch.grid[1] * launch.grid[2];
    const first = done?.blocks ?? 0;
    let next = first;
    let isEnough = false;
    const place = runner.run(() => {
      if (next > first) reporter?.blockEnd(next - 1);
      if (next === count) return -1;
      if (next > 0 && reporter?.hasEnough(next, () => runner.steps())) {
        // Code that tells nothing is faster, and several threads may run it; where the host has a part, it stays.
        isEnough = !steps;
        if (isEnough) return -1;
        reporter.mute();
      }
      reporter?.blockBegin(next);
      return next++;
    });
    const counters = countersOf(this.#options.module, kernel, [runner.counts()], steps?.counters);
    const footprint = joinFootprints([runner.host.footprint, ...(steps ? [steps.grid.footprint] : [])]);
    const outcome = this.#outcome(kernel, launch, {
      counters,
      place,
      footprint,
      children: steps?.grid.children,
      output: steps?.grid.output.rest(),
      trace: tracedBy(kernel, runner.trace),
      elapsed: runner.elapsed(),
    });
    if (isEnough && !place) this.#toldOf = { blocks: next, steps: runner.steps() };
    return outcome;
  }

  /** Runs the blocks of which nothing is to be told, behind those of which all has been. */
  #withRest(first: LaunchOutcome, launch: Launch, done: Done): LaunchOutcome {
    const kernel = this.#kernel(launch.kernel, NO_PROBES, launch) as CompiledProgram;
    const rest = this.#runOrRestore(kernel, { launch, done }) ?? this.#runOrRestore(kernel, { launch, done, alone: true })!;
    const counters = new Map<string, FunctionCounters>();
    for (const each of [first, rest]) addCounters(counters, each.counters);
    const inOrder = [...this.#options.module.ir.functions.keys()].flatMap((name) => counters.get(name) ?? []);
    const traces = [first, rest].flatMap(({ trace }) => trace ?? []);
    return {
      ...rest,
      // Of a launch that faults on several threads nothing is counted where its memory is too large to bring back.
      counters: rest.fault && rest.counters.size === 0 ? rest.counters : new Map(inOrder.map((each) => [each.function, each])),
      footprint: joinFootprints([first.footprint, rest.footprint]),
      elapsed: joinElapsed([first, rest].flatMap(({ elapsed }) => elapsed ?? [])),
      ...(traces.length > 0 && {
        trace: { requests: traces.flatMap(({ requests }) => requests) },
      }),
    };
  }

  #runTogether(
    kernel: CompiledProgram,
    { launch, done }: Job,
    { plan, base, bases, helpers }: { plan: LaunchPlan; base: number; bases: readonly number[]; helpers: readonly number[] },
  ): LaunchOutcome {
    const pool = this.#pool!;
    const { control } = pool;
    const { memory } = this.#options.memory;
    const threads = 1 + helpers.length;
    const turns = new Turns(control, { thread: 0, threads, inTurn: plan.inTurn });
    pool.begin(launch.grid[0] * launch.grid[1] * launch.grid[2], done?.blocks ?? 0);
    helpers.forEach((helper, k) => {
      const program = { module: kernel.module, plan: kernel.plan };
      pool.start(helper, { memory, kernelNumber: kernel.number, program, launch: plan, base: bases[k], threads });
    });
    let trace: AccessTrace | undefined;
    let own:
      | (Pick<BlockResult, 'steps' | 'elapsed' | 'footprint'> & { place?: FaultPlace; counts: ReturnType<BlockRunner['counts']> })
      | undefined;
    let results: BlockResult[] = [];
    try {
      const runner: BlockRunner = new BlockRunner({
        code: kernel.code,
        kernel: kernel.plan,
        launch: plan,
        base,
        turns,
        stopped: () => runner.block > Atomics.load(control, CONTROL.faultBlock),
      });
      const place = runner.run(() => turns.take());
      trace = runner.trace;
      if (place) reportFault(control, place.block);
      own = { place, counts: runner.counts(), steps: runner.steps(), elapsed: runner.elapsed(), footprint: runner.host.footprint };
    } finally {
      if (!own) reportFault(control, -1);
      turns.leave();
      results = helpers.flatMap((helper) => pool.finish(helper) ?? []);
    }
    if (plan.inTurn)
      this.#noteIdle(
        kernel,
        results.some(({ idle }) => idle),
      );
    if (results.some((r) => r.parted)) throw new PartedLanes();
    const failed = results.find((r) => r.error !== undefined);
    if (failed) throw new Error(`a block worker failed: ${failed.error}`);
    for (const result of results) if (result.trace) trace?.append(result.trace);
    const places = [own.place, ...results.map((r) => r.place)].filter((p) => p !== undefined) as FaultPlace[];
    const place =
      places.sort((a, b) => a.block - b.block)[0] ?? this.#overLimit(plan, own.steps + results.reduce((sum, r) => sum + r.steps, 0));
    return this.#outcome(kernel, launch, {
      counters: countersOf(this.#options.module, kernel, [own.counts, ...results], undefined),
      place,
      trace: tracedBy(kernel, trace),
      footprint: joinFootprints([own, ...results].map(({ footprint }) => footprint)),
      elapsed: joinElapsed([own, ...results].map(({ elapsed }) => elapsed)),
    });
  }

  #overLimit({ limit }: LaunchPlan, steps: number): FaultPlace | undefined {
    return steps > limit ? { fault: stepLimitFault(limit), block: 0, thread: [0, 0, 0] } : undefined;
  }

  #outcome(
    kernel: CompiledProgram,
    launch: Launch,
    {
      place,
      output = new Uint8Array(),
      children = [],
      ...rest
    }: Pick<LaunchOutcome, 'counters' | 'footprint' | 'trace' | 'elapsed'> & {
      readonly place: FaultPlace | undefined;
      readonly output?: Uint8Array;
      readonly children?: LaunchOutcome['children'];
    },
  ): LaunchOutcome {
    return {
      ...rest,
      fault: place && faultOf(this.#options, kernel, launch, place),
      output,
      children,
    };
  }
}

function tracedBy({ compiled }: CompiledProgram, trace: AccessTrace | undefined): LaunchOutcome['trace'] {
  return trace?.result((key) => {
    const origin = compiled.origins[key];
    return origin && { function: origin.fn.name, site: origin.site };
  });
}

function teller({ compiled }: CompiledProgram, reporter: Reporter | undefined): RunnerOptions['probes'] {
  return reporter && ((runner) => new ProbeTeller(runner, reporter, compiled.probes));
}

interface Preparation extends CompileOptions {
  readonly name: string;
  readonly number: number;
  readonly hideBugs: boolean;
}

function prepare(options: EngineOptions, fallback: Fallback, { name, number, hideBugs, ...how }: Preparation): Kernel {
  try {
    const compiled = compileKernel(options.module, name, { ...how, weigh: options.weigh });
    const steps = compiled.steps.length > 0 || compiled.paths ? new HostSteps(options, compiled, fallback) : undefined;
    const module = code.optimisedModule(compiled.bytes);
    return {
      kind: 'compiled',
      compiled,
      plan: planOf(compiled),
      module,
      code: new KernelCode(module, options.memory.memory),
      steps,
      number,
    };
  } catch (error) {
    if (error instanceof UnsupportedIr) return { kind: 'interpreted', reason: error.message };
    if (!hideBugs) throw error;
    return { kind: 'interpreted', reason: `compiling it failed (${error instanceof Error ? error.message : error})` };
  }
}
