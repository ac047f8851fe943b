/** The words that a launching thread and those that help it share. */

/** Most threads that run blocks of a launch: the launching one and its helpers. */
export const MOST_THREADS = 16;

/**
 * `changes` counts how often a thread's `running` has changed. Those of single helpers: `ready`, 1 when it can be given jobs, or 2 when it
 * never can again; how many jobs it has `finished`; the number of the job that is `open` to it. Of all threads, the launching one first:
 * the block that it runs (turns.ts).
 */
export const CONTROL = {
  nextBlock: 0,
  blockCount: 1,
  faultBlock: 2,
  changes: 3,
  ready: 16,
  finished: 32,
  open: 48,
  running: 64,
  words: 80,
} as const;

/** Makes the launch stop behind a block. */
export function reportFault(control: Int32Array, block: number): void {
  for (let known = Atomics.load(control, CONTROL.faultBlock); block < known; ) {
    known = Atomics.compareExchange(control, CONTROL.faultBlock, known, block);
  }
}

/** Ends that a job is open: for the thread that takes it, or for the launch if none has. False if the other was faster. */
export function closeJob(control: Int32Array, helper: number, job: number): boolean {
  return Atomics.compareExchange(control, CONTROL.open + helper, job, 0) === job;
}
