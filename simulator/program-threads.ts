/**
 * Threads that run programs. One takes a tenth of a second to load, so it may be started before it is known what it shall run: while a
 * program is compiled, or for the next of several runs.
 */
import { threads, time } from '#platform';
import type { Thread } from './platform/platform.ts';
import type { ProgramJob } from './program-worker.ts';

/** Deep recursion is as legal in a simulated host program as on Linux, where the stack has 8 MB of larger frames. */
const STACK_MB = 64;
const HEAP_MB = 4096;

export class ProgramThread {
  readonly thread: Thread = threads.start('program-worker.mjs', { data: undefined, stackMb: STACK_MB, heapMb: HEAP_MB });
  #failure: Error | undefined;

  constructor() {
    this.thread.listen({
      failed: (error) => {
        this.#failure = error;
      },
      ended: () => {
        this.#failure ??= new Error('the thread of the simulation has ended');
      },
    });
  }

  /** Why it can run nothing. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** It runs one program and ends. */
  run(job: ProgramJob): void {
    this.thread.post(job);
  }

  close(): void {
    this.thread.close();
  }
}

let spare: ProgramThread | undefined;
let stopWaiting = (): void => {};

/** The one that is ready, or one that is being started. */
export function programThread(): ProgramThread {
  const ready = spare?.failure ? undefined : spare;
  spare = undefined;
  stopWaiting();
  return ready ?? new ProgramThread();
}

/** One is ready from now on, for that many milliseconds. */
export function keepProgramThread(milliseconds: number): void {
  spare ??= new ProgramThread();
  stopWaiting();
  stopWaiting = time.later(milliseconds, releaseProgramThread);
}

export function releaseProgramThread(): void {
  stopWaiting();
  spare?.close();
  spare = undefined;
}
