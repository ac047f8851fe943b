/**
 * What the commands of actions are about that were offered last: the file in which fixes were, and the lanewise.json that a rule was to be
 * turned off in. VS Code forgets the arguments of an action's command when it asks for actions anew, and an edit makes it ask: on a busy
 * machine before the command of the action that made the edit is executed.
 */
import * as vscode from 'vscode';
import type { CodeActionMiddleware } from 'vscode-languageclient/node';
import { registerCommand } from './commands.ts';

export const FIXED = 'lanewise.fixed';
const PROJECT_CHANGED = 'lanewise.projectChanged';

let offered: vscode.Uri | undefined;
let project: vscode.Uri | undefined;

export function fixedFile(): vscode.Uri | undefined {
  return offered;
}

export const provideCodeActions: CodeActionMiddleware['provideCodeActions'] = async (document, range, context, token, next) => {
  const actions = await next(document, range, context, token);
  for (const action of actions ?? []) {
    if (typeof action.command !== 'object') continue;
    const { title, command, arguments: about } = action.command;
    if (command === FIXED) offered = document.uri;
    else if (command === PROJECT_CHANGED) project = vscode.Uri.parse(String(about?.[0]));
    else continue;
    action.command = { title, command };
  }
  return actions;
};

/** Only what is saved of a lanewise.json counts. */
export function saveProjects(): vscode.Disposable {
  return registerCommand(PROJECT_CHANGED, async () => {
    const file = project?.toString();
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === file);
    await document?.save();
  });
}
