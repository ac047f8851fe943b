/** Which run of lanewise.json a file is run as: the only one that has it, or the one that the user has chosen, which is remembered for all its files. */
import * as vscode from 'vscode';
import { type LanguageClient, NotificationType, RequestType } from 'vscode-languageclient/node';
import type { DeviceParams, OfferedRun, RunClientNotifications } from '../protocol/run.ts';

const runsRequest = new RequestType<DeviceParams, OfferedRun[], void>('lanewise/runs');
const chosenNotification = new NotificationType<RunClientNotifications['lanewise/chosenRun']>('lanewise/chosenRun');

export class ChosenRuns {
  private readonly client: LanguageClient;
  private readonly memory: vscode.Memento;

  constructor(client: LanguageClient, memory: vscode.Memento) {
    this.client = client;
    this.memory = memory;
  }

  /** Has the server know what was chosen before it was started. */
  tell(): void {
    for (const each of this.memory.keys()) {
      const name = each.startsWith(PREFIX) && this.memory.get<string>(each);
      if (name) void this.client.sendNotification(chosenNotification, { uri: each.slice(PREFIX.length), name });
    }
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
    if (!chosen) return undefined;
    const { name, files } = chosen.run;
    for (const file of [uri, ...files.map((path) => this.client.code2ProtocolConverter.asUri(vscode.Uri.file(path)))]) {
      await this.memory.update(key(file), name);
      await this.client.sendNotification(chosenNotification, { uri: file, name });
    }
    return chosen.run;
  }
}

const PREFIX = 'run ';

function key(uri: string): string {
  return `${PREFIX}${uri}`;
}
