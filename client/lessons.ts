/** The course: lessons as a tree, the student's copies of their programs, and what the simulator says of each step. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { differences } from '../counters/differences.ts';
import { judgeFix, judgePrediction, type LessonRun } from '../counters/lessons.ts';
import type { FixStep, Lesson, LessonStep, PredictStep, Texts } from '../protocol/lesson.ts';
import type { RunOutcome } from '../protocol/run.ts';
import { registerCommand } from './commands.ts';
import type { HarnessRunner } from './harness-tests.ts';

interface StepNode {
  readonly lesson: Lesson;
  readonly step: LessonStep;
}
type Node = Lesson | StepNode;

export class Lessons implements vscode.TreeDataProvider<Node> {
  private readonly context: vscode.ExtensionContext;
  private readonly runner: HarnessRunner;
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private known: Promise<readonly Lesson[]> | undefined;
  /** Runs of the lessons' own programs, by lesson. */
  private readonly originals = new Map<string, LessonRun>();
  private readonly disposables: vscode.Disposable[];

  constructor(context: vscode.ExtensionContext, runner: HarnessRunner) {
    this.context = context;
    this.runner = runner;
    this.disposables = [
      this.changed,
      vscode.window.registerTreeDataProvider('lanewise.lessons', this),
      registerCommand('lanewise.openLesson', (target?: unknown) => this.open(target)),
      registerCommand('lanewise.lessonStep', (node?: StepNode) => node && this.check(node)),
      registerCommand('lanewise.resetLesson', (lesson?: Lesson) => lesson && this.reset(lesson)),
    ];
  }

  dispose(): void {
    vscode.Disposable.from(...this.disposables).dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (!node) return [...(await this.all())];
    return 'step' in node ? [] : node.steps.map((step) => ({ lesson: node, step }));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if ('step' in node) {
      const { lesson, step } = node;
      const item = new vscode.TreeItem(step.kind === 'predict' ? vscode.l10n.t('Predict') : vscode.l10n.t('Fix'));
      item.description = plain(text(step.text));
      item.tooltip = new vscode.MarkdownString(text(step.text));
      item.iconPath = icon(this.isDone(lesson, step));
      item.contextValue = 'step';
      item.command = { title: 'Check', command: 'lanewise.lessonStep', arguments: [node] };
      return item;
    }
    const done = node.steps.filter((step) => this.isDone(node, step)).length;
    const item = new vscode.TreeItem(`${node.order}. ${text(node.title)}`, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = vscode.l10n.t('{0} of {1} steps', done, node.steps.length);
    item.tooltip = new vscode.MarkdownString(text(node.text));
    item.iconPath = icon(done === node.steps.length);
    item.contextValue = 'lesson';
    item.command = { title: 'Open', command: 'lanewise.openLesson', arguments: [node.id] };
    return item;
  }

  private all(): Promise<readonly Lesson[]> {
    this.known ??= this.read();
    return this.known;
  }

  private async read(): Promise<readonly Lesson[]> {
    const folder = this.inPackage();
    const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
    const lessons = await Promise.all(
      names.map(async (name) => JSON.parse(await readText(vscode.Uri.joinPath(folder, name, 'lesson.json'))) as Lesson),
    );
    return lessons.sort((a, b) => a.order - b.order);
  }

  private inPackage(...path: string[]): vscode.Uri {
    return vscode.Uri.file(join(this.context.extensionPath, 'dist/lessons', ...path));
  }

  /** The student's copy, and a copy of the program as it was. */
  private programs({ id, program }: Lesson): { readonly own: vscode.Uri; readonly original: vscode.Uri } {
    const folder = vscode.Uri.joinPath(this.context.globalStorageUri, 'lessons', id);
    return { own: vscode.Uri.joinPath(folder, program), original: vscode.Uri.joinPath(folder, 'original', program) };
  }

  private async open(target: unknown): Promise<void> {
    const lessons = await this.all();
    const lesson = lessons.find(({ id }) => id === target) ?? (await chooseLesson(lessons));
    if (!lesson) return;
    const { own, original } = this.programs(lesson);
    const program = await vscode.workspace.fs.readFile(this.inPackage(lesson.id, lesson.program));
    await vscode.workspace.fs.writeFile(original, program);
    if (!(await exists(own))) await vscode.workspace.fs.writeFile(own, program);
    const page = vscode.Uri.joinPath(own, '../lesson.md');
    await vscode.workspace.fs.writeFile(page, Buffer.from(pageOf(lesson)));
    await vscode.window.showTextDocument(own, { viewColumn: vscode.ViewColumn.One });
    await vscode.commands.executeCommand('markdown.showPreviewToSide', page);
    await vscode.commands.executeCommand('setContext', 'lanewise.active', true);
    await vscode.commands.executeCommand('lanewise.lessons.focus');
  }

  private async reset(lesson: Lesson): Promise<void> {
    for (const step of lesson.steps) await this.context.globalState.update(key(lesson, step), undefined);
    const { own } = this.programs(lesson);
    await vscode.workspace.fs.writeFile(own, await vscode.workspace.fs.readFile(this.inPackage(lesson.id, lesson.program)));
    this.changed.fire();
    await this.open(lesson.id);
  }

  private async check({ lesson, step }: StepNode): Promise<void> {
    const { own, original } = this.programs(lesson);
    if (!(await exists(own)) || !(await exists(original))) await this.open(lesson.id);
    await (step.kind === 'predict' ? this.checkPrediction(lesson, step) : this.checkFix(lesson, step));
  }

  private async checkPrediction(lesson: Lesson, step: PredictStep): Promise<void> {
    const answer = await vscode.window.showInputBox({
      title: text(lesson.title),
      prompt: plain(text(step.text)),
      placeHolder: step.figure,
      ignoreFocusOut: true,
      validateInput: (value) => (value.trim() === '' || Number.isNaN(Number(value)) ? vscode.l10n.t('A number') : undefined),
    });
    if (answer === undefined) return;
    const run = await this.original(lesson);
    if (!run) return;
    const { right, simulated } = judgePrediction(step, Number(answer), run);
    const found = typeof simulated === 'number' ? String(Number(simulated.toFixed(2))) : simulated;
    await this.done(lesson, step, typeof simulated === 'number');
    const message = right
      ? vscode.l10n.t('Right. {0}: {1} {2} (simulated).', step.kernel, found, step.figure)
      : vscode.l10n.t('You said {0}. {1}: {2} {3} (simulated).', answer, step.kernel, found, step.figure);
    void vscode.window.showInformationMessage(message);
  }

  private async checkFix(lesson: Lesson, step: FixStep): Promise<void> {
    const { own } = this.programs(lesson);
    const original = await this.original(lesson);
    const run = original && (await this.run(own));
    if (!run) return;
    const checks = judgeFix(step, run, original);
    const broken = checks.find(({ kept }) => !kept);
    await this.done(lesson, step, !broken);
    if (!broken) {
      const better = differences(original.kernels, run.kernels).join('; ');
      void vscode.window.showInformationMessage(better ? vscode.l10n.t('Done. {0}', better) : vscode.l10n.t('Done.'));
      return;
    }
    const solution = vscode.l10n.t('Compare with a Solution');
    const chosen = await vscode.window.showWarningMessage(vscode.l10n.t('Not yet: {0}; found: {1}', broken.text, broken.found), solution);
    if (chosen !== solution) return;
    await vscode.commands.executeCommand('vscode.diff', own, this.inPackage(lesson.id, step.solution), text(lesson.title));
  }

  private async original(lesson: Lesson): Promise<LessonRun | undefined> {
    const known = this.originals.get(lesson.id) ?? (await this.run(this.programs(lesson).original));
    if (known) this.originals.set(lesson.id, known);
    return known;
  }

  private async run(program: vscode.Uri): Promise<LessonRun | undefined> {
    let output = '';
    const write = (printed: string) => {
      output += printed;
    };
    const options = { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Running in the simulator'), cancellable: true };
    const outcome = await vscode.window.withProgress(options, (_, token) => this.runner.run(program, write, token));
    if (outcome?.kind === 'finished') return { ...outcome.report, output };
    const problem = outcome && problemOf(outcome);
    if (problem !== undefined) void vscode.window.showWarningMessage(problem);
    return undefined;
  }

  private isDone(lesson: Lesson, step: LessonStep): boolean {
    return this.context.globalState.get(key(lesson, step)) === true;
  }

  private async done(lesson: Lesson, step: LessonStep, isDone: boolean): Promise<void> {
    if (isDone) await this.context.globalState.update(key(lesson, step), true);
    this.changed.fire();
  }
}

function problemOf(outcome: Exclude<RunOutcome, { readonly kind: 'finished' }>): string | undefined {
  switch (outcome.kind) {
    case 'compile-error': {
      const first = outcome.diagnostics.find(({ severity }) => severity === 'error');
      return first && vscode.l10n.t('The program does not compile, line {0}: {1}', first.line, first.message);
    }
    case 'refused':
      return outcome.message;
    case 'cancelled':
      return undefined;
  }
}

async function chooseLesson(lessons: readonly Lesson[]): Promise<Lesson | undefined> {
  const items = lessons.map((lesson) => ({ label: `${lesson.order}. ${text(lesson.title)}`, detail: plain(text(lesson.text)), lesson }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Lessons') }))?.lesson;
}

function pageOf(lesson: Lesson): string {
  const steps = lesson.steps.map(
    (step, index) => `${index + 1}. **${step.kind === 'predict' ? vscode.l10n.t('Predict') : vscode.l10n.t('Fix')}.** ${text(step.text)}`,
  );
  const how = vscode.l10n.t('Click a step in the view "CUDA Lessons" to have it judged by the simulator.');
  return [`# ${text(lesson.title)}`, text(lesson.text), steps.join('\n'), how, ''].join('\n\n');
}

/** In the editor's language. */
function text(texts: Texts): string {
  const { language } = vscode.env;
  return texts[language] ?? texts[language.split('-')[0]] ?? texts.en;
}

function plain(markdown: string): string {
  return markdown.replaceAll('`', '');
}

function icon(isDone: boolean): vscode.ThemeIcon {
  return isDone
    ? new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed'))
    : new vscode.ThemeIcon('circle-large-outline');
}

function key(lesson: Lesson, step: LessonStep): string {
  return `lesson ${lesson.id} ${step.id}`;
}

async function readText(uri: vscode.Uri): Promise<string> {
  return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
}

function exists(uri: vscode.Uri): Thenable<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
