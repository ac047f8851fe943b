/** Products of 32 bits that become integers of 64 bits when they have been computed. */
import type { Expr } from '../syntax/ast.ts';
import type { Machine } from './machine.ts';
import { momentOf, rawValue } from './recorder.ts';
import type { Type } from './types.ts';
import type { Value } from './values.ts';

/** What arithmetic on integers of 32 bits gives, for `noteWidening`. */
export function noteProduct(m: Machine, operator: string, operands: readonly (Value & { v: 'num' })[], e: Expr, result: Value): void {
  if (e.k !== 'binary' || result.v !== 'num' || !isWord(result.type)) return;
  const [a, b] = operands.map((operand) => m.narrowProducts.get(operand));
  if (operator === '+' || operator === '-') {
    const product = a ?? b;
    if (product) m.narrowProducts.set(result, product);
  } else if (operator === '*') {
    const factors = [e.a, e.b].flatMap((factor, side) => {
      const inner = [a, b][side];
      return inner?.at === factor ? inner.factors : [rawValue(m, operands[side], factor)];
    });
    m.narrowProducts.set(result, { at: e, type: result.type, factors });
  }
}

function isWord(type: Type): boolean {
  return type.t === 'int' && type.size === 4;
}

/** A variable of 64 bits begins with what an expression gives: too late for a product in it. A cast says that somebody has thought of it. */
export function noteWidening(m: Machine, value: Value, e: Expr, to: Type): void {
  const product = m.mode === 'device' && m.trial === 0 ? m.narrowProducts.get(value) : undefined;
  if (!product || to.t !== 'int' || to.size !== 8) return;
  const { at, type, factors } = product;
  if (at.start >= e.start && at.end <= e.end) m.facts.widenings.push({ ...momentOf(m, at), to, product: type, factors });
}
