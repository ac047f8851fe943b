/**
 * Hostile programs and inputs through the real command, each in a process of its own: `npm run test:hostile`, or `npm run test:hostile -- WORD`
 * for those whose name has the word. None may read or write outside its folder, none takes more than its limits and a fifth, each
 * ends by itself with its error.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { HostileCase } from './case.ts';
import { ALL_CASES } from './cases.ts';
import { type Measured, measuredRun } from './measured-run.ts';

const cli = join(process.cwd(), 'dist/cli.mjs');
const words = process.argv.slice(2);
const chosen = ALL_CASES.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const SECRET = 'the-secret-of-the-suite-7316';
/** More than what a limit of time may be passed by: a slow machine is no hole. */
const PATIENCE = 3;
const TOLERANCE = 1.2;
// Not in /tmp, which programs have for themselves.
const top = realpathSync(mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'lanewise-hostile-')));
process.on('exit', () => rmSync(top, { recursive: true, force: true }));

/** `home` is the program's, `outside` is not. */
function makeFolders(number: number, { files, prepare }: HostileCase): { readonly around: string; readonly home: string } {
  const around = join(top, String(number));
  const home = join(around, 'home');
  for (const folder of ['outside/sub', 'home/.git/hooks', 'home/.vscode', 'home/node_modules/x', 'home/sub'])
    mkdirSync(join(around, folder), { recursive: true });
  writeFileSync(join(around, 'outside/secret'), `${SECRET}\n`);
  writeFileSync(join(around, 'outside/secret.h'), `#define SECRET "${SECRET}"\n`);
  writeFileSync(join(home, '.git/config'), '[core]\n');
  writeFileSync(join(home, 'own'), 'mine\n');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content);
  }
  if (prepare) execFileSync('sh', ['-c', prepare], { cwd: home });
  return { around, home };
}

/** What must stay as it is: all that is outside, and names in the home folder that tools run. */
function stateOf(around: string): string {
  const hash = createHash('sha256');
  const walk = (path: string): void => {
    const stats = lstatSync(path);
    hash.update(`${path} ${stats.mode} ${stats.mtimeMs} `);
    if (stats.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stats.isDirectory()) for (const name of readdirSync(path).sort()) walk(join(path, name));
    else if (stats.isFile()) hash.update(readFileSync(path));
  };
  for (const kept of ['outside', 'home/.git', 'home/.vscode', 'home/node_modules']) walk(join(around, kept));
  return hash.digest('hex');
}

async function outcome(
  each: HostileCase,
  number: number,
): Promise<{ readonly problems: readonly string[]; readonly measured: Measured & { readonly isSlow: boolean } }> {
  const { around, home } = makeFolders(number, each);
  const before = stateOf(around);
  const other = each.meanwhile ? spawn('sh', ['-c', each.meanwhile], { cwd: home, stdio: 'ignore', detached: true }) : undefined;
  const measured = await measuredRun(process.execPath, [cli, ...each.args], {
    cwd: home,
    mostSeconds: each.seconds * PATIENCE,
    interruptAt: each.interruptAt,
    env: { PATH: process.env.PATH, HOME: around, XDG_CACHE_HOME: join(around, 'cache'), SECRET_OF_USER: SECRET },
  });
  if (other?.pid !== undefined) process.kill(-other.pid, 'SIGKILL');
  const { exit, output, seconds, megabytes, ended, left } = measured;
  const isSlow = ended || seconds > each.seconds * TOLERANCE;
  const problems = [
    ...(ended
      ? [`did not end within ${each.seconds * PATIENCE} s`]
      : each.exit === undefined || exit === each.exit
        ? []
        : [`exit code ${exit}, not ${each.exit}`]),
    ...(exit === 1 && output === '' ? ['fails without a word'] : []),
    ...(each.says.test(output) ? [] : [`does not say ${each.says}`]),
    ...(seconds > each.seconds * TOLERANCE ? [`took ${seconds.toFixed(1)} s; its limit is ${each.seconds} s`] : []),
    ...(megabytes > each.megabytes * TOLERANCE ? [`took ${Math.round(megabytes)} MB; its limit is ${each.megabytes} MB`] : []),
    ...(output.includes('\x1b') ? ['sends control characters'] : []),
    ...(output.includes(SECRET) ? ['shows the secret'] : []),
    ...(/internal error|is a bug|at .*\.mjs:\d+/.test(output) ? ['fails inside'] : []),
    ...(stateOf(around) === before ? [] : ['changed what is outside']),
    ...(left.length > 0 ? [`leaves ${left.length} processes`] : []),
  ];
  rmSync(around, { recursive: true, force: true });
  return { problems: problems.length === 0 ? [] : [...problems, `it said: ${shortened(output)}`], measured: { ...measured, isSlow } };
}

function shortened(output: string): string {
  return JSON.stringify(output.length > 700 ? `${output.slice(0, 400)} [...] ${output.slice(-250)}` : output);
}

const begin = performance.now();
let failed = 0;
const most = { seconds: 0, megabytes: 0 };
/** Those that only took too long: the machine may have been busy. */
const slow: number[] = [];

async function judge(number: number, isLast: boolean): Promise<void> {
  const { name } = chosen[number];
  const { problems, measured } = await outcome(chosen[number], number);
  const figures = `${measured.seconds.toFixed(1)} s, ${Math.round(measured.megabytes)} MB`;
  if (!isLast && measured.isSlow) {
    console.log(`slow   ${name} (${figures}), again at the end`);
    slow.push(number);
    return;
  }
  most.seconds = Math.max(most.seconds, measured.seconds);
  most.megabytes = Math.max(most.megabytes, measured.megabytes);
  console.log(
    `${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${figures})${problems.map((problem) => `\n         ${problem}`).join('')}`,
  );
  if (problems.length > 0) failed++;
}

let next = 0;
async function work(): Promise<void> {
  while (next < chosen.length) await judge(next++, false);
}

const twice = chosen.find(({ name }, index) => chosen.findIndex((other) => other.name === name) !== index);
if (twice) throw new Error(`two cases have the name "${twice.name}"`);
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
// Each alone.
for (const number of slow) await judge(number, true);
console.log(
  `${chosen.length} hostile programs and inputs, ${failed} failed, in ${Math.round((performance.now() - begin) / 1000)} s; the most that one took: ${most.seconds.toFixed(1)} s, ${Math.round(most.megabytes)} MB`,
);
if (process.env.CI && existsSync('build/test-results'))
  writeFileSync('build/test-results/hostile.json', JSON.stringify({ numPassedTests: chosen.length - failed, numFailedTests: failed }));
process.exitCode = failed > 0 || chosen.length === 0 ? 1 : 0;
