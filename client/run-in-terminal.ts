/** Runs a program by the command line in a terminal: standard input as it is typed, tables as text. */
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { registerCommand } from './commands.ts';
import { terminalArguments } from './terminal-arguments.ts';

/** `folder`: of the extension. */
export function runInTerminal(folder: string): vscode.Disposable {
  return registerCommand('lanewise.runInTerminal', async (target?: unknown) => {
    const uri = target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
    if (uri?.scheme !== 'file' || !vscode.workspace.isTrusted) return;
    await vscode.workspace.saveAll(false);
    const settings = vscode.workspace.getConfiguration('lanewise', uri);
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(uri.fsPath);
    const args = terminalArguments(uri.fsPath, { root, get: (name) => settings.inspect(name)?.workspaceFolderValue ?? settings.get(name) });
    // The editor's own Node: users need none.
    vscode.window
      .createTerminal({
        name: `Lanewise: ${basename(uri.fsPath)}`,
        shellPath: process.execPath,
        shellArgs: [join(folder, 'dist/cli.mjs'), ...args],
        cwd: dirname(uri.fsPath),
        env: { ELECTRON_RUN_AS_NODE: '1' },
      })
      .show();
  });
}
