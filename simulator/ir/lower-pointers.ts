/**
 * Pointers in memory have 64 bits, those in values 32: a load of a pointer becomes a load of an integer that is made a pointer, which
 * is where an upper half that is not zero shows, and a store one of the pointer's number. So no engine knows of pointers in memory.
 */
import { meaningOf } from './intrinsics.ts';
import { type Draft, type DraftBlock, rebuilt } from './rebuild.ts';
import { arrayType, I64, structType, vectorType } from './type-table.ts';
import type { Instruction, IrFunction, IrModule, Location, Operand, Type } from './types.ts';

export function lowerPointers(module: IrModule): IrModule {
  const functions = new Map<string, IrFunction>();
  for (const [name, fn] of module.functions) functions.set(name, lowerFunction(fn));
  return { ...module, functions };
}

/** A type as it lies in memory: integers for pointers. The type itself if it has none. */
function memoryType(type: Type): Type {
  switch (type.kind) {
    case 'ptr':
      return I64;
    case 'vector':
    case 'array': {
      const element = memoryType(type.element);
      if (element === type.element) return type;
      return type.kind === 'vector' ? vectorType(element, type.count) : arrayType(element, type.count);
    }
    case 'struct': {
      const fields = type.fields.map(memoryType);
      return fields.every((field, index) => field === type.fields[index]) ? type : structType(fields, type.packed);
    }
    default:
      return type;
  }
}

function lowerFunction(fn: IrFunction): IrFunction {
  let valueCount = fn.valueCount;
  let changed = false;
  const blocks = fn.blocks.map(({ label, instructions }): DraftBlock => {
    const drafts = instructions.flatMap((instruction): Draft[] => {
      const steps = new Steps(instruction.location, () => valueCount++);
      const lowered = lower(instruction, steps);
      changed ||= lowered;
      return lowered ? steps.drafts : [instruction];
    });
    return { label, instructions: drafts };
  });
  return changed ? rebuilt(fn, blocks, valueCount) : fn;
}

/** The instructions that stand for one. */
class Steps {
  readonly drafts: Draft[] = [];
  readonly #location: Location | undefined;
  readonly #newId: () => number;

  constructor(location: Location | undefined, newId: () => number) {
    this.#location = location;
    this.#newId = newId;
  }

  /** Adds an instruction; its result, under the number `id` if one is given. */
  add(draft: { readonly op: Instruction['op']; readonly type: Type } & Record<string, unknown>, id = this.#newId()): Operand {
    this.drafts.push({ ...draft, id, location: this.#location } as unknown as Draft);
    return { kind: 'value', id, type: draft.type };
  }
}

/** False if the instruction moves no pointer to or from memory. */
function lower(instruction: Instruction, steps: Steps): boolean {
  const { site: _, ...draft } = instruction;
  switch (instruction.op) {
    case 'load':
    case 'call': {
      const type = memoryType(instruction.type);
      const isLoad = instruction.op === 'load' || meaningOf(instruction)?.kind === 'cachedLoad';
      if (!isLoad || type === instruction.type) return false;
      held(steps.add({ ...draft, type }), instruction.type, steps, instruction.id);
      return true;
    }
    case 'store': {
      if (memoryType(instruction.value.type) === instruction.value.type) return false;
      const value = inMemory(instruction.value, steps);
      steps.add({ ...draft, value }, -1);
      return true;
    }
    case 'atomicrmw': {
      if (instruction.type.kind !== 'ptr') return false;
      const value = inMemory(instruction.value, steps);
      held(steps.add({ ...draft, value, type: I64 }), instruction.type, steps, instruction.id);
      return true;
    }
    case 'cmpxchg': {
      if (instruction.expected.type.kind !== 'ptr') return false;
      const [expected, replacement] = [instruction.expected, instruction.replacement].map((operand) => inMemory(operand, steps));
      held(steps.add({ ...draft, expected, replacement, type: memoryType(instruction.type) }), instruction.type, steps, instruction.id);
      return true;
    }
    default:
      return false;
  }
}

/** Makes a value of `type` from what was read; `id`: the number of the result. */
function held(read: Operand, type: Type, steps: Steps, id?: number): Operand {
  if (isPointers(type)) return steps.add({ op: 'inttoptr', type, a: read }, id);
  return rearranged(read, type, steps, { convert: (part, of) => held(part, of, steps), id });
}

/** Makes what is written of a value. */
function inMemory(value: Operand, steps: Steps): Operand {
  const type = memoryType(value.type);
  if (type === value.type) return value;
  if (isPointers(value.type)) return steps.add({ op: 'ptrtoint', type, a: value });
  return rearranged(value, type, steps, { convert: (part) => inMemory(part, steps) });
}

/** A structure or array with its elements converted. */
function rearranged(
  from: Operand,
  to: Type,
  steps: Steps,
  { convert, id }: { convert(part: Operand, type: Type): Operand; readonly id?: number },
): Operand {
  const types = to.kind === 'struct' ? to.fields : to.kind === 'array' ? new Array<Type>(to.count).fill(to.element) : [];
  let whole: Operand = { kind: 'undef', type: to };
  types.forEach((type, index) => {
    const source = from.type.kind === 'struct' ? from.type.fields[index] : from.type.kind === 'array' ? from.type.element : type;
    const part = steps.add({ op: 'extractvalue', type: source, aggregate: from, path: [index] });
    const value = source === type ? part : convert(part, type);
    const isLast = index === types.length - 1;
    whole = steps.add({ op: 'insertvalue', type: to, aggregate: whole, value, path: [index] }, isLast ? id : undefined);
  });
  return whole;
}

function isPointers(type: Type): boolean {
  return type.kind === 'ptr' || (type.kind === 'vector' && type.element.kind === 'ptr');
}
