/**
 * What an editor offers of C++ beside findings and runs: errors as somebody types, completion, signatures and
 * declarations from Clang, definitions and the outline from the analyzers, which need no Clang. */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CancellationToken,
  type Connection,
  type DocumentSymbol,
  type Hover,
  type InlayHint,
  type Location,
  LSPErrorCodes,
  type Range,
  type RenameParams,
  ResponseError,
  type ServerCapabilities,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { Position } from 'vscode-languageserver-textdocument';
import { includersOf, isHeader, mayBeIncluded } from '../../project/includers.ts';
import type { LocatedRange, TextEdit } from '../../protocol/finding.ts';
import type { SyntaxTreeOf } from '../../simulator/toolchain/code-hints.ts';
import type { CompileRequest, Diagnose } from '../../simulator/toolchain/compile.ts';
import type { CompletionRequest, CompletionsAt } from '../../simulator/toolchain/completion.ts';
import type { Analysis, Asking } from '../analysis/analysis.ts';
import { fromPosition, toDocumentSymbol, toRange } from '../convert.ts';
import type { DocumentSettings } from '../document-settings.ts';
import type { OpenDocument } from '../documents.ts';
import { contentModified } from '../gate.ts';
import type { RunDiagnostics } from '../run-diagnostics.ts';
import { diskText, openText, unsavedTexts } from '../texts.ts';
import { pathOf } from '../uris.ts';
import { CodeHints } from './code-hints.ts';
import { LiveDiagnostics } from './live-diagnostics.ts';
import { LanguageQuestions } from './questions.ts';
import { LEGEND, semanticTokens } from './semantic-tokens.ts';

export interface LanguageParts {
  readonly documents: ReadonlyMap<string, OpenDocument>;
  readonly analysis: Analysis;
  readonly settings: DocumentSettings;
  readonly diagnose: Diagnose;
  readonly completionsAt: CompletionsAt;
  readonly syntaxTreeOf: SyntaxTreeOf;
  /** What the client has said of itself by now. */
  client(): {
    readonly trusted: boolean;
    readonly otherLanguageServer: boolean | undefined;
    readonly snippets: boolean;
    readonly asksAgain: boolean;
  };
  /** Clang is about to be asked. */
  starting(): void;
  /** What Clang says of these files has changed. */
  changed(uris: readonly string[]): void;
  /** There are other hints. */
  hintsChanged(): void;
  failed(error: unknown): void;
}

const NAMES_OF_CUDA = /\.cuh?$/;

/** Of a file in a folder. */
type FileRequest = CompletionRequest & { readonly readable: readonly string[] };

export const languageCapabilities: ServerCapabilities = {
  completionProvider: { triggerCharacters: ['.', '>', ':'] },
  signatureHelpProvider: { triggerCharacters: ['(', ','] },
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: true,
  documentSymbolProvider: true,
  semanticTokensProvider: { legend: LEGEND, full: true },
};

/** Runs what answers a request when the text is the one that it is about. */
type Answering = <T>(action: () => Promise<T>) => Promise<T>;

export class Language {
  private readonly questions: LanguageQuestions;
  private readonly parts: LanguageParts;
  private readonly live: LiveDiagnostics;
  private readonly codeHints: CodeHints;
  /** Programs that include a source, where there is one, until what it includes changes. */
  private readonly programs = new Map<string, string | undefined>();

  constructor(parts: LanguageParts) {
    this.parts = parts;
    const { diagnose, completionsAt, syntaxTreeOf, changed, hintsChanged, failed } = parts;
    this.live = new LiveDiagnostics({ diagnose, request: (uri) => this.checked(uri), changed, failed });
    this.codeHints = new CodeHints({
      syntaxTreeOf,
      request: (uri) => this.askedAbout(uri),
      wanted: async (uri) => (await parts.settings.of(uri)).codeHints,
      asksAgain: () => parts.client().asksAgain,
      changed: hintsChanged,
      failed,
    });
    this.questions = new LanguageQuestions({
      completionsAt,
      request: (uri) => this.askedAbout(uri),
      isDeviceCode: (uri, line) => this.isKernel(uri, line),
      snippets: () => parts.client().snippets,
    });
  }

  listen(connection: Connection, answering: Answering): void {
    const asking = (token: CancellationToken): Asking => ({ urgent: true, isCancelled: () => token.isCancellationRequested });
    connection.onCompletion(({ textDocument: { uri }, position }) => answering(() => this.questions.completion(uri, position)));
    connection.onSignatureHelp(({ textDocument: { uri }, position }) => answering(() => this.questions.signatureHelp(uri, position)));
    connection.onDefinition(({ textDocument: { uri }, position }, token) =>
      answering(() => this.definitions(uri, position, asking(token))),
    );
    connection.onReferences(({ textDocument: { uri }, position }, token) => answering(() => this.references(uri, position, asking(token))));
    connection.onRenameRequest(({ textDocument: { uri }, position, newName }, token) =>
      answering(() => this.rename(uri, { position, newName }, asking(token))),
    );
    connection.languages.semanticTokens.on(({ textDocument: { uri } }, token) =>
      answering(async () =>
        (await this.isWanted(uri)) ? semanticTokens((await this.parts.analysis.names(uri, asking(token))) ?? []) : { data: [] },
      ),
    );
    connection.onDocumentSymbol(({ textDocument: { uri } }, token) => answering(() => this.symbols(uri, asking(token))));
  }

  diagnostics(): RunDiagnostics {
    return this.live.diagnostics();
  }

  /** Of a name about which the analyzers have nothing to say. */
  async hover(uri: string, position: Position): Promise<Hover | undefined> {
    const found = await this.questions.declaration(uri, position);
    if (!found) return undefined;
    const { line } = position;
    const range = { start: { line, character: found.start }, end: { line, character: found.end } };
    return { range, contents: { kind: 'markdown', value: found.markdown } };
  }

  hints(uri: string, range: Range): Promise<readonly InlayHint[]> {
    return this.codeHints.of(uri, range);
  }

  changed(uri: string): void {
    this.programs.delete(uri);
    this.live.changed(uri);
    this.codeHints.outdated(uri);
  }

  edited(uri: string, edits: readonly TextEdit[] | undefined): void {
    this.live.edited(uri, edits);
    this.codeHints.edited(uri, edits);
  }

  closed(uri: string): void {
    this.programs.delete(uri);
    this.live.forget(uri);
    this.codeHints.forget(uri);
  }

  end(): void {
    this.live.end();
    this.codeHints.end();
  }

  private async definitions(uri: string, position: Position, asking: Asking): Promise<Location[]> {
    if (!(await this.isWanted(uri))) return [];
    const found = await this.parts.analysis.at('definitions', { uri, position: fromPosition(position) }, asking);
    return located(found, uri);
  }

  private async references(uri: string, position: Position, asking: Asking): Promise<Location[]> {
    if (!(await this.isWanted(uri))) return [];
    const found = await this.parts.analysis.at('references', { uri, position: fromPosition(position) }, asking);
    return located(found, uri);
  }

  /** Rejects with the reason where a name cannot be replaced everywhere. */
  private async rename(
    uri: string,
    { position, newName }: Pick<RenameParams, 'position' | 'newName'>,
    asking: Asking,
  ): Promise<WorkspaceEdit | undefined> {
    if (!(await this.isWanted(uri))) return undefined;
    if (!/^[A-Za-z_]\w*$/.test(newName)) throw refusal(`\`${newName}\` is not a name: letters, digits and underscores, not a digit first.`);
    const answer = await this.parts.analysis.at('rename', { uri, position: fromPosition(position) }, asking);
    if (!answer?.plan) return undefined;
    if ('problem' in answer.plan) throw refusal(answer.plan.problem);
    const { version } = answer;
    if (version !== this.parts.documents.get(uri)?.version) throw new ResponseError(contentModified.code, contentModified.message);
    const edits = answer.plan.ranges.map((range) => ({ range: toRange(range), newText: newName }));
    return { changes: { [uri]: edits } };
  }

  private async symbols(uri: string, asking: Asking): Promise<DocumentSymbol[]> {
    if (!(await this.isWanted(uri))) return [];
    return ((await this.parts.analysis.symbols(uri, asking)) ?? []).map(toDocumentSymbol);
  }

  private async isWanted(uri: string): Promise<boolean> {
    const { languageFeatures } = await this.parts.settings.of(uri);
    return languageFeatures === 'on' || (languageFeatures === 'auto' && this.parts.client().otherLanguageServer === false);
  }

  /** The file as it is now; nothing unless it is CUDA's or a program includes it, the user wants it and trusts the workspace. */
  private async request(uri: string): Promise<FileRequest | undefined> {
    const { documents, settings, client, starting } = this.parts;
    const file = pathOf(uri);
    const document = documents.get(uri);
    if (!client().trusted || !file || !(NAMES_OF_CUDA.test(file) || isHeader(file)) || !document || document.refusal !== undefined)
      return undefined;
    if (!(await this.isWanted(uri))) return undefined;
    const { includePaths, includable, defines, limits } = await settings.of(uri);
    const readable = [...includable, settings.folderOf(uri) ?? dirname(file)];
    // Headers of plain C++ are not CUDA's unless a program is that includes them.
    if (!NAMES_OF_CUDA.test(file) && this.includerOf(uri, { file, text: document.getText(), readable }) === undefined) return undefined;
    starting();
    const unsaved = unsavedTexts(documents.values(), file);
    return { file, text: document.getText(), unsaved, includeDirs: includePaths, readable, defines, limits };
  }

  /** What another source includes is what that one makes of it: by itself it may lack what stands before it there. */
  private async checked(uri: string): Promise<CompileRequest | undefined> {
    const own = await this.request(uri);
    return own && ((await this.programOf(uri, own)) ?? (isHeader(own.file) ? undefined : own));
  }

  private async askedAbout(uri: string): Promise<CompletionRequest | undefined> {
    const own = await this.request(uri);
    const within = own && (await this.programOf(uri, own));
    return within ? { ...own, within } : own;
  }

  /** The program that includes a file. */
  private async programOf(uri: string, own: FileRequest): Promise<FileRequest | undefined> {
    const { documents, settings } = this.parts;
    const file = this.includerOf(uri, own);
    const text = file && (openText(documents.values(), file) ?? diskText(file));
    if (text === undefined) return undefined;
    const { includePaths, includable, defines, limits } = await settings.of(pathToFileURL(file!).href);
    const unsaved = unsavedTexts(documents.values(), file!);
    const readable = [...includable, ...own.readable];
    return { file: file!, text, unsaved, includeDirs: includePaths, readable, defines, limits };
  }

  private includerOf(uri: string, { file, text, readable }: Pick<FileRequest, 'file' | 'text' | 'readable'>): string | undefined {
    if (!mayBeIncluded(file, text)) return undefined;
    if (!this.programs.has(uri)) {
      const including = includersOf(file, (path) => openText(this.parts.documents.values(), path));
      const isReadable = (path: string) => readable.some((folder) => path.startsWith(join(folder, '/')));
      this.programs.set(
        uri,
        including.find((path) => path.endsWith('.cu') && isReadable(path)),
      );
    }
    return this.programs.get(uri);
  }

  private async isKernel(uri: string, line: number): Promise<boolean> {
    const outline = await this.parts.analysis.outline(uri, { urgent: true });
    return outline?.kernels.some(({ range }) => range.start.line <= line && line <= range.end.line) === true;
  }
}

/** `uri`: of the file that was asked about. */
function located(places: readonly LocatedRange[] | undefined, uri: string): Location[] {
  return (places ?? []).map(({ path, range }) => ({ uri: path === undefined ? uri : pathToFileURL(path).href, range: toRange(range) }));
}

function refusal(message: string): ResponseError<void> {
  return new ResponseError(LSPErrorCodes.RequestFailed, message);
}
