/**
 * Barriers, and exchanges between lanes: keeps the clocks, and finds barriers that part of a block never reaches and masks that do not
 * name who is there.
 */
import type { ShuffleMode } from '../ir/intrinsics/description.ts';
import { meaningOf } from '../ir/intrinsics.ts';
import { popcount } from '../ir/math/bits.ts';
import type { Instruction } from '../ir/types.ts';
import type { Arrival, BarrierEvent, ExchangeEvent, MeetingEvent } from '../scheduling/probes.ts';
import type { BlockClock, WarpClock } from './block-clocks.ts';
import type { LaunchClock } from './clocks.ts';
import { placeKey } from './finding-log.ts';
import type { SkippedBarriers } from './skipped-barriers.ts';

/** Lanes of a warp at an instruction that names others. */
export interface LanesAt {
  readonly instruction: Instruction;
  readonly warp: WarpClock;
  /** That are there. */
  readonly mask: number;
}

export interface MeetingReports {
  /** Threads have met at a barrier past which others of the block have gone; those have exited. */
  incomplete(instruction: Instruction, warp: WarpClock, lane: number, counts: { readonly gone: number; readonly expected: number }): void;
  /** Threads of the grid have met at a barrier to which others never come: they have exited. */
  incompleteGrid(at: LanesAt, counts: { readonly arrived: number; readonly expected: number }): void;
  /** Threads have met that are at different barriers of the source. */
  different(a: LanesAt, b: LanesAt): void;
  /** A lane calls that the mask leaves out. */
  leftOut(at: LanesAt, members: number, lane: number): void;
  /** The mask names lanes that are elsewhere and do not come. */
  absent(at: LanesAt, members: number, absent: number): void;
  /** A lane reads a lane that does not take part. */
  readsAbsent(at: LanesAt, members: number, lane: number, source: number): void;
}

/** Lanes of a warp that wait for others which they name. */
interface Waiting {
  readonly instruction: Instruction;
  readonly members: Int32Array;
  /** Named lanes that had not exited and were not there. */
  missing: number;
  mask: number;
  readonly operands: readonly Int32Array[];
}

export class MeetingChecks {
  readonly #clock: LaunchClock;
  readonly #reports: MeetingReports;
  readonly #skipped: SkippedBarriers | undefined;
  readonly #waiting = new Map<number, Waiting[]>();

  /** `skipped`: undefined for a kernel whose threads cannot differ in the barriers that they come to. */
  constructor(clock: LaunchClock, reports: MeetingReports, skipped?: SkippedBarriers) {
    this.#clock = clock;
    this.#reports = reports;
    this.#skipped = skipped;
    if (!skipped) clock.leaveBarriers();
  }

  barrier(event: BarrierEvent): void {
    if (event.scope === 'warp') {
      this.exchange(event);
      return;
    }
    const warp = this.#clock.block(event.block).warps[event.warp];
    warp.tick = Math.max(warp.tick, this.#clock.now);
    warp.passed = this.#clock.now;
    if (event.scope === 'block') this.#skipped?.arrive(event.block, event.warp, event.mask);
    warp.waits.push({ instruction: event.instruction, warp, mask: event.mask });
  }

  exchange(event: ExchangeEvent): void {
    const warp = this.#clock.block(event.block).warps[event.warp];
    if (event.whole) {
      this.#clock.meetLanes(warp, -1, -1);
      return;
    }
    const { instruction, mask, alive, members, operands } = event;
    const at = { instruction, warp, mask };
    let missing = 0;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      missing |= members[lane] & alive & ~mask;
      if (((members[lane] >>> lane) & 1) === 0) this.#reports.leftOut(at, members[lane], lane);
    }
    if (missing === 0) {
      this.#meet(at, members, operands, alive);
      return;
    }
    const waiting = this.#waiting.get(warp.number) ?? [];
    this.#waiting.set(warp.number, waiting);
    waiting.push({ instruction, members: members.slice(), missing, mask, operands: operands.map((words) => words.slice()) });
  }

  meeting({ scope, arrivals, lonely }: MeetingEvent): void {
    if (scope === 'grid') this.#meetGrid(arrivals);
    else if (scope === 'cluster') this.#clock.meetCluster(arrivals);
    else if (scope === 'block') this.#meetBlock(this.#clock.block(arrivals[0].block), arrivals);
    else this.#meetLanes(this.#clock.block(arrivals[0].block).warps[arrivals[0].warp], arrivals[0].mask, lonely);
  }

  /** Lanes that have waited go on: those at one instruction, which may have come in several parts. */
  #meetLanes(warp: WarpClock, mask: number, lonely: boolean): void {
    const waiting = this.#waiting.get(warp.number) ?? [];
    const here = waiting.filter((each) => (each.mask & mask) !== 0);
    this.#waiting.set(
      warp.number,
      waiting.filter((each) => (each.mask & mask) === 0),
    );
    const [first] = here;
    if (!first) return;
    const members = new Int32Array(32);
    for (const part of here) for (let lane = 0; lane < 32; lane++) if ((part.mask >>> lane) & 1) members[lane] = part.members[lane];
    const at = { instruction: first.instruction, warp, mask };
    for (const part of here) {
      const absent = part.missing & ~mask;
      if (absent === 0 && !lonely) continue;
      if (absent !== 0) this.#reports.absent({ ...at, mask: part.mask }, part.members[31 - Math.clz32(part.mask & -part.mask)], absent);
    }
    const operands = first.operands.map((_, index) => merged(here, index));
    this.#meet(at, members, operands, mask | ~0);
  }

  /** Lanes that name the same lanes have met. */
  #meet(at: LanesAt, members: Int32Array, operands: readonly Int32Array[], alive: number): void {
    for (let rest = at.mask; rest !== 0; ) {
      const lane = 31 - Math.clz32(rest & -rest);
      let group = 0;
      for (let other = lane; other < 32; other++) if ((at.mask >>> other) & 1 && members[other] === members[lane]) group |= 1 << other;
      rest &= ~group;
      const met = group & (members[lane] | (1 << lane));
      this.#clock.meetLanes(at.warp, met, alive);
      if (operands.length > 0) this.#checkSources(at, members[lane], group, operands);
    }
  }

  /**
   * Whose value a shuffle takes. Reductions by `down` and scans by `up` leave values behind that nobody means to use: of those only the
   * lane that keeps the result is looked at.
   */
  #checkSources(at: LanesAt, members: number, group: number, [operand, control]: readonly Int32Array[]): void {
    const meaning = meaningOf(at.instruction);
    if (meaning?.kind !== 'shuffle' || !control) return;
    const lowest = 31 - Math.clz32(group & -group);
    const highest = 31 - Math.clz32(group);
    for (let lane = 0; lane < 32; lane++) {
      if (((group >>> lane) & 1) === 0) continue;
      if (meaning.mode === 'down' && lane !== lowest) continue;
      if (meaning.mode === 'up' && lane !== highest) continue;
      const source = sourceOf(meaning.mode, lane, operand[lane], control[lane]);
      if (source === undefined || source === lane || ((at.mask & members) >>> source) & 1) continue;
      this.#reports.readsAbsent(at, members, lane, source);
      return;
    }
  }

  /** Whether all threads of the block have met at one instruction: then there is nothing to say. */
  #isWhole({ warps }: BlockClock, arrivals: readonly Arrival[]): boolean {
    const instruction = warps[arrivals[0].warp].waits[0]?.instruction;
    let arrived = 0;
    for (const { warp, mask, passing } of arrivals) {
      const { waits } = warps[warp];
      if (passing || waits.length !== 1 || waits[0].mask !== mask || waits[0].instruction !== instruction) return false;
      arrived += mask === -1 ? 32 : popcount(mask);
    }
    return arrived === this.#clock.threads;
  }

  #meetBlock(block: BlockClock, arrivals: readonly Arrival[]): void {
    if (this.#isWhole(block, arrivals)) {
      for (const { warp } of arrivals) block.warps[warp].waits.length = 0;
      this.#clock.meetBlock(block, arrivals, true);
      return;
    }
    const there = arrivals.flatMap(({ warp, mask }) => this.#leave(block.warps[warp], mask));
    const arrived = arrivals.reduce((sum, { mask }) => sum + popcount(mask), 0);
    const [first] = there;
    const meaning = first && meaningOf(first.instruction);
    const counted = meaning?.kind === 'blockBarrier' && meaning.counted;
    const passing = arrivals.some((each) => each.passing);
    const whole = !passing && (!counted || arrived === this.#clock.threads);
    this.#clock.meetBlock(block, arrivals, whole);
    if (!first || counted) return;
    const expected = this.#clock.threads;
    const barriers = there.map(({ instruction }) => instruction);
    const gone = arrived < expected ? (this.#skipped?.gonePast(arrivals, barriers) ?? 0) : 0;
    if (gone > 0) {
      // The warp that has come in part is the one to look at.
      const partial = there.find(({ mask, warp }) => mask !== this.#threadsOf(warp)) ?? first;
      this.#reports.incomplete(partial.instruction, partial.warp, 31 - Math.clz32(partial.mask & -partial.mask), { gone, expected });
      return;
    }
    const place = exactPlace(first);
    const other = there.find((at) => at.instruction !== first.instruction && exactPlace(at) !== place);
    if (other) this.#reports.different(first, other);
  }

  #meetGrid(arrivals: readonly Arrival[]): void {
    this.#clock.meetGrid();
    const there = arrivals.flatMap(({ block, warp, mask }) => this.#leave(this.#clock.block(block).warps[warp], mask));
    const [x, y, z] = this.#clock.launch.grid;
    const expected = this.#clock.threads * x * y * z;
    const arrived = arrivals.reduce((sum, { mask }) => sum + popcount(mask), 0);
    if (there.length === 0 || arrived === expected) return;
    this.#reports.incompleteGrid(there.find(({ mask, warp }) => mask !== this.#threadsOf(warp)) ?? there[0], { arrived, expected });
  }

  #threadsOf({ index }: WarpClock): number {
    const threads = Math.min(32, this.#clock.threads - 32 * index);
    return threads === 32 ? -1 : (1 << threads) - 1;
  }

  /** Where lanes of a warp have waited that now go on. */
  #leave(warp: WarpClock, mask: number): readonly LanesAt[] {
    const all = warp.waits;
    warp.waits = all.filter((each) => (each.mask & mask) === 0);
    return all.filter((each) => (each.mask & mask) !== 0);
  }
}

/** Copies that the compiler makes of a barrier are still one. */
function exactPlace({ instruction: { location } }: LanesAt): string {
  return `${placeKey(location)}:${location?.column ?? 0}`;
}

function merged(parts: readonly Waiting[], index: number): Int32Array {
  const words = new Int32Array(32);
  for (const { mask, operands } of parts)
    for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) words[lane] = operands[index]?.[lane] ?? 0;
  return words;
}

/** As shfl.sync in the PTX manual; undefined if the source lies outside the segment. */
function sourceOf(mode: ShuffleMode, lane: number, operand: number, control: number): number | undefined {
  const segment = (control >>> 8) & 31;
  const clamp = control & 31;
  const b = operand & 31;
  const last = (lane & segment) | (clamp & ~segment);
  const source = mode === 'up' ? lane - b : mode === 'down' ? lane + b : mode === 'bfly' ? lane ^ b : (lane & segment) | (b & ~segment);
  return (mode === 'up' ? source >= last : source <= last) ? source : undefined;
}
