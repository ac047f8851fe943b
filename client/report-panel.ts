/** The report of a run in a panel beside the sources: a page without network, whose scripts and styles are the extension's own. */
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { type LanguageClient, RequestType } from 'vscode-languageclient/node';
import { toNsightCsv } from '../measured/nsight-csv.ts';
import { MOST_MEASURED_BYTES } from '../measured/read-measured.ts';
import type { Place, ReportParams, ReportView } from '../protocol/report-view.ts';
import { registerCommand } from './commands.ts';
import { whereNow } from './moved-lines.ts';
import type { EditorMessage, PageMessage, ReportFormat } from './webview/report-page.ts';

const reportRequest = new RequestType<ReportParams, ReportView | null, void>('lanewise/report');

/** What a key or a task may say; what it leaves out is asked for. */
interface SavedReport {
  readonly format?: ReportFormat;
  /** Absolute path. */
  readonly target?: string;
}

export class ReportPanel {
  private readonly client: LanguageClient;
  private readonly folder: vscode.Uri;
  private panel: vscode.WebviewPanel | undefined;
  /** URI of the program or of a file of it. */
  private shown: string | undefined;
  private view: ReportView | undefined;
  private readonly disposables: vscode.Disposable[];

  constructor(client: LanguageClient, extension: vscode.Uri) {
    this.client = client;
    this.folder = vscode.Uri.joinPath(extension, 'dist');
    this.disposables = [
      registerCommand('lanewise.showReport', (target?: unknown) => this.open(target)),
      registerCommand('lanewise.saveReport', (wanted?: SavedReport) => this.save(wanted)),
      registerCommand('lanewise.addMeasured', (file?: unknown) => this.addMeasured(file)),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
    this.panel?.dispose();
  }

  /** A run of the program has ended: the page, if it is open, shows it. */
  async ran(uri: string): Promise<void> {
    if (!this.panel) return;
    this.shown = uri;
    await this.update();
  }

  private async open(target: unknown): Promise<void> {
    const document = vscode.window.activeTextEditor?.document.uri;
    const uri = typeof target === 'string' ? target : document && this.client.code2ProtocolConverter.asUri(document);
    if (uri === undefined && this.shown === undefined) return;
    const view = await this.client.sendRequest(reportRequest, { uri: uri ?? this.shown! });
    if (!view) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No run has counted anything in this file: run the program first.'));
      return;
    }
    this.shown = uri ?? this.shown;
    this.view = view;
    if (this.panel) this.panel.reveal();
    else await this.create();
    this.show(view);
  }

  private async update(): Promise<void> {
    if (this.shown === undefined) return;
    const view = await this.client.sendRequest(reportRequest, { uri: this.shown });
    if (!view) return;
    this.view = view;
    this.show(view);
  }

  private async create(): Promise<void> {
    const panel = vscode.window.createWebviewPanel('lanewise.report', 'Lanewise Report', vscode.ViewColumn.Beside, {
      enableScripts: true,
      localResourceRoots: [this.folder],
      retainContextWhenHidden: true,
      enableFindWidget: true,
    });
    this.panel = panel;
    const ready = new Promise<void>((resolve) => {
      panel.webview.onDidReceiveMessage((message: PageMessage) => (message.kind === 'ready' ? resolve() : void this.receive(message)));
    });
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    panel.webview.html = pageInPanel(panel.webview, this.folder);
    await ready;
  }

  private show(view: ReportView): void {
    this.send({ kind: 'show', view, texts: vscode.l10n.bundle });
  }

  private send(message: EditorMessage): void {
    void this.panel?.webview.postMessage(message);
  }

  private async receive(message: PageMessage): Promise<void> {
    switch (message.kind) {
      case 'open':
        return showPlace(message.place, this.view?.files.find(({ path }) => path === message.place.path)?.lines);
      case 'save':
        return this.save({ format: message.format });
      case 'choose-measured':
        return this.addMeasured();
      case 'dropped':
        return this.addMeasured(vscode.Uri.parse(message.uri).fsPath);
      case 'problem':
        void vscode.window.showErrorMessage(message.text);
    }
  }

  private async save({ format: given, target: path }: SavedReport = {}): Promise<void> {
    if (!this.view) await this.open(undefined);
    const { view } = this;
    const format = view && (given ?? (await chooseFormat()));
    if (!format) return;
    const program = this.shown === undefined ? '' : vscode.Uri.parse(this.shown).fsPath;
    const name = `${basename(program).replace(/\.\w+$/, '')}-report.${format}`;
    const offered = vscode.Uri.file(join(dirname(program), name));
    const target = path === undefined ? await vscode.window.showSaveDialog({ defaultUri: offered }) : vscode.Uri.file(path);
    if (target) await vscode.workspace.fs.writeFile(target, Buffer.from(await this.saved(view, format)));
  }

  private async saved(view: ReportView, format: ReportFormat): Promise<string> {
    switch (format) {
      case 'html':
        return pageAlone(view, this.folder.fsPath);
      case 'json':
        return `${JSON.stringify(view.report, null, 1)}\n`;
      case 'csv':
        return toNsightCsv(view.program, view.report.kernels);
    }
  }

  /** `given`: path of a file that a key or a task names. */
  private async addMeasured(given?: unknown): Promise<void> {
    if (!this.panel) await this.open(undefined);
    if (!this.panel) return;
    const file = typeof given === 'string' ? vscode.Uri.file(given) : await chooseMeasured();
    if (!file) return;
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > MOST_MEASURED_BYTES) {
      void vscode.window.showErrorMessage(vscode.l10n.t('{0} is larger than {1} MiB.', basename(file.fsPath), MOST_MEASURED_BYTES >> 20));
      return;
    }
    // A plain one: what Node has made of it would cross as text.
    const bytes = new Uint8Array(await vscode.workspace.fs.readFile(file));
    this.send({ kind: 'measured', name: basename(file.fsPath), bytes });
  }
}

async function chooseMeasured(): Promise<vscode.Uri | undefined> {
  const filters = { 'Nsight Compute': ['ncu-rep', 'ncu-repz', 'csv'] };
  return (await vscode.window.showOpenDialog({ filters, title: vscode.l10n.t('Measured Counters') }))?.[0];
}

async function chooseFormat(): Promise<ReportFormat | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly format: ReportFormat })[] = [
    { label: 'HTML', description: vscode.l10n.t('the report as one page'), format: 'html' },
    { label: 'JSON', description: vscode.l10n.t('counters per launch and per line, faults'), format: 'json' },
    { label: 'CSV', description: vscode.l10n.t('counters as Nsight Compute writes them'), format: 'csv' },
  ];
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Save Report') }))?.format;
}

/** `ran`: the lines that the program had when it ran. Where edits have moved the one that is meant, it is shown where it is now. */
async function showPlace({ path, line }: Place, ran: readonly string[] | undefined): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
  const now = Array.from({ length: document.lineCount }, (_, index) => document.lineAt(index).text);
  const found = ran ? whereNow(line - 1, ran, now) : line - 1;
  const at = new vscode.Position(Math.min(found ?? line - 1, document.lineCount - 1), 0);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at), viewColumn: vscode.ViewColumn.One });
  if (found !== undefined) return;
  const text = vscode.l10n.t('The text has changed since the run, and line {0} with it: this is where it was.', line);
  void vscode.window.showInformationMessage(text);
}

function pageInPanel(webview: vscode.Webview, folder: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
  const policy = `default-src 'none'; img-src data:; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return page({
    policy,
    head: `<link rel="stylesheet" href="${file('report-page.css')}">`,
    body: `<script nonce="${nonce}" src="${file('report-page.js')}"></script>`,
  });
}

/** A file that shows the report wherever it is opened, and loads nothing. */
async function pageAlone(view: ReportView, folder: string): Promise<string> {
  const [style, script] = await Promise.all(['report-page.css', 'report-page.js'].map((name) => readFile(join(folder, name), 'utf8')));
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; img-src data:; style-src ${hash(style)}; script-src ${hash(script)}`;
  // Nothing in the data can end its element.
  const data = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');
  return page({
    policy,
    own: true,
    head: `<style>${style}</style>`,
    body: [
      `<script type="application/json" id="texts">${data(vscode.l10n.bundle ?? {})}</script>`,
      `<script type="application/json" id="report">${data(view)}</script>`,
      `<script>${script}</script>`,
    ].join('\n'),
  });
}

interface PageParts {
  readonly policy: string;
  readonly head: string;
  readonly body: string;
  /** A file of its own, outside an editor. */
  readonly own?: boolean;
}

function page({ policy, head, body, own = false }: PageParts): string {
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>Lanewise report</title>
${head}
</head>
<body${own ? ' class="own"' : ''}>
<main></main>
${body}
</body>
</html>
`;
}
