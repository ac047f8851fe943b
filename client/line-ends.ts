/** Where a line's counters have room: behind it, else behind the line above, with an arrow, else as a number alone. */

/** Between the parts of an annotation. */
const SEPARATOR = ' · ';
/** Left free behind the line's own text. */
const GAP = 4;

export interface Placed {
  /** The line behind which it stands. */
  readonly at: number;
  readonly text: string;
}

/** By line. Behind a line that has a text of its own stands no other. `columns`: how many a line has. */
export function placed(
  texts: readonly { readonly line: number; readonly text: string }[],
  columns: (line: number) => number,
  lastColumn: number,
): ReadonlyMap<number, Placed> {
  const taken = new Set(texts.map(({ line }) => line));
  return new Map(
    texts.map(({ line, text }) => {
      const own = fitting(text, columns(line), lastColumn);
      const above =
        own === undefined && line > 0 && !taken.has(line - 1) ? fitting(text, columns(line - 1) + ARROW.length, lastColumn) : undefined;
      if (above !== undefined) return [line, { at: line - 1, text: `${ARROW}${above}` }];
      return [line, { at: line, text: own ?? numberIn(text) }];
    }),
  );
}

const ARROW = '↓ ';

/** `4.5×` of `4.5× ideal sectors`. */
function numberIn(text: string): string {
  return /^[\d.,]+ ?[×%]?/.exec(text)?.[0] ?? text.split(SEPARATOR)[0];
}

/** As many of the first parts as end before the column; nothing where not even the first does. */
function fitting(text: string, lineColumns: number, lastColumn: number): string | undefined {
  const room = lastColumn - lineColumns - GAP;
  const parts = text.split(SEPARATOR);
  while (parts.length > 0 && parts.join(SEPARATOR).length > room) parts.pop();
  return parts.length > 0 ? parts.join(SEPARATOR) : undefined;
}

/** Columns that a line takes, with its tabs. */
export function columnsOf(line: string, tabSize: number): number {
  let columns = 0;
  for (const character of line) columns += character === '\t' ? tabSize - (columns % tabSize) : 1;
  return columns;
}
