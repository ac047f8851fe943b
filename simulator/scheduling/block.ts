/** One block: its shared memory, its warps and the barriers between them. */

import { CLUSTER_WINDOW_BYTES, LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { popcount } from '../ir/math/bits.ts';
import type { BadAccess } from '../machine/faults.ts';
import { lanesThatHold } from '../machine/lanes.ts';
import type { Dim3 } from '../machine/launch.ts';
import type { MemoryViews } from '../machine/memory-views.ts';
import { Cluster, rankOf } from './cluster.ts';
import type { Grid } from './grid.ts';
import type { BlockPlace } from './path-code.ts';
import type { Arrival } from './probes.ts';
import type { Schedule } from './schedule.ts';
import { arrivalOf, FaultSignal, type Path, Warp } from './warp.ts';

/** What the warps of the same number of all blocks have in common. */
export interface WarpShape {
  readonly index: number;
  /** Lanes that are threads of the block. */
  readonly mask: number;
  /** threadIdx of each lane. */
  readonly thread: readonly [Int32Array, Int32Array, Int32Array];
}

/**
 * How a turn of a block ended: all threads have exited, all that can run seem to wait for other blocks, all wait for the grid, or the
 * schedule lets others go first.
 */
export type BlockTurn = 'done' | 'spinning' | 'parked' | 'yielded';

interface Barrier {
  readonly paths: Path[];
  /** Those that have gone on without waiting. */
  readonly passed: Arrival[];
  /** Threads that have arrived, waiting or not (bar.arrive). */
  arrived: number;
  /** Threads that the barrier waits for; undefined for all that have not exited. */
  expected: number | undefined;
}

/** How far the warps have been given their turns, and what has come of it. */
interface Round {
  warp: number;
  advanced: boolean;
  spinning: boolean;
  /** The warps' numbers in the order of their turns; ascending unless given. */
  readonly order: Int32Array | undefined;
}

export class BlockState {
  readonly place: BlockPlace;
  readonly shared: MemoryViews;
  readonly warps: readonly Warp[];
  #round: Round;
  readonly #barriers = new Map<number, Barrier>();
  /** Counted anew when threads have exited. */
  #aliveThreads: number | undefined;

  readonly id: Dim3;
  readonly sharedBytes: number;
  /** It has had its first turn. */
  started = false;
  /** All its threads have exited. */
  ended = false;
  readonly rank: number;

  constructor(
    readonly grid: Grid,
    readonly linear: number,
    public cluster?: Cluster,
  ) {
    const [x, y] = grid.launch.grid;
    this.id = [linear % x, Math.floor(linear / x) % y, Math.floor(linear / (x * y))];
    this.sharedBytes = grid.sharedBytes;
    this.rank = cluster ? rankOf(this) : 0;
    this.place = grid.code.open(this);
    this.shared = this.place.shared;
    this.warps = grid.shapes.map((shape) => {
      const { frame, local } = this.place.warps[shape.index];
      const warp = new Warp(this, shape, local);
      warp.start(frame);
      return warp;
    });
    this.#round = this.#newRound();
    if (cluster) cluster.blocks[this.rank] = this;
  }

  sharedMemory(): Uint8Array {
    return this.shared.u8;
  }

  /** Some of its threads do not wait for others. */
  get canRun(): boolean {
    return this.warps.some((warp) => warp.paused || warp.runnable.length > 0);
  }

  /** Each arrival at a barrier asks. */
  get aliveThreads(): number {
    this.#aliveThreads ??= this.warps.reduce((sum, warp) => sum + popcount(warp.alive), 0);
    return this.#aliveThreads;
  }

  /** Runs the warps in turn, ascending, each until it waits, until none can go on or the grid's budget is spent. */
  run(): BlockTurn | 'paused' {
    for (;;) {
      if (!this.#runRound()) return 'paused';
      const { advanced, spinning } = this.#round;
      this.#round = this.#newRound();
      if (advanced) continue;
      if (spinning) return 'spinning';
      if (this.warps.every((warp) => warp.alive === 0)) {
        this.ended = true;
        this.grid.code.close(this);
        return 'done';
      }
      if (this.#unblock()) continue;
      if (this.warps.some((warp) => warp.waiting.some((path) => path.wait?.kind === 'grid' || path.wait?.kind === 'cluster')))
        return 'parked';
      throw this.#stuck();
    }
  }

  /** Gives each warp a turn. False if the budget is spent in the middle. */
  #runRound(): boolean {
    const round = this.#round;
    for (; round.warp < this.warps.length; round.warp++) {
      const warp = this.warps[round.order ? round.order[round.warp] : round.warp];
      if (!warp.paused && warp.runnable.length === 0) continue;
      const turn = warp.run();
      if (turn === 'paused') {
        if (this.grid.schedule) this.#giveTurnAway(this.grid.schedule);
        return false;
      }
      if (turn === 'spinning') round.spinning = true;
      else round.advanced = true;
    }
    return true;
  }

  /** The next warp goes on when it is the block's turn again. */
  #giveTurnAway(schedule: Schedule): void {
    this.grid.budget = schedule.turn();
    this.#round.warp++;
    this.#round.advanced = true;
  }

  #newRound(): Round {
    return { warp: 0, advanced: false, spinning: false, order: this.grid.schedule?.warps(this.warps.length) };
  }

  arrive(path: Path, id: number, expected: number | undefined): void {
    const barrier = this.#barrier(id, expected);
    barrier.paths.push(path);
    barrier.arrived += popcount(path.mask);
    path.warp.park(path, { kind: 'barrier', id });
    this.#openIfComplete(id, barrier);
  }

  /** bar.arrive: counted, but nobody waits. */
  arriveWithoutWaiting(path: Path, id: number, expected: number): void {
    const barrier = this.#barrier(id, expected);
    barrier.passed.push({ ...arrivalOf(path), passing: true });
    barrier.arrived += popcount(path.mask);
    this.#openIfComplete(id, barrier);
  }

  /** Barriers do not wait for threads that have exited. */
  lanesExited(lanes: number, warp: Warp): void {
    this.#aliveThreads = undefined;
    this.cluster?.exited(warp, lanes);
    for (const [id, barrier] of this.#barriers) this.#openIfComplete(id, barrier);
    this.grid.lanesExited(lanes);
  }

  /** A block that is a cluster of its own meets nobody but itself: its threads wait for each other. */
  arriveInCluster(path: Path): void {
    this.#ownCluster().arrive(path);
  }

  /** False if the path need not wait. */
  waitInCluster(path: Path): boolean {
    return this.#ownCluster().wait(path);
  }

  #ownCluster(): Cluster {
    if (!this.cluster) {
      this.cluster = new Cluster(1);
      this.cluster.blocks.push(this);
    }
    return this.cluster;
  }

  /** The bytes that a lane sees at a generic address. */
  bytesAt(path: Path, lane: number, address: number, bytes: number, access: BadAccess['access'] = 'read'): Uint8Array {
    if (address >= SHARED_BASE) {
      const offset = address - SHARED_BASE;
      if (offset + bytes <= this.sharedBytes) return this.shared.u8.subarray(offset, offset + bytes);
      const within = offset % CLUSTER_WINDOW_BYTES;
      const start = this.cluster?.sharedOfRank(Math.floor(offset / CLUSTER_WINDOW_BYTES) - 1);
      if (start !== undefined && within + bytes <= this.sharedBytes)
        return this.place.all.u8.subarray(start + within, start + within + bytes);
    } else if (address >= LOCAL_BASE) {
      const offset = address - LOCAL_BASE;
      if (offset + bytes <= path.frame.stackTop) {
        path.warp.local.reserve(path.frame.stackTop);
        const { capacity, views } = path.warp.local;
        return views.u8.subarray(lane * capacity + offset, lane * capacity + offset + bytes);
      }
    } else {
      const allocation = this.grid.memory.find(address, bytes);
      if (allocation) {
        this.grid.footprint.add(allocation.address, access);
        return this.grid.global().u8.subarray(address, address + bytes);
      }
    }
    throw this.grid.outOfBounds(path, lane, { access, address, bytes });
  }

  #barrier(id: number, expected: number | undefined): Barrier {
    let barrier = this.#barriers.get(id);
    if (!barrier) {
      barrier = { paths: [], passed: [], arrived: 0, expected };
      this.#barriers.set(id, barrier);
    }
    return barrier;
  }

  #openIfComplete(id: number, barrier: Barrier): void {
    if (barrier.arrived < (barrier.expected ?? this.aliveThreads)) return;
    this.#barriers.delete(id);
    if (this.grid.reporter?.tellsMeetings) this.grid.reporter.meeting('block', [...barrier.paths.map(arrivalOf), ...barrier.passed]);
    reduce(barrier.paths);
    meetClocks(barrier.paths);
    for (const path of barrier.paths) path.warp.release(path, path.segment.next!);
  }

  /** Last resort when nothing can run: lanes that wait for others of their warp go on without them. */
  #unblock(): boolean {
    for (const warp of this.warps) if (warp.releaseJoin()) return true;
    for (const warp of this.warps) if (warp.releaseLonelyLanes()) return true;
    return false;
  }

  #stuck(): FaultSignal {
    const paths = this.warps.flatMap((warp) => warp.waiting.filter((path) => path.wait?.kind === 'barrier'));
    const path = paths[0];
    const lane = 31 - Math.clz32(path.mask & -path.mask);
    const places = paths.map((p) => `${popcount(p.mask)} threads of warp ${p.warp.shape.index} at ${lineOf(p)}`);
    const arrived = paths.reduce((sum, p) => sum + popcount(p.mask), 0);
    const message = `the barrier never completes: ${arrived} of ${this.aliveThreads} threads have reached one (${listed(places)}), and no other thread can proceed`;
    return new FaultSignal(path, { kind: 'barrier', message, lane, location: path.segment.instructions.at(-1)?.location });
  }
}

/** They go on at one time: when the last has come. */
export function meetClocks(paths: readonly Path[]): void {
  let elapsed = 0;
  let way = 0;
  for (const { warp } of paths) {
    elapsed = Math.max(elapsed, warp.elapsed);
    way = Math.max(way, warp.way);
  }
  for (const { warp } of paths) warp.catchUp(elapsed, way);
}

/** Gives the threads at a bar.red the reduction of all their predicates. */
function reduce(paths: readonly Path[]): void {
  if (!paths.some((path) => path.segment.reduction)) return;
  const reductions = paths.filter((path) => path.segment.reduction);
  let threads = 0;
  let holding = 0;
  for (const path of reductions) {
    threads += popcount(path.mask);
    holding += popcount(lanesThatHold(path.frame.cells[path.segment.reduction!.predicate].i, path.mask));
  }
  for (const path of reductions) {
    const { kind, result } = path.segment.reduction!;
    const value = kind === 'popc' ? holding : kind === 'and' ? Number(holding === threads) : Number(holding > 0);
    for (let lane = 0; lane < 32; lane++) if ((path.mask >>> lane) & 1) path.frame.cells[result].i[lane] = value;
  }
}

function lineOf(path: Path): string {
  let at = path.segment.instructions.at(-1)?.location;
  while (at?.line === 0 && at.inlinedAt) at = at.inlinedAt;
  return at ? `${at.file.replace(/^.*[/\\]/, '')}:${at.line}` : 'an unknown line';
}

function listed(places: readonly string[]): string {
  return places.length <= 4 ? places.join(', ') : `${places.slice(0, 3).join(', ')} and ${places.length - 3} more`;
}
