/** What an instruction reads and where it goes, for analyses that treat all instructions alike. */
import type { Instruction, IrFunction, Operand } from './types.ts';

/** An access that may be merged with others or left out: neither volatile nor atomic, and no half of an asynchronous copy. */
export function isPlain({ volatile, order, async }: Extract<Instruction, { op: 'load' | 'store' }>): boolean {
  return !volatile && !order && !async;
}

/** Operands in the order of the text; a phi's without their blocks, a call's callee only where it is a value. */
export function operandsOf(instruction: Instruction): readonly Operand[] {
  switch (instruction.op) {
    case 'phi':
      return instruction.incoming.map((i) => i.value);
    case 'select':
      return [instruction.condition, instruction.a, instruction.b];
    case 'alloca':
      return [instruction.count];
    case 'load':
      return [instruction.pointer];
    case 'store':
      return [instruction.value, instruction.pointer];
    case 'getelementptr':
      return [instruction.base, ...instruction.terms.map((t) => t.index)];
    case 'atomicrmw':
      return [instruction.pointer, instruction.value];
    case 'cmpxchg':
      return [instruction.pointer, instruction.expected, instruction.replacement];
    case 'extractvalue':
      return [instruction.aggregate];
    case 'insertvalue':
      return [instruction.aggregate, instruction.value];
    case 'extractelement':
      return [instruction.vector, instruction.index];
    case 'insertelement':
      return [instruction.vector, instruction.value, instruction.index];
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
    case 'fence':
    case 'br':
    case 'unreachable':
      return [];
    default:
      return 'b' in instruction ? [instruction.a, instruction.b] : [instruction.a];
  }
}

/** Calls `visit` with the name of each variable and function that a constant mentions. */
export function forEachSymbol(operand: Operand, visit: (name: string) => void): void {
  if (operand.kind === 'symbol') visit(operand.name);
  else if (operand.kind === 'aggregate') for (const element of operand.elements) forEachSymbol(element, visit);
}

/** Block numbers that a terminator may go to. */
export function targetsOf(terminator: Instruction): readonly number[] {
  switch (terminator.op) {
    case 'br':
      return [terminator.target];
    case 'condbr':
      return [terminator.then, terminator.else];
    case 'switch':
      return [terminator.default, ...terminator.cases.map((c) => c.block)];
    default:
      return [];
  }
}

export function isTerminator(op: Instruction['op']): boolean {
  return op === 'br' || op === 'condbr' || op === 'switch' || op === 'ret' || op === 'unreachable';
}

/** By value of a function: the instructions that have it as an operand, once for each time, in the order of the blocks. */
export function usersOf({ blocks, valueCount }: IrFunction): readonly (readonly Instruction[])[] {
  const users: Instruction[][] = Array.from({ length: valueCount }, () => []);
  for (const { instructions } of blocks) {
    for (const instruction of instructions)
      for (const operand of operandsOf(instruction)) if (operand.kind === 'value') users[operand.id].push(instruction);
  }
  return users;
}
