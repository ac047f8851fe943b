/** The same program in several orders of its threads (docs/sanitizer.md), and what depends on the order. */
import type { SanitizerFinding, ScheduledRun } from '../protocol/report.ts';
import { isAsLaunched, type ScheduleChoice, scheduleName, severalSchedules } from './options/schedules.ts';
import { newFindings } from './runtime/merged-findings.ts';
import type { Simulation, SimulationRequest, SimulationResult, StartSimulation } from './simulate.ts';

export interface OtherRuns {
  /** A run in this order begins. */
  starting(name: string, run: Simulation): void;
  /** For one run, from the beginning. */
  stdin(): () => Promise<Uint8Array | undefined>;
  /** Findings of the run as launched. */
  readonly known: readonly SanitizerFinding[];
  readonly isCancelled?: () => boolean;
}

/** Runs the schedules behind the first, which the caller has run; findings are those that come up in none before. */
export async function runOthers(
  start: StartSimulation,
  { request, count }: { readonly request: SimulationRequest; readonly count: number },
  { starting, stdin, known, isCancelled = () => false }: OtherRuns,
): Promise<{ readonly runs: readonly ScheduledRun[]; readonly findings: readonly SanitizerFinding[] }> {
  const runs: ScheduledRun[] = [];
  const findings: SanitizerFinding[] = [];
  for (const choice of severalSchedules(count).filter((each) => !isAsLaunched(each))) {
    if (isCancelled()) break;
    const schedule = scheduleName(choice);
    const run = start({ ...request, schedule: choice, timeline: false }, { stdin: stdin() });
    starting(schedule, run);
    const result = await run.result;
    if (result.kind === 'cancelled') break;
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

/** Runs with one result. */
export interface EqualRuns {
  readonly schedules: readonly string[];
  /** Why there is no result. */
  readonly notRun?: string;
  /** What they print and the first run, or of the first run the next one, does not. */
  readonly lines: readonly string[];
  /** How many lines fewer that are. */
  readonly fewer: number;
  readonly faults: readonly string[];
  /** Where it is another one. */
  readonly exit?: number;
}

/** In the order in which the results came up; one where all have the same output and result. */
export function compared(runs: readonly ScheduledRun[]): readonly EqualRuns[] {
  const groups = new Map<string, ScheduledRun[]>();
  for (const run of runs) {
    const { schedule: _, ...result } = run;
    const key = JSON.stringify(result);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  const all = [...groups.values()];
  return all.map((group, index) => {
    const [one] = group;
    const [other] = all[index === 0 ? Math.min(1, all.length - 1) : 0];
    return {
      schedules: group.map(({ schedule }) => schedule),
      notRun: one.notRun,
      lines: one.notRun === undefined ? differingLines(one, other) : [],
      fewer: one.notRun === undefined ? Math.max(0, linesOf(other).length - linesOf(one).length) : 0,
      faults: (one.faults ?? []).map(({ kind, message }) => `${kind}: ${message}`),
      exit: one.exit === other.exit ? undefined : one.exit,
    };
  });
}

function differingLines(run: ScheduledRun, other: ScheduledRun): readonly string[] {
  const theirs = linesOf(other);
  return linesOf(run).filter((line, index) => line !== theirs[index] && line !== '');
}

function linesOf({ stdout = '' }: ScheduledRun): readonly string[] {
  return stdout.split('\n');
}
