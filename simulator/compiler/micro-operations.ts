/** Lane-wise instructions taken apart: one operation for each scalar that they compute. */
import { isPureCall } from '../ir/intrinsics.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, Operand, Type } from '../ir/types.ts';
import { regroupings } from './regrouping.ts';
import { scalarOperation } from './scalar-operations.ts';
import type { LaneOperation } from './strip.ts';
import type { Reference, ValueNames } from './values.ts';
import { uniformShift, vectorOperation } from './vector-operations.ts';

/** undefined for instructions that are not lane-wise or that have no emission here. */
export function microOperations(names: ValueNames, instruction: Instruction): readonly LaneOperation[] | undefined {
  if (instruction.op === 'bitcast') return regroupings(names, instruction);
  if (instruction.id < 0 || !isLaneWise(instruction)) return undefined;
  const results = names.ofValue(instruction.id, instruction.type);
  const operands = operandsOf(instruction).map((o) => names.references(o));
  if (operands.some((o) => o.length !== results.length && o.length !== 1)) return undefined;
  const operations: LaneOperation[] = [];
  for (const [index, result] of results.entries()) {
    if (result.kind !== 'value') return undefined;
    const references = operands.map((o) => o[o.length === 1 ? 0 : index]);
    const one = results.length === 1 && instruction.type.kind !== 'vector' ? instruction : scalarised(instruction, result.type, references);
    const scalar = scalarOperation(one);
    const vector = vectorOperation(one);
    const uniformVector = uniformShift(one);
    if (!scalar && !vector) return undefined;
    operations.push({ instruction, operands: references, result, emitted: one, scalar, vector, uniformVector });
  }
  return operations;
}

function isLaneWise(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'load':
    case 'store':
    case 'atomicrmw':
    case 'cmpxchg':
    case 'callIndirect':
    case 'alloca':
    case 'phi':
    case 'extractelement':
    case 'insertelement':
    // Where bits need no regrouping it is a renaming.
    case 'bitcast':
      return false;
    case 'call':
      return isPureCall(instruction.callee);
    default:
      return true;
  }
}

/** The instruction as it would be on one element of its vectors. */
function scalarised(instruction: Instruction, type: Type, references: readonly Reference[]): Instruction {
  const elements: Operand[] = references.map((r) => ({ kind: 'undef', type: r.type }));
  const copy: Record<string, unknown> = { ...instruction, type };
  if ('a' in instruction) copy.a = elements[instruction.op === 'select' ? 1 : 0];
  if ('b' in instruction) copy.b = elements[instruction.op === 'select' ? 2 : 1];
  if (instruction.op === 'select') copy.condition = elements[0];
  if (instruction.op === 'call') copy.args = elements;
  return copy as unknown as Instruction;
}
