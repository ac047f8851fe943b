/**
 * Loops of one block that ptxas writes out several times: those that count by a constant and in which nothing keeps loads in their place.
 * What a loop counts and compares is needed once for all of these iterations, and addresses that follow from it become constant distances.
 * A loop whose step is a value (a stride of the whole grid) stays as it is (reduction.cu, reduceShuffle: 740 cycles for each
 * iteration, which is one access to DRAM).
 */
import { operandsOf } from '../ir/operands.ts';
import type { Block, Instruction, IrFunction, Operand, Type } from '../ir/types.ts';

export const ROUNDS = 4;
/** Instructions of a loop that is not written out. */
const LONG_LOOP = 100;

export interface CountedLoops {
  /** By block: how many iterations are written out. */
  readonly rounds: ReadonlyMap<number, number>;
  /** Sites that are needed once for ROUNDS iterations. */
  readonly control: ReadonlySet<number>;
}

export function countedLoops({ blocks }: IrFunction): CountedLoops {
  const rounds = new Map<number, number>();
  const control = new Set<number>();
  for (const block of blocks) {
    if (!block.successors.includes(block.index) || block.instructions.length > LONG_LOOP || !block.instructions.every(mayMove)) continue;
    const counters = countersOf(block);
    // Clang may have written out several iterations already.
    const step = Math.max(1, Math.min(...counters.values()));
    if (counters.size === 0) continue;
    rounds.set(block.index, Math.max(1, Math.floor(ROUNDS / step)));
    for (const site of controlOf(block, counters)) control.add(site);
  }
  return { rounds, control };
}

function mayMove({ op }: Instruction): boolean {
  return !['callIndirect', 'atomicrmw', 'cmpxchg', 'fence'].includes(op);
}

/** Phis that grow by a constant, with that; addresses count as if they grew by one. */
function countersOf(block: Block): ReadonlyMap<number, number> {
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
