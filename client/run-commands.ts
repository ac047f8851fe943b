/** The commands that run programs in the simulator, and the output channel that shows what they print. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { type LanguageClient, NotificationType, RequestType } from 'vscode-languageclient/node';
import type { RefusedFile } from '../protocol/report.ts';
import type { RunClientNotifications, RunOutcome, RunParams, RunServerNotifications } from '../protocol/run.ts';
import type { KernelsView } from './kernels-view.ts';
import { notificationText } from './shown-text.ts';
import type { StatusItem } from './status-item.ts';

export interface RunViews {
  readonly status: StatusItem;
  readonly kernels: KernelsView;
}

const runRequest = new RequestType<RunParams, RunOutcome, void>('lanewise/run');
const cancelNotification = new NotificationType<RunClientNotifications['lanewise/cancel']>('lanewise/cancel');
const outputNotification = new NotificationType<RunServerNotifications['lanewise/output']>('lanewise/output');
const progressNotification = new NotificationType<RunServerNotifications['lanewise/progress']>('lanewise/progress');

interface Run {
  readonly uri: string;
  report(message: string): void;
}

export class RunCommands {
  private readonly client: LanguageClient;
  private readonly views: RunViews;
  /** By URI of the program, so that outputs of programs that run at once do not mix. */
  private readonly outputs = new Map<string, ProgramOutput>();
  private newest: ProgramOutput | undefined = undefined;
  private readonly disposables: vscode.Disposable[];
  /** The newest run of each file. */
  private readonly runs = new Map<string, Run>();
  /** Folders that the user has been asked about. */
  private readonly askedFor = new Set<string>();

  constructor(client: LanguageClient, views: RunViews) {
    this.client = client;
    this.views = views;
    this.disposables = [
      vscode.commands.registerCommand('lanewise.run', (target?: unknown) => this.run(target)),
      vscode.commands.registerCommand('lanewise.runWithArguments', (target?: unknown) => this.runWithArguments(target)),
      vscode.commands.registerCommand('lanewise.cancel', (target?: unknown) => this.cancel(target)),
      vscode.commands.registerCommand('lanewise.showOutput', () => this.newest?.show()),
      client.onNotification(outputNotification, ({ uri, text }) => this.outputs.get(uri)?.write(text)),
      client.onNotification(progressNotification, ({ uri, message }) => this.runs.get(uri)?.report(message)),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables, ...this.outputs.values()).dispose();
  }

  private async runWithArguments(target: unknown): Promise<void> {
    const configured = vscode.workspace.getConfiguration('lanewise', targetUri(target)).get<string[]>('run.arguments', []);
    const line = await vscode.window.showInputBox({
      title: 'Program Arguments',
      prompt: 'Separate arguments with spaces; quote arguments that contain spaces.',
      value: configured.map((argument) => (/\s/.test(argument) ? `"${argument}"` : argument)).join(' '),
    });
    if (line !== undefined) await this.run(target, splitArguments(line));
  }

  private async run(target: unknown, args?: readonly string[]): Promise<void> {
    const uri = targetUri(target);
    if (!uri) {
      void vscode.window.showInformationMessage('Open a .cu file first: Lanewise runs CUDA C++ programs.');
      return;
    }
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showWarningMessage(
        'Lanewise runs programs in trusted workspaces only, because they may write files next to their sources.',
      );
      return;
    }
    await this.client.start();
    const key = this.client.code2ProtocolConverter.asUri(uri);
    const name = basename(uri.fsPath);
    const output = this.outputOf(key, name);
    output.begin(`── ${name} in the simulator`);
    const outcome = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: notificationText(`Lanewise: ${name}`), cancellable: true },
      (progress, token) => this.request(key, name, args, progress, token),
    );
    if (!outcome) return;
    this.show(name, outcome, output);
    if (outcome.kind === 'finished' && (await this.allowFiles(name, outcome.report.refusedFiles ?? []))) await this.run(uri, args);
  }

  /** Asks once for each folder that a program was kept out of. True where the program should run again, with what it may do now. */
  private async allowFiles(name: string, refused: readonly RefusedFile[]): Promise<boolean> {
    const first = refused.find((file) => !file.protected && !this.askedFor.has(askedKey(file)));
    if (!first) return false;
    this.askedFor.add(askedKey(first));
    const folder = dirname(first.path);
    const allow = `Allow ${first.access === 'read' ? 'reading' : 'writing'} ${folder}`;
    const message = `${name} is not allowed to ${first.access} ${first.path}, which is outside the program's folders.`;
    if ((await vscode.window.showWarningMessage(notificationText(message), allow)) !== allow) return false;
    const setting = first.access === 'read' ? 'run.allowRead' : 'run.allowWrite';
    const settings = vscode.workspace.getConfiguration('lanewise');
    const allowed = settings.inspect<string[]>(setting)?.globalValue ?? [];
    await settings.update(setting, [...allowed, folder], vscode.ConfigurationTarget.Global);
    return true;
  }

  private outputOf(uri: string, name: string): ProgramOutput {
    let output = this.outputs.get(uri);
    if (!output) {
      output = new ProgramOutput(`Lanewise: ${name}`);
      this.outputs.set(uri, output);
    }
    this.newest = output;
    return output;
  }

  /** Undefined when a newer run of the file has taken over, or the server has stopped. */
  private async request(
    uri: string,
    name: string,
    args: readonly string[] | undefined,
    progress: vscode.Progress<{ message: string }>,
    token: vscode.CancellationToken,
  ): Promise<RunOutcome | undefined> {
    const run: Run = {
      uri,
      report: (message) => {
        progress.report({ message: notificationText(message) });
        this.views.status.running(name, message, uri);
      },
    };
    this.runs.set(uri, run);
    run.report('starting');
    try {
      const outcome = await this.client.sendRequest(runRequest, { uri, args }, token);
      return this.runs.get(uri) === run ? outcome : undefined;
    } catch (error) {
      if (token.isCancellationRequested) return { kind: 'cancelled' };
      return { kind: 'refused', message: `The language server did not answer: ${error instanceof Error ? error.message : error}` };
    } finally {
      if (this.runs.get(uri) === run) this.runs.delete(uri);
      if (this.runs.size === 0) this.views.status.idle();
    }
  }

  private cancel(target: unknown): void {
    const uri = targetUri(target);
    const running = uri && this.runs.get(this.client.code2ProtocolConverter.asUri(uri));
    for (const run of running ? [running] : this.runs.values()) void this.client.sendNotification(cancelNotification, { uri: run.uri });
  }

  private show(name: string, outcome: RunOutcome, output: ProgramOutput): void {
    switch (outcome.kind) {
      case 'finished': {
        const { exit, compileMs, simulateMs, device } = outcome.report;
        const times = `compiled in ${seconds(compileMs)}, simulated on ${device} in ${seconds(simulateMs)}`;
        output.line(`── exit code ${exit}, ${times}\n\n${outcome.table}`);
        this.views.kernels.show(outcome.report);
        const { faults, findings = [] } = outcome.report;
        const [trouble] = [...faults.map(({ message }) => message), ...findings.map(({ check, message }) => `${check}: ${message}`)];
        if (trouble !== undefined) void vscode.window.showErrorMessage(notificationText(`${name}: ${trouble}`));
        return;
      }
      case 'compile-error': {
        const errors = outcome.diagnostics.filter(({ severity }) => severity === 'error');
        for (const { file, line, column, severity, message } of outcome.diagnostics) {
          output.line(`${file}:${line}:${column}: ${severity}: ${message}`);
        }
        const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
        const offered = vscode.window.showErrorMessage(notificationText(`${name} does not compile: ${count}.`), 'Show Problems');
        void offered.then((choice) => choice && vscode.commands.executeCommand('workbench.actions.view.problems'));
        return;
      }
      case 'cancelled':
        output.line(outcome.counted ? `── cancelled; the launches until then:\n\n${outcome.counted.table}` : '── cancelled');
        if (outcome.counted) this.views.kernels.show(outcome.counted.report);
        return;
      case 'refused':
        output.line(`── ${outcome.message}`);
        void vscode.window.showWarningMessage(notificationText(outcome.message));
    }
  }
}

/** What one program prints, and how its runs end. */
class ProgramOutput {
  private readonly channel: vscode.OutputChannel;
  private atLineStart = true;

  constructor(name: string) {
    this.channel = vscode.window.createOutputChannel(name);
  }

  /** Forgets the run before. */
  begin(title: string): void {
    this.channel.clear();
    this.atLineStart = true;
    this.line(title);
    this.show();
  }

  write(text: string): void {
    this.channel.append(text);
    this.atLineStart = text.endsWith('\n');
  }

  /** Text of ours, on lines of its own. */
  line(text: string): void {
    this.write(`${this.atLineStart ? '' : '\n'}${text}\n`);
  }

  show(): void {
    this.channel.show(true);
  }

  dispose(): void {
    this.channel.dispose();
  }
}

function askedKey({ access, path }: RefusedFile): string {
  return `${access} ${dirname(path)}`;
}

/** A lens gives a URI as text, a menu gives a Uri, the palette gives nothing. */
function targetUri(target: unknown): vscode.Uri | undefined {
  if (typeof target === 'string') return vscode.Uri.parse(target);
  if (target instanceof vscode.Uri) return target;
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'cuda-cpp' ? document.uri : undefined;
}

function splitArguments(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([whole, double, single]) => double ?? single ?? whole);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
