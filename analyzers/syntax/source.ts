/** The text of one document with its line table and items, kept up to date under edits. */
import type { Position, SourceRange } from '../../protocol/finding.ts';
import { type Item, scanItems } from './items.ts';
import type { Dialect } from './tree/grammar.ts';
import { dropTree } from './tree/parse.ts';

export interface Source {
  readonly dialect: Dialect;
  readonly text: string;
  readonly items: readonly Item[];
}

/** A piece of source by item, so that it stays right when text before the item moves. */
export interface Place {
  readonly item: Item;
  readonly start: number;
  readonly end: number;
}

export function openSource(text: string, dialect: Dialect = 'cuda'): Source {
  return { dialect, text, items: scanItems(text, { dialect }).items };
}

/** By the name of the file; CUDA's own extensions are `.cu` and `.cuh`. */
export function dialectOf(path: string): Dialect {
  return /\.(c|cc|cpp|cxx|c\+\+|h|hh|hpp|hxx|h\+\+|inl|ipp|tcc|tpp)$/i.test(path) ? 'cpp' : 'cuda';
}

/** The source after `text[start, end)` became `replacement`. Items outside the touched stretch keep their identity. */
export function editSource(source: Source, start: number, end: number, replacement: string): Source {
  const { dialect } = source;
  const text = source.text.slice(0, start) + replacement + source.text.slice(end);
  const shift = replacement.length - (end - start);
  const old = source.items;
  let first = 0;
  // An item is touched when the edit meets it or the space around it: comments before an item belong to it, and a token may grow.
  while (first < old.length && itemEnd(old[first]) < start && (first + 1 >= old.length || leadStart(old, first + 1) < start)) first++;
  first = Math.max(0, first - 1);
  let resume = first;
  while (resume < old.length && leadStart(old, resume) <= end) resume++;
  const boundary = new Map<number, number>();
  // What stands for comments at the end has no text of its own to recognise it by.
  for (let i = resume; i < old.length; i++) if (old[i].length > 0) boundary.set(old[i].start + shift, i);
  const from = first < old.length ? (first === 0 ? 0 : itemEnd(old[first - 1])) : 0;
  const scanned = scanItems(text, { dialect, at: from, settled: (offset) => boundary.has(offset) });
  const rest = scanned.stoppedAt === undefined ? [] : old.slice(boundary.get(scanned.stoppedAt));
  const fresh = reuse(scanned.items, old.slice(first, old.length - rest.length), text, source.text);
  for (const item of rest) item.start += shift;
  return { dialect, text, items: [...old.slice(0, first), ...fresh, ...rest] };
}

/** Frees the trees of a source that is not used any more. */
export function closeSource(source: Source): void {
  for (const item of source.items) dropTree(item);
}

/** Keeps old items whose text, comments included, did not change; an item that did change hands its tree on to its successor. */
function reuse(fresh: Item[], old: readonly Item[], text: string, oldText: string): Item[] {
  const byText = new Map<string, Item[]>();
  for (const item of old) {
    const key = reach(item, oldText);
    byText.set(key, [...(byText.get(key) ?? []), item]);
  }
  const items = fresh.map((item) => {
    const same = byText.get(reach(item, text))?.shift();
    if (!same) return item;
    same.start = item.start;
    return same;
  });
  const kept = new Set(items);
  const changed = old.filter((item) => item.parsed && !kept.has(item));
  for (const item of items) {
    if (changed.length === 0) break;
    if (item.kind !== 'declaration' || item.parsed) continue;
    const before = changed.shift()!;
    item.parsed = before.parsed;
    before.parsed = undefined;
  }
  for (const item of changed) dropTree(item);
  return items;
}

/** Text of the item with the comments before it, which are part of what rules see (suppressions). */
function reach(item: Item, text: string): string {
  return `${item.kind}${text.slice(item.start + Math.min(0, item.comments[0]?.start ?? 0), itemEnd(item))}`;
}

function itemEnd(item: Item): number {
  return item.start + item.length;
}

function leadStart(items: readonly Item[], i: number): number {
  return items[i].start + Math.min(0, items[i].comments[0]?.start ?? 0);
}

export interface LineTable {
  readonly starts: readonly number[];
  readonly length: number;
}

export function lineTable(text: string): LineTable {
  return new Lines(text);
}

/** Lines are looked for when a place is asked for, which files without findings never are. */
class Lines implements LineTable {
  readonly length: number;
  private readonly text: string;
  private known: readonly number[] | undefined = undefined;

  constructor(text: string) {
    this.length = text.length;
    this.text = text;
  }

  get starts(): readonly number[] {
    this.known ??= lineStarts(this.text);
    return this.known;
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

export function positionAt(table: LineTable, offset: number): Position {
  let low = 0;
  let high = table.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (table.starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low, column: Math.max(0, offset - table.starts[low]) };
}

/** Positions past the end of a line or of the text mean its end, as in the language server protocol. */
export function offsetAt(table: LineTable, position: Position): number {
  if (position.line < 0) return 0;
  if (position.line >= table.starts.length) return table.length;
  const lineEnd = position.line + 1 < table.starts.length ? table.starts[position.line + 1] - 1 : table.length;
  return Math.min(table.starts[position.line] + Math.max(0, position.column), lineEnd);
}

export function rangeOf(place: Place, table: LineTable): SourceRange {
  return { start: positionAt(table, place.item.start + place.start), end: positionAt(table, place.item.start + place.end) };
}

/** Offsets in the text. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The letters and digits around an offset. */
export function wordAt(text: string, offset: number): Word | undefined {
  let start = offset;
  let end = offset;
  while (start > 0 && /\w/.test(text[start - 1])) start--;
  while (end < text.length && /\w/.test(text[end])) end++;
  return start === end ? undefined : { text: text.slice(start, end), start, end };
}
