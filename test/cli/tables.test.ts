/** Tables of a run in a terminal, of reports that are put together here. */
import { expect, it, vi } from 'vitest';
import { measuredBeside, measuredTable, withMeasured } from '../../cli/measured-table.ts';
import { costliestLines, kernelTable } from '../../cli/summary.ts';
import { noColours, paletteFor } from '../../cli/terminal.ts';
import { lineTimeTable, timeTable } from '../../cli/time-summary.ts';
import { noCounts } from '../../counters/counters.ts';
import type { MeasuredRun } from '../../measured/launches.ts';
import type { KernelReport, Report, TimeEstimate } from '../../protocol/report.ts';

/** A launch that takes `ns`, and reads as much as others. */
function launch(kernel: string, ns: number, more: Partial<KernelReport> = {}): KernelReport {
  const estimate = {
    ns,
    limit: 'latency',
    parts: [{ limit: 'latency', ns }],
    dramReadBytes: 4096,
  } as Partial<TimeEstimate> as TimeEstimate;
  return { kernel, grid: [2, 1, 1], block: [64, 1, 1], metrics: {}, estimate, ...more };
}

function report(...kernels: KernelReport[]): Report {
  return { kernels, device: 'h200', faults: [] } as Partial<Report> as Report;
}

it('kernels of a library share a row', () => {
  const index = 'void thrust::detail::for_each_index';
  const some = report(
    launch(`${index}<A>(A, unsigned long)`, 2000, { library: 'Thrust/CUB' }),
    launch('own(int *)', 1000),
    launch(`${index}<B>(B, unsigned long)`, 3000, { library: 'Thrust/CUB', grid: [1, 1, 1], block: [256, 1, 1] }),
  );
  const rows = kernelTable(some, noColours).split('\n').slice(2, 4);
  expect(rows[0]).toMatch(/^kernels of Thrust… x2 +1 to 2 +64 to 256 +12 /);
  expect(rows[1]).toMatch(/^own +2 +64 +4 /);
  expect(timeTable(some, noColours)).toMatch(/\nkernels of Thrust\/CUB x2 +5\.0 µs +83 % /);
});

it('what a kernel launched is added up, with the time to its end', () => {
  const parent = launch('parent()', 1000);
  const some = {
    ...report({ ...parent, estimate: { ...parent.estimate!, wholeNs: 30_000 } }, launch('child()', 500)),
    nested: [{ kernel: 'parent()', launches: 1, nested: [{ name: 'child()', launches: 2, totalNs: 900 }] }],
  };
  expect(timeTable(some, noColours)).toContain(
    'parent launched, 1 deep: child x2, 0.9 µs (estimated with warm caches, added up); 30 µs until all have ended\n',
  );
});

it('versions of a kernel are compared, and no others', () => {
  const faster = (...kernels: KernelReport[]) => /^estimated: .*/m.exec(timeTable(report(...kernels), noColours))?.[0];
  expect(faster(launch('sumSlow(int *, int)', 4000), launch('sumFast(int *, int)', 1000))).toBe(
    'estimated: sumFast 4.0 times faster than sumSlow; limit: latency',
  );
  expect(faster(launch('void sum<false>(int *, int)', 4000), launch('void sum<true>(int *, int)', 1000))).toMatch(/sum<true> 4\.0 times/);
  expect(faster(launch('k1(double *)', 4000), launch('k6(int *)', 1000))).toBeUndefined();
});

it('a kernel of many launch configurations has one row', () => {
  const shapes = (...grids: [number, number, number][]) =>
    kernelTable(report(...grids.map((grid) => launch('k(int *)', 1000, { grid }))), noColours)
      .split('\n')
      .slice(2, -1);
  expect(shapes([1, 1, 1], [2, 1, 1], [4, 1, 1], [2, 1, 1])).toEqual([
    expect.stringMatching(/^k +1 +64 +2 /),
    expect.stringMatching(/^k x2 +2 +64 +8 /),
    expect.stringMatching(/^k +4 +64 +8 /),
  ]);
  expect(shapes([9, 1, 1], [1, 1, 1], [2, 1, 1], [4, 1, 1], [8, 1, 1])).toEqual([expect.stringMatching(/^k x5 +1 to 9 +64 +48 /)]);
  expect(shapes([1, 2, 1], [1, 1, 1], [2, 1, 1], [4, 1, 1], [8, 1, 1])).toEqual([expect.stringMatching(/^k x5 +5 sizes +64 +34 /)]);
});

it('idle lanes are told where no branch diverges, and not of lines that hardly run', () => {
  const line = (inst: number, lanes: number) => ({ ...noCounts(), inst, threadInst: inst * lanes });
  const some = {
    ...report(launch('k(int *)', 1000)),
    lines: { 'k(int *)': { 'a.cu:3': line(600, 16), 'a.cu:4': line(400, 30), 'a.cu:5': line(5, 1) } },
  };
  expect(costliestLines(some, { palette: noColours, sources: new Map() })).toBe(
    '\ncostliest lines\na.cu:3  \n        60 % of instructions, with 16.0 of 32 lanes active on average\n',
  );
});

it('braces are no costly lines, as in the editor', () => {
  const half = { ...noCounts(), inst: 500, threadInst: 8000 };
  const some = { ...report(launch('k(int *)', 1000)), lines: { 'k(int *)': { 'a.cu:1': half, 'a.cu:2': half } } };
  const shown = costliestLines(some, { palette: noColours, sources: new Map([['/p/a.cu', ['k();', '  }']]]) });
  expect(shown).toContain('a.cu:1');
  expect(shown).not.toContain('a.cu:2');
});

it('idle lanes of a line that takes no time are no cost', () => {
  const half = { ...noCounts(), inst: 500, threadInst: 8000 };
  const counted = { ...report(launch('k(int *)', 1000)), lines: { 'k(int *)': { 'a.cu:1': half, 'a.cu:2': half } } };
  const shown = costliestLines(
    { ...counted, lineTimes: { 'k(int *)': { 'a.cu:1': 900, 'a.cu:2': 5 } } },
    { palette: noColours, sources: new Map() },
  );
  expect(shown).toContain('a.cu:1');
  expect(shown).not.toContain('a.cu:2');
});

it('lines that would be shown with no time, and braces, are not among those that take longest', () => {
  const times = { 'a.cu:1': 9000, 'a.cu:2': 40, 'a.cu:3': 600 };
  const some = { ...report(launch('k(int *)', 10_000)), lineTimes: { 'k(int *)': times } };
  const shown = lineTimeTable(some, { palette: noColours, textOf: (line) => (line === 'a.cu:3' ? '}' : 'x = y;') });
  expect(shown).toContain('a.cu:1');
  expect(shown).not.toContain('a.cu:2');
  expect(shown).not.toContain('a.cu:3');
});

it('names that are cut differ where the kernels do', () => {
  const kernel = (type: string) => launch(`void resize_bilinear<unsigned ${type}, 8, 8, 8, 8>(unsigned ${type} *)`, 1000);
  const some = report(
    kernel('char'),
    kernel('short'),
    launch('void resize_with_a_name_that_is_longer_than_the_table_has_room_for(int *)', 1000),
  );
  for (const table of [kernelTable(some, noColours), timeTable(some, noColours)]) {
    const names = table
      .split('\n')
      .slice(2, 5)
      .map((row) => row.split('  ')[0]);
    expect(names[2]).toMatch(/^resize_with_a_name.*…$/);
    expect(new Set(names).size).toBe(3);
    expect(names[0]).toMatch(/^resize_.*…/);
  }
});

it('a limit that another one equals is not called 1.0 times longer', () => {
  const limits = (ns: number) => {
    const parts = [
      { limit: 'latency', ns: 1000 },
      { limit: 'dram', ns },
    ];
    return timeTable(
      report(launch('k(int *)', 1000, { estimate: { ns: 1000, limit: 'latency', parts } as Partial<TimeEstimate> as TimeEstimate })),
      noColours,
    );
  };
  expect(limits(980)).toContain('latency (then DRAM, about as long)');
  expect(limits(800)).toContain('latency (then DRAM, 1.3 times shorter)');
});

it('what a GPU measured stands beside the launches that were measured, and no others', () => {
  const sectors = 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum';
  const some = report(launch('k(int*)', 2000, { metrics: { [sectors]: 8 } }), launch('k(int*)', 2000), launch('other(int*)', 1000));
  const gpu = { kernel: 'k(int *)', grid: [2, 1, 1], block: [64, 1, 1] } as const;
  const run: MeasuredRun = {
    name: 'gpu.ncu-rep',
    device: 'NVIDIA H200',
    launches: [
      { ...gpu, metrics: { 'gpu__time_duration.sum': 2500, [sectors]: 16, 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum': 0 } },
      { ...gpu, grid: [3, 1, 1], metrics: {} },
    ],
  };
  const beside = measuredBeside(run, some);
  expect(measuredTable(beside, noColours).trim().split('\n')).toEqual([
    expect.stringMatching(/^measured \(gpu\.ncu-rep, NVIDIA H200\) +simulated +measured +change$/),
    'k (1 of 2 launches)',
    expect.stringMatching(/^ {2}time \(estimated\) +2\.00 µs +2\.50 µs +−20\.0 %$/),
    expect.stringMatching(/^ {2}sectors, global loads +8 +16 +÷ 2\.0$/),
    '1 of 2 measured launches have another kernel, grid or block than any that is left here',
  ]);
  const linesOnly = { name: 'lines.csv', launches: [{ kernel: 'k(int *)', metrics: {}, lines: [] }] };
  expect(measuredTable(measuredBeside(linesOnly, some), noColours)).toBe(
    '\nlines.csv has numbers of lines alone: --line-times and --json show them\n',
  );
  const { measured, kernels } = withMeasured(some, beside);
  expect(measured).toEqual({ file: 'gpu.ncu-rep', device: 'NVIDIA H200', launches: 2, alone: 1 });
  expect(kernels.map((each) => each.measured?.[sectors])).toEqual([16, undefined, undefined]);
  expect(measuredTable(measuredBeside(run, report(launch('other(int*)', 1000))), noColours)).toContain(
    'no launch of this run has kernel, grid and block of one in gpu.ncu-rep',
  );
});

it('nothing is dim, which is hard to read in most themes', () => {
  vi.stubEnv('NO_COLOR', '');
  const palette = paletteFor({ isTTY: true });
  vi.unstubAllEnvs();
  const painted = Object.values(palette).map((paint) => paint('x'));
  expect(painted).toHaveLength(6);
  // SGR 2: half of the contrast.
  expect(painted.filter((text) => text.includes('\x1b[2m'))).toEqual([]);
  expect(palette.quiet('x')).toBe('\x1b[3mx\x1b[0m');
});
