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
  /** An access that may not move before an earlier store. */
  readonly staysBehind: (load: Instruction, store: Instruction) => boolean;
}

/** Cycles from the first instruction of a block to its last result; of a loop that is written out `rounds` times, for each iteration. */
export function blockCycles(block: Block, costs: readonly MachineCost[], waits: Waits, rounds: number): number {
  return new Chain(block, costs, waits).run(rounds);
}

class Chain {
  readonly #block: Block;
  readonly #costs: readonly MachineCost[];
  readonly #waits: Waits;
  readonly #ready = new Map<number, number>();
  /** When the latest instructions were issued. */
  readonly #issued: number[] = [];
  readonly #stores: { readonly store: Instruction; readonly issued: number }[] = [];
  #slots = 0;
  #end = 0;
  #floor = 0;

  constructor(block: Block, costs: readonly MachineCost[], waits: Waits) {
    this.#block = block;
    this.#costs = costs;
    this.#waits = waits;
  }

  run(rounds: number): number {
    for (let round = 0; round < rounds; round++) {
      this.#carry(round);
      for (const instruction of this.#block.instructions) if (instruction.op !== 'phi') this.#execute(instruction);
    }
    return Math.max(this.#end, this.#slots) / rounds;
  }

  /** Values that come from the iteration before. */
  #carry(round: number): void {
    const next: [number, number][] = [];
    for (const instruction of this.#block.instructions) {
      if (instruction.op !== 'phi') break;
      const carried = instruction.incoming.find((each) => each.block === this.#block.index)?.value;
      next.push([instruction.id, round > 0 && carried?.kind === 'value' ? (this.#ready.get(carried.id) ?? 0) : 0]);
    }
    for (const [id, time] of next) this.#ready.set(id, time);
  }

  #execute(instruction: Instruction): void {
    const { issues, pipe, latency, memory, barrier } = this.#costs[instruction.site];
    let start = this.#floor;
    for (const operand of operandsOf(instruction)) {
      if (operand.kind === 'value') start = Math.max(start, this.#ready.get(operand.id) ?? 0);
    }
    if (memory === 'load' || memory === 'atomic') {
      for (const { store, issued } of this.#stores) {
        if (issued > start && this.#waits.staysBehind(instruction, store)) start = issued;
      }
    }
    if (issues > 0) {
      // Loads and what their addresses need come first.
      if (pipe !== 'int' && memory !== 'load')
        start = Math.max(start, this.#issued[this.#issued.length - Math.round(this.#waits.window)] ?? 0);
      this.#issued.push(start);
    }
    this.#slots += issues + (memory ? this.#waits.busyOf(instruction) : 0);
    if (memory === 'store' || memory === 'reduction' || memory === 'atomic') this.#stores.push({ store: instruction, issued: start });
    const done = start + (memory ? this.#waits.latencyOf(instruction) : latency);
    if (instruction.id >= 0) this.#ready.set(instruction.id, done);
    this.#end = Math.max(this.#end, memory === 'store' || memory === 'reduction' ? start : done);
    if (barrier) {
      this.#floor = Math.max(this.#end, this.#slots) + latency;
      this.#end = this.#floor;
    }
  }
}
