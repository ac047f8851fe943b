/**
 * The open files as a process that analyses sees them. A file is analysed when somebody asks about it; edits reach its analysis
 * incrementally. Errors of the analyzers are the caller's.
 */
import { basename } from 'node:path';
import { TextDocument, type TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';
import type { Analyzer, AnalyzerDocument, AnalyzerSettings, Surroundings } from '../../analyzers/analyzer.ts';
import { withoutDoneElsewhere } from '../../project/elsewhere.ts';
import { headerFindings } from '../../project/header-findings.ts';
import { type HeaderChanges, HeaderTexts } from '../../project/header-texts.ts';
import { includersOf, isHeader, mayBeIncluded, sourcesBeside } from '../../project/includers.ts';
import { regularText } from '../../project/regular-files.ts';
import type { CompiledKernel } from '../../protocol/compiled.ts';
import type { Finding, LocatedRange, Position, RenamePlan } from '../../protocol/finding.ts';
import { clampedEdit } from '../text-edits.ts';
import type { Answers, Change, DocumentState, FindingsAnswer, Places, Question } from './messages.ts';

/**
 * As many of the files that were asked about last as this many characters hold stay analysed. An analysis takes about a hundred bytes for
 * each character; an editor shows few files at a time, and asks about those again and again.
 */
const KEPT_LENGTH = 4_000_000;

/** A larger program beside a header is not looked at for the header's sake. */
const MOST_PROGRAM_BYTES = 1 << 20;

/** Of a name in a header that hundreds use, the first files say enough. */
const MOST_FILES_WITH_USES = 30;

interface OpenFile {
  text: TextDocument;
  settings: AnalyzerSettings;
  places: Places | undefined;
  analysis: AnalyzerDocument | undefined;
  /** Nothing has changed since these were found. */
  findings: readonly Finding[] | undefined;
  /** Headers of the text that `findings` are about. */
  headers: readonly string[];
  generation: number;
  /** What the compiler says of the text as it is. */
  compiled: readonly CompiledKernel[] | undefined;
  /** Of a header: the programs beside it that include it, from the disk, by path. */
  programs: Map<string, AnalyzerDocument> | undefined;
}

export class Workspace {
  private readonly analyzer: Analyzer;
  /** Begins the names of states. */
  private readonly name: string;
  private readonly files = new Map<string, OpenFile>();
  /** Clients differ in how they write a path as a URI. */
  private readonly texts = new Map<string, OpenFile>();
  private readonly headers = new HeaderTexts((path) => this.texts.get(path)?.text.getText());
  /** Analysed files, those asked about last at the end. */
  private readonly analysed = new Set<OpenFile>();
  private keptLength = 0;
  private generations = 0;
  private affected = new Set<string>();

  constructor(analyzer: Analyzer, name: string) {
    this.analyzer = analyzer;
    this.name = name;
  }

  /** Files whose findings may have changed although they themselves have not, since this was last called. */
  takeAffected(): readonly string[] {
    const affected = [...this.affected];
    this.affected = new Set();
    return affected;
  }

  apply(change: Change): void {
    if (change.kind === 'files') {
      this.headersChanged(this.headers.reread(change.paths));
      this.programsChanged();
    } else if (change.kind === 'open') this.open(change.document);
    else {
      const file = this.files.get(change.uri);
      if (!file) return;
      if (change.kind === 'edit') this.edit(file, change.changes, change.version);
      else if (change.kind === 'compiled') this.takeCompiled(file, change.version, change.kernels);
      else if (change.kind === 'configure') this.configure(file, change.settings, change.places);
      else this.close(change.uri, file);
    }
  }

  answer(question: Question): Answers[keyof Answers] {
    const file = question.kind === 'nothing' ? undefined : this.files.get(question.uri);
    if (!file) return undefined;
    switch (question.kind) {
      case 'findings':
        return this.findings(file, question.known);
      case 'outline':
        return this.analysis(file).outline();
      case 'hover':
        return this.analysis(file).hover(question.position);
      case 'definitions':
        return this.definitions(file, question.position);
      case 'references':
        return this.references(file, question.position);
      case 'rename':
        return { version: file.text.version, plan: this.rename(file, question.position) };
      case 'symbols':
        return this.analysis(file).symbols();
      case 'names':
        return this.analysis(file).names();
      case 'shapes':
        return { version: file.text.version, shapes: this.analysis(file).shapes() };
    }
  }

  private findings(file: OpenFile, known: string | undefined): FindingsAnswer {
    const resultId = `${this.name}.${file.generation}`;
    const version = file.text.version;
    if (known === resultId) return { resultId, version, findings: undefined };
    if (!file.findings) {
      const analysis = this.analysis(file);
      const own = file.compiled ? analysis.compiledFindings(file.compiled) : analysis.findings();
      file.headers = analysis.headers();
      const isPart = file.places && mayBeIncluded(file.places.path, file.text.getText());
      const found = isPart ? this.withPrograms(own, file, file.places!.path) : own;
      const opened = (path: string) => this.texts.get(path)?.text.getText();
      file.findings = file.places ? withoutDoneElsewhere(found, file.places.path, opened) : found;
    }
    return { resultId, version, findings: file.findings };
  }

  private withPrograms(own: readonly Finding[], file: OpenFile, path: string): readonly Finding[] {
    const open = [...this.files.values()].filter(({ places }) => places && places.path !== path && !isHeader(places.path));
    const opened = open.flatMap((other) => {
      const analysis = this.analysis(other);
      other.headers = analysis.headers();
      return analysis.findingsIn(path) ?? [];
    });
    file.programs ??= this.programsBeside(file, path);
    const beside = [...file.programs].flatMap(([program, document]) => (this.texts.has(program) ? [] : (document.findingsIn(path) ?? [])));
    return headerFindings(own, [...opened, ...beside]);
  }

  /** What is declared here and defined in a source beside it is there. */
  private definitions(file: OpenFile, position: Position): readonly LocatedRange[] {
    const analysis = this.analysis(file);
    const name = analysis.declaredAt(position);
    const own = file.places?.path;
    const bodies =
      name === undefined || own === undefined
        ? []
        : sourcesBeside(own).flatMap((path) =>
            path === own
              ? []
              : this.lookedAt(path, { name, file }, (document) => document.bodiesOf(name).map((range) => ({ path, range }))),
          );
    return bodies.length > 0 ? bodies : analysis.definitions(position);
  }

  /** In the file itself first; what a header defines is used by the programs that include it, and in their other headers. */
  private references(file: OpenFile, position: Position): readonly LocatedRange[] {
    const analysis = this.analysis(file);
    const own: LocatedRange[] = analysis.references(position).map((range) => ({ range }));
    const target = analysis.target(position);
    if (!target || !file.places) return own;
    const { path } = file.places;
    const { name, range, path: defined = path } = target;
    if (defined === path && !mayBeIncluded(path, file.text.getText())) return own;
    const known = new Set([path]);
    const found = (next: string): LocatedRange[] => {
      if (known.has(next) || known.size > MOST_FILES_WITH_USES) return [];
      known.add(next);
      // A program's headers may use what it does not.
      return this.lookedAt(next, { name: isHeader(next) ? name : undefined, file }, (document) => {
        const uses = document.referencesTo({ name, range, path: next === defined ? undefined : defined });
        const beside = isHeader(next) ? [] : document.headers().flatMap(found);
        return [...uses.map((each) => ({ path: next, range: each })), ...beside];
      });
    };
    const programs = includersOf(defined, (each) => this.texts.get(each)?.text.getText());
    return [...own, ...[defined, ...analysis.headers(), ...programs].flatMap(found)];
  }

  /** In this file alone: what others have, too, would mean something else there. */
  private rename(file: OpenFile, position: Position): RenamePlan | undefined {
    const plan = this.analysis(file).rename(position);
    if (!plan || 'problem' in plan) return plan;
    const places = [...this.definitions(file, position), ...this.references(file, position)];
    const elsewhere = places.find(({ path }) => path !== undefined)?.path;
    if (elsewhere === undefined) return plan;
    const { name } = this.analysis(file).target(position)!;
    return { problem: `\`${name}\` is also in ${basename(elsewhere)}: rename it by searching for it.` };
  }

  /** A file, if it has this name in it, as it is open, or else as it is on the disk: read as one beside the file that is asked about. */
  private lookedAt<T>(
    path: string,
    { name, file: { settings, places } }: { readonly name: string | undefined; readonly file: OpenFile },
    look: (document: AnalyzerDocument) => T[],
  ): T[] {
    const opened = this.texts.get(path);
    const text = opened?.text.getText() ?? regularText(path, MOST_PROGRAM_BYTES);
    if (text === undefined || (name !== undefined && !new RegExp(`\\b${name}\\b`).test(text))) return [];
    if (opened) return look(this.analysis(opened));
    const headers = this.headers.within(places!.roots, places!.includePaths);
    const document = this.analyzer.open(text, settings, { path, headers });
    const answer = look(document);
    document.dispose();
    return answer;
  }

  private programsBeside(file: OpenFile, path: string): Map<string, AnalyzerDocument> {
    const programs = new Map<string, AnalyzerDocument>();
    const { roots, includePaths } = file.places!;
    const headers = this.headers.within(roots, includePaths);
    for (const program of includersOf(path, (each) => this.texts.get(each)?.text.getText())) {
      const text = regularText(program, MOST_PROGRAM_BYTES);
      if (text !== undefined) programs.set(program, this.analyzer.open(text, file.settings, { path: program, headers }));
    }
    return programs;
  }

  private forgetPrograms(file: OpenFile): void {
    for (const document of file.programs?.values() ?? []) document.dispose();
    file.programs = undefined;
  }

  private open({ uri, version, text, settings, places }: DocumentState): void {
    const known = this.files.get(uri);
    if (known) this.close(uri, known);
    const file: OpenFile = {
      text: TextDocument.create(uri, 'cuda-cpp', version, text),
      settings,
      places,
      analysis: undefined,
      findings: undefined,
      headers: [],
      generation: ++this.generations,
      compiled: undefined,
      programs: undefined,
    };
    this.files.set(uri, file);
    if (places) this.texts.set(places.path, file);
    this.textChanged(file);
  }

  private edit(file: OpenFile, changes: readonly TextDocumentContentChangeEvent[], version: number): void {
    const { analysis } = file;
    this.forget(file);
    for (const change of changes) {
      const edit = clampedEdit(file.text, change);
      const before = file.text.getText().length;
      file.text = TextDocument.update(file.text, [change], version);
      if (!analysis || !file.analysis) continue;
      this.keptLength += file.text.getText().length - before;
      if (edit) analysis.edit([{ range: edit.range, text: edit.newText }]);
      // Line ends are where two counts of lines can differ (a lone CR); the protocol's count is the one that holds.
      if (!edit || analysis.text !== file.text.getText()) this.drop(file);
    }
    this.textChanged(file);
  }

  private configure(file: OpenFile, settings: AnalyzerSettings, places: Places | undefined): void {
    file.settings = settings;
    if (file.places && this.texts.get(file.places.path) === file) this.texts.delete(file.places.path);
    file.places = places;
    if (places) this.texts.set(places.path, file);
    file.analysis?.configure(settings, this.surroundings(file));
    this.forget(file);
  }

  private close(uri: string, file: OpenFile): void {
    this.drop(file);
    this.forgetPrograms(file);
    this.files.delete(uri);
    if (file.places && this.texts.get(file.places.path) === file) this.texts.delete(file.places.path);
    this.textChanged(file);
  }

  /** Other open files may include it. */
  private textChanged({ places, headers, findings }: OpenFile): void {
    if (places) this.headersChanged(this.headers.reread([places.path]));
    const isNew = headers.length === 0 && findings === undefined;
    // What a program launches is said of the kernels in its headers.
    for (const [uri, file] of this.files) {
      if (!file.places || !file.findings) continue;
      const mayInclude = headers.includes(file.places.path) || (isNew && mayBeIncluded(file.places.path, file.text.getText()));
      if (!mayInclude) continue;
      this.forget(file);
      this.affected.add(uri);
    }
  }

  /** Programs that are not open may read differently now, or include other headers. */
  private programsChanged(): void {
    for (const [uri, file] of this.files) {
      if (!file.programs) continue;
      this.forgetPrograms(file);
      this.forget(file);
      this.affected.add(uri);
    }
  }

  private headersChanged({ changed, appeared }: HeaderChanges): void {
    if (changed.length === 0 && !appeared) return;
    for (const [uri, file] of this.files) {
      if (file.findings && !appeared && !file.headers.some((path) => changed.includes(path))) continue;
      file.analysis?.headersChanged();
      for (const document of file.programs?.values() ?? []) document.headersChanged();
      this.forget(file);
      this.affected.add(uri);
    }
  }

  private takeCompiled(file: OpenFile, version: number, kernels: readonly CompiledKernel[]): void {
    if (file.text.version !== version) return;
    this.forget(file);
    file.compiled = kernels;
  }

  private forget(file: OpenFile): void {
    file.findings = undefined;
    file.compiled = undefined;
    file.generation = ++this.generations;
  }

  private analysis(file: OpenFile): AnalyzerDocument {
    if (file.analysis) {
      this.analysed.delete(file);
      this.analysed.add(file);
      return file.analysis;
    }
    const text = file.text.getText();
    file.analysis = this.analyzer.open(text, file.settings, this.surroundings(file));
    this.analysed.add(file);
    this.keptLength += text.length;
    for (const oldest of this.analysed) {
      if (this.keptLength <= KEPT_LENGTH || oldest === file) break;
      this.drop(oldest);
    }
    return file.analysis;
  }

  /** What was found stays known. */
  private drop(file: OpenFile): void {
    if (!file.analysis) return;
    file.analysis.dispose();
    file.analysis = undefined;
    this.analysed.delete(file);
    this.keptLength -= file.text.getText().length;
  }

  private surroundings({ places }: OpenFile): Surroundings | undefined {
    return places && { path: places.path, headers: this.headers.within(places.roots, places.includePaths) };
  }
}
