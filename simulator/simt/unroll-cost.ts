/** What ptxas counts of a loop's body before it unrolls it again, estimated from its IR: devices/second-unrolling.ts has the numbers. */
import { secondUnrolling } from '../../devices/second-unrolling.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import { LinearAddresses } from './linear-address.ts';
import { instructionCost } from './predication.ts';

type Phi = Extract<Instruction, { op: 'phi' }>;

export interface LoopBody {
  readonly index: number;
  readonly phis: readonly Phi[];
  /** Without phis and the branch back. */
  readonly body: readonly Instruction[];
}

/** Infinite for a body that has more than ptxas copies: slow paths, calls, shuffles, atomics. */
export function secondUnrollingCost(fn: IrFunction, { index, phis, body }: LoopBody): number {
  const inside = new Map<number, Instruction>([...phis, ...body].map((each) => [each.id, each]));
  const following = followers(index, phis, body, inside);
  const users = new Map<number, Instruction[]>();
  for (const each of body) for (const o of operandsOf(each)) if (o.kind === 'value') users.set(o.id, [...(users.get(o.id) ?? []), each]);
  const addresses = new LinearAddresses(fn);
  const pointers = new Set<string>();
  let cost: number = secondUnrolling.counting;
  for (const each of body) {
    if (each.op === 'load' || each.op === 'store') {
      cost += secondUnrolling.access;
      if (isFollowing(each.pointer, following, inside)) pointers.add(addresses.of(each.pointer).key);
    } else if (!following.has(each.id) && !isPartOfOther(each, users.get(each.id) ?? [], inside)) {
      cost += (each.op === 'getelementptr' ? 2 * each.terms.length : instructionCost(each)) ?? Number.POSITIVE_INFINITY;
    }
  }
  return cost + secondUnrolling.pointer * pointers.size;
}

/** What goes on with the loop by constant steps, the tests of it included: that becomes a few pointers and a counter. */
function followers(
  index: number,
  phis: readonly Phi[],
  body: readonly Instruction[],
  inside: ReadonlyMap<number, Instruction>,
): ReadonlySet<number> {
  const following = new Set<number>();
  for (const phi of phis) {
    const next = phi.incoming.find(({ block }) => block === index)!.value;
    const step = next.kind === 'value' ? inside.get(next.id) : undefined;
    const isStep = (step?.op === 'add' && step.b.kind === 'int') || (step?.op === 'getelementptr' && step.terms.length === 0);
    if (isStep && phi.type.kind !== 'float') following.add(phi.id);
  }
  for (const each of body) {
    if (LINEAR.has(each.op) && operandsOf(each).every((o) => isFollowing(o, following, inside))) following.add(each.id);
  }
  return following;
}

const LINEAR: ReadonlySet<Instruction['op']> = new Set([
  'add',
  'sub',
  'mul',
  'shl',
  'or',
  'sext',
  'zext',
  'trunc',
  'getelementptr',
  'icmp',
]);

function isFollowing(operand: Operand, following: ReadonlySet<number>, inside: ReadonlyMap<number, Instruction>): boolean {
  return operand.kind !== 'value' || following.has(operand.id) || !inside.has(operand.id);
}

/** A product that is added, or a loaded number that is widened: one instruction with the other. */
function isPartOfOther(each: Instruction, users: readonly Instruction[], inside: ReadonlyMap<number, Instruction>): boolean {
  if (each.op === 'fmul') return users.length === 1 && (users[0].op === 'fadd' || users[0].op === 'fsub');
  if (each.op !== 'sext' && each.op !== 'zext') return false;
  return each.a.kind === 'value' && inside.get(each.a.id)?.op === 'load';
}
