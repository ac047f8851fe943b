/**
 * How long one warp takes to execute straight code by itself: instructions wait for what they use, independent ones that stand near each
 * other overlap, and one is issued per cycle. What it begins with is taken to be there. A counted loop of one block is looked
 * at for several iterations at once, as ptxas writes them out.
 */
import { operandsOf } from '../ir/operands.ts';
import type { Block, Instruction } from '../ir/types.ts';
import type { MachineCost } from './machine-code.ts';
import type { Piece } from './straight-code.ts';

export interface Waits {
  /** Cycles until the value of an access can be used. */
  readonly latencyOf: (instruction: Instruction) => number;
  /** Cycles that an instruction takes longer than where its lanes all go the usual way. */
  readonly detourOf: (instruction: Instruction) => number;
  /** Cycles for which an access keeps its warp from issuing the next. */
  readonly busyOf: (instruction: Instruction) => number;
  /** Instructions among which ptxas finds something else to do while one waits. */
  readonly window: number;
  /** As how many of the loads from global memory that ptxas lets be under way one counts: 0 of other instructions. */
  readonly holds: (instruction: Instruction) => number;
  readonly loadsAhead: number;
  /** Cycles from the answer to one load from global memory to that to the next, at least. */
  readonly spacingOf: (load: Instruction) => number;
  /** Cycles until all warps have come to a barrier that they reach together. */
  readonly barrierCycles: Readonly<Record<'block' | 'cluster' | 'grid', number>>;
  /** An access that may not move before an earlier store. */
  readonly staysBehind: (load: Instruction, store: Instruction) => boolean;
}

/** Cycles from the first instruction of a piece to its last result; of a loop that is written out `rounds` times, for each iteration. */
export function pieceCycles(piece: Piece, costs: readonly MachineCost[], waits: Waits, written: WrittenOut): ChainCycles {
  const chain = new Chain(piece, costs, waits);
  const cycles = chain.run(written);
  return { cycles, bySite: () => chain.shares() };
}

/** How many iterations of a loop of one block are written out behind each other, and whether all of their loads come first. */
export interface WrittenOut {
  readonly rounds: number;
  readonly isFar: boolean;
}

export const ONCE: WrittenOut = { rounds: 1, isFar: false };

export interface ChainCycles {
  readonly cycles: number;
  /** By site, what instructions add to the longest chain; those that are only issued share the rest by their number. */
  bySite(): ReadonlyMap<number, number>;
}

/** An instruction that was executed. */
interface Step {
  readonly site: number;
  readonly start: number;
  readonly done: number;
  /** What it waited for. */
  readonly behind: Step | undefined;
}

class Chain {
  readonly #piece: Piece;
  readonly #costs: readonly MachineCost[];
  readonly #waits: Waits;
  readonly #ready = new Map<number, Step>();
  /** When the latest instructions were issued. */
  readonly #issued: Step[] = [];
  readonly #stores: { readonly store: Instruction; readonly issued: Step; readonly round: number }[] = [];
  /** Loads under way, and how many they count as. */
  readonly #loading: { readonly step: Step; readonly count: number }[] = [];
  #ahead = 0;
  /** When the latest load was answered. */
  #answered = 0;
  /** How many are under way at most: all of a loop that is written out so far. */
  #most = 0;
  #slots = 0;
  #end = 0;
  /** The one that ends last, and a barrier. */
  #last: Step | undefined;
  #floor: Step | undefined;
  /** What decides whether the side of a predicated branch is executed. */
  #guard: Step | undefined;
  #known: ReadonlyMap<number, string> | undefined;
  #rounds = 1;
  #round = 0;

  constructor(piece: Piece, costs: readonly MachineCost[], waits: Waits) {
    this.#piece = piece;
    this.#costs = costs;
    this.#waits = waits;
  }

  run({ rounds, isFar }: WrittenOut): number {
    this.#rounds = rounds;
    this.#most = isFar ? Number.POSITIVE_INFINITY : this.#waits.loadsAhead;
    for (let round = 0; round < rounds; round++) {
      this.#round = round;
      this.#carry(round);
      for (const [place, block] of this.#piece.entries()) {
        this.#guard = place > 0 ? this.#guardOf(block) : undefined;
        for (const instruction of block.instructions) {
          if (instruction.op !== 'phi') this.#execute(instruction);
          else if (place > 0) this.#meet(instruction);
        }
      }
    }
    return Math.max(this.#end, this.#slots) / rounds;
  }

  shares(): ReadonlyMap<number, number> {
    const shares = new Map<number, number>();
    const add = (site: number, cycles: number) => shares.set(site, (shares.get(site) ?? 0) + cycles / this.#rounds);
    if (this.#slots > this.#end) {
      const instructions = this.#piece.flatMap((block) => block.instructions);
      const issues = instructions.reduce((sum, { site }) => sum + this.#costs[site].issues, 0);
      for (const { site } of instructions) if (issues > 0) add(site, (this.#slots * this.#costs[site].issues) / issues);
      return shares;
    }
    let end = this.#end;
    for (let step = this.#last; step; step = step.behind) {
      add(step.site, end - step.start);
      end = step.start;
    }
    return shares;
  }

  /** Of an array at one index: of another round, it is another element. */
  #isSameElement(a: Instruction, b: Instruction): boolean {
    const [one, other] = [a, b].map((each) => {
      const pointer = 'pointer' in each ? each.pointer : undefined;
      return pointer?.kind === 'value' ? this.#addresses.get(pointer.id) : undefined;
    });
    return one !== undefined && one === other;
  }

  /** By value: what the address is computed from. */
  get #addresses(): ReadonlyMap<number, string> {
    this.#known ??= new Map(
      this.#piece.flatMap(({ instructions }) =>
        instructions.flatMap((each) => {
          if (each.op !== 'getelementptr' || each.terms.length === 0) return [];
          const parts = [each.base, ...each.terms.map(({ index }) => index)].map((part) => ('id' in part ? part.id : part.kind));
          return [[each.id, `${parts.join()} ${each.offset} ${each.terms.map(({ scale }) => scale).join()}`] as const];
        }),
      ),
    );
    return this.#known;
  }

  /** Values that come from the iteration before. */
  #carry(round: number): void {
    const next: [number, Step | undefined][] = [];
    const [head] = this.#piece;
    for (const instruction of head.instructions) {
      if (instruction.op !== 'phi') break;
      const carried = instruction.incoming.find((each) => each.block === this.#piece[this.#piece.length - 1].index)?.value;
      next.push([instruction.id, round > 0 && carried?.kind === 'value' ? this.#ready.get(carried.id) : undefined]);
    }
    for (const [id, step] of next) {
      if (step) this.#ready.set(id, step);
      else this.#ready.delete(id);
    }
  }

  /** A side waits for the condition; where both meet, nothing does. */
  #guardOf(block: Block): Step | undefined {
    const before = this.#piece.find(({ index }) => index === block.predecessors[0])?.instructions.at(-1);
    if (block.predecessors.length !== 1 || before?.op !== 'condbr' || before.condition.kind !== 'value') return undefined;
    return this.#ready.get(before.condition.id);
  }

  /** A value that comes from either side is there when both have been executed. */
  #meet({ id, incoming }: Extract<Instruction, { op: 'phi' }>): void {
    let latest: Step | undefined;
    for (const { value } of incoming) {
      const step = value.kind === 'value' ? this.#ready.get(value.id) : undefined;
      if (step && step.done > (latest?.done ?? 0)) latest = step;
    }
    if (latest) this.#ready.set(id, latest);
  }

  #execute(instruction: Instruction): void {
    const { issues, pipe, latency, memory, barrier, inOrder } = this.#costs[instruction.site];
    let behind = this.#floor;
    let start = this.#floor?.done ?? 0;
    const after = (step: Step | undefined, at: number | undefined): void => {
      if (at === undefined || at <= start) return;
      start = at;
      behind = step;
    };
    after(this.#guard, this.#guard?.done);
    for (const operand of operandsOf(instruction)) {
      if (operand.kind !== 'value') continue;
      const ready = this.#ready.get(operand.id);
      after(ready, ready?.done);
    }
    if (memory === 'load' || memory === 'atomic') {
      for (const { store, issued, round } of this.#stores) {
        if (issued.start <= start || (round < this.#round && this.#isSameElement(instruction, store))) continue;
        if (this.#waits.staysBehind(instruction, store)) after(issued, issued.start);
      }
    }
    // Loads and what their addresses need come first.
    if (issues > 0 && pipe !== 'int' && memory !== 'load') {
      const before = this.#issued[this.#issued.length - Math.round(this.#waits.window)];
      after(before, before?.start);
    }
    const count = memory === 'load' && issues > 0 ? this.#waits.holds(instruction) : 0;
    while (count > 0 && this.#ahead + count > this.#most && this.#loading.length > 0) {
      const earliest = this.#loading.shift()!;
      this.#ahead -= earliest.count;
      after(earliest.step, earliest.step.done);
    }
    this.#slots += issues + (memory ? this.#waits.busyOf(instruction) : 0);
    const isStore = memory === 'store' || memory === 'reduction';
    const own = memory ? this.#waits.latencyOf(instruction) : latency + (issues > 0 ? this.#waits.detourOf(instruction) : 0);
    let done = start + own;
    if (count > 0) {
      done = Math.max(done, this.#answered + this.#waits.spacingOf(instruction));
      this.#answered = done;
    }
    const step: Step = { site: instruction.site, start, done, behind };
    if (issues > 0) this.#issued.push(step);
    if (count > 0) {
      this.#loading.push({ step, count });
      this.#ahead += count;
    }
    if (isStore || memory === 'atomic') this.#stores.push({ store: instruction, issued: step, round: this.#round });
    if (instruction.id >= 0) this.#ready.set(instruction.id, step);
    this.#ends(step, isStore ? start : step.done);
    if (inOrder && step.done > (this.#floor?.done ?? 0)) this.#floor = step;
    if (barrier) {
      this.#floor = {
        ...step,
        start: Math.max(this.#end, start),
        done: Math.max(this.#end, this.#slots) + (barrier === 'own' ? latency : this.#waits.barrierCycles[barrier]),
        behind: this.#last,
      };
      this.#ends(this.#floor, this.#floor.done);
    }
  }

  #ends(step: Step, at: number): void {
    if (at <= this.#end) return;
    this.#end = at;
    this.#last = step;
  }
}
