/** Evaluates expressions: values out, accesses and branches noted on the way. */
import type { Expr, ExprOf, Node, TypeArg } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import { type CallOptions, call } from './calls.ts';
import { anything, constant, type Form, linearParts, op, opOf, symbol } from './form.ts';
import { operationPrice, type Price, transferInstructions } from './instructions.ts';
import { launch } from './launches.ts';
import {
  capturedScopes,
  constantOf,
  copyValue,
  declare,
  findFunctions,
  findLocal,
  frameOf,
  lastPart,
  type Machine,
  mayStep,
  momentOf,
  opaque,
  placeOf,
  rawValue,
  resolverOf,
  setCell,
  structOf,
  typeOfRef,
  unknownOf,
} from './machine.ts';
import { isComparison } from './rows.ts';
import {
  alignOf,
  BOOL,
  CHAR,
  commonType,
  DOUBLE,
  FLOAT,
  INT,
  isInteger,
  isVector,
  pointerTo,
  resolveType,
  SIZE_T,
  type StructType,
  scalarType,
  sizeOf,
  type Type,
  UNKNOWN,
  UNSIGNED,
} from './types.ts';
import {
  type Entry,
  formOf,
  type LValue,
  type MemoryObject,
  num,
  number,
  type PathStep,
  type RawBranch,
  type RawValue,
  typeOf,
  unknownValue,
  type Value,
} from './values.ts';

export function evaluate(m: Machine, e: Expr): Value {
  if (!mayStep(m)) return unknownValue();
  // What most expressions are stands first.
  switch (e.k) {
    case 'name':
      return nameValue(m, e);
    case 'number':
      return literal(m, e);
    case 'call':
      return call(m, e);
    case 'binary':
      return binaryExpr(m, e);
    case 'bool':
      return number(Number(e.value), BOOL);
    case 'null':
      return number(0, pointerTo({ t: 'void', name: 'void' }));
    case 'string':
      return { v: 'text', text: e.text };
    case 'this':
      return frameOf(m).self ? { v: 'ref', lv: { l: 'none', value: frameOf(m).self! } } : unknownValue();
    case 'index':
    case 'member':
      return load(m, lvalue(m, e), e);
    case 'unary':
      return unary(m, e);
    case 'postfix': {
      const target = lvalue(m, e.a);
      const before = load(m, target, e.a, true);
      m.cost++;
      store(m, target, step(before, e.op === '++' ? 1 : -1), e.a, true);
      return before;
    }
    case 'assign':
      return assign(m, e);
    case 'cond':
      return conditional(m, e);
    case 'launch':
      return launch(m, e);
    case 'cast':
      return convert(m, evaluate(m, e.a), typeOfRef(m, e.type));
    case 'construct':
      return construct(m, typeOfRef(m, e.type), e.args, e);
    case 'list':
      return { v: 'list', items: e.items.map((item) => evaluate(m, item)) };
    case 'sizeof':
      return sizeOfExpr(m, e);
    case 'new':
      return opaque(pointerTo(typeOfRef(m, e.type)), { name: 'new', uniform: false, data: false });
    case 'lambda':
      return {
        v: 'lambda',
        params: e.params.map((p) => ({ name: p.name, reference: p.type.reference })),
        body: e.body,
        item: frameOf(m).item,
        scopes: capturedScopes(m),
      };
    case 'unknown':
      return unknownValue();
  }
}

const DISCARDED: CallOptions = { resultUsed: false };

/** For the effects alone: the value goes nowhere. */
export function evaluateDiscarded(m: Machine, e: Expr): void {
  if (e.k === 'call') call(m, e, DISCARDED);
  else if (e.k === 'binary' && e.op === ',') {
    evaluateDiscarded(m, e.a);
    evaluateDiscarded(m, e.b);
  } else if (e.k === 'cast' && e.type.name === 'void') evaluateDiscarded(m, e.a);
  else evaluate(m, e);
}

function literal(m: Machine, e: ExprOf<'number'>): Value {
  if (!e.float) {
    const unsigned = e.suffix.includes('u') || e.value > 2147483647;
    const long = e.suffix.includes('l') || e.value > 4294967295;
    return number(
      e.value,
      e.suffix === 'char' ? CHAR : long ? scalarType(unsigned ? 'unsigned long long' : 'long long')! : unsigned ? UNSIGNED : INT,
    );
  }
  const type = e.suffix === 'f' ? FLOAT : DOUBLE;
  if (m.mode === 'device' && m.trial === 0 && type === DOUBLE) noteLiteral(m, e);
  return number(e.value, type);
}

function noteLiteral(m: Machine, e: ExprOf<'number'>): void {
  const { place, order, path, loops, functionName, callSite, epoch } = momentOf(m, e);
  const { value, expanded = false } = e;
  m.facts.literals.push({ place, order, path, loops, functionName, callSite, epoch, value, promotesFloat: false, expanded });
}

function sizeOfExpr(m: Machine, e: ExprOf<'sizeof'>): Value {
  let type: Type | undefined;
  if (e.a && (e.a.k !== 'name' || findLocal(m, e.a.name) || m.table.variables.has(e.a.name))) type = lvalueType(m, e.a);
  else if (e.type) type = typeOfRef(m, e.type);
  const size = type && sizeOf(type);
  return size === undefined ? unknownValue(SIZE_T) : number(size, SIZE_T);
}

/** Type without evaluation's effects. */
function lvalueType(m: Machine, e: Expr): Type {
  m.trial++;
  const lv = lvalue(m, e);
  m.trial--;
  return lv.l === 'cell' ? lv.cell.type : lv.l === 'mem' ? lv.type : typeOf(lv.value);
}

function nameValue(m: Machine, e: ExprOf<'name'>): Value {
  const local = findLocal(m, e.name);
  return local?.e === 'cell' ? local.cell.value : load(m, designated(m, e, local), e);
}

/** What a name refers to, given what it is among the local names. */
function designated(m: Machine, e: ExprOf<'name'>, local: Entry | undefined): LValue {
  const { name } = e;
  if (local?.e === 'cell') return { l: 'cell', cell: local.cell };
  if (local?.e === 'alias') return local.lv;
  if (local?.e === 'object') return objectValue(local.object);
  const { bindings, self } = frameOf(m);
  const bound = bindings.get(name);
  if (bound?.value !== undefined) return none(number(bound.value, INT));
  if (bound?.name !== undefined) return none({ v: 'fn', name: bound.name });
  if (self?.v === 'struct') {
    const cell = self.fields.get(name);
    if (cell) return { l: 'cell', cell };
    const constantOfSelf = m.table.constants.get(`${self.type.name}::${name}`);
    if (constantOfSelf) return none(globalConstant(m, `${self.type.name}::${name}`, constantOfSelf));
  }
  const builtin = m.builtins.get(name);
  if (builtin) return none(builtin);
  return globalName(m, e);
}

function none(value: Value): LValue {
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

function functionBindings(m: Machine, e: ExprOf<'name'>): { bindings?: import('./types.ts').Bindings } {
  const entry = m.table.functions.get(e.name)?.find((f) => f.def.templates.length > 0);
  if (!entry || !e.targs) return {};
  const out = new Map<string, import('./types.ts').Binding>();
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

function globalConstant(
  m: Machine,
  name: string,
  found: { readonly value: Expr | number; readonly item: import('../syntax/items.ts').Item },
): Value {
  m.uses.add(found.item);
  const value = typeof found.value === 'number' ? number(found.value, INT) : inItem(m, found.item, () => evaluate(m, found.value as Expr));
  m.globals.set(name, value);
  return value;
}

/** Evaluates text of another item, with its places and without this function's locals. */
function inItem<T>(m: Machine, item: import('../syntax/items.ts').Item, body: () => T): T {
  m.frames.push({ name: '', item, bindings: new Map(), scopes: [new Map()], returns: [], pathBase: m.path.length });
  m.trial++;
  const result = body();
  m.trial--;
  m.frames.pop();
  return result;
}

function globalVariable(m: Machine, name: string, variable: import('./table.ts').VariableEntry): LValue {
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
      declaredAt: { item: variable.item, start: d.start, end: d.end },
    };
    note(m, object);
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
    note(m, object);
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

function note(m: Machine, object: MemoryObject): void {
  if (!m.facts.objects.has(object.id)) m.facts.objects.set(object.id, object);
}

/** The thing an expression designates. */
export function lvalue(m: Machine, e: Expr): LValue {
  switch (e.k) {
    case 'name':
      return designated(m, e, findLocal(m, e.name));
    case 'index':
      return indexed(m, e);
    case 'member':
      return member(m, e);
    case 'unary':
      if (e.op === '*') {
        const pointer = evaluate(m, e.a);
        noteHostDereference(m, pointer, e.a, e);
        return dereference(pointer, constant(0));
      }
      if (e.op === '++' || e.op === '--') {
        evaluate(m, e);
        return lvalue(m, e.a);
      }
      return none(evaluate(m, e));
    case 'cast': {
      const inner = lvalue(m, e.a);
      const type = typeOfRef(m, e.type);
      return inner.l === 'mem' && e.type.reference ? { ...inner, type } : none(convert(m, load(m, inner, e.a), type));
    }
    case 'assign':
      assign(m, e);
      return lvalue(m, e.a);
    case 'binary':
      if (e.op === ',') {
        evaluateDiscarded(m, e.a);
        return lvalue(m, e.b);
      }
      return none(evaluate(m, e));
    default:
      return none(evaluate(m, e));
  }
}

function dereference(value: Value, extra: Form, index?: Value): LValue {
  if (value.v === 'ref') return value.lv;
  if (value.v === 'ptr') {
    const type = value.to;
    return { l: 'mem', object: value.object, offset: op('+', value.offset, extra), type, index };
  }
  return none(value.v === 'struct' ? value : unknownValue(value.v === 'num' && value.type.t === 'pointer' ? value.type.to : UNKNOWN));
}

function indexed(m: Machine, e: ExprOf<'index'>): LValue {
  const base = decay(m, lvalue(m, e.a), e.a);
  const index = evaluate(m, e.i);
  if (base.v === 'list') {
    const i = formOf(index);
    return none(i.f === 'const' ? (base.items[i.v] ?? unknownValue()) : unknownValue());
  }
  if (base.v !== 'ptr') return none(base.v === 'num' && base.type.t === 'pointer' ? unknownOf(base.type.to) : unknownValue());
  const form = formOf(index);
  if (form.f !== 'const' && m.trial === 0 && m.mode === 'device') noteDynamicIndex(m, base.object, form);
  noteHostDereference(m, base, e.a, e);
  const size = sizeOf(base.to);
  const bytes = size === undefined ? ofUnknownSize(form) : op('*', form, constant(size));
  return dereference(base, bytes, index);
}

function noteDynamicIndex(m: Machine, object: MemoryObject, index: Form): void {
  const known = m.facts.dynamic.get(object.id);
  if (known) known.push(index);
  else m.facts.dynamic.set(object.id, [index]);
}

/** So many elements of a type without a size, such as an unbound template parameter: lanes agree where they agree on the number. */
function ofUnknownSize(index: Form): Form {
  const { data, block } = index;
  return index.lane ? anything({ data: false, unknown: true, address: index }) : symbol('', 'unknown', { data, block });
}

/** `&p[i]` and `&p->x` name an element without reaching it. */
function forgetDereference(m: Machine, e: Expr): void {
  const { dereferences } = m.facts;
  for (let last = dereferences.at(-1); last?.moment.place.item === frameOf(m).item; last = dereferences.at(-1)) {
    const { start, end } = last.moment.place;
    if (start !== e.start || end > e.end) return;
    dereferences.pop();
  }
}

/** The host reaches through a pointer to device memory. */
function noteHostDereference(m: Machine, pointer: Value, base: Expr, at: Expr): void {
  if (m.mode === 'host' && m.trial === 0 && pointer.v === 'ptr' && pointer.object.onDevice)
    m.facts.dereferences.push({ pointer: placeOf(m, base), moment: momentOf(m, at) });
}

/** Arrays become pointers to their first element, pointers and references what they hold. */
function decay(m: Machine, lv: LValue, e: Expr): Value {
  if (lv.l === 'mem' && lv.type.t === 'array') return { v: 'ptr', object: lv.object, offset: lv.offset, to: lv.type.of };
  return load(m, lv, e);
}

function member(m: Machine, e: ExprOf<'member'>): LValue {
  const pointer = e.arrow ? evaluate(m, e.a) : undefined;
  if (pointer) noteHostDereference(m, pointer, e.a, e);
  const base: LValue = pointer ? dereference(pointer, constant(0)) : lvalue(m, e.a);
  if (base.l === 'mem') {
    if (base.type.t === 'struct') {
      const field = base.type.fields.find((f) => f.name === e.name);
      if (field) {
        const structure = base.field && !isVector(base.type) ? base.type : (base.field?.structure ?? base.type);
        return {
          l: 'mem',
          object: base.object,
          offset: op('+', base.offset, constant(field.offset)),
          type: field.type,
          index: base.index,
          field: { name: e.name, structure: isVector(base.type) && base.field ? base.field.structure : structure },
        };
      }
    }
    return {
      l: 'mem',
      object: base.object,
      offset: base.type.t === 'unknown' ? anything({ data: false, unknown: true }) : base.offset,
      type: UNKNOWN,
    };
  }
  const value = base.l === 'cell' ? base.cell.value : base.value;
  if (value.v === 'struct') {
    const cell = value.fields.get(e.name);
    if (cell) return { l: 'cell', cell };
  }
  if (value.v === 'ref') return member(m, { ...e, arrow: true });
  if (value.v === 'num' && value.form.data) return none(num(value.form, UNKNOWN));
  return none(unknownValue());
}

/** Reads; memory reads are noted. */
export function load(m: Machine, lv: LValue, e: Expr, rmw = false): Value {
  if (lv.l === 'cell') return lv.cell.value;
  if (lv.l === 'none') return lv.value;
  const { object, offset, type } = lv;
  if (type.t === 'array') return { v: 'ptr', object, offset, to: type.of };
  note(m, object);
  noteAccess(m, 'load', lv, e, rmw, undefined);
  return loaded(m, lv);
}

/** A value out of memory: the same for all lanes where the address is. */
function loaded(m: Machine, lv: LValue & { l: 'mem' }): Value {
  const { object, offset, type } = lv;
  if (object.space === 'local') {
    const stored = m.localData.get(object.id);
    return opaque(type, { name: object.name, uniform: false, data: stored !== undefined, address: stored && op('opaque', stored, offset) });
  }
  const block = offset.block || object.space === 'shared';
  const place = offset.f === 'any' ? offset.address : offset;
  const address = place?.unknown ? undefined : place;
  const value = opaque(type, { name: object.name, uniform: !offset.lane, data: true, block, address });
  if (value.v === 'ptr') return { ...value, object: { ...value.object, id: `${object.id}[]`, name: object.name } };
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
    note(m, lv.object);
    noteAccess(m, 'store', lv, e, rmw, value);
    if (lv.object.space === 'local' && !m.localData.has(lv.object.id)) noteLocalData(m, lv.object, value);
  }
}

/** An array of a lane's own that data went into holds data: what comes out of it differs where that did. */
function noteLocalData(m: Machine, object: MemoryObject, value: Value): void {
  const parts = value.v === 'struct' ? [...value.fields.values()].map((cell) => formOf(cell.value)) : [formOf(value)];
  const data = parts.find((form) => form.lane && form.data);
  if (data) m.localData.set(object.id, data);
}

function unary(m: Machine, e: ExprOf<'unary'>): Value {
  switch (e.op) {
    case '*':
      return load(m, lvalue(m, e), e);
    case '&': {
      const lv = lvalue(m, e.a);
      if (m.mode === 'host') forgetDereference(m, e.a);
      if (lv.l === 'mem') return { v: 'ptr', object: lv.object, offset: lv.offset, to: lv.type };
      return lv.l === 'none' && (lv.value.v === 'fn' || lv.value.v === 'num') ? lv.value : { v: 'ref', lv };
    }
    case '++':
    case '--': {
      const target = lvalue(m, e.a);
      const after = step(load(m, target, e.a, true), e.op === '++' ? 1 : -1);
      m.cost++;
      store(m, target, after, e.a, true);
      return after;
    }
    default: {
      const a = evaluate(m, e.a);
      if (e.op === '+') return a;
      if (a.v !== 'num') return e.op === '!' ? unknownValue(BOOL) : unknownValue();
      if (e.op === '~' && a.form.f !== 'const') m.cost++;
      const type = e.op === '!' ? BOOL : a.type;
      return num(op(e.op, a.form), type);
    }
  }
}

function step(value: Value, by: number): Value {
  if (value.v === 'ptr') return { ...value, offset: op('+', value.offset, constant(by * (sizeOf(value.to) ?? 1))) };
  return value.v === 'num' ? num(op('+', value.form, constant(by)), value.type) : value;
}

const DECIDING = new WeakSet<Expr>();

/** Evaluates what is branched on, as against what is kept as a value. */
export function evaluateCondition(m: Machine, e: Expr): Value {
  if (m.mode === 'device') markDeciding(e);
  return evaluate(m, e);
}

function markDeciding(e: Expr): void {
  if (e.k === 'unary' && e.op === '!') markDeciding(e.a);
  if (e.k !== 'binary' || (e.op !== '&&' && e.op !== '||')) return;
  DECIDING.add(e);
  markDeciding(e.a);
  markDeciding(e.b);
}

function binaryExpr(m: Machine, e: ExprOf<'binary'>): Value {
  if (e.op === ',') {
    evaluateDiscarded(m, e.a);
    return evaluate(m, e.b);
  }
  const a = evaluate(m, e.a);
  if (e.op === '&&' || e.op === '||') {
    const left = formOf(a);
    if (left.f === 'const')
      return (left.v !== 0) === (e.op === '&&')
        ? num(op('!=', formOf(evaluate(m, e.b)), constant(0)), BOOL)
        : number(left.v === 0 ? 0 : 1, BOOL);
    const branch = newBranch(m, 'logical', e.a, a, e.a);
    const start = { cost: m.cost, weight: m.weight, loads: m.globalLoads };
    const b = onSide(m, branch, e.op === '&&' ? 'then' : 'else', () => evaluate(m, e.b));
    branch.thenCost = m.cost - start.cost;
    branch.thenHeavy = m.weight > start.weight;
    branch.keptLoad = m.globalLoads > start.loads && !DECIDING.has(e);
    return num(op(e.op, left, formOf(b)), BOOL);
  }
  if (m.mode === 'host' && e.op === '>>' && !isNumber(a)) return extracted(m, a, e.b);
  const b = evaluate(m, e.b);
  return binary(m, e.op, a, b, e);
}

function isNumber(value: Value): boolean {
  return value.v === 'num' && value.type.t !== 'unknown';
}

/** `stream >> n`: what the variable holds then is known to nobody. */
function extracted(m: Machine, stream: Value, e: Expr): Value {
  const target = lvalue(m, e);
  if (target.l === 'cell') setCell(m, target.cell, opaque(target.cell.type, { name: target.cell.name, uniform: true, data: false }));
  return stream;
}

export function binary(m: Machine, operator: string, a: Value, b: Value, e: Expr): Value {
  if (a.v === 'ptr' || b.v === 'ptr') return pointerArithmetic(operator, a, b);
  if (a.v === 'struct' || b.v === 'struct' || a.v === 'fn' || b.v === 'fn') return overloaded(m, operator, a, b, e);
  if (a.v !== 'num' || b.v !== 'num') return unknownValue();
  const comparison = isComparison(operator);
  const type = comparison ? BOOL : operator === '<<' || operator === '>>' ? a.type : commonType(a.type, b.type);
  const operands = comparison ? commonType(a.type, b.type) : type;
  const narrowable = m.mode === 'device' && m.trial === 0 ? noteArithmetic(m, operator, a, b, e, operands) : undefined;
  if (m.mode === 'device' && (a.form.runtime || b.form.runtime) && !isFused(operator, e))
    pay(m, operationPrice(operator, operands, b.form));
  const form = inSmallBlock(m, operator, a.form, b.form) ?? op(operator === '/' && type.t === 'float' ? 'fdiv' : operator, a.form, b.form);
  // Unsigned subtraction below zero wraps: `(unsigned)x - 1 < n`. Constants only; symbols are taken as large enough.
  const result = num(form.f === 'const' && type.t === 'int' && type.unsigned && type.size === 4 ? op('u32', form) : form, type);
  if (narrowable !== undefined) NARROWABLE.set(result, narrowable);
  return result;
}

/** `threadIdx.x / 128` and `threadIdx.x % 128` where no block of the launch is wider. */
function inSmallBlock(m: Machine, operator: string, index: Form, divisor: Form): Form | undefined {
  if ((operator !== '/' && operator !== '%') || index.f !== 'thread' || divisor.f !== 'const') return undefined;
  const block = m.builtins.get('blockDim');
  const size = block?.v === 'struct' ? block.fields.get('xyz'[index.axis])?.value : undefined;
  const width = size && formOf(size);
  if (width?.f !== 'const' || width.v > divisor.v) return undefined;
  return operator === '/' ? constant(0) : index;
}

/** A multiplication that an addition takes in: FFMA, IMAD. */
function isFused(operator: string, e: Expr): boolean {
  if (operator !== '+' && operator !== '-') return false;
  return (e.k === 'binary' && (isProduct(e.a) || isProduct(e.b))) || (e.k === 'assign' && isProduct(e.b));
}

function isProduct(e: Expr): boolean {
  return e.k === 'binary' && e.op === '*';
}

function noteArithmetic(
  m: Machine,
  operator: string,
  a: Value & { v: 'num' },
  b: Value & { v: 'num' },
  e: Expr,
  type: Type,
): number | undefined {
  const comparison = isComparison(operator);
  if ((operator === '/' || operator === '%') && isInteger(type) && e.k === 'binary')
    noteDivision(m, operator, e, rawValue(m, a, e.a), rawValue(m, b, e.b));
  if (type.t !== 'float' || type.size !== 8 || (e.k !== 'binary' && e.k !== 'assign')) return undefined;
  if (isFloat(a)) return notePromotion(m, b, e.b, { exactIsFree: comparison });
  return isFloat(b) ? notePromotion(m, a, e.a, { exactIsFree: comparison }) : undefined;
}

function noteDivision(m: Machine, operator: '/' | '%', e: Expr, dividend: RawValue, divisor: RawValue): void {
  const { place, order, path, loops, functionName, callSite, epoch } = momentOf(m, e);
  m.facts.divisions.push({ place, order, path, loops, functionName, callSite, epoch, operator, dividend, divisor });
}

function isFloat(value: Value): boolean {
  return value.v === 'num' && value.type.t === 'float' && value.type.size === 4;
}

/**
 * A double constant that meets a float makes it a double, too: its literals, which were noted just now. Returns the place among those
 * noted of one that a float holds exactly.
 */
export function notePromotion(m: Machine, value: Value, e: Expr, options: { readonly exactIsFree: boolean }): number | undefined {
  const { literals } = m.facts;
  if (m.trial > 0 || value.v !== 'num' || value.type.t !== 'float' || value.type.size !== 8 || value.form.f !== 'const') return undefined;
  const exact = Math.fround(value.form.v) === value.form.v;
  if (exact && options.exactIsFree) return undefined;
  const inside = literals.findLastIndex(({ place }) => place.item !== frameOf(m).item || place.start < e.start || place.end > e.end) + 1;
  for (let i = inside; i < literals.length; i++) literals[i] = { ...literals[i], promotesFloat: true };
  return exact && inside === literals.length - 1 ? inside : undefined;
}

/** Results of one double operation on a float and a literal that a float holds exactly, by the literal's place among those noted. */
const NARROWABLE = new WeakMap<Value, number>();

/**
 * A value becomes a float. Where one operation on a float and an exact literal gave it, the compiler computes in single precision, for the
 * result is the same (nvcc 13.0: no f64 instruction for `x * 0.5`, `x + 1.0` and `1.0 / x` assigned to a float, but for `x * 0.1`).
 */
export function narrowsBack(m: Machine, value: Value, type: Type): void {
  if (m.trial > 0 || type.t !== 'float' || type.size !== 4) return;
  const at = NARROWABLE.get(value);
  if (at !== undefined) m.facts.literals[at] = { ...m.facts.literals[at], promotesFloat: false };
}

function pointerArithmetic(operator: string, a: Value, b: Value): Value {
  if (a.v === 'ptr' && b.v === 'ptr') {
    const size = sizeOf(a.to) ?? 1;
    if (operator === '-' && a.object.id === b.object.id) return num(op('/', op('-', a.offset, b.offset), constant(size)), INT);
    return a.object.id === b.object.id
      ? num(op(operator, a.offset, b.offset), BOOL)
      : num(symbol('pointers', 'unknown'), operator === '-' ? INT : BOOL);
  }
  const [pointer, other] = a.v === 'ptr' ? [a, b] : [b, a];
  if (pointer.v !== 'ptr') return unknownValue();
  if (operator !== '+' && operator !== '-') return num(symbol(pointer.object.name, 'parameter'), BOOL);
  const size = sizeOf(pointer.to);
  const bytes = size === undefined ? ofUnknownSize(formOf(other)) : op('*', formOf(other), constant(size));
  return { ...pointer, offset: op(operator, pointer.offset, bytes) };
}

/** Operators of structures: a user's own where it can be found, field by field where not. */
function overloaded(m: Machine, operator: string, a: Value, b: Value, e: Expr): Value {
  const type = a.v === 'struct' ? a.type : b.v === 'struct' ? b.type : undefined;
  if (!type) return unknownValue();
  if (isComparison(operator)) return num(combine(m, [a, b]), BOOL);
  return structOf(type, (f) => {
    const part = (v: Value) => (v.v === 'struct' ? (v.fields.get(f.name)?.value ?? v) : v);
    const [x, y] = [part(a), part(b)];
    return x.v === 'num' && y.v === 'num' ? binary(m, operator, x, y, e) : unknownOf(f.type);
  });
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

function assign(m: Machine, e: ExprOf<'assign'>): Value {
  if (e.op === '=') {
    const before = m.facts.accesses.length;
    const value = evaluate(m, e.b);
    const target = lvalue(m, e.a);
    noteFieldWrite(m, e, value);
    const result = value.v === 'list' && target.l === 'cell' ? construct(m, target.cell.type, [], e, value.items) : value;
    store(m, target, result, e.a, target.l === 'mem' && readsTarget(m, target.object, e, before));
    return result;
  }
  const b = evaluate(m, e.b);
  const target = lvalue(m, e.a);
  const before = load(m, target, e.a, true);
  const after = binary(m, e.op.slice(0, -1), before, b, e);
  const type = target.l === 'cell' ? target.cell.type : target.l === 'mem' ? target.type : UNKNOWN;
  store(m, target, convert(m, after, type), e.a, true);
  return after;
}

/** `a[i] = a[i] + x` is `a[i] += x`: the load of the target among those noted since, which becomes one half of a read-modify-write. */
function readsTarget(m: Machine, object: MemoryObject, e: ExprOf<'assign'>, since: number): boolean {
  const { accesses } = m.facts;
  const { item } = frameOf(m);
  for (let i = since; i < accesses.length; i++) {
    const { kind, place } = accesses[i];
    if (kind !== 'load' || accesses[i].object.id !== object.id || place.item !== item || !sameTokens(item, place, e.a)) continue;
    accesses[i] = { ...accesses[i], readModifyWrite: true };
    return true;
  }
  return false;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function sameTokens({ tokens }: Item, a: Span, b: Span): boolean {
  const [from, to] = [firstToken(tokens, a.start), firstToken(tokens, b.start)];
  for (let i = 0; ; i++) {
    const [x, y] = [tokens[from + i], tokens[to + i]];
    const ended = [x === undefined || x.start >= a.end, y === undefined || y.start >= b.end];
    if (ended[0] || ended[1]) return ended[0] && ended[1] && i > 0;
    if (x.text !== y.text) return false;
  }
}

/** Index of the first token that does not start before an offset. */
function firstToken(tokens: Item['tokens'], offset: number): number {
  let low = 0;
  for (let high = tokens.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (tokens[middle].start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function noteFieldWrite(m: Machine, e: ExprOf<'assign'>, value: Value): void {
  if (m.mode !== 'host' || m.trial > 0 || e.a.k !== 'member') return;
  const parts: string[] = [];
  let at: Expr = e.a;
  while (at.k === 'member') {
    parts.unshift(at.name);
    at = at.a;
  }
  if (at.k === 'name')
    m.facts.fieldWrites.push({ path: [at.name, ...parts].join('.'), moment: momentOf(m, e), node: e.b, value, item: frameOf(m).item });
}

function conditional(m: Machine, e: ExprOf<'cond'>): Value {
  const c = evaluateCondition(m, e.c);
  const form = formOf(c);
  if (form.f === 'const') return evaluate(m, form.v !== 0 ? e.a : e.b);
  const branch = newBranch(m, 'conditional', e, c, e.c);
  const costs = { at: m.cost, weight: m.weight };
  const a = onSide(m, branch, 'then', () => evaluate(m, e.a));
  branch.thenCost = m.cost - costs.at;
  branch.thenHeavy = m.weight > costs.weight;
  const [cost, weight] = [m.cost, m.weight];
  const b = onSide(m, branch, 'else', () => evaluate(m, e.b));
  branch.elseCost = m.cost - cost;
  branch.elseHeavy = m.weight > weight;
  return select(form, a, b);
}

/** One value or the other, by a condition. */
export function select(c: Form, a: Value, b: Value): Value {
  if (a === b) return a;
  if (a.v === 'num' && b.v === 'num')
    return num(op('select', c, a.form, b.form), a.type.t === 'float' || b.type.t === 'float' ? commonType(a.type, b.type) : a.type);
  if (a.v === 'ptr' && b.v === 'ptr') {
    if (a.object.id === b.object.id) return { ...a, offset: op('select', c, a.offset, b.offset) };
    const space = a.object.space === b.object.space ? a.object.space : 'unknown';
    const onDevice = a.object.onDevice && b.object.onDevice;
    return {
      ...a,
      object: { ...a.object, id: `${a.object.id}|${b.object.id}`, space, onDevice },
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

export function newBranch(
  m: Machine,
  kind: RawBranch['kind'],
  node: { start: number; end: number },
  condition: Value,
  head: { start: number; end: number },
  written: { start: number; end: number } = head,
): RawBranch {
  if (m.hostBranch) return m.hostBranch;
  const branch = makeBranch(m, kind, node, rawValue(m, condition, written), placeOf(m, head));
  if (m.mode === 'host') m.hostBranch = branch;
  else if (m.trial === 0) m.facts.branches.push(branch);
  return branch;
}

/** A branch that is in no list of facts. Trials make many, so it is made in one piece. */
export function makeBranch(
  m: Machine,
  kind: RawBranch['kind'],
  node: Node,
  condition: RawValue,
  headPlace: RawBranch['headPlace'],
): RawBranch {
  const { place, order, path, loops, functionName, callSite, epoch } = momentOf(m, node);
  return {
    place,
    order,
    path,
    loops,
    functionName,
    callSite,
    epoch,
    kind,
    condition,
    headPlace,
    thenCost: 0,
    elseCost: 0,
    thenHeavy: false,
    elseHeavy: false,
    nested: false,
    keptLoad: false,
    exits: undefined,
    barrierInside: false,
    loopInside: undefined,
    leaves: undefined,
    otherLeaves: undefined,
    cases: undefined,
  };
}

export function onSide<T>(m: Machine, branch: RawBranch, side: PathStep['side'], body: () => T): T {
  const before = m.path;
  m.path = [...before, { branch, side }];
  const result = body();
  m.path = before;
  return result;
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
    if (hasConstructor && values.length > 0)
      return structOf(type, (f) => num(combine(m, values), f.type.t === 'struct' ? UNKNOWN : f.type));
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

function zeroOf(type: Type): Value {
  if (type.t === 'struct') return structOf(type, (f) => zeroOf(f.type));
  if (type.t === 'pointer') return { v: 'ptr', object: NULL_OBJECT, offset: constant(0), to: type.to };
  return type.t === 'unknown' ? unknownValue(type) : number(0, type);
}

/** Declares a variable of memory (an array, shared or local) in the current scope. */
export function declareObject(m: Machine, object: MemoryObject): void {
  note(m, object);
  declare(m, object.name, { e: 'object', object });
}
