/**
 * The host's time in a program: what its code executes, what its calls cost, what it waits and sleeps. The same in every run; it begins at 0
 * when the program does.
 */
import { CLOCK_READ_NS, OPERATION_NS } from './costs.ts';

/** What the program's own clocks show when it begins: the real one 2026-01-01 00:00 UTC, the one since the machine was started 1,000 s. */
const START_SECONDS = { real: 1_767_225_600, monotonic: 1000 } as const;
const BILLION = 1_000_000_000;

/** Seconds and the nanoseconds beyond them. */
export type Moment = readonly [seconds: number, nanoseconds: number];

export class HostClock {
  /** How many operations the host program has executed (lowering/work.ts). */
  operations: () => number = () => 0;
  /** All but the operations. */
  #otherNs = 0;
  #sleptNs = 0;
  /** How often the program has read a clock. */
  reads = 0;

  get nowNs(): number {
    return this.#otherNs + this.operations() * OPERATION_NS;
  }

  /** Processor time: all that the program did not sleep. */
  get processorNs(): number {
    return this.nowNs - this.#sleptNs;
  }

  spend(ns: number): void {
    this.#otherNs += ns;
  }

  sleep(ns: number): void {
    if (ns <= 0) return;
    this.#otherNs += ns;
    this.#sleptNs += ns;
  }

  /** Goes on at a moment, unless it is past. */
  waitUntil(ns: number): void {
    const left = ns - this.nowNs;
    if (left > 0) this.#otherNs += left;
  }

  /** The program reads a clock. */
  read(clock: 'real' | 'monotonic' | 'processor'): Moment {
    this.reads++;
    this.spend(CLOCK_READ_NS);
    const ns = Math.floor(clock === 'processor' ? this.processorNs : this.nowNs);
    return [Math.floor(ns / BILLION) + (clock === 'processor' ? 0 : START_SECONDS[clock]), ns % BILLION];
  }

  /** Runs host code that the program itself does not wait for, at another time; what it took. */
  aside(startNs: number, run: () => void): number {
    const beforeNs = this.nowNs;
    this.#otherNs += startNs - beforeNs;
    let tookNs = 0;
    try {
      run();
    } finally {
      tookNs = this.nowNs - startNs;
      this.#otherNs += beforeNs - this.nowNs;
    }
    return tookNs;
  }
}
