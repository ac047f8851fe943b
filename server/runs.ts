/**
 * Runs of programs in the simulator: one at a time per file, a new one replacing the old. Diagnostics of a run are kept until the next run
 * of the same file, counters until the next one that counts any: a cancelled run or an error in the program takes none away.
 */

import type { TextEdit } from '../protocol/finding.ts';
import type { ProgramDiagnostic, Report } from '../protocol/report.ts';
import type { CountedRun, LineAnnotation, OutputParams, RunOutcome } from '../protocol/run.ts';
import { withDefaults } from '../simulator/options/limits.ts';
import type { SimulationRequest, SimulationResult, StartSimulation } from '../simulator/simulate.ts';
import { latestOnly } from './latest-only.ts';
import { OutputStream } from './output-stream.ts';
import { annotate, reportTable, summarise } from './report-text.ts';
import {
  afterEdits,
  faultDiagnostics,
  merge,
  type Program,
  programDiagnostics,
  type RunDiagnostics,
  sanitizerDiagnostics,
} from './run-diagnostics.ts';
import { shiftLines } from './shift-lines.ts';

export interface RunEvents {
  output(params: OutputParams): void;
  progress(uri: string, message: string): void;
  /** A run of this file began or ended: lenses and diagnostics have changed. */
  changed(uri: string): void;
}

export interface FileRuns {
  readonly running: boolean;
  /** A run has ended, whatever came of it. */
  readonly hasRun: boolean;
  /** What the last one counted that got to its end, or to the end of a launch. */
  readonly counted?: CountedRun;
  readonly diagnostics: RunDiagnostics;
  readonly annotations: readonly LineAnnotation[];
  /** The text has changed since the run that got to its end. */
  readonly stale: boolean;
}

interface Entry {
  cancel?: () => void;
  /** Settles when the run is over, whatever came of it. */
  over: Promise<unknown>;
  /** Number of the newest request. */
  ticket: number;
  /** The last run ended so, and what the compiler said then, or has said since, is shown. */
  hasCompileErrors: boolean;
  /** Made to the file since the run began: what it says is about the text before them. */
  edits: (readonly TextEdit[] | undefined)[];
  hasRun: boolean;
  counted?: CountedRun;
  diagnostics: RunDiagnostics;
  annotations: readonly LineAnnotation[];
  stale: boolean;
}

const nothing: RunDiagnostics = { byFile: new Map() };
const fresh = { hasRun: false, hasCompileErrors: false, counted: undefined, diagnostics: nothing, annotations: [], stale: false };
const cancelled: RunOutcome = { kind: 'cancelled' };

export class Runs {
  private readonly entries = new Map<string, Entry>();
  private readonly start: StartSimulation;
  private readonly events: RunEvents;

  constructor(start: StartSimulation, events: RunEvents) {
    this.start = start;
    this.events = events;
  }

  state(uri: string): FileRuns {
    const entry = this.entries.get(uri);
    return entry ? { ...entry, running: entry.cancel !== undefined } : { ...fresh, running: false };
  }

  /** Merged over all programs, since several may have diagnostics in one header. */
  diagnostics(): RunDiagnostics {
    return merge(...[...this.entries.values()].map(({ diagnostics }) => diagnostics));
  }

  /** Programs whose last run found that they do not compile. */
  withCompileErrors(): readonly string[] {
    return [...this.entries].filter(([, { hasCompileErrors, cancel }]) => hasCompileErrors && !cancel).map(([uri]) => uri);
  }

  /** What the compiler says of such a program now. */
  compiledAgain(uri: string, remarks: readonly ProgramDiagnostic[], text: string | undefined): void {
    const entry = this.entries.get(uri);
    if (!entry?.hasCompileErrors || entry.cancel) return;
    entry.hasCompileErrors = remarks.some(({ severity }) => severity === 'error');
    entry.diagnostics = programDiagnostics(remarks, { uri, lines: text?.split('\n') ?? [] });
    this.events.changed(uri);
  }

  /** A file was edited; without edits, all its text was replaced. */
  edited(uri: string, edits: readonly TextEdit[] | undefined): void {
    for (const entry of this.entries.values()) entry.diagnostics = afterEdits(entry.diagnostics, uri, edits);
    const entry = this.entries.get(uri);
    if (!entry) return;
    if (entry.cancel) entry.edits.push(edits);
    entry.stale = true;
    entry.annotations = moved(entry.annotations, edits);
  }

  /** Line numbers are kept only while a file is open. */
  closed(uri: string): void {
    const entry = this.entries.get(uri);
    if (entry) entry.annotations = [];
  }

  cancel(uri: string): void {
    const entry = this.entries.get(uri);
    if (!entry) return;
    entry.ticket++;
    entry.cancel?.();
  }

  cancelAll(): void {
    for (const uri of this.entries.keys()) this.cancel(uri);
  }

  async run(uri: string, request: SimulationRequest): Promise<RunOutcome> {
    const entry: Entry = this.entries.get(uri) ?? { ...fresh, over: Promise.resolve(), ticket: 0, edits: [] };
    this.entries.set(uri, entry);
    const ticket = ++entry.ticket;
    while (entry.cancel) {
      entry.cancel();
      await entry.over;
      if (ticket !== entry.ticket) return cancelled;
    }
    const over = this.runNow(uri, request, entry);
    entry.over = over;
    return over;
  }

  private async runNow(uri: string, request: SimulationRequest, entry: Entry): Promise<RunOutcome> {
    entry.edits = [];
    entry.diagnostics = nothing;
    const most = withDefaults(request.limits).outputMB * 1_000_000;
    const stdout = new OutputStream((text) => this.events.output({ uri, stream: 'stdout', text }), most);
    const stderr = new OutputStream((text) => this.events.output({ uri, stream: 'stderr', text }), most);
    let over = false;
    let result: SimulationResult;
    try {
      const simulation = this.start(request, {
        stdout: (bytes) => {
          stderr.flush();
          stdout.write(bytes);
        },
        stderr: (bytes) => {
          stdout.flush();
          stderr.write(bytes);
        },
        // A program may launch thousands of kernels a second.
        progress: latestOnly((message) => !over && this.events.progress(uri, message), 100),
      });
      entry.cancel = () => simulation.cancel();
      this.events.changed(uri);
      result = await simulation.result;
    } catch (error) {
      result = {
        kind: 'refused',
        message: `The simulator stopped unexpectedly: ${error instanceof Error ? error.message : String(error)}`,
      };
    }
    over = true;
    stdout.end();
    stderr.end();
    entry.cancel = undefined;
    const outcome = this.keep(entry, result, uri, request);
    this.events.changed(uri);
    return outcome;
  }

  private keep(entry: Entry, result: SimulationResult, uri: string, request: SimulationRequest): RunOutcome {
    const lines = request.text?.split('\n');
    const outcome = outcomeOf(result);
    entry.hasRun = true;
    entry.hasCompileErrors = result.kind === 'compile-error';
    entry.diagnostics = diagnosticsOf(result, { uri, lines: lines ?? [] });
    for (const edits of entry.edits) entry.diagnostics = afterEdits(entry.diagnostics, uri, edits);
    const counted = outcome.kind === 'finished' ? outcome : outcome.kind === 'cancelled' ? outcome.counted : undefined;
    if (counted) {
      entry.counted = counted;
      entry.stale = entry.edits.length > 0;
      entry.annotations = entry.edits.reduce<readonly LineAnnotation[]>(moved, annotate(counted.report, request.file, lines));
    }
    return outcome;
  }
}

/** Annotations of lines that were edited go. */
function moved(annotations: readonly LineAnnotation[], edits: readonly TextEdit[] | undefined): readonly LineAnnotation[] {
  return annotations.flatMap((annotation) => {
    const line = shiftLines(annotation.line, edits);
    return line === undefined ? [] : [{ ...annotation, line }];
  });
}

function outcomeOf(result: SimulationResult): RunOutcome {
  switch (result.kind) {
    case 'finished':
      return { kind: 'finished', ...countedBy(result.report) };
    case 'cancelled': {
      if (!result.report) return cancelled;
      const counted = countedBy(result.report);
      const summaries = counted.summaries.map((summary) => ({ ...summary, text: `until you cancelled it: ${summary.text}` }));
      return { kind: 'cancelled', counted: { ...counted, summaries } };
    }
    case 'refused': {
      const place = result.file ? `${result.file}${result.line ? `:${result.line}` : ''}: ` : '';
      return { kind: 'refused', message: place + result.message };
    }
    default:
      return result;
  }
}

function countedBy({ stdout: _, stderr: __, ...report }: Report): CountedRun {
  return { report, summaries: summarise(report), table: reportTable(report) };
}

function diagnosticsOf(result: SimulationResult, program: Program): RunDiagnostics {
  switch (result.kind) {
    case 'finished':
      return merge(
        programDiagnostics(result.warnings, program),
        faultDiagnostics(result.report.faults, program),
        sanitizerDiagnostics(result.report.findings ?? [], program),
      );
    case 'compile-error':
      return programDiagnostics(result.diagnostics, program);
    case 'refused':
      if (result.line === undefined) return nothing;
      return faultDiagnostics([{ kind: 'unsupported', message: result.message, file: result.file, line: result.line }], program);
    default:
      return nothing;
  }
}
