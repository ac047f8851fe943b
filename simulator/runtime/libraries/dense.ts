/** Linear algebra on dense matrices of doubles: sums are rounded once, to the type of the result, when it is written. */
import { type Complex, type Matrix, matrix } from './numbers.ts';

/** cublasOperation_t. */
export const PLAIN = 0;
export const TRANSPOSED = 1;
export const CONJUGATED = 2;

export const ONE: Complex = { re: 1, im: 0 };

/** op(A). */
export function applied(a: Matrix, operation: number): Matrix {
  if (operation === PLAIN) return a;
  const result = matrix(a.columns, a.rows, a.im !== undefined);
  const sign = operation === CONJUGATED ? -1 : 1;
  for (let column = 0; column < a.columns; column++) {
    for (let row = 0; row < a.rows; row++) {
      result.re[column + row * a.columns] = a.re[row + column * a.rows];
      if (a.im) result.im![column + row * a.columns] = sign * a.im[row + column * a.rows];
    }
  }
  return result;
}

/** a * b. */
export function multiply(a: Matrix, b: Matrix): Matrix {
  const complex = a.im !== undefined || b.im !== undefined;
  const result = matrix(a.rows, b.columns, complex);
  // Rows of a lie together, as columns of b do.
  const rows = applied(a, TRANSPOSED);
  result.re.set(products(rows.re, b.re, a));
  if (!complex) return result;
  const add = (x: Float64Array | undefined, y: Float64Array | undefined, to: Float64Array, sign: number) => {
    if (!x || !y) return;
    products(x, y, a).forEach((value, k) => {
      to[k] += sign * value;
    });
  };
  add(rows.im, b.im, result.re, -1);
  add(rows.re, b.im, result.im!, 1);
  add(rows.im, b.re, result.im!, 1);
  return result;
}

/** Sums over k of x[k, i] y[k, j], for all i and j. */
function products(
  x: Float64Array,
  y: Float64Array,
  { rows, columns: depth }: { readonly rows: number; readonly columns: number },
): Float64Array {
  const columns = depth === 0 ? 0 : y.length / depth;
  const result = new Float64Array(rows * columns);
  for (let column = 0; column < columns; column++) {
    const b = y.subarray(column * depth, (column + 1) * depth);
    for (let row = 0; row < rows; row++) {
      const start = row * depth;
      let [even, odd] = [0, 0];
      let k = 0;
      for (; k + 1 < depth; k += 2) {
        even += x[start + k] * b[k];
        odd += x[start + k + 1] * b[k + 1];
      }
      if (k < depth) even += x[start + k] * b[k];
      result[row + column * rows] = even + odd;
    }
  }
  return result;
}

/** alpha * a + beta * b; b is not looked at where beta is 0. */
export function combined(alpha: Complex, a: Matrix, beta: Complex, b: Matrix | undefined): Matrix {
  const complex = a.im !== undefined || b?.im !== undefined;
  const result = matrix(a.rows, a.columns, complex);
  const add = ({ re, im }: Complex, from: Matrix) => {
    for (let k = 0; k < result.re.length; k++) {
      const [x, y] = [from.re[k], from.im?.[k] ?? 0];
      result.re[k] += re * x - (im === 0 ? 0 : im * y);
      if (complex) result.im![k] += re * y + im * x;
    }
  };
  add(alpha, a);
  if (b && (beta.re !== 0 || beta.im !== 0)) add(beta, b);
  return result;
}

/** The whole of a matrix of which one triangle is stored: `mirror` for symmetric and Hermitian ones, zeros for triangular ones. */
export function fromTriangle(
  a: Matrix,
  {
    upper,
    mirror,
    unit = false,
  }: { readonly upper: boolean; readonly mirror: 'symmetric' | 'hermitian' | 'none'; readonly unit?: boolean },
): Matrix {
  const n = a.rows;
  const result = matrix(n, n, a.im !== undefined);
  for (let column = 0; column < n; column++) {
    for (let row = 0; row < n; row++) {
      const stored = row === column || row < column === upper;
      if (!stored && mirror === 'none') continue;
      const from = stored ? row + column * n : column + row * n;
      const sign = mirror !== 'hermitian' || (stored && row !== column) ? 1 : row === column ? 0 : -1;
      result.re[row + column * n] = unit && row === column ? 1 : a.re[from];
      if (a.im) result.im![row + column * n] = unit && row === column ? 0 : sign * a.im[from];
    }
  }
  return result;
}

/** X with a X = b, a being triangular: from the first unknown on if a is lower. */
export function solve(a: Matrix, b: Matrix, lower: boolean): Matrix {
  const n = a.rows;
  const x = { ...b, re: b.re.slice(), im: b.im?.slice() };
  for (let column = 0; column < b.columns; column++) {
    const start = column * n;
    for (let step = 0; step < n; step++) {
      const row = lower ? step : n - 1 - step;
      let [re, im] = [x.re[start + row], x.im?.[start + row] ?? 0];
      for (let k = lower ? 0 : row + 1; k < (lower ? row : n); k++) {
        const [p, q] = [a.re[row + k * n], a.im?.[row + k * n] ?? 0];
        const [u, v] = [x.re[start + k], x.im?.[start + k] ?? 0];
        re -= p * u - q * v;
        im -= p * v + q * u;
      }
      const [p, q] = [a.re[row + row * n], a.im?.[row + row * n] ?? 0];
      const size = p * p + q * q;
      x.re[start + row] = a.im ? (re * p + im * q) / size : re / p;
      if (x.im) x.im[start + row] = (im * p - re * q) / size;
    }
  }
  return x;
}
