/** "Keep Counters as Budget": writes what the last run counted into the program, as comments that later runs are held to. */
import * as vscode from 'vscode';
import { type LanguageClient, RequestType } from 'vscode-languageclient/node';
import { expectationsFor } from '../counters/expectations.ts';
import { unqualifiedName } from '../counters/kernel-names.ts';
import type { ReportParams, ReportView } from '../protocol/report-view.ts';
import { registerCommand } from './commands.ts';

const reportRequest = new RequestType<ReportParams, ReportView | null, void>('lanewise/report');

export function keepCounters(client: LanguageClient): vscode.Disposable {
  return registerCommand('lanewise.keepCounters', async (target?: unknown) => {
    const uri = typeof target === 'string' ? vscode.Uri.parse(target) : vscode.window.activeTextEditor?.document.uri;
    if (!uri) return;
    const document = await vscode.workspace.openTextDocument(uri);
    await client.start();
    const view = await client.sendRequest(reportRequest, { uri: client.code2ProtocolConverter.asUri(uri) });
    if (!view || view.stale) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Run the program first: its budget is what it counts as it stands.'));
      return;
    }
    const { kernels } = view.report;
    const names = [...new Set(kernels.map(({ kernel }) => unqualifiedName(kernel)))];
    const lines = names.flatMap((name) =>
      expectationsFor(
        kernels.filter(({ kernel }) => unqualifiedName(kernel) === name),
        name,
      ),
    );
    const edit = new vscode.WorkspaceEdit();
    const before = [...document.getText().matchAll(/^[ \t]*\/\/\s*lanewise:\s*expect\b.*\n?/gm)];
    for (const { index, 0: text } of before)
      edit.delete(uri, new vscode.Range(document.positionAt(index), document.positionAt(index + text.length)));
    const main = /^.*\bmain\s*\(/m.exec(document.getText());
    edit.insert(uri, document.positionAt(before[0]?.index ?? main?.index ?? 0), `${lines.join('\n')}\n`);
    await vscode.workspace.applyEdit(edit);
    await document.save();
  });
}
