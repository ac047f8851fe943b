/**
 * How an H200's tensor cores add products of floating-point numbers, as measured (test/fixtures/hardware/device): products are exact; those
 * of one step and C are cut off 25 bits below the largest exponent, added exactly, and the sum is cut off to f32 or rounded to f16. A step
 * is a whole instruction. 8-bit numbers go through two steps, first the lower two of every four neighbours in k, then the others,
 * and C is added after them.
 */
import type { MatrixProduct } from '../ir/intrinsics/matrices.ts';
import { halfToNumber, numberToHalf } from './half.ts';

/** Bits that stay below the largest exponent. */
const KEPT_BITS = 25;

type Factors = Pick<MatrixProduct, 'm' | 'n' | 'k' | 'a' | 'b' | 'sum'>;

export class TensorSum {
  /** Places in k, in the order in which they are added. */
  readonly order: Int32Array;
  readonly step: number;
  readonly toHalf: boolean;
  readonly #a: Float64Array;
  readonly #b: Float64Array;
  readonly #aExponents: Int32Array;
  readonly #bExponents: Int32Array;
  readonly #k: number;
  readonly #n: number;
  readonly #leastOfSum: number;

  constructor({ n, k, a: element, sum }: Factors, a: Float64Array, b: Float64Array) {
    const isByte = element === 'e4m3' || element === 'e5m2';
    this.order = orderOf(k, isByte);
    this.step = isByte ? k / 2 : k;
    this.toHalf = sum === 'f16';
    const least = element === 'bf16' || element === 'tf32' ? -126 : -14;
    this.#leastOfSum = this.toHalf ? -14 : -126;
    [this.#a, this.#b, this.#k, this.#n] = [a, b, k, n];
    this.#aExponents = exponentsOf(a, least);
    this.#bExponents = exponentsOf(b, least);
  }

  /** The sum of `from` and one step's products, of the places from `first` on. */
  add(row: number, column: number, first: number, from: number): number {
    const { order } = this;
    const [a, b, n, aExponents, bExponents] = [this.#a, this.#b, this.#n, this.#aExponents, this.#bExponents];
    const [start, end] = [row * this.#k, first + this.step];
    let highest = from === 0 ? ZERO : Math.max(exponentOf(from), this.#leastOfSum);
    let plain = from;
    for (let at = first; at < end; at++) {
      const place = order[at];
      const [left, right] = [start + place, place * n + column];
      plain += a[left] * b[right];
      const exponent = aExponents[left] + bExponents[right];
      if (exponent > highest) highest = exponent;
    }
    if (!Number.isFinite(plain)) return plain;
    if (highest <= ZERO / 2) return 0;
    const scale = POWERS[KEPT_BITS - highest + MOST_POWER];
    let sum = Math.trunc(from * scale);
    for (let at = first; at < end; at++) {
      const place = order[at];
      sum += Math.trunc(a[start + place] * b[place * n + column] * scale);
    }
    const result = sum / scale;
    return (this.toHalf ? halfToNumber(numberToHalf(result)) : cutToSingle(result)) || 0;
  }
}

/** One element of D. */
export function summed(tensor: TensorSum, row: number, column: number, from: number): number {
  const { order, step } = tensor;
  if (step === order.length) return tensor.add(row, column, 0, from);
  const products = tensor.add(row, column, step, tensor.add(row, column, 0, 0));
  return tensor.toHalf ? halfToNumber(numberToHalf(from + products)) : Math.fround(from + products);
}

/** An exponent below all others, of 0. */
const ZERO = -4096;

/** Those that scale sums, whose exponents are from -252 to 256. */
const MOST_POWER = 300;
const POWERS = Float64Array.from({ length: 2 * MOST_POWER + 1 }, (_, at) => 2 ** (at - MOST_POWER));

const ORDERS = new Map<string, Int32Array>();

/** 8-bit numbers are added in two steps. */
function orderOf(k: number, isByte: boolean): Int32Array {
  const key = `${k} ${isByte}`;
  let order = ORDERS.get(key);
  if (!order) {
    const places = Array.from({ length: k }, (_, l) => l);
    order = Int32Array.from(isByte ? [...places.filter((l) => l % 4 < 2), ...places.filter((l) => l % 4 >= 2)] : places);
    ORDERS.set(key, order);
  }
  return order;
}

function exponentsOf(values: Float64Array, least: number): Int32Array {
  const exponents = new Int32Array(values.length);
  for (let at = 0; at < values.length; at++) exponents[at] = values[at] === 0 ? ZERO : Math.max(exponentOf(values[at]), least);
  return exponents;
}

const double = new Float64Array(1);
/** Of little-endian memory, which WebAssembly's is. */
const words = new Int32Array(double.buffer);

function exponentOf(value: number): number {
  double[0] = value;
  return ((words[1] >>> 20) & 0x7ff) - 1023;
}

const LEAST_OVERFLOW = 2 ** 128;
const single = new Float32Array(1);
const singleBits = new Int32Array(single.buffer);

function cutToSingle(value: number): number {
  if (Math.abs(value) >= LEAST_OVERFLOW) return value * Number.POSITIVE_INFINITY;
  single[0] = value;
  if (Math.abs(single[0]) > Math.abs(value)) singleBits[0]--;
  return single[0];
}
