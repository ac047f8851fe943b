/** Local memory as a stack: what calls and parameters take of it. Both engines lay it out alike. */
import { alignUp, sizeOf } from '../ir/layout.ts';
import type { IrFunction, Parameter } from '../ir/types.ts';

/** Most local memory of a thread (CUDA C++ Programming Guide, technical specifications per compute capability: 512 KB). */
export const MAX_LOCAL_BYTES = 512 * 1024;

/** Bytes that a call takes besides the callee's variables: endless recursion must end in a fault. */
export const CALL_BYTES = 64;

/** Bytes of a function's local variables, of one lane, without those of functions that it calls. */
export function localVariableBytes(definition: IrFunction | undefined): number {
  const instructions = definition?.blocks[0].instructions ?? [];
  return instructions.reduce((sum, instruction) => sum + (instruction.op === 'alloca' ? sizeOf(instruction.allocated) : 0), 0);
}

/** Copies of structures passed by value lie at the start of the callee's frame. */
export function byvalOffsets(parameters: readonly Parameter[]): { offsets: (number | undefined)[]; bytes: number } {
  let bytes = 0;
  const offsets = parameters.map(({ byval }) => {
    if (!byval) return undefined;
    const offset = alignUp(bytes, Math.max(byval.align, 4));
    bytes = offset + sizeOf(byval.type);
    return offset;
  });
  return { offsets, bytes: alignUp(bytes, 16) };
}
