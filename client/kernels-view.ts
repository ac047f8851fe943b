/** A tree of the last run's kernels, their launches and counters, under the names that Nsight Compute gives them. A click on a kernel goes to it. */

import * as vscode from 'vscode';
import { metricWords } from '../counters/counters.ts';
import { duration } from '../counters/durations.ts';
import { grouped } from '../counters/grouped.ts';
import { plainName, unqualifiedName } from '../counters/kernel-names.ts';
import type { KernelReport, Report } from '../protocol/report.ts';
import { registerCommand } from './commands.ts';
import { fileNamed, type ProgramFiles } from './program-output.ts';

interface KernelNode {
  readonly kind: 'kernel';
  /** Demangled signature. */
  readonly kernel: string;
  readonly launches: readonly KernelReport[];
}
type Node =
  | KernelNode
  | { readonly kind: 'launch'; readonly launch: KernelReport }
  | { readonly kind: 'metric'; readonly name: string; readonly value: number };

type Shown = Pick<Report, 'program' | 'kernels' | 'lines'>;

export class KernelsView implements vscode.TreeDataProvider<Node> {
  private report: Shown | undefined;
  /** Of the report, in the order of their first launches. */
  private kernels: readonly KernelNode[] = [];
  private files: ProgramFiles | undefined;
  /** In lower case. */
  private filter = '';
  private readonly changed = new vscode.EventEmitter<void>();
  /** Before the view, which subscribes when it is created. */
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view = vscode.window.createTreeView('lanewise.kernels', { treeDataProvider: this, showCollapseAll: true });
  private readonly commands = [
    registerCommand('lanewise.showKernel', (node?: Node) => node?.kind === 'kernel' && this.open(node)),
    registerCommand('lanewise.filterKernels', () => this.askForFilter()),
  ];

  dispose(): void {
    vscode.Disposable.from(this.view, this.changed, ...this.commands).dispose();
  }

  show(report: Shown, files: ProgramFiles): void {
    this.report = report;
    this.kernels = kernelsOf(report);
    this.files = files;
    this.view.description = report.program;
    this.tell();
    void vscode.commands.executeCommand('setContext', 'lanewise.hasRun', true);
    this.changed.fire();
  }

  getChildren(node?: Node): Node[] {
    switch (node?.kind) {
      case undefined:
        return this.kernels.filter((kernel) => this.isNamed(kernel) || this.metrics(kernel.launches[0], kernel).length > 0);
      case 'kernel':
        return node.launches.length > 1
          ? node.launches.map((launch) => ({ kind: 'launch', launch }))
          : this.metrics(node.launches[0], node);
      case 'launch':
        return this.metrics(node.launch, this.kernels.find(({ kernel }) => kernel === node.launch.kernel)!);
      case 'metric':
        return [];
    }
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'kernel':
        return this.kernelItem(node);
      case 'launch': {
        const item = new vscode.TreeItem(shapeOf(node.launch), vscode.TreeItemCollapsibleState.Collapsed);
        item.tooltip = shapeOf(node.launch);
        item.iconPath = new vscode.ThemeIcon('play-circle');
        return item;
      }
      case 'metric': {
        // The value and words first: a narrow side bar cuts the long names, whose beginnings are alike.
        const item = new vscode.TreeItem(grouped(node.value));
        const words = metricWords(node.name);
        item.description = words === node.name ? words : `${words} · ${node.name}`;
        item.tooltip = `${node.name} = ${item.label}`;
        return item;
      }
    }
  }

  private kernelItem(node: KernelNode): vscode.TreeItem {
    const { kernel, launches } = node;
    const item = new vscode.TreeItem(plainName(kernel), vscode.TreeItemCollapsibleState.Collapsed);
    const shown = launches.length === 1 ? shapeOf(launches[0]) : vscode.l10n.t('{0} launches', grouped(launches.length));
    const nanoseconds = launches.reduce((sum, { estimate }) => sum + (estimate?.ns ?? Number.NaN), 0);
    const time = nanoseconds > 0 ? [vscode.l10n.t('{0} (estimated)', duration(nanoseconds))] : [];
    // What a narrow side bar cuts, its tooltip has.
    item.description = [...time, shown].join(' · ');
    item.iconPath = new vscode.ThemeIcon('circuit-board');
    item.tooltip = [kernel, shown, ...time].join('\n');
    item.contextValue = 'kernel';
    item.command = { title: vscode.l10n.t('Go to Kernel'), command: 'lanewise.showKernel', arguments: [node] };
    return item;
  }

  private isNamed({ kernel }: KernelNode): boolean {
    return kernel.toLowerCase().includes(this.filter);
  }

  /** Those that are not zero: all of a kernel that the filter names, else those that it names. */
  private metrics({ metrics }: KernelReport, of: KernelNode): Node[] {
    const isShown = (name: string) => this.isNamed(of) || `${metricWords(name)} ${name}`.toLowerCase().includes(this.filter);
    const counted = Object.entries(metrics).filter(([name, value]) => value !== 0 && isShown(name));
    return counted.map(([name, value]) => ({ kind: 'metric', name, value }));
  }

  private async askForFilter(): Promise<void> {
    const filter = await vscode.window.showInputBox({
      title: vscode.l10n.t('Filter Kernels and Counters'),
      prompt: vscode.l10n.t('Part of a kernel’s or a counter’s name. Nothing shows all.'),
      value: this.filter,
    });
    if (filter === undefined) return;
    this.filter = filter.trim().toLowerCase();
    this.tell();
    this.changed.fire();
  }

  /** Why there is less than somebody may look for. */
  private tell(): void {
    const isEmpty = this.report?.kernels.length === 0;
    const filtered = this.filter === '' ? undefined : vscode.l10n.t('Filter: {0}', this.filter);
    this.view.message = isEmpty ? vscode.l10n.t('No kernel was launched.') : filtered;
  }

  /** Where it is defined, by its name; else the first of its lines that were counted. */
  private async open({ kernel }: KernelNode): Promise<void> {
    const places = Object.keys(this.report?.lines[kernel] ?? {}).map((place) => {
      const colon = place.lastIndexOf(':');
      return { file: place.slice(0, colon), line: Number(place.slice(colon + 1)) };
    });
    const [first] = places.sort((a, b) => a.line - b.line);
    const names = [...new Set(places.map(({ file }) => file))];
    const paths = names.flatMap((name) => (this.files && fileNamed(name, this.files)) ?? []);
    for (const path of paths) {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
      const defined = definitionIn(document.getText(), unqualifiedName(kernel));
      if (defined !== undefined) return showAt(document, document.positionAt(defined));
    }
    if (!first || paths.length === 0) return;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(paths[names.indexOf(first.file)] ?? paths[0]));
    return showAt(document, new vscode.Position(Math.min(first.line, document.lineCount) - 1, 0));
  }
}

function kernelsOf({ kernels }: Shown): KernelNode[] {
  const launches = new Map<string, KernelReport[]>();
  for (const launch of kernels) {
    const before = launches.get(launch.kernel);
    if (before) before.push(launch);
    else launches.set(launch.kernel, [launch]);
  }
  return [...launches].map(([kernel, of]) => ({ kind: 'kernel', kernel, launches: of }));
}

/** Of the name, behind what makes it a kernel. */
function definitionIn(text: string, name: string): number | undefined {
  for (const { index, 0: head } of text.matchAll(/__global__[^;{]*/g)) {
    const at = [...head.matchAll(/(\w+)\s*\(/g)].find(([, called]) => called === name);
    if (at) return index + at.index;
  }
  return undefined;
}

async function showAt(document: vscode.TextDocument, position: vscode.Position): Promise<void> {
  const editor = await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
  editor.selection = new vscode.Selection(position, position);
  editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function shapeOf({ grid, block }: KernelReport): string {
  return `<<<${dimensions(grid)}, ${dimensions(block)}>>>`;
}

/** As a launch in the source has them. */
function dimensions([x, y, z]: readonly [number, number, number]): string {
  return z > 1 ? `(${x}, ${y}, ${z})` : y > 1 ? `(${x}, ${y})` : String(x);
}
