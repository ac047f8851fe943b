/** Where the loops and conditions of a file stand, from the text alone: what the hardware counts divergence of beside these is a branch that the compiler made. */
import { buildTable, newTableCache, type TableCache } from '../analyzers/model/table.ts';
import { closeSource, lineTable, openSource, rangeOf } from '../analyzers/syntax/source.ts';
import { loadGrammars } from '../analyzers/syntax/tree/grammar.ts';

/** Lines, counted from 1, that hold a part of the head of a loop; of `if`, `switch`, `?:`, `&&` or `||`. Headers are not read. */
export interface SourceBranches {
  readonly loops: ReadonlySet<number>;
  readonly conditions: ReadonlySet<number>;
  /** For the first line of an `if` the last lines of its sides: the jump over the other side is the compiler's, and has a line of theirs. */
  readonly ends: ReadonlyMap<number, readonly number[]>;
  /** Functions that have a body. */
  readonly functions: readonly { readonly name: string; readonly from: number; readonly to: number }[];
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
  const ends = new Map<number, number[]>();
  const functions: SourceBranches['functions'][number][] = [];
  for (const [name, entries] of buildTable(source.items, { cache }).functions) {
    for (const { def, item } of entries) {
      const { start, end } = rangeOf({ item, start: def.start, end: def.end }, lines);
      if (def.body) functions.push({ name: name.replace(/^.*::/, ''), from: start.line + 1, to: end.line + 1 });
      visit(def.body, (kind, { start, end }, sides) => {
        const range = rangeOf({ item, start, end }, lines);
        for (let line = range.start.line; line <= range.end.line; line++) found[kind].add(line + 1);
        if (sides.length > 0)
          ends.set(
            range.start.line + 1,
            sides.map((side) => rangeOf({ item, ...side }, lines).end.line + 1),
          );
      });
    }
  }
  closeSource(source);
  return { ...found, ends, functions };
}

/** All nodes of a syntax tree, whose kinds are named by `k`. */
function visit(node: unknown, note: (kind: 'loops' | 'conditions', at: Span, sides: readonly Span[]) => void): void {
  if (Array.isArray(node)) for (const part of node) visit(part, note);
  if (typeof node !== 'object' || node === null || !('k' in node)) return;
  const { k, head, op } = node as { k: unknown; head?: Span; op?: unknown };
  if (head) note(k === 'if' || k === 'switch' ? 'conditions' : 'loops', head, k === 'if' ? lastStatements(node) : []);
  else if (k === 'cond' || (k === 'binary' && (op === '&&' || op === '||'))) note('conditions', node as unknown as Span, []);
  for (const part of Object.values(node)) if (typeof part === 'object') visit(part, note);
}

function lastStatements(branch: object): Span[] {
  const { then, else: other } = branch as { then?: unknown; else?: unknown };
  return [then, other].flatMap((side) => lastStatement(side) ?? []);
}

function lastStatement(statement: unknown): Span | undefined {
  if (typeof statement !== 'object' || statement === null) return undefined;
  const { k, body, e } = statement as { k?: unknown; body?: unknown; e?: unknown };
  if (k === 'block' && Array.isArray(body)) return lastStatement(body.at(-1));
  return k === 'expr' ? (e as Span) : undefined;
}
