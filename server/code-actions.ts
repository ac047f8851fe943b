/** Fixes for findings, a fix-all for the safe ones, and comments that suppress a finding with a reason. */
import { type CodeAction, CodeActionKind, type Diagnostic, type TextEdit as LspTextEdit, type Range } from 'vscode-languageserver/node';
import { printable } from '../analyzers/printable.ts';
import { l10n } from '../counters/spoken.ts';
import type { Finding, Fix, TextEdit } from '../protocol/finding.ts';
import { toDiagnostic, toRange, toTextEdit } from './convert.ts';
import { translated } from './finding-texts.ts';
import type { FoundData } from './run-diagnostics.ts';
import { type ProjectText, suppressions } from './suppressions.ts';

export interface CodeActionRequest {
  readonly uri: string;
  readonly range: Range;
  /** Kinds asked for; nothing means all. A kind includes its sub-kinds. */
  readonly only?: readonly string[];
  /** The client can put the cursor where text is to be replaced. */
  readonly snippets?: boolean;
  /** The lanewise.json that counts for the file, or would; undefined where it cannot be changed. */
  readonly project?: ProjectText;
  /** The client is to run the program again after a fix. */
  readonly rerun?: boolean;
  /** The client is to save a lanewise.json that an action has changed. */
  readonly saves?: boolean;
}

export const codeActionKinds = [CodeActionKind.QuickFix, `${CodeActionKind.SourceFixAll}.lanewise`];

export function codeActions(
  findings: readonly Finding[],
  text: string,
  { uri, range, only, snippets = false, project, rerun = false, saves = false }: CodeActionRequest,
): CodeAction[] {
  const asked = (kind: string) => !only || only.some((prefix) => kind === prefix || kind.startsWith(`${prefix}.`));
  const actions: CodeAction[] = [];
  if (asked(CodeActionKind.QuickFix)) {
    const here = findings.filter((finding) => finding.rule !== 'not-analysed' && touches(toRange(finding.range), range));
    const lines = text.split('\n');
    for (const finding of here) {
      const diagnostics = [toDiagnostic(finding, uri)];
      actions.push(
        ...finding.fixes.map((fix) => quickFix(fix, uri, { diagnostics, rerun })),
        ...suppressions(finding, lines, { uri, snippets, project, saves, diagnostics }),
      );
    }
  }
  const fixAll = codeActionKinds[1];
  if (asked(fixAll)) {
    const edits = safeEdits(findings);
    if (edits.length > 0)
      actions.push({ title: l10n.t('Apply all safe Lanewise fixes'), kind: fixAll, edit: { changes: { [uri]: edits } } });
  }
  return actions;
}

function quickFix(
  fix: Fix,
  uri: string,
  { diagnostics, rerun }: { readonly diagnostics: Diagnostic[]; readonly rerun: boolean },
): CodeAction {
  return {
    title: printable(translated(fix.title, fix.wording)),
    kind: CodeActionKind.QuickFix,
    diagnostics,
    isPreferred: fix.safe,
    edit: { changes: { [uri]: fix.edits.map(toTextEdit) } },
    ...(rerun && { command: { title: l10n.t('Run again'), command: 'lanewise.fixed', arguments: [uri] } }),
  };
}

/** Repairs of what a run has found, whose text is still what it was. */
export function repairActions(
  found: readonly Diagnostic[],
  { uri, range, rerun }: { readonly uri: string; readonly range: Range; readonly rerun: boolean },
): CodeAction[] {
  return found.flatMap((diagnostic) => {
    const fix = (diagnostic.data as FoundData | undefined)?.fix;
    return fix && touches(diagnostic.range, range) ? [quickFix(fix, uri, { diagnostics: [diagnostic], rerun })] : [];
  });
}

/** Edits of the safe fixes in order of position; a fix that overlaps an earlier one waits for the next round. */
function safeEdits(findings: readonly Finding[]): LspTextEdit[] {
  const taken: TextEdit[] = [];
  for (const fix of findings.flatMap((finding) => finding.fixes.filter(({ safe }) => safe).slice(0, 1))) {
    if (fix.edits.every((edit) => taken.every((other) => disjoint(edit, other)))) taken.push(...fix.edits);
  }
  return taken.map(toTextEdit).sort((a, b) => compare(a.range.start, b.range.start));
}

function disjoint(a: TextEdit, b: TextEdit): boolean {
  const first = toRange(a.range);
  const second = toRange(b.range);
  return compare(first.end, second.start) < 0 || compare(second.end, first.start) < 0;
}

function touches(a: Range, b: Range): boolean {
  return compare(a.start, b.end) <= 0 && compare(b.start, a.end) <= 0;
}

function compare(a: Range['start'], b: Range['start']): number {
  return a.line - b.line || a.character - b.character;
}
