/**
 * Parentheses that the grammar, which knows no names, would read in another way than the compiler: casts, sums, declarations with
 * arguments.
 */
import { closing, looksLikeTemplateArgs, templateEnd } from '../brackets.ts';
import { isBasicType, isQualifier, isTypeName } from '../names.ts';
import type { Token } from '../token.ts';
import { emit, isPlainName, type Writer } from './writer.ts';

/** Keywords that an operand follows; any other name before a parenthesis makes it a call. */
const BEFORE_OPERAND = new Set(['return', 'case', 'else', 'do', 'throw', 'co_return', 'co_yield']);

/** Writes the parenthesis at `i` and what has to change behind it; the index of the next token. */
export function parenthesis(w: Writer, i: number): number {
  const { tokens, known } = w;
  const needless = needlessUntil(w, i);
  if (needless !== undefined) {
    w.needless.add(needless);
    return i + 1;
  }
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
    emit(w, i + 2);
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
  if (initializesPointer(w, i)) {
    w.open.push({ code: false, at: i, closer: '}' });
    emit(w, i, '{');
    return i + 1;
  }
  if (mayDeclare(w, i)) return signed(w, i);
  emitOpening(w, i);
  return i + 1;
}

/** What a macro's parentheses around an argument keep apart, unless it is one operand by itself: `((x) << 32 - (7))`. */
const BEFORE_NEEDLESS = new Set(['+', '-', '*', '/', '%', '^', '|', '<<', '=', '==', '!=', '<=', '>=', '&&', '||', '?', '[', '(']);
const BEHIND_NEEDLESS = new Set([
  '+',
  '-',
  '*',
  '/',
  '%',
  '^',
  '|',
  '&',
  '<<',
  '>',
  ')',
  ']',
  ';',
  '?',
  '==',
  '!=',
  '<=',
  '>=',
  '&&',
  '||',
]);

/**
 * Where the parenthesis at `i` closes, if it came out of a macro and means nothing: `(7)`, `(a)`, `(a[i])` between operators. Half of the
 * tokens of some files are such, and tree-sitter need not see them.
 */
function needlessUntil(w: Writer, i: number): number | undefined {
  const { tokens, known } = w;
  const [outer, before, first] = [tokens[i - 2], tokens[i - 1], tokens[i + 1]];
  if (!tokens[i].expanded || before?.kind !== 'punct' || !(BEFORE_NEEDLESS.has(before.text) || endsShift(w, i - 1))) return undefined;
  const isOperand = first?.kind === 'number' || (first?.kind === 'name' && isPlainName(first.text) && !isTypeName(first.text, known));
  if (!isOperand) return undefined;
  let close = i + 2;
  while (tokens[close]?.text === '[') close = closing(tokens, close) + 1;
  const behind = tokens[close + 1];
  if (tokens[close]?.text !== ')' || behind?.kind !== 'punct' || !BEHIND_NEEDLESS.has(behind.text)) return undefined;
  // Arguments that stand in parentheses declare no function, and `(a * (b))` can be a type.
  if (before.text === '(' && (outer?.kind !== 'punct' || behind.text === '*' || behind.text === '&')) return undefined;
  return close;
}

/** Whether the `>` here is the second one of `a >> b`, and not the end of a launch's configuration or of template arguments. */
function endsShift(w: Writer, i: number): boolean {
  const [outer, before, last] = [w.tokens[i - 2], w.tokens[i - 1], w.tokens[i]];
  return last.text === '>' && before?.text === '>' && before.joined && outer?.text !== '>' && !closesTemplateArgs(w, i);
}

function emitOpening(w: Writer, i: number): void {
  w.open.push({ code: false, at: i });
  emit(w, i);
}

/** `(a) + b` is a sum: behind a sign no type can stand. */
function signed(w: Writer, i: number): number {
  emitOpening(w, i);
  w.sign = true;
  return i + 1;
}

/** `dim3 grid(n, m)` could declare a function, if its first argument does not begin with a sign. */
function mayDeclare(w: Writer, i: number): boolean {
  if (!inCode(w)) return false;
  const { tokens, known } = w;
  const [type, name, first, second, third] = [i - 2, i - 1, i + 1, i + 2, i + 3].map((at) => tokens[at]);
  if (name?.kind !== 'name' || !isPlainName(name.text) || first?.kind !== 'name' || !isPlainName(first.text)) return false;
  const mayBeType = type?.kind === 'name' ? isPlainName(type.text) || isTypeName(type.text, known) : BEHIND_TYPE.has(type?.text ?? '');
  if (!mayBeType || isTypeName(first.text, known) || second?.kind === 'name') return false;
  // `T f(A &);` and `f(a = b)`.
  const isParameter = (second?.text === '*' || second?.text === '&') && (third?.text === ')' || third?.text === ',');
  return !isParameter && !ASSIGNMENT.test(second?.text ?? '');
}

/** `T *p(a + b);`: behind pointers, the grammar knows only braces. */
function initializesPointer(w: Writer, i: number): boolean {
  const { tokens, known } = w;
  const [name, first] = [tokens[i - 1], tokens[i + 1]];
  if (name?.kind !== 'name' || !isPlainName(name.text) || !first || first.text === ')') return false;
  if (isTypeName(first.text, known) || isQualifier(first.text)) return false;
  let at = i - 2;
  while (tokens[at]?.text === '*' || tokens[at]?.text === 'const') at--;
  if (tokens[at + 1].text !== '*' || !isTypeName(tokens[at]?.text ?? '', known)) return false;
  while (at > 0 && (isBasicType(tokens[at - 1].text) || isQualifier(tokens[at - 1].text))) at--;
  return inCode(w) && beginsStatement(w, at);
}

function inCode({ tokens, open }: Writer): boolean {
  const around = open[open.length - 1];
  return around !== undefined && (around.code || startsFor(tokens, around.at));
}

export function beginsStatement(w: Writer, i: number): boolean {
  let last = i - 1;
  while (last >= 0 && w.tokens[last].kind === 'directive') last--;
  const before = w.tokens[last]?.text;
  return (
    before === ';' ||
    before === '{' ||
    before === '}' ||
    startsFor(w.tokens, last) ||
    last === w.headEnd ||
    last === w.unended ||
    before === 'else' ||
    before === 'do'
  );
}

function startsFor(tokens: readonly Token[], i: number): boolean {
  return tokens[i]?.text === '(' && tokens[i - 1]?.text === 'for';
}

const BEHIND_TYPE = new Set(['&', '>']);
const ASSIGNMENT = /^(|[-+*/%&|^]|<<|>>)=$/;

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
export function operandMayStart(w: Writer, open: number): boolean {
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
