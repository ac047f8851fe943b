/** Which run of lanewise.json a file is run as: the only one that has it, or the one that the user has chosen, which is remembered. */
import * as vscode from 'vscode';
import { type LanguageClient, RequestType } from 'vscode-languageclient/node';
import type { DeviceParams, OfferedRun } from '../protocol/run.ts';

const runsRequest = new RequestType<DeviceParams, OfferedRun[], void>('lanewise/runs');

export class ChosenRuns {
  private readonly client: LanguageClient;
  private readonly memory: vscode.Memento;

  constructor(client: LanguageClient, memory: vscode.Memento) {
    this.client = client;
    this.memory = memory;
  }

  /** Undefined for a file that no run has; `cancelled` where the user chooses none. */
  async of(uri: string): Promise<OfferedRun | undefined | 'cancelled'> {
    const offered = await this.client.sendRequest(runsRequest, { uri });
    if (offered.length < 2) return offered[0];
    return offered.find(({ name }) => name === this.memory.get(key(uri))) ?? (await this.choose(uri)) ?? 'cancelled';
  }

  async choose(uri: string): Promise<OfferedRun | undefined> {
    const offered = await this.client.sendRequest(runsRequest, { uri });
    if (offered.length === 0) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('No run of a lanewise.json has this file: "runs" there names programs and their files.'),
      );
      return undefined;
    }
    const items = offered.map((run) => ({ label: run.name, description: run.description, run }));
    const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Run As') });
    if (chosen) await this.memory.update(key(uri), chosen.run.name);
    return chosen?.run;
  }
}

function key(uri: string): string {
  return `run ${uri}`;
}
