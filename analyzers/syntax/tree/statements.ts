/** Statements, local declarations and parameters. */
import type { Expr, Node, Stmt } from '../ast.ts';
import { asOne } from '../nested-definitions.ts';
import { type Context, DEPTH_LIMIT, endOf, firstToken, isMissing, placeOf, startOf, tokenAt, unknownAt } from './context.ts';
import { declaratorOf, declarators } from './declarators.ts';
import { localDefinition } from './definitions.ts';
import { expression, expressionOr } from './expressions.ts';
import { F, K, tableByKind } from './kinds.ts';
import { childrenOf, childWithField, firstNamed } from './nodes.ts';
import { isAggregate, specifiers } from './types.ts';

export function block(cx: Context, n: number): Stmt {
  const body: Stmt[] = [];
  if (cx.nodes.kind[n] === K.compound_statement) addChildren(cx, n, body);
  else addStatement(cx, n, body);
  return { k: 'block', body, ...placeOf(cx, n) };
}

export function addChildren(cx: Context, n: number, out: Stmt[]): void {
  const { nodes } = cx;
  const last = nodes.after[n];
  for (let c = n + 1; c < last; c = nodes.after[c]) addStatement(cx, c, out);
}

function statement(cx: Context, n: number): Stmt {
  const out: Stmt[] = [];
  if (n !== 0) addStatement(cx, n, out);
  return asOne(out, placeOf(cx, n));
}

type Add = (cx: Context, n: number, out: Stmt[]) => void;

export function addStatement(cx: Context, n: number, out: Stmt[]): void {
  const kind = cx.nodes.kind[n];
  if (kind === K.token || isMissing(cx, n)) return;
  if (cx.depth > DEPTH_LIMIT) {
    out.push({ k: 'empty', ...placeOf(cx, n) });
    return;
  }
  cx.depth++;
  const { offloaded } = cx.layout;
  const before = out.length;
  const add = ADD[kind];
  if (add) add(cx, n, out);
  else out.push({ k: 'expr', e: expression(cx, n), ...placeOf(cx, n) });
  if (offloaded.size > 0 && offloaded.has(firstToken(cx, n)))
    out.push({ k: 'block', body: out.splice(before), offloaded: true, ...placeOf(cx, n) });
  cx.depth--;
}

const one =
  (make: (cx: Context, n: number) => Stmt): Add =>
  (cx, n, out) => {
    out.push(make(cx, n));
  };

const definition: Add = one(localDefinition);

const ADD = tableByKind<Add>({
  compound_statement: one(block),
  expression_statement: one(expressionStatement),
  declaration: addDeclaration,
  if_statement: one(ifStatement),
  for_statement: one(forStatement),
  for_range_loop: one(rangeStatement),
  while_statement: one(whileStatement),
  do_statement: one(doStatement),
  switch_statement: one(switchStatement),
  case_statement: addCase,
  return_statement: one(returnStatement),
  throw_statement: one((cx, n) => ({ k: 'expr', e: expressionOr(cx, firstNamed(cx.nodes, n), n), ...placeOf(cx, n) })),
  break_statement: one((cx, n) => ({ k: 'break', ...placeOf(cx, n) })),
  continue_statement: one((cx, n) => ({ k: 'continue', ...placeOf(cx, n) })),
  goto_statement: one((cx, n) => ({ k: 'goto', ...placeOf(cx, n) })),
  labeled_statement: addLabeled,
  attributed_statement: addAttributed,
  try_statement: addTry,
  gnu_asm_expression: one((cx, n) => ({ k: 'asm', ...placeOf(cx, n) })),
  using_declaration: one((cx, n) => ({ k: 'empty', ...placeOf(cx, n) })),
  static_assert_declaration: one((cx, n) => ({ k: 'empty', ...placeOf(cx, n) })),
  alias_declaration: definition,
  type_definition: definition,
  struct_specifier: definition,
  class_specifier: definition,
  union_specifier: definition,
  enum_specifier: definition,
  template_declaration: () => {},
  namespace_alias_definition: one((cx, n) => ({ k: 'empty', ...placeOf(cx, n) })),
  function_definition: addMacroBody,
  linkage_specification: addChildren,
  declaration_list: addChildren,
  // Half-typed text: the statements inside are sound more often than not.
  ERROR: addChildren,
  else_clause: addChildren,
  other: () => {},
  type_identifier: () => {},
  primitive_type: () => {},
  function_declarator: () => {},
  parameter_list: () => {},
  type_descriptor: () => {},
});

function expressionStatement(cx: Context, n: number): Stmt {
  const e = firstNamed(cx.nodes, n);
  if (e === 0) return { k: 'empty', ...placeOf(cx, n) };
  if (cx.nodes.kind[e] === K.gnu_asm_expression) return { k: 'asm', ...placeOf(cx, n) };
  return { k: 'expr', e: expression(cx, e), ...placeOf(cx, n) };
}

function ifStatement(cx: Context, n: number): Stmt {
  const { nodes } = cx;
  const { init, c, end } = condition(cx, n);
  const then = statement(cx, childWithField(nodes, n, F.consequence));
  const alternative = childWithField(nodes, n, F.alternative);
  const otherwise = alternative === 0 ? undefined : elseBranch(cx, alternative);
  const constexpr = tokenAfter(cx, n) === 'constexpr';
  const head = { start: startOf(cx, n), end };
  return { k: 'if', init, c, then, else: otherwise, constexpr, head, ...placeOf(cx, n) };
}

function elseBranch(cx: Context, n: number): Stmt {
  return statement(cx, cx.nodes.kind[n] === K.else_clause ? firstNamed(cx.nodes, n) : n);
}

function tokenAfter(cx: Context, n: number): string {
  return cx.layout.tokens[firstToken(cx, n) + 1]?.text ?? '';
}

/** The condition of `if`, `while` and `switch`, with what it declares. */
function condition(cx: Context, n: number): { init?: Stmt; c: Expr; end: number } {
  const { nodes } = cx;
  const clause = childWithField(nodes, n, F.condition);
  if (clause === 0) return { c: unknownAt(cx, n), end: endOf(cx, n) };
  const end = endOf(cx, clause);
  if (nodes.kind[clause] !== K.condition_clause) {
    // The parentheses of `do … while (c)` are the statement's.
    const inner = nodes.kind[clause] === K.parenthesized_expression ? firstNamed(nodes, clause) : clause;
    return { c: inner === 0 ? unknownAt(cx, clause) : expression(cx, inner), end };
  }
  const initializer = childWithField(nodes, clause, F.initializer);
  const value = childWithField(nodes, clause, F.value) || firstNamed(nodes, clause);
  const init = initializer === 0 ? undefined : statement(cx, firstNamed(nodes, initializer) || initializer);
  if (value === 0) return { init, c: unknownAt(cx, clause), end };
  if (nodes.kind[value] !== K.declaration) return { init, c: expression(cx, value), end };
  const decl = declarationStatement(cx, value);
  const d = decl.k === 'decl' ? decl.decls[0] : undefined;
  const c: Expr = d ? { k: 'name', name: d.name, start: d.start, end: d.end } : unknownAt(cx, value);
  return { init: decl, c, end };
}

/** From the keyword to the parenthesis before the body. */
function loopHead(cx: Context, n: number, body: number): Node {
  const { tokens } = cx.layout;
  if (body === 0) return placeOf(cx, n);
  let i = firstToken(cx, body) - 1;
  while (i > 0 && (tokens[i].kind === 'directive' || tokens[i].text !== ')') && i > firstToken(cx, n)) i--;
  const start = startOf(cx, n);
  return { start, end: Math.max(start, tokens[i]?.end ?? start) };
}

function forStatement(cx: Context, n: number): Stmt {
  const { nodes, layout } = cx;
  const initializer = childWithField(nodes, n, F.initializer);
  const c = childWithField(nodes, n, F.condition);
  const step = childWithField(nodes, n, F.update);
  const body = childWithField(nodes, n, F.body);
  const loop = {
    k: 'for' as const,
    init: initializer === 0 ? undefined : forInit(cx, initializer),
    c: c === 0 ? undefined : expression(cx, c),
    step: step === 0 ? undefined : expression(cx, step),
    body: statement(cx, body),
    head: loopHead(cx, n, body),
    ...placeOf(cx, n),
  };
  return layout.unrolled.has(firstToken(cx, n)) ? { ...loop, unroll: true } : loop;
}

function forInit(cx: Context, n: number): Stmt {
  if (cx.nodes.kind[n] === K.declaration) return declarationStatement(cx, n);
  const e = expression(cx, n);
  return { k: 'expr', e, start: e.start, end: e.end };
}

function rangeStatement(cx: Context, n: number): Stmt {
  const { nodes } = cx;
  const base = specifiers(cx, n);
  const declarator = childWithField(nodes, n, F.declarator);
  const right = childWithField(nodes, n, F.right);
  const body = childWithField(nodes, n, F.body);
  const over = right === 0 ? unknownAt(cx, n) : expression(cx, right);
  const inner = statement(cx, body);
  if (!base || declarator === 0) return inner;
  return { k: 'range', decl: declaratorOf(cx, base, declarator), over, body: inner, head: loopHead(cx, n, body), ...placeOf(cx, n) };
}

function whileStatement(cx: Context, n: number): Stmt {
  const { init, c, end } = condition(cx, n);
  const head = { start: startOf(cx, n), end };
  const body = statement(cx, childWithField(cx.nodes, n, F.body));
  const loop: Stmt = { k: 'while', c, body, head, ...placeOf(cx, n) };
  return init ? { k: 'block', body: [init, loop], ...placeOf(cx, n) } : loop;
}

function doStatement(cx: Context, n: number): Stmt {
  const { nodes } = cx;
  const body = statement(cx, childWithField(nodes, n, F.body));
  const { c, end } = condition(cx, n);
  const clause = childWithField(nodes, n, F.condition);
  // The head of this loop is its tail: from `while` on.
  const keyword = clause === 0 ? undefined : cx.layout.tokens[firstToken(cx, clause) - 1];
  const start = keyword?.text === 'while' ? keyword.start : end;
  return { k: 'do', c, body, head: { start, end: Math.max(start, end) }, ...placeOf(cx, n) };
}

function switchStatement(cx: Context, n: number): Stmt {
  const { init, c, end } = condition(cx, n);
  const head = { start: startOf(cx, n), end };
  const choice: Stmt = { k: 'switch', c, body: statement(cx, childWithField(cx.nodes, n, F.body)), head, ...placeOf(cx, n) };
  return init ? { k: 'block', body: [init, choice], ...placeOf(cx, n) } : choice;
}

/** The statements behind a `case` are its children in the tree, its siblings in ours. */
function addCase(cx: Context, n: number, out: Stmt[]): void {
  const { nodes, layout } = cx;
  const value = childWithField(nodes, n, F.value);
  const first = firstToken(cx, n);
  let colon = first;
  for (let i = first, depth = 0; i < layout.tokens.length; i++) {
    const { text } = layout.tokens[i];
    if (text === '(' || text === '?') depth++;
    if (text === ')' || (text === ':' && depth > 0)) depth--;
    else if (text === ':') {
      colon = i;
      break;
    }
  }
  const label = { start: startOf(cx, n), end: Math.max(layout.tokens[colon]?.end ?? 0, tokenAt(cx, n).end) };
  out.push({ k: 'case', value: value === 0 ? undefined : expression(cx, value), ...label });
  const last = nodes.after[n];
  for (let c = n + 1; c < last; c = nodes.after[c]) if (c !== value) addStatement(cx, c, out);
}

function returnStatement(cx: Context, n: number): Stmt {
  const e = firstNamed(cx.nodes, n);
  // A word that the layout put in.
  if (e !== 0 && !RETURNS.has(tokenAt(cx, n).text)) return { k: 'expr', e: expression(cx, e), ...placeOf(cx, n) };
  return { k: 'return', e: e === 0 ? undefined : expression(cx, e), ...placeOf(cx, n) };
}

const RETURNS = new Set(['return', 'co_return']);

function addLabeled(cx: Context, n: number, out: Stmt[]): void {
  const { nodes } = cx;
  const label = childWithField(nodes, n, F.label);
  const start = startOf(cx, n);
  out.push({ k: 'empty', start, end: cx.layout.tokens[firstToken(cx, n) + 1]?.end ?? start });
  const last = nodes.after[n];
  for (let c = n + 1; c < last; c = nodes.after[c]) if (c !== label) addStatement(cx, c, out);
}

function addAttributed(cx: Context, n: number, out: Stmt[]): void {
  const children = childrenOf(cx.nodes, n).filter((c) => cx.nodes.kind[c] !== K.token && cx.nodes.kind[c] !== K.other);
  for (const c of children) addStatement(cx, c, out);
}

function addTry(cx: Context, n: number, out: Stmt[]): void {
  const body = childWithField(cx.nodes, n, F.body);
  if (body !== 0) out.push(block(cx, body));
  for (const c of childrenOf(cx.nodes, n)) if (cx.nodes.kind[c] === K.catch_clause) out.push({ k: 'empty', ...placeOf(cx, c) });
}

/** `FOR_EACH(i, n) { … }` with a macro from elsewhere reads as a function; what is inside runs. */
function addMacroBody(cx: Context, n: number, out: Stmt[]): void {
  const body = childWithField(cx.nodes, n, F.body);
  if (body !== 0) out.push(block(cx, body));
}

function addDeclaration(cx: Context, n: number, out: Stmt[]): void {
  const type = childWithField(cx.nodes, n, F.type);
  if (type !== 0 && isAggregate(cx.nodes.kind[type]) && childWithField(cx.nodes, type, F.body) !== 0) out.push(localDefinition(cx, n));
  else out.push(declarationStatement(cx, n));
}

function declarationStatement(cx: Context, n: number): Stmt {
  const base = specifiers(cx, n);
  const decls = base ? declarators(cx, n, base) : [];
  return decls.length === 0 ? { k: 'empty', ...placeOf(cx, n) } : { k: 'decl', decls, ...placeOf(cx, n) };
}
