/** What begins at the tokens at hand, found by looking at a few of them. */
import { looksLikeTemplateArgs, templateEnd } from '../brackets.ts';
import { isTypeName } from '../names.ts';
import type { Reader } from './reader.ts';
import { W } from './words.ts';

/**
 * Whether a declaration begins here, rather than an expression. In a condition it has a value; what an `if` or a loop governs without
 * braces is none.
 */
export function startsDeclaration(r: Reader, where: 'block' | 'condition' | 'governed' = 'block'): boolean {
  const { words } = r;
  const start = startAt(words, r.at);
  // `int(*a)[4]`
  if (start === 'value') return words[r.at + 1] === W.open && isPointerOrQualifier(words[r.at + 2]);
  if (start !== 'name') return start === 'type';
  const behind = where === 'governed' ? r.at : behindName(r, r.at);
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
      return isPointerOrQualifier(words[behind + 1]) && words[behind + 3] === W.close && isType(r, r.at, behind);
    default:
      return false;
  }
}

/** `T *p = …` rather than a product. */
function declaresPointer(words: Uint8Array, at: number, hasValue: boolean): boolean {
  const name = behindPointers(words, at);
  if (words[name] !== W.name) return false;
  switch (words[name + 1]) {
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

/** Whether a structure with a body begins here, with qualifiers before it or without. */
export function opensStructure(r: Reader): boolean {
  const { words } = r;
  let i = r.at;
  while (words[i] === W.qualifier) i++;
  if (words[i] !== W.aggregate) return false;
  while (words[i] === W.aggregate) i++;
  if (words[i] === W.alignment) return true;
  i = behindName(r, i);
  return words[i] === W.openBrace || words[i] === W.colon || words[i] === W.foreign;
}

/** Whether parameters stand in the parenthesis at hand: `f(int a)` against `dim3 grid(n)`. They begin with a type, or are none. */
export function opensParameters(r: Reader): boolean {
  const { words } = r;
  const at = r.at + 1;
  if (words[at] === W.close || words[at] === W.ellipsis) return true;
  const start = startAt(words, at);
  if (start === 'value') return opensWrapped(words, at + 1);
  if (start !== 'name') return start === 'type';
  const behind = behindName(r, at);
  const next = words[behind];
  if (next === W.name || next === W.ellipsis || isPointerOrQualifier(next) || opensWrapped(words, behind)) return true;
  return (next === W.comma || next === W.close || next === W.assign) && (words[behind - 1] === W.greater || isType(r, at, behind));
}

/** `(&a)[4]`, `(*f)(int)` */
function opensWrapped(words: Uint8Array, at: number): boolean {
  if (words[at] !== W.open || !isPointerOrQualifier(words[at + 1]) || words[at + 2] !== W.name || words[at + 3] !== W.close) return false;
  return words[at + 4] === W.openSquare || words[at + 4] === W.open;
}

/** Whether the parenthesis at hand is that of a cast. */
export function opensCast(r: Reader): boolean {
  const { words } = r;
  const at = r.at + 1;
  const start = startAt(words, at);
  if (start !== 'name') return start === 'type';
  const behind = behindName(r, at);
  if (behind === at) return false;
  const close = behindPointers(words, behind);
  if (words[close] !== W.close) return false;
  return close > behind || mayBeCast(r, at, behind);
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

/** Whether a template argument is a type, or may be one. */
export function startsTypeArg(r: Reader): boolean {
  const { words } = r;
  const start = startAt(words, r.at);
  if (start !== 'name') return start !== undefined;
  let i = behindName(r, r.at);
  if (i === r.at) return false;
  while (words[i] === W.ellipsis) i++;
  i = behindPointers(words, i);
  if (words[i] === W.comma || words[i] === W.greater) return true;
  // `function<T(int)>`, `array<T[4]>`
  return (words[i] === W.open || words[i] === W.openSquare) && isType(r, r.at, i);
}

/** What the word at `at` begins: a type for sure, most likely a value (`int(…)`, `int{…}`), what a name stands for; undefined for anything else. */
function startAt(words: Uint8Array, at: number): 'type' | 'value' | 'name' | undefined {
  switch (words[at]) {
    case W.qualifier:
    case W.aggregate:
    case W.decltype:
      return 'type';
    case W.basic:
      return words[at + 1] === W.open || words[at + 1] === W.openBrace ? 'value' : 'type';
    case W.name:
    case W.scope:
      return 'name';
    default:
      return undefined;
  }
}

/** Whether a word may stand between a type and the name that is declared. */
export function isPointerOrQualifier(word: number): boolean {
  return word === W.times || word === W.and || word === W.andAnd || word === W.qualifier;
}

function behindPointers(words: Uint8Array, at: number): number {
  let i = at;
  while (isPointerOrQualifier(words[i])) i++;
  return i;
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

export function opensTemplateArgs({ words, tokens }: Reader, at: number): boolean {
  return words[at] === W.less && looksLikeTemplateArgs(tokens, at);
}
