/**
 * Loads for which no instruction of their own piece of straight code waits: they stay under way behind its branches and barriers (the next plane
 * of a stencil, the next tile) until a later piece needs them.
 */
import { reversePostorder } from '../ir/dominators.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, IrFunction } from '../ir/types.ts';
import type { Piece } from './straight-code.ts';

export interface LoadsForLater {
  /** By piece, values. */
  readonly byPiece: readonly ReadonlySet<number>[];
  /** Values that a loaded one becomes where ways meet. */
  names(id: number): readonly number[];
}

/** Pieces in the order in which warps come to them: a loop before what follows it. */
export function inFlow({ blocks }: IrFunction, pieces: readonly Piece[]): readonly Piece[] {
  const order = reversePostorder(
    blocks.length,
    0,
    blocks.map(({ successors }) => successors),
  );
  const places = new Map(order.map((block, place) => [block, place] as const));
  const placeOf = ([{ index }]: Piece): number => places.get(index) ?? blocks.length;
  return [...pieces].sort((a, b) => placeOf(a) - placeOf(b));
}

interface Question {
  /** By block. */
  readonly executed: readonly number[];
  /** Whether a load goes to global memory. */
  readonly isFar: (site: number) => boolean;
}

interface User {
  readonly block: number;
  readonly instruction: Instruction;
}

/** Those that later pieces execute as often as the load, not oftener. What only the next round of a loop needs is none. */
export function loadsForLater({ blocks }: IrFunction, pieces: readonly Piece[], { executed, isFar }: Question): LoadsForLater {
  const places = new Map(pieces.flatMap((piece, place) => piece.map(({ index }) => [index, place] as const)));
  const users = new Map<number, User[]>();
  for (const { index, instructions } of blocks) {
    if (executed[index] === 0) continue;
    for (const instruction of instructions) {
      for (const operand of operandsOf(instruction)) {
        if (operand.kind !== 'value') continue;
        const own = users.get(operand.id) ?? [];
        users.set(operand.id, own);
        own.push({ block: index, instruction });
      }
    }
  }
  const names = new Map<number, readonly number[]>();
  const byPiece = pieces.map((piece, place): ReadonlySet<number> => {
    const before = executed[piece[0].index];
    const later = new Set<number>();
    for (const { instructions } of piece) {
      for (const { id, op, site } of instructions) {
        if (op !== 'load' || id < 0 || !isFar(site)) continue;
        const merged = new Set([id]);
        const real: User[] = [];
        for (const value of merged) {
          for (const user of users.get(value) ?? []) {
            // In the head of a piece that comes no later, it is for the next round.
            const isNext = user.instruction.op === 'phi' && (user.block === piece[0].index || (places.get(user.block) ?? -1) < place);
            if (user.instruction.op === 'phi' && !isNext) merged.add(user.instruction.id);
            else if (!isNext) real.push(user);
          }
        }
        const isLater = ({ block }: User): boolean => (places.get(block) ?? -1) > place && executed[block] <= OFTEN * before;
        if (!real.every(isLater) || !real.some(({ block }) => executed[block] >= before / 2)) continue;
        later.add(id);
        names.set(
          id,
          [...merged].filter((value) => value !== id),
        );
      }
    }
    return later;
  });
  return { byPiece, names: (id) => names.get(id) ?? [] };
}

/** Warps that part come to a block more than once. */
const OFTEN = 1.05;
