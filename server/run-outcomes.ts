/** What came of a run, in the protocol's words and as diagnostics. */
import { basename } from 'node:path';
import { differences } from '../counters/differences.ts';
import { l10n } from '../counters/spoken.ts';
import type { Report } from '../protocol/report.ts';
import type { CountedRun, RunOutcome } from '../protocol/run.ts';
import type { SimulationResult } from '../simulator/simulate.ts';
import { timelinePicture } from '../simulator/timeline/picture.ts';
import { bothWidths } from '../simulator/timeline/svg.ts';
import { ordersText, ordersView } from './orders.ts';
import { reportTable, summarise } from './report-text.ts';
import { faultDiagnostics, merge, type Program, programDiagnostics, type RunDiagnostics, sanitizerDiagnostics } from './run-diagnostics.ts';
import { saidOfRuns } from './run-texts.ts';

export const nothing: RunDiagnostics = { byFile: new Map() };
export const cancelled: RunOutcome = { kind: 'cancelled' };

/** `before`: what was counted last. */
export function outcomeOf(result: SimulationResult, before: CountedRun | undefined): RunOutcome {
  switch (result.kind) {
    case 'finished':
      return { kind: 'finished', ...countedBy(result.report, result.sources, before) };
    case 'cancelled': {
      if (!result.report) return cancelled;
      const counted = countedBy(result.report, result.sources);
      const summaries = counted.summaries.map((summary) => ({ ...summary, text: l10n.t('until you cancelled it: {0}', summary.text) }));
      return { kind: 'cancelled', counted: { ...counted, summaries } };
    }
    case 'refused': {
      const place = result.file ? `${result.file}${result.line ? `:${result.line}` : ''}: ` : '';
      return { kind: 'refused', message: place + result.message };
    }
    default:
      return result;
  }
}

function countedBy(
  { stdout: _, stderr: __, timeline, schedules, ...report }: Report,
  sources: readonly string[] = [],
  before?: CountedRun,
): CountedRun {
  const orders = schedules && ordersView(schedules, report.findings);
  const changes = before && report.faults.length === 0 ? differences(before.report.kernels, report.kernels) : [];
  return {
    report,
    summaries: summarise(report, before?.report.kernels),
    sources,
    table: orders ? `${reportTable(report)}\n\n${ordersText(orders)}` : reportTable(report),
    trouble: troubleOf(report),
    ...(orders && { orders }),
    ...(changes.length > 0 && { changes }),
    ...(timeline && timeline.tracks.length > 0 && { timeline: bothWidths((width) => timelinePicture(timeline, { width })) }),
  };
}

/** What a notification has room for. */
const MOST_CHARACTERS = 240;

/** The rest stands in the output and among the diagnostics. */
function troubleOf({ faults, findings = [] }: Pick<Report, 'faults' | 'findings'>): CountedRun['trouble'] {
  const [first] = [
    ...faults.map(({ kind, message, file, line }) => ({ kind: kind as string, message, file, line })),
    ...findings.map(({ check, message, places: [place] }) => ({ kind: check, message, file: place?.file, line: place?.line })),
  ];
  if (!first) return undefined;
  const { kind, message, file, line } = first;
  const place = file === undefined || line === undefined ? undefined : `${basename(file)}:${line}`;
  const what = kind.replaceAll('-', ' ');
  // Most messages of faults say their kind themselves.
  const text =
    message.startsWith(kind) && place !== undefined
      ? `${place}: ${saidOfRuns(message)}`
      : saidOfRuns(`${what}${place === undefined ? '' : ` at ${place}`}: ${message}`);
  const short = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS).replace(/\s+\S*$/, '')} …` : text;
  return { text: short, file, line };
}

export function diagnosticsOf(result: SimulationResult, program: Program): RunDiagnostics {
  switch (result.kind) {
    case 'finished':
      return merge(
        programDiagnostics(result.warnings, program),
        faultDiagnostics(result.report.faults, program),
        sanitizerDiagnostics(result.report.findings ?? [], program),
      );
    case 'compile-error':
      return programDiagnostics(result.diagnostics, program);
    case 'refused':
      if (result.line === undefined) return nothing;
      return faultDiagnostics([{ kind: 'unsupported', message: result.message, file: result.file, line: result.line }], program);
    default:
      return nothing;
  }
}
