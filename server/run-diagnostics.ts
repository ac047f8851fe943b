/**
 * What a run had to say about places in files: compile errors, warnings and faults, as diagnostics. They stay until the next run of the
 * same program and move with the text; those on an edited line go.
 */
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver/node';
import type { TextEdit } from '../protocol/finding.ts';
import type { FaultReport, ProgramDiagnostic } from '../protocol/report.ts';
import { faultOrigin } from './report-text.ts';
import { shiftLines } from './shift-lines.ts';

const severities: Readonly<Record<ProgramDiagnostic['severity'], DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
};

export interface RunDiagnostics {
  /** By URI of the file that they are about. */
  readonly byFile: ReadonlyMap<string, readonly Diagnostic[]>;
}

/** Notes belong to the error or warning before them. */
export function programDiagnostics(diagnostics: readonly ProgramDiagnostic[], program: string): RunDiagnostics {
  const byFile = new Map<string, Diagnostic[]>();
  let last: Diagnostic | undefined;
  for (const { severity, file, line, column, message } of diagnostics) {
    const uri = uriOf(file, program);
    const diagnostic = at(line, column, { severity: severities[severity], source: 'clang', message });
    if (severity === 'note' && last) {
      last.relatedInformation = [...(last.relatedInformation ?? []), { location: { uri, range: diagnostic.range }, message }];
      continue;
    }
    last = diagnostic;
    byFile.set(uri, [...(byFile.get(uri) ?? []), diagnostic]);
  }
  return { byFile };
}

export function faultDiagnostics(faults: readonly FaultReport[], program: string): RunDiagnostics {
  const byFile = new Map<string, Diagnostic[]>();
  for (const fault of faults) {
    const uri = uriOf(fault.file ?? program, program);
    const origin = faultOrigin(fault);
    const message = origin
      ? `${fault.message}
${origin}`
      : fault.message;
    const diagnostic = at(fault.line ?? 1, 0, { severity: DiagnosticSeverity.Error, source: 'lanewise', code: fault.kind, message });
    byFile.set(uri, [...(byFile.get(uri) ?? []), diagnostic]);
  }
  return { byFile };
}

export function merge(...parts: readonly RunDiagnostics[]): RunDiagnostics {
  const byFile = new Map<string, Diagnostic[]>();
  for (const part of parts) for (const [uri, list] of part.byFile) byFile.set(uri, [...(byFile.get(uri) ?? []), ...list]);
  return { byFile };
}

/** After edits to one file; without edits, all its text was replaced. */
export function afterEdits(diagnostics: RunDiagnostics, uri: string, edits: readonly TextEdit[] | undefined): RunDiagnostics {
  const list = diagnostics.byFile.get(uri);
  if (!list) return diagnostics;
  const moved = list.flatMap((diagnostic) => {
    const line = shiftLines(diagnostic.range.start.line, edits);
    if (line === undefined) return [];
    const { start, end } = diagnostic.range;
    return [{ ...diagnostic, range: { start: { line, character: start.character }, end: { line, character: end.character } } }];
  });
  return { byFile: new Map([...diagnostics.byFile, [uri, moved]]) };
}

/** Column 0: the whole line. Otherwise from the column (1-based) to the end of its line, which editors cut to the word. */
function at(line: number, column: number, rest: Omit<Diagnostic, 'range'>): Diagnostic {
  const start = { line: Math.max(0, line - 1), character: Math.max(0, column - 1) };
  const end = { line: start.line, character: column > 0 ? start.character + 1 : 10_000 };
  return { range: { start, end }, ...rest };
}

/** Reports name files by base name, compile errors by path. */
function uriOf(file: string, program: string): string {
  const path = fileURLToPath(program);
  return file === path || file === basename(path) ? program : pathToFileURL(resolve(dirname(path), file)).href;
}
