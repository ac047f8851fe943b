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
import { layOut } from './layout.ts';
import { readNodes } from './nodes.ts';

/** A tree, and the text that it was parsed from. */
export interface ParsedText {
  readonly dialect: Dialect;
  readonly tree: Tree;
  readonly text: string;
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

export function definitionsIn(tokens: readonly Token[], { grammars, dialect, known, holder }: Parse): Def[] {
  const layout = layOut(tokens, known);
  if (holder.parsed && holder.parsed.dialect !== dialect) dropTree(holder);
  const parsed = parseText(grammars, dialect, layout.text, holder.parsed);
  holder.parsed = parsed;
  if (!parsed) return [];
  const nodes = readNodes(parsed.tree, layout, grammars[dialect].numbering, grammars.room);
  return definitions({ nodes, layout, depth: 0 }, 0);
}

export function dropTree(holder: TreeHolder): void {
  holder.parsed?.tree.delete();
  holder.parsed = undefined;
}

/** Up to this length a text with errors is parsed anew: how errors are recovered from depends on what was reused. */
const REPARSED_LENGTH = 20_000;

/** The tree of `text`, made from `before`, which must not be used afterwards. */
function parseText(grammars: Grammars, dialect: Dialect, text: string, before: ParsedText | undefined): ParsedText | undefined {
  const { parser } = grammars[dialect];
  if (before?.text === text) return before;
  let tree: Tree | null = null;
  if (before) {
    markEdit(before, text);
    tree = parser.parse(text, before.tree);
    before.tree.delete();
    if (tree?.rootNode.hasError && text.length <= REPARSED_LENGTH) {
      tree.delete();
      tree = null;
    }
  }
  tree ??= parser.parse(text);
  return tree ? { dialect, tree, text } : undefined;
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
