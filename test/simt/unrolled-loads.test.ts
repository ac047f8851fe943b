/**
 * What copies of an unrolled loop's body need not load, since an earlier copy has loaded or stored it. Requests of one warp are those of
 * nvcc's machine code (13.0): sixteen rounds at once load what one of them needs and one more.
 */
import { describe, expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

const SUMS = ['9437.8', '1.05789e+13', '1.11453e+13', '1.11453e+13', '1.85258e+13', '1.26742e+13', '1.22539e+13', '-1.28677e+13', ''];
const N = 41;
const ROUNDS = N - 1;
const PROGRAM = `#include <cstdio>
#define ROW int i = threadIdx.x; for (int j = 1; j < n; j++)
#define P (float* x, float* y, const float* __restrict__ z, int n)
__global__ void along P { ROW x[i * n + j] += x[i * n + (j - 1)]; }
__global__ void copied P { ROW x[i * n + j] = x[i * n + j - 1] * 2; }
__global__ void down P { ROW x[j * n + i] += x[(j - 1) * n + i]; }
__global__ void twos P { int i = threadIdx.x; for (int j = 1; j < 127; j++) x[j * n + i] += x[(j - 1) * n + i]; }
__global__ void pairs P { float s = 0; ROW s += z[i * n + j] * z[i * n + j - 1]; y[threadIdx.x] = s; }
__global__ void apart P { ROW y[i * n + j] = x[i * n + j] - x[i * n + j - 1]; }
__global__ void smoothed(const float* __restrict__ z, float* __restrict__ y, int n) {
  int i = threadIdx.x * 64;
  for (int j = 1; j < n - 1; j++) y[i + j] = z[i + (j - 1)] + z[i + j] + z[i + (j + 1)];
}
// 127 rounds, of which the loop does three and one: nothing but the last element is the same in both.
__global__ void sweep(float* x, float* b, const float* a) {
  int i = threadIdx.x;
  for (int j = 1; j < 128; j++) {
    x[j * 128 + i] = x[j * 128 + i] - x[(j - 1) * 128 + i] * a[j * 128 + i] / b[(j - 1) * 128 + i];
    b[j * 128 + i] = b[j * 128 + i] - a[j * 128 + i] * a[j * 128 + i] / b[(j - 1) * 128 + i];
  }
}
int main() {
  float* m;
  cudaMallocManaged(&m, 3 * 65536);
  float *x = m, *y = m + 16384, *z = m + 32768;
  for (int i = 0; i < 3 * 16384; i++) m[i] = 1 + i % 5;
  int n = ${N};
  auto show = [&] { cudaDeviceSynchronize(); double s = 0; for (int i = 0; i < 2 * 16384; i++) s += m[i] / (1 + i % 97); printf("%.6g\\n", s); };
  along<<<1, 32>>>(x, y, z, n), show(), copied<<<1, 32>>>(x, y, z, n), show(), down<<<1, 32>>>(x, y, z, n), show();
  pairs<<<1, 32>>>(x, y, z, n), show(), apart<<<1, 32>>>(x, y, z, n), show(), smoothed<<<1, 32>>>(z, y, n + 1), show();
  sweep<<<1, 32>>>(x, y, z), show(), twos<<<1, 32>>>(x, y, z, n), show();
}
`;

describe.each(['interpreter', 'compiler'] as const)('loads of unrolled loops, by the %s', (engine) => {
  it('are those that no earlier copy has made needless', { timeout: 120_000 }, async () => {
    const { kernels, faults, stdout } = await textReport(PROGRAM, { engine });
    expect(faults).toEqual([]);
    expect(stdout.split('\n')).toEqual(SUMS);
    const loads = kernels.map(({ kernel, metrics }) => [
      kernel.replace(/\(.*/, ''),
      metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'],
    ]);
    expect(Object.fromEntries(loads)).toEqual({
      // 16, 16 and 8 rounds: one more each.
      along: ROUNDS + 3,
      copied: 3,
      // ptxas does not see that it is the same: one more for four rounds.
      down: ROUNDS + ROUNDS / 4,
      pairs: ROUNDS + 3,
      // What is stored may be what is loaded.
      apart: 2 * ROUNDS,
      smoothed: ROUNDS + 2 * 3,
      // 32 times three copies, 31 times one. The first loads all: of others, what was stored last is known.
      // 126 rounds, two at once.
      twos: 63 * 3,
      sweep: 32 * (7 + 6 + 6) + 31 * 6,
    });
  });
});
