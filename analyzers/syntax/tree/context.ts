/** What every part of the converter works on, and the way from nodes back to tokens and places. */
import type { Expr, Node } from '../ast.ts';
import type { Token } from '../token.ts';
import type { Layout } from './layout.ts';
import type { Nodes } from './nodes.ts';

export interface Context {
  readonly nodes: Nodes;
  readonly layout: Layout;
  /** How deep the conversion is; beyond the limit a node becomes `unknown` rather than the stack spent. */
  depth: number;
}

export const DEPTH_LIMIT = 220;

/** Index of the first token of a node. */
export function firstToken({ nodes }: Context, n: number): number {
  return nodes.first[n];
}

/** Index of the last token of a node. */
export function lastToken({ nodes }: Context, n: number): number {
  return nodes.last[n];
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

/** What the file says where the node is. */
export function placeOf(cx: Context, n: number): Node {
  const first = tokenAt(cx, n);
  const last = cx.layout.tokens[lastToken(cx, n)] ?? NOTHING;
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
  return cx.nodes.missing[n] === 1;
}

export function unknownAt(cx: Context, n: number): Expr {
  return { k: 'unknown', ...placeOf(cx, n) };
}
