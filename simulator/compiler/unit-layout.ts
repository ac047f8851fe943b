/** A kernel's function as units of code, and which of them read which values. */
import type { Instruction, IrFunction } from '../ir/types.ts';
import type { ControlFlow } from './control-flow.ts';
import type { LaneForms } from './lane-forms.ts';
import { type Reference, referencesOf, type ValueNames } from './values.ts';

/** A piece of code that control can enter: a block, the rest of a block behind a suspension, or the copies of an edge. */
export interface Unit {
  readonly index: number;
  readonly kind: 'block' | 'resume' | 'edge';
  readonly block: number;
  readonly instructions: readonly Instruction[];
  /** The block that an edge leads to. */
  readonly to?: number;
  /** For the rest of a block behind a pause: the instruction at which the path has paused. */
  readonly behind?: Instruction;
}

export interface UnitLayout {
  readonly units: readonly Unit[];
  readonly blockUnits: ReadonlyMap<number, Unit>;
  /** By "from to". */
  readonly edgeUnits: ReadonlyMap<string, Unit>;
  readonly unitOf: ReadonlyMap<Instruction, number>;
}

/** `ends`: the instruction is the last of its unit. `parts`: the host decides how lanes go that part at the end of a block. */
export function layOutUnits(
  fn: IrFunction,
  {
    flow,
    forms,
    ends,
    parts,
  }: {
    readonly flow: ControlFlow;
    readonly forms: LaneForms;
    readonly ends: (instruction: Instruction) => boolean;
    readonly parts: (block: number) => boolean;
  },
): UnitLayout {
  const units: Unit[] = [];
  const blockUnits = new Map<number, Unit>();
  const edgeUnits = new Map<string, Unit>();
  const unitOf = new Map<Instruction, number>();
  const add = (unit: Omit<Unit, 'index'>): Unit => {
    const complete = { ...unit, index: units.length };
    units.push(complete);
    for (const i of unit.instructions) unitOf.set(i, complete.index);
    return complete;
  };
  for (const block of flow.order) {
    let instructions: Instruction[] = [];
    let kind: Unit['kind'] = 'block';
    let behind: Instruction | undefined;
    const close = (): void => {
      const unit = add({ kind, block, instructions, behind });
      if (kind === 'block') blockUnits.set(block, unit);
      kind = 'resume';
      behind = instructions.at(-1);
      instructions = [];
    };
    for (const instruction of fn.blocks[block].instructions) {
      instructions.push(instruction);
      if (ends(instruction)) close();
    }
    close();
    if (parts(block)) continue;
    for (const to of fn.blocks[block].successors) {
      if (!forms.splits(block) || fn.blocks[to].instructions[0].op !== 'phi') continue;
      if (!edgeUnits.has(`${block} ${to}`)) edgeUnits.set(`${block} ${to}`, add({ kind: 'edge', block, instructions: [], to }));
    }
  }
  return { units, blockUnits, edgeUnits, unitOf };
}

/** Which units read a value. */
export class ValueReaders {
  /** By value and component; a unit of -1 stands for phis. */
  readonly #readers = new Map<string, { readonly unit: number; readonly instruction: Instruction }[]>();

  constructor(fn: IrFunction, flow: ControlFlow, names: ValueNames, { unitOf }: UnitLayout) {
    for (const block of flow.order) {
      for (const instruction of fn.blocks[block].instructions) {
        if (names.isRename(instruction)) continue;
        const unit = instruction.op === 'phi' ? -1 : unitOf.get(instruction)!;
        for (const reference of referencesOf(names, instruction)) {
          if (reference.kind === 'constant') continue;
          const list = this.#readers.get(valueKey(reference));
          if (list) list.push({ unit, instruction });
          else this.#readers.set(valueKey(reference), [{ unit, instruction }]);
        }
      }
    }
  }

  isRead(reference: ValueReference): boolean {
    return this.#readers.has(valueKey(reference));
  }

  /** Something else than these instructions of the unit reads the value. */
  areOutside(reference: ValueReference, unit: number, inside: ReadonlySet<Instruction>): boolean {
    return this.#of(reference).some((reader) => reader.unit !== unit || !inside.has(reader.instruction));
  }

  areElsewhere(reference: ValueReference, unit: number): boolean {
    return this.#of(reference).some((reader) => reader.unit !== unit);
  }

  #of(reference: ValueReference) {
    return this.#readers.get(valueKey(reference)) ?? [];
  }
}

export type ValueReference = Reference & { kind: 'value' };

export function valueKey(reference: ValueReference): string {
  return `${reference.id}:${reference.component}`;
}
