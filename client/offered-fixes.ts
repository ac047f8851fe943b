/**
 * In which file fixes were offered last. VS Code forgets the arguments of an action's command when it asks for actions anew, and an edit makes
 * it ask: on a busy machine before the command of the action that made the edit is executed.
 */
import type * as vscode from 'vscode';
import type { CodeActionMiddleware } from 'vscode-languageclient/node';

export const FIXED = 'lanewise.fixed';

let offered: vscode.Uri | undefined;

export function fixedFile(): vscode.Uri | undefined {
  return offered;
}

export const provideCodeActions: CodeActionMiddleware['provideCodeActions'] = async (document, range, context, token, next) => {
  const actions = await next(document, range, context, token);
  for (const action of actions ?? []) {
    if (typeof action.command !== 'object' || action.command.command !== FIXED) continue;
    offered = document.uri;
    action.command = { title: action.command.title, command: FIXED };
  }
  return actions;
};
