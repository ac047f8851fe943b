/** Loads and stores: what they note, and what they cost. */
import type { Expr } from '../syntax/ast.ts';
import { convert, narrowsBack } from './conversions.ts';
import { constant, linearParts, op, symbol } from './form.ts';
import { declare, frameOf, placeOf } from './frames.ts';
import { type Price, transferInstructions } from './instructions.ts';
import type { Machine } from './machine.ts';
import { copyValue, opaque } from './made-values.ts';
import { momentOf, rawValue } from './recorder.ts';
import { setCell } from './trial.ts';
import { alignOf, sizeOf } from './types.ts';
import { formOf, type LValue, type MemoryObject, num, type Value } from './values.ts';

export function noteObject(m: Machine, object: MemoryObject): void {
  if (!m.facts.objects.has(object.id)) m.facts.objects.set(object.id, object);
}

/** `&p[i]` and `&p->x` name an element without reaching it. */
export function forgetDereference(m: Machine, e: Expr): void {
  const { dereferences } = m.facts;
  for (let last = dereferences.at(-1); last?.moment.place.item === frameOf(m).item; last = dereferences.at(-1)) {
    const { start, end } = last.moment.place;
    if (start !== e.start || end > e.end) return;
    dereferences.pop();
  }
}

/** The host reaches through a pointer to memory of the device, or to memory that both use. */
export function noteHostDereference(m: Machine, pointer: Value, base: Expr, at: Expr): void {
  if (m.mode !== 'host' || m.trial > 0 || pointer.v !== 'ptr') return;
  const { object } = pointer;
  if (object.onDevice || object.inCommon)
    m.facts.dereferences.push({ pointer: placeOf(m, base), moment: momentOf(m, at), object, statement: m.statement });
}

function noteManaged(m: Machine, { object, type }: LValue & { l: 'mem' }, e: Expr, writes: boolean): void {
  if (m.mode !== 'host' || m.trial > 0 || !object.managed || type.t === 'array') return;
  m.facts.dereferences.push({ pointer: placeOf(m, e), moment: momentOf(m, e), object, statement: m.statement, writes });
}

/** Arrays become pointers to their first element, pointers and references what they hold. */
export function decay(m: Machine, lv: LValue, e: Expr): Value {
  if (lv.l === 'mem' && lv.type.t === 'array') return { v: 'ptr', object: lv.object, offset: lv.offset, to: lv.type.of };
  return load(m, lv, e);
}

/** Reads; memory reads are noted. */
export function load(m: Machine, lv: LValue, e: Expr, rmw = false): Value {
  if (lv.l === 'cell') return lv.cell.value;
  if (lv.l === 'none') return lv.value;
  const { object, offset, type } = lv;
  if (type.t === 'array') return { v: 'ptr', object, offset, to: type.of };
  noteObject(m, object);
  noteAccess(m, 'load', lv, e, rmw, undefined);
  noteManaged(m, lv, e, false);
  return loaded(m, lv);
}

/** A value out of memory: the same for all lanes where the address is. */
function loaded(m: Machine, lv: LValue & { l: 'mem' }): Value {
  const { object, offset, type } = lv;
  if (object.space === 'local') {
    const stored = m.localData.get(object.id) ?? (object.constantsAt && offset.lane ? constant(0) : undefined);
    return opaque(type, { name: object.name, uniform: false, data: stored !== undefined, address: stored && op('opaque', stored, offset) });
  }
  const block = offset.block || object.space === 'shared';
  const place = offset.f === 'any' ? offset.address : offset;
  const address = place?.unknown ? undefined : place;
  const value = opaque(type, { name: object.name, uniform: !offset.lane, data: true, block, address, shared: object.space === 'shared' });
  if (value.v === 'ptr') {
    const space = m.pointsAside.has(object.id) ? 'unknown' : value.object.space;
    return { ...value, object: { ...value.object, id: `${object.id}[]`, name: object.name, space } };
  }
  return m.mode === 'host' && value.v === 'num' ? num(symbol(object.name, 'unknown'), type) : value;
}

function noteAccess(m: Machine, kind: 'load' | 'store', lv: LValue & { l: 'mem' }, e: Expr, rmw: boolean, value: Value | undefined): void {
  if (m.mode !== 'device') return;
  m.cost += accessInstructions(m, kind, lv);
  if (m.trial > 0) return;
  const { place, order, path, loops, functionName, callSite, epoch } = momentOf(m, e);
  m.facts.accesses.push({
    place,
    order,
    path,
    loops,
    functionName,
    callSite,
    epoch,
    kind,
    readModifyWrite: rmw,
    object: lv.object,
    type: lv.type,
    offset: lv.offset,
    volatile: lv.object.volatile,
    field: lv.field,
    statement: m.statement,
    index: lv.index && rawValue(m, lv.index, e.k === 'index' ? e.i : e),
    value: value && rawValue(m, value, e),
  });
}

/**
 * The transfer itself, and the address where no access before computed it up to a constant. What was loaded before and not overwritten
 * since is in a register.
 */
function accessInstructions(m: Machine, kind: 'load' | 'store', { object, offset, type }: LValue & { l: 'mem' }): number {
  const moves = transferInstructions(sizeOf(type), alignOf(type));
  if (object.space === 'local' && !offset.runtime) return 0;
  if (!offset.runtime || m.trial > 0) return moves;
  const { base, scale, distance } = linearParts(offset);
  const before = m.addresses.get(base) ?? new Set();
  m.addresses.set(base, before);
  const element = `${object.id}*${scale}+${distance}`;
  const isAddressed = object.space !== 'global' || before.has(object.id);
  const isLoaded = kind === 'load' && before.has(element);
  if (kind === 'load' && !isLoaded && object.space === 'global') m.globalLoads++;
  // Any store may go to any array.
  if (kind === 'store') m.addresses = new Map([[base, new Set([object.id])]]);
  else before.add(object.id).add(element);
  return isLoaded ? 0 : moves + (isAddressed ? 0 : 1);
}

/** Adds what an operation costs to the side of the branch that is being run. */
export function pay(m: Machine, price: Price): void {
  m.cost += price.instructions;
  if (price.branches) m.weight++;
}

export function store(m: Machine, lv: LValue, value: Value, e: Expr, rmw = false): void {
  if (lv.l === 'cell') setCell(m, lv.cell, copyValue(convert(m, value, lv.cell.type)));
  else if (lv.l === 'mem') {
    narrowsBack(m, value, lv.type);
    noteObject(m, lv.object);
    noteAccess(m, 'store', lv, e, rmw, value);
    noteManaged(m, lv, e, true);
    if (value.v === 'ptr' && value.object.space !== 'global') m.pointsAside.add(lv.object.id);
    if (lv.object.space === 'local' && !m.localData.has(lv.object.id)) noteLocalData(m, lv.object, value);
  }
}

/** An array of a lane's own that data went into holds data: what comes out of it differs where that did. */
function noteLocalData(m: Machine, object: MemoryObject, value: Value): void {
  const parts = value.v === 'struct' ? [...value.fields.values()].map((cell) => formOf(cell.value)) : [formOf(value)];
  const data = parts.find((form) => form.lane && form.data);
  if (data) m.localData.set(object.id, data);
}

/** Declares a variable of memory (an array, shared or local) in the current scope. */
export function declareObject(m: Machine, object: MemoryObject): void {
  noteObject(m, object);
  declare(m, object.name, { e: 'object', object });
}
