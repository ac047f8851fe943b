/**
 * From an item's expanded tokens to the text that tree-sitter parses, and back from places in that text to tokens. The grammar knows no
 * names, so all that it gives no meaning of its own are written alike, and spellings are changed where names decide what is meant:
 * `(T)-x` with a type T becomes `(int)-x`, the `<` of a comparison that could open template arguments becomes `<=`, and `f(a);` among
 * statements becomes `+f(a);`, which declares nothing.
 */
import { closing, looksLikeTemplateArgs, opening, templateEnd } from '../brackets.ts';
import { declaredTypes } from '../declared-types.ts';
import {
  AGGREGATE,
  ALIGNMENT,
  IGNORED_CALLS,
  IGNORED_WORDS,
  isBasicType,
  isQualifier,
  isTypeName,
  OPERATOR_WORDS,
  type TypeNames,
} from '../names.ts';
import type { Token } from '../token.ts';
import { beginsStatement, operandMayStart, parenthesis } from './ambiguities.ts';
import { emit, insert, isLeftOut, isPlainName, newWriter, type Pieces, type Writer } from './writer.ts';

export interface Layout {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly pieces: Pieces;
  /** Nothing stands in the text that is no token's. */
  readonly isWhole: boolean;
  /** Simple statements that stand in code: their first and last pieces, in turn. */
  readonly statements: readonly number[];
  /** What the pieces are of statements that read like others, where they were folded (repeats.ts). */
  readonly marks?: Int32Array;
  /** Type names, those that the item itself declares included. */
  readonly known: TypeNames;
  /** Tokens that a `#pragma unroll` stands before. */
  readonly unrolled: ReadonlySet<number>;
  /** Tokens that begin a statement which a pragma sends to a device. */
  readonly offloaded: ReadonlySet<number>;
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
  /** Tokens with a sign before them that nobody wrote. */
  readonly signed: ReadonlySet<number>;
  /** `friend` and `explicit` behind other specifiers, which are not in the text. */
  readonly lateSpecifiers: ReadonlySet<number>;
}

export function layOut(tokens: readonly Token[], known: TypeNames): Layout {
  const local = declaredTypes(tokens);
  const names: TypeNames = local.size === 0 ? known : { has: (name) => local.has(name) || known.has(name) };
  const w = newWriter(tokens, names);
  for (let i = 0; i < tokens.length; ) i = write(w, i);
  closeOpen(w);
  const { strings, ...layout } = w;
  return { ...layout, text: strings.join('') };
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
    if (open[i] === '}' && !/[;{}]$/.test(w.strings[w.strings.length - 1])) insert(w, ' ;');
    insert(w, ` ${open[i]}`);
  }
}

const MOST_CLOSED = 200;

/** Words that are left out, or that change how the text behind them is read. */
const SPECIAL = new Set(['new', 'delete', 'explicit', 'friend', ...IGNORED_CALLS, ...IGNORED_WORDS, ...ALIGNMENT, ...AGGREGATE]);

/** Constructs of OpenACC and OpenMP whose statement runs on a device. */
const OFFLOADING = /^#\s*pragma\s+(acc\s+(parallel|kernels|serial)\b|omp\s+target(?!\s+(data|enter|exit|update))\b)/;

function notePragma({ tokens, unrolled, offloaded }: Writer, i: number): void {
  const { text } = tokens[i];
  let next = i + 1;
  while (tokens[next]?.kind === 'directive') next++;
  if (/^#\s*pragma\s+unroll/.test(text)) unrolled.add(next);
  else if (OFFLOADING.test(text)) offloaded.add(next);
}

/** Writes the token at `i`, or leaves it out; the index of the next. */
function write(w: Writer, i: number): number {
  const { tokens } = w;
  const token = tokens[i];
  if (token.kind === 'directive') {
    notePragma(w, i);
    return i + 1;
  }
  if (token.kind === 'name') return name(w, i);
  if (token.kind !== 'punct') {
    emit(w, i);
    return i + 1;
  }
  switch (token.text) {
    case '{':
      w.open.push({ code: opensCode(w, i), at: i, statement: w.pieces.token.length + 1 });
      w.aggregate = false;
      break;
    case '}':
      w.open.pop();
      beginStatement(w);
      w.aggregate = false;
      break;
    case ';':
      endStatement(w);
      w.aggregate = false;
      break;
    case ')': {
      if (w.needless.has(i)) return i + 1;
      const open = w.open.pop();
      if (open && HEADED.has(tokens[open.at - 1]?.text)) w.headEnd = i;
      emit(w, i, open?.closer);
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
    case '*':
      emit(w, i);
      // `T * = nullptr` has no name, but for the grammar it needs one.
      if (tokens[i + 1]?.text === '=') insert(w, ' unnamed');
      return i + 1;
    default:
  }
  emit(w, i);
  return i + 1;
}

/** Behind the bracket or semicolon that is to be written next. */
function beginStatement(w: Writer): void {
  const around = w.open[w.open.length - 1];
  if (around) around.statement = w.pieces.token.length + 1;
}

/** Before its semicolon is written. One that has others inside (in a lambda) is not simple. */
function endStatement(w: Writer): void {
  const around = w.open[w.open.length - 1];
  if (around?.code && around.statement !== undefined && around.statement > (w.statements[w.statements.length - 1] ?? -1))
    w.statements.push(around.statement, w.pieces.token.length);
  beginStatement(w);
}

function name(w: Writer, i: number): number {
  const { tokens } = w;
  const { text } = tokens[i];
  if (SPECIAL.has(text)) return special(w, i);
  if (isForeignWord(w, i)) return i + 1;
  if (!isPlainName(text)) emit(w, i);
  else if (isPartOfString(tokens, i)) emit(w, i, '""');
  else {
    const isFirst = beginsStatement(w, i);
    if (isFirst && declaresPointer(w, i)) {
      w.renamed.set(i, text);
      emit(w, i, 'int');
      return i + 1;
    }
    if (isFirst && w.open[w.open.length - 1]?.code) w.sign = isCall(w, i);
    emit(w, i);
  }
  return i + 1;
}

/** `"%" PRIu64 "\n"`: macros from elsewhere, which the grammar expects elsewhere. */
function isPartOfString(tokens: readonly Token[], i: number): boolean {
  if (tokens[i + 1]?.kind === 'string') return true;
  const before = tokens[i - 2]?.text;
  return tokens[i - 1]?.kind === 'string' && before !== 'operator' && before !== 'extern' && tokens[i + 1]?.text !== '(';
}

/** `T *p(a);`, which could be a product. */
function declaresPointer({ tokens, known }: Writer, i: number): boolean {
  let next = i + 1;
  while (tokens[next]?.text === '*') next++;
  return next > i + 1 && tokens[next]?.kind === 'name' && tokens[next + 1]?.text === '(' && isTypeName(tokens[i].text, known);
}

function special(w: Writer, i: number): number {
  const { tokens } = w;
  const { text } = tokens[i];
  const isCall = tokens[i + 1]?.text === '(';
  if (IGNORED_CALLS.has(text)) return isCall ? closing(tokens, i + 1) + 1 : i + 1;
  if (ALIGNMENT.has(text) && isCall && !AGGREGATE.has(tokens[i - 1]?.text ?? '')) return closing(tokens, i + 1) + 1;
  if (IGNORED_WORDS.has(text) || isForeignWord(w, i)) return i + 1;
  if (text === 'new') return newExpression(w, i);
  if (text === 'explicit' || text === 'friend') return lateSpecifier(w, i);
  if (text === 'delete') return deleteExpression(w, i);
  if (AGGREGATE.has(text) && tokens[i - 1]?.text !== '<' && tokens[i - 1]?.text !== ',') w.aggregate = true;
  emit(w, i);
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

/** Whether `f(…);` begins here, a call rather than a declaration. */
function isCall(w: Writer, first: number): boolean {
  const { tokens, known } = w;
  let i = first;
  let name = tokens[i].text;
  while (tokens[i + 1]?.text === '::' && tokens[i + 2]?.kind === 'name') {
    i += 2;
    name += `::${tokens[i].text}`;
  }
  if (isTypeName(name, known)) return false;
  if (tokens[i + 1]?.text === '<' && looksLikeTemplateArgs(tokens, i + 1)) i = templateEnd(tokens, i + 1);
  if (tokens[i + 1]?.text !== '(') return false;
  const close = closing(tokens, i + 1);
  const next = tokens[close + 1];
  if (next?.text === ';') return true;
  // `CHECK(f(a))` with a macro from elsewhere, and no semicolon.
  if (i !== first || !next || (next.text !== '}' && (next.kind !== 'name' || OPERATOR_WORDS.has(next.text)))) return false;
  w.unended = close;
  return true;
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
  const behindOther = i > 0 && isLeftOut(w, i - 1);
  if (![';', '}', '{', '>', '"C"'].includes(before) && !behindOther && !isQualifier(before)) return false;
  return isBasicType(next.text) || isQualifier(next.text) || tokens[i + 2]?.kind === 'name' || isTypeName(next.text, known);
}

/** `new float*[n]`: the grammar has no pointers there. */
function newExpression(w: Writer, i: number): number {
  const { tokens } = w;
  emit(w, i);
  let next = i + 1;
  if (tokens[next]?.text === '(') return next;
  while (tokens[next]?.kind === 'name' || tokens[next]?.text === '::') next++;
  if (tokens[next]?.text === '<' && looksLikeTemplateArgs(tokens, next)) next = templateEnd(tokens, next) + 1;
  const first = next;
  while (tokens[next]?.text === '*') next++;
  if (next === first) return i + 1;
  w.newPointers.set(i, next - first);
  for (let k = i + 1; k < first; k++) if (!isQualifier(tokens[k].text)) emit(w, k);
  return next;
}

/** `inline friend` and `constexpr explicit`: the grammar has these words in front only. */
function lateSpecifier(w: Writer, i: number): number {
  if (!isQualifier(w.tokens[i - 1]?.text ?? '')) {
    emit(w, i);
    return i + 1;
  }
  w.lateSpecifiers.add(i);
  return i + 1;
}

/** `delete[] (p)` reads as a lambda. */
function deleteExpression(w: Writer, i: number): number {
  const { tokens } = w;
  emit(w, i);
  if (tokens[i + 1]?.text !== '[' || tokens[i + 2]?.text !== ']' || tokens[i + 3]?.text !== '(') return i + 1;
  emit(w, i + 1);
  emit(w, i + 2);
  w.sign = true;
  return i + 3;
}

/** `[=] __device__ (int i) { … }`: the grammar expects parameters or the body directly behind the captures. */
function lambdaHead(w: Writer, i: number): number {
  const { tokens } = w;
  emit(w, i);
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
