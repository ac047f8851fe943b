/**
 * cuBLAS levels 1 to 3 and what is used most of its extensions, computed on the host: column-major, 1-based where BLAS is. Sums are made in
 * double precision and rounded once, so results are nearer to the exact ones than a GPU's and need not have its last bits.
 */
import type { CudaContext, Functions } from '../cuda-context.ts';
import { applied, combined, fromTriangle, multiply, ONE, PLAIN, solve, TRANSPOSED } from './dense.ts';
import {
  BadOperand,
  C,
  type Complex,
  D,
  ELEMENTS,
  type Element,
  H,
  INT32,
  type Layout,
  type Matrix,
  matrix,
  Operands,
  S,
  Z,
} from './numbers.ts';

const STATUS = { success: 0, notInitialized: 1, invalidValue: 7, executionFailed: 13, notSupported: 15 } as const;
const TYPES = { S, D, C, Z } as const;
const REAL: Readonly<Record<string, Element>> = { S, D, C: S, Z: D };
/** cublasFillMode_t, cublasSideMode_t, cublasDiagType_t. */
const UPPER = 1;
const LEFT = 0;
const UNIT = 1;

interface Handle {
  pointerMode: number;
  stream: number;
  mathMode: number;
  atomicsMode: number;
}

type Call = (...args: number[]) => number;
const signed = (value: number): number => value | 0;

class Blas {
  readonly operands: Operands;
  readonly handles = new Map<number, Handle>();
  #next = 1;

  constructor(readonly context: CudaContext) {
    this.operands = new Operands(context);
  }

  create(): number {
    const id = 0x10 * this.#next++;
    this.handles.set(id, { pointerMode: 0, stream: 0, mathMode: 0, atomicsMode: 0 });
    return id;
  }

  vector(element: Element, n: number, address: number, increment: number): { layout: Layout; value: Matrix } {
    const step = signed(increment);
    // BLAS counts from the other end where the increment is negative.
    const start = step < 0 ? address - (n - 1) * step * element.bytes : address;
    const layout = { address: start, rows: n, columns: 1, stride: n, step };
    return { layout, value: this.operands.read(element, layout) };
  }

  matrix(element: Element, rows: number, columns: number, address: number, ld: number): { layout: Layout; value: Matrix } {
    const layout = { address, rows, columns, stride: ld };
    return { layout, value: this.operands.read(element, layout) };
  }

  /** op(A), where the result has `rows` rows. */
  operand(element: Element, operation: number, rows: number, columns: number, address: number, ld: number): Matrix {
    const [r, c] = operation === PLAIN ? [rows, columns] : [columns, rows];
    return applied(this.matrix(element, r, c, address, ld).value, operation);
  }

  put(element: Element, address: number, { re, im }: Complex): void {
    const value = { rows: 1, columns: 1, re: Float64Array.of(re), im: Float64Array.of(im) };
    this.operands.write(element, { address, rows: 1, columns: 1, stride: 1 }, value);
  }

  /** C = alpha a + beta C. */
  update(
    element: Element,
    layout: Layout,
    alpha: Complex,
    a: Matrix,
    beta: Complex,
    wanted?: (row: number, column: number) => boolean,
  ): void {
    const old = beta.re !== 0 || beta.im !== 0 ? this.operands.read(element, layout) : undefined;
    this.operands.write(element, layout, combined(alpha, a, beta, old), wanted);
  }
}

const triangle = (uplo: number) => (row: number, column: number) => (uplo === UPPER ? row <= column : row >= column);

/** Level 1. */
function vectorCalls(blas: Blas, letter: keyof typeof TYPES): Readonly<Record<string, Call>> {
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

/** Norms of pieces, so that no call gets too many arguments. */
function chunkNorms(values: Float64Array): number[] {
  const norms: number[] = [];
  for (let at = 0; at < values.length; at += 4096) norms.push(Math.hypot(...values.subarray(at, at + 4096)));
  return norms;
}

/** Level 2. */
function matrixVectorCalls(blas: Blas, letter: keyof typeof TYPES): Readonly<Record<string, Call>> {
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

/** Level 3, apart from products of general matrices. */
function matrixCalls(blas: Blas, letter: keyof typeof TYPES): Readonly<Record<string, Call>> {
  const type = TYPES[letter];
  const { operands } = blas;
  const triangularOperand = (uplo: number, operation: number, unit: number, n: number, a: number, lda: number) =>
    applied(fromTriangle(blas.matrix(type, n, n, a, lda).value, { upper: uplo === UPPER, mirror: 'none', unit: unit === UNIT }), operation);
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
  return {
    [`cublas${letter}symm`]: symmetric('symmetric'),
    [`cublas${letter}syrk`]: rankK(type, TRANSPOSED),
    [`cublas${letter}syr2k`]: rank2K,
    [`cublas${letter}trmm`]: multiplied,
    [`cublas${letter}trsm`]: solved,
    ...(type.complex && { [`cublas${letter}hemm`]: symmetric('hermitian'), [`cublas${letter}herk`]: rankK(REAL[letter], 2) }),
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

interface Product {
  readonly operations: readonly [number, number];
  readonly sizes: readonly [m: number, n: number, k: number];
  readonly scalars: Element;
  readonly alpha: number;
  readonly beta: number;
  readonly a: { readonly type: Element; readonly ld: number };
  readonly b: { readonly type: Element; readonly ld: number };
  readonly c: { readonly type: Element; readonly ld: number };
}

function general(blas: Blas, { operations, sizes, scalars, alpha, beta, a, b, c }: Product, [pa, pb, pc]: readonly number[]): number {
  const [m, n, k] = sizes;
  const left = blas.operand(a.type, operations[0], m, k, pa, a.ld);
  const right = blas.operand(b.type, operations[1], k, n, pb, b.ld);
  const layout = { address: pc, rows: m, columns: n, stride: c.ld };
  blas.update(c.type, layout, blas.operands.scalar(scalars, alpha), multiply(left, right), blas.operands.scalar(scalars, beta));
  return STATUS.success;
}

function generalCalls(blas: Blas): Readonly<Record<string, Call>> {
  const calls: Record<string, Call> = {};
  for (const [letter, type] of Object.entries({ ...TYPES, H })) {
    const plain = (args: readonly number[], at: { alpha: number; lds: readonly number[]; beta: number }): Product => ({
      operations: [args[0], args[1]],
      sizes: [args[2], args[3], args[4]],
      scalars: type,
      alpha: at.alpha,
      beta: at.beta,
      a: { type, ld: at.lds[0] },
      b: { type, ld: at.lds[1] },
      c: { type, ld: at.lds[2] },
    });
    calls[`cublas${letter}gemm`] = (...args) => {
      const [, , , , , alpha, a, lda, b, ldb, beta, c, ldc] = args;
      return general(blas, plain(args, { alpha, beta, lds: [lda, ldb, ldc] }), [a, b, c]);
    };
    calls[`cublas${letter}gemmStridedBatched`] = (...args) => {
      const [, , , , , alpha, a, lda, sa, b, ldb, sb, beta, c, ldc, sc, count] = args;
      const product = plain(args, { alpha, beta, lds: [lda, ldb, ldc] });
      for (let k = 0; k < count; k++) general(blas, product, [a + k * sa * type.bytes, b + k * sb * type.bytes, c + k * sc * type.bytes]);
      return STATUS.success;
    };
    calls[`cublas${letter}gemmBatched`] = (...args) => {
      const [, , , , , alpha, a, lda, b, ldb, beta, c, ldc, count] = args;
      const product = plain(args, { alpha, beta, lds: [lda, ldb, ldc] });
      for (let k = 0; k < count; k++)
        general(
          blas,
          product,
          [a, b, c].map((array) => pointerAt(blas.context, array + 8 * k)),
        );
      return STATUS.success;
    };
  }
  return { ...calls, ...mixedCalls(blas) };
}

function pointerAt(context: CudaContext, address: number): number {
  const bytes = context.locate(address, 8)?.bytes;
  if (!bytes) throw new BadOperand('memory');
  return Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true));
}

/** Types of alpha and beta, by cublasComputeType_t, and by cudaDataType as before CUDA 11. */
function scalarsOf(compute: number, c: Element): Element | undefined {
  if (compute === 64 || compute === 65 || compute === 2) return H;
  if (compute === 70 || compute === 71) return c.complex ? Z : D;
  if (compute === 72 || compute === 73 || compute === 10) return INT32;
  if (compute === 68 || compute === 69 || (compute >= 74 && compute <= 79)) return c.complex ? C : S;
  return ELEMENTS.get(compute);
}

function mixedCalls(blas: Blas): Readonly<Record<string, Call>> {
  const mixed = (
    args: readonly number[],
    types: readonly number[],
    compute: number,
    rest: Omit<Product, 'a' | 'b' | 'c' | 'scalars' | 'operations' | 'sizes'> & { lds: readonly number[] },
  ): Product | undefined => {
    const [a, b, c] = types.map((type) => ELEMENTS.get(type));
    const scalars = c && scalarsOf(compute, c);
    if (!a || !b || !c || !scalars) return undefined;
    const { lds, alpha, beta } = rest;
    return {
      operations: [args[0], args[1]],
      sizes: [args[2], args[3], args[4]],
      scalars,
      alpha,
      beta,
      a: { type: a, ld: lds[0] },
      b: { type: b, ld: lds[1] },
      c: { type: c, ld: lds[2] },
    };
  };
  return {
    cublasGemmEx: (...args) => {
      const [, , , , , alpha, a, ta, lda, b, tb, ldb, beta, c, tc, ldc, compute] = args;
      const product = mixed(args, [ta, tb, tc], compute, { alpha, beta, lds: [lda, ldb, ldc] });
      return product ? general(blas, product, [a, b, c]) : STATUS.notSupported;
    },
    cublasSgemmEx: (...args) => {
      const [, , , , , alpha, a, ta, lda, b, tb, ldb, beta, c, tc, ldc] = args;
      const product = mixed(args, [ta, tb, tc], 68, { alpha, beta, lds: [lda, ldb, ldc] });
      return product ? general(blas, product, [a, b, c]) : STATUS.notSupported;
    },
    cublasGemmStridedBatchedEx: (...args) => {
      const [, , , , , alpha, a, ta, lda, sa, b, tb, ldb, sb, beta, c, tc, ldc, sc, count, compute] = args;
      const product = mixed(args, [ta, tb, tc], compute, { alpha, beta, lds: [lda, ldb, ldc] });
      if (!product) return STATUS.notSupported;
      const at = (k: number) => [a + k * sa * product.a.type.bytes, b + k * sb * product.b.type.bytes, c + k * sc * product.c.type.bytes];
      for (let k = 0; k < count; k++) general(blas, product, at(k));
      return STATUS.success;
    },
    cublasGemmBatchedEx: (...args) => {
      const [, , , , , alpha, a, ta, lda, b, tb, ldb, beta, c, tc, ldc, count, compute] = args;
      const product = mixed(args, [ta, tb, tc], compute, { alpha, beta, lds: [lda, ldb, ldc] });
      if (!product) return STATUS.notSupported;
      for (let k = 0; k < count; k++)
        general(
          blas,
          product,
          [a, b, c].map((array) => pointerAt(blas.context, array + 8 * k)),
        );
      return STATUS.success;
    },
  };
}

/** Handles and their settings. */
function handleCalls(blas: Blas): Functions {
  const { host } = blas.context;
  const setting = (name: keyof Handle, bytes: 4 | 8): Functions => {
    const label = name[0].toUpperCase() + name.slice(1);
    return {
      [`cublasSet${label}`]: (id, value) => {
        const handle = blas.handles.get(id);
        if (!handle) return STATUS.notInitialized;
        handle[name] = value;
        return STATUS.success;
      },
      [`cublasGet${label}`]: (id, out) => {
        const handle = blas.handles.get(id);
        if (!handle) return STATUS.notInitialized;
        if (bytes === 8) host.setU64(out, handle[name]);
        else host.setU32(out, handle[name]);
        return STATUS.success;
      },
    };
  };
  return {
    cublasCreate: (out) => {
      blas.context.libraries.add('cuBLAS');
      host.setU64(out, blas.create());
      return STATUS.success;
    },
    cublasDestroy: (id) => (blas.handles.delete(id) ? STATUS.success : STATUS.notInitialized),
    cublasGetVersion: (_, out) => {
      host.setU32(out, 130101);
      return STATUS.success;
    },
    cublasSetWorkspace: (id) => (blas.handles.has(id) ? STATUS.success : STATUS.notInitialized),
    ...setting('pointerMode', 4),
    ...setting('mathMode', 4),
    ...setting('atomicsMode', 4),
    ...setting('stream', 8),
  };
}

export function cublasFunctions(context: CudaContext): Functions {
  const blas = new Blas(context);
  const letters = Object.keys(TYPES) as (keyof typeof TYPES)[];
  const calls = Object.assign(
    {},
    generalCalls(blas),
    ...letters.flatMap((letter) => [vectorCalls(blas, letter), matrixVectorCalls(blas, letter), matrixCalls(blas, letter)]),
  ) as Readonly<Record<string, Call>>;
  const guarded = Object.entries(calls).map(([name, call]): [string, Functions[string]] => [
    name,
    (id, ...args) => {
      if (!blas.handles.has(id)) return STATUS.notInitialized;
      if (context.isDead) return STATUS.executionFailed;
      try {
        return call(...args);
      } catch (error) {
        if (!(error instanceof BadOperand)) throw error;
        return error.reason === 'size' ? STATUS.invalidValue : STATUS.executionFailed;
      }
    },
  ]);
  return { ...Object.fromEntries(guarded), ...handleCalls(blas) };
}
