/** Running a program in the simulator, as the editor asks for it: what Lanewise adds to the language server protocol. Types only. */
import type { LineCounters } from '../counters/counters.ts';
import type { ProgramDiagnostic, Report } from './report.ts';

/** Notifications from the client. */
export interface RunClientNotifications {
  'lanewise/cancel': { readonly uri: string };
  /** Of several runs of lanewise.json that have the file, the user has chosen this one. */
  'lanewise/chosenRun': { readonly uri: string; readonly name: string };
  /** Pictures are shown on this ground from now on. */
  'lanewise/ground': { readonly ground: 'light' | 'dark' };
  /** The user has come to trust the workspace, which `trustedWorkspace` of the initialization options did not say. */
  'lanewise/workspaceTrusted': Record<string, never>;
}

/** Notifications from the server. */
export interface RunServerNotifications {
  'lanewise/output': OutputParams;
  'lanewise/progress': ProgressParams;
  'lanewise/annotations': AnnotationsParams;
}

/**
 * Parameters of the request `lanewise/run`, which ends with its run (RunOutcome); cancelling the request cancels the run. What is left out
 * comes from the settings of the file's folder.
 */
export interface RunParams {
  readonly uri: string;
  readonly args?: readonly string[];
  /** Run it in so many orders of its threads, and compare; as launched alone unless given. */
  readonly orders?: number;
  /** Name of a run in lanewise.json; unless given, the first of those that have the file, if any. */
  readonly configuration?: string;
}

/** The request `lanewise/runs`, with DeviceParams: the runs of lanewise.json that have the file, the chosen one first. */
export interface OfferedRun {
  readonly name: string;
  /** `main.cu kernels.cu, arguments 64`. */
  readonly description: string;
  /** URI of the program: its first file. */
  readonly program: string;
  /** Absolute paths. */
  readonly files: readonly string[];
  readonly args: readonly string[];
  /** Absolute path; the folder of the first file unless given. */
  readonly folder?: string;
  readonly defines: readonly string[];
  readonly flags: readonly string[];
  readonly device?: string;
}

/**
 * Parameters of the requests `lanewise/device`, the device that a run of the file would simulate, by its id, and `lanewise/cudaVersion`, the
 * version that its code is meant for.
 */
export interface DeviceParams {
  readonly uri: string;
}

/** The answer to the request `lanewise/madeArguments`, with DeviceParams, or null: what `make run` gives the program. */
export interface MadeArguments {
  readonly args: readonly string[];
  readonly makefile: string;
}

/**
 * Parameters of the request `lanewise/input` from the server: a program reads, and there is nothing left. The answer is a line without its
 * end, or null at the end of the input.
 */
export interface InputParams {
  readonly uri: string;
}

export interface OutputParams {
  readonly uri: string;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

export interface ProgressParams {
  readonly uri: string;
  readonly message: string;
}

/** What the last run has to say about lines of an open file; comes again, at the new places, whenever the file is edited. */
export interface AnnotationsParams {
  readonly uri: string;
  /** Version of the text that the line numbers refer to. */
  readonly version: number;
  /** The lines of the file that were counted, by line. */
  readonly annotations: readonly LineAnnotation[];
  /** The text has changed since the run. */
  readonly stale: boolean;
}

/** SVG text, whose text has the colour of its root element, and the same in words. */
export interface ReportPicture {
  readonly svg: string;
  /** The same for a panel beside the source; where there is none, the other does for both. */
  readonly narrow?: string;
  readonly words: string;
}

export interface CountedRun {
  /** Without the output, which has been sent as it came. */
  readonly report: Omit<Report, 'stdout' | 'stderr' | 'timeline' | 'schedules'>;
  /** Of what ran when, estimated. */
  readonly timeline?: ReportPicture;
  readonly summaries: readonly KernelSummary[];
  /** Absolute paths of the user's files that were compiled. */
  readonly sources: readonly string[];
  /** For the end of the output: a table of the kernels, faults included. */
  readonly table: string;
  /** What it counts otherwise than the run before it, kernel by kernel; missing where nothing. */
  readonly changes?: readonly string[];
  /** The first thing that went wrong in it, in short, and where. */
  readonly trouble?: { readonly text: string; readonly file?: string; readonly line?: number };
  /** How its results depend on the order of threads; missing where it ran as launched alone. */
  readonly orders?: OrdersView;
  /** What comments of the program expect of its kernels; missing where there are none. */
  readonly expectations?: readonly ExpectationOutcome[];
}

/** What came of several orders of a program's threads. Simulated. */
export interface OrdersView {
  /** `8 orders of threads, 2 different results: a race decides which`. */
  readonly text: string;
  /** One for each result, with what it has and others have not. */
  readonly results: readonly { readonly orders: readonly string[]; readonly lines: readonly string[] }[];
}

/** `// lanewise: expect(scale) sectors per load <= 4`, and what came of it. */
export interface ExpectationOutcome {
  /** Absolute. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** `scale: sectors per load <= 4`. */
  readonly text: string;
  readonly kept: boolean;
  /** What was simulated or, of times, estimated; what is wrong with the comment. */
  readonly found: string;
}

export type RunOutcome =
  | ({ readonly kind: 'finished' } & CountedRun)
  | { readonly kind: 'compile-error'; readonly diagnostics: readonly ProgramDiagnostic[] }
  /** Where launches had ended, with what they counted. */
  | { readonly kind: 'cancelled'; readonly counted?: CountedRun }
  /** `kernel`: one that could be run by itself, in a file that is no program. */
  | { readonly kind: 'refused'; readonly message: string; readonly kernel?: string };

/** All launches of one kernel name, for the lens over the kernel. */
export interface KernelSummary {
  /** Unqualified name, as in the source. */
  readonly name: string;
  readonly launches: number;
  readonly text: string;
}

export interface LineAnnotation {
  /** 0-based. */
  readonly line: number;
  /** For the end of the line, the most important first; parts between " · ". */
  readonly text: string;
  /** What of it is waste; missing where nothing is. */
  readonly waste?: string;
  /** Markdown with all counters of the line. */
  readonly details: string;
  /** The counters show waste, not only work. */
  readonly wasteful: boolean;
  /** One of the lines of the file that cost most. */
  readonly costly: boolean;
  /** Of all that the kernels with lines in this file cost, by the busy cycles that pipes need; only for ranking. */
  readonly share: number;
  /** Of the instructions of the same kernels. */
  readonly instructionShare: number;
  /** Of the estimated time of kernels; missing where there is no estimate. */
  readonly nanoseconds?: number;
  /** Of the whole estimated time of the kernels that have lines in the file, of which starting them is in no line. */
  readonly timeShare?: number;
  /** Summed over all kernels. */
  readonly counters: LineCounters;
}
