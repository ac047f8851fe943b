/** Harnesses in the test explorer: they pass where the comparison with the host holds and no counter is worse than its budget. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { HarnessSuffix } from '../protocol/harness.ts';
import type { RunOutcome } from '../protocol/run.ts';
import { fileNamed } from './program-output.ts';

const SUFFIX: HarnessSuffix = '.harness.cu';
const SKIPPED = /^(\..*|node_modules|build|dist|out)$/;
/** Folders that are looked through, and how deep they may lie. */
const MOST_FOLDERS = 2000;
const MOST_DEPTH = 8;

export interface HarnessRunner {
  /** Undefined where the server has stopped. `write` gets what the program prints. */
  run(uri: vscode.Uri, write: (text: string) => void, token: vscode.CancellationToken): Promise<RunOutcome | undefined>;
}

export class HarnessTests {
  private readonly controller = vscode.tests.createTestController('lanewise.harnesses', 'Lanewise: kernels');
  private readonly disposables: vscode.Disposable[];
  private readonly runner: HarnessRunner;

  constructor(runner: HarnessRunner) {
    this.runner = runner;
    const watcher = vscode.workspace.createFileSystemWatcher(`**/*${SUFFIX}`);
    this.controller.createRunProfile(
      vscode.l10n.t('Run in Simulator'),
      vscode.TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
    this.controller.resolveHandler = async (item) => (item ? undefined : this.find());
    this.controller.refreshHandler = () => this.find();
    this.disposables = [
      this.controller,
      watcher,
      watcher.onDidCreate((uri) => this.add(uri)),
      watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString())),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => uri.path.endsWith(SUFFIX) && uri.scheme === 'file' && this.add(uri)),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  add(uri: vscode.Uri): void {
    if (this.controller.items.get(uri.toString())) return;
    const item = this.controller.createTestItem(uri.toString(), basename(uri.fsPath).slice(0, -SUFFIX.length), uri);
    item.description = vscode.workspace.asRelativePath(uri);
    item.range = new vscode.Range(0, 0, 0, 0);
    this.controller.items.add(item);
  }

  private async find(): Promise<void> {
    let left = MOST_FOLDERS;
    const look = async (folder: vscode.Uri, depth: number): Promise<void> => {
      if (left-- <= 0 || depth > MOST_DEPTH) return;
      const entries = await vscode.workspace.fs.readDirectory(folder).then(
        (found) => found,
        () => [],
      );
      for (const [name, type] of entries) {
        const uri = vscode.Uri.joinPath(folder, name);
        if (type === vscode.FileType.File && name.endsWith(SUFFIX)) this.add(uri);
        if (type === vscode.FileType.Directory && !SKIPPED.test(name)) await look(uri, depth + 1);
      }
    };
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) await look(uri, 0);
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    const items = request.include ?? [...this.controller.items].map(([, item]) => item);
    const wanted = items.filter((item) => !request.exclude?.includes(item));
    for (const item of wanted) run.enqueued(item);
    for (const item of wanted) {
      if (token.isCancellationRequested) run.skipped(item);
      else await this.runOne(item, run, token);
    }
    run.end();
  }

  private async runOne(item: vscode.TestItem, run: vscode.TestRun, token: vscode.CancellationToken): Promise<void> {
    const begin = Date.now();
    let output = '';
    run.started(item);
    const outcome = await this.runner.run(
      item.uri!,
      (text) => {
        output += text;
        run.appendOutput(text.replaceAll(/\r?\n/g, '\r\n'), undefined, item);
      },
      token,
    );
    if (!outcome || outcome.kind === 'cancelled') {
      run.skipped(item);
      return;
    }
    const messages = problemsOf(outcome, item.uri!, output);
    const duration = Date.now() - begin;
    if (outcome.kind === 'finished') run.appendOutput(`${outcome.table.replaceAll('\n', '\r\n')}\r\n`, undefined, item);
    if (messages.length === 0) run.passed(item, duration);
    else if (outcome.kind === 'finished') run.failed(item, messages, duration);
    else run.errored(item, messages, duration);
  }
}

function problemsOf(outcome: RunOutcome, uri: vscode.Uri, output: string): vscode.TestMessage[] {
  const at = (message: vscode.TestMessage, path: string | undefined, line: number) => {
    const place = new vscode.Position(Math.max(0, line - 1), 0);
    message.location = new vscode.Location(path === undefined ? uri : vscode.Uri.file(path), place);
    return message;
  };
  switch (outcome.kind) {
    case 'finished': {
      const { report, sources, expectations = [] } = outcome;
      const troubles = [
        ...report.faults.map(({ message, file, line }) => ({ message, file, line })),
        ...(report.findings ?? []).map(({ message, places: [place] }) => ({ message, ...place })),
      ].map(({ message, file, line = 1 }) =>
        at(new vscode.TestMessage(message), file === undefined ? undefined : fileNamed(file, { file: uri.fsPath, sources }), line),
      );
      const broken = expectations
        .filter(({ kept }) => !kept)
        .map(({ path, line, text, found }) => at(new vscode.TestMessage(`${text} is not kept: ${found}`), path, line));
      const exit =
        report.exit !== 0 && troubles.length === 0 ? [at(new vscode.TestMessage(exitText(report.exit, output)), undefined, 1)] : [];
      return [...troubles, ...broken, ...exit];
    }
    case 'compile-error':
      return outcome.diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ file, line, message }) => at(new vscode.TestMessage(message), file, line));
    case 'refused':
      return [at(new vscode.TestMessage(outcome.message), undefined, 1)];
    case 'cancelled':
      return [];
  }
}

function exitText(exit: number, output: string): string {
  const said = output.trim();
  return said === '' ? vscode.l10n.t('The program ended with exit code {0}.', exit) : said;
}
