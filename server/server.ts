/** Wires a protocol connection to the open files and the runs. What is analysed or simulated is decided elsewhere. */
import { dirname } from 'node:path';
import {
  type ClientCapabilities,
  type Connection,
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  type InitializeParams,
  type InitializeResult,
  LogMessageNotification,
  MessageType,
  RequestType,
  ResponseError,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { TextDocument, type TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import { speak } from '../counters/spoken.ts';
import { traceOf } from '../project/not-analysed.ts';
import type { TextEdit } from '../protocol/finding.ts';
import type { ReportParams, ReportView } from '../protocol/report-view.ts';
import type { AnnotationsParams, InputParams, OutputParams, RunOutcome, RunParams } from '../protocol/run.ts';
import type { Process } from '../simulator/platform/platform.ts';
import type { CompilerRemarks, StartSimulation } from '../simulator/simulate.ts';
import type { SyntaxTreeOf } from '../simulator/toolchain/code-hints.ts';
import type { Diagnose } from '../simulator/toolchain/compile.ts';
import type { CompletionsAt } from '../simulator/toolchain/completion.ts';
import { Analysis, Cancelled } from './analysis/analysis.ts';
import { type ClientOptions, clientOptions } from './client-options.ts';
import { codeActionKinds } from './code-actions.ts';
import { CompileErrors } from './compile-errors.ts';
import { CompiledFacts, type Predict } from './compiled-facts.ts';
import { DiagnosticPublisher } from './diagnostics.ts';
import { DocumentSettings } from './document-settings.ts';
import { OpenDocument } from './documents.ts';
import { speakOfFindings } from './finding-texts.ts';
import { errorOf, type Gate, isContentChange, REFUSED, type Refused, requestCancelled } from './gate.ts';
import { Language, languageCapabilities } from './language/language.ts';
import { ProjectFiles, projectFileGlob } from './project-files.ts';
import { answerQuestions } from './questions.ts';
import { type Refreshes, refreshes } from './refreshes.ts';
import { reportOf } from './reports.ts';
import { RunRequests } from './run-requests.ts';
import { Runs, settingsKey } from './runs.ts';
import { ServerCommands } from './server-commands.ts';
import type { Settings } from './settings.ts';
import { diskText, openText, openTexts, unsavedTexts } from './texts.ts';
import { pathOf } from './uris.ts';

/** Files that an #include may name. */
const HEADER_FILES = '**/*.{cuh,h,hh,hpp,hxx,h++,inl,inc,cu,cpp}';

export interface ServerParts {
  readonly gate: Gate;
  readonly startSimulation: StartSimulation;
  readonly compilerRemarks: CompilerRemarks;
  readonly predict: Predict;
  readonly diagnose: Diagnose;
  readonly completionsAt: CompletionsAt;
  readonly syntaxTreeOf: SyntaxTreeOf;
  /** Makes the compiler ready: for a first run, or for the next one of a program that is being edited. */
  readonly warmUp: (next: 'first' | 'next') => void;
  /** The first of the processes that analyse, if it has been started. */
  readonly analysisProcess?: Process;
  readonly version: string;
}

const runRequest = new RequestType<RunParams, RunOutcome, void>('lanewise/run');
const reportRequest = new RequestType<ReportParams, ReportView | null, void>('lanewise/report');
const inputRequest = new RequestType<InputParams, string | null, void>('lanewise/input');

const lensPatienceMs = [1000, 3000];

/** From opening a file to starting the compiler: findings come first. */
const warmUpDelayMs = 1000;

export class Server {
  private readonly connection: Connection;
  private readonly parts: ServerParts;
  private readonly documents = new Map<string, OpenDocument>();
  private readonly settings: DocumentSettings;
  private readonly projects = new ProjectFiles();
  private readonly analysis: Analysis;
  private readonly runs: Runs;
  private readonly compiled: CompiledFacts;
  private readonly compileErrors: CompileErrors;
  private readonly language: Language;
  private readonly diagnostics: DiagnosticPublisher;
  private readonly refreshes: Refreshes;
  private readonly commands: ServerCommands;
  private capabilities: ClientCapabilities = {};
  private clientName: string | undefined;
  private options: ClientOptions = {};
  private readonly runRequests: RunRequests;
  private warmUpTimer: NodeJS.Timeout | undefined;
  /** For the text synchronisation: each file's changes one after the other, in the order in which they came. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection, parts: ServerParts) {
    this.connection = connection;
    this.refreshes = refreshes(connection, { capabilities: () => this.capabilities, failed: (error) => this.logError(error) });
    this.parts = parts;
    this.runs = new Runs(parts.startSimulation, {
      output: (params) => this.sendOutput(params),
      progress: (uri, message) => {
        this.commands.progress(uri, message);
        if (this.options.ownCommands) void connection.sendNotification('lanewise/progress', { uri, message });
      },
      changed: () => this.runChanged(),
      textOf: (path) => openText(this.documents.values(), path) ?? diskText(path),
      openTexts: () => openTexts(this.documents.values()),
    });
    this.settings = new DocumentSettings({
      ask: async (uri) =>
        (this.capabilities.workspace?.configuration
          ? await connection.workspace.getConfiguration({ scopeUri: uri, section: 'lanewise' })
          : undefined) ?? this.options.settings,
      projects: this.projects,
      late: (uri) => this.configure([uri]),
    });
    this.analysis = new Analysis({
      documents: this.documents,
      affected: (uris) => {
        for (const uri of uris) {
          this.diagnostics.changed(uri);
          this.compiled.changed(uri);
          this.language.changed(uri);
        }
      },
      log: (text) => connection.console.error(text),
      firstProcess: parts.analysisProcess,
    });
    this.compiled = new CompiledFacts({
      predict: parts.predict,
      request: (uri) => this.predictionOf(uri),
      shapes: (uri) => this.analysis.shapes(uri),
      found: (uri, version, kernels) => {
        this.analysis.tell({ kind: 'compiled', uri, version, kernels });
        this.diagnostics.found(uri);
      },
      failed: (error) => this.logError(error),
    });
    this.runRequests = new RunRequests({
      runs: this.runs,
      documents: this.documents,
      outline: (uri) => this.analysis.outline(uri, { urgent: true }),
      settings: (uri) => this.settingsOf(uri),
      folderOf: (uri) => this.settings.folderOf(uri),
      askForLine: (uri) => this.askForLine(uri),
      chosen: () => this.refreshes.lenses(),
      cacheFolder: () => this.options.cacheFolder,
    });
    this.commands = new ServerCommands(connection, {
      runs: this.runs,
      runRequests: this.runRequests,
      capabilities: () => this.capabilities,
      clientName: () => this.clientName,
      answering: (action) => this.answering(action),
    });
    this.compileErrors = new CompileErrors({
      runs: this.runs,
      remarks: parts.compilerRemarks,
      request: (uri) => this.runRequests.asClicked(uri),
      failed: (error) => this.logError(error),
    });
    this.language = this.newLanguage();
    this.diagnostics = new DiagnosticPublisher(connection, {
      documents: this.documents,
      analysis: this.analysis,
      runs: this.runs,
      language: this.language,
      projects: this.projects,
      failed: (error) => this.logError(error),
    });
  }

  private newLanguage(): Language {
    const { documents, analysis, settings, parts } = this;
    return new Language({
      documents,
      analysis,
      settings,
      diagnose: parts.diagnose,
      completionsAt: parts.completionsAt,
      syntaxTreeOf: parts.syntaxTreeOf,
      client: () => ({
        trusted: this.options.trustedWorkspace === true,
        otherLanguageServer: this.options.otherLanguageServer,
        snippets: this.capabilities.textDocument?.completion?.completionItem?.snippetSupport === true,
        asksAgain: this.capabilities.workspace?.inlayHint?.refreshSupport === true,
      }),
      starting: () => parts.warmUp('first'),
      changed: (uris) => {
        for (const uri of uris) this.diagnostics.changed(uri);
      },
      hintsChanged: () => this.refreshes.hints(),
      failed: (error) => this.logError(error),
    });
  }

  /** The client has gone, or said so. */
  end(): void {
    this.runRequests.cancelAll();
    this.compiled.end();
    this.compileErrors.end();
    this.language.end();
    this.analysis.end();
  }

  listen(): void {
    const { connection } = this;
    this.analysis.warmUp();
    connection.onInitialize((params) => this.initialize(params));
    connection.onInitialized(() => this.watchFiles());
    connection.onShutdown(() => this.end());
    connection.onRequest(REFUSED, (refused: Refused) => errorOf(refused));
    connection.onDidChangeConfiguration(({ settings }) => this.settingsChanged(settings));
    connection.onDidChangeWatchedFiles(({ changes }) => {
      this.lookAtFiles(changes.map(({ uri }) => pathOf(uri) ?? uri));
      for (const { uri } of changes) this.diskChanged(uri);
    });
    // Not every client can watch files; whoever changes a lanewise.json or a header saves something soon.
    connection.onDidSaveTextDocument(() => this.lookAtFiles(this.watchesFiles ? [] : undefined));
    this.listenToDocuments();
    this.language.listen(connection, (action) => this.answering(action));
    answerQuestions(connection, {
      documents: this.documents,
      analysis: this.analysis,
      runs: this.runs,
      diagnostics: this.diagnostics,
      language: this.language,
      offered: (uri) => this.runRequests.offered(uri),
      settings: (uri) => this.settingsOf(uri),
      madeArguments: (path) => this.projects.commands.argumentsOf(path),
      projectText: (uri) => this.projects.textFor(this.documents.get(uri)?.folder, this.settings.folderOf(uri)),
      options: () => this.options,
      capabilities: () => this.capabilities,
      answering: (action) => this.answering(action),
    });
    connection.onRequest(runRequest, (params, token) => {
      token.onCancellationRequested(() => this.runRequests.cancel(params.uri));
      return this.answering(this.runRequests.asked(params));
    });
    connection.onRequest(reportRequest, ({ uri }) =>
      this.answering(() => reportOf(uri, { runs: this.runs, documents: this.documents, analysis: this.analysis })),
    );
    connection.onNotification('lanewise/workspaceTrusted', () => {
      this.options = { ...this.options, trustedWorkspace: true };
      if (this.documents.size > 0) this.warmUpSoon();
    });
    connection.onNotification('lanewise/ground', ({ ground }: { ground: unknown }) => {
      if (ground === 'light' || ground === 'dark') this.options = { ...this.options, hoverPictures: ground };
    });
    connection.onNotification('lanewise/chosenRun', ({ uri, name }) => this.runRequests.choose(String(uri), String(name)));
    connection.onNotification('lanewise/cancel', ({ uri }: { uri: string }) => this.runRequests.cancel(uri));
    connection.onExecuteCommand(({ command, arguments: [uri] = [] }) => this.commands.execute(command, String(uri)));
    connection.listen();
  }

  private initialize(params: InitializeParams): InitializeResult {
    this.capabilities = params.capabilities;
    this.clientName = params.clientInfo?.name;
    this.options = clientOptions(params.initializationOptions);
    speak(this.options.texts ?? {});
    speakOfFindings(this.options.texts && params.locale);
    this.settings.folders = (params.workspaceFolders ?? []).map(({ uri }) => uri);
    this.diagnostics.initialize(params.capabilities);
    this.parts.gate.initialized();
    return {
      serverInfo: { name: 'lanewise', version: this.parts.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        hoverProvider: true,
        ...languageCapabilities,
        codeLensProvider: { resolveProvider: false },
        inlayHintProvider: { resolveProvider: false },
        codeActionProvider: { codeActionKinds },
        ...(this.diagnostics.pulled && {
          diagnosticProvider: { identifier: 'lanewise', interFileDependencies: true, workspaceDiagnostics: false },
        }),
        ...(!this.options.ownCommands && { executeCommandProvider: { commands: ServerCommands.names } }),
      },
    };
  }

  private listenToDocuments(): void {
    const { connection } = this;
    connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) =>
      this.inTurn(async () => {
        const settings = await this.settings.of(uri);
        const parts = { settings: settings.analyzer, places: this.settings.placesOf(uri, settings) };
        const document = new OpenDocument(TextDocument.create(uri, languageId, version, text), parts);
        this.analysis.tell({ kind: 'open', document: document.state() });
        this.documents.set(uri, document);
        this.textReplaced(uri, text);
        if (document.folder !== undefined && this.projects.of(document.folder)?.problem) this.diagnostics.othersChanged();
        this.diagnostics.changed(uri);
        this.compiled.changed(uri);
        this.language.changed(uri);
        this.warmUpSoon();
      }),
    );
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) =>
      this.inTurn(() => this.edit(uri, version, contentChanges)),
    );
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) =>
      this.inTurn(() => {
        if (!this.documents.delete(uri)) return;
        this.analysis.tell({ kind: 'close', uri });
        this.compiled.forget(uri);
        this.language.closed(uri);
        this.settings.forget(uri);
        this.runs.closed(uri);
        this.diskChanged(uri);
        this.diagnostics.changed(uri);
        this.projects.forget(this.foldersOfDocuments(), () => this.diagnostics.othersChanged());
      }),
    );
  }

  private edit(uri: string, version: unknown, contentChanges: unknown): void {
    const document = this.documents.get(uri);
    if (!document) return;
    if (Array.isArray(contentChanges) && contentChanges.every(isContentChange)) {
      const changes = contentChanges as TextDocumentContentChangeEvent[];
      const next = Number.isInteger(version) ? (version as number) : document.version + 1;
      this.analysis.tell({ kind: 'edit', uri, version: next, changes });
      this.edited(uri, document.edit(changes, next));
    } else {
      document.losePlace();
      this.edited(uri, undefined);
    }
  }

  private edited(uri: string, edits: readonly TextEdit[] | undefined): void {
    const { hasRun, counted, stale } = this.runs.state(uri);
    this.runs.edited(uri, edits, this.documents.get(uri)?.getText());
    this.diagnostics.changed(uri);
    this.compiled.changed(uri);
    this.language.edited(uri, edits);
    this.compileErrors.changed();
    // Who has run a file and edits it will run it again.
    if (hasRun) this.parts.warmUp('next');
    if (!counted) return;
    if (this.runs.state(uri).stale === stale) this.sendAnnotations(uri);
    else this.countsChanged();
  }

  /** A file that is not open may have been written. */
  private diskChanged(uri: string): void {
    const path = pathOf(uri);
    if (path !== undefined && openText(this.documents.values(), path) === undefined) this.textReplaced(uri, diskText(path));
  }

  private textReplaced(uri: string, text: string | undefined): void {
    if (this.runs.replaced(uri, text).length > 0) this.countsChanged();
  }

  /** A question about a text waits for the text. */
  private async answering<T>(action: () => Promise<T>): Promise<T> {
    try {
      await this.turn;
      return await action();
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      if (error instanceof Cancelled) throw errorOf(requestCancelled);
      this.logError(error);
      throw new ResponseError(ErrorCodes.InternalError, 'Lanewise failed, which is a bug. The log of the language server says where.');
    }
  }

  private warmUpSoon(): void {
    if (!this.options.trustedWorkspace) return;
    clearTimeout(this.warmUpTimer);
    this.warmUpTimer = setTimeout(() => this.parts.warmUp('first'), warmUpDelayMs).unref();
  }

  /** Those of a file that is not open are not kept. */
  private async settingsOf(uri: string): Promise<Settings> {
    const settings = await this.settings.of(uri);
    if (!this.documents.has(uri)) this.settings.forget(uri);
    return settings;
  }

  /** What the compiler is asked about a file that is open; nothing unless the user wants it and trusts the workspace. */
  private async predictionOf(uri: string) {
    const file = pathOf(uri);
    const document = this.documents.get(uri);
    if (!this.options.trustedWorkspace || !file?.endsWith('.cu') || !document || document.refusal !== undefined) return undefined;
    const { compile, includePaths, includable, defines } = await this.settings.of(uri);
    const readable = [...includable, this.settings.folderOf(uri) ?? dirname(file)];
    return compile
      ? {
          file,
          text: document.getText(),
          unsaved: unsavedTexts(this.documents.values(), file),
          includeDirs: includePaths,
          readable,
          defines,
        }
      : undefined;
  }

  /** Of a program's input. Clients that cannot ask their user give none. */
  private async askForLine(uri: string): Promise<string | null> {
    return this.options.ownCommands ? this.connection.sendRequest(inputRequest, { uri }) : null;
  }

  private sendOutput(params: OutputParams): void {
    if (this.options.ownCommands) void this.connection.sendNotification('lanewise/output', params);
    else {
      this.commands.prints(params.uri, params.text);
      void this.connection.sendNotification(LogMessageNotification.type, { type: MessageType.Log, message: params.text.trimEnd() });
    }
  }

  private runChanged(): void {
    this.diagnostics.othersChanged();
    this.countsChanged();
    // VS Code does not redraw lenses that come while its panels change, as they do when a run ends: ask once more, and again.
    for (const ms of lensPatienceMs) setTimeout(() => this.refreshes.lenses(), ms).unref();
  }

  /** What runs say of open files, at which lines, or whether it is still true. */
  private countsChanged(): void {
    for (const uri of this.documents.keys()) this.sendAnnotations(uri);
    this.refreshes.lenses();
    this.refreshes.hints();
  }

  private sendAnnotations(uri: string): void {
    const document = this.documents.get(uri);
    const { annotations, stale } = this.runs.state(uri);
    const params: AnnotationsParams = { uri, version: document?.version ?? 0, annotations, stale };
    if (document && this.options.ownCommands) void this.connection.sendNotification('lanewise/annotations', params);
  }

  private settingsChanged(settings: unknown): void {
    const own = (settings as { lanewise?: unknown } | null)?.lanewise;
    if (own !== undefined) this.options = { ...this.options, settings: own };
    this.configureAll();
  }

  private configureAll(): void {
    this.settings.clear();
    this.configure([...this.documents.keys()]);
  }

  private configure(uris: readonly string[]): void {
    void this.inTurn(async () => {
      await Promise.all(
        uris.map(async (uri) => {
          const settings = await this.settings.of(uri);
          const document = this.documents.get(uri);
          if (!document) return;
          const parts = { settings: settings.analyzer, places: this.settings.placesOf(uri, settings) };
          document.configure(parts);
          this.analysis.tell({ kind: 'configure', uri, ...parts });
          this.compiled.changed(uri);
          this.language.changed(uri);
        }),
      );
      await this.compareSettings();
      this.refreshes.hints();
      this.diagnostics.refresh();
    });
  }

  /** Counters of programs that would be run with other settings now are stale. */
  private async compareSettings(): Promise<void> {
    for (const uri of this.runs.counted()) {
      const request = await this.runRequests.asClicked(uri);
      if (request) this.runs.configured(uri, settingsKey(request));
    }
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
      this.analysis.tell({ kind: 'files', paths });
      this.compileErrors.changed();
      if (!this.projects.reread(this.foldersOfDocuments())) return;
      this.configureAll();
      this.diagnostics.othersChanged();
    });
  }

  private foldersOfDocuments(): ReadonlySet<string> {
    const folders = [...this.documents.values()].map(({ folder }) => folder);
    return new Set(folders.filter((folder) => folder !== undefined));
  }

  /** After all that came before. */
  private inTurn<T>(action: () => T | Promise<T>): Promise<T> {
    const result = this.turn.then(action);
    this.turn = result.catch((error) => this.logError(error));
    return result;
  }

  private logError(error: unknown): void {
    this.connection.console.error(traceOf(error));
  }
}
