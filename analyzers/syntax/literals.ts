/** Values of literals as they are spelled. */
import type { ExprOf } from './ast.ts';
import type { Token } from './token.ts';

/** The value of digits, decimal or behind `0x`, as most numbers are, few enough to be exact; -1 for any other text. */
function plainValue(text: string, end: number): number {
  if (text.charCodeAt(0) !== ZERO || end === 1) return end <= 15 ? digitsFrom(text, 0, end, 10) : -1;
  return text.charCodeAt(1) === LETTER_X && end > 2 && end <= 15 ? digitsFrom(text, 2, end, 16) : -1;
}

/** Where `u`, `l` and kin start at the end of a number, whose capitals differ in one bit. */
function suffixStart(text: string): number {
  let end = text.length;
  while (end > 1 && isSuffixLetter(text.charCodeAt(end - 1) | LOWER_CASE)) end--;
  return end;
}

function isSuffixLetter(letter: number): boolean {
  return letter === LETTER_U || letter === LETTER_L;
}

function digitsFrom(text: string, from: number, end: number, base: 10 | 16): number {
  let value = 0;
  for (let i = from; i < end; i++) {
    const digit = digitOf(text.charCodeAt(i));
    if (digit >= base) return -1;
    value = base * value + digit;
  }
  return value;
}

function digitOf(code: number): number {
  if (code >= ZERO && code < ZERO + 10) return code - ZERO;
  const letter = code | LOWER_CASE;
  return letter >= LETTER_A && letter < LETTER_A + 6 ? letter - LETTER_A + 10 : Number.POSITIVE_INFINITY;
}

const ZERO = 48;
const LETTER_A = 97;
const LETTER_L = 108;
const LETTER_U = 117;
const LETTER_X = 120;
const LOWER_CASE = 32;

export function numberLiteral(token: Token): ExprOf<'number'> {
  const { text, start, end, expanded } = token;
  const digits = suffixStart(text);
  const value = plainValue(text, digits);
  if (value >= 0) {
    const suffix = digits === text.length ? '' : text.slice(digits).toLowerCase();
    return { k: 'number', value, float: false, suffix, start, end, expanded };
  }
  return writtenNumber(token);
}

function writtenNumber(token: Token): ExprOf<'number'> {
  const text = token.text.replace(/'/g, '');
  const hex = /^0x/i.test(text);
  const at = { start: token.start, end: token.end, expanded: token.expanded };
  if (!hex && /[.eE]|\d[fF]$/.test(text)) {
    const [, digits, suffix] = /^([\d.]*(?:[eE][+-]?\d+)?)(\w*)$/.exec(text) ?? [text, '0', ''];
    return { k: 'number', value: Number.parseFloat(digits) || 0, float: true, suffix: suffix.toLowerCase(), ...at };
  }
  if (hex && /p/i.test(text)) return { k: 'number', value: 1, float: true, suffix: '', ...at };
  const [, digits, suffix] = (hex ? /^(0x[\da-f]+)(\w*)$/i : /^(0b[01]+|\d+)(\w*)$/i).exec(text) ?? [text, '0', ''];
  const value = /^0\d+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return {
    k: 'number',
    value,
    float: false,
    suffix: suffix.toLowerCase(),
    ...at,
    ...(Number.isSafeInteger(value) ? {} : { exact: BigInt(digits) }),
  };
}

const ESCAPES = new Map([
  ['n', 10],
  ['t', 9],
  ['r', 13],
  ['0', 0],
  ['\\', 92],
  ["'", 39],
]);

export function characterValue(text: string): number {
  const inner = text.replace(/^\w*'|'$/g, '');
  if (!inner.startsWith('\\')) return inner.charCodeAt(0) || 0;
  return ESCAPES.get(inner[1]) ?? 0;
}

/** What is between the quotes, escapes as written. */
export function stringValue(text: string): string {
  return text.replace(/^\w*"|"$/g, '');
}
