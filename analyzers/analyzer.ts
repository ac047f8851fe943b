/**
 * The façade of the analyzers: text in, findings, outline and hovers out. Pure: the caller brings the grammars' bytes, the text and
 * the settings; nothing here reads files, clocks or processes.
 */
import { deviceNamed } from '../devices/devices.ts';
import { h200 } from '../devices/h200.ts';
import type { CompiledKernel, KernelShape } from '../protocol/compiled.ts';
import type {
  Finding,
  Hover,
  LocatedRange,
  NameToken,
  Outline,
  Position,
  RenamePlan,
  Severity,
  SourceRange,
  SourceSymbol,
} from '../protocol/finding.ts';
import { hoverAt } from './hover/hover.ts';
import { buildModel, type FileModel, type ModelOptions } from './model/file.ts';
import { type ModelCache, newModelCache } from './model/model-cache.ts';
import { kernelShapes } from './model/shapes.ts';
import { newTableCache, type TableCache } from './model/table.ts';
import { bodiesOf, declaredAt, definitionsAt } from './navigation/definitions.ts';
import { outlineOf } from './navigation/outline.ts';
import { referencesAt, referencesTo, renamePlan, type Target, targetAt } from './navigation/references.ts';
import { symbolsOf } from './navigation/symbols.ts';
import { nameTokens } from './navigation/tokens.ts';
import { RULES } from './rules/registry.ts';
import { type RunOptions, runRules } from './rules/run-rules.ts';
import { type Header, type HeaderFiles, HeaderStore, type Include } from './syntax/headers.ts';
import {
  closeSource,
  dialectOf,
  editSource,
  type LineTable,
  lineTable,
  offsetAt,
  openSource,
  rangeOf,
  type Source,
} from './syntax/source.ts';
import { type GrammarBytes, type Grammars, loadGrammars } from './syntax/tree/grammar.ts';

export type AnalyzerAssets = GrammarBytes;

export interface AnalyzerSettings {
  /** Per rule; 'off' silences it. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>;
  /** For `removed-api`: 12.8 unless said otherwise. */
  readonly cudaVersion?: string;
  /** Id of the device profile for limits and occupancy: the H200 unless said otherwise. */
  readonly device?: string;
}

/** Where a text lies, and how the headers beside it are read. */
export interface Surroundings {
  readonly path: string;
  readonly headers: HeaderFiles;
}

export interface Analyzer {
  /** Without surroundings, the text alone is what is known. */
  open(text: string, settings?: AnalyzerSettings, surroundings?: Surroundings): AnalyzerDocument;
}

export interface AnalyzerDocument {
  readonly text: string;
  /** Replaces ranges of the text, in order, as an editor reports them; re-analyses only what changed. */
  edit(changes: readonly { readonly range: SourceRange; readonly text: string }[]): void;
  configure(settings: AnalyzerSettings, surroundings?: Surroundings): void;
  /** Asks for all headers again: one of them has changed, appeared or gone. Until then each is asked for once. */
  headersChanged(): void;
  /** Paths of the headers that the text includes, directly or not. */
  headers(): readonly string[];
  /** Where something begins of which a bracket is never closed: what stands there is hardly understood. */
  unclosed(): SourceRange | undefined;
  /** Sorted by position, then rule. */
  findings(): readonly Finding[];
  /** In a header that the text includes, as the text uses it: by position, then rule. Undefined where it does not include it. */
  findingsIn(header: string): HeaderFindings | undefined;
  /** The kernels as `findingsIn` sees them: what the compiler is asked about for the header. */
  shapesIn(header: string): readonly KernelShape[];
  /** As `findingsIn`, with what the compiler said. */
  compiledFindingsIn(header: string, kernels: readonly CompiledKernel[]): HeaderFindings | undefined;
  /** The kernels as the text launches them: what the compiler is asked about. */
  shapes(): readonly KernelShape[];
  /** As `findings`, with what the compiler said of the kernels as they are in the text now. */
  compiledFindings(kernels: readonly CompiledKernel[]): readonly Finding[];
  outline(): Outline;
  hover(position: Position): Hover | undefined;
  /** Where the name at a position is defined. */
  definitions(position: Position): readonly LocatedRange[];
  /** Name of a function that is declared in reach of a position, and defined in another file. */
  declaredAt(position: Position): string | undefined;
  /** Functions of the text by this name that have a body and that other files can mean. */
  bodiesOf(name: string): readonly SourceRange[];
  /** Where else in the text that name means the same. */
  references(position: Position): readonly SourceRange[];
  /** What the name at a position means, for other files to look for. */
  target(position: Position): Target | undefined;
  /** Where the text means what is defined in another file, or in this one where no path says which. */
  referencesTo(target: Target): readonly SourceRange[];
  /** Undefined where there is nothing to rename. */
  rename(position: Position): RenamePlan | undefined;
  /** What the text defines, in its order. */
  symbols(): readonly SourceSymbol[];
  names(): readonly NameToken[];
  dispose(): void;
}

export interface HeaderFindings {
  readonly findings: readonly Finding[];
  /** The header's kernels that the text launches. */
  readonly launched: readonly SourceRange[];
}

export const DEFAULT_CUDA_VERSION = 12.8;

export async function createAnalyzer(assets: AnalyzerAssets): Promise<Analyzer> {
  const grammars = await loadGrammars(assets);
  const shared: Shared = { grammars, table: newTableCache(grammars), headers: new HeaderStore() };
  return { open: (text, settings = {}, surroundings) => new OpenDocument(shared, text, settings, surroundings) };
}

/** What all documents have in common. */
interface Shared {
  readonly grammars: Grammars;
  readonly table: TableCache;
  readonly headers: HeaderStore;
}

/** A text that is open. A class: what the functions of an object literal hold outlives its use by far (syntax/parse.ts says why). */
class OpenDocument implements AnalyzerDocument {
  readonly #shared: Shared;
  readonly #cache: ModelCache;
  #headerCache: ModelCache | undefined;
  #source: Source;
  #lines: LineTable;
  #settings: AnalyzerSettings;
  #surroundings: Surroundings | undefined;
  #includes: ReturnType<typeof includesOf> | undefined;
  #reports: RunOptions['reports'] = new WeakMap();
  /** Of the text as it is, once somebody asks. */
  #model: FileModel | undefined;
  #findings: readonly Finding[] | undefined;

  constructor(shared: Shared, text: string, settings: AnalyzerSettings, surroundings?: Surroundings) {
    this.#shared = shared;
    this.#cache = newModelCache(shared.grammars, shared.table);
    this.#source = openSource(text, surroundings && dialectOf(surroundings.path));
    this.#lines = lineTable(text);
    this.#settings = settings;
    this.#surroundings = surroundings;
    this.#includes = surroundings && includesOf(shared.headers, surroundings);
  }

  get text(): string {
    return this.#source.text;
  }

  edit(changes: Parameters<AnalyzerDocument['edit']>[0]): void {
    for (const { range, text } of changes) {
      const start = offsetAt(this.#lines, range.start);
      const end = Math.max(start, offsetAt(this.#lines, range.end));
      this.#source = editSource(this.#source, start, end, text);
      this.#lines = lineTable(this.#source.text);
    }
    this.#forget();
  }

  configure(settings: AnalyzerSettings, surroundings?: Surroundings): void {
    this.#settings = settings;
    this.#surroundings = surroundings;
    this.#reports = new WeakMap();
    this.headersChanged();
  }

  headersChanged(): void {
    this.#includes = this.#surroundings && includesOf(this.#shared.headers, this.#surroundings);
    this.#forget();
  }

  headers(): readonly string[] {
    return this.#current().table.headers.map(({ path }) => path);
  }

  unclosed(): SourceRange | undefined {
    const item = this.#source.items.find(({ unclosed }) => unclosed);
    return item && rangeOf({ item, start: item.tokens[0].start, end: item.tokens[0].end }, this.#lines);
  }

  findings(): readonly Finding[] {
    this.#findings ??= this.#found();
    return this.#findings;
  }

  findingsIn(path: string): HeaderFindings | undefined {
    return this.#foundIn(path);
  }

  shapesIn(path: string): readonly KernelShape[] {
    return kernelShapes(this.#lookedAt(path));
  }

  compiledFindingsIn(path: string, kernels: readonly CompiledKernel[]): HeaderFindings | undefined {
    return this.#foundIn(path, byId(kernels));
  }

  shapes(): readonly KernelShape[] {
    return kernelShapes(this.#current());
  }

  compiledFindings(kernels: readonly CompiledKernel[]): readonly Finding[] {
    return this.#found(byId(kernels));
  }

  outline(): Outline {
    return outlineOf(this.#read());
  }

  hover(position: Position): Hover | undefined {
    return hoverAt({ ...this.#read(), findings: this.findings(), position });
  }

  definitions(position: Position): readonly LocatedRange[] {
    return definitionsAt(this.#read(), position);
  }

  declaredAt(position: Position): string | undefined {
    return declaredAt(this.#read(), position);
  }

  bodiesOf(name: string): readonly SourceRange[] {
    return bodiesOf(this.#read(), name);
  }

  references(position: Position): readonly SourceRange[] {
    return referencesAt(this.#read(), position);
  }

  target(position: Position): Target | undefined {
    return targetAt(this.#read(), position);
  }

  referencesTo(target: Target): readonly SourceRange[] {
    return referencesTo(this.#read(), target);
  }

  rename(position: Position): RenamePlan | undefined {
    return renamePlan(this.#read(), position);
  }

  symbols(): readonly SourceSymbol[] {
    return symbolsOf(this.#read());
  }

  names(): readonly NameToken[] {
    return nameTokens(this.#read());
  }

  dispose(): void {
    this.#model = undefined;
    closeSource(this.#source);
  }

  #forget(): void {
    this.#model = undefined;
    this.#findings = undefined;
  }

  #options(): ModelOptions {
    return { ...modelOptions(this.#settings), ...this.#includes };
  }

  #current(): FileModel {
    this.#model ??= buildModel(this.#source, this.#cache, this.#options());
    return this.#model;
  }

  #read() {
    return { model: this.#current(), source: this.#source, lines: this.#lines };
  }

  #lookedAt(path: string): FileModel {
    // With a cache of its own: the same items are looked at in another way.
    this.#headerCache ??= newModelCache(this.#shared.grammars, this.#shared.table);
    return buildModel(this.#source, this.#headerCache, { ...this.#options(), lookedAt: path });
  }

  #foundIn(path: string, compiled?: RunOptions['compiled']): HeaderFindings | undefined {
    const { facts, table } = this.#lookedAt(path);
    const header = table.headers.find((each) => each.path === path)?.source;
    if (!header) return undefined;
    const options = { rules: RULES, severities: this.#settings.rules ?? {}, lines: lineTable(header.text), source: header, compiled };
    const items = new Set(header.items);
    const launched = facts.kernels.filter(({ place, launches }) => items.has(place.item) && launches.length > 0);
    return {
      findings: runRules(facts, { ...options, reports: new WeakMap() }),
      launched: launched.map(({ place }) => rangeOf(place, options.lines)),
    };
  }

  #found(compiled?: RunOptions['compiled']): readonly Finding[] {
    const severities = this.#settings.rules ?? {};
    const { facts } = this.#current();
    return runRules(facts, { rules: RULES, severities, lines: this.#lines, source: this.#source, reports: this.#reports, compiled });
  }
}

function byId(kernels: readonly CompiledKernel[]): RunOptions['compiled'] {
  return new Map(kernels.map((kernel) => [kernel.id, kernel]));
}

/** Remembers what was found, so that a keystroke asks the caller nothing. */
function includesOf(store: HeaderStore, { path, headers }: Surroundings): Pick<ModelOptions, 'path' | 'include'> {
  const known = new Map<string, Header | undefined>();
  const include: Include = (included, from) => {
    const key = `${from}\0${included.form}\0${included.name}`;
    if (!known.has(key)) {
      const found = headers.find(included, from);
      known.set(key, found && store.open(found));
    }
    return known.get(key);
  };
  return { path, include };
}

function modelOptions({ cudaVersion = '', device = '' }: AnalyzerSettings): ModelOptions {
  return { cudaVersion: Number.parseFloat(cudaVersion) || DEFAULT_CUDA_VERSION, device: deviceNamed(device) ?? h200 };
}
