/**
 * What is shown of a kernel's launches in few numbers: sums of metrics, or one sum for each of another. The command line makes columns of
 * them, the editor's output phrases.
 */
import { METRICS, type MemoryOp } from './counters.ts';

export interface Figure {
  /** Metrics that are summed. */
  readonly of: readonly string[];
  /** Metrics whose sum it is divided by. */
  readonly per?: readonly string[];
  readonly as: 'count' | 'mean' | 'share';
}

/** A column of the command line's table. */
export interface ColumnFigure extends Figure {
  readonly title: string;
  /** Metrics whose sum would be best. */
  readonly ideal?: readonly string[];
  /** Worth a look. */
  isBad?(figure: { readonly value: number; readonly ideal: number }): boolean;
}

/** A phrase of the editor's output; the asterisk stands for the number. */
export interface PhraseFigure extends Figure {
  readonly phrase: string;
  /** For a table that has the number in another column. */
  readonly words: string;
  /** What 100 % are, if it is not one for each. */
  readonly whole?: number;
}

const INST = ['lanewise__inst_executed.sum'];
const THREAD_INST = ['lanewise__thread_inst_executed.sum'];
const BRANCHES = ['smsp__sass_branch_targets.sum'];
const DIVERGENT = ['smsp__sass_branch_targets_threads_divergent.sum'];
const REQUESTS = 'l1tex__t_requests_pipe_lsu_mem_global_op_*.sum';
const SECTORS = 'l1tex__t_sectors_pipe_lsu_mem_global_op_*.sum';
const CONFLICTS = namesOf('l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_*.sum');
const WAVEFRONTS = namesOf('l1tex__data_pipe_lsu_wavefronts_mem_shared_op_*.sum');

/** Average active lanes of a warp's 32 below which idle lanes are pointed out. */
export const FEW_LANES = 24;

export const COLUMN_FIGURES: readonly ColumnFigure[] = [
  {
    title: 'sectors/req',
    of: ['memory_l2_theoretical_sectors_global'],
    ideal: ['memory_l2_theoretical_sectors_global_ideal'],
    per: namesOf(REQUESTS),
    as: 'mean',
    isBad: ({ value, ideal }) => value > 1.05 * ideal && ideal > 0,
  },
  { title: 'conflicts', of: CONFLICTS, as: 'count', isBad: ({ value }) => value > 0 },
  { title: 'divergent', of: DIVERGENT, per: BRANCHES, as: 'share', isBad: ({ value }) => value > 0 },
  { title: 'lanes', of: THREAD_INST, per: INST, as: 'mean', isBad: ({ value }) => value < FEW_LANES },
  { title: 'atomics', of: namesOf(REQUESTS, 'red', 'atom'), as: 'count' },
];

export const PHRASE_FIGURES: readonly PhraseFigure[] = [
  { phrase: '* warp instructions', words: 'warp instructions', of: INST, as: 'count' },
  { phrase: '* of lanes active', words: 'lanes active', of: THREAD_INST, per: INST, whole: 32, as: 'share' },
  { phrase: '* of branches divergent', words: 'branches divergent', of: DIVERGENT, per: BRANCHES, as: 'share' },
  sectorsPer('ld', 'load'),
  sectorsPer('st', 'store'),
  sectorsPer('atom', 'atomic'),
  sectorsPer('red', 'reduction'),
  {
    phrase: '* of shared wavefronts are bank conflicts',
    words: 'shared wavefronts that are bank conflicts',
    of: CONFLICTS,
    per: WAVEFRONTS,
    as: 'share',
  },
];

/** The value of a figure, and the best it could be; undefined where there is nothing to divide by. */
export function figure(
  { of, per, ideal }: Figure & { readonly ideal?: readonly string[] },
  metrics: Readonly<Record<string, number>>,
): { readonly value: number; readonly ideal: number } | undefined {
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + (metrics[name] ?? 0), 0);
  const divisor = per ? sum(per) : 1;
  return divisor === 0 ? undefined : { value: sum(of) / divisor, ideal: sum(ideal ?? []) / divisor };
}

/** Metrics of several launches together. */
export function sumOfMetrics(launches: readonly { readonly metrics: Readonly<Record<string, number>> }[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { metrics } of launches) for (const [name, value] of Object.entries(metrics)) sums[name] = (sums[name] ?? 0) + value;
  return sums;
}

function sectorsPer(operation: MemoryOp, name: string): PhraseFigure {
  return {
    phrase: `* sectors per ${name}`,
    words: `sectors per ${name}`,
    of: namesOf(SECTORS, operation),
    per: namesOf(REQUESTS, operation),
    as: 'mean',
  };
}

/** Metrics of a counter, of some operations or all. */
function namesOf(metric: string, ...operations: readonly MemoryOp[]): readonly string[] {
  const ofOperations = METRICS.filter(
    (one) => one.counter.metric === metric && (operations.length === 0 || one.operations?.some((op) => operations.includes(op))),
  );
  return ofOperations.map(({ name }) => name);
}
