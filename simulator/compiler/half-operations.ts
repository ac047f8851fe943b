/**
 * Half precision (and conversions of bfloat16) on four lanes: operands become singles, which hold every half, and a result is rounded once
 * more. For one +, -, *, / of halves that is the same as rounding once, since a single has more than twice their digits. Values are held as
 * words with the format's 16 bits. As PTX has it, a NaN that is rounded to 16 bits is 0x7fff.
 */
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, Type } from '../ir/types.ts';
import { type EmitScalar, type EmitVector, emitFloatComparison, isMask, type VectorContext } from './operation.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

/** undefined for what this file does not know. */
export function halfOperation(instruction: Instruction): EmitVector | undefined {
  const [first] = operandsOf(instruction);
  switch (instruction.op) {
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
      return isHalf(instruction.type) ? arithmetic(instruction.op.slice(1)) : undefined;
    case 'fcmp':
      return isHalf(first.type) ? comparison(instruction) : undefined;
    case 'fpext':
      if (!isSingle(instruction.type)) return undefined;
      return isHalf(first.type) ? (context) => pushWidened(context, 0) : isBfloat(first.type) ? widenBfloat : undefined;
    case 'fptrunc':
      if (!isSingle(first.type)) return undefined;
      return isHalf(instruction.type) ? narrowed(({ push }) => push(0)) : isBfloat(instruction.type) ? narrowBfloat : undefined;
    case 'sitofp':
    case 'uitofp':
      return isHalf(instruction.type) && isWord(first.type) ? fromInteger(instruction.op) : undefined;
    case 'fptosi':
    case 'fptoui':
      return isHalf(first.type) && isWord(instruction.type) ? toInteger(instruction.op) : undefined;
    default:
      return undefined;
  }
}

/** The same on one value: what the four lanes of a vector get when all are that value. */
export function halfScalar(instruction: Instruction): EmitScalar | undefined {
  const vector = halfOperation(instruction);
  return (
    vector &&
    (({ f, push, constant, kernel }) => {
      const splat = (operand: number): void => {
        push(operand);
        f.op('i32x4.splat');
      };
      vector({ f, instruction, kernel, half: 0, push: splat, constant, scalar: () => undefined });
      f.lane('i32x4.extract_lane', 0);
      if (isMask(instruction.type)) f.i32(1).op('i32.and');
    })
  );
}

const isFormat = (type: Type, format: string) => type.kind === 'float' && type.format === format;
const isHalf = (type: Type) => isFormat(type, 'half');
const isBfloat = (type: Type) => isFormat(type, 'bfloat');
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

/** Pushes an operand as singles. */
function pushWidened({ f, push }: VectorContext, operand: number): void {
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

/** Rounds the singles that `emit` pushes to halves: to the nearest, ties to even. */
function narrowed(emit: (context: VectorContext) => void): EmitVector {
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

function arithmetic(name: string): EmitVector {
  return narrowed((context) => {
    pushWidened(context, 0);
    pushWidened(context, 1);
    context.f.op(`f32x4.${name}`);
  });
}

function comparison({ predicate }: Extract<Instruction, { op: 'fcmp' }>): EmitVector {
  return (context) => {
    const { f } = context;
    emitFloatComparison(predicate, {
      compare(name, a, b) {
        pushWidened(context, a);
        pushWidened(context, b);
        f.op(`f32x4.${name}`);
      },
      constant: (value) => all(f, value ? -1 : 0),
      and: () => f.op('v128.and'),
      or: () => f.op('v128.or'),
      not: () => f.op('v128.not'),
    });
  };
}

/** Integers that a single does not hold are infinite as halves. */
function fromInteger(op: 'sitofp' | 'uitofp'): EmitVector {
  return narrowed(({ f, push }) => {
    push(0);
    f.op(`f32x4.convert_i32x4_${op === 'sitofp' ? 's' : 'u'}`);
  });
}

function toInteger(op: 'fptosi' | 'fptoui'): EmitVector {
  return (context) => {
    pushWidened(context, 0);
    context.f.op(`i32x4.trunc_sat_f32x4_${op === 'fptosi' ? 's' : 'u'}`);
  };
}

/** A NaN becomes a quiet one. */
function widenBfloat({ f, push }: VectorContext): void {
  const value = f.local('v128');
  push(0);
  f.i32(16).op('i32x4.shl').tee(value).get(value).get(value).op('f32x4.ne');
  all(f, QUIET_BIT).op('v128.and', 'v128.or');
  f.release('v128', value);
}

function narrowBfloat({ f, push }: VectorContext): void {
  const value = f.local('v128');
  push(0);
  f.set(value);
  all(f, NAN);
  pushRounded(f, value, 16, 0x7fff);
  f.get(value).get(value).op('f32x4.ne', 'v128.bitselect');
  f.release('v128', value);
}
