/** The status bar item: the device that a run would simulate, or what a run is doing. A click starts or cancels a run. */
import * as vscode from 'vscode';
import { type LanguageClient, RequestType } from 'vscode-languageclient/node';
import type { DeviceParams } from '../protocol/run.ts';
import { statusText } from './shown-text.ts';

const deviceRequest = new RequestType<DeviceParams, string, void>('lanewise/device');

export class StatusItem {
  private readonly item = vscode.window.createStatusBarItem('lanewise.status', vscode.StatusBarAlignment.Left, 10);
  private readonly disposables: vscode.Disposable[];
  private readonly client: LanguageClient;
  private busy = false;

  /** The client may still be starting. */
  constructor(client: LanguageClient) {
    this.client = client;
    this.item.name = 'Lanewise';
    const projects = vscode.workspace.createFileSystemWatcher('**/lanewise.json');
    const update = () => void this.update();
    this.disposables = [
      this.item,
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
    this.item.tooltip = 'Lanewise is running a program in the simulator. Click to cancel.';
    this.item.command = { title: 'Cancel', command: 'lanewise.cancel', arguments: [uri] };
    this.item.show();
  }

  idle(): void {
    this.busy = false;
    void this.update();
  }

  /** A lanewise.json may name another device than the settings: the server knows. */
  private async update(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (this.busy) return;
    if (document?.languageId !== 'cuda-cpp') {
      this.item.hide();
      return;
    }
    const device = await this.deviceOf(document.uri);
    if (this.busy || vscode.window.activeTextEditor?.document !== document) return;
    this.item.text = `$(play) Lanewise: ${statusText(device)}`;
    this.item.tooltip = `Run this program in the simulator, as on ${device}.`;
    this.item.command = 'lanewise.run';
    this.item.show();
  }

  private async deviceOf(uri: vscode.Uri): Promise<string> {
    try {
      await this.client.start();
      return await this.client.sendRequest(deviceRequest, { uri: this.client.code2ProtocolConverter.asUri(uri) });
    } catch {
      return vscode.workspace.getConfiguration('lanewise', uri).get<string>('device', 'h200');
    }
  }
}
