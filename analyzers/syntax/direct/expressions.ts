/** Expressions, by precedence. */
import { type Expr, type ExprOf, LONGEST_CHAIN, type TypeArg, type TypeRef } from '../ast.ts';
import { characterValue, numberLiteral, stringValue } from '../literals.ts';
import { basicName, GRAMMAR_WORDS, isTypeName, NAMED_CAST, OPERATOR_WORDS } from '../names.ts';
import type { Token } from '../token.ts';
import { parameters, typeId } from './declarators.ts';
import { behindName, opensCast, opensTemplateArgs } from './lookahead.ts';
import { qualifiedName, templateArgs } from './qualified-names.ts';
import { accept, decline, endFrom, enter, expect, inBrackets, inside, joinedAt, placeFrom, type Reader } from './reader.ts';
import { block } from './statements.ts';
import { namedType, typeSpecifiers } from './types.ts';
import { W, wordOf } from './words.ts';

/** With the comma operator. */
export function expression(r: Reader): Expr {
  let left = argument(r);
  for (let links = 0; accept(r, W.comma); links++) {
    if (links > LONGEST_CHAIN) decline();
    const right = argument(r);
    left = { k: 'binary', op: ',', a: left, b: right, start: left.start, end: right.end };
  }
  return left;
}

/** What may stand behind `=`, `(` or `,`: an expression without commas, or a list in braces. */
export function initializer(r: Reader): Expr {
  return r.words[r.at] === W.openBrace ? braces(r) : argument(r);
}

function braces(r: Reader): ExprOf<'list'> {
  const first = r.tokens[r.at];
  const items = list(r, W.openBrace, W.closeBrace);
  return { k: 'list', items, ...placeFrom(r, first) };
}

/** The expressions between two brackets. */
export function list(r: Reader, open: W, close: W): Expr[] {
  const { inTemplate } = r;
  expect(r, open);
  enter(r);
  r.inTemplate = false;
  const items: Expr[] = [];
  while (r.words[r.at] !== close) {
    items.push(item(r));
    if (!accept(r, W.comma)) break;
    // Only in braces a comma may be the last.
    if (r.words[r.at] === W.close) decline();
  }
  expect(r, close);
  r.inTemplate = inTemplate;
  r.depth--;
  return items;
}

function item(r: Reader): Expr {
  // `.member = value`
  if (r.words[r.at] === W.dot && r.words[r.at + 1] === W.name && r.words[r.at + 2] === W.assign) r.at += 3;
  const e = initializer(r);
  accept(r, W.ellipsis);
  return e;
}

/** An assignment, a choice or anything that binds more tightly. */
export function argument(r: Reader): Expr {
  const { words } = r;
  const first = unary(r);
  const left = binaryFrom(r, first, 1);
  if (words[r.at] === W.question) return choice(r, left);
  const isShift = words[r.at] === W.greater;
  if (isShift ? r.inTemplate || !opensShiftAssignment(r) : words[r.at] !== W.assign && words[r.at] !== W.assignWith) return left;
  // `a + b = c` is half-typed: `a +` above `b = c;`.
  if (left !== first || (first.k === 'unary' && first.op !== '*')) decline();
  // `uint64_t = id;` lacks the name that it declares. Of other types, like `half`, the name may be a variable's.
  if (first.k === 'name' && GRAMMAR_WORDS.has(first.name)) decline();
  const { text } = r.tokens[r.at];
  r.at += isShift ? 3 : 1;
  return assigned(r, left, isShift ? '>>=' : (OPERATOR_WORDS.get(text) ?? text));
}

/** `>>=` */
function opensShiftAssignment(r: Reader): boolean {
  return joinedAt(r, r.at, W.greater) && joinedAt(r, r.at + 1, W.assign);
}

function assigned(r: Reader, a: Expr, op: string): Expr {
  const b = inside(r, initializer);
  return { k: 'assign', op, a, b, start: a.start, end: b.end };
}

function choice(r: Reader, c: Expr): Expr {
  expect(r, W.question);
  const a = r.words[r.at] === W.colon ? c : inBrackets(r, expression);
  expect(r, W.colon);
  const b = inside(r, argument);
  return { k: 'cond', c, a, b, start: c.start, end: b.end };
}

/** By word; 0 for what is no binary operator. */
const PRECEDENCE = new Uint8Array(256);
const SPELLING: string[] = [];
for (const [level, operators] of ['||', '&&', '|', '^', '&', '== !=', '< <= >', '<<', '+ -', '* / %'].entries())
  for (const text of operators.split(' ')) {
    const word = wordOf({ kind: 'punct', text });
    PRECEDENCE[word] = level + 1;
    SPELLING[word] = text;
  }
const OF_SHIFT = PRECEDENCE[W.shiftLeft];

/** Operators that bind at least as tightly as `least`. */
function binary(r: Reader, least: number): Expr {
  return binaryFrom(r, unary(r), least);
}

function binaryFrom(r: Reader, first: Expr, least: number): Expr {
  const { words } = r;
  let left = first;
  for (let links = 0; ; links++) {
    const word = words[r.at];
    let precedence = PRECEDENCE[word];
    if (precedence === 0) return left;
    let op = SPELLING[word];
    let length = 1;
    if (word === W.greater) {
      if (r.inTemplate) return left;
      if (joinedAt(r, r.at, W.greater)) {
        // `>>>` and `>>=`
        if (joinedAt(r, r.at + 1, W.greater) || joinedAt(r, r.at + 1, W.assign)) return left;
        precedence = OF_SHIFT;
        op = '>>';
        length = 2;
      } else if (joinedAt(r, r.at, W.assign)) {
        op = '>=';
        length = 2;
      }
    }
    if (precedence < least) return left;
    if (links > LONGEST_CHAIN) decline();
    r.at += length;
    const right = binary(r, precedence + 1);
    left = { k: 'binary', op, a: left, b: right, start: left.start, end: Math.max(left.end, right.end) };
  }
}

function unary(r: Reader): Expr {
  const { words, tokens } = r;
  const word = words[r.at];
  switch (word) {
    case W.open:
      return opensCast(r) ? cast(r) : postfix(r, parenthesized(r));
    case W.minus:
    case W.plus:
    case W.not:
    case W.complement:
    case W.times:
    case W.and:
    case W.increment:
    case W.decrement: {
      const token = tokens[r.at++];
      const a = inside(r, unary);
      const op = OPERATOR_WORDS.get(token.text) ?? token.text;
      return { k: 'unary', op, a, start: token.start, end: Math.max(token.end, a.end) };
    }
    case W.sizeof:
      return sizeOf(r);
    case W.new:
      return create(r);
    case W.delete: {
      const { start } = tokens[r.at++];
      if (words[r.at] === W.openSquare && words[r.at + 1] === W.closeSquare) r.at += 2;
      const a = inside(r, unary);
      return { k: 'unary', op: 'delete', a, start, end: a.end };
    }
    default:
      return postfix(r, primary(r));
  }
}

function parenthesized(r: Reader): Expr {
  const first = expect(r, W.open);
  const e = inBrackets(r, expression);
  expect(r, W.close);
  // Nobody else has it yet.
  const place = e as { start: number; end: number };
  place.end = endFrom(r, Math.max(first.end, e.end));
  place.start = first.start;
  return e;
}

function cast(r: Reader): Expr {
  const { start } = expect(r, W.open);
  const type = typeId(r);
  expect(r, W.close);
  const a = r.words[r.at] === W.openBrace ? braces(r) : inside(r, unary);
  return { k: 'cast', type, a, style: 'c', start, end: a.end };
}

function primary(r: Reader): Expr {
  const token = r.tokens[r.at];
  switch (r.words[r.at]) {
    case W.name:
    case W.scope:
      return named(r);
    case W.number:
      r.at++;
      return numberLiteral(token);
    case W.string:
      return string(r);
    case W.char:
      r.at++;
      return { k: 'number', value: characterValue(token.text), float: false, suffix: 'char', start: token.start, end: token.end };
    case W.true:
    case W.false:
      r.at++;
      return { k: 'bool', value: r.words[r.at - 1] === W.true, start: token.start, end: token.end };
    case W.null:
      r.at++;
      return { k: 'null', start: token.start, end: token.end };
    case W.this:
      r.at++;
      return { k: 'this', start: token.start, end: token.end };
    case W.basic:
      return construct(r, namedBasic(r), token);
    case W.openSquare:
      return lambda(r);
    default:
      return decline();
  }
}

function namedBasic(r: Reader): TypeRef {
  const token = expect(r, W.basic);
  return namedType(r, basicName([token.text]), undefined, token);
}

/** A name, and where it is a type's, what is made of it: `float4(…)`, `T{…}`, `static_cast<T>(…)`. */
function named(r: Reader): Expr {
  const { words, tokens } = r;
  const first = tokens[r.at];
  const { name, targs } = qualifiedName(r);
  if (words[r.at] === W.open) {
    if (targs && NAMED_CAST.test(name)) return namedCast(r, name, targs, first);
    if (isTypeName(name, r.known)) return construct(r, namedType(r, name, targs, first), first);
  } else if (words[r.at] === W.openBrace) return construct(r, namedType(r, name, targs, first), first);
  // A macro from elsewhere between strings.
  else if (words[r.at] === W.string) decline();
  if (first === tokens[r.at - 1]) return { k: 'name', name, start: first.start, end: first.end };
  return { k: 'name', name, targs, ...placeFrom(r, first) };
}

function namedCast(r: Reader, style: string, targs: readonly TypeArg[], first: Token): Expr {
  const args = list(r, W.open, W.close);
  const type = targs[0]?.type;
  if (!type || args.length !== 1) return decline();
  return { k: 'cast', type, a: args[0], style, ...placeFrom(r, first) };
}

function construct(r: Reader, type: TypeRef, first: Token): Expr {
  const braced = r.words[r.at] === W.openBrace;
  const args = braced ? list(r, W.openBrace, W.closeBrace) : list(r, W.open, W.close);
  return { k: 'construct', type, args, braced, ...placeFrom(r, first) };
}

/** One literal or several in a row, with macros from elsewhere between them. */
function string(r: Reader): Expr {
  const { words, tokens } = r;
  const first = tokens[r.at];
  let text = '';
  do text += stringValue(tokens[r.at++].text);
  while (words[r.at] === W.string || words[r.at] === W.name);
  return { k: 'string', text, ...placeFrom(r, first) };
}

function postfix(r: Reader, operand: Expr): Expr {
  const { words, tokens } = r;
  let e = operand;
  for (let links = 0; ; links++) {
    if (links > LONGEST_CHAIN) decline();
    const last = tokens[r.at];
    switch (words[r.at]) {
      case W.open: {
        const args = list(r, W.open, W.close);
        e = { k: 'call', f: e, args, start: e.start, end: endFrom(r, e.end) };
        break;
      }
      case W.openSquare: {
        r.at++;
        const i = inBrackets(r, expression);
        expect(r, W.closeSquare);
        e = { k: 'index', a: e, i, start: e.start, end: endFrom(r, e.end) };
        break;
      }
      case W.dot:
      case W.arrow:
        e = member(r, e);
        break;
      case W.increment:
      case W.decrement:
        r.at++;
        e = { k: 'postfix', op: last.text as '++' | '--', a: e, start: e.start, end: endFrom(r, e.end) };
        break;
      case W.launch: {
        const config = configuration(r);
        const args = list(r, W.open, W.close);
        e = { k: 'launch', f: e, config, args, start: e.start, end: endFrom(r, e.end) };
        break;
      }
      default:
        return e;
    }
  }
}

function member(r: Reader, a: Expr): Expr {
  const { words } = r;
  const arrow = words[r.at++] === W.arrow;
  const field = expect(r, W.name);
  if (words[r.at] === W.scope) decline();
  const targs = opensTemplateArgs(r, r.at) ? templateArgs(r) : undefined;
  return { k: 'member', a, name: field.text, arrow, targs, nameStart: field.start, start: a.start, end: endFrom(r, a.end) };
}

/** What stands between `<<<` and `>>>`. */
function configuration(r: Reader): Expr[] {
  expect(r, W.launch);
  const config: Expr[] = [];
  do config.push(inBrackets(r, initializer));
  while (accept(r, W.comma));
  if (!joinedAt(r, r.at, W.greater) || !joinedAt(r, r.at + 1, W.greater) || r.words[r.at] !== W.greater) decline();
  r.at += 3;
  return config;
}

/** `sizeof(T)`, `sizeof(e)`, `sizeof e`; a lone name is given in both readings. */
function sizeOf(r: Reader): Expr {
  const { words } = r;
  const first = expect(r, W.sizeof);
  if (words[r.at] === W.open) {
    const behind = behindName(r, r.at + 1);
    if (behind > r.at + 1 && words[behind] === W.close) return sizeOfName(r, first);
    if (opensCast(r)) {
      r.at++;
      const type = typeId(r);
      expect(r, W.close);
      return { k: 'sizeof', type, a: undefined, ...placeFrom(r, first) };
    }
  }
  const a = inside(r, unary);
  return { k: 'sizeof', a, start: first.start, end: a.end };
}

function sizeOfName(r: Reader, first: Token): Expr {
  const { words, tokens } = r;
  expect(r, W.open);
  const inner = tokens[r.at];
  const { name, targs } = qualifiedName(r);
  const type = namedType(r, name, targs, inner);
  expect(r, W.close);
  // What may follow a value in parentheses would belong to the operand.
  if (words[r.at] === W.openSquare || words[r.at] === W.dot || words[r.at] === W.arrow) decline();
  const a: Expr | undefined = isTypeName(name, r.known) ? undefined : { k: 'name', name, targs, start: type.start, end: type.end };
  return { k: 'sizeof', type, a, ...placeFrom(r, first) };
}

/** `new T`, `new T(…)`, `new T*[n]`. */
function create(r: Reader): Expr {
  const { words } = r;
  const first = expect(r, W.new);
  const base = typeSpecifiers(r);
  let pointers = 0;
  while (accept(r, W.times)) pointers++;
  const dims: Expr[] = [];
  while (accept(r, W.openSquare)) {
    dims.push(inBrackets(r, expression));
    expect(r, W.closeSquare);
  }
  let args: Expr[] = [];
  if (words[r.at] === W.open) args = list(r, W.open, W.close);
  else if (words[r.at] === W.openBrace) args = list(r, W.openBrace, W.closeBrace);
  return { k: 'new', type: { ...base, pointers, dims }, args, ...placeFrom(r, first) };
}

/** `[captures] __device__ (parameters) mutable -> type { … }`. */
function lambda(r: Reader): Expr {
  const { words, tokens } = r;
  const first = expect(r, W.openSquare);
  // An attribute.
  if (words[r.at] === W.openSquare) decline();
  for (let depth = 1; depth > 0; r.at++) {
    const word = words[r.at];
    if (word === W.openSquare) depth++;
    else if (word === W.closeSquare) depth--;
    else if (word === W.end || word === W.openBrace || word === W.semicolon) decline();
  }
  let device = false;
  const skipWords = () => {
    for (; words[r.at] === W.qualifier; r.at++) if (tokens[r.at].text === '__device__') device = true;
  };
  skipWords();
  const params = words[r.at] === W.open ? parameters(r) : [];
  skipWords();
  if (accept(r, W.arrow)) typeId(r);
  if (words[r.at] !== W.openBrace) decline();
  const body = inBrackets(r, block);
  return { k: 'lambda', params, body, device, ...placeFrom(r, first) };
}
