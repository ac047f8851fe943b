/** Loops of a function: natural loops by their back edges, and whether any cycle is irreducible (entered at two places). */

import { blockDominators, dominates } from '../ir/dominators.ts';
import type { IrFunction } from '../ir/types.ts';

export interface Loop {
  readonly header: number;
  /** Blocks of the loop, header included, ascending. */
  readonly blocks: readonly number[];
  /** Blocks with an edge back to the header. */
  readonly latches: readonly number[];
  /** Edges that leave the loop. */
  readonly exits: readonly { readonly from: number; readonly to: number }[];
  /** Index in `Loops.loops` of the loop around this one; -1 for none. */
  readonly outer: number;
  /** 1 for an outermost loop. */
  readonly depth: number;
}

export interface Loops {
  /** Outer loops before those they contain. */
  readonly loops: readonly Loop[];
  /** By block: index of the innermost loop around it, or -1. */
  readonly innermost: Int32Array;
  /** Some cycle has no block that dominates it: what the loops say is not all that repeats. */
  readonly irreducible: boolean;
}

export function findLoops({ blocks }: IrFunction): Loops {
  const tree = blockDominators(blocks);
  const latches = new Map<number, number[]>();
  let irreducible = false;
  for (const { index, successors } of blocks) {
    for (const target of successors) {
      if (dominates(tree, target, index)) latches.set(target, [...(latches.get(target) ?? []), index]);
      // Backwards in reverse postorder, but not to a dominator: the cycle has a second entry.
      else if (tree.position[target] <= tree.position[index]) irreducible = true;
    }
  }
  const bodies = [...latches].map(([header, from]) => ({ header, latches: from, members: loopBody(blocks, header, from) }));
  // A loop that contains another has more blocks.
  bodies.sort((a, b) => b.members.size - a.members.size || a.header - b.header);
  const innermost = new Int32Array(blocks.length).fill(-1);
  const loops: Loop[] = [];
  for (const { header, latches: from, members } of bodies) {
    const outer = innermost[header];
    const inside = [...members].sort((a, b) => a - b);
    const exits = inside.flatMap((b) => blocks[b].successors.filter((s) => !members.has(s)).map((to) => ({ from: b, to })));
    for (const block of inside) innermost[block] = loops.length;
    loops.push({ header, blocks: inside, latches: from, exits, outer, depth: outer < 0 ? 1 : loops[outer].depth + 1 });
  }
  return { loops, innermost, irreducible };
}

/** Blocks that reach a latch without going through the header. */
function loopBody(blocks: IrFunction['blocks'], header: number, latches: readonly number[]): Set<number> {
  const body = new Set([header]);
  const open = [...latches];
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (body.has(block)) continue;
    body.add(block);
    open.push(...blocks[block].predecessors);
  }
  return body;
}
