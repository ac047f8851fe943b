/**
 * Threads that run blocks of one launch at the same time take them in ascending order. What a block must not do beside others, it does in
 * its turn: when all blocks before it have ended. From then on it is as if it ran alone behind them, for later ones have not had theirs.
 */
import { CONTROL, MOST_THREADS } from './control.ts';

/** What a thread runs while it takes a block, and when it takes no more. */
const TAKING = -1;
const NOTHING = 0x7fffffff;

/** How often a thread looks again before it sleeps, since blocks may take less time than it takes to wake, and the longest that it does, in milliseconds. */
const LOOKS = 300;
const LONGEST_SLEEP = 10;

/** A thread sees after so many milliseconds whether it waits for others most of the time. */
const TRIAL = 10;
/** So many times as fast as one thread the threads together must be. */
const LEAST_GAIN = 1.2;

export class Turns {
  readonly #control: Int32Array;
  readonly #place: number;
  readonly #threads: number;
  readonly #inTurn: boolean;
  #began = 0;
  #waited = 0;

  /** `thread`: 0 for the one that launches, or a helper's number and one; `threads`: how many there are. */
  constructor(
    control: Int32Array,
    { thread, threads, inTurn }: { readonly thread: number; readonly threads: number; readonly inTurn: boolean },
  ) {
    this.#control = control;
    this.#place = CONTROL.running + thread;
    this.#threads = threads;
    this.#inTurn = inTurn;
  }

  /** For a launch that begins: no thread runs any block. */
  static begin(control: Int32Array): void {
    for (let thread = 0; thread < MOST_THREADS; thread++) Atomics.store(control, CONTROL.running + thread, NOTHING);
  }

  /** The next block of the launch, none behind a faulting one; -1 for none. The one before has ended. */
  take(): number {
    const control = this.#control;
    // Nobody may believe that this thread runs nothing while it takes a block.
    if (this.#inTurn) this.#runs(TAKING);
    const block = Atomics.add(control, CONTROL.nextBlock, 1);
    const isThere = block < Atomics.load(control, CONTROL.blockCount) && block < Atomics.load(control, CONTROL.faultBlock);
    if (this.#inTurn) this.#runs(isThere ? block : NOTHING);
    return isThere ? block : -1;
  }

  /** The thread takes no more blocks. */
  leave(): void {
    if (this.#inTurn) this.#runs(NOTHING);
  }

  /** Returns when it is the block's turn, or false when the launch has to stop before that. */
  wait(block: number, stopped: () => boolean): boolean {
    if (this.#isTurnOf(block)) return true;
    const began = performance.now();
    this.#began ||= began;
    if (!this.#comesSoon(block)) return this.#sleep(block, began, stopped);
    this.#waited += performance.now() - began;
    return true;
  }

  #comesSoon(block: number): boolean {
    for (let looks = 0; looks < LOOKS; looks++) if (this.#isTurnOf(block)) return true;
    return false;
  }

  #sleep(block: number, began: number, stopped: () => boolean): boolean {
    let isTurn = false;
    while (!isTurn && !stopped()) {
      const seen = Atomics.load(this.#control, CONTROL.changes);
      isTurn = this.#isTurnOf(block);
      if (!isTurn) Atomics.wait(this.#control, CONTROL.changes, seen, LONGEST_SLEEP);
    }
    this.#waited += performance.now() - began;
    return isTurn;
  }

  /** The thread waits so much that one alone would be about as fast. */
  get isIdle(): boolean {
    if (this.#began === 0) return false;
    const passed = performance.now() - this.#began;
    return passed > TRIAL && this.#threads * (1 - this.#waited / passed) < LEAST_GAIN;
  }

  #isTurnOf(block: number): boolean {
    for (let thread = 0; thread < MOST_THREADS; thread++) {
      if (Atomics.load(this.#control, CONTROL.running + thread) < block) return false;
    }
    return true;
  }

  #runs(block: number): void {
    Atomics.store(this.#control, this.#place, block);
    Atomics.add(this.#control, CONTROL.changes, 1);
    Atomics.notify(this.#control, CONTROL.changes);
  }
}
