/**
 * The extension's entry. The editor waits for an activation, so it does nothing but make the commands known: all else is a bundle of its own,
 * loaded right after.
 */
import * as vscode from 'vscode';
import type * as Main from './main.ts';

/** Commands that no menu shows. */
const HIDDEN = ['lanewise.fixed', 'lanewise.projectChanged'];

let main: typeof Main | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const load = (): typeof Main => {
    if (!main) {
      main = require(context.asAbsolutePath('dist/client.cjs')) as typeof Main;
      main.start(context);
    }
    return main;
  };
  const { commands } = context.extension.packageJSON.contributes as { readonly commands: readonly { readonly command: string }[] };
  for (const name of [...commands.map(({ command }) => command), ...HIDDEN]) {
    context.subscriptions.push(vscode.commands.registerCommand(name, (...args: unknown[]) => load().executeCommand(name, args)));
  }
  const soon = setTimeout(load, 0);
  context.subscriptions.push({ dispose: () => clearTimeout(soon) });
}

export async function deactivate(): Promise<void> {
  await main?.stop();
}
