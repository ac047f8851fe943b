/**
 * Runs of programs in the simulator: one at a time per file, a new one replacing the old. What a run leaves behind (counters for the
 * lenses, diagnostics) is kept until the next run of the same file.
 */

import type { OutputParams, RunOutcome } from '../protocol/run.ts';
import type { SimulationRequest, SimulationResult, StartSimulation } from '../simulator/simulate.ts';
import { OutputStream } from './output-stream.ts';
import { annotate, reportTable, summarise } from './report-text.ts';
import { faultDiagnostics, merge, programDiagnostics, type RunDiagnostics } from './run-diagnostics.ts';

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
  readonly stale: boolean;
}

interface Entry {
  cancel?: () => void;
  /** Settles when the run is over, whatever came of it. */
  over: Promise<unknown>;
  /** Of the newest request. */
  ticket: number;
  outcome?: RunOutcome;
  diagnostics: RunDiagnostics;
  stale: boolean;
}

const nothing: RunDiagnostics = { byFile: new Map() };
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
    if (!entry) return { running: false, diagnostics: nothing, stale: false };
    return { running: entry.cancel !== undefined, outcome: entry.outcome, diagnostics: entry.diagnostics, stale: entry.stale };
  }

  /** Of all programs, since several may speak of one header. */
  diagnostics(): RunDiagnostics {
    return merge(...[...this.entries.values()].map(({ diagnostics }) => diagnostics));
  }

  replaceDiagnostics(uri: string, diagnostics: RunDiagnostics): void {
    const entry = this.entries.get(uri);
    if (entry) entry.diagnostics = diagnostics;
  }

  programs(): Iterable<string> {
    return this.entries.keys();
  }

  /** The text of a file that has run was edited. */
  edited(uri: string): boolean {
    const entry = this.entries.get(uri);
    if (!entry || entry.stale) return false;
    entry.stale = true;
    return entry.outcome?.kind === 'finished';
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
    const entry: Entry = this.entries.get(uri) ?? { over: Promise.resolve(), ticket: 0, diagnostics: nothing, stale: false };
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
    entry.outcome = undefined;
    entry.diagnostics = nothing;
    entry.stale = false;
    const stdout = new OutputStream((text) => this.events.output({ uri, stream: 'stdout', text }));
    const stderr = new OutputStream((text) => this.events.output({ uri, stream: 'stderr', text }));
    let result: SimulationResult;
    try {
      const simulation = this.start(request, {
        stdout: (bytes) => stdout.write(bytes),
        stderr: (bytes) => stderr.write(bytes),
        progress: (message) => this.events.progress(uri, message),
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
    stdout.end();
    stderr.end();
    entry.cancel = undefined;
    entry.outcome = outcomeOf(result, request.file);
    entry.diagnostics = diagnosticsOf(result, uri);
    this.events.changed(uri);
    return entry.outcome;
  }
}

function outcomeOf(result: SimulationResult, file: string): RunOutcome {
  switch (result.kind) {
    case 'finished': {
      const { stdout: _, stderr: __, ...report } = result.report;
      const annotations = annotate(report, file.split(/[\\/]/).at(-1)!);
      return { kind: 'finished', report, annotations, summaries: summarise(report), table: reportTable(report) };
    }
    case 'refused': {
      const place = result.file ? `${result.file}${result.line ? `:${result.line}` : ''}: ` : '';
      return { kind: 'refused', message: place + result.message };
    }
    default:
      return result;
  }
}

function diagnosticsOf(result: SimulationResult, program: string): RunDiagnostics {
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
