/** Products of 32 bits that become integers of 64 bits when they have been computed. */
import type { Expr } from '../syntax/ast.ts';
import { type Form, op, same } from './form.ts';
import type { Machine } from './machine.ts';
import { momentOf, rawValue } from './recorder.ts';
import type { Type } from './types.ts';
import type { Moment, RawValue, Value } from './values.ts';

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
  } else if (operator === '/') {
    m.narrowQuotients.add(result.form);
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
  if (at.start < e.start || at.end > e.end) return;
  const moment = momentOf(m, at);
  if (!isRounded(m, factors) && !isWithinDividend(m, moment, factors)) m.facts.widenings.push({ ...moment, to, product: type, factors });
}

/** `(n + size - 1) / size * size`: about as much as was divided, a number of 32 bits. */
function isRounded(m: Machine, factors: readonly RawValue[]): boolean {
  return factors.some(({ form: quotient }) => {
    if (quotient.f !== 'op' || !m.narrowQuotients.has(quotient)) return false;
    const [other, ...others] = factors.filter(({ form }) => form !== quotient).map(({ form }) => form);
    return (
      other !== undefined &&
      same(
        others.reduce((product, each) => op('*', product, each), other),
        quotient.args[1],
      )
    );
  });
}

/** `for (c = 0; c < n / stride + 1; c++)` keeps `c * stride` at what was divided, a number of 32 bits, whatever else bounds the loop. */
function isWithinDividend(m: Machine, { loops }: Moment, factors: readonly RawValue[]): boolean {
  const [first, second] = factors;
  if (factors.length !== 2) return false;
  return [
    [first, second],
    [second, first],
  ].some(([{ form: counter }, { form: other }]) => {
    if (counter.f !== 'loop' || counter.after) return false;
    const condition = loops.find(({ shape }) => shape === counter.loop)?.shape.condition;
    if (condition?.f !== 'op' || (condition.op !== '<' && condition.op !== '<=') || condition.args[0] !== counter) return false;
    return quotientsIn(m, condition.args[1]).some(([, divisor]) => isSame(divisor, other));
  });
}

/** Quotients of 32 bits that nothing but small numbers and lesser bounds stand beside. */
function quotientsIn(m: Machine, bound: Form): readonly (readonly Form[])[] {
  if (bound.f !== 'op') return [];
  const { op, args } = bound;
  if (op === '/') return m.narrowQuotients.has(bound) ? [args] : [];
  if ((op === '+' && args.some(isConstant)) || op === 'min') return args.flatMap((each) => quotientsIn(m, each));
  return [];
}

function isConstant(form: Form): boolean {
  return form.f === 'const';
}

function isSame(a: Form, b: Form): boolean {
  return a === b || (a.f === 'const' && b.f === 'const' && a.v === b.v);
}
