/**
 * Facts about a function's control flow that the compiled code relies on: the order of blocks, where the lanes of a branch meet
 * again, and which blocks they run in between.
 */

import { FUNCTION_END } from '../ir/reconvergence.ts';
import type { IrFunction } from '../ir/types.ts';

export interface ControlFlow {
  /** Reachable blocks in reverse post-order, a block's first successor as near to it as the order allows. */
  readonly order: readonly number[];
  /** By block: where lanes that part at its end meet again, or FUNCTION_END. */
  readonly meeting: Int32Array;
  /** Blocks on paths from a block's successors to its meeting point, that one excluded. */
  region(block: number): ReadonlySet<number>;
  /** Blocks to which paths of at least one edge lead from a block. */
  reachable(block: number): ReadonlySet<number>;
}

export function controlFlowOf(fn: IrFunction, meeting: Int32Array): ControlFlow {
  const walk = (start: number, stop: number): ReadonlySet<number> => {
    const seen = new Set<number>();
    const work = [...fn.blocks[start].successors];
    for (let b = work.pop(); b !== undefined; b = work.pop()) {
      if (b === stop || seen.has(b)) continue;
      seen.add(b);
      work.push(...fn.blocks[b].successors);
    }
    return seen;
  };
  const region = memoised((block) => walk(block, meeting[block]));
  const reachable = memoised((block) => walk(block, FUNCTION_END));
  return { order: reversePostOrder(fn), meeting, region, reachable };
}

function memoised(compute: (block: number) => ReadonlySet<number>): (block: number) => ReadonlySet<number> {
  const cache = new Map<number, ReadonlySet<number>>();
  return (block) => {
    let set = cache.get(block);
    if (!set) {
      set = compute(block);
      cache.set(block, set);
    }
    return set;
  };
}

function reversePostOrder(fn: IrFunction): number[] {
  const seen = new Set<number>([0]);
  const order: number[] = [];
  const stack: { block: number; next: number }[] = [{ block: 0, next: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const successors = fn.blocks[top.block].successors;
    if (top.next === successors.length) {
      order.push(top.block);
      stack.pop();
      continue;
    }
    // Last successor first, so that the first one comes right after its block in the reversed order.
    const successor = successors[successors.length - 1 - top.next++];
    if (seen.has(successor)) continue;
    seen.add(successor);
    stack.push({ block: successor, next: 0 });
  }
  return order.reverse();
}
