/** Calls: CUDA's own functions by what they do to a warp, functions of the file by inlining them, all others as unknown. */
import type { Expr, ExprOf, FunctionDef, TypeArg } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import { load } from './accesses.ts';
import { deviceBuiltin, hasFamily, pointee } from './builtins.ts';
import { combine, convert } from './conversions.ts';
import { deduce } from './deduction.ts';
import { bindArgument, canonicalName, findFunctions, resolverOf, typeOfRef } from './definitions.ts';
import { returned, settleExits, settleLeft } from './exits.ts';
import type { Form } from './form.ts';
import { findLocal, frameOf, newScope, placeOf } from './frames.ts';
import { groupCall, groupMethod } from './groups.ts';
import { hostCall, noteForeignCall } from './launches.ts';
import { type CallOptions, evaluate, execute, lvalue, type Machine } from './machine.ts';
import { copyValue, opaque, unknownOf } from './made-values.ts';
import { momentOf, noteEscape, rawValue } from './recorder.ts';
import type { FunctionEntry } from './table.ts';
import { mayInline, setCell } from './trial.ts';
import { type Bindings, NO_BINDINGS, resolveType, type StructType, sizeOf, type Type, UNKNOWN } from './types.ts';
import { mayWait, mayWaitIn, noteUnknownBarrier } from './unknown-calls.ts';
import { type Entry, type Frame, formOf, type LValue, num, typeOf, unknownValue, type Value } from './values.ts';

export function performCall(m: Machine, e: ExprOf<'call'>, options: CallOptions): Value {
  const { f } = e;
  if (f.k === 'member') return methodCall(m, e, f, options);
  if (f.k === 'name') return namedCall(m, e, f, options);
  const target = evaluate(m, f);
  return (
    callValue(m, target, e, options) ??
    unknownCall(
      m,
      '',
      e.args.map((a) => evaluate(m, a)),
    )
  );
}

function namedCall(m: Machine, e: ExprOf<'call'>, f: ExprOf<'name'>, options: CallOptions): Value {
  const isQualified = f.name.includes('::');
  const name = isQualified ? canonicalName(m, f.name) : f.name;
  const local = findLocal(m, f.name);
  if (local?.e === 'cell') {
    const result = callValue(m, local.cell.value, e, options);
    if (result) return result;
  }
  const bound = frameOf(m).bindings.get(f.name);
  if (bound?.name) return callFunction(m, bound.name, undefined, e, options);
  if (bound?.type) return constructed(m, bound.type, e);
  const group = groupCall(m, name, f, e);
  if (group) return group;
  if (m.mode === 'device') {
    const own = ownOverload(m, f.name, e);
    if (own) return inline(m, own.def, own.item, e, NO_BINDINGS, undefined);
    const known = deviceBuiltin(m, name, f, e, options);
    if (known) return known;
  }
  const scoped = isQualified ? scopedFunction(m, f.name) : undefined;
  if (scoped) return inline(m, scoped.def, scoped.item, e, scoped.bindings, undefined);
  if (findFunctions(m, f.name).length > 0) return callFunction(m, f.name, f.targs, e, options);
  if (m.mode === 'host') return hostCall(m, name, f, e, options);
  const args = e.args.map((a) => evaluate(m, a));
  if (mayWait(name, args)) noteUnknownBarrier(m, e);
  noteGeneratorCall(m, name, e, args);
  return unknownCall(m, name, args);
}

/** The next number of a generator: all functions of cuRAND's in kernels but those that begin, or skip some. */
const NEXT_NUMBER = /^curand(_|$)(?!init|skip|discrete)/;

function noteGeneratorCall(m: Machine, name: string, e: ExprOf<'call'>, args: readonly Value[]): void {
  const [value] = args;
  if (m.trial > 0 || m.mode !== 'device' || value?.v !== 'ptr' || !NEXT_NUMBER.test(name)) return;
  const state = rawValue(m, value, e.args[0]);
  m.facts.generatorCalls.push({ ...momentOf(m, e), name, state: { ...state, form: elementOf(m, e.args[0]) ?? state.form } });
}

/** Of `&states[i]`: the number, for the size of a structure of a library's is not known. */
function elementOf(m: Machine, e: Expr): Form | undefined {
  if (e.k !== 'unary' || e.op !== '&' || e.a.k !== 'index') return undefined;
  m.trial++;
  const form = formOf(evaluate(m, e.a.i));
  m.trial--;
  return form;
}

/** A function of the program's own that goes by the name of one of CUDA's, for types that CUDA's does not take: `atomicMin(float*, float)`. */
function ownOverload(m: Machine, name: string, e: ExprOf<'call'>): FunctionEntry | undefined {
  if (!m.table.functions.has(name) || !hasFamily(name) || e.args.length === 0) return undefined;
  const fits = findFunctions(m, name).filter(({ def }) => def.body && def.params.length >= e.args.length);
  if (fits.length === 0) return undefined;
  m.trial++;
  const given = typeAt(evaluate(m, e.args[0]));
  m.trial--;
  const exact = fits.find(({ def }) => def.templates.length === 0 && sameType(target(typeOfRef(m, def.params[0].type)), given));
  return exact ?? (given.t === 'float' && INTEGER_ATOMIC.test(name) ? fits.find(({ def }) => def.templates.length > 0) : undefined);
}

/** What CUDA has for integers alone. */
const INTEGER_ATOMIC = /^atomic(Sub|Min|Max|Inc|Dec|CAS|And|Or|Xor)/;

function typeAt(value: Value): Type {
  const at = value.v === 'ref' || value.v === 'ptr' ? pointee(value) : undefined;
  return at?.l === 'mem' ? at.type : at?.l === 'cell' ? at.cell.type : typeOf(value);
}

function target(type: Type): Type {
  return type.t === 'pointer' ? type.to : type;
}

function sameType(a: Type, b: Type): boolean {
  if (a.t !== b.t || a.t === 'unknown' || sizeOf(a) !== sizeOf(b)) return false;
  if (a.t === 'int') return b.t === 'int' && a.unsigned === b.unsigned;
  return a.t !== 'struct' || a.name === b.name;
}

function constructed(m: Machine, type: Type, e: ExprOf<'call'>): Value {
  const args = e.args.map((a) => evaluate(m, a));
  return args.length === 1 ? convert(m, args[0], type) : unknownOf(type);
}

function callValue(m: Machine, target: Value, e: ExprOf<'call'>, options: CallOptions): Value | undefined {
  if (target.v === 'fn') return callFunction(m, target.name, undefined, e, options, target.bindings);
  if (target.v === 'lambda') return callLambda(m, target, e);
  if (target.v === 'struct' && target.type.def) {
    const method = target.type.def.methods.find((x) => x.name === 'operator()' && x.body);
    if (method) return inline(m, method, structItem(m, target.type), e, target.type.bindings ?? new Map(), target);
  }
  return undefined;
}

function structItem(m: Machine, type: StructType): Item {
  return m.table.aggregates.get(type.def?.name ?? '')?.item ?? frameOf(m).item;
}

function callLambda(m: Machine, target: Value & { v: 'lambda' }, e: ExprOf<'call'>): Value {
  const args = e.args.map((a) => evaluate(m, a));
  if (!mayInline(m)) return unknownValue();
  const caller = frameOf(m);
  const scope = newScope();
  target.params.forEach((p, i) => {
    if (p.name)
      scope.set(p.name, { e: 'cell', cell: { value: args[i] ?? unknownValue(), type: args[i] ? typeOf(args[i]) : UNKNOWN, name: p.name } });
  });
  const path = m.path;
  m.frames.push({
    name: caller.name,
    item: target.item,
    bindings: caller.bindings,
    scopes: [...target.scopes, scope],
    self: caller.self,
    returns: [],
    pathBase: m.path.length,
    callSite: caller.callSite ?? placeOf(m, e),
  });
  execute(m, target.body);
  const frame = m.frames.pop()!;
  m.path = path;
  return returned(frame) ?? unknownValue();
}

/** `Op::apply` with a template argument, a structure or a namespace in front. */
function scopedFunction(m: Machine, name: string): { def: FunctionDef; item: Item; bindings: Bindings } | undefined {
  const cut = name.lastIndexOf('::');
  const owner = name.slice(0, cut);
  const bound = frameOf(m).bindings.get(owner)?.type ?? typeOfOwner(m, owner);
  if (bound?.t !== 'struct' || !bound.def) return undefined;
  const def = bound.def.methods.find((x) => x.name === name.slice(cut + 2) && x.body);
  return def && { def, item: structItem(m, bound), bindings: bound.bindings ?? new Map() };
}

function typeOfOwner(m: Machine, owner: string): Type | undefined {
  return m.table.aggregates.has(owner) || m.table.aliases.has(owner) ? resolverOf(m).lookup(owner, undefined) : undefined;
}

function methodCall(m: Machine, e: ExprOf<'call'>, f: ExprOf<'member'>, options: CallOptions): Value {
  const lv: LValue = lvalue(m, f.a);
  const inMemory = m.mode === 'device' && lv.l === 'mem' ? methodOf(lv.type, f.name, e.args.length) : undefined;
  if (inMemory) return inlineMethod(m, inMemory, e, { v: 'ref', lv });
  let self = load(m, lv, f.a);
  if (self.v === 'ref') self = load(m, self.lv, f.a);
  if (self.v === 'group') {
    const known = groupMethod(m, self, f, e, options);
    if (known) return known;
  }
  const type = lv.l === 'mem' ? lv.type : self.v === 'struct' ? self.type : self.v === 'ptr' ? self.to : undefined;
  const method = methodOf(type, f.name, e.args.length);
  if (method) return inlineMethod(m, method, e, self.v === 'ptr' ? pointedTo(self, method.type) : self);
  const args = e.args.map((a) => evaluate(m, a));
  // `std::min(...)`-like helpers of unknown classes: the value varies as what it is made of.
  if (m.mode === 'host') {
    noteForeignCall(m, f.name);
    return hostMethod(f, self);
  }
  if ((type === undefined || type.t === 'unknown') && mayWaitIn(f.name)) noteUnknownBarrier(m, e);
  return unknownCall(m, f.name, [self, ...args]);
}

interface Method {
  readonly type: StructType;
  readonly def: FunctionDef;
}

function methodOf(type: Type | undefined, name: string, args: number): Method | undefined {
  if (type?.t !== 'struct' || !type.def) return undefined;
  const known = type.def.methods.filter((x) => x.name === name && x.body);
  const def = known.find((x) => x.params.length === args) ?? known[0];
  return def && { type, def };
}

function inlineMethod(m: Machine, { type, def }: Method, e: ExprOf<'call'>, self: Value): Value {
  return inline(m, def, structItem(m, type), e, type.bindings ?? new Map(), self);
}

function pointedTo({ object, offset }: Value & { v: 'ptr' }, type: StructType): Value {
  return { v: 'ref', lv: { l: 'mem', object, offset, type } };
}

function hostMethod(f: ExprOf<'member'>, self: Value): Value {
  if (f.name === 'data' || f.name === 'get' || f.name === 'begin' || f.name === 'c_str') return self;
  return opaque({ t: 'unknown', name: '?' }, { name: `${f.name}()`, uniform: true, data: false });
}

function callFunction(
  m: Machine,
  name: string,
  targs: readonly TypeArg[] | undefined,
  e: ExprOf<'call'>,
  options: CallOptions,
  given?: Bindings,
): Value {
  const chosen = chooseOverload(findFunctions(m, name), e.args.length, targs);
  const entry = chosen && m.follow(chosen.item) ? chosen : undefined;
  if (!entry) {
    if (m.mode === 'host') {
      const result = hostCall(m, name, e.f as ExprOf<'name'>, e, options);
      if (chosen) loseArguments(m, chosen.def, e);
      return result;
    }
    const args = e.args.map((a) => evaluate(m, a));
    if (mayWait(name, args)) noteUnknownBarrier(m, e);
    return unknownCall(m, name, args);
  }
  return inline(m, entry.def, entry.item, e, bindingsOf(m, entry.def, targs, given), undefined);
}

/** A function of the file's that is not followed may change what it takes by reference. */
function loseArguments(m: Machine, { params }: FunctionDef, e: ExprOf<'call'>): void {
  for (const [index, { type }] of params.entries()) {
    const arg = e.args[index];
    const target = type.reference && !type.quals.includes('const') && arg?.k === 'name' ? lvalue(m, arg) : undefined;
    if (target?.l === 'cell') setCell(m, target.cell, unknownOf(target.cell.type));
  }
}

/** Template arguments as written. */
function bindingsOf(m: Machine, { templates }: FunctionDef, targs: readonly TypeArg[] | undefined, given = NO_BINDINGS): Bindings {
  if (templates.length === 0 || !targs) return given;
  const bindings = new Map(given);
  templates.forEach((p, i) => {
    const arg = targs[i];
    const binding = arg && bindArgument(m, p.kind, arg);
    if (binding) bindings.set(p.name, binding);
  });
  return bindings;
}

/** Among those that have a body, be it one of a specialisation. */
export function chooseOverload(
  declared: readonly FunctionEntry[],
  args: number,
  targs: readonly TypeArg[] | undefined,
): FunctionEntry | undefined {
  const candidates = declared.filter(({ def }) => def.body);
  if (candidates.length === 0) return undefined;
  const fits = candidates.filter(({ def }) => def.params.length >= args && def.params.filter((p) => !p.init && !p.pack).length <= args);
  const withTemplates = targs ? fits.filter(({ def }) => def.templates.length >= targs.length) : fits;
  const chosen =
    withTemplates.find(({ def }) => !def.specialised) ??
    withTemplates[0] ??
    fits[0] ??
    candidates.find(({ def }) => def.params.some((p) => p.pack));
  // Of a template that has bodies for some arguments alone, which of them is meant hangs on the arguments.
  const template = chosen?.def.specialised && declared.find(({ def }) => !def.body && !def.specialised && def.templates.length > 0);
  return template ?? chosen;
}

/** Runs a function's body with its arguments; facts found inside name the call in the kernel as their call site. */
export function inline(m: Machine, called: FunctionDef, from: Item, e: ExprOf<'call'>, given: Bindings, self: Value | undefined): Value {
  m.uses.add(from);
  const args = called.params.map((p, i) => argument(m, p.type.reference, e.args[i]));
  for (const extra of e.args.slice(called.params.length)) evaluate(m, extra);
  const recursive = m.frames.some((f) => f.def === called);
  if (recursive || !mayInline(m) || (!called.body && called.templates.length === 0)) return resultWithout(m, called, given, args);
  const caller = frameOf(m);
  const deduced = deduce(m, called, args, given);
  const special = specialisationOf(m, called, deduced);
  if (special && m.frames.some((f) => f.def === special.def)) return resultWithout(m, called, given, args);
  if (!special && !called.body) return unknownCall(m, called.name, args.flatMap(passed));
  const { def, item, bindings } = special ? { ...special, bindings: NO_BINDINGS } : { def: called, item: from, bindings: deduced };
  const callSite = caller.callSite ?? (m.frames.length === 1 ? placeOf(m, e) : undefined);
  const scope = newScope();
  const left = m.mode === 'host' && m.trial === 0 ? [] : undefined;
  const frame: Frame = { name: def.name, item, def, bindings, scopes: [scope], self, returns: [], left, pathBase: m.path.length, callSite };
  m.frames.push(frame);
  def.params.forEach((p, i) => {
    if (!p.name) return;
    scope.set(p.name, parameterEntry(m, p, args[i]));
  });
  const path = m.path;
  if (def.body) execute(m, def.body);
  settleExits(m, 'function');
  m.frames.pop();
  m.path = path;
  settleLeft(m, frame);
  return returned(frame) ?? unknownOf(UNKNOWN);
}

function passed(arg: LValue | undefined): readonly Value[] {
  return arg === undefined ? [] : [arg.l === 'none' ? arg.value : { v: 'ref', lv: arg }];
}

/** `template <> void f<4, float>(…)`, if these are the template's arguments. */
function specialisationOf(m: Machine, { name, templates, params }: FunctionDef, bindings: Bindings): FunctionEntry | undefined {
  if (templates.length === 0) return undefined;
  const special = findFunctions(m, name).find(({ def, item }) => {
    const { specialised, body } = def;
    if (!body || specialised?.length !== templates.length || def.params.length !== params.length || !m.follow(item)) return false;
    return templates.every(({ name: parameter, kind }, i) => {
      const [written, bound] = [bindArgument(m, kind, specialised[i]), bindings.get(parameter)];
      if (!written || !bound) return false;
      return written.type ? written.type.t === bound.type?.t && written.type.name === bound.type.name : written.value === bound.value;
    });
  });
  if (special) m.uses.add(special.item);
  return special;
}

function argument(m: Machine, reference: boolean, arg: Expr | undefined): LValue | undefined {
  if (!arg) return undefined;
  if (!reference) return { l: 'none', value: evaluate(m, arg) };
  const lv = lvalue(m, arg);
  return lv;
}

function parameterEntry(m: Machine, p: FunctionDef['params'][number], arg: LValue | undefined): Entry {
  const name = p.name!;
  if (!arg) {
    const type = typeOfRef(m, p.type);
    return { e: 'cell', cell: { value: p.init ? evaluate(m, p.init) : unknownOf(type), type, name } };
  }
  if (p.type.reference && arg.l !== 'none') return { e: 'alias', lv: arg };
  const value = arg.l === 'none' ? arg.value : unknownValue();
  noteEscape(m, value);
  const written = typeOfRef(m, p.type);
  const type = written.t === 'array' ? ({ t: 'pointer', name: `${written.of.name} *`, to: written.of, size: 8 } as Type) : written;
  return {
    e: 'cell',
    cell: {
      value: copyValue(type.t === 'unknown' ? value : convert(m, value, type)),
      type: type.t === 'unknown' ? typeOf(value) : type,
      name,
    },
  };
}

function resultWithout(m: Machine, def: FunctionDef, bindings: Bindings, args: readonly (LValue | undefined)[]): Value {
  m.weight++;
  const type = resolveType(def.returns, resolverOf(m, bindings));
  const values = args.flatMap((a) => (a?.l === 'none' ? [a.value] : []));
  return type.t === 'int' || type.t === 'float' ? num(combine(m, values), type) : unknownOf(type);
}

/** A call of something nobody knows: it may write through its pointers, and its value varies at least as its arguments do. */
export function unknownCall(m: Machine, name: string, args: readonly Value[]): Value {
  if (HALF_OPERATOR.test(name)) m.cost++;
  else {
    m.weight++;
    m.cost += 20;
  }
  if (m.mode === 'device') m.facts.incomplete ||= !PURE.has(name) && args.some((a) => a.v === 'ptr' || a.v === 'ref');
  for (const a of args) noteEscape(m, a);
  for (const a of args) if (a.v === 'ref' && a.lv.l === 'cell') a.lv.cell.value = unknownOf(a.lv.cell.type);
  return unknownValue();
}

/** One instruction for one or two of a half's or bfloat's values: `__hadd`, `__hfma2`, `__hgt`, `__float2half_rn`. */
const HALF_OPERATOR =
  /^__(h(add|sub|mul|fma|neg|abs|max|min|eq|ne|gt|ge|lt|le|isnan)2?(_rn|_sat|_relu)?|(low|high)2?(half|float|bfloat16)2?|halves2half2|(float|half|bfloat16|u?int|u?short)2?2(float|half|bfloat16|u?int|u?short)2?(_r[nzud])?)$/;

const PURE = new Set(['printf', 'assert', '__assert_fail', 'memcpy']);
