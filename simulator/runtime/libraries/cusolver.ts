/**
 * The dense part of cuSOLVER for real numbers, computed on the host: LU, Cholesky and QR with their solutions, eigenvalues of symmetric
 * matrices and singular values. In double precision, rounded once. The signs of eigenvectors and singular vectors are free, and need not
 * be a GPU's.
 */
import type { CudaContext, Functions } from '../cuda-context.ts';
import { answered } from './answered.ts';
import { triangle, UPPER } from './cublas/blas.ts';
import {
  applyQ,
  completed,
  type Dense,
  dense,
  eigenvalues,
  factorCholesky,
  factorLu,
  factorQr,
  generateQ,
  singularValues,
  solveLu,
  solveTriangle,
  transposed,
} from './decompositions.ts';
import { D, type Element, INT32, INT64, type Layout, Operands, S } from './numbers.ts';
import { settingCalls } from './settings.ts';

const STATUS = { success: 0, notInitialized: 1, invalidValue: 3, executionFailed: 6, notSupported: 9 } as const;
const RIGHT = 1;
const VECTORS = 1;
/** cudaDataType. */
const TYPES: ReadonlyMap<number, Element> = new Map([
  [0, S],
  [1, D],
]);
/** What jobs of singular vectors are: letters. */
const ALL = 'A'.charCodeAt(0);
const SOME = 'S'.charCodeAt(0);
const OVERWRITE = 'O'.charCodeAt(0);

type Call = (...args: number[]) => number;

class Solver {
  readonly handles = new Map<number, { stream: number }>();
  /** Parameters of functions, which say how a GPU should compute: nothing that a result shows, but whether eigenvalues are sorted. */
  readonly parameters = new Set<number>();
  readonly operands: Operands;
  #next = 1;

  constructor(readonly context: CudaContext) {
    this.operands = new Operands(context);
  }

  add(out: number): number {
    const id = 0x10 * this.#next++;
    this.context.host.setU64(out, id);
    return id;
  }

  read(type: Element, layout: Layout): Dense {
    return this.operands.read(type, layout);
  }

  write(type: Element, layout: Layout, { rows, columns, re }: Dense): void {
    this.operands.write(type, layout, { rows, columns, re, im: undefined });
  }

  numbers(type: Element, address: number, count: number): Float64Array {
    return this.read(type, line(address, count)).re;
  }

  put(type: Element, address: number, re: Float64Array | readonly number[]): void {
    if (address !== 0) this.write(type, line(address, re.length), { rows: re.length, columns: 1, re: Float64Array.from(re) });
  }
}

const line = (address: number, count: number): Layout => ({ address, rows: count, columns: 1, stride: count });
const square = (address: number, rows: number, columns: number, ld: number): Layout => ({ address, rows, columns, stride: ld });

/** By Cholesky's factor, in place. */
function solveFactored(factor: Dense, right: Dense, fill: number): void {
  const upper = fill === UPPER;
  solveTriangle(factor, right, { upper, transposed: upper });
  solveTriangle(factor, right, { upper, transposed: !upper });
}

/** What each function does, once for all its names: with the type of numbers and that of row numbers. */
function work(solver: Solver, type: Element, pivotType: Element) {
  const read = (layout: Layout) => solver.read(type, layout);
  return {
    lu(m: number, n: number, a: number, lda: number, pivots: number, info: number): number {
      const layout = square(a, m, n, lda);
      const value = read(layout);
      const rows = pivots === 0 ? undefined : new Float64Array(Math.min(m, n));
      const singular = factorLu(value, rows);
      solver.write(type, layout, value);
      if (rows) solver.put(pivotType, pivots, rows);
      solver.put(INT32, info, [singular]);
      return STATUS.success;
    },
    solveLu(
      operation: number,
      n: number,
      columns: number,
      a: number,
      lda: number,
      pivots: number,
      b: number,
      ldb: number,
      info: number,
    ): number {
      const layout = square(b, n, columns, ldb);
      const right = read(layout);
      solveLu(read(square(a, n, n, lda)), pivots === 0 ? undefined : solver.numbers(pivotType, pivots, n), right, operation !== 0);
      solver.write(type, layout, right);
      solver.put(INT32, info, [0]);
      return STATUS.success;
    },
    cholesky(fill: number, n: number, a: number, lda: number, info: number): number {
      const layout = square(a, n, n, lda);
      const value = read(layout);
      solver.put(INT32, info, [factorCholesky(value, fill === UPPER)]);
      solver.operands.write(type, layout, { ...value, im: undefined }, triangle(fill));
      return STATUS.success;
    },
    solveCholesky(fill: number, n: number, columns: number, a: number, lda: number, b: number, ldb: number, info: number): number {
      const layout = square(b, n, columns, ldb);
      const right = read(layout);
      solveFactored(read(square(a, n, n, lda)), right, fill);
      solver.write(type, layout, right);
      solver.put(INT32, info, [0]);
      return STATUS.success;
    },
    invertCholesky(fill: number, n: number, a: number, lda: number, info: number): number {
      const layout = square(a, n, n, lda);
      const inverse = dense(n, n);
      for (let k = 0; k < n; k++) inverse.re[k * (n + 1)] = 1;
      solveFactored(read(layout), inverse, fill);
      solver.operands.write(type, layout, { ...inverse, im: undefined }, triangle(fill));
      solver.put(INT32, info, [0]);
      return STATUS.success;
    },
    qr(m: number, n: number, a: number, lda: number, tau: number, info: number): number {
      const layout = square(a, m, n, lda);
      const value = read(layout);
      const taus = factorQr(value);
      solver.write(type, layout, value);
      solver.put(type, tau, taus);
      solver.put(INT32, info, [0]);
      return STATUS.success;
    },
    generateQ(m: number, n: number, k: number, a: number, lda: number, tau: number, info: number): number {
      const q = generateQ(read(square(a, m, k, lda)), solver.numbers(type, tau, k), n);
      solver.write(type, square(a, m, n, lda), q);
      solver.put(INT32, info, [0]);
      return STATUS.success;
    },
    applyQ(
      side: number,
      operation: number,
      m: number,
      n: number,
      k: number,
      a: number,
      lda: number,
      tau: number,
      c: number,
      ldc: number,
      info: number,
    ): number {
      const layout = square(c, m, n, ldc);
      const value = read(layout);
      const [reflections, taus] = [read(square(a, side === RIGHT ? n : m, k, lda)), solver.numbers(type, tau, k)];
      // C Q is the transpose of Q' C'.
      const target = side === RIGHT ? transposed(value) : value;
      applyQ(reflections, taus, target, (operation !== 0) !== (side === RIGHT));
      solver.write(type, layout, side === RIGHT ? transposed(target) : target);
      solver.put(INT32, info, [0]);
      return STATUS.success;
    },
    eigen(job: number, fill: number, n: number, a: number, lda: number, w: number, info: number): number {
      const layout = square(a, n, n, lda);
      const value = read(layout);
      for (let column = 0; column < n; column++)
        for (let row = 0; row < column; row++) {
          const [above, below] = [row + column * n, column + row * n];
          if (fill === UPPER) value.re[below] = value.re[above];
          else value.re[above] = value.re[below];
        }
      const values = eigenvalues(value);
      if (job === VECTORS) solver.write(type, layout, value);
      solver.put(type, w, values);
      solver.put(INT32, info, [0]);
      return STATUS.success;
    },
    singular(
      jobU: number,
      jobV: number,
      m: number,
      n: number,
      a: number,
      lda: number,
      s: number,
      u: number,
      ldu: number,
      vt: number,
      ldvt: number,
      info: number,
    ): number {
      if (m < n) return STATUS.invalidValue;
      const layout = square(a, m, n, lda);
      const value = read(layout);
      const found = singularValues(value);
      const right = transposed(found.v);
      solver.put(type, s, found.s);
      if (jobU === ALL || jobU === SOME)
        solver.write(type, square(u, m, jobU === ALL ? m : n, ldu), completed(value, jobU === ALL ? m : n));
      if (jobV === ALL || jobV === SOME) solver.write(type, square(vt, n, n, ldvt), right);
      if (jobU === OVERWRITE) solver.write(type, layout, completed(value, n));
      if (jobV === OVERWRITE) solver.write(type, square(a, n, n, lda), right);
      solver.put(INT32, info, [0]);
      return STATUS.success;
    },
  };
}

/** Functions that say how many numbers they need for their work: as many as a matrix row has, and at least one. */
function sizeCall(solver: Solver, place: number, count: number): Call {
  return (...args) => {
    solver.context.host.setU32(args[place], Math.max(1, args[count]));
    return STATUS.success;
  };
}

function typedCalls(solver: Solver, letter: 'S' | 'D'): Record<string, Call> {
  const type = letter === 'S' ? S : D;
  const does = work(solver, type, INT32);
  const { host } = solver.context;
  const each = (array: number, count: number): number[] => Array.from(solver.numbers(INT64, array, count));
  const calls: Record<string, Call> = {
    getrf_bufferSize: sizeCall(solver, 4, 1),
    getrf: (m, n, a, lda, _work, pivots, info) => does.lu(m, n, a, lda, pivots, info),
    getrs: does.solveLu,
    potrf_bufferSize: sizeCall(solver, 4, 1),
    potrf: (fill, n, a, lda, _work, _size, info) => does.cholesky(fill, n, a, lda, info),
    potrs: does.solveCholesky,
    potri_bufferSize: sizeCall(solver, 4, 1),
    potri: (fill, n, a, lda, _work, _size, info) => does.invertCholesky(fill, n, a, lda, info),
    potrfBatched: (fill, n, array, lda, info, count) => {
      for (const [k, a] of each(array, count).entries()) does.cholesky(fill, n, a, lda, info + 4 * k);
      return STATUS.success;
    },
    potrsBatched: (fill, n, columns, array, lda, rights, ldb, info, count) => {
      const right = each(rights, count);
      for (const [k, a] of each(array, count).entries()) does.solveCholesky(fill, n, columns, a, lda, right[k], ldb, k === 0 ? info : 0);
      return STATUS.success;
    },
    geqrf_bufferSize: sizeCall(solver, 4, 1),
    geqrf: (m, n, a, lda, tau, _work, _size, info) => does.qr(m, n, a, lda, tau, info),
    orgqr_bufferSize: sizeCall(solver, 6, 1),
    orgqr: (m, n, k, a, lda, tau, _work, _size, info) => does.generateQ(m, n, k, a, lda, tau, info),
    ormqr_bufferSize: sizeCall(solver, 10, 3),
    ormqr: (side, operation, m, n, k, a, lda, tau, c, ldc, _work, _size, info) =>
      does.applyQ(side, operation, m, n, k, a, lda, tau, c, ldc, info),
    syevd_bufferSize: sizeCall(solver, 6, 2),
    syevd: (job, fill, n, a, lda, w, _work, _size, info) => does.eigen(job, fill, n, a, lda, w, info),
    syevj_bufferSize: sizeCall(solver, 6, 2),
    syevj: (job, fill, n, a, lda, w, _work, _size, info) => does.eigen(job, fill, n, a, lda, w, info),
    gesvd_bufferSize: (m, _n, size) => {
      host.setU32(size, Math.max(1, m));
      return STATUS.success;
    },
    gesvd: (jobU, jobV, m, n, a, lda, s, u, ldu, vt, ldvt, _work, _size, _more, info) =>
      does.singular(jobU, jobV, m, n, a, lda, s, u, ldu, vt, ldvt, info),
  };
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [`cusolverDn${letter}${name}`, call]));
}

/** The functions that are told the types, with row numbers of 64 bits. Their scratch memory is in bytes, of either side. */
function generalCalls(solver: Solver): Record<string, Call> {
  const { host } = solver.context;
  const typed = (data: number, run: (does: ReturnType<typeof work>) => number): number => {
    const type = TYPES.get(data);
    return type ? run(work(solver, type, INT64)) : STATUS.notSupported;
  };
  const size = (device: number, onHost: number): number => {
    host.setU64(device, 256);
    host.setU64(onHost, 0);
    return STATUS.success;
  };
  return {
    cusolverDnXgetrf_bufferSize: (_p, _m, _n, _type, _a, _lda, _c, device, onHost) => size(device, onHost),
    cusolverDnXgetrf: (_p, m, n, type, a, lda, pivots, _c, _d, _ds, _h, _hs, info) =>
      typed(type, (does) => does.lu(m, n, a, lda, pivots, info)),
    cusolverDnXgetrs: (_p, op, n, columns, type, a, lda, pivots, bType, b, ldb, info) =>
      type === bType ? typed(type, (does) => does.solveLu(op, n, columns, a, lda, pivots, b, ldb, info)) : STATUS.notSupported,
    cusolverDnXpotrf_bufferSize: (_p, _fill, _n, _type, _a, _lda, _c, device, onHost) => size(device, onHost),
    cusolverDnXpotrf: (_p, fill, n, type, a, lda, _c, _d, _ds, _h, _hs, info) =>
      typed(type, (does) => does.cholesky(fill, n, a, lda, info)),
    cusolverDnXpotrs: (_p, fill, n, columns, type, a, lda, bType, b, ldb, info) =>
      type === bType ? typed(type, (does) => does.solveCholesky(fill, n, columns, a, lda, b, ldb, info)) : STATUS.notSupported,
    cusolverDnXgeqrf_bufferSize: (_p, _m, _n, _type, _a, _lda, _tt, _tau, _c, device, onHost) => size(device, onHost),
    cusolverDnXgeqrf: (_p, m, n, type, a, lda, _tt, tau, _c, _d, _ds, _h, _hs, info) =>
      typed(type, (does) => does.qr(m, n, a, lda, tau, info)),
    cusolverDnXsyevd_bufferSize: (_p, _job, _fill, _n, _type, _a, _lda, _wt, _w, _c, device, onHost) => size(device, onHost),
    cusolverDnXsyevd: (_p, job, fill, n, type, a, lda, _wt, w, _c, _d, _ds, _h, _hs, info) =>
      typed(type, (does) => does.eigen(job, fill, n, a, lda, w, info)),
    cusolverDnXgesvd_bufferSize: (...args) => size(args[17], args[18]),
    cusolverDnXgesvd: (_p, jobU, jobV, m, n, type, a, lda, _st, s, _ut, u, ldu, _vt, vt, ldvt, _c, _d, _ds, _h, _hs, info) =>
      typed(type, (does) => does.singular(jobU, jobV, m, n, a, lda, s, u, ldu, vt, ldvt, info)),
  };
}

export function cusolverFunctions(context: CudaContext): Functions {
  const solver = new Solver(context);
  const { host } = context;
  const guarded = Object.entries({ ...typedCalls(solver, 'S'), ...typedCalls(solver, 'D'), ...generalCalls(solver) }).map(
    ([name, call]): [string, Functions[string]] => [
      name,
      (id, ...args) => {
        if (!solver.handles.has(id)) return STATUS.notInitialized;
        return answered(context, 'cuSOLVER', STATUS, () => call(...args));
      },
    ],
  );
  const parameters = {
    create: (out: number) => {
      solver.parameters.add(solver.add(out));
      return STATUS.success;
    },
    destroy: (id: number) => (solver.parameters.delete(id) ? STATUS.success : STATUS.invalidValue),
    set: (id: number) => (solver.parameters.has(id) ? STATUS.success : STATUS.invalidValue),
  };
  return {
    ...Object.fromEntries(guarded),
    cusolverDnCreate: (out) => {
      solver.handles.set(solver.add(out), { stream: 0 });
      return STATUS.success;
    },
    cusolverDnDestroy: (id) => (solver.handles.delete(id) ? STATUS.success : STATUS.notInitialized),
    cusolverGetVersion: (out) => {
      host.setU32(out, 12010);
      return STATUS.success;
    },
    ...settingCalls({ library: 'cusolverDn', host, handles: solver.handles, notInitialized: STATUS.notInitialized }, 'stream', 8),
    cusolverDnCreateParams: parameters.create,
    cusolverDnDestroyParams: parameters.destroy,
    cusolverDnSetAdvOptions: parameters.set,
    cusolverDnCreateSyevjInfo: parameters.create,
    cusolverDnDestroySyevjInfo: parameters.destroy,
    cusolverDnXsyevjSetTolerance: parameters.set,
    cusolverDnXsyevjSetMaxSweeps: parameters.set,
    cusolverDnXsyevjSetSortEig: parameters.set,
  };
}
