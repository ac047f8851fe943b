/** What the server and a process that analyses tell each other: changes of open files one way, questions about them and answers. Types only. */
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import type { AnalyzerSettings } from '../../analyzers/analyzer.ts';
import type { CompiledKernel, KernelShape } from '../../protocol/compiled.ts';
import type { Finding, Hover, LocatedRange, NameToken, Outline, Position, RenamePlan, SourceSymbol } from '../../protocol/finding.ts';

/** Where a file lies, and from which folders its headers are read: absolute paths. */
export interface Places {
  readonly path: string;
  readonly roots: readonly string[];
  readonly includePaths: readonly string[];
}

export interface DocumentState {
  readonly uri: string;
  readonly version: number;
  readonly text: string;
  readonly settings: AnalyzerSettings;
  /** Undefined for a file that is not on the disk. */
  readonly places: Places | undefined;
}

export type Change =
  | { readonly kind: 'open'; readonly document: DocumentState }
  | { readonly kind: 'edit'; readonly uri: string; readonly version: number; readonly changes: readonly TextDocumentContentChangeEvent[] }
  | { readonly kind: 'configure'; readonly uri: string; readonly settings: AnalyzerSettings; readonly places: Places | undefined }
  | { readonly kind: 'close'; readonly uri: string }
  /** What the compiler says of the kernels in this version of the text, until the text or what it includes changes. */
  | { readonly kind: 'compiled'; readonly uri: string; readonly version: number; readonly kernels: readonly CompiledKernel[] }
  /** These files on the disk may read differently now: all that were read if none are named. */
  | { readonly kind: 'files'; readonly paths: readonly string[] | undefined };

export type Question =
  | { readonly kind: 'findings'; readonly uri: string; readonly known: string | undefined }
  | { readonly kind: 'outline'; readonly uri: string }
  | { readonly kind: 'hover'; readonly uri: string; readonly position: Position }
  | { readonly kind: 'definitions'; readonly uri: string; readonly position: Position }
  | { readonly kind: 'references'; readonly uri: string; readonly position: Position }
  | { readonly kind: 'rename'; readonly uri: string; readonly position: Position }
  | { readonly kind: 'symbols'; readonly uri: string }
  | { readonly kind: 'names'; readonly uri: string }
  | { readonly kind: 'shapes'; readonly uri: string }
  /** Only the changes that come with it matter. */
  | { readonly kind: 'nothing' };

export type QuestionOf<Kind extends Question['kind']> = Extract<Question, { readonly kind: Kind }>;

export interface FindingsAnswer {
  /** Names the state that was analysed; no two states of any files share one. */
  readonly resultId: string;
  readonly version: number;
  /** Undefined where the asker knows them. */
  readonly findings: readonly Finding[] | undefined;
}

export interface ShapesAnswer {
  readonly version: number;
  readonly shapes: readonly KernelShape[];
}

export interface RenameAnswer {
  readonly version: number;
  /** Undefined where there is nothing to rename. */
  readonly plan: RenamePlan | undefined;
}

export interface Answers {
  readonly findings: FindingsAnswer | undefined;
  readonly outline: Outline | undefined;
  readonly hover: Hover | undefined;
  readonly definitions: readonly LocatedRange[] | undefined;
  readonly references: readonly LocatedRange[] | undefined;
  readonly rename: RenameAnswer | undefined;
  readonly symbols: readonly SourceSymbol[] | undefined;
  readonly names: readonly NameToken[] | undefined;
  readonly shapes: ShapesAnswer | undefined;
  readonly nothing: undefined;
}

export interface AnalysisRequest {
  readonly id: number;
  /** Since the last request, in order. */
  readonly changes: readonly Change[];
  readonly question: Question;
}

export type AnalysisMessage =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly answer: Answers[keyof Answers];
      /** Other files whose findings may have changed, since they include what has. */
      readonly affected: readonly string[];
    }
  /** The process may be in any state now and should be ended. `reason` as the end of a sentence; `trace` names functions only. */
  | { readonly kind: 'failed'; readonly id: number; readonly reason: string; readonly trace: string };
