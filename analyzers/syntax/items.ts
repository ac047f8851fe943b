/**
 * A file as a list of top-level items (functions, structures, variables, directives), each with its own tokens. Items are the unit of
 * incremental work: an edit re-scans from the first item that it touches until the old boundaries return, all other items stay the same
 * objects, and everything learnt about them stays valid, since offsets inside an item count from its start.
 */
import { joinLaunchEnds } from './brackets.ts';
import { nameEnd, Scanner } from './lexer.ts';
import type { Comment, Token } from './token.ts';
import type { Dialect } from './tree/grammar.ts';
import type { TreeHolder } from './tree/parse.ts';

export interface Item extends TreeHolder {
  /** Offset of the item's first token in the text; moves when text before it changes. */
  start: number;
  readonly length: number;
  readonly kind: 'directive' | 'open' | 'close' | 'declaration';
  /** That of the file. */
  readonly dialect: Dialect;
  readonly tokens: readonly Token[];
  /** Those before and inside the item, relative to its start (negative when before). */
  readonly comments: readonly Comment[];
  /** Those among the tokens, by where they come first; few come twice. Most questions about names need no look at the tokens. */
  readonly names: readonly string[];
  /** Whether a `<<<` is among the tokens. */
  readonly launches: boolean;
  /** Whether a directive is among the tokens. */
  readonly directives: boolean;
  /** A bracket in it is never closed: it goes on to the next kernel, or to the end of the file. */
  readonly unclosed: boolean;
}

export interface ScanOptions {
  readonly dialect: Dialect;
  /** Where to begin. */
  readonly at?: number;
  /** Recognises an old boundary, where the scan stops. */
  readonly settled?: (offset: number) => boolean;
}

export function scanItems(text: string, { dialect, at = 0, settled = () => false }: ScanOptions): { items: Item[]; stoppedAt?: number } {
  const items: Item[] = [];
  const state: State = { dialect, scan: new Scanner(text, at), tokens: [], count: 0, launches: false, directives: false, commentsFrom: 0 };
  const { scan } = state;
  for (;;) {
    const more = scan.skipSpace();
    if (items.length > 0 && settled(scan.at)) return { items, stoppedAt: scan.at };
    scan.startItem();
    state.count = 0;
    state.launches = false;
    state.directives = false;
    if (more) items.push(scanItem(state));
    else {
      if (scan.comments.length > state.commentsFrom) items.push(finish(state, 'directive'));
      return { items };
    }
  }
}

interface State {
  readonly dialect: Dialect;
  /** Its origin is the start of the item. */
  readonly scan: Scanner;
  /** Those of the item, as many as `count`: one list for all items, from which each takes a copy of the right length. */
  readonly tokens: Token[];
  count: number;
  launches: boolean;
  directives: boolean;
  /** Comments before this one belong to items before. */
  commentsFrom: number;
}

function next(state: State): Token | undefined {
  const token = state.scan.next();
  if (token) state.tokens[state.count++] = token;
  return token;
}

function finish(state: State, kind: Item['kind'], unclosed = false): Item {
  const { dialect, scan, count, launches, directives } = state;
  const { origin: start, names } = scan;
  const tokens = state.tokens.slice(0, count);
  if (launches) joinLaunchEnds(tokens);
  const length = count > 0 ? tokens[count - 1].end : 0;
  return {
    start,
    length,
    kind,
    dialect,
    tokens,
    comments: commentsUpTo(state, start + length),
    names,
    launches,
    directives,
    unclosed,
    parsed: undefined,
  };
}

const NO_COMMENTS: readonly Comment[] = [];

/** Comments that no item has yet, relative to the start of this one. */
function commentsUpTo(state: State, end: number): readonly Comment[] {
  const { comments, origin } = state.scan;
  const from = state.commentsFrom;
  let to = from;
  for (; to < comments.length && comments[to].start < end; to++) {
    comments[to].start -= origin;
    comments[to].end -= origin;
  }
  state.commentsFrom = to;
  return to === from ? NO_COMMENTS : comments.slice(from, to);
}

const AGGREGATES = new Set(['struct', 'class', 'union', 'enum', 'typedef']);

const PARENTHESIS_OPEN = 40;
const PARENTHESIS_CLOSE = 41;
const COMMA = 44;
const SEMICOLON = 59;
const LESS = 60;
const EQUALS = 61;
const SQUARE_OPEN = 91;
const SQUARE_CLOSE = 93;
const UNDERSCORE = 95;
const BRACE_OPEN = 123;
const BRACE_CLOSE = 125;

function scanItem(state: State): Item {
  const { scan } = state;
  const head = next(state)!;
  state.directives = head.kind === 'directive';
  state.launches = head.text === '<<<';
  if (state.directives) return finish(state, 'directive');
  if (scan.first === BRACE_CLOSE) return finish(state, 'close');
  if (scan.first === SEMICOLON) return finish(state, 'directive');
  const shape = { depth: scan.first === BRACE_OPEN ? 1 : 0, saved: [] as number[] };
  let aggregate = AGGREGATES.has(head.text);
  let sawParen = false;
  let assigned = false;
  for (let token = next(state); token; token = next(state)) {
    if (token.kind === 'name') {
      if (shape.depth === 0) aggregate ||= AGGREGATES.has(token.text);
      else if (scan.first === UNDERSCORE && token.text === '__global__' && state.count > 2) return splitBeforeKernel(state);
      continue;
    }
    if (token.kind === 'directive') {
      state.directives = true;
      branchDepth(token.text, shape);
    }
    // What begins with one of these is nothing longer, but for some with `<` and `=`.
    switch (scan.first) {
      case PARENTHESIS_OPEN:
        sawParen ||= shape.depth === 0;
        shape.depth++;
        break;
      case SQUARE_OPEN:
        shape.depth++;
        break;
      case BRACE_OPEN:
        if (shape.depth === 0 && opensScope(state)) return finish(state, 'open');
        shape.depth++;
        break;
      case LESS:
        state.launches ||= token.text === '<<<';
        break;
      case EQUALS:
        if (shape.depth === 0 && token.text === '=' && !insideTemplateParameters(state)) assigned = true;
        break;
      case PARENTHESIS_CLOSE:
      case SQUARE_CLOSE:
        shape.depth = Math.max(0, shape.depth - 1);
        break;
      case BRACE_CLOSE:
        shape.depth = Math.max(0, shape.depth - 1);
        if (shape.depth === 0 && !assigned && !(aggregate && !sawParen) && !moreFollows(scan)) return finish(state, 'declaration');
        break;
      case SEMICOLON:
        if (shape.depth === 0) return finish(state, 'declaration');
    }
  }
  return finish(state, 'declaration', shape.depth > 0);
}

/** `template <int N = 256> …`: the default is no initialiser. */
function insideTemplateParameters({ tokens, count }: State): boolean {
  if (tokens[0].text !== 'template') return false;
  let depth = 0;
  for (let i = 0; i < count; i++) {
    if (tokens[i].text === '<') depth++;
    else if (tokens[i].text === '>') depth--;
  }
  return depth > 0;
}

/** After a function's closing brace only these continue the same item: try blocks and constructors' initialisers. */
function moreFollows(scan: Scanner): boolean {
  if (!scan.skipSpace()) return false;
  const { text, at } = scan;
  const code = text.charCodeAt(at);
  return code === SEMICOLON || code === COMMA || (text.startsWith('catch', at) && nameEnd(text, at) === at + 'catch'.length);
}

function opensScope({ tokens, count }: State): boolean {
  const first = tokens[tokens[0].text === 'inline' ? 1 : 0].text;
  return first === 'namespace' || (first === 'extern' && count === 3 && tokens[1].kind === 'string');
}

/** Braces that differ between the branches of an `#if` count once. What begins inside one began at no depth. */
function branchDepth(directive: string, shape: { depth: number; saved: number[] }): void {
  const word = /^#\s*(\w+)/.exec(directive)?.[1];
  if (word === 'if' || word === 'ifdef' || word === 'ifndef') shape.saved.push(shape.depth);
  else if (word === 'else' || word === 'elif') shape.depth = shape.saved[shape.saved.length - 1] ?? 0;
  else if (word === 'endif') shape.saved.pop();
}

/**
 * `__global__` never occurs inside a function: half-typed text before it lacks a brace. The tokens that belong to the kernel's own head
 * (`template <…>`, `static`, `extern "C"`) are scanned once more, for the next item.
 */
function splitBeforeKernel(state: State): Item {
  const { scan, tokens } = state;
  const kernel = state.count - 1;
  let keep = kernel;
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
  state.count = Math.max(1, keep);
  const kept = tokens.slice(0, state.count);
  scan.names = [...new Set(kept.filter((t) => t.kind === 'name').map((t) => t.text))];
  state.launches = kept.some((t) => t.text === '<<<');
  state.directives = kept.some((t) => t.kind === 'directive');
  scan.at = scan.origin + tokens[state.count].start;
  const known = scan.comments.findIndex((c, i) => i >= state.commentsFrom && c.start >= scan.at);
  if (known >= 0) scan.comments.length = known;
  return finish(state, 'declaration', true);
}
