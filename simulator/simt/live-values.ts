/**
 * Values that something depends on which has an effect. ptxas leaves out everything else, exchanges between lanes too, which LLVM keeps:
 * an atomic whose result only an unread shuffle gets is a reduction (h200-hecbench-third.json, atomicAggregate).
 */
import { intrinsicOf } from '../ir/intrinsics.ts';
import { operandsOf } from '../ir/operands.ts';
import type { Instruction, IrFunction } from '../ir/types.ts';

export function liveValues(fn: IrFunction): ReadonlySet<number> {
  const byId = new Map<number, Instruction>();
  const open: Instruction[] = [];
  for (const { instructions } of fn.blocks) {
    for (const instruction of instructions) {
      if (instruction.id >= 0) byId.set(instruction.id, instruction);
      if (hasEffect(instruction)) open.push(instruction);
    }
  }
  const live = new Set<number>();
  for (let instruction = open.pop(); instruction; instruction = open.pop()) {
    for (const operand of operandsOf(instruction)) {
      if (operand.kind !== 'value' || live.has(operand.id)) continue;
      live.add(operand.id);
      const source = byId.get(operand.id);
      if (source) open.push(source);
    }
  }
  return live;
}

function hasEffect(instruction: Instruction): boolean {
  switch (instruction.op) {
    case 'call':
      return !['none', 'reads', 'exchange'].includes(intrinsicOf(instruction.callee)?.effect ?? 'writes');
    case 'load':
      return instruction.volatile;
    case 'store':
    case 'atomicrmw':
    case 'cmpxchg':
    case 'callIndirect':
    case 'fence':
    case 'br':
    case 'condbr':
    case 'switch':
    case 'ret':
    case 'unreachable':
      return true;
    default:
      return false;
  }
}
