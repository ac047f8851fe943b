/**
 * A file as a list of top-level items (functions, structures, variables, directives), each with its own tokens. Items are the unit of
 * incremental work: an edit re-scans from the first item that it touches until the old boundaries return, all other items stay the same
 * objects, and everything learnt about them stays valid, since offsets inside an item count from its start.
 */
import { nextToken, type Scanner, scanner } from './lexer.ts';
import type { Comment, Token } from './token.ts';
import type { TreeHolder } from './tree/parse.ts';

export interface Item extends TreeHolder {
  /** Offset of the item's first token in the text; moves when text before it changes. */
  start: number;
  readonly length: number;
  readonly kind: 'directive' | 'open' | 'close' | 'declaration';
  readonly tokens: readonly Token[];
  /** Those before and inside the item, relative to its start (negative when before). */
  readonly comments: readonly Comment[];
}

/** All items of `text` from `at` on; stops early where `settled` recognises an old boundary. */
export function scanItems(text: string, at = 0, settled: (offset: number) => boolean = () => false): { items: Item[]; stoppedAt?: number } {
  const items: Item[] = [];
  const state: State = { scan: scanner(text, at), ahead: undefined, returned: [], commentsFrom: 0 };
  for (;;) {
    const first = peek(state);
    if (items.length > 0 && settled(first.start)) return { items, stoppedAt: first.start };
    if (first.kind === 'end') {
      if (state.scan.comments.length > state.commentsFrom) items.push(trailingComments(state, first));
      return { items };
    }
    items.push(scanItem(state));
  }
}

interface State {
  readonly scan: Scanner;
  /** The next token, once somebody looked at it. */
  ahead: Token | undefined;
  /** Tokens that were given back, the last to come next. */
  readonly returned: Token[];
  commentsFrom: number;
}

function peek(state: State): Token {
  state.ahead ??= state.returned.pop() ?? nextToken(state.scan);
  return state.ahead;
}

function next(state: State): Token {
  const token = peek(state);
  state.ahead = undefined;
  return token;
}

function trailingComments(state: State, end: Token): Item {
  return finish(state, [], 'directive', end.start);
}

function finish(state: State, tokens: Token[], kind: Item['kind'], start: number): Item {
  const end = tokens.length > 0 ? tokens[tokens.length - 1].end : start;
  const comments: Comment[] = [];
  const all = state.scan.comments;
  for (; state.commentsFrom < all.length && all[state.commentsFrom].start < Math.max(end, start); state.commentsFrom++) {
    const c = all[state.commentsFrom];
    comments.push({ text: c.text, start: c.start - start, end: c.end - start });
  }
  // The scanner made the tokens for this item alone, so they are moved in place.
  for (const t of tokens as { start: number; end: number }[]) {
    t.start -= start;
    t.end -= start;
  }
  return { start, length: end - start, kind, tokens, comments };
}

const AGGREGATES = new Set(['struct', 'class', 'union', 'enum', 'typedef']);

function scanItem(state: State): Item {
  const first = next(state);
  const tokens = [first];
  if (first.kind === 'directive') return finish(state, tokens, 'directive', first.start);
  if (first.text === '}') return finish(state, tokens, 'close', first.start);
  if (first.text === ';') return finish(state, tokens, 'directive', first.start);
  const shape = { depth: 0, saved: [] as number[], aggregate: AGGREGATES.has(first.text), sawParen: false, assigned: false };
  if (first.text === '{') shape.depth = 1;
  for (;;) {
    const token = peek(state);
    if (token.kind === 'end') break;
    if (startsKernelAnew(token, tokens, shape.depth)) return splitBeforeKernel(state, tokens, first.start);
    tokens.push(next(state));
    if (token.kind === 'directive') {
      branchDepth(token.text, shape);
      continue;
    }
    if (token.kind === 'name') {
      if (shape.depth === 0 && AGGREGATES.has(token.text)) shape.aggregate = true;
      continue;
    }
    if (token.kind !== 'punct') continue;
    const text = token.text;
    if (text === '(' || text === '[') {
      shape.depth++;
      if (text === '(' && shape.depth === 1) shape.sawParen = true;
    } else if (text === '{') {
      if (shape.depth === 0 && opensScope(tokens)) return finish(state, tokens, 'open', first.start);
      shape.depth++;
    } else if (text === '=' && shape.depth === 0 && !insideTemplateParameters(tokens)) shape.assigned = true;
    else if (text === ')' || text === ']') shape.depth = Math.max(0, shape.depth - 1);
    else if (text === '}') {
      shape.depth--;
      if (shape.depth < 0) shape.depth = 0;
      if (shape.depth === 0 && !shape.assigned && !(shape.aggregate && !shape.sawParen) && !moreFollows(peek(state))) break;
    } else if (text === ';' && shape.depth === 0) break;
  }
  return finish(state, tokens, 'declaration', first.start);
}

/** `template <int N = 256> …`: the default is no initialiser. */
function insideTemplateParameters(tokens: readonly Token[]): boolean {
  if (tokens[0].text !== 'template') return false;
  let depth = 0;
  for (const { text } of tokens) {
    if (text === '<') depth++;
    else if (text === '>') depth--;
  }
  return depth > 0;
}

/** After a function's closing brace only these continue the same item: try blocks and constructors' initialisers. */
function moreFollows(token: Token): boolean {
  return token.text === ';' || token.text === 'catch' || token.text === ',';
}

function opensScope(tokens: readonly Token[]): boolean {
  const first = tokens[0].text === 'inline' ? tokens[1]?.text : tokens[0].text;
  return first === 'namespace' || (first === 'extern' && tokens.length === 3 && tokens[1].kind === 'string');
}

/** Braces that differ between the branches of an `#if` count once. */
function branchDepth(directive: string, shape: { depth: number; saved: number[] }): void {
  const word = /^#\s*(\w+)/.exec(directive)?.[1];
  if (word === 'if' || word === 'ifdef' || word === 'ifndef') shape.saved.push(shape.depth);
  else if (word === 'else' || word === 'elif') shape.depth = shape.saved[shape.saved.length - 1] ?? shape.depth;
  else if (word === 'endif') shape.saved.pop();
}

/** `__global__` never occurs inside a function: half-typed text before it lacks a brace. */
function startsKernelAnew(token: Token, tokens: readonly Token[], depth: number): boolean {
  return depth > 0 && token.text === '__global__' && tokens.length > 1;
}

/** Gives back the tokens that belong to the kernel's own head (`template <…>`, `static`, `extern "C"`). */
function splitBeforeKernel(state: State, tokens: Token[], start: number): Item {
  let keep = tokens.length;
  const isHead = (t: Token) => t.text === 'static' || t.text === 'inline' || t.text === 'extern' || t.text === '"C"';
  while (keep > 1 && isHead(tokens[keep - 1])) keep--;
  if (tokens[keep - 1].text === '>') {
    for (let i = keep - 2, depth = 1; i > 0 && keep - i < 200; i--) {
      if (tokens[i].text === '>') depth++;
      if (tokens[i].text === '<') depth--;
      if (depth === 0) {
        if (tokens[i - 1].text === 'template') keep = i - 1;
        break;
      }
    }
  }
  if (keep < 1) keep = 1;
  if (state.ahead) state.returned.push(state.ahead);
  state.ahead = undefined;
  state.returned.push(...tokens.splice(keep).reverse());
  return finish(state, tokens, 'declaration', start);
}
