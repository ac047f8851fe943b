/**
 * What the C library needs below its threads. They run one after the other, each to its end when it is created (simulator/libc/src/threads.c),
 * so whoever waits for another one waits for ever: a fault that says for what. A wait with a time ends when the time has passed.
 */
import { code } from '#platform';
import type { HostMemory } from '../host-memory.ts';
import { ERRNO, LinuxError, ProgramFault } from './errors.ts';
import type { SystemCalls } from './system-calls.ts';

/** What the program has started so far. */
export interface Concurrency {
  readonly threads: boolean;
  readonly teams: boolean;
}

/** futex(2): operations without their flags. */
const FUTEX_COMMAND = 0x7f;
const FUTEX_WAIT = 0;
/** Programs that wait give way again and again; nobody else gives way this often. */
const MOST_YIELDS = 10_000_000;

/** `sleep`: nanosleep(2). */
export function threadFunctions(memory: HostMemory, sleep: (request: number) => unknown) {
  const concurrency = { threads: false, teams: false };
  let yields = 0;
  const calls: SystemCalls = {
    futex: (address, operation, value, timeout) => {
      if ((operation & FUTEX_COMMAND) !== FUTEX_WAIT) return 0;
      if (memory.u32(address) !== value >>> 0) throw new LinuxError(ERRNO.again);
      if (timeout === 0) throw endlessWait();
      sleep(timeout);
      throw new LinuxError(ERRNO.timedout);
    },
    sched_yield: () => {
      if (++yields > MOST_YIELDS) throw endlessWait();
    },
  };
  const imports = {
    threads: () => {
      concurrency.threads = true;
      yields = 0;
      return 0;
    },
    team: () => {
      concurrency.teams = true;
      return 0;
    },
  };
  return { calls, imports, concurrency: concurrency as Concurrency };
}

/** By the function of the C library or of OpenMP that waits. */
const WAITS: readonly (readonly [RegExp, string])[] = [
  [/^_*(pthread_cond|cnd)_/, 'a condition variable that is signalled'],
  [/^_*(pthread_mutex|mtx)_/, 'a mutex that is held'],
  [/^_*pthread_rwlock_/, 'a read-write lock that is held'],
  [/^_*pthread_spin_/, 'a spin lock that is held'],
  [/^_*pthread_barrier_/, 'other threads at a barrier'],
  [/^_*(pthread_(timed)?join|thrd_join)/, 'the end of a thread that is waiting for it'],
  [/^_*(pthread_once|call_once)/, 'a call of once that is not done'],
  [/^_*sem_/, 'a semaphore that is raised'],
  [/^omp_set_lock/, 'an OpenMP lock that is held'],
  [/^__kmpc_critical/, 'a critical region that it is in'],
  [/call_once/, 'a call of once that is not done'],
  [/^__cxa_guard/, 'a static variable that is being made'],
  [/atomic/, 'an atomic variable that changes'],
  [/sched_yield/, 'a value that another thread changes'],
];
/** Functions of libraries, as the linker names them. */
const OF_LIBRARIES = /^(std::|__|(pthread|cnd|mtx|thrd|sem|omp)_|sched_yield|syscall)|^[^(]*[ *&]std::/;
const MAIN = /^__(original_main|main_\w+)/;

/** Enough to see past the C++ library, down to the function that waits. */
const FRAMES = 60;

function endlessWait(): ProgramFault {
  const names = [...code.stackText(FRAMES).matchAll(/^\s+at (.+) \(wasm:\/\//gm)].map(([, name]) => name.replace(/^.*?\.wasm\./, ''));
  const what = names.flatMap((name) => WAITS.find(([pattern]) => pattern.test(name))?.[1] ?? [])[0] ?? 'another thread';
  const where = names
    .map((name) => name.replace(MAIN, 'main'))
    .find((name) => !OF_LIBRARIES.test(name))
    ?.replace(/\(.*$/, '');
  return new ProgramFault(
    'deadlock',
    `a host thread waits for ${what}${where ? ` in ${where}` : ''}, which never happens: ` +
      'the simulator runs threads one after the other, each to completion when it is created',
  );
}
