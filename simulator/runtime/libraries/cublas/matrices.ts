/** Level 3 of BLAS: matrices. */

import { applied, combined, fromTriangle, multiply, ONE, PLAIN, solve, TRANSPOSED } from '../dense.ts';
import { type Complex, type Element, matrix } from '../numbers.ts';
import { type Blas, type Call, LEFT, REAL, STATUS, TYPES, triangle, UNIT, UPPER } from './blas.ts';
import { pointerAt } from './products.ts';

/** Level 3, apart from products of general matrices. */
export function matrixCalls(blas: Blas, letter: keyof typeof TYPES): Readonly<Record<string, Call>> {
  return { ...symmetricCalls(blas, letter), ...triangularCalls(blas, letter), ...sumCalls(blas, letter) };
}

function symmetricCalls(blas: Blas, letter: keyof typeof TYPES): Readonly<Record<string, Call>> {
  const type = TYPES[letter];
  const { operands } = blas;
  const symmetric = (mirror: 'symmetric' | 'hermitian'): Call => {
    return (side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc) => {
      const size = side === LEFT ? m : n;
      const whole = fromTriangle(blas.matrix(type, size, size, a, lda).value, { upper: uplo === UPPER, mirror });
      const other = blas.matrix(type, m, n, b, ldb).value;
      const product = side === LEFT ? multiply(whole, other) : multiply(other, whole);
      blas.update(
        type,
        { address: c, rows: m, columns: n, stride: ldc },
        operands.scalar(type, alpha),
        product,
        operands.scalar(type, beta),
      );
      return STATUS.success;
    };
  };
  const rankK = (of: Element, second: number): Call => {
    return (uplo, operation, n, k, alpha, a, lda, beta, c, ldc) => {
      const left = blas.operand(type, operation, n, k, a, lda);
      const layout = { address: c, rows: n, columns: n, stride: ldc };
      blas.update(
        type,
        layout,
        operands.scalar(of, alpha),
        multiply(left, applied(left, second)),
        operands.scalar(of, beta),
        triangle(uplo),
      );
      return STATUS.success;
    };
  };
  const rank2K: Call = (uplo, operation, n, k, alpha, a, lda, b, ldb, beta, c, ldc) => {
    const [left, right] = [blas.operand(type, operation, n, k, a, lda), blas.operand(type, operation, n, k, b, ldb)];
    const sum = combined(ONE, multiply(left, applied(right, TRANSPOSED)), ONE, multiply(right, applied(left, TRANSPOSED)));
    const layout = { address: c, rows: n, columns: n, stride: ldc };
    blas.update(type, layout, operands.scalar(type, alpha), sum, operands.scalar(type, beta), triangle(uplo));
    return STATUS.success;
  };
  return {
    [`cublas${letter}symm`]: symmetric('symmetric'),
    [`cublas${letter}syrk`]: rankK(type, TRANSPOSED),
    [`cublas${letter}syr2k`]: rank2K,
    ...(type.complex && { [`cublas${letter}hemm`]: symmetric('hermitian'), [`cublas${letter}herk`]: rankK(REAL[letter], 2) }),
  };
}

function triangularCalls(blas: Blas, letter: keyof typeof TYPES): Readonly<Record<string, Call>> {
  const type = TYPES[letter];
  const { operands } = blas;
  const triangularOperand = (uplo: number, operation: number, unit: number, n: number, a: number, lda: number) =>
    applied(fromTriangle(blas.matrix(type, n, n, a, lda).value, { upper: uplo === UPPER, mirror: 'none', unit: unit === UNIT }), operation);
  const multiplied: Call = (side, uplo, operation, unit, m, n, alpha, a, lda, b, ldb, c, ldc) => {
    const whole = triangularOperand(uplo, operation, unit, side === LEFT ? m : n, a, lda);
    const other = blas.matrix(type, m, n, b, ldb).value;
    const product = side === LEFT ? multiply(whole, other) : multiply(other, whole);
    blas.update(type, { address: c, rows: m, columns: n, stride: ldc }, operands.scalar(type, alpha), product, { re: 0, im: 0 });
    return STATUS.success;
  };
  const solved: Call = (side, uplo, operation, unit, m, n, alpha, a, lda, b, ldb) => {
    const whole = triangularOperand(uplo, operation, unit, side === LEFT ? m : n, a, lda);
    const { layout, value } = blas.matrix(type, m, n, b, ldb);
    const right = combined(operands.scalar(type, alpha), value, ONE, undefined);
    const lower = (uplo === UPPER) !== (operation === PLAIN);
    // X A = B is A^T X^T = B^T.
    const x =
      side === LEFT
        ? solve(whole, right, lower)
        : applied(solve(applied(whole, TRANSPOSED), applied(right, TRANSPOSED), !lower), TRANSPOSED);
    operands.write(type, layout, x);
    return STATUS.success;
  };
  const solvedEach: Call = (side, uplo, operation, unit, m, n, alpha, a, lda, b, ldb, count) => {
    const at = (array: number, k: number) => pointerAt(blas.context, array + 8 * k);
    for (let k = 0; k < count; k++) solved(side, uplo, operation, unit, m, n, alpha, at(a, k), lda, at(b, k), ldb);
    return STATUS.success;
  };
  return { [`cublas${letter}trmm`]: multiplied, [`cublas${letter}trsm`]: solved, [`cublas${letter}trsmBatched`]: solvedEach };
}

/** Sums of matrices, and products with diagonal ones. */
function sumCalls(blas: Blas, letter: keyof typeof TYPES): Readonly<Record<string, Call>> {
  const type = TYPES[letter];
  const { operands } = blas;
  return {
    [`cublas${letter}geam`]: (ta, tb, m, n, alpha, a, lda, beta, b, ldb, c, ldc) => {
      const [x, y] = [operands.scalar(type, alpha), operands.scalar(type, beta)];
      const used = ({ re, im }: Complex) => re !== 0 || im !== 0;
      const left = used(x) ? blas.operand(type, ta, m, n, a, lda) : matrix(m, n, type.complex);
      const right = used(y) ? blas.operand(type, tb, m, n, b, ldb) : undefined;
      operands.write(type, { address: c, rows: m, columns: n, stride: ldc }, combined(x, left, y, right));
      return STATUS.success;
    },
    [`cublas${letter}dgmm`]: (side, m, n, a, lda, x, incx, c, ldc) => {
      const whole = blas.matrix(type, m, n, a, lda).value;
      const scales = blas.vector(type, side === LEFT ? m : n, x, incx).value;
      const diagonal = matrix(scales.rows, scales.rows, type.complex);
      for (let k = 0; k < scales.rows; k++) {
        diagonal.re[k * (scales.rows + 1)] = scales.re[k];
        if (scales.im) diagonal.im![k * (scales.rows + 1)] = scales.im[k];
      }
      const product = side === LEFT ? multiply(diagonal, whole) : multiply(whole, diagonal);
      operands.write(type, { address: c, rows: m, columns: n, stride: ldc }, product);
      return STATUS.success;
    },
  };
}
