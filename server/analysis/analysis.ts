/**
 * What the analyzers say about the open files. They work in processes of their own, so that no file can silence the server or end it: one
 * for all files, and a second one, which has more time and memory, for those that the first could not cope with. A file that is too much for
 * the second one, too, is not analysed, and says so, until it changes.
 */

import type { Finding, Hover, NameToken, Outline, Position, SourceSymbol } from '../../protocol/finding.ts';
import type { Process } from '../../simulator/platform/platform.ts';
import type { OpenDocument } from '../documents.ts';
import { AnalysisFailure, AnalysisLane, Cancelled, type Limits } from './lane.ts';
import type { Answers, Change, FindingsAnswer, Question, QuestionOf, ShapesAnswer } from './messages.ts';
import { analysisLimits, startAnalysisProcess } from './start.ts';

export interface AnalysisParts {
  readonly documents: ReadonlyMap<string, OpenDocument>;
  /** Told of files whose findings may have changed although they themselves have not. */
  readonly affected: (uris: readonly string[]) => void;
  readonly log: (text: string) => void;
  readonly limits?: typeof analysisLimits;
  /** Started already, with the usual limits. */
  readonly firstProcess?: Process;
}

/** Kinds of questions that are about an open file. */
type AboutFile = Exclude<Question['kind'], 'nothing'>;

export interface Asking {
  /** Asked by somebody who waits. */
  readonly urgent: boolean;
  readonly isCancelled?: () => boolean;
}

const noOutline: Outline = { kernels: [], functions: [] };

export class Analysis {
  private readonly documents: ReadonlyMap<string, OpenDocument>;
  private readonly limits: typeof analysisLimits;
  private readonly parts: AnalysisParts;
  private readonly usual: AnalysisLane;
  private patient: AnalysisLane | undefined;
  /** Files that the first process could not cope with. */
  private readonly difficult = new Set<string>();
  /** Files that are not analysed, and the state of the text for which that is so. */
  private readonly failures = new Map<string, { readonly reason: string; readonly generation: number }>();

  constructor(parts: AnalysisParts) {
    this.parts = parts;
    this.documents = parts.documents;
    this.limits = parts.limits ?? analysisLimits;
    this.usual = this.newLane(this.limits.usual, parts.firstProcess);
  }

  warmUp(): void {
    this.usual.warmUp();
  }

  end(): void {
    this.usual.end();
    this.patient?.end();
  }

  tell(change: Change): void {
    this.usual.tell(change);
    this.patient?.tell(change);
    if (change.kind === 'close') this.forget(change.uri);
    // Nobody may ask about the file any more, but others may include it.
    if (change.kind === 'files' || change.kind === 'close') this.usual.ask({ kind: 'nothing' }, { urgent: false }).catch(() => undefined);
  }

  /** Nothing for files that are not open. */
  async findings(uri: string, known: string | undefined, asking: Asking): Promise<FindingsAnswer | undefined> {
    const document = this.documents.get(uri);
    if (!document) return undefined;
    const refusal = this.refusalOf(document);
    if (refusal !== undefined) return notAnalysed(document, refusal, known);
    try {
      return await this.ask({ kind: 'findings', uri, known }, asking);
    } catch (error) {
      if (!(error instanceof AnalysisFailure)) throw error;
      return notAnalysed(document, this.refusalOf(document) ?? sentence(error.message), known);
    }
  }

  async outline(uri: string, asking: Asking): Promise<Outline> {
    return (await this.askIfPossible({ kind: 'outline', uri }, asking)) ?? noOutline;
  }

  hover(uri: string, position: Position, asking: Asking): Promise<Hover | undefined> {
    return this.askIfPossible({ kind: 'hover', uri, position }, asking);
  }

  /** What is asked of the text at a position; undefined where it cannot be analysed. */
  at<Kind extends 'definitions' | 'references' | 'rename'>(
    kind: Kind,
    { uri, position }: { readonly uri: string; readonly position: Position },
    asking: Asking,
  ): Promise<Answers[Kind] | undefined> {
    return this.askIfPossible({ kind, uri, position } as QuestionOf<Kind>, asking);
  }

  symbols(uri: string, asking: Asking): Promise<readonly SourceSymbol[] | undefined> {
    return this.askIfPossible({ kind: 'symbols', uri }, asking);
  }

  names(uri: string, asking: Asking): Promise<readonly NameToken[] | undefined> {
    return this.askIfPossible({ kind: 'names', uri }, asking);
  }

  /** The kernels as the text launches them, for the compiler. */
  shapes(uri: string): Promise<ShapesAnswer | undefined> {
    return this.askIfPossible({ kind: 'shapes', uri }, { urgent: false });
  }

  private async askIfPossible<Kind extends Exclude<AboutFile, 'findings'>>(
    question: QuestionOf<Kind>,
    asking: Asking,
  ): Promise<Answers[Kind] | undefined> {
    const document = this.documents.get(uriOf(question));
    if (!document || this.refusalOf(document) !== undefined) return undefined;
    try {
      return await this.ask(question, asking);
    } catch (error) {
      if (error instanceof AnalysisFailure) return undefined;
      throw error;
    }
  }

  private async ask<Kind extends AboutFile>(question: QuestionOf<Kind>, asking: Asking): Promise<Answers[Kind]> {
    const uri = uriOf(question);
    if (!this.difficult.has(uri)) {
      try {
        return await this.usual.ask<Kind>(question, asking);
      } catch (error) {
        if (!(error instanceof AnalysisFailure)) throw error;
        if (this.documents.has(uri)) this.difficult.add(uri);
      }
    }
    const generation = this.documents.get(uri)?.generation;
    try {
      this.patient ??= this.newLane(this.limits.patient);
      return await this.patient.ask<Kind>(question, asking);
    } catch (error) {
      if (error instanceof AnalysisFailure && generation !== undefined && this.documents.has(uri))
        this.failures.set(uri, { reason: sentence(error.message), generation });
      throw error;
    }
  }

  /** Why the file is not analysed as it is now. */
  private refusalOf(document: OpenDocument): string | undefined {
    const failure = this.failures.get(document.uri);
    return document.refusal ?? (failure?.generation === document.generation ? failure.reason : undefined);
  }

  private forget(uri: string): void {
    this.failures.delete(uri);
    if (!this.difficult.delete(uri) || this.difficult.size > 0) return;
    this.patient?.end();
    this.patient = undefined;
  }

  private newLane(limits: Limits, firstProcess?: Process): AnalysisLane {
    let first = firstProcess;
    return new AnalysisLane({
      start: () => {
        const started = first ?? startAnalysisProcess(limits);
        first = undefined;
        return started;
      },
      limits,
      snapshot: () => [...this.documents.values()].map((document) => document.state()),
      affected: this.parts.affected,
      log: this.parts.log,
    });
  }
}

function uriOf(question: QuestionOf<AboutFile>): string {
  return question.uri;
}

function sentence(reason: string): string {
  return `Lanewise does not analyse this file as it is now: ${reason}.`;
}

function notAnalysed(document: OpenDocument, message: string, known: string | undefined): FindingsAnswer {
  const start = { line: 0, column: 0 };
  const finding: Finding = {
    rule: 'not-analysed',
    severity: 'information',
    range: { start, end: start },
    message,
    related: [],
    fixes: [],
  };
  const resultId = `not-analysed.${document.generation}`;
  return { resultId, version: document.version, findings: known === resultId ? undefined : [finding] };
}

export { Cancelled };
