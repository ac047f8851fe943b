/**
 * Whether what a kernel does is a function of device memory and of its launch alone. What reads clocks, prints, allocates, launches or takes
 * its turn by an atomic's result has to be executed each time, and so has whatever is not known here.
 */

import type { Effect } from '../ir/intrinsics/description.ts';
import { intrinsicOf } from '../ir/intrinsics.ts';
import { operandsOf } from '../ir/operands.ts';
import { reachableFrom } from '../ir/reachable.ts';
import type { Instruction, IrFunction, IrModule, Operand } from '../ir/types.ts';
import type { LoadedModule } from '../machine/load-module.ts';

export interface Repeatability {
  /** Why each launch has to be executed; undefined where a launch may be counted. */
  readonly alwaysRuns: string | undefined;
  /** The kernel reads memory that others may change while it runs, which of all memory only the host's can be. */
  readonly watchesMemory: boolean;
}

export function repeatability({ ir }: LoadedModule, kernel: string): Repeatability {
  const functions = reachableFunctions(ir, kernel);
  for (const fn of functions) {
    const used = usedValues(fn);
    for (const { instructions } of fn.blocks) {
      for (const instruction of instructions) {
        const alwaysRuns = effectOf(instruction, ir, used);
        if (alwaysRuns) return { alwaysRuns, watchesMemory: false };
      }
    }
  }
  return { alwaysRuns: undefined, watchesMemory: functions.some((fn) => fn.blocks.some((b) => b.instructions.some(watches))) };
}

/** Whether a kernel, or a function that it may call, contains a call of printf. */
export function mayPrint({ ir }: LoadedModule, kernel: string): boolean {
  const prints = (instruction: Instruction) => instruction.op === 'call' && intrinsicOf(instruction.callee)?.effect === 'print';
  return reachableFunctions(ir, kernel).some((fn) => fn.blocks.some((b) => b.instructions.some(prints)));
}

/** Whether a kernel, or a function that it may call, reads a clock. */
export function readsClock({ ir }: LoadedModule, kernel: string): boolean {
  const reads = (instruction: Instruction) => instruction.op === 'call' && intrinsicOf(instruction.callee)?.effect === 'clock';
  return reachableFunctions(ir, kernel).some((fn) => fn.blocks.some((b) => b.instructions.some(reads)));
}

function reachableFunctions(ir: IrModule, kernel: string): readonly IrFunction[] {
  return [...reachableFrom(ir, kernel)].flatMap((name) => ir.functions.get(name) ?? []);
}

/** Ids of the values that some instruction reads. */
function usedValues({ blocks }: IrFunction): ReadonlySet<number> {
  const operands = blocks.flatMap((b) => b.instructions.flatMap((i) => operandsOf(i)));
  return new Set(operands.flatMap((operand) => (operand.kind === 'value' ? [operand.id] : [])));
}

/** Why a kernel with calls of such an effect is executed each time. Other effects are the same in each execution from the same memory. */
const REASONS: Partial<Record<Effect, string>> = {
  print: 'it prints',
  heap: 'it uses the heap',
  launch: 'it launches kernels',
  clock: 'it reads a clock',
};

function effectOf(instruction: Instruction, ir: IrModule, used: ReadonlySet<number>): string | undefined {
  switch (instruction.op) {
    case 'call': {
      const { callee } = instruction;
      if (ir.functions.has(callee)) return undefined;
      const intrinsic = intrinsicOf(callee);
      return intrinsic ? REASONS[intrinsic.effect] : `it calls ${callee}`;
    }
    case 'atomicrmw':
      return used.has(instruction.id) && !isOfBlock(instruction.pointer) ? 'it uses what an atomic returns' : undefined;
    case 'cmpxchg':
      return isOfBlock(instruction.pointer) ? undefined : 'it uses what an atomic returns';
    default:
      return undefined;
  }
}

function watches(instruction: Instruction): boolean {
  return instruction.op === 'load' && (instruction.volatile || instruction.order !== undefined) && !isOfBlock(instruction.pointer);
}

/** Shared and local memory begin anew with each block. */
function isOfBlock({ type }: Operand): boolean {
  return type.kind === 'ptr' && (type.space === 3 || type.space === 5);
}
