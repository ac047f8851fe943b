/**
 * Products of matrices by a warpgroup (PTX ISA 9.0, "Asynchronous wgmma"), of which each of the four warps computes 16 rows: as products of
 * warps (`mma`), whose layouts of registers are the same, of what the descriptors say lies in shared memory. They are done at once, which is
 * one of the orders that hardware allows. Sparse matrices and single bits are refused.
 */
import { type MatrixElement, type MatrixProduct, matrixName, registersOf } from '../intrinsics/matrices.ts';
import { intrinsicOf } from '../intrinsics.ts';
import { floatType, I1, I32, I64, intType, pointerType, structType } from '../type-table.ts';
import type { Operand, Type } from '../types.ts';
import type { Assembler } from './assembler.ts';
import { type Entry, entry, has, refuse } from './instruction.ts';
import type { PtxInstruction, PtxOperand } from './syntax.ts';
import { widthOf } from './types.ts';

const I16 = intType(16);
/** Rows of a product of a warpgroup, of a warp and of one register. */
const ROWS = { warpgroup: 64, warp: 16, register: 8 };
const COLUMNS = 8;
/** Bytes of a row or column that one product needs, of any type. */
const DEPTH_BYTES = 32;

/** By the mode in a descriptor's highest bits (none, 128, 64, 32 bytes), four bits each: which bits of an address are exchanged, and how many. */
const SWIZZLE_MASKS = 0x1370;
const SWIZZLE_BITS = 0x1230;

/** What a matrix descriptor says ("Matrix Descriptor Format"), in bytes. */
interface Descriptor {
  readonly start: Operand;
  readonly leading: Operand;
  readonly stride: Operand;
  readonly mask: Operand;
  readonly bits: Operand;
  readonly isPlain: Operand;
}

/** Which lane of the warp this is: of the row or column of eight, and of the four that share one. */
interface Lane {
  readonly of8: Operand;
  readonly of4: Operand;
}

function descriptor(a: Assembler, operand: PtxOperand): Descriptor {
  const whole = a.read(operand, I64);
  const [low, high] = [0, 32].map((from) => a.convert(a.binary('lshr', whole, a.int(I64, from)), I32));
  const field = (word: Operand, from: number) =>
    a.binary('shl', a.binary('and', a.binary('lshr', word, a.int(I32, from)), a.int(I32, 0x3fff)), a.int(I32, 4));
  const mode = a.binary('lshr', high, a.int(I32, 30));
  const table = (values: number) =>
    a.binary('and', a.binary('lshr', a.int(I32, values), a.binary('shl', mode, a.int(I32, 2))), a.int(I32, 7));
  return {
    start: field(low, 0),
    leading: field(low, 16),
    stride: field(high, 0),
    mask: table(SWIZZLE_MASKS),
    bits: table(SWIZZLE_BITS),
    isPlain: a.add({ op: 'icmp', type: I1, predicate: 'eq', a: mode, b: a.int(I32, 0) }),
  };
}

function sum(a: Assembler, ...terms: readonly Operand[]): Operand {
  return terms.reduce((total, term) => a.binary('add', total, term));
}

/** Loads from where the swizzled address is. */
function load(a: Assembler, { mask }: Descriptor, address: Operand, type: Type): Operand {
  const exchanged = a.binary('and', a.binary('lshr', address, a.int(I32, 7)), mask);
  const place = a.binary('xor', address, a.binary('shl', exchanged, a.int(I32, 4)));
  const pointer = a.add({ op: 'inttoptr', type: pointerType(3), a: place });
  return a.add({ op: 'load', type, pointer, align: widthOf(type) / 8, volatile: false });
}

/** Registers of eight rows of A or columns of B, the `group`th of the matrix: the lower half of the depth, then the upper. */
function fragment(a: Assembler, from: Descriptor, { group, lane, turned }: { group: Operand; lane: Lane; turned: boolean }): Operand[] {
  const { start, leading, stride, mask, bits, isPlain } = from;
  const pitch = a.binary('shl', sum(a, mask, a.int(I32, 1)), a.int(I32, 4));
  if (!turned) {
    const row = a.binary('add', a.binary('mul', group, stride), a.binary('mul', lane.of8, pitch));
    const first = sum(a, start, row, a.binary('shl', lane.of4, a.int(I32, 2)));
    const half = a.select(isPlain, leading, a.int(I32, DEPTH_BYTES / 2));
    return [first, sum(a, first, half)].map((address) => load(a, from, address, I32));
  }
  const [across, deep] = [a.select(isPlain, stride, leading), a.select(isPlain, leading, stride)];
  const piece = a.binary('mul', a.binary('lshr', group, bits), across);
  const within = a.binary('shl', a.binary('and', group, mask), a.int(I32, 4));
  const first = sum(a, start, piece, within, a.binary('shl', lane.of8, a.int(I32, 1)));
  return [first, sum(a, first, deep)].map((half) => {
    const low = sum(a, half, a.binary('mul', a.binary('shl', lane.of4, a.int(I32, 1)), pitch));
    const [lower, upper] = [low, sum(a, low, pitch)].map((address) => a.convert(load(a, from, address, I16), I32));
    return a.binary('or', lower, a.binary('shl', upper, a.int(I32, 16)));
  });
}

const SIGNS: Readonly<Partial<Record<MatrixElement, number>>> = {
  ...{ f16: 0x80008000, bf16: 0x80008000, tf32: 0x80000000, e4m3: 0x80808080, e5m2: 0x80808080 },
};

/** A factor of 1 or -1, which is part of the instruction. */
function signed(a: Assembler, i: PtxInstruction, { scale, element }: { scale: PtxOperand | undefined; element: MatrixElement }) {
  const factor = scale ? a.read(scale, I32) : a.int(I32, 1);
  if (factor.kind !== 'int') return refuse(i);
  const isNegative = BigInt.asIntN(32, factor.value) < 0n;
  return (registers: readonly Operand[]): readonly Operand[] =>
    isNegative ? registers.map((register) => a.binary('xor', register, a.int(I32, SIGNS[element] ?? 0))) : registers;
}

function isSet(a: Assembler, i: PtxInstruction, operand: PtxOperand | undefined): boolean {
  if (!operand) return false;
  const value = a.read(operand, I32);
  return value.kind === 'int' ? value.value !== 0n : refuse(i);
}

/** A predicate, or a number. */
function truth(a: Assembler, operand: PtxOperand): Operand {
  if (operand.kind === 'integer') return a.int(I1, operand.value === 0n ? 0 : 1);
  if (operand.kind === 'not') return a.read(operand, I1);
  const value = a.raw(operand);
  return widthOf(value.type) === 1 ? value : a.add({ op: 'icmp', type: I1, predicate: 'ne', a: value, b: a.int(value.type, 0) });
}

function productOf(i: PtxInstruction): { readonly n: number; readonly product: MatrixProduct } {
  const shape = /^m64n(\d+)k(\d+)$/.exec(i.modifiers.find((modifier) => /^m\d/.test(modifier)) ?? '') ?? refuse(i);
  const [n, k] = shape.slice(1).map(Number);
  const saturates = has(i, 'satfinite');
  const [of, left, right] = i.modifiers.filter((modifier) => modifier !== 'satfinite').slice(-3);
  const elements = { a: left as MatrixElement, b: right as MatrixElement, sum: of as MatrixProduct['sum'] };
  const product = { m: ROWS.warp, n: COLUMNS, k, ...elements, saturates };
  if (n % COLUMNS !== 0 || n > 256 || !intrinsicOf(matrixName(product)) || left === 'f64') return refuse(i);
  return { n, product };
}

/** wgmma.mma_async d, a, b, scale-d{, sign of a, sign of b}{, a is turned}{, b is turned}: a is a descriptor or registers, b a descriptor. */
function multiply(a: Assembler, i: PtxInstruction) {
  const { n, product } = productOf(i);
  const [d, left, right, scale, ...immediates] = i.operands;
  const [, , perTile] = registersOf(product);
  const tiles = n / COLUMNS;
  if (d.kind !== 'vector' || d.elements.length !== tiles * perTile || !scale) return refuse(i);
  const isHeld = left.kind === 'vector';
  const isFloat = product.sum !== 's32';
  const [signOfA, signOfB, ...turns] = isFloat ? immediates : [undefined, undefined, ...immediates];
  const [turnedA, turnedB] = (isHeld ? [undefined, ...turns] : turns).map((operand) => isSet(a, i, operand));
  const number = a.call('llvm.nvvm.read.ptx.sreg.laneid', I32, []);
  const lane: Lane = { of8: a.binary('lshr', number, a.int(I32, 2)), of4: a.binary('and', number, a.int(I32, 3)) };
  const negatedA = signed(a, i, { scale: signOfA, element: product.a });
  const negatedB = signed(a, i, { scale: signOfB, element: product.b });
  const rows = negatedA(isHeld ? left.elements.map((part) => a.read(part, I32)) : loadedRows(a, left, { lane, turned: turnedA ?? false }));
  const from = descriptor(a, right);
  const keeps = truth(a, scale);
  const sums = product.sum === 'f32' ? floatType('float') : I32;
  const zero: Operand = sums === I32 ? a.int(I32, 0) : { kind: 'float', type: sums, bits: 0n };
  const results = structType(new Array<Type>(perTile).fill(sums), false);
  for (let tile = 0; tile < tiles; tile++) {
    const columns = negatedB(fragment(a, from, { group: a.int(I32, tile), lane, turned: turnedB ?? false }));
    const registers = d.elements.slice(tile * perTile, (tile + 1) * perTile);
    const before = registers.map((register) => a.select(keeps, a.read(register, sums), zero));
    const whole = a.call(matrixName(product), results, [a.int(I32, -1), ...rows, ...columns, ...before]);
    registers.forEach((register, index) => {
      a.write(register, a.add({ op: 'extractvalue', type: sums, aggregate: whole, path: [index] }));
    });
  }
}

/** The warp's 16 rows, in the order of mma's registers: eight rows and eight more of the lower half of the depth, then of the upper. */
function loadedRows(a: Assembler, operand: PtxOperand, { lane, turned }: { lane: Lane; turned: boolean }): Operand[] {
  const from = descriptor(a, operand);
  const warps = a.int(I32, ROWS.warpgroup / ROWS.warp - 1);
  const warp = a.binary('and', a.call('llvm.nvvm.read.ptx.sreg.warpid', I32, []), warps);
  const first = a.binary('shl', warp, a.int(I32, 1));
  const [upper, lower] = [first, sum(a, first, a.int(I32, 1))].map((group) => fragment(a, from, { group, lane, turned }));
  return [upper[0], lower[0], upper[1], lower[1]];
}

function act(a: Assembler, i: PtxInstruction) {
  if (has(i, 'fence') || has(i, 'commit_group') || has(i, 'wait_group')) return;
  if (!has(i, 'mma_async') || has(i, 'sp')) return refuse(i);
  multiply(a, i);
}

const SHAPES = [8, 16, 32].flatMap((k) => Array.from({ length: 32 }, (_, n) => `m64n${8 * (n + 1)}k${k}`)).join(' ');

export const WARPGROUP_INSTRUCTIONS: Readonly<Record<string, Entry>> = {
  wgmma: entry(`mma_async fence commit_group wait_group sync aligned satfinite e4m3 e5m2 ${SHAPES}`, [0, 8], act),
};
