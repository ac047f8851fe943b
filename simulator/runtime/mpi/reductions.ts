/** Datatypes of mpi.h and what its operations make of two arrays of them, element by element. */
import { misuse } from './messages.ts';

type Numbers = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;
type Integers64 = BigInt64Array | BigUint64Array;

/** By the number in mpi.h, which is this times 256 and the bytes. */
const KINDS: Readonly<Record<number, (buffer: ArrayBuffer) => Numbers | Integers64>> = {
  1: (buffer) => new Int8Array(buffer),
  2: (buffer) => new Uint8Array(buffer),
  3: (buffer) => new Int16Array(buffer),
  4: (buffer) => new Uint16Array(buffer),
  5: (buffer) => new Int32Array(buffer),
  6: (buffer) => new Uint32Array(buffer),
  7: (buffer) => new BigInt64Array(buffer),
  8: (buffer) => new BigUint64Array(buffer),
  9: (buffer) => new Float32Array(buffer),
  10: (buffer) => new Float64Array(buffer),
};

const OPERATIONS: Readonly<Record<number, (a: number, b: number) => number>> = {
  1: (a, b) => a + b,
  2: (a, b) => a * b,
  3: (a, b) => Math.max(a, b),
  4: (a, b) => Math.min(a, b),
  5: (a, b) => (a && b ? 1 : 0),
  6: (a, b) => (a || b ? 1 : 0),
  7: (a, b) => a & b,
  8: (a, b) => a | b,
  9: (a, b) => a ^ b,
};

const WIDE: Readonly<Record<number, (a: bigint, b: bigint) => bigint>> = {
  1: (a, b) => a + b,
  2: (a, b) => a * b,
  3: (a, b) => (a > b ? a : b),
  4: (a, b) => (a < b ? a : b),
  5: (a, b) => (a && b ? 1n : 0n),
  6: (a, b) => (a || b ? 1n : 0n),
  7: (a, b) => a & b,
  8: (a, b) => a | b,
  9: (a, b) => a ^ b,
};
const PRODUCT = 2;
const BITWISE = [7, 8, 9];
const FLOATS = [9, 10];

export function typeBytes(call: string, type: number): number {
  if (!KINDS[type >> 8]) throw misuse(call, `${type} is no datatype of mpi.h`);
  return type & 255;
}

/** `a` and `b` in this order: sums of floating-point numbers depend on it. */
export function combine(
  call: string,
  { type, operation }: { readonly type: number; readonly operation: number },
  a: Uint8Array,
  b: Uint8Array,
) {
  const kind = type >> 8;
  if (!OPERATIONS[operation] || (FLOATS.includes(kind) && BITWISE.includes(operation))) {
    throw misuse(call, 'the operation is none of mpi.h, or none for this datatype');
  }
  const [left, right] = [a, b].map((bytes) => KINDS[kind](bytes.slice().buffer as ArrayBuffer));
  if (left instanceof BigInt64Array || left instanceof BigUint64Array) {
    const run = WIDE[operation];
    for (let i = 0; i < left.length; i++) left[i] = run(left[i], (right as Integers64)[i]);
  } else {
    // Products of integers may be too large for a double.
    const run = operation === PRODUCT && !FLOATS.includes(kind) ? Math.imul : OPERATIONS[operation];
    for (let i = 0; i < left.length; i++) left[i] = run(left[i], (right as Numbers)[i]);
  }
  return new Uint8Array(left.buffer);
}
