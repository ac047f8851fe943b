/**
 * Tokens of LLVM's textual IR, one at a time. The lexer knows nothing of the grammar; strings and names come out with their
 * escapes (`\22`) resolved.
 */
import { ParseError } from './parse-error.ts';

export type TokenKind =
  /** A keyword, type name, attribute or the ellipsis. */
  | 'word'
  /** A word, number or string with a colon behind it: a block's label or a field's name in metadata. */
  | 'label'
  /** `%name` and `@name`; `text` is without the sigil. */
  | 'local'
  | 'global'
  | 'number'
  | 'string'
  /** c"...": `text` is raw, see `bytesOf`. */
  | 'bytes'
  /** `!name`, `!12`, and `!"text"` as `metadataString`. A lone `!` is punctuation. */
  | 'metadata'
  | 'metadataString'
  /** `#0`, `#dbg_value`. */
  | 'hash'
  | 'punctuation'
  | 'end';

const SPACE = 1;
const WORD = 2;
const DIGIT = 4;
/** Character classes of the ASCII range. */
const CLASSES = classes();

export class Lexer {
  kind: TokenKind = 'end' as TokenKind;
  /** The token's text without sigils, quotes and the colon of a label. */
  text = '';
  /** Offset of the token's first character. */
  start = 0;
  #position: number;

  constructor(
    readonly source: string,
    position = 0,
    readonly end = source.length,
  ) {
    this.#position = position;
    this.next();
  }

  /** Moves to the next token. */
  next(): void {
    const { source, end } = this;
    let at = this.#position;
    for (;;) {
      const c = source.charCodeAt(at);
      if (c === 59 /* ; */) {
        const lineEnd = source.indexOf('\n', at);
        at = lineEnd < 0 ? end : lineEnd;
      } else if (c < 128 && CLASSES[c] & SPACE) at++;
      else break;
    }
    this.start = at;
    if (at >= end) {
      this.#position = end;
      this.kind = 'end';
      this.text = '';
      return;
    }
    this.#token(at, source.charCodeAt(at));
  }

  /** Goes on behind the line that the token starts on. */
  skipLine(): void {
    const lineEnd = this.source.indexOf('\n', this.start);
    this.#position = lineEnd < 0 ? this.end : lineEnd;
    this.next();
  }

  /** Goes on at an offset. */
  seek(position: number): void {
    this.#position = position;
    this.next();
  }

  at(kind: TokenKind): boolean {
    return this.kind === kind;
  }

  is(text: string): boolean {
    return this.text === text && (this.kind === 'punctuation' || this.kind === 'word');
  }

  /** Consumes a word or punctuation if it is there. */
  accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.error(`expected '${text}'`);
  }

  /** Text of a token of this kind, consumed. */
  take(kind: TokenKind): string {
    if (this.kind !== kind) throw this.error(`expected a ${kind}`);
    const { text } = this;
    this.next();
    return text;
  }

  /** A small natural number: a count, an alignment, an index. */
  takeCount(): number {
    const text = this.take('number');
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < 0) throw this.error(`${text} is not a count`);
    return value;
  }

  /** Behind the bracket that closes the one here. */
  skipBracketed(): void {
    let depth = 0;
    do {
      if (this.kind === 'end') throw this.error('unclosed bracket');
      if (this.kind === 'punctuation') {
        if (this.text === '(' || this.text === '[' || this.text === '{') depth++;
        else if (this.text === ')' || this.text === ']' || this.text === '}') depth--;
      }
      this.next();
    } while (depth > 0);
  }

  /** What to throw where the text at the token is not as it should be. */
  error(message: string): ParseError {
    return new ParseError(this.kind === 'end' ? `${message}, the text ends` : `${message}, found '${this.text}'`, this.line());
  }

  /** 1-based line of the token. */
  line(): number {
    let line = 1;
    for (let at = this.source.indexOf('\n'); at >= 0 && at < this.start; at = this.source.indexOf('\n', at + 1)) line++;
    return line;
  }

  #token(at: number, c: number): void {
    if (c < 128 && CLASSES[c] & WORD) this.#word(at, CLASSES[c] & DIGIT ? 'number' : 'word');
    else if (c === 37 /* % */) this.#sigil(at, 'local', 'local');
    else if (c === 64 /* @ */) this.#sigil(at, 'global', 'global');
    else if (c === 33 /* ! */) this.#sigil(at, 'metadata', 'metadataString');
    else if (c === 35 /* # */) this.#set('hash', at + 1, this.#wordEnd(at + 1));
    else if (c === 34 /* " */) this.#string(at, 'string');
    else this.#set('punctuation', at, at + 1);
  }

  #word(at: number, kind: 'word' | 'number'): void {
    const { source } = this;
    let wordEnd = this.#wordEnd(at);
    if (kind === 'word') {
      const next = source.charCodeAt(at + 1);
      // -1, or u0xFF and its kin.
      if (next >= 48 && next <= 57 && (source.charCodeAt(at) === 45 /* - */ || /^[usf]0x/.test(source.slice(at, at + 3)))) kind = 'number';
      else if (wordEnd === at + 1 && source[at] === 'c' && source[wordEnd] === '"') {
        this.#string(wordEnd, 'bytes');
        return;
      }
    }
    // 1.000000e+00: the sign of the exponent is no word character.
    if (kind === 'number' && source[wordEnd] === '+' && /[eE]/.test(source[wordEnd - 1])) wordEnd = this.#wordEnd(wordEnd + 1);
    const isLabel = source.charCodeAt(wordEnd) === 58 /* : */ && wordEnd < this.end;
    this.#set(isLabel ? 'label' : kind, at, wordEnd);
    if (isLabel) this.#position = wordEnd + 1;
  }

  /** A name behind a sigil, which may be quoted; alone the sigil is punctuation. */
  #sigil(at: number, kind: TokenKind, quotedKind: TokenKind): void {
    if (this.source[at + 1] === '"') {
      this.#string(at + 1, quotedKind);
      return;
    }
    const nameEnd = this.#wordEnd(at + 1);
    if (nameEnd === at + 1) this.#set('punctuation', at, at + 1);
    else this.#set(kind, at + 1, nameEnd);
  }

  #string(quote: number, kind: TokenKind): void {
    const close = this.source.indexOf('"', quote + 1);
    if (close < 0 || close >= this.end) {
      this.#set('punctuation', quote, quote + 1);
      throw this.error('unclosed string');
    }
    this.#set(kind, quote + 1, close);
    this.#position = close + 1;
    if (kind !== 'bytes' && this.text.includes('\\')) this.text = new TextDecoder().decode(bytesOf(this.text));
    if (kind === 'string' && this.source[close + 1] === ':') {
      this.kind = 'label';
      this.#position = close + 2;
    }
  }

  #set(kind: TokenKind, from: number, to: number): void {
    this.kind = kind;
    this.text = this.source.slice(from, to);
    this.#position = to;
  }

  #wordEnd(at: number): number {
    const { source, end } = this;
    let c = source.charCodeAt(at);
    while (at < end && c < 128 && CLASSES[c] & WORD) c = source.charCodeAt(++at);
    return at;
  }
}

/** Bytes of a string's raw text: `\0A` is one byte, a backslash is written `\\` or `\5C`. */
export function bytesOf(raw: string): Uint8Array {
  const bytes: number[] = [];
  for (let i = 0; i < raw.length; i++) {
    const c = raw.charCodeAt(i);
    if (c === 92 && /^[0-9a-fA-F]{2}$/.test(raw.slice(i + 1, i + 3))) {
      bytes.push(Number.parseInt(raw.slice(i + 1, i + 3), 16));
      i += 2;
    } else if (c === 92 && raw.charCodeAt(i + 1) === 92) {
      bytes.push(92);
      i++;
    } else if (c < 128) bytes.push(c);
    else bytes.push(...new TextEncoder().encode(raw[i]));
  }
  return Uint8Array.from(bytes);
}

function classes(): Uint8Array {
  const table = new Uint8Array(128);
  for (const c of ' \t\r\n') table[c.charCodeAt(0)] = SPACE;
  for (const c of '-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$._') table[c.charCodeAt(0)] = WORD;
  for (const c of '0123456789') table[c.charCodeAt(0)] = WORD | DIGIT;
  return table;
}
