/** How many floating-point operations a lane does in an instruction of the IR: as the source has them, whatever the machine makes of them. */
import { intrinsicOf, meaningOf } from '../ir/intrinsics.ts';
import type { Instruction, Type } from '../ir/types.ts';

export type Precision = 'fp16' | 'fp32' | 'fp64';

const PRECISIONS: Readonly<Record<string, Precision>> = { half: 'fp16', bfloat: 'fp16', float: 'fp32', double: 'fp64' };

/** A fused multiply-add counts as two, a division and a function of the mathematics library as one. */
export function flopsOf(instruction: Instruction): { readonly precision: Precision; readonly flops: number } | undefined {
  if (!('type' in instruction)) return undefined;
  const { element, count } = elementOf(instruction.type);
  if (element.kind !== 'float') return undefined;
  const flops = count * perElement(instruction);
  return flops > 0 ? { precision: PRECISIONS[element.format], flops } : undefined;
}

function elementOf(type: Type): { readonly element: Type; readonly count: number } {
  return type.kind === 'vector' ? { element: type.element, count: type.count } : { element: type, count: 1 };
}

function perElement(instruction: Instruction): number {
  switch (instruction.op) {
    case 'fadd':
    case 'fsub':
    case 'fmul':
    case 'fdiv':
    case 'frem':
      return 1;
    case 'call': {
      const numbers = instruction.args.filter(({ type }) => elementOf(type).element.kind === 'float').length;
      if (numbers === 0) return 0;
      const intrinsic = intrinsicOf(instruction.callee);
      const kind = meaningOf(instruction)?.kind;
      if (!intrinsic || (kind !== 'float' && kind !== 'scalar')) return 0;
      // Rounding, minima and maxima compute nothing new.
      if (intrinsic.code !== undefined && intrinsic.code !== 'sqrt' && intrinsic.code !== 'fma') return 0;
      return numbers === 3 ? 2 : 1;
    }
    default:
      return 0;
  }
}
