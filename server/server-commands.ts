/** For clients without commands of their own: progress, log and messages of the protocol stand in for an output panel. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClientCapabilities,
  type Connection,
  ShowMessageNotification,
  type WorkDoneProgressServerReporter,
} from 'vscode-languageserver/node';
import type { RunOutcome } from '../protocol/run.ts';
import { outcomeMessage } from './outcome-message.ts';
import type { RunRequests } from './run-requests.ts';
import type { Runs } from './runs.ts';

export interface CommandParts {
  readonly runs: Runs;
  readonly runRequests: RunRequests;
  capabilities(): ClientCapabilities;
  /** What the client calls itself. */
  clientName(): string | undefined;
  answering<T>(action: () => Promise<T>): Promise<T>;
}

/** More than that is for the log. */
const MOST_PRINTED = 4000;

/** For a client that is to make room for the progress of a run. */
const progressPatienceMs = 2000;

export class ServerCommands {
  /** `lanewise.start` is answered when the run has begun: clients that wait for an answer wait for seconds. */
  static readonly names = ['lanewise.run', 'lanewise.start', 'lanewise.cancel', 'lanewise.showOutput'];
  private readonly connection: Connection;
  private readonly parts: CommandParts;
  private readonly reporters = new Map<string, WorkDoneProgressServerReporter>();
  /** The end of what programs print, while they run. */
  private readonly printed = new Map<string, string>();

  constructor(connection: Connection, parts: CommandParts) {
    this.connection = connection;
    this.parts = parts;
  }

  execute(command: string, uri: string): Promise<RunOutcome> | undefined {
    if (command === 'lanewise.cancel') this.parts.runRequests.cancel(uri);
    else if (command === 'lanewise.run') return this.run(uri);
    else if (command === 'lanewise.start') this.run(uri).catch(() => undefined);
    else if (command === 'lanewise.showOutput') this.showCounted(uri);
    return undefined;
  }

  /** Logs are out of sight in most editors: what a program prints is to be read where its counters are. */
  prints(uri: string, text: string): void {
    const printed = this.printed.get(uri);
    if (printed !== undefined) this.printed.set(uri, (printed + text).slice(-MOST_PRINTED));
  }

  progress(uri: string, message: string): void {
    this.reporters.get(uri)?.report(message);
  }

  private async run(uri: string): Promise<RunOutcome> {
    const shows = this.parts.capabilities().window?.workDoneProgress;
    const progress = shows ? await this.createProgress() : undefined;
    progress?.begin('Running in the simulator', undefined, uri.split('/').at(-1));
    if (progress) this.reporters.set(uri, progress);
    this.printed.set(uri, '');
    let printed = '';
    const outcome = await this.parts.answering(this.parts.runRequests.asked({ uri })).finally(() => {
      printed = this.printed.get(uri) ?? '';
      this.printed.delete(uri);
      progress?.done();
      if (this.reporters.get(uri) === progress) this.reporters.delete(uri);
    });
    this.show(outcome, printed);
    return outcome;
  }

  private showCounted(uri: string): void {
    const { counted } = this.parts.runs.state(uri);
    if (counted) this.show({ kind: 'finished', ...counted });
  }

  private show(outcome: RunOutcome, printed = ''): void {
    const inOneLine = this.parts.clientName() === 'helix';
    void this.connection.sendNotification(ShowMessageNotification.type, outcomeMessage(outcome, { printed, inOneLine }));
  }

  private createProgress(): Promise<WorkDoneProgressServerReporter | undefined> {
    const created = this.connection.window.createWorkDoneProgress().catch(() => undefined);
    return Promise.race([created, delay(progressPatienceMs, undefined, { ref: false })]);
  }
}
