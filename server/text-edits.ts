/** An editor's changes as edits with ranges inside the text. */
import type { Range, TextDocument, TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import type { Position, TextEdit } from '../protocol/finding.ts';

/** Nothing for a change that replaces the whole text. */
export function clampedEdit(text: TextDocument, change: TextDocumentContentChangeEvent): TextEdit | undefined {
  if (!('range' in change)) return undefined;
  const clamp = (position: Range['start']): Position => {
    const { line, character } = text.positionAt(text.offsetAt(position));
    return { line, column: character };
  };
  return { range: { start: clamp(change.range.start), end: clamp(change.range.end) }, newText: change.text };
}
