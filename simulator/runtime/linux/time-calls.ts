/** Clocks and sleep, by the program's own clock: nobody waits for time to pass. Processor time is the time that it did not sleep. */
import type { HostClock, Moment } from '../clock/host-clock.ts';
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

export function timeCalls(memory: HostMemory, host: HostClock): SystemCalls {
  const kindOf = (clock: number) => {
    if (clock < 0 || clock > LAST_CLOCK) throw new LinuxError(ERRNO.inval);
    if (REALTIME.includes(clock)) return 'real';
    return PROCESSOR.includes(clock) ? 'processor' : 'monotonic';
  };
  const putTime = (out: number, [seconds, nanoseconds]: Moment, unit = 1) => {
    memory.setU64(out, seconds);
    memory.setU64(out + 8, Math.floor(nanoseconds / unit));
  };
  const timeAt = (address: number, unit = 1) => memory.u64(address) * BILLION + memory.u64(address + 8) * unit;
  const sleep = (nanoseconds: number) => host.sleep(nanoseconds);
  /** Until a moment of a clock. */
  const sleepUntil = (clock: number, address: number) => {
    const [seconds, nanoseconds] = host.read(kindOf(clock));
    sleep((memory.u64(address) - seconds) * BILLION + memory.u64(address + 8) - nanoseconds);
  };
  return {
    clock_gettime: (clock, out) => putTime(out, host.read(kindOf(clock))),
    clock_getres: (clock, out) => {
      kindOf(clock);
      if (out !== 0) putTime(out, [0, 1]);
    },
    gettimeofday: (out) => {
      if (out !== 0) putTime(out, host.read('real'), 1000);
    },
    time: (out) => {
      const [seconds] = host.read('real');
      if (out !== 0) memory.setU64(out, seconds);
      return seconds;
    },
    nanosleep: (request) => sleep(timeAt(request)),
    clock_nanosleep: (clock, flags, request) => (flags & ABSOLUTE ? sleepUntil(clock, request) : sleep(timeAt(request))),
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
      const ticks = ([seconds, nanoseconds]: Moment) => seconds * TICKS_PER_SECOND + Math.floor((nanoseconds * TICKS_PER_SECOND) / BILLION);
      const processor = ticks(host.read('processor'));
      if (out !== 0) for (const [index, value] of [processor, 0, 0, 0].entries()) memory.setU64(out + 8 * index, value);
      return ticks(host.read('monotonic'));
    },
    getrusage: (_who, out) => {
      memory.bytes.fill(0, out, out + RESOURCES_BYTES);
      putTime(out, host.read('processor'), 1000);
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
