/**
 * Loads of what the round before has stored, which NVVM moves in front of a loop. Requests of one warp are those of nvcc's machine code
 * (13.0).
 */
import { describe, expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

const PROGRAM = `#include <cstdio>
__global__ void prefix(int* x, int* out, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = x[threadIdx.x];
  s[threadIdx.x + 32] = x[threadIdx.x + 32];
  __syncthreads();
  if (threadIdx.x == 0) for (int j = 1; j < n; j++) s[j] += s[j - 1];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 32];
}
__global__ void rows(int (*x)[64], int n) { int i = threadIdx.x; for (int j = 1; j < n; j++) x[j][i] += x[j - 1][i]; }
// An index that is a sum, behind a pointer that is one.
__global__ void behind(int* x, int n) { int* r = x + threadIdx.x * 64; for (int j = 1; j < n; j++) r[j] += r[j - 1]; }
__global__ void sums(int* x, int n) { for (int j = 2; j < n; j++) x[j] = x[j - 1] + x[j - 2] % 5; }
__global__ void single(int* x, int n) { _Pragma("unroll 1") for (int j = 1; j < n; j++) x[j] += x[j - 1]; }
// The first round starts anywhere: there is no address to load from without a sum.
__global__ void anywhere(int* x, int n) { for (int j = n - 2; j >= 1; j--) x[j] += x[j + 1]; }
// The store in front may be to the same place.
__global__ void behindStore(int* x, int* y, int n) { for (int j = 1; j < n; j++) { y[j] = j; x[j] += x[j - 1]; } }
int main() {
  int* m;
  cudaMallocManaged(&m, 4 * 8192);
  for (int i = 0; i < 8192; i++) m[i] = i % 7;
  auto show = [&] { cudaDeviceSynchronize(); unsigned s = 0; for (int i = 0; i < 8192; i++) s = s * 31 + m[i]; printf("%u\\n", s); };
  prefix<<<1, 32>>>(m, m + 64, 42), show(), rows<<<1, 32>>>((int(*)[64])m, 41), show(), behind<<<1, 32>>>(m, 41), show();
  sums<<<1, 1>>>(m, 42), show(), single<<<1, 1>>>(m, 41), show(), anywhere<<<1, 1>>>(m, 42), show(), behindStore<<<1, 1>>>(m, m + 4096, 41), show();
}
`;

/** What the program prints, computed here. */
function expected(): readonly string[] {
  const m = Int32Array.from({ length: 8192 }, (_, i) => i % 7);
  const shown: string[] = [];
  const show = () => shown.push(`${m.reduce((s, value) => (Math.imul(s, 31) + value) | 0, 0) >>> 0}`);
  const s = m.slice(0, 64);
  for (let j = 1; j < 42; j++) s[j] += s[j - 1];
  for (let i = 0; i < 32; i++) m[64 + i] = s[i] + s[i + 32];
  show();
  for (let i = 0; i < 32; i++) for (let j = 1; j < 41; j++) m[j * 64 + i] += m[(j - 1) * 64 + i];
  show();
  for (let i = 0; i < 32; i++) for (let j = 1; j < 41; j++) m[i * 64 + j] += m[i * 64 + j - 1];
  show();
  for (let j = 2; j < 42; j++) m[j] = m[j - 1] + (m[j - 2] % 5);
  show();
  for (let j = 1; j < 41; j++) m[j] += m[j - 1];
  show();
  for (let j = 40; j >= 1; j--) m[j] += m[j + 1];
  show();
  for (let j = 1; j < 41; j++) {
    m[4096 + j] = j;
    m[j] += m[j - 1];
  }
  show();
  return shown;
}

describe.each(['interpreter', 'compiler'] as const)('loads of what the round before has stored, by the %s', (engine) => {
  it('are in front of the loop where NVVM finds their address', { timeout: 120_000 }, async () => {
    const { kernels, faults, stdout } = await textReport(PROGRAM, { engine });
    expect(faults).toEqual([]);
    expect(stdout.trim().split('\n')).toEqual(expected());
    const [prefix] = kernels;
    // One in front, 40 rounds in fours, one more round by itself, and two behind.
    expect(prefix.metrics['smsp__sass_inst_executed_op_shared_ld.sum']).toBe(1 + 40 + 2 + 2);
    const loads = kernels
      .slice(1)
      .map(({ kernel, metrics }) => [kernel.replace(/\(.*/, ''), metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum']]);
    expect(Object.fromEntries(loads)).toEqual({
      rows: 1 + 40,
      // 16, 16 and 8 rounds: one more each.
      behind: 40 + 3,
      sums: 2,
      single: 1 + 40,
      anywhere: 40 + 3,
      behindStore: 2 * 40,
    });
  });
});
