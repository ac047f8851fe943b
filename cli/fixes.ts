/** `lanewise check --fix`: applies safe fixes to the files that were checked, and to nothing else. */
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { lineTable, offsetAt } from '../analyzers/syntax/source.ts';
import type { Finding, TextEdit } from '../protocol/finding.ts';

export interface AppliedFix {
  readonly finding: Finding;
  readonly title: string;
}

/** What was done to a file; `refused` says why nothing was, as the end of a sentence. */
export interface FixedFile {
  readonly applied: readonly AppliedFix[];
  readonly refused?: string;
}

const NOTHING: FixedFile = { applied: [] };

/** `text` is what was analysed: a file that says something else by now is left alone. */
export function fixFile(path: string, text: string, findings: readonly Finding[]): FixedFile {
  const { applied, edits } = compatibleFixes(text, findings);
  if (applied.length === 0) return NOTHING;
  try {
    // What it leads to may lie anywhere.
    if (lstatSync(path).isSymbolicLink()) return { ...NOTHING, refused: 'it is a link' };
    const bytes = readFileSync(path);
    if (!bytes.equals(Buffer.from(text, 'utf8')))
      return { ...NOTHING, refused: bytes.toString('utf8') === text ? 'it is not valid UTF-8' : 'it has changed since it was checked' };
    writeFileSync(path, edited(text, edits));
  } catch (error) {
    return { ...NOTHING, refused: (error as Error).message };
  }
  return { applied };
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** The first safe fix of each finding, in order, without those that would edit what an earlier one does. */
function compatibleFixes(text: string, findings: readonly Finding[]): { applied: readonly AppliedFix[]; edits: readonly Edit[] } {
  const lines = lineTable(text);
  const applied: AppliedFix[] = [];
  const edits: Edit[] = [];
  for (const finding of findings) {
    const fix = finding.fixes.find(({ safe }) => safe);
    if (!fix) continue;
    const own = fix.edits.map(({ range, newText }: TextEdit) => ({
      start: offsetAt(lines, range.start),
      end: offsetAt(lines, range.end),
      newText,
    }));
    // Two findings may need the same edit, once.
    const fresh = own.filter((edit) => !edits.some((other) => isSame(edit, other)));
    if (fresh.some((edit) => edits.some((other) => overlap(edit, other)))) continue;
    edits.push(...fresh);
    applied.push({ finding, title: fix.title });
  }
  return { applied, edits };
}

function isSame(a: Edit, b: Edit): boolean {
  return a.start === b.start && a.end === b.end && a.newText === b.newText;
}

/** Two insertions at one place do, too: nobody knows which comes first. */
function overlap(a: Edit, b: Edit): boolean {
  return a.start === b.start || (a.start < b.end && b.start < a.end);
}

function edited(text: string, edits: readonly Edit[]): string {
  let result = text;
  for (const { start, end, newText } of [...edits].sort((a, b) => b.start - a.start))
    result = result.slice(0, start) + newText + result.slice(end);
  return result;
}
