/**
 * Instructions that compute, on what is known of their operands. Sums, differences and products with numbers keep the unknown terms;
 * other operations keep them where they are multiples of what the operation looks at, and what is left is one new unknown if all lanes
 * have the same. Sums of unknowns are taken not to overflow.
 */

import type { LaneFunction } from '../ir/intrinsics/description.ts';
import { intrinsicOf } from '../ir/intrinsics.ts';
import type { CastOp, FloatBinary, FloatPredicate, Instruction, IntBinary, IntPredicate, Type } from '../ir/types.ts';
import {
  AT_EDGE,
  alignOf,
  constant,
  either,
  flat,
  isUniform,
  lowBit,
  NOTHING,
  type Origin,
  scaledTerms,
  sumOfTerms,
  type Term,
  uniform,
  type Value,
} from './values.ts';

type Of<Op extends Instruction['op']> = Extract<Instruction, { readonly op: Op }>;

/** Numbers of a type, from any: wrapped to its bits, rounded to its format; undefined where it cannot be held. */
export function fit(type: Type, value: number): number | undefined {
  if ((value | 0) === value && type.kind === 'int' && type.bits >= 32) return value;
  if (type.kind === 'ptr') return value >= 0 && value < 2 ** 32 ? value : undefined;
  if (type.kind === 'float') return type.format === 'double' ? value : type.format === 'float' ? Math.fround(value) : undefined;
  if (type.kind !== 'int' || !Number.isSafeInteger(value)) return undefined;
  const { bits } = type;
  if (bits === 1) return value & 1;
  if (bits > 32) return value;
  if (bits < 32 && (value | 0) === value) return (value << (32 - bits)) >> (32 - bits);
  return bits === 32 ? value | 0 : Number(BigInt.asIntN(bits, BigInt(value)));
}

/** A function of each lane's numbers. Where an operand has unknown terms, only that all lanes agree can be said. */
export function laneWise(type: Type, operands: readonly Value[], mask: number, of: (...numbers: number[]) => number | undefined): Value {
  const [a, b, c] = operands;
  let known = mask;
  let isFlat = true;
  for (const operand of operands) {
    if (operand.terms.length > 0) return sameForAll(operands, mask);
    known &= operand.known;
    isFlat &&= operand.flat === true;
  }
  if (isFlat) {
    const result = of(a.lanes[0], b?.lanes[0], c?.lanes[0]);
    const held = result === undefined ? undefined : fit(type, result);
    return held === undefined ? sameForAll(operands, mask) : constant(held);
  }
  const lanes = new Float64Array(32);
  for (let rest = known; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const result = of(a.lanes[lane], b?.lanes[lane], c?.lanes[lane]);
    const held = result === undefined ? undefined : fit(type, result);
    if (held === undefined) known &= ~(1 << lane);
    else lanes[lane] = held;
  }
  return { lanes, known, terms: [] };
}

/** The result for operands that are each the same for all lanes: one new unknown. */
export function sameForAll(operands: readonly Value[], mask: number, align = 1): Value {
  return operands.every((operand) => isUniform(operand, mask)) ? uniform(originOf(operands), align) : NOTHING;
}

const ORIGINS: readonly Origin[] = ['data', 'edge', 'loop', 'block', 'argument'];

/** Where an unknown comes from that is made of others: from the least predictable of them. */
export function originOf(operands: readonly Value[]): Origin {
  const all = new Set(operands.flatMap(({ terms }) => terms.map(({ unknown }) => unknown.origin)));
  return ORIGINS.find((origin) => all.has(origin)) ?? 'argument';
}

export function add(type: Type, a: Value, b: Value, factorB: number, mask: number): Value {
  const known = a.known & b.known & mask;
  if (known === 0) return NOTHING;
  const terms = sumOfTerms(a.terms, b.terms, factorB);
  if (a.flat && b.flat) return flatFitted(type, a.lanes[0] + factorB * b.lanes[0], terms);
  return fitted(type, { lanes: combined(a.lanes, b.lanes, factorB), known, terms });
}

/** As `fitted`, of values that are the same for all lanes. */
function flatFitted(type: Type, value: number, terms: readonly Term[]): Value {
  const held = terms.length > 0 ? value : fit(type, value);
  return held === undefined ? uniform('argument') : flat(held, terms);
}

function combined(a: Float64Array, b: Float64Array, factorB: number): Float64Array {
  const lanes = new Float64Array(32);
  for (let lane = 0; lane < 32; lane++) lanes[lane] = a[lane] + factorB * b[lane];
  return lanes;
}

/** Wraps the lanes, unless unknown terms come on top: their sum is taken to fit. */
function fitted(type: Type, { lanes, known, terms }: Value): Value {
  if (terms.length > 0) return { lanes, known, terms };
  let left = known;
  for (let rest = known; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const held = fit(type, lanes[lane]);
    if (held === undefined) left &= ~(1 << lane);
    else lanes[lane] = held;
  }
  return { lanes, known: left, terms };
}

export function scale(type: Type, a: Value, factor: number, mask: number): Value {
  if ((a.known & mask) === 0) return NOTHING;
  if (type.kind === 'int' && type.bits <= 32 && a.terms.length === 0) {
    return laneWise(type, [a], mask, (number) => Math.imul(number, factor));
  }
  const terms = scaledTerms(a.terms, factor);
  if (a.flat) return flatFitted(type, a.lanes[0] * factor, terms);
  const lanes = new Float64Array(32);
  for (let lane = 0; lane < 32; lane++) lanes[lane] = a.lanes[lane] * factor;
  return fitted(type, { lanes, known: a.known & mask, terms });
}

export function intBinary(op: IntBinary, type: Type, a: Value, b: Value, mask: number): Value {
  switch (op) {
    case 'add':
      return add(type, a, b, 1, mask);
    case 'sub':
      return add(type, a, b, -1, mask);
    case 'mul': {
      const factor = numberOf(b, mask) ?? numberOf(a, mask);
      if (factor !== undefined) return scale(type, numberOf(b, mask) === undefined ? b : a, factor, mask);
      break;
    }
    case 'shl': {
      const shift = numberOf(b, mask);
      if (shift !== undefined && shift >= 0 && shift < bitsOf(type)) return shiftedLeft(type, a, shift, mask);
      break;
    }
    case 'lshr':
    case 'ashr': {
      const shift = numberOf(b, mask);
      if (a.terms.length > 0 && shift !== undefined && shift >= 0) return divided(type, a, 2 ** shift, mask) ?? sameForAll([a], mask);
      break;
    }
    case 'udiv':
    case 'sdiv': {
      const divisor = numberOf(b, mask);
      if (a.terms.length > 0 && divisor !== undefined && divisor > 0) return divided(type, a, divisor, mask) ?? sameForAll([a], mask);
      break;
    }
    case 'urem':
    case 'srem': {
      const divisor = numberOf(b, mask);
      if (a.terms.length > 0 && divisor !== undefined && divisor > 0) return remainder(a, divisor, mask) ?? sameForAll([a], mask);
      break;
    }
    case 'and':
    case 'or':
    case 'xor':
      // With what is not data it stays what it is.
      if ((a === AT_EDGE && b !== NOTHING) || (b === AT_EDGE && a !== NOTHING)) return knownZero(op, a, b, mask) ?? AT_EDGE;
      if (a.terms.length > 0 || b.terms.length > 0) return bitwise(op, type, a, b, mask);
  }
  const operands = [a, b];
  if (a.terms.length > 0 || b.terms.length > 0) {
    const align = op === 'mul' && isUniform(a, mask) && isUniform(b, mask) ? alignOfValue(a, mask) * alignOfValue(b, mask) : 1;
    return sameForAll(operands, mask, Math.min(align, 4096));
  }
  const known = knownZero(op, a, b, mask);
  return known ?? laneWise(type, operands, mask, integerFunction(op, bitsOf(type)));
}

/** What is zero for some lanes makes their product, or what is left of them, zero whatever the other is. */
function knownZero(op: IntBinary, a: Value, b: Value, mask: number): Value | undefined {
  if (op !== 'mul' && op !== 'and') return undefined;
  const zeros = zeroLanes(a) | zeroLanes(b);
  if ((zeros & mask) === 0 || (mask & ~(a.known & b.known)) === 0) return undefined;
  const of = integerFunction(op, 32);
  const known = (a.known & b.known) | zeros;
  const lanes = new Float64Array(32);
  for (let lane = 0; lane < 32; lane++) if (!((zeros >>> lane) & 1)) lanes[lane] = of(a.lanes[lane], b.lanes[lane]) ?? 0;
  return { lanes, known: known & mask, terms: [] };
}

function zeroLanes({ lanes, known, terms }: Value): number {
  if (terms.length > 0) return 0;
  let zeros = 0;
  for (let lane = 0; lane < 32; lane++) if ((known >>> lane) & 1 && lanes[lane] === 0) zeros |= 1 << lane;
  return zeros;
}

/** The one number of a value; undefined if there is none. */
function numberOf(value: Value, mask: number): number | undefined {
  return value.terms.length === 0 && isUniform(value, mask) ? value.lanes[31 - Math.clz32(mask & -mask)] : undefined;
}

function alignOfValue(value: Value, mask: number): number {
  return Math.min(alignOf(value.terms), lowBit(value.lanes[31 - Math.clz32(mask & -mask)]));
}

function shiftedLeft(type: Type, a: Value, shift: number, mask: number): Value {
  const bits = bitsOf(type);
  if (a.terms.length > 0 || bits > 32) return scale(type, a, 2 ** shift, mask);
  return laneWise(type, [a], mask, (number) => number << shift);
}

/** Exact where the terms are multiples of the divisor, and the rest of no lane is negative. */
function divided(type: Type, a: Value, divisor: number, mask: number): Value | undefined {
  const terms = dividedTerms(a.terms, divisor);
  if (!terms || (mask & ~a.known) !== 0) return undefined;
  return fitted(type, { lanes: a.lanes.map((lane) => Math.floor(lane / divisor)), known: a.known & mask, terms });
}

function dividedTerms(terms: readonly Term[], divisor: number): readonly Term[] | undefined {
  if (terms.every(({ factor }) => factor % divisor === 0)) {
    return terms.map(({ unknown, factor }) => ({ unknown, factor: factor / divisor }));
  }
  const align = alignOf(terms);
  return align % divisor === 0 ? uniform(originOf([{ ...NOTHING, terms }]), align / divisor).terms : undefined;
}

function remainder(a: Value, divisor: number, mask: number): Value | undefined {
  if ((mask & ~a.known) !== 0) return undefined;
  if (!a.terms.every(({ factor }) => factor % divisor === 0) && alignOf(a.terms) % divisor !== 0) return undefined;
  return { lanes: a.lanes.map((lane) => lane - divisor * Math.floor(lane / divisor)), known: a.known & mask, terms: [] };
}

/** Bits below the terms' alignment belong to the lanes, the others to the terms: each is computed by itself. */
function bitwise(op: 'and' | 'or' | 'xor', type: Type, a: Value, b: Value, mask: number): Value {
  const [value, other] = a.terms.length > 0 ? [a, b] : [b, a];
  const bits = numberOf(other, mask);
  if (bits === undefined || (mask & ~value.known) !== 0)
    return other.terms.length > 0 ? sameForAll([a, b], mask) : withLanes(op, value, other, mask);
  const align = alignOf(value.terms);
  if (op === 'and' && bits >= 0 && bits < align) {
    return { lanes: value.lanes.map((lane) => mod(lane, align) & bits), known: value.known & mask, terms: [] };
  }
  const low = mod(bits, align);
  const high = bits - low;
  const isKept = op === 'and' ? high === -align : high === 0;
  if (isKept && inside(value, align, mask)) {
    const of = integerFunction(op, 32);
    return fitted(type, { lanes: value.lanes.map((lane) => of(lane, low) ?? 0), known: value.known & mask, terms: value.terms });
  }
  return sameForAll([a, b], mask);
}

/** `or` and `xor` with lanes that fit below the terms' alignment. */
function withLanes(op: 'and' | 'or' | 'xor', value: Value, lanes: Value, mask: number): Value {
  const align = alignOf(value.terms);
  if (op === 'and' || (mask & ~lanes.known) !== 0 || !inside(value, align, mask) || !inside(lanes, align, mask)) {
    return sameForAll([value, lanes], mask);
  }
  const of = integerFunction(op, 32);
  return {
    lanes: value.lanes.map((lane, index) => of(lane, lanes.lanes[index]) ?? 0),
    known: value.known & lanes.known & mask,
    terms: value.terms,
  };
}

function inside({ lanes }: Value, align: number, mask: number): boolean {
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = lanes[31 - Math.clz32(rest & -rest)];
    if (lane < 0 || lane >= align) return false;
  }
  return true;
}

function mod(value: number, modulus: number): number {
  return value - modulus * Math.floor(value / modulus);
}

function bitsOf(type: Type): number {
  return type.kind === 'int' ? type.bits : 64;
}

const unsigned = (bits: number, value: number) => (value < 0 ? value + 2 ** bits : value);

/** On numbers with their sign; undefined where a double cannot hold what is needed. */
function integerFunction(op: IntBinary, bits: number): (a: number, b: number) => number | undefined {
  const wide = bits > 32;
  const big = (of: (a: bigint, b: bigint) => bigint) => (a: number, b: number) => Number(BigInt.asIntN(bits, of(BigInt(a), BigInt(b))));
  const bigUnsigned = (of: (a: bigint, b: bigint) => bigint) => (a: number, b: number) =>
    Number(BigInt.asIntN(bits, of(BigInt.asUintN(bits, BigInt(a)), BigInt.asUintN(bits, BigInt(b)))));
  switch (op) {
    case 'add':
      return (a, b) => a + b;
    case 'sub':
      return (a, b) => a - b;
    case 'mul':
      return wide ? big((a, b) => a * b) : (a, b) => Math.imul(a, b);
    case 'and':
      return wide ? big((a, b) => a & b) : (a, b) => a & b;
    case 'or':
      return wide ? big((a, b) => a | b) : (a, b) => a | b;
    case 'xor':
      return wide ? big((a, b) => a ^ b) : (a, b) => a ^ b;
    case 'shl':
      return wide ? big((a, b) => (b > 64n || b < 0n ? 0n : a << b)) : (a, b) => (b >= 0 && b < bits ? a << b : 0);
    case 'lshr':
      return wide
        ? bigUnsigned((a, b) => (b > 64n ? 0n : a >> b))
        : (a, b) => (b >= 0 && b < bits ? Math.floor(unsigned(bits, a) / 2 ** b) : 0);
    case 'ashr':
      return wide ? big((a, b) => a >> (b > 63n || b < 0n ? 63n : b)) : (a, b) => a >> Math.min(31, b < 0 ? 31 : b);
    case 'udiv':
      return (a, b) => {
        if (b === 0) return undefined;
        return wide && (a < 0 || b < 0) ? undefined : Math.floor(unsigned(bits, a) / unsigned(bits, b));
      };
    case 'urem':
      return (a, b) => {
        if (b === 0) return undefined;
        return wide && (a < 0 || b < 0) ? undefined : unsigned(bits, a) % unsigned(bits, b);
      };
    case 'sdiv':
      return (a, b) => (b === 0 ? undefined : Math.trunc(a / b));
    case 'srem':
      return (a, b) => (b === 0 ? undefined : a % b);
  }
}

const FLOAT_OPERATION: Readonly<Record<FloatBinary, (a: number, b: number) => number>> = {
  fadd: (a, b) => a + b,
  fsub: (a, b) => a - b,
  fmul: (a, b) => a * b,
  fdiv: (a, b) => a / b,
  frem: (a, b) => a % b,
};

export function floatBinary(op: FloatBinary, type: Type, a: Value, b: Value, mask: number): Value {
  return laneWise(type, [a, b], mask, FLOAT_OPERATION[op]);
}

const ORDERED: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
};

const TRUTH: Type = { kind: 'int', bits: 1 };

export function compareIntegers(predicate: IntPredicate, type: Type, a: Value, b: Value, mask: number): Value {
  const isUnsigned = predicate.startsWith('u') && type.kind === 'int';
  const of = ORDERED[predicate.length === 2 ? predicate : predicate.slice(1)];
  if (a.terms.length === 0 && b.terms.length === 0) {
    const bits = bitsOf(type);
    // Order is kept for negative numbers of 64 bits, though their value is rounded.
    return laneWise(TRUTH, [a, b], mask, (x, y) => Number(isUnsigned ? of(unsigned(bits, x), unsigned(bits, y)) : of(x, y)));
  }
  const terms = sumOfTerms(a.terms, b.terms, -1);
  if (terms.length === 0)
    return laneWise(
      TRUTH,
      [
        { ...a, terms },
        { ...b, terms },
      ],
      mask,
      (x, y) => Number(of(x, y)),
    );
  if (isUniform(a, mask) && isUniform(b, mask)) return uniform(originOf([{ ...a, terms }]));
  if ((mask & ~(a.known & b.known)) !== 0) return NOTHING;
  if (isEdge(terms)) return uniform('edge');
  return terms.every(({ unknown }) => unknown.origin === 'argument') ? AT_EDGE : NOTHING;
}

/**
 * What lanes are compared with lies at one place among all blocks or iterations: one warp of many is split, if any. Not so where it is
 * data, of which each block or iteration may have its own.
 */
function isEdge(terms: readonly Term[]): boolean {
  const origins = new Set(terms.map(({ unknown }) => unknown.origin));
  return (origins.has('block') || origins.has('loop')) && !origins.has('data') && !origins.has('edge');
}

export function compareFloats(predicate: FloatPredicate, a: Value, b: Value, mask: number): Value {
  if (predicate === 'true' || predicate === 'false') return laneWise(TRUTH, [a], mask, () => Number(predicate === 'true'));
  return laneWise(TRUTH, [a, b], mask, (x, y) => {
    const unordered = Number.isNaN(x) || Number.isNaN(y);
    if (predicate === 'ord' || predicate === 'uno') return Number(unordered === (predicate === 'uno'));
    return Number(unordered ? predicate.startsWith('u') : ORDERED[predicate.slice(1)](x, y));
  });
}

export function select(condition: Value, a: Value, b: Value, mask: number): Value {
  if (condition.terms.length > 0) {
    if (!isUniform(condition, mask)) return a === b ? a : NOTHING;
    return either(a, b, mask, true, originOf([condition, a, b]));
  }
  const thenLanes = lanesOfTruth(condition);
  if ((mask & ~condition.known) !== 0) {
    // Where both are the same, the condition does not matter.
    return either(a, b, mask, false, 'data');
  }
  if ((thenLanes & mask) === mask) return a;
  if ((thenLanes & mask) === 0) return b;
  if (a.terms.length === 0 && b.terms.length === 0) {
    const known = ((a.known & thenLanes) | (b.known & ~thenLanes)) & mask;
    return { lanes: a.lanes.map((lane, index) => ((thenLanes >>> index) & 1 ? lane : b.lanes[index])), known, terms: [] };
  }
  const terms = sumOfTerms(a.terms, b.terms, -1);
  if (terms.length > 0) return NOTHING;
  const known = ((a.known & thenLanes) | (b.known & ~thenLanes)) & mask;
  return { lanes: a.lanes.map((lane, index) => ((thenLanes >>> index) & 1 ? lane : b.lanes[index])), known, terms: a.terms };
}

/** Lanes known to be true. */
export function lanesOfTruth({ lanes, known, terms }: Value): number {
  if (terms.length > 0) return 0;
  let held = 0;
  for (let lane = 0; lane < 32; lane++) if (lanes[lane] !== 0) held |= 1 << lane;
  return held & known;
}

/** Conversions between scalars. */
export function cast(instruction: Extract<Instruction, { readonly op: CastOp }>, a: Value, mask: number): Value {
  const { op, type } = instruction;
  const from = bitsOf(instruction.a.type);
  if (a.terms.length > 0) {
    if (op === 'zext' || op === 'sext' || (op === 'trunc' && bitsOf(type) >= 32)) return a;
    if (op === 'trunc')
      return remainder(a, 2 ** bitsOf(type), mask) ?? sameForAll([a], mask, Math.min(2 ** bitsOf(type), alignOf(a.terms)));
    return sameForAll([a], mask);
  }
  switch (op) {
    case 'zext':
      return from >= 32 && from > 32 ? a : laneWise(type, [a], mask, (lane) => unsigned(from, lane));
    case 'sext':
      // Truth values are held as 0 and 1.
      return from === 1 ? laneWise(type, [a], mask, (lane) => -lane) : a;
    case 'uitofp':
      return laneWise(type, [a], mask, (lane) => unsigned(from, lane));
    case 'fptosi':
    case 'fptoui':
      return laneWise(type, [a], mask, (lane) => toInteger(lane, bitsOf(type), op === 'fptosi'));
    default:
      return laneWise(type, [a], mask, (lane) => lane);
  }
}

/** Saturates, as PTX's cvt.rzi does. */
function toInteger(value: number, bits: number, isSigned: boolean): number {
  if (Number.isNaN(value)) return 0;
  const [low, high] = isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  return Math.min(high, Math.max(low, Math.trunc(value)));
}

/** A call whose result depends on the operands alone; undefined for any other. */
export function pureCall(instruction: Of<'call'>, operands: readonly Value[], mask: number): Value | undefined {
  const intrinsic = intrinsicOf(instruction.callee);
  if (intrinsic?.effect !== 'none' || intrinsic.result !== 'operands') return undefined;
  const { meaning } = intrinsic;
  const { type } = instruction;
  if (meaning.kind === 'integer') return integerCall(type, meaning.operation(bitsOf(type)), operands.slice(0, meaning.arity), mask);
  if (meaning.kind === 'float') {
    const operation = (type.kind === 'float' && type.format === 'double' && meaning.double) || meaning.operation;
    return laneWise(type, operands.slice(0, meaning.arity), mask, operation as (...numbers: number[]) => number);
  }
  if (
    meaning.kind === 'scalar' &&
    operands.length > 0 &&
    instruction.args.every((arg) => bitsOf(arg.type) <= 32 || arg.type.kind === 'float')
  ) {
    return laneWise(type, operands, mask, meaning.run);
  }
  if (meaning.kind === 'sign' && meaning.of === 'none') return laneWise(type, operands, mask, Math.abs);
  return sameForAll(operands, mask);
}

/** Of integers that are zero-extended: words as bits, wider ones as bigints. */
function integerCall(type: Type, operation: LaneFunction, operands: readonly Value[], mask: number): Value {
  const bits = bitsOf(type);
  if (bits > 32) {
    const wide = (value: number) => BigInt.asUintN(bits, BigInt(value));
    return laneWise(type, operands, mask, (a, b, c) =>
      Number(BigInt.asIntN(bits, operation(wide(a), b === undefined ? b : wide(b), c === undefined ? c : wide(c)) as bigint)),
    );
  }
  const narrow = (value: number) => (bits === 32 ? value | 0 : value & ((1 << bits) - 1));
  return laneWise(type, operands, mask, (a, b, c) =>
    Number(operation(narrow(a), b === undefined ? b : narrow(b), c === undefined ? c : narrow(c))),
  );
}
