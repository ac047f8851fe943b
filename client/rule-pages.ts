/** The pages of docs/rules, rendered. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { registerCommand } from './commands.ts';

/** `folder`: that of the extension. */
export function showRules(folder: string): vscode.Disposable {
  return registerCommand('lanewise.showRule', async (rule?: unknown) => {
    const name = typeof rule === 'string' ? rule : await pickRule(folder);
    if (name === undefined || !/^[a-z0-9-]+$/.test(name)) return;
    await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.file(join(folder, 'dist/rules', `${name}.md`)));
  });
}

async function pickRule(folder: string): Promise<string | undefined> {
  const files = await vscode.workspace.fs.readDirectory(vscode.Uri.file(join(folder, 'dist/rules')));
  const rules = files.map(([name]) => name.replace(/\.md$/, '')).sort();
  return vscode.window.showQuickPick(rules, { title: vscode.l10n.t('Rules') });
}
