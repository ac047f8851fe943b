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
  answering<T>(action: () => Promise<T>): Promise<T>;
}

/** For a client that is to make room for the progress of a run. */
const progressPatienceMs = 2000;

export class ServerCommands {
  static readonly names = ['lanewise.run', 'lanewise.cancel', 'lanewise.showOutput'];
  private readonly connection: Connection;
  private readonly parts: CommandParts;
  private readonly reporters = new Map<string, WorkDoneProgressServerReporter>();

  constructor(connection: Connection, parts: CommandParts) {
    this.connection = connection;
    this.parts = parts;
  }

  execute(command: string, uri: string): Promise<RunOutcome> | undefined {
    if (command === 'lanewise.cancel') this.parts.runRequests.cancel(uri);
    else if (command === 'lanewise.run') return this.run(uri);
    else if (command === 'lanewise.showOutput') this.showCounted(uri);
    return undefined;
  }

  progress(uri: string, message: string): void {
    this.reporters.get(uri)?.report(message);
  }

  private async run(uri: string): Promise<RunOutcome> {
    const shows = this.parts.capabilities().window?.workDoneProgress;
    const progress = shows ? await this.createProgress() : undefined;
    progress?.begin('Running in the simulator', undefined, uri.split('/').at(-1));
    if (progress) this.reporters.set(uri, progress);
    const outcome = await this.parts.answering(this.parts.runRequests.asked({ uri })).finally(() => {
      progress?.done();
      if (this.reporters.get(uri) === progress) this.reporters.delete(uri);
    });
    this.show(outcome);
    return outcome;
  }

  private showCounted(uri: string): void {
    const { counted } = this.parts.runs.state(uri);
    if (counted) this.show({ kind: 'finished', ...counted });
  }

  private show(outcome: RunOutcome): void {
    void this.connection.sendNotification(ShowMessageNotification.type, outcomeMessage(outcome));
  }

  private createProgress(): Promise<WorkDoneProgressServerReporter | undefined> {
    const created = this.connection.window.createWorkDoneProgress().catch(() => undefined);
    return Promise.race([created, delay(progressPatienceMs, undefined, { ref: false })]);
  }
}
