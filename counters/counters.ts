/**
 * What is counted, and each counter once: where an engine counts it, which instructions it looks at, its name in a launch's metrics and in
 * the table of source lines, and its words. Engines, metrics, the report, the command line, the editor and docs/counters.md read this
 * table. Every count is a sum over warps, blocks and launches; what is no sum (a mean, a share) is made of two of them where it is
 * shown (figures.ts).
 */
import { spoken } from './spoken.ts';

/** Kinds of memory instruction, as Nsight Compute tells them apart. A reduction is an atomic whose old value nobody reads. */
export type MemoryOp = 'ld' | 'st' | 'red' | 'atom';

/** Which instructions a counter looks at. `executed`: all that a machine executes; `slowPaths`: those with branches inside. */
export type CountedInstructions = 'all' | 'executed' | 'branches' | 'slowPaths' | 'atomics';

/** Columns of an engine's row for an instruction. Each counts warp-level executions of it with at least one active lane. */
export const COLUMNS = [
  /** Warp-level executions. */
  'executions',
  /** Lane-level executions: active lanes, summed. */
  'lanes',
  /** Requests, distinct 32-byte sectors and the fewest sectors that the same lanes and widths could touch, in global memory. */
  'globalRequests',
  'globalSectors',
  'globalSectorsIdeal',
  /** Requests, wavefronts and the fewest wavefronts possible, in shared memory. */
  'sharedRequests',
  'sharedWavefronts',
  'sharedWavefrontsIdeal',
  'localRequests',
  'localSectors',
  /** Executions of a branch at which active lanes took different targets. */
  'divergent',
  /** Sectors that a global reduction or atomic sends to L2: lanes that meet at one address go one after the other, so this is at
   *  least globalSectors (see machine/sectors.ts). Zero for loads and stores. */
  'globalAtomicSectors',
  /** Turns that a global reduction or atomic takes: as many as lanes meet at its busiest address. Zero for loads and stores. */
  'globalAtomicTurns',
  /** Executions of a division, a square root or a function in which active lanes took its slow path. */
  'slowPaths',
] as const;
export type Column = (typeof COLUMNS)[number];

export interface Waste {
  /** For the end of a line; the asterisk stands for how many times the ideal it is. */
  readonly ratio: string;
  /** For a sentence: so many of these, where so many would do. */
  readonly counted: string;
  readonly cause?: string;
  /** Up to this many times the ideal, nothing is said: edges of arrays, lanes that meet by chance. The editor waits for more. */
  readonly tolerance: number;
}

interface Declaration {
  readonly column: Column;
  /** Column that is counted instead for atomics. */
  readonly ofAtomics?: Column;
  /** Column whose count is taken away. */
  readonly less?: Column;
  /** `all` unless given. */
  readonly of?: CountedInstructions;
  /** It does not look at asynchronous copies (`cp.async`), which hardware counts as requests and sectors of global loads alone. */
  readonly notOfCopies?: true;
  /** One metric for each name here, which takes the place of the asterisk, of the instructions that it stands for. */
  readonly each?: Readonly<Record<string, readonly MemoryOp[]>>;
  /** Name in the metrics of a launch: Nsight Compute's, or one that begins with `lanewise__`. */
  readonly metric?: string;
  /** Name in the counters of a source line. */
  readonly line?: string;
  /** Counter of a line that it is compared with: this many times as much, once unless given, would be best. */
  readonly ideal?: string;
  readonly idealTimes?: number;
  /** Shown beside the counter that it is the ideal of, not by itself. */
  readonly isIdeal?: true;
  /** What is said where there is more than the ideal. */
  readonly waste?: Waste;
  /** What the editor calls it; an asterisk stands for loads, stores and so on. */
  readonly words: string;
  /** What a user needs to know of it: a cell in docs/counters.md. */
  readonly means: string;
}

const GLOBAL = { ld: ['ld'], st: ['st'], red: ['red'], atom: ['atom'] } as const;
const SHARED = { ld: ['ld'], st: ['st'], atom: ['red', 'atom'] } as const;
const LOCAL = { ld: ['ld'], st: ['st', 'red', 'atom'] } as const;

const DECLARATIONS = [
  {
    column: 'executions',
    of: 'executed',
    metric: 'lanewise__inst_executed.sum',
    line: 'inst',
    words: 'warp instructions',
    means: 'LLVM instructions, by warp',
  },
  {
    column: 'lanes',
    of: 'executed',
    metric: 'lanewise__thread_inst_executed.sum',
    line: 'threadInst',
    ideal: 'inst',
    idealTimes: 32,
    words: 'thread instructions',
    means: 'LLVM instructions, by active lane',
  },
  {
    column: 'executions',
    of: 'branches',
    metric: 'smsp__sass_branch_targets.sum',
    words: 'branches',
    means: 'conditional branches executed by warps',
  },
  {
    column: 'divergent',
    of: 'branches',
    metric: 'smsp__sass_branch_targets_threads_divergent.sum',
    line: 'divergentBranches',
    words: 'divergent branches',
    means: 'conditional branches at which active lanes diverged',
  },
  {
    column: 'divergent',
    of: 'slowPaths',
    line: 'slowPathBranches',
    words: 'divergent branches of slow paths',
    means: 'those of them inside of divisions, roots and functions: some lanes have zeros, NaN, tiny or very large operands',
  },
  {
    column: 'executions',
    less: 'divergent',
    of: 'branches',
    metric: 'smsp__sass_branch_targets_threads_uniform.sum',
    words: 'uniform branches',
    means: 'conditional branches at which they did not',
  },
  {
    column: 'globalRequests',
    each: GLOBAL,
    metric: 'l1tex__t_requests_pipe_lsu_mem_global_op_*.sum',
    words: 'requests, global *',
    means: 'requests: warp instructions with at least one active lane',
  },
  {
    column: 'globalSectors',
    ofAtomics: 'globalAtomicSectors',
    each: GLOBAL,
    metric: 'l1tex__t_sectors_pipe_lsu_mem_global_op_*.sum',
    words: 'sectors, global *',
    means:
      '32-byte sectors that those lanes touch, each once per request; for `red` and `atom` each as often as lanes meet at its busiest address',
  },
  {
    column: 'globalRequests',
    each: GLOBAL,
    notOfCopies: true,
    metric: 'smsp__sass_inst_executed_op_global_*.sum',
    words: 'instructions, global *',
    means: 'the same as requests, without those of asynchronous copies',
  },
  {
    column: 'sharedWavefronts',
    each: SHARED,
    notOfCopies: true,
    metric: 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_*.sum',
    words: 'wavefronts, shared *',
    means: 'passes through the 32 banks of shared memory, without those of asynchronous copies (`cp.async`)',
  },
  {
    column: 'sharedWavefronts',
    less: 'sharedWavefrontsIdeal',
    each: SHARED,
    notOfCopies: true,
    metric: 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_*.sum',
    words: 'bank conflicts, shared *',
    means: 'wavefronts beyond the fewest that the same lanes and widths need',
  },
  {
    column: 'sharedRequests',
    each: SHARED,
    notOfCopies: true,
    metric: 'smsp__sass_inst_executed_op_shared_*.sum',
    words: 'instructions, shared *',
    means: 'requests of shared memory, without those of asynchronous copies',
  },
  {
    column: 'localRequests',
    each: LOCAL,
    metric: 'l1tex__t_requests_pipe_lsu_mem_local_op_*.sum',
    words: 'requests, local *',
    means: 'requests of local memory: arrays of a thread that did not fit registers',
  },
  {
    column: 'localSectors',
    each: LOCAL,
    metric: 'l1tex__t_sectors_pipe_lsu_mem_local_op_*.sum',
    words: 'sectors, local *',
    means: "sectors of local memory: 32 lanes' words at one offset fill one line of 128 bytes",
  },
  {
    column: 'localRequests',
    each: LOCAL,
    metric: 'smsp__sass_inst_executed_op_local_*.sum',
    words: 'instructions, local *',
    means: 'the same as requests',
  },
  {
    column: 'globalSectors',
    metric: 'memory_l2_theoretical_sectors_global',
    line: 'globalSectors',
    ideal: 'globalSectorsIdeal',
    waste: { ratio: '*× ideal sectors', counted: 'memory sectors', tolerance: 1.05 },
    words: 'global memory sectors',
    means: 'sectors of all kinds of access, each once per request',
  },
  {
    column: 'globalSectorsIdeal',
    metric: 'memory_l2_theoretical_sectors_global_ideal',
    line: 'globalSectorsIdeal',
    isIdeal: true,
    words: 'ideal global memory sectors',
    means: 'the fewest sectors that the same lanes and widths could touch',
  },
  {
    column: 'sharedWavefronts',
    line: 'sharedWavefronts',
    ideal: 'sharedWavefrontsIdeal',
    waste: { ratio: '*× ideal wavefronts', counted: 'shared-memory wavefronts', cause: 'bank conflicts', tolerance: 1 },
    words: 'shared memory wavefronts',
    means: 'passes through the banks of shared memory',
  },
  {
    column: 'sharedWavefrontsIdeal',
    line: 'sharedWavefrontsIdeal',
    isIdeal: true,
    words: 'ideal shared memory wavefronts',
    means: 'the fewest wavefronts that the same lanes and widths need',
  },
  {
    column: 'globalRequests',
    of: 'atomics',
    line: 'atomicRequests',
    words: 'requests of global atomics',
    means: 'warp instructions that are atomics or reductions in global memory',
  },
  {
    column: 'globalAtomicSectors',
    of: 'atomics',
    line: 'atomicSectors',
    words: 'sectors of global atomics',
    means: 'sectors of those atomics, each as often as lanes meet at its busiest address',
  },
  {
    column: 'globalAtomicTurns',
    of: 'atomics',
    metric: 'lanewise__atomic_turns_global.sum',
    line: 'atomicTurns',
    ideal: 'atomicRequests',
    waste: { ratio: 'atomics with * lanes on one address', counted: 'turns of atomics', cause: 'lanes meet at one address', tolerance: 2 },
    words: 'turns of global atomics',
    means:
      'turns that those atomics take, lanes at one address going one after the other: for each request the lanes at its busiest address',
  },
] as const satisfies readonly Declaration[];

export type Counter = Declaration;

/** Names in the counters of a source line. */
export type LineCounter = Extract<(typeof DECLARATIONS)[number], { readonly line: string }>['line'];
export type LineCounters = Record<LineCounter, number>;

export const COUNTERS: readonly Counter[] = DECLARATIONS;

export const LINE_COUNTERS = COUNTERS.filter((counter) => counter.line !== undefined) as readonly (Counter & {
  readonly line: LineCounter;
  readonly ideal?: LineCounter;
})[];

/** Counters that may show waste, with what is said of it. */
export const WASTES = LINE_COUNTERS.filter((counter) => counter.waste && counter.ideal) as readonly (Counter & {
  readonly line: LineCounter;
  readonly ideal: LineCounter;
  readonly waste: Waste;
})[];

/** A metric of a launch that counts instructions of some kinds, or all that its counter looks at. */
export interface Metric {
  readonly name: string;
  readonly counter: Counter;
  readonly words: string;
  readonly operations?: readonly MemoryOp[];
}

const OPERATION_WORDS: Readonly<Record<string, string>> = { ld: 'loads', st: 'stores', red: 'reductions', atom: 'atomics' };

/** Which kinds of instruction come first in a report: those that access memory, which is what most look for. */
const INSTRUCTION_ORDER: readonly CountedInstructions[] = ['all', 'atomics', 'branches', 'slowPaths', 'executed'];

/**
 * By kind of instruction, then in the order of the table, and what follows each other there for the same operations, operation by
 * operation.
 */
export const METRICS: readonly Metric[] = neighbours(
  COUNTERS.filter(({ metric }) => metric).toSorted(
    (a, b) => INSTRUCTION_ORDER.indexOf(a.of ?? 'all') - INSTRUCTION_ORDER.indexOf(b.of ?? 'all'),
  ),
).flatMap((counters) =>
  Object.entries(counters[0].each ?? { '': undefined }).flatMap(([name, operations]) =>
    counters.map((counter) => ({
      name: counter.metric!.replace('*', name),
      counter,
      words: counter.words.replace('*', OPERATION_WORDS[name]),
      operations,
    })),
  ),
);

function neighbours(counters: readonly Counter[]): readonly Counter[][] {
  const groups: Counter[][] = [];
  for (const counter of counters) {
    const last = groups.at(-1);
    if (last && counter.each && last[0].each === counter.each) last.push(counter);
    else groups.push([counter]);
  }
  return groups;
}

/** Metrics that follow from a launch and its device, without executing anything, with their words. */
export const SHAPE_METRICS = {
  launch__shared_mem_per_block_static: 'bytes of static shared memory',
  launch__shared_mem_per_block_dynamic: 'bytes of dynamic shared memory',
  launch__occupancy_limit_blocks: 'blocks fit, by their number',
  launch__occupancy_limit_warps: 'blocks fit, by warps',
  // How much of its memory the driver makes shared memory for a kernel is its secret: hardware's launch__occupancy_limit_shared_mem
  // says what that leaves room for, this what the whole does.
  lanewise__occupancy_limit_shared_mem: 'blocks fit, by shared memory',
} as const;
export type ShapeMetric = keyof typeof SHAPE_METRICS;

const WORDS: ReadonlyMap<string, string> = new Map([
  ...METRICS.map(({ name, words }) => [name, words] as const),
  ...Object.entries(SHAPE_METRICS),
]);

/** A metric in a few words, for places that are too narrow for its name. */
export function metricWords(name: string): string {
  const words = WORDS.get(name);
  return words === undefined ? name : spoken(words);
}

export function noCounts(): LineCounters {
  return Object.fromEntries(LINE_COUNTERS.map(({ line }) => [line, 0])) as LineCounters;
}

export function addLine(into: LineCounters, line: Readonly<LineCounters>): void {
  for (const { line: name } of LINE_COUNTERS) into[name] += line[name];
}
