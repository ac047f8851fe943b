/**
 * The slow, obvious engine: executes the IR as it stands, a warp at a time, value by value. What it does is what the fast engine has
 * to do too.
 */
import type { SiteCounters } from '../counters/site-counters.ts';
import { type Instruction, UnsupportedIr } from '../ir/types.ts';
import { AccessTrace, type TracedSite } from '../machine/access-trace.ts';
import type { Launch } from '../machine/launch.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import type { EngineOptions, LaunchOutcome, Position, Run, SteppingEngine, VariableValue } from '../scheduling/engine.ts';
import type { Fallback } from '../scheduling/fallback.ts';
import { Grid } from '../scheduling/grid.ts';
import { type ChosenProbes, chosenProbes, kernelKey, NO_PROBES, type Probes } from '../scheduling/probes.ts';
import type { Program } from '../scheduling/program.ts';
import { Reporter } from '../scheduling/reporter.ts';
import type { Path } from '../scheduling/warp.ts';
import { InterpretedPaths } from './interpreted-paths.ts';
import { intrinsic } from './intrinsics.ts';
import { stepFor } from './steps.ts';
import { type ProgramSet, Translation, translate } from './translate.ts';
import { variableOf } from './variables.ts';

export const createInterpreter = (options: EngineOptions): SteppingEngine => {
  const kernels = new Map<string, KernelPrograms>();
  const begin = (launch: Launch, probes?: Probes): Run => {
    const chosen = chosenProbes(probes);
    const key = kernelKey(launch.kernel, chosen);
    let programs = kernels.get(key);
    if (!programs) {
      programs = new KernelPrograms(options, launch.kernel, chosen);
      kernels.set(key, programs);
    }
    return new InterpretedRun(programs, launch, probes && new Reporter(probes, launch));
  };
  return {
    begin,
    launch: (launch, probes) => begin(launch, probes).step()!,
    close: () => kernels.clear(),
  };
};

/** The interpreter as what other engines fall back on. */
export const interpreter: Fallback = {
  createEngine: createInterpreter,
  prepare(module, kernel) {
    const program = (name: string): Program => {
      throw new UnsupportedIr(`calls are not compiled (${name})`);
    };
    const translation = new Translation({ module, kernel: kernel.name, probes: NO_PROBES, program }, kernel);
    return {
      program: translation.program,
      cells: (operand) => translation.cells(operand),
      results: (instruction) => translation.results(instruction),
      meaning: (instruction) =>
        instruction.op === 'call' ? intrinsic(translation, instruction) : { step: stepFor(translation, instruction) },
    };
  },
};

/** The functions that a kernel has called so far, ready to run. */
class KernelPrograms implements ProgramSet {
  readonly module;
  readonly #programs = new Map<string, Program>();

  constructor(
    readonly options: EngineOptions,
    readonly kernel: string,
    readonly probes: ChosenProbes,
  ) {
    this.module = options.module;
  }

  program(name: string): Program {
    let program = this.#programs.get(name);
    if (!program) {
      const fn = this.module.ir.functions.get(name);
      if (!fn) throw this.module.ir.unsupported.get(name) ?? new Error(`the module has no function ${name}`);
      program = translate(this, fn);
      const weights = this.options.weigh?.(fn);
      for (const segment of program.segments)
        segment.weight = segment.instructions.reduce((sum, { site }) => sum + (weights ? weights[site] : 1), 0);
      this.#programs.set(name, program);
    }
    return program;
  }
}

class InterpretedRun implements Run {
  readonly #grid: Grid;
  readonly #module: LoadedModule;
  readonly #reporter: Reporter | undefined;
  /** By key: the sites that were traced. */
  readonly #traced: TracedSite[] = [];
  #outcome: LaunchOutcome | undefined;

  constructor(programs: KernelPrograms, launch: Launch, reporter: Reporter | undefined) {
    this.#module = programs.module;
    this.#reporter = reporter;
    this.#grid = new Grid(programs.options, launch, programs.program(launch.kernel), (of) => new InterpretedPaths(of), reporter);
    if (launch.traced) this.#grid.trace = { into: new AccessTrace(launch.traced), keyOf: (name, site) => this.#keyOf(name, site) };
    reporter?.launchBegin();
  }

  step(budget = Number.POSITIVE_INFINITY): LaunchOutcome | undefined {
    if (this.#outcome) return this.#outcome;
    const ended = this.#grid.step(budget);
    if (!ended) return undefined;
    this.#outcome = { ...ended, counters: this.#counters(), trace: this.#grid.trace?.into.result((key) => this.#traced[key]) };
    this.#reporter?.launchEnd(this.#outcome);
    return this.#outcome;
  }

  #keyOf(name: string, site: number): number {
    const known = this.#traced.findIndex((each) => each.site === site && each.function === name);
    return known >= 0 ? known : this.#traced.push({ function: name, site }) - 1;
  }

  get position(): Position | undefined {
    const path = this.#outcome ? undefined : this.#grid.paused;
    return path && positionOf(path);
  }

  variable(name: string): VariableValue | undefined {
    const path = this.#outcome ? undefined : this.#grid.paused;
    return path && variableOf(path, name, positionOf(path).instruction.location?.line ?? 0);
  }

  /** In the module's order of functions. */
  #counters(): SiteCounters {
    const byName = new Map(this.#grid.counts.map((counts) => [counts.program.fn.name, counts]));
    const names = [...this.#module.ir.functions.keys()].filter((name) => byName.has(name));
    return new Map(names.map((name) => [name, { function: name, data: byName.get(name)!.take() }]));
  }
}

function positionOf({ warp, frame, segment, at, mask }: Path): Position {
  const { instructions, marks, steps } = segment;
  // Phis, and calls that do nothing, are no places to stop at.
  const isNext = (_: Instruction, index: number): boolean =>
    index >= at && (index === instructions.length - 1 || marks[index] < (marks[index + 1] ?? steps.length));
  return { block: warp.block.id, warp: warp.shape.index, mask, function: frame.program.fn.name, instruction: instructions.find(isNext)! };
}
