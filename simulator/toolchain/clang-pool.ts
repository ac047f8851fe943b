/**
 * Clang's process as the rest of the simulator sees it: started when needed, ended after a while without work, since it holds half a gigabyte.
 * It never keeps this process alive, and ends with it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { asset } from '../assets.ts';
import type { ToolRequest, ToolResponse, ToolResult, ToolRun } from './tool-run.ts';

/** Less than a minute: then nothing is left of a run. */
const idleMs = 50_000;

interface Clang {
  readonly process: ChildProcess;
  /** Runs without a result so far, by number. */
  readonly runs: Map<number, (result: ToolResult) => void>;
}

let clang: Clang | undefined;
let runs = 0;
let idleTimer: NodeJS.Timeout | undefined;

/** Runs a tool in Clang's process. Rejects with the signal's reason. */
export function runTool(run: ToolRun, signal?: AbortSignal): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    clearTimeout(idleTimer);
    clang ??= startClang();
    const { process: serving, runs: open } = clang;
    const id = ++runs;
    const settle = (action: () => void) => {
      signal?.removeEventListener('abort', onAbort);
      open.delete(id);
      if (open.size === 0) idle();
      action();
    };
    const onAbort = () => {
      tell(serving, { kind: 'cancel', id });
      settle(() => reject(signal?.reason));
    };
    signal?.addEventListener('abort', onAbort);
    open.set(id, (result) => settle(() => resolve(result)));
    keepAlive(serving);
    tell(serving, { kind: 'run', id, run });
  });
}

/** Without work, the process ends after this time from now on, instead of the usual one. */
export function keepClang(milliseconds: number): void {
  clearTimeout(idleTimer);
  if (clang?.runs.size === 0) idleTimer = setTimeout(releaseClang, milliseconds).unref();
}

/** Ends the process if it has no work. */
export function releaseClang(): void {
  if (!clang || clang.runs.size > 0) return;
  clearTimeout(idleTimer);
  // It has nothing to save, and taking half a gigabyte down in an orderly manner takes a while.
  clang.process.kill('SIGKILL');
  clang = undefined;
}

/** Undefined while there is none. */
export function clangProcessId(): number | undefined {
  return clang?.process.pid;
}

function startClang(): Clang {
  // Not this process's own options, such as a debugger's port.
  const child = fork(asset('toolchain-process.mjs'), [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });
  const started: Clang = { process: child, runs: new Map() };
  const ended = (reason: string) => {
    if (clang === started) clang = undefined;
    for (const finish of [...started.runs.values()]) finish({ exit: 1, errorText: '', crash: reason, lookups: [], askedTime: false });
  };
  child.on('message', ({ id, result }: ToolResponse) => started.runs.get(id)?.(result));
  child.on('error', (error) => ended(error.message));
  child.on('exit', (code, signal) => ended(`the compiler process ended with ${signal ?? code}`));
  return started;
}

function tell(child: ChildProcess, request: ToolRequest): void {
  // If the process has ended, its exit is what is told.
  child.send(request, () => undefined);
}

function idle(): void {
  clang?.process.unref();
  clang?.process.channel?.unref();
  keepClang(idleMs);
}

function keepAlive(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}
