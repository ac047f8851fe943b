/** The commands that run programs in the simulator, and the output channel that shows what they print. */
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { type LanguageClient, NotificationType, RequestType } from 'vscode-languageclient/node';
import type { RefusedFile } from '../protocol/report.ts';
import type {
  CountedRun,
  DeviceParams,
  InputParams,
  MadeArguments,
  OfferedRun,
  RunClientNotifications,
  RunOutcome,
  RunParams,
  RunServerNotifications,
} from '../protocol/run.ts';
import { type Arguments, joinArguments, splitArguments } from './arguments.ts';
import type { ChosenRuns } from './chosen-runs.ts';
import { registerCommand } from './commands.ts';
import type { KernelsView } from './kernels-view.ts';
import { FIXED, fixedFile } from './offered-fixes.ts';
import { fileNamed, linkPlaces, ProgramOutput } from './program-output.ts';
import type { ReportPanel } from './report-panel.ts';
import { notificationText } from './shown-text.ts';
import type { StatusItem } from './status-item.ts';

export interface RunViews {
  readonly status: StatusItem;
  readonly kernels: KernelsView;
  readonly report: ReportPanel;
  readonly args: Arguments;
  readonly chosen: ChosenRuns;
}

const runRequest = new RequestType<RunParams, RunOutcome, void>('lanewise/run');
const programRequest = new RequestType<DeviceParams, string, void>('lanewise/program');
const madeArgumentsRequest = new RequestType<DeviceParams, MadeArguments | null, void>('lanewise/madeArguments');
const inputRequest = new RequestType<InputParams, string | null, void>('lanewise/input');
const cancelNotification = new NotificationType<RunClientNotifications['lanewise/cancel']>('lanewise/cancel');
const outputNotification = new NotificationType<RunServerNotifications['lanewise/output']>('lanewise/output');
const progressNotification = new NotificationType<RunServerNotifications['lanewise/progress']>('lanewise/progress');

/** As launched, reversed, adversarial and five by chance. */
const ORDERS = 8;

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
  /** Who wants what a program prints, instead of its output channel. */
  private readonly listeners = new Map<string, (text: string) => void>();
  /** Folders that the user has been asked about. */
  private readonly askedFor = new Set<string>();

  constructor(client: LanguageClient, views: RunViews) {
    this.client = client;
    this.views = views;
    this.disposables = [
      registerCommand('lanewise.run', (target?: unknown) => this.run(target)),
      registerCommand('lanewise.runWithArguments', (target?: unknown) => this.runWithArguments(target)),
      registerCommand('lanewise.runOrders', (target?: unknown) => this.run(target, ORDERS)),
      registerCommand('lanewise.chooseRun', (target?: unknown) => this.runChosen(target)),
      registerCommand('lanewise.cancel', (target?: unknown) => this.cancel(target)),
      registerCommand(FIXED, () => this.runAgain()),
      registerCommand('lanewise.showOutput', () => this.newest?.show()),
      linkPlaces(() => this.outputs.values()),
      client.onRequest(inputRequest, ({ uri }, token) => askForLine(basename(vscode.Uri.parse(uri).path), token)),
      client.onNotification(outputNotification, ({ uri, text }) => {
        const listener = this.listeners.get(uri);
        if (listener) listener(text);
        else this.outputs.get(uri)?.write(text);
      }),
      client.onNotification(progressNotification, ({ uri, message }) => this.runs.get(uri)?.report(message)),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables, ...this.outputs.values()).dispose();
  }

  private async runWithArguments(target: unknown): Promise<void> {
    const asked = targetUri(target);
    await this.client.start();
    // Arguments are the program's, whichever of its files is in front.
    const program = asked && (await this.programOf(asked));
    if (program === 'cancelled') return;
    const configured = vscode.workspace.getConfiguration('lanewise', program?.uri).get<string[]>('run.arguments', []);
    const remembered = program && this.views.args.of(program.key);
    const usual = program?.chosen && program.chosen.args.length > 0 ? program.chosen.args : configured;
    const isUnknown = remembered === undefined && usual.length === 0;
    const made = program && isUnknown ? await this.client.sendRequest(madeArgumentsRequest, { uri: program.key }) : null;
    const how = vscode.l10n.t(
      'Separate arguments with spaces; quote arguments that contain spaces. Later runs of the program get them, too.',
    );
    const line = await vscode.window.showInputBox({
      title: vscode.l10n.t('Program Arguments'),
      prompt: made ? `${vscode.l10n.t('These are what "make run" gives it, by the {0}.', made.makefile)} ${how}` : how,
      value: joinArguments(remembered ?? made?.args ?? usual),
    });
    if (line === undefined) return;
    const args = splitArguments(line);
    const same = JSON.stringify(args) === JSON.stringify(usual);
    if (program) this.views.args.remember(program.key, same ? undefined : args);
    await this.run(target);
  }

  /** What is run where this file is: a run that has it, or a program that includes it. */
  private async programOf(asked: vscode.Uri): Promise<Program | 'cancelled'> {
    const uri = this.client.code2ProtocolConverter.asUri(asked);
    const chosen = await this.views.chosen.of(uri);
    if (chosen === 'cancelled') return chosen;
    const key = chosen?.program ?? (await this.client.sendRequest(programRequest, { uri }));
    return { uri: vscode.Uri.parse(key), key, chosen };
  }

  private async runChosen(target: unknown): Promise<void> {
    const uri = targetUri(target);
    if (!uri) return;
    await this.client.start();
    if (await this.views.chosen.choose(this.client.code2ProtocolConverter.asUri(uri))) await this.run(uri);
  }

  /** `orders`: of its threads, whose results are compared. Gives what came of it. */
  private async run(target: unknown, orders?: number): Promise<RunOutcome['kind'] | undefined> {
    const asked = targetUri(target);
    if (!asked) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Open a .cu file first: Lanewise runs CUDA C++ programs.'));
      return undefined;
    }
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showWarningMessage(
        vscode.l10n.t('Lanewise runs programs in trusted workspaces only, because they may write files next to their sources.'),
      );
      return undefined;
    }
    await this.client.start();
    const program = await this.programOf(asked);
    if (program === 'cancelled') return undefined;
    const { uri, key, chosen } = program;
    const name = basename(uri.fsPath);
    const args = this.views.args.of(key);
    const shown = args ?? vscode.workspace.getConfiguration('lanewise', uri).get<string[]>('run.arguments', []);
    const output = this.outputOf(key, uri.fsPath);
    const what = chosen ? [`${chosen.name}: ${chosen.description}`] : [name, ...(shown.length > 0 ? [joinArguments(shown)] : [])];
    output.begin(`── ${vscode.l10n.t('{0} in the simulator', what.join(' '))}`);
    const outcome = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: notificationText(`Lanewise: ${name}`), cancellable: true },
      (progress, token) => this.request({ uri: key, args, configuration: chosen?.name, orders }, name, { progress, token }),
    );
    if (!outcome) return undefined;
    this.show(name, outcome, output, key);
    void this.views.report.ran(key);
    if (outcome.kind === 'finished' && (await this.allowFiles(name, outcome.report.refusedFiles ?? []))) return this.run(asked, orders);
    return outcome.kind;
  }

  /** A quick fix has changed a program that has been run: runs it again, and says what has become of its counters. */
  private async runAgain(): Promise<void> {
    const asked = fixedFile();
    if (!asked || !vscode.workspace.isTrusted) return;
    const program = await this.client.sendRequest(programRequest, { uri: this.client.code2ProtocolConverter.asUri(asked) });
    const uri = vscode.Uri.parse(program);
    const options = { location: vscode.ProgressLocation.Window, title: notificationText(`Lanewise: ${basename(uri.fsPath)}`) };
    const outcome = await vscode.window.withProgress(options, (_, token) => this.runQuietly(uri, () => undefined, token));
    if (!outcome || outcome.kind === 'cancelled') return;
    if (outcome.kind !== 'finished' || outcome.report.faults.length > 0) {
      this.show(basename(uri.fsPath), outcome, this.outputOf(program, uri.fsPath), program);
      return;
    }
    // Beside what the lines say now, the output of the run before would be another program's.
    this.outputs.get(program)?.line(`\n── ${vscode.l10n.t('{0} again, after the fix', basename(uri.fsPath))}\n\n${outcome.table}`);
    const text = outcome.changes?.join('; ') ?? vscode.l10n.t('The fix changes no counter of this run.');
    const choice = await vscode.window.showInformationMessage(notificationText(text), vscode.l10n.t('Show Report'));
    if (choice) await vscode.commands.executeCommand('lanewise.showReport', program);
  }

  /** Without output channel, notifications and questions: what it prints goes to `write`. */
  async runQuietly(target: vscode.Uri, write: (text: string) => void, token: vscode.CancellationToken): Promise<RunOutcome | undefined> {
    if (!vscode.workspace.isTrusted)
      return { kind: 'refused', message: vscode.l10n.t('Lanewise runs programs in trusted workspaces only.') };
    await this.client.start();
    const uri = this.client.code2ProtocolConverter.asUri(target);
    this.listeners.set(uri, write);
    try {
      const outcome = await this.client.sendRequest(runRequest, { uri }, token);
      if (outcome.kind === 'finished') this.views.kernels.show(outcome.report, { file: target.fsPath, sources: outcome.sources });
      void this.views.report.ran(uri);
      return outcome;
    } catch {
      return undefined;
    } finally {
      this.listeners.delete(uri);
    }
  }

  /** Asks once for each folder that a program was kept out of. True where the program should run again, with what it may do now. */
  private async allowFiles(name: string, refused: readonly RefusedFile[]): Promise<boolean> {
    const first = refused.find((file) => !file.protected && !this.askedFor.has(askedKey(file)));
    if (!first) return false;
    this.askedFor.add(askedKey(first));
    const folder = dirname(first.path);
    const reads = first.access === 'read';
    const allow = reads ? vscode.l10n.t('Allow reading {0}', folder) : vscode.l10n.t('Allow writing {0}', folder);
    const message = reads
      ? vscode.l10n.t("{0} is not allowed to read {1}, which is outside the program's folders.", name, first.path)
      : vscode.l10n.t("{0} is not allowed to write {1}, which is outside the program's folders.", name, first.path);
    if ((await vscode.window.showWarningMessage(notificationText(message), allow)) !== allow) return false;
    const setting = first.access === 'read' ? 'run.allowRead' : 'run.allowWrite';
    const settings = vscode.workspace.getConfiguration('lanewise');
    const allowed = settings.inspect<string[]>(setting)?.globalValue ?? [];
    await settings.update(setting, [...allowed, folder], vscode.ConfigurationTarget.Global);
    return true;
  }

  private outputOf(uri: string, file: string): ProgramOutput {
    let output = this.outputs.get(uri);
    if (!output) {
      output = new ProgramOutput(`Lanewise: ${basename(file)}`, { file, sources: [] });
      this.outputs.set(uri, output);
    }
    this.newest = output;
    return output;
  }

  /** Undefined when a newer run of the file has taken over, or the server has stopped. */
  private async request(
    params: RunParams,
    name: string,
    { progress, token }: { readonly progress: vscode.Progress<{ message: string }>; readonly token: vscode.CancellationToken },
  ): Promise<RunOutcome | undefined> {
    const { uri } = params;
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
      const outcome = await this.client.sendRequest(runRequest, params, token);
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

  /** What went wrong first, with the way to its line: the rest stands in the output and under the problems. */
  private async tellTrouble(name: string, { trouble }: CountedRun, output: ProgramOutput): Promise<void> {
    if (!trouble) return;
    const { file, line } = trouble;
    const isNamed = file !== undefined && line !== undefined && basename(file) === name;
    const text = notificationText(isNamed ? trouble.text : `${name}: ${trouble.text}`);
    const path = file === undefined ? undefined : fileNamed(file, output.files);
    const [showOutput, goToLine] = [vscode.l10n.t('Show Output'), vscode.l10n.t('Show Line')];
    const toLine = path !== undefined && line !== undefined ? [goToLine] : [];
    const choice = await vscode.window.showErrorMessage(text, ...toLine, showOutput);
    if (choice === showOutput) output.show();
    if (choice === goToLine) await showLine(path!, line!);
  }

  /** Most programs that end so have said how they are to be called. */
  private async offerArguments(name: string, { report: { exit, args, kernels, faults } }: CountedRun, program: string): Promise<void> {
    if (exit === 0 || args.length > 0 || kernels.length > 0 || faults.length > 0) return;
    const text = vscode.l10n.t('{0} ended with exit code {1} and launched no kernel. It was run without arguments.', name, exit);
    const give = vscode.l10n.t('Run with Arguments...');
    if ((await vscode.window.showInformationMessage(notificationText(text), give)) === give) await this.runWithArguments(program);
  }

  private async tellOrders(name: string, text: string): Promise<void> {
    const choice = await vscode.window.showInformationMessage(notificationText(`${name}: ${text}`), vscode.l10n.t('Show Report'));
    if (choice) await vscode.commands.executeCommand('lanewise.showReport');
  }

  /** With the way to what can be done instead. */
  private async tellRefused({ message, kernel }: Extract<RunOutcome, { kind: 'refused' }>, program: string): Promise<void> {
    const alone = kernel === undefined ? [] : [vscode.l10n.t('Run this kernel…')];
    const choice = await vscode.window.showWarningMessage(notificationText(message), ...alone);
    if (choice) await vscode.commands.executeCommand('lanewise.runKernel', program, kernel);
  }

  private show(name: string, outcome: RunOutcome, output: ProgramOutput, program: string): void {
    switch (outcome.kind) {
      case 'finished': {
        const { exit, compileMs, simulateMs, device } = outcome.report;
        const [compiled, simulated] = [seconds(compileMs), seconds(simulateMs)];
        const ended = vscode.l10n.t('exit code {0}, compiled in {1}, simulated on {2} in {3}', exit, compiled, device, simulated);
        output.line(`── ${ended}\n\n${outcome.table}`);
        output.files = { ...output.files, sources: outcome.sources };
        this.views.kernels.show(outcome.report, output.files);
        void this.tellTrouble(name, outcome, output);
        if (outcome.orders) void this.tellOrders(name, outcome.orders.text);
        void this.offerArguments(name, outcome, program);
        return;
      }
      case 'compile-error': {
        const errors = outcome.diagnostics.filter(({ severity }) => severity === 'error');
        for (const { file, line, column, severity, message } of outcome.diagnostics) {
          output.line(`${file}:${line}:${column}: ${severity}: ${message}`);
        }
        const text =
          errors.length === 1
            ? vscode.l10n.t('{0} does not compile: 1 error.', name)
            : vscode.l10n.t('{0} does not compile: {1} errors.', name, errors.length);
        const offered = vscode.window.showErrorMessage(notificationText(text), vscode.l10n.t('Show Problems'));
        void offered.then((choice) => choice && vscode.commands.executeCommand('workbench.actions.view.problems'));
        return;
      }
      case 'cancelled':
        output.line(
          outcome.counted
            ? `── ${vscode.l10n.t('cancelled; the launches until then:')}\n\n${outcome.counted.table}`
            : `── ${vscode.l10n.t('cancelled')}`,
        );
        if (outcome.counted) this.views.kernels.show(outcome.counted.report, { ...output.files, sources: outcome.counted.sources });
        return;
      case 'refused':
        output.line(`── ${outcome.message}`);
        void this.tellRefused(outcome, program);
    }
  }
}

interface Program {
  readonly uri: vscode.Uri;
  /** As the server names it. */
  readonly key: string;
  readonly chosen: OfferedRun | undefined;
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

/** A line that a program reads; null for the end of its input. */
async function askForLine(name: string, token: vscode.CancellationToken): Promise<string | null> {
  const options: vscode.InputBoxOptions = {
    title: vscode.l10n.t('{0} Reads Its Standard Input', name),
    prompt: vscode.l10n.t('Enter gives the program this line, Escape ends its input. The setting lanewise.run.stdin names a file instead.'),
    ignoreFocusOut: true,
  };
  return (await vscode.window.showInputBox(options, token)) ?? null;
}

/** From 1. */
async function showLine(path: string, line: number): Promise<void> {
  const at = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(path), { selection: new vscode.Range(at, at) });
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;
}
