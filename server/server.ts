/** Wires a protocol connection to the open files and the runs. What is analysed or simulated is decided elsewhere. */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ClientCapabilities,
  CodeLensRefreshRequest,
  type Connection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  LogMessageNotification,
  MessageType,
  RequestType,
  ShowMessageNotification,
  TextDocumentSyncKind,
  type WorkDoneProgressServerReporter,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { storage } from '#platform';
import type { Analyzer, Surroundings } from '../analyzers/analyzer.ts';
import type { ProjectSettings } from '../analyzers/project-settings.ts';
import { type HeaderChanges, HeaderTexts } from '../project/header-texts.ts';
import type { AnnotationsParams, OutputParams, RunOutcome, RunParams } from '../protocol/run.ts';
import type { StartSimulation } from '../simulator/simulate.ts';
import { codeActionKinds, codeActions } from './code-actions.ts';
import { codeLenses } from './code-lenses.ts';
import { fromPosition } from './convert.ts';
import { DiagnosticPublisher } from './diagnostics.ts';
import { OpenDocument } from './documents.ts';
import { toHover } from './hover.ts';
import { outcomeMessage } from './outcome-message.ts';
import { ProjectFiles, projectFileGlob } from './project-files.ts';
import { rulePage } from './rule-pages.ts';
import { Runs } from './runs.ts';
import { readSettings, type Settings, withProject } from './settings.ts';

/** Files that an #include may name. */
const HEADER_FILES = '**/*.{cuh,h,hh,hpp,hxx,h++,inl,inc,cu,cpp}';

export interface ServerParts {
  readonly analyzer: Promise<Analyzer>;
  readonly startSimulation: StartSimulation;
  /** Makes the compiler ready: for a first run, or for the next one of a program that is being edited. */
  readonly warmUp: (next: 'first' | 'next') => void;
  readonly version: string;
}

/** What a client may say in `initializationOptions`. */
interface ClientOptions {
  /** Shows images in hovers. */
  readonly hoverPictures?: boolean;
  /** Has the commands lanewise.run, lanewise.cancel and lanewise.showOutput itself; otherwise the server offers the first two. */
  readonly ownCommands?: boolean;
  /** For clients without `workspace/configuration`. */
  readonly settings?: unknown;
  /** The user trusts the files of the workspace and may run them: the compiler is made ready when one is opened. */
  readonly trustedWorkspace?: boolean;
  /** Where compiled programs are kept: the user's cache folder unless given. */
  readonly cacheFolder?: string;
}

const runRequest = new RequestType<RunParams, RunOutcome, void>('lanewise/run');

/** A client that does not answer a question about its settings gets the defaults. */
const settingsPatienceMs = 2000;

const lensPatienceMs = 1000;

/** From opening a file to starting the compiler: findings come first. */
const warmUpDelayMs = 1000;

export class Server {
  private readonly connection: Connection;
  private readonly parts: ServerParts;
  private readonly documents = new Map<string, OpenDocument>();
  private readonly settings = new Map<string, Promise<Settings>>();
  private readonly projects = new ProjectFiles();
  private readonly headers = new HeaderTexts((path) => this.openText(path));
  private readonly runs: Runs;
  private readonly diagnostics: DiagnosticPublisher;
  private readonly reporters = new Map<string, WorkDoneProgressServerReporter>();
  private capabilities: ClientCapabilities = {};
  private options: ClientOptions = {};
  private folders: readonly string[] = [];
  private warmUpTimer: NodeJS.Timeout | undefined;
  /** For the text synchronisation: each file's changes one after the other, in the order in which they came. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection, parts: ServerParts) {
    this.connection = connection;
    this.parts = parts;
    this.runs = new Runs(parts.startSimulation, {
      output: (params) => this.sendOutput(params),
      progress: (uri, message) => {
        this.reporters.get(uri)?.report(message);
        if (this.options.ownCommands) void connection.sendNotification('lanewise/progress', { uri, message });
      },
      changed: (uri) => this.runChanged(uri),
    });
    this.diagnostics = new DiagnosticPublisher(connection, { documents: this.documents, runs: this.runs, projects: this.projects });
  }

  listen(): void {
    const { connection } = this;
    connection.onInitialize((params) => this.initialize(params));
    connection.onInitialized(() => this.watchFiles());
    connection.onShutdown(() => this.runs.cancelAll());
    connection.onDidChangeConfiguration(({ settings }) => this.settingsChanged(settings));
    connection.onDidChangeWatchedFiles(({ changes }) => this.lookAtFiles(changes.map(({ uri }) => pathOf(uri) ?? uri)));
    // Not every client can watch files; whoever changes a lanewise.json or a header saves something soon.
    connection.onDidSaveTextDocument(() => this.lookAtFiles(this.watchesFiles ? [] : undefined));
    this.listenToDocuments();
    this.listenToQuestions();
    connection.onRequest(runRequest, (params, token) => {
      token.onCancellationRequested(() => this.runs.cancel(params.uri));
      return this.run(params);
    });
    connection.onNotification('lanewise/workspaceTrusted', () => {
      this.options = { ...this.options, trustedWorkspace: true };
      if (this.documents.size > 0) this.warmUpSoon();
    });
    connection.onNotification('lanewise/cancel', ({ uri }: { uri: string }) => this.runs.cancel(uri));
    connection.onExecuteCommand(({ command, arguments: [uri] = [] }) => {
      if (command === 'lanewise.cancel') this.runs.cancel(String(uri));
      else if (command === 'lanewise.run') return this.runFromCommand(String(uri));
      return undefined;
    });
    connection.listen();
  }

  private initialize(params: InitializeParams): InitializeResult {
    this.capabilities = params.capabilities;
    this.options = (params.initializationOptions as ClientOptions | undefined) ?? {};
    this.folders = (params.workspaceFolders ?? []).map(({ uri }) => uri);
    this.diagnostics.initialize(params.capabilities);
    return {
      serverInfo: { name: 'lanewise', version: this.parts.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        hoverProvider: true,
        codeLensProvider: { resolveProvider: false },
        codeActionProvider: { codeActionKinds },
        ...(this.diagnostics.pulled && {
          diagnosticProvider: { identifier: 'lanewise', interFileDependencies: true, workspaceDiagnostics: false },
        }),
        ...(!this.options.ownCommands && { executeCommandProvider: { commands: ['lanewise.run', 'lanewise.cancel'] } }),
      },
    };
  }

  private listenToDocuments(): void {
    const { connection } = this;
    connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) =>
      this.inTurn(async () => {
        const [analyzer, settings] = await Promise.all([this.parts.analyzer, this.settingsOf(uri)]);
        this.documents.get(uri)?.dispose();
        const document = TextDocument.create(uri, languageId, version, text);
        const report = (error: unknown) => this.logError(error);
        const surroundings = this.surroundingsOf(uri, settings);
        this.documents.set(uri, new OpenDocument(document, { analyzer, settings: settings.analyzer, surroundings, report }));
        this.diagnostics.changed(uri);
        this.headerChanged(uri);
        this.warmUpSoon();
      }),
    );
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) =>
      this.inTurn(() => {
        const edits = this.documents.get(uri)?.edit(contentChanges, version);
        const { outcome, stale } = this.runs.state(uri);
        this.runs.edited(uri, edits);
        this.diagnostics.changed(uri);
        this.headerChanged(uri);
        // Who has run a file and edits it will run it again.
        if (outcome) this.parts.warmUp('next');
        if (outcome?.kind === 'finished') this.sendAnnotations(uri);
        if (outcome?.kind === 'finished' && !stale) this.refreshLenses();
      }),
    );
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) =>
      this.inTurn(() => {
        this.documents.get(uri)?.dispose();
        this.documents.delete(uri);
        this.settings.delete(uri);
        this.runs.closed(uri);
        this.diagnostics.changed(uri);
        this.headerChanged(uri);
        this.lookAtFiles([]);
      }),
    );
  }

  private listenToQuestions(): void {
    const { connection } = this;
    connection.languages.diagnostics.on(({ textDocument, previousResultId }) =>
      this.inTurn(() => this.diagnostics.pull(textDocument.uri, previousResultId)),
    );
    connection.onHover(({ textDocument, position }) =>
      this.inTurn(() => {
        const hover = this.documents.get(textDocument.uri)?.hover(fromPosition(position));
        return hover && toHover(hover, { pictures: this.options.hoverPictures === true, pageOf: rulePage });
      }),
    );
    connection.onCodeLens(({ textDocument: { uri } }) =>
      this.inTurn(() => {
        const { running, stale, outcome } = this.runs.state(uri);
        const summaries = outcome?.kind === 'finished' ? outcome.summaries : [];
        const document = this.documents.get(uri);
        return document ? codeLenses(document.outline(), uri, { running, stale, summaries }) : [];
      }),
    );
    connection.onCodeAction(({ textDocument: { uri }, range, context: { only } }) =>
      this.inTurn(() => {
        const document = this.documents.get(uri);
        return document ? codeActions(document.findings(), document.getText(), { uri, range, only }) : [];
      }),
    );
  }

  private warmUpSoon(): void {
    if (!this.options.trustedWorkspace) return;
    clearTimeout(this.warmUpTimer);
    this.warmUpTimer = setTimeout(() => this.parts.warmUp('first'), warmUpDelayMs).unref();
  }

  private async run({ uri, args }: RunParams): Promise<RunOutcome> {
    const file = pathOf(uri);
    if (!file) return { kind: 'refused', message: 'Save the file first: the simulator runs programs from disk.' };
    const settings = await this.settingsOf(uri);
    const document = await this.inTurn(() => this.documents.get(uri));
    const text = document?.getText();
    const { kernels, main } = document?.outline() ?? { kernels: [] };
    if (text !== undefined && kernels.length > 0 && !main && !mayHaveMain(text)) {
      return { kind: 'refused', message: howToRunKernel(file, kernels[0].name) };
    }
    return this.runs.run(uri, {
      file,
      text,
      args: args ?? settings.runArguments,
      includeDirs: settings.includePaths,
      defines: settings.defines,
      device: settings.device,
      engine: settings.engine,
      stepLimit: settings.stepLimit,
      everyLaunch: settings.everyLaunch,
      allow: { read: settings.allowRead, write: settings.allowWrite },
      cacheFolder: settings.cache ? (this.options.cacheFolder ?? storage.defaultFolder()) : undefined,
    });
  }

  /** For clients without commands of their own: progress, log and messages of the protocol stand in for an output panel. */
  private async runFromCommand(uri: string): Promise<RunOutcome> {
    const shows = this.capabilities.window?.workDoneProgress;
    const progress = shows ? await this.connection.window.createWorkDoneProgress() : undefined;
    progress?.begin('Running in the simulator', undefined, uri.split('/').at(-1));
    if (progress) this.reporters.set(uri, progress);
    const outcome = await this.run({ uri });
    progress?.done();
    this.reporters.delete(uri);
    void this.connection.sendNotification(ShowMessageNotification.type, outcomeMessage(outcome));
    return outcome;
  }

  private sendOutput(params: OutputParams): void {
    if (this.options.ownCommands) void this.connection.sendNotification('lanewise/output', params);
    else void this.connection.sendNotification(LogMessageNotification.type, { type: MessageType.Log, message: params.text.trimEnd() });
  }

  private runChanged(uri: string): void {
    this.diagnostics.othersChanged();
    this.sendAnnotations(uri);
    this.refreshLenses();
    // VS Code 1.100 does not redraw lenses that come while its panels change, as they do when a run ends: ask once more.
    setTimeout(() => this.refreshLenses(), lensPatienceMs).unref();
  }

  private sendAnnotations(uri: string): void {
    const document = this.documents.get(uri);
    const { annotations, stale } = this.runs.state(uri);
    const params: AnnotationsParams = { uri, version: document?.version ?? 0, annotations, stale };
    if (document && this.options.ownCommands) void this.connection.sendNotification('lanewise/annotations', params);
  }

  private refreshLenses(): void {
    if (!this.capabilities.workspace?.codeLens?.refreshSupport) return;
    this.connection.sendRequest(CodeLensRefreshRequest.type).catch((error) => this.logError(error));
  }

  private settingsOf(uri: string): Promise<Settings> {
    const known = this.settings.get(uri);
    if (known) return known;
    const file = pathOf(uri);
    const folder = this.folderOf(uri);
    const asked: Promise<unknown> = this.capabilities.workspace?.configuration
      ? this.connection.workspace.getConfiguration({ scopeUri: uri, section: 'lanewise' })
      : Promise.resolve(this.options.settings);
    const patience = new Promise((resolve) => setTimeout(resolve, settingsPatienceMs).unref());
    const settings = Promise.race([asked, patience])
      .catch(() => undefined)
      .then((section) => withProject(readSettings(section, folder), this.projectOf(file)));
    this.settings.set(uri, settings);
    return settings;
  }

  private settingsChanged(settings: unknown): void {
    const own = (settings as { lanewise?: unknown } | null)?.lanewise;
    if (own !== undefined) this.options = { ...this.options, settings: own };
    this.configureAll();
  }

  private configureAll(): void {
    this.settings.clear();
    void this.inTurn(async () => {
      for (const document of this.documents.values()) {
        const settings = await this.settingsOf(document.uri);
        document.configure(settings.analyzer, this.surroundingsOf(document.uri, settings));
      }
      this.diagnostics.refresh();
    });
  }

  private projectOf(file: string | undefined): ProjectSettings | undefined {
    const project = file === undefined ? undefined : this.projects.of(dirname(file));
    if (project?.problem) this.diagnostics.othersChanged();
    return project;
  }

  private get watchesFiles(): boolean {
    return this.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
  }

  private watchFiles(): void {
    if (!this.watchesFiles) return;
    const watchers = [{ globPattern: projectFileGlob }, { globPattern: HEADER_FILES }];
    this.connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }).catch((error) => this.logError(error));
  }

  /** At the lanewise.json files, and at those headers among `paths`: all of them if none are named. */
  private lookAtFiles(paths?: readonly string[]): void {
    void this.inTurn(() => {
      this.headersChanged(this.headers.reread(paths));
      const folders = [...this.documents.keys()].map(pathOf).flatMap((path) => (path === undefined ? [] : [dirname(path)]));
      if (!this.projects.reread([...new Set(folders)])) return;
      this.configureAll();
      this.diagnostics.othersChanged();
    });
  }

  /** The workspace folder of a file; without one, the file's own. */
  private folderOf(uri: string): string | undefined {
    const folderUri = this.folders.filter((folder) => uri.startsWith(folder)).sort((a, b) => b.length - a.length)[0];
    const file = pathOf(uri);
    return (folderUri && pathOf(folderUri)) ?? (file && dirname(file));
  }

  /** Headers are read from the workspace folder of the file and from the folders for `#include` that the settings name. */
  private surroundingsOf(uri: string, { includePaths }: Settings): Surroundings | undefined {
    const path = pathOf(uri);
    const folder = this.folderOf(uri);
    return path && folder ? { path, headers: this.headers.within([dirname(path), folder], includePaths) } : undefined;
  }

  private openText(path: string): string | undefined {
    // Clients differ in how they write a path as a URI.
    for (const document of this.documents.values()) if (pathOf(document.uri) === path) return document.getText();
    return undefined;
  }

  /** The text of an open file has changed, or comes from elsewhere now: other open files may include it. */
  private headerChanged(uri: string): void {
    const path = pathOf(uri);
    if (path) this.headersChanged(this.headers.reread([path]));
  }

  private headersChanged({ changed, appeared }: HeaderChanges): void {
    if (changed.length === 0 && !appeared) return;
    for (const document of this.documents.values()) {
      if (!appeared && !document.includes(changed)) continue;
      document.headersChanged();
      this.diagnostics.changed(document.uri);
    }
  }

  /** After all that came before: a question about a text waits for the text. */
  private inTurn<T>(action: () => T | Promise<T>): Promise<T> {
    const result = this.turn.then(action);
    this.turn = result.catch((error) => this.logError(error));
    return result;
  }

  private logError(error: unknown): void {
    this.connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

function pathOf(uri: string): string | undefined {
  return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
}

/** A main that the syntax does not show may come from a macro or from an included file. */
function mayHaveMain(text: string): boolean {
  return /\bmain\b|^\s*#\s*include\s*"/m.test(text);
}

function howToRunKernel(file: string, kernel: string): string {
  const name = file.split(/[\\/]/).at(-1);
  return (
    `${name} has kernels but no main, so it cannot be run. ` +
    `To run ${kernel}, add a main that allocates memory and launches it, or run a program that does and has #include "${name}".`
  );
}
