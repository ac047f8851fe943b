/**
 * D = A B + C of matrices whose elements the lanes of a warp hold, by the layouts of PTX's mma, with an H200's roundings: f64 is summed by
 * fused multiply-adds in ascending order of k, other numbers as tensor-sum.ts says.
 */
import { ELEMENT_BITS, type MatrixElement, type MatrixProduct, registersOf } from '../ir/intrinsics/matrices.ts';
import { fmaDouble } from '../ir/math/fma.ts';
import { type Cell, LANES } from './cells.ts';
import { bfloatToNumber, halfToNumber, numberToHalf } from './half.ts';
import { summed, TensorSum } from './tensor-sum.ts';

const word = new DataView(new ArrayBuffer(4));

function decoded(element: MatrixElement, cell: Cell, lane: number, index: number): number {
  if (element === 'f64') return cell.d[lane];
  const bits = ELEMENT_BITS[element];
  const value = (cell.i[lane] >>> (bits * index)) & (bits === 32 ? -1 : (1 << bits) - 1);
  switch (element) {
    case 'f16':
      return halfToNumber(value);
    case 'bf16':
      return bfloatToNumber(value);
    case 'tf32':
      // The lowest bits are not looked at.
      word.setInt32(0, value & 0xffffe000);
      return word.getFloat32(0);
    case 's8':
      return (value << 24) >> 24;
    case 'u8':
      return value;
    case 's4':
      return (value << 28) >> 28;
    case 'u4':
    case 'b1':
      return value;
    case 'e5m2':
      return halfToNumber(value << 8);
    case 'e4m3':
      return smallestFloat(value);
  }
}

/** Four bits of exponent, three of fraction; no infinities. */
function smallestFloat(bits: number): number {
  const sign = bits & 0x80 ? -1 : 1;
  const exponent = (bits >>> 3) & 15;
  const fraction = bits & 7;
  if (exponent === 15 && fraction === 7) return Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -9 : sign * (8 + fraction) * 2 ** (exponent - 10);
}

/** `inputs`: registers of A, B and C; `results`: those of D, which may be the same as C's. Writes the lanes of `mask`. */
export function multiplyMatrices(product: MatrixProduct, inputs: readonly Cell[], results: readonly Cell[], mask: number): void {
  const { m, n, k, sum } = product;
  const [aRegisters, bRegisters] = registersOf(product);
  const a = new Float64Array(m * k);
  const b = new Float64Array(k * n);
  spread(product.a, inputs.slice(0, aRegisters), (lane, register, index, each) => {
    const rows = m / 8;
    const row = (lane >> 2) + 8 * (register % rows);
    return row * k + Math.floor(register / rows) * 4 * each + (lane & 3) * each + index;
  }, a); // biome-ignore format: one expression for each matrix
  spread(product.b, inputs.slice(aRegisters, aRegisters + bRegisters), (lane, register, index, each) => {
    const row = register * 4 * each + (lane & 3) * each + index;
    return row * n + (lane >> 2);
  }, b); // biome-ignore format: one expression for each matrix
  const c = inputs.slice(aRegisters + bRegisters);
  const values = Array.from({ length: (m * n) / LANES }, () => new Float64Array(LANES));
  const add = adder(product, a, b);
  values.forEach((of, place) => {
    for (let lane = 0; lane < LANES; lane++) {
      const row = (lane >> 2) + 8 * (place >> 1);
      const column = 2 * (lane & 3) + (place & 1);
      of[lane] = add(row, column, held(sum, c, lane, place));
    }
  });
  values.forEach((of, place) => {
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      hold(product, results, { lane, place }, of[lane]);
    }
  });
}

/** The element of D in a row and column, given that of C. */
function adder(product: MatrixProduct, a: Float64Array, b: Float64Array): (row: number, column: number, from: number) => number {
  const { n, k, sum, bits } = product;
  if (sum === 'f64') {
    return (row, column, from) => {
      let total = from;
      for (let l = 0; l < k; l++) total = fmaDouble(a[row * k + l], b[l * n + column], total);
      return total;
    };
  }
  if (sum !== 's32') {
    const tensor = new TensorSum(product, a, b);
    return (row, column, from) => summed(tensor, row, column, from);
  }
  return (row, column, from) => {
    let total = from;
    for (let l = 0; l < k; l++) {
      const [x, y] = [a[row * k + l], b[l * n + column]];
      total += bits === 'xor' ? x ^ y : x * y;
    }
    return total;
  };
}

/** Puts what the lanes hold of a matrix in its place. */
function spread(
  element: MatrixElement,
  registers: readonly Cell[],
  placeOf: (lane: number, register: number, index: number, each: number) => number,
  to: Float64Array,
): void {
  const each = Math.max(1, 32 / ELEMENT_BITS[element]);
  registers.forEach((cell, register) => {
    for (let lane = 0; lane < LANES; lane++) {
      for (let index = 0; index < each; index++) to[placeOf(lane, register, index, each)] = decoded(element, cell, lane, index);
    }
  });
}

function held(sum: MatrixProduct['sum'], cells: readonly Cell[], lane: number, place: number): number {
  if (sum === 'f64') return cells[place].d[lane];
  if (sum === 'f32') return cells[place].f[lane];
  if (sum === 's32') return cells[place].i[lane];
  return halfToNumber((cells[place >> 1].i[lane] >>> (16 * (place & 1))) & 0xffff);
}

function hold(
  { sum, saturates }: MatrixProduct,
  cells: readonly Cell[],
  { lane, place }: { lane: number; place: number },
  value: number,
): void {
  if (sum === 'f64') cells[place].d[lane] = value;
  else if (sum === 'f32') {
    if (Number.isNaN(value)) cells[place].i[lane] = 0x7fffffff;
    else cells[place].f[lane] = value;
  } else if (sum === 's32') cells[place].i[lane] = saturates ? Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, value)) : (value % 2 ** 32) | 0;
  else {
    const shift = 16 * (place & 1);
    const words = cells[place >> 1].i;
    words[lane] = (words[lane] & ~(0xffff << shift)) | (numberToHalf(value) << shift);
  }
}
