/** Declarators, and what is made of specifiers and one of them: parameters, types without a name. */
import type { Declarator, Expr, Param, TypeRef } from '../ast.ts';
import { expression, initializer, list } from './expressions.ts';
import { isPointerOrQualifier } from './lookahead.ts';
import { accept, decline, endFrom, expect, inBrackets, inside, placeFrom, type Reader } from './reader.ts';
import { typeSpecifiers, withPointers } from './types.ts';
import { W } from './words.ts';

/** All declarators of a declaration, up to its semicolon. */
export function declarators(r: Reader, base: TypeRef): Declarator[] {
  const out: Declarator[] = [];
  do out.push(declarator(r, base));
  while (accept(r, W.comma));
  return out;
}

export function declarator(r: Reader, base: TypeRef): Declarator {
  if (base.name === 'auto' && isBinding(r)) return binding(r, base);
  const { tokens, words } = r;
  const from = r.at;
  const d = declaredType(r, base);
  if (d.name < 0 || d.pack) decline();
  const token = tokens[d.name];
  let init: Expr | undefined;
  let args: readonly Expr[] | undefined;
  if (accept(r, W.assign)) init = initializer(r);
  else if (words[r.at] === W.open) {
    // `T a[](…)`: neither arrays of functions nor such initialisers are common.
    if (words[r.at - 1] === W.closeSquare) decline();
    args = list(r, W.open, W.close);
  } else if (words[r.at] === W.openBrace) args = list(r, W.openBrace, W.closeBrace);
  let name = token.text;
  for (let i = d.name + 1; words[i] === W.scope; i += 2) name += `::${tokens[i + 1].text}`;
  const first = words[from] === W.open ? token : tokens[from];
  const start = Math.min(first.start, token.start);
  const end = endFrom(r, Math.max(first.end, token.end));
  return { name, nameStart: token.start, nameEnd: token.end, type: d.type, init, args, start, end };
}

/** `auto [a, b] = …`, `auto &[a, b] = …`. */
function isBinding({ words, at }: Reader): boolean {
  const open = words[at] === W.and || words[at] === W.andAnd ? at + 1 : at;
  return words[open] === W.openSquare;
}

function binding(r: Reader, base: TypeRef): Declarator {
  const first = r.tokens[r.at];
  const reference = accept(r, W.and) || accept(r, W.andAnd);
  const bindings: string[] = [];
  expect(r, W.openSquare);
  do bindings.push(expect(r, W.name).text);
  while (accept(r, W.comma));
  const close = expect(r, W.closeSquare);
  const init = accept(r, W.assign) ? initializer(r) : undefined;
  const type = reference ? { ...base, reference } : base;
  const place = placeFrom(r, first);
  return { name: '', nameStart: place.start, nameEnd: Math.max(place.start, close.end), type, init, bindings, ...place };
}

/** Of a function or a lambda, with their parentheses. */
export function parameters(r: Reader): Param[] {
  const params: Param[] = [];
  expect(r, W.open);
  if (r.words[r.at] !== W.close)
    do if (!accept(r, W.ellipsis)) params.push(inside(r, parameter));
    while (accept(r, W.comma));
  expect(r, W.close);
  return params;
}

export function parameter(r: Reader): Param {
  const first = r.tokens[r.at];
  const base = typeSpecifiers(r);
  const { type, name, pack } = declaredType(r, base);
  const init = accept(r, W.assign) ? initializer(r) : undefined;
  const place = placeFrom(r, first);
  return name < 0 ? { type, pack, ...place } : { name: r.tokens[name].text, type, init, pack, ...place };
}

/** A type without a declared name: of a cast, `sizeof`, a template argument. */
export function typeId(r: Reader): TypeRef {
  const first = r.tokens[r.at];
  const base = typeSpecifiers(r);
  if (!isPointerOrQualifier(r.words[r.at]) && r.words[r.at] !== W.openSquare) return base;
  const { type, name } = declaredType(r, base);
  if (name >= 0) decline();
  return { ...type, ...placeFrom(r, first) };
}

/** What a declarator makes of a type, and the index of the name that it declares, -1 for none. */
interface Declared {
  readonly type: TypeRef;
  readonly name: number;
  /** `T... args`. */
  readonly pack: boolean;
}

export function declaredType(r: Reader, base: TypeRef): Declared {
  const { words } = r;
  // A lone name, as most declarators are.
  if (words[r.at] === W.name && words[r.at + 1] !== W.openSquare && words[r.at + 1] !== W.scope)
    return { type: base, name: r.at++, pack: false };
  const pointing = withPointers(r, base);
  let { reference } = pointing;
  const dims = [...base.dims];
  const pack = accept(r, W.ellipsis);
  let name = -1;
  let pointerToArray = false;
  // `(*a)[4]`, `(&a)[4]`
  if (words[r.at] === W.open && words[r.at + 2] === W.name && words[r.at + 3] === W.close && words[r.at + 4] === W.openSquare) {
    if (words[r.at + 1] === W.times) pointerToArray = true;
    else if (words[r.at + 1] === W.and) reference = true;
    else decline();
    name = r.at + 2;
    r.at += 4;
  } else if (words[r.at] === W.name) {
    name = r.at;
    r.at++;
    while (words[r.at] === W.scope && words[r.at + 1] === W.name) r.at += 2;
  }
  while (accept(r, W.openSquare)) {
    dims.push(words[r.at] === W.closeSquare ? undefined : inBrackets(r, expression));
    expect(r, W.closeSquare);
  }
  const { pointers, quals, start, end } = pointing;
  return { type: { name: base.name, targs: base.targs, pointers, reference, dims, quals, start, end, pointerToArray }, name, pack };
}
