/** What a GPU measured of a kernel beside what was simulated and estimated of the same launches. */

import { LINE_COUNTERS, type LineCounter } from '../counters/counters.ts';
import { duration } from '../counters/durations.ts';
import { nameOfFile } from '../counters/file-names.ts';
import { grouped } from '../counters/grouped.ts';
import { l10n, spoken } from '../counters/spoken.ts';
import type { DevicePeaks, KernelReport, Report } from '../protocol/report.ts';
import { type LaunchPair, type MeasuredLaunch, type MeasuredLine, metricsOf, pairedLaunches } from './launches.ts';

export interface KernelBeside {
  /** Signature as in the run here. */
  readonly kernel: string;
  /** Launches that stand beside each other, of so many here. */
  readonly launches: number;
  readonly of: number;
  /** Of those launches. */
  readonly simulated: Readonly<Record<string, number>>;
  readonly measured: Readonly<Record<string, number>>;
  /** What is estimated here and was measured. */
  readonly estimates: readonly EstimateBeside[];
  /** By `file:line` as in the run here, what was measured of those launches; missing where one has no lines. */
  readonly lines?: Readonly<Record<string, LineCounts>>;
}

/** By Nsight Compute's names. */
export type LineCounts = Readonly<Record<string, number>>;

export interface EstimateBeside {
  readonly what: EstimateName;
  /** Nsight Compute's. */
  readonly metric: string;
  readonly estimated: number;
  readonly measured: number;
}

export type EstimateName =
  | 'time'
  | 'clock'
  | 'machine instructions'
  | 'bytes read from DRAM'
  | 'bytes written to DRAM'
  | 'registers of a thread';

export function estimateWords(what: EstimateName): string {
  switch (what) {
    case 'time':
      return l10n.t('time');
    case 'clock':
      return l10n.t('clock of the multiprocessors');
    case 'machine instructions':
      return l10n.t('machine instructions of warps');
    case 'bytes read from DRAM':
      return l10n.t('bytes read from DRAM');
    case 'bytes written to DRAM':
      return l10n.t('bytes written to DRAM');
    case 'registers of a thread':
      return l10n.t('registers of a thread');
  }
}

type Estimate = NonNullable<KernelReport['estimate']>;

interface Estimated {
  readonly what: EstimateName;
  /** The first that has been measured of all launches counts. */
  readonly metrics: readonly string[];
  of(estimate: Estimate, device: DevicePeaks | undefined): number | undefined;
  /** Otherwise it is the mean over launches. */
  readonly isSum: boolean;
}

const MACHINE_INSTRUCTIONS = ['smsp__inst_executed.sum', 'sm__inst_executed.sum', 'inst_executed'];

const ESTIMATED: readonly Estimated[] = [
  {
    what: 'time',
    metrics: ['gpu__time_duration.sum', 'gpu__time_duration.max', 'gpu__time_duration.avg'],
    of: ({ ns, wholeNs }) => wholeNs ?? ns,
    isSum: true,
  },
  {
    what: 'clock',
    // What Nsight Compute calls the SM Frequency, and what comes nearest to it.
    metrics: ['gpc__cycles_elapsed.avg.per_second', 'sm__cycles_elapsed.avg.per_second', 'smsp__cycles_elapsed.avg.per_second'],
    of: (_, device) => device?.clockHz,
    isSum: false,
  },
  { what: 'machine instructions', metrics: MACHINE_INSTRUCTIONS, of: ({ instructions }) => instructions.issued, isSum: true },
  { what: 'bytes read from DRAM', metrics: ['dram__bytes_read.sum'], of: ({ dramReadBytes }) => dramReadBytes, isSum: true },
  { what: 'bytes written to DRAM', metrics: ['dram__bytes_write.sum'], of: ({ dramWrittenBytes }) => dramWrittenBytes, isSum: true },
  { what: 'registers of a thread', metrics: ['launch__registers_per_thread'], of: ({ registers }) => registers, isSum: false },
];

/** What Nsight Compute counts of machine instructions, where the run here counts LLVM's. */
const COUNTERPARTS: Readonly<Record<string, readonly string[]>> = {
  'lanewise__inst_executed.sum': MACHINE_INSTRUCTIONS,
  'lanewise__thread_inst_executed.sum': ['smsp__thread_inst_executed.sum', 'sm__thread_inst_executed.sum', 'thread_inst_executed'],
};

/** What was measured of a counter: under its own name, or what comes nearest to it under another one. */
export function measuredOf({ measured }: KernelBeside, metric: string): { readonly name: string; readonly value: number } | undefined {
  const name = [metric, ...(COUNTERPARTS[metric] ?? [])].find((each) => each in measured);
  return name === undefined ? undefined : { name, value: measured[name] };
}

export interface RunBeside {
  readonly pairs: readonly LaunchPair<KernelReport>[];
  /** In the order of their first launches here. */
  readonly kernels: readonly KernelBeside[];
  /** Launches of the file that no launch here stands beside. */
  readonly alone: number;
}

type CountedLaunches = Pick<Report, 'kernels' | 'peaks'> & Partial<Pick<Report, 'lines'>>;

export function besideMeasured(
  measured: readonly MeasuredLaunch[],
  { kernels: simulated, lines: counted = {}, peaks = [] }: CountedLaunches,
): RunBeside {
  const pairs = pairedLaunches(measured, simulated);
  const byKernel = new Map<string, LaunchPair<KernelReport>[]>(simulated.map(({ kernel }) => [kernel, []]));
  for (const pair of pairs) byKernel.get(pair.simulated.kernel)!.push(pair);
  const launched = new Map<string, number>();
  for (const { kernel } of simulated) launched.set(kernel, (launched.get(kernel) ?? 0) + 1);
  const resolve = lineResolver(counted);
  const kernels = [...byKernel]
    .filter(([, own]) => own.length > 0)
    .map(([kernel, own]) => ({
      kernel,
      launches: own.length,
      of: launched.get(kernel)!,
      simulated: metricsOf(own.map((pair) => pair.simulated)),
      measured: metricsOf(own.map((pair) => pair.measured)),
      estimates: ESTIMATED.flatMap((one) => estimateBeside(one, own, peaks)),
      lines: linesOf(own, resolve),
    }));
  return { pairs, kernels, alone: measured.length - pairs.length };
}

/** Up to this much the clock of a GPU varies by itself. */
const SAME_CLOCK = 0.05;

/** What has to be known before times are compared: Nsight Compute keeps the GPU at its base clock unless told otherwise. */
export function clockNote({ kernels }: Pick<RunBeside, 'kernels'>): string | undefined {
  const clocks = kernels.flatMap(({ estimates }) => estimates.filter(({ what }) => what === 'clock'));
  const other = clocks.find(({ estimated, measured }) => Math.abs(measured / estimated - 1) > SAME_CLOCK);
  if (!other) return undefined;
  return l10n.t(
    'The GPU ran at {0}, and times are estimated for {1}: with --clock-control none, Nsight Compute leaves the clock alone.',
    ...[frequency(other.measured), frequency(other.estimated)],
  );
}

export function estimateText(what: EstimateName, value: number): string {
  if (what === 'time') return duration(value);
  return what === 'clock' ? frequency(value) : grouped(Math.round(value));
}

function frequency(hertz: number): string {
  return `${(hertz / 1e9).toFixed(2)} GHz`;
}

/** None where a launch lacks either, or both are nothing. */
function estimateBeside(
  { what, metrics, of, isSum }: Estimated,
  pairs: readonly LaunchPair<KernelReport>[],
  peaks: readonly DevicePeaks[],
): EstimateBeside[] {
  const metric = metrics.find((name) => pairs.every(({ measured }) => measured.metrics[name] !== undefined));
  if (metric === undefined) return [];
  const estimates = pairs.flatMap(({ simulated: { estimate, device = 0 } }) => (estimate && of(estimate, peaks[device])) ?? []);
  if (estimates.length < pairs.length) return [];
  const whole = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / (isSum ? 1 : values.length);
  const [estimated, measured] = [whole(estimates), whole(pairs.map((pair) => pair.measured.metrics[metric]))];
  return estimated === 0 && measured === 0 ? [] : [{ what, metric, estimated, measured }];
}

/** `file:line` of the run here for what a compiler called by another path, innermost first: the first that is a file of the run. */
type Resolve = (places: MeasuredLine['places']) => string | undefined;

function lineResolver(counted: Report['lines']): Resolve {
  const names = new Set(Object.values(counted).flatMap((lines) => Object.keys(lines).map((line) => line.slice(0, line.lastIndexOf(':')))));
  const known = new Map<string, string | undefined>();
  return (places) => {
    for (const { file, line } of places) {
      if (!known.has(file)) known.set(file, nameOfFile(file, names));
      const name = known.get(file);
      if (name !== undefined) return `${name}:${line}`;
    }
    return undefined;
  };
}

function linesOf(pairs: readonly LaunchPair<KernelReport>[], resolve: Resolve): KernelBeside['lines'] {
  if (pairs.some(({ measured }) => !measured.lines)) return undefined;
  return sumsByLine(
    pairs.flatMap(({ measured }) =>
      measured.lines!.flatMap(({ places, counters }) => {
        const line = resolve(places);
        return line === undefined ? [] : [[line, counters] as const];
      }),
    ),
  );
}

function sumsByLine(counted: readonly (readonly [line: string, counts: LineCounts])[]): Record<string, LineCounts> {
  const sums = new Map<string, Record<string, number>>();
  for (const [line, counts] of counted) {
    const sum = sums.get(line) ?? {};
    sums.set(line, sum);
    for (const [metric, value] of Object.entries(counts)) sum[metric] = (sum[metric] ?? 0) + value;
  }
  return Object.fromEntries(sums);
}

/** What was measured of a line in all kernels. */
export interface LineBeside {
  readonly counts: LineCounts;
  /** Of the samples in all lines: where warps were found, as often as they were there. Missing where none were taken. */
  readonly sampleShare?: number;
  /** Not all launches that count in it here were measured. */
  readonly isPart: boolean;
}

const SAMPLES = 'smsp__pcsamp_sample_count';

/** By `file:line`; empty where the file has no lines. */
export function linesBeside({ kernels }: RunBeside, counted: Report['lines']): ReadonlyMap<string, LineBeside> {
  const sums = Object.entries(sumsByLine(kernels.flatMap(({ lines = {} }) => Object.entries(lines))));
  const whole = new Set(kernels.filter(({ launches, of, lines }) => lines && launches === of).map(({ kernel }) => kernel));
  const partial = Object.entries(counted).filter(([kernel]) => !whole.has(kernel));
  const samples = sums.reduce((sum, [, counts]) => sum + (counts[SAMPLES] ?? 0), 0);
  return new Map(
    sums.map(([line, counts]) => [
      line,
      {
        counts,
        ...(samples > 0 && { sampleShare: (counts[SAMPLES] ?? 0) / samples }),
        isPart: partial.some(([, lines]) => line in lines),
      },
    ]),
  );
}

/** Metrics of lines, with the words of the counter here that is the same. */
const LINE_COUNTS: readonly { readonly metric: string; readonly ideal?: string; readonly counter: LineCounter }[] = [
  {
    metric: 'memory_l2_theoretical_sectors_global',
    ideal: 'memory_l2_theoretical_sectors_global_ideal',
    counter: 'globalSectors',
  },
  { metric: 'memory_l1_wavefronts_shared', ideal: 'memory_l1_wavefronts_shared_ideal', counter: 'sharedWavefronts' },
  { metric: 'smsp__branch_targets_threads_divergent', counter: 'divergentBranches' },
];

export interface LineCount {
  readonly words: string;
  readonly value: number;
  readonly ideal?: number;
}

/** What of a line's numbers is compared with those here, those that are not zero. */
export function lineCounts({ counts }: LineBeside): LineCount[] {
  return LINE_COUNTS.flatMap(({ metric, ideal, counter }) => {
    const value = counts[metric] ?? 0;
    if (value === 0) return [];
    const { words } = LINE_COUNTERS.find(({ line }) => line === counter)!;
    return [{ words: spoken(words), value, ...(ideal !== undefined && { ideal: counts[ideal] ?? 0 }) }];
  });
}

/** Machine instructions of warps, and of how many lanes on average; undefined where none were counted. */
export function lineInstructions({ counts }: LineBeside): { readonly warps: number; readonly lanes: number } | undefined {
  const warps = counts.inst_executed ?? 0;
  return warps > 0 ? { warps, lanes: (counts.thread_inst_executed ?? 0) / warps } : undefined;
}
