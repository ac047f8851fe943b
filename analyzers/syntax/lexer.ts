/**
 * Text to tokens. Preprocessor lines become one `directive` token each. Comments are set aside, since suppressions live in them.
 * Nothing is rejected: a stray character becomes a punctuation token of its own.
 */
import type { Token, TokenKind } from './token.ts';

/** Longest first. `>` is always alone: the parser joins `>>`, `>=` and `>>>` where they are operators. */
const PUNCTUATORS = '<<< <<= ... ->* :: -> ++ -- << <= == != && || += -= *= /= %= &= |= ^= ##'.split(' ');

/** By the codes of the first two characters. */
const BY_START: readonly (readonly string[] | undefined)[] = Array.from({ length: 128 * 128 }, (_, codes) => {
  const list = PUNCTUATORS.filter((p) => p.charCodeAt(0) * 128 + p.charCodeAt(1) === codes);
  return list.length > 0 ? list : undefined;
});

/** No operand begins with `<`, so that `<<` and `<` are neighbours in a launch alone, and behind `operator`. */
const SPLIT_LAUNCH = /<<(?:[ \t]|\/\*(?:[^*\n]|\*(?!\/))*\*\/)+<(?![<=:%])/y;

/** What an ASCII character may start, or what it is; all others are letters. */
const NAME = 1;
const DIGIT = 2;
const SPACE = 3;
/** One that may go on as a comment, a spliced line, a number, a directive or a longer operator. */
const MANIFOLD = 4;
const QUOTATION = 5;
const ALONE = 6;

const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const c = String.fromCharCode(code);
  if (/[A-Za-z_$]/.test(c)) return NAME;
  if (/\d/.test(c)) return DIGIT;
  if (code <= 32) return SPACE;
  if (c === '"' || c === "'") return QUOTATION;
  return c === '\\' || PUNCTUATORS.some((p) => p.startsWith(c)) ? MANIFOLD : ALONE;
});

const NEWLINE = 10;
const QUOTE = 34;
const HASH = 35;
const APOSTROPHE = 39;
const STAR = 42;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const SLASH = 47;
const BACKSLASH = 92;
const UPPER_R = 82;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * By some bits of a name's hash: which name it was, counted over all items. What stands there may be of another text or another name,
 * which a look at the name tells.
 */
const LISTED = new Int32Array(1024);

/** Goes through a text. No character is asked for behind its end: after one such question, V8 takes a slower way for all the others. */
export class Scanner {
  readonly text: string;
  /** Where the next token is looked for. */
  at: number;
  /** Where the item starts, from which the tokens' offsets count. */
  origin = 0;
  /** Those of the item, by where they come first; few come twice. */
  names: string[] = [];
  /** How many names were listed before these. */
  private listedBefore = 0;
  /** The first character of the latest token. */
  first = 0;
  /** With offsets in the text, by those. */
  readonly comments: { start: number; end: number }[] = [];
  /** Only space lies between the start of the line and the next token. */
  private fresh: boolean;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
    this.fresh = onlySpaceBefore(text, at);
  }

  startItem(): void {
    this.origin = this.at;
    this.listedBefore += this.names.length;
    this.names = [];
  }

  /** Goes on to where a token starts, past space, comments and spliced lines; false at the end of the text. */
  skipSpace(): boolean {
    const { text } = this;
    const { length } = text;
    let { at } = this;
    for (; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code === NEWLINE) this.fresh = true;
      else if (code > 32 && code !== BYTE_ORDER_MARK) {
        const second = (code === SLASH || code === BACKSLASH) && at + 1 < length ? text.charCodeAt(at + 1) : 0;
        if (code === BACKSLASH && second <= 32 && at + 1 < length) continue;
        const end = code === SLASH ? commentEnd(text, at, second) : 0;
        if (end === 0) break;
        this.comments.push({ start: at, end });
        at = end - 1;
      }
    }
    this.at = at;
    return at < length;
  }

  /** The next token; undefined at the end of the text. */
  next(): Token | undefined {
    if (!this.skipSpace()) return undefined;
    const { text, at } = this;
    const code = text.charCodeAt(at);
    this.first = code;
    switch (code < 128 ? CLASSES[code] : NAME) {
      case NAME: {
        let end = at + 1;
        let hash = code;
        for (; end < text.length; end++) {
          const part = text.charCodeAt(end);
          if (!isNamePart(part)) break;
          hash = (Math.imul(hash, 31) + part) | 0;
        }
        // Raw strings: R"tag( … )tag", with an encoding prefix or none.
        if (end - at <= 3 && end < text.length && text.charCodeAt(end) === QUOTE)
          return text.charCodeAt(end - 1) === UPPER_R ? this.rawString(end) : this.quoted(end);
        return this.take('name', this.name(end, hash));
      }
      case DIGIT:
        return this.take('number', text.slice(at, numberEnd(text, at)));
      case QUOTATION:
        return this.quoted(at);
      case MANIFOLD:
        return this.manifold(code);
      default:
        return this.take('punct', text.charAt(at));
    }
  }

  /** `<<`, or a launch's `<<<` with a space in it, as Visual Studio's formatter writes it and nvcc takes it within a line. */
  private shiftOrLaunch(): Token {
    const { text, at } = this;
    SPLIT_LAUNCH.lastIndex = at;
    const split = SPLIT_LAUNCH.exec(text);
    if (!split || /\boperator\s*$/.test(text.slice(Math.max(0, at - 20), at))) return this.take('punct', '<<');
    const token = this.take('punct', '<<<');
    const end = at + split[0].length;
    this.at = end;
    return { ...token, end: end - this.origin, joined: end < text.length && text.charCodeAt(end) > 32 };
  }

  /** The name up to `end`: within an item the same string wherever it stands. */
  private name(end: number, hash: number): string {
    const { text, at, names } = this;
    const slot = (hash ^ (hash >>> 10)) & (LISTED.length - 1);
    const index = LISTED[slot] - this.listedBefore;
    if (index >= 0 && index < names.length) {
      const known = names[index];
      if (known.length === end - at && standsAt(known, text, at)) return known;
    }
    const name = text.slice(at, end);
    LISTED[slot] = this.listedBefore + names.length;
    names.push(name);
    return name;
  }

  private take(kind: TokenKind, text: string): Token {
    const start = this.at;
    const end = start + text.length;
    this.at = end;
    this.fresh = false;
    const joined = end < this.text.length && this.text.charCodeAt(end) > 32;
    return { kind, text, start: start - this.origin, end: end - this.origin, joined };
  }

  private manifold(code: number): Token {
    const { text, at } = this;
    if (code === HASH && this.fresh) return this.take('directive', text.slice(at, directiveEnd(text, at)));
    const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 128;
    if (second < 128) {
      if (code === DOT && CLASSES[second] === DIGIT) return this.take('number', text.slice(at, numberEnd(text, at)));
      const candidates = BY_START[code * 128 + second];
      if (candidates) {
        for (const p of candidates)
          if (p.length === 2 || text.startsWith(p, at)) return p === '<<' ? this.shiftOrLaunch() : this.take('punct', p);
      }
    }
    return this.take('punct', text.charAt(at));
  }

  /** A string or a character; `open` is where the quotation mark stands, behind an encoding prefix. */
  private quoted(open: number): Token {
    const { text } = this;
    const quote = text.charCodeAt(open);
    const kind = quote === QUOTE ? 'string' : 'char';
    let at = open + 1;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) at++;
      else if (code === quote) return this.take(kind, text.slice(this.at, at + 1));
      // An unclosed quote ends with its line, so that half-typed text does not swallow the file.
      else if (code === NEWLINE) break;
    }
    return this.take(kind, text.slice(this.at, at));
  }

  private rawString(open: number): Token {
    const { text } = this;
    const paren = text.indexOf('(', open);
    if (paren < 0 || paren - open > 17) return this.quoted(open);
    const close = `)${text.slice(open + 1, paren)}"`;
    const end = text.indexOf(close, paren);
    return this.take('string', text.slice(this.at, end < 0 ? text.length : end + close.length));
  }
}

/** Where the comment ends that starts with a slash; 0 where none does. */
function commentEnd(text: string, start: number, second: number): number {
  if (second === SLASH) return endOfLine(text, start);
  if (second !== STAR) return 0;
  const close = text.indexOf('*/', start + 2);
  return close < 0 ? text.length : close + 2;
}

function onlySpaceBefore(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0; i--) {
    const code = text.charCodeAt(i);
    if (code === NEWLINE) return true;
    if (code > 32) return false;
  }
  return true;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

/** A directive ends with its line; a backslash at the end continues it, a block comment may too, a line comment is left out. */
function directiveEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE) {
      const last = text.charCodeAt(at - 1) === 13 ? at - 2 : at - 1;
      if (text.charCodeAt(last) !== BACKSLASH) break;
    } else if (code === SLASH && at + 1 < text.length) {
      const second = text.charCodeAt(at + 1);
      if (second === SLASH) break;
      if (second === STAR) at = commentEnd(text, at, second) - 1;
    }
    at++;
  }
  return at;
}

export function nameEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isNamePart(text.charCodeAt(end))) end++;
  return end;
}

function numberEnd(text: string, start: number): number {
  let at = start + 1;
  // A sign behind one of these letters, in either case, belongs to the number.
  const exponent = at < text.length && (text.charCodeAt(at) | 32) === 120 ? 112 : 101;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isNamePart(code) || code === DOT) continue;
    if (code === APOSTROPHE && at + 1 < text.length && isNamePart(text.charCodeAt(at + 1))) continue;
    if ((code === PLUS || code === MINUS) && (text.charCodeAt(at - 1) | 32) === exponent) continue;
    break;
  }
  return at;
}

function standsAt(name: string, text: string, at: number): boolean {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) !== text.charCodeAt(at + i)) return false;
  return true;
}

function isNamePart(code: number): boolean {
  return code >= 128 || CLASSES[code] === NAME || CLASSES[code] === DIGIT;
}
