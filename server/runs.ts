/**
 * Runs of programs in the simulator: one at a time per file, a new one replacing the old. Diagnostics of a run are kept until the next run
 * of the same file, counters until the next one that counts any: a cancelled run or an error in the program takes none away.
 */

import type { ProgramDiagnostic } from '../protocol/report.ts';
import type { CountedRun, LineAnnotation, OutputParams, RunOutcome } from '../protocol/run.ts';
import { withDefaults } from '../simulator/options/limits.ts';
import type { SimulationEvents, SimulationRequest, SimulationResult, StartSimulation } from '../simulator/simulate.ts';
import { judged, unkept } from './expectations.ts';
import { latestOnly } from './latest-only.ts';
import { inOrders } from './orders.ts';
import { OutputStream } from './output-stream.ts';
import { annotate, type CountedBefore } from './report-text.ts';
import { afterEdits, faultDiagnostics, merge, type Program, programDiagnostics, type RunDiagnostics } from './run-diagnostics.ts';
import { type Edits, fileKey, type RanText, RunFiles } from './run-files.ts';
import { cancelled, diagnosticsOf, nothing, outcomeOf } from './run-outcomes.ts';
import { sameLines } from './same-lines.ts';
import { pathOf } from './uris.ts';

export interface RunEvents {
  output(params: OutputParams): void;
  progress(uri: string, message: string): void;
  /** A run of this file began or ended: lenses and diagnostics have changed. */
  changed(uri: string): void;
  /** Text of a file of the user's as it is now, in the editor or on the disk. */
  textOf?(path: string): string | undefined;
  /** Texts of the open files, by path. */
  openTexts?(): ReadonlyMap<string, string>;
}

export interface FileRuns {
  /** The program that is spoken of: the file itself, or one that includes it. */
  readonly program: string;
  readonly running: boolean;
  /** A run has ended, whatever came of it. */
  readonly hasRun: boolean;
  /** What the last one counted that got to its end, or to the end of a launch. */
  readonly counted?: CountedRun;
  readonly diagnostics: RunDiagnostics;
  readonly annotations: readonly LineAnnotation[];
  /** A text of the program or its settings have changed since the run that got to its end. */
  readonly stale: boolean;
}

export interface RanProgram {
  readonly counted: CountedRun;
  /** The newest first. */
  readonly earlier: readonly CountedRun[];
  readonly stale: boolean;
  readonly files: readonly RanText[];
}

interface Entry {
  cancel?: () => void;
  /** Settles when the run is over, whatever came of it. */
  over: Promise<unknown>;
  /** Number of the newest request. */
  ticket: number;
  /** The last run ended so, and what the compiler said then, or has said since, is shown. */
  hasCompileErrors: boolean;
  /** Made to files since the run began: what it says is about the texts before them. */
  edits: { readonly uri: string; readonly edits: Edits }[];
  hasRun: boolean;
  counted?: CountedRun;
  /** Runs before it that counted something, the newest first. */
  earlier: readonly CountedRun[];
  /** Greater for what was counted later. */
  countedAs: number;
  diagnostics: RunDiagnostics;
  files: RunFiles;
  /** What the counted run was made with, and what a run would be made with now. */
  settings: { counted: string | undefined; now: string | undefined };
}

/** What a run began with. */
interface Begun {
  readonly uri: string;
  readonly request: SimulationRequest;
  /** Of the open files, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface HowToRun {
  /** What the program reads; an empty input without. */
  readonly stdin?: SimulationEvents['stdin'];
  /** In so many orders of its threads; as launched alone unless given. */
  readonly orders?: number;
}

const fresh = { hasRun: false, hasCompileErrors: false, counted: undefined, earlier: [], countedAs: 0, diagnostics: nothing };

/** So many runs of a program are kept to compare with. */
const KEPT_RUNS = 5;

export class Runs {
  private readonly entries = new Map<string, Entry>();
  private readonly start: StartSimulation;
  private readonly events: RunEvents;
  private countedRuns = 0;

  constructor(start: StartSimulation, events: RunEvents) {
    this.start = start;
    this.events = events;
  }

  /** Of the file's own runs; where it has none, of the program that counted last of those that include it. */
  state(uri: string): FileRuns {
    const key = fileKey(uri);
    const [program, entry] = this.entries.has(uri) ? [uri, this.entries.get(uri)] : (this.includer(key) ?? [uri, undefined]);
    if (!entry) return { ...fresh, program, annotations: [], stale: false, running: false };
    const { hasRun, counted, diagnostics, cancel } = entry;
    return {
      program,
      hasRun,
      counted,
      diagnostics,
      running: cancel !== undefined,
      annotations: entry.files.annotations(key),
      stale: isStale(entry),
    };
  }

  /** The last run that counted, of the program that `state` speaks of, with its texts and the runs before it. */
  ran(uri: string): RanProgram | undefined {
    const entry = this.entries.get(this.state(uri).program);
    if (!entry?.counted) return undefined;
    return { counted: entry.counted, earlier: entry.earlier, stale: isStale(entry), files: entry.files.all() };
  }

  private includer(key: string): [string, Entry] | undefined {
    const including = [...this.entries].filter(([, { files }]) => files.has(key));
    return including.sort(([, a], [, b]) => b.countedAs - a.countedAs)[0];
  }

  /** Programs that have counted something, and so may be stale. */
  counted(): readonly string[] {
    return [...this.entries].flatMap(([uri, { counted }]) => (counted ? [uri] : []));
  }

  /** What a run would be made with now. */
  configured(uri: string, settings: string): void {
    const entry = this.entries.get(uri);
    if (!entry || entry.settings.now === settings) return;
    entry.settings.now = settings;
    if (entry.counted) this.events.changed(uri);
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
    entry.diagnostics = programDiagnostics(remarks, this.program(uri, text));
    this.events.changed(uri);
  }

  /** A file was edited; without edits, all its text was replaced. `text`: as it is now. */
  edited(uri: string, edits: Edits, text?: string): void {
    const key = fileKey(uri);
    for (const entry of this.entries.values()) {
      entry.diagnostics = afterEdits(entry.diagnostics, uri, edits);
      if (entry.cancel) entry.edits.push({ uri, edits });
      entry.files.edited(key, edits, text);
    }
  }

  /** A file was opened, or written on the disk. Gives the programs of which that changes what is known. */
  replaced(uri: string, text: string | undefined): readonly string[] {
    const key = fileKey(uri);
    const concerned = [...this.entries].filter(([, { files }]) => files.has(key));
    for (const [, { files }] of concerned) files.replaced(key, text);
    return concerned.map(([program]) => program);
  }

  /** Line numbers are kept only while a file is open. */
  closed(uri: string): void {
    const key = fileKey(uri);
    for (const { files } of this.entries.values()) files.closed(key);
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

  async run(uri: string, request: SimulationRequest, how: HowToRun = {}): Promise<RunOutcome> {
    const entry: Entry = this.entries.get(uri) ?? {
      ...fresh,
      over: Promise.resolve(),
      ticket: 0,
      edits: [],
      files: new RunFiles(),
      settings: { counted: undefined, now: undefined },
    };
    this.entries.set(uri, entry);
    const ticket = ++entry.ticket;
    while (entry.cancel) {
      entry.cancel();
      await entry.over;
      if (ticket !== entry.ticket) return cancelled;
    }
    const over = this.runNow(uri, request, entry, how);
    entry.over = over;
    return over;
  }

  private async runNow(uri: string, request: SimulationRequest, entry: Entry, { stdin, orders }: HowToRun): Promise<RunOutcome> {
    entry.edits = [];
    entry.diagnostics = nothing;
    const texts = this.events.openTexts?.() ?? new Map<string, string>();
    const most = withDefaults(request.limits).outputMB * 1_000_000;
    const stdout = new OutputStream((text) => this.events.output({ uri, stream: 'stdout', text }), most);
    const stderr = new OutputStream((text) => this.events.output({ uri, stream: 'stderr', text }), most);
    let over = false;
    let result: SimulationResult;
    try {
      const start = orders === undefined ? this.start : inOrders(this.start, orders);
      const simulation = start(request, {
        stdin,
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
    const outcome = this.keep(entry, result, { uri, request, texts });
    this.events.changed(uri);
    return outcome;
  }

  private keep(entry: Entry, result: SimulationResult, { uri, request, texts }: Begun): RunOutcome {
    const program = this.program(uri, request.text, texts);
    const outcome = outcomeOf(result, entry.counted);
    entry.hasRun = true;
    entry.hasCompileErrors = result.kind === 'compile-error';
    entry.diagnostics = diagnosticsOf(result, program);
    for (const { uri: edited, edits } of entry.edits) entry.diagnostics = afterEdits(entry.diagnostics, edited, edits);
    const counted = outcome.kind === 'finished' ? outcome : outcome.kind === 'cancelled' ? outcome.counted : undefined;
    if (counted) {
      if (entry.counted) entry.earlier = [entry.counted, ...entry.earlier].slice(0, KEPT_RUNS);
      entry.counted = counted;
      entry.countedAs = ++this.countedRuns;
      entry.settings = { counted: settingsKey(request), now: settingsKey(request) };
      entry.files = this.filesOf(counted, counted.sources.length > 0 ? counted.sources : [request.file], {
        texts: { ...Object.fromEntries(texts), ...(request.text !== undefined && { [request.file]: request.text }) },
        before: entry.files.all(),
      });
      const expectations = outcome.kind === 'finished' ? judged(entry.files.all(), counted.report) : [];
      if (expectations.length > 0) {
        entry.counted = { ...counted, expectations };
        let broken = faultDiagnostics(unkept(expectations), program);
        for (const { uri: edited, edits } of entry.edits) broken = afterEdits(broken, edited, edits);
        entry.diagnostics = merge(entry.diagnostics, broken);
      }
      for (const { uri: edited, edits } of entry.edits) {
        const path = pathOf(edited);
        entry.files.edited(fileKey(edited), edits, path === undefined ? undefined : this.events.textOf?.(path));
      }
    }
    return outcome.kind === 'finished' && entry.counted ? { ...outcome, ...entry.counted } : outcome;
  }

  /** Lines of its files: as the run began with them, or else as they are. */
  private program(uri: string, text: string | undefined, began: ReadonlyMap<string, string> = new Map()): Program {
    const read = new Map<string, readonly string[] | undefined>();
    const linesOf = (other: string) => {
      const path = pathOf(other);
      if (!read.has(other) && path !== undefined) read.set(other, (began.get(path) ?? this.events.textOf?.(path))?.split('\n'));
      return read.get(other);
    };
    return { uri, lines: text?.split('\n') ?? [], linesOf };
  }

  private filesOf({ report }: CountedRun, sources: readonly string[], { texts, before }: RunTexts): RunFiles {
    const files = new RunFiles();
    for (const path of sources) {
      const ran = texts[path] ?? this.events.textOf?.(path);
      const source = ran?.split('\n') ?? [];
      files.add(path, ran, annotate(report, path, { source, before: countedBefore(source, before, path) }));
    }
    return files;
  }
}

interface RunTexts {
  /** Those that the editor had, when the run began. */
  readonly texts: Readonly<Record<string, string>>;
  /** Of the run that counted before. */
  readonly before: readonly RanText[];
}

function countedBefore(source: readonly string[], before: readonly RanText[], path: string): CountedBefore {
  const ran = before.find((file) => file.path === path);
  if (ran?.text === undefined) return () => undefined;
  const same = sameLines(source, ran.text.split('\n'));
  const counted = new Map(ran.said.map(({ line, counters }) => [line, counters]));
  return (line) => {
    const was = same(line);
    return was === undefined ? undefined : counted.get(was);
  };
}

function isStale({ files, settings }: Entry): boolean {
  return files.stale || settings.counted !== settings.now;
}

/** Of what a request says, that which changes what a run counts. */
export function settingsKey({ device, defines, includeDirs }: SimulationRequest): string {
  return JSON.stringify([device, defines, includeDirs]);
}
