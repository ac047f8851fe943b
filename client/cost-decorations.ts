/** Counters at the ends of the lines that cost most. After an edit they turn grey, since they speak of the text that ran. */
import * as vscode from 'vscode';
import { type LanguageClient, NotificationType } from 'vscode-languageclient/node';
import type { AnnotationsParams, RunServerNotifications } from '../protocol/run.ts';

const notification = new NotificationType<RunServerNotifications['lanewise/annotations']>('lanewise/annotations');

const styles = ['plain', 'wasteful', 'stale'] as const;
type Style = (typeof styles)[number];

export class CostDecorations {
  private readonly types: Readonly<Record<Style, vscode.TextEditorDecorationType>> = {
    plain: lineEnd({ color: new vscode.ThemeColor('editorCodeLens.foreground') }),
    wasteful: lineEnd({ color: new vscode.ThemeColor('editorWarning.foreground') }, 'editorOverviewRuler.warningForeground'),
    stale: lineEnd({ color: new vscode.ThemeColor('editorGhostText.foreground'), fontStyle: 'italic' }),
  };
  private readonly shown = new Map<string, AnnotationsParams>();
  private readonly disposables: vscode.Disposable[];

  constructor(client: LanguageClient) {
    this.disposables = [
      client.onNotification(notification, (params) => {
        const uri = client.protocol2CodeConverter.asUri(params.uri);
        this.shown.set(uri.toString(), params);
        for (const editor of vscode.window.visibleTextEditors) if (editor.document.uri.toString() === uri.toString()) this.draw(editor);
      }),
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.draw(editor);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri.toString())),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables, ...Object.values(this.types)).dispose();
  }

  private draw(editor: vscode.TextEditor): void {
    const shown = this.shown.get(editor.document.uri.toString());
    // The text has moved on: the server will say where the lines are now, and until then the editor moves what it shows by itself.
    if (shown && shown.version !== editor.document.version) return;
    const options: Record<Style, vscode.DecorationOptions[]> = { plain: [], wasteful: [], stale: [] };
    for (const { line, text, details, wasteful } of shown?.annotations ?? []) {
      if (line >= editor.document.lineCount) continue;
      const { end } = editor.document.lineAt(line).range;
      const style = shown?.stale ? 'stale' : wasteful ? 'wasteful' : 'plain';
      options[style].push({
        range: new vscode.Range(end, end),
        hoverMessage: new vscode.MarkdownString(details),
        renderOptions: { after: { contentText: text } },
      });
    }
    for (const style of styles) editor.setDecorations(this.types[style], options[style]);
  }
}

function lineEnd(after: vscode.ThemableDecorationAttachmentRenderOptions, rulerColor?: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    after: { margin: '0 0 0 3em', ...after },
    rangeBehavior: vscode.DecorationRangeBehavior.OpenOpen,
    ...(rulerColor && { overviewRulerColor: new vscode.ThemeColor(rulerColor), overviewRulerLane: vscode.OverviewRulerLane.Right }),
  });
}
