/** What an entry of the tables of PTX instructions is. */
import { type Operand, UnsupportedIr } from '../types.ts';
import type { Assembler } from './assembler.ts';
import type { PtxInstruction, PtxOperand } from './syntax.ts';
import { type PtxType, ptxType } from './types.ts';

export interface Entry {
  /** Modifiers besides types that the entry knows; `*` takes all. Instructions with others are refused. */
  readonly modifiers: ReadonlySet<string>;
  /** Least and greatest number of operands. */
  readonly operands: readonly [number, number];
  readonly translate: (assembler: Assembler, instruction: PtxInstruction) => void;
}

export function entry(modifiers: string, operands: number | readonly [number, number], translate: Entry['translate']): Entry {
  return {
    modifiers: new Set(modifiers.split(' ').filter(Boolean)),
    operands: typeof operands === 'number' ? [operands, operands] : operands,
    translate,
  };
}

export function refuse({ text }: PtxInstruction): never {
  throw new UnsupportedIr(`the simulator does not support the PTX instruction ${text}`);
}

export function typesOf({ modifiers }: PtxInstruction): PtxType[] {
  return modifiers.map(ptxType).filter((type) => type !== undefined);
}

/** The one type that an instruction works with. */
export function typeOf(instruction: PtxInstruction): PtxType {
  return typesOf(instruction).at(-1) ?? refuse(instruction);
}

export function has({ modifiers }: PtxInstruction, modifier: string): boolean {
  return modifiers.includes(modifier);
}

/** Reads operands `from` to the end as values of the type. */
export function values(assembler: Assembler, { operands }: PtxInstruction, { type }: PtxType, from = 1): Operand[] {
  return operands.slice(from).map((operand) => assembler.read(operand, type));
}

/** Both parts of `d|p`; `p` is undefined where none is given. */
export function pairOf(operand: PtxOperand): readonly [PtxOperand, PtxOperand | undefined] {
  return operand.kind === 'pair' ? [operand.first, operand.second] : [operand, undefined];
}
