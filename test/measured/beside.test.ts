/** Which launches of a file stand beside which of a run, and what is compared of them. */
import { describe, expect, it } from 'vitest';
import { besideMeasured, clockNote, measuredOf } from '../../measured/beside.ts';
import { type MeasuredLaunch, pairedLaunches } from '../../measured/launches.ts';
import type { KernelReport, Report } from '../../protocol/report.ts';

type Size = [number, number, number];
const BLOCK: Size = [256, 1, 1];

function simulated(kernel: string, blocks: number, ns = 1000): KernelReport {
  const estimate = { ns, dramReadBytes: 64, dramWrittenBytes: 32, registers: 16, instructions: { issued: 39 } } as unknown as NonNullable<
    KernelReport['estimate']
  >;
  const metrics = { 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum': 4 * blocks, 'lanewise__inst_executed.sum': 10 * blocks };
  return { kernel, grid: [blocks, 1, 1], block: BLOCK, metrics, estimate };
}

function measured(kernel: string, blocks: number, metrics: Readonly<Record<string, number>> = {}): MeasuredLaunch {
  return { kernel, grid: [blocks, 1, 1], block: BLOCK, metrics };
}

const pairs = (gpu: readonly MeasuredLaunch[], here: readonly KernelReport[]) =>
  pairedLaunches(gpu, here).map((pair) => [gpu.indexOf(pair.measured), here.indexOf(pair.simulated)]);

describe('a measured launch', () => {
  it('stands beside the next one of its kernel with its grid and block', () => {
    const here = [simulated('f(int*)', 1), simulated('f(int*)', 2), simulated('f(int*)', 1), simulated('g(int*)', 2)];
    const gpu = [
      measured('g(int *)', 2),
      measured('f(int *)', 2),
      measured('f(int *)', 1),
      measured('f(int *)', 1),
      measured('f(int *)', 1),
    ];
    expect(pairs(gpu, here)).toEqual([
      [0, 3],
      [1, 1],
      [2, 0],
      [3, 2],
    ]);
  });

  it('is found by its template arguments, however a compiler writes them', () => {
    const here = [
      simulated('void n::sum<float, 256, true>(float const*)', 1),
      simulated('void n::sum<__half, 128, false>(__half const*)', 1),
    ];
    const gpu = [
      measured('void n::sum<__half, (int)128, (bool)0>(const T1 *)', 1),
      measured('void n::sum<float, (int)256, (bool)1>(const T1 *)', 1),
    ];
    expect(pairs(gpu, here)).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it('of kernels that are called otherwise comes in their order', () => {
    const here = [simulated('void walk<main::$_0>(int)', 1), simulated('void walk<main::$_1>(int)', 2)];
    const gpu = [measured('void walk<__nv_dl_wrapper_t<1>>(T1)', 1), measured('void walk<__nv_dl_wrapper_t<2>>(T1)', 2)];
    expect(pairs(gpu, here)).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('is found without a grid where a file has none', () => {
    const here = [simulated('(anonymous namespace)::f(int*)', 1)];
    expect(pairedLaunches([{ kernel: '<unnamed>::f(int *)', metrics: {} }], here)).toHaveLength(1);
  });
});

describe('a kernel beside what was measured of it', () => {
  const here = [simulated('f(int*)', 1), simulated('f(int*)', 2, 3000), simulated('f(int*)', 2, 5000)];
  const gpu = [
    measured('f(int *)', 1, {
      'gpu__time_duration.sum': 1500,
      'smsp__inst_executed.sum': 30,
      'sm__throughput.avg.pct_of_peak_sustained_elapsed': 10,
    }),
    measured('f(int *)', 2, {
      'gpu__time_duration.sum': 2500,
      'smsp__inst_executed.sum': 50,
      'sm__throughput.avg.pct_of_peak_sustained_elapsed': 30,
    }),
    measured('f(int *)', 7),
  ];
  const { kernels, alone } = besideMeasured(gpu, { kernels: here });

  it('is the launches that were measured', () => {
    expect(alone).toBe(1);
    expect(kernels).toHaveLength(1);
    expect(kernels[0]).toMatchObject({ kernel: 'f(int*)', launches: 2, of: 3 });
    expect(kernels[0].simulated['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum']).toBe(12);
  });

  it('sums counters, and takes the mean of shares', () => {
    expect(kernels[0].measured).toEqual({
      'gpu__time_duration.sum': 4000,
      'smsp__inst_executed.sum': 80,
      'sm__throughput.avg.pct_of_peak_sustained_elapsed': 20,
    });
  });

  it('compares estimates with what was measured of every launch', () => {
    expect(kernels[0].estimates).toEqual([
      { what: 'time', metric: 'gpu__time_duration.sum', estimated: 4000, measured: 4000 },
      { what: 'machine instructions', metric: 'smsp__inst_executed.sum', estimated: 78, measured: 80 },
    ]);
  });

  it('has machine instructions beside those of LLVM, under their own name', () => {
    expect(measuredOf(kernels[0], 'lanewise__inst_executed.sum')).toEqual({ name: 'smsp__inst_executed.sum', value: 80 });
    expect(measuredOf(kernels[0], 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum')).toBeUndefined();
  });

  it('says so where the GPU ran at another clock than times are estimated for', () => {
    const at = (hertz: number) => [measured('f(int *)', 1, { 'gpc__cycles_elapsed.avg.per_second': hertz })];
    const peaks = [{ clockHz: 1.98e9 }] as Report['peaks'];
    const note = (hertz: number) => clockNote(besideMeasured(at(hertz), { kernels: here, peaks }));
    expect(note(1.47e9)).toMatch(/ran at 1\.47 GHz, and times are estimated for 1\.98 GHz.*--clock-control none/);
    expect(note(1.95e9)).toBeUndefined();
  });
});
