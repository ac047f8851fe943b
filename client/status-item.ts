/** The status bar item: the simulated device, or what a run is doing. A click starts or cancels a run. */
import * as vscode from 'vscode';

export class StatusItem {
  private readonly item = vscode.window.createStatusBarItem('lanewise.status', vscode.StatusBarAlignment.Left, 10);
  private readonly disposables: vscode.Disposable[];
  private busy = false;

  constructor() {
    this.item.name = 'Lanewise';
    this.disposables = [
      this.item,
      vscode.window.onDidChangeActiveTextEditor(() => this.update()),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('lanewise') && this.update()),
    ];
    this.update();
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  running(name: string, message: string, uri: string): void {
    this.busy = true;
    this.item.text = `$(sync~spin) ${name}: ${message}`;
    this.item.tooltip = 'Lanewise is running a program in the simulator. Click to cancel.';
    this.item.command = { title: 'Cancel', command: 'lanewise.cancel', arguments: [uri] };
    this.item.show();
  }

  idle(): void {
    this.busy = false;
    this.update();
  }

  private update(): void {
    if (this.busy) return;
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== 'cuda-cpp') {
      this.item.hide();
      return;
    }
    const device = vscode.workspace.getConfiguration('lanewise', document.uri).get<string>('device', 'h200');
    this.item.text = `$(play) Lanewise: ${device}`;
    this.item.tooltip = `Run this program in the simulator, as on ${device}.`;
    this.item.command = 'lanewise.run';
    this.item.show();
  }
}
