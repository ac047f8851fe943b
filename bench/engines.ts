/**
 * Runs HeCBench programs with both engines and compares the whole reports: output, exit code, launches, metrics, lines, faults. Only times
 * may differ. `npm run compare:engines -- DIR [--limit SECONDS] [--only NAME,NAME]`, where DIR holds HeCBench's folders
 * (`src/adam-cuda/…`); exits with 1 if a report differs or does not come.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Report } from '../protocol/report.ts';
import { timeless } from './measured.ts';
import { makefileOf } from './program-folders.ts';

const HARDWARE = '../shared/hardware/h200-hecbench.json';

/** Arguments with which the interpreter ends within minutes, where those of the measurement take it longer. */
const SMALLER: Readonly<Record<string, readonly string[]>> = { bwt: ['2000'], 'd3q19-bgk': ['4'], pitch: ['0'] };

const { values, positionals } = parseArgs({ allowPositionals: true, options: { limit: { type: 'string' }, only: { type: 'string' } } });
if (positionals.length !== 1 || !existsSync(HARDWARE)) {
  console.error(`usage: npm run compare:engines -- DIR [--limit SECONDS] [--only NAME,NAME] (${HARDWARE} must exist)`);
  process.exit(2);
}
const limitSeconds = Number(values.limit ?? 600);
const programs = JSON.parse(readFileSync(HARDWARE, 'utf8')) as Record<string, { readonly args: readonly string[] }>;
const names = values.only?.split(',') ?? Object.keys(programs);
const scratch = mkdtempSync(join(tmpdir(), 'engines-'));

type Outcome = { readonly report: Report; readonly seconds: number } | { readonly failure: string };

console.log('| program | arguments | launches | compiled, s | interpreted, s | reports |');
console.log('|---|---|---:|---:|---:|---|');
const verdicts = names.map((name) => row(name));
rmSync(scratch, { recursive: true });
const count = (verdict: Verdict) => verdicts.filter((each) => each === verdict).length;
console.log(`\n${names.length} programs: ${count('same')} same, ${count('different')} different, ${count('not compared')} not compared`);
process.exit(count('same') === names.length ? 0 : 1);

type Verdict = 'same' | 'different' | 'not compared';

function row(name: string): Verdict {
  const args = SMALLER[name] ?? programs[name].args;
  const compiled = run(name, args, 'compiler');
  const interpreted = 'failure' in compiled ? compiled : run(name, args, 'interpreter');
  const { verdict, text } = judgement(compiled, interpreted);
  const seconds = (outcome: Outcome) => ('failure' in outcome ? '' : outcome.seconds.toFixed(1));
  const launches = 'failure' in compiled ? '' : compiled.report.kernels.length;
  const shown = name in SMALLER ? `${args.join(' ')} (measured: ${programs[name].args.join(' ')})` : args.join(' ');
  console.log(`| ${name} | ${shown} | ${launches} | ${seconds(compiled)} | ${seconds(interpreted)} | ${text} |`);
  return verdict;
}

function run(name: string, args: readonly string[], engine: string): Outcome {
  const folder = [join(positionals[0], 'src', `${name}-cuda`), join(positionals[0], `${name}-cuda`)].find(existsSync);
  if (!folder) return { failure: 'no folder' };
  const json = join(scratch, `${name}.${engine}.json`);
  const options = ['--engine', engine, '--json', json, '--quiet'];
  const start = performance.now();
  const { status, signal, stderr } = spawnSync(
    process.execPath,
    [resolve('dist/cli.mjs'), 'run', '--no-sanitize', ...sources(folder), ...options, '--', ...args],
    { cwd: folder, timeout: limitSeconds * 1000, killSignal: 'SIGKILL', maxBuffer: 1 << 30, encoding: 'utf8' },
  );
  const seconds = (performance.now() - start) / 1000;
  if (signal) return { failure: `${engine}: longer than ${limitSeconds} s` };
  if (!existsSync(json)) return { failure: `${engine}: exit code ${status}, ${stderr.trim().split('\n').at(-1)}` };
  return { report: JSON.parse(readFileSync(json, 'utf8')) as Report, seconds };
}

/** The files that the program's makefile compiles. */
function sources(folder: string): string[] {
  return /^source *=(.*)$/m.exec(makefileOf(folder))![1].trim().split(/\s+/);
}

function judgement(compiled: Outcome, interpreted: Outcome): { verdict: Verdict; text: string } {
  if ('failure' in compiled) return { verdict: 'not compared', text: compiled.failure };
  if ('failure' in interpreted) return { verdict: 'not compared', text: interpreted.failure };
  const difference = firstDifference(comparable(compiled.report), comparable(interpreted.report), '');
  return difference ? { verdict: 'different', text: `**${difference}**` } : { verdict: 'same', text: 'same' };
}

/** The report without what depends on the time that the run took, and without which engine it was. */
function comparable({ compileMs: _, simulateMs: __, interpreted: ___, ...report }: Report): object {
  return { ...report, stdout: timeless(report.stdout), stderr: timeless(report.stderr) };
}

/** Where two plain values differ first, and what they are there. */
function firstDifference(a: unknown, b: unknown, path: string): string | undefined {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return Object.is(a, b) ? undefined : `${path}: ${JSON.stringify(a)} against ${JSON.stringify(b)}`;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const difference = firstDifference((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], `${path}/${key}`);
    if (difference) return difference;
  }
  return undefined;
}
