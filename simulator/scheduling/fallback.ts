/** What compiled code falls back on: an engine that knows every instruction, for whole kernels and for single instructions. */
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import type { LoadedModule } from '../machine/load-module.ts';
import type { CreateEngine } from './engine.ts';
import type { Meaning, Program } from './program.ts';

export interface Fallback {
  readonly createEngine: CreateEngine;
  /** Prepares a kernel whose instructions are executed one by one, on frames that somebody else keeps. */
  prepare(module: LoadedModule, kernel: IrFunction): PreparedKernel;
}

export interface PreparedKernel {
  /** Says which cells a frame has. Its segments are the caller's to make. */
  readonly program: Program;
  /** Cells of the scalars of an operand or result, in order. */
  cells(operand: Operand): readonly number[];
  results(instruction: Instruction): readonly number[];
  /** undefined: the instruction does nothing. Throws UnsupportedIr for one that is not known, and for calls of functions. */
  meaning(instruction: Instruction): Meaning | undefined;
}
