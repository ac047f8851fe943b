/** What an item defines: functions, structures, aliases, variables. */
import type { AggregateDef, Def, Expr, FunctionDef, Stmt, TemplateParam, TypeArg, TypeRef } from '../ast.ts';
import { isBasicType, isQualifier } from '../names.ts';
import { addMembers, definingStatement, type Members, newMembers } from '../nested-definitions.ts';
import { type Context, endOf, firstToken, lastToken, spelling, startOf, tokenAt } from './context.ts';
import { declarators, declared, parameters } from './declarators.ts';
import { expression } from './expressions.ts';
import { F, K } from './kinds.ts';
import { childOfKind, childrenOf, childWithField, firstNamed } from './nodes.ts';
import { block } from './statements.ts';
import { isAggregate, namedType, qualifiedName, specifiers, templateArgs, templateParams, typeOfNode, wordAt } from './types.ts';

/** Around a definition: the `template` and `extern "C"` before it, the structure it is a member of. */
interface Surroundings {
  readonly start: number;
  readonly isTemplate: boolean;
  readonly templates: readonly TemplateParam[];
  readonly owner?: string;
}

export function definitions(cx: Context, root: number, owner?: string): Def[] {
  const { nodes } = cx;
  const out: Def[] = [];
  const last = nodes.after[root];
  for (let n = root + 1; n < last; n = nodes.after[n])
    out.push(...definition(cx, n, { start: startOf(cx, n), isTemplate: false, templates: [], owner }));
  return out;
}

function definition(cx: Context, n: number, around: Surroundings): Def[] {
  const { nodes } = cx;
  switch (nodes.kind[n]) {
    case K.template_declaration:
      return template(cx, n, around);
    case K.template_instantiation:
    case K.function_definition:
      return functionOrVariables(cx, n, around);
    case K.declaration:
    case K.field_declaration:
      return declaration(cx, n, around);
    case K.linkage_specification: {
      const body = childWithField(nodes, n, F.body);
      return body === 0 ? [] : definition(cx, body, around);
    }
    case K.declaration_list:
    case K.friend_declaration:
    case K.ERROR:
      return definitions(cx, n, around.owner);
    case K.namespace_definition: {
      const body = childWithField(nodes, n, F.body);
      return body === 0 ? [] : definitions(cx, body);
    }
    case K.namespace_alias_definition:
      return namespaceAlias(cx, n, around);
    case K.alias_declaration:
      return alias(cx, n, around);
    case K.type_definition:
      return typedef(cx, n, around);
    case K.struct_specifier:
    case K.class_specifier:
    case K.union_specifier:
    case K.enum_specifier:
      return childWithField(nodes, n, F.body) === 0 ? [] : [aggregate(cx, n, around)];
    default:
      return [];
  }
}

/** Structures and aliases among the statements of a function. */
export function localDefinition(cx: Context, n: number): Stmt {
  const place = { start: startOf(cx, n), end: endOf(cx, n) };
  return definingStatement(definition(cx, n, { start: place.start, isTemplate: false, templates: [] }), place);
}

function template(cx: Context, n: number, around: Surroundings): Def[] {
  const { nodes } = cx;
  const list = childWithField(nodes, n, F.parameters);
  const templates = list === 0 ? around.templates : [...around.templates, ...templateParams(cx, list)];
  const inside = { ...around, isTemplate: true, templates };
  return childrenOf(nodes, n)
    .filter((c) => c !== list && nodes.kind[c] !== K.token)
    .flatMap((c) => definition(cx, c, inside));
}

function declaration(cx: Context, n: number, around: Surroundings): Def[] {
  const { nodes } = cx;
  const type = childWithField(nodes, n, F.type);
  if (type !== 0 && isAggregate(nodes.kind[type]) && childWithField(nodes, type, F.body) !== 0) {
    const def = aggregate(cx, type, around);
    const base = namedType(def.name, undefined, around.start, def.end);
    const list = declarators(cx, n, base);
    return list.length === 0 ? [def] : [def, { d: 'variable', declarators: list, start: around.start, end: endOf(cx, n) }];
  }
  return functionOrVariables(cx, n, around);
}

function functionOrVariables(cx: Context, n: number, around: Surroundings): Def[] {
  const declarator = childWithField(cx.nodes, n, F.declarator) || childOfKind(cx.nodes, n, K.operator_cast);
  const base = specifiers(cx, n, { orQualifiers: true });
  if (!base || declarator === 0) return [];
  const def = functionDefinition(cx, n, declarator, base, around);
  if (def) return [def];
  if (base.name === '') return [];
  const list = declarators(cx, n, base);
  return list.length === 0 ? [] : [{ d: 'variable', declarators: list, start: around.start, end: endOf(cx, n) }];
}

function functionDefinition(cx: Context, n: number, declarator: number, base: TypeRef, around: Surroundings): FunctionDef | undefined {
  const { nodes } = cx;
  const head = functionHead(cx, declarator, base);
  if (!head) return undefined;
  const body = childWithField(nodes, n, F.body) || childOfKind(nodes, n, K.compound_statement);
  const isDefinition = nodes.kind[n] === K.function_definition;
  if (!isDefinition && around.owner === undefined && !isParameterList(cx, head.parameters)) return undefined;
  const isConstructor = base.name === '';
  const first = head.name === 0 ? tokenAt(cx, declarator) : tokenAt(cx, head.name);
  const { name, specialised } = functionName(cx, head.name, declarator);
  // Destructors say nothing about kernels.
  if (name.startsWith('~') || name.includes('::~')) return undefined;
  const returns = isConstructor ? { ...base, name: name, start: first.start, end: first.end } : head.type;
  const bounds = childOfKind(nodes, n, K.launch_bounds);
  return {
    d: 'function',
    name,
    nameStart: first.start,
    nameEnd: first.end,
    quals: returns.quals,
    templates: around.templates,
    specialised: around.isTemplate ? specialised : undefined,
    returns,
    params: parameters(cx, head.parameters),
    launchBounds: bounds === 0 ? undefined : boundsOf(cx, bounds),
    initialised: isConstructor ? initialisedFields(cx, n) : undefined,
    body: body === 0 ? undefined : block(cx, body),
    owner: around.owner,
    start: around.start,
    end: endOf(cx, n),
  };
}

/** Those that get one value. */
function initialisedFields(cx: Context, n: number): FunctionDef['initialised'] {
  const { nodes } = cx;
  const list = childOfKind(nodes, n, K.field_initializer_list);
  if (list === 0) return undefined;
  return childrenOf(nodes, list)
    .filter((c) => nodes.kind[c] === K.field_initializer)
    .flatMap((c) => {
      const args = childOfKind(nodes, c, K.argument_list) || childOfKind(nodes, c, K.initializer_list);
      const values = args === 0 ? [] : childrenOf(nodes, args).filter((x) => nodes.kind[x] !== K.token);
      return values.length === 1 ? [{ field: tokenAt(cx, c).text, value: expression(cx, values[0]) }] : [];
    });
}

interface FunctionHead {
  readonly type: TypeRef;
  readonly name: number;
  readonly parameters: number;
}

/** The name and parameter list where a declarator declares a function. */
function functionHead(cx: Context, declarator: number, base: TypeRef): FunctionHead | undefined {
  const { nodes } = cx;
  if (nodes.kind[declarator] === K.operator_cast) {
    const list = childOfKind(nodes, declarator, K.abstract_function_declarator);
    const inner = childWithField(nodes, declarator, F.declarator) || list;
    const parameters = inner === 0 ? 0 : childWithField(nodes, inner, F.parameters);
    return parameters === 0 ? undefined : { type: base, name: declarator, parameters };
  }
  const d = declared(cx, base, declarator);
  return d.parameters === 0 ? undefined : { type: d.type, name: d.name, parameters: d.parameters };
}

function functionName(cx: Context, n: number, fallback: number): { name: string; specialised?: readonly TypeArg[] } {
  const { nodes } = cx;
  if (n === 0) return { name: spelling(cx, fallback) };
  if (nodes.kind[n] === K.template_function) {
    const list = childWithField(nodes, n, F.arguments);
    return { name: wordAt(cx, childWithField(nodes, n, F.name) || n), specialised: list === 0 ? undefined : templateArgs(cx, list) };
  }
  if (nodes.kind[n] === K.operator_cast) {
    const type = childWithField(nodes, n, F.type);
    return { name: type === 0 ? 'operator' : `operator ${typeOfNode(cx, type).name}` };
  }
  const { name, targs } = qualifiedName(cx, n);
  let inner = n;
  while (nodes.kind[inner] === K.qualified_identifier) inner = childWithField(nodes, inner, F.name);
  return { name, specialised: nodes.kind[inner] === K.template_function ? targs : undefined };
}

function boundsOf(cx: Context, n: number): Expr[] {
  return childrenOf(cx.nodes, n)
    .filter((c) => cx.nodes.kind[c] !== K.token)
    .map((c) => expression(cx, c));
}

/** `f(int a)` against `dim3 grid(n)`: parameters begin with a type or are empty. */
function isParameterList(cx: Context, list: number): boolean {
  const { nodes, layout } = cx;
  const first = firstNamed(nodes, list);
  if (first === 0) return true;
  const base = specifiers(cx, first);
  if (!base) return false;
  const declarator = childWithField(nodes, first, F.declarator);
  if (declarator !== 0 && nodes.kind[declarator] !== K.abstract_function_declarator) return true;
  return base.quals.length > 0 || layout.known.has(base.name) || isBasicType(base.name.split(' ')[0]) || base.targs !== undefined;
}

function aggregate(cx: Context, n: number, around: Surroundings): AggregateDef {
  const { nodes, layout } = cx;
  const kind = tokenAt(cx, n).text as AggregateDef['kind'];
  const nameNode = childWithField(nodes, n, F.name);
  const full = nameNode === 0 ? '' : qualifiedName(cx, nameNode).name;
  const name = full.slice(full.lastIndexOf(':') + 1);
  const body = childWithField(nodes, n, F.body);
  const alignment = childOfKind(nodes, n, K.alignas_qualifier);
  const aligned = alignment === 0 ? 0 : firstNamed(nodes, alignment);
  const members = membersOf(cx, kind, name, body);
  return {
    d: 'aggregate',
    name,
    kind,
    templates: around.templates,
    bases: basesOf(cx, n),
    ...members,
    align: aligned === 0 ? undefined : expression(cx, aligned),
    packed: isPacked(layout.tokens, firstToken(cx, n), firstToken(cx, body)),
    start: around.start,
    end: endOf(cx, n),
  };
}

/** The layout leaves attributes out; the tokens still have them. */
function isPacked(tokens: Context['layout']['tokens'], from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (tokens[i].text === '__attribute__' || tokens[i].text === '__declspec') return true;
  return false;
}

function basesOf(cx: Context, n: number): TypeRef[] {
  const { nodes } = cx;
  const clause = childOfKind(nodes, n, K.base_class_clause);
  if (clause === 0) return [];
  return childrenOf(nodes, clause)
    .filter((c) => [K.type_identifier, K.template_type, K.qualified_identifier, K.dependent_type].includes(nodes.kind[c]))
    .map((c) => typeOfNode(cx, c));
}

function membersOf(cx: Context, kind: AggregateDef['kind'], owner: string, body: number): Members {
  const { nodes } = cx;
  const members = newMembers();
  for (const n of childrenOf(nodes, body)) {
    if (nodes.kind[n] === K.enumerator && kind === 'enum') {
      const value = childWithField(nodes, n, F.value);
      const name = childWithField(nodes, n, F.name);
      if (name !== 0) members.constants.push({ name: wordAt(cx, name), value: value === 0 ? undefined : expression(cx, value) });
      continue;
    }
    const defs = definition(cx, n, { start: startOf(cx, n), isTemplate: false, templates: [], owner });
    addMembers(members, defs, hasStatic(cx, n));
  }
  return members;
}

function hasStatic(cx: Context, n: number): boolean {
  const { tokens } = cx.layout;
  for (let i = firstToken(cx, n), last = lastToken(cx, n); i <= last && isQualifier(tokens[i].text); i++)
    if (tokens[i].text === 'static' || tokens[i].text === 'constexpr') return true;
  return false;
}

function alias(cx: Context, n: number, around: Surroundings): Def[] {
  const name = childWithField(cx.nodes, n, F.name);
  const type = childWithField(cx.nodes, n, F.type);
  if (name === 0 || type === 0) return [];
  const { start, templates } = around;
  return [{ d: 'alias', name: wordAt(cx, name), type: typeOfNode(cx, type), templates, start, end: endOf(cx, n) }];
}

function namespaceAlias(cx: Context, n: number, around: Surroundings): Def[] {
  const name = childWithField(cx.nodes, n, F.name);
  const target = childrenOf(cx.nodes, n).find((c) => c !== name && cx.nodes.kind[c] !== K.token);
  if (name === 0 || target === undefined) return [];
  return [{ d: 'namespace', name: wordAt(cx, name), target: spelling(cx, target), start: around.start, end: endOf(cx, n) }];
}

function typedef(cx: Context, n: number, around: Surroundings): Def[] {
  const { nodes } = cx;
  const out: Def[] = [];
  const type = childWithField(nodes, n, F.type);
  if (type === 0) return out;
  let base = specifiers(cx, n);
  if (isAggregate(nodes.kind[type]) && childWithField(nodes, type, F.body) !== 0) {
    const def = aggregate(cx, type, around);
    out.push(def);
    base = namedType(def.name, undefined, def.start, def.end);
  }
  if (!base) return out;
  for (const c of childrenOf(nodes, n)) {
    if (nodes.field[c] !== F.declarator) continue;
    const d = declared(cx, base, c);
    if (d.name === 0) continue;
    const name = wordAt(cx, d.name);
    const def = out[0];
    // `typedef struct { … } name;`: the structure takes the name.
    if (def?.d === 'aggregate' && def.name === '' && d.type.pointers === 0) {
      out[0] = { ...def, name };
      base = { ...base, name };
    } else out.push({ d: 'alias', name, type: d.type, templates: [], start: around.start, end: endOf(cx, c) });
  }
  return out;
}
