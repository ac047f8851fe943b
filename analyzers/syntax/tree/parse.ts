/**
 * Parses with tree-sitter what an item's expanded tokens define: piece by piece where that can be done (pieces.ts), else as a whole, like
 * most half-typed text. Then the item keeps its tree; when an edit replaces the item, its successor takes the tree over, tells it what
 * changed and has only that parsed again.
 */
import { Edit, type Tree } from 'web-tree-sitter';
import type { Def, Stmt } from '../ast.ts';
import type { Token } from '../token.ts';
import { closing } from './brackets.ts';
import { definitions } from './definitions.ts';
import { type Grammar, readNodes } from './grammar.ts';
import { type Layout, layOut } from './layout.ts';
import type { TypeNames } from './names.ts';
import { definitionsByPieces } from './pieces.ts';

/** A tree and the text that it is of. */
export interface ParsedText {
  readonly tree: Tree;
  readonly text: string;
}

/** What keeps the tree from one parse to the next. */
export interface TreeHolder {
  parsed?: ParsedText;
}

export interface ParseOptions {
  /** What keeps the tree from one parse to the next. */
  readonly holder?: TreeHolder;
  /** Macros and conditionals; asked for what is parsed alone. */
  readonly expand?: (tokens: readonly Token[]) => readonly Token[];
  /** Whose bodies are parsed at once: kernels' where they are sure to be looked into, or nobody's. */
  readonly eager?: 'kernels' | 'none';
}

/**
 * What the tokens define. Of a function only the head is parsed at first, and its body when something looks into it: much of a file is
 * host code that no rule asks about, and much of a header concerns others.
 */
export function parseDefinitions(grammar: Grammar, written: readonly Token[], known: TypeNames, options: ParseOptions = {}): Def[] {
  const { holder = {}, expand = (tokens) => tokens, eager = 'kernels' } = options;
  const whole = () => parseAll(grammar, withoutTables(expand(written)), known, holder);
  const open = written.length < FEWEST_LAZY ? undefined : bodyOf(written);
  if (open === undefined || (eager === 'kernels' && isKernel(written, open))) return whole();
  const head = parseAll(grammar, expand([...written.slice(0, open + 1), written[written.length - 1]]), known, {});
  const def = head[0];
  if (head.length !== 1 || def.d !== 'function' || def.body?.k !== 'block') return whole();
  const { start, end } = def.body;
  return [{ ...def, body: new LazyBlock(start, end, () => bodyIn(whole())) }];
}

/** Tokens of an initialiser outside functions from which on it is a table of data, which the model never looks into. */
const FEWEST_OF_TABLE = 64;

/** Empties `= { … }` of tables of data at the top level: some files have a hundred thousand numbers in one. */
function withoutTables(tokens: readonly Token[]): readonly Token[] {
  if (tokens.length < FEWEST_OF_TABLE) return tokens;
  for (let i = 0; i + 1 < tokens.length; i++) {
    const { text } = tokens[i];
    if (text === '(' || text === '[') i = closing(tokens, i);
    else if (text === '{') return tokens;
    else if (text === '=' && tokens[i + 1].text === '{') {
      const close = closing(tokens, i + 1);
      if (close - i < FEWEST_OF_TABLE) return tokens;
      return [...tokens.slice(0, i + 2), ...withoutTables(tokens.slice(close))];
    }
  }
  return tokens;
}

/** What the tokens define, with everything inside. */
function parseAll(grammar: Grammar, tokens: readonly Token[], known: TypeNames, holder: TreeHolder): Def[] {
  const layout = layOut(tokens, known);
  return definitionsByPieces(grammar, layout, bodyOf(tokens)) ?? definitionsAtOnce(grammar, layout, holder);
}

/** From one tree of all the text. */
export function definitionsAtOnce(grammar: Grammar, layout: Layout, holder: TreeHolder): Def[] {
  const parsed = parseText(grammar, layout.text, holder.parsed);
  holder.parsed = parsed;
  if (!parsed) return [];
  return definitions({ nodes: readNodes(parsed.tree, grammar), layout, base: 0, depth: 0 }, 0);
}

/** Below this many tokens a second parse costs more than it saves. */
const FEWEST_LAZY = 60;
const NO_FUNCTION = new Set(['struct', 'class', 'union', 'enum', 'namespace', 'typedef', 'using', '=', ':', ';', '[', ']']);

function isKernel(tokens: readonly Token[], open: number): boolean {
  for (let i = 0; i < open; i++) if (tokens[i].text === '__global__') return true;
  return false;
}

/** Index of the brace that opens the body, where the tokens are one function and nothing else. */
export function bodyOf(tokens: readonly Token[]): number | undefined {
  let sawParameters = false;
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text } = tokens[i];
    if (kind === 'directive' || NO_FUNCTION.has(text)) return undefined;
    if (text === '(') {
      i = closing(tokens, i);
      sawParameters = true;
    } else if (text === '<' && tokens[i - 1]?.text === 'template') {
      // `template <class T>` is no class.
      while (i < tokens.length && tokens[i].text !== '>') i++;
    } else if (text === '{') return sawParameters && closing(tokens, i) === tokens.length - 1 ? i : undefined;
  }
  return undefined;
}

function bodyIn(defs: readonly Def[]): readonly Stmt[] {
  for (const def of defs) if (def.d === 'function' && def.body?.k === 'block') return def.body.body;
  return [];
}

/**
 * A block that is read when something looks into it. A class: V8 keeps the accessors of an object literal, with all that they hold, in
 * places that only its rare full collections clear, so that every file's tokens and trees would outlive the file by far.
 */
class LazyBlock {
  readonly k = 'block';
  readonly start: number;
  readonly end: number;
  readonly #read: () => readonly Stmt[];
  #body: readonly Stmt[] | undefined;

  constructor(start: number, end: number, read: () => readonly Stmt[]) {
    this.start = start;
    this.end = end;
    this.#read = read;
  }

  get body(): readonly Stmt[] {
    this.#body ??= this.#read();
    return this.#body;
  }
}

export function dropTree(holder: TreeHolder): void {
  holder.parsed?.tree.delete();
  holder.parsed = undefined;
}

/** Up to this length a text with errors is parsed anew: how errors are recovered from depends on what was reused. */
const REPARSED_LENGTH = 20_000;

/** The tree of `text`, made from `before`, which must not be used afterwards. */
export function parseText(grammar: Grammar, text: string, before: ParsedText | undefined): ParsedText | undefined {
  if (before?.text === text) return before;
  let tree: Tree | null = null;
  if (before) {
    markEdit(before, text);
    tree = grammar.parser.parse(text, before.tree);
    before.tree.delete();
    if (tree?.rootNode.hasError && text.length <= REPARSED_LENGTH) {
      tree.delete();
      tree = null;
    }
  }
  tree ??= grammar.parser.parse(text);
  return tree ? { tree, text } : undefined;
}

/** Tells the tree which stretch of its text differs now. The layout is one line, so a column is an index. */
function markEdit({ tree, text: old }: ParsedText, text: string): void {
  const shorter = Math.min(old.length, text.length);
  let start = 0;
  while (start < shorter && old.charCodeAt(start) === text.charCodeAt(start)) start++;
  let tail = 0;
  while (tail < shorter - start && old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)) tail++;
  const oldEndIndex = old.length - tail;
  const newEndIndex = text.length - tail;
  const at = (column: number) => ({ row: 0, column });
  tree.edit(
    new Edit({
      startIndex: start,
      oldEndIndex,
      newEndIndex,
      startPosition: at(start),
      oldEndPosition: at(oldEndIndex),
      newEndPosition: at(newEndIndex),
    }),
  );
}
