/** From places in items to ranges in the files that hold them. */
import type { LocatedRange, SourceRange } from '../../protocol/finding.ts';
import type { FileModel } from '../model/file.ts';
import type { Header } from '../syntax/headers.ts';
import type { Item } from '../syntax/items.ts';
import { type LineTable, lineTable, type Place, rangeOf, type Source } from '../syntax/source.ts';

const START: SourceRange = { start: { line: 0, column: 0 }, end: { line: 0, column: 0 } };

export class Places {
  private readonly headers: readonly Header[];
  private readonly own: ReadonlySet<Item>;
  private readonly lines: LineTable;
  private readonly tables = new Map<Header, LineTable>();

  constructor(model: FileModel, source: Source, lines: LineTable) {
    this.headers = model.table.headers;
    this.own = new Set(source.items);
    this.lines = lines;
  }

  located(place: Place): LocatedRange | undefined {
    if (this.own.has(place.item)) return { range: rangeOf(place, this.lines) };
    const header = this.headers.find(({ source }) => source.items.includes(place.item));
    if (!header) return undefined;
    let table = this.tables.get(header);
    if (!table) {
      table = lineTable(header.source.text);
      this.tables.set(header, table);
    }
    return { path: header.path, range: rangeOf(place, table) };
  }

  /** The header that an #include names. */
  ofHeader(name: string): LocatedRange[] {
    const end = name.replace(/^(\.\.?\/)+/, '');
    const header = this.headers.find(({ path }) => `/${path.replaceAll('\\', '/')}`.endsWith(`/${end}`));
    return header ? [{ path: header.path, range: START }] : [];
  }
}

/** Where a name stands among the tokens of an item, or of a part of it. */
export function namePlace(
  item: Item,
  name: string,
  part: { readonly start: number; readonly end: number } = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY },
  which: 'first' | 'last' = 'first',
): Place | undefined {
  const isIt = ({ text, start, end }: Item['tokens'][number]) => text === name && start >= part.start && end <= part.end;
  const token = which === 'first' ? item.tokens.find(isIt) : item.tokens.findLast(isIt);
  return token && { item, start: token.start, end: token.end };
}

/** Where something is named that is declared in an item. */
export function declaredPlace(item: Item, { nameStart, nameEnd }: { readonly nameStart: number; readonly nameEnd: number }): Place {
  return { item, start: nameStart, end: nameEnd };
}
