/**
 * Instructions that have no WebAssembly of their own are executed by the interpreter's code for them, on the values in the compiled
 * warp's frame: it is lent a warp whose cells are views of that frame. So both engines mean the same by them.
 */

import { intrinsic } from '../interpreter/intrinsics.ts';
import { stepFor } from '../interpreter/steps.ts';
import { Translation } from '../interpreter/translate.ts';
import { operandsOf } from '../ir/operands.ts';
import { type Instruction, UnsupportedIr } from '../ir/types.ts';
import type { Cell } from '../machine/cells.ts';
import type { Launch } from '../machine/launch.ts';
import { MemoryViews } from '../machine/memory-views.ts';
import { BlockState } from '../scheduling/block.ts';
import type { EngineOptions } from '../scheduling/engine.ts';
import { Grid } from '../scheduling/grid.ts';
import type { PathCode } from '../scheduling/path-code.ts';
import type { Program, Segment } from '../scheduling/program.ts';
import { FaultSignal, type Frame, type Path, Warp } from '../scheduling/warp.ts';
import type { BlockRunner } from './block-runner.ts';
import type { CellPlace, PathProgram } from './compiled-paths.ts';
import { CellView, lentLocalMemory } from './frame-views.ts';
import type { CompiledKernel } from './kernel-compiler.ts';
import type { CodeUnit, HostStep } from './kernel-context.ts';
import { FRAME } from './layout.ts';
import { KernelFault, PartedLanes } from './memory-host.ts';

interface PreparedStep {
  readonly step: HostStep;
  /** Cells of the interpreter's frame that the instruction touches, with their places in the compiled one. */
  readonly cells: readonly CellPlace[];
  readonly run: (path: Path) => void;
}

/** The host steps of a kernel, prepared once. */
export class HostSteps {
  readonly #translation: Translation;
  readonly #steps: readonly PreparedStep[];
  readonly #options: EngineOptions;
  readonly #kernel: CompiledKernel;
  readonly #segments: readonly Segment[];

  constructor(options: EngineOptions, kernel: CompiledKernel) {
    this.#options = options;
    this.#kernel = kernel;
    const noCalls = (name: string): Program => {
      throw new UnsupportedIr(`calls are not compiled (${name})`);
    };
    this.#translation = new Translation({ module: options.module, kernel: kernel.fn.name, program: noCalls }, kernel.fn);
    this.#translation.program.frameBytes = kernel.localBytes - kernel.parameterBytes;
    this.#steps = kernel.steps.map((step) => ({ step, cells: this.#cells(step), run: this.#meaning(step.instruction) }));
    this.#segments = this.#segmentsOf(kernel.paths?.units ?? []);
    if (this.#segments.length > 0) this.#translation.program.blocks.push(this.#segments[0]);
  }

  begin(launch: Launch): LaunchSteps {
    return new LaunchSteps(this.#steps, this.grid(launch), this.#translation.program, this.#kernel);
  }

  /** The interpreter's idea of a launch; its counters start anew. `codeOf`: what executes its paths. */
  grid(launch: Launch, codeOf?: (grid: Grid) => PathCode): Grid {
    this.#translation.program.resetCounters();
    const constants = new Set(
      [...this.#options.module.ir.globals.values()].filter((g) => g.space === 4).map((g) => this.#options.module.addresses.get(g.name)!),
    );
    return new Grid({ ...this.#options, constants }, launch, this.#translation.program, codeOf);
  }

  /** Of a kernel that runs path by path: what runs its paths. */
  pathProgram(describe: PathProgram['describe']): PathProgram {
    const { steps, localBytes, paths } = this.#kernel;
    if (!paths) throw new Error('a kernel that does not run path by path');
    const pauses = paths.units.flatMap(({ pause }) => (pause ? [pause] : []));
    return {
      program: this.#translation.program,
      segments: this.#segments,
      cells: [...steps, ...pauses].flatMap((step) => this.#cells(step)),
      steps: this.#steps.map(({ run }) => run),
      parting: paths.parting,
      localBytes,
      describe,
    };
  }

  #cells(step: HostStep): readonly CellPlace[] {
    const operands = operandsOf(step.instruction).map((o) => this.#translation.cells(o));
    const results = this.#translation.results(step.instruction);
    return step.values.map(({ operand, index, component, slot, wide }) => ({
      cell: operand === 'result' ? results[component] : operands[index][component],
      slot,
      wide,
    }));
  }

  /** Places at which the scheduler may find a path of compiled code. */
  #segmentsOf(units: readonly CodeUnit[]): readonly Segment[] {
    const noEnd = (): boolean => {
      throw new Error('compiled code leaves this place by itself');
    };
    const segments = units.map(({ instructions }, index): Segment => ({ index, steps: [], end: noEnd, instructions: [...instructions] }));
    units.forEach(({ pause }, index) => {
      if (pause?.instruction.op !== 'call') return;
      const meaning = intrinsic(this.#translation, pause.instruction);
      if (!meaning || 'step' in meaning) throw new Error(`no path waits at ${pause.instruction.callee}`);
      Object.assign(segments[index], { ...meaning, next: segments[index + 1] });
    });
    return segments;
  }

  #meaning(instruction: Instruction): (path: Path) => void {
    if (instruction.op !== 'call') return stepFor(this.#translation, instruction);
    const meaning = intrinsic(this.#translation, instruction);
    if (!meaning) return () => {};
    if ('step' in meaning) return meaning.step;
    const { end, exchange } = meaning;
    if (!exchange) throw new UnsupportedIr(`${instruction.callee} is not compiled`, instruction.location);
    const next = { index: -1, steps: [], end, instructions: [] };
    const segment: Segment = { index: -1, steps: [], end, instructions: [instruction], exchange, next };
    return (path) => {
      path.segment = segment;
      if (!end(path)) throw new PartedLanes();
    };
  }
}

/** The steps of one launch: the interpreter's state that they need. */
export class LaunchSteps {
  readonly grid: Grid;
  readonly #steps: readonly PreparedStep[];
  readonly #program: Program;
  readonly #kernel: CompiledKernel;
  readonly #paths = new Map<number, Path>();
  /** By frame and step: views of the frame's values. */
  readonly #views = new Map<string, Cell>();
  #block: BlockState | undefined;

  constructor(steps: readonly PreparedStep[], grid: Grid, program: Program, kernel: CompiledKernel) {
    this.#steps = steps;
    this.grid = grid;
    this.#program = program;
    this.#kernel = kernel;
  }

  /** What the steps counted themselves, by site as in FunctionCounters. */
  get counters(): Float64Array {
    return this.#program.counters;
  }

  run(runner: BlockRunner, at: { readonly frame: number; readonly mask: number; readonly step: number }): void {
    const { cells, run, step } = this.#steps[at.step];
    const path = this.#path(runner, at.frame);
    path.mask = at.mask;
    const block = path.warp.block as { id: readonly number[]; linear: number };
    const [x, y] = this.grid.launch.grid;
    block.linear = runner.block;
    block.id = [runner.block % x, Math.floor(runner.block / x) % y, Math.floor(runner.block / (x * y))];
    path.warp.alive = runner.words[(at.frame + FRAME.live) >> 2];
    for (const { cell, slot, wide } of cells) path.frame.cells[cell] = this.#view(runner, at.frame + slot, wide);
    try {
      run(path);
    } catch (error) {
      if (!(error instanceof FaultSignal)) throw error;
      const { kind, message, lane, address } = error.fault;
      throw new KernelFault(kind, { site: step.instruction.site, lane, address, message });
    }
  }

  #path(runner: BlockRunner, frame: number): Path {
    let path = this.#paths.get(frame);
    if (!path) {
      path = this.#createPath(runner, frame);
      this.#paths.set(frame, path);
    }
    return path;
  }

  #createPath(runner: BlockRunner, frame: number): Path {
    const index = runner.words[(frame + FRAME.warp) >> 2];
    this.#block ??= this.#createBlock(runner);
    const local = lentLocalMemory(runner, index);
    const warp = Object.assign(Object.create(Warp.prototype), {
      block: this.#block,
      shape: this.grid.shapes[index],
      alive: this.grid.shapes[index].mask,
      local,
      park: () => {
        throw new PartedLanes();
      },
    }) as Warp;
    const lent: Frame = {
      program: this.#program,
      cells: [...this.#program.kinds.map(() => undefined as unknown as Cell), ...this.#program.constants],
      caller: undefined,
      stackBase: this.#kernel.parameterBytes,
      stackTop: local.capacity,
      split: false,
    };
    const segment = { index: -1, steps: [], end: () => false, instructions: [] };
    return { warp, frame: lent, segment, mask: 0, join: undefined, patience: 0, wait: undefined };
  }

  #createBlock(runner: BlockRunner): BlockState {
    const warps = this.grid.shapes.map(() => ({}));
    return Object.assign(Object.create(BlockState.prototype), {
      grid: this.grid,
      id: [0, 0, 0],
      linear: 0,
      sharedBytes: runner.launch.sharedLimit,
      shared: new MemoryViews(runner.words.buffer, runner.shared),
      warps,
    }) as BlockState;
  }

  #view(runner: BlockRunner, at: number, wide: boolean): Cell {
    const key = `${at} ${wide}`;
    let cell = this.#views.get(key);
    if (!cell) {
      cell = new CellView(runner.words.buffer, at, wide);
      this.#views.set(key, cell);
    }
    return cell;
  }
}
