/** Between the protocol's words and ours: `character` and `column`, severities, diagnostics. */
import {
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  type TextEdit as LspTextEdit,
  type Position,
  type Range,
  SymbolKind,
} from 'vscode-languageserver/node';
import { printable } from '../analyzers/printable.ts';
import { relatedPlaces } from '../analyzers/related-places.ts';
import type { Finding, Severity, SourceRange, SourceSymbol, TextEdit } from '../protocol/finding.ts';
import { translated } from './finding-texts.ts';

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
    message: printable(translated(finding.message, finding.wording)),
    relatedInformation: relatedPlaces(finding).map(({ range, message, wording }) => ({
      location: { uri, range: toRange(range) },
      message: printable(translated(message, wording)),
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

const symbolKinds: Readonly<Record<SourceSymbol['kind'], SymbolKind>> = {
  kernel: SymbolKind.Function,
  function: SymbolKind.Function,
  method: SymbolKind.Method,
  type: SymbolKind.Struct,
  enum: SymbolKind.Enum,
  field: SymbolKind.Field,
  variable: SymbolKind.Variable,
  constant: SymbolKind.Constant,
};

export function toDocumentSymbol({ name, kind, detail, range, nameRange, children }: SourceSymbol): DocumentSymbol {
  return {
    name,
    kind: symbolKinds[kind],
    detail,
    range: toRange(range),
    selectionRange: toRange(nameRange),
    children: children.map(toDocumentSymbol),
  };
}
