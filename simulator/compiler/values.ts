/**
 * Names for the scalars that instructions work on. An operand is a list of references, one per component; instructions that only
 * rename or rearrange (extractvalue, insertelement, freeze ...) are resolved here and emit no code.
 */

import { elementAt } from '../ir/layout.ts';
import { operandsOf } from '../ir/operands.ts';
import { type Constant, type Instruction, type IrFunction, type Operand, type Type, UnsupportedIr } from '../ir/types.ts';
import { type ResolveSymbol, scalarBits } from '../machine/constant-bytes.ts';
import { type ComponentClass, componentsOf, elementComponents } from './components.ts';

export type Reference =
  | { readonly kind: 'constant'; readonly cls: ComponentClass; readonly type: Type; readonly bits: bigint }
  | { readonly kind: 'value'; readonly cls: ComponentClass; readonly type: Type; readonly id: number; readonly component: number };

export class ValueNames {
  readonly #definitions: (Instruction | undefined)[];
  readonly #cache = new Map<number, readonly Reference[]>();
  readonly #resolve: ResolveSymbol;
  readonly #allocaAddress: (alloca: Instruction) => number;

  /** `allocaAddress`: address of a variable in local memory, the same in all lanes. */
  constructor(fn: IrFunction, resolve: ResolveSymbol, allocaAddress: (alloca: Instruction) => number) {
    this.#resolve = resolve;
    this.#allocaAddress = allocaAddress;
    this.#definitions = new Array(fn.valueCount);
    for (const block of fn.blocks) for (const i of block.instructions) if (i.id >= 0) this.#definitions[i.id] = i;
  }

  definition(id: number): Instruction | undefined {
    return this.#definitions[id];
  }

  references(operand: Operand): readonly Reference[] {
    return operand.kind === 'value' ? this.ofValue(operand.id, operand.type) : this.#constant(operand);
  }

  ofValue(id: number, type: Type): readonly Reference[] {
    let references = this.#cache.get(id);
    if (!references) {
      const definition = this.#definitions[id];
      references = (definition && this.#renamed(definition)) ?? own(id, type);
      this.#cache.set(id, references);
    }
    return references;
  }

  /** True for instructions that only rename. */
  isRename(instruction: Instruction): boolean {
    return instruction.id >= 0 && this.#renamed(instruction) !== undefined;
  }

  #renamed(instruction: Instruction): readonly Reference[] | undefined {
    switch (instruction.op) {
      case 'freeze':
        return this.references(instruction.a);
      case 'alloca':
        return [{ kind: 'constant', cls: 'word', type: instruction.type, bits: BigInt(this.#allocaAddress(instruction) >>> 0) }];
      case 'addrspacecast':
        return sameAddresses(instruction.a.type, instruction.type) ? this.references(instruction.a) : undefined;
      case 'bitcast': {
        const from = this.references(instruction.a);
        const to = componentsOf(instruction.type);
        if (from.length !== to.length || from.some((r, k) => r.cls !== to[k].cls)) return undefined;
        return from.map((r, k) => ({ ...r, type: to[k].type }));
      }
      case 'extractvalue': {
        const { first, count } = elementComponents(instruction.aggregate.type, instruction.path);
        return this.references(instruction.aggregate).slice(first, first + count);
      }
      case 'insertvalue': {
        const { first, count } = elementComponents(instruction.type, instruction.path);
        return replaced(this.references(instruction.aggregate), first, count, this.references(instruction.value));
      }
      case 'extractelement':
        return instruction.index.kind === 'int' ? this.#element(instruction.vector, Number(instruction.index.value)) : undefined;
      case 'insertelement': {
        if (instruction.index.kind !== 'int') return undefined;
        const { first, count } = elementComponents(instruction.type, [Number(instruction.index.value)]);
        return replaced(this.references(instruction.vector), first, count, this.references(instruction.value));
      }
      case 'shufflevector': {
        const count = instruction.a.type.kind === 'vector' ? instruction.a.type.count : 0;
        return instruction.mask.flatMap((m) =>
          m < 0 ? this.#zero(elementAt(instruction.type, 0).type) : this.#element(m < count ? instruction.a : instruction.b, m % count),
        );
      }
      default:
        return undefined;
    }
  }

  #element(vector: Operand, index: number): readonly Reference[] {
    const count = vector.type.kind === 'vector' ? vector.type.count : 0;
    if (index >= count) return this.#zero(elementAt(vector.type, 0).type);
    const part = elementComponents(vector.type, [index]);
    return this.references(vector).slice(part.first, part.first + part.count);
  }

  #zero(type: Type): readonly Reference[] {
    return componentsOf(type).map((c) => ({ kind: 'constant', cls: c.cls, type: c.type, bits: 0n }));
  }

  #constant(constant: Constant): readonly Reference[] {
    if (constant.kind === 'undef' || constant.kind === 'zero') return this.#zero(constant.type);
    if (constant.kind === 'aggregate') return constant.elements.flatMap((e) => this.#constant(e));
    const [component] = componentsOf(constant.type);
    if (!component) throw new UnsupportedIr('a constant without a value');
    return [{ kind: 'constant', cls: component.cls, type: component.type, bits: scalarBits(constant, this.#resolve) }];
  }
}

/** Only pointers of the shared and local spaces count from elsewhere than generic ones. */
function sameAddresses(a: Type, b: Type): boolean {
  const window = (type: Type): number => (type.kind === 'ptr' && (type.space === 3 || type.space === 5) ? type.space : 0);
  return window(a) === window(b);
}

/** All references that an instruction reads. */
export function referencesOf(names: ValueNames, instruction: Instruction): readonly Reference[] {
  return operandsOf(instruction).flatMap((o) => names.references(o));
}

function own(id: number, type: Type): readonly Reference[] {
  return componentsOf(type).map((c, component) => ({ kind: 'value', cls: c.cls, type: c.type, id, component }));
}

function replaced(all: readonly Reference[], first: number, count: number, by: readonly Reference[]): readonly Reference[] {
  return [...all.slice(0, first), ...by, ...all.slice(first + count)];
}
