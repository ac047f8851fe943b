/**
 * A store or an atomic to a `__constant__` variable by its name is a trap, as nvcc compiles it: an H200 ends the launch with
 * cudaErrorLaunchFailure. Through a pointer that the host got from cudaGetSymbolAddress it succeeds there (measured with CUDA 13.0,
 * driver 580.159.04), and does here.
 */
import { CONSTANT_WRITE } from './intrinsics/runtime.ts';
import { memoryRoots } from './memory-roots.ts';
import { type Draft, type DraftBlock, rebuilt } from './rebuild.ts';
import { VOID } from './type-table.ts';
import type { AddressSpace, Instruction, IrFunction, IrModule, Operand } from './types.ts';

const CONSTANT: AddressSpace = 4;

export function trapConstantWrites(module: IrModule): IrModule {
  if (![...module.globals.values()].some(({ space }) => space === CONSTANT)) return module;
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions)
    functions.set(
      name,
      trappingFunction(fn, (each) => module.globals.get(each)?.space),
    );
  return { ...module, functions };
}

function trappingFunction(fn: IrFunction, spaceOfVariable: (name: string) => AddressSpace | undefined): IrFunction {
  const roots = memoryRoots(fn, spaceOfVariable);
  const isTrap = (instruction: Instruction): boolean => {
    const pointer = writtenBy(instruction);
    return pointer !== undefined && roots.spaceOf(pointer) === CONSTANT;
  };
  if (!fn.blocks.some(({ instructions }) => instructions.some(isTrap))) return fn;
  // The write stays behind the trap, which nothing passes, so that what uses its result is still defined.
  const blocks = fn.blocks.map(
    ({ label, instructions }): DraftBlock => ({
      label,
      instructions: instructions.flatMap((each): Draft[] => (isTrap(each) ? [trapAt(each), each] : [each])),
    }),
  );
  return rebuilt(fn, blocks, fn.valueCount);
}

function writtenBy(instruction: Instruction): Operand | undefined {
  const { op } = instruction;
  return op === 'store' || op === 'atomicrmw' || op === 'cmpxchg' ? instruction.pointer : undefined;
}

function trapAt({ location }: Instruction): Draft {
  return { op: 'call', id: -1, type: VOID, location, callee: CONSTANT_WRITE, args: [] };
}
