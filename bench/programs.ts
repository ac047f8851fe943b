/**
 * Runs every CUDA program of a folder of public code, unmodified, and prints by cause what did not compile, run or verify:
 * `npm run bench:programs -- DIR [--half even|odd|all] [--jobs N] [-I DIR] [--limit SECONDS] [--only WORD,WORD] [--engine NAME]
 * [--logs DIR] [--compile]`. A program is verified when it ends with exit code 0 and says of nothing that it failed. Those that need a window, a
 * camera, a library of another maker or a file that is not there are counted apart. Of NVIDIA's samples only the half whose folders'
 * names have an even sum of bytes is read and run, unless `--half` says otherwise: the other half is kept for acceptance.
 * With `--compile` every program is stopped at its first launch, and only whether it compiles is said. `--limit` is in seconds of
 * processor time where the system tells them (Linux), so that a busy machine fails no program.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { type Program, programsIn } from './program-folders.ts';

type Verdict = 'verified' | 'ended' | 'wrong' | 'failed' | 'time' | 'uncompiled' | 'apart' | 'waived';
interface Outcome {
  readonly program: Program;
  readonly verdict: Verdict;
  /** Why it is not verified. */
  readonly cause: string;
  /** Of processor time. */
  readonly seconds: number;
}

const TITLES: Readonly<Record<Verdict, string>> = {
  verified: 'verified themselves',
  ended: 'ended with exit code 0 and say nothing of a check',
  waived: 'say that this machine lacks what they need',
  wrong: 'say that results are wrong',
  failed: 'failed',
  time: 'did not end in time',
  uncompiled: 'did not compile',
  apart: 'need a window, another library or a missing file (not counted)',
};

/** Headers and functions of what is neither CUDA's runtime nor the program's own. */
const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [/\b(GL\/|GLES|EGL|glut|glew|freeglut|helper_gl|rendercheck_gl|X11|cudaEGL|cuda_gl_interop|vulkan|Vulkan|GLFW|SDL|opencv)/i, 'a window'],
  [/\b(d3d\w*|dxgi|windows)\.h|rendercheck_d3d|DirectX/i, 'Windows'],
  [/\bmpi\.h/, 'MPI'],
  [/\b(nvJitLink|nvvm|libNVVM|llvm\/)/i, 'nvJitLink or libNVVM'],
  [
    /\b(npp\w*|cufft\w*|cusparse\w*|cusolver\w*|cublas\w*|nvjpeg|nvgraph|cudnn\w*|nccl|cutensor|nvml|cupti|curand)(\.h|\b.*\.h)/i,
    'a CUDA library',
  ],
  [/\b(nvsci\w*|nvmedia\w*|FreeImage|Exceptions|ImagesCPU)\.h/i, 'another library'],
];
const NO_FILE =
  /(unable to (find|open|load)|cannot (open|find)|could not (open|find|load)|failed to (open|load)|no such file|not found|Error opening file|find(ing)? file)/i;
const WRONG =
  /(test failed|result\s*=\s*fail|\bFAILED\b|mismatch(?!ed \(count)|verification failed|results? (are|is) (wrong|incorrect)|\bFAIL\b(?!ED)|incorrect result)/i;
const RIGHT = /(test passed|result\s*=\s*pass|\bPASS(ED)?\b|success|verified|correct|\bOK\b|match)/i;
const EXIT_WAIVED = 2;
const TICKS_PER_SECOND = 100;
const MOST_OUTPUT = 10_000_000;
/** A program may take so many times its processor time, when it waits or the machine is busy. */
const WAITING = 10;

/** A program that lets a kernel fail to show how, and says that it did. */
const MEANT = /failed as expected/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    jobs: { type: 'string', default: '2' },
    include: { type: 'string', short: 'I', multiple: true, default: [] },
    limit: { type: 'string', default: '60' },
    only: { type: 'string' },
    engine: { type: 'string' },
    logs: { type: 'string' },
    half: { type: 'string' },
    compile: { type: 'boolean', default: false },
  },
});
const HALVES = ['even', 'odd', 'all'];
if (
  (values.half !== undefined && !HALVES.includes(values.half)) ||
  positionals.length !== 1 ||
  !statSync(positionals[0], { throwIfNoEntry: false })?.isDirectory()
) {
  console.error(
    'usage: npm run bench:programs -- DIR [--half even|odd|all] [--jobs N] [-I DIR] [--limit SECONDS] [--only WORD,WORD] [--engine NAME] [--logs DIR] [--compile]',
  );
  process.exit(2);
}
const root = resolve(positionals[0]);
const cli = join(process.cwd(), 'dist', 'cli.mjs');
const words = values.only?.split(',');
const half = values.half ?? (existsSync(join(root, '0_Introduction')) ? 'even' : 'all');
const programs = programsIn(root, ofHalf).filter(({ name }) => !words || words.some((word) => name.includes(word)));
console.log(`${programs.length} programs${half === 'all' ? '' : ` in folders whose names have an ${half} sum of bytes`}`);
const outcomes = await inParallel(programs, Number(values.jobs));
print(outcomes);

/** A sample is a folder two levels below the root, with whatever it holds. */
function ofHalf(folder: string): boolean {
  const [, sample] = relative(root, folder).split(sep);
  if (half === 'all' || sample === undefined) return half === 'all';
  const sum = [...Buffer.from(sample)].reduce((total, byte) => total + byte, 0);
  return (sum % 2 === 0) === (half === 'even');
}

async function inParallel(all: readonly Program[], jobs: number): Promise<Outcome[]> {
  const results: Outcome[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < all.length; index = next++) {
      const outcome = await tried(all[index]);
      results[index] = outcome;
      console.log(`${outcome.verdict.padEnd(10)} ${outcome.seconds.toFixed(1).padStart(6)} s  ${outcome.program.name}  ${outcome.cause}`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return results;
}

/** A program with several runs is what the first of them is that does not verify. */
async function tried(program: Program): Promise<Outcome> {
  let [outcome, seconds]: [Outcome | undefined, number] = [undefined, 0];
  for (const run of values.compile ? program.runs.slice(0, 1) : program.runs) {
    const next = await ran(program, run);
    seconds += next.seconds;
    if (outcome && (next.verdict === 'verified' || next.verdict === 'ended')) continue;
    outcome = next;
    if (next.verdict !== 'verified' && next.verdict !== 'ended') break;
  }
  return { ...outcome!, seconds };
}

function ran(program: Program, run: readonly string[]): Promise<Outcome> {
  const includes = [...program.includes, ...values.include.map((each) => resolve(each))].flatMap((each) => ['-I', each]);
  const defines = program.defines.flatMap((each) => ['-D', each]);
  const engine = values.engine ? ['--engine', values.engine] : [];
  const stop = values.compile ? ['--step-limit', '1'] : [];
  const args = [
    cli,
    'run',
    '--no-sanitize',
    ...program.sources,
    ...includes,
    ...defines,
    ...engine,
    ...stop,
    '--quiet',
    '--allow-read',
    root,
    ...(run.length > 0 ? ['--', ...run] : []),
  ];
  const start = performance.now();
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: program.folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr, late, processorSeconds] = ['', '', false, 0];
    const timer = setInterval(() => {
      const elapsed = (performance.now() - start) / 1000;
      processorSeconds = Math.max(processorSeconds, processorSecondsOf(child.pid!) ?? elapsed);
      if (late || Math.max(processorSeconds, elapsed / WAITING) < Number(values.limit)) return;
      late = true;
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGKILL'), 5000).unref();
    }, 200);
    child.stdout.on('data', (bytes) => (stdout = kept(stdout + bytes)));
    child.stderr.on('data', (bytes) => (stderr = kept(stderr + bytes)));
    child.on('close', (exit) => {
      clearInterval(timer);
      if (values.logs) keepLog(program, run, { stdout, stderr });
      const verdict = verdictOf({ exit, stdout, stderr, late });
      const foreign = verdict.verdict === 'uncompiled' ? foreignInclude(program) : undefined;
      done({ program, seconds: processorSeconds, ...(foreign ? { verdict: 'apart' as const, cause: foreign } : verdict) });
    });
  });
}

/** Of endless output the end. */
function kept(text: string): string {
  return text.length > MOST_OUTPUT ? text.slice(-MOST_OUTPUT / 2) : text;
}

/** Of a process, its children and those that have ended. */
function processorSecondsOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
    const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean),
    );
    return children.reduce((sum, child) => sum + (processorSecondsOf(Number(child)) ?? 0), own);
  } catch {
    return undefined;
  }
}

/** What a program that does not compile includes that belongs to none of CUDA and the program: its first error may be another one. */
function foreignInclude({ folder, sources }: Program): string | undefined {
  const headers = readdirSync(folder).filter((name) => /\.(h|cuh|hpp)$/.test(name));
  const texts = [...sources, ...headers.map((name) => join(folder, name))].map((file) => readFileSync(file, 'latin1'));
  const included = texts.flatMap((text) => [...text.matchAll(/^\s*#\s*include\s*[<"]([^>"]+)[>"]/gm)].map(([, name]) => name));
  const own = (name: string) => existsSync(join(process.cwd(), 'dist', 'include', name)) || existsSync(join(folder, name));
  const found = included
    .filter((name) => !own(name))
    .flatMap((name) => FOREIGN.flatMap(([names, what]) => (names.test(name) ? [`${what}: ${name}`] : [])));
  return found[0];
}

function keepLog(
  { name }: Program,
  run: readonly string[],
  { stdout, stderr }: { readonly stdout: string; readonly stderr: string },
): void {
  mkdirSync(values.logs!, { recursive: true });
  writeFileSync(join(values.logs!, `${[name, ...run].join(' ').replaceAll('/', '_')}.txt`), `${stdout}\n--- stderr\n${stderr}`);
}

interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly late: boolean;
}

function verdictOf({ exit, stdout, stderr, late }: Ended): Pick<Outcome, 'verdict' | 'cause'> {
  const error = /^(.+?:\d+:\d+: )?(?:fatal )?error: (.*)$/m.exec(stderr);
  if (error && stdout === '') return uncompiled(error[2]);
  if (values.compile && !/^unsupported:/m.test(stderr)) return { verdict: 'ended', cause: '' };
  if (late) return { verdict: 'time', cause: '' };
  const said = stdout + stderr;
  const fault = /^(\S[\w -]*): (.*)$/m.exec(
    stderr
      .split('\n')
      .filter((line) => line.trim() !== '')
      .join('\n'),
  );
  if (MEANT.test(stdout)) return { verdict: 'verified', cause: '' };
  if (exit === EXIT_WAIVED && /waiv|not supported|require|need/i.test(said)) return { verdict: 'waived', cause: lastLine(said) };
  if (exit !== 0) {
    if (NO_FILE.test(said) && !/^unsupported:/m.test(stderr))
      return { verdict: 'apart', cause: `a missing file: ${NO_FILE.exec(said)![0]}` };
    return { verdict: WRONG.test(stdout) ? 'wrong' : 'failed', cause: causeOf(stderr, stdout, fault?.[0]) };
  }
  if (WRONG.test(stdout)) return { verdict: 'wrong', cause: WRONG.exec(stdout)![0] };
  return { verdict: RIGHT.test(said) ? 'verified' : 'ended', cause: '' };
}

function uncompiled(message: string): Pick<Outcome, 'verdict' | 'cause'> {
  const missing = /'(.+)' file not found/.exec(message)?.[1];
  const foreign = missing && FOREIGN.find(([names]) => names.test(missing))?.[1];
  if (foreign) return { verdict: 'apart', cause: `${foreign}: ${missing}` };
  return { verdict: 'uncompiled', cause: message };
}

function causeOf(stderr: string, stdout: string, fault: string | undefined): string {
  const unsupported = /^unsupported: .*$/m.exec(stderr)?.[0];
  const cudaError = /\bcuda(Error\w+)|CUDA error.*$/m.exec(stdout + stderr)?.[0];
  return unsupported ?? cudaError ?? fault ?? lastLine(stderr || stdout);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 120) ?? '';
}

function print(all: readonly Outcome[]): void {
  for (const verdict of Object.keys(TITLES) as Verdict[]) {
    const own = all.filter((each) => each.verdict === verdict);
    if (own.length === 0) continue;
    console.log(`\n${own.length} ${TITLES[verdict]}`);
    const causes = [...new Set(own.map(({ cause }) => cause))].map((cause) => [cause, own.filter((each) => each.cause === cause)] as const);
    for (const [cause, each] of causes.sort((a, b) => b[1].length - a[1].length)) {
      console.log(
        `  ${String(each.length).padStart(3)}  ${cause || '-'}: ${each.map(({ program }) => program.name.split('/').at(-1)).join(', ')}`,
      );
    }
  }
  const counted = all.filter(({ verdict }) => verdict !== 'apart' && verdict !== 'waived');
  const good = counted.filter(({ verdict }) => verdict === 'verified' || verdict === 'ended');
  const checked = good.filter(({ verdict }) => verdict === 'verified');
  const share = counted.length === 0 ? 0 : (100 * good.length) / counted.length;
  console.log(
    `\n${good.length} of ${counted.length} programs (${share.toFixed(1)} %) run and verify; ${checked.length} of them say that they checked`,
  );
}
