/**
 * Where the lanes of a warp that part at a branch meet again: the immediate post-dominator of the branch's block, as ptxas places its
 * BSYNC. Two kinds of path do not count, because the lanes on them never arrive: those that end in a fault (`unreachable`), and in a
 * kernel an edge straight to its end (an early `return`, whose lanes have exited and are waited for by nobody). So the meeting point
 * may be one of the branch's own targets although the other target does not lead there.
 */

import { dominatorTree, invert } from './dominators.ts';
import type { Block, IrFunction } from './types.ts';

/** The end of the function as a meeting point. */
export const FUNCTION_END = -1;

/** By block: the block where lanes that part at its end meet again, or FUNCTION_END. */
export function reconvergenceBlocks({ blocks, isKernel }: IrFunction): Int32Array {
  const size = blocks.length;
  const successors = lastingEdges(blocks, isKernel);
  const root = size;
  // The graph backwards, from a virtual end that follows every block without successors.
  const backwards = [...invert(size, successors), [] as number[]];
  successors.forEach((targets, block) => {
    if (targets.length === 0) backwards[root].push(block);
  });
  let tree = dominatorTree({ size: size + 1, root, successors: backwards });
  // A loop without an exit never reaches the end: one of its blocks is taken to lead there.
  for (let block = size - 1; block >= 0; block--) {
    if (tree.position[block] >= 0) continue;
    backwards[root].push(sinkFrom(block, successors));
    tree = dominatorTree({ size: size + 1, root, successors: backwards });
    block = size;
  }
  return tree.parent.slice(0, size).map((parent) => (parent === root ? FUNCTION_END : parent));
}

/** Successors without the paths on which lanes are lost. */
function lastingEdges(blocks: readonly Block[], isKernel: boolean): (readonly number[])[] {
  const doomed = faultingBlocks(blocks);
  const ends = blocks.map((block) => isKernel && isBareReturn(block));
  return blocks.map(({ index, successors }) => {
    const kept = successors.filter((s) => !ends[s] && (doomed[index] || !doomed[s]));
    // An unconditional way to the end stays: blocks that end so meet there.
    return kept.length === 0 && successors.length === 1 ? successors : kept;
  });
}

/** Blocks whose every path ends in `unreachable`. */
function faultingBlocks(blocks: readonly Block[]): boolean[] {
  const survives = blocks.map((block) => block.instructions[block.instructions.length - 1].op === 'ret');
  const open = blocks.filter((_, index) => survives[index]).map((block) => block.index);
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    for (const p of blocks[index].predecessors) {
      if (survives[p]) continue;
      survives[p] = true;
      open.push(p);
    }
  }
  const loops = endlessBlocks(blocks);
  return blocks.map((_, index) => !survives[index] && !loops[index]);
}

/** Blocks that reach a cycle: lanes may stay there without a fault. */
function endlessBlocks(blocks: readonly Block[]): boolean[] {
  // Blocks left after taking away, again and again, those whose successors are all gone.
  const left = blocks.map((b) => b.successors.length);
  const gone = blocks.filter((b) => b.successors.length === 0).map((b) => b.index);
  const endless = blocks.map(() => true);
  for (let index = gone.pop(); index !== undefined; index = gone.pop()) {
    endless[index] = false;
    for (const p of blocks[index].predecessors) if (--left[p] === 0) gone.push(p);
  }
  return endless;
}

function isBareReturn({ instructions }: Block): boolean {
  const last = instructions[instructions.length - 1];
  return last.op === 'ret' && instructions.every((i) => i === last || i.op === 'phi');
}

/**
 * The block that stands for the end of an endless loop which `start` reaches: the one from which it starts again, so that lanes that
 * part in a round meet in it. A loop that starts again from several places has no such block; its header stands for it.
 */
function sinkFrom(start: number, successors: readonly (readonly number[])[]): number {
  const reach = (from: number) => {
    const seen = new Set(successors[from]);
    for (const block of seen) for (const s of successors[block]) seen.add(s);
    return seen;
  };
  let cycle = reach(start);
  for (let block = start; ; ) {
    const further = [...cycle].find((b) => !reach(b).has(block));
    if (further === undefined) break;
    block = further;
    cycle = reach(further);
  }
  const header = Math.min(...cycle);
  const latches = [...cycle].filter((b) => successors[b].includes(header));
  return latches.length === 1 ? latches[0] : header;
}
