/** Values of one type made into those of another: conversions, constructors, selections. */
import type { Expr } from '../syntax/ast.ts';
import { agreed } from './butterfly.ts';
import { anything, constant, type Form, op, opOf, symbol } from './form.ts';
import { frameOf } from './frames.ts';
import { evaluate, type Machine } from './machine.ts';
import { copyValue, opaque, structOf, unknownOf } from './made-values.ts';
import { commonType, isInteger, type StructType, type Type, UNKNOWN, UNSIGNED } from './types.ts';
import { type MemoryObject, num, number, typeOf, unknownValue, type Value } from './values.ts';

export function isFloat(value: Value): boolean {
  return value.v === 'num' && value.type.t === 'float' && value.type.size === 4;
}

export interface Promotion {
  /** Places of its literals among those noted. */
  readonly literals: readonly number[];
  /** It is one literal, which a float holds exactly. */
  readonly exact: boolean;
}

/** A double constant that meets a float makes it a double, too: its literals, which were noted just now. */
export function notePromotion(m: Machine, value: Value, e: Expr, options: { readonly exactIsFree: boolean }): Promotion | undefined {
  const { literals } = m.facts;
  if (m.trial > 0 || value.v !== 'num' || value.type.t !== 'float' || value.type.size !== 8 || value.form.f !== 'const') return undefined;
  const exact = Math.fround(value.form.v) === value.form.v;
  if (exact && options.exactIsFree) return undefined;
  const inside = literals.findLastIndex(({ place }) => place.item !== frameOf(m).item || place.start < e.start || place.end > e.end) + 1;
  const places = Array.from({ length: literals.length - inside }, (_, i) => inside + i);
  notePromoting(m, places, true);
  return { literals: places, exact: exact && places.length === 1 };
}

/** A sum with what is a double by itself is meant to be one, and so is what becomes one: no literal is to blame. */
export function staysDouble(m: Machine, value: Value): void {
  const literals = m.trial > 0 ? undefined : m.promoted.get(value);
  if (literals) notePromoting(m, literals, false);
}

function notePromoting(m: Machine, literals: readonly number[], promotesFloat: boolean): void {
  for (const i of literals) m.facts.literals[i] = { ...m.facts.literals[i], promotesFloat };
}

/**
 * A value becomes a double, which is what it is, or a float. Where one operation on a float and an exact literal gave it, the compiler computes in single precision, for the
 * result is the same (nvcc 13.0: no f64 instruction for `x * 0.5`, `x + 1.0` and `1.0 / x` assigned to a float, but for `x * 0.1`).
 */
export function narrowsBack(m: Machine, value: Value, type: Type): void {
  if (m.trial > 0 || type.t !== 'float') return;
  if (type.size === 8) staysDouble(m, value);
  if (type.size !== 4) return;
  const at = m.narrowable.get(value);
  if (at !== undefined) notePromoting(m, [at], false);
}

/** A form that varies as all of these do. What is made of constants is one, too, but nobody knows which. */
export function combine(m: Machine, values: readonly Value[]): Form {
  const forms = values.flatMap((v): Form[] =>
    v.v === 'struct'
      ? [
          combine(
            m,
            [...v.fields.values()].map((c) => c.value),
          ),
        ]
      : v.v === 'num'
        ? [v.form]
        : [],
  );
  if (forms.length === 0) return anything({ data: false, unknown: true });
  if (forms.every((form) => form.f === 'const')) return symbol('', 'constant');
  return opOf('opaque', forms);
}

/** One value or the other, by a condition. */
export function select(c: Form, a: Value, b: Value): Value {
  if (a === b) return a;
  if (a.v === 'num' && b.v === 'num')
    return num(agreed(op('select', c, a.form, b.form)), a.type.t === 'float' || b.type.t === 'float' ? commonType(a.type, b.type) : a.type);
  if (a.v === 'ptr' && b.v === 'ptr') {
    if (a.object.id === b.object.id) return { ...a, offset: op('select', c, a.offset, b.offset) };
    const space = a.object.space === b.object.space ? a.object.space : 'unknown';
    const onDevice = a.object.onDevice && b.object.onDevice;
    const onHost = a.object.onHost && b.object.onHost;
    const inCommon = a.object.inCommon && b.object.inCommon;
    const allocatedBytes = a.object.allocatedBytes === b.object.allocatedBytes ? a.object.allocatedBytes : undefined;
    return {
      ...a,
      object: { ...a.object, id: `${a.object.id}|${b.object.id}`, space, onDevice, onHost, inCommon, allocatedBytes },
      offset: op('select', c, a.offset, b.offset),
    };
  }
  if (a.v === 'struct' && b.v === 'struct' && a.type.name === b.type.name) {
    return structOf(a.type, (f) =>
      select(c, a.fields.get(f.name)?.value ?? unknownOf(f.type), b.fields.get(f.name)?.value ?? unknownOf(f.type)),
    );
  }
  if (a.v === 'ptr' && b.v === 'num') return a;
  if (b.v === 'ptr' && a.v === 'num') return b;
  return unknownOf(typeOf(a));
}

export function convert(m: Machine, value: Value, type: Type): Value {
  narrowsBack(m, value, type);
  if (value.v === 'num') {
    if (type.t === 'unknown' || type === value.type) return type.t === 'unknown' && type !== UNKNOWN ? { ...value, type } : value;
    if (type.t === 'pointer')
      return value.form.f === 'const'
        ? { v: 'ptr', object: NULL_OBJECT, offset: value.form, to: type.to }
        : opaque(type, { name: 'cast', uniform: !value.form.lane, data: value.form.data });
    if (type.t === 'struct')
      return type.name === 'dim3' ? construct(m, type, [], undefined, [value]) : structOf(type, (f) => convert(m, value, f.type));
    if (value.form.runtime && (value.type.t === 'float' || type.t === 'float') && value.type.t !== 'bool') m.cost++;
    return num(narrowed(value.form, value.type, type), type);
  }
  if (value.v === 'ptr' && type.t === 'pointer') return type.to.t === 'void' || type.to.t === 'unknown' ? value : { ...value, to: type.to };
  if (value.v === 'list') return construct(m, type, [], undefined, value.items);
  if (value.v === 'ptr' && isInteger(type)) return num(op('+', value.offset, symbol(value.object.name, 'parameter')), type);
  return value;
}

/** A cast to pointers to what the text does not define: how much each access moves is not known then. */
export function pointingTo(value: Value, type: Type): Value {
  if (value.v !== 'ptr' || type.t !== 'pointer' || type.to.t !== 'unknown' || type.to === UNKNOWN) return value;
  return { ...value, to: type.to };
}

/** Shared memory through a pointer to volatile: another array to whoever asks how it is read. */
export function asVolatile(value: Value): Value {
  if (value.v !== 'ptr' || value.object.space !== 'shared' || value.object.volatile) return value;
  return { ...value, object: { ...value.object, volatile: true } };
}

const NULL_OBJECT: MemoryObject = { id: 'null', name: 'nullptr', space: 'unknown', type: UNKNOWN, volatile: false, dynamicShared: false };

function narrowed(form: Form, from: Type, to: Type): Form {
  if (to.t === 'bool') return op('!=', form, constant(0));
  if (from.t === 'float' && to.t === 'int') return op('trunc', form);
  if (to.t === 'float') return form.f === 'const' ? form : op('float', form);
  if (to.t !== 'int' || from.t !== 'int' || to.size >= from.size)
    return form.f === 'const' && to.t === 'int' && to.unsigned && to.size === 4 ? op('u32', form) : form;
  if (to.size === 1) return op(to.unsigned ? 'u8' : 'i8', form);
  if (to.size === 2) return op(to.unsigned ? 'u16' : 'i16', form);
  return form;
}

/** `T(a, b)`, `T{…}` and declarations with arguments. */
export function construct(
  m: Machine,
  type: Type,
  args: readonly Expr[],
  _at: { start: number; end: number } | undefined,
  given?: readonly Value[],
): Value {
  const values = given ?? args.map((a) => evaluate(m, a));
  if (type.t === 'struct') {
    if (values.length === 1 && values[0].v === 'struct' && values[0].type.name === type.name) return copyValue(values[0]);
    if (type.name === 'dim3')
      return structOf(type, (f) => convert(m, values[['x', 'y', 'z'].indexOf(f.name)] ?? number(1, UNSIGNED), f.type));
    const hasConstructor = type.def?.methods.some((method) => method.name === type.name) === true;
    if (hasConstructor && values.length > 0) {
      const handedOn = handedOnBy(type, values.length);
      return structOf(type, (f) => {
        const value = values[handedOn.get(f.name) ?? -1];
        return value ? convert(m, value, f.type) : num(combine(m, values), f.type.t === 'struct' ? UNKNOWN : f.type);
      });
    }
    return structOf(type, (f) =>
      values.length === 0
        ? zeroOf(f.type)
        : convert(m, values[type.fields.indexOf(f as StructType['fields'][number])] ?? number(0, f.type), f.type),
    );
  }
  if (values.length === 0) return zeroOf(type);
  if (type.t === 'array') return { v: 'list', items: values.map((value) => convert(m, value, type.of)) };
  return convert(m, values[0], type);
}

/** By field: the argument that the constructor puts there as it is, `Position(int a, int b) : x(a), y(b) {}`. */
function handedOnBy({ def, name }: StructType, args: number): ReadonlyMap<string, number> {
  const fits = def?.methods.filter((method) => method.name === name && method.body && method.params.length === args) ?? [];
  const [{ params, initialised = [], body }] = fits.length === 1 ? fits : [{ params: [], body: undefined }];
  // What the body does to them afterwards is not looked at.
  const isEmpty = body?.k === 'block' && body.body.length === 0;
  const positions = initialised.flatMap(({ field, value }): [string, number][] => {
    const at = value.k === 'name' ? params.findIndex((p) => p.name === value.name) : -1;
    return isEmpty && at >= 0 ? [[field, at]] : [];
  });
  return new Map(positions);
}

function zeroOf(type: Type): Value {
  if (type.t === 'struct') return structOf(type, (f) => zeroOf(f.type));
  if (type.t === 'pointer') return { v: 'ptr', object: NULL_OBJECT, offset: constant(0), to: type.to };
  return type.t === 'unknown' ? unknownValue(type) : number(0, type);
}
