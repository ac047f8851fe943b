/** Batches of small systems: LU factors with or without row exchanges, inverses and solutions from them. */
import { type Element, INT32, type Layout, type Matrix, matrix } from '../numbers.ts';
import { type Blas, type Call, STATUS, TYPES } from './blas.ts';
import { pointerAt } from './products.ts';

/** Sizes that cuBLAS inverts directly. */
const MOST_DIRECT = 32;

/** a[to] -= (x + iy) a[from], where each names an element. */
function subtract({ re, im }: Matrix, to: number, from: number, [x, y]: readonly [number, number]): void {
  const [p, q] = [re[from], im?.[from] ?? 0];
  re[to] -= x * p - y * q;
  if (im) im[to] -= x * q + y * p;
}

function quotient(a: Matrix, over: number, under: number, of: Matrix = a): [number, number] {
  const [p, q, x, y] = [a.re[over], a.im?.[over] ?? 0, of.re[under], of.im?.[under] ?? 0];
  const size = x * x + y * y;
  return a.im || of.im ? [(p * x + q * y) / size, (q * x - p * y) / size] : [p / x, 0];
}

function exchangeRows({ re, im, rows, columns }: Matrix, a: number, b: number): void {
  if (a === b) return;
  for (let column = 0; column < columns; column++) {
    const [p, q] = [a + column * rows, b + column * rows];
    [re[p], re[q]] = [re[q], re[p]];
    if (im) [im[p], im[q]] = [im[q], im[p]];
  }
}

/** Factors a in place. The rows that were exchanged, counted from 1, and the number of the first pivot that is zero, or 0. */
function factor(a: Matrix, exchanges: boolean): { pivots: Float64Array; singular: number } {
  const n = a.rows;
  const pivots = new Float64Array(n);
  let singular = 0;
  for (let k = 0; k < n; k++) {
    let best = k;
    const size = (row: number) => Math.abs(a.re[row + k * n]) + Math.abs(a.im?.[row + k * n] ?? 0);
    if (exchanges) for (let row = k + 1; row < n; row++) if (size(row) > size(best)) best = row;
    pivots[k] = best + 1;
    exchangeRows(a, k, best);
    if (size(k) === 0) {
      singular ||= k + 1;
      continue;
    }
    for (let row = k + 1; row < n; row++) {
      const ratio = quotient(a, row + k * n, k + k * n);
      a.re[row + k * n] = ratio[0];
      if (a.im) a.im[row + k * n] = ratio[1];
      for (let column = k + 1; column < n; column++) subtract(a, row + column * n, k + column * n, ratio);
    }
  }
  return { pivots, singular };
}

/** x with a x = b, a being factored: in place of b. */
function solveFactored(a: Matrix, pivots: Float64Array | undefined, b: Matrix): void {
  const n = a.rows;
  for (const [k, row] of (pivots ?? []).entries()) exchangeRows(b, k, row - 1);
  const element = (row: number, column: number): [number, number] => [a.re[row + column * n], a.im?.[row + column * n] ?? 0];
  for (let column = 0; column < b.columns; column++) {
    const start = column * n;
    for (let k = 0; k < n; k++) for (let row = k + 1; row < n; row++) subtract(b, start + row, start + k, element(row, k));
    for (let k = n - 1; k >= 0; k--) {
      const value = quotient(b, start + k, k + k * n, a);
      b.re[start + k] = value[0];
      if (b.im) b.im[start + k] = value[1];
      for (let row = 0; row < k; row++) subtract(b, start + row, start + k, element(row, k));
    }
  }
}

function identity(n: number, complex: boolean): Matrix {
  const result = matrix(n, n, complex);
  for (let k = 0; k < n; k++) result.re[k * (n + 1)] = 1;
  return result;
}

export function factorCalls(blas: Blas, letter: keyof typeof TYPES): Readonly<Record<string, Call>> {
  const type: Element = TYPES[letter];
  const { operands, context } = blas;
  const each = (array: number, k: number, rows: number, columns: number, ld: number): { layout: Layout; value: Matrix } =>
    blas.matrix(type, rows, columns, pointerAt(context, array + 8 * k), ld);
  const integers = (address: number, count: number) => blas.vector(INT32, count, address, 1);
  const report = (info: number, k: number, value: number) => blas.put(INT32, info + 4 * k, { re: value, im: 0 });
  const pivotsOf = (pivots: number, k: number, n: number) => (pivots === 0 ? undefined : integers(pivots + 4 * k * n, n).value.re);
  return {
    [`cublas${letter}getrfBatched`]: (n, array, lda, pivots, info, count) => {
      for (let k = 0; k < count; k++) {
        const { layout, value } = each(array, k, n, n, lda);
        const done = factor(value, pivots !== 0);
        operands.write(type, layout, value);
        if (pivots !== 0)
          operands.write(INT32, integers(pivots + 4 * k * n, n).layout, { rows: n, columns: 1, re: done.pivots, im: undefined });
        report(info, k, done.singular);
      }
      return STATUS.success;
    },
    [`cublas${letter}getriBatched`]: (n, array, lda, pivots, results, ldc, info, count) => {
      for (let k = 0; k < count; k++) {
        const a = each(array, k, n, n, lda).value;
        const zero = Array.from({ length: n }, (_, at) => at * (n + 1)).findIndex((at) => a.re[at] === 0 && !a.im?.[at]);
        const inverse = identity(n, type.complex);
        solveFactored(a, pivotsOf(pivots, k, n), inverse);
        if (zero < 0) operands.write(type, each(results, k, n, n, ldc).layout, inverse);
        report(info, k, zero + 1);
      }
      return STATUS.success;
    },
    [`cublas${letter}getrsBatched`]: (operation, n, columns, array, lda, pivots, rights, ldb, info, count) => {
      if (operation !== 0) return STATUS.notSupported;
      for (let k = 0; k < count; k++) {
        const right = each(rights, k, n, columns, ldb);
        solveFactored(each(array, k, n, n, lda).value, pivotsOf(pivots, k, n), right.value);
        operands.write(type, right.layout, right.value);
      }
      report(info, 0, 0);
      return STATUS.success;
    },
    [`cublas${letter}matinvBatched`]: (n, array, lda, results, ldc, info, count) => {
      if (n > MOST_DIRECT) return STATUS.invalidValue;
      for (let k = 0; k < count; k++) {
        const a = each(array, k, n, n, lda).value;
        const { pivots, singular } = factor(a, true);
        const inverse = identity(n, type.complex);
        solveFactored(a, pivots, inverse);
        if (singular === 0) operands.write(type, each(results, k, n, n, ldc).layout, inverse);
        report(info, k, singular);
      }
      return STATUS.success;
    },
  };
}
