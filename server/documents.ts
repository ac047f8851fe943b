/**
 * The open files: their text, and what the analyzers say about it. Edits reach the analyzer at once and incrementally; findings are
 * made when somebody asks. An error of the analyzer costs the file its findings, never the server its life.
 */
import { type Range, TextDocument, type TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import type { Analyzer, AnalyzerDocument, AnalyzerSettings, Surroundings } from '../analyzers/analyzer.ts';
import type { Finding, Hover, Outline, Position, SourceRange, TextEdit } from '../protocol/finding.ts';

/** Above this, in UTF-16 units, a file is not analysed: parsing it would take seconds. Generated tables are like that, kernels are not. */
export const largestText = 2_000_000;

const noOutline: Outline = { kernels: [] };

let generations = 0;

export interface OpenDocumentParts {
  readonly analyzer: Analyzer;
  readonly settings: AnalyzerSettings;
  /** What lies around the file; undefined for one that is not on the disk. */
  readonly surroundings: Surroundings | undefined;
  /** Told of errors of the analyzer. */
  readonly report: (error: unknown) => void;
}

export class OpenDocument {
  readonly uri: string;
  private text: TextDocument;
  private analysis: AnalyzerDocument | undefined = undefined;
  private cached: readonly Finding[] | undefined = undefined;
  /** Why there is no analysis, for the user. */
  private refusal: string | undefined = undefined;
  private readonly analyzer: Analyzer;
  private settings: AnalyzerSettings;
  private surroundings: Surroundings | undefined;
  private readonly report: (error: unknown) => void;
  /** Changes with the text and with the settings; no two states of any files share one. */
  generation = ++generations;

  constructor(text: TextDocument, { analyzer, settings, surroundings, report }: OpenDocumentParts) {
    this.uri = text.uri;
    this.text = text;
    this.analyzer = analyzer;
    this.settings = settings;
    this.surroundings = surroundings;
    this.report = report;
    this.open();
  }

  get version(): number {
    return this.text.version;
  }

  getText(): string {
    return this.text.getText();
  }

  /** Returns the edits with their ranges clamped to the text; nothing when the whole text was replaced. */
  edit(changes: readonly TextDocumentContentChangeEvent[], version: number): readonly TextEdit[] | undefined {
    this.generation = ++generations;
    this.cached = undefined;
    const edits: TextEdit[] = [];
    let replaced = false;
    for (const change of changes) {
      if ('range' in change) edits.push({ range: this.clamp(change.range), newText: change.text });
      else replaced = true;
      this.text = TextDocument.update(this.text, [change], version);
    }
    if (replaced || !this.analysis || this.getText().length > largestText) this.open();
    else this.editAnalysis(edits);
    return replaced ? undefined : edits;
  }

  configure(settings: AnalyzerSettings, surroundings: Surroundings | undefined): void {
    this.settings = settings;
    this.surroundings = surroundings;
    this.generation = ++generations;
    this.cached = undefined;
    this.guard(() => this.analysis?.configure(settings, surroundings), undefined);
  }

  /** Whether the file includes one of these. */
  includes(paths: readonly string[]): boolean {
    const headers = this.guard(() => this.analysis?.headers(), undefined) ?? [];
    return headers.some((path) => paths.includes(path));
  }

  headersChanged(): void {
    this.generation = ++generations;
    this.cached = undefined;
    this.guard(() => this.analysis?.headersChanged(), undefined);
  }

  findings(): readonly Finding[] {
    this.cached ??= this.guard(() => this.analysis?.findings(), undefined) ?? [];
    return this.refusal ? [refusalFinding(this.refusal)] : this.cached;
  }

  outline(): Outline {
    return this.guard(() => this.analysis?.outline(), undefined) ?? noOutline;
  }

  hover(position: Position): Hover | undefined {
    return this.guard(() => this.analysis?.hover(position), undefined);
  }

  dispose(): void {
    this.analysis?.dispose();
    this.analysis = undefined;
  }

  private open(): void {
    this.dispose();
    const text = this.getText();
    this.refusal = reasonToRefuse(text);
    if (this.refusal) return;
    this.guard(() => {
      this.analysis = this.analyzer.open(text, this.settings, this.surroundings);
    }, undefined);
  }

  private editAnalysis(edits: readonly TextEdit[]): void {
    this.guard(() => {
      this.analysis!.edit(edits.map(({ range, newText }) => ({ range, text: newText })));
      // Line ends are where two counts of lines can differ (a lone CR); the protocol's count is the one that holds.
      if (this.analysis!.text !== this.getText()) this.open();
    }, undefined);
  }

  private guard<T>(action: () => T, otherwise: T): T {
    try {
      return action();
    } catch (error) {
      this.report(error);
      this.analysis = undefined;
      this.refusal = 'Lanewise could not analyse this file because of an internal error. See the output of the language server.';
      return otherwise;
    }
  }

  private clamp({ start, end }: Range): SourceRange {
    return { start: this.clampPosition(start), end: this.clampPosition(end) };
  }

  private clampPosition(position: Range['start']): Position {
    const { line, character } = this.text.positionAt(this.text.offsetAt(position));
    return { line, column: character };
  }
}

function reasonToRefuse(text: string): string | undefined {
  if (text.length > largestText) {
    return `This file has ${(text.length / 1e6).toFixed(1)} million characters. Lanewise analyses files of up to ${largestText / 1e6} million.`;
  }
  if (text.includes('\0')) return 'This file contains NUL characters. It is not C++ source, so Lanewise does not analyse it.';
  return undefined;
}

function refusalFinding(message: string): Finding {
  const start = { line: 0, column: 0 };
  return { rule: 'not-analysed', severity: 'information', range: { start, end: start }, message, related: [], fixes: [] };
}
