/**
 * Control of a launch from another thread: the host program blocks in its launch, so whoever wants to stop it writes to memory that
 * both share. Words: what the run is to do, what it does, and how many instructions it may still execute when it is to step.
 */
import type { LaunchOutcome, Run } from './engine.ts';

const WORD = { command: 0, state: 1, budget: 2 } as const;
const WORDS = 3;
const COMMAND = { run: 0, pause: 1, step: 2, stop: 3 } as const;
const STATE = { running: 0, paused: 1, ended: 2 } as const;

/** Instructions of warps after which a run looks whether it is to pause: some hundredths of a second. */
const LOOK_AFTER = 100_000;

export function controlMemory(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(4 * WORDS));
}

/** The side that gives commands. */
export class RunControl {
  readonly #words: Int32Array;

  constructor(words: Int32Array) {
    this.#words = words;
  }

  run(): void {
    this.#command(COMMAND.run);
  }

  pause(): void {
    this.#command(COMMAND.pause);
  }

  /** Executes so many instructions and pauses again. */
  step(instructions = 1): void {
    Atomics.store(this.#words, WORD.budget, instructions);
    this.#command(COMMAND.step);
  }

  /** The launch ends here, without an outcome. */
  stop(): void {
    this.#command(COMMAND.stop);
  }

  get state(): keyof typeof STATE {
    const state = Atomics.load(this.#words, WORD.state);
    return state === STATE.paused ? 'paused' : state === STATE.ended ? 'ended' : 'running';
  }

  #command(command: number): void {
    Atomics.store(this.#words, WORD.command, command);
    Atomics.notify(this.#words, WORD.command);
  }
}

/**
 * Executes a launch as it is told, and blocks while it is to pause. `paused` is called at each pause, before it blocks; it may look at
 * the run, and give commands. undefined: the launch has been stopped.
 */
export function runUnderControl(run: Run, words: Int32Array, paused: (run: Run) => void): LaunchOutcome | undefined {
  try {
    for (;;) {
      const outcome = advance(run, words, paused);
      if (outcome) return outcome === 'stopped' ? undefined : outcome;
    }
  } finally {
    Atomics.store(words, WORD.state, STATE.ended);
  }
}

function advance(run: Run, words: Int32Array, paused: (run: Run) => void): LaunchOutcome | 'stopped' | undefined {
  switch (Atomics.load(words, WORD.command)) {
    case COMMAND.run:
      Atomics.store(words, WORD.state, STATE.running);
      return run.step(LOOK_AFTER);
    case COMMAND.step: {
      Atomics.store(words, WORD.state, STATE.running);
      const outcome = run.step(Atomics.load(words, WORD.budget));
      // Unless there is a newer command already.
      Atomics.compareExchange(words, WORD.command, COMMAND.step, COMMAND.pause);
      return outcome;
    }
    case COMMAND.stop:
      return 'stopped';
    default: {
      // Goes to a place between two instructions: before the first one there is none.
      const outcome = run.position ? undefined : run.step(0);
      if (outcome) return outcome;
      Atomics.store(words, WORD.state, STATE.paused);
      paused(run);
      Atomics.wait(words, WORD.command, COMMAND.pause);
      return undefined;
    }
  }
}
