/** The system calls, as the C library makes them: numbers and structures of x86_64. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DEVICE_FLOOR, DEVICE_TOP } from '../../simulator/ir/address-map.ts';
import { ProgramExit, ProgramFault } from '../../simulator/runtime/linux/errors.ts';
import { HERE, O, OTHER, OUT, program as programIn } from './linux-process.ts';

const top = mkdtempSync(join(tmpdir(), 'lanewise-linux-'));
afterAll(() => rmSync(top, { recursive: true }));

const program = (folder = top) => programIn(folder);

describe('files', () => {
  it('are created, written, read, sought, appended to and cut', () => {
    const { open, write, read, call } = program();
    const fd = open('a.txt', O.readWrite | O.create | O.truncate);
    expect(fd).toBe(3);
    expect(write(fd, 'first line')).toBe(10);
    expect(call('lseek', fd, -4, 2)).toBe(6);
    expect(read(fd)).toBe('line');
    expect(call('pwrite64', fd, OTHER, 5, 2)).toBe(5);
    expect(call('pread64', fd, OUT, 4, 1)).toBe(4);
    const adding = open('a.txt', O.writeOnly | O.append);
    write(adding, '!');
    expect(readFileSync(join(top, 'a.txt'), 'utf8')).toBe('fifirstine!');
    expect(call('ftruncate', fd, 3)).toBe(0);
    expect(call('close', fd)).toBe(0);
    expect(readFileSync(join(top, 'a.txt'), 'utf8')).toBe('fif');
    expect(call('close', fd)).toBe(-9);
    expect(open('a.txt', O.create | O.exclusive | O.writeOnly)).toBe(-17);
    expect(open('absent')).toBe(-2);
    expect(open('a.txt', O.folder)).toBe(-20);
    expect(open('.', O.writeOnly)).toBe(-21);
  });

  it('have a status in the form of x86_64', () => {
    const { memory, call, put } = program();
    writeFileSync(join(top, 'size'), 'x'.repeat(1234));
    expect(call('newfstatat', HERE, put('size'), OUT, 0)).toBe(0);
    expect([memory.u32(OUT + 24) & 0o170000, memory.u64(OUT + 48), memory.u64(OUT + 64)]).toEqual([0o100000, 1234, 3]);
    expect(Math.abs(memory.u64(OUT + 88) - Date.now() / 1000)).toBeLessThan(60);
    expect(call('stat', put('.'), OUT)).toBe(0);
    expect(memory.u32(OUT + 24) & 0o170000).toBe(0o040000);
    symlinkSync(join(top, 'size'), join(top, 'link'));
    expect([call('lstat', put('link'), OUT), memory.u32(OUT + 24) & 0o170000]).toEqual([0, 0o120000]);
    expect([call('stat', put('link'), OUT), memory.u32(OUT + 24) & 0o170000]).toEqual([0, 0o100000]);
    expect([call('fstat', 1, OUT), memory.u32(OUT + 24) & 0o170000]).toEqual([0, 0o010000]);
    expect(call('stat', put('absent'), OUT)).toBe(-2);
  });

  it('of a folder come in a fixed order, a piece at a time', () => {
    const folder = join(top, 'folder');
    mkdirSync(join(folder, 'b'), { recursive: true });
    for (const name of ['c', 'a']) writeFileSync(join(folder, name), '');
    const { memory, open, call } = program();
    const fd = open('folder');
    const names: [string, number][] = [];
    for (let count = 1; count > 0; ) {
      count = call('getdents64', fd, OUT, 56);
      for (let at = OUT; at < OUT + count; at += memory.view.getUint16(at + 16, true))
        names.push([memory.text(at + 19), memory.bytes[at + 18]]);
    }
    expect(names).toEqual([
      ['.', 4],
      ['..', 4],
      ['a', 8],
      ['b', 4],
      ['c', 8],
    ]);
    expect(call('getdents64', fd, OUT, 8)).toBe(0);
    // Behind the third entry.
    expect(call('lseek', fd, 3, 0)).toBe(3);
    call('getdents64', fd, OUT, 56);
    expect(memory.text(OUT + 19)).toBe('b');
    expect(call('lseek', fd, 0, 0)).toBe(0);
    expect(call('getdents64', fd, OUT, 8)).toBe(-22);
  });

  it('are renamed and removed, folders apart from files', () => {
    const { open, call, put } = program();
    call('close', open('old', O.writeOnly | O.create));
    expect(call('mkdirat', HERE, put('made'), 0o755)).toBe(0);
    expect(call('rename', put('old'), put('made/new', OTHER))).toBe(0);
    expect(existsSync(join(top, 'made', 'new'))).toBe(true);
    expect(call('rmdir', put('made'))).toBe(-39);
    expect(call('unlink', put('made'))).toBe(-21);
    expect(call('unlinkat', HERE, put('made/new'), 0)).toBe(0);
    expect(call('unlinkat', HERE, put('made'), 0x200)).toBe(0);
    expect(call('unlink', put('made'))).toBe(-2);
  });

  it('share a position when a descriptor is copied, and stay open until the last is closed', () => {
    const { open, write, call, read, written } = program();
    const fd = open('shared', O.readWrite | O.create);
    const copy = call('dup', fd);
    write(fd, 'one');
    write(copy, 'two');
    call('close', fd);
    expect(call('lseek', copy, 0, 0)).toBe(0);
    expect(read(copy)).toBe('onetwo');
    expect(call('dup2', copy, 1)).toBe(1);
    write(1, 'to the file');
    expect(written).toEqual([]);
    expect(readFileSync(join(top, 'shared'), 'utf8')).toBe('onetwoto the file');
  });

  it('of the system: streams that are no terminals, empty input, devices', () => {
    const { open, write, read, call, written, memory } = program();
    expect([write(1, 'a'), write(2, 'b'), read(0)]).toEqual([1, 1, '']);
    expect(written).toEqual([
      ['out', 'a'],
      ['err', 'b'],
    ]);
    expect(call('ioctl', 1, 0x5413, OUT)).toBe(-25);
    expect(call('lseek', 1, 0, 1)).toBe(-29);
    expect([write(open('/dev/null', O.writeOnly), 'x'), read(open('/dev/null'))]).toEqual([1, '']);
    call('read', open('/dev/urandom'), OUT, 8);
    const random = memory.u64(OUT);
    const again = program();
    again.call('getrandom', OUT, 8);
    expect(again.memory.u64(OUT)).toBe(random);
  });

  it('are found from the working directory', () => {
    mkdirSync(join(top, 'below'), { recursive: true });
    const { memory, call, put, open } = program();
    expect(call('chdir', put('below'))).toBe(0);
    const length = call('getcwd', OUT, 1000);
    expect(memory.text(OUT)).toBe(join(top, 'below'));
    expect(length).toBe(join(top, 'below').length + 1);
    call('close', open('inside', O.writeOnly | O.create));
    expect(existsSync(join(top, 'below', 'inside'))).toBe(true);
    expect(call('getcwd', OUT, 3)).toBe(-34);
    expect(call('chdir', put('inside'))).toBe(-20);
  });

  it('at addresses that are none are refused', () => {
    const { call, memory } = program();
    expect(call('write', 1, memory.sizeBytes, 1)).toBe(-14);
    expect(call('open', 0)).toBe(-14);
    expect(call('stat', memory.sizeBytes + 5, OUT)).toBe(-14);
    expect(call('uname', memory.sizeBytes)).toBe(-14);
  });
});

describe('memory', () => {
  const PAGES = 131072;
  const map = (call: ReturnType<typeof program>['call'], sizeBytes: number) => call('mmap', 0, sizeBytes, 3, 0x22, -1, 0);

  it('of the heap grows and shrinks, and is zero when it comes again', () => {
    const { call, memory } = program();
    expect(call('brk', 0)).toBe(PAGES);
    expect(call('brk', PAGES + 100_000)).toBe(PAGES + 100_000);
    memory.bytes.fill(7, PAGES, PAGES + 100_000);
    expect(call('brk', PAGES + 10)).toBe(PAGES + 10);
    expect(call('brk', PAGES + 200)).toBe(PAGES + 200);
    expect([memory.bytes[PAGES + 9], memory.bytes[PAGES + 10]]).toEqual([7, 0]);
    expect(call('brk', DEVICE_TOP + 1)).toBe(PAGES + 200);
    expect(call('brk', 16)).toBe(PAGES + 200);
  });

  it('that is mapped lies in pages above it, is zero, and is found again when it was given back', () => {
    const { call, memory } = program();
    const first = map(call, 10_000);
    const second = map(call, 5000);
    const third = map(call, 1);
    expect([first, second, third]).toEqual([PAGES, PAGES + 12288, PAGES + 20480]);
    // The heap goes on behind what is mapped.
    expect([call('brk', PAGES + 1), call('brk', 0)]).toEqual([PAGES + 24576, PAGES + 24576]);
    memory.bytes.fill(9, first, third);
    expect(call('munmap', first, 4096)).toBe(0);
    expect(call('munmap', first + 4096, 8192)).toBe(0);
    expect(map(call, 12288)).toBe(first);
    expect(memory.bytes.subarray(first, second).every((byte) => byte === 0)).toBe(true);
    for (const [address, size] of [
      [third, 1],
      [first, 12288],
      [second, 5000],
    ])
      call('munmap', address, size);
    expect(memory.end).toBe(PAGES);
    expect(call('brk', PAGES + 1)).toBe(PAGES + 1);
    expect(call('munmap', 5, 4096)).toBe(-22);
  });

  it('moves with its contents when it grows', () => {
    const { call, memory } = program();
    const first = map(call, 4096);
    const second = map(call, 4096);
    memory.bytes.fill(5, first, first + 4096);
    expect(call('mremap', first, 4096, 8192, 0)).toBe(-12);
    const moved = call('mremap', first, 4096, 8192, 1);
    expect(moved).toBe(second + 4096);
    expect([memory.bytes[moved], memory.bytes[moved + 4095], memory.bytes[moved + 4096]]).toEqual([5, 5, 0]);
    expect(call('mremap', moved, 8192, 20_000, 0)).toBe(moved);
    expect(call('mremap', moved, 20_000, 4096, 0)).toBe(moved);
    expect(map(call, 4096)).toBe(first);
  });

  it('that the device sees, too, lies above its floor, and what is between stays free', () => {
    const { call, memory } = program();
    const both = memory.space.map(10_000, DEVICE_FLOOR)!;
    expect(both).toBe(DEVICE_FLOOR);
    expect([memory.owns(both, 10_000), memory.owns(both - 1, 1), memory.owns(PAGES - 1, 1)]).toEqual([true, false, true]);
    expect(map(call, 400 << 20)).toBe(PAGES);
    expect(memory.owns(both - 1, 1)).toBe(false);
    expect(map(call, 400 << 20)).toBe(both + 12_288);
    memory.space.unmap(both, 10_000);
    expect(memory.space.map(5000, DEVICE_FLOOR)).toBe(both);
  });

  it('ends where the simulated machine ends, which is noted', () => {
    const { call, linux } = program();
    expect(map(call, 4 * 2 ** 30)).toBe(-12);
    expect(linux.refusedMemory).toEqual({ sizeBytes: 4 * 2 ** 30, heldBytes: PAGES });
  });

  it('can be a file, which a shared mapping changes', () => {
    writeFileSync(join(top, 'mapped'), 'abcdef');
    const { call, open, memory } = program();
    const fd = open('mapped', O.readWrite);
    const own = call('mmap', 0, 6, 3, 2, fd, 0);
    const shared = call('mmap', 0, 6, 3, 1, fd, 0);
    expect([memory.text(own), memory.text(shared)]).toEqual(['abcdef', 'abcdef']);
    memory.bytes[own] = memory.bytes[shared + 1] = 0x58;
    expect(call('munmap', own, 6)).toBe(0);
    expect(readFileSync(join(top, 'mapped'), 'utf8')).toBe('abcdef');
    expect(() => call('exit_group', 0)).toThrow(ProgramExit);
    expect(readFileSync(join(top, 'mapped'), 'utf8')).toBe('aXcdef');
  });
});

describe('the process', () => {
  it('ends with the code that a shell sees', () => {
    const { call } = program();
    for (const [code, seen] of [
      [3, 3],
      [-1, 255],
      [256, 0],
    ]) {
      expect(() => call('exit_group', code)).toThrow(expect.objectContaining({ code: seen }));
    }
  });

  it('gets its arguments and environment', () => {
    const { linux, memory, textOf } = program();
    expect(linux.imports.strings(0, 0, 0)).toBe(16);
    expect(textOf(linux.imports.strings(0, OUT, 16))).toBe('name\0two words\0\0');
    expect(linux.imports.strings(1, OUT, 2000)).toBe(5 + top.length);
    expect(memory.text(OUT)).toBe(`PWD=${top}`);
  });

  it('handles the signals that it sends itself, or ends as on Linux', () => {
    const { call, memory, called } = program();
    const handle = (signal: number, handler: number, flags = 0) => {
      memory.setU64(OTHER, handler);
      memory.setU64(OTHER + 8, flags);
      return call('rt_sigaction', signal, OTHER, OUT);
    };
    expect(handle(10, 40)).toBe(0);
    expect(call('tkill', call('gettid'), 10)).toBe(0);
    expect(handle(10, 41, 0x80000004)).toBe(0);
    expect(memory.u64(OUT)).toBe(40);
    expect(call('kill', call('getpid'), 10)).toBe(0);
    expect(called).toEqual([
      [40, 10],
      [41, 10, 65536, 0],
    ]);
    expect(memory.u32(65536)).toBe(10);
    // The second handler was for once.
    expect(() => call('kill', 0, 10)).toThrow(expect.objectContaining({ code: 138 }));
    expect(handle(6, 1)).toBe(0);
    expect(call('tgkill', 1000, 1000, 6)).toBe(0);
    expect(call('kill', 1000, 28)).toBe(0);
    expect(handle(9, 1)).toBe(-22);
    expect(call('kill', 77, 10)).toBe(-3);
  });

  it('gets a blocked signal when it is not blocked any more', () => {
    const { call, memory, called } = program();
    memory.setU64(OTHER, 40);
    call('rt_sigaction', 12, OTHER, 0);
    memory.setU64(OTHER, 1 << 11);
    expect(call('rt_sigprocmask', 0, OTHER, 0)).toBe(0);
    call('kill', 0, 12);
    expect([call('rt_sigpending', OUT), memory.u64(OUT), called]).toEqual([0, 1 << 11, []]);
    expect(call('rt_sigprocmask', 1, OTHER, OUT)).toBe(0);
    expect(memory.u64(OUT)).toBe(1 << 11);
    expect(called).toEqual([[40, 12]]);
  });

  it('has clocks of its own, which advance with what it does, and sleeps without waiting', () => {
    const { call, memory, clock } = program();
    const now = (clock: number) => {
      expect(call('clock_gettime', clock, OUT)).toBe(0);
      return memory.u64(OUT) * 1e9 + memory.u64(OUT + 8);
    };
    const [start, processor] = [now(1), now(2)];
    memory.setU64(OTHER, 0);
    memory.setU64(OTHER + 8, 30_000_000);
    expect(call('clock_nanosleep', 1, 0, OTHER, 0)).toBe(0);
    expect(now(1) - start).toBeGreaterThanOrEqual(30_000_000);
    expect(now(1) - start).toBeLessThan(30_010_000);
    expect(now(2) - processor).toBeLessThan(10_000);
    memory.setU64(OTHER, Math.floor(now(1) / 1e9) + 2);
    expect([call('clock_nanosleep', 1, 1, OTHER, 0), Math.floor(now(1) / 1e9) - Math.floor(start / 1e9)]).toEqual([0, 2]);
    // 2026-01-01, whenever it runs.
    expect(Math.floor(now(0) / 1e9)).toBe(1_767_225_602);
    clock.operations = () => 5e10;
    expect(now(2)).toBeGreaterThanOrEqual(5e9);
    expect(call('clock_gettime', 99, OUT)).toBe(-22);
  });

  it('has one processor, and waits for no other thread', () => {
    const { call, memory } = program();
    expect([call('sched_getaffinity', 0, 128, OUT), memory.u64(OUT)]).toEqual([8, 1]);
    memory.setU32(OTHER, 5);
    expect(call('futex', OTHER, 128, 4)).toBe(-11);
    expect(call('futex', OTHER, 129, 1)).toBe(0);
    expect(() => call('futex', OTHER, 128, 5)).toThrow(ProgramFault);
  });

  it('is told that there is no such call, and the call is remembered', () => {
    const { call, linux } = program();
    expect([call('socket', 1, 2, 3), call('fork'), call('fork'), linux.imports.syscall(9999)]).toEqual([-38, -38, -38, -38]);
    expect([...linux.missing]).toEqual(['socket', 'fork', 'system call 9999']);
  });
});
