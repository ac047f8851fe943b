/** What names of the table mean where the machine stands: functions, types, structures, template arguments. */
import type { AggregateDef, Expr, TemplateParam, TypeArg, TypeRef } from '../syntax/ast.ts';
import { findLocal, frameOf } from './frames.ts';
import { evaluate, type Machine } from './machine.ts';
import type { FunctionEntry } from './table.ts';
import {
  type Binding,
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

export function structType(m: Machine, def: AggregateDef, bindings: Bindings): StructType | Type {
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

export function bindTemplates(m: Machine, params: readonly TemplateParam[], targs: readonly TypeArg[] | undefined): Bindings {
  if (params.length === 0) return NO_BINDINGS;
  const out = new Map<string, Binding>();
  params.forEach((p, i) => {
    const arg = targs?.[i] ?? p.init;
    if (!arg || p.pack) return;
    const binding = bindArgument(m, p.kind, arg);
    if (binding) out.set(p.name, binding);
  });
  return out;
}

export function bindArgument(m: Machine, kind: 'type' | 'value', arg: TypeArg): Binding | undefined {
  if (kind === 'type') return arg.type ? { type: typeOfRef(m, arg.type) } : undefined;
  if (!arg.value) return undefined;
  const value = constantOf(m, arg.value);
  if (value !== undefined) return { value };
  return arg.value.k === 'name' ? { name: arg.value.name } : undefined;
}
