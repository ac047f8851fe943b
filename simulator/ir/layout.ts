/**
 * Sizes and alignments of types in memory, as the data layout of Clang's nvptx64 target gives them
 * (e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64): pointers have 8 bytes, everything its natural alignment.
 */
import type { Type } from './types.ts';

interface Layout {
  /** Bytes that a store of the type writes. */
  readonly storeBytes: number;
  readonly align: number;
  /** Offset of each field, if the type is a structure. */
  readonly offsets?: readonly number[];
}

const cache = new WeakMap<Type, Layout>();

/** Bytes from one element of an array of this type to the next. */
export function sizeOf(type: Type): number {
  const { storeBytes, align } = layoutOf(type);
  return alignUp(storeBytes, align);
}

/** Bytes that a load or store of the type moves. */
export function storeSizeOf(type: Type): number {
  return layoutOf(type).storeBytes;
}

export function alignOf(type: Type): number {
  return layoutOf(type).align;
}

/** Byte offset of a field of a structure. */
export function fieldOffset(type: Type, field: number): number {
  const offset = layoutOf(type).offsets?.[field];
  if (offset === undefined) throw new RangeError(`no field ${field} in a ${type.kind}`);
  return offset;
}

/** Type and byte offset of element `index` of an array, vector or structure. */
export function elementAt(type: Type, index: number): { type: Type; offset: number } {
  if (type.kind === 'struct') return { type: type.fields[index], offset: fieldOffset(type, index) };
  if (type.kind === 'array' || type.kind === 'vector') return { type: type.element, offset: index * sizeOf(type.element) };
  throw new RangeError(`a ${type.kind} has no elements`);
}

export function alignUp(value: number, align: number): number {
  return Math.ceil(value / align) * align;
}

function layoutOf(type: Type): Layout {
  let layout = cache.get(type);
  if (!layout) {
    layout = computeLayout(type);
    cache.set(type, layout);
  }
  return layout;
}

function computeLayout(type: Type): Layout {
  switch (type.kind) {
    case 'void':
      return { storeBytes: 0, align: 1 };
    case 'int': {
      const storeBytes = Math.ceil(type.bits / 8);
      return { storeBytes, align: powerOfTwoAtLeast(storeBytes) };
    }
    case 'float': {
      const storeBytes = { half: 2, bfloat: 2, float: 4, double: 8 }[type.format];
      return { storeBytes, align: storeBytes };
    }
    case 'ptr':
      return { storeBytes: 8, align: 8 };
    case 'vector': {
      const storeBytes = Math.ceil((bitsOf(type.element) * type.count) / 8);
      return { storeBytes, align: powerOfTwoAtLeast(storeBytes) };
    }
    case 'array':
      return { storeBytes: sizeOf(type.element) * type.count, align: alignOf(type.element) };
    case 'struct':
      return structLayout(type.fields, type.packed);
  }
}

function structLayout(fields: readonly Type[], packed: boolean): Layout {
  const offsets: number[] = [];
  let end = 0;
  let align = 1;
  for (const field of fields) {
    const fieldAlign = packed ? 1 : alignOf(field);
    const offset = alignUp(end, fieldAlign);
    offsets.push(offset);
    end = offset + sizeOf(field);
    align = Math.max(align, fieldAlign);
  }
  return { storeBytes: alignUp(end, align), align, offsets };
}

/** Bits of an element of a vector, in which i1 and i4 lie packed. */
function bitsOf(type: Type): number {
  return type.kind === 'int' ? type.bits : sizeOf(type) * 8;
}

function powerOfTwoAtLeast(value: number): number {
  let power = 1;
  while (power < value) power *= 2;
  return power;
}
