/** Where a line's counters have room: behind it, else behind the line above, with an arrow, else as a number alone. */

/** Between the parts of an annotation, of which the first says most. */
const SEPARATOR = ' · ';
/** Between what the run before had and what this one has. */
export const CHANGED = ' → ';
/** Left free behind the line's own text. */
const GAP = 4;
const ARROW = '↓ ';
/** No editor is narrower. */
const FEWEST_COLUMNS = 40;

export interface Placed {
  /** The line behind which it stands. */
  readonly at: number;
  readonly text: string;
}

export interface Placeable {
  readonly line: number;
  readonly text: string;
  /** What the number alone would be about is plain. */
  readonly isKnown?: boolean;
}

/**
 * By line; nothing where there is no room but for a number that could be anything. Behind a line that has a text of its own stands no other.
 * `columns`: how many a line has.
 */
export function placed(texts: readonly Placeable[], columns: (line: number) => number, lastColumn: number): ReadonlyMap<number, Placed> {
  const taken = new Set(texts.map(({ line }) => line));
  return new Map(
    texts.flatMap(({ line, text, isKnown = true }): [number, Placed][] => {
      const isFree = line > 0 && !taken.has(line - 1);
      const own = (shown: string) => at(line, fitting(shown, columns(line), lastColumn));
      const above = (shown: string) => (isFree ? at(line - 1, fitting(`${ARROW}${shown}`, columns(line - 1), lastColumn)) : undefined);
      const number = numberIn(text);
      const whole = own(text) ?? above(text);
      if (whole) return [[line, whole]];
      return isKnown ? [[line, own(number) ?? above(number) ?? { at: line, text: number }]] : [];
    }),
  );
}

/** Editors side by side share the window's columns. */
export function lastColumnOf(setting: number, editorsInARow: number): number {
  return Math.max(FEWEST_COLUMNS, Math.floor(setting / Math.max(1, editorsInARow)));
}

function at(line: number, text: string | undefined): Placed | undefined {
  return text === undefined ? undefined : { at: line, text };
}

/**
 * `4.5×` of `4.5× ideal sectors`, `4.5 → 1.0×` of what has changed, `4.8 lanes` of `atomics with 4.8 lanes on one address`: a number alone
 * could be any.
 */
function numberIn(text: string): string {
  const [first] = text.split(SEPARATOR);
  // Before it, a language may say *one* address with a digit.
  return first.match(/(?:\d[\d.,\u202f]*(?: %)? → )?\d[\d.,\u202f]*(?: ?[×%]| ?\p{L}+)?/gu)?.at(-1) ?? first;
}

/** As many of the first parts as end before the column; nothing where not even the first does. */
function fitting(text: string, lineColumns: number, lastColumn: number): string | undefined {
  const room = lastColumn - lineColumns - GAP;
  const parts = text.split(SEPARATOR);
  while (parts.length > 0 && columnsOf(parts.join(SEPARATOR), 1) > room) parts.pop();
  return parts.length > 0 ? parts.join(SEPARATOR) : undefined;
}

/** Of Japanese and Korean, characters that are as wide as two. */
const WIDE = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/;

/** Columns that a line takes, with its tabs. */
export function columnsOf(line: string, tabSize: number): number {
  let columns = 0;
  for (const character of line) columns += character === '\t' ? tabSize - (columns % tabSize) : WIDE.test(character) ? 2 : 1;
  return columns;
}
