/** Branches inside of divisions, roots and functions, against how many an H200 counted for lanes of different kinds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportOf, repository, textReport } from './simulation.ts';

const DIVERGENT = 'smsp__sass_branch_targets_threads_divergent.sum';
const folder = join(repository, 'test/fixtures/hardware');
const { divergent } = JSON.parse(readFileSync(join(folder, 'h200-slow-paths.json'), 'utf8')) as {
  readonly divergent: Readonly<Record<string, Readonly<Record<string, number>>>>;
};

describe.each(['compiler', 'interpreter'] as const)('slow paths by the %s', (engine) => {
  it('part the lanes as on an H200', async () => {
    const { kernels } = await reportOf(join(folder, 'device/slow-paths.cu'), { engine });
    const measured = Object.entries(divergent).flatMap(([operation, counts]) =>
      Object.entries(counts).map(([lanes, count]) => ({ operation, lanes, count })),
    );
    const found = kernels.map(({ metrics }, index) => ({ ...measured[index], ours: metrics[DIVERGENT] }));
    expect(found).toHaveLength(measured.length);
    const isAlike = ({ lanes }: { readonly lanes: string }): boolean => new Set(lanes.split(' ')).size === 1;
    const wrong = found.filter(({ count, ours }) => count !== ours);
    expect(wrong.filter(isAlike)).toEqual([]);
    // Two slow lanes of kinds that are not told apart: 36 of 542.
    expect(wrong.length).toBeLessThan(0.07 * found.length);
    expect(wrong.filter(({ count, ours }) => Math.abs(count - ours) > 1)).toEqual([]);
  });

  it('are at the line of the instruction, and not where nvcc takes an approximation', async () => {
    const text = `__global__ void k(float *x) {
      const int i = threadIdx.x;
      x[i] = (i % 2) / (x[i] + 2.0f);
    }
    int main() { float *x; cudaMalloc(&x, 128); cudaMemset(x, 0, 128); k<<<1, 32>>>(x); }`;
    const lineOf = async (fast: boolean) => {
      const { lines } = await textReport(text, { engine, floats: { fused: true, flushed: fast, fast } });
      const { divergentBranches, slowPathBranches } = lines['k(float *)']['from-text.cu:3'];
      return [divergentBranches, slowPathBranches];
    };
    expect(await lineOf(false)).toEqual([1, 1]);
    expect(await lineOf(true)).toEqual([0, 0]);
  });

  it('load the digits of pi for sines of large angles', async () => {
    const text = `__global__ void k(float *x) {
      const int i = blockIdx.x * 32 + threadIdx.x;
      x[i] = sinf(i * 32768.0f) + cosf(i * 32768.0f) + tanf(200000.0f + blockIdx.x);
    }
    int main() { float *x; cudaMalloc(&x, 256); k<<<2, 32>>>(x); }`;
    const { kernels } = await textReport(text, { engine });
    // As on an H200, which counts six requests of one sector each for a sine and six for a cosine of 105,615 and more.
    expect(kernels[0].metrics).toMatchObject({
      'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum': 2 * 18,
      'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum': 2 * 18,
      [DIVERGENT]: 2,
    });
  });
});
