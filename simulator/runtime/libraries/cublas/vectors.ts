/** Level 1 of BLAS: vectors. */

import { applied, combined, multiply, ONE, TRANSPOSED } from '../dense.ts';
import { BadOperand, ELEMENTS, type Element, INT32 } from '../numbers.ts';
import { type Blas, type Call, REAL, STATUS, TYPES } from './blas.ts';

/** Level 1. */
export function vectorCalls(blas: Blas, letter: keyof typeof TYPES): Readonly<Record<string, Call>> {
  const type = TYPES[letter];
  const { operands } = blas;
  const scale = (of: Element) => (n: number, alpha: number, x: number, incx: number) => {
    const a = blas.vector(type, n, x, incx);
    operands.write(type, a.layout, combined(operands.scalar(of, alpha), a.value, ONE, undefined));
    return STATUS.success;
  };
  const dot = (conjugated: boolean) => (n: number, x: number, incx: number, y: number, incy: number, result: number) => {
    const a = blas.vector(type, n, x, incx).value;
    const product = multiply(applied(a, conjugated ? 2 : TRANSPOSED), blas.vector(type, n, y, incy).value);
    blas.put(type, result, { re: product.re[0] ?? 0, im: product.im?.[0] ?? 0 });
    return STATUS.success;
  };
  const sizes = (n: number, x: number, incx: number) => {
    const { re, im } = blas.vector(type, n, x, incx).value;
    return re.map((value, k) => Math.abs(value) + Math.abs(im?.[k] ?? 0));
  };
  const extreme = (better: (a: number, b: number) => boolean) => (n: number, x: number, incx: number, result: number) => {
    let found = 0;
    const of = sizes(n, x, incx);
    for (let k = 1; k < n; k++) if (better(of[k], of[found])) found = k;
    blas.put(INT32, result, { re: n > 0 ? found + 1 : 0, im: 0 });
    return STATUS.success;
  };
  const number = (value: (n: number, x: number, incx: number) => number) => (n: number, x: number, incx: number, result: number) => {
    blas.put(REAL[letter], result, { re: value(n, x, incx), im: 0 });
    return STATUS.success;
  };
  const rotate = (n: number, x: number, incx: number, y: number, incy: number, cosine: number, sine: number) => {
    const [a, b] = [blas.vector(type, n, x, incx), blas.vector(type, n, y, incy)];
    const [c, s] = [operands.scalar(REAL[letter], cosine), operands.scalar(type, sine)];
    operands.write(type, a.layout, combined(c, a.value, s, b.value));
    operands.write(type, b.layout, combined(c, b.value, { re: -s.re, im: s.im }, a.value));
    return STATUS.success;
  };
  const calls: Record<string, Call> = {
    [`cublasI${letter.toLowerCase()}amax`]: extreme((a, b) => a > b),
    [`cublasI${letter.toLowerCase()}amin`]: extreme((a, b) => a < b),
    [`cublas${letter}axpy`]: (n, alpha, x, incx, y, incy) => {
      const b = blas.vector(type, n, y, incy);
      operands.write(type, b.layout, combined(operands.scalar(type, alpha), blas.vector(type, n, x, incx).value, ONE, b.value));
      return STATUS.success;
    },
    [`cublas${letter}copy`]: (n, x, incx, y, incy) => {
      operands.write(type, blas.vector(type, n, y, incy).layout, blas.vector(type, n, x, incx).value);
      return STATUS.success;
    },
    [`cublas${letter}swap`]: (n, x, incx, y, incy) => {
      const [a, b] = [blas.vector(type, n, x, incx), blas.vector(type, n, y, incy)];
      operands.write(type, a.layout, b.value);
      operands.write(type, b.layout, a.value);
      return STATUS.success;
    },
    [`cublas${letter}scal`]: scale(type),
  };
  const prefix = { S: 'S', D: 'D', C: 'Sc', Z: 'Dz' }[letter];
  calls[`cublas${prefix}asum`] = number((n, x, incx) => sizes(n, x, incx).reduce((sum, value) => sum + value, 0));
  calls[`cublas${prefix}nrm2`] = number((n, x, incx) => {
    const { re, im } = blas.vector(type, n, x, incx).value;
    return Math.hypot(...chunkNorms(re), ...chunkNorms(im ?? new Float64Array(0)));
  });
  if (type.complex) {
    calls[`cublas${letter}dotu`] = dot(false);
    calls[`cublas${letter}dotc`] = dot(true);
    calls[letter === 'C' ? 'cublasCsscal' : 'cublasZdscal'] = scale(REAL[letter]);
  } else {
    calls[`cublas${letter}dot`] = dot(false);
    calls[`cublas${letter}rot`] = rotate;
  }
  return calls;
}

/** Vectors whose types are arguments. Sums are made in double precision, whatever the type of execution. */
export function mixedVectorCalls(blas: Blas): Readonly<Record<string, Call>> {
  const { operands } = blas;
  const element = (type: number): Element => {
    const found = ELEMENTS.get(type);
    if (!found) throw new BadOperand('size');
    return found;
  };
  const dot =
    (conjugated: boolean): Call =>
    (n, x, tx, incx, y, ty, incy, result, type) => {
      const a = blas.vector(element(tx), n, x, incx).value;
      const product = multiply(applied(a, conjugated ? 2 : TRANSPOSED), blas.vector(element(ty), n, y, incy).value);
      blas.put(element(type), result, { re: product.re[0] ?? 0, im: product.im?.[0] ?? 0 });
      return STATUS.success;
    };
  return {
    cublasDotEx: dot(false),
    cublasDotcEx: dot(true),
    cublasAxpyEx: (n, alpha, ta, x, tx, incx, y, ty, incy) => {
      const b = blas.vector(element(ty), n, y, incy);
      const sum = combined(operands.scalar(element(ta), alpha), blas.vector(element(tx), n, x, incx).value, ONE, b.value);
      operands.write(element(ty), b.layout, sum);
      return STATUS.success;
    },
    cublasScalEx: (n, alpha, ta, x, tx, incx) => {
      const a = blas.vector(element(tx), n, x, incx);
      operands.write(element(tx), a.layout, combined(operands.scalar(element(ta), alpha), a.value, ONE, undefined));
      return STATUS.success;
    },
    cublasNrm2Ex: (n, x, tx, incx, result, type) => {
      const { re, im } = blas.vector(element(tx), n, x, incx).value;
      blas.put(element(type), result, { re: Math.hypot(...chunkNorms(re), ...chunkNorms(im ?? new Float64Array(0))), im: 0 });
      return STATUS.success;
    },
  };
}

/** Norms of pieces, so that no call gets too many arguments. */
function chunkNorms(values: Float64Array): number[] {
  const norms: number[] = [];
  for (let at = 0; at < values.length; at += 4096) norms.push(Math.hypot(...values.subarray(at, at + 4096)));
  return norms;
}
