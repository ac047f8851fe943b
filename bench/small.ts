/**
 * What a small block and a small launch cost by themselves, by the clock, in runs of `lanewise run --no-sanitize` on all cores: a run with
 * many of them, less one with few. `npm run bench:small`; with a number, so many times as many of them.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Report } from '../protocol/report.ts';

const scale = Number(process.argv[2] ?? 1);
const ROUNDS = 3;
/** What small.cu runs, how many of them, and what one is called. */
const CASES: readonly (readonly [name: string, count: number, what: string])[] = [
  ['launch', 20_000, 'launch of one block of 32 threads'],
  ['store', 1_000_000, 'block of 32 threads: a store'],
  ['tile', 1_000_000, 'block of 32 threads: 4 KiB of shared memory, a barrier'],
  ['vote', 1_000_000, 'block of 32 threads: a vote'],
  ['add', 1_000_000, 'block of 32 threads: an atomic addition'],
  ['swap', 100_000, 'block of 8 threads that retry a compare-and-swap, path by path'],
  ['match', 100_000, 'block of 32 threads: a match'],
  ['halves', 100_000, 'block of 32 threads: a compare-and-swap of 16 bits'],
  ['heap', 10_000, 'block of 32 threads: memory of the heap, taken and given back'],
  ['pointer', 100_000, 'block of 32 threads: a call through a pointer'],
];

const folder = mkdtempSync(join(tmpdir(), 'small-'));
console.log('| | microseconds each |');
console.log('|---|---:|');
for (const [name, count, what] of CASES) {
  const many = Math.round(scale * count);
  const few = Math.round(many / 100);
  const rounds = Array.from({ length: ROUNDS }, () => run(name, many) - run(name, few)).sort((a, b) => a - b);
  console.log(`| ${what} | ${((1000 * rounds[ROUNDS >> 1]) / (many - few)).toFixed(2)} |`);
}
rmSync(folder, { recursive: true });

/** Milliseconds of the run, without compiling. */
function run(name: string, count: number): number {
  const json = join(folder, 'report.json');
  const args = ['run', '--no-sanitize', '--quiet', '--json', json, resolve('bench/small.cu'), '--', name, String(count)];
  const { stdout, stderr } = spawnSync(process.execPath, [resolve('dist/cli.mjs'), ...args], { cwd: folder, encoding: 'utf8' });
  if (stdout !== 'no error\n') throw new Error(`${name}: ${stdout}${stderr}`);
  return (JSON.parse(readFileSync(json, 'utf8')) as Report).simulateMs;
}
