/**
 * From an item's expanded tokens to the text that tree-sitter parses, and back from offsets in that text to tokens. The grammar knows
 * no names, so a few spellings are changed on the way where names decide what is meant: `(T)-x` with a type T becomes `(int)-x`, the
 * `<` of a comparison that could open template arguments becomes `<=`. Others are changed because the grammar would follow several
 * readings for long: `f(a, b);` among statements becomes `+f(a, b);`, which is no declaration, and takes half the time. Names are one
 * letter and literals empty, since only the tokens keep what was written.
 */

import { closing, looksLikeTemplateArgs, opening, templateEnd } from '../brackets.ts';
import { declaredTypes } from '../declared-types.ts';
import {
  AGGREGATE,
  ALIGNMENT,
  GRAMMAR_WORDS,
  IGNORED_CALLS,
  IGNORED_WORDS,
  isBasicType,
  isQualifier,
  isTypeName,
  OPERATOR_WORDS,
  type TypeNames,
} from '../names.ts';
import type { Token, TokenKind } from '../token.ts';

export interface Layout {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** By offset in the text: index of the token that starts (ends) there, plus one; 0 where none does. Valid until the next layout. */
  readonly startsAt: Int32Array;
  readonly endsAt: Int32Array;
  /** Type names, those that the item itself declares included. */
  readonly known: TypeNames;
  /** Tokens that a `#pragma unroll` stands before. */
  readonly unrolled: ReadonlySet<number>;
  /** `[` of lambdas with `__device__`. */
  readonly deviceLambdas: ReadonlySet<number>;
  /** Names declared as `(*name)[…]` or `(&name)[…]`. */
  readonly wrapped: ReadonlyMap<number, string>;
  /** `new` with as many `*` behind its type: `new float*[n]`. */
  readonly newPointers: ReadonlyMap<number, number>;
  /** Type names that stand in the text as `int`. */
  readonly renamed: ReadonlyMap<number, string>;
  /** `<` that stand in the text as `<=`. */
  readonly comparisons: ReadonlySet<number>;
}

/** Zeroed numbers, from memory that all layouts use in turn: each is converted before the next is made. */
function scratch(of: { memory: Int32Array }, length: number): Int32Array {
  if (of.memory.length < length) of.memory = new Int32Array(2 * length);
  else of.memory.fill(0, 0, length);
  return of.memory;
}

const STARTS = { memory: new Int32Array(4096) };
const ENDS = { memory: new Int32Array(4096) };
const STARTS_AT = { memory: new Int32Array(16384) };
const ENDS_AT = { memory: new Int32Array(16384) };

export function layOut(tokens: readonly Token[], known: TypeNames): Layout {
  const local = declaredTypes(tokens);
  const names: TypeNames = local.size === 0 ? known : { has: (name) => local.has(name) || known.has(name) };
  const w: Writer = {
    tokens,
    known: names,
    pieces: [],
    at: 0,
    starts: scratch(STARTS, tokens.length),
    ends: scratch(ENDS, tokens.length),
    unrolled: new Set(),
    deviceLambdas: new Set(),
    wrapped: new Map(),
    newPointers: new Map(),
    renamed: new Map(),
    comparisons: new Set(),
    open: [],
    headEnd: -1,
    unended: -1,
    lastCode: 0,
    aggregate: false,
  };
  for (let i = 0; i < tokens.length; ) i = write(w, i);
  closeOpen(w);
  const text = w.pieces.join('');
  const startsAt = scratch(STARTS_AT, text.length + 1);
  const endsAt = scratch(ENDS_AT, text.length + 1);
  for (let i = 0; i < tokens.length; i++) {
    if (w.ends[i] === 0) continue;
    startsAt[w.starts[i]] = i + 1;
    endsAt[w.ends[i]] = i + 1;
  }
  const { unrolled, deviceLambdas, wrapped, newPointers, renamed, comparisons } = w;
  return {
    text,
    tokens,
    startsAt,
    endsAt,
    known: names,
    unrolled,
    deviceLambdas,
    wrapped,
    newPointers,
    renamed,
    comparisons,
  };
}

interface Writer {
  readonly tokens: readonly Token[];
  readonly known: TypeNames;
  readonly pieces: string[];
  at: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly unrolled: Set<number>;
  readonly deviceLambdas: Set<number>;
  readonly wrapped: Map<number, string>;
  readonly newPointers: Map<number, number>;
  readonly renamed: Map<number, string>;
  readonly comparisons: Set<number>;
  /** The parentheses and braces around: whether a brace opened a function's body or a statement's, and where a parenthesis opened. */
  readonly open: { readonly code: boolean; readonly at: number }[];
  /** Index of the parenthesis that closed the head of an `if` or a loop last. */
  headEnd: number;
  /** Index of the parenthesis that closes a statement which lacks its semicolon. */
  unended: number;
  /** The last character of the text so far. */
  lastCode: number;
  /** The current declaration is one of a structure. */
  aggregate: boolean;
}

const CLOSER = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** Half-typed text lacks its closing brackets, without which the grammar finds no function at all. */
function closeOpen(w: Writer): void {
  const open: string[] = [];
  for (const { kind, text } of w.tokens) {
    if (kind !== 'punct') continue;
    const closer = CLOSER.get(text);
    if (closer) open.push(closer);
    else if (text === ')' || text === ']' || text === '}') {
      const at = open.lastIndexOf(text);
      if (at >= 0) open.length = at;
    }
  }
  if (open.length === 0 || open.length > MOST_CLOSED) return;
  for (let i = open.length - 1; i >= 0; i--) {
    if (open[i] === '}' && !/[;{}]$/.test(w.pieces[w.pieces.length - 1])) w.pieces.push(' ;');
    w.pieces.push(` ${open[i]}`);
  }
}

const MOST_CLOSED = 200;

/** Any name that is none of the grammar's words. */
const SOME_NAME = 'a';

/** What the grammar spells differently, and words of its own. */
const SPELLING = new Map<string, string>([
  ['__inline__', 'inline'],
  ['__inline', 'inline'],
  ['__restrict', '__restrict__'],
  ['__const__', 'const'],
  ['__const', 'const'],
  ['__align__', 'alignas'],
]);
for (const word of GRAMMAR_WORDS) if (!SPELLING.has(word)) SPELLING.set(word, word);

/** Words that are left out, or that change how the text behind them is read. */
const SPECIAL = new Set(['new', ...IGNORED_CALLS, ...IGNORED_WORDS, ...ALIGNMENT, ...AGGREGATE]);

const LITERAL: Partial<Record<TokenKind, string>> = { number: '1', string: '""', char: "'a'" };

function respelled({ kind, text }: Token): string {
  return kind === 'name' ? (SPELLING.get(text) ?? SOME_NAME) : (LITERAL[kind] ?? text);
}

/** Writes the token at `i`, or leaves it out; the index of the next. */
function write(w: Writer, i: number): number {
  const { tokens } = w;
  const token = tokens[i];
  if (token.kind === 'directive') {
    if (/^#\s*pragma\s+unroll/.test(token.text)) w.unrolled.add(i + 1);
    return i + 1;
  }
  if (token.kind === 'name') {
    if (SPECIAL.has(token.text)) return special(w, i);
    if (isForeignWord(w, i)) return i + 1;
    const word = respelled(token);
    const startsExpression = word === SOME_NAME && w.open[w.open.length - 1]?.code && beginsStatement(w, i);
    emit(w, i, startsExpression ? leadOf(w, i) + word : word);
    return i + 1;
  }
  if (token.kind !== 'punct') {
    emit(w, i, respelled(token));
    return i + 1;
  }
  switch (token.text) {
    case '{':
      w.open.push({ code: opensCode(w, i), at: i });
      w.aggregate = false;
      break;
    case '}':
      w.open.pop();
      w.aggregate = false;
      break;
    case ';':
      w.aggregate = false;
      break;
    case ')': {
      const open = w.open.pop();
      if (open && HEADED.has(tokens[open.at - 1]?.text)) w.headEnd = i;
      emit(w, i, ')');
      if (i === w.unended) insert(w, ';');
      return i + 1;
    }
    case '[':
      if (token.joined && tokens[i + 1]?.text === '[') return closing(tokens, i) + 1;
      break;
    case ']':
      return lambdaHead(w, i);
    case '(':
      return parenthesis(w, i);
    case '<':
      if (tokens[i - 1]?.kind === 'name' && !/^(template|operator)$/.test(tokens[i - 1].text) && !looksLikeTemplateArgs(tokens, i)) {
        w.comparisons.add(i);
        emit(w, i, '<=');
        return i + 1;
      }
      break;
    default:
  }
  emit(w, i, token.text);
  return i + 1;
}

function special(w: Writer, i: number): number {
  const { tokens } = w;
  const { text } = tokens[i];
  const isCall = tokens[i + 1]?.text === '(';
  if (IGNORED_CALLS.has(text)) return isCall ? closing(tokens, i + 1) + 1 : i + 1;
  if (ALIGNMENT.has(text) && isCall && !AGGREGATE.has(tokens[i - 1]?.text ?? '')) return closing(tokens, i + 1) + 1;
  if (IGNORED_WORDS.has(text) || isForeignWord(w, i)) return i + 1;
  if (text === 'new') return newExpression(w, i);
  if (AGGREGATE.has(text) && tokens[i - 1]?.text !== '<' && tokens[i - 1]?.text !== ',') w.aggregate = true;
  emit(w, i, respelled(tokens[i]));
  return i + 1;
}

/** Statements that begin with a parenthesis. */
const HEADED: ReadonlySet<string | undefined> = new Set(['if', 'for', 'while', 'switch', 'constexpr']);
const BEFORE_BODY = new Set(['else', 'do', 'try', 'const', 'noexcept', 'override']);

/** Whether statements stand in the braces that open here, rather than members or values. */
function opensCode(w: Writer, i: number): boolean {
  const before = w.tokens[i - 1]?.text ?? '';
  if (before === ')' || BEFORE_BODY.has(before)) return !w.aggregate;
  return [';', '{', '}', ':'].includes(before) && w.open[w.open.length - 1]?.code === true;
}

function beginsStatement(w: Writer, i: number): boolean {
  let last = i - 1;
  while (last >= 0 && w.tokens[last].kind === 'directive') last--;
  const before = w.tokens[last]?.text;
  return (
    before === ';' || before === '{' || before === '}' || last === w.headEnd || last === w.unended || before === 'else' || before === 'do'
  );
}

/** What no declaration begins with, for `f(…);` and `a[…]…;`. */
function leadOf(w: Writer, first: number): string {
  const { tokens, known } = w;
  let i = first;
  let name = tokens[i].text;
  while (tokens[i + 1]?.text === '::' && tokens[i + 2]?.kind === 'name') {
    i += 2;
    name += `::${tokens[i].text}`;
  }
  if (isTypeName(name, known)) return '';
  if (tokens[i + 1]?.text === '[') return tokens[i + 1].joined && tokens[i + 2]?.text === '[' ? '' : 'return ';
  if (tokens[i + 1]?.text === '<' && looksLikeTemplateArgs(tokens, i + 1)) i = templateEnd(tokens, i + 1);
  if (tokens[i + 1]?.text !== '(') return '';
  const close = closing(tokens, i + 1);
  const next = tokens[close + 1];
  if (next?.text === ';') return '+';
  // `CHECK(f(a))` with a macro from elsewhere, and no semicolon.
  if (i !== first || !next || (next.text !== '}' && (next.kind !== 'name' || OPERATOR_WORDS.has(next.text)))) return '';
  w.unended = close;
  return '+';
}

/** A character that is no token's. */
function insert(w: Writer, character: string): void {
  w.pieces.push(character);
  w.at++;
  w.lastCode = character.charCodeAt(0);
}

/** Brackets, commas and semicolons are no part of longer tokens. */
const ALONE = flags('(){};,');
const WORD = flags('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"\'');
const PLUS = 43;
const MINUS = 45;
const ONE = 49;
const DOT = 46;
const SQUARE_OPEN = 91;
const SQUARE_CLOSE = 93;

function flags(characters: string): Uint8Array {
  const out = new Uint8Array(128);
  for (const c of characters) out[c.charCodeAt(0)] = 1;
  return out;
}

/** Whether a token that ends with one character and a token that begins with another stay two without a space between them. */
function standApart(last: number, first: number): boolean {
  if (ALONE[last] === 1 || ALONE[first] === 1) return true;
  if (WORD[last] === 1) return WORD[first] === 0 && (last !== ONE || first !== DOT);
  // A sign and a number become one for the grammar.
  if (WORD[first] === 1) return first !== ONE || (last !== DOT && last !== PLUS && last !== MINUS);
  return last === SQUARE_OPEN ? first !== SQUARE_OPEN : first === SQUARE_OPEN || (last === SQUARE_CLOSE) !== (first === SQUARE_CLOSE);
}

function emit(w: Writer, i: number, text: string): void {
  const before = w.tokens[i - 1];
  // `>>`, `>=`, `>>=` and `>>>` are made of several tokens.
  const glued = before?.text === '>' && before.joined && (text === '>' || text === '=');
  const code = text.charCodeAt(0);
  if (!glued && w.at > 0 && !standApart(w.lastCode, code)) {
    w.pieces.push(' ');
    w.at++;
  }
  w.starts[i] = w.at;
  w.pieces.push(text);
  w.at += text.length;
  w.ends[i] = w.at;
  w.lastCode = text.charCodeAt(text.length - 1);
}

/**
 * A word that no declaration has room for, like a header's macro for `__device__`: `DEV float f(…)`, `float *RESTRICT p`. Left out.
 */
function isForeignWord(w: Writer, i: number): boolean {
  const { tokens, known } = w;
  const { text } = tokens[i];
  const next = tokens[i + 1];
  if (next?.kind !== 'name' || text !== text.toUpperCase() || text.length < 2 || isTypeName(text, known) || isQualifier(text)) return false;
  const before = tokens[i - 1]?.text ?? ';';
  if (before === '*' || before === '&') return !OPERATOR_WORDS.has(next.text);
  const isLeftOut = i > 0 && w.ends[i - 1] === 0;
  if (![';', '}', '{', '>', '"C"'].includes(before) && !isLeftOut && !isQualifier(before)) return false;
  return isBasicType(next.text) || isQualifier(next.text) || tokens[i + 2]?.kind === 'name' || isTypeName(next.text, known);
}

/** `new float*[n]`: the grammar has no pointers there. */
function newExpression(w: Writer, i: number): number {
  const { tokens } = w;
  emit(w, i, 'new');
  let next = i + 1;
  if (tokens[next]?.text === '(') return next;
  while (tokens[next]?.kind === 'name' || tokens[next]?.text === '::') next++;
  if (tokens[next]?.text === '<' && looksLikeTemplateArgs(tokens, next)) next = templateEnd(tokens, next) + 1;
  const first = next;
  while (tokens[next]?.text === '*') next++;
  if (next === first) return i + 1;
  w.newPointers.set(i, next - first);
  for (let k = i + 1; k < first; k++) if (!isQualifier(tokens[k].text)) emit(w, k, respelled(tokens[k]));
  return next;
}

/** `[=] __device__ (int i) { … }`: the grammar expects parameters or the body directly behind the captures. */
function lambdaHead(w: Writer, i: number): number {
  const { tokens } = w;
  emit(w, i, ']');
  let next = i + 1;
  if (tokens[next]?.kind !== 'name') return next;
  let device = false;
  for (; tokens[next]?.kind === 'name'; next++) if (tokens[next].text === '__device__') device = true;
  const open = opening(tokens, i);
  const isLambda = (tokens[next]?.text === '(' || tokens[next]?.text === '{') && operandMayStart(w, open);
  if (!isLambda || tokens[i + 1].text === 'mutable') return i + 1;
  if (device) w.deviceLambdas.add(open);
  return next;
}

/** Keywords that an operand follows; any other name before a parenthesis makes it a call. */
const BEFORE_OPERAND = new Set(['return', 'case', 'else', 'do', 'throw', 'co_return', 'co_yield']);

function parenthesis(w: Writer, i: number): number {
  const { tokens, known } = w;
  const before = tokens[i - 1];
  const inner = tokens[i + 1];
  // float (*a)[4], int (&r)[N]
  if (
    (inner?.text === '*' || inner?.text === '&') &&
    tokens[i + 2]?.kind === 'name' &&
    tokens[i + 3]?.text === ')' &&
    tokens[i + 4]?.text === '[' &&
    before?.kind === 'name' &&
    isTypeName(before.text, known)
  ) {
    w.wrapped.set(i + 2, inner.text);
    emit(w, i + 2, SOME_NAME);
    return i + 4;
  }
  const word = loneName(w, i);
  if (word) {
    const isType = isTypeName(word.name, known);
    if (!isType) return signed(w, i);
    if (word.close === word.last + 1 && !isBasicType(word.name.replace(/^__(half|int128)$/, '-'))) {
      emitOpening(w, i);
      w.renamed.set(i + 1, word.name);
      emit(w, i + 1, 'int');
      return word.last + 1;
    }
  }
  // Nor is `(n * (m))` a type.
  const isProduct = inner?.kind === 'name' && (tokens[i + 2]?.text === '*' || tokens[i + 2]?.text === '&') && tokens[i + 3]?.text === '(';
  if (isProduct && !isTypeName(inner.text, known) && operandMayStart(w, i)) return signed(w, i);
  emitOpening(w, i);
  return i + 1;
}

function emitOpening(w: Writer, i: number): void {
  w.open.push({ code: false, at: i });
  emit(w, i, '(');
}

/** `(a) + b` is a sum: behind a sign no type can stand. The sign is no token's, so the converter leaves it out. */
function signed(w: Writer, i: number): number {
  emitOpening(w, i);
  insert(w, '+');
  return i + 1;
}

const CAST_OPERAND = new Set(['-', '+', '*', '&', '(', '++', '--', '!', '~', '&&']);

/** `(T)` and `(ns::T)` before what may be an operand: a cast where T is a type, half of a sum where it is not. */
function loneName(w: Writer, open: number): { name: string; last: number; close: number } | undefined {
  const { tokens } = w;
  if (!operandMayStart(w, open)) return undefined;
  let i = open + 1;
  let name = '';
  while (tokens[i]?.kind === 'name') {
    name += tokens[i].text;
    const isTemplate = tokens[i + 1]?.text === '<' && looksLikeTemplateArgs(tokens, i + 1);
    const after = isTemplate ? templateEnd(tokens, i + 1) + 1 : i + 1;
    if (tokens[after]?.text !== '::') break;
    name += '::';
    i = after + 1;
  }
  if (tokens[i]?.kind !== 'name') return undefined;
  // `(a[i]) * b` and `(f(x)) * b` could be types as well.
  let close = i + 1;
  while (tokens[close]?.text === '[' || tokens[close]?.text === '(') close = closing(tokens, close) + 1;
  if (tokens[close]?.text !== ')') return undefined;
  const operand = tokens[close + 1];
  if (operand?.kind !== 'punct' || !CAST_OPERAND.has(operand.text)) return undefined;
  return { name, last: i, close };
}

/** Whether a parenthesis here opens an operand rather than the arguments of a call or the condition of a statement. */
function operandMayStart(w: Writer, open: number): boolean {
  const { tokens } = w;
  const before = tokens[open - 1];
  if (!before) return true;
  if (before.kind === 'name') return BEFORE_OPERAND.has(before.text);
  if (before.kind !== 'punct' || before.text === ']') return false;
  // Behind another cast.
  if (before.text === ')') return castEnds(tokens, open - 1);
  return before.text !== '>' || !closesTemplateArgs(w, open - 1);
}

/** `(unsigned int)` and the like: only basic types and what may stand beside them. */
function castEnds(tokens: readonly Token[], close: number): boolean {
  let i = close - 1;
  while (i > 0 && (isBasicType(tokens[i].text) || isQualifier(tokens[i].text) || tokens[i].text === '*')) i--;
  return i < close - 1 && tokens[i].text === '(' && isBasicType(tokens[i + 1].text);
}

function closesTemplateArgs(w: Writer, close: number): boolean {
  const { tokens } = w;
  for (let i = close - 1, depth = 1; i >= 0 && i > close - 60; i--) {
    const { text } = tokens[i];
    if (text === ';' || text === '{' || text === '}') return false;
    if (text === '>') depth++;
    if (text === '<') depth--;
    if (depth === 0) return tokens[i - 1]?.kind === 'name' && !w.comparisons.has(i);
  }
  return false;
}
