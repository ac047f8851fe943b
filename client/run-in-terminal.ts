/** Runs a program by the command line in a terminal: standard input as it is typed, tables as text. */
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { type LanguageClient, RequestType } from 'vscode-languageclient/node';
import type { DeviceParams } from '../protocol/run.ts';
import type { Arguments } from './arguments.ts';
import type { ChosenRuns } from './chosen-runs.ts';
import { registerCommand } from './commands.ts';
import { terminalArguments } from './terminal-arguments.ts';

export interface TerminalParts {
  /** Of the extension. */
  readonly folder: string;
  readonly args: Arguments;
  readonly chosen: ChosenRuns;
}

const deviceRequest = new RequestType<DeviceParams, string, void>('lanewise/device');

export function runInTerminal(client: LanguageClient, { folder, args, chosen }: TerminalParts): vscode.Disposable {
  return registerCommand('lanewise.runInTerminal', async (target?: unknown) => {
    const uri = target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
    if (uri?.scheme !== 'file' || !vscode.workspace.isTrusted) return;
    await vscode.workspace.saveAll(false);
    await client.start();
    const asked = client.code2ProtocolConverter.asUri(uri);
    const run = await chosen.of(asked);
    if (run === 'cancelled') return;
    const settings = vscode.workspace.getConfiguration('lanewise', uri);
    const configured = settings.get<string>('device');
    // The command line reads lanewise.json by itself.
    const isSettings = (await client.sendRequest(deviceRequest, { uri: asked })) === configured;
    const shellArgs = terminalArguments(uri.fsPath, {
      root: vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? dirname(uri.fsPath),
      device: isSettings && settings.inspect('device')?.defaultValue !== configured ? configured : undefined,
      args: args.of(run?.program ?? asked),
      chosen: run,
      get: (name) => settings.inspect(name)?.workspaceFolderValue ?? settings.get(name),
    });
    // The editor's own Node: users need none.
    const execution = new vscode.ProcessExecution(process.execPath, [join(folder, 'dist/cli.mjs'), ...shellArgs], {
      // As the simulator has it when the program is run from a lens.
      cwd: run?.folder ?? dirname(run?.files[0] ?? uri.fsPath),
      env: { ELECTRON_RUN_AS_NODE: '1' },
    });
    const scope = vscode.workspace.getWorkspaceFolder(uri) ?? vscode.TaskScope.Workspace;
    // A terminal by itself closes when its program ends, and takes the table with it.
    const task = new vscode.Task({ type: 'process' }, scope, basename(uri.fsPath), 'Lanewise', execution);
    task.presentationOptions = {
      reveal: vscode.TaskRevealKind.Always,
      echo: false,
      focus: true,
      panel: vscode.TaskPanelKind.Dedicated,
      clear: true,
    };
    await vscode.tasks.executeTask(task);
  });
}
