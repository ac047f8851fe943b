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
    const places = Array.from({ length: k }, (_, l) => l);
    this.order = Int32Array.from(isByte ? [...places.filter((l) => l % 4 < 2), ...places.filter((l) => l % 4 >= 2)] : places);
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
    const [a, b, k, n] = [this.#a, this.#b, this.#k, this.#n];
    let highest = from === 0 ? ZERO : Math.max(exponentOf(from), this.#leastOfSum);
    let plain = from;
    for (let at = first; at < first + this.step; at++) {
      const [left, right] = [row * k + this.order[at], this.order[at] * n + column];
      plain += a[left] * b[right];
      highest = Math.max(highest, this.#aExponents[left] + this.#bExponents[right]);
    }
    if (!Number.isFinite(plain)) return plain;
    if (highest <= ZERO / 2) return 0;
    const scale = 2 ** (KEPT_BITS - highest);
    let sum = Math.trunc(from * scale);
    for (let at = first; at < first + this.step; at++) {
      sum += Math.trunc(a[row * k + this.order[at]] * b[this.order[at] * n + column] * scale);
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

function exponentsOf(values: Float64Array, least: number): Int32Array {
  return Int32Array.from(values, (value) => (value === 0 ? ZERO : Math.max(exponentOf(value), least)));
}

const double = new DataView(new ArrayBuffer(8));

function exponentOf(value: number): number {
  double.setFloat64(0, value);
  return ((double.getUint16(0) >>> 4) & 0x7ff) - 1023;
}

const LEAST_OVERFLOW = 2 ** 128;
const single = new DataView(new ArrayBuffer(4));

function cutToSingle(value: number): number {
  if (Math.abs(value) >= LEAST_OVERFLOW) return value * Number.POSITIVE_INFINITY;
  const nearest = Math.fround(value);
  if (Math.abs(nearest) <= Math.abs(value)) return nearest;
  single.setFloat32(0, nearest);
  single.setInt32(0, single.getInt32(0) - 1);
  return single.getFloat32(0);
}
