/**
 * How much longer the longest warp of a launch takes than the mean one: loops count with what each warp that comes to them spends there, on
 * the longest way through the function. What stands in no loop counts with its mean, since one warp does this and another that. Where
 * some warps alone come to a loop and others to the next, few or none come to all of them.
 */
import { blockDominators, type DominatorTree, dominates } from '../ir/dominators.ts';
import type { IrFunction } from '../ir/types.ts';
import { findLoops, type Loops } from '../simt/loops.ts';

export interface WarpWork {
  readonly warps: number;
  /** By block: executions by warps, and cycles of one. */
  readonly executions: readonly number[];
  readonly cycles: readonly number[];
}

interface Shape {
  readonly loops: Loops;
  readonly dominators: DominatorTree;
}

const known = new WeakMap<IrFunction, Shape>();

function shapeOf(fn: IrFunction): Shape {
  const shape = known.get(fn) ?? { loops: findLoops(fn), dominators: blockDominators(fn.blocks) };
  known.set(fn, shape);
  return shape;
}

/** 1 where all warps go the same way. */
export function longestWarp(fn: IrFunction, { warps, executions, cycles }: WarpWork): number {
  const { loops, dominators } = shapeOf(fn);
  const mean = cycles.reduce((sum, each, block) => sum + (each * executions[block]) / warps, 0);
  if (loops.irreducible || mean === 0) return 1;
  const outermost = (block: number): number => {
    let loop = loops.innermost[block];
    while (loop >= 0 && loops.loops[loop].outer >= 0) loop = loops.loops[loop].outer;
    return loop;
  };
  const ways = new Map<number, Way>();
  // Blocks that are reached come before those that they lead to, but for the way back of a loop.
  const from = (block: number): Way => {
    const loop = outermost(block);
    const start = loop < 0 ? block : loops.loops[loop].header;
    const before = ways.get(start);
    if (before !== undefined) return before;
    ways.set(start, NO_WAY);
    const members = loop < 0 ? [block] : loops.loops[loop].blocks;
    const next = new Set(members.flatMap((each) => fn.blocks[each].successors).filter((each) => !members.includes(each)));
    const behind = [...next].filter((each) => executions[each] > 0).map(from);
    const rest = behind.reduce((most, each) => (each.cycles > most.cycles ? each : most), NO_WAY);
    const total = members.reduce((sum, each) => sum + cycles[each] * executions[each], 0);
    const arriving = loop < 0 ? warps : arrivals(fn, { start, members }, { warps, executions });
    const part: Part = { start, own: total / arriving, mean: total / warps, share: arriving / warps, rest };
    ways.set(start, { cycles: part.own + rest.cycles, part });
    return ways.get(start)!;
  };
  return Math.max(1, together(dominators, from(0), warps) / mean);
}

/** The longest way from a block on: as if one warp went there all along. */
interface Way {
  readonly cycles: number;
  readonly part?: Part;
}

interface Part {
  readonly start: number;
  /** Cycles of a warp that comes here, and of the mean warp; which share of all comes here. */
  readonly own: number;
  readonly mean: number;
  readonly share: number;
  readonly rest: Way;
}

const NO_WAY: Way = { cycles: 0 };

/**
 * Cycles of the warp that has the most of it. Loops to which warps come independently of each other: with each that counts in full, fewer
 * warps are left that have it as well as those before. A loop behind another one in the same branch is reached with that.
 */
function together(tree: DominatorTree, way: Way, warps: number): number {
  const parts: Part[] = [];
  for (let at: Way | undefined = way; at?.part; at = at.part.rest) parts.push(at.part);
  let cycles = 0;
  let left = warps;
  const counted: Part[] = [];
  for (const part of parts.toSorted((a, b) => b.own - a.own)) {
    if (part.share >= 1) {
      cycles += part.own;
      continue;
    }
    const near = counted.filter(({ start }) => dominates(tree, start, part.start) || dominates(tree, part.start, start));
    const share = Math.min(1, part.share / Math.min(1, ...near.map((each) => each.share)));
    const isMet = left * share >= 1;
    cycles += isMet ? part.own : part.mean;
    if (!isMet) continue;
    left *= share;
    counted.push(part);
  }
  return cycles;
}

/** Warps that come to these blocks. */
function arrivals(
  { blocks }: IrFunction,
  { start, members }: { readonly start: number; readonly members: readonly number[] },
  { warps, executions }: Pick<WarpWork, 'warps' | 'executions'>,
): number {
  const before = blocks[start].predecessors.filter((block) => !members.includes(block));
  const arriving = before.reduce((sum, block) => sum + executions[block], 0) || warps;
  return Math.max(1, Math.min(arriving, executions[start], warps));
}
