/** Types: their specifiers, and the `*` and `&` behind them. */
import type { Expr, TypeArg, TypeRef } from '../ast.ts';
import { basicName } from '../names.ts';
import type { Token } from '../token.ts';
import { list } from './expressions.ts';
import { qualifiedName } from './qualified-names.ts';
import { decline, endFrom, type Reader, skipParentheses } from './reader.ts';
import { W } from './words.ts';

/** What stands before the declarators. */
export interface Specifiers {
  readonly type: TypeRef;
  /** They may stand anywhere among the specifiers of a function. */
  readonly launchBounds: readonly Expr[] | undefined;
}

/** Qualifiers and a type, in any order. */
export function specifiers(r: Reader): Specifiers {
  const { tokens, words } = r;
  const quals: string[] = [];
  const basics: string[] = [];
  let name = '';
  let targs: readonly TypeArg[] | undefined;
  let launchBounds: readonly Expr[] | undefined;
  let first: Token | undefined;
  let end = 0;
  for (;;) {
    const token = tokens[r.at];
    const word = words[r.at];
    if (word === W.launchBounds) {
      r.at++;
      const bounds = list(r, W.open, W.close);
      launchBounds ??= bounds;
      continue;
    }
    if (word === W.qualifier) {
      if (name !== '' && token.text === 'typename') decline();
      quals.push(token.text);
      r.at++;
    } else if (word === W.basic) {
      if (name !== '' && (basics.length === 0 || !mayJoin(basics, token.text))) decline();
      name = token.text;
      basics.push(name);
      r.at++;
    } else if (name !== '') break;
    else if (word === W.name || word === W.scope) ({ name, targs } = qualifiedName(r));
    else if (word === W.aggregate) {
      quals.push(token.text);
      r.at++;
      if (words[r.at] !== W.name) decline();
      ({ name, targs } = qualifiedName(r));
      if (words[r.at] === W.openBrace || words[r.at] === W.colon) decline();
    } else if (word === W.decltype) {
      r.at++;
      skipParentheses(r);
      name = 'decltype';
    } else decline();
    first ??= token;
    end = endFrom(r, first.end);
  }
  if (basics.length > 0) name = basicName(basics);
  // A name was read, so that there is a first token.
  const { start } = first!;
  return { type: { name, targs, pointers: 0, reference: false, dims: [], quals, start, end }, launchBounds };
}

/** Of what is no function. */
export function typeSpecifiers(r: Reader): TypeRef {
  const { type, launchBounds } = specifiers(r);
  return launchBounds ? decline() : type;
}

const BASES = new Set(['int', 'char', 'double', '__int128']);
const SIZES = new Set(['unsigned', 'signed', 'short', 'long']);

/** Whether a word makes one type with those before it: `unsigned long long int`. */
function mayJoin(words: readonly string[], next: string): boolean {
  if (!words.every((word) => SIZES.has(word) || BASES.has(word))) return false;
  return SIZES.has(next) ? next === 'long' || !words.includes(next) : BASES.has(next) && !words.some((word) => BASES.has(word));
}

const OF_POINTERS = new Set(['const', '__const', '__const__', 'volatile', 'restrict', '__restrict', '__restrict__']);

/** A type with the `*` and `&` behind it. */
export function withPointers(r: Reader, base: TypeRef): TypeRef {
  const { tokens, words } = r;
  const { name, targs, dims, start } = base;
  const quals = [...base.quals];
  let { pointers, reference, end } = base;
  for (; ; r.at++) {
    const word = words[r.at];
    if (word === W.times && !reference) pointers++;
    else if (word === W.and || word === W.andAnd) reference = true;
    else if (word === W.qualifier && pointers > 0 && !reference) {
      const { text } = tokens[r.at];
      if (!OF_POINTERS.has(text)) decline();
      quals.push(text === 'const' ? 'const-pointer' : text);
    } else return { name, targs, pointers, reference, dims, quals, start, end };
    end = Math.max(end, tokens[r.at].end);
  }
}

/** A type that is the name from a token up to the one that was read last. */
export function namedType(r: Reader, name: string, targs: readonly TypeArg[] | undefined, first: Token): TypeRef {
  return { name, targs, pointers: 0, reference: false, dims: [], quals: [], start: first.start, end: endFrom(r, first.end) };
}
