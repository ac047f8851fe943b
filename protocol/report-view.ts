/** What the report page shows of a run: made by the server, drawn by the page, whether in an editor's panel or in a file of its own. Plain data. */
import type { BufferReport } from './report.ts';
import type { CountedRun, ExpectationOutcome, OrdersView, ReportPicture } from './run.ts';

/** Parameters of the request `lanewise/report`, which gives a ReportView, or null where nothing has been counted. */
export interface ReportParams {
  readonly uri: string;
}

export interface ReportView {
  readonly program: string;
  readonly device: string;
  readonly args: readonly string[];
  readonly exit: number;
  readonly headline: Headline;
  /** A source or a setting has changed since. */
  readonly stale: boolean;
  readonly kernels: readonly KernelView[];
  readonly files: readonly FileView[];
  /** What the sanitizer found comes behind them. */
  readonly faults: readonly PlacedText[];
  readonly notes: readonly string[];
  /** Of a harness: what its kernel read and wrote. */
  readonly buffers: readonly BufferReport[];
  /** What the program's comments say that its kernels count. */
  readonly expectations: readonly ExpectationOutcome[];
  /** What several orders of its threads had to do with its results; missing where it ran as launched alone. */
  readonly orders?: OrdersView;
  /** Runs before this one, the newest first. */
  readonly earlier: readonly EarlierRun[];
  /** Of the whole program: its kernels under the device's roofs, what ran when. Estimated. */
  readonly roofline?: ReportPicture;
  readonly timeline?: ReportPicture;
  /** Without the output. */
  readonly report: CountedRun['report'];
}

/** What costs most, why, and what to do, in a sentence or two. */
export interface Headline {
  readonly text: string;
  readonly fix?: string;
  readonly place?: Place;
}

export interface Place {
  /** Absolute path. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

export interface PlacedText {
  readonly text: string;
  readonly place?: Place;
}

/** All launches of a kernel. */
export interface KernelView {
  /** Demangled signature. */
  readonly kernel: string;
  /** Of what all lines of the program cost: by weights, for ranking. */
  readonly share: number;
  readonly launches: readonly LaunchView[];
  /** Estimated for the device; missing where a launch has no estimate. */
  readonly time?: TimeView;
  /** What goes between the levels of memory. */
  readonly memory?: ReportPicture;
  /** How blocks come to multiprocessors; missing where no launch has an estimate. */
  readonly blocks?: ReportPicture;
  /** Where lanes wait for each other at atomics; missing where none do. */
  readonly contention?: ReportPicture;
  /** Sums of metrics over the launches, by Nsight Compute's names, those that are not zero. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Means and shares that say more than sums. */
  readonly figures: readonly FigureView[];
  /** Why the counters depend on the order of warps. */
  readonly timing?: string;
}

export interface TimeView {
  /** Of all launches. */
  readonly nanoseconds: number;
  /** Of what the kernels of the program take. */
  readonly share?: number;
  /** What takes longest, in words. */
  readonly limit: string;
  /** What each unit or cause would take by itself, the longest first. */
  readonly parts: readonly (readonly [words: string, nanoseconds: number])[];
}

/** Launches with one grid and block. */
export interface LaunchView {
  readonly count: number;
  readonly grid: readonly [number, number, number];
  readonly block: readonly [number, number, number];
  /** Blocks that a multiprocessor holds at once, and what limits them; without `registers` by the rest of what is known. */
  readonly residentBlocks?: number;
  readonly limit?: string;
  /** Of a thread; estimated. */
  readonly registers?: number;
  /** Warps of those blocks, of as many as a multiprocessor has room for. */
  readonly warps?: readonly [resident: number, most: number];
}

export interface FigureView {
  readonly words: string;
  /** The asterisk stands for the number. */
  readonly phrase: string;
  readonly value: number;
  /** Where fewer would do: so many. */
  readonly ideal?: number;
  readonly as: 'count' | 'mean' | 'share';
}

export interface FileView {
  readonly name: string;
  readonly path: string;
  /** The text that ran. */
  readonly lines: readonly string[];
  /** By line. */
  readonly counted: readonly LineView[];
  readonly predicted: readonly PredictedView[];
}

export interface LineView {
  /** From 1. */
  readonly line: number;
  readonly share: number;
  /** What is remarkable about it. */
  readonly text: string;
  /** What of that is waste; missing where nothing is. */
  readonly waste?: string;
  readonly wasteful: boolean;
  /** Counter, words and ideal, those that are not zero. */
  readonly counters: readonly (readonly [words: string, value: number, ideal?: number])[];
  /** Of the estimated time of kernels; missing where there is no estimate. */
  readonly nanoseconds?: number;
  /** Of the whole estimated time of the kernels that have lines in the file, of which starting them is in no line. */
  readonly timeShare?: number;
}

export interface PredictedView {
  readonly line: number;
  readonly rule: string;
  readonly severity: string;
  readonly message: string;
  /** What a fix would do. */
  readonly fix?: string;
  readonly picture?: ReportPicture;
}

export interface EarlierRun {
  /** `run 3, arguments 1 2 3`. */
  readonly name: string;
  readonly device: string;
  readonly kernels: readonly Pick<KernelView, 'kernel' | 'metrics' | 'figures'>[];
}
