/** Commands and who executes them. The editor knows them from the activation on; what executes them is loaded after it. */
import type { Disposable } from 'vscode';

type Handler = (...args: never[]) => unknown;

const handlers = new Map<string, Handler>();

export function registerCommand(name: string, handler: Handler): Disposable {
  handlers.set(name, handler);
  return { dispose: () => handlers.delete(name) };
}

export function executeCommand(name: string, args: readonly unknown[]): unknown {
  return handlers.get(name)?.(...(args as never[]));
}
