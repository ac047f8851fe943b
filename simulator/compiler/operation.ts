/** What the tables of operations are written against: an instruction whose operands can be pushed, and one whose result is a word. */
import type { Instruction } from '../ir/types.ts';
import { componentsOf } from './components.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

/** Emission of one operation on scalars: words and masks are i32 (masks 0 or 1), doubles i64. Leaves the result on the stack. */
export interface ScalarContext {
  readonly f: FunctionBuilder;
  readonly instruction: Instruction;
  /** Pushes an operand; may be called again. Operands are numbered as in `operandsOf`. */
  push(operand: number): void;
  constant(operand: number): bigint | undefined;
}

/**
 * Emission of one operation on four lanes: words are a vector, masks a vector of all ones or zeros per 32-bit lane, doubles two
 * vectors of which `half` says the one that is wanted. Leaves one vector on the stack.
 */
export interface VectorContext {
  readonly f: FunctionBuilder;
  readonly instruction: Instruction;
  /** Half of the result to be emitted; 0 for words and masks. */
  readonly half: 0 | 1;
  push(operand: number, half?: 0 | 1): void;
  constant(operand: number): bigint | undefined;
  /** Pushes an operand that all lanes share as a scalar; undefined for others. */
  scalar(operand: number): (() => void) | undefined;
}

export type EmitScalar = (context: ScalarContext) => void;
export type EmitVector = (context: VectorContext) => void;

/** Low 32-bit words of two vectors of double words. */
export const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];

/** All ones in the low bits. */
export function onesOf(bits: number): number {
  return bits >= 32 ? -1 : (1 << bits) - 1;
}

export function isDouble(type: Instruction['type']): boolean {
  return componentsOf(type)[0].cls === 'double';
}

export function isMask(type: Instruction['type']): boolean {
  return componentsOf(type)[0].cls === 'mask';
}
