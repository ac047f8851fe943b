/**
 * The small Linux below the C library: `linux.syscall(number, a, b, c, d, e, f)` with the numbers, structures and errors of x86_64, and
 * `linux.strings` for the arguments and the environment. Random bytes come from a fixed seed, standard input is empty and clocks are the
 * program's own, so that it does the same in every run.
 */
import type { RunLimits } from '../../options/limits.ts';
import { SYSTEM_CALL_NS } from '../clock/costs.ts';
import type { HostClock } from '../clock/host-clock.ts';
import type { HostMemory } from '../host-memory.ts';
import type { AddressSpace } from './address-space.ts';
import type { Permissions, Refusal } from './confinement.ts';
import { ERRNO, LinuxError, ProgramExit } from './errors.ts';
import { fileCalls } from './file-calls.ts';
import { Files } from './files.ts';
import { memoryCalls } from './memory-calls.ts';
import { processCalls, randomBytes } from './process-calls.ts';
import { signalCalls } from './signals.ts';
import { systemCallName, systemCallNumbers } from './system-call-names.ts';
import { type Concurrency, threadFunctions } from './thread-calls.ts';
import { timeCalls } from './time-calls.ts';

/** By name: arguments as signed numbers in; a number out, anything else for 0. They throw LinuxError for what the program gets as an error. */
export type SystemCalls = Readonly<Record<string, (...args: number[]) => unknown>>;

export interface LinuxOptions {
  readonly memory: HostMemory;
  /** The program's name first. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folder that relative paths refer to. */
  readonly workingDirectory: string;
  readonly permissions: Permissions;
  readonly limits: RunLimits;
  readonly clock: HostClock;
  stdin?(into: Uint8Array): number;
  /** What a file that is not there holds when it is read, if the program is to find it. */
  supplied?(path: string): string | undefined;
  stdout(bytes: Uint8Array): void;
  stderr(bytes: Uint8Array): void;
  /** Calls a function of the program by its number in the table. */
  callHost(pointer: number, ...args: number[]): number;
}

export interface Linux {
  /** Imports of the module `linux`. */
  readonly imports: Readonly<Record<string, (...args: number[]) => number>>;
  /** System calls that the program made and that there are not, each once. */
  readonly missing: ReadonlySet<string>;
  /** What the program started that did not run beside anything else. */
  readonly concurrency: Concurrency;
  /** What the program tried with files and was not allowed to. */
  readonly refusals: readonly Refusal[];
  /** Files that the program did not find, as it names them. */
  readonly notFound: ReadonlySet<string>;
  /** Limits on files that the program has come to. */
  readonly exceeded: Files['exceeded'];
  /** The first request for memory that could not be met. */
  readonly refusedMemory: AddressSpace['refused'];
}

export function createLinux(options: LinuxOptions): Linux {
  const { memory } = options;
  const random = randomBytes();
  const files = new Files({ ...options, random });
  const space = () => memory.space;
  const mapped = memoryCalls(memory, space, files);
  const time = timeCalls(memory, options.clock);
  const threads = threadFunctions(memory, time.nanosleep);
  const table = byNumber({
    ...processCalls(memory, space, random),
    ...fileCalls(memory, files),
    ...mapped.calls,
    ...time,
    ...threads.calls,
    ...signalCalls(options),
  });
  const missing = new Set<string>();
  const syscall = (number: number, ...args: number[]) => {
    const call = table[number];
    options.clock.spend(SYSTEM_CALL_NS);
    if (!call) {
      missing.add(systemCallName(number));
      return -ERRNO.nosys;
    }
    try {
      const result = call(...args);
      return typeof result === 'number' ? result : 0;
    } catch (error) {
      if (error instanceof LinuxError) return -error.errno;
      if (error instanceof ProgramExit) mapped.writeBack();
      // An address of the program's that is none.
      if (error instanceof RangeError && !/call stack/i.test(error.message)) return -ERRNO.fault;
      throw error;
    }
  };
  return {
    imports: { syscall, strings: stringsFunction(options), ...threads.imports },
    missing,
    concurrency: threads.concurrency,
    notFound: files.notFound,
    get refusals() {
      return files.refusals;
    },
    get exceeded() {
      return files.exceeded;
    },
    get refusedMemory() {
      return memory.space.refused;
    },
  };
}

function byNumber(calls: SystemCalls): readonly SystemCalls[string][] {
  const table: SystemCalls[string][] = [];
  for (const [name, call] of Object.entries(calls)) {
    const number = systemCallNumbers.get(name);
    if (number === undefined) throw new Error(`there is no system call ${name}`);
    table[number] = call;
  }
  return table;
}

/** `which`: 0 the arguments, 1 the environment. Writes the strings where there is room; how many bytes they have with their zeros. */
function stringsFunction({ memory, args, env }: LinuxOptions): (which: number, buffer: number, sizeBytes: number) => number {
  const encode = (strings: readonly string[]) => new TextEncoder().encode(strings.map((each) => `${each}\0`).join(''));
  const lists = [encode(args), encode(Object.entries(env).map(([name, value]) => `${name}=${value}`))];
  return (which, buffer, sizeBytes) => {
    const bytes = lists[which] ?? new Uint8Array();
    if (bytes.length <= sizeBytes) memory.bytes.set(bytes, buffer);
    return bytes.length;
  };
}
