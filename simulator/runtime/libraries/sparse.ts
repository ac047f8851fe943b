/** Sparse matrices as lists of elements, in double precision: products and triangular solutions. */
import { CONJUGATED, PLAIN } from './dense.ts';
import { type Complex, type Matrix, matrix } from './numbers.ts';

/** Elements in any order; those at one place add up. */
export interface Triplets {
  readonly rows: number;
  readonly columns: number;
  readonly row: Float64Array;
  readonly column: Float64Array;
  readonly re: Float64Array;
  readonly im: Float64Array | undefined;
}

/** op(A). */
export function turned(a: Triplets, operation: number): Triplets {
  if (operation === PLAIN) return a;
  const im = operation === CONJUGATED ? a.im?.map((value) => -value) : a.im;
  return { rows: a.columns, columns: a.rows, row: a.column, column: a.row, re: a.re, im };
}

/** A b. */
export function sparseTimes(a: Triplets, b: Matrix): Matrix {
  const result = matrix(a.rows, b.columns, a.im !== undefined || b.im !== undefined);
  for (let column = 0; column < b.columns; column++) {
    const [from, to] = [column * b.rows, column * a.rows];
    for (let k = 0; k < a.re.length; k++) {
      const [at, source] = [to + a.row[k], from + a.column[k]];
      const [p, q, x, y] = [a.re[k], a.im?.[k] ?? 0, b.re[source], b.im?.[source] ?? 0];
      result.re[at] += result.im ? p * x - q * y : p * x;
      if (result.im) result.im[at] += p * y + q * x;
    }
  }
  return result;
}

/** A B, row by row, columns ascending; every place that a product falls on is kept, as in cuSPARSE. */
export function sparseProduct(a: Triplets, b: Triplets, alpha: Complex): Triplets {
  const [left, right] = [byRows(a), byRows(b)];
  const complex = a.im !== undefined || b.im !== undefined;
  const out: [number, number, number, number][] = [];
  for (let row = 0; row < a.rows; row++) {
    const sums = new Map<number, [number, number]>();
    for (const k of left[row]) {
      for (const j of right[a.column[k]]) {
        const sum = sums.get(b.column[j]) ?? [0, 0];
        const [p, q, x, y] = [a.re[k], a.im?.[k] ?? 0, b.re[j], b.im?.[j] ?? 0];
        sums.set(b.column[j], [sum[0] + p * x - q * y, sum[1] + p * y + q * x]);
      }
    }
    for (const [column, [x, y]] of [...sums].sort((s, t) => s[0] - t[0]))
      out.push([row, column, alpha.re * x - alpha.im * y, alpha.re * y + alpha.im * x]);
  }
  const part = (index: number) => Float64Array.from(out, (each) => each[index]);
  return { rows: a.rows, columns: b.columns, row: part(0), column: part(1), re: part(2), im: complex ? part(3) : undefined };
}

/** Indices of the elements of each row, in their order. */
function byRows(a: Triplets): number[][] {
  const rows = Array.from({ length: a.rows }, (): number[] => []);
  for (let k = 0; k < a.re.length; k++) rows[a.row[k]].push(k);
  return rows;
}

/** X with A X = b, of A's lower or upper triangle alone. */
export function solveTriangle(a: Triplets, b: Matrix, { lower, unit }: { readonly lower: boolean; readonly unit: boolean }): Matrix {
  const rows = byRows(a);
  const x = { ...b, re: b.re.slice(), im: b.im?.slice() };
  for (let column = 0; column < b.columns; column++) {
    const start = column * b.rows;
    for (let step = 0; step < a.rows; step++) {
      const row = lower ? step : a.rows - 1 - step;
      let [re, im, p, q] = [x.re[start + row], x.im?.[start + row] ?? 0, unit ? 1 : 0, 0];
      for (const k of rows[row]) {
        const at = a.column[k];
        const [u, v] = [a.re[k], a.im?.[k] ?? 0];
        if (at === row && !unit) [p, q] = [p + u, q + v];
        else if (at < row === lower && at !== row) {
          const [s, t] = [x.re[start + at], x.im?.[start + at] ?? 0];
          re -= u * s - v * t;
          im -= u * t + v * s;
        }
      }
      const size = p * p + q * q;
      x.re[start + row] = x.im ? (re * p + im * q) / size : re / p;
      if (x.im) x.im[start + row] = (im * p - re * q) / size;
    }
  }
  return x;
}
