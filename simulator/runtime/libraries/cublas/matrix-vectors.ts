/** Level 2 of BLAS: matrices and vectors. */

import { applied, fromTriangle, multiply, ONE, PLAIN, solve, TRANSPOSED } from '../dense.ts';
import { type Matrix, matrix } from '../numbers.ts';
import { type Blas, type Call, REAL, STATUS, TYPES, triangle, UNIT, UPPER } from './blas.ts';
import { pointerAt } from './products.ts';

/** Level 2. */
export function matrixVectorCalls(blas: Blas, letter: keyof typeof TYPES): Readonly<Record<string, Call>> {
  const type = TYPES[letter];
  const { operands } = blas;
  const outer =
    (conjugated: boolean) =>
    (m: number, n: number, alpha: number, x: number, incx: number, y: number, incy: number, a: number, lda: number) => {
      const product = multiply(
        blas.vector(type, m, x, incx).value,
        applied(blas.vector(type, n, y, incy).value, conjugated ? 2 : TRANSPOSED),
      );
      blas.update(type, { address: a, rows: m, columns: n, stride: lda }, operands.scalar(type, alpha), product, ONE);
      return STATUS.success;
    };
  const mirror = type.complex ? 'hermitian' : 'symmetric';
  const triangular = (change: (a: Matrix, x: Matrix, lower: boolean) => Matrix): Call => {
    return (uplo, operation, unit, n, a, lda, x, incx) => {
      const upper = uplo === UPPER;
      const whole = fromTriangle(blas.matrix(type, n, n, a, lda).value, { upper, mirror: 'none', unit: unit === UNIT });
      const vector = blas.vector(type, n, x, incx);
      operands.write(type, vector.layout, change(applied(whole, operation), vector.value, upper !== (operation === PLAIN)));
      return STATUS.success;
    };
  };
  const bySymmetric = (of: 'symmetric' | 'hermitian'): Call => {
    return (uplo, n, alpha, a, lda, x, incx, beta, y, incy) => {
      const whole = fromTriangle(blas.matrix(type, n, n, a, lda).value, { upper: uplo === UPPER, mirror: of });
      const product = multiply(whole, blas.vector(type, n, x, incx).value);
      blas.update(type, blas.vector(type, n, y, incy).layout, operands.scalar(type, alpha), product, operands.scalar(type, beta));
      return STATUS.success;
    };
  };
  const calls: Record<string, Call> = {
    [`cublas${letter}gemv`]: (operation, m, n, alpha, a, lda, x, incx, beta, y, incy) => {
      const [rows, columns] = operation === PLAIN ? [m, n] : [n, m];
      const product = multiply(blas.operand(type, operation, rows, columns, a, lda), blas.vector(type, columns, x, incx).value);
      blas.update(type, blas.vector(type, rows, y, incy).layout, operands.scalar(type, alpha), product, operands.scalar(type, beta));
      return STATUS.success;
    },
    [`cublas${letter}trmv`]: triangular((a, x) => multiply(a, x)),
    [`cublas${letter}trsv`]: triangular(solve),
    [`cublas${letter}${type.complex ? 'hemv' : 'symv'}`]: bySymmetric(mirror),
    [`cublas${letter}${type.complex ? 'her' : 'syr'}`]: (uplo, n, alpha, x, incx, a, lda) => {
      const vector = blas.vector(type, n, x, incx).value;
      const product = multiply(vector, applied(vector, type.complex ? 2 : TRANSPOSED));
      blas.update(
        type,
        { address: a, rows: n, columns: n, stride: lda },
        operands.scalar(REAL[letter], alpha),
        product,
        ONE,
        triangle(uplo),
      );
      return STATUS.success;
    },
  };
  const gemv = calls[`cublas${letter}gemv`];
  calls[`cublas${letter}gemvBatched`] = (operation, m, n, alpha, a, lda, x, incx, beta, y, incy, count) => {
    const at = (array: number, k: number) => pointerAt(blas.context, array + 8 * k);
    for (let k = 0; k < count; k++) gemv(operation, m, n, alpha, at(a, k), lda, at(x, k), incx, beta, at(y, k), incy);
    return STATUS.success;
  };
  calls[`cublas${letter}gemvStridedBatched`] = (operation, m, n, alpha, a, lda, sa, x, incx, sx, beta, y, incy, sy, count) => {
    const at = (array: number, stride: number, k: number) => array + k * stride * type.bytes;
    for (let k = 0; k < count; k++) gemv(operation, m, n, alpha, at(a, sa, k), lda, at(x, sx, k), incx, beta, at(y, sy, k), incy);
    return STATUS.success;
  };
  if (type.complex) {
    calls[`cublas${letter}geru`] = outer(false);
    calls[`cublas${letter}gerc`] = outer(true);
  } else Object.assign(calls, { [`cublas${letter}ger`]: outer(false) }, storedCalls(blas, letter));
  return calls;
}

/** Real matrices of which a band or one packed triangle is stored, and the symmetric update by two vectors. */
function storedCalls(blas: Blas, letter: keyof typeof TYPES): Readonly<Record<string, Call>> {
  const type = TYPES[letter];
  const { operands } = blas;
  const times = (a: Matrix, alpha: number, x: number, incx: number, beta: number, y: number, incy: number): number => {
    const product = multiply(a, blas.vector(type, a.columns, x, incx).value);
    blas.update(type, blas.vector(type, a.rows, y, incy).layout, operands.scalar(type, alpha), product, operands.scalar(type, beta));
    return STATUS.success;
  };
  /** The whole of a matrix with `above` diagonals over the main one, which is row `above` of what is stored, and `below` under it. */
  const banded = (rows: number, columns: number, below: number, above: number, address: number, ld: number): Matrix => {
    const band = blas.matrix(type, below + above + 1, columns, address, ld).value;
    const whole = matrix(rows, columns, false);
    for (let column = 0; column < columns; column++)
      for (let row = Math.max(0, column - above); row < Math.min(rows, column + below + 1); row++)
        whole.re[row + column * rows] = band.re[above + row - column + column * band.rows];
    return whole;
  };
  const symmetric = (a: Matrix, uplo: number): Matrix => fromTriangle(a, { upper: uplo === UPPER, mirror: 'symmetric' });
  return {
    [`cublas${letter}gbmv`]: (operation, m, n, below, above, alpha, a, lda, x, incx, beta, y, incy) =>
      times(applied(banded(m, n, below, above, a, lda), operation), alpha, x, incx, beta, y, incy),
    [`cublas${letter}sbmv`]: (uplo, n, k, alpha, a, lda, x, incx, beta, y, incy) =>
      times(symmetric(uplo === UPPER ? banded(n, n, 0, k, a, lda) : banded(n, n, k, 0, a, lda), uplo), alpha, x, incx, beta, y, incy),
    [`cublas${letter}spmv`]: (uplo, n, alpha, packed, x, incx, beta, y, incy) => {
      const values = blas.vector(type, (n * (n + 1)) / 2, packed, 1).value.re;
      const whole = matrix(n, n, false);
      for (let column = 0, k = 0; column < n; column++) {
        const [first, last] = uplo === UPPER ? [0, column] : [column, n - 1];
        for (let row = first; row <= last; row++) whole.re[row + column * n] = values[k++];
      }
      return times(symmetric(whole, uplo), alpha, x, incx, beta, y, incy);
    },
    [`cublas${letter}syr2`]: (uplo, n, alpha, x, incx, y, incy, a, lda) => {
      const [p, q] = [blas.vector(type, n, x, incx).value, blas.vector(type, n, y, incy).value];
      const product = multiply(p, applied(q, TRANSPOSED));
      const turned = applied(product, TRANSPOSED);
      const sum = { ...product, re: product.re.map((value, k) => value + turned.re[k]) };
      blas.update(type, { address: a, rows: n, columns: n, stride: lda }, operands.scalar(type, alpha), sum, ONE, triangle(uplo));
      return STATUS.success;
    },
  };
}
