/**
 * What tokens define, by tree-sitter. An item keeps its tree; when an edit replaces the item, its successor takes the tree over, tells it
 * what changed, and has only that parsed again.
 */
import { Edit, type Tree } from 'web-tree-sitter';
import type { Def } from '../ast.ts';
import type { TypeNames } from '../names.ts';
import type { Token } from '../token.ts';
import { definitions } from './definitions.ts';
import type { Dialect, Grammars } from './grammar.ts';
import { type Layout, layOut } from './layout.ts';
import { type Nodes, readInOrder, readNodes } from './nodes.ts';
import { foldRepeats } from './repeats.ts';

/** A tree, and the text that it was parsed from. */
export interface ParsedText {
  readonly dialect: Dialect;
  readonly tree: Tree;
  readonly text: string;
  /** It has errors. */
  readonly broken: boolean;
}

/** What keeps the tree from one parse to the next. */
export interface TreeHolder {
  parsed?: ParsedText;
}

export interface Parse {
  readonly grammars: Grammars;
  readonly dialect: Dialect;
  /** Names of types that the surroundings declare. */
  readonly known: TypeNames;
  readonly holder: TreeHolder;
}

export function definitionsIn(tokens: readonly Token[], parse: Parse): Def[] {
  const { dialect, known, holder } = parse;
  const layout = layOut(tokens, known);
  if (holder.parsed && holder.parsed.dialect !== dialect) dropTree(holder);
  // What was broken is parsed as it stands, so that its tree can be made from the last one.
  const nodes = (!holder.parsed?.broken && foldedNodes(foldRepeats(layout), parse)) || wholeNodes(layout, parse);
  return nodes ? definitions({ nodes, layout, depth: 0 }, 0) : [];
}

/** Nothing where the folded text has errors: how they are recovered from is to depend on the text as it stands. */
function foldedNodes(layout: Layout | undefined, { grammars, dialect, holder }: Parse): Nodes | undefined {
  if (!layout) return undefined;
  const parsed = parseFrom(holder.parsed, grammars, dialect, layout.text);
  holder.parsed = parsed;
  const nodes = parsed && !parsed.broken ? readInOrder(parsed.tree, layout, grammars[dialect].numbering, grammars.room) : undefined;
  if (!nodes) dropTree(holder);
  return nodes;
}

function wholeNodes(layout: Layout, { grammars, dialect, holder }: Parse): Nodes | undefined {
  const { text } = layout;
  let parsed = parseFrom(holder.parsed, grammars, dialect, text);
  if (holder.parsed && holder.parsed !== parsed && parsed?.broken && text.length <= REPARSED_LENGTH) {
    parsed.tree.delete();
    parsed = parseFrom(undefined, grammars, dialect, text);
  }
  holder.parsed = parsed;
  return parsed && readNodes(parsed.tree, layout, grammars[dialect].numbering, grammars.room);
}

export function dropTree(holder: TreeHolder): void {
  holder.parsed?.tree.delete();
  holder.parsed = undefined;
}

/** Up to this length a text with errors is parsed anew: how errors are recovered from depends on what was reused. */
const REPARSED_LENGTH = 20_000;

/** The tree of `text`, made from `before`, which must not be used afterwards. */
function parseFrom(before: ParsedText | undefined, grammars: Grammars, dialect: Dialect, text: string): ParsedText | undefined {
  if (before?.text === text) return before;
  if (before) markEdit(before, text);
  const tree = grammars[dialect].parser.parse(text, before?.tree);
  before?.tree.delete();
  return tree ? { dialect, tree, text, broken: tree.rootNode.hasError } : undefined;
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
