/** Keeps what was said about lines at its place while the text changes around it. The one function in this folder: both sides need it. */
import type { TextEdit } from './finding.ts';

/** The line's number after the edit, or nothing when the edit changed the line itself. */
export function shiftLine(line: number, { range: { start, end }, newText }: TextEdit): number | undefined {
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
