/** A program that makes system calls as the C library does, without the C library: for tests of the calls themselves. */
import { join } from 'node:path';
import { type RunLimits, withDefaults } from '../../simulator/options/limits.ts';
import { HostClock } from '../../simulator/runtime/clock/host-clock.ts';
import { HostMemory } from '../../simulator/runtime/host-memory.ts';
import type { Permissions } from '../../simulator/runtime/linux/confinement.ts';
import { systemCallNumbers } from '../../simulator/runtime/linux/system-call-names.ts';
import { createLinux } from '../../simulator/runtime/linux/system-calls.ts';

export const O = { writeOnly: 1, readWrite: 2, create: 0o100, exclusive: 0o200, truncate: 0o1000, append: 0o2000, folder: 0o200000 };
export const HERE = -100;
/** Where the tests put texts and structures. */
export const TEXT = 1024;
export const OTHER = 2048;
export const OUT = 4096;

let programs = 0;

/** A program that has made no call yet, in a memory of two pages; unless told otherwise it may write below its folder and read nothing else. */
export function program(folder: string, permissions: Partial<Permissions> = {}, limits: Partial<RunLimits> = {}) {
  const memory = new HostMemory();
  memory.attach(new WebAssembly.Memory({ initial: 2 }), () => 65536);
  const called: number[][] = [];
  const written: [string, string][] = [];
  const show = (stream: string) => (bytes: Uint8Array) => written.push([stream, new TextDecoder().decode(bytes)]);
  const clock = new HostClock();
  const linux = createLinux({
    memory,
    args: ['name', 'two words', ''],
    env: { PWD: folder },
    workingDirectory: folder,
    permissions: { read: [], write: [folder], all: false, temporary: join(folder, '..', `temporary-${++programs}`), ...permissions },
    limits: withDefaults(limits),
    clock,
    stdout: show('out'),
    stderr: show('err'),
    callHost: (...call) => {
      called.push(call);
      return 0;
    },
  });
  const call = (name: string, ...args: number[]) =>
    linux.imports.syscall(systemCallNumbers.get(name)!, ...args, ...new Array(6 - args.length).fill(0));
  const put = (text: string, at = TEXT) => {
    memory.bytes.set(new TextEncoder().encode(`${text}\0`), at);
    return at;
  };
  const open = (path: string, flags = 0) => call('openat', HERE, put(path), flags, 0o644);
  const write = (fd: number, text: string) => call('write', fd, put(text, OTHER), text.length);
  const read = (fd: number, count = 100) => textOf(call('read', fd, OUT, count));
  const textOf = (count: number) => (count < 0 ? String(count) : new TextDecoder().decode(memory.bytes.slice(OUT, OUT + count)));
  return { memory, linux, clock, call, put, open, write, read, textOf, called, written };
}
