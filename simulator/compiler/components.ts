/**
 * How values are held: every IR value is a list of components, one per scalar inside it. A component of up to 32 bits is a word per
 * lane, one of up to 64 bits a double word per lane, an i1 a bit per lane. Integers narrower than their word are zero-extended.
 */
import { elementAt } from '../ir/layout.ts';
import { type Type, UnsupportedIr } from '../ir/types.ts';

export type ComponentClass = 'mask' | 'word' | 'double';

export interface Component {
  readonly cls: ComponentClass;
  /** Scalar IR type of the component. */
  readonly type: Type;
  /** Byte offset within the value in memory. */
  readonly offset: number;
}

const cache = new WeakMap<Type, readonly Component[]>();

/** Components of a type in memory order; none for void. Throws UnsupportedIr for integers wider than 64 bits. */
export function componentsOf(type: Type): readonly Component[] {
  let components = cache.get(type);
  if (!components) {
    components = expand(type);
    cache.set(type, components);
  }
  return components;
}

/** First component and number of components of the element that `path` names in an aggregate. */
export function elementComponents(type: Type, path: readonly number[]): { first: number; count: number } {
  let first = 0;
  let current = type;
  for (const index of path) {
    for (let i = 0; i < index; i++) first += componentsOf(elementAt(current, i).type).length;
    current = elementAt(current, index).type;
  }
  return { first, count: componentsOf(current).length };
}

/** Bytes of a component's slot: 32 lanes of it. */
export function slotBytes(cls: ComponentClass): number {
  return cls === 'double' ? 256 : cls === 'word' ? 128 : 16;
}

/** Bits of an integer or pointer type; of a float, the bits of its format. */
export function bitsOf(type: Type): number {
  if (type.kind === 'int') return type.bits;
  if (type.kind === 'ptr') return 32;
  if (type.kind === 'float') return { half: 16, bfloat: 16, float: 32, double: 64 }[type.format];
  throw new Error(`a ${type.kind} is not a scalar`);
}

function expand(type: Type): readonly Component[] {
  switch (type.kind) {
    case 'void':
      return [];
    case 'int':
      if (type.bits > 64) throw new UnsupportedIr(`the compiled engine has no integers of ${type.bits} bits`);
      return [{ cls: type.bits === 1 ? 'mask' : type.bits <= 32 ? 'word' : 'double', type, offset: 0 }];
    case 'ptr':
      return [{ cls: 'word', type, offset: 0 }];
    case 'float':
      return [{ cls: type.format === 'double' ? 'double' : 'word', type, offset: 0 }];
    case 'vector':
    case 'array':
      return repeat(type, type.count);
    case 'struct':
      return repeat(type, type.fields.length);
  }
}

function repeat(type: Type, count: number): readonly Component[] {
  const all: Component[] = [];
  for (let i = 0; i < count; i++) {
    const element = elementAt(type, i);
    for (const c of componentsOf(element.type)) all.push({ ...c, offset: element.offset + c.offset });
  }
  if (all.length > 64) throw new UnsupportedIr('the compiled engine has no values of more than 64 components');
  return all;
}
