/**
 * The threads of Clang's process: at most two, started when needed. They share Clang's compiled module and the package's files, and last as
 * long as the process.
 */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { asset } from '../assets.ts';
import { inSharedMemory, precompiledHeader, precompiledHeaderPath } from './precompiled-headers.ts';
import type { ToolFile, ToolResult, ToolRun } from './tool-run.ts';
import type { WorkerJob, WorkerParts } from './worker.ts';

interface Slot {
  worker?: Worker;
  busy: boolean;
}

const slots: readonly Slot[] = [{ busy: false }, { busy: false }];
const waiting: (() => void)[] = [];
let parts: Promise<WorkerParts> | undefined;

/** Runs a tool in a thread. Rejects with the signal's reason, or when the thread cannot run at all. */
export async function runInThread(run: ToolRun, signal?: AbortSignal): Promise<ToolResult> {
  signal?.throwIfAborted();
  const slot = await freeSlot();
  try {
    signal?.throwIfAborted();
    parts ??= loadParts();
    const [loaded, files] = await Promise.all([parts, filesOf(run)]);
    slot.worker ??= new Worker(asset('toolchain-worker.mjs'), { workerData: loaded });
    return await runInWorker(slot, slot.worker, { args: run.args, files, output: run.output }, signal);
  } finally {
    release(slot);
  }
}

async function freeSlot(): Promise<Slot> {
  for (;;) {
    // A slot whose thread is running is warmer than one without.
    const slot = slots.find(({ busy, worker }) => !busy && worker) ?? slots.find(({ busy }) => !busy);
    if (slot) {
      slot.busy = true;
      return slot;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
}

function release(slot: Slot): void {
  slot.busy = false;
  waiting.shift()?.();
}

function endWorker(slot: Slot): void {
  void slot.worker?.terminate();
  slot.worker = undefined;
}

function runInWorker(slot: Slot, worker: Worker, job: WorkerJob, signal?: AbortSignal): Promise<ToolResult> {
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
      settle(() => resolve({ exit: 1, errorText: '', crash: error.message, lookups: [], askedTime: false }));
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
    worker.postMessage(job);
  });
}

async function filesOf({ files, precompiledHeader: side }: ToolRun): Promise<readonly ToolFile[]> {
  const header = side && (await precompiledHeader(side));
  return side && header ? [...files, [precompiledHeaderPath[side], header]] : files;
}

async function loadParts(): Promise<WorkerParts> {
  // Read at once: reading in pieces, as the asynchronous function does, takes twice as long.
  const clang = WebAssembly.compile(readFileSync(asset('clang', 'llvm.core.wasm')));
  return { clang: await clang, sysroot: inSharedMemory(readFileSync(asset('sysroot', 'sysroot.tar'))) };
}
