/**
 * Loads and stores of integers that are wider than their address is known to be aligned become as many as it takes, as in nvcc's machine
 * code: a structure of four bytes that is copied (`uchar4` without its alignment) is LDG.U8 four times, one of two words twice LDG
 * (aligned-types and gemv of HeCBench). Clang moves such structures as integers.
 */
import { storeSizeOf } from './layout.ts';
import { usersOf } from './operands.ts';
import { type Draft, type DraftBlock, rebuilt } from './rebuild.ts';
import { intType } from './type-table.ts';
import type { Instruction, IrFunction, IrModule, Location, Operand, Type } from './types.ts';

type Load = Extract<Instruction, { op: 'load' }>;
type Store = Extract<Instruction, { op: 'store' }>;

export function splitAccesses(module: IrModule): IrModule {
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) functions.set(name, splitFunction(fn));
  return { ...module, functions };
}

function splitFunction(fn: IrFunction): IrFunction {
  if (!fn.blocks.some(({ instructions }) => instructions.some((each) => bytesOfParts(each) !== undefined))) return fn;
  const splitter = new Splitter(fn);
  const blocks = fn.blocks.map(
    ({ label, instructions }): DraftBlock => ({ label, instructions: instructions.flatMap((each) => splitter.split(each)) }),
  );
  return rebuilt(fn, blocks, splitter.valueCount);
}

/** Of an access that is to be split: how many bytes each part has. */
function bytesOfParts(instruction: Instruction): number | undefined {
  if ((instruction.op !== 'load' && instruction.op !== 'store') || instruction.volatile || instruction.order) return undefined;
  const type = instruction.op === 'load' ? instruction.type : instruction.value.type;
  if (type.kind !== 'int' || ![16, 32, 64].includes(type.bits)) return undefined;
  return instruction.align * 8 < type.bits ? instruction.align : undefined;
}

interface Part {
  readonly bytes: number;
  readonly index: number;
  readonly location: Location | undefined;
}

/** An instruction that has yet to get the number of its value. */
type Unnamed = Omit<Draft, 'id'> & { readonly [key: string]: unknown };

class Splitter {
  valueCount: number;
  readonly #users: readonly (readonly Instruction[])[];
  /** By value that was loaded in parts: these, the lowest first. */
  readonly #parts = new Map<number, readonly Operand[]>();

  constructor(fn: IrFunction) {
    this.valueCount = fn.valueCount;
    this.#users = usersOf(fn);
    for (const each of fn.blocks.flatMap(({ instructions }) => instructions)) {
      const bytes = bytesOfParts(each);
      if (each.op === 'load' && bytes !== undefined) this.#parts.set(each.id, this.#newParts(each.type, bytes));
    }
  }

  #newParts(whole: Type, bytes: number): readonly Operand[] {
    const type = intType(8 * bytes);
    return Array.from({ length: storeSizeOf(whole) / bytes }, () => ({ kind: 'value', id: this.valueCount++, type }));
  }

  split(instruction: Instruction): readonly Draft[] {
    const bytes = bytesOfParts(instruction);
    if (bytes === undefined) return [instruction];
    return instruction.op === 'load' ? this.#load(instruction, bytes) : this.#store(instruction as Store, bytes);
  }

  #load(load: Load, bytes: number): readonly Draft[] {
    const drafts: Draft[] = [];
    const parts = this.#parts.get(load.id)!;
    parts.forEach((part, index) => {
      const pointer = this.#at(load.pointer, index * bytes, load.location, drafts);
      const id = (part as { id: number }).id;
      drafts.push({ op: 'load', id, type: part.type, location: load.location, pointer, align: bytes, volatile: false });
    });
    // What only copies take is not put together.
    if (this.#users[load.id].every((user) => user.op === 'store' && bytesOfParts(user) === bytes)) return drafts;
    const common = { type: load.type, location: load.location };
    let whole = this.#value({ op: 'zext', ...common, a: parts[0] }, drafts);
    parts.slice(1).forEach((part, before) => {
      const wide = this.#value({ op: 'zext', ...common, a: part }, drafts);
      const by: Operand = { kind: 'int', type: load.type, value: BigInt(8 * bytes * (before + 1)) };
      const shifted = this.#value({ op: 'shl', ...common, a: wide, b: by }, drafts);
      const isLast = before + 2 === parts.length;
      const id = isLast ? load.id : this.valueCount++;
      drafts.push({ op: 'or', id, ...common, a: whole, b: shifted } as Draft);
      whole = { kind: 'value', id, type: load.type };
    });
    return drafts;
  }

  #store(store: Store, bytes: number): readonly Draft[] {
    const drafts: Draft[] = [];
    const { value, location } = store;
    const more = store.async ? { async: true } : {};
    const count = storeSizeOf(value.type) / bytes;
    const loaded = value.kind === 'value' ? this.#parts.get(value.id) : undefined;
    for (let index = 0; index < count; index++) {
      const pointer = this.#at(store.pointer, index * bytes, location, drafts);
      const part = loaded?.length === count ? loaded[index] : this.#part(value, { bytes, index, location }, drafts);
      drafts.push({
        op: 'store',
        id: -1,
        type: store.type,
        location,
        value: part,
        pointer,
        align: bytes,
        volatile: false,
        ...more,
      } as Draft);
    }
    return drafts;
  }

  #part(value: Operand, { bytes, index, location }: Part, drafts: Draft[]): Operand {
    const by: Operand = { kind: 'int', type: value.type, value: BigInt(8 * bytes * index) };
    const shifted = index === 0 ? value : this.#value({ op: 'lshr', type: value.type, location, a: value, b: by }, drafts);
    return this.#value({ op: 'trunc', type: intType(8 * bytes), location, a: shifted }, drafts);
  }

  #at(base: Operand, offset: number, location: Location | undefined, drafts: Draft[]): Operand {
    if (offset === 0) return base;
    return this.#value({ op: 'getelementptr', type: base.type, location, base, offset, terms: [] }, drafts);
  }

  #value(draft: Unnamed, drafts: Draft[]): Operand {
    const id = this.valueCount++;
    drafts.push({ id, ...draft } as Draft);
    return { kind: 'value', id, type: draft.type };
  }
}
