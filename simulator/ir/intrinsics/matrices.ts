/**
 * Products of small matrices that a warp's lanes hold together (PTX ISA 9.0, "Matrix multiply-accumulate operation using mma
 * instruction"). Operands: member mask, registers of A, of B, of C. The result: registers of D, in a structure if there are several.
 */
import type { Intrinsic } from './description.ts';

export type MatrixElement = 'f16' | 'bf16' | 'tf32' | 'f64' | 's8' | 'u8' | 's4' | 'u4' | 'b1' | 'e4m3' | 'e5m2';

/** How bits are multiplied. */
export type BitProduct = 'xor' | 'and';

export interface MatrixProduct {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly a: MatrixElement;
  readonly b: MatrixElement;
  /** Of C and D. */
  readonly sum: 'f16' | 'f32' | 'f64' | 's32';
  /** Sums of integers stay in the range of s32. */
  readonly saturates: boolean;
  /** Of b1 alone. */
  readonly bits?: BitProduct;
}

const SHAPES: Readonly<Record<string, readonly (readonly [number, number, number])[]>> = {
  f16: [
    [16, 8, 8],
    [16, 8, 16],
  ],
  bf16: [
    [16, 8, 8],
    [16, 8, 16],
  ],
  tf32: [
    [16, 8, 4],
    [16, 8, 8],
  ],
  f64: [
    [8, 8, 4],
    [16, 8, 4],
    [16, 8, 8],
    [16, 8, 16],
  ],
  integer: [
    [8, 8, 16],
    [16, 8, 16],
    [16, 8, 32],
  ],
  quarter: [
    [8, 8, 32],
    [16, 8, 32],
    [16, 8, 64],
  ],
  bit: [
    [8, 8, 128],
    [16, 8, 128],
    [16, 8, 256],
  ],
  f8: [
    [16, 8, 16],
    [16, 8, 32],
  ],
};

function entries(
  shapes: string,
  pairs: readonly (readonly [MatrixElement, MatrixElement])[],
  sums: readonly MatrixProduct['sum'][],
  operations: readonly BitProduct[] = [],
): [string, Intrinsic][] {
  const kinds = sums.flatMap((sum): Pick<MatrixProduct, 'sum' | 'saturates' | 'bits'>[] => {
    if (operations.length > 0) return operations.map((bits) => ({ sum, saturates: false, bits }));
    return (sum === 's32' ? [false, true] : [false]).map((saturates) => ({ sum, saturates }));
  });
  return SHAPES[shapes].flatMap(([m, n, k]) =>
    pairs.flatMap(([a, b]) =>
      kinds.map((kind): [string, Intrinsic] => {
        const product = { m, n, k, a, b, ...kind };
        const how = { effect: 'exchange', result: 'varying', waits: 'lanes', cost: 'exchange' } as const;
        return [matrixName(product), { ...how, meaning: { kind: 'matrixProduct', product } }];
      }),
    ),
  );
}

export function matrixName({ m, n, k, a, b, sum, saturates, bits }: MatrixProduct): string {
  return `lanewise.mma.m${m}n${n}k${k}.${a}.${b}.${sum}${saturates ? '.satfinite' : ''}${bits ? `.${bits}` : ''}`;
}

/** Bits of an element in a register. */
export const ELEMENT_BITS: Readonly<Record<MatrixElement, number>> = {
  f16: 16,
  bf16: 16,
  tf32: 32,
  f64: 64,
  s8: 8,
  u8: 8,
  s4: 4,
  u4: 4,
  b1: 1,
  e4m3: 8,
  e5m2: 8,
};

/** How many registers of a lane A, B and C take. */
export function registersOf({ m, n, k, a, b, sum }: MatrixProduct): readonly [number, number, number] {
  const lanes = 32;
  const count = (elements: number, bits: number) => (elements * bits) / (lanes * Math.max(32, bits));
  return [count(m * k, ELEMENT_BITS[a]), count(k * n, ELEMENT_BITS[b]), count(m * n, sum === 'f16' ? 16 : sum === 'f64' ? 64 : 32)];
}

const both = <T>(elements: readonly T[]): [T, T][] => elements.flatMap((a) => elements.map((b): [T, T] => [a, b]));

export const MATRICES: Readonly<Record<string, Intrinsic>> = Object.fromEntries([
  ...entries('f16', [['f16', 'f16']], ['f16', 'f32']),
  ...entries('bf16', [['bf16', 'bf16']], ['f32']),
  ...entries('tf32', [['tf32', 'tf32']], ['f32']),
  ...entries('f64', [['f64', 'f64']], ['f64']),
  ...entries('integer', both(['s8', 'u8'] as const), ['s32']),
  ...entries('quarter', both(['s4', 'u4'] as const), ['s32']),
  ...entries('bit', [['b1', 'b1']], ['s32'], ['xor', 'and']),
  ...entries('f8', both(['e4m3', 'e5m2'] as const), ['f16', 'f32']),
]);
