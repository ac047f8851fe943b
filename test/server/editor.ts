/** A client of the language server, as an editor is one: a process of its own, spoken to over its standard streams. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type ClientCapabilities,
  type CodeAction,
  type CodeLens,
  createProtocolConnection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type FileSystemWatcher,
  type Hover,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type Range,
  type RegistrationParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { AnnotationsParams, RunOutcome } from '../../protocol/run.ts';

export const root = join(fileURLToPath(import.meta.url), '../../..');
export const fixtures = join(root, 'test/fixtures/editor');

export interface EditorOptions {
  readonly pull?: boolean;
  /** As the VS Code extension: own commands and pictures. */
  readonly extension?: boolean;
  /** Shows lenses, unless this says otherwise. */
  readonly lenses?: boolean;
  /** Registers watchers of files. */
  readonly watch?: boolean;
  /** The workspace's; the fixtures unless given. */
  readonly folder?: string;
  /** Further initialization options. */
  readonly options?: object;
  /** The language in which the editor speaks. */
  readonly locale?: string;
  /** The answer to `workspace/configuration`. */
  readonly settings?: unknown;
}

export class Editor {
  readonly connection: ProtocolConnection;
  readonly process: ChildProcess;
  readonly initialized: InitializeResult;
  readonly output: string[] = [];
  readonly messages: string[] = [];
  /** What the user answers to a program that reads. */
  readonly lines: string[] = [];
  /** What the user waits for before that. */
  beforeAnswer: (() => Promise<unknown>) | undefined = undefined;
  /** What runs say that they are doing. */
  readonly progress: string[] = [];
  readonly annotations: AnnotationsParams[] = [];
  /** Patterns of files that the server wants watched. */
  readonly watched: unknown[] = [];
  private readonly published = new Map<string, PublishDiagnosticsParams>();
  private readonly listeners = new Set<() => void>();
  private readonly versions = new Map<string, number>();

  private constructor(connection: ProtocolConnection, process: ChildProcess, initialized: InitializeResult, options: EditorOptions) {
    this.connection = connection;
    this.process = process;
    this.initialized = initialized;
    this.settings = options.settings;
  }

  private settings: unknown;

  static async start(options: EditorOptions = {}): Promise<Editor> {
    const process = spawn(globalThis.process.execPath, [join(root, 'dist/server.mjs'), '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const connection = createProtocolConnection(new StreamMessageReader(process.stdout!), new StreamMessageWriter(process.stdin!));
    let editor: Editor | undefined;
    const heard = () => {
      for (const listener of editor?.listeners ?? []) listener();
    };
    connection.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) => items.map(() => editor?.settings ?? {}));
    connection.onRequest('workspace/codeLens/refresh', () => null);
    connection.onRequest('workspace/diagnostic/refresh', () => null);
    connection.onRequest('lanewise/input', async () => {
      await editor?.beforeAnswer?.();
      return editor?.lines.shift() ?? null;
    });
    connection.onRequest('window/workDoneProgress/create', () => null);
    connection.onRequest('client/registerCapability', ({ registrations }: RegistrationParams) => {
      for (const { registerOptions } of registrations)
        editor?.watched.push(...registerOptions.watchers.map((w: FileSystemWatcher) => w.globPattern));
      heard();
      return null;
    });
    connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      editor?.published.set(params.uri, params);
      heard();
    });
    connection.onNotification('lanewise/output', ({ text }: { text: string }) => {
      editor?.output.push(text);
      heard();
    });
    connection.onNotification('lanewise/progress', ({ message }: { message: string }) => {
      editor?.progress.push(message);
      heard();
    });
    connection.onNotification('lanewise/annotations', (params: AnnotationsParams) => {
      editor?.annotations.push(params);
      heard();
    });
    for (const method of ['window/logMessage', 'window/showMessage']) {
      connection.onNotification(method, ({ message }: { message: string }) => {
        editor?.messages.push(message);
        heard();
      });
    }
    connection.listen();
    const initialized = await connection.sendRequest<InitializeResult>('initialize', {
      processId: globalThis.process.pid,
      locale: options.locale,
      rootUri: pathToFileURL(options.folder ?? fixtures).href,
      workspaceFolders: [{ uri: pathToFileURL(options.folder ?? fixtures).href, name: 'editor' }],
      capabilities: capabilities(options),
      initializationOptions:
        options.extension || options.options
          ? { ...(options.extension && { hoverPictures: true, ownCommands: true }), ...options.options }
          : undefined,
    });
    editor = new Editor(connection, process, initialized, options);
    void connection.sendNotification('initialized', {});
    return editor;
  }

  /** The process's exit code. */
  async stop(): Promise<number | null> {
    const exited = new Promise<number | null>((resolve) => this.process.once('exit', resolve));
    await this.connection.sendRequest('shutdown');
    void this.connection.sendNotification('exit');
    return exited;
  }

  /** Opens a fixture (or a file, by its absolute path), or a text as if it were one. Returns its URI. */
  open(name: string, text = readFileSync(resolve(fixtures, name), 'utf8')): string {
    const uri = pathToFileURL(resolve(fixtures, name)).href;
    this.versions.set(uri, 1);
    void this.connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'cuda-cpp', version: 1, text } });
    return uri;
  }

  save(uri: string): void {
    void this.connection.sendNotification('textDocument/didSave', { textDocument: { uri } });
  }

  fileChanged(uri: string): void {
    void this.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
  }

  configure(settings: unknown): void {
    this.settings = settings;
    void this.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  }

  edit(uri: string, ...contentChanges: readonly { range?: Range; text: string }[]): number {
    const version = this.versions.get(uri)! + 1;
    this.versions.set(uri, version);
    void this.connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
    return version;
  }

  close(uri: string): void {
    void this.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  /** Waits until the server's last word on the file satisfies the condition. */
  async pushed(uri: string, accept: (diagnostics: Diagnostic[], version?: number) => boolean = () => true): Promise<Diagnostic[]> {
    await this.until(() => {
      const params = this.published.get(uri);
      return params !== undefined && accept(params.diagnostics, params.version);
    });
    return this.published.get(uri)!.diagnostics;
  }

  async pull(uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport> {
    return this.connection.sendRequest('textDocument/diagnostic', { textDocument: { uri }, previousResultId });
  }

  async pulled(uri: string): Promise<Diagnostic[]> {
    const report = await this.pull(uri);
    return report.kind === 'full' ? report.items : [];
  }

  hover(uri: string, line: number, character: number): Promise<Hover | null> {
    return this.connection.sendRequest('textDocument/hover', { textDocument: { uri }, position: { line, character } });
  }

  lenses(uri: string): Promise<CodeLens[]> {
    return this.connection.sendRequest('textDocument/codeLens', { textDocument: { uri } });
  }

  actions(uri: string, range: Range, only?: string[]): Promise<CodeAction[]> {
    return this.connection.sendRequest('textDocument/codeAction', { textDocument: { uri }, range, context: { diagnostics: [], only } });
  }

  device(uri: string): Promise<string> {
    return this.connection.sendRequest('lanewise/device', { uri });
  }

  cudaVersion(uri: string): Promise<string> {
    return this.connection.sendRequest('lanewise/cudaVersion', { uri });
  }

  runInOrders(uri: string, orders: number): Promise<RunOutcome> {
    return this.connection.sendRequest('lanewise/run', { uri, orders });
  }

  run(uri: string, args?: string[]): Promise<RunOutcome> {
    return this.connection.sendRequest('lanewise/run', { uri, args });
  }

  cancel(uri: string): void {
    void this.connection.sendNotification('lanewise/cancel', { uri });
  }

  /** Checks the condition whenever the server says something. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        const listener = () => {
          this.listeners.delete(listener);
          resolve();
        };
        this.listeners.add(listener);
      });
    }
  }
}

export function wholeFile(): Range {
  return { start: { line: 0, character: 0 }, end: { line: 1_000_000, character: 0 } };
}

function capabilities({ pull, settings, watch, lenses = true }: EditorOptions): ClientCapabilities {
  return {
    workspace: {
      configuration: settings !== undefined,
      codeLens: { refreshSupport: true },
      diagnostics: { refreshSupport: true },
      didChangeWatchedFiles: { dynamicRegistration: watch === true },
    },
    textDocument: { ...(pull && { diagnostic: {} }), ...(lenses && { codeLens: {} }) },
  };
}
