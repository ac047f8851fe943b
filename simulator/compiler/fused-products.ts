/**
 * a * b + c, rounded once. WebAssembly has an instruction for it only where the machine has (fused-instructions.ts). Elsewhere singles are
 * multiplied and added in double precision, whose product is exact; rounding its sum to single is wrong only where that lies in the middle
 * between two singles and is not exact. Doubles are computed with the errors of the product (Dekker) and of the sum (Knuth); what is near
 * the ends of the range goes through the function of the table.
 */
import { fusedCallee } from '../ir/intrinsics.ts';
import { GENERATED_NAN } from '../ir/math/libdevice.ts';
import { hasFusedInstructions } from './fused-instructions.ts';
import type { Callable } from './helper-parts.ts';
import type { KernelContext } from './kernel-context.ts';
import { type EmitScalar, type EmitVector, HIGH_HALF, LOW_HALVES, LOW_WORDS } from './operation.ts';
import type { FunctionBuilder, ModuleBuilder } from './wasm-encoder.ts';

/** The function of the table that takes what is near the ends of the range of doubles. */
export const FUSED_DOUBLE = fusedCallee({ kind: 'float', format: 'double' });

type Words = readonly [number, number, number, number];
const both = (bits: bigint): Words => {
  const [low, high] = [Number(BigInt.asIntN(32, bits)), Number(BigInt.asIntN(32, bits >> 32n))];
  return [low, high, low, high];
};
const all = (bits: number): Words => [bits, bits, bits, bits];
/** The bits of a double below a single's last, and their value in the middle between two singles. */
const DROPPED = 0x1fffffffn;
const MIDDLE = 0x10000000n;
/** Singles up to the smallest normal one: their last bit is higher. */
const SMALL = 0x00800000;
/** 2^27 + 1, which splits a double in two halves. */
const SPLITTER = 0x41a0000002000000n;

export function fusedVector(bits: number): EmitVector | undefined {
  if (bits === 32) return singles;
  if (bits !== 64) return undefined;
  return ({ f, push, half, kernel }) => pushDoubles(f, kernel, (operand) => push(operand, half));
}

export function fusedScalar(bits: number): EmitScalar | undefined {
  if (bits === 32) return single;
  if (bits !== 64) return undefined;
  return ({ f, push, kernel }) => {
    pushDoubles(f, kernel, (operand) => {
      push(operand);
      f.op('i64x2.splat');
    });
    f.lane('i64x2.extract_lane', 0);
  };
}

function pushDoubles(f: FunctionBuilder, kernel: KernelContext, push: (operand: number) => void): void {
  if (!hasFusedInstructions()) {
    for (const operand of [0, 1, 2]) push(operand);
    f.call(doublesFunction(kernel));
    return;
  }
  const result = f.local('v128');
  for (const operand of [0, 1, 2]) push(operand);
  f.op('f64x2.relaxed_madd').tee(result).get(result).op('f64x2.eq', 'i64x2.bitmask').i32(3).op('i32.ne').if();
  // The table's function says which NaN it is.
  for (const operand of [0, 1, 2]) push(operand);
  f.call(doublesFunction(kernel)).set(result).end().get(result);
  f.release('v128', result);
}

/** A NaN becomes the one of GENERATED_NAN, all ones but for the sign. */
function pushWithOneNaN(f: FunctionBuilder, result: number): void {
  const wrong = f.local('v128');
  f.get(result).get(result).get(result).op('f32x4.ne').tee(wrong).op('v128.andnot').get(wrong).i32(1).op('i32x4.shr_u', 'v128.or');
  f.release('v128', wrong);
}

const singles: EmitVector = ({ f, push, kernel }) => {
  if (hasFusedInstructions()) {
    const result = f.local('v128');
    for (const operand of [0, 1, 2]) push(operand);
    f.op('f32x4.relaxed_madd').set(result);
    pushWithOneNaN(f, result);
    f.release('v128', result);
    return;
  }
  const parts = [0, 1].map((part) => {
    const [product, addend, sum] = [f.local('v128'), f.local('v128'), f.local('v128')];
    const wide = (operand: number): void => {
      push(operand);
      if (part === 1) f.tee(product).get(product).shuffle(HIGH_HALF);
      f.op('f64x2.promote_low_f32x4');
    };
    wide(0);
    f.set(sum);
    wide(1);
    f.get(sum).op('f64x2.mul').set(sum);
    wide(2);
    f.tee(addend).get(sum).tee(product).op('f64x2.add').set(sum);
    return { product, addend, sum };
  });
  const result = f.local('v128');
  const round = (): void => {
    for (const { sum } of parts) f.get(sum).op('f32x4.demote_f64x2_zero');
    f.shuffle(LOW_HALVES).set(result);
  };
  round();
  pushDoubtful(f, parts[0].sum, parts[1].sum, result);
  f.op('v128.any_true').if();
  for (const { product, addend, sum } of parts) f.get(product).get(addend).get(sum).call(oddFunction(kernel)).set(sum);
  round();
  f.end();
  pushWithOneNaN(f, result);
  for (const local of [result, ...parts.flatMap((part) => Object.values(part))]) f.release('v128', local);
};

/**
 * Pushes bits for the lanes whose sum, a double, may lie in the middle between two singles: its dropped bits are a one and zeros, or the
 * single is so small that its last bit is higher. Without constants, which cost V8 as much as all the rest.
 */
function pushDoubtful(f: FunctionBuilder, first: number, second: number, result: number): void {
  const bits = f.local('v128');
  f.get(first).get(second).shuffle(LOW_WORDS).i32(3).op('i32x4.shl').tee(bits);
  f.get(bits).op('i32x4.neg').get(bits).op('i32x4.eq', 'v128.and');
  f.get(result).i32(1).op('i32x4.shl').tee(bits);
  f.get(bits).i32(25).op('i32x4.shr_u').v128(all(0)).op('i32x4.eq', 'v128.and', 'v128.or');
  f.release('v128', bits);
}

const single: EmitScalar = ({ f, push, kernel }) => {
  if (hasFusedInstructions()) {
    const result = f.local('v128');
    for (const operand of [0, 1, 2]) {
      push(operand);
      f.op('i32x4.splat');
    }
    f.op('f32x4.relaxed_madd').set(result);
    pushWithOneNaN(f, result);
    f.lane('i32x4.extract_lane', 0).release('v128', result);
    return;
  }
  const [product, addend, sum, result] = [f.local('f64'), f.local('f64'), f.local('f64'), f.local('f32')];
  const wide = (operand: number): void => {
    push(operand);
    f.op('f32.reinterpret_i32', 'f64.promote_f32');
  };
  wide(0);
  wide(1);
  f.op('f64.mul').set(product);
  wide(2);
  f.tee(addend).get(product).op('f64.add').tee(sum).op('f32.demote_f64').set(result);
  f.get(sum).op('i64.reinterpret_f64').i64(DROPPED).op('i64.and').i64(MIDDLE).op('i64.eq');
  f.get(result).op('i32.reinterpret_f32').i32(0x7fffffff).op('i32.and').i32(1).op('i32.sub').i32(SMALL).op('i32.lt_u', 'i32.or').if();
  for (const local of [product, addend, sum]) f.get(local).op('f64x2.splat');
  f.call(oddFunction(kernel)).lane('f64x2.extract_lane', 0).op('f32.demote_f64').set(result).end();
  f.get(result).op('i32.reinterpret_f32').i32(GENERATED_NAN.single).get(result).get(result).op('f32.eq', 'select');
  for (const local of [product, addend, sum]) f.release('f64', local);
  f.release('f32', result);
};

interface Sum {
  readonly a: number;
  readonly b: number;
  readonly sum: number;
  readonly shape: 'f32x4' | 'f64x2';
}

/** Pushes what a + b lost when it was rounded to `sum` (Knuth's TwoSum). */
export function pushSumError(f: FunctionBuilder, { a, b, sum, shape }: Sum): void {
  const part = f.local('v128');
  const [add, sub] = [`${shape}.add`, `${shape}.sub`];
  f.get(sum).get(a).op(sub).set(part);
  f.get(a).get(sum).get(part).op(sub, sub).get(b).get(part).op(sub, add);
  f.release('v128', part);
}

/** Pushes a + b of two doubles each, rounded to odd. */
export function pushDoublesSumToOdd(f: FunctionBuilder, kernel: KernelContext, a: number, b: number): void {
  f.get(a).get(b).get(a).get(b).op('f64x2.add').call(oddFunction(kernel));
}

/** (a, b, their sum) -> the sum, of whose neighbours the one with an odd last bit where it is not exact: rounded again it is as rounded once. */
function oddFunction(kernel: KernelContext): Callable {
  return kernel.sharedFunction('fusedOdd', (module) => {
    const f = module.function('fusedOdd', { parameters: ['v128', 'v128', 'v128'], results: ['v128'] });
    const [a, b, sum] = [0, 1, 2];
    const [error, inexact] = [f.local('v128'), f.local('v128')];
    const zero = all(0);
    pushSumError(f, { a, b, sum, shape: 'f64x2' });
    f.set(error);
    // Neither holds for the NaN that is the error of an infinite sum.
    f.get(error).v128(zero).op('f64x2.lt').get(error).v128(zero).op('f64x2.gt', 'v128.or');
    f.get(sum).v128(both(1n)).op('v128.and').v128(zero).op('i64x2.eq', 'v128.and').set(inexact);
    f.get(sum);
    f.get(error).get(sum).op('v128.xor').i32(63).op('i64x2.shr_s').v128(both(1n)).op('v128.or').get(inexact).op('v128.and');
    f.op('i64x2.add');
    return f;
  });
}

/** (a, b, c) -> a * b + c, of two doubles each. */
function doublesFunction(kernel: KernelContext): Callable {
  return kernel.sharedFunction('fusedDoubles', (module) => emitDoubles(module, kernel.mathHelpers.get(FUSED_DOUBLE)!.single));
}

function emitDoubles(module: ModuleBuilder, exact: Callable): Callable {
  const f = module.function('fusedDoubles', { parameters: ['v128', 'v128', 'v128'], results: ['v128'] });
  const [a, b, c] = [0, 1, 2];
  const local = () => f.local('v128');
  const [product, lost, sum, error, rest, result, off] = [local(), local(), local(), local(), local(), local(), local()];
  f.get(a).get(b).op('f64x2.mul').set(product);
  pushProductError(f, a, b, product);
  f.set(lost);
  f.get(product).get(c).op('f64x2.add').set(sum);
  pushSumError(f, { a: product, b: c, sum, shape: 'f64x2' });
  f.tee(error).get(lost).op('f64x2.add').set(rest);
  // A rest of zero would take the sign from -0.
  f.get(sum).get(sum).get(rest).op('f64x2.add').get(rest).v128(all(0)).op('f64x2.eq', 'v128.bitselect').set(result);
  // Infinite and NaN where a step has overflowed, or an operand is.
  f.get(result).get(result).op('f64x2.sub').v128(all(0)).op('f64x2.eq');
  // From 2^-959 on: of smaller products the error may be lost.
  f.get(product).i32(1).op('i64x2.shl').i32(59).op('i64x2.shr_u').v128(all(0)).op('i64x2.ne');
  for (const factor of [a, b]) f.get(factor).v128(all(0)).op('f64x2.eq', 'v128.or');
  f.op('v128.and');
  pushNoTie(f, { sum, rest, result, error, lost, off });
  f.op('v128.and', 'i64x2.bitmask').i32(3).op('i32.ne').if();
  for (const lane of [0, 1]) {
    f.get(result);
    for (const operand of [a, b, c]) f.get(operand).lane('i64x2.extract_lane', lane);
    f.call(exact).lane('i64x2.replace_lane', lane).set(result);
  }
  f.end().get(result);
  return f;
}

/** Pushes what a * b lost when it was rounded to `product` (Dekker). */
function pushProductError(f: FunctionBuilder, a: number, b: number, product: number): void {
  const halves = [a, b].map((factor) => {
    const [high, low] = [f.local('v128'), f.local('v128')];
    f.get(factor).v128(both(SPLITTER)).op('f64x2.mul').tee(high);
    f.get(high).get(factor).op('f64x2.sub', 'f64x2.sub').set(high);
    f.get(factor).get(high).op('f64x2.sub').set(low);
    return { high, low };
  });
  const [x, y] = halves;
  f.get(x.low).get(y.low).op('f64x2.mul').get(product);
  for (const [p, q] of [[x.high, y.high], [x.low, y.high], [x.high, y.low]]) f.get(p).get(q).op('f64x2.mul', 'f64x2.sub'); // biome-ignore format: pairs
  f.op('f64x2.sub');
  for (const { high, low } of halves) for (const each of [high, low]) f.release('v128', each);
}

/** Pushes where the last rounding is right: what it drops is not half of the last bit, which the rest's own rounding may have made it. */
function pushNoTie(
  f: FunctionBuilder,
  { sum, rest, result, error, lost, off }: Readonly<Record<'sum' | 'rest' | 'result' | 'error' | 'lost' | 'off', number>>,
): void {
  f.get(rest).get(result).get(sum).op('f64x2.sub', 'f64x2.sub').tee(off);
  f.i32(12).op('i64x2.shl').v128(all(0)).op('i64x2.ne').get(off).v128(all(0)).op('f64x2.eq', 'v128.or');
  pushSumError(f, { a: error, b: lost, sum: rest, shape: 'f64x2' });
  f.v128(all(0)).op('f64x2.eq', 'v128.or');
}
