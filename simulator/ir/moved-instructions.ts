/** Where an instruction is in the source, for messages. What the compiler has moved, out of a loop or in front of a branch, has no line. */
import { operandsOf } from './operands.ts';
import type { Instruction, IrFunction, Location } from './types.ts';

/** Its own place, or where the function's own text first uses what it gives. */
export function locationAt(fn: IrFunction, site: number): Location | undefined {
  const instructions = fn.blocks.flatMap((block) => block.instructions);
  const instruction = instructions.find((each) => each.site === site);
  if (!instruction || hasLine(instruction)) return instruction?.location;
  const isUse = (each: Instruction) => operandsOf(each).some((operand) => operand.kind === 'value' && operand.id === instruction.id);
  let at = instruction.id < 0 ? undefined : instructions.find((each) => isUse(each) && hasLine(each))?.location;
  while (at?.inlinedAt && at.inlinedAt.line > 0) at = at.inlinedAt;
  return at ?? instruction.location;
}

export function hasLine({ location }: Instruction): boolean {
  let at = location;
  while (at?.line === 0 && at.inlinedAt) at = at.inlinedAt;
  return at !== undefined && at.line > 0;
}
