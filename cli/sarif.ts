/** Findings as SARIF 2.1.0, the format that code hosts show beside changes. */
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RULES } from '../analyzers/rules/registry.ts';
import type { Finding, Fix, Severity, SourceRange } from '../protocol/finding.ts';

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

export interface FileFindings {
  /** As given, with forward slashes. */
  readonly path: string;
  readonly findings: readonly Finding[];
  /** Why there are none, as the end of a sentence. */
  readonly notAnalysed?: string;
  /** Why the findings are from the text alone although the compiler was to be asked, as the end of a sentence. */
  readonly notCompiled?: string;
  /** Of which kernels the numbers are, and why, as a sentence. */
  readonly notPredicted?: string;
  /** What of the text is hardly understood, as the end of a sentence. */
  readonly unclear?: string;
}

export interface SarifOptions {
  readonly version: string;
  /** Markdown page of a rule. */
  readonly page: (rule: string) => string;
}

export function toSarif(files: readonly FileFindings[], { version, page }: SarifOptions): object {
  return sarifLog({
    tool: {
      driver: {
        name: 'Lanewise',
        semanticVersion: version,
        rules: RULES.map((r) => ({
          id: r.id,
          shortDescription: { text: r.summary },
          fullDescription: { text: firstParagraph(page(r.id)) },
          help: { text: page(r.id), markdown: page(r.id) },
          defaultConfiguration: { level: LEVELS[r.severity] },
          properties: { category: r.category },
        })),
      },
    },
    // Columns count UTF-16 units, as in the language server.
    columnKind: 'utf16CodeUnits',
    invocations: [{ executionSuccessful: true, toolExecutionNotifications: files.flatMap(notification) }],
    results: files.flatMap(({ path, findings }) => findings.map((f) => result(path, f))),
  });
}

/** The file of one run of a tool. */
export function sarifLog(run: object): object {
  return { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
}

function notification({ path, notAnalysed, notCompiled, notPredicted, unclear }: FileFindings): object[] {
  const locations = [{ physicalLocation: { artifactLocation: artifact(path) } }];
  return [
    ...(notAnalysed === undefined ? [] : [{ level: 'error', message: { text: `not analysed: ${notAnalysed}` }, locations }]),
    ...(notCompiled === undefined ? [] : [{ level: 'note', message: { text: `not compiled: ${notCompiled}` }, locations }]),
    ...(notPredicted === undefined ? [] : [{ level: 'note', message: { text: notPredicted }, locations }]),
    ...(unclear === undefined ? [] : [{ level: 'note', message: { text: `not understood: ${unclear}` }, locations }]),
  ];
}

function result(path: string, f: Finding): object {
  const related = f.related.map((r) => ({ message: { text: r.message }, physicalLocation: location(path, r.range) }));
  return {
    ruleId: f.rule,
    ruleIndex: RULES.findIndex((r) => r.id === f.rule),
    level: LEVELS[f.severity],
    message: { text: f.message },
    locations: [{ physicalLocation: location(path, f.range) }],
    ...(related.length > 0 ? { relatedLocations: related } : {}),
    ...(f.fixes.length > 0 ? { fixes: f.fixes.map((fix) => sarifFix(path, fix)) } : {}),
  };
}

export function sarifFix(path: string, { title, edits }: Fix): object {
  return {
    description: { text: title },
    artifactChanges: [
      {
        artifactLocation: artifact(path),
        replacements: edits.map((e) => ({ deletedRegion: region(e.range), insertedContent: { text: e.newText } })),
      },
    ],
  };
}

function location(path: string, range: SourceRange): object {
  return { artifactLocation: artifact(path), region: region(range) };
}

/** Paths below the working folder stay relative, so that a code host finds them in its checkout. */
export function artifact(path: string): object {
  return { uri: isAbsolute(path) ? pathToFileURL(path).href : path.split('/').map(encodeURIComponent).join('/') };
}

function region({ start, end }: SourceRange): object {
  return { startLine: start.line + 1, startColumn: start.column + 1, endLine: end.line + 1, endColumn: end.column + 1 };
}

/** What a page says under its title. */
function firstParagraph(page: string): string {
  return page.split(/\n\s*\n/)[1]?.replaceAll('\n', ' ') ?? '';
}
