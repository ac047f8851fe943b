/** Findings as SARIF 2.1.0, the format that code hosts show beside changes. */
import { RULES } from '../analyzers/rules/registry.ts';
import type { Finding, Severity, SourceRange } from '../protocol/finding.ts';

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
}

export function toSarif(files: readonly FileFindings[], version: string): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Lanewise',
            semanticVersion: version,
            rules: RULES.map((r) => ({
              id: r.id,
              shortDescription: { text: r.summary },
              defaultConfiguration: { level: LEVELS[r.severity] },
              properties: { category: r.category },
            })),
          },
        },
        // Columns count UTF-16 units, as in the language server.
        columnKind: 'utf16CodeUnits',
        results: files.flatMap(({ path, findings }) => findings.map((f) => result(path, f))),
      },
    ],
  };
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
  };
}

function location(path: string, { start, end }: SourceRange): object {
  return {
    artifactLocation: { uri: path.split('/').map(encodeURIComponent).join('/') },
    region: { startLine: start.line + 1, startColumn: start.column + 1, endLine: end.line + 1, endColumn: end.column + 1 },
  };
}
