/** Operators: numbers, pointers, conditions, and structures with operators of their own. */
import type { Expr, ExprOf } from '../syntax/ast.ts';
import { forgetDereference, load, pay, store } from './accesses.ts';
import { newBranch, onSide } from './branch-records.ts';
import { agreed } from './butterfly.ts';
import { combine, isFloat, notePromotion, type Promotion, staysDouble } from './conversions.ts';
import { anything, constant, type Form, op, symbol } from './form.ts';
import { operationPrice } from './instructions.ts';
import { evaluate, evaluateDiscarded, lvalue, type Machine } from './machine.ts';
import { opaque, structOf, unknownOf } from './made-values.ts';
import { noteProduct } from './narrow-products.ts';
import { momentOf, rawValue } from './recorder.ts';
import { isComparison } from './rows.ts';
import { setCell } from './trial.ts';
import { BOOL, commonType, INT, isInteger, sizeOf, type Type } from './types.ts';
import { formOf, num, number, type RawValue, unknownValue, type Value } from './values.ts';

/** So many elements of a type without a size, such as an unbound template parameter: lanes agree where they agree on the number. */
export function ofUnknownSize(index: Form): Form {
  const { data, block } = index;
  return index.lane ? anything({ data: false, unknown: true, address: index }) : symbol('', 'unknown', { data, block });
}

export function unary(m: Machine, e: ExprOf<'unary'>): Value {
  switch (e.op) {
    case '*':
      return load(m, lvalue(m, e), e);
    case '&': {
      const lv = lvalue(m, e.a);
      if (m.mode === 'host') forgetDereference(m, e.a);
      if (lv.l === 'mem') return { v: 'ptr', object: lv.object, offset: lv.offset, to: lv.type };
      return lv.l === 'none' && (lv.value.v === 'fn' || lv.value.v === 'num') ? lv.value : { v: 'ref', lv };
    }
    case '++':
    case '--': {
      const target = lvalue(m, e.a);
      const after = step(load(m, target, e.a, true), e.op === '++' ? 1 : -1);
      m.cost++;
      store(m, target, after, e.a, true);
      return after;
    }
    default: {
      const a = evaluate(m, e.a);
      if (e.op === '+') return a;
      if (a.v !== 'num') return e.op === '!' ? unknownValue(BOOL) : unknownValue();
      if (e.op === '~' && a.form.f !== 'const') m.cost++;
      const type = e.op === '!' ? BOOL : a.type;
      return num(op(e.op, a.form), type);
    }
  }
}

export function step(value: Value, by: number): Value {
  if (value.v === 'ptr') return { ...value, offset: op('+', value.offset, constant(by * (sizeOf(value.to) ?? 1))) };
  return value.v === 'num' ? num(op('+', value.form, constant(by)), value.type) : value;
}

/** Evaluates what is branched on, as against what is kept as a value. */
export function evaluateCondition(m: Machine, e: Expr): Value {
  if (m.mode === 'device') markDeciding(m, e);
  return evaluate(m, e);
}

function markDeciding(m: Machine, e: Expr): void {
  if (e.k === 'unary' && e.op === '!') markDeciding(m, e.a);
  if (e.k !== 'binary' || (e.op !== '&&' && e.op !== '||')) return;
  m.deciding.add(e);
  markDeciding(m, e.a);
  markDeciding(m, e.b);
}

export function binaryExpr(m: Machine, e: ExprOf<'binary'>): Value {
  if (e.op === ',') {
    evaluateDiscarded(m, e.a);
    return evaluate(m, e.b);
  }
  const a = evaluate(m, e.a);
  if (e.op === '&&' || e.op === '||') {
    const left = formOf(a);
    if (left.f === 'const')
      return (left.v !== 0) === (e.op === '&&')
        ? num(op('!=', formOf(evaluate(m, e.b)), constant(0)), BOOL)
        : number(left.v === 0 ? 0 : 1, BOOL);
    const branch = newBranch(m, 'logical', e.a, a, e.a);
    const start = { cost: m.cost, weight: m.weight, loads: m.globalLoads };
    const b = onSide(m, branch, e.op === '&&' ? 'then' : 'else', () => evaluate(m, e.b));
    branch.thenCost = m.cost - start.cost;
    branch.thenHeavy = m.weight > start.weight;
    branch.keptLoad = m.globalLoads > start.loads && !m.deciding.has(e);
    return num(op(e.op, left, formOf(b)), BOOL);
  }
  if (m.mode === 'host' && e.op === '>>' && !isNumber(a)) return extracted(m, a, e.b);
  const b = evaluate(m, e.b);
  return binary(m, e.op, a, b, e);
}

function isNumber(value: Value): boolean {
  return value.v === 'num' && value.type.t !== 'unknown';
}

/** `stream >> n`: what the variable holds then is known to nobody. */
function extracted(m: Machine, stream: Value, e: Expr): Value {
  const target = lvalue(m, e);
  if (target.l === 'cell') setCell(m, target.cell, opaque(target.cell.type, { name: target.cell.name, uniform: true, data: false }));
  return stream;
}

export function binary(m: Machine, operator: string, a: Value, b: Value, e: Expr): Value {
  if (a.v === 'ptr' || b.v === 'ptr') return pointerArithmetic(operator, a, b);
  if (a.v === 'struct' || b.v === 'struct' || a.v === 'fn' || b.v === 'fn') return overloaded(m, operator, a, b, e);
  if (a.v !== 'num' || b.v !== 'num') return unknownValue();
  const comparison = isComparison(operator);
  const type = comparison ? BOOL : operator === '<<' || operator === '>>' ? a.type : commonType(a.type, b.type);
  const operands = comparison ? commonType(a.type, b.type) : type;
  const promotion = m.mode === 'device' && m.trial === 0 ? noteArithmetic(m, operator, a, b, e, operands) : undefined;
  if (m.mode === 'device' && (a.form.runtime || b.form.runtime) && !isFused(operator, e))
    pay(m, operationPrice(operator, operands, b.form));
  const form =
    inSmallBlock(m, operator, a.form, b.form) ?? agreed(op(operator === '/' && type.t === 'float' ? 'fdiv' : operator, a.form, b.form));
  // Unsigned subtraction below zero wraps: `(unsigned)x - 1 < n`. Constants only; symbols are taken as large enough.
  const result = num(form.f === 'const' && type.t === 'int' && type.unsigned && type.size === 4 ? op('u32', form) : form, type);
  if (promotion?.exact) m.narrowable.set(result, promotion.literals[0]);
  if (m.mode === 'device' && m.trial === 0 && !comparison) passOn(m, [a, b], result, promotion?.literals ?? []);
  if (m.mode === 'device' && m.trial === 0) noteProduct(m, operator, [a, b], e, result);
  return result;
}

/** Literals that have made a double of floats, as long as nothing else in the expression is one. */
function passOn(m: Machine, operands: readonly (Value & { v: 'num' })[], result: Value, literals: readonly number[]): void {
  const passed = operands.flatMap((operand) => m.promoted.get(operand) ?? []);
  if (literals.length === 0 && passed.length === 0) return;
  const isOwn = ({ type, form }: Value & { v: 'num' }) => type.t === 'float' && type.size === 8 && form.f !== 'const';
  m.promoted.set(result, [...literals, ...passed]);
  if (operands.some((operand) => isOwn(operand) && !m.promoted.has(operand))) staysDouble(m, result);
}

/** `threadIdx.x / 128` and `threadIdx.x % 128` where no block of the launch is wider. */
function inSmallBlock(m: Machine, operator: string, index: Form, divisor: Form): Form | undefined {
  if ((operator !== '/' && operator !== '%') || index.f !== 'thread' || divisor.f !== 'const') return undefined;
  const block = m.builtins.get('blockDim');
  const size = block?.v === 'struct' ? block.fields.get('xyz'[index.axis])?.value : undefined;
  const width = size && formOf(size);
  if (width?.f !== 'const' || width.v > divisor.v) return undefined;
  return operator === '/' ? constant(0) : index;
}

/** A multiplication that an addition takes in: FFMA, IMAD. */
function isFused(operator: string, e: Expr): boolean {
  if (operator !== '+' && operator !== '-') return false;
  return (e.k === 'binary' && (isProduct(e.a) || isProduct(e.b))) || (e.k === 'assign' && isProduct(e.b));
}

function isProduct(e: Expr): boolean {
  return e.k === 'binary' && e.op === '*';
}

function noteArithmetic(
  m: Machine,
  operator: string,
  a: Value & { v: 'num' },
  b: Value & { v: 'num' },
  e: Expr,
  type: Type,
): Promotion | undefined {
  const comparison = isComparison(operator);
  if ((operator === '/' || operator === '%') && isInteger(type) && e.k === 'binary')
    noteDivision(m, operator, e, rawValue(m, a, e.a), rawValue(m, b, e.b));
  if (type.t !== 'float' || type.size !== 8 || (e.k !== 'binary' && e.k !== 'assign')) return undefined;
  if (isFloat(a)) return notePromotion(m, b, e.b, { exactIsFree: comparison });
  return isFloat(b) ? notePromotion(m, a, e.a, { exactIsFree: comparison }) : undefined;
}

function noteDivision(m: Machine, operator: '/' | '%', e: Expr, dividend: RawValue, divisor: RawValue): void {
  const { place, order, path, loops, functionName, callSite, epoch } = momentOf(m, e);
  m.facts.divisions.push({ place, order, path, loops, functionName, callSite, epoch, operator, dividend, divisor });
}

function pointerArithmetic(operator: string, a: Value, b: Value): Value {
  if (a.v === 'ptr' && b.v === 'ptr') {
    const size = sizeOf(a.to) ?? 1;
    if (operator === '-' && a.object.id === b.object.id) return num(op('/', op('-', a.offset, b.offset), constant(size)), INT);
    return a.object.id === b.object.id
      ? num(op(operator, a.offset, b.offset), BOOL)
      : num(symbol('pointers', 'unknown'), operator === '-' ? INT : BOOL);
  }
  const [pointer, other] = a.v === 'ptr' ? [a, b] : [b, a];
  if (pointer.v !== 'ptr') return unknownValue();
  if (operator !== '+' && operator !== '-') return num(symbol(pointer.object.name, 'parameter'), BOOL);
  const size = sizeOf(pointer.to);
  const bytes = size === undefined ? ofUnknownSize(formOf(other)) : op('*', formOf(other), constant(size));
  return { ...pointer, offset: op(operator, pointer.offset, bytes) };
}

/** Operators of structures: a user's own where it can be found, field by field where not. */
function overloaded(m: Machine, operator: string, a: Value, b: Value, e: Expr): Value {
  const type = a.v === 'struct' ? a.type : b.v === 'struct' ? b.type : undefined;
  if (!type) return unknownValue();
  if (isComparison(operator)) return num(combine(m, [a, b]), BOOL);
  return structOf(type, (f) => {
    const part = (v: Value) => (v.v === 'struct' ? (v.fields.get(f.name)?.value ?? v) : v);
    const [x, y] = [part(a), part(b)];
    return x.v === 'num' && y.v === 'num' ? binary(m, operator, x, y, e) : unknownOf(f.type);
  });
}
