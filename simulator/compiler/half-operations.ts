/**
 * Half precision and bfloat16 on four lanes: operands become singles, which hold every number of both, and a result is rounded once
 * more. For one +, -, *, /, root of halves that is the same as rounding once, since a single has more than twice their digits; so it is
 * for sums of bfloat16. What would be rounded twice otherwise (fused products, products and quotients of bfloat16, which leave the range of singles)
 * is first rounded to odd: the neighbour with an odd last bit where it is not exact. Values are held as words with the format's 16 bits.
 * As PTX has it, a NaN that is rounded to 16 bits is 0x7fff.
 */
import { codeOf } from '../ir/intrinsics.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, Type } from '../ir/types.ts';
import { pushDoublesSumToOdd, pushSumError } from './fused-products.ts';
import {
  type EmitScalar,
  type EmitVector,
  emitFloatComparison,
  HIGH_HALF,
  isDouble,
  isMask,
  LOW_HALVES,
  LOW_WORDS,
  type VectorContext,
} from './operation.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

/** A format of 16 bits. */
interface Format {
  /** Pushes an operand as singles. */
  widen(context: VectorContext, operand: number): void;
  /** Rounds the singles that `emit` pushes. */
  narrowed(emit: (context: VectorContext) => void): EmitVector;
}

/** undefined for what this file does not know. */
export function halfOperation(instruction: Instruction): EmitVector | undefined {
  const [first] = operandsOf(instruction);
  const [from, to] = [first && formatOf(first.type), formatOf(instruction.type)];
  switch (instruction.op) {
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
      return to && arithmetic(instruction.op.slice(1), to);
    case 'fcmp':
      return from && comparison(instruction, from);
    case 'fpext':
      return from && (isDouble(instruction.type) ? toDouble(from) : (context) => from.widen(context, 0));
    case 'fptrunc':
      if (!to) return undefined;
      if (isDouble(first.type)) return to.narrowed((context) => pushDoublesToOdd(context.f, (half) => context.push(0, half)));
      return isSingle(first.type) ? to.narrowed(({ push }) => push(0)) : undefined;
    case 'sitofp':
    case 'uitofp':
      return to && isWord(first.type) ? fromInteger(instruction.op, to) : undefined;
    case 'fptosi':
    case 'fptoui':
      return from && isWord(instruction.type) ? toInteger(instruction.op, from) : undefined;
    case 'call':
      return to && called(instruction, to);
    default:
      return undefined;
  }
}

function called(call: Extract<Instruction, { op: 'call' }>, format: Format): EmitVector | undefined {
  const code = codeOf(call);
  switch (code) {
    case 'fma':
      return format === HALF ? fusedHalf : fusedBfloat;
    case 'fmin':
    case 'fmax':
      return extreme(code === 'fmin' ? 'min' : 'max', format);
    case 'sqrt':
    case 'floor':
    case 'ceil':
    case 'trunc':
    case 'nearest':
      return format.narrowed((context) => {
        format.widen(context, 0);
        context.f.op(`f32x4.${code}`);
      });
    default:
      return undefined;
  }
}

/** The same on one value: what the four lanes of a vector get when all are that value. */
export function halfScalar(instruction: Instruction): EmitScalar | undefined {
  const vector = halfOperation(instruction);
  const operands = operandsOf(instruction);
  return (
    vector &&
    (({ f, push, constant, kernel }) => {
      const splat = (operand: number): void => {
        push(operand);
        f.op(isDouble(operands[operand].type) ? 'i64x2.splat' : 'i32x4.splat');
      };
      vector({ f, instruction, kernel, half: 0, push: splat, constant, scalar: () => undefined });
      f.lane(isDouble(instruction.type) ? 'i64x2.extract_lane' : 'i32x4.extract_lane', 0);
      if (isMask(instruction.type)) f.i32(1).op('i32.and');
    })
  );
}

const isFormat = (type: Type, format: string) => type.kind === 'float' && type.format === format;
const isSingle = (type: Type) => isFormat(type, 'float');
const isWord = (type: Type) => type.kind === 'int' && type.bits === 32;

const INFINITY_OF_SINGLE = 0x7f800000;
const QUIET_BIT = 0x00400000;
/** 2^112: exponents of singles are larger by as much. */
const REBIAS = 0x77800000;
const INFINITY_OF_HALF = 0x7c00;
const NAN = 0x7fff;

function all(f: FunctionBuilder, word: number): FunctionBuilder {
  return f.v128([word, word, word, word]);
}

function widenHalf({ f, push }: VectorContext, operand: number): void {
  const magnitude = f.local('v128');
  const isNan = f.local('v128');
  push(operand);
  all(f, 0x7fff).op('v128.and').tee(magnitude);
  all(f, INFINITY_OF_HALF).op('i32x4.gt_s').set(isNan);
  // Infinity and NaN where the exponent is full, else the number: subnormal halves become normal by the multiplication.
  all(f, INFINITY_OF_SINGLE | QUIET_BIT);
  all(f, INFINITY_OF_SINGLE).get(isNan).op('v128.bitselect');
  f.get(magnitude).i32(13).op('i32x4.shl');
  all(f, REBIAS).op('f32x4.mul').get(magnitude);
  all(f, INFINITY_OF_HALF).op('i32x4.ge_s', 'v128.bitselect');
  push(operand);
  all(f, 0x8000).op('v128.and').i32(16).op('i32x4.shl').get(isNan).op('v128.andnot', 'v128.or');
  f.release('v128', magnitude);
  f.release('v128', isNan);
}

/** To the nearest, ties to even. */
function narrowedHalf(emit: (context: VectorContext) => void): EmitVector {
  return (context) => {
    const { f } = context;
    const value = f.local('v128');
    const magnitude = f.local('v128');
    emit(context);
    f.set(value).get(value);
    all(f, 0x7fffffff).op('v128.and').set(magnitude);
    all(f, NAN);
    all(f, INFINITY_OF_HALF);
    // Subnormal halves: the addition of 0.5 rounds at their last place.
    f.get(magnitude);
    all(f, 0x3f000000).op('f32x4.add');
    all(f, 0x3f000000).op('i32x4.sub');
    pushRounded(f, magnitude, 13, (-112 << 23) + 0xfff);
    f.get(magnitude);
    all(f, 0x38800000).op('i32x4.lt_s', 'v128.bitselect').get(magnitude);
    // From 65536 on; what rounds up to it has become infinity by its carry.
    all(f, 0x47800000).op('i32x4.ge_s', 'v128.bitselect');
    f.get(value).i32(31).op('i32x4.shr_u').i32(15).op('i32x4.shl', 'v128.or').get(magnitude);
    all(f, INFINITY_OF_SINGLE).op('i32x4.gt_s', 'v128.bitselect');
    f.release('v128', value);
    f.release('v128', magnitude);
  };
}

/** Pushes words without their low bits, rounded to even; `half` is just below half of the last place, with what changes the exponent. */
function pushRounded(f: FunctionBuilder, words: number, bits: number, half: number): void {
  f.get(words);
  all(f, half).op('i32x4.add').get(words).i32(bits).op('i32x4.shr_u');
  all(f, 1).op('v128.and', 'i32x4.add').i32(bits).op('i32x4.shr_u');
}

/** A NaN becomes a quiet one. */
function widenBfloat({ f, push }: VectorContext, operand: number): void {
  const value = f.local('v128');
  push(operand);
  f.i32(16).op('i32x4.shl').tee(value).get(value).get(value).op('f32x4.ne');
  all(f, QUIET_BIT).op('v128.and', 'v128.or');
  f.release('v128', value);
}

function narrowedBfloat(emit: (context: VectorContext) => void): EmitVector {
  return (context) => {
    const { f } = context;
    const value = f.local('v128');
    emit(context);
    f.set(value);
    all(f, NAN);
    pushRounded(f, value, 16, 0x7fff);
    f.get(value).get(value).op('f32x4.ne', 'v128.bitselect');
    f.release('v128', value);
  };
}

const HALF: Format = { widen: widenHalf, narrowed: narrowedHalf };
const BFLOAT: Format = { widen: widenBfloat, narrowed: narrowedBfloat };

function formatOf(type: Type): Format | undefined {
  return isFormat(type, 'half') ? HALF : isFormat(type, 'bfloat') ? BFLOAT : undefined;
}

function arithmetic(name: string, format: Format): EmitVector {
  const leavesSingles = format === BFLOAT && (name === 'mul' || name === 'div');
  return format.narrowed((context) => {
    if (leavesSingles) pushInDoubles(context, [0, 1], (f) => f.op(`f64x2.${name}`));
    else {
      format.widen(context, 0);
      format.widen(context, 1);
      context.f.op(`f32x4.${name}`);
    }
  });
}

function comparison({ predicate }: Extract<Instruction, { op: 'fcmp' }>, format: Format): EmitVector {
  return (context) => {
    const { f } = context;
    emitFloatComparison(predicate, {
      compare(name, a, b) {
        format.widen(context, a);
        format.widen(context, b);
        f.op(`f32x4.${name}`);
      },
      constant: (value) => all(f, value ? -1 : 0),
      and: () => f.op('v128.and'),
      or: () => f.op('v128.or'),
      not: () => f.op('v128.not'),
    });
  };
}

/** A NaN gives way to the other operand. */
function extreme(name: 'min' | 'max', format: Format): EmitVector {
  return format.narrowed((context) => {
    const { f } = context;
    const [a, b] = [f.local('v128'), f.local('v128')];
    format.widen(context, 0);
    f.set(a);
    format.widen(context, 1);
    f.set(b).get(b).get(a).get(a).get(b).op(`f32x4.${name}`);
    for (const each of [b, a]) f.get(each).get(each).op('f32x4.ne', 'v128.bitselect');
    for (const each of [a, b]) f.release('v128', each);
  });
}

function toDouble(format: Format): EmitVector {
  return (context) => {
    format.widen(context, 0);
    if (context.half === 1) {
      format.widen(context, 0);
      context.f.shuffle(HIGH_HALF);
    }
    context.f.op('f64x2.promote_low_f32x4');
  };
}

/** Integers that a single does not hold are rounded twice, in both engines alike: as halves they are infinite. */
function fromInteger(op: 'sitofp' | 'uitofp', format: Format): EmitVector {
  const sign = op === 'sitofp' ? 's' : 'u';
  return format.narrowed(({ f, push }) => {
    if (format === HALF) {
      push(0);
      f.op(`f32x4.convert_i32x4_${sign}`);
      return;
    }
    pushDoublesToOdd(f, (half) => {
      push(0);
      if (half === 1) {
        push(0);
        f.shuffle(HIGH_HALF);
      }
      f.op(`f64x2.convert_low_i32x4_${sign}`);
    });
  });
}

function toInteger(op: 'fptosi' | 'fptoui', format: Format): EmitVector {
  return (context) => {
    format.widen(context, 0);
    context.f.op(`i32x4.trunc_sat_f32x4_${op === 'fptosi' ? 's' : 'u'}`);
  };
}

/** The product of halves is exact as a single, and its sum is rounded to odd. */
const fusedHalf: EmitVector = narrowedHalf((context) => {
  const { f } = context;
  const [product, addend, sum, error] = [f.local('v128'), f.local('v128'), f.local('v128'), f.local('v128')];
  widenHalf(context, 0);
  widenHalf(context, 1);
  f.op('f32x4.mul').set(product);
  widenHalf(context, 2);
  f.tee(addend).get(product).op('f32x4.add').set(sum);
  pushSumError(f, { a: product, b: addend, sum, shape: 'f32x4' });
  f.set(error);
  f.get(error);
  all(f, 0).op('f32x4.gt').get(error);
  all(f, 0).op('f32x4.lt');
  pushOdd(f, sum);
  for (const each of [product, addend, sum, error]) f.release('v128', each);
});

const fusedBfloat: EmitVector = narrowedBfloat((context) => {
  pushInDoubles(context, [0, 1, 2], (f, kernel) => {
    const [product, addend] = [f.local('v128'), f.local('v128')];
    f.set(addend).op('f64x2.mul').set(product);
    pushDoublesSumToOdd(f, kernel, product, addend);
    for (const each of [product, addend]) f.release('v128', each);
  });
});

/** Pushes singles, to odd, of what `combine` makes of operands as doubles that it finds on the stack. */
function pushInDoubles(
  context: VectorContext,
  operands: readonly number[],
  combine: (f: FunctionBuilder, kernel: VectorContext['kernel']) => void,
): void {
  const { f, kernel } = context;
  pushDoublesToOdd(f, (half) => {
    for (const operand of operands) {
      widenBfloat(context, operand);
      if (half === 1) {
        widenBfloat(context, operand);
        f.shuffle(HIGH_HALF);
      }
      f.op('f64x2.promote_low_f32x4');
    }
    combine(f, kernel);
  });
}

/** Pushes as singles, to odd, the doubles that `push` pushes of each half. */
function pushDoublesToOdd(f: FunctionBuilder, push: (half: 0 | 1) => void): void {
  const [first, second, single] = [f.local('v128'), f.local('v128'), f.local('v128')];
  push(0);
  f.tee(first).op('f32x4.demote_f64x2_zero');
  push(1);
  f.tee(second).op('f32x4.demote_f64x2_zero').shuffle(LOW_HALVES).set(single);
  for (const comparison of ['gt', 'lt']) {
    f.get(first).get(single).op('f64x2.promote_low_f32x4', `f64x2.${comparison}`);
    f.get(second).get(single).get(single).shuffle(HIGH_HALF).op('f64x2.promote_low_f32x4', `f64x2.${comparison}`);
    f.shuffle(LOW_WORDS);
  }
  pushOdd(f, single);
  for (const each of [first, second, single]) f.release('v128', each);
}

/**
 * Makes rounded singles odd where they are not exact. On the stack are masks of the lanes whose exact value is greater, and less. An even one
 * moves by one towards it: away from zero where the signs agree.
 */
function pushOdd(f: FunctionBuilder, single: number): void {
  const [greater, less, sign] = [f.local('v128'), f.local('v128'), f.local('v128')];
  f.set(less).set(greater);
  f.get(single).get(single).i32(31).op('i32x4.shr_s').set(sign);
  f.get(less).get(greater).op('i32x4.sub').get(sign).op('v128.xor').get(sign).op('i32x4.sub');
  f.get(single);
  all(f, 1).op('v128.and');
  all(f, 0).op('i32x4.eq', 'v128.and', 'i32x4.add');
  for (const each of [greater, less, sign]) f.release('v128', each);
}
