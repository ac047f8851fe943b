/** Device code and libraries that check themselves or repeat what NVIDIA's give, on both engines. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixture, reportOf, textReport } from './simulation.ts';

/** Both engines' report of a program, which must not differ. */
async function onBothEngines(name: string) {
  const [compiled, interpreted] = await Promise.all(
    (['compiler', 'interpreter'] as const).map((engine) => reportOf(fixture(name), { engine })),
  );
  expect(compiled.faults).toEqual([]);
  expect(interpreted.stdout).toBe(compiled.stdout);
  expect(interpreted.kernels).toEqual(compiled.kernels);
  expect(interpreted.lines).toEqual(compiled.lines);
  return compiled;
}

describe('inline PTX', () => {
  it('means what C++ beside it means', async () => {
    const { stdout } = await onBothEngines('ptx.cu');
    expect(stdout).toBe('12096 checks, 0 failures\n22 threads after exit, no error\n');
  });

  it('computes under a predicate, without a branch', async () => {
    const report = await textReport(
      `__global__ void k(int* p) {
  asm volatile("{ .reg .pred q; setp.lt.u32 q, %1, 7; @q add.u32 %0, %0, 1; }" : "+r"(p[threadIdx.x]) : "r"(threadIdx.x));
}
int main() { int* p; cudaMalloc(&p, 128); k<<<1, 32>>>(p); return cudaDeviceSynchronize(); }`,
    );
    expect(report.exit).toBe(0);
    expect(report.lines['k(int *)']['from-text.cu:2']).toMatchObject({ divergentBranches: 0 });
  });
});

describe('tensor cores', () => {
  it('multiply what fragments hold, by wmma and mma.sync', async () => {
    const { stdout } = await onBothEngines('mma.cu');
    expect(stdout).toBe('2560 checks, 0 failures, no error\n');
  });
});

describe('CUB', () => {
  it('agrees with loops on the host', async () => {
    const { stdout } = await onBothEngines('cub.cu');
    expect(stdout).toBe('0 failures, no error\n');
  });
});

describe('cuRAND', () => {
  it("gives NVIDIA's numbers, in kernels and from the host", async () => {
    const { stdout, notes } = await onBothEngines('curand.cu');
    expect(stdout.split('\n')).toEqual(readFileSync(fixture('curand.stdout'), 'utf8').split('\n'));
    expect(notes).toEqual([expect.stringMatching(/^cuRAND: library, not simulated/)]);
  });
});

describe('cuBLAS', () => {
  it('agrees with plain loops, and the report says that nothing was simulated', async () => {
    const { stdout, notes, kernels } = await reportOf(fixture('cublas.cu'));
    expect(stdout).toBe('63 checks, 0 failures\n');
    expect(kernels).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/^cuBLAS: library, not simulated/)]);
  });
});
