/**
 * The basics of cuSPARSE's generic API, computed on the host: products of sparse matrices (CSR, CSC, COO) with vectors and matrices and with
 * each other, sampled products, triangular solutions, and conversions. Sums are made in double precision and rounded once.
 */
import type { CudaContext, Functions } from '../cuda-context.ts';
import { answered } from './answered.ts';
import { applied, combined, multiply, ONE, TRANSPOSED } from './dense.ts';
import { BadOperand, type Complex, ELEMENTS, type Element, INT32, INT64, type Layout, type Matrix, matrix, Operands } from './numbers.ts';
import { settingCalls } from './settings.ts';
import { solveTriangle, sparseProduct, sparseTimes, type Triplets, turned } from './sparse.ts';

const STATUS = { success: 0, notInitialized: 1, invalidValue: 3, executionFailed: 6, zeroPivot: 9, notSupported: 10 } as const;
const ROW_ORDER = 2;
/** What a program allocates where nothing is needed: phases are told apart by whether there is a buffer. */
const BUFFER_BYTES = 16;

interface Sparse {
  readonly kind: 'csr' | 'csc' | 'coo';
  readonly rows: number;
  readonly columns: number;
  count: number;
  /** Of CSR and CSC: where rows or columns start; of COO: the rows. */
  first: number;
  second: number;
  values: number;
  readonly firstType: Element;
  readonly secondType: Element;
  readonly base: number;
  readonly type: Element;
  upper: boolean;
  unit: boolean;
}
interface Dense {
  readonly rows: number;
  readonly columns: number;
  readonly ld: number;
  values: number;
  readonly type: Element;
  readonly byRows: boolean;
}
interface SparseVector {
  readonly size: number;
  readonly count: number;
  readonly indices: number;
  readonly values: number;
  readonly indexType: Element;
  readonly base: number;
  readonly type: Element;
}

class Sparses {
  readonly handles = new Map<number, { stream: number; pointerMode: number }>();
  readonly matrices = new Map<number, Sparse>();
  readonly dense = new Map<number, Dense>();
  readonly vectors = new Map<number, SparseVector>();
  /** Of products of sparse matrices, by their descriptors: the result, until it is copied. */
  readonly products = new Map<number, Triplets | undefined>();
  /** Of incomplete factors: the row without a pivot, or -1. */
  readonly incomplete = new Map<number, number>();
  readonly operands: Operands;
  #next = 1;

  constructor(readonly context: CudaContext) {
    this.operands = new Operands(context);
  }

  add<T>(to: Map<number, T>, out: number, value: T): number {
    const id = 0x10 * this.#next++;
    to.set(id, value);
    this.context.host.setU64(out, id);
    return STATUS.success;
  }

  sparse(id: number): Sparse {
    return found(this.matrices, id);
  }

  numbers(element: Element, address: number, count: number): Matrix {
    return this.operands.read(element, { address, rows: count, columns: 1, stride: count });
  }

  write(element: Element, address: number, re: Float64Array, im?: Float64Array): void {
    this.operands.write(element, { address, rows: re.length, columns: 1, stride: re.length }, { rows: re.length, columns: 1, re, im });
  }

  triplets(id: number): Triplets {
    const a = this.sparse(id);
    const { re, im } = this.numbers(a.type, a.values, a.count);
    const second = this.numbers(a.secondType, a.second, a.count).re.map((index) => index - a.base);
    const lines = a.kind === 'csc' ? a.columns : a.rows;
    let first = new Float64Array(a.count);
    if (a.kind === 'coo') first = this.numbers(a.firstType, a.first, a.count).re.map((index) => index - a.base);
    else {
      const offsets = this.numbers(a.firstType, a.first, lines + 1).re;
      for (let line = 0; line < lines; line++) first.fill(line, offsets[line] - a.base, offsets[line + 1] - a.base);
    }
    const [row, column] = a.kind === 'csc' ? [second, first] : [first, second];
    if (row.some((index) => !(index >= 0 && index < a.rows)) || column.some((index) => !(index >= 0 && index < a.columns)))
      throw new BadOperand('memory');
    return { rows: a.rows, columns: a.columns, row, column, re, im };
  }

  /** Elements in the order in which the matrix keeps them. */
  store(id: number, { row, column, re, im }: Triplets): void {
    const a = this.sparse(id);
    const [line, other] = a.kind === 'csc' ? [column, row] : [row, column];
    const order = Array.from(line.keys()).sort((p, q) => line[p] - line[q] || other[p] - other[q]);
    const sorted = (values: Float64Array) => Float64Array.from(order, (k) => values[k]);
    this.write(
      a.secondType,
      a.second,
      sorted(other).map((index) => index + a.base),
    );
    this.write(a.type, a.values, sorted(re), im && sorted(im));
    if (a.kind === 'coo')
      this.write(
        a.firstType,
        a.first,
        sorted(line).map((index) => index + a.base),
      );
    else this.offsets(a, line);
  }

  offsets(a: Sparse, line: Float64Array): void {
    const offsets = new Float64Array((a.kind === 'csc' ? a.columns : a.rows) + 1);
    for (const index of line) offsets[index + 1]++;
    for (let k = 1; k < offsets.length; k++) offsets[k] += offsets[k - 1];
    this.write(
      a.firstType,
      a.first,
      offsets.map((offset) => offset + a.base),
    );
  }

  layout({ rows, columns, ld, values, byRows }: Dense): Layout {
    return { address: values, rows, columns, stride: byRows ? 1 : ld, step: byRows ? ld : 1 };
  }

  matrix(id: number): Matrix {
    const dense = found(this.dense, id);
    return this.operands.read(dense.type, this.layout(dense));
  }

  /** C = alpha a + beta C. */
  update(id: number, alpha: Complex, a: Matrix, beta: Complex): void {
    const dense = found(this.dense, id);
    const old = beta.re !== 0 || beta.im !== 0 ? this.matrix(id) : undefined;
    this.operands.write(dense.type, this.layout(dense), combined(alpha, a, beta, old));
  }

  scalar(type: number, address: number): Complex {
    const element = ELEMENTS.get(type);
    if (!element) throw new BadOperand('size');
    return this.operands.scalar(element, address);
  }
}

function found<T>(map: ReadonlyMap<number, T>, id: number): T {
  const value = map.get(id);
  if (value === undefined) throw new BadOperand('size');
  return value;
}

const indexOf = (type: number): Element => {
  if (type !== 2 && type !== 3) throw new BadOperand('size');
  return type === 3 ? INT64 : INT32;
};
const elementOf = (type: number): Element => found(ELEMENTS, type);

const destroyed = (map: Map<number, unknown>) => (id: number) => (map.delete(id) ? STATUS.success : STATUS.invalidValue);

/** Descriptions of vectors and matrices that are stored whole. */
function denseCalls(all: Sparses): Functions {
  const { host } = all.context;
  return {
    cusparseCreateDnVec: (out, size, values, type) =>
      all.add(all.dense, out, { rows: size, columns: 1, ld: size, values, type: elementOf(type), byRows: false }),
    cusparseCreateDnMat: (out, rows, columns, ld, values, type, order) =>
      all.add(all.dense, out, { rows, columns, ld, values, type: elementOf(type), byRows: order === ROW_ORDER }),
    ...Object.fromEntries(['Vec', 'Mat'].map((name) => [`cusparseDestroyDn${name}`, destroyed(all.dense)])),
    ...Object.fromEntries(
      ['Vec', 'Mat'].flatMap((name) => [
        [
          `cusparseDn${name}SetValues`,
          (id: number, values: number) => {
            found(all.dense, id).values = values;
            return STATUS.success;
          },
        ],
        [
          `cusparseDn${name}GetValues`,
          (id: number, out: number) => {
            host.setU64(out, found(all.dense, id).values);
            return STATUS.success;
          },
        ],
      ]),
    ),
  };
}

function descriptorCalls(all: Sparses): Functions {
  const { host } = all.context;
  const created = (kind: 'csr' | 'csc', out: number, args: readonly number[]): number => {
    const [rows, columns, count, first, second, values, offsets, indices, base, type] = args;
    const types = { firstType: indexOf(offsets), secondType: indexOf(indices), type: elementOf(type) };
    return all.add(all.matrices, out, { kind, rows, columns, count, first, second, values, ...types, base, upper: false, unit: false });
  };
  const setPointers = (id: number, first: number, second: number, values: number): number => {
    Object.assign(all.sparse(id), { first, second, values });
    return STATUS.success;
  };
  return {
    cusparseCreateCsr: (out, ...args) => created('csr', out, args),
    cusparseCreateCsc: (out, ...args) => created('csc', out, args),
    cusparseCreateCoo: (out, rows, columns, count, first, second, values, index, base, type) => {
      const types = { firstType: indexOf(index), secondType: indexOf(index), type: elementOf(type) };
      return all.add(all.matrices, out, {
        kind: 'coo',
        rows,
        columns,
        count,
        first,
        second,
        values,
        ...types,
        base,
        upper: false,
        unit: false,
      });
    },
    cusparseDestroySpMat: destroyed(all.matrices),
    cusparseSpMatGetSize: (id, rows, columns, count) => {
      const a = all.sparse(id);
      host.setU64(rows, a.rows);
      host.setU64(columns, a.columns);
      host.setU64(count, a.count);
      return STATUS.success;
    },
    cusparseCsrSetPointers: setPointers,
    cusparseCscSetPointers: setPointers,
    cusparseCooSetPointers: setPointers,
    cusparseSpMatSetValues: (id, values) => {
      all.sparse(id).values = values;
      return STATUS.success;
    },
    cusparseSpMatGetValues: (id, out) => {
      host.setU64(out, all.sparse(id).values);
      return STATUS.success;
    },
    cusparseSpMatSetAttribute: (id, attribute, data) => {
      const value = host.u32(data);
      if (attribute > 1) return STATUS.invalidValue;
      if (attribute === 0) all.sparse(id).upper = value === 1;
      else all.sparse(id).unit = value === 1;
      return STATUS.success;
    },
    ...denseCalls(all),
    cusparseCreateSpVec: (out, size, count, indices, values, index, base, type) =>
      all.add(all.vectors, out, { size, count, indices, values, indexType: indexOf(index), base, type: elementOf(type) }),
    cusparseDestroySpVec: destroyed(all.vectors),
    cusparseCreateCsrilu02Info: (out) => all.add(all.incomplete, out, -1),
    cusparseDestroyCsrilu02Info: destroyed(all.incomplete),
    cusparseSpGEMM_createDescr: (out) => all.add(all.products, out, undefined),
    cusparseSpGEMM_destroyDescr: destroyed(all.products),
  };
}

/** Says in the argument at this place how much memory is needed. */
function sized({ context }: Sparses, at: number): Functions[string] {
  return (...args) => {
    context.host.setU64(args[at], BUFFER_BYTES);
    return STATUS.success;
  };
}

/** Indices of 32 bits, counted from 0. */
function indicesAt(all: Sparses, address: number, count: number, base: number): Float64Array {
  return all.numbers(INT32, address, count).re.map((index) => index - base);
}

/** Functions that ask how much they need, prepare, and work: `work` gets the arguments behind the handle. */
function productCalls(all: Sparses): Functions {
  const nothing = () => STATUS.success;
  const times = (_: number, operation: number, alpha: number, a: number, x: number, beta: number, y: number, type: number): number => {
    all.update(y, all.scalar(type, alpha), sparseTimes(turned(all.triplets(a), operation), all.matrix(x)), all.scalar(type, beta));
    return STATUS.success;
  };
  const solved = (operations: readonly [number, number], alpha: Complex, a: number, b: number, c: number): number => {
    const own = all.sparse(a);
    const lower = own.upper === (operations[0] !== 0);
    const side = applied(all.matrix(b), operations[1]);
    const scaled = combined(alpha, side, ONE, undefined);
    all.update(c, ONE, solveTriangle(turned(all.triplets(a), operations[0]), scaled, { lower, unit: own.unit }), { re: 0, im: 0 });
    return STATUS.success;
  };
  return {
    cusparseSpMV_bufferSize: sized(all, 9),
    cusparseSpMV_preprocess: nothing,
    cusparseSpMV: times,
    cusparseSpMM_bufferSize: sized(all, 10),
    cusparseSpMM_preprocess: nothing,
    cusparseSpMM: (_, opA, opB, alpha, a, b, beta, c, type) => {
      const product = sparseTimes(turned(all.triplets(a), opA), applied(all.matrix(b), opB));
      all.update(c, all.scalar(type, alpha), product, all.scalar(type, beta));
      return STATUS.success;
    },
    cusparseSpSV_bufferSize: sized(all, 9),
    cusparseSpSV_analysis: nothing,
    cusparseSpSV_solve: (_, operation, alpha, a, x, y, type) => solved([operation, 0], all.scalar(type, alpha), a, x, y),
    cusparseSpSM_bufferSize: sized(all, 10),
    cusparseSpSM_analysis: nothing,
    cusparseSpSM_solve: (_, opA, opB, alpha, a, b, c, type) => solved([opA, opB], all.scalar(type, alpha), a, b, c),
    cusparseSDDMM_bufferSize: sized(all, 10),
    cusparseSDDMM_preprocess: nothing,
    cusparseSDDMM: (_, opA, opB, alpha, a, b, beta, c, type) => sampled(all, [opA, opB], [alpha, a, b, beta, c, type]),
    ...sparseProductCalls(all),
  };
}

/** C = alpha (op(A) op(B)) at C's places + beta C. */
function sampled(all: Sparses, [opA, opB]: readonly number[], [alpha, a, b, beta, c, type]: readonly number[]): number {
  const [rows, columns] = [applied(applied(all.matrix(a), opA), TRANSPOSED), applied(all.matrix(b), opB)];
  const places = all.triplets(c);
  const [scale, keep] = [all.scalar(type, alpha), all.scalar(type, beta)];
  const complex = places.im !== undefined;
  const sums = matrix(places.re.length, 1, complex);
  const column = (m: Matrix, index: number): Matrix => {
    const [from, to] = [index * m.rows, (index + 1) * m.rows];
    return { rows: m.rows, columns: 1, re: m.re.subarray(from, to), im: m.im?.subarray(from, to) };
  };
  for (let k = 0; k < places.re.length; k++) {
    const one = multiply(applied(column(rows, places.row[k]), TRANSPOSED), column(columns, places.column[k]));
    sums.re[k] = one.re[0];
    if (sums.im) sums.im[k] = one.im?.[0] ?? 0;
  }
  const old = { rows: places.re.length, columns: 1, re: places.re, im: places.im };
  const result = combined(scale, sums, keep, old);
  const own = all.sparse(c);
  all.write(own.type, own.values, result.re, result.im);
  return STATUS.success;
}

function sparseProductCalls(all: Sparses): Functions {
  const { host } = all.context;
  return {
    cusparseSpGEMM_workEstimation: (...args) => {
      if (args[12] === 0) host.setU64(args[11], BUFFER_BYTES);
      return STATUS.success;
    },
    cusparseSpGEMM_compute: (_, opA, opB, alpha, a, b, beta, c, type, _algorithm, descriptor, bytes, buffer) => {
      if (buffer === 0) {
        host.setU64(bytes, BUFFER_BYTES);
        return STATUS.success;
      }
      const keep = all.scalar(type, beta);
      // As in cuSPARSE: of the old matrix nothing is added that has no place yet.
      if (opA !== 0 || opB !== 0 || keep.re !== 0 || keep.im !== 0) return STATUS.notSupported;
      const product = sparseProduct(all.triplets(a), all.triplets(b), all.scalar(type, alpha));
      all.products.set(descriptor, product);
      all.sparse(c).count = product.re.length;
      return STATUS.success;
    },
    cusparseSpGEMM_copy: (_, _opA, _opB, _alpha, _a, _b, _beta, c, _type, _algorithm, descriptor) => {
      const product = all.products.get(descriptor);
      if (!product) return STATUS.invalidValue;
      all.store(c, product);
      return STATUS.success;
    },
    cusparseSparseToDense_bufferSize: (_, _a, _b, _algorithm, bytes) => {
      host.setU64(bytes, BUFFER_BYTES);
      return STATUS.success;
    },
    cusparseSparseToDense: (_, a, b) => {
      const { rows, columns, row, column, re, im } = all.triplets(a);
      const result = matrix(rows, columns, im !== undefined);
      for (let k = 0; k < re.length; k++) {
        result.re[row[k] + column[k] * rows] += re[k];
        if (im) result.im![row[k] + column[k] * rows] += im[k];
      }
      all.update(b, ONE, result, { re: 0, im: 0 });
      return STATUS.success;
    },
    cusparseDenseToSparse_bufferSize: (_, _a, _b, _algorithm, bytes) => {
      host.setU64(bytes, BUFFER_BYTES);
      return STATUS.success;
    },
    cusparseDenseToSparse_analysis: (_, a, b) => {
      const elements = nonZero(all.matrix(a));
      const own = all.sparse(b);
      own.count = elements.re.length;
      if (own.kind !== 'coo') all.offsets(own, own.kind === 'csc' ? elements.column : elements.row);
      return STATUS.success;
    },
    cusparseDenseToSparse_convert: (_, a, b) => {
      all.store(b, nonZero(all.matrix(a)));
      return STATUS.success;
    },
  };
}

function nonZero({ rows, columns, re, im }: Matrix): Triplets {
  const places = Array.from(re.keys()).filter((k) => re[k] !== 0 || (im !== undefined && im[k] !== 0));
  const part = (value: (k: number) => number) => Float64Array.from(places, value);
  return {
    rows,
    columns,
    row: part((k) => k % rows),
    column: part((k) => Math.floor(k / rows)),
    re: part((k) => re[k]),
    im: im && part((k) => im[k]),
  };
}

function vectorCalls(all: Sparses): Functions {
  const read = (id: number) => {
    const x = found(all.vectors, id);
    return {
      x,
      at: all.numbers(x.indexType, x.indices, x.count).re.map((index) => index - x.base),
      values: all.numbers(x.type, x.values, x.count),
    };
  };
  const moved = (from: Matrix, to: Matrix, place: (k: number) => [from: number, to: number], count: number) => {
    for (let k = 0; k < count; k++) {
      const [source, target] = place(k);
      to.re[target] = from.re[source];
      if (to.im) to.im[target] = from.im?.[source] ?? 0;
    }
  };
  return {
    cusparseGather: (_, y, id) => {
      const { x, at, values } = read(id);
      moved(all.matrix(y), values, (k) => [at[k], k], x.count);
      all.write(x.type, x.values, values.re, values.im);
      return STATUS.success;
    },
    cusparseAxpby: (_, alpha, id, beta, y) => {
      const { x, at, values } = read(id);
      const old = all.matrix(y);
      const added = matrix(old.rows, 1, x.type.complex);
      moved(values, added, (k) => [k, at[k]], x.count);
      all.update(y, all.operands.scalar(x.type, alpha), added, all.operands.scalar(x.type, beta));
      return STATUS.success;
    },
    cusparseSpVV_bufferSize: sized(all, 6),
    cusparseSpVV: (_, operation, id, y, result, type) => {
      const { at, values } = read(id);
      const other = all.matrix(y);
      const sign = operation === 2 ? -1 : 1;
      let [re, im] = [0, 0];
      for (const [k, place] of at.entries()) {
        const [p, q, u, v] = [values.re[k], sign * (values.im?.[k] ?? 0), other.re[place], other.im?.[place] ?? 0];
        re += p * u - q * v;
        im += p * v + q * u;
      }
      all.write(elementOf(type), result, Float64Array.of(re), Float64Array.of(im));
      return STATUS.success;
    },
    cusparseScatter: (_, id, y) => {
      const { x, at, values } = read(id);
      const target = all.matrix(y);
      moved(values, target, (k) => [k, at[k]], x.count);
      all.update(y, ONE, target, { re: 0, im: 0 });
      return STATUS.success;
    },
  };
}

/** Functions of the arrays of one format, whose indices have 32 bits. */
function arrayCalls(all: Sparses): Functions {
  const { host } = all.context;
  const indices = (address: number, count: number, base = 0): Float64Array => indicesAt(all, address, count, base);
  const put = (address: number, values: Float64Array, base = 0): void =>
    all.write(
      INT32,
      address,
      values.map((index) => index + base),
    );
  const linesOf = (offsets: Float64Array, count: number): Float64Array => {
    const lines = new Float64Array(count);
    for (let line = 0; line + 1 < offsets.length; line++) lines.fill(line, offsets[line], offsets[line + 1]);
    return lines;
  };
  const offsetsOf = (lines: Float64Array, rows: number): Float64Array => {
    const offsets = new Float64Array(rows + 1);
    for (const line of lines) offsets[line + 1]++;
    for (let k = 1; k <= rows; k++) offsets[k] += offsets[k - 1];
    return offsets;
  };
  return {
    cusparseXcoo2csr: (_, rowIndices, count, rows, offsets, base) => {
      put(offsets, offsetsOf(indices(rowIndices, count, base), rows), base);
      return STATUS.success;
    },
    cusparseXcsr2coo: (_, offsets, count, rows, rowIndices, base) => {
      put(rowIndices, linesOf(indices(offsets, rows + 1, base), count), base);
      return STATUS.success;
    },
    cusparseCsr2cscEx2_bufferSize: sized(all, 14),
    cusparseCsr2cscEx2: (
      _,
      rows,
      columns,
      count,
      values,
      offsets,
      columnIndices,
      toValues,
      toOffsets,
      toIndices,
      type,
      withValues,
      base,
    ) => {
      const column = indices(columnIndices, count, base);
      const line = linesOf(indices(offsets, rows + 1, base), count);
      const order = Array.from(column.keys()).sort((p, q) => column[p] - column[q] || p - q);
      const sorted = (from: Float64Array) => Float64Array.from(order, (k) => from[k]);
      put(toOffsets, offsetsOf(column, columns), base);
      put(toIndices, sorted(line), base);
      if (withValues !== 1) return STATUS.success;
      const element = elementOf(type);
      const { re, im } = all.numbers(element, values, count);
      all.write(element, toValues, sorted(re), im && sorted(im));
      return STATUS.success;
    },
    cusparseCreateIdentityPermutation: (_, count, p) => {
      put(
        p,
        Float64Array.from({ length: count }, (_none, k) => k),
      );
      return STATUS.success;
    },
    cusparseXcsrsort_bufferSizeExt: sized(all, 6),
    cusparseXcsrsort: (_, rows, _columns, count, descriptor, offsets, columnIndices, p) => {
      const column = indices(columnIndices, count);
      // The description's fourth field.
      const line = linesOf(indices(offsets, rows + 1, host.u32(descriptor + 12)), count);
      const order = Array.from(column.keys()).sort((a, b) => line[a] - line[b] || column[a] - column[b] || a - b);
      put(
        columnIndices,
        Float64Array.from(order, (k) => column[k]),
      );
      if (p === 0) return STATUS.success;
      const places = indices(p, count);
      put(
        p,
        Float64Array.from(order, (k) => places[k]),
      );
      return STATUS.success;
    },
  };
}

/** Incomplete LU factors at the places of the matrix itself: in place of its values, rows being sorted. The first row without a pivot, or -1. */
function factorIncomplete(values: Float64Array, offsets: Float64Array, columns: Float64Array): number {
  const pivotOf = new Float64Array(offsets.length - 1).fill(-1);
  let zero = -1;
  for (let row = 0; row + 1 < offsets.length; row++) {
    const places = new Map<number, number>();
    for (let at = offsets[row]; at < offsets[row + 1]; at++) places.set(columns[at], at);
    for (let at = offsets[row]; at < offsets[row + 1] && columns[at] < row; at++) {
      const above = columns[at];
      if (pivotOf[above] < 0) continue;
      values[at] /= values[pivotOf[above]];
      for (let from = pivotOf[above] + 1; from < offsets[above + 1]; from++) {
        const target = places.get(columns[from]);
        if (target !== undefined) values[target] -= values[at] * values[from];
      }
    }
    pivotOf[row] = places.get(row) ?? -1;
    if (zero < 0 && (pivotOf[row] < 0 || values[pivotOf[row]] === 0)) zero = row;
  }
  return zero;
}

function incompleteCalls(all: Sparses): Functions {
  const { host } = all.context;
  const calls: Functions = {
    cusparseXcsrilu02_zeroPivot: (_, info, position) => {
      const zero = found(all.incomplete, info);
      host.setU32(position, zero);
      return zero < 0 ? STATUS.success : STATUS.zeroPivot;
    },
  };
  for (const [letter, type] of Object.entries({ S: 0, D: 1 })) {
    const element = elementOf(type);
    calls[`cusparse${letter}csrilu02_bufferSize`] = (_, _rows, _count, _descriptor, _values, _offsets, _columns, _info, bytes) => {
      host.setU32(bytes, BUFFER_BYTES);
      return STATUS.success;
    };
    calls[`cusparse${letter}csrilu02_analysis`] = () => STATUS.success;
    calls[`cusparse${letter}csrilu02`] = (_, rows, count, descriptor, values, offsets, columns, info) => {
      // The description's fourth field.
      const base = host.u32(descriptor + 12);
      const indices = (address: number, length: number) => indicesAt(all, address, length, base);
      const { re } = all.numbers(element, values, count);
      const zero = factorIncomplete(re, indices(offsets, rows + 1), indices(columns, count));
      all.write(element, values, re);
      all.incomplete.set(info, zero < 0 ? zero : zero + base);
      return STATUS.success;
    };
  }
  return calls;
}

function handleCalls(all: Sparses): Functions {
  const { host } = all.context;
  const settings = { library: 'cusparse', host, handles: all.handles, notInitialized: STATUS.notInitialized };
  return {
    cusparseCreate: (out) => all.add(all.handles, out, { stream: 0, pointerMode: 0 }),
    cusparseDestroy: (id) => (all.handles.delete(id) ? STATUS.success : STATUS.notInitialized),
    ...settingCalls(settings, 'stream', 8),
    ...settingCalls(settings, 'pointerMode', 4),
  };
}

export function cusparseFunctions(context: CudaContext): Functions {
  const all = new Sparses(context);
  const guarded = (calls: Functions, needsHandle: boolean): Functions =>
    Object.fromEntries(
      Object.entries(calls).map(([name, call]): [string, Functions[string]] => [
        name,
        (...args) => {
          if (needsHandle && !all.handles.has(args[0])) return STATUS.notInitialized;
          return answered(context, 'cuSPARSE', STATUS, () => call(...args));
        },
      ]),
    );
  return {
    ...handleCalls(all),
    ...guarded(descriptorCalls(all), false),
    ...guarded({ ...productCalls(all), ...vectorCalls(all), ...arrayCalls(all), ...incompleteCalls(all) }, true),
  };
}
