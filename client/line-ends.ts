/** Which of a line's counters fit behind it: text that would leave the window says nothing, and the bar in the gutter is there all the same. */

/** Between the parts of an annotation. */
const SEPARATOR = ' · ';
/** Left free behind the line's own text. */
const GAP = 4;

/** As many of the first parts as end before the column; nothing where not even the first does. */
export function fitting(text: string, lineColumns: number, lastColumn: number): string | undefined {
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
