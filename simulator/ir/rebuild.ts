/** Puts a function together again after a pass changed its blocks: numbers blocks and instructions, and finds the edges. */
import { targetsOf } from './operands.ts';
import type { Block, Instruction, IrFunction, Operand } from './types.ts';

/** An instruction without its place in the function. */
export type Draft = Instruction extends infer I ? (I extends Instruction ? Omit<I, 'site'> : never) : never;

/** A block under construction. Terminators and phis name blocks by their position in the list that `rebuilt` gets. */
export interface DraftBlock {
  readonly label: string;
  readonly instructions: readonly Draft[];
}

/** The function with these blocks, in this order. */
export function rebuilt(fn: IrFunction, drafts: readonly DraftBlock[], valueCount: number): IrFunction {
  let site = 0;
  const successors = drafts.map(({ instructions }) => [...new Set(targetsOf(instructions.at(-1) as Instruction))]);
  const predecessors: number[][] = drafts.map(() => []);
  successors.forEach((targets, index) => {
    for (const target of targets) predecessors[target].push(index);
  });
  const blocks = drafts.map(({ label, instructions }, index): Block => {
    const placed = instructions.map((draft) => ({ ...draft, site: site++ }) as Instruction);
    return { index, label, instructions: placed, successors: successors[index], predecessors: predecessors[index] };
  });
  return { ...fn, blocks, valueCount, siteCount: site };
}

/** The instruction with other blocks where it names some. */
export function withBlocks(draft: Draft, to: (block: number) => number): Draft {
  switch (draft.op) {
    case 'br':
      return { ...draft, target: to(draft.target) };
    case 'condbr':
      // biome-ignore lint/suspicious/noThenProperty: the instruction's own word
      return { ...draft, then: to(draft.then), else: to(draft.else) };
    case 'switch':
      return { ...draft, default: to(draft.default), cases: draft.cases.map((c) => ({ ...c, block: to(c.block) })) };
    case 'phi':
      return { ...draft, incoming: draft.incoming.map((i) => ({ ...i, block: to(i.block) })) };
    default:
      return draft;
  }
}

/** The instruction with other operands. */
export function withOperands(draft: Draft, to: (operand: Operand) => Operand): Draft {
  const entries = Object.entries(draft).map(([key, value]) => [key, mapped(value, to)] as const);
  return Object.fromEntries(entries) as Draft;
}

function mapped(value: unknown, to: (operand: Operand) => Operand): unknown {
  if (Array.isArray(value)) return value.map((each) => mapped(each, to));
  if (typeof value !== 'object' || value === null) return value;
  if ('kind' in value && 'type' in value) return value.kind === 'value' ? to(value as Operand) : value;
  // Indices of an address, and what comes into a phi, hold operands; types and locations do not.
  if ('index' in value || 'block' in value) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapped(each, to)]));
  return value;
}
