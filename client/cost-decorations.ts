/** What a run counted, beside the lines: bars in the gutter, counters at line ends. Grey while the program is not as it ran. */
import * as vscode from 'vscode';
import { type LanguageClient, NotificationType } from 'vscode-languageclient/node';
import { isOverall, LINE_METRICS, type LineMetric, lineMetric } from '../counters/line-metrics.ts';
import { spoken } from '../counters/spoken.ts';
import type { AnnotationsParams, LineAnnotation, RunServerNotifications } from '../protocol/run.ts';
import { registerCommand } from './commands.ts';
import { heatBars, LEVELS } from './heat-bars.ts';
import { CHANGED, columnsOf, lastColumnOf, placed } from './line-ends.ts';

const notification = new NotificationType<RunServerNotifications['lanewise/annotations']>('lanewise/annotations');

const styles = ['plain', 'wasteful', 'stale'] as const;
type Style = (typeof styles)[number];

/** As many lines have text at their ends; the others have their bars. */
const MOST_TEXTS = 12;

export class CostDecorations {
  private readonly types: Readonly<Record<Style, vscode.TextEditorDecorationType>> = {
    plain: lineEnd({ color: new vscode.ThemeColor('lanewise.counters') }),
    wasteful: lineEnd({ color: new vscode.ThemeColor('lanewise.wastefulCounters') }, 'editorOverviewRuler.warningForeground'),
    stale: lineEnd({ color: new vscode.ThemeColor('lanewise.counters'), fontStyle: 'italic' }),
  };
  private readonly bars = heatBars();
  private readonly shown = new Map<string, AnnotationsParams>();
  private readonly disposables: vscode.Disposable[];
  /** The setting is being written. */
  private picked: Thenable<void> = Promise.resolve();

  constructor(client: LanguageClient) {
    this.disposables = [
      client.onNotification(notification, (params) => {
        const uri = client.protocol2CodeConverter.asUri(params.uri);
        this.shown.set(uri.toString(), params);
        for (const editor of vscode.window.visibleTextEditors) if (editor.document.uri.toString() === uri.toString()) this.draw(editor);
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.drawAll()),
      vscode.window.tabGroups.onDidChangeTabGroups(({ opened, closed }) => opened.length + closed.length > 0 && this.drawAll()),
      vscode.workspace.onDidChangeConfiguration((event) => affectsLines(event) && this.drawAll()),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri.toString())),
      registerCommand('lanewise.pickMetric', async () => {
        const id = await pickMetric();
        if (id === undefined) return;
        this.picked = vscode.workspace.getConfiguration('lanewise').update('lines.metric', id, vscode.ConfigurationTarget.Global);
        await this.picked;
      }),
      registerCommand('lanewise.showLines', () => this.showLines()),
    ];
  }

  dispose(): void {
    const bars = [...this.bars.fresh, ...this.bars.stale];
    vscode.Disposable.from(...this.disposables, ...Object.values(this.types), ...bars).dispose();
  }

  private drawAll(): void {
    for (const editor of vscode.window.visibleTextEditors) this.draw(editor);
  }

  private draw(editor: vscode.TextEditor): void {
    const { document } = editor;
    const shown = this.shown.get(document.uri.toString());
    // The text has moved on: the server will say where the lines are now, and until then the editor moves what it shows by itself.
    if (shown && shown.version !== document.version) return;
    const lines = (shown?.annotations ?? []).filter(({ line }) => line < document.lineCount);
    const metric = metricOf(document.uri, lines);
    this.drawBars(editor, lines, { metric, stale: shown?.stale ?? false });
    this.drawTexts(editor, lines, { metric, stale: shown?.stale ?? false });
  }

  private drawBars(editor: vscode.TextEditor, lines: readonly LineAnnotation[], { metric, stale }: Drawing): void {
    const most = Math.max(0, ...lines.map((line) => metric.amount(line)));
    const ranges = Array.from({ length: LEVELS }, (): vscode.Range[] => []);
    for (const line of lines) {
      const amount = metric.amount(line);
      if (amount > 0) ranges[Math.min(LEVELS, Math.ceil((LEVELS * amount) / most)) - 1].push(new vscode.Range(line.line, 0, line.line, 0));
    }
    for (const [level, type] of this.bars.fresh.entries()) editor.setDecorations(type, stale ? [] : ranges[level]);
    for (const [level, type] of this.bars.stale.entries()) editor.setDecorations(type, stale ? ranges[level] : []);
  }

  private drawTexts(editor: vscode.TextEditor, lines: readonly LineAnnotation[], { metric, stale }: Drawing): void {
    const { document } = editor;
    const lastColumn = vscode.workspace.getConfiguration('lanewise', document.uri).get<number>('lines.lastColumn', 100);
    const tabSize = typeof editor.options.tabSize === 'number' ? editor.options.tabSize : 4;
    const options: Record<Style, vscode.DecorationOptions[]> = { plain: [], wasteful: [], stale: [] };
    // Inlay hints say the same.
    const hinted = vscode.workspace.getConfiguration('lanewise', document.uri).get<boolean>('inlayHints') === true;
    const texts = hinted && isOverall(metric) ? [] : textsOf(lines, metric);
    const columns = (line: number) => columnsOf(document.lineAt(line).text, tabSize);
    // A share of the instructions without its words could be one of anything; where the user has picked what to see, it is one of that.
    const isKnown = ({ text, wasteful }: LineText) => wasteful || text.includes(CHANGED) || !isOverall(metric);
    const placeable = texts.map((each) => ({ line: each.line, text: each.text, isKnown: isKnown(each) }));
    const places = placed(placeable, columns, lastColumnOf(lastColumn, vscode.window.tabGroups.all.length));
    for (const { line, details, wasteful } of texts) {
      const place = places.get(line);
      const hoverMessage = new vscode.MarkdownString(details);
      const shown = options[stale ? 'stale' : wasteful ? 'wasteful' : 'plain'];
      if (place) {
        const { end } = document.lineAt(place.at).range;
        shown.push({ range: new vscode.Range(end, end), hoverMessage, renderOptions: { after: { contentText: place.text } } });
      }
      // Whose text stands elsewhere shows its counters wherever the mouse rests on it.
      if (place?.at !== line) shown.push({ range: document.lineAt(line).range, hoverMessage });
    }
    for (const style of styles) editor.setDecorations(this.types[style], options[style]);
  }

  /** All counted lines of the file in front, those with most of the metric first; who chooses one goes there. */
  private async showLines(): Promise<void> {
    await this.picked;
    const editor = vscode.window.activeTextEditor;
    const shown = editor && this.shown.get(editor.document.uri.toString());
    if (!editor || !shown || shown.annotations.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No run has counted anything in this file: run the program first.'));
      return;
    }
    const metric = metricOf(editor.document.uri, shown.annotations);
    const lines = shown.annotations.filter((line) => metric.amount(line) > 0 && line.line < editor.document.lineCount);
    const items = lines
      .sort((a, b) => metric.amount(b) - metric.amount(a))
      .map((line) => ({ line, number: metric.text(line) }))
      .map(({ line, number }) => ({
        label: `${line.line + 1}: ${number}`,
        description: line.text
          .split(' · ')
          .filter((part) => part !== number)
          .join(' · '),
        detail: editor.document.lineAt(line.line).text.trim(),
        line: line.line,
      }));
    const reveal = (line: number) => {
      const at = new vscode.Range(line, 0, line, 0);
      editor.selection = new vscode.Selection(at.start, at.start);
      editor.revealRange(at, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    };
    const chosen = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Counted Lines by {0}', spoken(metric.title)),
      matchOnDetail: true,
      onDidSelectItem: (item) => typeof item !== 'string' && reveal((item as (typeof items)[number]).line),
    });
    if (chosen) reveal(chosen.line);
  }
}

interface Drawing {
  readonly metric: LineMetric;
  readonly stale: boolean;
}

interface LineText extends Pick<LineAnnotation, 'line' | 'text' | 'details' | 'wasteful'> {}

/** What stands at line ends: of the costliest lines all that is remarkable, of another metric's its number. */
function textsOf(lines: readonly LineAnnotation[], metric: LineMetric): LineText[] {
  if (isOverall(metric)) return lines.filter(({ costly }) => costly);
  return lines
    .filter((line) => metric.amount(line) > 0)
    .sort((a, b) => metric.amount(b) - metric.amount(a))
    .slice(0, MOST_TEXTS)
    .map((line) => ({ ...line, text: metric.text(line) }));
}

function affectsLines(event: vscode.ConfigurationChangeEvent): boolean {
  return event.affectsConfiguration('lanewise.lines') || event.affectsConfiguration('lanewise.inlayHints');
}

function metricOf(uri: vscode.Uri, lines: readonly LineAnnotation[]): LineMetric {
  return lineMetric(vscode.workspace.getConfiguration('lanewise', uri).get<string>('lines.metric'), lines);
}

async function pickMetric(): Promise<string | undefined> {
  const current = vscode.workspace.getConfiguration('lanewise', vscode.window.activeTextEditor?.document.uri).get<string>('lines.metric');
  const items = LINE_METRICS.map(({ id, title, means }) => ({
    label: spoken(title),
    description: id === current ? vscode.l10n.t('shown now') : undefined,
    detail: spoken(means),
    id,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('What to Show beside the Lines') });
  return chosen?.id;
}

function lineEnd(after: vscode.ThemableDecorationAttachmentRenderOptions, rulerColor?: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    after: { margin: '0 0 0 3em', ...after },
    rangeBehavior: vscode.DecorationRangeBehavior.OpenOpen,
    ...(rulerColor && { overviewRulerColor: new vscode.ThemeColor(rulerColor), overviewRulerLane: vscode.OverviewRulerLane.Right }),
  });
}
