/**
 * Instructions that have no WebAssembly of their own are executed by the engine that the compiler falls back on, on the values in the
 * compiled warp's frame. So both engines mean the same by them.
 */

import type { Effect } from '../ir/intrinsics/description.ts';
import { intrinsicOf } from '../ir/intrinsics.ts';
import { operandsOf } from '../ir/operands.ts';
import { type Instruction, UnsupportedIr } from '../ir/types.ts';
import type { Cell } from '../machine/cells.ts';
import type { Launch } from '../machine/launch.ts';
import { BlockState } from '../scheduling/block.ts';
import type { EngineOptions } from '../scheduling/engine.ts';
import type { Fallback, PreparedKernel } from '../scheduling/fallback.ts';
import { Grid } from '../scheduling/grid.ts';
import type { PathCode } from '../scheduling/path-code.ts';
import type { Segment } from '../scheduling/program.ts';
import type { Reporter } from '../scheduling/reporter.ts';
import { FaultSignal, type Path } from '../scheduling/warp.ts';
import type { BlockRunner } from './block-runner.ts';
import type { CellPlace, PathProgram } from './compiled-paths.ts';
import { CellView, LentFrames } from './frame-views.ts';
import type { CompiledKernel } from './kernel-compiler.ts';
import type { CodeUnit, HostStep } from './kernel-context.ts';
import { FRAME } from './layout.ts';
import { KernelFault, PartedLanes } from './memory-host.ts';

interface PreparedStep {
  readonly step: HostStep;
  /** Cells of the interpreter's frame that the instruction touches, with their places in the compiled one. */
  readonly cells: readonly CellPlace[];
  readonly run: (path: Path) => void;
  /** What it does cannot be undone. */
  readonly lasts: boolean;
}

/** They change what memory there is, and what runs later. */
const LASTING: ReadonlySet<Effect> = new Set<Effect>(['heap', 'launch']);

/** The host steps of a kernel, prepared once. */
export class HostSteps {
  readonly #prepared: PreparedKernel;
  readonly #steps: readonly PreparedStep[];
  readonly #options: EngineOptions;
  readonly #kernel: CompiledKernel;
  readonly #segments: readonly Segment[];

  constructor(options: EngineOptions, kernel: CompiledKernel, fallback: Fallback) {
    this.#options = options;
    this.#kernel = kernel;
    this.#prepared = fallback.prepare(options.module, kernel.fn);
    const { program } = this.#prepared;
    program.frameBytes = kernel.localBytes - kernel.parameterBytes;
    this.#steps = kernel.steps.map((step) => ({
      step,
      cells: this.#cells(step),
      run: this.#execution(step.instruction),
      lasts: lasts(step.instruction),
    }));
    this.#segments = this.#segmentsOf(kernel.paths?.units ?? []);
    program.blocks.push(this.#segments[0] ?? placeOf([]));
  }

  /** Lets a runner of a launch see what memory there is, where the kernel changes that. */
  watch(runner: BlockRunner): void {
    if (!this.#steps.some((step) => step.lasts)) return;
    const { memory, module } = this.#options;
    runner.host.live = (address, bytes) => {
      const found = memory.find(address, bytes);
      return found && { address: found.address, sizeBytes: found.sizeBytes, constant: module.constants.has(found.address) };
    };
  }

  begin(launch: Launch): LaunchSteps {
    const frames = new LentFrames(this.#prepared.program, this.#kernel.parameterBytes);
    const grid = this.grid(launch, () => frames);
    // Such a launch may have to begin again, and what has been printed cannot be undone: path by path it need not.
    if (this.#kernel.mayPart) {
      grid.output.guard(() => {
        throw new PartedLanes();
      });
    }
    return new LaunchSteps(this.#steps, { grid, frames, mayBeginAgain: this.#kernel.mayPart });
  }

  /** The scheduler's idea of a launch. `codeOf`: what executes its paths. */
  grid(launch: Launch, codeOf: (grid: Grid) => PathCode, reporter?: Reporter): Grid {
    return new Grid(this.#options, launch, this.#prepared.program, codeOf, reporter);
  }

  /** What runs the paths of a kernel that runs path by path. */
  pathProgram(describe: PathProgram['describe']): PathProgram {
    const { steps, localBytes, paths } = this.#kernel;
    if (!paths) throw new Error('a kernel that does not run path by path');
    const pauses = paths.units.flatMap(({ pause }) => (pause ? [pause] : []));
    return {
      program: this.#prepared.program,
      segments: this.#segments,
      cells: [...steps, ...pauses].flatMap((step) => this.#cells(step)),
      steps: this.#steps.map(({ run }) => run),
      parting: paths.parting,
      localBytes,
      describe,
    };
  }

  #cells(step: HostStep): readonly CellPlace[] {
    const operands = operandsOf(step.instruction).map((o) => this.#prepared.cells(o));
    const results = this.#prepared.results(step.instruction);
    return step.values.map(({ operand, index, component, slot, wide }) => ({
      cell: operand === 'result' ? results[component] : operands[index][component],
      slot,
      wide,
    }));
  }

  /** Places at which the scheduler may find a path of compiled code. */
  #segmentsOf(units: readonly CodeUnit[]): readonly Segment[] {
    const segments = units.map(({ instructions }, index) => placeOf(instructions, index));
    units.forEach(({ pause }, index) => {
      if (pause?.instruction.op !== 'call') return;
      const meaning = this.#prepared.meaning(pause.instruction);
      if (!meaning || 'step' in meaning)
        throw new UnsupportedIr(`${nameOf(pause.instruction)} is not compiled`, pause.instruction.location);
      Object.assign(segments[index], { ...meaning, next: segments[index + 1] });
    });
    return segments;
  }

  #execution(instruction: Instruction): (path: Path) => void {
    const meaning = this.#prepared.meaning(instruction);
    if (!meaning) return () => {};
    if ('step' in meaning) return meaning.step;
    const { end, exchange } = meaning;
    if (!exchange) throw new UnsupportedIr(`${nameOf(instruction)} is not compiled`, instruction.location);
    const segment: Segment = { ...placeOf([instruction]), end, exchange, next: placeOf([]) };
    return (path) => {
      path.segment = segment;
      if (!end(path)) throw new PartedLanes();
    };
  }
}

/** A place in compiled code. */
function placeOf(instructions: readonly Instruction[], index = -1): Segment {
  const end = (): boolean => {
    throw new Error('compiled code leaves this place by itself');
  };
  return { index, steps: [], end, instructions: [...instructions], weight: 0, marks: [] };
}

function lasts(instruction: Instruction): boolean {
  const effect = instruction.op === 'call' ? intrinsicOf(instruction.callee)?.effect : undefined;
  return effect !== undefined && LASTING.has(effect);
}

function nameOf(instruction: Instruction): string {
  return instruction.op === 'call' ? instruction.callee : instruction.op;
}

/** The steps of one launch: the scheduler's state that they need. */
export class LaunchSteps {
  readonly grid: Grid;
  readonly #steps: readonly PreparedStep[];
  readonly #frames: LentFrames;
  readonly #mayBeginAgain: boolean;
  /** By frame and step: views of the frame's values. */
  /** By twice the place, and one more where it is wide. */
  readonly #views = new Map<number, Cell>();
  #block: BlockState | undefined;

  constructor(
    steps: readonly PreparedStep[],
    { grid, frames, mayBeginAgain }: { readonly grid: Grid; readonly frames: LentFrames; readonly mayBeginAgain: boolean },
  ) {
    this.#steps = steps;
    this.grid = grid;
    this.#frames = frames;
    this.#mayBeginAgain = mayBeginAgain;
  }

  /** What the steps counted themselves, by site as in FunctionCounters. */
  get counters(): Float64Array {
    return this.grid.countsOf(this.grid.kernel).rows;
  }

  run(runner: BlockRunner, at: { readonly frame: number; readonly mask: number; readonly step: number }): void {
    const { cells, run, step, lasts } = this.#steps[at.step];
    if (lasts && this.#mayBeginAgain) throw new PartedLanes();
    const { releases } = this.grid.memory;
    const path = this.#path(runner, runner.words[(at.frame + FRAME.warp) >> 2]);
    path.mask = at.mask;
    path.warp.alive = runner.words[(at.frame + FRAME.live) >> 2];
    for (const { cell, slot, wide } of cells) path.frame.cells[cell] = this.#view(runner, at.frame + slot, wide);
    try {
      run(path);
    } catch (error) {
      if (!(error instanceof FaultSignal)) throw error;
      const { kind, message, lane, address, assertion } = error.fault;
      throw new KernelFault(kind, { site: step.instruction.site, lane, address, message, assertion });
    }
    if (this.grid.memory.releases !== releases) runner.host.forgetAllocations(runner.base);
  }

  /** The path that all lanes of a warp of the runner's block are. */
  #path(runner: BlockRunner, warp: number): Path {
    if (this.#block?.linear !== runner.block) {
      this.#frames.runner = runner;
      this.#block = new BlockState(this.grid, runner.block);
    }
    return this.#block.warps[warp].runnable[0];
  }

  #view(runner: BlockRunner, at: number, wide: boolean): Cell {
    const key = 2 * at + Number(wide);
    let cell = this.#views.get(key);
    if (!cell) {
      cell = new CellView(runner.words.buffer, at, wide);
      this.#views.set(key, cell);
    }
    return cell;
  }
}
