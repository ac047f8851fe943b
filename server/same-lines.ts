/** Which line of an earlier text a line was: what stands between the first and the last difference was changed. */

/** Both count from 0; undefined for a line that is new. */
export function sameLines(now: readonly string[], before: readonly string[]): (line: number) => number | undefined {
  const most = Math.min(now.length, before.length);
  let start = 0;
  while (start < most && now[start] === before[start]) start++;
  let end = 0;
  while (end < most - start && now[now.length - 1 - end] === before[before.length - 1 - end]) end++;
  const changed = before.slice(start, before.length - end);
  const isInPlace = changed.length === now.length - start - end;
  const places = new Map<string, number | undefined>();
  for (const [index, text] of changed.entries()) places.set(text.trim(), places.has(text.trim()) ? undefined : start + index);
  return (line) => {
    if (line < start) return line;
    if (line >= now.length - end) return line - now.length + before.length;
    // Of several alike nobody knows which one it was.
    return isInPlace ? line : places.get(now[line].trim());
  };
}
