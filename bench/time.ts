/**
 * Compares estimated times with those that a GPU took, launch by launch: `npm run bench:time -- DIR [--samples DIR] [--inputs DIR]
 * [--only PARTS] [--kept] [--jobs N] [--limit SECONDS] [--list]`, where DIR holds HeCBench's folders (`src/adam-cuda/…`), and that of
 * --samples cuda-samples'. Programs are run once and what estimates are made of is kept in the folder of --inputs, a file for each
 * (time-inputs.ts): with `--kept`, which runs none whose file is not there, a changed model is compared in a minute.
 *
 * Programs are in two halves by their name's hash: the model was fitted on half A, so half B shows what holds elsewhere. All sets together
 * are held to what is asked of the model; single sets are printed to know. Then come the large sizes, what is published for an A100, and
 * totals of programs with streams and with windows of L2. PARTS are names of sets or `published` and `totals`, with commas; `--list`
 * names every launch of half A, and its kernels that come out in another order. Exits with 1 where a limit does not hold.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import type { Report } from '../protocol/report.ts';
import { baseName, halfOf, sourcesOf } from './measured.ts';
import { recordInputs, type TimedLaunch, timesOf } from './time-inputs.ts';

interface Measured {
  readonly args?: readonly string[];
  readonly source?: string;
  readonly kernels: readonly { readonly kernel: string; readonly metrics: Readonly<Record<string, number>> }[];
}

interface Program {
  readonly set: string;
  readonly name: string;
  readonly measured: Measured;
}

interface Launch {
  readonly program: string;
  readonly kernel: string;
  readonly half: 'A' | 'B';
  readonly set: string;
  readonly metrics: Readonly<Record<string, number>>;
  readonly ns: number;
  readonly estimate: Estimate;
}

type Estimate = Pick<NonNullable<TimedLaunch['time']>, 'ns' | 'limit' | 'parts' | 'memory'>;

const SETS = {
  reference: '../shared/hardware/h200-reference.json',
  hecbench: '../shared/hardware/h200-hecbench.json',
  headline: '../shared/hardware/h200-headline.json',
  later: 'test/fixtures/hardware/h200-hecbench-times.json',
  seventh: 'test/fixtures/hardware/h200-hecbench-seventh.json',
  samples: 'test/fixtures/hardware/h200-samples.json',
  eighth: 'test/fixtures/hardware/h200-hecbench-eighth.json',
  ninth: 'test/fixtures/hardware/h200-hecbench-ninth.json',
  textbook: 'test/fixtures/hardware/h200-textbook.json',
  practice: 'test/fixtures/hardware/h200-practice.json',
  field: 'test/fixtures/hardware/h200-field.json',
  trial: 'test/fixtures/hardware/h200-trial.json',
};
interface Order {
  readonly value: number;
  readonly pairs: number;
  /** Those that come out the other way round. */
  readonly wrong: readonly { readonly slow: Launch; readonly fast: Launch }[];
}

const LONG_NS = 5000;
/** L2 sectors that every launch reads besides its own and its code: parameters (the smallest kernels of h200-reference.json, without their 512 bytes of code). */
const OWN_SECTORS = 810;
/** Bytes of DRAM, likewise. */
const OWN_BYTES = 2400;
/** Nsight Compute counts a sector of the far half of the H200's L2 twice: 1.5 times in the mean. */
const COUNTED_TIMES = 1.5;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: { type: 'string' },
    samples: { type: 'string' },
    only: { type: 'string' },
    kept: { type: 'boolean' },
    jobs: { type: 'string', default: '1' },
    limit: { type: 'string', default: '120' },
    list: { type: 'boolean' },
    record: { type: 'string' },
  },
});
if (positionals.length !== 1 || !existsSync(SETS.reference)) {
  console.error(
    'usage: npm run bench:time -- DIR [--samples DIR] [--inputs DIR] [--only PARTS] [--kept] [--jobs N] [--limit SECONDS] [--list]',
  );
  process.exit(2);
}
const inputs = resolve(values.inputs ?? mkdtempSync(join(tmpdir(), 'time-')));
mkdirSync(inputs, { recursive: true });
const only = values.only?.split(',');
const wants = (part: string): boolean => only === undefined || only.includes(part);
const programs = Object.entries(SETS)
  .filter(([set]) => wants(set))
  .flatMap(([set, file]) =>
    Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Measured>).map(
      ([name, measured]): Program => ({ set, name, measured }),
    ),
  );
if (values.record) {
  await record(values.record);
  process.exit(0);
}
if (!values.kept) await recordAll();
const launches = programs.flatMap(launchesOf);
let failed = false;
const compared = launches.filter(({ set }) => set !== 'headline');
for (const half of ['A', 'B', undefined] as const) {
  const own = compared.filter((each) => half === undefined || each.half === half);
  summary(half ? `half ${half}` : 'all', own, { most: half === 'B' ? 0.25 : 0.2, whole: half === undefined, to: check });
}
for (const set of Object.keys(SETS)) {
  for (const half of ['A', 'B', undefined] as const) {
    const own = compared.filter((each) => each.set === set && (half === undefined || each.half === half));
    summary(half ? `${set}, half ${half}` : set, own, {
      most: 0.2,
      whole: half === undefined,
      to: (_, text) => console.log(`       ${text}`),
    });
  }
}
if (values.list) list(compared.filter(({ half }) => half === 'A'));
for (const { program, kernel, ns, estimate, set } of launches) {
  if (set !== 'headline' || ns < 100_000) continue;
  const ratio = estimate.ns / ns;
  check(
    ratio > 0.7 && ratio < 1.3,
    `${program}, ${baseName(kernel)}: measured ${ns} ns, estimated ${estimate.ns.toFixed()} ns, ${ratio.toFixed(2)} times`,
  );
}
if (wants('published')) published();
if (wants('totals')) totals();
process.exit(failed ? 1 : 0);

/**
 * Published for an A100 and 268 million elements. The second version fits a program in which each block of 1,024 threads counts as many
 * elements and adds its 256 bins to those of the device (docs/time.md); the one of the reference programs has 1,056 blocks.
 */
function published(): void {
  const n = '268435456';
  const report = join(inputs, 'a100.json');
  const longest = (files: readonly string[], args: readonly string[], kernel: string): number => {
    rmSync(report, { force: true });
    run(files, ['--device', 'a100', '--json', report], args);
    const { kernels } = JSON.parse(readFileSync(report, 'utf8')) as Report;
    return Math.max(...kernels.filter((each) => baseName(each.kernel) === kernel).map(({ estimate }) => estimate?.ns ?? 0)) / 1e6;
  };
  const histogram = [resolve('test/fixtures/reference/histogram.cu')];
  const rows: readonly (readonly [string, number, number])[] = [
    ['256 bins in global memory', 87.6, longest(histogram, [n, '256', '1'], 'histGlobal')],
    ['5 million bins', 4.6, longest(histogram, [n, '5000000'], 'histGlobal')],
    [
      '256 bins of each block of 1,024',
      3.3,
      longest([resolve('test/fixtures/timing/histogram-shapes.cu')], [n, '262144', '1024'], 'histShared'),
    ],
    ['256 bins in parts', 0.8, longest(histogram, [n, '256', '3'], 'histPartial')],
  ];
  rows.forEach(([name, ms, ours], index) => {
    const inOrder = index === 0 || ours < rows[index - 1][2];
    const ratio = ours / ms;
    check(
      inOrder && Math.max(ratio, 1 / ratio) <= 1.6,
      `A100, ${name}: published ${ms} ms, estimated ${ours.toFixed(2)} ms, ${ratio.toFixed(2)} times`,
    );
  });
}

/** Serial copies and kernels, and the same in several streams; a histogram with and without a window of L2: totals and gains. */
function totals(): void {
  const { streams, windows } = JSON.parse(readFileSync('test/fixtures/hardware/h200-microbenchmarks.json', 'utf8')) as {
    readonly streams: readonly { readonly streams: number; readonly chunk: number; readonly chunks: number; readonly eventsUs: number }[];
    readonly windows: readonly {
      readonly n: number;
      readonly bins: number;
      readonly hitRatio: number;
      readonly memsetAndCountUs: number;
    }[];
  };
  const printed = (name: string, args: readonly number[], pattern: RegExp): readonly number[] =>
    [...run([resolve('test/fixtures/timing', name)], [], args.map(String)).matchAll(pattern)].map(([, us]) => Number(us));
  for (const chunk of [65_536, 262_144, 1_048_576]) {
    const theirs = streams.filter((each) => each.chunk === chunk && each.chunks === 8).slice(0, 3);
    const ours = printed('streams.cu', [chunk, 8, 1], /events_us=([\d.]+)/g);
    const [serial] = theirs;
    for (const [index, { streams: count, eventsUs }] of theirs.entries()) {
      const name = `streams.cu, ${chunk} x 8, ${count} streams`;
      total(name, ours[index], eventsUs);
      if (index > 0) gain(name, [ours[0], ours[index]], [serial.eventsUs, eventsUs]);
    }
  }
  for (const [n, bins, ratio] of [
    [16_777_216, 4_194_304, 1],
    [16_777_216, 8_388_608, 1],
    [16_777_216, 12_582_912, 0.6],
    [67_108_864, 8_388_608, 1],
    [67_108_864, 12_582_912, 1],
  ] as const) {
    const at = windows.findIndex((each) => each.n === n && each.bins === bins && each.hitRatio === ratio);
    const theirs = [windows[at - 1].memsetAndCountUs, windows[at].memsetAndCountUs];
    const ours = printed('l2-window.cu', [n, bins, 1, ratio], /memset_and_count_us=([\d.]+)/g);
    const name = `l2-window.cu, ${n} in ${bins}, ratio ${ratio}`;
    for (const index of [0, 1]) total(`${name}, ${index ? 'on' : 'off'}`, ours[index], theirs[index]);
    gain(name, ours, theirs);
  }
}

function total(name: string, ours: number, theirs: number): void {
  const ratio = ours / theirs;
  check(ratio > 0.75 && ratio < 1.25, `${name}: measured ${theirs} us, estimated ${ours} us, ${ratio.toFixed(2)} times`);
}

/** Less than 2 % either way is no gain. */
function gain(name: string, ours: readonly number[], theirs: readonly number[]): void {
  const [here, there] = [ours[0] / ours[1], theirs[0] / theirs[1]];
  check(there <= 1.02 || here > 1, `${name}: gains ${there.toFixed(2)} times, estimated ${here.toFixed(2)}`);
}

function check(holds: boolean, text: string): void {
  failed ||= !holds;
  console.log(`${holds ? 'holds' : 'FAILS'}: ${text}`);
}

/** `most`: median error of long launches; `whole`: what is asked of all together is told of these. */
function summary(
  name: string,
  own: readonly Launch[],
  { most, whole, to }: { readonly most: number; readonly whole: boolean; readonly to: (holds: boolean, text: string) => void },
): void {
  if (own.length === 0) return;
  const long = own.filter(({ ns }) => ns >= LONG_NS);
  const short = own.filter(({ ns }) => ns < LONG_NS);
  const error = median(long.map(({ ns, estimate }) => Math.abs(estimate.ns / ns - 1)));
  const within = long.filter(({ ns, estimate }) => Math.max(estimate.ns / ns, ns / estimate.ns) <= 1.6).length / long.length;
  to(error <= most, `${name}: ${long.length} launches from 5 µs on, median error ${percent(error)}`);
  to(!whole || within >= 0.9, `${name}: within a factor of 1.6: ${percent(within)}`);
  const distance = median(short.map(({ ns, estimate }) => Math.abs(estimate.ns - ns)));
  if (short.length > 0) to(distance <= 1500, `${name}: ${short.length} launches below 5 µs, median error ${Math.round(distance)} ns`);
  if (!whole) return;
  const tau = kendall(own);
  to(tau.value >= 0.9, `${name}: Kendall's tau ${tau.value.toFixed(3)} over ${tau.pairs} pairs of kernels`);
  const sectors = median(own.map(sectorError));
  to(sectors <= 0.15, `${name}: L2 sectors, median error ${percent(sectors)}`);
  const bytes = median(own.map(byteError));
  to(bytes <= 0.15, `${name}: DRAM bytes, median error ${percent(bytes)}`);
}

function sectorError({ metrics, estimate }: Launch): number {
  const { read, write, atomic } = estimate.memory.l2Sectors;
  const measured = ['read', 'write', 'red', 'atom'].reduce((sum, op) => sum + metrics[`lts__t_sectors_op_${op}.sum`], 0);
  return Math.abs((COUNTED_TIMES * (read + write + atomic) + OWN_SECTORS) / measured - 1);
}

function byteError({ metrics, estimate }: Launch): number {
  const { dramReadBytes, dramWrittenBytes } = estimate.memory;
  const measured = metrics['dram__bytes_read.sum'] + metrics['dram__bytes_write.sum'];
  return Math.abs((dramReadBytes + dramWrittenBytes + OWN_BYTES) / measured - 1);
}

function list(own: readonly Launch[]): void {
  for (const { slow, fast } of kendall(own).wrong) {
    console.log(
      `  order: ${slow.program} ${baseName(slow.kernel)} (${slow.ns} ns, estimated ${slow.estimate.ns.toFixed()}) and ${baseName(fast.kernel)} (${fast.ns}, ${fast.estimate.ns.toFixed()})`,
    );
  }
  for (const { program, kernel, ns, estimate } of own) {
    const parts = estimate.parts.slice(0, 4).map((each) => `${each.limit} ${each.ns.toFixed()}`);
    console.log(
      `  ${program} ${baseName(kernel)}: ${ns} ns, estimated ${estimate.ns.toFixed()} ns (${(estimate.ns / ns).toFixed(2)}): ${parts.join(', ')}`,
    );
  }
}

/** Over all pairs of launches of different kernels in one program that differ by more than 10 %. */
function kendall(own: readonly Launch[]): Order {
  let [right, pairs] = [0, 0];
  const wrong: { slow: Launch; fast: Launch }[] = [];
  own.forEach((a, index) => {
    for (const b of own.slice(0, index)) {
      if (a.program !== b.program || baseName(a.kernel) === baseName(b.kernel) || Math.max(a.ns, b.ns) <= 1.1 * Math.min(a.ns, b.ns))
        continue;
      pairs++;
      if ((a.ns - b.ns) * (a.estimate.ns - b.estimate.ns) > 0) right++;
      else wrong.push(a.ns > b.ns ? { slow: a, fast: b } : { slow: b, fast: a });
    }
  });
  return { value: (2 * right - pairs) / Math.max(1, pairs), pairs, wrong };
}

function launchesOf({ set, name, measured }: Program): Launch[] {
  const file = inputsOf({ set, name });
  if (!existsSync(file)) return [];
  const times = timesOf(file);
  return measured.kernels.flatMap(({ kernel, metrics }, index) => {
    const ns = metrics['gpu__time_duration.sum'];
    const ours = times[index];
    if (!ours?.time || !ns || baseName(ours.kernel) !== baseName(kernel)) return [];
    return [{ program: `${set}/${name}`, kernel, half: halfOf(name.replace(/ n=.*/, '')), set, metrics, ns, estimate: ours.time }];
  });
}

function inputsOf({ set, name }: Pick<Program, 'set' | 'name'>): string {
  return join(inputs, `${set}-${name}.inputs`);
}

/** In processes of their own, each of which may take so long. */
async function recordAll(): Promise<void> {
  const left = programs.filter((each) => !existsSync(inputsOf(each)));
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const name = `${next.set}-${next.name}`;
      const command = [fileURLToPath(import.meta.url), ...positionals, '--inputs', inputs, '--only', next.set, '--record', name];
      const options = { timeout: 1000 * Number(values.limit), killSignal: 'SIGKILL' } as const;
      const samples = values.samples ? ['--samples', values.samples] : [];
      await promisify(execFile)('node', [...command, ...samples], options).catch((error: Error) => {
        console.log(`${name}: no inputs (${error.message.trim().split('\n').at(-1)})`);
      });
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, work));
}

async function record(wanted: string): Promise<void> {
  const program = programs.find(({ set, name }) => `${set}-${name}` === wanted);
  if (!program) throw new Error(`no program ${wanted}`);
  const { set, name, measured } = program;
  const sources = sourcesOf(set, { hecbench: positionals[0], samples: values.samples }, name, measured);
  if (!sources) throw new Error('no sources');
  await recordInputs(sources, measured.args ?? [], inputsOf(program));
}

/** Programs may write files: they run in a folder that nobody keeps. */
function run(files: readonly string[], options: readonly string[], args: readonly string[]): string {
  const command = [resolve('dist/cli.mjs'), 'run', '--no-sanitize', ...files, ...options, '--quiet', '--allow-all', '--', ...args];
  const cwd = mkdtempSync(join(tmpdir(), 'time-run-'));
  const { stdout } = spawnSync('node', command, { cwd, timeout: 600_000, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  rmSync(cwd, { recursive: true, force: true });
  return stdout;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
