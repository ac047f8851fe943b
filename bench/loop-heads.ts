/** Where the loops of a file begin, from the text alone: the hardware counts a loop's way back at these lines. */
import { buildTable, newTableCache, type TableCache } from '../analyzers/model/table.ts';
import type { Node, Stmt } from '../analyzers/syntax/ast.ts';
import { closeSource, lineTable, openSource, rangeOf } from '../analyzers/syntax/source.ts';
import { loadGrammar } from '../analyzers/syntax/tree/grammar.ts';

export async function newLoopFinder(assets: Parameters<typeof loadGrammar>[0]): Promise<(text: string) => ReadonlySet<number>> {
  const cache = newTableCache(await loadGrammar(assets));
  return (text) => loopLines(text, cache);
}

/** Lines, counted from 1, that hold a part of the head of a loop. Headers are not read. */
function loopLines(text: string, cache: TableCache): ReadonlySet<number> {
  const source = openSource(text);
  const lines = lineTable(text);
  const found = new Set<number>();
  for (const entries of buildTable(source.items, { cache }).functions.values())
    for (const { def, item } of entries)
      for (const head of def.body ? headsIn(def.body) : []) {
        const { start, end } = rangeOf({ item, ...head }, lines);
        for (let line = start.line; line <= end.line; line++) found.add(line + 1);
      }
  closeSource(source);
  return found;
}

function headsIn(s: Stmt): Pick<Node, 'start' | 'end'>[] {
  switch (s.k) {
    case 'block':
      return s.body.flatMap(headsIn);
    case 'if':
      return [s.then, ...(s.else ? [s.else] : [])].flatMap(headsIn);
    case 'for':
    case 'range':
    case 'while':
    case 'do':
      return [{ start: s.head.start, end: s.head.end }, ...headsIn(s.body)];
    case 'switch':
      return headsIn(s.body);
    default:
      return [];
  }
}
