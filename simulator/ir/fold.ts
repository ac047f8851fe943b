/** Constant expressions to constants. What has no constant of its own (the address of a variable as an integer) gives undefined. */
import { addressOf, heldPointer } from './address-map.ts';
import type { CastOp, Constant, IntBinary, Type } from './types.ts';

/** Unsigned value modulo 2^bits. */
export function wrap(value: bigint, bits: number): bigint {
  return BigInt.asUintN(bits, value);
}

/** Value of the bits as a signed number. */
export function signed(value: bigint, bits: number): bigint {
  return BigInt.asIntN(bits, value);
}

export function zeroOf(type: Type): Constant {
  if (type.kind === 'int' || type.kind === 'ptr') return { kind: 'int', type, value: 0n };
  if (type.kind === 'float') return { kind: 'float', type, bits: 0n };
  return { kind: 'zero', type };
}

export function foldCast(op: CastOp, a: Constant, type: Type): Constant | undefined {
  if (a.type === type) return a;
  if (a.kind === 'undef') return { kind: 'undef', type };
  if (a.kind === 'symbol') {
    return type.kind === 'ptr' && (op === 'addrspacecast' || op === 'bitcast') ? { ...a, type } : undefined;
  }
  if (a.kind !== 'int' || (type.kind !== 'int' && type.kind !== 'ptr')) return undefined;
  // Generic null and the null of another space differ in value only for shared and local memory.
  if (op === 'addrspacecast') return undefined;
  const value = op === 'sext' ? signed(a.value, widthOf(a.type)) : a.value;
  return { kind: 'int', type, value: type.kind === 'ptr' ? BigInt(heldPointer(value)) : wrap(value, widthOf(type)) };
}

export function foldBinary(op: IntBinary, a: Constant, b: Constant): Constant | undefined {
  if (a.kind !== 'int' || b.kind !== 'int' || a.type.kind !== 'int') return undefined;
  const { bits } = a.type;
  const value = foldIntegers(op, a.value, b.value, bits);
  return value === undefined ? undefined : { kind: 'int', type: a.type, value: wrap(value, bits) };
}

/** `base` moved by constant bytes. A symbol's distance stays exact: where it lies is not known here. */
export function foldOffset(base: Constant, offset: number, type: Type): Constant | undefined {
  if (base.kind === 'symbol') return { ...base, type, offset: base.offset + offset };
  if (base.kind === 'int') return { kind: 'int', type, value: BigInt(addressOf(Number(base.value) + offset)) };
  if (base.kind === 'undef' || offset === 0) return base;
  return undefined;
}

function foldIntegers(op: IntBinary, a: bigint, b: bigint, bits: number): bigint | undefined {
  switch (op) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'shl':
      return b < BigInt(bits) ? a << b : 0n;
    case 'lshr':
      return b < BigInt(bits) ? a >> b : 0n;
    default:
      return undefined;
  }
}

function widthOf(type: Type): number {
  return type.kind === 'int' ? type.bits : 32;
}
