/**
 * The façade of the analyzers: text in, findings, outline and hovers out. Pure: the caller brings the grammars' bytes, the text and
 * the settings; nothing here reads files, clocks or processes.
 */
import type { Finding, Hover, Outline, Position, Severity, SourceRange } from '../protocol/finding.ts';

export interface AnalyzerAssets {
  /** Bytes of web-tree-sitter.wasm, tree-sitter-cuda.wasm and tree-sitter-cpp.wasm. */
  readonly runtime: Uint8Array;
  readonly cuda: Uint8Array;
  readonly cpp: Uint8Array;
}

export interface AnalyzerSettings {
  /** Per rule; 'off' silences it. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>;
  /** For `removed-api`: 12.8 unless said otherwise. */
  readonly cudaVersion?: string;
  /** Device profile for limits and occupancy. */
  readonly device?: string;
}

export interface Analyzer {
  open(text: string, settings?: AnalyzerSettings): AnalyzerDocument;
}

export interface AnalyzerDocument {
  readonly text: string;
  /** Replaces ranges of the text, in order, as an editor reports them; re-analyses only what changed. */
  edit(changes: readonly { readonly range: SourceRange; readonly text: string }[]): void;
  configure(settings: AnalyzerSettings): void;
  /** Sorted by position, then rule. */
  findings(): readonly Finding[];
  outline(): Outline;
  hover(position: Position): Hover | undefined;
  dispose(): void;
}
