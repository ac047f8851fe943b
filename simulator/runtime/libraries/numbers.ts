/** Vectors and matrices of libraries: read from memory of either side as doubles, written back rounded to their own type. */
import { halfOfEightBits, pairOfEightBits } from '../../ir/math/eight-bit-floats.ts';
import { bfloatToNumber, halfToNumber, numberToBfloat, numberToHalf } from '../../machine/half.ts';
import type { CudaContext } from '../cuda-context.ts';

/** A type of elements, by cudaDataType's number (library_types.h). */
export interface Element {
  readonly bytes: number;
  readonly complex: boolean;
  readonly read: (view: DataView, at: number) => number;
  readonly write: (view: DataView, at: number, value: number) => void;
}

const single = {
  read: (view: DataView, at: number) => view.getFloat32(at, true),
  write: (v: DataView, at: number, x: number) => v.setFloat32(at, x, true),
};
const double = {
  read: (view: DataView, at: number) => view.getFloat64(at, true),
  write: (v: DataView, at: number, x: number) => v.setFloat64(at, x, true),
};
const half = {
  read: (view: DataView, at: number) => halfToNumber(view.getUint16(at, true)),
  write: (v: DataView, at: number, x: number) => v.setUint16(at, numberToHalf(x), true),
};
const bfloat = {
  read: (view: DataView, at: number) => bfloatToNumber(view.getUint16(at, true)),
  write: (v: DataView, at: number, x: number) => v.setUint16(at, numberToBfloat(Math.fround(x)), true),
};

export const S: Element = { bytes: 4, complex: false, ...single };
export const D: Element = { bytes: 8, complex: false, ...double };
export const C: Element = { bytes: 8, complex: true, ...single };
export const Z: Element = { bytes: 16, complex: true, ...double };
export const H: Element = { bytes: 2, complex: false, ...half };
const B: Element = { bytes: 2, complex: false, ...bfloat };
const INT8: Element = { bytes: 1, complex: false, read: (v, at) => v.getInt8(at), write: (v, at, x) => v.setInt8(at, x) };
export const INT32: Element = {
  ...{ bytes: 4, complex: false },
  read: (v, at) => v.getInt32(at, true),
  write: (v, at, x) => v.setInt32(at, x, true),
};
export const INT64: Element = {
  ...{ bytes: 8, complex: false },
  read: (view, at) => Number(view.getBigInt64(at, true)),
  write: (view, at, value) => view.setBigInt64(at, BigInt(value), true),
};

/** __NV_E4M3 (0) and __NV_E5M2 (1); what is too large becomes the largest number. */
const eightBits = (kind: number): Element => ({
  ...{ bytes: 1, complex: false },
  read: (v, at) => halfToNumber(halfOfEightBits(v.getUint8(at), kind)),
  write: (v, at, x) => v.setUint8(at, pairOfEightBits(Math.fround(x), 0, kind, 1) & 0xff),
});
const E4M3 = eightBits(0);
const E5M2 = eightBits(1);

/** By cudaDataType. */
export const ELEMENTS: ReadonlyMap<number, Element> = new Map([
  [0, S],
  [1, D],
  [2, H],
  [3, INT8],
  [4, C],
  [5, Z],
  [10, INT32],
  [14, B],
  [28, E4M3],
  [29, E5M2],
]);

/** Rows and columns of doubles, column after column. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly re: Float64Array;
  readonly im: Float64Array | undefined;
}

export interface Complex {
  readonly re: number;
  readonly im: number;
}

/** Where a matrix lies: `step` elements from one row to the next, `stride` from one column to the next. */
export interface Layout {
  readonly address: number;
  readonly rows: number;
  readonly columns: number;
  readonly stride: number;
  readonly step?: number;
}

/** Thrown where a size is negative, or a pointer leads to no memory. */
export class BadOperand extends Error {
  constructor(readonly reason: 'size' | 'memory') {
    super(reason);
  }
}

/** Arguments arrive unsigned. */
const NEGATIVE = 2 ** 31;

export function matrix(rows: number, columns: number, complex: boolean): Matrix {
  const count = rows * columns;
  return { rows, columns, re: new Float64Array(count), im: complex ? new Float64Array(count) : undefined };
}

export class Operands {
  constructor(readonly context: CudaContext) {}

  /** Of either side, whatever the pointer mode says: an address that both have is none. */
  scalar(element: Element, address: number): Complex {
    const { re, im } = this.read(element, { address, rows: 1, columns: 1, stride: 1 }, 'either');
    return { re: re[0], im: im?.[0] ?? 0 };
  }

  read(element: Element, layout: Layout, side: 'device' | 'either' = 'device'): Matrix {
    const { rows, columns, stride, step = 1 } = layout;
    if (rows >= NEGATIVE || columns >= NEGATIVE || stride >= NEGATIVE) throw new BadOperand('size');
    // Before room is made for them: nobody has matrices that fit into no memory.
    const seen = rows === 0 || columns === 0 ? undefined : this.#view(element, layout, side);
    const result = matrix(rows, columns, element.complex);
    if (!seen) return result;
    const { view, first } = seen;
    const { re, im } = result;
    for (let column = 0, k = 0; column < columns; column++) {
      let at = first + column * stride * element.bytes;
      for (let row = 0; row < rows; row++, k++, at += step * element.bytes) {
        re[k] = element.read(view, at);
        if (im) im[k] = element.read(view, at + element.bytes / 2);
      }
    }
    return result;
  }

  /** `wanted` says which elements are written; all without it. */
  write(element: Element, layout: Layout, { re, im }: Matrix, wanted?: (row: number, column: number) => boolean): void {
    const { rows, columns, stride, step = 1, address } = layout;
    if (rows === 0 || columns === 0) return;
    const { view, first, place } = this.#view(element, layout);
    const { memory } = this.context;
    for (let column = 0, k = 0; column < columns; column++) {
      const start = first + column * stride * element.bytes;
      for (let row = 0, at = start; row < rows; row++, k++, at += step * element.bytes) {
        if (wanted && !wanted(row, column)) continue;
        element.write(view, at, re[k]);
        if (element.complex) element.write(view, at + element.bytes / 2, im?.[k] ?? 0);
      }
      if (place === 'device') memory.observer?.written(address + start - first, rows * element.bytes);
    }
    if (place === 'device') memory.changed(address);
  }

  /** Memory from the layout's lowest element to its highest; `first` is the offset of the first. */
  #view(element: Element, { address, rows, columns, stride, step = 1 }: Layout, side: 'device' | 'either' = 'device') {
    const [down, right] = [(rows - 1) * step * element.bytes, (columns - 1) * stride * element.bytes];
    const lowest = Math.min(0, down) + Math.min(0, right);
    const bytes = Math.abs(down) + Math.abs(right) + element.bytes;
    const place = this.context.locate(address + lowest, bytes, side);
    if (!place) throw new BadOperand('memory');
    const { buffer, byteOffset } = place.bytes;
    return { view: new DataView(buffer, byteOffset, bytes), first: -lowest, place: place.side };
  }
}
