/** What the report page is given of a run: by hand, so that every number is known. */
import { describe, expect, it } from 'vitest';
import { type LineCounters, noCounts } from '../../counters/counters.ts';
import { TIME_LIMITS } from '../../counters/limits.ts';
import type { KernelReport } from '../../protocol/report.ts';
import type { CountedRun } from '../../protocol/run.ts';
import { annotate, summarise } from '../../server/report-text.ts';
import { type RanSource, reportView } from '../../server/report-view.ts';
import { blocksPicture } from '../../simulator/timeline/blocks-picture.ts';
import { memoryPicture } from '../../simulator/timeline/memory-chart.ts';
import { NARROW } from '../../simulator/timeline/svg.ts';

const LOADS = 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum';
const SECTORS = 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum';

function launch(kernel: string, sectors: number, more: Partial<KernelReport> = {}): KernelReport {
  const metrics = { [LOADS]: 4, [SECTORS]: sectors, 'smsp__sass_branch_targets.sum': 0, launch__shared_mem_per_block_static: 49152 };
  return { kernel, grid: [2, 1, 1], block: [256, 1, 1], metrics, ...more };
}

function counted(
  kernels: KernelReport[],
  lines: Record<string, Record<string, LineCounters>>,
  faults: CountedRun['report']['faults'] = [],
): CountedRun {
  const report = {
    schema: 1 as const,
    program: 'a.cu',
    args: [],
    device: 'h200',
    exit: 0,
    compileMs: 1,
    simulateMs: 1,
    kernels,
    lines,
    faults,
  };
  return { report, summaries: summarise(report), sources: ['/p/a.cu'], table: '' };
}

/** Nanoseconds. */
const estimated = (ns: number) =>
  ({
    estimate: {
      ns,
      l1HitRate: 0.25,
      l2HitRate: 0.5,
      l2Sectors: { read: 12, write: 4, atomic: 0 },
      dramReadBytes: 2000,
      dramWrittenBytes: 96,
      registers: 40,
      residentBlocks: 6,
      residentWarps: 48,
      residentLimit: 'registers',
      parts: [
        { limit: 'dram', ns: ns / 2 },
        { limit: 'issue', ns },
      ],
    },
  }) as Partial<KernelReport>;

const quiet: LineCounters = { ...noCounts(), inst: 100, threadInst: 3200, globalSectors: 16, globalSectorsIdeal: 16 };
const wasteful: LineCounters = { ...quiet, globalSectors: 1600, globalSectorsIdeal: 200 };
const run = counted([launch('near(int *)', 16), launch('far(int *)', 128), launch('far(int *)', 128)], {
  'near(int *)': { 'a.cu:2': quiet },
  'far(int *)': { 'a.cu:5': wasteful },
});
const lines = ['', 'near;', 'more;', '', 'far;'];
const range = { start: { line: 4, column: 0 }, end: { line: 4, column: 3 } };
const source = (of: CountedRun): RanSource => ({
  path: '/p/a.cu',
  lines,
  annotations: annotate(of.report, '/p/a.cu', { source: lines }),
  findings: [{ rule: 'uncoalesced-access', severity: 'warning', message: 'lanes are far apart', range, fix: 'Turn the loops' }],
});

describe('the view of a run', () => {
  const view = reportView({ counted: run, stale: false, sources: [source(run)], earlier: [] });

  it('says first what costs most, why, and what was predicted there', () => {
    expect(view.headline).toMatchObject({
      text: expect.stringMatching(
        /^far costs most \(9\d % of the program's cost\)\. Look at a\.cu:5, 100 % of its cost: 8\.0× ideal sectors\.$/,
      ),
      fix: 'lanes are far apart. Quick fix: Turn the loops.',
      place: { path: '/p/a.cu', line: 5 },
    });
  });

  it('tells instantiations of a kernel apart where it names one', () => {
    const of = counted([launch('void f<3>(int *)', 16), launch('void f<9>(int *)', 128), launch('void g<1>(int *)', 16)], {
      'void f<9>(int *)': { 'a.cu:5': wasteful },
    });
    const { headline } = reportView({ counted: of, stale: false, sources: [source(of)], earlier: [] });
    expect(headline.text).toMatch(/^f<9> costs most \(/);
    expect(view.headline.text).toMatch(/^far costs most/);
  });

  it('says where the cost is where what is wasted is next to nothing', () => {
    const large: LineCounters = { ...quiet, inst: 100_000, threadInst: 3_200_000 };
    const few: LineCounters = { ...quiet, globalSectors: 64, globalSectorsIdeal: 16 };
    const busy = counted([launch('near(int *)', 16)], { 'near(int *)': { 'a.cu:2': large, 'a.cu:5': few } });
    const { headline } = reportView({ counted: busy, stale: false, sources: [source(busy)], earlier: [] });
    expect(headline.text).toMatch(/^near costs most\. Its costliest line is a\.cu:2, 100 % of its cost\. No line of it has divergence/);
    expect(headline.place).toEqual({ path: '/p/a.cu', line: 2 });
  });

  it('has kernels by what they cost, with sums that are not zero and what fits on a multiprocessor', () => {
    expect(view.kernels.map(({ kernel }) => kernel)).toEqual(['far(int *)', 'near(int *)']);
    const [far] = view.kernels;
    expect(far.metrics).toEqual({ [LOADS]: 8, [SECTORS]: 256, launch__shared_mem_per_block_static: 49152 });
    expect(far.figures).toEqual([expect.objectContaining({ words: 'sectors per load', value: 32, as: 'mean' })]);
    // 228 KiB for blocks of 48 KiB and the kibibyte that the driver takes.
    expect(far.launches).toEqual([
      { count: 2, grid: [2, 1, 1], block: [256, 1, 1], residentBlocks: 4, limit: 'shared memory', warps: [32, 64] },
    ]);
  });

  it('has counted lines beside predicted ones', () => {
    expect(view.files).toMatchObject([
      {
        name: 'a.cu',
        counted: [
          { line: 2, wasteful: false },
          { line: 5, wasteful: true },
        ],
        predicted: [{ line: 5 }],
      },
    ]);
    expect(view.files[0].counted[1].counters).toContainEqual(['global memory sectors', 1600, 200]);
  });

  it('names earlier runs, and lenses say what changed since', () => {
    const before = counted([launch('far(int *)', 16)], {});
    const later = reportView({ counted: run, stale: true, sources: [], earlier: [before, before] });
    expect(later.earlier.map(({ name, kernels }) => [name, kernels[0].metrics[SECTORS]])).toEqual([
      ['run 2', 16],
      ['run 1', 16],
    ]);
    const [far] = summarise(run.report, before.report.kernels).filter(({ name }) => name === 'far');
    expect(far.text).toContain('4.0 → 32.0 sectors per load');
    expect(summarise(run.report, run.report.kernels)[1].text).not.toContain('→');
  });

  it('says how blocks come to multiprocessors', () => {
    const estimate = { residentBlocks: 8 } as KernelReport['estimate'];
    const of = (blocks: number) => launch('a()', 1, { grid: [blocks, 1, 1], estimate });
    const said = (...launches: KernelReport[]) => blocksPicture(launches, 132)?.words;
    expect(said(of(1056))).toBe('1,056 blocks: 8 fit on a multiprocessor, all at once, which fills 100 % of the device.');
    expect(said(of(1057), of(1057), of(20))).toBe(
      '2 launches of 1,057 blocks: 8 fit on a multiprocessor, so they come in 2 waves, of which the last fills 1 % of the device; ' +
        '20 blocks: 112 of 132 multiprocessors have none.',
    );
    expect(said(of(1_000_000))).toContain('so they come in 947 waves, of which the last fills 96 % of the device.');
    // What would be said and drawn alike is one row, whatever the size of its blocks.
    const ofThreads = (threads: number, resident: number, blocks = 1) => {
      const { estimate } = estimated(1) as { estimate: object };
      const more = { grid: [blocks, 1, 1], block: [threads, 1, 1], estimate: { ...estimate, residentBlocks: resident } };
      return launch('a()', 1, more as Partial<KernelReport>);
    };
    expect(said(ofThreads(32, 32), ofThreads(64, 32), ofThreads(512, 4))).toBe(
      '3 launches of 1 block: 131 of 132 multiprocessors have none.',
    );
    expect(said(ofThreads(32, 8, 264), ofThreads(64, 8, 264))).toContain('2 launches of 264 blocks');
    expect(said(ofThreads(32, 1, 131), ofThreads(1024, 1, 132))).toBe(
      '131 blocks: 1 of 132 multiprocessors has none; 132 blocks: 1 fits on a multiprocessor, all at once, which fills 100 % of the device.',
    );
    expect(said(launch('a()', 1))).toBeUndefined();
  });

  it('draws where lanes wait for each other at atomics', () => {
    const of = counted([launch('far(int *)', 128)], {
      'far(int *)': {
        'a.cu:5': { ...quiet, atomicRequests: 1000, atomicTurns: 4800 },
        'a.cu:6': { ...quiet, atomicRequests: 9, atomicTurns: 9 },
      },
    });
    const [far] = reportView({ counted: of, stale: false, sources: [], earlier: [] }).kernels;
    expect(far.contention?.words).toBe('a.cu:5: 4.8 turns for each of 1,000 atomics of a warp.');
    expect(view.kernels[0].contention).toBeUndefined();
  });

  it('says what machine code and local memory ask of L2 and DRAM apart from global memory', () => {
    const { estimate } = estimated(3000) as { estimate: object };
    const code = { l2Bytes: 192, dramReadBytes: 1000, dramWrittenBytes: 0 };
    const local = { l2Bytes: 64, dramReadBytes: 200, dramWrittenBytes: 32 };
    const more = { estimate: { ...estimate, code, local } } as Partial<KernelReport>;
    const drawn = memoryPicture([launch('near(int *)', 16, more), launch('near(int *)', 16, estimated(3000))])!;
    expect(drawn.words).toBe(
      'Global memory: 1.02 kB read and 0 B written (simulated); L1 has 25 % of what is loaded, 768 B go to and from L2, ' +
        'DRAM reads 2.8 kB and writes 160 B (estimated); Machine code: 192 B from L2, 1 kB from DRAM (estimated); ' +
        'Local memory: 64 B to and from L2, 232 B to and from DRAM (estimated).',
    );
    for (const text of ['768 B', 'code: 192 B', 'local memory: 64 B', 'code: 1 kB', 'local memory: 232 B']) {
      expect(drawn.svg).toContain(`>${text}<`);
    }
    expect(memoryPicture([launch('near(int *)', 16, more)], NARROW)!.svg).toContain('>code: 192 B<');
  });

  it('goes by estimated time where every launch has one', () => {
    const timed = counted([launch('near(int *)', 16, estimated(3000)), launch('far(int *)', 128, estimated(1000))], run.report.lines);
    const { headline, kernels } = reportView({ counted: timed, stale: false, sources: [], earlier: [] });
    expect(kernels[0].memory?.words).toBe(
      'Global memory: 512 B read and 0 B written (simulated); L1 has 25 % of what is loaded, 512 B go to and from L2, ' +
        'DRAM reads 2 kB and writes 96 B (estimated).',
    );
    // What the time is estimated with, and not what would fit if registers were no matter.
    expect(kernels[0].launches).toEqual([
      { count: 1, grid: [2, 1, 1], block: [256, 1, 1], residentBlocks: 6, limit: 'registers', warps: [48, 64], registers: 40 },
    ]);
    expect(kernels[0].blocks?.words).toBe('2 blocks: 130 of 132 multiprocessors have none.');
    expect(headline.text).toMatch(/^near takes longest \(75 % of the estimated time of kernels\), limited by instruction issue\./);
    expect(kernels.map(({ kernel, time }) => [kernel, time])).toEqual([
      [
        'near(int *)',
        {
          nanoseconds: 3000,
          share: 0.75,
          limit: TIME_LIMITS.issue,
          parts: [
            [TIME_LIMITS.issue, 3000],
            [TIME_LIMITS.dram, 1500],
          ],
        },
      ],
      [
        'far(int *)',
        {
          nanoseconds: 1000,
          share: 0.25,
          limit: TIME_LIMITS.issue,
          parts: [
            [TIME_LIMITS.issue, 1000],
            [TIME_LIMITS.dram, 500],
          ],
        },
      ],
    ]);
    const [half] = reportView({
      counted: counted([launch('a()', 1, estimated(5)), launch('a()', 1)], {}),
      stale: false,
      sources: [],
      earlier: [],
    }).kernels;
    expect(half.time).toBeUndefined();
  });

  it('looks at a line of the kernel that takes longest, whatever others waste', () => {
    const table = {
      'near(int *)': { 'a.cu:2': quiet, 'a.cu:3': wasteful },
      'far(int *)': { 'a.cu:5': { ...wasteful, inst: 10_000, threadInst: 320_000 } },
    };
    const of = counted([launch('near(int *)', 16, estimated(4000)), launch('far(int *)', 128, estimated(1000))], table);
    const see = (lineTimes: Record<string, Record<string, number>>) => {
      const report = { ...of.report, lineTimes };
      return reportView({ counted: { ...of, report }, stale: false, sources: [source({ ...of, report })], earlier: [] }).headline;
    };
    expect(see({ 'near(int *)': { 'a.cu:2': 1000, 'a.cu:3': 2000 } })).toMatchObject({
      text: 'near takes longest (80 % of the estimated time of kernels), limited by instruction issue. Look at a.cu:3, 50 % of its time: 8.0× ideal sectors.',
      place: { line: 3 },
    });
    expect(see({ 'near(int *)': { 'a.cu:2': 3000, 'a.cu:3': 10 } })).toMatchObject({
      text: expect.stringMatching(/limited by instruction issue\. Its costliest line is a\.cu:2, 75 % of its time\. No line of it/),
      place: { line: 2 },
    });
  });

  it('speaks of what the sanitizer found before it speaks of costs', () => {
    const places = [
      { access: 'write', file: 'a.cu', line: 5 },
      { access: 'read', file: 'a.cu', line: 2 },
    ];
    const finding = { check: 'race' as const, message: 'write and read in no order', places, count: 1 };
    const of: CountedRun = {
      ...run,
      report: { ...run.report, findings: [finding] },
      trouble: { text: 'race at a.cu:5: write and read in no order' },
    };
    const { headline, faults } = reportView({ counted: of, stale: false, sources: [source(of)], earlier: [] });
    expect(headline).toEqual({ text: 'race at a.cu:5: write and read in no order', place: { path: '/p/a.cu', line: 5 } });
    expect(faults).toEqual([{ text: 'a.cu:5: race: write and read in no order', place: { path: '/p/a.cu', line: 5 } }]);
  });

  it('speaks of a fault instead of costs', () => {
    const fault = { kind: 'out-of-bounds', message: 'a store outside', kernel: 'far(int *)', file: 'a.cu', line: 5 };
    const faulted = counted(run.report.kernels, run.report.lines, [fault]);
    const { headline } = reportView({ counted: faulted, stale: false, sources: [source(faulted)], earlier: [] });
    expect(headline).toMatchObject({ text: expect.stringContaining('The program faulted: a.cu:5: a store outside'), place: { line: 5 } });
  });
});
