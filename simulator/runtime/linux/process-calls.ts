/** The process itself: who it is, what machine it runs on, and its end. A simulated program is alone on a machine with one processor. */
import type { HostMemory } from '../host-memory.ts';
import type { AddressSpace } from './address-space.ts';
import { ERRNO, LinuxError, ProgramExit } from './errors.ts';
import type { SystemCalls } from './system-calls.ts';

export const PROCESS = 1000;
const PARENT = 1;
const USER = 1000;
/** struct utsname: six texts of this many bytes. */
const NAME_BYTES = 65;
const MACHINE = ['Linux', 'lanewise', '6.1.0', '#1 SMP', 'x86_64', '(none)'];
/** As a shell sets them on most machines: stack, open files; no other limit. */
const LIMITS: Readonly<Record<number, readonly [current: number, largest: number]>> = { 3: [8 << 20, -1], 7: [1024, 4096] };
const UNLIMITED = [-1, -1] as const;

export function processCalls(memory: HostMemory, space: () => AddressSpace, random: (into: Uint8Array) => void): SystemCalls {
  const user = () => USER;
  const done = () => 0;
  const exit = (code: number) => {
    throw new ProgramExit(code & 0xff);
  };
  const putLimit = (resource: number, out: number) => {
    if (out === 0) return;
    for (const [index, value] of (LIMITS[resource] ?? UNLIMITED).entries()) memory.setU64(out + 8 * index, value);
  };
  return {
    exit,
    exit_group: exit,
    getpid: () => PROCESS,
    gettid: () => PROCESS,
    set_tid_address: () => PROCESS,
    getppid: () => PARENT,
    getpgrp: () => PROCESS,
    getpgid: () => PROCESS,
    getsid: () => PROCESS,
    getuid: user,
    geteuid: user,
    getgid: user,
    getegid: user,
    getgroups: done,
    getpriority: () => 20,
    setpriority: done,
    set_robust_list: done,
    prctl: done,
    sched_setaffinity: done,
    sched_getaffinity: (_process, sizeBytes, out) => {
      if (sizeBytes < 8) throw new LinuxError(ERRNO.inval);
      memory.setU64(out, 1);
      return 8;
    },
    getcpu: (cpu, node) => {
      if (cpu !== 0) memory.setU32(cpu, 0);
      if (node !== 0) memory.setU32(node, 0);
    },
    getrlimit: putLimit,
    setrlimit: done,
    prlimit64: (_process, resource, _limits, out) => putLimit(resource, out),
    uname: (out) => {
      memory.bytes.fill(0, out, out + NAME_BYTES * MACHINE.length);
      for (const [index, text] of MACHINE.entries()) memory.bytes.set(new TextEncoder().encode(text), out + NAME_BYTES * index);
    },
    sysinfo: (out) => {
      memory.bytes.fill(0, out, out + 112);
      memory.setU64(out + 32, memory.limit);
      memory.setU64(out + 40, space().freeBytes);
      memory.view.setUint16(out + 80, 1, true);
      memory.setU32(out + 104, 1);
    },
    getrandom: (buffer, sizeBytes) => {
      random(memory.bytes.subarray(buffer, buffer + sizeBytes));
      return sizeBytes;
    },
  };
}

/** The same bytes in every run, by xorshift32: any sequence does. */
export function randomBytes(): (into: Uint8Array) => void {
  let state = 0x2545f491;
  return (into) => {
    for (let i = 0; i < into.length; i++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      into[i] = state & 0xff;
    }
  };
}
