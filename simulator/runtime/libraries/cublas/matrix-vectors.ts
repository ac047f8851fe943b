/** Level 2 of BLAS: matrices and vectors. */

import { applied, fromTriangle, multiply, ONE, PLAIN, solve, TRANSPOSED } from '../dense.ts';
import type { Matrix } from '../numbers.ts';
import { type Blas, type Call, REAL, STATUS, TYPES, triangle, UNIT, UPPER } from './blas.ts';

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
  if (type.complex) {
    calls[`cublas${letter}geru`] = outer(false);
    calls[`cublas${letter}gerc`] = outer(true);
  } else calls[`cublas${letter}ger`] = outer(false);
  return calls;
}
