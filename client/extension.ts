/** The extension's entry: starts the language server and ties its answers to the editor. Starts nothing until a CUDA file is open. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  LanguageClient,
  type LanguageClientOptions,
  NotificationType,
  type ServerOptions,
  TransportKind,
} from 'vscode-languageclient/node';
import type { RunClientNotifications } from '../protocol/run.ts';
import { CostDecorations } from './cost-decorations.ts';
import { KernelsView } from './kernels-view.ts';
import { RunCommands } from './run-commands.ts';
import { StatusItem } from './status-item.ts';

let client: LanguageClient | undefined;

const trustedNotification = new NotificationType<RunClientNotifications['lanewise/workspaceTrusted']>('lanewise/workspaceTrusted');

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  client = createClient(context);
  const decorations = new CostDecorations(client);
  const status = new StatusItem(client);
  const kernels = new KernelsView();
  const runs = new RunCommands(client, { status, kernels });
  context.subscriptions.push(decorations, status, kernels, runs);
  await client.start();
  const trusted = () => void client?.sendNotification(trustedNotification, {});
  context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(trusted));
  if (vscode.workspace.isTrusted) trusted();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function createClient(context: vscode.ExtensionContext): LanguageClient {
  const module = context.asAbsolutePath('dist/server.mjs');
  const server: ServerOptions = { module, transport: TransportKind.ipc };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: 'cuda-cpp' }],
    initializationOptions: {
      hoverPictures: true,
      ownCommands: true,
      otherLanguageServer: hasOtherLanguageServer(),
      cacheFolder: join(context.globalStorageUri.fsPath, 'programs'),
    },
    synchronize: { configurationSection: 'lanewise' },
    outputChannelName: 'Lanewise Language Server',
    diagnosticPullOptions: { onChange: true, onSave: false, onTabs: false },
  };
  return new LanguageClient('lanewise', 'Lanewise', server, options);
}

/** clangd's extension and Microsoft's complete CUDA code and show its compile errors, too. */
function hasOtherLanguageServer(): boolean {
  return ['llvm-vs-code-extensions.vscode-clangd', 'ms-vscode.cpptools'].some((id) => vscode.extensions.getExtension(id) !== undefined);
}
