/**
 * Holds the sanitizer to public suites with labels, which are fetched and not part of the project:
 * `npm run bench:suites -- DIR [--only WORD,WORD] [--jobs N] [--limit SECONDS] [--work DIR]`. DIR holds checkouts of Indigo (as in the
 * HiRace artifact), GPUVerify or faial, at any of three levels. Each program runs with `--sanitize`, and where that is silent or stores
 * of equal values may matter with them as races; a program made of kernels also with shared memory that the compiler may not optimise
 * away. A program counts as found if a race, a barrier or a mask is named.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Report } from '../protocol/report.ts';
import { casesIn, type SuiteCase } from './suite-cases.ts';

/** How a program was looked at: as anybody would, with equal values as races, and a made program with shared memory that the compiler must keep. */
const WAYS = ['as given', 'equal values', 'kept', 'kept, equal values'] as const;
type Way = (typeof WAYS)[number];

interface Look {
  /** Checks that named something. */
  readonly checks: readonly string[];
  readonly faults: readonly string[];
  /** Why there is no report. */
  readonly notRun?: string;
}

interface Outcome {
  readonly test: SuiteCase;
  readonly looks: Readonly<Partial<Record<Way, Look>>>;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    jobs: { type: 'string', default: '2' },
    limit: { type: 'string', default: '120' },
    work: { type: 'string' },
  },
});
if (positionals.length !== 1 || !statSync(positionals[0], { throwIfNoEntry: false })?.isDirectory()) {
  console.error('usage: npm run bench:suites -- DIR [--only WORD,WORD] [--jobs N] [--limit SECONDS] [--work DIR]');
  process.exit(2);
}
const cli = join(process.cwd(), 'dist', 'cli.mjs');
const work = values.work ? resolve(values.work) : mkdtempSync(join(tmpdir(), 'lanewise-suites-'));
mkdirSync(work, { recursive: true });
const words = values.only?.split(',');
const cases = casesIn(resolve(positionals[0])).filter(
  ({ suite, name }) => !words || words.some((word) => `${suite}/${name}`.includes(word)),
);
console.log(`${cases.length} programs`);
print(await inParallel(cases, Number(values.jobs)));
if (!values.work) rmSync(work, { recursive: true, force: true });

async function inParallel(all: readonly SuiteCase[], jobs: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < all.length; index = next++) {
      const outcome = await looked(all[index], index);
      outcomes[index] = outcome;
      console.log(lineOf(outcome));
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return outcomes;
}

function lineOf({ test, looks }: Outcome): string {
  const ways = WAYS.flatMap((way) => {
    const look = looks[way];
    if (!look) return [];
    return [`${way}: ${look.notRun ?? ([...look.checks, ...look.faults.map((kind) => `(${kind})`)].join(' ') || 'silent')}`];
  });
  return `${test.apart ? 'apart' : test.racy ? 'racy ' : 'clean'} ${test.suite}/${test.name}  ${ways.join('; ')}${test.apart ? `; ${test.apart}` : ''}`;
}

/** What is silent with equal values is silent without, and what is found without is found with them. */
async function looked(test: SuiteCase, index: number): Promise<Outcome> {
  const first: Way = test.racy ? 'as given' : 'equal values';
  const look = await runs(test, index, first);
  if (look.notRun) return { test, looks: { 'as given': look } };
  if (!test.racy) return { test, looks: { 'as given': named(look) ? await runs(test, index, 'as given') : look, 'equal values': look } };
  if (named(look)) return { test, looks: { 'as given': look } };
  const looks: Partial<Record<Way, Look>> = { 'as given': look };
  const others: readonly Way[] = 'text' in test.program ? ['equal values', 'kept', 'kept, equal values'] : ['equal values'];
  for (const way of others) {
    looks[way] = await runs(test, index, way);
    if (named(looks[way])) break;
  }
  return { test, looks };
}

function named({ checks }: Look): boolean {
  return checks.some((check) => ['race', 'divergent-barrier', 'wrong-mask'].includes(check));
}

async function runs(test: SuiteCase, index: number, way: Way): Promise<Look> {
  const file = fileOf(test, index, way);
  if (!file) return { checks: [], faults: [], notRun: 'no kernel' };
  let look: Look = { checks: [], faults: [] };
  for (const args of test.runs) {
    look = await run(file, [...test.options, way.endsWith('equal values') ? '--sanitize=equal-values' : '--sanitize'], args);
    if (named(look) || look.faults.length === 0) break;
  }
  return look;
}

function fileOf({ program }: SuiteCase, index: number, way: Way): string | undefined {
  if ('file' in program) return program.file;
  const text = program.text(way.startsWith('kept'));
  if (text === undefined) return undefined;
  const file = join(work, `program${index}.cu`);
  writeFileSync(file, text);
  return file;
}

function run(file: string, options: readonly string[], args: readonly string[]): Promise<Look> {
  const report = join(work, `${process.pid}-${Math.trunc(performance.now() * 1000)}.json`);
  const child = spawn(process.execPath, [cli, 'run', file, ...options, '--quiet', '--json', report, '--', ...args], {
    cwd: work,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (bytes) => (stderr += bytes));
  const timer = setTimeout(() => child.kill('SIGKILL'), Number(values.limit) * 1000);
  return new Promise((done) => {
    child.on('close', (_, signal) => {
      clearTimeout(timer);
      if (signal) return done({ checks: [], faults: [], notRun: 'not in time' });
      if (!statSync(report, { throwIfNoEntry: false })) return done({ checks: [], faults: [], notRun: `not run: ${causeOf(stderr)}` });
      const { findings = [], faults } = JSON.parse(readFileSync(report, 'utf8')) as Pick<Report, 'findings' | 'faults'>;
      rmSync(report);
      done({ checks: [...new Set(findings.map(({ check }) => check))], faults: faults.map(({ kind }) => kind) });
    });
  });
}

function causeOf(stderr: string): string {
  const line = /^.*\berror: .*$|^unsupported: .*$/m.exec(stderr)?.[0] ?? stderr.trim().split('\n').at(-1) ?? '';
  return line.replace(/^.*error: /, '').slice(0, 120);
}

/** The table of docs/sanitizer.md, and by name what is missed, accused or not run. */
function print(outcomes: readonly Outcome[]): void {
  const suites = [...new Set(outcomes.map(({ test }) => test.suite))];
  console.log(
    '\n| suite | run | racy or divergent | found | with equal values | if kept | with both | clean | false alarms | with equal values |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const suite of suites) console.log(rowOf(suite, outcomes));
  const list = (title: string, some: readonly Outcome[]): void => {
    if (some.length > 0) console.log(`\n${some.length} ${title}\n${some.map((each) => `  ${lineOf(each)}`).join('\n')}`);
  };
  const counted = outcomes.filter(isCounted);
  list(
    'missed as given',
    counted.filter((each) => each.test.racy && !isFound(each, 'as given')),
  );
  list(
    'false alarms, with equal values or without',
    counted.filter((each) => !each.test.racy && WAYS.some((way) => isFound(each, way))),
  );
  list(
    'not run',
    outcomes.filter(({ test, looks }) => !test.apart && looks['as given']?.notRun),
  );
  list(
    'counted apart',
    outcomes.filter(({ test }) => test.apart),
  );
}

function rowOf(suite: string, outcomes: readonly Outcome[]): string {
  const own = outcomes.filter((each) => each.test.suite === suite && isCounted(each));
  const [racy, clean] = [own.filter(({ test }) => test.racy), own.filter(({ test }) => !test.racy)];
  const count = (some: readonly Outcome[], ...ways: readonly Way[]): number =>
    some.filter((each) => ways.some((way) => isFound(each, way))).length;
  const cells = [
    own.length,
    racy.length,
    count(racy, 'as given'),
    count(racy, 'as given', 'equal values'),
    count(racy, 'as given', 'kept'),
    count(racy, ...WAYS),
    clean.length,
    count(clean, 'as given'),
    count(clean, 'as given', 'equal values'),
  ];
  return `| ${suite} | ${cells.join(' | ')} |`;
}

function isCounted({ test, looks }: Outcome): boolean {
  return !test.apart && !looks['as given']?.notRun;
}

function isFound({ looks }: Outcome, way: Way): boolean {
  const look = looks[way];
  return look !== undefined && named(look);
}
