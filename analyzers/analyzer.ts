/**
 * The façade of the analyzers: text in, findings, outline and hovers out. Pure: the caller brings the grammars' bytes, the text and
 * the settings; nothing here reads files, clocks or processes.
 */
import { deviceNamed } from '../devices/devices.ts';
import { h200 } from '../devices/h200.ts';
import type { Finding, Hover, KernelOutline, Outline, Position, Severity, SourceRange } from '../protocol/finding.ts';
import { hoverAt } from './hover/hover.ts';
import { buildModel, type FileModel, type ModelOptions, newModelCache } from './model/file.ts';
import { RULES } from './rules/registry.ts';
import { type RunOptions, runRules } from './rules/run-rules.ts';
import { closeSource, editSource, lineTable, offsetAt, openSource, rangeOf, type Source } from './syntax/source.ts';
import { type Grammar, loadGrammar } from './syntax/tree/grammar.ts';

export interface AnalyzerAssets {
  /** Bytes of web-tree-sitter.wasm and of tree-sitter-cuda.wasm. */
  readonly runtime: Uint8Array;
  readonly cuda: Uint8Array;
}

export interface AnalyzerSettings {
  /** Per rule; 'off' silences it. */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>;
  /** For `removed-api`: 12.8 unless said otherwise. */
  readonly cudaVersion?: string;
  /** Id of the device profile for limits and occupancy: the H200 unless said otherwise. */
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

const DEFAULT_CUDA_VERSION = 12.8;

export async function createAnalyzer(assets: AnalyzerAssets): Promise<Analyzer> {
  const grammar = await loadGrammar(assets);
  return { open: (text, settings = {}) => openDocument(grammar, text, settings) };
}

function openDocument(grammar: Grammar, initial: string, initialSettings: AnalyzerSettings): AnalyzerDocument {
  const cache = newModelCache(grammar);
  let reports: RunOptions['reports'] = new WeakMap();
  let source: Source = openSource(initial);
  let lines = lineTable(initial);
  let settings = initialSettings;
  let model: FileModel | undefined;
  let findings: readonly Finding[] | undefined;
  const current = (): FileModel => {
    model ??= buildModel(source, cache, modelOptions(settings));
    return model;
  };
  return {
    get text() {
      return source.text;
    },
    edit(changes) {
      for (const change of changes) {
        const start = offsetAt(lines, change.range.start);
        const end = Math.max(start, offsetAt(lines, change.range.end));
        source = editSource(source, start, end, change.text);
        lines = lineTable(source.text);
      }
      model = undefined;
      findings = undefined;
    },
    configure(next) {
      settings = next;
      reports = new WeakMap();
      model = undefined;
      findings = undefined;
    },
    findings: allFindings,
    outline: () => outlineOf(current(), lines),
    hover: (position) => hoverAt({ model: current(), source, lines, findings: allFindings(), position }),
    dispose() {
      model = undefined;
      closeSource(source);
    },
  };

  function allFindings(): readonly Finding[] {
    findings ??= runRules(current().facts, { rules: RULES, severities: settings.rules ?? {}, lines, source, reports });
    return findings;
  }
}

function modelOptions({ cudaVersion = '', device = '' }: AnalyzerSettings): ModelOptions {
  return { cudaVersion: Number.parseFloat(cudaVersion) || DEFAULT_CUDA_VERSION, device: deviceNamed(device) ?? h200 };
}

function outlineOf(model: FileModel, lines: ReturnType<typeof lineTable>): Outline {
  const kernels = model.facts.kernels.map(
    (k): KernelOutline => ({
      name: k.name,
      nameRange: rangeOf(k.namePlace, lines),
      range: rangeOf(k.place, lines),
      launches: k.launches.map((l) => ({ range: rangeOf(l.place, lines), grid: l.gridText || undefined, block: l.blockText || undefined })),
    }),
  );
  const main = model.facts.hostFunctions.find((f) => f.name === 'main');
  return { kernels, main: main && rangeOf(main.namePlace, lines) };
}
