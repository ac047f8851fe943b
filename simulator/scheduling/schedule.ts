/**
 * In which order blocks and warps take their turns, and when they give them away. What a program may rely on is the same in all orders:
 * results that differ from one to another depend on what nothing orders. Lanes that execute together stay together.
 */
import type { Instruction } from '../ir/types.ts';
import type { ScheduleChoice } from '../options/schedules.ts';

/** Blocks that are under way at a time, where they take turns. */
const RESIDENT_BLOCKS = 32;
/** A turn of a random schedule has up to 2 to this power less one instructions. */
const LONGEST_TURN_LOG2 = 10;

export class Schedule {
  readonly #kind: ScheduleChoice['kind'];
  #state: number;
  #turn = 0;

  constructor({ kind, seed }: ScheduleChoice) {
    this.#kind = kind;
    this.#state = Math.imul(seed + 1, 0x9e3779b1) || 1;
  }

  get residentBlocks(): number {
    return this.#kind === 'reversed' ? 1 : RESIDENT_BLOCKS;
  }

  /** Turns end behind writes, where others may read what has just become true. */
  get endsTurnsAtWrites(): boolean {
    return this.#kind === 'adversarial';
  }

  /** The order in which blocks begin. */
  blocks(count: number): Int32Array {
    return this.#order(count);
  }

  /** The order of a block's warps in a round. */
  warps(count: number): Int32Array {
    return this.#order(count);
  }

  /** Which of the blocks under way is next. */
  next(running: number): number {
    return this.#kind === 'random' ? this.#below(running) : this.#turn++ % running;
  }

  /** Instructions of a turn. */
  turn(): number {
    return this.#kind === 'random' ? 2 ** this.#below(LONGEST_TURN_LOG2) : Number.POSITIVE_INFINITY;
  }

  #order(count: number): Int32Array {
    const order = Int32Array.from({ length: count }, (_, index) => count - 1 - index);
    if (this.#kind === 'random') {
      for (let left = count; left > 1; left--) {
        const other = this.#below(left);
        [order[left - 1], order[other]] = [order[other], order[left - 1]];
      }
    }
    return order;
  }

  #below(count: number): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % count;
  }
}

/** It changes memory that other threads may see, as far as its pointer says. */
export function writes(instruction: Instruction): boolean {
  const { op } = instruction;
  if (op !== 'store' && op !== 'atomicrmw' && op !== 'cmpxchg') return false;
  const { type } = instruction.pointer;
  return type.kind !== 'ptr' || type.space !== 5;
}
