/** State of one interpretation: frames and scopes, the current path, the log of changed cells, and the facts noted so far. */
import type { Expr, Node, TypeArg, TypeRef } from '../syntax/ast.ts';
import type { Item } from '../syntax/items.ts';
import type { Place } from '../syntax/source.ts';
import { evaluate } from './expressions.ts';
import { anything, constant, type Form, resetIds, symbol } from './form.ts';
import type { FunctionEntry, Table } from './table.ts';
import {
  type Bindings,
  INT,
  layOut,
  NO_BINDINGS,
  plainType,
  resolveType,
  type StructType,
  type Type,
  type TypeResolver,
  UNKNOWN,
} from './types.ts';
import {
  type Cell,
  type Entry,
  type Frame,
  type Moment,
  newRawFacts,
  num,
  type PathStep,
  type RawBranch,
  type RawFacts,
  type RawLoop,
  type RawValue,
  type Scope,
  unknownValue,
  type Value,
} from './values.ts';

export interface Machine {
  readonly table: Table;
  readonly mode: 'device' | 'host';
  readonly facts: RawFacts;
  frames: Frame[];
  path: readonly PathStep[];
  loops: readonly RawLoop[];
  /** Cells changed since the log began, with what they held before. */
  log: Map<Cell, Value> | undefined;
  /** Above zero: a trial run of a loop, whose facts do not count. */
  trial: number;
  /** What one trial says of a loop's variables is taken for granted until the run that counts says otherwise. */
  trusting: boolean;
  /** It did: the facts may be wrong. */
  misjudged: boolean;
  /** Whether a called function is worth its run. */
  follow: (item: Item) => boolean;
  /** Branches whose lanes left, until the loop or function that they left ends. */
  exits: {
    readonly branch: RawBranch;
    readonly flow: 'return' | 'break' | 'continue';
    readonly cost: number;
    readonly weight: number;
    readonly depth: number;
  }[];
  /** Of host code nobody asks what it branches on, only that something is undecided: its first branch stands for all. */
  hostBranch: RawBranch | undefined;
  order: number;
  epoch: number;
  /** Machine instructions so far, estimated. */
  cost: number;
  /** Loads from global memory so far, those left out that a register saves. */
  globalLoads: number;
  /** By what their addresses have in common: objects whose address is computed, and elements of them that are in registers. */
  addresses: Map<Form, Set<string>>;
  /** By local array: the first value stored in it that comes from memory and differs between lanes. */
  localData: Map<string, Form>;
  /** Loops, barriers, atomics, calls and slow paths passed so far: what cannot be predicated makes a side of a branch heavy. */
  weight: number;
  /** Calls inlined so far: a limit against blow-up. */
  inlined: number;
  /** Statements and expressions run; beyond the limit nothing is known. */
  steps: number;
  readonly stepLimit: number;
  readonly builtins: ReadonlyMap<string, Value>;
  /** Definitions that were looked at: what the facts depend on. */
  readonly uses: Set<Item>;
  /** Names looked up, so that adding a definition elsewhere is noticed. */
  readonly names: Set<string>;
  /** Types of structures with their bindings, by name. */
  readonly structs: Map<string, StructType>;
  /** Aliases being resolved. */
  readonly resolving: Set<string>;
  /** Of names as they are seen where the machine stands. */
  resolver: TypeResolver | undefined;
  readonly globals: Map<string, Value>;
}

const STEP_LIMIT = 150_000;
const INLINE_LIMIT = 400;
export const DEPTH_LIMIT = 12;

export function newMachine(table: Table, mode: Machine['mode'], share = 1): Machine {
  resetIds();
  return {
    table,
    mode,
    facts: newRawFacts(),
    frames: [],
    path: [],
    loops: [],
    log: undefined,
    trial: 0,
    trusting: false,
    misjudged: false,
    follow: () => true,
    exits: [],
    hostBranch: undefined,
    order: 0,
    epoch: 0,
    cost: 0,
    globalLoads: 0,
    addresses: new Map(),
    localData: new Map(),
    weight: 0,
    inlined: 0,
    steps: 0,
    stepLimit: STEP_LIMIT * share,
    builtins: new Map(),
    uses: new Set(),
    names: new Set(),
    structs: new Map(),
    resolving: new Set(),
    resolver: undefined,
    globals: new Map(),
  };
}

export function frameOf(m: Machine): Frame {
  return m.frames[m.frames.length - 1];
}

/** Takes one step of the budget that bounds how long any kernel takes; what lies beyond it is missing from the facts. */
export function mayStep(m: Machine): boolean {
  if (m.steps++ < m.stepLimit) return true;
  m.facts.incomplete = true;
  return false;
}

export function mayInline(m: Machine): boolean {
  return m.frames.length < DEPTH_LIMIT && m.inlined++ < INLINE_LIMIT && m.steps < m.stepLimit;
}

export function placeOf(m: Machine, node: Node): Place {
  return { item: frameOf(m).item, start: node.start, end: node.end };
}

export function momentOf(m: Machine, node: Node): Moment {
  const frame = frameOf(m);
  return {
    place: { item: frame.item, start: node.start, end: node.end },
    order: m.order++,
    path: m.path,
    loops: m.loops,
    functionName: frame.name,
    callSite: frame.callSite,
    epoch: m.epoch,
  };
}

export function rawValue(m: Machine, value: Value, node: Node): RawValue {
  if (value.v === 'num') return { form: value.form, type: value.type, place: placeOf(m, node) };
  if (value.v === 'ptr')
    return {
      form: value.offset,
      type: { t: 'pointer', name: `${value.to.name} *`, to: value.to, size: 8 },
      place: placeOf(m, node),
      object: value.object,
    };
  return { form: anything({ data: false, unknown: true }), type: value.v === 'struct' ? value.type : UNKNOWN, place: placeOf(m, node) };
}

export function setCell(m: Machine, cell: Cell, value: Value): void {
  if (m.log && !m.log.has(cell)) m.log.set(cell, cell.value);
  noteEscape(m, value);
  cell.value = value;
}

/** A pointer that is kept somewhere: what is done through it no longer shows the array's own shape. */
export function noteEscape(m: Machine, value: Value): void {
  if (value.v === 'ptr') m.facts.escaped.add(value.object.id);
}

export function declare(m: Machine, name: string, entry: Entry): void {
  const { scopes } = frameOf(m);
  const top = scopes.length - 1;
  const scope = scopes[top] ?? new Map<string, Entry>();
  scopes[top] = scope;
  scope.set(name, entry);
}

export function withScope<T>(m: Machine, body: () => T): T {
  const { scopes } = frameOf(m);
  // Most blocks declare nothing; those that do make the scope.
  scopes.push(undefined);
  const result = body();
  scopes.pop();
  return result;
}

/** The scopes around a lambda as it sees them, with what they declare later. */
export function capturedScopes(m: Machine): Scope[] {
  const { scopes } = frameOf(m);
  for (let i = 0; i < scopes.length; i++) scopes[i] ??= new Map();
  return [...scopes] as Scope[];
}

export function findLocal(m: Machine, name: string): Entry | undefined {
  const { scopes } = frameOf(m);
  for (let i = scopes.length - 1; i >= 0; i--) {
    const entry = scopes[i]?.get(name);
    if (entry) return entry;
  }
  return undefined;
}

/** `cg::this_grid` with the alias replaced: `cooperative_groups::this_grid`. */
export function canonicalName(m: Machine, name: string): string {
  const cut = name.indexOf('::');
  if (cut < 0) return name;
  const target = m.table.namespaces.get(name.slice(0, cut));
  return target ? `${target}${name.slice(cut)}` : name;
}

export function lastPart(name: string): string {
  const cut = name.lastIndexOf('::');
  return cut < 0 ? name : name.slice(cut + 2);
}

export function findFunctions(m: Machine, name: string): readonly FunctionEntry[] {
  m.names.add(name);
  const list =
    m.table.functions.get(name) ??
    (name.includes('::') && !name.startsWith('std::') ? m.table.functions.get(lastPart(name)) : undefined) ??
    [];
  for (const entry of list) m.uses.add(entry.item);
  return list;
}

export function resolverOf(m: Machine, bindings?: Bindings): TypeResolver {
  if (bindings) return newResolver(m, bindings);
  m.resolver ??= newResolver(m, undefined);
  return m.resolver;
}

function newResolver(m: Machine, bindings: Bindings | undefined): TypeResolver {
  return {
    lookup: (name, targs) => lookupType(m, name, targs, bindings),
    constant: (e) => constantOf(m, e),
  };
}

export function typeOfRef(m: Machine, ref: TypeRef): Type {
  return plainType(ref) ?? resolveType(ref, resolverOf(m));
}

/** Value of a constant expression, without noting facts. */
export function constantOf(m: Machine, e: Expr): number | undefined {
  m.trial++;
  const value = evaluate(m, e);
  m.trial--;
  return value.v === 'num' && value.form.f === 'const' ? value.form.v : undefined;
}

function lookupType(m: Machine, name: string, targs: readonly TypeArg[] | undefined, given?: Bindings): Type | undefined {
  const bound = given?.get(name) ?? (m.frames.length > 0 ? frameOf(m).bindings.get(name) : undefined);
  if (bound?.type) return bound.type;
  if (m.frames.length > 0) {
    const local = findLocal(m, name);
    if (local?.e === 'type') return local.type;
  }
  m.names.add(name);
  const alias = m.table.aliases.get(name);
  // `typedef struct S S;` names itself.
  if (alias && !m.resolving.has(name)) {
    m.uses.add(alias.item);
    const bindings = alias.def.templates.length > 0 ? bindTemplates(m, alias.def.templates, targs) : undefined;
    m.resolving.add(name);
    const type = resolveType(alias.def.type, resolverOf(m, bindings));
    m.resolving.delete(name);
    return type;
  }
  const aggregate =
    m.table.aggregates.get(name) ?? (name.includes('::') && !name.startsWith('std::') ? m.table.aggregates.get(lastPart(name)) : undefined);
  if (!aggregate) {
    if (name === 'auto' || name === 'decltype') return UNKNOWN;
    const owner = name.includes('::') ? lookupMemberType(m, name) : undefined;
    return owner;
  }
  m.uses.add(aggregate.item);
  return structType(m, aggregate.def, bindTemplates(m, aggregate.def.templates, targs));
}

function lookupMemberType(m: Machine, name: string): Type | undefined {
  const cut = name.lastIndexOf('::');
  const owner = m.table.aggregates.get(name.slice(0, cut));
  const alias = owner?.def.aliases.find((a) => a.name === name.slice(cut + 2));
  return alias && resolveType(alias.type, resolverOf(m));
}

export function structType(m: Machine, def: import('../syntax/ast.ts').AggregateDef, bindings: Bindings): StructType | Type {
  if (def.kind === 'enum') return { ...INT, name: def.name } as Type;
  const key = `${def.name}<${[...bindings].map(([k, b]) => `${k}=${b.type?.name ?? b.value ?? b.name}`).join()}>@${def.start}`;
  const known = m.structs.get(key);
  if (known) return known;
  // A structure that contains a pointer to itself finds this entry and does not recurse for ever.
  m.structs.set(key, { t: 'struct', name: def.name, align: 8, fields: [], def, bindings });
  const parts: { name: string; type: Type }[] = [];
  for (const base of def.bases) {
    const type = resolveType(base, resolverOf(m, bindings));
    if (type.t === 'struct') parts.push(...type.fields.map((f) => ({ name: f.name, type: f.type })));
  }
  for (const field of def.fields) {
    const type = resolveType(field.type, resolverOf(m, bindings));
    parts.push({ name: field.name, type: field.type.reference ? { t: 'pointer', name: `${type.name} &`, to: type, size: 8 } : type });
  }
  const align = def.align ? constantOf(m, def.align) : undefined;
  const type = layOut(def.name, parts, { align, packed: def.packed, union: def.kind === 'union', def, bindings });
  m.structs.set(key, type);
  return type;
}

export function bindTemplates(
  m: Machine,
  params: readonly import('../syntax/ast.ts').TemplateParam[],
  targs: readonly TypeArg[] | undefined,
): Bindings {
  if (params.length === 0) return NO_BINDINGS;
  const out = new Map<string, import('./types.ts').Binding>();
  params.forEach((p, i) => {
    const arg = targs?.[i] ?? p.init;
    if (!arg || p.pack) return;
    const binding = bindArgument(m, p.kind, arg);
    if (binding) out.set(p.name, binding);
  });
  return out;
}

export function bindArgument(m: Machine, kind: 'type' | 'value', arg: TypeArg): import('./types.ts').Binding | undefined {
  if (kind === 'type') return arg.type ? { type: typeOfRef(m, arg.type) } : undefined;
  if (!arg.value) return undefined;
  const value = constantOf(m, arg.value);
  if (value !== undefined) return { value };
  return arg.value.k === 'name' ? { name: arg.value.name } : undefined;
}

/** A value of this type that nobody knows, the same for all threads of a block or grid when `uniform`. */
export function opaque(
  type: Type,
  options: { name: string; uniform: boolean; data: boolean; block?: boolean; known?: boolean; address?: Form },
): Value {
  const { name, uniform, data, known, address } = options;
  if (type.t === 'struct') return structOf(type, (field) => opaque(field.type, { ...options, name: `${name}.${field.name}` }));
  if (type.t === 'pointer') {
    const object = { id: `*${name}`, name, space: 'global' as const, type: type.to, volatile: false, dynamicShared: false };
    return { v: 'ptr', object, offset: uniform ? constant(0) : anything({ data, unknown: !data, address }), to: type.to };
  }
  return num(
    uniform
      ? symbol(name, known ? 'parameter' : data ? 'loaded' : 'unknown', options)
      : anything({ data, unknown: !data && !known, address }),
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

export function newScope(): Scope {
  return new Map();
}

export function unknownOf(type: Type): Value {
  return type.t === 'struct'
    ? structOf(type, (f) => unknownOf(f.type))
    : type.t === 'pointer'
      ? opaque(type, { name: '?', uniform: false, data: false })
      : unknownValue(type);
}
