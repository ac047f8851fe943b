/** Expressions. What is not understood becomes `unknown`; nothing throws. */
import { type Expr, type ExprOf, LONGEST_CHAIN } from '../ast.ts';
import { characterValue, numberLiteral, stringValue } from '../literals.ts';
import { isBasicType, isQualifier, isTypeName, NAMED_CAST, OPERATOR_WORDS } from '../names.ts';
import type { Token } from '../token.ts';
import {
  type Context,
  DEPTH_LIMIT,
  endOf,
  firstToken,
  isMissing,
  lastToken,
  placeOf,
  spelling,
  startOf,
  tokenAt,
  unknownAt,
} from './context.ts';
import { parameters } from './declarators.ts';
import { F, K, tableByKind } from './kinds.ts';
import { childOfKind, childrenOf, childWithField, firstNamed } from './nodes.ts';
import { block } from './statements.ts';
import { namedType, qualifiedName, typeOfNode, wordAt } from './types.ts';

export function expression(cx: Context, n: number): Expr {
  const convert = CONVERTERS[cx.nodes.kind[n]];
  if (!convert || n === 0 || cx.depth > DEPTH_LIMIT || isMissing(cx, n)) return unknownAt(cx, n);
  cx.depth++;
  const e = convert(cx, n);
  cx.depth--;
  return e;
}

/** A child as an expression; unknown where it is missing. */
export function expressionOr(cx: Context, child: number, parent: number): Expr {
  return child === 0 ? unknownAt(cx, parent) : expression(cx, child);
}

/** The child with a field as an expression. */
export function operand(cx: Context, parent: number, field: number): Expr {
  return expressionOr(cx, childWithField(cx.nodes, parent, field), parent);
}

/** Arguments of a call or the items of an initialiser list. */
export function listItems(cx: Context, list: number): Expr[] {
  const { nodes } = cx;
  const items: Expr[] = [];
  const last = nodes.after[list];
  for (let n = list + 1; n < last; n = nodes.after[n]) {
    const kind = nodes.kind[n];
    if (kind === K.token) continue;
    if (kind === K.ERROR) continue;
    items.push(expression(cx, kind === K.parameter_pack_expansion ? firstNamed(nodes, n) || n : n));
  }
  return items;
}

type Convert = (cx: Context, n: number) => Expr;

const CONVERTERS = tableByKind<Convert>({
  identifier: name,
  field_identifier: name,
  type_identifier: name,
  qualified_identifier: name,
  template_function: name,
  dependent_name: name,
  number_literal: number,
  user_defined_literal: number,
  char_literal: character,
  string_literal: string,
  raw_string_literal: string,
  concatenated_string: string,
  true: boolean,
  false: boolean,
  null: (cx, n) => ({ k: 'null', ...placeOf(cx, n) }),
  this: (cx, n) => ({ k: 'this', ...placeOf(cx, n) }),
  parenthesized_expression: parenthesized,
  comma_expression: comma,
  binary_expression: binary,
  assignment_expression: assignment,
  conditional_expression: conditional,
  unary_expression: prefix,
  pointer_expression: prefix,
  update_expression: update,
  delete_expression: remove,
  call_expression: call,
  subscript_expression: subscript,
  field_expression: member,
  cast_expression: cast,
  compound_literal_expression: compoundLiteral,
  initializer_list: (cx, n) => ({ k: 'list', items: listItems(cx, n), ...placeOf(cx, n) }),
  initializer_pair: (cx, n) => operand(cx, n, F.value),
  sizeof_expression: sizeOf,
  alignof_expression: sizeOf,
  new_expression: create,
  lambda_expression: lambda,
  parameter_pack_expansion: (cx, n) => expressionOr(cx, firstNamed(cx.nodes, n), n),
  type_descriptor: typeAsName,
  argument_list: (cx, n) => foldComma(listItems(cx, n)) ?? unknownAt(cx, n),
});

function name(cx: Context, n: number): Expr {
  const { nodes } = cx;
  if (nodes.kind[n] === K.identifier) {
    const token = tokenAt(cx, n);
    return { k: 'name', name: wordAt(cx, n), start: token.start, end: token.end };
  }
  return { k: 'name', ...qualifiedName(cx, n), ...placeOf(cx, n) };
}

/** A lone name that the grammar took for a type. */
function typeAsName(cx: Context, n: number): Expr {
  const type = typeOfNode(cx, n);
  return type.pointers === 0 && !type.reference ? { k: 'name', name: type.name, targs: type.targs, ...placeOf(cx, n) } : unknownAt(cx, n);
}

function number(cx: Context, n: number): Expr {
  return numberLiteral(tokenAt(cx, n));
}

function character(cx: Context, n: number): Expr {
  return { k: 'number', value: characterValue(tokenAt(cx, n).text), float: false, suffix: 'char', ...placeOf(cx, n) };
}

function string(cx: Context, n: number): Expr {
  let text = '';
  for (let i = firstToken(cx, n), last = lastToken(cx, n); i <= last; i++) text += stringValue(cx.layout.tokens[i].text);
  return { k: 'string', text, ...placeOf(cx, n) };
}

function boolean(cx: Context, n: number): Expr {
  return { k: 'bool', value: cx.nodes.kind[n] === K.true, ...placeOf(cx, n) };
}

function parenthesized(cx: Context, n: number): Expr {
  const inner = firstNamed(cx.nodes, n);
  if (inner === 0) return unknownAt(cx, n);
  const e = expression(cx, inner);
  // Nobody else has it yet.
  const place = e as { start: number; end: number };
  place.start = startOf(cx, n);
  place.end = Math.max(endOf(cx, n), e.end);
  return e;
}

function comma(cx: Context, n: number): Expr {
  const { nodes } = cx;
  const parts: Expr[] = [];
  let rest = n;
  // Nested to the right, as long as the list is.
  while (nodes.kind[rest] === K.comma_expression) {
    parts.push(operand(cx, rest, F.left));
    rest = childWithField(nodes, rest, F.right);
    if (rest === 0) break;
  }
  if (parts.length > LONGEST_CHAIN) return unknownAt(cx, n);
  if (rest !== 0) parts.push(expression(cx, rest));
  return foldComma(parts) ?? unknownAt(cx, n);
}

function foldComma(parts: readonly Expr[]): Expr | undefined {
  let left = parts[0];
  for (const right of parts.slice(1)) left = { k: 'binary', op: ',', a: left, b: right, start: left.start, end: right.end };
  return left;
}

function binary(cx: Context, n: number): Expr {
  const { nodes } = cx;
  // Long sums nest to the left without end.
  const spine: number[] = [];
  let leaf = n;
  while (nodes.kind[leaf] === K.binary_expression) {
    spine.push(leaf);
    leaf = childWithField(nodes, leaf, F.left);
    if (leaf === 0) break;
  }
  if (spine.length > LONGEST_CHAIN) return unknownAt(cx, n);
  let left = leaf === 0 ? unknownAt(cx, n) : expression(cx, leaf);
  for (let i = spine.length - 1; i >= 0; i--) {
    const b = operand(cx, spine[i], F.right);
    left = { k: 'binary', op: operator(cx, spine[i]), a: left, b, start: left.start, end: Math.max(left.end, b.end) };
  }
  return left;
}

function operator(cx: Context, parent: number): string {
  const n = childWithField(cx.nodes, parent, F.operator);
  if (n === 0) return '';
  if (cx.layout.comparisons.has(firstToken(cx, n))) return '<';
  const text = spelling(cx, n);
  return OPERATOR_WORDS.get(text) ?? text;
}

function assignment(cx: Context, n: number): Expr {
  const a = operand(cx, n, F.left);
  const b = operand(cx, n, F.right);
  return { k: 'assign', op: operator(cx, n) || '=', a, b, start: a.start, end: b.end };
}

function conditional(cx: Context, n: number): Expr {
  const c = operand(cx, n, F.condition);
  const then = childWithField(cx.nodes, n, F.consequence);
  const a = then === 0 ? c : expression(cx, then);
  const b = operand(cx, n, F.alternative);
  return { k: 'cond', c, a, b, start: c.start, end: b.end };
}

function prefix(cx: Context, n: number): Expr {
  const a = operand(cx, n, F.argument);
  // Nobody wrote the sign.
  if (cx.layout.signed.has(firstToken(cx, n))) return a;
  const { start, end } = tokenAt(cx, n);
  return { k: 'unary', op: operator(cx, n), a, start, end: Math.max(end, a.end) };
}

function update(cx: Context, n: number): Expr {
  const { nodes } = cx;
  const argument = childWithField(nodes, n, F.argument);
  const sign = childWithField(nodes, n, F.operator);
  if (argument === 0 || sign === 0 || sign < argument) return prefix(cx, n);
  const a = expression(cx, argument);
  // The grammar reads `~n++` as `(~n)++`.
  if (nodes.kind[argument] === K.unary_expression && a.k === 'unary') {
    const inner: Expr = { k: 'postfix', op: spelling(cx, sign) as '++' | '--', a: a.a, start: a.a.start, end: endOf(cx, n) };
    return { ...a, a: inner, end: inner.end };
  }
  return { k: 'postfix', op: spelling(cx, sign) as '++' | '--', a, start: a.start, end: endOf(cx, n) };
}

function remove(cx: Context, n: number): Expr {
  const argument = firstNamed(cx.nodes, n);
  const a = argument === 0 ? unknownAt(cx, n) : expression(cx, argument);
  return { k: 'unary', op: 'delete', a, start: startOf(cx, n), end: a.end };
}

function call(cx: Context, n: number): Expr {
  const { nodes } = cx;
  const f = childWithField(nodes, n, F.function);
  const list = childWithField(nodes, n, F.arguments);
  const args = list === 0 ? [] : listItems(cx, list);
  const config = childOfKind(nodes, n, K.kernel_call_syntax);
  if (config !== 0) {
    const callee = expression(cx, f);
    return { k: 'launch', f: callee, config: listItems(cx, config), args, start: callee.start, end: Math.max(callee.end, endOf(cx, n)) };
  }
  return (f !== 0 && named(cx, n, f, args)) || plainCall(cx, n, f, args);
}

function plainCall(cx: Context, n: number, f: number, args: readonly Expr[]): Expr {
  const callee = expressionOr(cx, f, n);
  return { k: 'call', f: callee, args, start: callee.start, end: Math.max(callee.end, endOf(cx, n)) };
}

/** `float(x)`, `T(x)` and `static_cast<T>(x)`, which read as calls. */
function named(cx: Context, n: number, f: number, args: readonly Expr[]): Expr | undefined {
  const { nodes, layout } = cx;
  const place = { start: startOf(cx, n), end: Math.max(endOf(cx, n), endOf(cx, f)) };
  switch (nodes.kind[f]) {
    case K.primitive_type:
    case K.sized_type_specifier:
    case K.dependent_type:
    case K.decltype:
    case K.placeholder_type_specifier:
      return { k: 'construct', type: typeOfNode(cx, f), args, braced: false, ...place };
    case K.identifier:
      if (!isTypeName(wordAt(cx, f), layout.known)) return undefined;
      return { k: 'construct', type: typeOfNode(cx, f), args, braced: false, ...place };
    case K.template_function:
    case K.template_type:
    case K.qualified_identifier: {
      const { name, targs } = qualifiedName(cx, f);
      if (NAMED_CAST.test(name)) {
        const type = targs?.[0]?.type;
        return type ? { k: 'cast', type, a: args[0] ?? unknownAt(cx, n), style: name, ...place } : undefined;
      }
      if (!isTypeName(name, layout.known)) return undefined;
      return { k: 'construct', type: namedType(name, targs, startOf(cx, f), endOf(cx, f)), args, braced: false, ...place };
    }
    default:
      return undefined;
  }
}

function subscript(cx: Context, n: number): Expr {
  const a = operand(cx, n, F.argument);
  const list = childWithField(cx.nodes, n, F.indices);
  const i = (list === 0 ? undefined : foldComma(listItems(cx, list))) ?? unknownAt(cx, n);
  return { k: 'index', a, i, start: a.start, end: Math.max(a.end, endOf(cx, n)) };
}

function member(cx: Context, n: number): Expr {
  const { nodes } = cx;
  const a = operand(cx, n, F.argument);
  const field = childWithField(nodes, n, F.field);
  const { name, targs } = field === 0 ? { name: '', targs: undefined } : qualifiedName(cx, field);
  const nameStart = field === 0 ? endOf(cx, n) : memberNameStart(cx, field);
  const arrow = operator(cx, n) === '->';
  return { k: 'member', a, name, arrow, targs, nameStart, start: a.start, end: Math.max(a.end, endOf(cx, n)) };
}

function memberNameStart(cx: Context, field: number): number {
  return startOf(cx, cx.nodes.kind[field] === K.dependent_name ? firstNamed(cx.nodes, field) || field : field);
}

function cast(cx: Context, n: number): Expr {
  const type = childWithField(cx.nodes, n, F.type);
  const a = operand(cx, n, F.value);
  if (type === 0) return unknownAt(cx, n);
  return { k: 'cast', type: typeOfNode(cx, type), a, style: 'c', start: startOf(cx, n), end: a.end };
}

/** `T{…}`, and `(T){…}` as in C. */
function compoundLiteral(cx: Context, n: number): Expr {
  const { nodes } = cx;
  const type = childWithField(nodes, n, F.type);
  const value = childWithField(nodes, n, F.value);
  if (type === 0 || value === 0) return unknownAt(cx, n);
  if (nodes.kind[type] === K.type_descriptor)
    return { k: 'cast', type: typeOfNode(cx, type), a: expression(cx, value), style: 'c', ...placeOf(cx, n) };
  return { k: 'construct', type: typeOfNode(cx, type), args: listItems(cx, value), braced: true, ...placeOf(cx, n) };
}

function sizeOf(cx: Context, n: number): ExprOf<'sizeof'> {
  const { nodes, layout } = cx;
  const type = childWithField(nodes, n, F.type);
  const value = childWithField(nodes, n, F.value) || (type === 0 ? firstNamed(nodes, n) : 0);
  const place = placeOf(cx, n);
  if (type !== 0) {
    const t = typeOfNode(cx, type);
    const lone = t.pointers === 0 && t.quals.length === 0 && !isTypeName(t.name, layout.known) && !isBasicType(t.name.split(' ')[0]);
    return {
      k: 'sizeof',
      type: t,
      a: lone ? { k: 'name', name: t.name, targs: t.targs, start: t.start, end: t.end } : undefined,
      ...place,
    };
  }
  if (value === 0) return { k: 'sizeof', ...place };
  const inner = nodes.kind[value] === K.parenthesized_expression ? firstNamed(nodes, value) : 0;
  const kind = inner === 0 ? K.other : nodes.kind[inner];
  if (kind === K.identifier || kind === K.qualified_identifier || kind === K.template_function) {
    const named = typeOfNode(cx, inner);
    const isType = isTypeName(named.name, layout.known);
    return { k: 'sizeof', type: named, a: isType ? undefined : expression(cx, inner), ...place };
  }
  const a = expression(cx, value);
  return { k: 'sizeof', a, start: place.start, end: a.end };
}

function create(cx: Context, n: number): Expr {
  const { nodes } = cx;
  const type = childWithField(nodes, n, F.type);
  const list = childWithField(nodes, n, F.arguments);
  const args = list === 0 ? [] : listItems(cx, list);
  const where = childWithField(nodes, n, F.placement);
  const placement = where === 0 ? [] : listItems(cx, where);
  const dims: Expr[] = [];
  for (let d = childWithField(nodes, n, F.declarator); d !== 0; d = childOfKind(nodes, d, K.new_declarator)) {
    const length = childWithField(nodes, d, F.length);
    if (length !== 0) dims.push(expression(cx, length));
  }
  const { start, end } = placeOf(cx, n);
  const base = type === 0 ? namedType('auto', undefined, start, start) : typeOfNode(cx, type);
  const pointers = cx.layout.newPointers.get(firstToken(cx, n)) ?? 0;
  const quals = pointers > 0 ? qualifiersBehindNew(cx, n) : [];
  const from = quals.length > 0 ? quals[0].start : base.start;
  return {
    k: 'new',
    type: { ...base, quals: [...quals.map((q) => q.text), ...base.quals], pointers, dims, start: from },
    placement,
    args,
    start,
    end,
  };
}

/** The layout leaves them out with the `*` behind the type. */
function qualifiersBehindNew(cx: Context, n: number): Token[] {
  const { tokens } = cx.layout;
  let end = firstToken(cx, n) + 1;
  while (end < tokens.length && isQualifier(tokens[end].text)) end++;
  return tokens.slice(firstToken(cx, n) + 1, end);
}

function lambda(cx: Context, n: number): Expr {
  const { nodes, layout } = cx;
  const body = childWithField(nodes, n, F.body);
  if (body === 0) return unknownAt(cx, n);
  const declarator = childWithField(nodes, n, F.declarator);
  const list = declarator === 0 ? 0 : childWithField(nodes, declarator, F.parameters);
  const params = list === 0 ? [] : parameters(cx, list);
  const device =
    layout.deviceLambdas.has(firstToken(cx, n)) ||
    (declarator !== 0 && childrenOf(nodes, declarator).some((c) => tokenAt(cx, c).text === '__device__'));
  return { k: 'lambda', params, body: block(cx, body), device, ...placeOf(cx, n) };
}
