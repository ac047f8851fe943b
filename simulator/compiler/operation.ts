/** What the tables of operations are written against: an instruction whose operands can be pushed, and one whose result is a word. */
import type { FloatPredicate, Instruction } from '../ir/types.ts';
import { componentsOf } from './components.ts';
import type { KernelContext } from './kernel-context.ts';
import type { FunctionBuilder } from './wasm-encoder.ts';

/** Emission of one operation on scalars: words and masks are i32 (masks 0 or 1), doubles i64. Leaves the result on the stack. */
export interface ScalarContext {
  readonly f: FunctionBuilder;
  readonly kernel: KernelContext;
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
  readonly kernel: KernelContext;
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

/** What a comparison of floats is made of, on scalars or on vectors. */
export interface FloatComparison {
  /** Pushes whether an operation of WebAssembly (`lt`, `eq` ...) holds between two operands. */
  compare(name: string, a: 0 | 1, b: 0 | 1): void;
  constant(value: boolean): void;
  and(): void;
  or(): void;
  not(): void;
}

/** WebAssembly's comparisons are false where an operand is NaN, and `ne` is true there. */
export function emitFloatComparison(predicate: FloatPredicate, { compare, constant, and, or, not }: FloatComparison): void {
  switch (predicate) {
    case 'false':
    case 'true':
      constant(predicate === 'true');
      return;
    case 'ord':
    case 'uno':
      compare('eq', 0, 0);
      compare('eq', 1, 1);
      and();
      if (predicate === 'uno') not();
      return;
    case 'one':
    case 'ueq':
      compare('lt', 0, 1);
      compare('gt', 0, 1);
      or();
      if (predicate === 'ueq') not();
      return;
    case 'une':
      compare('ne', 0, 1);
      return;
    default: {
      const ordered = predicate[0] === 'o';
      const opposite: Readonly<Record<string, string>> = { gt: 'le', ge: 'lt', lt: 'ge', le: 'gt' };
      const name = predicate.slice(1);
      compare(ordered ? name : opposite[name], 0, 1);
      if (!ordered) not();
    }
  }
}

/** Low 32-bit words of two vectors of double words. */
export const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];

/** High 32-bit words of two vectors of double words. */
export const HIGH_WORDS = LOW_WORDS.map((byte) => byte + 4);

/** The first two words of one vector, then those of another. */
export const LOW_HALVES = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
/** The last two words of a vector, twice. */
export const HIGH_HALF = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];

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

/** One instruction of two operands on vectors. */
export function binary(name: string): EmitVector {
  return ({ f, push, half }) => {
    push(0, half);
    push(1, half);
    f.op(name);
  };
}
