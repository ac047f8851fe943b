/** Ties the language server's answers to the editor. The server starts when a CUDA file is open, or somebody wants a run. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  LanguageClient,
  type LanguageClientOptions,
  NotificationType,
  type ServerOptions,
  TransportKind,
} from 'vscode-languageclient/node';
import { speak } from '../counters/spoken.ts';
import type { RunClientNotifications } from '../protocol/run.ts';
import { Arguments } from './arguments.ts';
import { keepCounters } from './budgets.ts';
import { ChosenRuns } from './chosen-runs.ts';
import { registerCommand } from './commands.ts';
import { CostDecorations } from './cost-decorations.ts';
import { type HarnessRunner, HarnessTests } from './harness-tests.ts';
import { KernelsView } from './kernels-view.ts';
import { Lessons } from './lessons.ts';
import { provideCodeActions, saveProjects } from './offered-fixes.ts';
import { ReportPanel } from './report-panel.ts';
import { showRules } from './rule-pages.ts';
import { RunCommands } from './run-commands.ts';
import { runInTerminal } from './run-in-terminal.ts';
import { runKernels } from './run-kernel.ts';
import { SERVER_ENVIRONMENT } from './server-environment.ts';
import { StatusItem } from './status-item.ts';

const HEADERS = '**/*.{h,hh,hpp,hxx,h++,inl,inc,cuh}';

let client: LanguageClient | undefined;
/** Settles when the server has started, or has not: the client says so itself. */
let starting: Promise<void> | undefined;

const trustedNotification = new NotificationType<RunClientNotifications['lanewise/workspaceTrusted']>('lanewise/workspaceTrusted');

const groundNotification = new NotificationType<RunClientNotifications['lanewise/ground']>('lanewise/ground');

export { executeCommand } from './commands.ts';

export function start(context: vscode.ExtensionContext): void {
  speak(vscode.l10n.bundle ?? {});
  client = createClient(context);
  const decorations = new CostDecorations(client);
  const status = new StatusItem(client, context.extension.packageJSON);
  const kernels = new KernelsView();
  const report = new ReportPanel(client, context.extensionUri);
  const args = new Arguments(context.workspaceState);
  const chosen = new ChosenRuns(client, context.workspaceState);
  const runs = new RunCommands(client, { status, kernels, report, args, chosen });
  const runner: HarnessRunner = { run: (uri, write, token) => runs.runQuietly(uri, write, token) };
  const tests = new HarnessTests(runner);
  const lessons = new Lessons(context, runner);
  void vscode.commands.executeCommand('setContext', 'lanewise.active', true);
  const alone = runKernels(client, (harness) => tests.add(harness));
  context.subscriptions.push(
    decorations,
    status,
    kernels,
    report,
    runs,
    tests,
    lessons,
    alone,
    keepCounters(client),
    runInTerminal(client, { folder: context.extensionPath, args, chosen }),
    showRules(context.extensionPath),
    saveProjects(),
  );
  const trusted = () => void client?.sendNotification(trustedNotification, {});
  const themed = () => void client?.sendNotification(groundNotification, { ground: ground() });
  context.subscriptions.push(vscode.workspace.onDidGrantWorkspaceTrust(trusted), vscode.window.onDidChangeActiveColorTheme(themed));
  const begin = () => {
    starting ??= client!.start().then(
      () => {
        chosen.tell();
        if (vscode.workspace.isTrusted) trusted();
      },
      () => undefined,
    );
  };
  const look = ({ languageId }: vscode.TextDocument) => languageId === 'cuda-cpp' && begin();
  context.subscriptions.push(vscode.workspace.onDidOpenTextDocument(look), restartServer(client, chosen), showLog(client));
  for (const document of vscode.workspace.textDocuments) look(document);
}

function restartServer(of: LanguageClient, chosen: ChosenRuns): vscode.Disposable {
  return registerCommand('lanewise.restartServer', async () => {
    await of.restart();
    chosen.tell();
    if (vscode.workspace.isTrusted) await of.sendNotification(trustedNotification, {});
  });
}

function showLog(of: LanguageClient): vscode.Disposable {
  return registerCommand('lanewise.showLog', () => of.outputChannel.show());
}

function ground(): 'light' | 'dark' {
  const { kind } = vscode.window.activeColorTheme;
  return kind === vscode.ColorThemeKind.Light || kind === vscode.ColorThemeKind.HighContrastLight ? 'light' : 'dark';
}

export async function stop(): Promise<void> {
  await starting;
  await client?.stop();
}

function createClient(context: vscode.ExtensionContext): LanguageClient {
  const module = context.asAbsolutePath('dist/server.mjs');
  const server: ServerOptions = { module, transport: TransportKind.ipc, options: { env: SERVER_ENVIRONMENT } };
  const options: LanguageClientOptions = {
    // Headers in C++ may have kernels, and their unsaved texts count for the programs that include them.
    documentSelector: [{ language: 'cuda-cpp' }, { language: 'cpp', pattern: HEADERS }, { language: 'c', pattern: HEADERS }],
    // Texts of the server may name no other command.
    markdown: { isTrusted: { enabledCommands: ['lanewise.showRule'] } },
    initializationOptions: {
      hoverPictures: ground(),
      ownCommands: true,
      texts: vscode.l10n.bundle,
      otherLanguageServer: hasOtherLanguageServer(),
      cacheFolder: join(context.globalStorageUri.fsPath, 'programs'),
    },
    synchronize: { configurationSection: 'lanewise' },
    middleware: { provideCodeActions },
    outputChannelName: 'Lanewise Language Server',
    diagnosticPullOptions: { onChange: true, onSave: false, onTabs: false },
  };
  return new LanguageClient('lanewise', 'Lanewise', server, options);
}

/** clangd's extension and Microsoft's complete CUDA code and show its compile errors, too. */
function hasOtherLanguageServer(): boolean {
  return ['llvm-vs-code-extensions.vscode-clangd', 'ms-vscode.cpptools'].some((id) => vscode.extensions.getExtension(id) !== undefined);
}
