/** What a GPU measured of a kernel beside what was simulated and estimated of the same launches. */
import { l10n } from '../counters/spoken.ts';
import type { KernelReport } from '../protocol/report.ts';
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

export type EstimateName = 'time' | 'bytes read from DRAM' | 'bytes written to DRAM' | 'registers of a thread';

export function estimateWords(what: EstimateName): string {
  switch (what) {
    case 'time':
      return l10n.t('time');
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
  of(estimate: Estimate): number;
  /** Otherwise it is the mean over launches. */
  readonly isSum: boolean;
}

const ESTIMATED: readonly Estimated[] = [
  {
    what: 'time',
    metrics: ['gpu__time_duration.sum', 'gpu__time_duration.max', 'gpu__time_duration.avg'],
    of: ({ ns, wholeNs }) => wholeNs ?? ns,
    isSum: true,
  },
  { what: 'bytes read from DRAM', metrics: ['dram__bytes_read.sum'], of: ({ dramReadBytes }) => dramReadBytes, isSum: true },
  { what: 'bytes written to DRAM', metrics: ['dram__bytes_write.sum'], of: ({ dramWrittenBytes }) => dramWrittenBytes, isSum: true },
  { what: 'registers of a thread', metrics: ['launch__registers_per_thread'], of: ({ registers }) => registers, isSum: false },
];

/** What Nsight Compute counts of machine instructions, where the run here counts LLVM's. */
const COUNTERPARTS: Readonly<Record<string, readonly string[]>> = {
  'lanewise__inst_executed.sum': ['smsp__inst_executed.sum', 'sm__inst_executed.sum', 'inst_executed'],
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

export function besideMeasured(measured: readonly MeasuredLaunch[], simulated: readonly KernelReport[]): RunBeside {
  const pairs = pairedLaunches(measured, simulated);
  const byKernel = new Map<string, LaunchPair<KernelReport>[]>(simulated.map(({ kernel }) => [kernel, []]));
  for (const pair of pairs) byKernel.get(pair.simulated.kernel)!.push(pair);
  const launched = new Map<string, number>();
  for (const { kernel } of simulated) launched.set(kernel, (launched.get(kernel) ?? 0) + 1);
  const kernels = [...byKernel].flatMap(([kernel, own]) => (own.length > 0 ? [kernelBeside(kernel, own, launched.get(kernel)!)] : []));
  return { kernels, alone: measured.length - pairs.length };
}

function kernelBeside(kernel: string, pairs: readonly LaunchPair<KernelReport>[], of: number): KernelBeside {
  return {
    kernel,
    launches: pairs.length,
    of,
    simulated: metricsOf(pairs.map(({ simulated }) => simulated)),
    measured: metricsOf(pairs.map(({ measured }) => measured)),
    estimates: ESTIMATED.flatMap((one) => estimateBeside(one, pairs)),
  };
}

/** None where a launch lacks either. */
function estimateBeside({ what, metrics, of, isSum }: Estimated, pairs: readonly LaunchPair<KernelReport>[]): EstimateBeside[] {
  const metric = metrics.find((name) => pairs.every(({ measured }) => measured.metrics[name] !== undefined));
  const estimates = pairs.flatMap(({ simulated: { estimate } }) => (estimate ? [of(estimate)] : []));
  if (metric === undefined || estimates.length < pairs.length) return [];
  const whole = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / (isSum ? 1 : values.length);
  return [{ what, metric, estimated: whole(estimates), measured: whole(pairs.map(({ measured }) => measured.metrics[metric])) }];
}
