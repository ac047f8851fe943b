/** What programs read that measure themselves, beside a simulated H200. */
import { beforeAll, describe, expect, it } from 'vitest';
import { fixture, reportOf, textReport } from './simulation.ts';

let text = '';
let us: Readonly<Record<string, number>> = {};
let report: Awaited<ReturnType<typeof reportOf>>;

beforeAll(async () => {
  report = await reportOf(fixture('clock.cu'), { timeline: true });
  text = report.stdout;
  us = Object.fromEntries([...text.matchAll(/^(.*) (-?[\d.]+)$/gm)].map(([, name, value]) => [name, Number(value)]));
});

const within = (value: number, low: number, high: number) => {
  expect(value).toBeGreaterThanOrEqual(low);
  expect(value).toBeLessThanOrEqual(high);
};

describe('the clock of a program', () => {
  it('is the same in every run and for both engines, and says whose it is', async () => {
    expect(report.faults).toEqual([]);
    expect(report.estimatedFor).toEqual(['NVIDIA H200']);
    expect((await reportOf(fixture('clock.cu'), { engine: 'interpreter' })).stdout).toBe(text);
  });

  it('goes faster for a warp that does nothing but wait for it, and as fast for eight warps as for one', async () => {
    const wait = (engine: 'compiler' | 'interpreter') =>
      textReport(
        `#include <cstdio>
__global__ void meet(float* x, long long* cycles) {
  long long start = clock64();
  for (int i = 0; i < 20; i++) {
    // The last warp has more to do, and the others wait for it.
    for (int k = 0; k < (threadIdx.x / 32 == blockDim.x / 32 - 1 ? 50 : 5); k++) x[threadIdx.x] = x[threadIdx.x] * 0.5f + k;
    __syncthreads();
  }
  cycles[threadIdx.x] = clock64() - start;
}
__global__ void wait(long long cycles, long long* waited) {
  long long start = clock64(), now = start;
  while (now - start < cycles) now = clock64();
  *waited = now - start;
}
__global__ void pause(long long cycles, long long* rounds) {
  int n = 0;
  for (long long start = clock64(); clock64() - start < cycles; n++) {}
  rounds[0] = n;
  // Each look is written down: this is a measurement, in which time goes evenly.
  for (n = 0; n < 200; n++) rounds[n + 1] = clock64();
}
int main() { long long* p; cudaMallocManaged(&p, 8); wait<<<1, 1>>>(5000000000, p); cudaDeviceSynchronize(); printf("%lld\\n", *p);
  float* x; cudaMalloc(&x, 4096); cudaMallocManaged(&p, 2048);
  for (int threads : {32, 256}) { meet<<<1, threads>>>(x, p); cudaDeviceSynchronize(); printf("%lld %lld\\n", p[0], p[threads - 1]); }
  pause<<<1, 1>>>(20000, p); cudaDeviceSynchronize(); printf("%lld %lld %lld\\n", p[0], p[100] - p[99], p[200] - p[199]); }`,
        { engine },
      );
    const { stdout, faults } = await wait('compiler');
    expect(faults).toEqual([]);
    const [[waited], [alone], [first, last], [rounds, early, late]] = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    within(waited, 5e9, 5.1e9);
    within(last, alone, 1.1 * alone);
    within(first, 0.9 * last, 1.1 * last);
    // At four cycles for each instruction it would be a thousand.
    within(rounds, 100, 400);
    expect(late).toBe(early);
    expect((await wait('interpreter')).stdout).toBe(stdout);
  });

  it('knows copies: links, staging of pageable memory, one engine for each direction', () => {
    // 8 MiB at 55.3, 13 and 2,046 bytes per nanosecond.
    within(us.pinned, 152, 165);
    within(us.pageable, 645, 665);
    // Of 8 MiB an H200 takes 9 to 11.
    within(us.within, 6, 16);
    // Each of two opposite copies takes longer: 79 alone, 83 and 87 on an H200.
    within(us['both ways'], 81, 92);
    within(us['one way'], 152, 165);
    expect(us['asynchronous call']).toBeLessThan(3);
    expect(text).toContain('query cudaErrorNotReady cudaSuccess\n');
  });

  it('lets kernels of several streams run beside each other, as far as the device has room', () => {
    within(us.empty, 2, 8);
    within(us['spin 100'], 100, 106);
    within(us['spin 100 in four streams'], 100, 120);
    within(us['spin 100 four times in one'], 400, 415);
    within(us['spin 20 on a full device twice'], 40, 47);
    within(us['spin 20 on half a device twice'], 20, 29);
    within(us['spin 20 in two waves'], 40, 47);
    within(us['a wait between streams'], 200, 210);
    within(us['the default stream between'], 300, 310);
    expect(text).toContain('too early cudaErrorNotReady\n');
    within(us['priority gains'], 25, 60);
  });

  it('knows that graphs save time, and what nested launches add', () => {
    expect(us.graph).toBeLessThan(0.95 * us.launches);
    // One thread launches 40 kernels: 6 microseconds each.
    within(us.nested, 240, 280);
    expect(report.nested).toEqual([
      { kernel: 'parent(int)', launches: 1, nested: [{ name: 'nothing()', launches: 40, totalNs: expect.any(Number) }] },
    ]);
  });

  it('migrates managed memory when it is touched, unless it was prefetched', () => {
    // 8 MiB at 9.5 bytes per nanosecond, and 300 microseconds until the first fault is served.
    within(us['first touch'], 1150, 1230);
    expect(us['second touch']).toBeLessThan(15);
    within(us.prefetch, 215, 245);
    expect(us['touch behind it']).toBeLessThan(15);
  });

  it('brings managed memory back to the host in pieces of 64 KiB when that touches it', () => {
    // On an H200: 18 to 30 for a word; 16 MiB in 3,200, of which the loop itself took 560 (h200-microbenchmarks.json).
    within(us['host reads a word'], 25, 40);
    expect(us['host reads beside it']).toBeLessThan(1);
    within(us['host reads all'] - us['host reads all again'], 1200, 1500);
    // 16 MiB in 2,160 there.
    within(us['touch of what the host has read'], 900, 1000);
  });

  it('is the same one on the host and on the device', () => {
    within(us['launch call'], 3, 5);
    within(us.waited, 198, 210);
    within(us['host loop'], 20, 400);
    within(us.slept, 20_000, 20_010);
    within(us['callback after'], 205, 230);
    expect(us['call before it']).toBeLessThan(10);
    expect(text).toContain('globaltimer 1\nsum 200000 year 2026\n');
  });

  it('gives a timeline of calls, copies, kernels and what these launch', () => {
    const { tracks, endNs, devices } = report.timeline!;
    expect(devices).toEqual(['NVIDIA H200']);
    expect(tracks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['host', 'default stream', 'stream 1', 'stream 6', 'stream 1, graph']),
    );
    for (const { spans } of tracks) {
      for (const [index, { startNs, endNs: spanEnd }] of spans.entries()) {
        expect(startNs).toBeGreaterThanOrEqual(spans[index - 1]?.endNs ?? 0);
        expect(spanEnd).toBeGreaterThanOrEqual(startNs);
        expect(spanEnd).toBeLessThanOrEqual(endNs);
      }
    }
    const spans = tracks.flatMap((track) => track.spans);
    expect(spans.find(({ nested }) => nested)).toMatchObject({ name: 'parent(int)', nested: [{ name: 'nothing()', launches: 40 }] });
    expect(spans.find(({ name }) => name === 'Memcpy HtoD')).toMatchObject({ kind: 'copy', bytes: 8 << 20 });
    expect(spans.find(({ name }) => name === 'Prefetch HtoD')).toMatchObject({ bytes: 8 << 20 });
  });
});

describe('a report', () => {
  it('does not speak of times where the program measured nothing', async () => {
    const { estimatedFor, timeline } = await textReport(
      '#include <ctime>\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return time(nullptr) < 9; }',
    );
    expect([estimatedFor, timeline]).toEqual([undefined, undefined]);
  });
});
