/**
 * The threads of Clang's process: at most two, started when needed. They share Clang's compiled module and the package's files, and last as
 * long as the process.
 */
import { assets, threads } from '#platform';
import type { Thread } from '../platform/platform.ts';
import { inSharedMemory, precompiledHeader, precompiledHeaderPath } from './precompiled-headers.ts';
import type { ToolFile, ToolResult, ToolRun } from './tool-run.ts';
import type { WorkerJob, WorkerParts } from './worker.ts';

interface Slot {
  thread?: Thread;
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
    slot.thread ??= threads.start('toolchain-worker.mjs', { data: loaded });
    return await runJob(slot, slot.thread, { args: run.args, files, output: run.output }, signal);
  } finally {
    release(slot);
  }
}

async function freeSlot(): Promise<Slot> {
  for (;;) {
    // A slot whose thread is running is warmer than one without.
    const slot = slots.find(({ busy, thread }) => !busy && thread) ?? slots.find(({ busy }) => !busy);
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

function endThread(slot: Slot): void {
  slot.thread?.close();
  slot.thread = undefined;
}

function runJob(slot: Slot, thread: Thread, job: WorkerJob, signal?: AbortSignal): Promise<ToolResult> {
  return new Promise<ToolResult>((resolve, reject) => {
    const settle = (action: () => void) => {
      stopListening();
      signal?.removeEventListener('abort', onAbort);
      action();
    };
    const onMessage = (result: ToolResult) => {
      // After an abort or a trap the instance is gone but the thread is sound; a fresh one is cheap and certain.
      if (result.crash) endThread(slot);
      settle(() => resolve(result));
    };
    const onError = (error: Error) => {
      endThread(slot);
      settle(() => resolve({ exit: 1, errorText: '', crash: error.message, lookups: [], askedTime: false }));
    };
    const onAbort = () => {
      endThread(slot);
      settle(() => reject(signal?.reason));
    };
    const stopListening = thread.listen({
      message: (result) => onMessage(result as ToolResult),
      failed: onError,
      ended: () => onError(new Error('the compiler thread ended')),
    });
    signal?.addEventListener('abort', onAbort);
    thread.post(job);
  });
}

async function filesOf({ files, precompiledHeader: side }: ToolRun): Promise<readonly ToolFile[]> {
  const header = side && (await precompiledHeader(side));
  return side && header ? [...files, [precompiledHeaderPath[side], header]] : files;
}

async function loadParts(): Promise<WorkerParts> {
  // Read at once: reading in pieces, as the asynchronous function does, takes twice as long.
  const clang = WebAssembly.compile(assets.load('clang', 'llvm.core.wasm') as Uint8Array<ArrayBuffer>);
  return { clang: await clang, sysroot: inSharedMemory(assets.load('sysroot', 'sysroot.tar')) };
}
