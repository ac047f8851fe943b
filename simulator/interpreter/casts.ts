/** Conversions between scalar types. Floats to integers saturate and take NaN to 0, as PTX's cvt.rzi does. */

import { heldPointer } from '../ir/address-map.ts';
import type { CastOp } from '../ir/types.ts';
import { type Cell, getBits, type Leaf, setBits } from '../machine/cells.ts';
import { forLanes } from '../machine/lanes.ts';
import { reader, writer } from './floats.ts';
import { truncateTo } from './integers.ts';
import { loopTable } from './lane-loop.ts';

/** Converts the lanes of a mask from one cell to another. */
export type CastLanes = (mask: number, to: Cell, from: Cell) => void;

const loops = loopTable();

/** undefined where the bits do not change: the value is moved as it is. */
export function castLanes(op: CastOp, from: Leaf, to: Leaf): CastLanes | undefined {
  switch (op) {
    case 'trunc':
    case 'zext':
    case 'ptrtoint':
      return resize(from, to, false);
    case 'inttoptr':
      return from.bits > 32 ? holdPointer(from) : resize(from, to, false);
    case 'sext':
      return resize(from, to, true);
    case 'fptrunc':
    case 'fpext':
      return floatToFloat(from, to);
    case 'fptosi':
      return floatToInt(from, to, true);
    case 'fptoui':
      return floatToInt(from, to, false);
    case 'sitofp':
      return intToFloat(from, to, true);
    case 'uitofp':
      return intToFloat(from, to, false);
    case 'bitcast':
    case 'addrspacecast':
      return undefined;
  }
}

function resize(from: Leaf, to: Leaf, signed: boolean): CastLanes | undefined {
  if (from.bits <= 32 && to.bits <= 32) {
    if (!signed && to.bits >= from.bits) return undefined;
    const shift = 32 - from.bits;
    const fit = truncateTo(to.bits);
    const loop = loops(`resize ${signed} ${from.bits} ${to.bits}`, 1, () => (signed ? (a) => fit(a << shift >> shift) : fit)); // biome-ignore format: sign extension
    return (mask, target, source) => loop(mask, target.i, source.i);
  }
  if (from.bits <= 32 && to.bits <= 64) {
    const shift = 32 - from.bits;
    const unused = 64 - to.bits;
    return (mask, target, source) => extendToPair(mask, target.i, source.i, signed ? shift : undefined, unused);
  }
  if (from.bits <= 64 && from.bits > 32 && to.bits <= 32) {
    const fit = truncateTo(to.bits);
    return (mask, target, source) => {
      for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) target.i[lane] = fit(source.i[2 * lane]);
    };
  }
  return (mask, target, source) => {
    forLanes(mask, (lane) => {
      const value = getBits(source, from.kind, lane);
      setBits(target, to.kind, lane, BigInt.asUintN(to.bits, signed ? BigInt.asIntN(from.bits, value) : value));
    });
  };
}

function holdPointer(from: Leaf): CastLanes {
  return (mask, target, source) => {
    forLanes(mask, (lane) => {
      target.i[lane] = heldPointer(getBits(source, from.kind, lane));
    });
  };
}

/** Widens 32-bit words to pairs; `shift` sign-extends from 32 - shift bits, `unused` high bits of the result stay zero. */
function extendToPair(mask: number, to: Int32Array, from: Int32Array, shift: number | undefined, unused: number): void {
  for (let lane = 0; lane < 32; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    const value = shift === undefined ? from[lane] : (from[lane] << shift) >> shift;
    to[2 * lane] = value;
    to[2 * lane + 1] = shift === undefined ? 0 : ((value >> 31) << unused) >>> unused;
  }
}

function floatToFloat(from: Leaf, to: Leaf): CastLanes {
  const read = readNumber(from);
  const write = writeNumber(to);
  return (mask, target, source) => forLanes(mask, (lane) => write(target, lane, read(source, lane)));
}

function floatToInt(from: Leaf, to: Leaf, signed: boolean): CastLanes {
  const read = readNumber(from);
  if (to.bits <= 32) {
    const low = signed ? -(2 ** (to.bits - 1)) : 0;
    const high = signed ? 2 ** (to.bits - 1) - 1 : 2 ** to.bits - 1;
    const fit = truncateTo(to.bits);
    return (mask, target, source) => {
      forLanes(mask, (lane) => {
        const value = read(source, lane);
        target.i[lane] = Number.isNaN(value) ? 0 : fit(Math.min(high, Math.max(low, Math.trunc(value))));
      });
    };
  }
  return (mask, target, source) => {
    forLanes(mask, (lane) => setBits(target, to.kind, lane, saturateWide(read(source, lane), to.bits, signed)));
  };
}

/** A number rounded towards zero as bits of an integer type, the nearest end of its range if it is outside. */
export function saturateWide(value: number, bits: number, signed: boolean): bigint {
  if (Number.isNaN(value)) return 0n;
  const low = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const high = (1n << BigInt(signed ? bits - 1 : bits)) - 1n;
  if (value === Number.POSITIVE_INFINITY) return BigInt.asUintN(bits, high);
  if (value === Number.NEGATIVE_INFINITY) return BigInt.asUintN(bits, low);
  const exact = BigInt(Math.trunc(value));
  return BigInt.asUintN(bits, exact < low ? low : exact > high ? high : exact);
}

function intToFloat(from: Leaf, to: Leaf, signed: boolean): CastLanes {
  const write = writeNumber(to);
  if (from.bits <= 32) {
    const shift = 32 - from.bits;
    return (mask, target, source) => {
      forLanes(mask, (lane) => write(target, lane, signed ? (source.i[lane] << shift) >> shift : source.i[lane] >>> 0));
    };
  }
  const single = to.bits < 64;
  return (mask, target, source) => {
    forLanes(mask, (lane) => {
      const bits = getBits(source, from.kind, lane);
      const value = signed ? BigInt.asIntN(from.bits, bits) : bits;
      write(target, lane, single ? oddDouble(value) : Number(value));
    });
  };
}

/** A double near an integer from which rounding to a shorter format gives the same as rounding the integer itself. */
export function oddDouble(value: bigint): number {
  const negative = value < 0n;
  const magnitude = negative ? -value : value;
  const drop = Math.max(0, magnitude.toString(2).length - 53);
  const kept = magnitude >> BigInt(drop);
  const sticky = drop > 0 && kept << BigInt(drop) !== magnitude ? 1n : 0n;
  const number = Number((kept | sticky) << BigInt(drop));
  return negative ? -number : number;
}

function readNumber(leaf: Leaf): (cell: Cell, lane: number) => number {
  if (leaf.kind === 'f64') return (cell, lane) => cell.d[lane];
  if (leaf.kind === 'f32') return (cell, lane) => cell.f[lane];
  const convert = leaf.type.kind === 'float' ? reader(leaf.type.format) : undefined;
  if (!convert) throw new Error('not a floating-point value');
  return (cell, lane) => convert(cell.i[lane]);
}

function writeNumber(leaf: Leaf): (cell: Cell, lane: number, value: number) => void {
  if (leaf.kind === 'f64') {
    return (cell, lane, value) => {
      cell.d[lane] = value;
    };
  }
  if (leaf.kind === 'f32') {
    return (cell, lane, value) => {
      cell.f[lane] = value;
    };
  }
  const convert = leaf.type.kind === 'float' ? writer(leaf.type.format) : undefined;
  if (!convert) throw new Error('not a floating-point value');
  return (cell, lane, value) => {
    cell.i[lane] = convert(value);
  };
}
