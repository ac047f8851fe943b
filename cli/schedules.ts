/** `lanewise run --schedules N`: the same program in several orders of its threads, and what depends on the order. */
import type { Report, SanitizerFinding, ScheduledRun } from '../protocol/report.ts';
import { isAsLaunched, type ScheduleChoice, scheduleName, severalSchedules } from '../simulator/options/schedules.ts';
import { newFindings } from '../simulator/runtime/merged-findings.ts';
import { type SimulationRequest, type SimulationResult, startSimulation } from '../simulator/simulate.ts';
import type { Fetch } from './program-input.ts';
import type { Palette } from './terminal.ts';

/** So many of the lines in which an output differs are shown. */
const SHOWN_LINES = 6;

/** Runs the schedules behind the first, which the caller has run and whose findings are given; theirs are those that it has not. */
export async function runOthers(
  request: SimulationRequest,
  count: number,
  { starting, stdin, known }: { starting(name: string): void; stdin(): Fetch; readonly known: readonly SanitizerFinding[] },
): Promise<{ readonly runs: readonly ScheduledRun[]; readonly findings: readonly SanitizerFinding[] }> {
  const runs: ScheduledRun[] = [];
  const findings: SanitizerFinding[] = [];
  for (const choice of severalSchedules(count).filter((each) => !isAsLaunched(each))) {
    const schedule = scheduleName(choice);
    starting(schedule);
    const result = await startSimulation({ ...request, schedule: choice }, { stdin: stdin() }).result;
    runs.push(scheduledRun(choice, result));
    if (result.kind !== 'finished') continue;
    for (const each of newFindings(result.report.findings ?? [], [...known, ...findings])) findings.push({ ...each, schedule });
  }
  return { runs, findings };
}

export function scheduledRun(choice: ScheduleChoice, result: SimulationResult): ScheduledRun {
  const schedule = scheduleName(choice);
  if (result.kind !== 'finished') return { schedule, notRun: result.kind === 'refused' ? result.message : result.kind };
  const { exit, stdout, stderr, faults } = result.report;
  return { schedule, exit, stdout, stderr, faults };
}

/** Runs with one result, in the order in which the results came up. */
function outcomes(runs: readonly ScheduledRun[]): readonly (readonly ScheduledRun[])[] {
  const groups = new Map<string, ScheduledRun[]>();
  for (const run of runs) {
    const { schedule: _, ...result } = run;
    const key = JSON.stringify(result);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  return [...groups.values()];
}

export function schedulesReport(runs: readonly ScheduledRun[], findings: Report['findings'], palette: Palette): string {
  const groups = outcomes(runs);
  if (groups.length === 1) return `\n${palette.dim(`schedules: ${runs.length} runs, all with the same output and result`)}\n`;
  const [[first]] = groups;
  const parts = groups.map((group, index) => {
    const names = palette.bold(group.map(({ schedule }) => schedule).join(', '));
    return `  ${names}\n${(index === 0 ? differingLines(group[0], groups[1][0]) : differingLines(group[0], first)).map((line) => `    ${line}\n`).join('')}`;
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
function differingLines(run: ScheduledRun, other: ScheduledRun): readonly string[] {
  if (run.notRun !== undefined) return [`not run: ${run.notRun}`];
  const lines: string[] = [];
  const theirs = (other.stdout ?? '').split('\n');
  (run.stdout ?? '').split('\n').forEach((line, index) => {
    if (line !== theirs[index] && line !== '') lines.push(line);
  });
  const shown = lines.slice(0, SHOWN_LINES);
  if (lines.length > shown.length) shown.push(`and ${lines.length - shown.length} more lines`);
  for (const { kind, message } of run.faults ?? []) shown.push(`${kind}: ${message}`);
  if (run.exit !== other.exit) shown.push(`exit code ${run.exit}`);
  return shown.length > 0 ? shown : ['differs on stderr'];
}
