/**
 * Runs the programs that a GPU ran and compares their counters, launch by launch, as shared/tools/compare-counters.mjs does: requests, and
 * sectors of loads and stores, must be equal; bank conflicts, sectors of reductions and wavefronts of shared atomics within 2 % or 64.
 * `npm run compare:hardware -- DIR [--limit SECONDS] [--only NAME,NAME] [--half A] [--reports DIR]`, where DIR holds HeCBench's
 * folders (`src/adam-cuda/…`). Programs are in two halves by their name's hash: of half B, only sums are printed, so that it stays
 * what nobody tuned for. Reports that are there already are not made again.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Report } from '../protocol/report.ts';

type Half = 'A' | 'B';
interface Launch {
  readonly kernel: string;
  readonly metrics: Readonly<Record<string, number>>;
  /** The measurement says so itself. */
  readonly volatile?: boolean;
}
interface Measured {
  readonly args?: readonly string[];
  readonly source?: string;
  readonly kernels: readonly Launch[];
}

const SETS = {
  reference: 'test/fixtures/hardware/h200-reference.json',
  hecbench: '../shared/hardware/h200-hecbench.json',
  second: 'test/fixtures/hardware/h200-hecbench-second.json',
  third: 'test/fixtures/hardware/h200-hecbench-third.json',
  fourth: 'test/fixtures/hardware/h200-hecbench-fourth.json',
};

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

/** Exit code of a run that was ended from outside; its report has the launches that had ended. */
const INTERRUPTED = 130;

class Tally {
  programs = 0;
  ran = 0;
  launches = 0;
  wholly = 0;
  nonZero = 0;
  right = 0;
  /** Launches of which only bank conflicts of shared memory are wrong: on the GPU, other traffic of the L1 cache counts as conflicts, too. */
  onlyConflicts = 0;
  /** Launches whose counters depend on timing: not among `launches`. */
  timed = 0;

  row(name: string): string {
    const share = (part: number, all: number) => `${((100 * part) / Math.max(1, all)).toFixed(2)} % of ${all}`;
    const shares = [share(this.right, this.nonZero), share(this.wholly, this.launches)];
    const cells = [`${this.ran} of ${this.programs}`, this.timed, ...shares, this.onlyConflicts];
    return `| ${[name, ...cells].join(' | ')} |`;
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { limit: { type: 'string' }, only: { type: 'string' }, half: { type: 'string' }, reports: { type: 'string' } },
});
if (positionals.length !== 1 || !existsSync(SETS.hecbench)) {
  console.error('usage: npm run compare:hardware -- DIR [--limit SECONDS] [--only NAME,NAME] [--half A] [--reports DIR]');
  process.exit(2);
}
const limitSeconds = Number(values.limit ?? 75);
const reports = resolve(values.reports ?? mkdtempSync(join(tmpdir(), 'hardware-')));
mkdirSync(reports, { recursive: true });
const only = values.only?.split(',');
const tallies = new Map<string, Tally>();

for (const [set, file] of Object.entries(SETS)) {
  for (const [name, measured] of Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Measured>)) {
    const half = halfOf(name);
    if ((only && !only.includes(name)) || (values.half && values.half !== half)) continue;
    compare(set, name, measured, half);
  }
}
console.log(
  '\n| programs | ran | launches that depend on timing | non-zero counters right | launches wholly right | wrong in bank conflicts alone |',
);
console.log('|---|---|---|---|---|---|');
for (const [name, tally] of [...tallies].sort(([a], [b]) => a.localeCompare(b))) console.log(tally.row(name));

function halfOf(name: string): Half {
  return createHash('sha256').update(name).digest()[0] % 2 === 0 ? 'A' : 'B';
}

function compare(set: string, name: string, measured: Measured, half: Half): void {
  const into = [`half ${half}`, `${set}, half ${half}`].map((key) => {
    const tally = tallies.get(key) ?? new Tally();
    tallies.set(key, tally);
    return tally;
  });
  const say = (text: string) => half === 'A' && console.log(`${set}/${name}: ${text}`);
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
  measured.kernels.forEach((launch, index) => {
    const ours = report.kernels[index];
    if (launch.volatile || ours?.timing) {
      all((tally) => {
        tally.timed++;
      });
      return;
    }
    // A program that faults here, most often for want of memory, has not run what follows, nor all of the last launch; one whose time was
    // up has not run what follows.
    if (report.faults.length > 0 && index >= report.kernels.length - 1) return;
    if (report.exit === INTERRUPTED && index >= report.kernels.length) return;
    // 2^63 - 1 where the profiler failed.
    if (Object.values(launch.metrics).some((value) => value > Number.MAX_SAFE_INTEGER)) return;
    const wrong = differences(launch, ours);
    all((tally) => {
      tally.launches++;
      tally.nonZero += wrong.counted;
      tally.right += wrong.counted - wrong.texts.length;
      if (wrong.texts.length === 0) tally.wholly++;
      else if (wrong.texts.every((text) => text.includes('bank_conflicts'))) tally.onlyConflicts++;
    });
    if (wrong.texts.length > 0) say(`launch ${index}, ${baseName(launch.kernel)}: ${wrong.texts.join('; ')}`);
  });
}

/** Counters that are zero on both sides say nothing. */
function differences(measured: Launch, ours: Report['kernels'][number] | undefined): { counted: number; texts: string[] } {
  const texts: string[] = [];
  let counted = 0;
  const sameKernel = ours !== undefined && baseName(ours.kernel) === baseName(measured.kernel);
  for (const name of [...EXACT, ...CLOSE]) {
    const expected = measured.metrics[name];
    const found = sameKernel ? ours.metrics[name] : undefined;
    if (expected === undefined || expected === null || (expected === 0 && !found)) continue;
    counted++;
    const distance = found === undefined ? Number.POSITIVE_INFINITY : Math.abs(expected - found);
    if (distance > (CLOSE.includes(name) ? Math.max(64, 0.02 * expected) : 0)) texts.push(`${name} ${expected}, here ${found}`);
  }
  return { counted, texts };
}

/** The report, or why there is none. */
function reportOf(set: string, name: string, { args = [], source }: Measured): Report | string {
  const file = join(reports, `${set}-${name}.json`);
  if (!existsSync(file)) {
    const files = filesOf(set, name, source);
    if (!files) return 'no source';
    const run = spawnSync('node', ['dist/cli.mjs', 'run', ...files, '--json', file, '--quiet', '--allow-all', '--', ...args], {
      timeout: limitSeconds * 1000,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (!existsSync(file)) return run.error ? `did not end in ${limitSeconds} seconds` : `${run.stderr.trim().split('\n')[0]}`;
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

/** As the program's makefile has them, the one with kernels first. */
function filesOf(set: string, name: string, source = 'main.cu'): readonly string[] | undefined {
  if (set === 'reference') return [join('test/fixtures/reference', `${name}.cu`)];
  const folder = [join(positionals[0], 'src', `${name}-cuda`), join(positionals[0], `${name}-cuda`)].find(existsSync);
  if (!folder) return undefined;
  const makefile = join(folder, 'Makefile');
  const listed = existsSync(makefile) ? /^source\s*=\s*(.*)$/m.exec(readFileSync(makefile, 'utf8'))?.[1].trim().split(/\s+/) : undefined;
  const names = listed ?? [source];
  return [...names.filter((each) => each.endsWith('.cu')), ...names.filter((each) => !each.endsWith('.cu'))].map((each) =>
    join(folder, each),
  );
}

/** `reduce` for `void reduce<int>(const T1 *)`: Nsight Compute writes template parameters where the simulator writes types. */
function baseName(kernel: string): string {
  return kernel
    .replace(/^(void|int|float|double)\s+/, '')
    .replace(/[<(].*$/s, '')
    .replace(/^.*::/, '')
    .trim();
}
