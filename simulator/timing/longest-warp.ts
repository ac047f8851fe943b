/**
 * How much longer the longest warp of a launch takes than the mean one: loops count with what each warp that comes to them spends there, on
 * the longest way through the function. What stands in no loop counts with its mean, since one warp does this and another that.
 */
import type { IrFunction } from '../ir/types.ts';
import { findLoops, type Loops } from '../simt/loops.ts';

export interface WarpWork {
  readonly warps: number;
  /** By block: executions by warps, and cycles of one. */
  readonly executions: readonly number[];
  readonly cycles: readonly number[];
}

const known = new WeakMap<IrFunction, Loops>();

function loopsOf(fn: IrFunction): Loops {
  const loops = known.get(fn) ?? findLoops(fn);
  known.set(fn, loops);
  return loops;
}

/** 1 where all warps go the same way. */
export function longestWarp(fn: IrFunction, { warps, executions, cycles }: WarpWork): number {
  const loops = loopsOf(fn);
  const mean = cycles.reduce((sum, each, block) => sum + (each * executions[block]) / warps, 0);
  if (loops.irreducible || mean === 0) return 1;
  const outermost = (block: number): number => {
    let loop = loops.innermost[block];
    while (loop >= 0 && loops.loops[loop].outer >= 0) loop = loops.loops[loop].outer;
    return loop;
  };
  const longest = new Map<number, number>();
  // Blocks that are reached come before those that they lead to, but for the way back of a loop.
  const from = (block: number): number => {
    const loop = outermost(block);
    const start = loop < 0 ? block : loops.loops[loop].header;
    const before = longest.get(start);
    if (before !== undefined) return before;
    longest.set(start, 0);
    const members = loop < 0 ? [block] : loops.loops[loop].blocks;
    const next = new Set(members.flatMap((each) => fn.blocks[each].successors).filter((each) => !members.includes(each)));
    const behind = Math.max(0, ...[...next].filter((each) => executions[each] > 0).map(from));
    const own = loop < 0 ? (cycles[block] * executions[block]) / warps : spent(fn, { start, members }, { warps, executions, cycles });
    longest.set(start, own + behind);
    return own + behind;
  };
  return Math.max(1, from(0) / mean);
}

/** Cycles of a warp that comes to these blocks. */
function spent(
  { blocks }: IrFunction,
  { start, members }: { readonly start: number; readonly members: readonly number[] },
  { warps, executions, cycles }: WarpWork,
): number {
  const total = members.reduce((sum, block) => sum + cycles[block] * executions[block], 0);
  const before = blocks[start].predecessors.filter((block) => !members.includes(block));
  const arriving = before.reduce((sum, block) => sum + executions[block], 0) || warps;
  return total / Math.max(1, Math.min(arriving, executions[start], warps));
}
