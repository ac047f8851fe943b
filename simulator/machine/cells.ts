/**
 * Where a warp's values live: one cell per scalar of an SSA value, 32 lanes side by side. Aggregates and vectors are their scalars,
 * in order. All views of a cell lie over the same bytes, so that moving a value never looks at what it means (a NaN keeps its bits).
 */

import { heldPointer } from '../ir/address-map.ts';
import { elementAt, storeSizeOf } from '../ir/layout.ts';
import type { Type } from '../ir/types.ts';

export const LANES = 32;

/** How a scalar is held. Integers up to 32 bits, pointers and the 16-bit float formats (as bits) are `i32`, zero-extended. */
export type CellKind = 'i32' | 'i64' | 'i128' | 'f32' | 'f64';

export interface Cell {
  /** 32-bit words: lane for 32-bit kinds, 2 * lane (low) and 2 * lane + 1 (high) for 64-bit ones. */
  readonly i: Int32Array;
  readonly f: Float32Array;
  readonly d: Float64Array;
  /** 64-bit words: lane for 64-bit kinds, 2 * lane and 2 * lane + 1 for i128. */
  readonly q: BigUint64Array;
  readonly s: BigInt64Array;
}

/** A scalar part of a type. */
export interface Leaf {
  readonly type: Exclude<Type, { kind: 'vector' | 'array' | 'struct' | 'void' }>;
  readonly kind: CellKind;
  /** Width of the value; of an integer its declared bits. */
  readonly bits: number;
  /** Bytes from the start of the whole type in memory. */
  readonly offset: number;
  /** Bytes in memory. */
  readonly bytes: number;
}

const WORDS: Readonly<Record<CellKind, number>> = { i32: 1, f32: 1, i64: 2, f64: 2, i128: 4 };
const leafCache = new WeakMap<Type, readonly Leaf[]>();

export function leavesOf(type: Type): readonly Leaf[] {
  let leaves = leafCache.get(type);
  if (!leaves) {
    leaves = collectLeaves(type, 0);
    leafCache.set(type, leaves);
  }
  return leaves;
}

export function createCell(kind: CellKind): Cell {
  const bytes = new ArrayBuffer(LANES * 4 * WORDS[kind]);
  return {
    i: new Int32Array(bytes),
    f: new Float32Array(bytes),
    d: new Float64Array(bytes),
    q: new BigUint64Array(bytes),
    s: new BigInt64Array(bytes),
  };
}

/** A cell with the same bits in every lane. */
export function constantCell(kind: CellKind, bits: bigint): Cell {
  const cell = createCell(kind);
  for (let lane = 0; lane < LANES; lane++) setBits(cell, kind, lane, bits);
  return cell;
}

/** The value of a lane as zero-extended bits. */
export function getBits(cell: Cell, kind: CellKind, lane: number): bigint {
  if (WORDS[kind] === 1) return BigInt(cell.i[lane] >>> 0);
  if (WORDS[kind] === 2) return cell.q[lane];
  return cell.q[2 * lane] | (cell.q[2 * lane + 1] << 64n);
}

export function setBits(cell: Cell, kind: CellKind, lane: number, bits: bigint): void {
  if (WORDS[kind] === 1) cell.i[lane] = Number(bits & 0xffffffffn);
  else if (WORDS[kind] === 2) cell.q[lane] = bits;
  else {
    cell.q[2 * lane] = bits;
    cell.q[2 * lane + 1] = bits >> 64n;
  }
}

/** Bits of a scalar as they lie in memory to those that are held. */
export function heldBits({ type, bits }: Leaf, memory: bigint): bigint {
  return type.kind === 'ptr' ? BigInt(heldPointer(memory)) : BigInt.asUintN(bits, memory);
}

/** Copies the lanes of `mask` from one cell to another of the same size. */
export function copyLanes(to: Cell, from: Cell, mask: number): void {
  const target = to.i;
  const source = from.i;
  const words = target.length >> 5;
  if (mask === -1) target.set(source);
  else if (words === 1) {
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      target[lane] = source[lane];
    }
  } else {
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const first = (31 - Math.clz32(rest & -rest)) * words;
      for (let word = first; word < first + words; word++) target[word] = source[word];
    }
  }
}

/** True if two cells hold the same bits in the lanes of `mask`. */
export function sameLanes(a: Cell, b: Cell, mask: number): boolean {
  const words = a.i.length >> 5;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const first = (31 - Math.clz32(rest & -rest)) * words;
    for (let word = first; word < first + words; word++) if (a.i[word] !== b.i[word]) return false;
  }
  return true;
}

/** Copies one lane's value into another lane. */
export function copyLane(to: Cell, toLane: number, from: Cell, fromLane: number): void {
  const words = to.i.length >> 5;
  for (let word = 0; word < words; word++) to.i[toLane * words + word] = from.i[fromLane * words + word];
}

function collectLeaves(type: Type, offset: number): Leaf[] {
  switch (type.kind) {
    case 'void':
      return [];
    case 'vector':
    case 'array':
    case 'struct': {
      const count = type.kind === 'struct' ? type.fields.length : type.count;
      const leaves: Leaf[] = [];
      for (let index = 0; index < count; index++) {
        const element = elementAt(type, index);
        leaves.push(...collectLeaves(element.type, offset + element.offset));
      }
      return leaves;
    }
    default:
      return [{ type, kind: kindOf(type), bits: bitsOf(type), offset, bytes: storeSizeOf(type) }];
  }
}

function kindOf(type: Leaf['type']): CellKind {
  if (type.kind === 'float') return type.format === 'double' ? 'f64' : type.format === 'float' ? 'f32' : 'i32';
  if (type.kind === 'ptr' || type.bits <= 32) return 'i32';
  return type.bits <= 64 ? 'i64' : 'i128';
}

function bitsOf(type: Leaf['type']): number {
  if (type.kind === 'int') return type.bits;
  if (type.kind === 'ptr') return 32;
  return { half: 16, bfloat: 16, float: 32, double: 64 }[type.format];
}
