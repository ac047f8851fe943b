/**
 * Compiles the tests of CCCL (CUB's and Thrust's) against the headers of a CUDA toolkit, runs them, and prints by case what passes and why
 * the rest does not: `npm run bench:cccl -- CCCL TOOLKIT_INCLUDE CATCH2 [--only WORD,WORD] [--variants first|all] [--jobs N]
 * [--limit SECONDS] [--case-limit SECONDS] [--compile-limit SECONDS] [--work DIR]`. CCCL is a checkout of the version that the toolkit has,
 * CATCH2 one of Catch2. A program may compile for the first limit, each of its cases run for the second; Clang gets the third per file.
 * Of tests with parameters (`%PARAM%`) the first variant runs unless all are asked for; those that launch from device code are left out
 * either way, as CMake leaves them out by default. What compiles is kept in DIR, so that the next run takes less.
 */
import { spawn } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type CaseResult, type CcclTest, testsOf, type Variants, WHOLE } from './cccl-tests.ts';

interface Outcome {
  readonly test: CcclTest;
  readonly cases: readonly CaseResult[];
  /** Why there is no result of any case, or none of the last ones. */
  readonly cause?: string;
  readonly seconds: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    variants: { type: 'string', default: 'first' },
    jobs: { type: 'string', default: '2' },
    limit: { type: 'string', default: '900' },
    'case-limit': { type: 'string', default: '120' },
    'compile-limit': { type: 'string', default: '600' },
    work: { type: 'string' },
  },
});
const isVariants = (name: string): name is Variants => name === 'first' || name === 'all';
const { variants } = values;
if (positionals.length !== 3 || !positionals.every(isFolder) || !isVariants(variants)) {
  console.error(
    'usage: npm run bench:cccl -- CCCL TOOLKIT_INCLUDE CATCH2 [--only WORD,WORD] [--variants first|all] [--jobs N] [--limit SECONDS] [--case-limit SECONDS] [--compile-limit SECONDS] [--work DIR]',
  );
  process.exit(2);
}
const [cccl, toolkit, catch2] = positionals.map((each) => resolve(each));
const headers = [join(toolkit, 'cccl'), toolkit].find((each) => existsSync(join(each, 'cub', 'cub.cuh')));
if (headers === undefined) {
  console.error(`${toolkit} has neither cccl/cub/cub.cuh nor cub/cub.cuh: give the include folder of a CUDA toolkit`);
  process.exit(2);
}
const work = values.work ? resolve(values.work) : mkdtempSync(join(tmpdir(), 'lanewise-cccl-'));
for (const each of ['logs', 'run']) mkdirSync(join(work, each), { recursive: true });
const compiled = join(work, 'cache', 'lanewise');
const cli = join(process.cwd(), 'dist', 'cli.mjs');
const words = values.only?.split(',');
const tests = testsOf({ cccl, catch2, headers, work }, variants).filter(
  ({ name }) => !words || words.some((word) => `${name}.`.includes(word)),
);
console.log(
  `${tests.length} programs of tests, ${variants === 'first' ? 'the first variant of each' : 'all variants'}; logs in ${work}/logs`,
);
print(await inParallel(tests, Number(values.jobs)));

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

async function inParallel(all: readonly CcclTest[], jobs: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < all.length; index = next++) {
      const outcome = await tried(all[index]);
      outcomes[index] = outcome;
      console.log(lineOf(outcome));
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return outcomes;
}

function lineOf({ test, cases, cause, seconds }: Outcome): string {
  const passed = cases.filter((each) => each.passed).length;
  return `${`${passed}/${cases.length}`.padStart(9)} ${seconds.toFixed(0).padStart(5)} s  ${test.name}  ${cause ?? ''}`;
}

async function tried(test: CcclTest): Promise<Outcome> {
  const start = performance.now();
  const startMs = Date.now();
  linkInto(compiled, join(work, 'compiled', test.name), () => true);
  // Compiles it, too.
  const list = await lanewise(test, test.list, []);
  linkInto(join(work, 'compiled', test.name), compiled, (file) => statSync(file).mtimeMs >= startMs);
  const listed = test.listed(list.stdout);
  if (listed.length === 0) writeFileSync(join(work, 'logs', `${test.name}.txt`), `${list.stdout}\n--- stderr\n${list.stderr}`);
  const { cases, cause } = listed.length === 0 ? { cases: [], cause: causeOf(list) } : await casesOf(test, listed);
  return { test, cases, cause, seconds: (performance.now() - start) / 1000 };
}

/** The command's own folder of compiled programs holds a dozen of this size, so what each test was made of is kept beside it, too. */
function linkInto(to: string, from: string, isWanted: (file: string) => boolean): void {
  for (const each of [to, from]) mkdirSync(each, { recursive: true });
  for (const name of readdirSync(from)) {
    if (isWanted(join(from, name)) && !existsSync(join(to, name))) linkSync(join(from, name), join(to, name));
  }
}

/**
 * Runs all cases. Where one takes longer than it may, or ends the program, the others are run again without it: what it is, only a run of it
 * alone tells, since the case before may have had another round to go.
 */
async function casesOf(test: CcclTest, listed: readonly string[]): Promise<Pick<Outcome, 'cases' | 'cause'>> {
  const cases: CaseResult[] = [];
  let cause: string | undefined;
  let said = '';
  let waiting = listed;
  let alone = false;
  while (waiting.length > 0) {
    const asked: readonly string[] = alone ? waiting.slice(0, 1) : waiting;
    const run = await lanewise(test, asked === listed ? test.run() : test.run(asked), asked);
    said += `--- ${asked.length} cases\n${run.stdout}\n--- stderr\n${run.stderr}\n`;
    writeFileSync(join(work, 'logs', `${test.name}.txt`), said);
    const results = test.results(run.stdout, asked);
    cases.push(...results);
    const known = new Set(results.map(({ name }) => name));
    const left = asked.filter((name) => !known.has(name));
    const isStuck = known.size === 0 && asked.length === 1;
    if (left.length > 0) cause ??= causeOf(run);
    if (isStuck) cases.push({ name: asked[0], passed: false, unfinished: true, cause: causeOf(run) ?? 'no result' });
    waiting = waiting.filter((name) => !known.has(name) && !(isStuck && name === asked[0]));
    alone = !isStuck && known.size === 0;
  }
  return { cases, cause };
}

interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: number | null;
  readonly late: boolean;
  readonly uncompiled: boolean;
}

/** Ends the program when a case of `asked` takes too long. */
function lanewise({ sources, includes, defines, results }: CcclTest, args: readonly string[], asked: readonly string[]): Promise<Run> {
  const flags = [...includes.flatMap((each) => ['-I', each]), ...defines.flatMap((each) => ['-D', each])];
  const limits = ['--limit', `compileSeconds=${values['compile-limit']}`, '--limit', 'outputMB=100'];
  const command = [cli, 'run', '--no-sanitize', '--quiet', ...limits, ...sources, ...flags, '--', ...args];
  return new Promise((done) => {
    const env = { ...process.env, XDG_CACHE_HOME: join(work, 'cache') };
    const child = spawn(process.execPath, command, { cwd: join(work, 'run'), env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr, late] = ['', '', false];
    let [lastCount, lastTime] = [0, performance.now()];
    const seconds = Number(asked.length > 0 ? values['case-limit'] : values.limit);
    const timer = setInterval(() => {
      const count = results(stdout, asked).length;
      if (count > lastCount) [lastCount, lastTime] = [count, performance.now()];
      if (late || performance.now() - lastTime < seconds * 1000) return;
      late = true;
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGKILL'), 5000).unref();
    }, 1000);
    child.stdout.on('data', (bytes) => (stdout += bytes));
    child.stderr.on('data', (bytes) => (stderr += bytes));
    child.on('close', (exit) => {
      clearInterval(timer);
      const uncompiled = stdout === '' && (late || /^(.+?: )?(fatal )?error: |cannot be compiled: |the compiler failed/m.test(stderr));
      done({ stdout, stderr, exit, late, uncompiled });
    });
  });
}

/** Failed checks alone are no cause: the cases say them. */
function causeOf({ stdout, stderr, exit, late, uncompiled }: Run): string | undefined {
  if (late && uncompiled) return `did not compile in ${values.limit} seconds`;
  if (late) return `did not end in ${values['case-limit']} seconds`;
  const error = /^(?:.+?:\d+:\d+: )?(?:fatal )?error: (.*)$/m.exec(stderr);
  if (uncompiled) return error ? `error: ${error[1]}` : lastLine(stderr);
  if (WHOLE.test(stdout)) return undefined;
  return /^unsupported: .*$/m.exec(stderr)?.[0] ?? (lastLine(stderr) || `ended with exit code ${exit}`);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
}

function print(outcomes: readonly Outcome[]): void {
  for (const { test, cases } of outcomes) {
    for (const { name, unfinished, cause } of cases.filter(({ passed }) => !passed))
      console.log(`${unfinished ? 'not finished' : 'failed'}  ${test.name}: ${name}: ${cause}`);
  }
  for (const library of ['cub.warp', 'cub.block', 'cub.device', 'thrust', '']) {
    const own = outcomes.filter(({ test }) => test.name.startsWith(library));
    if (own.length === 0) continue;
    const cases = own.flatMap((each) => each.cases);
    const passed = cases.filter((each) => each.passed).length;
    const those = own.filter((each) => each.cases.length > 0).length;
    const share = cases.length === 0 ? 0 : (100 * passed) / cases.length;
    console.log(
      `${(library || 'all').padEnd(10)} ${those} of ${own.length} programs compiled; ${passed} of their ${cases.length} cases passed (${share.toFixed(1)} %)`,
    );
  }
}
