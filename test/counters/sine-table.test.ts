import { expect, test } from 'vitest';
import { ENGINE_NAMES } from '../../simulator/options/defaults.ts';
import { textReport } from '../runtime/simulation.ts';

const PROGRAM = `
#include <cstdio>
#include <cmath>
__global__ void one(double* x) { int i = blockIdx.x * 32 + threadIdx.x; x[i] = sin(x[i]); }
__global__ void both(double* x) { double s, c; sincos(x[threadIdx.x], &s, &c); x[threadIdx.x] = s + c; }
__global__ void single(float* x) { x[threadIdx.x] = sinf(fminf(fabsf(x[threadIdx.x]), 100.0f)); }
int main() {
  double h[64];
  for (int i = 0; i < 64; i++) h[i] = i < 32 ? 0.01 * i : i;
  h[3] = -0.0;
  double* d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  one<<<2, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%.6f %.6f %g\\n", h[1], h[40], h[3]);
  both<<<1, 32>>>(d);
  single<<<1, 32>>>((float*)d);
}`;

/**
 * As on an H200 (test/fixtures/hardware, gabor and heat): three requests a warp beside the argument's own, of one sector each where all
 * lanes are in even or all in odd quarter turns, of two otherwise.
 */
test.each(ENGINE_NAMES)('sine of doubles reads its table: %s', async (engine) => {
  const report = await textReport(PROGRAM, { engine });
  expect(report.stdout).toBe('0.010000 0.745113 -0\n');
  const loads = report.kernels.map(({ metrics }) => [
    metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'],
    metrics['l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum'],
  ]);
  expect(loads).toEqual([
    [2 + 6, 2 * 8 + 3 * 1 + 3 * 2],
    [1, 8],
    [1, 4],
  ]);
});
