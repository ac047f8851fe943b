/**
 * What Clang says of open programs as they are typed: a while after the last keystroke a file is checked, of its device side and its host
 * side. What it said before moves with the text until then.
 */
import { pathToFileURL } from 'node:url';
import type { TextEdit } from '../../protocol/finding.ts';
import type { CompileRequest, Diagnose } from '../../simulator/toolchain/compile.ts';
import { afterEdits, merge, programDiagnostics, type RunDiagnostics } from '../run-diagnostics.ts';
import { pathOf } from '../uris.ts';

export interface LiveDiagnosticsParts {
  readonly diagnose: Diagnose;
  /** Undefined where Clang is not to be asked. Its file may be a program that includes this one. */
  request(uri: string): Promise<CompileRequest | undefined>;
  /** What is said of these files has changed. */
  changed(uris: readonly string[]): void;
  failed(error: unknown): void;
}

/** Who pauses for longer looks at what is written. */
const PAUSE_MS = 250;

interface Waiting {
  readonly timer: NodeJS.Timeout;
  readonly ending: AbortController;
}

interface Due {
  readonly uri: string;
  readonly signal: AbortSignal;
}

export class LiveDiagnostics {
  private readonly parts: LiveDiagnosticsParts;
  private readonly waiting = new Map<string, Waiting>();
  private readonly said = new Map<string, RunDiagnostics>();
  /** Files whose pause is over. */
  private due: Due[] = [];
  private isAsking = false;

  constructor(parts: LiveDiagnosticsParts) {
    this.parts = parts;
  }

  /** Of all programs, since several may have one header. */
  diagnostics(): RunDiagnostics {
    return merge(...this.said.values());
  }

  /** The file has been opened, or what it includes has changed. */
  changed(uri: string): void {
    this.stop(uri);
    const ending = new AbortController();
    const timer = setTimeout(() => {
      this.due.push({ uri, signal: ending.signal });
      void this.askInTurn();
    }, PAUSE_MS).unref();
    this.waiting.set(uri, { timer, ending });
  }

  /** Without edits, all of its text was replaced. */
  edited(uri: string, edits: readonly TextEdit[] | undefined): void {
    for (const [program, diagnostics] of this.said) this.said.set(program, afterEdits(diagnostics, uri, edits));
    this.changed(uri);
  }

  forget(uri: string): void {
    this.stop(uri);
    this.say(uri, undefined);
  }

  end(): void {
    this.due = [];
    for (const uri of [...this.waiting.keys()]) this.stop(uri);
  }

  private stop(uri: string): void {
    const waiting = this.waiting.get(uri);
    if (!waiting) return;
    clearTimeout(waiting.timer);
    waiting.ending.abort();
    this.waiting.delete(uri);
  }

  /** One after the other, so that completion need not wait for long, and the one that was changed last first. */
  private async askInTurn(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    for (let next = this.due.pop(); next; next = this.due.pop()) {
      const { uri, signal } = next;
      try {
        if (!signal.aborted) await this.ask(uri, signal);
      } catch (error) {
        if (!signal.aborted) this.parts.failed(error);
      }
    }
    this.isAsking = false;
  }

  private async ask(uri: string, signal: AbortSignal): Promise<void> {
    const request = await this.parts.request(uri);
    if (signal.aborted) return;
    const remarks = request && (await this.parts.diagnose({ ...request, signal }));
    if (signal.aborted) return;
    if (!request || !remarks) return this.say(uri, undefined);
    const program = pathOf(uri) === request.file ? uri : pathToFileURL(request.file).href;
    const found = programDiagnostics(remarks, { uri: program, lines: request.text?.split('\n') ?? [] });
    // What a program says of its other files is for those who open it.
    this.say(uri, program === uri ? found : { byFile: new Map([...found.byFile].filter(([about]) => about === uri)) });
  }

  private say(uri: string, diagnostics: RunDiagnostics | undefined): void {
    const before = this.said.get(uri);
    if (diagnostics) this.said.set(uri, diagnostics);
    else this.said.delete(uri);
    const concerned = new Set([...(before?.byFile.keys() ?? []), ...(diagnostics?.byFile.keys() ?? [])]);
    if (concerned.size > 0) this.parts.changed([...concerned]);
  }
}
