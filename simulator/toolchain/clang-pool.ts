/**
 * Clang's process as the rest of the simulator sees it: started when needed, ended after a while without work, since it holds half a gigabyte.
 * It never keeps this process alive, and ends with it.
 */
import { processes, time } from '#platform';
import type { Process } from '../platform/platform.ts';
import { pack, unpack } from './sparse-bytes.ts';
import type { ToolRequest, ToolResponse, ToolResult, ToolRun } from './tool-run.ts';

/** Less than a minute: then nothing is left of a run. */
const idleMs = 50_000;

interface Clang {
  readonly process: Process;
  /** Runs without a result so far, by number. */
  readonly runs: Map<number, (result: ToolResult) => void>;
}

let clang: Clang | undefined;
let runs = 0;
let stopWaiting = (): void => {};

/** Runs a tool in Clang's process. Rejects with the signal's reason. */
export function runTool(run: ToolRun, signal?: AbortSignal): Promise<ToolResult> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    stopWaiting();
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
      serving.send({ kind: 'cancel', id } satisfies ToolRequest);
      settle(() => reject(signal?.reason));
    };
    signal?.addEventListener('abort', onAbort);
    open.set(id, (result) => settle(() => resolve(result)));
    serving.keepAlive(true);
    const files = run.files.map(([path, data]) => [path, pack(data)] as const);
    serving.send({ kind: 'run', id, run: { ...run, files } } satisfies ToolRequest);
  });
}

/** Without work, the process ends after this time from now on, instead of the usual one. */
export function keepClang(milliseconds: number): void {
  stopWaiting();
  if (clang?.runs.size === 0) stopWaiting = time.later(milliseconds, releaseClang);
}

/** Ends the process if it has no work. */
export function releaseClang(): void {
  if (!clang || clang.runs.size > 0) return;
  stopWaiting();
  clang.process.kill();
  clang = undefined;
}

/** Undefined while there is none. */
export function clangProcessId(): number | undefined {
  return clang?.process.id;
}

function startClang(): Clang {
  const child = processes.start('toolchain-process.mjs');
  const started: Clang = { process: child, runs: new Map() };
  const ended = (reason: string) => {
    if (clang === started) clang = undefined;
    for (const finish of [...started.runs.values()]) finish({ exit: 1, errorText: '', crash: reason, lookups: [], askedTime: false });
  };
  child.listen({
    message(message) {
      const { id, result } = message as ToolResponse;
      started.runs.get(id)?.({ ...result, output: result.output && unpack(result.output) });
    },
    ended,
  });
  return started;
}

function idle(): void {
  clang?.process.keepAlive(false);
  keepClang(idleMs);
}
