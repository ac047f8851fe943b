/** Counters at the ends of lines as the protocol's hints: for editors that draw nothing else there, and for screen readers. */
import type { InlayHint, Range } from 'vscode-languageserver/node';
import { l10n } from '../counters/spoken.ts';
import type { LineAnnotation } from '../protocol/run.ts';

/** What VS Code shows of hints that follow each other, unless the user says otherwise: `editor.inlayHints.maximumLength`. */
const MOST_CHARACTERS = 43;

export interface HintOptions {
  /** Lines that are asked for. */
  readonly range: Range;
  /** The text has changed since the run. */
  readonly stale: boolean;
}

export function inlayHints(annotations: readonly LineAnnotation[], lines: readonly string[], { range, stale }: HintOptions): InlayHint[] {
  return annotations
    .filter(({ line, costly }) => costly && line >= range.start.line && line <= range.end.line && line < lines.length)
    .map(({ line, text, details }) => ({
      position: { line, character: lines[line].replace(/\r$/, '').length },
      label: labelOf(text, stale),
      tooltip: { kind: 'markdown', value: details },
      paddingLeft: true,
    }));
}

/** As many of its parts as are shown whole, one at least; the others stand in the tooltip. */
function labelOf(text: string, stale: boolean): string {
  const label = stale ? l10n.t('before your last changes: {0}', text) : text;
  const end = text.lastIndexOf(' · ');
  return label.length <= MOST_CHARACTERS || end < 0 ? label : labelOf(text.slice(0, end), stale);
}
