/** Writes the text that tree-sitter parses, token by token, and notes which token each piece of it stands for. */
import { GRAMMAR_WORDS, type TypeNames } from '../names.ts';
import type { Token, TokenKind } from '../token.ts';

/** Stretches of the text and the tokens that they stand for, in order. */
export interface Pieces {
  /** Indices of tokens. */
  readonly token: readonly number[];
  /** UTF-16 offsets in the text. */
  readonly start: readonly number[];
  readonly end: readonly number[];
}

export interface Writer {
  readonly tokens: readonly Token[];
  readonly known: TypeNames;
  readonly strings: string[];
  readonly pieces: { readonly token: number[]; readonly start: number[]; readonly end: number[] };
  /** Nothing stands in the text that is no token's. */
  isWhole: boolean;
  /** Length of the text so far. */
  at: number;
  readonly unrolled: Set<number>;
  readonly offloaded: Set<number>;
  readonly deviceLambdas: Set<number>;
  readonly wrapped: Map<number, string>;
  readonly newPointers: Map<number, number>;
  readonly renamed: Map<number, string>;
  readonly comparisons: Set<number>;
  readonly signed: Set<number>;
  readonly lateSpecifiers: Set<number>;
  /** Simple statements that stand in code: their first and last pieces, in turn. */
  readonly statements: number[];
  /**
   * The parentheses and braces around: whether a brace opened a function's body or a statement's, where it stands, and the piece that the
   * current statement in it begins with.
   */
  readonly open: { readonly code: boolean; readonly at: number; readonly closer?: string; statement?: number }[];
  /** Parentheses that close what needs none, and are left out. */
  readonly needless: Set<number>;
  /** A sign goes before the next token. */
  sign: boolean;
  /** Index of the parenthesis that closed the head of an `if` or a loop last. */
  headEnd: number;
  /** Index of the parenthesis that closes a statement which lacks its semicolon. */
  unended: number;
  /** The last character of the text so far. */
  lastCode: number;
  /** The current declaration is one of a structure. */
  aggregate: boolean;
}

export function newWriter(tokens: readonly Token[], known: TypeNames): Writer {
  return {
    tokens,
    known,
    strings: [],
    pieces: { token: [], start: [], end: [] },
    isWhole: true,
    at: 0,
    unrolled: new Set(),
    offloaded: new Set(),
    deviceLambdas: new Set(),
    wrapped: new Map(),
    newPointers: new Map(),
    renamed: new Map(),
    comparisons: new Set(),
    signed: new Set(),
    lateSpecifiers: new Set(),
    statements: [],
    open: [],
    needless: new Set(),
    sign: false,
    headEnd: -1,
    unended: -1,
    lastCode: 0,
    aggregate: false,
  };
}

/** The words that mean something to the grammar, and what it spells differently. */
const SPELLING = new Map<string, string>([
  ...[...GRAMMAR_WORDS].map((word): [string, string] => [word, word]),
  ['__inline__', 'inline'],
  ['__inline', 'inline'],
  ['__restrict', '__restrict__'],
  ['__const__', 'const'],
  ['__const', 'const'],
  ['__align__', 'alignas'],
]);

/** What literals hold changes nothing around them, but for raw strings of several lines, and `= 0`, which makes a function pure. */
const LITERAL: Partial<Record<TokenKind, string>> = { number: '1', string: '""', char: "'a'" };

/** All other names are the same to the grammar, and this one is the shortest to read. */
const NAME = 'a';

/** As the grammar knows the token. */
export function respelled({ kind, text }: Token): string {
  return kind === 'name' ? (SPELLING.get(text) ?? NAME) : (LITERAL[kind] ?? text);
}

/** A name that the grammar gives no meaning of its own. */
export function isPlainName(text: string): boolean {
  return !SPELLING.has(text);
}

/** Whether the token was left out. */
export function isLeftOut({ pieces }: Writer, i: number): boolean {
  return pieces.token[pieces.token.length - 1] !== i;
}

export function emit(w: Writer, i: number, spelling = respelled(w.tokens[i])): void {
  const before = w.tokens[i - 1];
  let text = spelling;
  if (w.sign) {
    text = `+${spelling}`;
    w.signed.add(i);
    w.sign = false;
  }
  // `>>`, `>=`, `>>=` and `>>>` are made of several tokens.
  const glued = before?.text === '>' && before.joined && (text === '>' || text === '=');
  if (!glued && w.at > 0 && !standApart(w.lastCode, text.charCodeAt(0))) write(w, ' ');
  w.pieces.token.push(i);
  w.pieces.start.push(w.at);
  write(w, text);
  w.pieces.end.push(w.at);
}

/** Text that is no token's. */
export function insert(w: Writer, text: string): void {
  w.isWhole = false;
  write(w, text);
}

function write(w: Writer, text: string): void {
  w.strings.push(text);
  w.at += text.length;
  w.lastCode = text.charCodeAt(text.length - 1);
}

/** Brackets, commas and semicolons are no part of longer tokens. */
const ALONE = flags('(){};,');
const WORD = flags('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$"\'.');
const DOT = 46;
const ONE = 49;
const PLUS = 43;
const MINUS = 45;
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
  const isBracket = (code: number) => code === SQUARE_OPEN || code === SQUARE_CLOSE;
  if (isBracket(last) || isBracket(first)) return last !== first;
  if (last === DOT || first === DOT) return false;
  // For the grammar a number may begin with a sign.
  if (first === ONE && (last === PLUS || last === MINUS)) return false;
  return WORD[last] !== WORD[first] && first < 128 && last < 128;
}
