/** What a name stands for: a variable, a constant, a function, or something from elsewhere. */
import type { Expr, ExprOf, TypeArg } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import { load, noteObject } from './accesses.ts';
import { construct, convert } from './conversions.ts';
import { constantOf, findFunctions, lastPart, resolverOf, typeOfRef } from './definitions.ts';
import { constant, op, symbol } from './form.ts';
import { findLocal, frameOf } from './frames.ts';
import { evaluate, type Machine } from './machine.ts';
import { opaque } from './made-values.ts';
import type { VariableEntry } from './table.ts';
import { type Binding, type Bindings, INT, isVector, resolveType, UNKNOWN } from './types.ts';
import { type Entry, type LValue, type MemoryObject, num, number, type Value } from './values.ts';

export function nameValue(m: Machine, e: ExprOf<'name'>): Value {
  const local = findLocal(m, e.name);
  return local?.e === 'cell' ? local.cell.value : load(m, designated(m, e, local), e);
}

/** What a name refers to, given what it is among the local names. */
export function designated(m: Machine, e: ExprOf<'name'>, local: Entry | undefined): LValue {
  const { name } = e;
  if (local?.e === 'cell') return { l: 'cell', cell: local.cell };
  if (local?.e === 'alias') return local.lv;
  if (local?.e === 'object') return objectValue(local.object);
  const { bindings, self } = frameOf(m);
  const bound = bindings.get(name);
  if (bound?.value !== undefined) return none(number(bound.value, INT));
  if (bound?.name !== undefined) return none({ v: 'fn', name: bound.name });
  const ofSelf = self && memberOfSelf(m, self, name);
  if (ofSelf) return ofSelf;
  const builtin = m.builtins.get(name);
  if (builtin) return none(builtin);
  return globalName(m, e);
}

/** What a method calls by its name alone. */
function memberOfSelf(m: Machine, self: Value, name: string): LValue | undefined {
  const place = self.v === 'ref' ? self.lv : undefined;
  const type = self.v === 'struct' ? self.type : place?.l === 'mem' ? place.type : undefined;
  if (type?.t !== 'struct') return undefined;
  const cell = self.v === 'struct' ? self.fields.get(name) : undefined;
  if (cell) return { l: 'cell', cell };
  const field = place?.l === 'mem' ? fieldAt(place, name) : undefined;
  if (field) return field;
  const constantOfSelf = m.table.constants.get(`${type.name}::${name}`);
  return constantOfSelf && none(globalConstant(m, `${type.name}::${name}`, constantOfSelf));
}

/** A field of a structure in memory. */
export function fieldAt(base: LValue & { l: 'mem' }, name: string): (LValue & { l: 'mem' }) | undefined {
  const field = base.type.t === 'struct' ? base.type.fields.find((f) => f.name === name) : undefined;
  if (!field || base.type.t !== 'struct') return undefined;
  const structure = base.field && !isVector(base.type) ? base.type : (base.field?.structure ?? base.type);
  return {
    l: 'mem',
    object: base.object,
    offset: op('+', base.offset, constant(field.offset)),
    type: field.type,
    index: base.index,
    field: { name, structure: isVector(base.type) && base.field ? base.field.structure : structure },
  };
}

export function none(value: Value): LValue {
  return { l: 'none', value };
}

/** An array used as a value is a pointer to its first element; a scalar object is memory. */
function objectValue(object: MemoryObject): LValue {
  return { l: 'mem', object, offset: constant(0), type: object.type };
}

function globalName(m: Machine, e: ExprOf<'name'>): LValue {
  const { name } = e;
  const known = m.globals.get(name);
  if (known) return none(known);
  m.names.add(name);
  const found = m.table.constants.get(name) ?? m.table.constants.get(lastPart(name));
  if (found) return none(globalConstant(m, name, found));
  const bound = scopedConstant(m, name);
  if (bound) return none(bound);
  const variable = m.table.variables.get(name);
  if (variable) return globalVariable(m, name, variable);
  if (m.table.functions.has(name)) {
    findFunctions(m, name);
    return none({ v: 'fn', name, targsText: e.targs?.map((a) => argText(m, a)), bindings: undefined, ...functionBindings(m, e) });
  }
  const constantOfCuda = name === 'warpSize' ? 32 : KNOWN_CONSTANTS.get(name);
  return none(constantOfCuda === undefined ? unknownName(m, name) : number(constantOfCuda, INT));
}

const KNOWN_CONSTANTS = new Map([
  ['INT_MAX', 2147483647],
  ['INT_MIN', -2147483648],
  ['UINT_MAX', 4294967295],
  ['CHAR_BIT', 8],
  ['SHRT_MAX', 32767],
  ['UCHAR_MAX', 255],
  ['cudaSuccess', 0],
  ['cudaMemcpyHostToHost', 0],
  ['cudaMemcpyHostToDevice', 1],
  ['cudaMemcpyDeviceToHost', 2],
  ['cudaMemcpyDeviceToDevice', 3],
  ['cudaMemcpyDefault', 4],
]);

function unknownName(m: Machine, name: string): Value {
  // The same name means the same value, for all threads: a macro or a constant of a header.
  const type = m.mode === 'device' ? INT : UNKNOWN;
  const value = /^[A-Z_0-9]+$/.test(name) ? num(symbol(name, 'constant'), type) : opaque(type, { name, uniform: true, data: false });
  m.globals.set(name, value);
  return value;
}

/** `Traits<T>::size` and `T::value` with a template argument in front. */
function scopedConstant(m: Machine, name: string): Value | undefined {
  const cut = name.lastIndexOf('::');
  if (cut < 0) return undefined;
  const owner = frameOf(m).bindings.get(name.slice(0, cut))?.type;
  if (owner?.t !== 'struct' || !owner.def) return undefined;
  const found = owner.def.constants.find((c) => c.name === name.slice(cut + 2));
  return found?.value && evaluate(m, found.value);
}

function functionBindings(m: Machine, e: ExprOf<'name'>): { bindings?: Bindings } {
  const entry = m.table.functions.get(e.name)?.find((f) => f.def.templates.length > 0);
  if (!entry || !e.targs) return {};
  const out = new Map<string, Binding>();
  entry.def.templates.forEach((p, i) => {
    const arg = e.targs?.[i];
    if (!arg) return;
    const type = p.kind === 'type' && arg.type ? typeOfRef(m, arg.type) : undefined;
    const value = p.kind === 'value' && arg.value ? constantOf(m, arg.value) : undefined;
    if (type) out.set(p.name, { type });
    else if (value !== undefined) out.set(p.name, { value });
    else if (arg.value?.k === 'name') out.set(p.name, { name: arg.value.name });
  });
  return { bindings: out };
}

export function argText(m: Machine, arg: TypeArg): string {
  const value = arg.value ? constantOf(m, arg.value) : undefined;
  if (value !== undefined) return String(value);
  return arg.type ? typeOfRef(m, arg.type).name : '…';
}

function globalConstant(m: Machine, name: string, found: { readonly value: Expr | number; readonly item: Item }): Value {
  m.uses.add(found.item);
  const value = typeof found.value === 'number' ? number(found.value, INT) : inItem(m, found.item, () => evaluate(m, found.value as Expr));
  m.globals.set(name, value);
  return value;
}

/** Evaluates text of another item, with its places and without this function's locals. */
function inItem<T>(m: Machine, item: Item, body: () => T): T {
  m.frames.push({ name: '', item, bindings: new Map(), scopes: [new Map()], returns: [], pathBase: m.path.length });
  m.trial++;
  const result = body();
  m.trial--;
  m.frames.pop();
  return result;
}

function globalVariable(m: Machine, name: string, variable: VariableEntry): LValue {
  m.uses.add(variable.item);
  const { declarator: d } = variable;
  const type = resolveType(d.type, resolverOf(m));
  const { quals } = d.type;
  const has = (q: string) => quals.includes(q);
  const device = has('__device__') || has('__constant__') || has('__managed__') || has('__shared__');
  if (device) {
    const space = has('__constant__') ? 'constant' : has('__shared__') ? 'shared' : 'global';
    const object: MemoryObject = {
      id: `::${name}`,
      name,
      space,
      type,
      volatile: has('volatile'),
      dynamicShared: space === 'shared' && has('extern'),
      managed: has('__managed__') ? true : undefined,
      symbol: has('__managed__') || has('__shared__') ? undefined : true,
      declaredAt: { item: variable.item, start: d.start, end: d.end },
    };
    noteObject(m, object);
    return objectValue(object);
  }
  const init = d.init ?? d.args?.[0];
  if (init && (has('const') || has('constexpr')) && d.type.dims.length === 0 && type.t !== 'struct') {
    const value = convert(
      m,
      inItem(m, variable.item, () => evaluate(m, init)),
      type,
    );
    m.globals.set(name, value);
    return none(value);
  }
  if (type.t === 'array') {
    const object: MemoryObject = {
      id: `::${name}`,
      name,
      space: m.mode === 'device' ? 'constant' : 'local',
      type,
      volatile: false,
      dynamicShared: false,
    };
    noteObject(m, object);
    return objectValue(object);
  }
  if (m.mode === 'host' && type.t === 'struct' && d.args && type.name === 'dim3') {
    const value = inItem(m, variable.item, () => construct(m, type, d.args!, d.type));
    m.globals.set(name, value);
    return none(value);
  }
  const value = opaque(type, { name, uniform: true, data: false });
  m.globals.set(name, value);
  return none(value);
}
