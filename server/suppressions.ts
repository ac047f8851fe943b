/** Actions that turn a rule off: at a line or in a file by a comment, whose reason the cursor waits for, and in a project by its lanewise.json. */
import { type CodeAction, CodeActionKind, type Diagnostic, type WorkspaceEdit } from 'vscode-languageserver/node';
import { l10n } from '../counters/spoken.ts';
import type { Finding } from '../protocol/finding.ts';

export interface ProjectText {
  readonly uri: string;
  /** Undefined where there is no such file yet. */
  readonly text: string | undefined;
}

interface Suppressing {
  readonly uri: string;
  readonly snippets: boolean;
  readonly project: ProjectText | undefined;
  /** The client saves a lanewise.json that an action has changed: until then nothing follows from it. */
  readonly saves: boolean;
  readonly diagnostics: Diagnostic[];
}

export function suppressions(finding: Finding, lines: readonly string[], { project, saves, ...parts }: Suppressing): CodeAction[] {
  const { rule } = finding;
  const { line } = finding.range.start;
  const indent = /^[ \t]*/.exec(lines[line] ?? '')![0];
  const action = (title: string, edit: WorkspaceEdit): CodeAction => ({
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: parts.diagnostics,
    edit,
  });
  const lineEnd = lines[line]?.endsWith('\r') ? '\r\n' : '\n';
  return [
    action(
      l10n.t('Suppress {0} here, with a reason', rule),
      comment(`${indent}// lanewise: allow(${rule}) reason: `, { ...parts, line, lineEnd }),
    ),
    action(
      l10n.t('Suppress {0} in this file, with a reason', rule),
      comment(`// lanewise: allow-file(${rule}) reason: `, { ...parts, line: 0, lineEnd }),
    ),
    ...(project
      ? [
          {
            ...action(l10n.t('Turn {0} off in lanewise.json', rule), turnedOff(rule, project)),
            ...(saves && { command: { title: l10n.t('Save'), command: 'lanewise.projectChanged', arguments: [project.uri] } }),
          },
        ]
      : []),
  ];
}

interface Commenting extends Omit<Suppressing, 'project' | 'saves'> {
  readonly line: number;
  readonly lineEnd: string;
}

/** On a line of its own. It counts once a reason stands in it: where the client can, the cursor is there. */
function comment(text: string, { uri, snippets, line, lineEnd }: Commenting): WorkspaceEdit {
  const position = { line, character: 0 };
  const range = { start: position, end: position };
  if (!snippets) return { changes: { [uri]: [{ range, newText: `${text}${lineEnd}` }] } };
  const edits = [{ range, snippet: { kind: 'snippet' as const, value: `${text}$0${lineEnd}` } }];
  return { documentChanges: [{ textDocument: { uri, version: null }, edits }] };
}

function turnedOff(rule: string, { uri, text }: ProjectText): WorkspaceEdit {
  const entry = `"${rule}": "off"`;
  const insert = (line: number, character: number, newText: string) => {
    const position = { line, character };
    return { textDocument: { uri, version: null }, edits: [{ range: { start: position, end: position }, newText }] };
  };
  if (text === undefined)
    return {
      documentChanges: [
        { kind: 'create', uri, options: { ignoreIfExists: true } },
        insert(0, 0, `{\n  "rules": {\n    ${entry}\n  }\n}\n`),
      ],
    };
  const rules = /"rules"\s*:\s*\{/.exec(text);
  const brace = rules ?? /\{/.exec(text);
  const end = brace ? brace.index + brace[0].length : 0;
  const before = text.slice(0, end).split('\n');
  const isEmpty = /^\s*\}/.test(text.slice(end));
  const indent = rules ? '    ' : '  ';
  const added = `\n${indent}${rules ? entry : `"rules": { ${entry} }`}${isEmpty ? `\n${indent.slice(2)}` : ','}`;
  return { documentChanges: [insert(before.length - 1, before.at(-1)!.length, added)] };
}
