/** Products of general matrices: one, several, and of mixed types. */
import type { CudaContext } from '../../cuda-context.ts';
import { multiply } from '../dense.ts';
import { BadOperand, C, D, ELEMENTS, type Element, H, INT32, S, Z } from '../numbers.ts';
import { type Blas, type Call, STATUS, TYPES } from './blas.ts';

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

export function generalCalls(blas: Blas): Readonly<Record<string, Call>> {
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

export function pointerAt(context: CudaContext, address: number): number {
  const bytes = context.locate(address, 8)?.bytes;
  if (!bytes) throw new BadOperand('memory');
  return Number(new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true));
}

/** Types of alpha and beta, by cublasComputeType_t, and by cudaDataType as before CUDA 11. */
export function scalarsOf(compute: number, c: Element): Element | undefined {
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
