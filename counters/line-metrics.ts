/** What a user may have shown beside the lines of a program: one number of each line, in which more is worse. */

import type { LineCounters } from './counters.ts';
import { grouped } from './grouped.ts';
import { percent } from './percent.ts';
import { l10n, spoken } from './spoken.ts';

/** What is known of a line. */
export interface CountedLine {
  readonly counters: LineCounters;
  /** Of what all lines of the kernels that have lines in the file cost, for ranking. */
  readonly share: number;
  /** Of the instructions of the same kernels. */
  readonly instructionShare: number;
  /** Of the estimated time of kernels; missing where there is no estimate. */
  readonly nanoseconds?: number;
  /** Of the whole estimated time of the kernels that have lines in the file. */
  readonly timeShare?: number;
}

export interface LineMetric {
  readonly id: string;
  /** For a list to pick from. */
  readonly title: string;
  readonly means: string;
  /** By which lines are compared: the longer the bar, the worse. Zero where there is nothing to see. */
  amount(line: CountedLine): number;
  /** For the end of a line. */
  text(line: CountedLine): string;
}

export const LINE_METRICS: readonly LineMetric[] = [
  {
    id: 'time',
    title: 'Time (estimated)',
    means: 'the share of the estimated time of kernels in this file that goes to the line',
    amount: ({ nanoseconds = 0 }) => nanoseconds,
    text: ({ timeShare = 0 }) => l10n.t('{0} of the time (estimated)', percent(timeShare)),
  },
  {
    id: 'cost',
    title: 'Cost',
    means: 'what keeps the pipes of a multiprocessor busy: instructions, sectors, wavefronts and turns of atomics, weighed',
    amount: ({ share }) => share,
    text: ({ share }) => l10n.t('{0} of cost', percent(share)),
  },
  {
    id: 'sectors',
    title: 'Excess sectors',
    means: 'sectors of global memory beyond the fewest that the same lanes need',
    amount: ({ counters }) => counters.globalSectors - counters.globalSectorsIdeal,
    text: ({ counters }) => ratio(counters.globalSectors, counters.globalSectorsIdeal, '*× ideal sectors'),
  },
  {
    id: 'lanes',
    title: 'Idle lanes',
    means: 'lanes that wait while others of their warp execute the line',
    amount: ({ counters }) => 32 * counters.inst - counters.threadInst,
    text: ({ counters }) => l10n.t('{0} of lanes active', percent(counters.threadInst / (32 * counters.inst))),
  },
  {
    id: 'branches',
    title: 'Divergent branches',
    means: 'conditional branches at which active lanes of a warp take different sides',
    amount: ({ counters }) => counters.divergentBranches,
    text: ({ counters }) => l10n.t('{0} divergent branches', grouped(counters.divergentBranches)),
  },
  {
    id: 'banks',
    title: 'Bank conflicts',
    means: 'wavefronts of shared memory beyond the fewest that the same lanes need',
    amount: ({ counters }) => counters.sharedWavefronts - counters.sharedWavefrontsIdeal,
    text: ({ counters }) => ratio(counters.sharedWavefronts, counters.sharedWavefrontsIdeal, '*× ideal wavefronts'),
  },
  {
    id: 'atomics',
    title: 'Turns of atomics',
    means: 'turns that global atomics take, lanes at one address going one after the other',
    amount: ({ counters }) => counters.atomicTurns,
    text: ({ counters }) => l10n.t('{0} turns of atomics', grouped(counters.atomicTurns)),
  },
  {
    id: 'instructions',
    title: 'Warp instructions',
    means: 'instructions that warps execute for the line',
    amount: ({ counters }) => counters.inst,
    text: ({ instructionShare }) => l10n.t('{0} of instructions', percent(instructionShare)),
  },
];

function ratio(actual: number, ideal: number, what: string): string {
  return ideal > 0 ? spoken(what).replace('*', (actual / ideal).toFixed(1)) : l10n.t('{0} where none would do', grouped(actual));
}

/** The one of that name, else the first; what lines cost where no time is estimated, as in a run that faulted. */
export function lineMetric(id: string | undefined, lines: readonly CountedLine[]): LineMetric {
  const metric = LINE_METRICS.find((each) => each.id === id) ?? LINE_METRICS[0];
  const isKnown = metric.id !== 'time' || lines.some(({ nanoseconds }) => nanoseconds !== undefined);
  return isKnown ? metric : LINE_METRICS.find((each) => each.id === 'cost')!;
}

/** Of the whole and not of one thing: what is remarkable about a line says more beside it than its number. */
export function isOverall({ id }: LineMetric): boolean {
  return id === 'time' || id === 'cost';
}
