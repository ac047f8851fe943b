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
const { arithmetic } = JSON.parse(readFileSync(join(folder, 'h200-waits.json'), 'utf8')) as {
  readonly arithmetic: Readonly<Record<string, number>>;
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

  it('take about as long as on an H200 where all lanes take them', async () => {
    const shapes = engine === 'compiler' ? ['1 blocks of 32', '132 blocks of 1024'] : ['1 blocks of 32'];
    const text = `template <int Op> __global__ void k(int rounds, float a, float b, float *out) {
      float sum = 0;
      double da = a, db = b, wide = 0;
      #pragma unroll 1
      for (int r = 0; r < rounds; ++r) {
        if (Op == 0) sum += (a + sum * 0.0f) / b;
        if (Op == 1) sum += sqrtf(b + sum * 0.0f);
        if (Op == 2) wide += (da + wide * 0.0) / db;
        if (Op == 3) wide += sqrt(db + wide * 0.0);
      }
      if (sum == 12345.0f || wide == 12345.0) *out = sum;
    }
    template <int Op> void both(float slowA, float slowB, float *out) {
      for (int blocks : {${shapes.map((shape) => shape.split(' ')[0])}}) {
        k<Op><<<blocks, blocks == 1 ? 32 : 1024>>>(500, 1.5f, 3.0f, out);
        k<Op><<<blocks, blocks == 1 ? 32 : 1024>>>(500, slowA, slowB, out);
      }
    }
    int main() {
      float *out; cudaMalloc(&out, 4);
      both<0>(0.0f, 3.0f, out); both<1>(1.5f, 0.0f, out); both<2>(0.0f, 3.0f, out); both<3>(1.5f, 0.0f, out);
    }`;
    const { kernels } = await textReport(text, { engine });
    const each = kernels.map(({ estimate }) => (estimate!.ns - 2000) / 500);
    const names = ['float division, *, 32', 'float root, *, 32', 'double division, *, 32', 'double root, *, 32'];
    const measured = names.flatMap((name) =>
      shapes.flatMap((shape) => {
        const slow = name.includes('division') ? 'zero numerator' : 'zero';
        return ['ordinary', slow].map((kind) => arithmetic[`arithmetic ns each: ${name.replace('*', kind)} lanes, ${shape}`]);
      }),
    );
    measured.forEach((ns, index) => {
      expect(each[index] / ns, `${index}: ${each[index]} of ${ns} ns`).toBeGreaterThan(0.65);
      expect(each[index] / ns, `${index}: ${each[index]} of ${ns} ns`).toBeLessThan(1.5);
    });
  });
});
