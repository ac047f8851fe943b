/**
 * Text to tokens. Preprocessor lines become one `directive` token each. Comments are set aside, since suppressions live in them.
 * Nothing is rejected: a stray character becomes a punctuation token of its own.
 */
import type { Comment, Token, TokenKind } from './token.ts';

/** Longest first. `>` is always alone: the parser joins `>>`, `>=` and `>>>` where they are operators. */
const PUNCTUATORS = '<<< <<= ... ->* :: -> ++ -- << <= == != && || += -= *= /= %= &= |= ^= ##'.split(' ');

/** By the codes of the first two characters. */
const BY_START: readonly (readonly string[] | undefined)[] = Array.from({ length: 128 * 128 }, (_, codes) => {
  const list = PUNCTUATORS.filter((p) => p.charCodeAt(0) * 128 + p.charCodeAt(1) === codes);
  return list.length > 0 ? list : undefined;
});

const NAME_START = 1;
const DIGIT = 2;
/** What ASCII characters may be: the start of a name, a digit. */
const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const c = String.fromCharCode(code);
  return /[A-Za-z_$]/.test(c) ? NAME_START : /\d/.test(c) ? DIGIT : 0;
});

const NEWLINE = 10;
const QUOTE = 34;
const HASH = 35;
const APOSTROPHE = 39;
const STAR = 42;
const DOT = 46;
const SLASH = 47;
const BACKSLASH = 92;
const UPPER_R = 82;
const BYTE_ORDER_MARK = 0xfeff;

export interface Scanner {
  readonly text: string;
  /** Where the next token is looked for. */
  at: number;
  readonly comments: Comment[];
}

export function scanner(text: string, at = 0): Scanner {
  return { text, at, comments: [] };
}

/** The next token with absolute offsets; `end` at the end of the text. */
export function nextToken(s: Scanner): Token {
  const { text } = s;
  const atLineStart = skipSpace(s);
  const start = s.at;
  if (start >= text.length) return { kind: 'end', text: '', start, end: start, joined: false };
  const code = text.charCodeAt(start);
  if (isNameStart(code)) {
    let end = start + 1;
    while (isNamePart(text.charCodeAt(end))) end++;
    // Raw strings: R"tag( … )tag", with an encoding prefix or none.
    if (text.charCodeAt(end) === QUOTE && end - start <= 3)
      return text.charCodeAt(end - 1) === UPPER_R ? rawString(s, start, end) : quoted(s, start, end);
    return take(s, 'name', start, end);
  }
  if (isDigit(code) || (code === DOT && isDigit(text.charCodeAt(start + 1)))) return take(s, 'number', start, numberEnd(text, start));
  if (code === QUOTE || code === APOSTROPHE) return quoted(s, start, start);
  if (code === HASH && atLineStart) return take(s, 'directive', start, directiveEnd(s, start));
  const second = text.charCodeAt(start + 1);
  const candidates = code < 128 && second < 128 ? BY_START[code * 128 + second] : undefined;
  if (candidates) for (const p of candidates) if (p.length === 2 || text.startsWith(p, start)) return punctuator(s, p, start);
  return punctuator(s, text.charAt(start), start);
}

function punctuator(s: Scanner, text: string, start: number): Token {
  const end = start + text.length;
  s.at = end;
  return { kind: 'punct', text, start, end, joined: s.text.charCodeAt(end) > 32 };
}

function take(s: Scanner, kind: TokenKind, start: number, end: number): Token {
  s.at = end;
  const next = s.text.charCodeAt(end);
  return { kind, text: s.text.slice(start, end), start, end, joined: next > 32 };
}

/** Skips space, comments and spliced lines; says whether a directive may start here. */
function skipSpace(s: Scanner): boolean {
  const { text } = s;
  let lineStart = s.at === 0 || onlySpaceBefore(text, s.at);
  for (;;) {
    const code = text.charCodeAt(s.at);
    if (code === NEWLINE) {
      lineStart = true;
      s.at++;
    } else if (code <= 32 || code === BYTE_ORDER_MARK) s.at++;
    else if (code === BACKSLASH && text.charCodeAt(s.at + 1) <= 32) s.at++;
    else if (code === SLASH && text.charCodeAt(s.at + 1) === SLASH) comment(s, endOfLine(text, s.at));
    else if (code === SLASH && text.charCodeAt(s.at + 1) === STAR) {
      const close = text.indexOf('*/', s.at + 2);
      comment(s, close < 0 ? text.length : close + 2);
    } else return lineStart;
  }
}

function comment(s: Scanner, end: number): void {
  s.comments.push({ text: s.text.slice(s.at, end), start: s.at, end });
  s.at = end;
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
function directiveEnd(s: Scanner, start: number): number {
  const { text } = s;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE) {
      const last = text.charCodeAt(at - 1) === 13 ? at - 2 : at - 1;
      if (text.charCodeAt(last) !== BACKSLASH) break;
    } else if (code === SLASH && text.charCodeAt(at + 1) === SLASH) break;
    else if (code === SLASH && text.charCodeAt(at + 1) === STAR) {
      const close = text.indexOf('*/', at + 2);
      at = close < 0 ? text.length : close + 1;
    }
    at++;
  }
  return Math.min(at, text.length);
}

function numberEnd(text: string, start: number): number {
  let at = start;
  const hex = text.charCodeAt(start + 1) === 120 || text.charCodeAt(start + 1) === 88;
  for (;;) {
    const code = text.charCodeAt(at);
    const before = text.charCodeAt(at - 1) | 32;
    if (isNamePart(code) || code === DOT) at++;
    else if (code === APOSTROPHE && isNamePart(text.charCodeAt(at + 1))) at++;
    else if ((code === 43 || code === 45) && at > start && (hex ? before === 112 : before === 101)) at++;
    else return at;
  }
}

function quoted(s: Scanner, start: number, open: number): Token {
  const { text } = s;
  const quote = text.charCodeAt(open);
  let at = open + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === quote) return take(s, quote === QUOTE ? 'string' : 'char', start, at + 1);
    // An unclosed quote ends with its line, so that half-typed text does not swallow the file.
    else if (code === NEWLINE) break;
  }
  return take(s, quote === QUOTE ? 'string' : 'char', start, Math.min(at, text.length));
}

function rawString(s: Scanner, start: number, open: number): Token {
  const paren = s.text.indexOf('(', open);
  if (paren < 0 || paren - open > 17) return quoted(s, start, open);
  const close = `)${s.text.slice(open + 1, paren)}"`;
  const end = s.text.indexOf(close, paren);
  return take(s, 'string', start, end < 0 ? s.text.length : end + close.length);
}

function isDigit(code: number): boolean {
  return code < 128 && CLASSES[code] === DIGIT;
}

function isNameStart(code: number): boolean {
  return code < 128 ? CLASSES[code] === NAME_START : code >= 128;
}

/** Not so behind the end of the text, where there is no code. */
function isNamePart(code: number): boolean {
  return code < 128 ? CLASSES[code] !== 0 : code >= 128;
}
