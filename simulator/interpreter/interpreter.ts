/**
 * The slow, obvious engine: executes the IR as it stands, a warp at a time, value by value. What it does is what the fast engine has
 * to do too.
 */
import type { SiteCounters } from '../counters/site-counters.ts';
import type { Launch } from '../machine/launch.ts';
import type { CreateEngine, EngineOptions, LaunchOutcome } from '../scheduling/engine.ts';
import { Grid } from '../scheduling/grid.ts';
import type { Program } from '../scheduling/program.ts';
import { type ProgramSet, translate } from './translate.ts';

export interface EngineState extends EngineOptions {
  /** Addresses of `__constant__` variables: reading them is no request to global memory. */
  readonly constants: ReadonlySet<number>;
}

export const createInterpreter: CreateEngine = (options) => {
  const state: EngineState = { ...options, constants: constantAddresses(options) };
  const kernels = new Map<string, KernelPrograms>();
  return {
    launch(launch) {
      let programs = kernels.get(launch.kernel);
      if (!programs) {
        programs = new KernelPrograms(options, launch.kernel);
        kernels.set(launch.kernel, programs);
      }
      return programs.launch(state, launch);
    },
    close() {
      kernels.clear();
    },
  };
};

/** The functions that a kernel has called so far, ready to run. */
class KernelPrograms implements ProgramSet {
  readonly module;
  readonly #programs = new Map<string, Program>();

  constructor(
    options: EngineOptions,
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

  launch(state: EngineState, launch: Launch): LaunchOutcome {
    for (const program of this.#programs.values()) program.resetCounters();
    const outcome = new Grid(state, launch, this.program(launch.kernel)).run();
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

function constantAddresses({ module }: EngineOptions): ReadonlySet<number> {
  const constants = [...module.ir.globals.values()].filter((variable) => variable.space === 4);
  return new Set(constants.map((variable) => module.addresses.get(variable.name)!));
}
