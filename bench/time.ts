/**
 * Compares estimated times with those that a GPU took, launch by launch: `npm run bench:time -- DIR [--reports DIR] [--list]`, where DIR holds
 * HeCBench's folders (`src/adam-cuda/…`). Programs are in two halves by their name's hash: the model was fitted on half A, so half B
 * shows what holds elsewhere. Prints the errors of both, whether kernels of one program are in the GPU's order (Kendall's tau), the
 * traffic of L2 and DRAM, and the large sizes. `--list` names every launch of half A. Exits with 1 where a limit does not hold.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Report, TimeEstimate } from '../protocol/report.ts';

interface Measured {
  readonly args?: readonly string[];
  readonly source?: string;
  readonly kernels: readonly { readonly kernel: string; readonly metrics: Readonly<Record<string, number>> }[];
}

interface Launch {
  readonly program: string;
  readonly kernel: string;
  readonly half: 'A' | 'B';
  readonly isHeadline: boolean;
  readonly metrics: Readonly<Record<string, number>>;
  readonly ns: number;
  readonly estimate: TimeEstimate;
}

const SETS = {
  reference: '../shared/hardware/h200-reference.json',
  hecbench: '../shared/hardware/h200-hecbench.json',
  headline: '../shared/hardware/h200-headline.json',
};
const LONG_NS = 5000;
/** L2 sectors that every launch reads besides its own: instructions and parameters (empty kernels of h200-reference.json). */
const OWN_SECTORS = 950;
/** Bytes of DRAM, likewise. */
const OWN_BYTES = 2800;
/** Nsight Compute counts a sector of the far half of the H200's L2 twice: 1.5 times in the mean. */
const COUNTED_TIMES = 1.5;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { reports: { type: 'string' }, list: { type: 'boolean' } } });
if (positionals.length !== 1 || !existsSync(SETS.reference)) {
  console.error('usage: npm run bench:time -- DIR [--reports DIR] [--list]');
  process.exit(2);
}
const reports = resolve(values.reports ?? mkdtempSync(join(tmpdir(), 'time-')));
mkdirSync(reports, { recursive: true });
const launches = Object.entries(SETS).flatMap(([set, file]) =>
  Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Measured>).flatMap(([name, measured]) =>
    launchesOf(set, name, measured),
  ),
);
let failed = false;
for (const half of ['A', 'B', undefined] as const) {
  summary(
    half,
    launches.filter((each) => !each.isHeadline && (half === undefined || each.half === half)),
  );
}
for (const { program, kernel, ns, estimate, isHeadline } of launches) {
  if (!isHeadline || ns < 100_000) continue;
  const ratio = estimate.ns / ns;
  check(
    ratio > 0.7 && ratio < 1.3,
    `${program}, ${baseName(kernel)}: measured ${ns} ns, estimated ${estimate.ns} ns, ${ratio.toFixed(2)} times`,
  );
}
process.exit(failed ? 1 : 0);

function check(holds: boolean, text: string): void {
  failed ||= !holds;
  console.log(`${holds ? 'holds' : 'FAILS'}: ${text}`);
}

function summary(half: 'A' | 'B' | undefined, own: readonly Launch[]): void {
  const name = half ? `half ${half}` : 'both halves';
  const long = own.filter(({ ns }) => ns >= LONG_NS);
  const short = own.filter(({ ns }) => ns < LONG_NS);
  const errors = long.map(({ ns, estimate }) => Math.abs(estimate.ns / ns - 1));
  const within = long.filter(({ ns, estimate }) => Math.max(estimate.ns / ns, ns / estimate.ns) <= 1.6).length / long.length;
  const tau = kendall(own);
  const sectors = own.map(({ metrics, estimate: { l2Sectors } }) => {
    const measured = ['read', 'write', 'red', 'atom'].reduce((sum, op) => sum + metrics[`lts__t_sectors_op_${op}.sum`], 0);
    return Math.abs((COUNTED_TIMES * (l2Sectors.read + l2Sectors.write + l2Sectors.atomic) + OWN_SECTORS) / measured - 1);
  });
  const bytes = own.map(({ metrics, estimate: { dramReadBytes, dramWrittenBytes } }) => {
    const measured = metrics['dram__bytes_read.sum'] + metrics['dram__bytes_write.sum'];
    return Math.abs((dramReadBytes + dramWrittenBytes + OWN_BYTES) / measured - 1);
  });
  const most = half === 'B' ? 0.25 : 0.2;
  check(median(errors) <= most, `${name}: ${long.length} launches from 5 µs on, median error ${percent(median(errors))}`);
  check(half !== undefined || within >= 0.9, `${name}: within a factor of 1.6: ${percent(within)}`);
  const distance = median(short.map(({ ns, estimate }) => Math.abs(estimate.ns - ns)));
  check(distance <= 1500, `${name}: ${short.length} launches below 5 µs, median error ${distance} ns`);
  check(half !== undefined || tau.value >= 0.9, `${name}: Kendall's tau ${tau.value.toFixed(3)} over ${tau.pairs} pairs of kernels`);
  check(half !== undefined || median(sectors) <= 0.15, `${name}: L2 sectors, median error ${percent(median(sectors))}`);
  check(half !== undefined || median(bytes) <= 0.15, `${name}: DRAM bytes, median error ${percent(median(bytes))}`);
  if (!values.list || half !== 'A') return;
  for (const { program, kernel, ns, estimate } of own) {
    console.log(
      `  ${program} ${baseName(kernel)}: ${ns} ns, estimated ${estimate.ns} ns (${(estimate.ns / ns).toFixed(2)}), ${estimate.limit}`,
    );
  }
}

/** Over all pairs of launches of different kernels in one program that differ by more than 10 %. */
function kendall(own: readonly Launch[]): { readonly value: number; readonly pairs: number } {
  let [right, pairs] = [0, 0];
  own.forEach((a, index) => {
    for (const b of own.slice(0, index)) {
      if (a.program !== b.program || baseName(a.kernel) === baseName(b.kernel) || Math.max(a.ns, b.ns) <= 1.1 * Math.min(a.ns, b.ns))
        continue;
      pairs++;
      if ((a.ns - b.ns) * (a.estimate.ns - b.estimate.ns) > 0) right++;
    }
  });
  return { value: (2 * right - pairs) / Math.max(1, pairs), pairs };
}

function launchesOf(set: string, name: string, measured: Measured): Launch[] {
  const report = reportOf(set, name, measured);
  if (!report) {
    console.log(`${set}/${name}: no report`);
    return [];
  }
  return measured.kernels.flatMap(({ kernel, metrics }, index) => {
    const ns = metrics['gpu__time_duration.sum'];
    const ours = report.kernels[index];
    if (!ours?.estimate || !ns || baseName(ours.kernel) !== baseName(kernel)) return [];
    const program = name.replace(/ n=.*/, '');
    return [
      { program: `${set}/${name}`, kernel, half: halfOf(program), isHeadline: set === 'headline', metrics, ns, estimate: ours.estimate },
    ];
  });
}

function reportOf(set: string, name: string, { args = [], source }: Measured): Report | undefined {
  const file = join(reports, `${set}-${name}.json`);
  if (!existsSync(file)) {
    const files = filesOf(set, name, source);
    if (!files) return undefined;
    const command = ['dist/cli.mjs', 'run', '--no-sanitize', ...files, '--json', file, '--quiet', '--allow-all', '--', ...args];
    spawnSync('node', command, { timeout: 120_000, stdio: 'ignore' });
  }
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
}

/** As the program's makefile has them, the one with kernels first. */
function filesOf(set: string, name: string, source = 'main.cu'): readonly string[] | undefined {
  if (set !== 'hecbench') return [join('test/fixtures/reference', `${name.replace(/ .*/, '')}.cu`)];
  const folder = [join(positionals[0], 'src', `${name}-cuda`), join(positionals[0], `${name}-cuda`)].find(existsSync);
  if (!folder) return undefined;
  const makefile = join(folder, 'Makefile');
  const listed = existsSync(makefile) ? /^source\s*=\s*(.*)$/m.exec(readFileSync(makefile, 'utf8'))?.[1].trim().split(/\s+/) : undefined;
  const names = listed ?? [source];
  return [...names.filter((each) => each.endsWith('.cu')), ...names.filter((each) => !each.endsWith('.cu'))].map((each) =>
    join(folder, each),
  );
}

function halfOf(name: string): 'A' | 'B' {
  return createHash('sha256').update(name).digest()[0] % 2 === 0 ? 'A' : 'B';
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted.length === 0 ? Number.NaN : (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** `reduce` for `void reduce<int>(const T1 *)`. */
function baseName(kernel: string): string {
  return kernel
    .replace(/^(void|int|float|double)\s+/, '')
    .replace(/[<(].*$/s, '')
    .replace(/^.*::/, '')
    .trim();
}
