/** Clocks and sleep. Only the real clock differs between runs; processor time is the time since the program began that it did not sleep. */
import { time } from '#platform';
import type { HostMemory } from '../host-memory.ts';
import { ERRNO, LinuxError } from './errors.ts';
import type { SystemCalls } from './system-calls.ts';

/** Clocks by number (linux/time.h). */
const REALTIME = [0, 5, 8, 11];
const PROCESSOR = [2, 3];
const LAST_CLOCK = 11;
const ABSOLUTE = 1;
const TICKS_PER_SECOND = 100;
const BILLION = 1_000_000_000;
const RESOURCES_BYTES = 144;

export function timeCalls(memory: HostMemory): SystemCalls {
  const start = time.nanoseconds();
  let sleptNs = 0;
  const passedNs = () => Number(time.nanoseconds() - start);
  const realNs = () => Math.round((performance.timeOrigin + performance.now()) * 1000) * 1000;
  const now = (clock: number) => {
    if (clock < 0 || clock > LAST_CLOCK) throw new LinuxError(ERRNO.inval);
    if (REALTIME.includes(clock)) return realNs();
    return PROCESSOR.includes(clock) ? processorNs() : Number(time.nanoseconds());
  };
  const processorNs = () => passedNs() - sleptNs;
  const putTime = (out: number, nanoseconds: number, unit = 1) => {
    memory.setU64(out, Math.floor(nanoseconds / BILLION));
    memory.setU64(out + 8, Math.floor((nanoseconds % BILLION) / unit));
  };
  const timeAt = (address: number, unit = 1) => memory.u64(address) * BILLION + memory.u64(address + 8) * unit;
  const sleep = (nanoseconds: number) => {
    if (nanoseconds <= 0) return;
    sleptNs += nanoseconds;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, nanoseconds / 1e6);
  };
  return {
    clock_gettime: (clock, out) => putTime(out, now(clock)),
    clock_getres: (clock, out) => {
      now(clock);
      if (out !== 0) putTime(out, 1);
    },
    gettimeofday: (out) => {
      if (out !== 0) putTime(out, realNs(), 1000);
    },
    time: (out) => {
      const seconds = Math.floor(realNs() / BILLION);
      if (out !== 0) memory.setU64(out, seconds);
      return seconds;
    },
    nanosleep: (request) => sleep(timeAt(request)),
    clock_nanosleep: (clock, flags, request) => sleep(timeAt(request) - (flags & ABSOLUTE ? now(clock) : 0)),
    // Every descriptor is always ready; without one these calls sleep.
    poll: (list, count, milliseconds) => readyPolls(list, count, () => sleep(milliseconds * 1e6)),
    ppoll: (list, count, timeout) => readyPolls(list, count, () => sleep(timeout === 0 ? 0 : timeAt(timeout))),
    select: (count, _read, _write, _except, timeout) => {
      if (count === 0 && timeout !== 0) sleep(timeAt(timeout, 1000));
      return count;
    },
    pselect6: (count, _read, _write, _except, timeout) => {
      if (count === 0 && timeout !== 0) sleep(timeAt(timeout));
      return count;
    },
    times: (out) => {
      const ticks = (nanoseconds: number) => Math.floor((nanoseconds / BILLION) * TICKS_PER_SECOND);
      if (out !== 0) for (const [index, value] of [ticks(processorNs()), 0, 0, 0].entries()) memory.setU64(out + 8 * index, value);
      return ticks(passedNs());
    },
    getrusage: (_who, out) => {
      memory.bytes.fill(0, out, out + RESOURCES_BYTES);
      putTime(out, processorNs(), 1000);
      memory.setU64(out + 32, Math.floor(memory.end / 1024));
    },
  };

  /** struct pollfd: descriptor, events asked for, events that happened. */
  function readyPolls(list: number, count: number, wait: () => void): number {
    if (count === 0) wait();
    for (let i = 0; i < count; i++) memory.view.setUint16(list + 8 * i + 6, memory.view.getUint16(list + 8 * i + 4, true) & 5, true);
    return count;
  }
}
