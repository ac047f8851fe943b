/** Keeps what was said about lines at its place while the text changes around it. */
import type { TextEdit } from '../protocol/finding.ts';

/** The line's number after the edits, or nothing when one changed the line itself or (no edits given) all text was replaced. */
export function shiftLines(line: number, edits: readonly TextEdit[] | undefined): number | undefined {
  let now: number | undefined = edits ? line : undefined;
  for (const edit of edits ?? []) if (now !== undefined) now = shiftLine(now, edit);
  return now;
}

function shiftLine(line: number, { range: { start, end }, newText }: TextEdit): number | undefined {
  if (line < start.line) return line;
  let added = 0;
  for (let at = newText.indexOf('\n'); at >= 0; at = newText.indexOf('\n', at + 1)) added++;
  const delta = added - (end.line - start.line);
  if (line > end.line) return line + delta;
  // Text up to the start of the line: whole lines came or went before it.
  if (line === end.line && end.column === 0 && (newText === '' ? start.column === 0 : newText.endsWith('\n'))) return line + delta;
  // Enter at the end of the line. (In its middle: what was said stays with its beginning.)
  if (line === start.line && start.line === end.line && start.column === end.column && /^\r?\n/.test(newText)) return line;
  return undefined;
}
