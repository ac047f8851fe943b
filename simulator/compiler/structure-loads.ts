/**
 * Loads from structures that are passed by value to a kernel, at places known when compiling: where nothing can write to the structure they
 * give every lane of a launch the same. They count as no request, being reads of parameters.
 */

import { sizeOf, storeSizeOf } from '../ir/layout.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, IrFunction, Operand } from '../ir/types.ts';
import { byvalOffsets } from '../machine/stack.ts';

export interface StructureLoad {
  /** Number of the parameter, and bytes from its start. */
  readonly parameter: number;
  readonly within: number;
  /** Offset in each lane's local memory. */
  readonly offset: number;
}

export function structureLoads(fn: IrFunction): ReadonlyMap<Instruction, StructureLoad> {
  const { offsets } = byvalOffsets(fn.parameters);
  const found = new Map<Instruction, StructureLoad>();
  fn.parameters.forEach(({ id, byval }, parameter) => {
    if (!byval) return;
    const loads = loadsOf(fn, id);
    for (const [load, within] of loads ?? []) {
      const offset = offsets[parameter]! + within;
      const fits = within >= 0 && within + storeSizeOf(load.type) <= sizeOf(byval.type);
      if (fits && load.op === 'load' && !load.volatile && !load.order && offset % load.align === 0)
        found.set(load, { parameter, within, offset });
    }
  });
  return found;
}

/** Loads through a pointer with their distances from it; undefined if anything else is done with it than reading. */
function loadsOf(fn: IrFunction, pointer: number): readonly (readonly [Instruction, number])[] | undefined {
  /** Distance of each pointer derived from it; NaN where it is not known. */
  const derived = new Map<number, number>([[pointer, 0]]);
  const distance = (operand: Operand): number | undefined => (operand.kind === 'value' ? derived.get(operand.id) : undefined);
  const loads: [Instruction, number][] = [];
  const instructions = fn.blocks.flatMap((block) => block.instructions);
  for (let before = 0; before < derived.size; ) {
    before = derived.size;
    for (const instruction of instructions) {
      if (instruction.op !== 'getelementptr') continue;
      const base = distance(instruction.base);
      if (base !== undefined) derived.set(instruction.id, instruction.terms.length === 0 ? base + instruction.offset : Number.NaN);
    }
  }
  for (const instruction of instructions) {
    const uses = operandsOf(instruction).filter((operand) => distance(operand) !== undefined);
    if (uses.length === 0) continue;
    if (instruction.op === 'load') loads.push([instruction, distance(instruction.pointer)!]);
    else if (instruction.op !== 'getelementptr' || uses.length > 1 || uses[0] !== instruction.base) return undefined;
  }
  return loads.filter(([, at]) => !Number.isNaN(at));
}
