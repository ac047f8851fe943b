/** What a GPU measured beside what was simulated and estimated, as a table for a terminal of 100 columns. */
import { change } from '../counters/changes.ts';
import { METRICS, metricWords, SHAPE_METRICS } from '../counters/counters.ts';
import {
  besideMeasured,
  clockNote,
  estimateText,
  estimateWords,
  type KernelBeside,
  linesBeside,
  type RunBeside,
} from '../measured/beside.ts';
import type { MeasuredRun } from '../measured/launches.ts';
import type { Report } from '../protocol/report.ts';
import { shortName } from './summary.ts';
import type { Palette } from './terminal.ts';

const WIDTH = 100;
const NUMBER_WIDTH = 15;
const CHANGE_WIDTH = 10;

interface Row {
  readonly words: string;
  readonly here: string;
  readonly gpu: string;
  readonly change: string;
}

/** What a GPU measured, and the launches of a run here that it stands beside. */
export interface MeasuredBeside {
  readonly run: MeasuredRun;
  readonly beside: RunBeside;
}

export function measuredBeside(run: MeasuredRun, report: Report): MeasuredBeside {
  return { run, beside: besideMeasured(run.launches, report) };
}

/** For each kernel of which something was measured: time and what else is estimated, then counters, those that are zero on both sides left out. */
export function measuredTable({ run, beside }: MeasuredBeside, palette: Palette): string {
  const source = run.device === undefined ? run.name : `${run.name}, ${run.device}`;
  if (beside.kernels.length === 0) {
    return `\n${palette.yellow(`no launch of this run has kernel, grid and block of one in ${source}`)}\n`;
  }
  const parts = beside.kernels.map((kernel) => kernelPart(kernel, palette));
  if (parts.every((part) => part === '')) {
    return `\n${palette.quiet(`${source} has numbers of lines alone: --line-times and --json show them`)}\n${notes(run, beside, palette)}`;
  }
  const heading = line({ words: `measured (${source})`, here: 'simulated', gpu: 'measured', change: 'change' });
  return `\n${palette.quiet(heading)}\n${parts.join('')}${notes(run, beside, palette)}`;
}

function kernelPart(kernel: KernelBeside, palette: Palette): string {
  const { launches, of } = kernel;
  const count = of === 1 ? '' : launches === of ? ` x${of.toLocaleString('en-US')}` : ` (${launches} of ${of} launches)`;
  const rows = [...estimateRows(kernel), ...counterRows(kernel)];
  if (rows.length === 0) return '';
  return `${palette.bold(`${shortName(kernel.kernel)}${count}`)}\n${rows.map((row) => `${line({ ...row, words: `  ${row.words}` })}\n`).join('')}`;
}

function estimateRows({ estimates }: KernelBeside): Row[] {
  return estimates.map(({ what, estimated, measured }) => ({
    words: `${estimateWords(what)} (estimated)`,
    here: estimateText(what, estimated),
    gpu: estimateText(what, measured),
    change: change(measured, estimated),
  }));
}

function counterRows(kernel: KernelBeside): Row[] {
  const names = [...METRICS.map(({ name }) => name), ...Object.keys(SHAPE_METRICS)];
  return names.flatMap((name) => {
    const here = kernel.simulated[name] ?? 0;
    const gpu = kernel.measured[name];
    if (gpu === undefined || (here === 0 && gpu === 0)) return [];
    return [{ words: metricWords(name), here: here.toLocaleString('en-US'), gpu: gpu.toLocaleString('en-US'), change: change(gpu, here) }];
  });
}

function line({ words, here, gpu, change: ratio }: Row): string {
  const room = WIDTH - 2 * NUMBER_WIDTH - CHANGE_WIDTH;
  const cut = words.length > room ? `${words.slice(0, room - 1)}…` : words;
  return `${cut.padEnd(room)}${here.padStart(NUMBER_WIDTH)}${gpu.padStart(NUMBER_WIDTH)}${ratio.padStart(CHANGE_WIDTH)}`.trimEnd();
}

function notes({ launches }: MeasuredRun, beside: RunBeside, palette: Palette): string {
  const clock = clockNote(beside);
  const alone = `${beside.alone} of ${launches.length} measured launches have another kernel, grid or block than any that is left here`;
  return [...(clock === undefined ? [] : [clock]), ...(beside.alone > 0 ? [alone] : [])].map((text) => `${palette.quiet(text)}\n`).join('');
}

/** The report with what was measured of each launch, and of lines. */
export function withMeasured(report: Report, { run, beside }: MeasuredBeside): Report {
  const metrics = new Map(beside.pairs.map(({ simulated, measured }) => [simulated, measured.metrics]));
  const lines = beside.kernels.flatMap((each) => (each.lines ? [[each.kernel, each.lines] as const] : []));
  return {
    ...report,
    measured: {
      file: run.name,
      ...(run.device !== undefined && { device: run.device }),
      launches: run.launches.length,
      alone: beside.alone,
      ...(lines.length > 0 && { lines: Object.fromEntries(lines) }),
    },
    kernels: report.kernels.map((launch) => (metrics.has(launch) ? { ...launch, measured: metrics.get(launch) } : launch)),
  };
}

/** By `file:line`, the share of the samples that were taken of the kernels; undefined where none were. */
export function sampleShares({ beside }: MeasuredBeside, report: Report): ReadonlyMap<string, number> | undefined {
  const lines = linesBeside(beside, report.lines);
  const shares = [...lines].flatMap(([line, { sampleShare }]) => (sampleShare === undefined ? [] : [[line, sampleShare] as const]));
  return shares.length > 0 ? new Map(shares) : undefined;
}
