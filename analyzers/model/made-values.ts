/** Makes values of a type: unknown ones, structures, copies. */
import { anything, constant, type Form, symbol } from './form.ts';
import { type StructType, sizeOf, type Type } from './types.ts';
import { num, unknownValue, type Value } from './values.ts';

/** A value of this type that nobody knows, the same for all threads of a block or grid when `uniform`. */
export function opaque(
  type: Type,
  options: { name: string; uniform: boolean; data: boolean; block?: boolean; known?: boolean; address?: Form; shared?: boolean },
): Value {
  const { name, uniform, data, known, address, shared } = options;
  if (type.t === 'struct') return structOf(type, (field) => opaque(field.type, { ...options, name: `${name}.${field.name}` }));
  if (type.t === 'pointer') {
    const object = { id: `*${name}`, name, space: 'global' as const, type: type.to, volatile: false, dynamicShared: false };
    return { v: 'ptr', object, offset: uniform ? constant(0) : anything({ data, unknown: !data, address, shared }), to: type.to };
  }
  return num(
    uniform
      ? symbol(name, known ? 'parameter' : data ? 'loaded' : 'unknown', options)
      : anything({ data, unknown: !data && !known, address, from: name, size: sizeOf(type), shared }),
    type,
  );
}

export function structOf(type: StructType, init: (field: StructType['fields'][number]) => Value): Value {
  return { v: 'struct', type, fields: new Map(type.fields.map((f) => [f.name, { value: init(f), type: f.type, name: f.name }])) };
}

/** Structures are values: assignment copies their cells. */
export function copyValue(value: Value): Value {
  if (value.v !== 'struct') return value;
  return {
    v: 'struct',
    type: value.type,
    fields: new Map([...value.fields].map(([name, cell]) => [name, { ...cell, value: copyValue(cell.value) }])),
  };
}

export function unknownOf(type: Type): Value {
  return type.t === 'struct'
    ? structOf(type, (f) => unknownOf(f.type))
    : type.t === 'pointer'
      ? opaque(type, { name: '?', uniform: false, data: false })
      : unknownValue(type);
}
