/** What the sanitizer found as text for a terminal. */
import { resolve } from 'node:path';
import { repairOf } from '../analyzers/repairs.ts';
import type { Report, SanitizerFinding, SanitizerPlace } from '../protocol/report.ts';
import { threadName } from '../simulator/options/thread-names.ts';
import type { SourceContext } from './summary.ts';

/** Findings with the edits that repair them. `linesOf`: of a file as it was named, as it ran. */
export function withFixes(
  findings: readonly SanitizerFinding[],
  linesOf: (file: string) => readonly string[] | undefined,
): SanitizerFinding[] {
  return findings.map((finding) => {
    const { file } = finding.places[0];
    const lines = file === undefined ? undefined : linesOf(file);
    const fix = lines && repairOf(finding, lines);
    return fix ? { ...finding, fix } : finding;
  });
}

/** `sanitized`: somebody has asked for all that can be found. Other runs mostly find nothing, and then say nothing. */
export function findingsReport(
  { findings, faults }: Pick<Report, 'findings' | 'faults'>,
  context: SourceContext,
  sanitized: boolean,
): string {
  if (!findings) return '';
  const { palette } = context;
  if (findings.length === 0) {
    const nothing =
      faults.length === 0 ? 'no findings' : 'nothing besides the fault, which ended the run; what comes behind it was not looked at';
    return `\n${palette.quiet(`sanitizer: ${nothing}`)}\n`;
  }
  const count = `${findings.length} finding${findings.length === 1 ? '' : 's'}`;
  const meaning = `${count}; what ${findings.length === 1 ? 'it means' : 'they mean'}: docs/sanitizer.md`;
  const summary = sanitized ? `sanitizer: ${meaning}` : `${meaning}. --sanitize looks for more`;
  return `${findings.map((each) => findingReport(each, context)).join('')}\n${summary}\n`;
}

function findingReport(
  { check, message, kernel, places, address, where, schedule, count, fix }: SanitizerFinding,
  context: SourceContext,
): string {
  const { palette } = context;
  const rows: [string, string][] = [];
  if (kernel) rows.push(['kernel', kernel]);
  for (const place of places) rows.push([place.access, placeText(place, context)]);
  if (address) rows.push(['address', where ? `${address}, ${where}` : address]);
  if (schedule) rows.push(['found in', `the order ${schedule}, not before`]);
  if (count > 1) rows.push(['count', `${count.toLocaleString('en-US')} times`]);
  if (fix) rows.push(['repair', fix.title]);
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `  ${palette.quiet(name.padEnd(width))}  ${value}\n`);
  return `\n${palette.red(`${check}:`)} ${message}\n${lines.join('')}`;
}

function placeText({ file, line, ...place }: SanitizerPlace, { palette, sources }: SourceContext): string {
  const text = file && line ? sources.get(resolve(file))?.[line - 1]?.trim() : undefined;
  const where = file && line ? `${file}:${line}` : 'an unknown line';
  const who = threadName(place);
  return `${where}${who === undefined ? '' : `, ${who}`}${text ? `   ${palette.quiet(text)}` : ''}`;
}
