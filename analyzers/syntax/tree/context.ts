/** What every part of the converter works on, and the way from nodes back to tokens and places. */
import type { Expr, Node } from '../ast.ts';
import type { Token } from '../token.ts';
import type { Layout } from './layout.ts';
import type { Nodes } from './nodes.ts';

export interface Context {
  readonly nodes: Nodes;
  readonly layout: Layout;
  /** Where the text that the nodes are of starts in the layout's. */
  readonly base: number;
  /** How deep the conversion is; beyond the limit a node becomes `unknown` rather than the stack spent. */
  depth: number;
}

export const DEPTH_LIMIT = 220;

/** Index of the first token of a node. */
export function firstToken(cx: Context, n: number): number {
  return tokenFrom(cx.layout, cx.base + cx.nodes.start[n]);
}

/** Index of the last token of a node. */
export function lastToken(cx: Context, n: number): number {
  return tokenUpTo(cx.layout, cx.base + cx.nodes.end[n]);
}

/** Index of the token that starts at an offset of the text. */
export function tokenFrom({ startsAt, endsAt }: Layout, offset: number): number {
  // What tree-sitter puts in as missing starts behind a token; it counts as that token.
  for (let at = offset; at >= 0; at--) {
    if (startsAt[at] !== 0) return startsAt[at] - 1;
    if (endsAt[at] !== 0) return endsAt[at] - 1;
  }
  return 0;
}

/** Index of the last token that ends up to an offset of the text. */
export function tokenUpTo({ endsAt }: Layout, offset: number): number {
  for (let at = offset; at >= 0; at--) if (endsAt[at] !== 0) return endsAt[at] - 1;
  return 0;
}

const NOTHING: Token = { kind: 'end', text: '', start: 0, end: 0, joined: false };

export function tokenAt(cx: Context, n: number): Token {
  return cx.layout.tokens[firstToken(cx, n)] ?? NOTHING;
}

export function startOf(cx: Context, n: number): number {
  return tokenAt(cx, n).start;
}

export function endOf(cx: Context, n: number): number {
  return placeOf(cx, n).end;
}

export function placeOf({ layout, base, nodes }: Context, n: number): Node {
  return placeBetween(layout, base + nodes.start[n], base + nodes.end[n]);
}

/** What the file says between two offsets of the text. */
export function placeBetween(layout: Layout, from: number, to: number): Node {
  const first = layout.tokens[tokenFrom(layout, from)] ?? NOTHING;
  const last = layout.tokens[tokenUpTo(layout, to)] ?? NOTHING;
  // Not before the start: tokens out of a macro stand where its name does, its arguments behind.
  return { start: first.start, end: Math.max(last.end, first.end) };
}

/** What the file says there, without spaces. */
export function spelling(cx: Context, n: number): string {
  const { tokens } = cx.layout;
  const first = firstToken(cx, n);
  const last = lastToken(cx, n);
  let text = tokens[first]?.text ?? '';
  for (let i = first + 1; i <= last; i++) text += tokens[i].text;
  return text;
}

export function isMissing(cx: Context, n: number): boolean {
  return cx.nodes.start[n] === cx.nodes.end[n];
}

export function unknownAt(cx: Context, n: number): Expr {
  return { k: 'unknown', ...placeOf(cx, n) };
}
