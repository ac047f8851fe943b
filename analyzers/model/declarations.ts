/** Declares local variables. */
import type { Declarator, Expr } from '../syntax/ast.ts';
import type { Place } from '../syntax/source.ts';
import { declareObject } from './accesses.ts';
import { construct, convert } from './conversions.ts';
import { typeOfRef } from './definitions.ts';
import { declare, frameOf, placeOf } from './frames.ts';
import { evaluate, lvalue, type Machine } from './machine.ts';
import { copyValue, opaque, unknownOf } from './made-values.ts';
import { noteWidening } from './narrow-products.ts';
import { noteEscape } from './recorder.ts';
import { arrayOf, type Type } from './types.ts';
import { type MemoryObject, typeOf, type Value } from './values.ts';

export function declaration(m: Machine, d: Declarator): void {
  if (d.bindings) {
    if (d.init) evaluate(m, d.init);
    for (const name of d.bindings)
      declare(m, name, {
        e: 'cell',
        cell: { value: unknownOf({ t: 'unknown', name: 'auto' }), type: { t: 'unknown', name: 'auto' }, name },
      });
    return;
  }
  const written = typeOfRef(m, d.type);
  const { quals } = d.type;
  if (d.type.reference && d.init) {
    declare(m, d.name, { e: 'alias', lv: lvalue(m, d.init) });
    return;
  }
  if (m.mode === 'device' && quals.includes('__shared__')) {
    declareObject(m, objectOf(m, d, written, 'shared'));
    return;
  }
  if (written.t === 'array') {
    if (d.init) evaluate(m, d.init);
    // There is one of a static array for all threads.
    const space = m.mode === 'device' && quals.includes('static') ? 'global' : 'local';
    declareObject(m, { ...objectOf(m, d, sizedByValues(written, d), space), constantsAt: constantsAt(m, d) });
    return;
  }
  const init = initialValue(m, d, written);
  const type = written.t === 'unknown' && (d.type.name === 'auto' || d.type.name === 'decltype') ? typeOf(init) : written;
  noteEscape(m, init);
  declare(m, d.name, { e: 'cell', cell: { value: init, type, name: d.name } });
}

/** `T a[] = {…}` has as many elements as values. */
function sizedByValues(type: Type & { t: 'array' }, { type: { dims }, init }: Declarator): Type {
  return dims.length > 0 && dims[0] === undefined && init?.k === 'list' ? arrayOf(type.of, init.items.length) : type;
}

/** Where the type of a constant array of literals stands. */
function constantsAt(m: Machine, { type, init }: Declarator): Place | undefined {
  if (!type.quals.some((q) => q === 'const' || q === 'constexpr') || !init || !isLiteral(init)) return undefined;
  return { item: frameOf(m).item, start: type.start, end: type.end };
}

function isLiteral(e: Expr): boolean {
  if (e.k === 'list') return e.items.every(isLiteral);
  return e.k === 'number' || e.k === 'bool' || (e.k === 'unary' && e.op === '-' && isLiteral(e.a));
}

function initialValue(m: Machine, d: Declarator, type: Type): Value {
  const auto = type.t === 'unknown';
  if (d.init) {
    const value = evaluate(m, d.init);
    noteWidening(m, value, d.init, type);
    if (value.v === 'list') return construct(m, type, [], d, value.items);
    return auto ? copyValue(value) : copyValue(convert(m, value, type));
  }
  if (d.args && (d.args.length > 0 || type.t === 'struct')) {
    if (auto) {
      const values = d.args.map((a) => evaluate(m, a));
      return values.length === 1 ? values[0] : unknownOf(type);
    }
    return construct(m, type, d.args, d);
  }
  // Uninitialised: any value will do, and the same for all lanes keeps later merges simple.
  return type.t === 'struct' && type.name === 'dim3'
    ? construct(m, type, [], d)
    : opaque(type, { name: d.name, uniform: true, data: false });
}

function objectOf(m: Machine, d: Declarator, type: Type, space: 'shared' | 'local' | 'global'): MemoryObject {
  const { quals, dims } = d.type;
  const item = frameOf(m).item;
  return {
    id: `${space}:${d.name}@${d.nameStart}`,
    name: d.name,
    space,
    type,
    volatile: quals.includes('volatile'),
    dynamicShared: space === 'shared' && quals.includes('extern'),
    declaredAt: placeOf(m, d),
    dimPlaces: dims.flatMap((e) => (e ? [{ item, start: e.start, end: e.end }] : [])),
  };
}
