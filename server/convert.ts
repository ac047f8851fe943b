/** Between the protocol's words and ours: `character` and `column`, severities, diagnostics. */
import { type Diagnostic, DiagnosticSeverity, type TextEdit as LspTextEdit, type Position, type Range } from 'vscode-languageserver/node';
import { printable } from '../analyzers/printable.ts';
import type { Finding, Severity, SourceRange, TextEdit } from '../protocol/finding.ts';

const severityNumbers: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export function toDiagnostic(finding: Finding, uri: string): Diagnostic {
  return {
    range: toRange(finding.range),
    severity: severityNumbers[finding.severity],
    code: finding.rule,
    source: 'lanewise',
    message: printable(finding.message),
    relatedInformation: finding.related.map(({ range, message }) => ({
      location: { uri, range: toRange(range) },
      message: printable(message),
    })),
  };
}

export function toRange({ start, end }: SourceRange): Range {
  return { start: { line: start.line, character: start.column }, end: { line: end.line, character: end.column } };
}

export function fromPosition({ line, character }: Position): { line: number; column: number } {
  return { line, column: character };
}

export function toTextEdit({ range, newText }: TextEdit): LspTextEdit {
  return { range: toRange(range), newText };
}
