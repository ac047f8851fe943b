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

/** The one or two sides of a branch that is none there and where they meet, if nothing else leads there. */
function behind(
  { blocks }: IrFunction,
  block: Block,
  meeting: number,
  joined: ReadonlySet<number>,
): { readonly sides: readonly Block[]; readonly meeting: Block } | undefined {
  if (meeting === FUNCTION_END || !joined.has(block.instructions[block.instructions.length - 1].site)) return undefined;
  const sides = block.successors.filter((index) => index !== meeting).map((index) => blocks[index]);
  const isStraight = sides.every(
    ({ predecessors, successors }) => predecessors.length === 1 && successors.length === 1 && successors[0] === meeting,
  );
  const met = blocks[meeting];
  const isClosed = met.predecessors.every((index) => index === block.index || sides.some((side) => side.index === index));
  return isStraight && isClosed && sides.length > 0 ? { sides, meeting: met } : undefined;
}

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
