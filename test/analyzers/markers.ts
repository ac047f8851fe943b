/**
 * Expected findings as comments in CUDA text: `// ~^ warning[rule] part of the message` on the line below the finding, one more `^` per
 * line further up. Exact both ways: a finding without a marker and a marker without a finding are both reported.
 */
import { unfolded } from '../../analyzers/fold-findings.ts';
import type { Finding } from '../../protocol/finding.ts';

interface Marker {
  readonly line: number;
  readonly severity: string;
  readonly rule: string;
  readonly text: string;
}

const MARKER = /\/\/\s*~(\^+)\s*(error|warning|information|hint)\[([\w-]+)\]\s*(.*?)\s*$/;

export function markersOf(text: string): Marker[] {
  return text.split('\n').flatMap((content, i) => {
    const match = MARKER.exec(content);
    return match ? [{ line: i - match[1].length, severity: match[2], rule: match[3], text: match[4] }] : [];
  });
}

/** What differs between markers and findings, one line each; empty when all is as marked. */
export function compareWithMarkers(text: string, findings: readonly Finding[]): string[] {
  const left = unfolded(findings);
  const out: string[] = [];
  for (const marker of markersOf(text)) {
    const at = left.findIndex(
      (f) =>
        f.range.start.line === marker.line && f.rule === marker.rule && f.severity === marker.severity && f.message.includes(marker.text),
    );
    if (at < 0) out.push(`not found: line ${marker.line + 1} ${marker.severity}[${marker.rule}] ${marker.text}`);
    else left.splice(at, 1);
  }
  for (const f of left) out.push(`not marked: line ${f.range.start.line + 1} ${f.severity}[${f.rule}] ${f.message}`);
  return out;
}

/** Applies fixes' edits, from the end of the text to its start. */
export function applyFixes(text: string, findings: readonly Finding[], which: 'safe' | 'all'): string {
  const starts = [0];
  for (let i = 0; i < text.length; i++) if (text[i] === '\n') starts.push(i + 1);
  const offset = (p: { line: number; column: number }) => starts[p.line] + p.column;
  const edits = findings.flatMap((f) => f.fixes.filter((x) => which === 'all' || x.safe).slice(0, 1)).flatMap((x) => x.edits);
  const unique = new Map(edits.map((e) => [`${offset(e.range.start)}:${offset(e.range.end)}:${e.newText}`, e]));
  let out = text;
  for (const e of [...unique.values()].sort((a, b) => offset(b.range.start) - offset(a.range.start)))
    out = out.slice(0, offset(e.range.start)) + e.newText + out.slice(offset(e.range.end));
  return out;
}
