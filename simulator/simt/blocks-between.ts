/** Which blocks of a function lanes may pass on their way from one to another. */
import { invert } from '../ir/dominators.ts';
import type { IrFunction } from '../ir/types.ts';

export class BlocksBetween {
  readonly #successors: readonly (readonly number[])[];
  readonly #predecessors: readonly (readonly number[])[];

  constructor({ blocks }: IrFunction) {
    this.#successors = blocks.map(({ successors }) => successors);
    this.#predecessors = invert(blocks.length, this.#successors);
  }

  /** On ways from one block to another that do not come through the first one again; the second one if such a way goes round. */
  of(from: number, to: number): readonly number[] {
    const ahead = reached(this.#successors[from], this.#successors, from);
    const behind = reached(this.#predecessors[to], this.#predecessors, from);
    return [...ahead].filter((block) => behind.has(block));
  }

  /** Whether a way leads from a block to itself, without going through `without`. */
  isInLoop(block: number, without: number): boolean {
    return reached(this.#successors[block], this.#successors, without).has(block);
  }
}

/** Nodes that a list leads to, itself included, without those behind `without`. */
function reached(starts: readonly number[], edges: readonly (readonly number[])[], without: number): ReadonlySet<number> {
  const seen = new Set(starts.filter((start) => start !== without));
  for (const node of seen) for (const next of edges[node]) if (next !== without) seen.add(next);
  return seen;
}
