/**
 * What a run had to say about places in files: compile errors, warnings, faults and the sanitizer's findings, as diagnostics. They stay until the next run of the
 * same program and move with the text; those on an edited line go.
 */
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Diagnostic, DiagnosticSeverity, type Location, type Range } from 'vscode-languageserver/node';
import { codeSpan, printable } from '../analyzers/printable.ts';
import { repairOf } from '../analyzers/repairs.ts';
import { l10n } from '../counters/spoken.ts';
import type { Fix, TextEdit } from '../protocol/finding.ts';
import type { CompilerEdit, FaultReport, ProgramDiagnostic, SanitizerFinding, SanitizerPlace } from '../protocol/report.ts';
import { whoDid } from '../simulator/options/thread-names.ts';
import { alike } from './alike-findings.ts';
import { faultOrigin } from './report-text.ts';
import { saidOfRuns } from './run-texts.ts';
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

/** What comes with a diagnostic of the sanitizer or the compiler. */
export interface FoundData {
  /** Of the sanitizer. */
  readonly finding?: SanitizerFinding;
  /** As the text ran. */
  readonly fix: Fix | undefined;
}

/** The file that ran. */
export interface Program {
  readonly uri: string;
  /** As it ran, for ranges that fit it. */
  readonly lines: readonly string[];
  /** Of another file of the program, as that ran; nothing where it is not known. */
  linesOf?(uri: string): readonly string[] | undefined;
}

function linesIn(uri: string, program: Program): readonly string[] | undefined {
  return uri === program.uri ? program.lines : program.linesOf?.(uri);
}

/** Notes belong to the error or warning before them. */
export function programDiagnostics(diagnostics: readonly ProgramDiagnostic[], program: Program): RunDiagnostics {
  const byFile = new Map<string, Diagnostic[]>();
  let last: Diagnostic | undefined;
  for (const { severity, file, line, column, message: raw, edits } of diagnostics) {
    const message = printable(raw);
    const uri = uriOf(file, program.uri);
    const range = rangeOf(line, column, linesIn(uri, program)?.[line - 1]);
    const fix = edits && uri === program.uri ? compilersFix(edits) : undefined;
    const data = fix && ({ fix } satisfies FoundData);
    const diagnostic: Diagnostic = { range, severity: severities[severity], source: 'clang', message, ...(data && { data }) };
    if (severity === 'note' && last) {
      last.relatedInformation = [...(last.relatedInformation ?? []), { location: { uri, range }, message }];
      continue;
    }
    last = diagnostic;
    byFile.set(uri, [...(byFile.get(uri) ?? []), diagnostic]);
  }
  return { byFile };
}

/** Said by what it does: the compiler has no words for it. */
function compilersFix(edits: readonly CompilerEdit[]): Fix {
  const inserted = edits
    .map(({ text }) => text)
    .join('')
    .trim();
  const isInsertion = edits.every(({ start, end }) => start.line === end.line && start.column === end.column);
  const title =
    inserted === ''
      ? l10n.t('Remove it')
      : isInsertion
        ? l10n.t('Insert {0}', codeSpan(inserted))
        : l10n.t('Replace with {0}', codeSpan(inserted));
  const at = ({ line, column }: CompilerEdit['start']) => ({ line: line - 1, column: column - 1 });
  return {
    title,
    edits: edits.map(({ start, end, text }) => ({ range: { start: at(start), end: at(end) }, newText: text })),
    safe: false,
  };
}

export function faultDiagnostics(faults: readonly FaultReport[], program: Program): RunDiagnostics {
  const byFile = new Map<string, Diagnostic[]>();
  for (const fault of faults) {
    const uri = fault.file ? uriOf(fault.file, program.uri) : program.uri;
    const line = fault.line ?? 1;
    const range = rangeOf(line, 0, linesIn(uri, program)?.[line - 1]);
    const origin = saidOfRuns(faultOrigin(fault));
    const said = saidOfRuns(fault.message);
    const message = origin ? `${said}\n${origin}` : said;
    const diagnostic: Diagnostic = {
      range,
      severity: DiagnosticSeverity.Error,
      source: 'lanewise',
      code: fault.kind,
      message: printable(message),
    };
    byFile.set(uri, [...(byFile.get(uri) ?? []), diagnostic]);
  }
  return { byFile };
}

/**
 * At the first place that has a line; the others are linked. What several kernels of one template have there is one, with the places of all.
 */
export function sanitizerDiagnostics(findings: readonly SanitizerFinding[], program: Program): RunDiagnostics {
  const byFile = new Map<string, Diagnostic[]>();
  for (const [finding, ...others] of alike(findings)) {
    const located = [finding, ...others].flatMap(({ kernel, places }) =>
      places.map((place) => ({
        location: locationOf(place, program),
        message: printable(saidOfRuns(whoDid({ kernel, ...place }))),
      })),
    );
    const location = located[0]?.location ?? locationOf({}, program);
    const count = others.reduce((sum, other) => sum + other.count, finding.count);
    const times = count > 1 ? ` (${count.toLocaleString('en-US')} times)` : '';
    const diagnostic: Diagnostic = {
      range: location.range,
      severity: DiagnosticSeverity.Error,
      source: 'lanewise',
      code: finding.check,
      message: printable(saidOfRuns(`${finding.message}${times}`)),
      relatedInformation: located,
      data: { finding, fix: repairOf(finding, linesIn(location.uri, program) ?? []) } satisfies FoundData,
    };
    byFile.set(location.uri, [...(byFile.get(location.uri) ?? []), diagnostic]);
  }
  return { byFile };
}

function locationOf({ file, line = 1 }: Pick<SanitizerPlace, 'file' | 'line'>, program: Program): Location {
  const uri = file === undefined ? program.uri : uriOf(file, program.uri);
  return { uri, range: rangeOf(line, 0, linesIn(uri, program)?.[line - 1]) };
}

/** What several say of one place, as programs do of a header that they share, is said once. */
export function merge(...parts: readonly RunDiagnostics[]): RunDiagnostics {
  const byFile = new Map<string, Map<string, Diagnostic>>();
  for (const part of parts)
    for (const [uri, list] of part.byFile) {
      const said = byFile.get(uri) ?? new Map<string, Diagnostic>();
      byFile.set(uri, said);
      for (const diagnostic of list) {
        const { range, source, message, relatedInformation } = diagnostic;
        const key = JSON.stringify([range.start, source, message, relatedInformation]);
        if (!said.has(key)) said.set(key, diagnostic);
      }
    }
  return { byFile: new Map([...byFile].map(([uri, said]) => [uri, [...said.values()]])) };
}

/** After edits to one file; without edits, all its text was replaced. */
export function afterEdits(diagnostics: RunDiagnostics, uri: string, edits: readonly TextEdit[] | undefined): RunDiagnostics {
  const list = diagnostics.byFile.get(uri);
  if (!list) return diagnostics;
  const moved = list.flatMap((diagnostic) => {
    const line = shiftLines(diagnostic.range.start.line, edits);
    if (line === undefined) return [];
    const { start, end } = diagnostic.range;
    const { data, ...rest } = diagnostic;
    // Where the compiler's fix would be made, nobody has looked again.
    const kept = (data as FoundData | undefined)?.finding && { data };
    return [{ ...rest, ...kept, range: { start: { line, character: start.character }, end: { line, character: end.character } } }];
  });
  return { byFile: new Map([...diagnostics.byFile, [uri, moved]]) };
}

/** Both 1-based. The word at the column; the line from its first character for column 0, which is that of a fault. */
function rangeOf(line: number, column: number, text = ''): Range {
  const from = column > 0 ? column - 1 : text.search(/\S|$/);
  const to = column > 0 ? from + /^\w*/.exec(text.slice(from))![0].length : text.trimEnd().length;
  const row = Math.max(0, line - 1);
  return { start: { line: row, character: from }, end: { line: row, character: Math.max(from, to) } };
}

/** Reports name files by base name, compile errors by path. */
function uriOf(file: string, program: string): string {
  const path = fileURLToPath(program);
  return file === path || file === basename(path) ? program : pathToFileURL(resolve(dirname(path), file)).href;
}
