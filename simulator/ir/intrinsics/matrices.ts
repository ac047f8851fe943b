/**
 * Products of small matrices that a warp's lanes hold together (PTX ISA 9.0, "Matrix multiply-accumulate operation using mma
 * instruction"). Operands: member mask, registers of A, of B, of C. The result: registers of D, in a structure if there are several.
 */
import type { Intrinsic } from './description.ts';

export type MatrixElement = 'f16' | 'bf16' | 'tf32' | 'f64' | 's8' | 'u8' | 'e4m3' | 'e5m2';

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
  f8: [[16, 8, 32]],
};

function entries(
  shapes: string,
  pairs: readonly (readonly [MatrixElement, MatrixElement])[],
  sums: readonly MatrixProduct['sum'][],
): [string, Intrinsic][] {
  return SHAPES[shapes].flatMap(([m, n, k]) =>
    pairs.flatMap(([a, b]) =>
      sums.flatMap((sum) =>
        (sum === 's32' ? [false, true] : [false]).map((saturates): [string, Intrinsic] => [
          matrixName({ m, n, k, a, b, sum, saturates }),
          {
            ...{ effect: 'exchange', result: 'varying', waits: 'lanes', cost: 'exchange' },
            meaning: { kind: 'matrixProduct', product: { m, n, k, a, b, sum, saturates } },
          },
        ]),
      ),
    ),
  );
}

export function matrixName({ m, n, k, a, b, sum, saturates }: MatrixProduct): string {
  return `lanewise.mma.m${m}n${n}k${k}.${a}.${b}.${sum}${saturates ? '.satfinite' : ''}`;
}

/** Bits of an element in a register. */
export const ELEMENT_BITS: Readonly<Record<MatrixElement, number>> = {
  f16: 16,
  bf16: 16,
  tf32: 32,
  f64: 64,
  s8: 8,
  u8: 8,
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
  ...entries('f8', both(['e4m3', 'e5m2'] as const), ['f32']),
]);
