/** Where the reader is among an item's tokens, and how it goes on. */
import type { Node } from '../ast.ts';
import { closing } from '../brackets.ts';
import { declaredTypes } from '../declared-types.ts';
import { AGGREGATE, type TypeNames } from '../names.ts';
import type { Token } from '../token.ts';
import { W, wordOf } from './words.ts';

export interface Reader {
  /** Without what is left out: directives, `__attribute__((…))`. */
  readonly tokens: readonly Token[];
  /** What each token is; `end` behind the last. Valid until the next reader is made. */
  readonly words: Uint8Array;
  /** Type names, those that the tokens declare themselves included. */
  readonly known: TypeNames;
  /** Tokens that a `#pragma unroll` stands before. */
  readonly unrolled: ReadonlySet<Token>;
  /** Index of the next token. */
  at: number;
  /** Statements and brackets around. */
  depth: number;
  /** Inside template arguments, whose end a `>` is. */
  inTemplate: boolean;
}

/** Thrown where the tokens are nothing that the reader is sure of. */
export const DECLINED = Symbol('declined');

export function decline(): never {
  throw DECLINED;
}

/** Deeper text is declined before it takes all of the stack. */
const DEEPEST = 100;

/** So far ahead of the next token the reader looks at most. */
const FARTHEST = 8;

let memory = new Uint8Array(4096);

export function readerOf(written: readonly Token[], known: TypeNames): Reader {
  if (memory.length < written.length + FARTHEST) memory = new Uint8Array(2 * (written.length + FARTHEST));
  const words = memory;
  let special = false;
  let declares = false;
  for (let i = 0; i < written.length; i++) {
    const word = wordOf(written[i]);
    words[i] = word;
    if (word >= W.ignored && word <= W.directive) special = true;
    else if (word === W.aggregate || word === W.using || word === W.typedef) declares = true;
    else if (word === W.qualifier && written[i].text === 'typename') declares = true;
  }
  words.fill(W.end, written.length, written.length + FARTHEST);
  const { tokens, unrolled } = special ? withoutSpecial(written, words) : { tokens: written, unrolled: NONE };
  const local = declares ? declaredTypes(tokens) : NO_TYPES;
  const names: TypeNames = local.size === 0 ? known : { has: (name) => local.has(name) || known.has(name) };
  return { tokens, words, known: names, unrolled, at: 0, depth: 0, inTemplate: false };
}

const NONE: ReadonlySet<Token> = new Set();
const NO_TYPES: ReadonlySet<string> = new Set();

function withoutSpecial(written: readonly Token[], words: Uint8Array): Pick<Reader, 'tokens' | 'unrolled'> {
  const tokens: Token[] = [];
  const unrolled = new Set<Token>();
  let unrolls = false;
  for (let i = 0; i < written.length; i++) {
    const word = words[i];
    if (word === W.directive) unrolls = /^#\s*pragma\s+unroll/.test(written[i].text);
    else if (word === W.ignored) unrolls = false;
    else if (word === W.ignoredCall || (word === W.alignment && !isAggregate(written[i - 1]))) {
      // A structure may be packed.
      if (isAggregate(written[i - 1])) decline();
      if (words[i + 1] === W.open) i = closing(written, i + 1);
      unrolls = false;
    } else {
      if (unrolls) unrolled.add(written[i]);
      unrolls = false;
      words[tokens.length] = word;
      tokens.push(written[i]);
    }
  }
  words.fill(W.end, tokens.length, tokens.length + FARTHEST);
  return { tokens, unrolled };
}

function isAggregate(token: Token | undefined): boolean {
  return token !== undefined && AGGREGATE.has(token.text);
}

/** Goes past a token of a kind, or declines. */
export function expect(r: Reader, word: W): Token {
  if (r.words[r.at] !== word) decline();
  return r.tokens[r.at++];
}

/** Goes past a token of a kind where one is next. */
export function accept(r: Reader, word: W): boolean {
  if (r.words[r.at] !== word) return false;
  r.at++;
  return true;
}

/** Goes past parentheses that nobody asks about. */
export function skipParentheses(r: Reader): void {
  expect(r, W.open);
  for (let depth = 1; depth > 0; r.at++) {
    const word = r.words[r.at];
    if (word === W.open) depth++;
    else if (word === W.close) depth--;
    else if (word === W.end) decline();
  }
}

export function enter(r: Reader): void {
  if (++r.depth > DEEPEST) decline();
}

/** Reads what stands inside of something else. */
export function inside<T>(r: Reader, read: (r: Reader) => T): T {
  enter(r);
  const made = read(r);
  r.depth--;
  return made;
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

/** Where what was read last ends. Not before `end`, where what it belongs to ended so far: tokens out of a macro stand where its name does. */
export function endFrom(r: Reader, end: number): number {
  const last = r.tokens[r.at - 1].end;
  return last > end ? last : end;
}

/** What the file says from a token up to the one that was read last. */
export function placeFrom(r: Reader, first: Token): Node {
  return { start: first.start, end: endFrom(r, first.end) };
}

/** Whether the tokens at `i` and `i + 1` are written without a space between them. */
export function joinedAt({ tokens, words }: Reader, i: number, next: W): boolean {
  return words[i + 1] === next && tokens[i].joined;
}
