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

/** Where the elements that lanes hold of A and B go: by register, lane and place in the register. Programs multiply millions of times. */
interface Places {
  readonly a: Int32Array;
  readonly b: Int32Array;
}

const PLACES = new WeakMap<MatrixProduct, Places>();

/** A by rows. B by rows, too, but by columns where whole numbers are summed. */
function placesOf(product: MatrixProduct): Places {
  let places = PLACES.get(product);
  if (!places) {
    const { m, n, k, sum } = product;
    const [aRegisters, bRegisters] = registersOf(product);
    const rows = m / 8;
    const a = tabulated(aRegisters, product.a, (lane, register, index, each) => {
      const row = (lane >> 2) + 8 * (register % rows);
      return row * k + Math.floor(register / rows) * 4 * each + (lane & 3) * each + index;
    });
    const b = tabulated(bRegisters, product.b, (lane, register, index, each) => {
      const [row, column] = [register * 4 * each + (lane & 3) * each + index, lane >> 2];
      return sum === 's32' ? column * k + row : row * n + column;
    });
    places = { a, b };
    PLACES.set(product, places);
  }
  return places;
}

function tabulated(
  registers: number,
  element: MatrixElement,
  placeOf: (lane: number, register: number, index: number, each: number) => number,
): Int32Array {
  const each = elementsPerRegister(element);
  return Int32Array.from({ length: registers * LANES * each }, (_, at) =>
    placeOf(Math.floor(at / each) % LANES, Math.floor(at / (each * LANES)), at % each, each),
  );
}

function elementsPerRegister(element: MatrixElement): number {
  return Math.max(1, 32 / ELEMENT_BITS[element]);
}

/** `inputs`: registers of A, B and C; `results`: those of D, which may be the same as C's. Writes the lanes of `mask`. */
export function multiplyMatrices(product: MatrixProduct, inputs: readonly Cell[], results: readonly Cell[], mask: number): void {
  const { m, n, k, sum } = product;
  const [aRegisters, bRegisters] = registersOf(product);
  const places = placesOf(product);
  const numbers = sum === 's32' ? Int32Array : Float64Array;
  const [a, b] = [new numbers(m * k), new numbers(k * n)];
  spread(product.a, inputs.slice(0, aRegisters), places.a, a);
  spread(product.b, inputs.slice(aRegisters, aRegisters + bRegisters), places.b, b);
  const c = inputs.slice(aRegisters + bRegisters);
  const values = Array.from({ length: (m * n) / LANES }, () => new Float64Array(LANES));
  const add = a instanceof Int32Array ? wholeAdder(product, a, b as Int32Array) : adder(product, a, b as Float64Array);
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

/** Of whole numbers, B by columns. Their sum without C's element has at most 24 bits. */
function wholeAdder({ k, bits }: MatrixProduct, a: Int32Array, b: Int32Array): (row: number, column: number, from: number) => number {
  if (bits === 'xor') {
    return (row, column, from) => {
      let total = 0;
      for (let l = 0, x = row * k, y = column * k; l < k; l++) total += a[x++] ^ b[y++];
      return from + total;
    };
  }
  return (row, column, from) => {
    let total = 0;
    for (let l = 0, x = row * k, y = column * k; l < k; l++) total = (total + Math.imul(a[x++], b[y++])) | 0;
    return from + total;
  };
}

/** The element of D in a row and column, given that of C. */
function adder(product: MatrixProduct, a: Float64Array, b: Float64Array): (row: number, column: number, from: number) => number {
  const { n, k, sum } = product;
  if (sum === 'f64') {
    return (row, column, from) => {
      let total = from;
      for (let l = 0; l < k; l++) total = fmaDouble(a[row * k + l], b[l * n + column], total);
      return total;
    };
  }
  const tensor = new TensorSum(product, a, b);
  return (row, column, from) => summed(tensor, row, column, from);
}

/** Puts what the lanes hold of a matrix in its place. */
function spread(element: MatrixElement, registers: readonly Cell[], places: Int32Array, to: Float64Array | Int32Array): void {
  const each = elementsPerRegister(element);
  let at = 0;
  for (const cell of registers) {
    for (let lane = 0; lane < LANES; lane++) {
      for (let index = 0; index < each; index++) to[places[at++]] = decoded(element, cell, lane, index);
    }
  }
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
