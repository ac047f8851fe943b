/** Where the loops and conditions of a file stand, from the text alone: what the hardware counts divergence of beside these is a branch that the compiler made. */
import { buildTable, newTableCache, type TableCache } from '../analyzers/model/table.ts';
import { closeSource, lineTable, openSource, rangeOf } from '../analyzers/syntax/source.ts';
import { loadGrammars } from '../analyzers/syntax/tree/grammar.ts';

/** Lines, counted from 1, that hold a part of the head of a loop; of `if`, `switch`, `?:`, `&&` or `||`. Headers are not read. */
export interface SourceBranches {
  readonly loops: ReadonlySet<number>;
  readonly conditions: ReadonlySet<number>;
}

export async function newBranchFinder(assets: Parameters<typeof loadGrammars>[0]): Promise<(text: string) => SourceBranches> {
  const cache = newTableCache(await loadGrammars(assets));
  return (text) => branchLines(text, cache);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function branchLines(text: string, cache: TableCache): SourceBranches {
  const source = openSource(text);
  const lines = lineTable(text);
  const found = { loops: new Set<number>(), conditions: new Set<number>() };
  for (const entries of buildTable(source.items, { cache }).functions.values()) {
    for (const { def, item } of entries) {
      visit(def.body, (kind, { start, end }) => {
        const range = rangeOf({ item, start, end }, lines);
        for (let line = range.start.line; line <= range.end.line; line++) found[kind].add(line + 1);
      });
    }
  }
  closeSource(source);
  return found;
}

/** All nodes of a syntax tree, whose kinds are named by `k`. */
function visit(node: unknown, note: (kind: keyof SourceBranches, at: Span) => void): void {
  if (Array.isArray(node)) for (const part of node) visit(part, note);
  if (typeof node !== 'object' || node === null || !('k' in node)) return;
  const { k, head, op } = node as { k: unknown; head?: Span; op?: unknown };
  if (head) note(k === 'if' || k === 'switch' ? 'conditions' : 'loops', head);
  else if (k === 'cond' || (k === 'binary' && (op === '&&' || op === '||'))) note('conditions', node as unknown as Span);
  for (const part of Object.values(node)) if (typeof part === 'object') visit(part, note);
}
