/** `lanewise run --schedules N`: what several orders of a program's threads had to do with its results, in words. */
import type { Report, ScheduledRun } from '../protocol/report.ts';
import { compared, type EqualRuns } from '../simulator/schedules.ts';
import type { Palette } from './terminal.ts';

/** So many of the lines in which an output differs are shown. */
const SHOWN_LINES = 6;

export function schedulesReport(runs: readonly ScheduledRun[], findings: Report['findings'], palette: Palette): string {
  const groups = compared(runs);
  if (groups.length === 1) return `\n${palette.quiet(`schedules: ${runs.length} runs, all with the same output and result`)}\n`;
  const parts = groups.map((group) => {
    const lines = differences(group).map((line) => `    ${line}\n`);
    return `  ${palette.bold(group.schedules.join(', '))}\n${lines.join('')}`;
  });
  const races = findings?.some(({ check }) => check === 'race');
  const cause = races
    ? 'a race decides which: see the findings'
    : findings === undefined
      ? 'races were not looked for: run without --no-sanitize'
      : 'no race was found: what comes first among atomics or locks decides, as for the order of a floating-point sum';
  return `\nschedules: ${runs.length} runs, ${groups.length} different results; ${cause}\n${parts.join('')}`;
}

/** Of a run what another one has not got. */
function differences({ notRun, lines, fewer, faults, exit }: EqualRuns): readonly string[] {
  if (notRun !== undefined) return [`not run: ${notRun}`];
  const shown = lines.slice(0, SHOWN_LINES);
  if (lines.length > shown.length) shown.push(`and ${lines.length - shown.length} more lines`);
  if (fewer > 0 && lines.length === 0) shown.push(fewer === 1 ? '1 line fewer' : `${fewer} lines fewer`);
  shown.push(...faults, ...(exit === undefined ? [] : [`exit code ${exit}`]));
  return shown.length > 0 ? shown : ['differs on stderr'];
}
