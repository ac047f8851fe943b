/** A race that a run has found, where the mouse is: as a picture and in words. */
import type { Diagnostic, Position } from 'vscode-languageserver/node';
import { racePicture, raceText } from '../analyzers/hover/race-picture.ts';
import type { Hover } from '../protocol/finding.ts';
import type { FoundData } from './run-diagnostics.ts';

export function raceAt(diagnostics: readonly Diagnostic[], { line, character }: Position): Hover | undefined {
  for (const { range, code, data } of diagnostics) {
    const isThere = range.start.line === line && character >= range.start.character && character <= range.end.character;
    const finding = (data as FoundData | undefined)?.finding;
    if (!isThere || code !== 'race' || !finding) continue;
    const { places } = finding;
    const picture = racePicture(places);
    if (!picture) continue;
    const at = (position: Position) => ({ line: position.line, column: position.character });
    return { range: { start: at(range.start), end: at(range.end) }, markdown: raceText(places), picture };
  }
  return undefined;
}
