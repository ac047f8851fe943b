/** One launch: its blocks, in order, and what they have in common. */

import { LOCAL_BASE } from '../ir/address-map.ts';
import { sizeOf } from '../ir/layout.ts';
import { popcount } from '../ir/math/bits.ts';
import type { Location } from '../ir/types.ts';
import type { AccessTrace } from '../machine/access-trace.ts';
import { type Cell, constantCell, heldBits, leavesOf } from '../machine/cells.ts';
import type { Allocation } from '../machine/device-memory.ts';
import { type BadAccess, outOfBoundsMessage } from '../machine/faults.ts';
import { FootprintRecorder } from '../machine/footprint.ts';
import type { ChildLaunch, Dim3, Elapsed, Fault, Launch } from '../machine/launch.ts';
import { sharedLimit } from '../machine/load-module.ts';
import { MemoryViews } from '../machine/memory-views.ts';
import type { PrintfFormat } from '../machine/printf.ts';
import { byvalOffsets } from '../machine/stack.ts';
import { isAsLaunched } from '../options/schedules.ts';
import { BlockState, type BlockTurn, meetClocks, type WarpShape } from './block.ts';
import { Cluster, clustersOf } from './cluster.ts';
import type { EngineOptions, LaunchOutcome } from './engine.ts';
import { Misuses } from './misuse.ts';
import type { PathCode } from './path-code.ts';
import { PrintedOutput } from './printed-output.ts';
import { type Program, ProgramCounts } from './program.ts';
import type { Reporter } from './reporter.ts';
import { Schedule } from './schedule.ts';
import { arrivalOf, FaultSignal, type Path } from './warp.ts';

/** A kernel parameter as every warp gets it. */
interface Argument {
  readonly cells: readonly number[];
  readonly values: readonly Cell[];
  /** For a structure passed by value: its bytes and where in local memory they go. */
  readonly local: { readonly bytes: Uint8Array; readonly offset: number } | undefined;
}

/** What a launch has come to, but for its counters. */
export type GridOutcome = Omit<LaunchOutcome, 'counters'>;

/** Blocks in the order of their turns; each is told how the turn of the one before it has ended. */
type Turns = Generator<BlockState, void, BlockTurn>;

/** Rounds of turns that a cluster gets in which some of its threads go on and none of its blocks ends, before the next one starts. */
const SPINNING_ROUNDS = 64;

export class Grid {
  readonly shapes: readonly WarpShape[];
  readonly args: readonly Argument[];
  /** Local memory that holds structures passed by value to the kernel. */
  readonly parameterBytes: number;
  readonly kernelStackTop: number;
  readonly sharedBytes: number;
  readonly children: ChildLaunch[] = [];
  readonly output: PrintedOutput;
  /** Formats of printf in global memory, with their texts, zeros included, by address. */
  readonly formats = new Map<number, { readonly text: Uint8Array; readonly format: PrintfFormat }>();
  readonly footprint = new FootprintRecorder();
  readonly misuses = new Misuses();
  /** Where requests to global memory are noted, and the keys of their sites; undefined where nobody asks. */
  trace: { readonly into: AccessTrace; readonly keyOf: (fn: string, site: number) => number } | undefined;
  /** Warp-level instructions executed so far. */
  steps = 0;
  /** What they weigh, where the scheduler executes them. */
  weight = 0;
  /** See LaunchOutcome. */
  clockCycles = 0;
  /** See LaunchOutcome. */
  elapsed: Elapsed = { longest: 0, blocks: 0 };
  /** Instructions of warps that may still be executed before the launch pauses. */
  budget = Number.POSITIVE_INFINITY;
  /** What executes the paths. */
  readonly code: PathCode;
  /** undefined: as launched. */
  readonly schedule: Schedule | undefined;
  /** Threads that have not exited, of the blocks that have started. */
  #alive = 0;
  /** Paths that wait at the grid's barrier, and their threads. */
  #arrivals: Path[] = [];
  #arrived = 0;
  #views: MemoryViews;
  readonly #turns: Turns;
  /** The block whose turn it is, and how the turn before has ended. */
  #running: BlockState | undefined;
  #lastTurn: BlockTurn = 'done';
  #begun = 0;
  #endedBlocks = 0;
  readonly #counts = new Map<Program, ProgramCounts>();
  readonly #clusters = new Map<string, Cluster>();

  constructor(
    readonly options: EngineOptions,
    readonly launch: Launch,
    readonly kernel: Program,
    codeOf: (grid: Grid) => PathCode,
    /** Whom to tell what happens. */
    readonly reporter?: Reporter,
  ) {
    this.output = new PrintedOutput(options.printed);
    const { offsets, bytes } = byvalOffsets(kernel.fn.parameters);
    this.parameterBytes = bytes;
    this.kernelStackTop = kernel.stackTop(bytes);
    this.args = kernel.parameters.map((cells, index) => argument(kernel, launch.args[index], index, cells, offsets[index]));
    this.shapes = warpShapes(launch.block);
    this.sharedBytes = sharedLimit(options.module, launch.kernel, launch.dynamicSharedBytes);
    this.#views = new MemoryViews(options.memory.memory.buffer);
    const { schedule } = options;
    this.schedule = schedule && !isAsLaunched(schedule) ? new Schedule(schedule) : undefined;
    this.#turns = this.schedule
      ? this.#scheduled(this.schedule)
      : launch.cooperative
        ? this.#together()
        : launch.cluster
          ? this.#byClusters(launch)
          : this.#inOrder();
    this.code = codeOf(this);
  }

  get memory() {
    return this.options.memory;
  }

  /** Views of the device's memory, current even after it has grown. */
  global(): MemoryViews {
    if (this.#views.buffer !== this.memory.memory.buffer) this.#views = new MemoryViews(this.memory.memory.buffer);
    return this.#views;
  }

  isConstant(allocation: Allocation): boolean {
    return this.options.module.constants.has(allocation.address);
  }

  run(): GridOutcome {
    return this.step(Number.POSITIVE_INFINITY)!;
  }

  /** Executes so many instructions of warps at most. undefined if the launch goes on. */
  step(budget: number): GridOutcome | undefined {
    this.budget = this.schedule ? this.schedule.turn() : budget;
    let fault: Fault | undefined;
    try {
      if (!this.#goOn()) return undefined;
    } catch (error) {
      if (!(error instanceof FaultSignal)) throw error;
      fault = this.#fault(error);
    }
    const { children, footprint, clockCycles, elapsed } = this;
    return { fault, output: this.output.rest(), children, footprint, clockCycles, elapsed, misuses: this.misuses.all };
  }

  /** The path that goes on next, where the launch has paused. */
  get paused(): Path | undefined {
    return this.#running?.warps.find((warp) => warp.paused)?.paused;
  }

  /** What this launch has counted in a function. */
  countsOf(program: Program): ProgramCounts {
    let counts = this.#counts.get(program);
    if (!counts) {
      counts = new ProgramCounts(program);
      this.#counts.set(program, counts);
    }
    return counts;
  }

  /** The functions that have run. */
  get counts(): readonly ProgramCounts[] {
    return [...this.#counts.values()];
  }

  outOfBounds(path: Path, lane: number, bad: Pick<BadAccess, 'access' | 'address' | 'bytes'>): FaultSignal {
    const message = outOfBoundsMessage(this.memory, { ...bad, sharedBytes: this.sharedBytes, localBytes: path.frame.stackTop });
    return new FaultSignal(path, { kind: 'out-of-bounds', message, lane, location: locationOf(path), address: bad.address });
  }

  /** A grid barrier opens when all threads that have not exited wait at it. */
  lanesExited(lanes: number): void {
    this.#alive -= popcount(lanes);
    this.#openGridBarrier();
  }

  /** In a launch that is not cooperative, CUDA's headers let the kernel trap (PTX of nvcc 13). */
  arriveAtGridBarrier(path: Path): void {
    if (!this.launch.cooperative) {
      const message = `a grid barrier in a launch that is not cooperative: launch the kernel with cudaLaunchCooperativeKernel`;
      throw new FaultSignal(path, { kind: 'trap', message, lane: 31 - Math.clz32(path.mask & -path.mask), location: locationOf(path) });
    }
    path.warp.park(path, { kind: 'grid' });
    this.#arrivals.push(path);
    this.#arrived += popcount(path.mask);
    this.#openGridBarrier();
  }

  stepLimit(path: Path): FaultSignal {
    const limit = this.options.limits.warpInstructions;
    const lane = 31 - Math.clz32(path.mask & -path.mask);
    const message = `stopped after ${limit} warp instructions, the limit per launch: the kernel may never terminate`;
    return new FaultSignal(path, { kind: 'step-limit', message, lane, location: locationOf(path) });
  }

  #openGridBarrier(): void {
    if (this.#arrived === 0 || this.#arrived < this.#alive) return;
    const paths = this.#arrivals;
    this.#noteIncomplete(paths, this.#arrived);
    this.#arrivals = [];
    this.#arrived = 0;
    if (this.reporter?.tellsMeetings) this.reporter.meeting('grid', paths.map(arrivalOf));
    meetClocks(paths);
    for (const path of paths) {
      this.trace?.into.passesGridBarrier(path.warp.block.linear, path.warp.shape.index);
      path.warp.release(path, path.segment.next!);
    }
  }

  /** The grid's barrier opens without threads that have exited. */
  #noteIncomplete(paths: readonly Path[], arrived: number): void {
    const threads = (dim: Dim3): number => dim[0] * dim[1] * dim[2];
    const expected = threads(this.launch.block) * threads(this.launch.grid);
    const instruction = paths[0].segment.instructions.at(-1);
    if (arrived === expected || !instruction) return;
    // The warp that has come in part is the one to look at.
    const { warp, mask } = paths.find((path) => path.mask !== path.warp.shape.mask) ?? paths[0];
    this.misuses.add({ kind: 'incomplete-grid', instruction, block: warp.block.linear, warp: warp.shape.index, mask, arrived, expected });
  }

  /** Gives blocks their turns until all have ended. False if the budget is spent before. */
  #goOn(): boolean {
    for (;;) {
      if (!this.#running) {
        const next = this.#turns.next(this.#lastTurn);
        if (next.done) return true;
        this.#running = next.value;
        if (!this.#running.started) this.#begins(this.#running.linear);
        this.#running.started = true;
      }
      const turn = this.#running.run();
      if (turn === 'paused' && !this.schedule) return false;
      if (turn === 'done') this.#ended(this.#running);
      this.#running = undefined;
      this.#lastTurn = turn === 'paused' ? 'yielded' : turn;
    }
  }

  #begins(block: number): void {
    if (this.#begun > 0 && this.#begun === this.#endedBlocks && this.reporter?.hasEnough(this.#begun, () => this.steps))
      this.reporter.mute();
    this.#begun++;
    this.reporter?.blockBegin(block);
  }

  #ended({ linear: block, warps }: BlockState): void {
    const longest = warps.reduce((most, { way }) => Math.max(most, way), 0);
    this.elapsed = { longest: Math.max(this.elapsed.longest, longest), blocks: this.elapsed.blocks + longest };
    this.#endedBlocks++;
    this.reporter?.blockEnd(block);
  }

  /** Blocks take turns as a schedule says; where all under way seem to wait for others, one more begins. */
  *#scheduled(schedule: Schedule): Turns {
    const { cooperative, cluster, grid } = this.launch;
    const order = schedule.blocks(grid[0] * grid[1] * grid[2]);
    let resident = cooperative || cluster ? order.length : Math.min(order.length, schedule.residentBlocks);
    const running: BlockState[] = [];
    let begun = 0;
    let idle = 0;
    for (;;) {
      while (begun < resident) running.push(this.#createBlock(order[begun++]));
      if (running.length === 0) return;
      const index = schedule.next(running.length);
      const turn = yield running[index];
      if (turn === 'done') {
        running.splice(index, 1);
        if (resident < order.length) resident++;
      }
      if (turn === 'parked' && running.every((b) => b.warps.every((w) => !w.paused && w.runnable.length === 0))) {
        throw this.#gridStuck(running);
      }
      // A turn that was cut short says nothing.
      if (turn === 'spinning') idle++;
      else if (turn !== 'yielded') idle = 0;
      if (idle > running.length && resident < order.length) {
        resident++;
        idle = 0;
      }
    }
  }

  /** Blocks run one after the other; one that seems to wait for a later one lets it start. */
  *#inOrder(): Turns {
    const { grid } = this.launch;
    const count = grid[0] * grid[1] * grid[2];
    const spinning: BlockState[] = [];
    for (let linear = 0; linear < count; linear++) {
      const block = this.#createBlock(linear);
      if ((yield block) !== 'done') spinning.push(block);
      for (const waiting of [...spinning])
        if (waiting !== block && (yield waiting) === 'done') spinning.splice(spinning.indexOf(waiting), 1);
    }
    while (spinning.length > 0) {
      for (const block of [...spinning]) if ((yield block) === 'done') spinning.splice(spinning.indexOf(block), 1);
    }
  }

  /** Clusters run one after the other, their blocks together; one that seems to wait for a later one lets it start. */
  *#byClusters(launch: Launch): Turns {
    let running: readonly BlockState[] = [];
    for (const members of clustersOf(launch)) {
      const begun = members.map((linear) => this.#createBlock(linear));
      running = [...running, ...begun];
      // Threads may wait for some of their own cluster, which get their turns first.
      for (let spun = 0; spun < SPINNING_ROUNDS && begun.some((block) => !block.ended); ) {
        running = yield* this.#round(running);
        spun = begun.some((block) => !block.ended && block.canRun) ? spun + 1 : 0;
      }
    }
    while (running.length > 0) running = yield* this.#round(running);
  }

  /** Gives each block a turn; those that have not ended are left. */
  *#round(blocks: readonly BlockState[]): Generator<BlockState, readonly BlockState[], BlockTurn> {
    const left: BlockState[] = [];
    let parked = 0;
    for (const block of blocks) {
      const turn = yield block;
      if (turn === 'parked') parked++;
      if (turn !== 'done') left.push(block);
    }
    // Releasing the barrier makes paths runnable again; if it did not, some threads never come.
    if (left.length > 0 && parked === left.length && left.every((b) => b.warps.every((w) => w.runnable.length === 0))) {
      throw this.#gridStuck(left);
    }
    return left;
  }

  /** All blocks of a cooperative launch are there from the start. */
  *#together(): Turns {
    const { grid } = this.launch;
    const count = grid[0] * grid[1] * grid[2];
    let left: readonly BlockState[] = Array.from({ length: count }, (_, linear) => this.#createBlock(linear));
    while (left.length > 0) left = yield* this.#round(left);
  }

  #createBlock(linear: number): BlockState {
    const block = new BlockState(this, linear, this.#clusterOf(linear));
    this.#alive += block.aliveThreads;
    return block;
  }

  #clusterOf(linear: number): Cluster | undefined {
    const { grid, cluster } = this.launch;
    if (!cluster) return undefined;
    const place = [linear % grid[0], Math.floor(linear / grid[0]) % grid[1], Math.floor(linear / (grid[0] * grid[1]))];
    const key = place.map((at, axis) => Math.floor(at / cluster[axis])).join();
    const known = this.#clusters.get(key) ?? new Cluster(cluster[0] * cluster[1] * cluster[2]);
    this.#clusters.set(key, known);
    return known;
  }

  #gridStuck(blocks: readonly BlockState[]): FaultSignal {
    const paths = blocks.flatMap((b) => b.warps.flatMap((w) => w.waiting));
    const path = paths[0];
    const waiting = paths.reduce((sum, p) => sum + popcount(p.mask), 0);
    const alive = blocks.reduce((sum, block) => sum + block.aliveThreads, 0);
    const barrier = path.wait?.kind === 'cluster' ? 'barrier of the cluster' : 'grid barrier';
    const message = `the ${barrier} never completes: ${waiting} of ${alive} threads have reached it, and no other thread can proceed`;
    const lane = 31 - Math.clz32(path.mask & -path.mask);
    return new FaultSignal(path, { kind: 'barrier', message, lane, location: locationOf(path) });
  }

  #fault({ path, fault }: FaultSignal): Fault {
    const { warp } = path;
    const thread: Dim3 = [warp.shape.thread[0][fault.lane], warp.shape.thread[1][fault.lane], warp.shape.thread[2][fault.lane]];
    const { kind, message, location, address, assertion } = fault;
    return { kind, message, kernel: this.launch.kernel, location, block: warp.block.id, thread, address, assertion };
  }
}

/** Where a path is, as far as its segment says: at the instruction that ends it. */
function locationOf(path: Path): Location | undefined {
  return path.segment.instructions.at(-1)?.location;
}

function argument(
  kernel: Program,
  bytes: Uint8Array | undefined,
  index: number,
  cells: readonly number[],
  offset: number | undefined,
): Argument {
  const parameter = kernel.fn.parameters[index];
  const expected = sizeOf(parameter.byval?.type ?? parameter.type);
  if (!bytes || bytes.length < expected) {
    throw new Error(`argument ${index} of ${kernel.fn.name} has ${bytes?.length ?? 0} bytes instead of ${expected}`);
  }
  if (offset !== undefined) {
    return { cells, values: [constantCell('i32', BigInt(LOCAL_BASE + offset))], local: { bytes: bytes.subarray(0, expected), offset } };
  }
  const values = leavesOf(parameter.type).map((leaf) => {
    let bits = 0n;
    for (let byte = leaf.bytes - 1; byte >= 0; byte--) bits = (bits << 8n) | BigInt(bytes[leaf.offset + byte]);
    return constantCell(leaf.kind, heldBits(leaf, bits));
  });
  return { cells, values, local: undefined };
}

function warpShapes([x, y, z]: Dim3): WarpShape[] {
  const threads = x * y * z;
  return Array.from({ length: Math.ceil(threads / 32) }, (_, index) => {
    const linear = Int32Array.from({ length: 32 }, (__, lane) => index * 32 + lane);
    const lanes = Math.min(32, threads - index * 32);
    return {
      index,
      mask: lanes === 32 ? -1 : (1 << lanes) - 1,
      thread: [linear.map((t) => t % x), linear.map((t) => Math.floor(t / x) % y), linear.map((t) => Math.floor(t / (x * y)))],
    };
  });
}
