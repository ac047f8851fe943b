/** What nobody should do to a document, and what must hold all the same: shared by the tests and by the soak. */
import type { Analyzer, AnalyzerDocument } from '../../analyzers/analyzer.ts';
import type { Finding, Position } from '../../protocol/finding.ts';
import { generator } from './syntax-helpers.ts';

/** One line for each finding whose range is empty or leaves the text. */
export function rangeProblems(text: string, findings: readonly Finding[]): string[] {
  const lines = text.split('\n');
  const inside = ({ line, column }: Position) => line >= 0 && line < lines.length && column >= 0 && column <= lines[line].length;
  return findings.flatMap(({ rule, range: { start, end }, related, fixes }) => {
    const where = `${rule} at ${start.line + 1}:${start.column + 1}`;
    const ranges = [...related.map((r) => r.range), ...fixes.flatMap((fix) => fix.edits.map((e) => e.range))];
    const problems = [];
    if (!inside(start) || !inside(end)) problems.push(`${where} leaves the text`);
    if (end.line < start.line || (end.line === start.line && end.column <= start.column)) problems.push(`${where} has an empty range`);
    if (ranges.some((r) => !inside(r.start) || !inside(r.end))) problems.push(`${where}: a related place or an edit leaves the text`);
    return problems;
  });
}

/** Everything that an editor asks of a document. */
export function askAll(document: AnalyzerDocument): readonly Finding[] {
  const findings = document.findings();
  document.outline();
  for (const { range } of findings.slice(0, 3)) document.hover(range.start);
  document.hover({ line: 3, column: 4 });
  document.symbols();
  for (const { range } of findings.slice(0, 3)) document.definitions(range.start);
  document.definitions({ line: 3, column: 4 });
  document.rename({ line: 3, column: 4 });
  return findings;
}

/**
 * Cuts a text off at `cuts` offsets, from its end to its start: by edits, as deleting does, and `fresh` times (spread over the text) as a
 * new document, too, whose findings must be the same.
 */
export function cutProblems(
  analyzer: Analyzer,
  text: string,
  { cuts, fresh }: { readonly cuts: number; readonly fresh: number },
): string[] {
  const document = analyzer.open(text);
  const problems: string[] = [];
  for (let cut = cuts; cut >= 0; cut--) {
    const part = text.slice(0, Math.floor((text.length * cut) / cuts));
    const all = document.text;
    document.edit([{ range: { start: positionIn(all, part.length), end: positionIn(all, all.length) }, text: '' }]);
    const findings = askAll(document);
    for (const problem of rangeProblems(part, findings)) problems.push(`cut at ${part.length}: ${problem}`);
    if (Math.floor((cut * fresh) / cuts) === Math.floor(((cut + 1) * fresh) / cuts)) continue;
    if (!sameAsFresh(analyzer, part, findings)) problems.push(`cut at ${part.length}: other findings than in a new document`);
  }
  document.dispose();
  return problems;
}

const PIECES = [
  '',
  'x',
  ' ',
  '}',
  '{',
  ';',
  '(',
  '/*',
  '*/',
  '"',
  '\n',
  '  int extra = threadIdx.x;\n',
  '#if 0\n',
  '#endif\n',
  '#define n 7\n',
  '__global__ void more(int* p) { p[threadIdx.x * 2] = 1; }\n',
];

/** Random edits, the same for the same seed; after every `every`th the findings must be those of a new document. */
export function editProblems(
  analyzer: Analyzer,
  start: string,
  { steps, seed, every = 1 }: { readonly steps: number; readonly seed: number; readonly every?: number },
): string[] {
  const random = generator(seed);
  const document = analyzer.open(start);
  const problems: string[] = [];
  let text = start;
  for (let step = 1; step <= steps; step++) {
    const at = random(text.length + 1);
    const end = Math.min(text.length, at + (random(3) === 0 ? random(30) : random(3)));
    const inserted = PIECES[random(PIECES.length)];
    document.edit([{ range: { start: positionIn(text, at), end: positionIn(text, end) }, text: inserted }]);
    text = text.slice(0, at) + inserted + text.slice(end);
    const findings = askAll(document);
    if (document.text !== text) problems.push(`edit ${step}: another text than was typed`);
    if (step % every === 0 && !sameAsFresh(analyzer, text, findings)) problems.push(`edit ${step}: other findings than in a new document`);
  }
  document.dispose();
  return problems;
}

export function sameAsFresh(analyzer: Analyzer, text: string, findings: readonly Finding[]): boolean {
  const fresh = analyzer.open(text);
  const expected = fresh.findings();
  fresh.dispose();
  return JSON.stringify(findings) === JSON.stringify(expected);
}

function positionIn(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length - 1, column: offset - (before.lastIndexOf('\n') + 1) };
}
