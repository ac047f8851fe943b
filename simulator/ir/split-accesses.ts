/**
 * Loads and stores of numbers that are wider than their address is known to be aligned become as many as it takes, as in nvcc's machine
 * code: a structure of four bytes that is copied (`uchar4` without its alignment) is LDG.U8 four times, one of two words twice LDG
 * (aligned-types and gemv of HeCBench), and so is a packed structure's `float`. Clang moves small structures as integers.
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
  if (type.kind !== 'float' && (type.kind !== 'int' || ![16, 32, 64].includes(type.bits))) return undefined;
  return instruction.align < storeSizeOf(type) ? instruction.align : undefined;
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
    const isFloat = load.type.kind === 'float';
    const type = isFloat ? intType(8 * storeSizeOf(load.type)) : load.type;
    const common = { type, location: load.location };
    let whole = this.#value({ op: 'zext', ...common, a: parts[0] }, drafts);
    parts.slice(1).forEach((part, before) => {
      const wide = this.#value({ op: 'zext', ...common, a: part }, drafts);
      const by: Operand = { kind: 'int', type, value: BigInt(8 * bytes * (before + 1)) };
      const shifted = this.#value({ op: 'shl', ...common, a: wide, b: by }, drafts);
      const isLast = before + 2 === parts.length;
      const id = isLast && !isFloat ? load.id : this.valueCount++;
      drafts.push({ op: 'or', id, ...common, a: whole, b: shifted } as Draft);
      whole = { kind: 'value', id, type };
    });
    if (isFloat) drafts.push({ op: 'bitcast', id: load.id, type: load.type, location: load.location, a: whole } as Draft);
    return drafts;
  }

  #store(store: Store, bytes: number): readonly Draft[] {
    const drafts: Draft[] = [];
    const { location } = store;
    const loaded = store.value.kind === 'value' ? this.#parts.get(store.value.id) : undefined;
    const count = storeSizeOf(store.value.type) / bytes;
    const isCopy = loaded?.length === count;
    const value = isCopy ? store.value : this.#asInteger(store.value, location, drafts);
    const more = store.async ? { async: true } : {};
    for (let index = 0; index < count; index++) {
      const pointer = this.#at(store.pointer, index * bytes, location, drafts);
      const part = isCopy ? loaded[index] : this.#part(value, { bytes, index, location }, drafts);
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

  #asInteger(value: Operand, location: Location | undefined, drafts: Draft[]): Operand {
    if (value.type.kind !== 'float') return value;
    return this.#value({ op: 'bitcast', type: intType(8 * storeSizeOf(value.type)), location, a: value }, drafts);
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
