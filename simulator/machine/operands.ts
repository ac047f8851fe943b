/** The operands of an instruction, in one place, for whoever asks what uses what. */
import type { Instruction, Operand } from '../ir/types.ts';

export function instructionOperands(instruction: Instruction): readonly Operand[] {
  switch (instruction.op) {
    case 'phi':
      return instruction.incoming.map((i) => i.value);
    case 'alloca':
      return [instruction.count];
    case 'load':
      return [instruction.pointer];
    case 'store':
    case 'atomicrmw':
      return [instruction.pointer, instruction.value];
    case 'cmpxchg':
      return [instruction.pointer, instruction.expected, instruction.replacement];
    case 'getelementptr':
      return [instruction.base, ...instruction.terms.map((t) => t.index)];
    case 'extractvalue':
      return [instruction.aggregate];
    case 'insertvalue':
      return [instruction.aggregate, instruction.value];
    case 'extractelement':
      return [instruction.vector, instruction.index];
    case 'insertelement':
      return [instruction.vector, instruction.value, instruction.index];
    case 'select':
      return [instruction.condition, instruction.a, instruction.b];
    case 'call':
      return instruction.args;
    case 'callIndirect':
      return [instruction.callee, ...instruction.args];
    case 'condbr':
      return [instruction.condition];
    case 'switch':
      return [instruction.value];
    case 'ret':
      return instruction.value ? [instruction.value] : [];
    case 'br':
    case 'unreachable':
    case 'fence':
      return [];
    default:
      return 'b' in instruction ? [instruction.a, instruction.b] : [instruction.a];
  }
}
