/** How much a program may leave on the disk. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { HERE, O, program } from './linux-process.ts';

const root = mkdtempSync(join(tmpdir(), 'lanewise-quota-'));
afterAll(() => rmSync(root, { recursive: true }));
const NO_SPACE = -28;
const EXISTS = -17;

function folder(name: string): string {
  mkdirSync(join(root, name));
  return join(root, name);
}

it('files, folders and links are counted when they come into being', () => {
  const home = folder('count');
  const { call, put, linux } = program(home, {}, { files: 3 });
  const create = (name: string) => call('openat', HERE, put(name), O.create | O.writeOnly, 0o644);
  expect(create('one')).toBeGreaterThan(2);
  expect(create('one')).toBeGreaterThan(2);
  expect(call('mkdir', put('two'), 0o755)).toBe(0);
  expect(call('symlink', put('one'), put('three', 2048))).toBe(0);
  expect(linux.exceeded).toEqual([]);
  expect(create('four')).toBe(NO_SPACE);
  expect(call('mkdir', put('five'), 0o755)).toBe(NO_SPACE);
  expect(create('one')).toBeGreaterThan(2);
  expect(linux.exceeded).toEqual(['files']);
  expect(readdirSync(home)).toEqual(['one', 'three', 'two']);
});

it('bytes are counted when they are written, and where a file is made longer', () => {
  const home = folder('size');
  const { call, put, linux } = program(home, {}, { fileMiB: 1 });
  const fd = call('openat', HERE, put('file'), O.create | O.writeOnly, 0o644);
  expect(call('write', fd, 4096, 60_000)).toBe(60_000);
  expect(call('ftruncate', fd, 1 << 19)).toBe(0);
  expect(call('ftruncate', fd, 2 << 20)).toBe(NO_SPACE);
  expect(call('truncate', put('file'), 2 << 20)).toBe(NO_SPACE);
  expect(call('ftruncate', fd, 10)).toBe(0);
  expect(call('write', fd, 4096, 100)).toBe(100);
  expect(linux.exceeded).toEqual(['fileMiB']);
  expect(statSync(join(home, 'file')).size).toBe(60_100);
  const more = Array.from({ length: 10 }, () => call('write', fd, 4096, 60_000));
  expect(more).toEqual([...Array(8).fill(60_000), NO_SPACE, NO_SPACE]);
  expect(call('mkdir', put('file'), 0o755)).toBe(EXISTS);
});
