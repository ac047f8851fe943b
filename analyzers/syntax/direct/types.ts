/** Names with their scopes and template arguments, types, and declarators. */
import type { Declarator, Expr, Param, TypeArg, TypeRef } from '../ast.ts';
import { looksLikeTemplateArgs, templateEnd } from '../brackets.ts';
import { basicName, isTypeName } from '../names.ts';
import type { Token } from '../token.ts';
import { argument, expression, initializer, list } from './expressions.ts';
import { accept, decline, endBetween, enter, expect, inside, placeFrom, type Reader } from './reader.ts';
import { W } from './words.ts';

export interface QualifiedName {
  readonly name: string;
  /** Those of the last part that has any. */
  readonly targs: readonly TypeArg[] | undefined;
}

/** `a`, `a::b`, `::a`, `a<int>::b<3>`, up to a word that may stand behind the last `::` in place of a name. */
export function qualifiedName(r: Reader, ending?: W): QualifiedName {
  if (r.words[r.at] === W.name && r.words[r.at + 1] !== W.scope && r.words[r.at + 1] !== W.less)
    return { name: r.tokens[r.at++].text, targs: undefined };
  let name = accept(r, W.scope) ? '' : expect(r, W.name).text;
  let targs: readonly TypeArg[] | undefined;
  if (name === '') name = expect(r, W.name).text;
  for (;;) {
    if (opensTemplateArgs(r, r.at)) targs = templateArgs(r);
    if (!accept(r, W.scope) || r.words[r.at] === ending) return { name, targs };
    name += `::${expect(r, isScopedBasic(r) ? W.basic : W.name).text}`;
  }
}

/** `std::size_t` */
function isScopedBasic({ words, tokens, at }: Reader): boolean {
  return words[at] === W.basic && tokens[at].text === 'size_t';
}

function opensTemplateArgs({ words, tokens }: Reader, at: number): boolean {
  return words[at] === W.less && looksLikeTemplateArgs(tokens, at);
}

/** Index behind the qualified name at `at`; `at` where none is. */
export function behindName(r: Reader, at: number): number {
  const { words, tokens } = r;
  let i = words[at] === W.scope ? at + 1 : at;
  for (;;) {
    if (words[i] !== W.name && (words[i] !== W.basic || i === at || tokens[i].text !== 'size_t')) return at;
    i++;
    if (opensTemplateArgs(r, i)) i = templateEnd(tokens, i) + 1;
    if (words[i] !== W.scope) return i;
    i++;
  }
}

export function templateArgs(r: Reader): TypeArg[] {
  const { inTemplate } = r;
  enter(r);
  expect(r, W.less);
  r.inTemplate = true;
  const args: TypeArg[] = [];
  if (r.words[r.at] !== W.greater)
    do {
      args.push(templateArg(r));
      accept(r, W.ellipsis);
    } while (accept(r, W.comma));
  r.inTemplate = inTemplate;
  r.depth--;
  expect(r, W.greater);
  return args;
}

function templateArg(r: Reader): TypeArg {
  if (!startsType(r)) return { value: argument(r) };
  const first = r.tokens[r.at];
  const isName = r.words[r.at] === W.name || r.words[r.at] === W.scope;
  const type = typeId(r);
  // `void(int)`
  if (r.words[r.at] === W.open) {
    skipParentheses(r);
    return { type: { ...type, ...placeFrom(r, first) } };
  }
  // A lone name may be either a type or a value; both readings are kept.
  if (!isName || type.pointers > 0 || type.reference || type.dims.length > 0 || type.quals.length > 0) return { type };
  const value: Expr = { k: 'name', name: type.name, targs: type.targs, ...placeFrom(r, first) };
  return { type, value };
}

/** Whether a template argument is a type, or may be one. */
function startsType(r: Reader): boolean {
  const { words } = r;
  switch (words[r.at]) {
    case W.qualifier:
    case W.aggregate:
    case W.decltype:
    case W.basic:
      return true;
    case W.name:
    case W.scope: {
      let i = behindName(r, r.at);
      if (i === r.at) return false;
      while (words[i] === W.ellipsis) i++;
      while (isPointerPart(words[i])) i++;
      if (words[i] === W.comma || words[i] === W.greater) return true;
      // `function<T(int)>`, `array<T[4]>`
      return (words[i] === W.open || words[i] === W.openSquare) && isType(r, r.at, i);
    }
    default:
      return false;
  }
}

function isPointerPart(word: number): boolean {
  return word === W.times || word === W.and || word === W.andAnd || word === W.qualifier;
}

/** Whether the parenthesis at hand is that of a cast. */
export function opensCast(r: Reader): boolean {
  const { words } = r;
  const at = r.at + 1;
  switch (words[at]) {
    case W.qualifier:
    case W.aggregate:
    case W.decltype:
      return true;
    case W.basic:
      return words[at + 1] !== W.open && words[at + 1] !== W.openBrace;
    case W.name:
    case W.scope:
      break;
    default:
      return false;
  }
  const behind = behindName(r, at);
  if (behind === at) return false;
  let i = behind;
  while (isPointerPart(words[i])) i++;
  if (words[i] !== W.close) return false;
  return i > behind || mayBeCast(r, at, behind);
}

/** `(T)` before what may be an operand: a cast where T is a type, part of an expression where it is not. */
function mayBeCast(r: Reader, name: number, close: number): boolean {
  switch (r.words[close + 1]) {
    case W.name:
    case W.number:
    case W.string:
    case W.char:
    case W.basic:
    case W.sizeof:
    case W.true:
    case W.false:
    case W.null:
    case W.this:
    case W.new:
    case W.scope:
      return true;
    case W.open:
    case W.openBrace:
    case W.minus:
    case W.plus:
    case W.times:
    case W.and:
    case W.andAnd:
    case W.increment:
    case W.decrement:
    case W.not:
    case W.complement:
      return isType(r, name, close);
    default:
      return false;
  }
}

function isType(r: Reader, from: number, to: number): boolean {
  if (to === from + 1) return isTypeName(r.tokens[from].text, r.known);
  let name = '';
  let depth = 0;
  for (let i = from; i < to; i++) {
    if (r.words[i] === W.less) depth++;
    if (depth === 0) name += r.tokens[i].text;
    if (r.words[i] === W.greater) depth--;
  }
  return isTypeName(name, r.known);
}

/** Whether parameters stand in the parenthesis at hand: `f(int a)` against `dim3 grid(n)`. They begin with a type, or are none. */
export function opensParameters(r: Reader): boolean {
  const { words } = r;
  const at = r.at + 1;
  switch (words[at]) {
    case W.close:
    case W.qualifier:
    case W.aggregate:
    case W.decltype:
    case W.ellipsis:
      return true;
    case W.basic:
      return opensWrapped(words, at + 1) || (words[at + 1] !== W.open && words[at + 1] !== W.openBrace);
    case W.name:
    case W.scope:
      break;
    default:
      return false;
  }
  const behind = behindName(r, at);
  const next = words[behind];
  if (next === W.name || next === W.ellipsis || isPointerPart(next) || opensWrapped(words, behind)) return true;
  return (next === W.comma || next === W.close || next === W.assign) && (words[behind - 1] === W.greater || isType(r, at, behind));
}

/** `(&a)[4]`, `(*f)(int)` */
function opensWrapped(words: Uint8Array, at: number): boolean {
  if (words[at] !== W.open || !isPointerPart(words[at + 1]) || words[at + 2] !== W.name || words[at + 3] !== W.close) return false;
  return words[at + 4] === W.openSquare || words[at + 4] === W.open;
}

/**
 * Whether a declaration begins here, rather than an expression. In a condition it has a value; what an `if` or a loop governs without
 * braces is none.
 */
export function startsDeclaration(r: Reader, where: 'block' | 'condition' | 'governed' = 'block'): boolean {
  const { words } = r;
  switch (words[r.at]) {
    case W.qualifier:
    case W.aggregate:
    case W.decltype:
      return true;
    case W.basic:
      return words[r.at + 1] === W.open ? isPointerPart(words[r.at + 2]) : words[r.at + 1] !== W.openBrace;
    case W.name:
    case W.scope:
      if (where === 'governed') return false;
      break;
    default:
      return false;
  }
  const behind = behindName(r, r.at);
  if (behind === r.at) return false;
  switch (words[behind]) {
    case W.name:
    case W.qualifier:
      return true;
    case W.times:
    case W.and:
    case W.andAnd:
      return declaresPointer(words, behind, where === 'condition');
    case W.open:
      return isPointerPart(words[behind + 1]) && words[behind + 3] === W.close && isType(r, r.at, behind);
    default:
      return false;
  }
}

/** `T *p = …` rather than a product. */
function declaresPointer(words: Uint8Array, at: number, hasValue: boolean): boolean {
  let i = at;
  while (isPointerPart(words[i])) i++;
  if (words[i] !== W.name) return false;
  switch (words[i + 1]) {
    case W.assign:
      return true;
    case W.semicolon:
    case W.comma:
    case W.openSquare:
    case W.open:
    case W.openBrace:
    case W.colon:
      return words[at] !== W.andAnd && !hasValue;
    default:
      return false;
  }
}

/** Qualifiers and a type, in any order, with the launch bounds that may stand among a function's. */
export function specifiers(r: Reader, bounds?: Expr[][]): TypeRef {
  const { tokens, words } = r;
  let first = -1;
  const quals: string[] = [];
  let name = '';
  let targs: readonly TypeArg[] | undefined;
  const basics: string[] = [];
  let last = 0;
  for (;;) {
    const word = words[r.at];
    const from = r.at;
    if (word === W.qualifier) quals.push(tokens[r.at++].text);
    else if (word === W.launchBounds && bounds) {
      r.at++;
      bounds.push(list(r, W.open, W.close));
      continue;
    } else if (word === W.basic) {
      if (name !== '' && (basics.length === 0 || !mayJoin(basics, tokens[r.at].text))) decline();
      name = tokens[r.at++].text;
      basics.push(name);
    } else if (name !== '') break;
    else if (word === W.name || word === W.scope) ({ name, targs } = qualifiedName(r));
    else if (word === W.aggregate) {
      quals.push(tokens[r.at++].text);
      if (words[r.at] !== W.name) decline();
      ({ name, targs } = qualifiedName(r));
      if (words[r.at] === W.openBrace || words[r.at] === W.colon) decline();
    } else if (word === W.decltype) {
      r.at++;
      skipParentheses(r);
      name = 'decltype';
    } else decline();
    if (first < 0) first = from;
    last = r.at - 1;
  }
  if (basics.length > 0) name = basicName(basics);
  const { start } = tokens[first];
  return { name, targs, pointers: 0, reference: false, dims: [], quals, start, end: endBetween(tokens[first], tokens[last]) };
}

const BASES = new Set(['int', 'char', 'double', '__int128']);
const SIZES = new Set(['unsigned', 'signed', 'short', 'long']);

/** Whether a word makes one type with those before it: `unsigned long long int`. */
function mayJoin(words: readonly string[], next: string): boolean {
  if (!words.every((word) => SIZES.has(word) || BASES.has(word))) return false;
  return SIZES.has(next) ? next === 'long' || !words.includes(next) : BASES.has(next) && !words.some((word) => BASES.has(word));
}

export function skipParentheses(r: Reader): void {
  expect(r, W.open);
  for (let depth = 1; depth > 0; r.at++) {
    const word = r.words[r.at];
    if (word === W.open) depth++;
    else if (word === W.close) depth--;
    else if (word === W.end) decline();
  }
}

/** A type without a declared name: of a cast, `sizeof`, a template argument. */
export function typeId(r: Reader): TypeRef {
  const first = r.tokens[r.at];
  const base = specifiers(r);
  if (!isPointerPart(r.words[r.at]) && r.words[r.at] !== W.openSquare) return base;
  const { type, name } = declaredType(r, base);
  if (name >= 0) decline();
  return { ...type, ...placeFrom(r, first) };
}

/** What a declarator makes of a type, and the index of the name that it declares, -1 for none. */
interface Declared {
  readonly type: TypeRef;
  readonly name: number;
  /** `T... args`. */
  readonly pack: boolean;
}

export function declaredType(r: Reader, base: TypeRef): Declared {
  const { words } = r;
  // A lone name, as most declarators are.
  if (words[r.at] === W.name && words[r.at + 1] !== W.openSquare && words[r.at + 1] !== W.scope)
    return { type: base, name: r.at++, pack: false };
  const pointing = withPointers(r, base);
  let { reference } = pointing;
  const dims = [...base.dims];
  const pack = accept(r, W.ellipsis);
  let name = -1;
  let pointerToArray = false;
  // `(*a)[4]`, `(&a)[4]`
  if (words[r.at] === W.open && words[r.at + 2] === W.name && words[r.at + 3] === W.close && words[r.at + 4] === W.openSquare) {
    if (words[r.at + 1] === W.times) pointerToArray = true;
    else if (words[r.at + 1] === W.and) reference = true;
    else decline();
    name = r.at + 2;
    r.at += 4;
  } else if (words[r.at] === W.name) {
    name = r.at;
    r.at++;
    while (words[r.at] === W.scope && words[r.at + 1] === W.name) r.at += 2;
  }
  while (accept(r, W.openSquare)) {
    dims.push(words[r.at] === W.closeSquare ? undefined : inBrackets(r, expression));
    expect(r, W.closeSquare);
  }
  const { pointers, quals, start, end } = pointing;
  return { type: { name: base.name, targs: base.targs, pointers, reference, dims, quals, start, end, pointerToArray }, name, pack };
}

/** A type with the `*` and `&` behind it. */
export function withPointers(r: Reader, base: TypeRef): TypeRef {
  const { tokens, words } = r;
  const { name, targs, dims, start } = base;
  const quals = [...base.quals];
  let { pointers, reference, end } = base;
  for (; ; r.at++) {
    const word = words[r.at];
    if (word === W.times && !reference) pointers++;
    else if (word === W.and || word === W.andAnd) reference = true;
    else if (word === W.qualifier && pointers > 0 && !reference) {
      const { text } = tokens[r.at];
      quals.push(text === 'const' ? 'const-pointer' : text);
    } else return { name, targs, pointers, reference, dims, quals, start, end };
    end = Math.max(end, tokens[r.at].end);
  }
}

/** Reads what stands in brackets, where a `>` is an operator again. */
export function inBrackets<T>(r: Reader, read: (r: Reader) => T): T {
  const { inTemplate } = r;
  enter(r);
  r.inTemplate = false;
  const made = read(r);
  r.inTemplate = inTemplate;
  r.depth--;
  return made;
}

/** All declarators of a declaration, up to its semicolon. */
export function declarators(r: Reader, base: TypeRef): Declarator[] {
  const out: Declarator[] = [];
  do out.push(declarator(r, base));
  while (accept(r, W.comma));
  return out;
}

export function declarator(r: Reader, base: TypeRef): Declarator {
  if (base.name === 'auto' && isBinding(r)) return binding(r, base);
  const { tokens, words } = r;
  const from = r.at;
  const d = declaredType(r, base);
  if (d.name < 0 || d.pack) decline();
  const token = tokens[d.name];
  let init: Expr | undefined;
  let args: readonly Expr[] | undefined;
  if (accept(r, W.assign)) init = initializer(r);
  else if (words[r.at] === W.open) args = list(r, W.open, W.close);
  else if (words[r.at] === W.openBrace) args = list(r, W.openBrace, W.closeBrace);
  let name = token.text;
  for (let i = d.name + 1; words[i] === W.scope; i += 2) name += `::${tokens[i + 1].text}`;
  const first = words[from] === W.open ? token : tokens[from];
  const start = Math.min(first.start, token.start);
  const end = Math.max(endBetween(first, tokens[r.at - 1]), token.end);
  return { name, nameStart: token.start, nameEnd: token.end, type: d.type, init, args, start, end };
}

/** `auto [a, b] = …`, `auto &[a, b] = …`. */
function isBinding({ words, at }: Reader): boolean {
  const open = words[at] === W.and || words[at] === W.andAnd ? at + 1 : at;
  return words[open] === W.openSquare;
}

function binding(r: Reader, base: TypeRef): Declarator {
  const first = r.tokens[r.at];
  const reference = accept(r, W.and) || accept(r, W.andAnd);
  const bindings: string[] = [];
  expect(r, W.openSquare);
  do bindings.push(expect(r, W.name).text);
  while (accept(r, W.comma));
  const close = expect(r, W.closeSquare);
  const init = accept(r, W.assign) ? initializer(r) : undefined;
  const type = reference ? { ...base, reference } : base;
  const place = placeFrom(r, first);
  return { name: '', nameStart: place.start, nameEnd: Math.max(place.start, close.end), type, init, bindings, ...place };
}

/** Of a function or a lambda, with their parentheses. */
export function parameters(r: Reader): Param[] {
  const params: Param[] = [];
  expect(r, W.open);
  if (r.words[r.at] !== W.close)
    do if (!accept(r, W.ellipsis)) params.push(inside(r, parameter));
    while (accept(r, W.comma));
  expect(r, W.close);
  return params;
}

export function parameter(r: Reader): Param {
  const first = r.tokens[r.at];
  const base = specifiers(r);
  const { type, name, pack } = declaredType(r, base);
  const init = accept(r, W.assign) ? initializer(r) : undefined;
  const place = placeFrom(r, first);
  return name < 0 ? { type, pack, ...place } : { name: r.tokens[name].text, type, init, pack, ...place };
}

/** A type that is the name between two tokens. */
export function namedType(name: string, targs: readonly TypeArg[] | undefined, first: Token, last: Token): TypeRef {
  return { name, targs, pointers: 0, reference: false, dims: [], quals: [], start: first.start, end: endBetween(first, last) };
}
