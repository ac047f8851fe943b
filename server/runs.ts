/**
 * Runs of programs in the simulator: one at a time per file, a new one replacing the old. What a run leaves behind (counters for the
 * lenses, diagnostics) is kept until the next run of the same file.
 */

import type { TextEdit } from '../protocol/finding.ts';
import type { LineAnnotation, OutputParams, RunOutcome } from '../protocol/run.ts';
import type { SimulationRequest, SimulationResult, StartSimulation } from '../simulator/simulate.ts';
import { latestOnly } from './latest-only.ts';
import { OutputStream } from './output-stream.ts';
import { annotate, reportTable, summarise } from './report-text.ts';
import { afterEdits, faultDiagnostics, merge, type Program, programDiagnostics, type RunDiagnostics } from './run-diagnostics.ts';
import { shiftLines } from './shift-lines.ts';

export interface RunEvents {
  output(params: OutputParams): void;
  progress(uri: string, message: string): void;
  /** A run of this file began or ended: lenses and diagnostics have changed. */
  changed(uri: string): void;
}

export interface FileRuns {
  readonly running: boolean;
  readonly outcome?: RunOutcome;
  readonly diagnostics: RunDiagnostics;
  readonly annotations: readonly LineAnnotation[];
  /** The text has changed since the run. */
  readonly stale: boolean;
}

interface Entry {
  cancel?: () => void;
  /** Settles when the run is over, whatever came of it. */
  over: Promise<unknown>;
  /** Number of the newest request. */
  ticket: number;
  /** Made to the file since the run began: what it says is about the text before them. */
  edits: (readonly TextEdit[] | undefined)[];
  outcome?: RunOutcome;
  diagnostics: RunDiagnostics;
  annotations: readonly LineAnnotation[];
  stale: boolean;
}

const nothing: RunDiagnostics = { byFile: new Map() };
const fresh = { outcome: undefined, diagnostics: nothing, annotations: [], stale: false };
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

  /** A file was edited; without edits, all its text was replaced. */
  edited(uri: string, edits: readonly TextEdit[] | undefined): void {
    for (const entry of this.entries.values()) entry.diagnostics = afterEdits(entry.diagnostics, uri, edits);
    const entry = this.entries.get(uri);
    if (!entry) return;
    if (entry.cancel) entry.edits.push(edits);
    entry.stale = true;
    entry.annotations = entry.annotations.flatMap((annotation) => {
      const line = shiftLines(annotation.line, edits);
      return line === undefined ? [] : [{ ...annotation, line }];
    });
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
    Object.assign(entry, fresh, { edits: [] });
    const stdout = new OutputStream((text) => this.events.output({ uri, stream: 'stdout', text }));
    const stderr = new OutputStream((text) => this.events.output({ uri, stream: 'stderr', text }));
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
    entry.outcome = outcomeOf(result);
    if (result.kind === 'finished') entry.annotations = annotate(result.report, request.file, request.text?.split('\n'));
    entry.diagnostics = diagnosticsOf(result, { uri, lines: request.text?.split('\n') ?? [] });
    for (const edits of entry.edits) this.edited(uri, edits);
    this.events.changed(uri);
    return entry.outcome;
  }
}

function outcomeOf(result: SimulationResult): RunOutcome {
  switch (result.kind) {
    case 'finished': {
      const { stdout: _, stderr: __, ...report } = result.report;
      return { kind: 'finished', report, summaries: summarise(report), table: reportTable(report) };
    }
    case 'refused': {
      const place = result.file ? `${result.file}${result.line ? `:${result.line}` : ''}: ` : '';
      return { kind: 'refused', message: place + result.message };
    }
    default:
      return result;
  }
}

function diagnosticsOf(result: SimulationResult, program: Program): RunDiagnostics {
  switch (result.kind) {
    case 'finished':
      return merge(programDiagnostics(result.warnings, program), faultDiagnostics(result.report.faults, program));
    case 'compile-error':
      return programDiagnostics(result.diagnostics, program);
    case 'refused':
      if (result.line === undefined) return nothing;
      return faultDiagnostics([{ kind: 'unsupported', message: result.message, file: result.file, line: result.line }], program);
    default:
      return nothing;
  }
}
