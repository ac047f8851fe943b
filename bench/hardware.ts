/**
 * Runs the programs that a GPU ran and compares their counters, launch by launch, as shared/tools/compare-counters.mjs does: requests, and
 * sectors of loads and stores, must be equal; bank conflicts, sectors of reductions and wavefronts of shared atomics within 2 % or 64.
 * `npm run compare:hardware -- DIR [--samples DIR] [--repositories DIR] [--set NAME,NAME] [--limit SECONDS] [--only NAME,NAME] [--half A] [--reports DIR]`,
 * where DIR holds HeCBench's folders (`src/adam-cuda/…`), and that of --samples cuda-samples' (`Samples/…`, `Common`). Programs are in
 * two halves by their name's hash: of half B, those that are not opened (see `isOpened`) have only their sums printed, so that they stay
 * what nobody tuned for. Reports that are there already are not made again. A second table has what people compare besides:
 * divergent branches, and how many lanes take part in an instruction.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Report } from '../protocol/report.ts';
import { baseName, type Folders, type Half, halfOf, isOpened, isOwn, type Origin, SETS, sourcesOf, timeless } from './measured.ts';

interface Launch {
  readonly kernel: string;
  readonly metrics: Readonly<Record<string, number>>;
  /** The measurement says so itself. */
  readonly volatile?: boolean;
}
interface Measured extends Origin {
  readonly args?: readonly string[];
  readonly kernels: readonly Launch[];
  /** What the program printed beside the GPU. Numbers on lines that speak of time are not compared. */
  readonly stdout?: string;
  /** By function and line, summed over its launches. */
  readonly lines?: Readonly<Record<string, Readonly<Record<string, { readonly sharedWavefronts?: number }>>>>;
}

const metric = (unit: string, op: string) => `l1tex__t_${unit}_pipe_lsu_mem_global_op_${op}.sum`;
const EXACT = [
  ...['ld', 'st'].flatMap((op) => [metric('requests', op), metric('sectors', op)]),
  ...['red', 'atom'].map((op) => metric('requests', op)),
];
const CLOSE = [
  ...['ld', 'st'].map((op) => `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_${op}.sum`),
  ...['red', 'atom'].map((op) => metric('sectors', op)),
  'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum',
];

type Metrics = Readonly<Record<string, number | undefined>>;

/** What the headline leaves out: numbers that hang on instructions or branches of machine code, which are not ours one by one. */
const BESIDE: readonly Beside[] = [
  { name: 'divergent branches', value: (of) => of['smsp__sass_branch_targets_threads_divergent.sum'], share: 0.02, within: 2 },
  {
    name: 'lanes per instruction',
    value: (of) => ratio(of['smsp__thread_inst_executed_pred_on.sum'], of['smsp__inst_executed.sum']),
    ours: (of) => ratio(of['lanewise__thread_inst_executed.sum'], of['lanewise__inst_executed.sum']),
    share: 0.05,
    within: 0,
  },
];
interface Beside {
  readonly name: string;
  value(metrics: Metrics): number | undefined;
  /** Where our metrics have other names. */
  ours?(metrics: Metrics): number | undefined;
  /** Right up to this share of the larger number, or up to `within`. */
  readonly share: number;
  readonly within: number;
}

function ratio(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || !b ? undefined : a / b;
}
const sharedMetric = (unit: string, op: string) =>
  `l1tex__data_${unit === 'wavefronts' ? 'pipe_lsu_wavefronts' : 'bank_conflicts_pipe_lsu'}_mem_shared_op_${op}.sum`;

/** Exit code of a run that was ended from outside; its report has the launches that had ended. */
const INTERRUPTED = 130;

class Tally {
  programs = 0;
  ran = 0;
  launches = 0;
  wholly = 0;
  nonZero = 0;
  right = 0;
  /** Counters of shared memory that are wrong only because the GPU's counter of the launch has other traffic in it: see `isTraffic`. */
  traffic = 0;
  /** Launches of which only such counters are wrong. */
  onlyTraffic = 0;
  /** Launches whose counters depend on timing: not among `launches`. */
  timed = 0;
  /** Those of them that are wholly right all the same. */
  timedRight = 0;
  /** Launches of CUB's and Thrust's kernels that our own CUB and Thrust do otherwise: not among `launches`. */
  ofLibraries = 0;
  /** Programs whose output of the GPU is known, and those that print the same here. */
  printed = 0;
  printedAlike = 0;

  /** By number in `BESIDE`: launches that were compared, those that are right, those where one side alone has any. */
  readonly beside = BESIDE.map(() => ({ launches: 0, right: 0, oneSided: 0 }));

  rowBeside(name: string): string {
    const cells = this.beside.map(
      ({ launches, right, oneSided }) =>
        `${((100 * right) / Math.max(1, launches)).toFixed(2)} % of ${launches}${oneSided > 0 ? `, ${oneSided} on one side only` : ''}`,
    );
    return `| ${[name, ...cells].join(' | ')} |`;
  }

  row(name: string): string {
    const share = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(2)} % of ${all}`;
    const shares = [share(this.right, this.nonZero), share(this.wholly, this.launches)];
    const byLines = [share(this.right + this.traffic, this.nonZero), share(this.wholly + this.onlyTraffic, this.launches)];
    const cells = [
      `${this.ran} of ${this.programs}`,
      `${this.printedAlike} of ${this.printed}`,
      `${this.timed} (${this.timedRight})`,
      this.ofLibraries,
      ...shares,
      ...byLines,
    ];
    return `| ${[name, ...cells].join(' | ')} |`;
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    limit: { type: 'string' },
    only: { type: 'string' },
    half: { type: 'string' },
    reports: { type: 'string' },
    samples: { type: 'string' },
    repositories: { type: 'string' },
    set: { type: 'string' },
  },
});
if (positionals.length !== 1 || !existsSync(SETS.hecbench)) {
  console.error(
    'usage: npm run compare:hardware -- DIR [--samples DIR] [--repositories DIR] [--set NAME,NAME] [--limit SECONDS] [--only NAME,NAME] [--half A] [--reports DIR]',
  );
  process.exit(2);
}
const folders: Folders = { hecbench: positionals[0], samples: values.samples, repositories: values.repositories };
const limitSeconds = Number(values.limit ?? 75);
const reports = resolve(values.reports ?? mkdtempSync(join(tmpdir(), 'hardware-')));
mkdirSync(reports, { recursive: true });
const only = values.only?.split(',');
const sets = values.set?.split(',');
const tallies = new Map<string, Tally>();

for (const [set, file] of Object.entries(SETS)) {
  if (sets && !sets.includes(set)) continue;
  for (const [name, measured] of Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Measured>)) {
    const half = halfOf(name);
    if ((only && !only.includes(name)) || (values.half && values.half !== half)) continue;
    compare(set, name, measured, half);
  }
}
console.log(
  '\n| programs | ran | print what the GPU printed | launches that depend on timing (right) | of libraries | non-zero counters right | launches wholly right | counters, shared memory by lines | launches |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
const sorted = [...tallies].sort(([a], [b]) => a.localeCompare(b));
for (const [name, tally] of sorted) console.log(tally.row(name));
console.log(`\n| launches right | ${BESIDE.map(({ name }) => name).join(' | ')} |\n|---|${'---|'.repeat(BESIDE.length)}`);
for (const [name, tally] of sorted) console.log(tally.rowBeside(name));

function compare(set: string, name: string, measured: Measured, half: Half): void {
  const isHidden = half === 'B' && !isOpened(set, name);
  const part = half === 'A' ? 'half A' : `half B, ${isHidden ? 'unseen' : 'opened'}`;
  const into = [part, `${set}, ${part}`].map((key) => {
    const tally = tallies.get(key) ?? new Tally();
    tallies.set(key, tally);
    return tally;
  });
  const say = (text: string) => !isHidden && console.log(`${set}/${name}: ${text}`);
  const all = (change: (tally: Tally) => void) => into.forEach(change);
  all((tally) => {
    tally.programs++;
  });
  const report = reportOf(set, name, measured);
  if (typeof report === 'string') {
    say(report);
    return;
  }
  if (report.exit === INTERRUPTED) say(`did not end in time: ${report.kernels.length} of ${measured.kernels.length} launches`);
  all((tally) => {
    if (report.kernels.length > 0) tally.ran++;
  });
  if (measured.stdout !== undefined) {
    const isAlike = printsAlike(report, measured.stdout);
    if (!isAlike) say('prints something else than the GPU did');
    all((tally) => {
      tally.printed++;
      if (isAlike) tally.printedAlike++;
    });
  }
  const { parents, children } = nestedKernels(report);
  const text = sourceTexts(set, name, measured);
  const isOfLibrary = (kernel: string) => isNamedAsLibrary(kernel) || !text.includes(baseName(kernel));
  const pairs = paired(measured.kernels, report.kernels, { children, isOfLibrary });
  const last = report.kernels.at(-1);
  measured.kernels.forEach((launch, index) => {
    const ours = pairs[index];
    // A program that faults here, most often for want of memory, has not run what follows, nor all of the last launch; one whose time was
    // up has not run what follows.
    if (report.faults.length > 0 && (!ours || ours === last)) return;
    if (report.exit === INTERRUPTED && !ours) return;
    // 2^63 - 1 where the profiler failed.
    if (Object.values(launch.metrics).some((value) => value > Number.MAX_SAFE_INTEGER)) return;
    if (isOfLibrary(launch.kernel) && !ours) {
      all((tally) => {
        tally.ofLibraries++;
      });
      return;
    }
    const { counted, wrong } = differences(launch, ours);
    // A GPU counts with a launch what it launches, and what CUDA's runtime in the kernel does for that.
    if (launch.volatile || ours?.timing || parents.has(baseName(launch.kernel))) {
      all((tally) => {
        tally.timed++;
        if (wrong.length === 0) tally.timedRight++;
      });
      return;
    }
    const traffic = wrong.filter((each) => isTraffic(each, launch, { measured, pairs }));
    all((tally) => {
      tally.launches++;
      tally.nonZero += counted;
      tally.right += counted - wrong.length;
      tally.traffic += traffic.length;
      if (wrong.length === 0) tally.wholly++;
      else if (wrong.length === traffic.length) tally.onlyTraffic++;
    });
    const texts = wrong.map(
      (each) => `${each.name} ${each.expected}, here ${each.found}${traffic.includes(each) ? ' (other traffic)' : ''}`,
    );
    if (ours && baseName(ours.kernel) === baseName(launch.kernel)) {
      BESIDE.forEach((each, number) => {
        const [expected, found] = [each.value(launch.metrics), (each.ours ?? each.value)(ours.metrics)];
        if (expected === undefined || found === undefined) return;
        const isRight = Math.abs(expected - found) <= Math.max(each.within, each.share * Math.max(expected, found));
        if (!isRight) texts.push(`${each.name} ${round(expected)}, here ${round(found)} (beside)`);
        all(({ beside }) => {
          beside[number].launches++;
          if (isRight) beside[number].right++;
          if ((expected === 0) !== (found === 0)) beside[number].oneSided++;
        });
      });
    }
    if (texts.length > 0) say(`launch ${index}, ${baseName(launch.kernel)}: ${texts.join('; ')}`);
  });
}

type Ours = Report['kernels'][number];

/**
 * Which of our launches is the GPU's. The program's own come in one order. A library's kernels are those of our CUB and Thrust, which have
 * others: one counts only where both have the same kernel at that place.
 */
function paired(
  measured: readonly Launch[],
  all: readonly Ours[],
  { children, isOfLibrary }: { readonly children: ReadonlySet<string>; readonly isOfLibrary: (kernel: string) => boolean },
): readonly (Ours | undefined)[] {
  const own = all.filter(({ kernel }) => !isOfLibrary(kernel));
  const ofLibrary = all.filter(({ kernel }) => isOfLibrary(kernel));
  return measured.map(({ kernel }) => {
    const place = isOfLibrary(kernel) ? ofLibrary : own;
    // Launches from device code are counted with the launch that they are of.
    while (place.length > 0 && children.has(baseName(place[0].kernel)) && baseName(place[0].kernel) !== baseName(kernel)) place.shift();
    const ours = place.shift();
    return ours && isOfLibrary(kernel) && baseName(ours.kernel) !== baseName(kernel) ? undefined : ours;
  });
}

/** Kernels whose launches launch others, and those that are launched so. */
function nestedKernels({ nested = [] }: Report): { readonly parents: ReadonlySet<string>; readonly children: ReadonlySet<string> } {
  const children = new Set<string>();
  const open = nested.flatMap((each) => each.nested);
  for (const { name, nested: inner = [] } of open) {
    children.add(baseName(name));
    open.push(...inner);
  }
  return { parents: new Set(nested.map(({ kernel }) => baseName(kernel))), children };
}

function isNamedAsLibrary(kernel: string): boolean {
  return /^(void )?(thrust|cub)::/.test(kernel);
}

/** What the GPU's program printed may have its standard error in it, where both ended in one file. */
function printsAlike({ stdout, stderr }: Report, measured: string): boolean {
  const lines = (text: string) => timeless(text).split('\n').toSorted().join('\n').trim();
  return timeless(stdout) === timeless(measured) || lines(stdout + stderr) === lines(measured);
}

/** The program's own folder: kernels that it does not name are those of cuBLAS, cuFFT and other libraries. */
function sourceTexts(set: string, name: string, measured: Measured): string {
  const sources = sourcesOf(set, folders, name, measured);
  const places = new Set(sources?.files.map((file) => (isOwn(set) ? file : dirname(file))));
  return [...places].map(textsIn).join('\n');
}

function textsIn(path: string): string {
  if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8');
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(cu|cuh|h|hpp|cpp|c|inl|cc)$/.test(name));
  return names.map((name) => readFileSync(join(path, name), 'utf8')).join('\n');
}

/**
 * Whether a counter of shared memory is wrong only because other traffic of the L1 cache is in it: a launch's counters of conflicts and
 * wavefronts have passes that the GPU's counters of its lines, which are exact, have not. So it is if the lines of the kernel have no
 * conflicts and neither have we, or if our wavefronts of all its launches are those of the lines together.
 */
function isTraffic(
  { name, found }: Difference,
  launch: Launch,
  { measured, pairs }: { measured: Measured; pairs: readonly (Ours | undefined)[] },
): boolean {
  if (!name.includes('_mem_shared_') || measured.lines?.[launch.kernel] === undefined) return false;
  const ofLines = sum(Object.values(measured.lines[launch.kernel]).map((row) => row.sharedWavefronts ?? 0));
  const ofKind = (metrics: Metrics, unit: string, ops: readonly string[]) => sum(ops.map((op) => metrics[sharedMetric(unit, op)] ?? 0));
  const all = ['ld', 'st', 'atom'];
  const launches = measured.kernels.flatMap((each, index) => (each.kernel === launch.kernel ? [{ each, ours: pairs[index] }] : []));
  const needed = ({ metrics }: Launch, ops: readonly string[]) =>
    ofKind(metrics, 'wavefronts', ops) - ofKind(metrics, 'bank_conflicts', ops);
  if (ofLines === sum(launches.map(({ each }) => needed(each, all)))) {
    return found === (name === sharedMetric('wavefronts', 'atom') ? needed(launch, ['atom']) : 0);
  }
  const here = sum(launches.map(({ ours }) => ofKind(ours?.metrics ?? {}, 'wavefronts', all)));
  return here === ofLines && sum(launches.map(({ each }) => ofKind(each.metrics, 'wavefronts', all))) > ofLines;
}

function round(value: number): number {
  return Math.round(100 * value) / 100;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

interface Difference {
  readonly name: string;
  readonly expected: number;
  readonly found: number | undefined;
}

/** Counters that are zero on both sides say nothing. */
function differences(measured: Launch, ours: Ours | undefined): { counted: number; wrong: Difference[] } {
  const wrong: Difference[] = [];
  let counted = 0;
  const sameKernel = ours !== undefined && baseName(ours.kernel) === baseName(measured.kernel);
  for (const name of [...EXACT, ...CLOSE]) {
    const expected = measured.metrics[name];
    const found = sameKernel ? ours.metrics[name] : undefined;
    if (expected === undefined || expected === null || (expected === 0 && !found)) continue;
    counted++;
    const distance = found === undefined ? Number.POSITIVE_INFINITY : Math.abs(expected - found);
    if (distance > (CLOSE.includes(name) ? Math.max(64, 0.02 * expected) : 0)) wrong.push({ name, expected, found });
  }
  return { counted, wrong };
}

/** The report, or why there is none. */
function reportOf(set: string, name: string, measured: Measured): Report | string {
  const { args = [] } = measured;
  const file = join(reports, `${set}-${name}.json`);
  if (!existsSync(file)) {
    const sources = sourcesOf(set, folders, name, measured);
    if (!sources) return 'no source';
    const run = spawnSync(
      'node',
      [
        ...[resolve('dist/cli.mjs'), 'run', '--no-sanitize', ...sources.files.map((each) => resolve(each)), ...sources.flags],
        ...['--json', file, '--quiet', '--allow-all', '--', ...args],
      ],
      {
        // Where programs look for their data.
        cwd: dirname(sources.files[0]),
        timeout: limitSeconds * 1000,
        encoding: 'utf8',
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    if (!existsSync(file)) return run.error ? `did not end in ${limitSeconds} seconds` : `${run.stderr.trim().split('\n')[0]}`;
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}
