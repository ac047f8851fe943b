/**
 * The warp as a tree of paths. A path is a set of lanes that execute together; where they part at a branch, each side becomes a path
 * of its own and a join at the meeting block waits for all of them. Paths are independent of each other: one that spins or waits
 * lets the others run, and lanes that wait at a join may go ahead if nothing else can (Volta's independent thread scheduling).
 */

import type { Location } from '../ir/types.ts';
import type { Cell } from '../machine/cells.ts';
import type { Assertion, FaultKind } from '../machine/launch.ts';
import type { LocalMemory } from '../machine/local-memory.ts';
import type { BlockState, WarpShape } from './block.ts';
import type { Arrival } from './probes.ts';
import type { Program, ProgramCounts, Segment } from './program.ts';

/** One activation of a function by a path; cells hold the lanes of all paths that came from it. */
export interface Frame {
  readonly program: Program;
  /** What the launch counts in the function. */
  counts: ProgramCounts;
  readonly cells: Cell[];
  /** Where to go on after the return; undefined for the kernel itself. */
  caller?: { readonly frame: Frame; readonly next: Segment; readonly result: readonly number[] };
  /** Bytes of local memory in use below and up to the end of this frame's variables. */
  stackBase: number;
  stackTop: number;
  /** Some lanes have returned while others have not: the frame must not be used again. */
  split: boolean;
}

/** A meeting of paths at a segment of a frame, or at the frame's return. */
export interface Join {
  readonly frame: Frame;
  readonly at: Segment | 'return';
  /** Lanes that are still to meet here, arrived or not. */
  expected: number;
  arrived: number;
  readonly parent: Join | undefined;
}

export type Wait =
  /** For the lanes that each lane names (shuffles, votes, __syncwarp). */
  | { readonly kind: 'lanes'; readonly masks: Int32Array; readonly missing: number }
  | { readonly kind: 'barrier'; readonly id: number }
  | { readonly kind: 'cluster' }
  | { readonly kind: 'grid' };

export interface Path {
  readonly warp: Warp;
  frame: Frame;
  segment: Segment;
  /** Where in its segment the path has paused: the number of the next instruction; 0 at its start. */
  at: number;
  mask: number;
  join: Join | undefined;
  /** Back edges of waiting loops that the path may still take before others get their turn. */
  patience: number;
  wait: Wait | undefined;
}

/** Back edges that a path takes, without anything changing, in a loop that may be waiting for others before it lets them run. */
export const PATIENCE = 64;

/** A loop that carries changing values may be waiting nevertheless (a back-off counts up), but is far more likely to be working. */
export const ADVANCING_COST = 1 / 1024;

export function arrivalOf({ warp, mask }: Path): Arrival {
  return { block: warp.block.linear, warp: warp.shape.index, mask };
}

export class Warp {
  /** The last one runs next. */
  readonly runnable: Path[] = [];
  readonly waiting: Path[] = [];
  /** Joins at which lanes wait, in the order in which the first of them arrived. */
  readonly #joins = new Set<Join>();
  /** Lanes that have not exited. */
  alive: number;
  /** Lanes that have arrived at the barrier of the cluster, which has not opened since. */
  arrivedInCluster = 0;
  /** How often a path has given way because it seems to wait for others. */
  timesGivenWay = 0;
  /** See `elapsed`: without those of the path that runs, and the grid's when that began. The same for `way`. */
  #elapsed = 0;
  #way = 0;
  #runs = false;
  #beganSteps = 0;
  #beganWeight = 0;
  /** `elapsed` when the warp first looked at a clock and when it did last; how often since it has done little else; cycles that have passed beyond those. */
  clock: { readonly start: number; last: number; looks: number; skipped: number } | undefined;
  /** The path that has paused in the middle of the warp's turn. */
  paused: Path | undefined;
  /** In this turn: how often paths had given way when the last one began to run, and how many have done nothing else since. */
  #before = 0;
  #idle = 0;

  constructor(
    readonly block: BlockState,
    readonly shape: WarpShape,
    readonly local: LocalMemory,
  ) {
    this.alive = shape.mask;
  }

  start(frame: Frame): void {
    this.runnable.push(this.#path(frame, frame.program.entry, this.alive, undefined));
  }

  /** Instructions that it has executed, or those that it has met at barriers had until then, whichever are more: its clock goes by them. */
  get elapsed(): number {
    return this.#runs ? this.#elapsed + this.block.grid.code.steps - this.#beganSteps : this.#elapsed;
  }

  /** As `elapsed`, by what instructions weigh. */
  get way(): number {
    return this.#runs ? this.#way + this.block.grid.code.weight - this.#beganWeight : this.#way;
  }

  /** A barrier has opened for which others have executed so many. */
  catchUp(elapsed: number, way: number): void {
    this.#elapsed += elapsed - this.elapsed;
    this.#way += way - this.way;
  }

  /** Runs until no path can go on, until all that can seem to wait for other warps, or until the grid's budget is spent. */
  run(): 'stopped' | 'spinning' | 'paused' {
    const { code } = this.block.grid;
    let { paused: path } = this;
    if (!path) this.#idle = 0;
    this.paused = undefined;
    for (;;) {
      if (!path) {
        path = this.runnable.pop();
        if (!path) return 'stopped';
        this.#before = this.timesGivenWay;
      }
      this.#beganSteps = code.steps;
      this.#beganWeight = code.weight;
      this.#runs = true;
      const paused = !code.run(path);
      this.#elapsed = this.elapsed;
      this.#way = this.way;
      this.#runs = false;
      if (paused) {
        this.paused = path;
        return 'paused';
      }
      path = undefined;
      if (this.timesGivenWay === this.#before) this.#idle = 0;
      else if (++this.#idle > this.runnable.length) {
        if (!this.releaseJoin()) return 'spinning';
        this.#idle = 0;
      }
    }
  }

  /** Lets lanes that wait at a join go on without the others. False if no lane waits at a join. */
  releaseJoin(): boolean {
    const join = [...this.#joins].at(-1);
    if (!join) return false;
    const lanes = join.arrived;
    join.expected &= ~lanes;
    join.arrived = 0;
    this.#joins.delete(join);
    this.#continueAt(join, lanes);
    return true;
  }

  /** The path has reached the place where it meets others: it ends, and goes on as one with them when all are there. */
  arrive(path: Path, join: Join): void {
    if (join.arrived === 0) this.#joins.add(join);
    join.arrived |= path.mask;
    this.#completeIfAllArrived(join);
  }

  /** Lanes of a path end for good. */
  exit(path: Path, lanes: number): void {
    this.alive &= ~lanes;
    this.leave(path, lanes, undefined);
    this.releaseMetLanes();
    this.block.lanesExited(lanes, this);
  }

  /** Lanes of a path will not come to its joins, up to but not including `last`. */
  leave(path: Path, lanes: number, last: Join | undefined): void {
    for (let join = path.join; join && join !== last; join = join.parent) {
      join.expected &= ~lanes;
      this.#completeIfAllArrived(join);
    }
  }

  /** The path seems to wait for others of its warp or block: they go first. */
  giveWay(path: Path): void {
    path.patience = PATIENCE;
    this.timesGivenWay++;
    this.runnable.unshift(path);
  }

  /** Stops the path until `release`. */
  park(path: Path, wait: Wait): void {
    path.wait = wait;
    this.waiting.push(path);
  }

  release(path: Path, next: Segment): void {
    const { waiting } = this;
    // Nearly always it is the only one.
    if (waiting.length === 1) waiting.pop();
    else waiting.splice(waiting.indexOf(path), 1);
    path.wait = undefined;
    path.segment = next;
    this.runnable.push(path);
  }

  /** True if every lane that a lane of the path names is in `present` or has exited. */
  covers(path: Path, masks: Int32Array, present: number): boolean {
    const missing = this.alive & ~present;
    if (missing === 0) return true;
    for (let rest = path.mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      if ((masks[lane] & missing) !== 0) return false;
    }
    return true;
  }

  /** Lanes that those of a path name, which have neither exited nor come with them. */
  missing({ mask }: Path, masks: Int32Array): number {
    let named = 0;
    for (let rest = mask; rest !== 0; rest &= rest - 1) named |= masks[31 - Math.clz32(rest & -rest)];
    return named & this.alive & ~mask;
  }

  /** Paths whose named lanes have all come to wait exchange their values and go on. */
  releaseMetLanes(): void {
    let present = 0;
    for (const path of this.waiting) if (path.wait?.kind === 'lanes') present |= path.mask;
    if (present === 0) return;
    const met = this.waiting.filter((path) => path.wait?.kind === 'lanes' && this.covers(path, path.wait.masks, present));
    this.#exchange(met);
  }

  /** Nothing else can run: paths that wait for lanes go on without them. False if none waits so. */
  releaseLonelyLanes(): boolean {
    const lonely = this.waiting.filter((path) => path.wait?.kind === 'lanes');
    this.#exchange(lonely, true);
    return lonely.length > 0;
  }

  /** Executes the instruction that the paths wait at, paths at the same one together. */
  #exchange(paths: readonly Path[], lonely = false): void {
    const partners = paths.map((path) =>
      paths.filter((other) => other.frame === path.frame && other.segment === path.segment).reduce((mask, other) => mask | other.mask, 0),
    );
    this.#tellMeetings(paths, partners, lonely);
    this.#noteAbsent(paths, partners);
    paths.forEach((path, index) => {
      path.segment.exchange!(path, partners[index]);
    });
    for (const path of paths.toReversed()) this.release(path, path.segment.next!);
  }

  /** Lanes go on without some that they had waited for. */
  #noteAbsent(paths: readonly Path[], partners: readonly number[]): void {
    paths.forEach(({ mask, wait, segment }, index) => {
      const instruction = segment.instructions.at(-1);
      if (wait?.kind !== 'lanes' || !instruction) return;
      const absent = wait.missing & ~partners[index];
      if (absent === 0) return;
      const members = wait.masks[31 - Math.clz32(mask & -mask)];
      const at = { instruction, block: this.block.linear, warp: this.shape.index, mask };
      this.block.grid.misuses.add({ kind: 'absent', ...at, members, absent });
    });
  }

  /** Tells of paths that go on together, those at the same instruction as one. */
  #tellMeetings(paths: readonly Path[], partners: readonly number[], lonely: boolean): void {
    const { reporter } = this.block.grid;
    if (!reporter?.tellsMeetings) return;
    paths.forEach(({ mask }, index) => {
      // Told once, by the path with the lowest lane.
      const all = partners[index];
      if ((all & -all & mask) === 0) return;
      reporter.meeting('warp', [{ block: this.block.linear, warp: this.shape.index, mask: all }], lonely);
    });
  }

  #completeIfAllArrived(join: Join): void {
    if (join.arrived === 0 || join.arrived !== join.expected) return;
    const lanes = join.arrived;
    join.arrived = 0;
    join.expected = 0;
    this.#joins.delete(join);
    this.#continueAt(join, lanes);
  }

  #continueAt({ frame, at, parent, expected }: Join, mask: number): void {
    if (at !== 'return') {
      this.#resume(this.#path(frame, at, mask, parent));
      return;
    }
    if (!frame.caller) throw new Error('a kernel has no caller to return to');
    if (expected !== 0) frame.split = true;
    const { caller } = frame;
    if (!frame.split) frame.program.recycle(frame);
    this.#resume(this.#path(caller.frame, caller.next, mask, parent));
  }

  /** A path that starts where its own next join lies has already arrived there. */
  #resume(path: Path): void {
    const { join } = path;
    if (join && join.frame === path.frame && join.at === path.segment) this.arrive(path, join);
    else this.runnable.push(path);
  }

  #path(frame: Frame, segment: Segment, mask: number, join: Join | undefined): Path {
    return { warp: this, frame, segment, at: 0, mask, join, patience: PATIENCE, wait: undefined };
  }
}

/** Raised by an instruction that cannot be executed; becomes the launch's fault. */
export class FaultSignal extends Error {
  constructor(
    readonly path: Path,
    readonly fault: FaultAt,
  ) {
    super(fault.message);
  }
}

export interface FaultAt {
  readonly kind: FaultKind;
  readonly message: string;
  readonly lane: number;
  readonly location: Location | undefined;
  readonly address?: number;
  readonly assertion?: Assertion;
}
