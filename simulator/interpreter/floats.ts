/**
 * Floating-point operations: IEEE, each rounded once to its format. Singles are computed in double precision and rounded when they
 * are stored, which for one +, -, *, / or square root is the same as rounding once. The 16-bit formats are bits in the cells.
 */
import type { FloatBinary, FloatPredicate, Type } from '../ir/types.ts';
import type { Cell } from '../machine/cells.ts';
import { bfloatToNumber, halfToNumber, numberToBfloat, numberToHalf } from '../machine/half.ts';
import { type LaneLoop, type LaneOperation, loopTable } from './lane-loop.ts';

export type FloatFormat = Extract<Type, { kind: 'float' }>['format'];

const loops = loopTable();

/** The view of a cell that holds numbers of a format: of half and bfloat, their bits. */
export function floatView(cell: Cell, format: FloatFormat): Float32Array | Float64Array | Int32Array {
  return format === 'double' ? cell.d : format === 'float' ? cell.f : cell.i;
}

/**
 * A loop that applies an operation on numbers to lanes of a format. For 16-bit formats the operands are converted and the result is
 * rounded from double precision.
 */
export function floatLoop(name: string, format: FloatFormat, arity: 1 | 2 | 3, operation: LaneOperation): LaneLoop {
  return loops(`${name} ${format}`, arity, () => inFormat(format, operation));
}

/** As floatLoop, for operations whose result is no number of the format (comparisons, classes). */
export function floatTestLoop(name: string, format: FloatFormat, arity: 1 | 2, operation: LaneOperation): LaneLoop {
  return loops(`${name} ${format}`, arity, () => {
    const read = reader(format);
    return read ? (a, b) => operation(read(a), read(b ?? 0)) : operation;
  });
}

export function reader(format: FloatFormat): ((bits: number) => number) | undefined {
  return format === 'half' ? halfToNumber : format === 'bfloat' ? bfloatToNumber : undefined;
}

export function writer(format: FloatFormat): ((value: number) => number) | undefined {
  return format === 'half' ? numberToHalf : format === 'bfloat' ? numberToBfloat : undefined;
}

export const FLOAT_BINARY: Readonly<Record<FloatBinary, (a: number, b: number) => number>> = {
  fadd: (a, b) => a + b,
  fsub: (a, b) => a - b,
  fmul: (a, b) => a * b,
  fdiv: (a, b) => a / b,
  frem: (a, b) => a % b,
};

/** `o` predicates are false, `u` predicates true, when an operand is NaN. */
export const FLOAT_COMPARE: Readonly<Record<FloatPredicate, (a: number, b: number) => number>> = {
  false: () => 0,
  true: () => 1,
  oeq: (a, b) => (a === b ? 1 : 0),
  ogt: (a, b) => (a > b ? 1 : 0),
  oge: (a, b) => (a >= b ? 1 : 0),
  olt: (a, b) => (a < b ? 1 : 0),
  ole: (a, b) => (a <= b ? 1 : 0),
  one: (a, b) => (a < b || a > b ? 1 : 0),
  ord: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? 0 : 1),
  ueq: (a, b) => (a < b || a > b ? 0 : 1),
  ugt: (a, b) => (a <= b ? 0 : 1),
  uge: (a, b) => (a < b ? 0 : 1),
  ult: (a, b) => (a >= b ? 0 : 1),
  ule: (a, b) => (a > b ? 0 : 1),
  une: (a, b) => (a === b ? 0 : 1),
  uno: (a, b) => (Number.isNaN(a) || Number.isNaN(b) ? 1 : 0),
};

function inFormat(format: FloatFormat, operation: LaneOperation): LaneOperation {
  const read = reader(format);
  const write = writer(format);
  if (!read || !write) return operation;
  return (a, b, c) => write(Number(operation(read(a), b === undefined ? undefined : read(b), c === undefined ? undefined : read(c))));
}
