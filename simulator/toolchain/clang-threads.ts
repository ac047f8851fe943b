/**
 * The threads of Clang's process: at most two, started when needed. They share Clang's compiled module and the package's files, and last as
 * long as the process.
 */
import { assets, processes, threads } from '#platform';
import type { Thread } from '../platform/platform.ts';
import { inSharedMemory, precompiledHeader, precompiledHeaderPath } from './precompiled-headers.ts';
import type { PackedFile, PackedResult, PackedRun } from './tool-run.ts';
import type { WorkerJob, WorkerParts } from './worker.ts';

interface Slot {
  thread?: Thread;
  busy: boolean;
}

const slots: readonly Slot[] = [{ busy: false }, { busy: false }];
const waiting: (() => void)[] = [];
let parts: Promise<WorkerParts> | undefined;

/** Runs a tool in a thread. Rejects with the signal's reason, or when the thread cannot run at all. */
export async function runInThread(run: PackedRun, signal?: AbortSignal): Promise<PackedResult> {
  signal?.throwIfAborted();
  const slot = await freeSlot();
  try {
    signal?.throwIfAborted();
    parts ??= loadParts();
    const [loaded, files] = await Promise.all([parts, filesOf(run)]);
    slot.thread ??= threads.start('toolchain-worker.mjs', { data: loaded });
    const { args, readable = [], sourceMiB, unsaved, output, ownNamesAt, treeOf, limitSeconds } = run;
    return await runJob(
      slot,
      slot.thread,
      { args, files, readable, sourceMiB, unsaved, output, ownNamesAt, treeOf },
      { limitSeconds, signal },
    );
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

interface Limits {
  readonly limitSeconds: number | undefined;
  readonly signal?: AbortSignal;
}

/** The clock may take so many times as long as the work. */
const MOST_WAITING = 10;
/** Seconds. */
const SHORTEST_WATCH = 0.05;

const nothing = { exit: 1, errorText: '', lookups: [], askedTime: false };

function runJob(slot: Slot, thread: Thread, job: WorkerJob, { limitSeconds, signal }: Limits): Promise<PackedResult> {
  return new Promise<PackedResult>((resolve, reject) => {
    const worked = stopwatch();
    const settle = (action: () => void) => {
      clearTimeout(watchdog);
      stopListening();
      signal?.removeEventListener('abort', onAbort);
      action();
    };
    const onMessage = (result: PackedResult) => {
      // After an abort or a trap the instance is gone but the thread is sound; a fresh one is cheap and certain.
      if (result.crash || result.overLimit) endThread(slot);
      settle(() => resolve({ ...result, workedSeconds: worked() }));
    };
    const onError = (error: Error) => {
      endThread(slot);
      settle(() => resolve({ ...nothing, crash: error.message }));
    };
    const onAbort = () => {
      endThread(slot);
      settle(() => reject(signal?.reason));
    };
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const watch = (limit: number) => {
      const left = limit - worked();
      if (left > 0) {
        watchdog = setTimeout(() => watch(limit), 1000 * Math.max(left, SHORTEST_WATCH));
        return;
      }
      endThread(slot);
      settle(() => resolve({ ...nothing, overLimit: 'time', workedSeconds: worked() }));
    };
    if (limitSeconds !== undefined) watch(limitSeconds);
    const stopListening = thread.listen({
      message: (result) => onMessage(result as PackedResult),
      failed: onError,
      ended: () => onError(new Error('the compiler thread ended')),
    });
    signal?.addEventListener('abort', onAbort);
    thread.post(job);
  });
}

/**
 * Seconds of work since now: of the clock, or of the processor where that is less. A thread that waits for the processor all the time has
 * worked a tenth of what the clock says, so that everything ends. Both threads' time counts, which at most makes it the clock's.
 */
function stopwatch(): () => number {
  const start = performance.now();
  const used = processes.processorMs();
  return () => {
    const wall = performance.now() - start;
    return Math.min(wall, Math.max(processes.processorMs() - used, wall / MOST_WAITING)) / 1000;
  };
}

async function filesOf({ files, precompiledHeader: side }: PackedRun): Promise<readonly PackedFile[]> {
  const header = side && (await precompiledHeader(side));
  return side && header ? [...files, [precompiledHeaderPath[side], { length: header.length, pieces: [[0, header]] }]] : files;
}

async function loadParts(): Promise<WorkerParts> {
  // Read at once: reading in pieces, as the asynchronous function does, takes twice as long.
  const clang = WebAssembly.compile(withLargeSteps(withMemoryLimit(assets.load('clang', 'llvm.core.wasm'))));
  return { clang: await clang, sysroot: inSharedMemory(assets.load('sysroot', 'sysroot.tar')) };
}

const MEMORY_SECTION = 5;
/** 65,536 pages of 64 KB, the most there can be, and half of it, as LEB128 of equal length. */
const ALL_PAGES = [0x80, 0x80, 0x04];
const HALF_THE_PAGES = [0x80, 0x80, 0x02];

/**
 * Clang with at most 2 GiB of memory: two threads of it are then less than what a small machine has. A large program takes some hundred
 * MB; templates that expand for ever take all that there is.
 */
function withMemoryLimit(clang: Uint8Array): Uint8Array<ArrayBuffer> {
  const limited = clang.slice();
  let at = 8;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = limited[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < limited.length) {
    const section = limited[at++];
    const end = number() + at;
    if (section === MEMORY_SECTION) {
      const most = end - ALL_PAGES.length;
      if (ALL_PAGES.some((byte, k) => limited[most + k] !== byte)) throw new Error('Clang declares its memory in an unknown way');
      limited.set(HALF_THE_PAGES, most);
      return limited;
    }
    at = end;
  }
  throw new Error('Clang declares no memory');
}

/**
 * Of its allocator's parameters, the size of a page and the least by which memory grows, as the code sets them in one store at a fixed
 * address: 64 KB both, and 4 MiB for the second.
 */
const SMALL_STEPS = [0x41, 0x00, 0x42, 0x80, 0x80, 0x84, 0x80, 0x80, 0x80, 0xc0, 0x00, 0x37];
const LARGE_STEPS = [0x41, 0x00, 0x42, 0x80, 0x80, 0x84, 0x80, 0x80, 0x80, 0x80, 0x20, 0x37];

/**
 * Clang that asks for memory in large steps. V8 counts all of a memory as fresh each time that it grows and collects garbage for that:
 * in steps of 64 KB this was a quarter of what the compilation of a large program took.
 */
function withLargeSteps(clang: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const isThere = (at: number) => SMALL_STEPS.every((byte, k) => clang[at + k] === byte);
  let found = 0;
  for (let at = clang.indexOf(SMALL_STEPS[2]); at >= 0 && found < 2; at = clang.indexOf(SMALL_STEPS[2], at + 1)) {
    if (!isThere(at - 2)) continue;
    clang.set(LARGE_STEPS, at - 2);
    found++;
  }
  if (found < 2) throw new Error("Clang's allocator is an unknown one");
  return clang;
}
