/**
 * How long one warp takes to execute a basic block by itself: instructions wait for what they use, independent ones that stand near each
 * other overlap, and one is issued per cycle. What a block begins with is taken to be there. A counted loop of one block is looked
 * at for several iterations at once, as ptxas writes them out.
 */
import { operandsOf } from '../ir/operands.ts';
import type { Block, Instruction } from '../ir/types.ts';
import type { MachineCost } from './machine-code.ts';

export interface Waits {
  /** Cycles until the value of an access can be used. */
  readonly latencyOf: (instruction: Instruction) => number;
  /** Cycles for which an access keeps its warp from issuing the next. */
  readonly busyOf: (instruction: Instruction) => number;
  /** Instructions among which ptxas finds something else to do while one waits. */
  readonly window: number;
  /** Cycles until all warps of a block have come to a barrier that they reach together. */
  readonly barrierCycles: number;
  /** An access that may not move before an earlier store. */
  readonly staysBehind: (load: Instruction, store: Instruction) => boolean;
}

/** Cycles from the first instruction of a block to its last result; of a loop that is written out `rounds` times, for each iteration. */
export function blockCycles(block: Block, costs: readonly MachineCost[], waits: Waits, rounds: number): ChainCycles {
  const chain = new Chain(block, costs, waits);
  const cycles = chain.run(rounds);
  return { cycles, bySite: () => chain.shares() };
}

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
  readonly #block: Block;
  readonly #costs: readonly MachineCost[];
  readonly #waits: Waits;
  readonly #ready = new Map<number, Step>();
  /** When the latest instructions were issued. */
  readonly #issued: Step[] = [];
  readonly #stores: { readonly store: Instruction; readonly issued: Step }[] = [];
  #slots = 0;
  #end = 0;
  /** The one that ends last, and a barrier. */
  #last: Step | undefined;
  #floor: Step | undefined;
  #rounds = 1;

  constructor(block: Block, costs: readonly MachineCost[], waits: Waits) {
    this.#block = block;
    this.#costs = costs;
    this.#waits = waits;
  }

  run(rounds: number): number {
    this.#rounds = rounds;
    for (let round = 0; round < rounds; round++) {
      this.#carry(round);
      for (const instruction of this.#block.instructions) if (instruction.op !== 'phi') this.#execute(instruction);
    }
    return Math.max(this.#end, this.#slots) / rounds;
  }

  shares(): ReadonlyMap<number, number> {
    const shares = new Map<number, number>();
    const add = (site: number, cycles: number) => shares.set(site, (shares.get(site) ?? 0) + cycles / this.#rounds);
    if (this.#slots > this.#end) {
      const issues = this.#block.instructions.reduce((sum, { site }) => sum + this.#costs[site].issues, 0);
      for (const { site } of this.#block.instructions) if (issues > 0) add(site, (this.#slots * this.#costs[site].issues) / issues);
      return shares;
    }
    let end = this.#end;
    for (let step = this.#last; step; step = step.behind) {
      add(step.site, end - step.start);
      end = step.start;
    }
    return shares;
  }

  /** Values that come from the iteration before. */
  #carry(round: number): void {
    const next: [number, Step | undefined][] = [];
    for (const instruction of this.#block.instructions) {
      if (instruction.op !== 'phi') break;
      const carried = instruction.incoming.find((each) => each.block === this.#block.index)?.value;
      next.push([instruction.id, round > 0 && carried?.kind === 'value' ? this.#ready.get(carried.id) : undefined]);
    }
    for (const [id, step] of next) {
      if (step) this.#ready.set(id, step);
      else this.#ready.delete(id);
    }
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
    for (const operand of operandsOf(instruction)) {
      if (operand.kind !== 'value') continue;
      const ready = this.#ready.get(operand.id);
      after(ready, ready?.done);
    }
    if (memory === 'load' || memory === 'atomic') {
      for (const { store, issued } of this.#stores) {
        if (issued.start > start && this.#waits.staysBehind(instruction, store)) after(issued, issued.start);
      }
    }
    // Loads and what their addresses need come first.
    if (issues > 0 && pipe !== 'int' && memory !== 'load') {
      const before = this.#issued[this.#issued.length - Math.round(this.#waits.window)];
      after(before, before?.start);
    }
    this.#slots += issues + (memory ? this.#waits.busyOf(instruction) : 0);
    const isStore = memory === 'store' || memory === 'reduction';
    const step: Step = { site: instruction.site, start, done: start + (memory ? this.#waits.latencyOf(instruction) : latency), behind };
    if (issues > 0) this.#issued.push(step);
    if (isStore || memory === 'atomic') this.#stores.push({ store: instruction, issued: step });
    if (instruction.id >= 0) this.#ready.set(instruction.id, step);
    this.#ends(step, isStore ? start : step.done);
    if (inOrder && step.done > (this.#floor?.done ?? 0)) this.#floor = step;
    if (barrier) {
      this.#floor = {
        ...step,
        start: Math.max(this.#end, start),
        done: Math.max(this.#end, this.#slots) + (barrier === 'block' ? this.#waits.barrierCycles : latency),
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
