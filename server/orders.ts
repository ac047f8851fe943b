/** A run of a program in several orders of its threads: as launched, with all that is counted, and then in others, whose results are compared. */
import { l10n } from '../counters/spoken.ts';
import type { SanitizerFinding, ScheduledRun } from '../protocol/report.ts';
import type { OrdersView } from '../protocol/run.ts';
import { severalSchedules } from '../simulator/options/schedules.ts';
import { compared, type EqualRuns, runOthers, scheduledRun } from '../simulator/schedules.ts';
import type { Simulation, SimulationResult, StartSimulation } from '../simulator/simulate.ts';
import { saidOfRuns } from './run-texts.ts';

/** So many of the lines in which an output differs are shown. */
const SHOWN_LINES = 6;

/** What goes on is the run of one order after the other. Who cancels gets what is known by then. */
export function inOrders(start: StartSimulation, count: number): StartSimulation {
  return (request, events) => {
    const input = repeatable(events.stdin);
    let isCancelled = false;
    const first = start(request, { ...events, stdin: input.fromStart() });
    let current: Simulation = first;
    const others = async (): Promise<SimulationResult> => {
      const result = await first.result;
      if (result.kind !== 'finished' || isCancelled) return result;
      const { report } = result;
      const { runs, findings } = await runOthers(
        start,
        { request, count },
        {
          starting: (name, run) => {
            current = run;
            events.progress?.(l10n.t('in the order {0}', name));
          },
          stdin: () => input.fromStart(),
          known: report.findings ?? [],
          isCancelled: () => isCancelled,
        },
      );
      const schedules = [scheduledRun(severalSchedules(1)[0], result), ...runs];
      return { ...result, report: { ...report, findings: report.findings && [...report.findings, ...findings], schedules } };
    };
    return {
      result: others(),
      cancel: () => {
        isCancelled = true;
        current.cancel();
      },
    };
  };
}

/** What one run has read, the next one reads again. */
function repeatable(fetch: (() => Promise<Uint8Array | undefined>) | undefined) {
  const read: Uint8Array[] = [];
  let ended = fetch === undefined;
  return {
    fromStart: () => {
      let next = 0;
      return async () => {
        if (next === read.length && !ended) {
          const bytes = await fetch!();
          if (bytes) read.push(bytes);
          else ended = true;
        }
        return read[next++];
      };
    },
  };
}

/** For the output and the report. */
export function ordersView(runs: readonly ScheduledRun[], findings: readonly SanitizerFinding[] | undefined): OrdersView {
  const groups = compared(runs);
  if (groups.length === 1) {
    const text = l10n.t('{0} orders of threads, all with the same output and result', runs.length);
    return { text, results: [{ orders: groups[0].schedules, lines: [] }] };
  }
  const [sum, why] = [l10n.t('{0} orders of threads, {1} different results', runs.length, groups.length), cause(findings)];
  return { text: `${sum}: ${why}`, results: groups.map((group) => ({ orders: group.schedules, lines: differences(group) })) };
}

export function ordersText({ text, results }: OrdersView): string {
  if (results.length === 1) return text;
  return [text, ...results.flatMap(({ orders, lines }) => [`  ${orders.join(', ')}`, ...lines.map((line) => `    ${line}`)])].join('\n');
}

function cause(findings: readonly SanitizerFinding[] | undefined): string {
  if (findings === undefined) return l10n.t('races were not looked for, as lanewise.run.sanitize says');
  return findings.some(({ check }) => check === 'race')
    ? l10n.t('a race decides which')
    : l10n.t('no race was found, so what comes first among atomics or locks decides, as for the order of a floating-point sum');
}

function differences({ notRun, lines, fewer, faults, exit }: EqualRuns): readonly string[] {
  if (notRun !== undefined) return [l10n.t('not run: {0}', notRun)];
  const shown = lines.slice(0, SHOWN_LINES);
  if (lines.length > shown.length) shown.push(l10n.t('and {0} more lines', lines.length - shown.length));
  if (fewer > 0 && lines.length === 0) shown.push(fewer === 1 ? l10n.t('1 line fewer') : l10n.t('{0} lines fewer', fewer));
  shown.push(...faults.map(saidOfRuns), ...(exit === undefined ? [] : [l10n.t('exit code {0}', exit)]));
  return shown.length > 0 ? shown : [l10n.t('differs on stderr')];
}
