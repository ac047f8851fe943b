/** What all of cuBLAS shares: handles, and operands in the memory of the device or the host. */
import type { CudaContext } from '../../cuda-context.ts';
import { applied, combined, PLAIN } from '../dense.ts';
import { C, type Complex, D, type Element, type Layout, type Matrix, Operands, S, Z } from '../numbers.ts';

export const STATUS = { success: 0, notInitialized: 1, invalidValue: 7, executionFailed: 13, notSupported: 15 } as const;
export const TYPES = { S, D, C, Z } as const;
export const REAL: Readonly<Record<string, Element>> = { S, D, C: S, Z: D };
/** cublasFillMode_t, cublasSideMode_t, cublasDiagType_t. */
export const UPPER = 1;
export const LEFT = 0;
export const UNIT = 1;

export interface Handle {
  pointerMode: number;
  stream: number;
  mathMode: number;
  atomicsMode: number;
}

export type Call = (...args: number[]) => number;
const signed = (value: number): number => value | 0;

export class Blas {
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

export const triangle = (uplo: number) => (row: number, column: number) => (uplo === UPPER ? row <= column : row >= column);
