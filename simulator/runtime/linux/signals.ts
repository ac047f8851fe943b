/** Signals that the program sends itself: its handlers run at once, and what it does not handle ends it, as on Linux. */
import type { HostMemory } from '../host-memory.ts';
import { ERRNO, LinuxError, ProgramExit } from './errors.ts';
import { PROCESS } from './process-calls.ts';
import type { SystemCalls } from './system-calls.ts';

const LAST_SIGNAL = 64;
const KILL = 9;
const STOP = 19;
/** SIGCHLD, SIGCONT, the four that stop a process at a terminal, SIGURG and SIGWINCH do not end it. */
const HARMLESS = [17, 18, STOP, 20, 21, 22, 23, 28];
const HANDLER = { default: 0, ignore: 1 };
const FLAG = { withInformation: 4, noDefer: 0x40000000, once: 0x80000000 };
/** struct sigaction of the kernel: handler, flags, restorer, mask. */
const ACTION_BYTES = 32;
const MASK = { block: 0, unblock: 1, set: 2 };
/** What a shell adds to the signal that ended a program. */
const EXIT_BY_SIGNAL = 128;
const INFORMATION_BYTES = 128;

interface Action {
  readonly handler: number;
  readonly flags: number;
  readonly bytes: Uint8Array;
}

export interface SignalParts {
  readonly memory: HostMemory;
  /** Calls a function of the program by its number in the table. */
  callHost(pointer: number, ...args: number[]): number;
}

export function signalCalls({ memory, callHost }: SignalParts): SystemCalls {
  const actions = new Map<number, Action>();
  const blocked = new Set<number>();
  const pending = new Set<number>();

  function send(signal: number): void {
    if (signal === 0) return;
    if (signal < 0 || signal > LAST_SIGNAL) throw new LinuxError(ERRNO.inval);
    if (blocked.has(signal)) pending.add(signal);
    else deliver(signal);
  }

  function deliver(signal: number): void {
    const action = actions.get(signal);
    if (!action || action.handler === HANDLER.default) {
      if (HARMLESS.includes(signal)) return;
      throw new ProgramExit(EXIT_BY_SIGNAL + signal);
    }
    if (action.handler === HANDLER.ignore) return;
    if (action.flags & FLAG.once) actions.delete(signal);
    const defers = !(action.flags & FLAG.noDefer) && !blocked.has(signal);
    if (defers) blocked.add(signal);
    if (action.flags & FLAG.withInformation) callHost(action.handler, signal, information(signal), 0);
    else callHost(action.handler, signal);
    if (defers) unblock([signal]);
  }

  function unblock(signals: readonly number[]): void {
    for (const signal of signals) blocked.delete(signal);
    for (const signal of signals) if (pending.delete(signal)) deliver(signal);
  }

  /** siginfo_t of a signal that the process sent: signal, error, code (SI_TKILL), sender, its user. */
  function information(signal: number): number {
    const at = memory.allocate(INFORMATION_BYTES);
    memory.bytes.fill(0, at, at + INFORMATION_BYTES);
    for (const [index, value] of [signal, 0, -6, 0, PROCESS, 1000].entries()) memory.setU32(at + 4 * index, value);
    return at;
  }

  const toSelf = (process: number, signal: number) => {
    if (process !== PROCESS && process > 1) throw new LinuxError(ERRNO.srch);
    send(signal);
  };
  return {
    kill: toSelf,
    tkill: toSelf,
    tgkill: (_group, thread, signal) => toSelf(thread, signal),
    rt_sigaction: (signal, action, old) => {
      if (signal < 1 || signal > LAST_SIGNAL || (action !== 0 && (signal === KILL || signal === STOP))) throw new LinuxError(ERRNO.inval);
      if (old !== 0) memory.bytes.set(actions.get(signal)?.bytes ?? new Uint8Array(ACTION_BYTES), old);
      if (action === 0) return;
      const bytes = memory.bytes.slice(action, action + ACTION_BYTES);
      actions.set(signal, { handler: memory.u64(action), flags: memory.u32(action + 8), bytes });
    },
    rt_sigprocmask: (how, set, old) => {
      const given = set === 0 ? [] : signalsAt(memory, set);
      if (old !== 0) putSignals(memory, old, blocked);
      if (set === 0) return;
      if (how === MASK.block) for (const signal of given) blocked.add(signal);
      else if (how === MASK.unblock) unblock(given);
      else if (how === MASK.set) {
        for (const signal of given) blocked.add(signal);
        unblock([...blocked].filter((signal) => !given.includes(signal)));
      } else throw new LinuxError(ERRNO.inval);
    },
    rt_sigpending: (out) => putSignals(memory, out, pending),
    sigaltstack: () => 0,
  };
}

/** A set of signals is 64 bits, the lowest for signal 1. SIGKILL and SIGSTOP cannot be blocked. */
function signalsAt(memory: HostMemory, address: number): number[] {
  const words = [memory.u32(address), memory.u32(address + 4)];
  const all = Array.from({ length: LAST_SIGNAL }, (_, index) => index + 1);
  return all.filter((signal) => signal !== KILL && signal !== STOP && (words[(signal - 1) >> 5] >>> ((signal - 1) & 31)) & 1);
}

function putSignals(memory: HostMemory, address: number, signals: ReadonlySet<number>): void {
  const words = [0, 0];
  for (const signal of signals) words[(signal - 1) >> 5] |= 1 << ((signal - 1) & 31);
  for (const [index, word] of words.entries()) memory.setU32(address + 4 * index, word);
}
