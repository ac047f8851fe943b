/** Where a line of a text is after edits that nobody has watched. */

/** How many lines around it have to be the same where others read alike. */
const MOST_AROUND = 20;

/** From 0. The nearest of the lines that read the same and have the most in common around them; nothing where none does. */
export function whereNow(line: number, before: readonly string[], now: readonly string[]): number | undefined {
  const wanted = before[line];
  if (wanted === undefined) return undefined;
  const alike = now.flatMap((text, index) => (text === wanted ? [index] : []));
  const around = (index: number) => same(line, index, -1) + same(line, index, 1);
  const same = (from: number, to: number, step: number): number => {
    let count = 0;
    while (
      count < MOST_AROUND &&
      before[from + step * (count + 1)] !== undefined &&
      before[from + step * (count + 1)] === now[to + step * (count + 1)]
    )
      count++;
    return count;
  };
  return alike.sort((a, b) => around(b) - around(a) || Math.abs(a - line) - Math.abs(b - line))[0];
}
