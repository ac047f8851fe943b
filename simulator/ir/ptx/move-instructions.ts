/** PTX's moves, conversions, comparisons and selections (PTX ISA 9.0, "Data Movement and Conversion", "Comparison and Selection"). */
import { I1, I32, I64, intType, pointerType } from '../type-table.ts';
import type { AddressSpace, Operand } from '../types.ts';
import type { Assembler } from './assembler.ts';
import { call, directionOf, suffixOf } from './float-instructions.ts';
import { type Entry, entry, has, pairOf, refuse, typeOf, typesOf } from './instruction.ts';
import type { PtxInstruction, PtxOperand } from './syntax.ts';
import { floatPredicate, intPredicate, type PtxType, widthOf } from './types.ts';

const I16 = intType(16);

function move(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const [to, from] = i.operands;
  if (to.kind === 'vector' && from.kind === 'vector' && i.modifiers.length === 2) {
    to.elements.forEach((element, k) => {
      a.write(element, a.read(from.elements[k], type.type));
    });
    return;
  }
  // The register keeps the type of what is moved: a pointer stays one.
  if (from.kind === 'parameter' || from.kind === 'register') {
    const value = a.raw(from);
    if (widthOf(value.type) === type.bits) return a.write(to, value);
  }
  a.write(to, a.read(from, type.type));
}

/** The space that a generic address is converted to, or from. */
function convertAddress(a: Assembler, i: PtxInstruction) {
  const space = spaceOf(i) ?? refuse(i);
  const [to, from] = i.operands;
  const [source, target] = has(i, 'to') ? ([0, space] as const) : ([space, 0] as const);
  const value = a.raw(from);
  const start = value.type.kind === 'ptr' && value.type.space === source ? value : a.pointer(from, source);
  const pointer = a.add({ op: 'addrspacecast', type: pointerType(target), a: start });
  a.write(to, a.add({ op: 'ptrtoint', type: has(i, 'u32') ? I32 : I64, a: pointer }));
}

export const SPACES: Readonly<Record<string, AddressSpace>> = {
  global: 1,
  shared: 3,
  'shared::cta': 3,
  'shared::cluster': 3,
  const: 4,
  local: 5,
};

export function spaceOf({ modifiers }: PtxInstruction): AddressSpace | undefined {
  return modifiers.map((modifier) => SPACES[modifier]).find((space) => space !== undefined);
}

const COMPARISONS = 'eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan';

function compared(a: Assembler, i: PtxInstruction, type: PtxType): Operand {
  const comparison = i.modifiers[0];
  const [x, y] = i.operands.slice(1, 3).map((operand) => a.read(operand, type.type));
  const result = type.type.kind === 'vector' ? refuse(i) : I1;
  if (type.kind === 'f') return a.add({ op: 'fcmp', type: result, predicate: floatPredicate(comparison) ?? refuse(i), a: x, b: y });
  return a.add({ op: 'icmp', type: result, predicate: intPredicate(comparison, type) ?? refuse(i), a: x, b: y });
}

const COMBINATIONS = { and: 'and', or: 'or', xor: 'xor' } as const;

function combined(a: Assembler, i: PtxInstruction, truth: Operand): Operand {
  const how = i.modifiers.find((modifier): modifier is keyof typeof COMBINATIONS => modifier in COMBINATIONS);
  return how ? a.binary(how, truth, a.read(i.operands[3] ?? refuse(i), I1)) : truth;
}

/** setp p|q: q is the comparison's opposite, combined in the same way. */
function setPredicate(a: Assembler, i: PtxInstruction) {
  const type = typeOf(i);
  const truth = compared(a, i, type);
  const [p, q] = pairOf(i.operands[0]);
  a.write(p, combined(a, i, truth));
  if (q) a.write(q, combined(a, i, a.binary('xor', truth, a.int(I1, 1))));
}

/** set.Cmp.dtype.stype: all bits set, or 1.0. */
function setValue(a: Assembler, i: PtxInstruction) {
  const [to, from] = typesOf(i);
  const truth = combined(a, i, compared(a, i, from ?? refuse(i)));
  if (to.kind === 'f') return a.write(i.operands[0], a.add({ op: 'uitofp', type: to.type, a: truth }));
  a.write(i.operands[0], a.add({ op: 'sext', type: to.type, a: truth }));
}

function select(a: Assembler, i: PtxInstruction) {
  const { type } = typeOf(i);
  const [x, y] = i.operands.slice(1, 3).map((operand) => a.read(operand, type));
  a.write(i.operands[0], a.select(a.read(i.operands[3], I1), x, y));
}

/** slct.dtype.ctype d, a, b, c: a where c >= 0. */
function selectBySign(a: Assembler, i: PtxInstruction) {
  const [type, by] = typesOf(i);
  const [x, y] = i.operands.slice(1, 3).map((operand) => a.read(operand, type.type));
  const c = a.read(i.operands[3], by.type);
  const condition =
    by.kind === 'f'
      ? a.add({ op: 'fcmp', type: I1, predicate: 'oge', a: c, b: { kind: 'float', type: by.type, bits: 0n } })
      : a.add({ op: 'icmp', type: I1, predicate: 'sge', a: c, b: a.int(by.type, 0) });
  a.write(i.operands[0], a.select(condition, x, y));
}

const INTEGRAL: Readonly<Record<string, string>> = { rni: 'llvm.rint', rzi: 'llvm.trunc', rmi: 'llvm.floor', rpi: 'llvm.ceil' };

/** Pairs of floats of 8 bits, as simulator/include/cuda_fp8.h numbers them. */
const EIGHT_BITS: ReadonlyMap<string, number> = new Map([
  ['e4m3x2', 0],
  ['e5m2x2', 1],
]);

/** cvt.rn.satfinite.e4m3x2.f32 d, high, low, and cvt.rn.f16x2.e4m3x2 d, pair. */
function convertEightBits(a: Assembler, i: PtxInstruction) {
  const at = i.modifiers.findIndex((modifier) => EIGHT_BITS.has(modifier));
  const kind = a.int(I32, EIGHT_BITS.get(i.modifiers[at]) ?? 0);
  if (has(i, 'relu')) return refuse(i);
  if (i.modifiers[at + 1] === 'f32' && has(i, 'satfinite')) {
    const { type } = typeOf(i);
    const [high, low] = [a.read(i.operands[1], type), a.read(i.operands[2] ?? refuse(i), type)];
    const pair = a.call('__lanewise_fp8_pair', I32, [low, high, kind, a.int(I32, 1)]);
    return a.write(i.operands[0], a.convert(pair, I16));
  }
  if (i.modifiers[at - 1] !== 'f16x2') return refuse(i);
  const pair = a.convert(a.read(i.operands[1], I16), I32);
  const [low, high] = [0, 8].map((by) =>
    a.call('__lanewise_fp8_half', I32, [a.binary('and', a.binary('lshr', pair, a.int(I32, by)), a.int(I32, 0xff)), kind]),
  );
  a.write(i.operands[0], a.binary('or', low, a.binary('shl', high, a.int(I32, 16))));
}

/** cvt.pack.sat.u8.s32.b32 d, a, b, c: both clamped, a above b, and c above them; of 16 bits there is no c. */
function pack(a: Assembler, i: PtxInstruction, to: PtxType, from: PtxType) {
  if (from.name !== 's32' || to.bits > 16) return refuse(i);
  const [least, most] = to.kind === 's' ? [-(2 ** (to.bits - 1)), 2 ** (to.bits - 1) - 1] : [0, 2 ** to.bits - 1];
  const clamped = (operand: PtxOperand) => {
    const low = a.call('llvm.smax.i32', I32, [a.read(operand, I32), a.int(I32, least)]);
    return a.binary('and', a.call('llvm.smin.i32', I32, [low, a.int(I32, most)]), a.int(I32, 2 ** to.bits - 1));
  };
  const pair = a.binary('or', a.binary('shl', clamped(i.operands[1]), a.int(I32, to.bits)), clamped(i.operands[2] ?? refuse(i)));
  const above = i.operands[3] && to.bits === 8 ? a.binary('shl', a.read(i.operands[3], I32), a.int(I32, 16)) : a.int(I32, 0);
  a.write(i.operands[0], a.binary('or', above, pair));
}

function convert(a: Assembler, i: PtxInstruction) {
  const [to, from] = typesOf(i);
  if (i.modifiers.some((modifier) => EIGHT_BITS.has(modifier))) return convertEightBits(a, i);
  if (!from || has(i, 'satfinite')) return refuse(i);
  if (has(i, 'pack')) return pack(a, i, to, from);
  if (to.name.endsWith('x2')) return packHalves(a, i, to, from);
  if (to.name === 'tf32') return a.write(i.operands[0], roundToTf32(a, a.read(i.operands[1], I32)));
  const value = a.read(i.operands[1], from.type);
  if (from.kind === 'f') return to.kind === 'f' ? betweenFloats(a, i, to, from, value) : toInteger(a, i, to, from, value);
  if (to.kind === 'f') return fromInteger(a, i, to, from, value);
  betweenIntegers(a, i, to, from, value);
}

function betweenIntegers(a: Assembler, i: PtxInstruction, to: PtxType, from: PtxType, value: Operand) {
  if (has(i, 'sat')) {
    const wide = intType(2 * Math.max(to.bits, from.bits));
    const whole = a.add({ op: from.kind === 's' ? 'sext' : 'zext', type: wide, a: value });
    const [least, most] =
      to.kind === 's' ? [-(1n << BigInt(to.bits - 1)), (1n << BigInt(to.bits - 1)) - 1n] : [0n, (1n << BigInt(to.bits)) - 1n];
    const low = a.call(`llvm.smax.${suffixOf(wide)}`, wide, [whole, a.int(wide, least)]);
    const cut = a.call(`llvm.smin.${suffixOf(wide)}`, wide, [low, a.int(wide, most)]);
    return a.write(i.operands[0], a.add({ op: 'trunc', type: to.type, a: cut }), to.kind === 's');
  }
  if (to.bits === from.bits) return a.write(i.operands[0], value, to.kind === 's');
  const op = to.bits < from.bits ? 'trunc' : from.kind === 's' ? 'sext' : 'zext';
  a.write(i.operands[0], a.add({ op, type: to.type, a: value }), to.kind === 's');
}

/** Out of range gives the nearest integer, NaN gives 0. */
function toInteger(a: Assembler, i: PtxInstruction, to: PtxType, from: PtxType, value: Operand) {
  const rounding = i.modifiers.map((modifier) => INTEGRAL[modifier]).find((name) => name !== undefined) ?? refuse(i);
  const whole = call(a, rounding, from.type, [value]);
  const callee = `llvm.fpto${to.kind === 's' ? 's' : 'u'}i.sat.${suffixOf(to.type)}.${suffixOf(from.type)}`;
  a.write(i.operands[0], a.call(callee, to.type, [whole]), to.kind === 's');
}

function fromInteger(a: Assembler, i: PtxInstruction, to: PtxType, from: PtxType, value: Operand) {
  const direction = directionOf(i);
  const op = from.kind === 's' ? 'sitofp' : 'uitofp';
  if (!direction || (to.name === 'f64' && from.bits <= 32)) return a.write(i.operands[0], a.add({ op, type: to.type, a: value }));
  const target = { f32: 'float', f64: 'double' }[to.name] ?? refuse(i);
  const name = `${from.kind === 's' ? '' : 'u'}${from.bits === 64 ? 'll' : 'int'}`;
  const whole = from.bits < 32 ? a.add({ op: from.kind === 's' ? 'sext' : 'zext', type: I32, a: value }) : value;
  a.write(i.operands[0], a.call(`__nv_${name}2${target}_${direction}`, to.type, [whole]));
}

function betweenFloats(a: Assembler, i: PtxInstruction, to: PtxType, from: PtxType, value: Operand) {
  const integral = i.modifiers.map((modifier) => INTEGRAL[modifier]).find((name) => name !== undefined);
  let result = integral ? call(a, integral, from.type, [value]) : value;
  const direction = directionOf(i);
  if (to.bits > from.bits) result = a.add({ op: 'fpext', type: to.type, a: result });
  else if (to.bits < from.bits) {
    if (direction && !(to.name === 'f32' && from.name === 'f64')) return refuse(i);
    result = direction ? a.call(`__nv_double2float_${direction}`, to.type, [result]) : a.add({ op: 'fptrunc', type: to.type, a: result });
  } else if (to.name !== from.name) return refuse(i);
  if (has(i, 'sat'))
    result = a.call(`llvm.nvvm.saturate.${to.name === 'f32' ? 'f' : to.name === 'f64' ? 'd' : to.name}`, to.type, [result]);
  if (has(i, 'relu')) result = call(a, 'llvm.maxnum', to.type, [result, { kind: 'float', type: to.type, bits: 0n }]);
  a.write(i.operands[0], result);
}

/** cvt.rn.f16x2.f32 d, high, low. */
function packHalves(a: Assembler, i: PtxInstruction, to: PtxType, from: PtxType) {
  if (to.type.kind !== 'vector' || from.name !== 'f32' || i.operands.length !== 3 || directionOf(i)) return refuse(i);
  const { element } = to.type;
  let packed: Operand = { kind: 'undef', type: to.type };
  [i.operands[2], i.operands[1]].forEach((operand, k) => {
    let part = a.add({ op: 'fptrunc', type: element, a: a.read(operand, from.type) });
    if (has(i, 'relu')) part = call(a, 'llvm.maxnum', element, [part, { kind: 'float', type: element, bits: 0n }]);
    packed = a.add({ op: 'insertelement', type: to.type, vector: packed, value: part, index: a.int(I32, k) });
  });
  a.write(i.operands[0], packed);
}

/** Ten bits of fraction stay: to the nearest, ties away from zero. Infinities and NaN are kept. */
function roundToTf32(a: Assembler, bits: Operand): Operand {
  const rounded = a.binary('and', a.binary('add', bits, a.int(I32, 0x1000)), a.int(I32, 0xffffe000));
  const exponent = a.binary('and', bits, a.int(I32, 0x7f800000));
  const ordinary = a.add({ op: 'icmp', type: I1, predicate: 'ne', a: exponent, b: a.int(I32, 0x7f800000) });
  return a.select(ordinary, rounded, bits);
}

function inSpace(a: Assembler, i: PtxInstruction) {
  const space = i.modifiers.map((modifier) => modifier.replace('::cta', '')).find((modifier) => modifier in SPACES) ?? refuse(i);
  a.write(i.operands[0], a.call(`llvm.nvvm.isspacep.${space}`, I1, [a.pointer(i.operands[1], 0)]));
}

const SPACE_WORDS = Object.keys(SPACES).join(' ');

export const MOVE_INSTRUCTIONS: Readonly<Record<string, Entry>> = {
  mov: entry('v2 v4', 2, move),
  cvta: entry(`to ${SPACE_WORDS}`, 2, convertAddress),
  isspacep: entry(SPACE_WORDS, 2, inSpace),
  setp: entry(`${COMPARISONS} and or xor ftz`, [3, 4], setPredicate),
  set: entry(`${COMPARISONS} and or xor ftz`, [3, 4], setValue),
  selp: entry('', 4, select),
  slct: entry('ftz', 4, selectBySign),
  cvt: entry('rn rna rz rm rp rni rzi rmi rpi ftz sat satfinite relu pack e4m3x2 e5m2x2', [2, 4], convert),
};
