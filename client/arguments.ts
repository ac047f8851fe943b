/** The arguments that the user last gave to a program: its next runs get them, too, until others are given. */
import type * as vscode from 'vscode';

export class Arguments {
  private readonly memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.memory = memory;
  }

  /** Undefined where those of the settings count. */
  of(uri: string): readonly string[] | undefined {
    return this.memory.get<readonly string[]>(key(uri));
  }

  remember(uri: string, args: readonly string[] | undefined): void {
    void this.memory.update(key(uri), args);
  }
}

function key(uri: string): string {
  return `arguments ${uri}`;
}

export function splitArguments(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([whole, double, single]) => double ?? single ?? whole);
}

export function joinArguments(args: readonly string[]): string {
  return args.map((argument) => (/\s|^$/.test(argument) ? `"${argument}"` : argument)).join(' ');
}
