/** The types, each made once: two equal types are the same object, so that code may compare them with ===. */
import type { AddressSpace, Type } from './types.ts';

const table = new Map<string, Type>();
const names = new WeakMap<Type, string>();

export const VOID: Type = intern('void', { kind: 'void' });
export const I1 = intType(1);
export const I8 = intType(8);
export const I32 = intType(32);
export const I64 = intType(64);
/** A pointer of the generic address space. */
export const POINTER = pointerType(0);

export function intType(bits: number): Type {
  return intern(`i${bits}`, { kind: 'int', bits });
}

export function floatType(format: 'half' | 'bfloat' | 'float' | 'double'): Type {
  return intern(format, { kind: 'float', format });
}

export function pointerType(space: AddressSpace): Type {
  return intern(space === 0 ? 'ptr' : `ptr addrspace(${space})`, { kind: 'ptr', space });
}

export function vectorType(element: Type, count: number): Type {
  return intern(`<${count} x ${typeName(element)}>`, { kind: 'vector', element, count });
}

export function arrayType(element: Type, count: number): Type {
  return intern(`[${count} x ${typeName(element)}]`, { kind: 'array', element, count });
}

export function structType(fields: readonly Type[], packed: boolean): Type {
  const inner = fields.map(typeName).join(', ');
  return intern(packed ? `<{ ${inner} }>` : `{ ${inner} }`, { kind: 'struct', fields, packed });
}

/** The type as LLVM writes it, structures spelled out. */
export function typeName(type: Type): string {
  const known = names.get(type);
  if (known !== undefined) return known;
  return nameOfForeign(type);
}

function intern(name: string, type: Type): Type {
  const known = table.get(name);
  if (known) return known;
  table.set(name, type);
  names.set(type, name);
  return type;
}

/** Name of a type that was not made here (a test may write one by hand). */
function nameOfForeign(type: Type): string {
  switch (type.kind) {
    case 'void':
      return 'void';
    case 'int':
      return `i${type.bits}`;
    case 'float':
      return type.format;
    case 'ptr':
      return type.space === 0 ? 'ptr' : `ptr addrspace(${type.space})`;
    case 'vector':
      return `<${type.count} x ${typeName(type.element)}>`;
    case 'array':
      return `[${type.count} x ${typeName(type.element)}]`;
    case 'struct': {
      const inner = type.fields.map(typeName).join(', ');
      return type.packed ? `<{ ${inner} }>` : `{ ${inner} }`;
    }
  }
}
