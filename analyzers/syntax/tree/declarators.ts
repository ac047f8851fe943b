/** Declarators: what they make of the type before them, and which names and values they bring. */
import type { Declarator, Expr, Param, TypeRef } from '../ast.ts';
import { parametersAsArguments } from './arguments.ts';
import { type Context, endOf, firstToken, isMissing, placeOf, startOf, tokenAt } from './context.ts';
import { expression, listItems } from './expressions.ts';
import { F, K } from './kinds.ts';
import { childOfKind, childrenOf, childWithField, firstNamed } from './nodes.ts';
import { qualifiedName, specifiers, wordAt } from './types.ts';

/** All declarators of a declaration or field; a default value behind one belongs to it. */
export function declarators(cx: Context, n: number, base: TypeRef): Declarator[] {
  const { nodes } = cx;
  const out: Declarator[] = [];
  const last = nodes.after[n];
  for (let c = n + 1; c < last; c = nodes.after[c]) {
    if (nodes.field[c] === F.declarator) {
      if (!isMissing(cx, c)) out.push(declaratorOf(cx, base, c));
    } else if ((nodes.field[c] === F.default_value || nodes.field[c] === F.value) && out.length > 0) {
      const value = expression(cx, c);
      const target = out[out.length - 1];
      const assigned = cx.layout.tokens[firstToken(cx, c) - 1]?.text === '=';
      const items = value.k === 'list' && !assigned ? { args: value.items } : { init: value };
      out[out.length - 1] = { ...target, ...items, end: Math.max(target.end, value.end) };
    }
  }
  return out;
}

export function declaratorOf(cx: Context, base: TypeRef, n: number): Declarator {
  const { nodes } = cx;
  const isInit = nodes.kind[n] === K.init_declarator;
  const inner = isInit ? childWithField(nodes, n, F.declarator) : n;
  const value = isInit ? childWithField(nodes, n, F.value) : 0;
  if (inner !== 0) {
    const bindings = bindingNames(cx, inner);
    if (bindings) return bindingDeclarator(cx, base, n, value, bindings);
  }
  const d = declared(cx, base, inner);
  const token = d.name === 0 ? tokenAt(cx, n) : tokenAt(cx, d.name);
  const init = value === 0 || !isAssigned(cx, value) ? undefined : expression(cx, value);
  const args = init
    ? undefined
    : value !== 0
      ? listItems(cx, value)
      : d.parameters !== 0
        ? parametersAsArguments(cx, d.parameters)
        : undefined;
  const name = d.name === 0 ? '' : qualifiedName(cx, d.name).name;
  const end = Math.max(endOf(cx, n), token.end);
  const start = Math.min(startOf(cx, n), token.start);
  return { name, nameStart: token.start, nameEnd: token.end, type: d.type, init, args, start, end };
}

/** `T x = v` against `T x(v)` and `T x{v}`. */
function isAssigned(cx: Context, value: number): boolean {
  const kind = cx.nodes.kind[value];
  if (kind === K.argument_list) return false;
  return kind !== K.initializer_list || cx.layout.tokens[firstToken(cx, value) - 1]?.text === '=';
}

function bindingNames(cx: Context, n: number): string[] | undefined {
  const { nodes } = cx;
  const at =
    nodes.kind[n] === K.structured_binding_declarator
      ? n
      : nodes.kind[n] === K.reference_declarator
        ? childOfKind(nodes, n, K.structured_binding_declarator)
        : 0;
  if (at === 0) return undefined;
  return childrenOf(nodes, at)
    .filter((c) => nodes.kind[c] === K.identifier)
    .map((c) => wordAt(cx, c));
}

function bindingDeclarator(cx: Context, base: TypeRef, n: number, value: number, bindings: readonly string[]): Declarator {
  const reference = tokenAt(cx, n).text.startsWith('&');
  const type = reference ? { ...base, reference: true } : base;
  const { start, end } = placeOf(cx, n);
  const nameEnd = value === 0 ? end : (cx.layout.tokens[firstToken(cx, value) - 2]?.end ?? end);
  const init = value === 0 ? undefined : expression(cx, value);
  return { name: '', nameStart: start, nameEnd: Math.max(start, nameEnd), type, init, bindings, start, end };
}

export function parameters(cx: Context, list: number): Param[] {
  const { nodes } = cx;
  const params: Param[] = [];
  const last = nodes.after[list];
  for (let n = list + 1; n < last; n = nodes.after[n]) {
    const kind = nodes.kind[n];
    if (kind !== K.parameter_declaration && kind !== K.optional_parameter_declaration && kind !== K.variadic_parameter_declaration)
      continue;
    const base = specifiers(cx, n);
    if (base) params.push(parameter(cx, n, base));
  }
  return params;
}

function parameter(cx: Context, n: number, base: TypeRef): Param {
  const { nodes } = cx;
  const declarator = childWithField(nodes, n, F.declarator);
  const value = childWithField(nodes, n, F.default_value);
  const place = placeOf(cx, n);
  const variadic = nodes.kind[n] === K.variadic_parameter_declaration;
  if (declarator === 0) return { type: base, pack: variadic, ...place };
  const d = declared(cx, base, declarator);
  const pack = variadic || d.pack;
  if (d.name === 0) return { type: d.type, pack, ...place };
  return { name: wordAt(cx, d.name) || undefined, type: d.type, init: value === 0 ? undefined : expression(cx, value), pack, ...place };
}

/** What a declarator makes of a type, and the node of the name that it declares (0 for none). */
export interface Declared {
  readonly type: TypeRef;
  readonly name: number;
  /** The parameter list where a function is declared. */
  readonly parameters: number;
  /** `T... args`. */
  readonly pack: boolean;
}

/** Collected on the way from the outside of a declarator to its name. */
interface Layers {
  readonly quals: string[];
  readonly dims: (Expr | undefined)[];
  pointers: number;
  reference: boolean;
  parameters: number;
  pack: boolean;
  toFunction: boolean;
  /** `*` or `&` where the array as a whole is pointed or referred to: `(*a)[4]`. */
  wrap: string;
  end: number;
}

export function declared(cx: Context, base: TypeRef, declarator: number): Declared {
  // A lone name, as most declarators are.
  if (cx.nodes.kind[declarator] === K.identifier && declarator !== 0 && !cx.layout.wrapped.has(firstToken(cx, declarator)))
    return { type: base, name: declarator, parameters: 0, pack: false };
  const layers: Layers = {
    quals: [...base.quals],
    dims: [],
    pointers: 0,
    reference: false,
    parameters: 0,
    pack: false,
    toFunction: false,
    wrap: '',
    end: base.end,
  };
  let name = declarator;
  for (let next: number | undefined = declarator; next !== undefined; next = enter(cx, next, layers)) name = next;
  const { quals, dims, pointers, end, parameters, pack } = layers;
  const wrap = layers.wrap || (name === 0 ? '' : (cx.layout.wrapped.get(firstToken(cx, name)) ?? ''));
  if (layers.toFunction) return { type: { ...base, name: 'function', pointers: 1, quals, end }, name, parameters, pack };
  const type: TypeRef = {
    name: base.name,
    targs: base.targs,
    pointers: base.pointers + pointers,
    reference: base.reference || layers.reference || wrap === '&',
    dims: [...base.dims, ...dims],
    quals,
    start: base.start,
    end,
    pointerToArray: wrap === '*' && dims.length > 0,
  };
  return { type, name, parameters, pack };
}

/** Notes what the outermost layer of a declarator adds; the declarator inside it, 0 for none, undefined at the name. */
function enter(cx: Context, n: number, layers: Layers): number | undefined {
  const { nodes } = cx;
  const inner = n === 0 ? 0 : childWithField(nodes, n, F.declarator);
  switch (nodes.kind[n]) {
    case K.pointer_declarator:
    case K.abstract_pointer_declarator:
      layers.pointers++;
      layers.end = Math.max(layers.end, pointerQualifiers(cx, n, layers.quals));
      return inner;
    case K.reference_declarator:
    case K.abstract_reference_declarator:
      layers.reference = true;
      layers.end = Math.max(layers.end, tokenAt(cx, n).end);
      return inner || firstDeclarator(cx, n);
    case K.array_declarator:
    case K.abstract_array_declarator: {
      const size = childWithField(nodes, n, F.size);
      layers.dims.unshift(size === 0 ? undefined : expression(cx, size));
      return inner;
    }
    case K.function_declarator:
    case K.abstract_function_declarator:
      // `(*f)(int)` declares a pointer, `f(int)` a function.
      if (isParenthesized(nodes.kind[inner])) layers.toFunction = true;
      else layers.parameters = childWithField(nodes, n, F.parameters);
      return inner;
    case K.parenthesized_declarator:
    case K.abstract_parenthesized_declarator: {
      const content = inner || firstDeclarator(cx, n);
      if (layers.dims.length > 0 && content !== 0) layers.wrap = tokenAt(cx, content).text;
      // The pointer belongs to the array or function as a whole.
      return layers.wrap !== '' || layers.toFunction ? innermost(cx, content) : content;
    }
    case K.variadic_declarator:
      layers.pack = true;
      return inner || firstNamed(nodes, n);
    case K.init_declarator:
    case K.attributed_declarator:
      return inner || firstDeclarator(cx, n);
    default:
      return undefined;
  }
}

function isParenthesized(kind: number): boolean {
  return kind === K.parenthesized_declarator || kind === K.abstract_parenthesized_declarator;
}

/** Qualifiers behind a `*`: `const` makes the pointer constant, not what it points to. Returns where they end. */
function pointerQualifiers(cx: Context, pointer: number, quals: string[]): number {
  const { nodes } = cx;
  let end = tokenAt(cx, pointer).end;
  const last = nodes.after[pointer];
  for (let n = pointer + 1; n < last; n = nodes.after[n]) {
    if (nodes.kind[n] !== K.type_qualifier) continue;
    const word = tokenAt(cx, n).text;
    quals.push(word === 'const' ? 'const-pointer' : word);
    end = endOf(cx, n);
  }
  return end;
}

function firstDeclarator(cx: Context, parent: number): number {
  const { nodes } = cx;
  const last = nodes.after[parent];
  for (let n = parent + 1; n < last; n = nodes.after[n]) {
    const kind = nodes.kind[n];
    if (kind !== K.token && kind !== K.type_qualifier && kind !== K.ERROR && kind !== K.other) return n;
  }
  return 0;
}

function innermost(cx: Context, declarator: number): number {
  const { nodes } = cx;
  let at = declarator;
  for (;;) {
    const kind = nodes.kind[at];
    if (kind === K.identifier || kind === K.field_identifier || kind === K.type_identifier) return at;
    const inner = childWithField(nodes, at, F.declarator) || firstDeclarator(cx, at);
    if (inner === 0) return 0;
    at = inner;
  }
}
