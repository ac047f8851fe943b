/** PTX's instructions on integers and bits (PTX ISA 9.0, "Integer Arithmetic", "Extended-Precision", "Logic and Shift"). */
import { I1, I32, I64, intType } from '../type-table.ts';
import type { IntBinary, IntPredicate, Operand, Type } from '../types.ts';
import type { Assembler } from './assembler.ts';
import { type Entry, entry, has, refuse, typeOf, typesOf, values } from './instruction.ts';
import type { PtxInstruction } from './syntax.ts';
import type { PtxType } from './types.ts';

/** One IR operation on the operands. */
function simple(op: IntBinary, bySign?: IntBinary): Entry['translate'] {
  return (a, i) => {
    const type = typeOf(i);
    const [x, y] = values(a, i, type);
    a.write(i.operands[0], a.binary(type.kind === 's' && bySign ? bySign : op, x, y), type.kind === 's');
  };
}

export function extremum(a: Assembler, kind: 'min' | 'max', { kind: sign, type, bits }: PtxType, x: Operand, y: Operand): Operand {
  return a.call(`llvm.${sign === 's' ? 's' : 'u'}${kind}.i${bits}`, type, [x, y]);
}

/** add, sub: with `.sat` the result stays in the range of .s32; with `.cc` the carry is kept for addc and subc. */
export function addInteger(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const [x, y] = values(a, i, type);
  const op = i.name === 'sub' ? 'sub' : 'add';
  if (has(i, 'cc')) return carried(a, i, undefined);
  const value = has(i, 'sat') ? a.call(`llvm.s${op}.sat.i32`, I32, [x, y]) : a.binary(op, x, y);
  a.write(i.operands[0], value, type.kind === 's');
}

/** The carry flag is one for the whole machine: it lasts from one inline statement to the next of the same basic block. */
function carried(a: Assembler, i: PtxInstruction, carryIn: Operand | undefined) {
  const type = typeOf(i);
  const bits = type.bits;
  const wide = intType(2 * bits);
  const [x, y] = values(a, i, type).map((value) => a.add({ op: 'zext', type: wide, a: value }));
  const subtracts = i.name.startsWith('sub');
  let sum = a.binary(subtracts ? 'sub' : 'add', x, y);
  if (carryIn) sum = a.binary(subtracts ? 'sub' : 'add', sum, a.add({ op: 'zext', type: wide, a: carryIn }));
  keepSum(a, i, sum, bits);
}

function keepSum(a: Assembler, i: PtxInstruction, sum: Operand, bits: number) {
  if (has(i, 'cc')) {
    const above = a.binary('lshr', sum, a.int(sum.type, bits));
    a.surroundings.carry = a.add({ op: 'trunc', type: I1, a: above });
  }
  a.write(i.operands[0], a.add({ op: 'trunc', type: intType(bits), a: sum }));
}

function carryOf(a: Assembler, i: PtxInstruction): Operand {
  return (
    a.surroundings.carry ?? refuse({ ...i, text: `${i.text} where no carry flag is known: put it into one asm statement with its .cc` })
  );
}

/** The product's low half, high half or all of it. */
function product(a: Assembler, i: PtxInstruction, x: Operand, y: Operand): Operand {
  const type = typeOf(i);
  const extend = type.kind === 's' ? 'sext' : 'zext';
  if (has(i, 'lo')) return a.binary('mul', x, y);
  if (has(i, 'hi') && type.bits === 64) return a.call(`llvm.nvvm.mulhi.${type.kind === 's' ? 'll' : 'ull'}`, I64, [x, y]);
  const wide = intType(2 * type.bits);
  const whole = a.binary('mul', a.add({ op: extend, type: wide, a: x }), a.add({ op: extend, type: wide, a: y }));
  if (has(i, 'wide')) return whole;
  if (!has(i, 'hi')) return refuse(i);
  return a.add({ op: 'trunc', type: type.type, a: a.binary('lshr', whole, a.int(wide, type.bits)) });
}

export function multiplyInteger(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const [x, y] = values(a, i, type);
  a.write(i.operands[0], product(a, i, x, y), type.kind === 's');
}

/** mad and madc: a * b + c; with carries the sum is made in twice the width. */
export function multiplyAdd(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const [x, y] = i.operands.slice(1, 3).map((operand) => a.read(operand, type.type));
  const part = product(a, i, x, y);
  const c = a.read(i.operands[3], part.type);
  const withCarry = i.name === 'madc';
  if (!has(i, 'cc') && !withCarry) {
    const value = has(i, 'sat') ? a.call('llvm.sadd.sat.i32', I32, [part, c]) : a.binary('add', part, c);
    return a.write(i.operands[0], value, type.kind === 's');
  }
  const wide = intType(2 * type.bits);
  const extended = (value: Operand): Operand => a.add({ op: 'zext', type: wide, a: value });
  let sum = a.binary('add', extended(part), extended(c));
  if (withCarry) sum = a.binary('add', sum, extended(carryOf(a, i)));
  keepSum(a, i, sum, type.bits);
}

function shift(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const value = a.read(i.operands[1], type.type);
  const amount = a.read(i.operands[2], I32);
  const signed = i.name === 'shr' && type.kind === 's';
  const op = i.name === 'shl' ? 'shl' : signed ? 'ashr' : 'lshr';
  a.write(i.operands[0], shifted(a, op, value, amount, type), signed);
}

/** Amounts beyond the width count as the width. */
function shifted(a: Assembler, op: 'shl' | 'lshr' | 'ashr', value: Operand, amount: Operand, { bits, type }: PtxType): Operand {
  const sized = (of: Operand): Operand => (bits === 32 ? of : a.convert(of, type));
  if (amount.kind === 'int') {
    if (amount.value < BigInt(bits)) return a.binary(op, value, a.int(type, amount.value));
    return op === 'ashr' ? a.binary(op, value, a.int(type, bits - 1)) : a.int(type, 0);
  }
  const most = a.call('llvm.umin.i32', I32, [amount, a.int(I32, bits - 1)]);
  const result = a.binary(op, value, sized(most));
  if (op === 'ashr') return result;
  const inside = a.add({ op: 'icmp', type: I1, predicate: 'ult', a: amount, b: a.int(I32, bits) });
  return a.select(inside, result, a.int(type, 0));
}

/** shf.{l,r}.{clamp,wrap}.b32 d, low, high, amount. */
function funnelShift(a: Assembler, i: PtxInstruction) {
  const [low, high, amount] = values(a, i, typeOf(i));
  const left = has(i, 'l');
  const wrapped = a.call(left ? 'llvm.fshl.i32' : 'llvm.fshr.i32', I32, [high, low, amount]);
  if (has(i, 'wrap')) return a.write(i.operands[0], wrapped);
  const inside = a.add({ op: 'icmp', type: I1, predicate: 'ult', a: amount, b: a.int(I32, 32) });
  a.write(i.operands[0], a.select(inside, wrapped, left ? low : high));
}

/** Of two bits, as the four bits of a truth table (bit 2a + b): what is computed of two words. */
function ofTable(a: Assembler, table: number, x: Operand, y: Operand): Operand | 0 | -1 {
  const not = (value: Operand): Operand => a.binary('xor', value, a.int(value.type, -1));
  switch (table) {
    case 0b0000:
      return 0;
    case 0b1111:
      return -1;
    case 0b1100:
      return x;
    case 0b1010:
      return y;
    case 0b0011:
      return not(x);
    case 0b0101:
      return not(y);
    case 0b1000:
      return a.binary('and', x, y);
    case 0b1110:
      return a.binary('or', x, y);
    case 0b0110:
      return a.binary('xor', x, y);
    case 0b0111:
      return not(a.binary('and', x, y));
    case 0b0001:
      return not(a.binary('or', x, y));
    case 0b1001:
      return not(a.binary('xor', x, y));
    case 0b0100:
      return a.binary('and', x, not(y));
    case 0b0010:
      return a.binary('and', not(x), y);
    case 0b1101:
      return a.binary('or', x, not(y));
    default:
      return a.binary('or', not(x), y);
  }
}

/** Bit 4a + 2b + c of the table is the result: f(a, b, c) = f(a, b, 0) ^ (c & (f(a, b, 0) ^ f(a, b, 1))). */
function lop3(a: Assembler, i: PtxInstruction) {
  const table = i.operands[4];
  if (table.kind !== 'integer' || i.operands.length !== 5) return refuse(i);
  const [x, y, z] = i.operands.slice(1, 4).map((operand) => a.read(operand, I32));
  const half = (c: number): number => [0, 1, 2, 3].reduce((sum, k) => sum | (Number((table.value >> BigInt(2 * k + c)) & 1n) << k), 0);
  const without = ofTable(a, half(0), x, y);
  const change = ofTable(a, half(0) ^ half(1), x, y);
  const base = typeof without === 'number' ? a.int(I32, without) : without;
  if (change === 0) return a.write(i.operands[0], base);
  const flips = change === -1 ? z : a.binary('and', change, z);
  a.write(i.operands[0], without === 0 ? flips : a.binary('xor', base, flips));
}

/** Counts have 32 bits whatever they count in. */
function count(callee: string, second?: number): Entry['translate'] {
  return (a, i) => {
    const { type, bits } = typeOf(i);
    const args = [a.read(i.operands[1], type), ...(second === undefined ? [] : [a.int(I1, second)])];
    a.write(i.operands[0], a.convert(a.call(`${callee}.i${bits}`, type, args), I32));
  };
}

/** Position of the highest bit that differs from the sign, or -1; with shiftamt how far it is from the top. */
function findHighest(a: Assembler, i: PtxInstruction) {
  const { type, bits, kind } = typeOf(i);
  let value = a.read(i.operands[1], type);
  if (kind === 's') value = a.binary('xor', value, a.binary('ashr', value, a.int(type, bits - 1)));
  const zeros = a.convert(a.call(`llvm.ctlz.i${bits}`, type, [value, a.int(I1, 0)]), I32);
  const none = a.add({ op: 'icmp', type: I1, predicate: 'eq', a: zeros, b: a.int(I32, bits) });
  const place = has(i, 'shiftamt') ? zeros : a.binary('sub', a.int(I32, bits - 1), zeros);
  a.write(i.operands[0], a.select(none, a.int(I32, -1), place));
}

/** bfe d, value, position, length: positions and lengths are taken modulo 256, and bits above the top repeat the sign (of .s types). */
function extractField(a: Assembler, i: PtxInstruction) {
  const { type, bits, kind } = typeOf(i);
  const byte = (operand: number): Operand => a.binary('and', a.read(i.operands[operand], I32), a.int(I32, 255));
  const [position, length] = [byte(2), byte(3)];
  const value = a.read(i.operands[1], type);
  const plain = { kind, bits, type, name: '' } as const;
  // Up to the top, then down again.
  const end = a.binary('add', position, length);
  const room = a.call('llvm.usub.sat.i32', I32, [a.int(I32, bits), end]);
  const fill = kind === 's' ? 'ashr' : 'lshr';
  const field = shifted(a, 'shl', value, room, plain);
  const down = a.binary('sub', a.int(I32, bits), length);
  const tooLong = a.add({ op: 'icmp', type: I1, predicate: 'ugt', a: end, b: a.int(I32, bits) });
  const short = shifted(a, fill, field, a.call('llvm.smax.i32', I32, [down, a.int(I32, 0)]), plain);
  const isNever = tooLong.kind === 'int' && tooLong.value === 0n;
  const result = isNever ? short : a.select(tooLong, shifted(a, fill, value, position, plain), short);
  const empty = a.add({ op: 'icmp', type: I1, predicate: 'eq', a: length, b: a.int(I32, 0) });
  a.write(i.operands[0], a.select(empty, a.int(type, 0), result), kind === 's');
}

/** bfi d, field, into, position, length. */
function insertField(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const [field, into] = i.operands.slice(1, 3).map((operand) => a.read(operand, type.type));
  const byte = (operand: number): Operand => a.binary('and', a.read(i.operands[operand], I32), a.int(I32, 255));
  const [position, length] = [byte(3), byte(4)];
  const mask = shifted(a, 'shl', lowBits(a, length, type), position, type);
  const moved = a.binary('and', shifted(a, 'shl', field, position, type), mask);
  const kept = a.binary('and', into, a.binary('xor', mask, a.int(type.type, -1)));
  a.write(i.operands[0], a.binary('or', moved, kept));
}

function lowBits(a: Assembler, length: Operand, type: PtxType): Operand {
  const above = shifted(a, 'shl', a.int(type.type, -1), length, type);
  return a.binary('xor', above, a.int(type.type, -1));
}

/** With `.wrap`, positions and lengths are taken modulo 32. */
function wrapped(a: Assembler, i: PtxInstruction, value: Operand): Operand {
  return has(i, 'wrap') ? a.binary('and', value, a.int(I32, 31)) : value;
}

/** bmsk.{clamp,wrap}.b32 d, position, length. */
function bitMask(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const [position, length] = values(a, i, type).map((value) => wrapped(a, i, value));
  a.write(i.operands[0], shifted(a, 'shl', lowBits(a, length, type), position, type));
}

/** szext.{clamp,wrap} d, value, length: the low bits of the value, extended. */
function extend(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const [value, given] = values(a, i, type);
  const length = wrapped(a, i, given);
  const room = a.call('llvm.usub.sat.i32', I32, [a.int(I32, 32), length]);
  const up = shifted(a, 'shl', value, room, type);
  const down = shifted(a, type.kind === 's' ? 'ashr' : 'lshr', up, room, type);
  const empty = a.add({ op: 'icmp', type: I1, predicate: 'eq', a: length, b: a.int(I32, 0) });
  a.write(i.operands[0], a.select(empty, a.int(I32, 0), down));
}

export function negate(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  a.write(i.operands[0], a.binary('sub', a.int(type.type, 0), a.read(i.operands[1], type.type)), type.kind === 's');
}

export function absolute(a: Assembler, i: PtxInstruction) {
  const { type, bits, kind } = typeOf(i);
  a.write(i.operands[0], a.call(`llvm.abs.i${bits}`, type, [a.read(i.operands[1], type), a.int(I1, 0)]), kind === 's');
}

/** sad d, a, b, c: |a - b| + c. */
function sumOfDifferences(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const [x, y, c] = values(a, i, type);
  const distance = a.binary('sub', extremum(a, 'max', type, x, y), extremum(a, 'min', type, x, y));
  a.write(i.operands[0], a.binary('add', distance, c), type.kind === 's');
}

/** mul24 and mad24: of the lowest 24 bits. `.lo` are the product's bits 0 to 31, `.hi` its bits 16 to 47. */
function multiply24(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const [x, y, c] = values(a, i, type);
  const cut = (value: Operand): Operand => {
    const up = a.binary('shl', value, a.int(I32, 8));
    const low = a.binary(type.kind === 's' ? 'ashr' : 'lshr', up, a.int(I32, 8));
    return a.add({ op: type.kind === 's' ? 'sext' : 'zext', type: I64, a: low });
  };
  const whole = a.binary('mul', cut(x), cut(y));
  const part = a.add({ op: 'trunc', type: I32, a: has(i, 'hi') ? a.binary('lshr', whole, a.int(I64, 16)) : whole });
  const sum = !c ? part : has(i, 'sat') ? a.call('llvm.sadd.sat.i32', I32, [part, c]) : a.binary('add', part, c);
  a.write(i.operands[0], sum, type.kind === 's');
}

/** dp4a and dp2a: products of bytes (and, for dp2a, of halves with them), added to c. */
function dotProduct(a: Assembler, i: PtxInstruction) {
  const [first, second] = typesOf(i);
  const [x, y, c] = values(a, i, first);
  const field = (word: Operand, { kind }: PtxType, position: number, bits: number): Operand => {
    const up = a.binary('shl', word, a.int(I32, 32 - position - bits));
    return a.binary(kind === 's' ? 'ashr' : 'lshr', up, a.int(I32, 32 - bits));
  };
  const pairs = i.name === 'dp4a' ? 4 : 2;
  const offset = has(i, 'hi') ? 16 : 0;
  let sum = c;
  for (let k = 0; k < pairs; k++) {
    const left = pairs === 4 ? field(x, first, 8 * k, 8) : field(x, first, 16 * k, 16);
    sum = a.binary('add', sum, a.binary('mul', left, field(y, second, offset + 8 * k, 8)));
  }
  a.write(i.operands[0], sum);
}

/**
 * The SIMD video instructions: vadd4 and its kin on bytes, vadd2 on halves of words. Results are put together, or with .add summed onto c.
 * Masks and selectors are not known here.
 */
function onFields(a: Assembler, i: PtxInstruction) {
  const sets = i.name.startsWith('vset');
  const types = typesOf(i);
  const [result, first, second] = sets ? [types[0], types[0], types[1]] : types;
  if (!result || !first || !second || i.operands.length !== 4) return refuse(i);
  const bits = i.name.endsWith('4') ? 8 : 16;
  const [x, y, c] = values(a, i, first);
  const field = (word: Operand, { kind }: PtxType, at: number): Operand => {
    const up = a.binary('shl', word, a.int(I32, 32 - at - bits));
    return a.binary(kind === 's' ? 'ashr' : 'lshr', up, a.int(I32, 32 - bits));
  };
  const adds = has(i, 'add');
  let sum = adds ? c : a.int(I32, 0);
  for (let at = 0; at < 32; at += bits) {
    const [left, right] = [field(x, first, at), field(y, second, at)];
    let value = sets ? compareFields(a, i, left, right) : combineFields(a, i, left, right);
    if (has(i, 'sat')) value = clampField(a, value, result.kind === 's', bits);
    const kept = adds ? field(value, result, 0) : a.binary('shl', field(value, { ...result, kind: 'u' }, 0), a.int(I32, at));
    sum = a.binary(adds ? 'add' : 'or', sum, kept);
  }
  a.write(i.operands[0], sum);
}

function combineFields(a: Assembler, i: PtxInstruction, x: Operand, y: Operand): Operand {
  const below = () => a.add({ op: 'icmp', type: I1, predicate: 'slt', a: x, b: y });
  switch (i.name.slice(1, -1)) {
    case 'add':
      return a.binary('add', x, y);
    case 'sub':
      return a.binary('sub', x, y);
    case 'avrg': {
      const sum = a.binary('add', x, y);
      const isNegative = a.binary('lshr', sum, a.int(I32, 31));
      return a.binary('ashr', a.binary('sub', a.binary('add', sum, a.int(I32, 1)), isNegative), a.int(I32, 1));
    }
    case 'absdiff':
      return a.select(below(), a.binary('sub', y, x), a.binary('sub', x, y));
    case 'min':
      return a.select(below(), x, y);
    default:
      return a.select(below(), y, x);
  }
}

const FIELD_COMPARISONS: Readonly<Record<string, IntPredicate>> = { eq: 'eq', ne: 'ne', lt: 'slt', le: 'sle', gt: 'sgt', ge: 'sge' };

function compareFields(a: Assembler, i: PtxInstruction, x: Operand, y: Operand): Operand {
  const predicate = FIELD_COMPARISONS[i.modifiers.find((modifier) => modifier in FIELD_COMPARISONS) ?? refuse(i)];
  return a.select(a.add({ op: 'icmp', type: I1, predicate, a: x, b: y }), a.int(I32, 1), a.int(I32, 0));
}

function clampField(a: Assembler, value: Operand, signed: boolean, bits: number): Operand {
  const [least, most] = signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  const bound = (from: Operand, limit: number, predicate: IntPredicate) =>
    a.select(a.add({ op: 'icmp', type: I1, predicate, a: from, b: a.int(I32, limit) }), a.int(I32, limit), from);
  return bound(bound(value, least, 'slt'), most, 'sgt');
}

/** not, and cnot, which is 1 of 0 and 0 of all else. */
function complement(a: Assembler, i: PtxInstruction) {
  const { type } = typeOf(i);
  const value = a.read(i.operands[1], type);
  if (i.name === 'not') return a.write(i.operands[0], a.binary('xor', value, a.int(type, -1)));
  const isZero = a.add({ op: 'icmp', type: I1, predicate: 'eq', a: value, b: a.int(type, 0) });
  a.write(i.operands[0], a.select(isZero, a.int(type, 1), a.int(type, 0)));
}

/** Without a mode the bytes that the selector names; the modes are tables of selectors by its two lowest bits. */
const PERMUTATIONS: Readonly<Record<string, readonly number[]>> = {
  f4e: [0x3210, 0x4321, 0x5432, 0x6543],
  b4e: [0x5670, 0x6701, 0x7012, 0x0123],
  rc8: [0x0000, 0x1111, 0x2222, 0x3333],
  ecl: [0x3210, 0x3211, 0x3222, 0x3333],
  ecr: [0x0000, 0x1110, 0x2210, 0x3210],
  rc16: [0x1010, 0x3232, 0x1010, 0x3232],
};

function permute(a: Assembler, i: PtxInstruction) {
  const [x, y, given] = values(a, i, typeOf(i));
  const mode = i.modifiers.find((modifier) => modifier in PERMUTATIONS);
  let selector = given;
  if (mode) {
    const low = a.binary('and', given, a.int(I32, 3));
    selector = PERMUTATIONS[mode].reduce<Operand>(
      (rest, pattern, k) => {
        const isThis = a.add({ op: 'icmp', type: I1, predicate: 'eq', a: low, b: a.int(I32, k) });
        return a.select(isThis, a.int(I32, pattern), rest);
      },
      a.int(I32, PERMUTATIONS[mode][0]),
    );
  }
  a.write(i.operands[0], a.call('llvm.nvvm.prmt', I32, [x, y, selector]));
}

function sameType(callee: (type: PtxType) => string): Entry['translate'] {
  return (a, i) => {
    const type = typeOf(i);
    a.write(i.operands[0], a.call(callee(type), type.type as Type, values(a, i, type)));
  };
}

export const INTEGER_INSTRUCTIONS: Readonly<Record<string, Entry>> = {
  addc: entry('cc', 3, (a, i) => carried(a, i, carryOf(a, i))),
  subc: entry('cc', 3, (a, i) => carried(a, i, carryOf(a, i))),
  madc: entry('lo hi cc', 4, multiplyAdd),
  mul24: entry('lo hi', 3, multiply24),
  mad24: entry('lo hi sat', 4, multiply24),
  rem: entry('', 3, simple('urem', 'srem')),
  and: entry('', 3, simple('and')),
  or: entry('', 3, simple('or')),
  xor: entry('', 3, simple('xor')),
  not: entry('', 2, complement),
  cnot: entry('', 2, complement),
  lop3: entry('', 5, lop3),
  shl: entry('', 3, shift),
  shr: entry('', 3, shift),
  shf: entry('l r clamp wrap', 4, funnelShift),
  popc: entry('', 2, count('llvm.ctpop')),
  clz: entry('', 2, count('llvm.ctlz', 0)),
  bfind: entry('shiftamt', 2, findHighest),
  brev: entry(
    '',
    2,
    sameType(({ bits }) => `llvm.bitreverse.i${bits}`),
  ),
  bfe: entry('', 4, extractField),
  bfi: entry('', 5, insertField),
  bmsk: entry('clamp wrap', 3, bitMask),
  szext: entry('clamp wrap', 3, extend),
  fns: entry(
    '',
    4,
    sameType(() => 'llvm.nvvm.fns'),
  ),
  prmt: entry(Object.keys(PERMUTATIONS).join(' '), 4, permute),
  sad: entry('', 4, sumOfDifferences),
  ...Object.fromEntries(
    ['add', 'sub', 'avrg', 'absdiff', 'min', 'max'].flatMap((name) => [2, 4].map((n) => [`v${name}${n}`, entry('sat add', 4, onFields)])),
  ),
  vset2: entry('add eq ne lt le gt ge', 4, onFields),
  vset4: entry('add eq ne lt le gt ge', 4, onFields),
  dp4a: entry('', 4, dotProduct),
  dp2a: entry('lo hi', 4, dotProduct),
};
