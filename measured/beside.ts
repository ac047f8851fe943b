/** What a GPU measured of a kernel beside what was simulated and estimated of the same launches. */
import { duration } from '../counters/durations.ts';
import { l10n } from '../counters/spoken.ts';
import type { DevicePeaks, KernelReport, Report } from '../protocol/report.ts';
import { type LaunchPair, type MeasuredLaunch, metricsOf, pairedLaunches } from './launches.ts';

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
}

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
  /** In the order of their first launches here. */
  readonly kernels: readonly KernelBeside[];
  /** Launches of the file that no launch here stands beside. */
  readonly alone: number;
}

type CountedLaunches = Pick<Report, 'kernels' | 'peaks'>;

export function besideMeasured(measured: readonly MeasuredLaunch[], { kernels: simulated, peaks = [] }: CountedLaunches): RunBeside {
  const pairs = pairedLaunches(measured, simulated);
  const byKernel = new Map<string, LaunchPair<KernelReport>[]>(simulated.map(({ kernel }) => [kernel, []]));
  for (const pair of pairs) byKernel.get(pair.simulated.kernel)!.push(pair);
  const launched = new Map<string, number>();
  for (const { kernel } of simulated) launched.set(kernel, (launched.get(kernel) ?? 0) + 1);
  const kernels = [...byKernel]
    .filter(([, own]) => own.length > 0)
    .map(([kernel, own]) => ({
      kernel,
      launches: own.length,
      of: launched.get(kernel)!,
      simulated: metricsOf(own.map((pair) => pair.simulated)),
      measured: metricsOf(own.map((pair) => pair.measured)),
      estimates: ESTIMATED.flatMap((one) => estimateBeside(one, own, peaks)),
    }));
  return { kernels, alone: measured.length - pairs.length };
}

/** Up to this much the clock of a GPU varies by itself. */
const SAME_CLOCK = 0.05;

/** What has to be known before times are compared: Nsight Compute keeps the GPU at its base clock unless told otherwise. */
export function clockNote({ kernels }: RunBeside): string | undefined {
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
  return what === 'clock' ? frequency(value) : Math.round(value).toLocaleString('en-US');
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
