/** PTX's fundamental types and comparisons, as types of the IR. */
import { floatType, I1, intType, vectorType } from '../type-table.ts';
import type { FloatPredicate, IntPredicate, Type } from '../types.ts';

export interface PtxType {
  readonly name: string;
  /** s, u, b, f (f16x2 and bf16 too), or pred. */
  readonly kind: 's' | 'u' | 'b' | 'f' | 'pred';
  readonly bits: number;
  readonly type: Type;
}

const HALF = floatType('half');
const BFLOAT = floatType('bfloat');

const FLOATS: Readonly<Record<string, Type>> = {
  f16: HALF,
  bf16: BFLOAT,
  f32: floatType('float'),
  tf32: floatType('float'),
  f64: floatType('double'),
  f16x2: vectorType(HALF, 2),
  bf16x2: vectorType(BFLOAT, 2),
};

function bitsOf(type: Type): number {
  if (type.kind === 'int') return type.bits;
  if (type.kind === 'vector') return type.count * bitsOf(type.element);
  if (type.kind !== 'float') return 64;
  return { half: 16, bfloat: 16, float: 32, double: 64 }[type.format];
}

const TYPES: ReadonlyMap<string, PtxType> = new Map([
  ...['s', 'u', 'b'].flatMap((kind) =>
    [8, 16, 32, 64, 128].map((bits): [string, PtxType] => [
      `${kind}${bits}`,
      { name: `${kind}${bits}`, kind: kind as 's' | 'u' | 'b', bits, type: intType(bits) },
    ]),
  ),
  ...Object.entries(FLOATS).map(([name, type]): [string, PtxType] => [name, { name, kind: 'f', bits: bitsOf(type), type }]),
  ['pred', { name: 'pred', kind: 'pred', bits: 1, type: I1 }],
]);

export function ptxType(name: string | undefined): PtxType | undefined {
  return name === undefined ? undefined : TYPES.get(name);
}

/** Bits that a value of the type has; pointers count as 64. */
export function widthOf(type: Type): number {
  return bitsOf(type);
}

const SIGNED: Readonly<Record<string, IntPredicate>> = { eq: 'eq', ne: 'ne', lt: 'slt', le: 'sle', gt: 'sgt', ge: 'sge' };
const UNSIGNED: Readonly<Record<string, IntPredicate>> = {
  ...{ eq: 'eq', ne: 'ne', lt: 'ult', le: 'ule', gt: 'ugt', ge: 'uge' },
  ...{ lo: 'ult', ls: 'ule', hi: 'ugt', hs: 'uge' },
} as const;
const FLOAT: Readonly<Record<string, FloatPredicate>> = {
  ...{ eq: 'oeq', ne: 'one', lt: 'olt', le: 'ole', gt: 'ogt', ge: 'oge', num: 'ord', nan: 'uno' },
  ...{ equ: 'ueq', neu: 'une', ltu: 'ult', leu: 'ule', gtu: 'ugt', geu: 'uge' },
} as const;

export function intPredicate(comparison: string, { kind }: PtxType): IntPredicate | undefined {
  return (kind === 's' ? SIGNED : UNSIGNED)[comparison];
}

export function floatPredicate(comparison: string): FloatPredicate | undefined {
  return FLOAT[comparison];
}
