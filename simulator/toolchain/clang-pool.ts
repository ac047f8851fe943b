/**
 * The threads that Clang runs in: at most two, started when needed, ended after a minute without work (each holds up to half a gigabyte).
 * The compiled module stays longer, because compiling it again costs most of a second. Nothing here keeps the process alive.
 */
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { asset } from '../assets.ts';
import { forgetPrecompiledHeaders } from './precompiled-headers.ts';
import type { ToolResult, ToolRun } from './worker.ts';

const idleWorkerMs = 60_000;
const idleModuleMs = 600_000;

interface Slot {
  worker?: Worker;
  busy: boolean;
  idleTimer?: NodeJS.Timeout;
}

const slots: readonly Slot[] = [{ busy: false }, { busy: false }];
const waiting: (() => void)[] = [];
let clangModule: Promise<WebAssembly.Module> | undefined;
let moduleTimer: NodeJS.Timeout | undefined;

/** Runs a tool in a thread. Rejects with the signal's reason, or when the thread cannot run at all. */
export async function runTool(run: ToolRun, signal?: AbortSignal): Promise<ToolResult> {
  signal?.throwIfAborted();
  const slot = await freeSlot();
  try {
    signal?.throwIfAborted();
    slot.worker ??= startWorker(await compiledClang());
    return await runInWorker(slot, slot.worker, run, signal);
  } finally {
    release(slot);
  }
}

/** Ends the threads that have no work and forgets what is kept for the next compilation. */
export function releaseClang(): void {
  for (const slot of slots) {
    clearTimeout(slot.idleTimer);
    if (!slot.busy) endWorker(slot);
  }
  forgetModule();
}

async function freeSlot(): Promise<Slot> {
  for (;;) {
    // A slot whose thread is running is warmer than one without.
    const slot = slots.find(({ busy, worker }) => !busy && worker) ?? slots.find(({ busy }) => !busy);
    if (slot) {
      slot.busy = true;
      clearTimeout(slot.idleTimer);
      return slot;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

function release(slot: Slot): void {
  slot.busy = false;
  if (slot.worker) {
    slot.worker.unref();
    slot.idleTimer = setTimeout(() => endWorker(slot), idleWorkerMs).unref();
  }
  waiting.shift()?.();
}

function endWorker(slot: Slot): void {
  void slot.worker?.terminate();
  slot.worker = undefined;
}

function startWorker(clang: WebAssembly.Module): Worker {
  return new Worker(asset('toolchain-worker.mjs'), { workerData: { clang }, stdout: false, stderr: false });
}

function runInWorker(slot: Slot, worker: Worker, run: ToolRun, signal?: AbortSignal): Promise<ToolResult> {
  worker.ref();
  return new Promise<ToolResult>((resolve, reject) => {
    const settle = (action: () => void) => {
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      signal?.removeEventListener('abort', onAbort);
      action();
    };
    const onMessage = (result: ToolResult) => {
      // After an abort or a trap the instance is gone but the thread is sound; a fresh one is cheap and certain.
      if (result.crash) endWorker(slot);
      settle(() => resolve(result));
    };
    const onError = (error: Error) => {
      endWorker(slot);
      settle(() => resolve({ exit: 1, errorText: '', crash: error.message }));
    };
    const onExit = () => onError(new Error('the compiler thread ended'));
    const onAbort = () => {
      endWorker(slot);
      settle(() => reject(signal?.reason));
    };
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    signal?.addEventListener('abort', onAbort);
    worker.postMessage(run);
  });
}

function compiledClang(): Promise<WebAssembly.Module> {
  clangModule ??= readFile(asset('clang', 'llvm.core.wasm')).then((bytes) => WebAssembly.compile(bytes));
  clangModule.catch(() => {
    clangModule = undefined;
  });
  clearTimeout(moduleTimer);
  moduleTimer = setTimeout(forgetModule, idleModuleMs).unref();
  return clangModule;
}

function forgetModule(): void {
  clearTimeout(moduleTimer);
  clangModule = undefined;
  forgetPrecompiledHeaders();
}
