/** Intrinsics on integers: each lane's result from the lane's own operands. */
import {
  bitReverse,
  byteSwap,
  countLeadingZeros,
  countTrailingZeros,
  findNthSet,
  permuteBytes,
  popcount,
  popcountBig,
} from '../math/bits.ts';
import { type CodeKey, type Intrinsic, type LaneFunction, type Meaning, pure } from './description.ts';

const signed = (bits: number, value: bigint): bigint => BigInt.asIntN(bits, value);
const clamp = (value: bigint, low: bigint, high: bigint): bigint => (value < low ? low : value > high ? high : value);
const highest = (bits: number): bigint => (1n << BigInt(bits)) - 1n;
const clampSigned = (bits: number, value: bigint): bigint => clamp(value, -(1n << BigInt(bits - 1)), highest(bits - 1));
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a > b ? b : a);
const signedLarger = (bits: number, a: bigint, b: bigint): bigint => (signed(bits, a) > signed(bits, b) ? a : b);
const signedSmaller = (bits: number, a: bigint, b: bigint): bigint => (signed(bits, a) < signed(bits, b) ? a : b);

/** The same operation for both holdings: numbers up to 32 bits, bigints above. */
function both(
  arity: 1 | 2 | 3,
  narrow: (bits: number) => LaneFunction,
  wide: (bits: number) => LaneFunction,
  more: { readonly code: CodeKey } & Partial<Intrinsic>,
): Intrinsic {
  return pure({ kind: 'integer', arity, operation: (bits) => (bits <= 32 ? narrow(bits) : wide(bits)) }, more);
}

/** An operation written for bigints, used for every width. */
function big(
  arity: 1 | 2 | 3,
  operation: (bits: number, a: bigint, b: bigint, c: bigint) => bigint | number,
  more: { readonly code?: CodeKey } = {},
): Intrinsic {
  const ofWidth = (bits: number): LaneFunction => {
    const run = (a: bigint, b: bigint, c: bigint): bigint => BigInt.asUintN(bits, BigInt(operation(bits, a, b, c)));
    if (bits > 32) return (a, b, c) => run(a, b ?? 0n, c ?? 0n);
    return (a, b, c) => Number(run(BigInt(a >>> 0), BigInt((b ?? 0) >>> 0), BigInt((c ?? 0) >>> 0)));
  };
  return pure({ kind: 'integer', arity, operation: ofWidth }, more);
}

/** An operation on 32-bit integers. */
function words(
  arity: 1 | 2 | 3,
  operation: (a: number, b: number, c: number) => number,
  more: { readonly code?: CodeKey } = {},
): Intrinsic {
  return rare(pure({ kind: 'integer', arity, operation: () => operation as LaneFunction }, more));
}

/** Marks operations that only NVVM's own intrinsics compute. */
function rare(intrinsic: Intrinsic): Intrinsic {
  return { ...intrinsic, cost: 'rare' };
}

const range = (bits: number) => ({ low: 0, high: bits });

const COUNTS: Readonly<Record<string, Intrinsic>> = {
  'llvm.ctpop': both(
    1,
    () => (a) => popcount(a),
    () => (a) => BigInt(popcountBig(a)),
    { code: 'ctpop', range },
  ),
  // The second operand of these says what is undefined: nothing here is.
  'llvm.ctlz': both(
    1,
    (bits) => (a) => Math.clz32(a) - (32 - bits),
    (bits) => (a) => BigInt(countLeadingZeros(a, bits)),
    { code: 'ctlz', range },
  ),
  'llvm.cttz': both(
    1,
    (bits) => (a) => (a === 0 ? bits : 31 - Math.clz32(a & -a)),
    (bits) => (a) => BigInt(countTrailingZeros(a, bits)),
    { code: 'cttz', range },
  ),
  'llvm.abs': both(
    1,
    (bits) => {
      const shift = 32 - bits;
      const ones = bits === 32 ? -1 : (1 << bits) - 1;
      return (a) => Math.abs((a << shift) >> shift) & ones;
    },
    (bits) => (a) => BigInt.asUintN(bits, signed(bits, a) < 0n ? -a : a),
    { code: 'abs' },
  ),
};

const EXTREMES: Readonly<Record<string, Intrinsic>> = {
  'llvm.smax': both(
    2,
    (bits) => (a, b) => (a << (32 - bits) > b << (32 - bits) ? a : b),
    (bits) => (a, b) => signedLarger(bits, a, b),
    { code: 'smax' },
  ),
  'llvm.smin': both(
    2,
    (bits) => (a, b) => (a << (32 - bits) < b << (32 - bits) ? a : b),
    (bits) => (a, b) => signedSmaller(bits, a, b),
    { code: 'smin' },
  ),
  'llvm.umax': both(
    2,
    () => (a, b) => (a >>> 0 > b >>> 0 ? a : b),
    () => larger,
    { code: 'umax' },
  ),
  'llvm.umin': both(
    2,
    () => (a, b) => (a >>> 0 < b >>> 0 ? a : b),
    () => smaller,
    { code: 'umin' },
  ),
};

const ANY_WIDTH: Readonly<Record<string, Intrinsic>> = {
  'llvm.bitreverse': big(1, (bits, a) => bitReverse(a, bits), { code: 'bitreverse' }),
  'llvm.bswap': big(1, (bits, a) => byteSwap(a, bits), { code: 'bswap' }),
  'llvm.fshl': big(3, (bits, a, b, c) => (((a << BigInt(bits)) | b) << (c % BigInt(bits))) >> BigInt(bits), { code: 'fshl' }),
  'llvm.fshr': big(3, (bits, a, b, c) => ((a << BigInt(bits)) | b) >> (c % BigInt(bits)), { code: 'fshr' }),
  'llvm.sadd.sat': big(2, (bits, a, b) => clampSigned(bits, signed(bits, a) + signed(bits, b))),
  'llvm.ssub.sat': big(2, (bits, a, b) => clampSigned(bits, signed(bits, a) - signed(bits, b))),
  'llvm.uadd.sat': big(2, (bits, a, b) => clamp(a + b, 0n, highest(bits)), { code: 'uaddsat' }),
  'llvm.usub.sat': big(2, (bits, a, b) => clamp(a - b, 0n, highest(bits)), { code: 'usubsat' }),
  'llvm.sshl.sat': big(2, (bits, a, b) => clampSigned(bits, signed(bits, a) << b)),
  'llvm.ushl.sat': big(2, (bits, a, b) => clamp(a << b, 0n, highest(bits))),
  'llvm.scmp': big(2, (bits, a, b) => (signed(bits, a) < signed(bits, b) ? -1n : signed(bits, a) > signed(bits, b) ? 1n : 0n)),
  'llvm.ucmp': big(2, (_, a, b) => (a < b ? -1n : a > b ? 1n : 0n)),
};

const signedHigh = (bits: number, a: bigint, b: bigint): bigint => (signed(bits, a) * signed(bits, b)) >> BigInt(bits);
const unsignedHigh = (bits: number, a: bigint, b: bigint): bigint => (a * b) >> BigInt(bits);

const NVVM: Readonly<Record<string, Intrinsic>> = {
  'llvm.nvvm.prmt': words(3, permuteBytes, { code: 'prmt' }),
  'llvm.nvvm.fns': words(3, findNthSet),
  'llvm.nvvm.mulhi.s': rare(big(2, signedHigh, { code: 'smulhigh' })),
  'llvm.nvvm.mulhi.us': rare(big(2, unsignedHigh, { code: 'umulhigh' })),
  'llvm.nvvm.mulhi.i': rare(big(2, signedHigh, { code: 'smulhigh' })),
  'llvm.nvvm.mulhi.ui': rare(big(2, unsignedHigh, { code: 'umulhigh' })),
  'llvm.nvvm.mulhi.ll': rare(big(2, signedHigh, { code: 'smulhigh' })),
  'llvm.nvvm.mulhi.ull': rare(big(2, unsignedHigh, { code: 'umulhigh' })),
  'llvm.nvvm.mul24.i': words(2, (a, b) => Math.imul((a << 8) >> 8, (b << 8) >> 8)),
  'llvm.nvvm.mul24.ui': words(2, (a, b) => Math.imul(a & 0xffffff, b & 0xffffff)),
  'llvm.nvvm.sad.i': words(3, (a, b, c) => (Math.abs(a - b) + c) | 0),
  'llvm.nvvm.sad.ui': words(3, (a, b, c) => (Math.abs((a >>> 0) - (b >>> 0)) + c) | 0),
};

const OVERFLOWS = (['add', 'sub', 'mul'] as const).flatMap((operator) =>
  [true, false].map((isSigned): [string, Intrinsic] => [
    `llvm.${isSigned ? 's' : 'u'}${operator}.with.overflow`,
    pure({ kind: 'overflow', signed: isSigned, operator }),
  ]),
);

const REDUCTIONS: Readonly<Record<string, (Meaning & { kind: 'reduceVector' })['combine']>> = {
  add: (_, a, b) => a + b,
  mul: (_, a, b) => a * b,
  and: (_, a, b) => a & b,
  or: (_, a, b) => a | b,
  xor: (_, a, b) => a ^ b,
  smax: signedLarger,
  smin: signedSmaller,
  umax: (_, a, b) => larger(a, b),
  umin: (_, a, b) => smaller(a, b),
};

export const INTEGERS: Readonly<Record<string, Intrinsic>> = {
  ...COUNTS,
  ...EXTREMES,
  ...ANY_WIDTH,
  ...NVVM,
  ...Object.fromEntries(OVERFLOWS),
  // Reductions of floats do not occur: Clang makes these of integer code alone.
  ...Object.fromEntries(
    Object.entries(REDUCTIONS).map(([name, combine]) => [`llvm.vector.reduce.${name}`, pure({ kind: 'reduceVector', combine })]),
  ),
  // Added by the compiler's own passes. The upper half of a 64-bit integer:
  'lanewise.high': pure({ kind: 'emitted' }, { code: 'highWord' }),
  // Operands: index, quotient, count, base, scale. Result: min(index + quotient, count) * scale + base.
  'lanewise.address': pure({ kind: 'emitted' }, { code: 'limitedAddress' }),
};
