/** Which instructions have branches inside, and what these ask. */
import { type Conditions, SLOW_PATHS, type SlowPathName, slowPathNames } from './intrinsics/slow-paths.ts';
import type { Instruction, Operand, Type } from './types.ts';

/** What is asked is 32 bits wide, or the upper half of 64 bits: of a double its sign, its exponent and 20 bits more. */
export interface SlowPath {
  readonly name: SlowPathName;
  /** Operands, or the result. */
  readonly words: readonly Operand[];
  readonly conditions: Conditions;
}

/** The branches inside of an instruction, in the order in which lanes come to them. */
export function slowPathsOf(instruction: Instruction): readonly SlowPath[] {
  switch (instruction.op) {
    case 'fdiv':
      return ofQuotient(instruction);
    case 'udiv':
    case 'urem':
    case 'sdiv':
    case 'srem':
      return instruction.type.kind === 'int' && instruction.type.bits === 64 && instruction.b.kind !== 'int'
        ? [path('longDivision', [instruction.a, instruction.b])]
        : [];
    case 'call':
      return slowPathNames(instruction.callee).map((name) =>
        path(
          name,
          instruction.args.filter(({ type }) => type.kind !== 'ptr'),
        ),
      );
    default:
      return [];
  }
}

function ofQuotient({ a, b, type, id }: Instruction & { readonly a: Operand; readonly b: Operand }): readonly SlowPath[] {
  if (type.kind !== 'float' || (type.format !== 'float' && type.format !== 'double')) return [];
  const isWide = type.format === 'double';
  if (isOne(a)) return [path(isWide ? 'wideReciprocal' : 'reciprocal', [b])];
  return [path(isWide ? 'wideQuotient' : 'quotient', [a, { kind: 'value', id, type }])];
}

function path(name: SlowPathName, words: readonly Operand[]): SlowPath {
  return { name, words, conditions: SLOW_PATHS[name] };
}

function isOne(operand: Operand): boolean {
  if (operand.kind !== 'float') return false;
  return operand.bits === bitsOfOne(operand.type);
}

function bitsOfOne(type: Type): bigint {
  return type.kind === 'float' && type.format === 'double' ? 0x3ff0000000000000n : 0x3f800000n;
}
