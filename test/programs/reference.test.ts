/** The programs of test/fixtures/reference, with what an H200 printed and counted. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LineCounters, noCounts } from '../../counters/counters.ts';
import type { Report } from '../../protocol/report.ts';
import { reportOf, repository } from '../runtime/simulation.ts';

const fixtures = join(repository, 'test', 'fixtures');
const measured = join(fixtures, 'hardware', 'h200-reference.json');

interface Measured {
  readonly stdout: string;
  readonly kernels: readonly {
    readonly kernel: string;
    readonly metrics: Readonly<Record<string, number>>;
    /** Depends on how warps were scheduled. */
    readonly volatile?: boolean;
  }[];
  readonly lines: Readonly<Record<string, Readonly<Record<string, Partial<LineCounters>>>>>;
}

const EXACT = [
  'vector_add',
  'reduction',
  'lost_update',
  'transpose',
  'access_patterns',
  'bank_conflicts',
  'stencil',
  'scan',
  'last_block',
  'atomics',
];
const FURTHER = ['grid_sync', 'nested_reduce', 'streams', 'l2_window', 'math_kernels'];
const COUNTED = ['vector_add', 'access_patterns', 'bank_conflicts', 'transpose', 'stencil', 'scan', 'reduction'];
/** Exact on hardware whatever the order of warps; the others (conflicts, sectors of reductions) within 2 % or 64. */
const ALL_EXACT = ['ld', 'st', 'red', 'atom'].flatMap((op) =>
  (op === 'ld' || op === 'st' ? ['requests', 'sectors'] : ['requests']).map((what) => `l1tex__t_${what}_pipe_lsu_mem_global_op_${op}.sum`),
);
const CLOSE = [
  ...['ld', 'st'].map((op) => `l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_${op}.sum`),
  ...['red', 'atom'].map((op) => `l1tex__t_sectors_pipe_lsu_mem_global_op_${op}.sum`),
  'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum',
];
const COUNTERS = ['requests', 'sectors'].flatMap((what) => ['ld', 'st'].map((op) => `l1tex__t_${what}_pipe_lsu_mem_global_op_${op}.sum`));

const NONE = noCounts();
const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
/** What marks a line, and the least precision and recall of such marks. */
const MARKS: readonly { readonly what: string; readonly least: number; isMarked(counters: LineCounters): boolean }[] = [
  { what: 'uncoalesced', least: 0.95, isMarked: (line) => line.globalSectors > 1.05 * line.globalSectorsIdeal },
  { what: 'bank conflicts', least: 0.9, isMarked: (line) => line.sharedWavefronts > 1.05 * line.sharedWavefrontsIdeal },
  { what: 'divergent branch', least: 0.8, isMarked: (line) => line.divergentBranches > 0 },
];

/** `reduce` for `void reduce<int>(const T1 *)`: Nsight Compute writes template parameters where the simulator writes types. */
const baseName = (kernel: string) => kernel.replace(/^(void|int|float|double)\s+/, '').replace(/[<(].*$/s, '');

describe('programs that an H200 ran', () => {
  const hardware = JSON.parse(readFileSync(measured, 'utf8')) as Record<string, Measured>;
  const run = (name: string, ...args: string[]) => reportOf(join(fixtures, 'reference', `${name}.cu`), { args, lineTable: 'nvcc' });
  const reports = new Map<string, Promise<Report>>();
  /** Each program runs once, for whichever test asks first. */
  const reportFor = (name: string): Promise<Report> => {
    const known = reports.get(name) ?? run(name);
    reports.set(name, known);
    return known;
  };

  for (const name of [...EXACT, ...FURTHER]) {
    it(name, { timeout: 180_000 }, async () => {
      const report = await reportFor(name);
      expect(report).toMatchObject({ stdout: hardware[name].stdout, exit: 0, faults: [] });
      if (COUNTED.includes(name)) expect(counted(report)).toEqual(counted(hardware[name]));
    });
  }

  it('estimated times and traffic are near the measured ones', { timeout: 600_000 }, async () => {
    const long: number[] = [];
    const short: number[] = [];
    const dram: number[] = [];
    for (const name of EXACT) {
      const report = await reportFor(name);
      hardware[name].kernels.forEach(({ metrics, volatile }, launch) => {
        const ns = metrics['gpu__time_duration.sum'];
        const estimate = report.kernels[launch].estimate;
        if (volatile || !ns || !estimate) return;
        if (ns >= 5000) long.push(Math.abs(estimate.ns / ns - 1));
        else short.push(Math.abs(estimate.ns - ns));
        dram.push(Math.abs((estimate.dramReadBytes + 2400) / metrics['dram__bytes_read.sum'] - 1));
      });
    }
    expect(long.length).toBeGreaterThan(8);
    expect(median(long)).toBeLessThan(0.2);
    expect(median(short)).toBeLessThan(500);
    expect(median(dram)).toBeLessThan(0.15);
    expect(dram.filter((off) => off > 0.3).length).toBeLessThan(0.15 * dram.length);
    const ns = async (program: string, kernel: string) =>
      (await reportFor(program)).kernels.find((each) => each.kernel.includes(kernel))!.estimate!.ns;
    expect(await ns('transpose', 'transposeNaive')).toBeGreaterThan(1.3 * (await ns('transpose', 'transposeTile')));
    expect(await ns('atomics', 'floatSum')).toBeGreaterThan(50 * (await ns('atomics', 'perBlock')));
  });

  it("97 of 100 counters are the hardware's, and so are the lines that it marks", { timeout: 600_000 }, async () => {
    let right = 0;
    let all = 0;
    const marks = MARKS.map(({ isMarked }) => ({ isMarked, hit: 0, extra: 0, missed: 0 }));
    for (const name of [...EXACT, ...FURTHER]) {
      const report = await reportFor(name);
      const { kernels, lines } = hardware[name];
      kernels.forEach(({ metrics, volatile }, launch) => {
        if (volatile) return;
        for (const counter of [...ALL_EXACT, ...CLOSE]) {
          if (metrics[counter] === undefined) continue;
          const off = Math.abs(metrics[counter] - report.kernels[launch].metrics[counter]);
          all++;
          if (off <= (CLOSE.includes(counter) ? Math.max(64, 0.02 * metrics[counter]) : 0)) right++;
        }
      });
      // Only kernels that were profiled.
      const profiled = new Set(Object.keys(lines).map(baseName));
      const ourLines = Object.fromEntries(Object.entries(report.lines).filter(([kernel]) => profiled.has(baseName(kernel))));
      for (const mark of marks) {
        const [ours, theirs] = [markedLines(ourLines, mark.isMarked), markedLines(lines, mark.isMarked)];
        for (const line of ours) mark[theirs.has(line) ? 'hit' : 'extra']++;
        for (const line of theirs) if (!ours.has(line)) mark.missed++;
      }
    }
    expect(right / all).toBeGreaterThanOrEqual(0.97);
    marks.forEach(({ hit, extra, missed }, index) => {
      const { what, least } = MARKS[index];
      expect(hit / (hit + extra), `precision, ${what}`).toBeGreaterThanOrEqual(least);
      expect(hit / (hit + missed), `recall, ${what}`).toBeGreaterThanOrEqual(least);
    });
  });

  it('divergence: its sums to 0.1', { timeout: 180_000 }, async () => {
    const numbers = (text: string) => [...text.matchAll(/sum=(\S+)/g)].map(([, sum]) => Number(sum));
    const { stdout } = await run('divergence');
    const expected = numbers(hardware.divergence.stdout);
    expect(numbers(stdout)).toHaveLength(expected.length);
    numbers(stdout).forEach((sum, version) => {
      expect(Math.abs(sum - expected[version])).toBeLessThanOrEqual(0.1);
    });
  });

  it('matmul of 64 checks itself: all versions agree', { timeout: 180_000 }, async () => {
    const { stdout, exit } = await run('matmul', '64');
    const results = [...stdout.matchAll(/version=\d n=64 (.*)/g)].map(([, result]) => result);
    expect(results).toHaveLength(4);
    expect(new Set(results).size).toBe(1);
    expect(exit).toBe(0);
  });

  it('histogram of 65536 checks itself', { timeout: 180_000 }, async () => {
    const { stdout } = await run('histogram', '65536');
    expect(stdout.match(/ ok$/gm)).toHaveLength(3);
  });
});

/** Kernel and line, counters summed over the instantiations of a kernel. */
function markedLines(lines: Measured['lines'], isMarked: (counters: LineCounters) => boolean): ReadonlySet<string> {
  const sums = new Map<string, LineCounters>();
  for (const [kernel, perLine] of Object.entries(lines)) {
    for (const [line, counters] of Object.entries(perLine)) {
      const key = `${baseName(kernel)} ${line}`;
      const sum: LineCounters = sums.get(key) ?? { ...NONE };
      for (const name of Object.keys(NONE) as (keyof LineCounters)[]) sum[name] += counters[name] ?? 0;
      sums.set(key, sum);
    }
  }
  return new Set([...sums].filter(([, counters]) => isMarked(counters)).map(([key]) => key));
}

/** Requests and sectors of each launch. */
function counted({ kernels }: Measured | Report) {
  return kernels.map(({ kernel, metrics }) => [baseName(kernel), ...COUNTERS.map((counter) => metrics[counter])]);
}
