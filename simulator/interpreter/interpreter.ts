/**
 * The slow, obvious engine: executes the IR as it stands, a warp at a time, value by value. What it does is what the fast engine has
 * to do too.
 */
import type { SiteCounters } from '../counters/site-counters.ts';
import { UnsupportedIr } from '../ir/types.ts';
import type { Launch } from '../machine/launch.ts';
import type { CreateEngine, EngineOptions, LaunchOutcome } from '../scheduling/engine.ts';
import type { Fallback } from '../scheduling/fallback.ts';
import { Grid } from '../scheduling/grid.ts';
import type { Program } from '../scheduling/program.ts';
import { InterpretedPaths } from './interpreted-paths.ts';
import { intrinsic } from './intrinsics.ts';
import { stepFor } from './steps.ts';
import { type ProgramSet, Translation, translate } from './translate.ts';

export const createInterpreter: CreateEngine = (options) => {
  const kernels = new Map<string, KernelPrograms>();
  return {
    launch(launch) {
      let programs = kernels.get(launch.kernel);
      if (!programs) {
        programs = new KernelPrograms(options, launch.kernel);
        kernels.set(launch.kernel, programs);
      }
      return programs.launch(launch);
    },
    close() {
      kernels.clear();
    },
  };
};

/** The interpreter as what other engines fall back on. */
export const interpreter: Fallback = {
  createEngine: createInterpreter,
  prepare(module, kernel) {
    const program = (name: string): Program => {
      throw new UnsupportedIr(`calls are not compiled (${name})`);
    };
    const translation = new Translation({ module, kernel: kernel.name, program }, kernel);
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
  ) {
    this.module = options.module;
  }

  program(name: string): Program {
    let program = this.#programs.get(name);
    if (!program) {
      const fn = this.module.ir.functions.get(name);
      if (!fn) throw this.module.ir.unsupported.get(name) ?? new Error(`the module has no function ${name}`);
      program = translate(this, fn);
      this.#programs.set(name, program);
    }
    return program;
  }

  launch(launch: Launch): LaunchOutcome {
    for (const program of this.#programs.values()) program.resetCounters();
    const outcome = new Grid(this.options, launch, this.program(launch.kernel), (grid) => new InterpretedPaths(grid)).run();
    return { ...outcome, counters: this.#counters() };
  }

  /** In the module's order of functions. */
  #counters(): SiteCounters {
    const counters = new Map();
    for (const name of this.module.ir.functions.keys()) {
      const program = this.#programs.get(name);
      if (program?.ran) counters.set(name, { function: name, data: program.takeCounters() });
    }
    return counters;
  }
}
