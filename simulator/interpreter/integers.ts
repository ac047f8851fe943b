/**
 * Integer operations by width. Values are held zero-extended: as numbers (the bits of a 32-bit word) up to 32 bits, as unsigned
 * bigints above. Where LLVM leaves a result open, the hardware's is taken: division by zero gives all ones, its remainder the
 * dividend, shifts by the width or more give zero or the sign.
 */
import type { IntBinary, IntPredicate } from '../ir/types.ts';
import { type LaneOperation, loopTable } from './lane-loop.ts';

type Narrow = (bits: number) => (a: number, b: number) => number;
type Wide = (bits: number) => (a: bigint, b: bigint) => bigint;

const loops = loopTable();

export function intBinaryLoop(op: IntBinary, bits: number) {
  return loops(`${op} ${bits}`, 2, () => intBinary(op, bits));
}

export function icmpLoop(predicate: IntPredicate, bits: number) {
  return loops(`icmp ${predicate} ${bits}`, 2, () => intCompare(predicate, bits));
}

export function intBinary(op: IntBinary, bits: number): LaneOperation {
  return bits <= 32 ? NARROW[op](bits) : WIDE[op](bits);
}

export function intCompare(predicate: IntPredicate, bits: number): LaneOperation {
  if (bits > 32) return wideCompare(predicate, bits);
  const shift = 32 - bits;
  switch (predicate) {
    case 'eq':
      return (a, b) => (a === b ? 1 : 0);
    case 'ne':
      return (a, b) => (a !== b ? 1 : 0);
    case 'ugt':
      return (a, b) => (a >>> 0 > b >>> 0 ? 1 : 0);
    case 'uge':
      return (a, b) => (a >>> 0 >= b >>> 0 ? 1 : 0);
    case 'ult':
      return (a, b) => (a >>> 0 < b >>> 0 ? 1 : 0);
    case 'ule':
      return (a, b) => (a >>> 0 <= b >>> 0 ? 1 : 0);
    case 'sgt':
      return (a, b) => (a << shift > b << shift ? 1 : 0);
    case 'sge':
      return (a, b) => (a << shift >= b << shift ? 1 : 0);
    case 'slt':
      return (a, b) => (a << shift < b << shift ? 1 : 0);
    case 'sle':
      return (a, b) => (a << shift <= b << shift ? 1 : 0);
  }
}

/** Value of the low `bits` of a word as a number: keeps all 32 as they are, zero-extends fewer. */
export function truncateTo(bits: number): (value: number) => number {
  if (bits === 32) return (value) => value | 0;
  const ones = (1 << bits) - 1;
  return (value) => value & ones;
}

const NARROW: Readonly<Record<IntBinary, Narrow>> = {
  add: wrapped((a, b) => a + b),
  sub: wrapped((a, b) => a - b),
  mul: wrapped((a, b) => Math.imul(a, b)),
  udiv: wrapped((a, b) => (b === 0 ? -1 : (a >>> 0) / (b >>> 0))),
  urem: wrapped((a, b) => (b === 0 ? a : (a >>> 0) % (b >>> 0))),
  sdiv: (bits) => {
    const shift = 32 - bits;
    const fit = truncateTo(bits);
    return (a, b) => fit(b === 0 ? -1 : (a << shift >> shift) / (b << shift >> shift)); // biome-ignore format: sign extension
  },
  srem: (bits) => {
    const shift = 32 - bits;
    const fit = truncateTo(bits);
    return (a, b) => fit(b === 0 ? a : (a << shift >> shift) % (b << shift >> shift)); // biome-ignore format: sign extension
  },
  shl: (bits) => {
    const fit = truncateTo(bits);
    return (a, b) => (b >>> 0 >= bits ? 0 : fit(a << b));
  },
  lshr: (bits) => {
    const fit = truncateTo(bits);
    return (a, b) => (b >>> 0 >= bits ? 0 : fit(a >>> b));
  },
  ashr: (bits) => {
    const shift = 32 - bits;
    const fit = truncateTo(bits);
    return (a, b) => fit((a << shift >> shift) >> (b >>> 0 >= bits ? 31 : b)); // biome-ignore format: sign extension
  },
  and: () => (a, b) => a & b,
  or: () => (a, b) => a | b,
  xor: () => (a, b) => a ^ b,
};

function wrapped(operation: (a: number, b: number) => number): Narrow {
  return (bits) => {
    if (bits === 32) return (a, b) => operation(a, b) | 0;
    const ones = (1 << bits) - 1;
    return (a, b) => operation(a, b) & ones;
  };
}

const WIDE: Readonly<Record<IntBinary, Wide>> = {
  add: wideWrapped((a, b) => a + b),
  sub: wideWrapped((a, b) => a - b),
  mul: wideWrapped((a, b) => a * b),
  udiv: wideWrapped((a, b) => (b === 0n ? -1n : a / b)),
  urem: wideWrapped((a, b) => (b === 0n ? a : a % b)),
  sdiv: wideSigned((a, b) => (b === 0n ? -1n : a / b)),
  srem: wideSigned((a, b) => (b === 0n ? a : a % b)),
  shl: (bits) => (a, b) => (b >= BigInt(bits) ? 0n : BigInt.asUintN(bits, a << b)),
  lshr: (bits) => (a, b) => (b >= BigInt(bits) ? 0n : a >> b),
  ashr: (bits) => (a, b) => BigInt.asUintN(bits, BigInt.asIntN(bits, a) >> (b >= BigInt(bits) ? BigInt(bits - 1) : b)),
  and: () => (a, b) => a & b,
  or: () => (a, b) => a | b,
  xor: () => (a, b) => a ^ b,
};

function wideWrapped(operation: (a: bigint, b: bigint) => bigint): Wide {
  return (bits) => (a, b) => BigInt.asUintN(bits, operation(a, b));
}

function wideSigned(operation: (a: bigint, b: bigint) => bigint): Wide {
  return (bits) => (a, b) => BigInt.asUintN(bits, operation(BigInt.asIntN(bits, a), BigInt.asIntN(bits, b)));
}

function wideCompare(predicate: IntPredicate, bits: number): LaneOperation {
  const signed = (value: bigint): bigint => BigInt.asIntN(bits, value);
  switch (predicate) {
    case 'eq':
      return (a, b) => (a === b ? 1 : 0);
    case 'ne':
      return (a, b) => (a !== b ? 1 : 0);
    case 'ugt':
      return (a, b) => (a > b ? 1 : 0);
    case 'uge':
      return (a, b) => (a >= b ? 1 : 0);
    case 'ult':
      return (a, b) => (a < b ? 1 : 0);
    case 'ule':
      return (a, b) => (a <= b ? 1 : 0);
    case 'sgt':
      return (a, b) => (signed(a) > signed(b) ? 1 : 0);
    case 'sge':
      return (a, b) => (signed(a) >= signed(b) ? 1 : 0);
    case 'slt':
      return (a, b) => (signed(a) < signed(b) ? 1 : 0);
    case 'sle':
      return (a, b) => (signed(a) <= signed(b) ? 1 : 0);
  }
}
