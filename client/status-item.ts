/** The status bar item: the device that a run would simulate, or what a run is doing. A click offers what can be chosen, or cancels the run. */
import * as vscode from 'vscode';
import { type LanguageClient, RequestType } from 'vscode-languageclient/node';
import type { DeviceParams } from '../protocol/run.ts';
import { registerCommand } from './commands.ts';
import { statusText } from './shown-text.ts';

const deviceRequest = new RequestType<DeviceParams, string, void>('lanewise/device');
const cudaVersionRequest = new RequestType<DeviceParams, string, void>('lanewise/cudaVersion');

export class StatusItem {
  private readonly item = vscode.window.createStatusBarItem('lanewise.status', vscode.StatusBarAlignment.Left, 10);
  private readonly disposables: vscode.Disposable[];
  private readonly client: LanguageClient;
  private readonly manifest: Manifest;
  private busy = false;

  /** The client may still be starting. */
  constructor(client: LanguageClient, manifest: Manifest) {
    this.client = client;
    this.manifest = manifest;
    this.item.name = 'Lanewise';
    const projects = vscode.workspace.createFileSystemWatcher('**/lanewise.json');
    const update = () => void this.update();
    this.disposables = [
      this.item,
      registerCommand('lanewise.chooseDevice', () => this.chooseDevice()),
      registerCommand('lanewise.chooseCudaVersion', () => this.chooseCudaVersion()),
      registerCommand('lanewise.menu', () => this.menu()),
      projects,
      projects.onDidChange(update),
      projects.onDidCreate(update),
      projects.onDidDelete(update),
      vscode.window.onDidChangeActiveTextEditor(update),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('lanewise') && update()),
    ];
    update();
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  running(name: string, message: string, uri: string): void {
    this.busy = true;
    this.item.text = `$(sync~spin) ${statusText(`${name}: ${message}`)}`;
    this.item.tooltip = vscode.l10n.t('Lanewise is running a program in the simulator. Click to cancel.');
    this.item.command = { title: 'Cancel', command: 'lanewise.cancel', arguments: [uri] };
    this.item.show();
  }

  idle(): void {
    this.busy = false;
    void this.update();
  }

  private async menu(): Promise<void> {
    const { commands } = this.manifest.contributes;
    const names = ['run', 'runInTerminal', 'chooseDevice', 'chooseCudaVersion', 'showReport', 'restartServer', 'showLog'];
    const items = names.map((name) => {
      const command = `lanewise.${name}`;
      return { label: titleOf(commands.find((each) => each.command === command)?.title) ?? name, command };
    });
    const chosen = await vscode.window.showQuickPick(items, { title: 'Lanewise' });
    if (chosen) await vscode.commands.executeCommand(chosen.command);
  }

  private async chooseDevice(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const { enum: ids = [], enumDescriptions = [] } = this.manifest.contributes.configuration.properties['lanewise.device'];
    const current = uri && (await this.deviceOf(uri));
    const items = ids.map((id, index) => ({
      label: id,
      description: id === current ? vscode.l10n.t('chosen now') : undefined,
      detail: enumDescriptions[index],
    }));
    const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Device to Simulate'), matchOnDetail: true });
    if (!chosen) return;
    await setLanewise('device', chosen.label, uri);
    if (!uri || (await comesToBe(() => this.deviceOf(uri), chosen.label))) return;
    void vscode.window.showInformationMessage(vscode.l10n.t('lanewise.json names the device of this file: change it there.'));
  }

  private async chooseCudaVersion(): Promise<void> {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const version = await pickVersion(uri && (await this.cudaVersionOf(uri)));
    if (version === undefined) return;
    await setLanewise('cudaVersion', version, uri);
    if (!uri || (await comesToBe(() => this.cudaVersionOf(uri), version))) return;
    void vscode.window.showInformationMessage(vscode.l10n.t('lanewise.json names the CUDA version of this file: change it there.'));
  }

  /** A lanewise.json may name another device than the settings: the server knows. */
  private async update(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (this.busy) return;
    if (document?.languageId !== 'cuda-cpp') {
      this.item.hide();
      return;
    }
    const [device, version] = await Promise.all([this.deviceOf(document.uri), this.cudaVersionOf(document.uri)]);
    if (this.busy || vscode.window.activeTextEditor?.document !== document) return;
    this.item.text = `$(circuit-board) Lanewise: ${statusText(`${device}, CUDA ${version}`)}`;
    this.item.tooltip = vscode.l10n.t(
      'Programs are simulated as on {0}, for CUDA {1}. Click to run, or to choose another device.',
      device,
      version,
    );
    this.item.command = 'lanewise.menu';
    this.item.show();
  }

  private deviceOf(uri: vscode.Uri): Promise<string> {
    return this.ask(deviceRequest, uri, 'device');
  }

  private cudaVersionOf(uri: vscode.Uri): Promise<string> {
    return this.ask(cudaVersionRequest, uri, 'cudaVersion');
  }

  /** What the editor's setting says where the server does not answer. */
  private async ask(request: typeof deviceRequest, uri: vscode.Uri, setting: string): Promise<string> {
    try {
      await this.client.start();
      return await this.client.sendRequest(request, { uri: this.client.code2ProtocolConverter.asUri(uri) });
    } catch {
      return vscode.workspace.getConfiguration('lanewise', uri).get<string>(setting, '');
    }
  }
}

/** Those that CUDA's archive of releases has, the newest first, back to the first with CUDA 11's compute capabilities. */
const CUDA_VERSIONS = ['13.0', ...minor(12, 9), ...minor(11, 8)];

function minor(major: number, newest: number): string[] {
  return Array.from({ length: newest + 1 }, (_, index) => `${major}.${newest - index}`);
}

/** One of the list, or another one that is typed. */
function pickVersion(current: string | undefined): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick();
  pick.title = vscode.l10n.t('CUDA Version');
  pick.placeholder = vscode.l10n.t('The version that the code is meant for: what is removed in it is marked.');
  const itemOf = (label: string) => ({ label, description: label === current ? vscode.l10n.t('chosen now') : undefined });
  const known = (current === undefined || CUDA_VERSIONS.includes(current) ? CUDA_VERSIONS : [current, ...CUDA_VERSIONS]).map(itemOf);
  pick.items = known;
  pick.activeItems = known.filter(({ label }) => label === current);
  return new Promise((resolve) => {
    pick.onDidChangeValue((typed) => {
      const isOther = /^\d+\.\d+$/.test(typed) && !known.some(({ label }) => label === typed);
      pick.items = isOther ? [itemOf(typed), ...known] : known;
    });
    pick.onDidAccept(() => {
      const [chosen] = pick.activeItems;
      if (!chosen) return;
      resolve(chosen.label);
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** A translated one comes with its original. */
type Title = string | { readonly value: string };

function titleOf(title: Title | undefined): string | undefined {
  return typeof title === 'object' ? title.value : title;
}

/** Of package.json. */
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: Title }[];
    readonly configuration: {
      readonly properties: Readonly<Record<string, { readonly enum?: readonly string[]; readonly enumDescriptions?: readonly string[] }>>;
    };
  };
}

/** The server hears of a changed setting a moment later. */
async function comesToBe(ask: () => Promise<string>, wanted: string): Promise<boolean> {
  for (let tries = 0; tries < 15; tries++) {
    if ((await ask()) === wanted) return true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return false;
}

/** Where it is set already, else for the workspace, else for the user. */
async function setLanewise(name: string, value: string, uri: vscode.Uri | undefined): Promise<void> {
  const settings = vscode.workspace.getConfiguration('lanewise', uri);
  const isFolders = settings.inspect(name)?.workspaceFolderValue !== undefined;
  const { ConfigurationTarget: target } = vscode;
  const where = isFolders ? target.WorkspaceFolder : vscode.workspace.workspaceFolders ? target.Workspace : target.Global;
  await settings.update(name, value, where);
}
