/**
 * Loops of one block that ptxas writes out several times: those that count by a constant and in which nothing keeps loads in their place.
 * What a loop counts and compares is needed once for all of these iterations, and addresses that follow from it become constant distances.
 * A loop whose step is a value (a stride of the whole grid) stays as it is (reduction.cu, reduceShuffle: 740 cycles for each
 * iteration, which is one access to DRAM).
 */
import { operandsOf } from '../ir/operands.ts';
import type { Block, Instruction, IrFunction, Operand, Type } from '../ir/types.ts';
import type { Piece } from './straight-code.ts';

export const ROUNDS = 4;
/** Of short loops that only read, whose addresses follow from the counter without another factor: ptxas writes out what NVVM has. */
export const FAR_ROUNDS = 16;
/** Machine instructions of such a loop, at most. Measured by compiling 50 loops with nvcc 13: 9 are written out 16 times, 10.5 are not. */
const SHORT_LOOP = 10;
/** Instructions of a loop that is not written out. */
const LONG_LOOP = 100;

export interface CountedLoops {
  /** By block: how many iterations are written out, where it has as many. */
  readonly rounds: ReadonlyMap<number, number>;
  /** Blocks that are written out until there are FAR_ROUNDS of them. */
  readonly far: ReadonlySet<number>;
  /** Sites that are needed once for ROUNDS iterations. */
  readonly control: ReadonlySet<number>;
}

export function countedLoops({ blocks }: IrFunction): CountedLoops {
  const rounds = new Map<number, number>();
  const control = new Set<number>();
  const far = new Set<number>();
  for (const block of blocks) {
    if (!block.successors.includes(block.index) || block.instructions.length > LONG_LOOP || !block.instructions.every(mayMove)) continue;
    const counters = countersOf(block);
    // Clang may have written out several iterations already.
    const step = Math.max(1, Math.min(...counters.values()));
    if (counters.size === 0) continue;
    const sites = controlOf(block, counters);
    const written = step >= STRIDE ? 1 : step;
    const isFar = isShort(block, sites, written) && readsInOrder(block, counters);
    rounds.set(block.index, Math.max(1, Math.floor((isFar ? FAR_ROUNDS : ROUNDS) / written)));
    if (isFar) far.add(block.index);
    for (const site of sites) control.add(site);
  }
  return { rounds, control, far };
}

/** How many iterations are written out of a loop of several blocks that a predicated branch leaves in one piece. */
export function roundsOfPiece(piece: Piece): number {
  const [head, last] = [piece[0], piece[piece.length - 1]];
  const instructions = piece.flatMap((block) => block.instructions);
  const end = last.instructions[last.instructions.length - 1];
  if (!last.successors.includes(head.index) || instructions.length > LONG_LOOP || !instructions.every(mayMove)) return 1;
  if (end.op !== 'condbr' || end.keepsRounds || end.condition.kind !== 'value') return 1;
  const { id } = end.condition;
  const test = instructions.find((each) => each.id === id);
  const counters = countersOf({ index: last.index, instructions: [...head.instructions, ...instructions] });
  const tested = test?.op === 'icmp' && test.a.kind === 'value' ? test.a.id : undefined;
  const isCounted = [...counters.keys()].some((phi) => {
    const next = head.instructions.find((each) => each.id === phi);
    const value = next?.op === 'phi' ? next.incoming.find(({ block }) => block === last.index)?.value : undefined;
    return tested === phi || (value?.kind === 'value' && value.id === tested);
  });
  const step = Math.max(1, Math.min(...counters.values()));
  return isCounted ? Math.max(1, Math.floor(ROUNDS / (step >= STRIDE ? 1 : step))) : 1;
}

/** Steps of a block's or a grid's threads: no loop is written out so often. */
const STRIDE = 32;

/** Whether few machine instructions are left for each of the iterations that are written out, none of them a store, a call or a division. */
function isShort({ instructions }: Block, control: readonly number[], written: number): boolean {
  const own = instructions.filter(({ site }) => !control.includes(site));
  const isSimple = own.every((each) =>
    each.op === 'call' ? SIMPLE_CALL.test(each.callee) : !['store', 'fdiv', 'frem', 'udiv', 'sdiv', 'urem', 'srem'].includes(each.op),
  );
  return isSimple && own.filter(({ op }) => !FREE.includes(op)).length <= SHORT_LOOP * written;
}

/** One machine instruction. */
const SIMPLE_CALL = /^llvm\.(fma|fmuladd|fabs|abs|minnum|maxnum|[su](min|max))\./;
/** Become no machine instruction of their own. */
const FREE: readonly Instruction['op'][] = ['phi', 'br', 'condbr', 'sext', 'zext', 'trunc', 'getelementptr', 'bitcast', 'freeze', 'fmul'];

/** A constant factor (rows of 32) makes NVVM count by another variable, by which ptxas does not know how often the loop goes round. */
function readsInOrder({ instructions }: Block, counters: ReadonlyMap<number, number>): boolean {
  const factors = instructions.filter((each) => {
    if (each.op !== 'shl' && each.op !== 'mul') return false;
    return each.b.kind === 'int' && each.a.kind === 'value' && counters.has(each.a.id);
  });
  const sums = new Set(instructions.filter(({ op }) => op === 'add').map(({ id }) => id));
  const wraps = instructions.some((each) => each.op === 'zext' && each.a.kind === 'value' && sums.has(each.a.id));
  return factors.length === 0 && !wraps && instructions.some(({ op }) => op === 'load');
}

function mayMove({ op }: Instruction): boolean {
  return !['callIndirect', 'atomicrmw', 'cmpxchg', 'fence'].includes(op);
}

/** Phis that grow by a constant, with that; addresses count as if they grew by one. */
function countersOf(block: Pick<Block, 'index' | 'instructions'>): ReadonlyMap<number, number> {
  const counters = new Map<number, number>();
  for (const phi of block.instructions) {
    if (phi.op !== 'phi') break;
    const next = phi.incoming.find((each) => each.block === block.index)?.value;
    const step = next?.kind === 'value' ? block.instructions.find(({ id }) => id === next.id) : undefined;
    if (step && (step.op === 'add' || step.op === 'sub') && step.b.kind === 'int' && isValue(step.a, phi.id))
      counters.set(phi.id, stepOf(step.b.value, step.type));
    else if (step?.op === 'getelementptr' && step.terms.length === 0 && isValue(step.base, phi.id)) counters.set(phi.id, 1);
  }
  return counters;
}

/** Without its sign. */
function stepOf(value: bigint, type: Type): number {
  const signed = type.kind === 'int' ? BigInt.asIntN(type.bits, value) : value;
  return Math.abs(Number(signed));
}

function isValue(operand: Operand, id: number): boolean {
  return operand.kind === 'value' && operand.id === id;
}

/** Integer arithmetic of counters and of what does not change, and the branch. */
function controlOf({ instructions }: Block, counters: ReadonlyMap<number, number>): readonly number[] {
  const inside = new Set(instructions.map(({ id }) => id).filter((id) => id >= 0));
  const known = new Set(counters.keys());
  const sites: number[] = [];
  for (const instruction of instructions) {
    if (instruction.op === 'condbr') sites.push(instruction.site);
    if (!['add', 'sub', 'mul', 'shl', 'or', 'sext', 'zext', 'trunc', 'getelementptr', 'icmp'].includes(instruction.op)) continue;
    const follows = operandsOf(instruction).every(
      (operand) => operand.kind !== 'value' || !inside.has(operand.id) || known.has(operand.id),
    );
    if (!follows) continue;
    known.add(instruction.id);
    sites.push(instruction.site);
  }
  return sites;
}
