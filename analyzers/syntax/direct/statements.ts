/** Statements. */
import type { Declarator, Expr, Stmt } from '../ast.ts';
import { asOne, definingStatement } from '../nested-definitions.ts';
import type { Token } from '../token.ts';
import { declarator, declarators } from './declarators.ts';
import { definition } from './definitions.ts';
import { expression, initializer } from './expressions.ts';
import { opensStructure, startsDeclaration } from './lookahead.ts';
import { accept, decline, enter, expect, inside, placeFrom, type Reader, skipParentheses } from './reader.ts';
import { typeSpecifiers } from './types.ts';
import { W } from './words.ts';

export function block(r: Reader): Stmt & { readonly k: 'block' } {
  const first = expect(r, W.openBrace);
  const body: Stmt[] = [];
  enter(r);
  while (r.words[r.at] !== W.closeBrace) addStatement(r, body);
  r.depth--;
  r.at++;
  return { k: 'block', body, ...placeFrom(r, first) };
}

function statement(r: Reader): Stmt {
  const first = r.tokens[r.at];
  const out: Stmt[] = [];
  enter(r);
  addStatement(r, out, 'governed');
  r.depth--;
  return asOne(out, placeFrom(r, first));
}

function addStatement(r: Reader, out: Stmt[], where: 'block' | 'governed' = 'block'): void {
  const made = keywordStatement(r);
  if (made) out.push(made);
  else if (r.words[r.at] === W.try) addTry(r, out);
  else addSimple(r, out, where);
}

/** A statement that its first word tells; undefined where it is another. */
function keywordStatement(r: Reader): Stmt | undefined {
  switch (r.words[r.at]) {
    case W.openBrace:
      return block(r);
    case W.if:
      return ifStatement(r);
    case W.for:
      return forStatement(r);
    case W.while:
    case W.switch:
      return whileOrSwitch(r);
    case W.do:
      return doStatement(r);
    case W.case:
    case W.default:
      return label(r);
    case W.return:
      return returnStatement(r);
    case W.throw:
      return throwStatement(r);
    case W.break:
    case W.continue:
    case W.goto:
      return jump(r);
    case W.typedef:
    case W.using:
    case W.namespace:
      return localDefinition(r);
    case W.asm:
      return assembly(r);
    case W.staticAssert:
      return staticAssertion(r);
    case W.semicolon:
      return emptyStatement(r);
    default:
      return undefined;
  }
}

function returnStatement(r: Reader): Stmt {
  const first = expect(r, W.return);
  const e = r.words[r.at] === W.semicolon ? undefined : initializer(r);
  expect(r, W.semicolon);
  return { k: 'return', e, ...placeFrom(r, first) };
}

/** An expression like another; without an operand nothing is known of it. */
function throwStatement(r: Reader): Stmt {
  const first = expect(r, W.throw);
  const thrown = r.words[r.at] === W.semicolon ? undefined : expression(r);
  expect(r, W.semicolon);
  const place = placeFrom(r, first);
  return { k: 'expr', e: thrown ?? { k: 'unknown', ...place }, ...place };
}

function jump(r: Reader): Stmt {
  const first = r.tokens[r.at];
  const word = r.words[r.at++];
  if (word === W.goto) expect(r, W.name);
  expect(r, W.semicolon);
  return { k: word === W.goto ? 'goto' : word === W.break ? 'break' : 'continue', ...placeFrom(r, first) };
}

function assembly(r: Reader): Stmt {
  const first = expect(r, W.asm);
  while (accept(r, W.qualifier));
  skipParentheses(r);
  expect(r, W.semicolon);
  return { k: 'asm', ...placeFrom(r, first) };
}

/** It says nothing of what the program does. */
export function staticAssertion(r: Reader): Stmt {
  const first = expect(r, W.staticAssert);
  skipParentheses(r);
  expect(r, W.semicolon);
  return { k: 'empty', ...placeFrom(r, first) };
}

function emptyStatement(r: Reader): Stmt {
  const { start, end } = expect(r, W.semicolon);
  return { k: 'empty', start, end };
}

/** A declaration, an expression, or a label before one of them. */
function addSimple(r: Reader, out: Stmt[], where: 'block' | 'governed'): void {
  const first = r.tokens[r.at];
  if (r.words[r.at] === W.name && r.words[r.at + 1] === W.colon) {
    r.at += 2;
    out.push({ k: 'empty', ...placeFrom(r, first) });
    if (r.words[r.at] !== W.closeBrace) inside(r, () => addStatement(r, out));
    return;
  }
  if (startsDeclaration(r, where)) {
    out.push(opensStructure(r) ? localDefinition(r) : declaration(r));
    return;
  }
  const startsWithName = r.words[r.at] === W.name;
  const e = expression(r);
  const isBareCall = startsWithName && e.k === 'call' && e.f.k === 'name';
  // `FOR_EACH(i, n) { … }` with a macro from elsewhere: what is inside runs.
  if (r.words[r.at] === W.openBrace && isBareCall) {
    out.push(block(r));
    return;
  }
  // `CHECK(f(a))` with a macro from elsewhere, and no semicolon.
  if (!accept(r, W.semicolon) && !(isBareCall && mayLackSemicolon(r))) decline();
  out.push({ k: 'expr', e, ...placeFrom(r, first) });
}

function mayLackSemicolon({ words, at }: Reader): boolean {
  const word = words[at];
  return word === W.closeBrace || (word >= W.name && word < W.open && word !== W.number && word !== W.string && word !== W.char);
}

/** Structures and aliases, of namespaces too, with what is declared behind them. */
function localDefinition(r: Reader): Stmt {
  const first = r.tokens[r.at];
  const isStructure = r.words[r.at] !== W.typedef;
  const defs = definition(r, { first });
  const [def] = defs;
  // The semicolon behind a structure is none of its own.
  const place = isStructure && defs.length === 1 && def.d === 'aggregate' ? { start: def.start, end: def.end } : placeFrom(r, first);
  return definingStatement(defs, place);
}

/** With its semicolon. */
function declaration(r: Reader): Stmt {
  const first = r.tokens[r.at];
  const base = typeSpecifiers(r);
  if (accept(r, W.semicolon)) return { k: 'empty', ...placeFrom(r, first) };
  const decls = declarators(r, base);
  expect(r, W.semicolon);
  return { k: 'decl', decls, ...placeFrom(r, first) };
}

function addTry(r: Reader, out: Stmt[]): void {
  expect(r, W.try);
  out.push(block(r));
  while (r.words[r.at] === W.catch) {
    const first = expect(r, W.catch);
    skipParentheses(r);
    block(r);
    out.push({ k: 'empty', ...placeFrom(r, first) });
  }
}

/** A condition in parentheses, with what it declares or what stands before its semicolon. */
interface Condition {
  readonly init?: Stmt;
  readonly c: Expr;
}

function condition(r: Reader): Condition {
  expect(r, W.open);
  let init: Stmt | undefined;
  if (hasInit(r)) init = simpleUpToSemicolon(r);
  if (!startsDeclaration(r, 'condition')) {
    const c = expression(r);
    expect(r, W.close);
    return { init, c };
  }
  if (init) decline();
  const first = r.tokens[r.at];
  const d = declarator(r, typeSpecifiers(r));
  const place = placeFrom(r, first);
  expect(r, W.close);
  return { init: { k: 'decl', decls: [d], ...place }, c: { k: 'name', name: d.name, start: d.start, end: d.end } };
}

/** Whether a semicolon stands before the parenthesis that closes the one opened last. */
function hasInit({ words, at }: Reader): boolean {
  for (let i = at, depth = 1; words[i] !== W.end; i++) {
    const word = words[i];
    if (word === W.open) depth++;
    else if (word === W.close && --depth === 0) return false;
    else if (word === W.semicolon || word === W.openBrace) return word === W.semicolon;
  }
  return false;
}

function simpleUpToSemicolon(r: Reader): Stmt {
  const out: Stmt[] = [];
  addSimple(r, out, 'block');
  if (out.length !== 1) decline();
  return out[0];
}

function ifStatement(r: Reader): Stmt {
  const first = expect(r, W.if);
  const constexpr = r.words[r.at] === W.qualifier && r.tokens[r.at].text === 'constexpr';
  if (constexpr) r.at++;
  const { init, c } = condition(r);
  const head = placeFrom(r, first);
  const then = statement(r);
  const otherwise = accept(r, W.else) ? statement(r) : undefined;
  return { k: 'if', init, c, then, else: otherwise, constexpr, head, ...placeFrom(r, first) };
}

function whileOrSwitch(r: Reader): Stmt {
  const first = r.tokens[r.at];
  const k = r.words[r.at++] === W.while ? 'while' : 'switch';
  const { init, c } = condition(r);
  const head = placeFrom(r, first);
  const body = statement(r);
  const place = placeFrom(r, first);
  const made: Stmt = { k, c, body, head, ...place };
  return init ? { k: 'block', body: [init, made], ...place } : made;
}

function doStatement(r: Reader): Stmt {
  const first = expect(r, W.do);
  const body = statement(r);
  const keyword = expect(r, W.while);
  expect(r, W.open);
  const c = expression(r);
  expect(r, W.close);
  const head = placeFrom(r, keyword);
  expect(r, W.semicolon);
  return { k: 'do', c, body, head, ...placeFrom(r, first) };
}

function label(r: Reader): Stmt {
  const first = r.tokens[r.at];
  const value = r.words[r.at++] === W.case ? expression(r) : undefined;
  expect(r, W.colon);
  return { k: 'case', value, ...placeFrom(r, first) };
}

function forStatement(r: Reader): Stmt {
  const first = expect(r, W.for);
  expect(r, W.open);
  if (startsDeclaration(r)) {
    const from = r.tokens[r.at];
    const base = typeSpecifiers(r);
    const decls = declarators(r, base);
    if (r.words[r.at] === W.colon && decls.length === 1) return rangeStatement(r, first, decls[0]);
    expect(r, W.semicolon);
    return loop(r, first, { k: 'decl', decls, ...placeFrom(r, from) });
  }
  if (accept(r, W.semicolon)) return loop(r, first, undefined);
  const e = expression(r);
  expect(r, W.semicolon);
  return loop(r, first, { k: 'expr', e, start: e.start, end: e.end });
}

function rangeStatement(r: Reader, first: Token, decl: Declarator): Stmt {
  expect(r, W.colon);
  const over = initializer(r);
  expect(r, W.close);
  const head = placeFrom(r, first);
  const body = statement(r);
  return { k: 'range', decl, over, body, head, ...placeFrom(r, first) };
}

/** A `for` from its condition on. */
function loop(r: Reader, first: Token, init: Stmt | undefined): Stmt {
  const c = r.words[r.at] === W.semicolon ? undefined : expression(r);
  expect(r, W.semicolon);
  const step = r.words[r.at] === W.close ? undefined : expression(r);
  expect(r, W.close);
  const head = placeFrom(r, first);
  const body = statement(r);
  const made: Stmt & { k: 'for' } = { k: 'for', init, c, step, body, head, ...placeFrom(r, first) };
  return r.unrolled.has(first) ? { ...made, unroll: true } : made;
}
