/**
 * Paths of compiled code under the scheduler: each block that runs has a context in device memory, and the code says
 * after each run of a path why it has stopped. So lanes, warps and blocks take turns in the same order on both engines.
 */

import type { Cell } from '../machine/cells.ts';
import type { LocalMemory } from '../machine/local-memory.ts';
import { MemoryViews } from '../machine/memory-views.ts';
import type { BlockState } from '../scheduling/block.ts';
import type { Grid } from '../scheduling/grid.ts';
import type { BlockPlace, PathCode } from '../scheduling/path-code.ts';
import type { Program, Segment } from '../scheduling/program.ts';
import { ADVANCING_COST, type FaultAt, FaultSignal, type Frame, type Path, type Warp } from '../scheduling/warp.ts';
import type { BlockRunner } from './block-runner.ts';
import { CellView, lentLocalMemory } from './frame-views.ts';
import { FRAME, PARTING, PARTING_SIDE, PATH_STATUS } from './layout.ts';
import { KernelFault } from './memory-host.ts';

/** The blocks that run at the same time do not fit into the simulated device's memory. */
export class NoRoomForBlock extends Error {
  readonly contexts: number;
  readonly contextBytes: number;

  constructor(contexts: number, contextBytes: number) {
    super(`no room for a block beside ${contexts} others`);
    this.contexts = contexts;
    this.contextBytes = contextBytes;
  }
}

/** Where in a frame the host finds the cells of a kernel. */
export interface CellPlace {
  readonly cell: number;
  readonly slot: number;
  readonly wide: boolean;
}

export interface PathProgram {
  readonly program: Program;
  /** By unit of the code. */
  readonly segments: readonly Segment[];
  readonly cells: readonly CellPlace[];
  /** Instructions that the host executes. */
  readonly steps: readonly ((path: Path) => void)[];
  /** Offset in the area of what a parting leaves. */
  readonly parting: number;
  /** Bytes of local memory of a lane. */
  readonly localBytes: number;
  describe(fault: KernelFault): FaultAt;
}

interface Context extends BlockPlace {
  /** Physical address. */
  readonly at: number;
}

/** Contexts come from device memory in pieces of up to so many bytes. */
const PIECE_BYTES = 1 << 20;

export class CompiledPaths implements PathCode {
  readonly #grid: Grid;
  readonly #runner: BlockRunner;
  readonly #code: PathProgram;
  readonly #free: Context[] = [];
  /** Addresses of the device memory that holds the contexts. */
  readonly #pieces: number[] = [];
  #unused: number[] = [];
  #contexts = 0;
  #path: Path | undefined;
  #warp: Warp | undefined;
  #block: BlockState | undefined;

  constructor(grid: Grid, runner: BlockRunner, code: PathProgram) {
    this.#grid = grid;
    this.#runner = runner;
    this.#code = code;
  }

  get steps(): number {
    return this.#runner.pathSteps;
  }

  get weight(): number {
    return this.#runner.pathWeight;
  }

  open({ linear }: BlockState): BlockPlace {
    const context = this.#free.pop() ?? this.#create();
    this.#runner.context = context.at;
    this.#runner.startBlock(linear);
    this.#block = undefined;
    return context;
  }

  close({ place }: BlockState): void {
    this.#free.push(place as Context);
  }

  /** Gives the memory of the contexts back. */
  release(): void {
    for (const address of this.#pieces) this.#grid.memory.releaseScratch(address);
  }

  /** Executes an instruction for lanes of the path that runs. */
  hostStep(step: number, lanes: number): void {
    const path = this.#path!;
    const { mask } = path;
    this.#grid.steps = this.#runner.pathSteps;
    path.mask = lanes;
    const { releases } = this.#grid.memory;
    this.#code.steps[step](path);
    if (this.#grid.memory.releases !== releases) this.#runner.host.forgetAllocations(this.#runner.base);
    path.mask = mask;
  }

  /** Compiled code knows no budget. */
  run(path: Path): boolean {
    const runner = this.#runner;
    this.#enter(path.warp);
    this.#path = path;
    const frame = runner.frame(path.warp.shape.index);
    for (;;) {
      const status = this.#runCode(path, frame);
      const unit = runner.words[(frame + FRAME.pc) >> 2];
      switch (status) {
        case PATH_STATUS.exited:
          path.warp.exit(path, path.mask);
          return true;
        case PATH_STATUS.arrived:
          path.warp.arrive(path, path.join!);
          return true;
        case PATH_STATUS.returned:
          this.#returnTo(path, this.#code.segments[unit]);
          return true;
        case PATH_STATUS.called: {
          const at = this.#code.segments[runner.words[(frame + FRAME.meeting) >> 2]];
          path.join = { frame: path.frame, at, expected: path.mask, arrived: 0, parent: path.join };
          path.segment = this.#code.segments[unit];
          break;
        }
        case PATH_STATUS.parted:
          if (!this.#part(path)) return true;
          break;
        case PATH_STATUS.gaveWay:
          path.segment = this.#code.segments[unit];
          path.warp.giveWay(path);
          return true;
        case PATH_STATUS.paused:
          path.segment = this.#code.segments[unit];
          if (!path.segment.end(path)) return true;
          break;
        default:
          path.segment = this.#code.segments[unit];
          path.mask = runner.words[(frame + FRAME.mask) >> 2];
          this.#grid.steps = runner.pathSteps;
          throw this.#grid.stepLimit(path);
      }
    }
  }

  /** Runs the code from where the path is until it stops. */
  #runCode(path: Path, frame: number): number {
    const { words, base } = this.#runner;
    const set = (offset: number, value: number): void => {
      words[(frame + offset) >> 2] = value;
    };
    const { join } = path;
    set(FRAME.pc, path.segment.index);
    set(FRAME.mask, path.mask);
    set(FRAME.live, path.warp.alive);
    set(FRAME.meeting, join && join.at !== 'return' ? join.at.index : -1);
    set(FRAME.patience, path.patience / ADVANCING_COST);
    try {
      const status = this.#runner.runPath(base, frame);
      path.patience = words[(frame + FRAME.patience) >> 2] * ADVANCING_COST;
      return status;
    } catch (error) {
      if (!(error instanceof KernelFault)) throw error;
      throw new FaultSignal(path, this.#code.describe(error));
    }
  }

  /** A called function returns: its lanes meet where it was called. */
  #returnTo(path: Path, at: Segment): void {
    const { warp, mask } = path;
    let { join } = path;
    while (join && join.at !== at) join = join.parent;
    if (!join) throw new Error('a call without a place to return to');
    warp.leave(path, mask, join);
    warp.arrive(path, join);
  }

  /** True if the path goes on with the lanes of the first side. */
  #part(path: Path): boolean {
    const { words, base } = this.#runner;
    const { segments, parting } = this.#code;
    const word = (offset: number): number => words[(base + parting + offset) >> 2];
    const meeting = segments[word(PARTING.meeting)];
    const { frame, mask, warp } = path;
    if (meeting && path.join?.at !== meeting) path.join = { frame, at: meeting, expected: mask, arrived: 0, parent: path.join };
    // The first side goes on; of the others, the second is next.
    for (let index = word(PARTING.count) - 1; index > 0; index--) {
      const other: Path = { warp, frame, segment: path.segment, at: path.at, mask, join: path.join, patience: 0, wait: path.wait };
      this.#take(other, index);
      if (follow(other)) warp.runnable.push(other);
    }
    this.#take(path, 0);
    return follow(path);
  }

  /** Makes a path one side of the parting that the code has left in its area. */
  #take(path: Path, side: number): void {
    const { words, base } = this.#runner;
    const at = (base + this.#code.parting + PARTING.sides + side * PARTING_SIDE.bytes) >> 2;
    path.mask = words[at + (PARTING_SIDE.mask >> 2)];
    path.segment = this.#code.segments[words[at + (PARTING_SIDE.unit >> 2)]];
    path.patience = words[at + (PARTING_SIDE.patience >> 2)] * ADVANCING_COST;
  }

  #enter(warp: Warp): void {
    if (warp === this.#warp && warp.block === this.#block) return;
    const runner = this.#runner;
    if (warp.block !== this.#block) {
      this.#block = warp.block;
      runner.context = (warp.block.place as Context).at;
      runner.enterBlock(warp.block.linear);
      runner.host.cluster = warp.block.cluster;
    }
    this.#warp = warp;
    runner.enterWarp(warp.shape.index);
  }

  #create(): Context {
    const runner = this.#runner;
    if (this.#unused.length === 0) this.#reserve();
    const at = this.#unused.shift()!;
    this.#contexts++;
    runner.refresh();
    runner.context = at;
    runner.prepareContext();
    const { buffer } = runner.words;
    const local = (warp: number): LocalMemory => lentLocalMemory(runner, warp);
    return {
      at,
      shared: new MemoryViews(buffer, runner.shared),
      all: new MemoryViews(buffer),
      sharedAt: runner.shared,
      warps: this.#grid.shapes.map(({ index }) => ({ frame: this.#frame(runner.frame(index)), local: local(index) })),
    };
  }

  /** Takes device memory for as many contexts as fit into a piece. */
  #reserve(): void {
    const { contextBytes } = this.#runner.layout;
    const [x, y, z] = this.#grid.launch.grid;
    const wanted = Math.min(x * y * z - this.#contexts, Math.max(1, Math.floor(PIECE_BYTES / contextBytes)));
    const piece = this.#grid.memory.allocateScratch(wanted * contextBytes);
    if (!piece) throw new NoRoomForBlock(this.#contexts, contextBytes);
    this.#pieces.push(piece.address);
    for (let k = 0; k < wanted; k++) this.#unused.push(piece.address + k * contextBytes);
  }

  #frame(at: number): Frame {
    const { program, cells, localBytes } = this.#code;
    const { buffer } = this.#runner.words;
    const all: Cell[] = [...program.kinds.map(() => undefined as unknown as Cell), ...program.constants];
    for (const { cell, slot, wide } of cells) all[cell] = new CellView(buffer, at + slot, wide);
    const stackTop = this.#runner.kernel.usesLocal ? localBytes : 0;
    const counts = this.#grid.countsOf(program);
    return { program, counts, cells: all, caller: undefined, stackBase: this.#grid.parameterBytes, stackTop, split: false };
  }
}

/** Takes a path to where a branch leads. False if it has ended there or lets others run first. */
function follow(path: Path): boolean {
  const { join, warp } = path;
  if (join && join.at === path.segment) {
    warp.arrive(path, join);
    return false;
  }
  if (path.patience < 0) {
    warp.giveWay(path);
    return false;
  }
  return true;
}
