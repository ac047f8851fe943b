/**
 * Which blocks of a function become one piece of straight code: a branch that ptxas predicates leaves its sides and what follows in one
 * piece, whose loads are asked for together. So does a condition that is asked again and again: nvcc writes the code twice, for when it
 * holds and when it does not (parallel-loads.cu, `behindIf`).
 */
import { FUNCTION_END, reconvergenceBlocks } from '../ir/reconvergence.ts';
import type { Block, IrFunction } from '../ir/types.ts';

/** Blocks of a piece, in order: those behind the first are executed with it. */
export type Piece = readonly Block[];

/** Sides that fewer warps come to are waited for by those alone. */
const USUAL = 0.5;

/** `executions`: by block. A block is in one piece. */
export function straightPieces(fn: IrFunction, predicated: ReadonlySet<number>, executions: readonly number[]): readonly Piece[] {
  const { meetings, repeated } = shapeOf(fn);
  const joined = new Set([...predicated, ...repeated]);
  const taken = new Set<number>();
  const pieces: Piece[] = [];
  for (const head of fn.blocks) {
    if (taken.has(head.index) || executions[head.index] === 0) continue;
    const piece = [head];
    taken.add(head.index);
    for (let at = head; ; ) {
      const next = behind(fn, at, meetings[at.index], joined);
      if (!next || [...next.sides, next.meeting].some(({ index }) => taken.has(index))) break;
      for (const side of next.sides) {
        if (executions[side.index] < USUAL * executions[head.index]) continue;
        piece.push(side);
        taken.add(side.index);
      }
      if (executions[next.meeting.index] === 0) break;
      at = next.meeting;
      piece.push(at);
      taken.add(at.index);
    }
    pieces.push(piece);
  }
  return pieces;
}

interface Shape {
  readonly meetings: Int32Array;
  readonly repeated: readonly number[];
}

const known = new WeakMap<IrFunction, Shape>();

function shapeOf(fn: IrFunction): Shape {
  const shape = known.get(fn) ?? { meetings: reconvergenceBlocks(fn), repeated: repeatedBranches(fn) };
  known.set(fn, shape);
  return shape;
}

/** Blocks behind a branch that is none there, in order, as far as their own branches are none either, and where all meet, if nothing else leads there. */
function behind(
  { blocks }: IrFunction,
  block: Block,
  meeting: number,
  joined: ReadonlySet<number>,
): { readonly sides: readonly Block[]; readonly meeting: Block } | undefined {
  if (meeting === FUNCTION_END || !joined.has(block.instructions[block.instructions.length - 1].site)) return undefined;
  const sides: Block[] = [];
  const known = new Set([block.index]);
  const open = block.successors.filter((index) => index !== meeting);
  for (let at = 0; at < open.length; at++) {
    const side = blocks[open[at]];
    if (known.has(side.index)) continue;
    const end = side.instructions[side.instructions.length - 1];
    const isOpen = side.successors.length === 1 || joined.has(end.site);
    if (sides.length === MOST_SIDES || !isOpen || !side.predecessors.every((index) => known.has(index))) return undefined;
    known.add(side.index);
    sides.push(side);
    open.push(...side.successors.filter((index) => index !== meeting));
  }
  const met = blocks[meeting];
  return sides.length > 0 && met.predecessors.every((index) => known.has(index)) ? { sides, meeting: met } : undefined;
}

/** Of conditions of several terms. */
const MOST_SIDES = 6;

/** Sites of the branches whose condition others have, too. */
function repeatedBranches({ blocks }: IrFunction): readonly number[] {
  const sites = new Map<number, number[]>();
  for (const { instructions } of blocks) {
    const end = instructions[instructions.length - 1];
    if (end.op !== 'condbr' || end.condition.kind !== 'value') continue;
    sites.set(end.condition.id, [...(sites.get(end.condition.id) ?? []), end.site]);
  }
  return [...sites.values()].filter(({ length }) => length > 1).flat();
}
