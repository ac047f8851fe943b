/** A tree of the last run's launches and their counters, under the names that Nsight Compute gives them. */
import * as vscode from 'vscode';
import { metricWords } from '../counters/counters.ts';
import type { KernelReport, Report } from '../protocol/report.ts';

type Node =
  | { readonly kind: 'launch'; readonly launch: KernelReport }
  | { readonly kind: 'metric'; readonly name: string; readonly value: number };

export class KernelsView implements vscode.TreeDataProvider<Node> {
  private launches: readonly KernelReport[] = [];
  private readonly changed = new vscode.EventEmitter<void>();
  /** Before the view, which subscribes when it is created. */
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view = vscode.window.createTreeView('lanewise.kernels', { treeDataProvider: this });

  dispose(): void {
    vscode.Disposable.from(this.view, this.changed).dispose();
  }

  show(report: Pick<Report, 'program' | 'kernels'>): void {
    this.launches = report.kernels;
    this.view.description = report.program;
    void vscode.commands.executeCommand('setContext', 'lanewise.hasRun', true);
    this.changed.fire();
  }

  getChildren(node?: Node): Node[] {
    if (!node) return this.launches.map((launch) => ({ kind: 'launch', launch }));
    if (node.kind === 'metric') return [];
    const counted = Object.entries(node.launch.metrics).filter(([, value]) => value !== 0);
    return counted.map(([name, value]) => ({ kind: 'metric', name, value }));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    if (node.kind === 'metric') {
      // The value and words first: a narrow side bar cuts the long names, whose beginnings are alike.
      const item = new vscode.TreeItem(node.value.toLocaleString('en-US'));
      const words = metricWords(node.name);
      item.description = words === node.name ? words : `${words} · ${node.name}`;
      item.tooltip = `${node.name} = ${item.label}`;
      return item;
    }
    const { kernel, grid, block } = node.launch;
    const item = new vscode.TreeItem(kernel, vscode.TreeItemCollapsibleState.Collapsed);
    item.description = `<<<(${grid.join(', ')}), (${block.join(', ')})>>>`;
    item.iconPath = new vscode.ThemeIcon('circuit-board');
    item.tooltip = kernel;
    return item;
  }
}
