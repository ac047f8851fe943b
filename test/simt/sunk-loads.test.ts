/** Loads that ptxas executes behind a branch, by the requests that nvcc's machine code (13.0, sm_90) makes for them. */
import { expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

/** Kernel, its parameters' `__restrict__`, what it does before the second warp leaves, and how often two warps load. */
const CASES: readonly (readonly [name: string, restrict: string, code: string, requests: number])[] = [
  ['behind', '', 'int x = a[i], y = b[i]; if (x < n) return;', 3],
  ['ahead', '', 'int y = b[i], x = a[i]; if (x < n) return;', 3],
  ['branched', '', 'int x = a[i], y = b[i]; if (n > 7) return; if (x < n) { o[i] = x; return; }', 3],
  ['computed', '', 'int x = a[i]; int y = 3 * b[i] + n; if (x < n) return;', 3],
  ['chased', '', 'int x = a[i], y = b[a[i + 64]]; if (x < n) return;', 5],
  ['summed', '', 'int x = a[i], y = b[i] + b[i + 64]; if (x < n) return;', 6],
  ['addedTo', '', 'int x = a[i], y = b[i] + x; if (x < n) return;', 3],
  ['limited', '', 'int x = a[i], y = max(b[i], 3); if (x < n) return;', 3],
  ['joined', '', 'int x = a[i], y = b[i]; if (x < n) { y += 5; for (int j = 0; j < n; j++) y += atomicAdd(o + j, y); y *= 3; }', 4],
  ['exchanged', '', 'int x = a[i], y = b[i]; x = __shfl_xor_sync(~0u, x, 1); if (x < n) return;', 3],
  ['sharedStored', '', 'int x = a[i], y = b[i]; s[i] = x; if (x < n) return; y += s[0] & 0;', 3],
  ['stored', '', 'int x = a[i], y = b[i]; o[i + 64] = 1; if (x < n) return;', 4],
  ['storedElsewhere', '__restrict__', 'int x = a[i], y = b[i]; o[i + 64] = 1; if (x < n) return;', 3],
  ['counted', '', 'int x = a[i], y = b[i]; atomicAdd(o, 1); if (x < n) return;', 4],
  ['waited', '', 'int x = a[i], y = b[i]; __syncthreads(); if (x < n) return;', 4],
  ['divided', '', 'int x = a[i], y = b[i] / n; if (x < n) return;', 4],
  ['slow', '', 'int x = a[i], y = b[i]; if (a[i + 64] / (float)x < n) return;', 6],
  ['asked', '', 'int x = a[i], y = b[i]; if (x < n + y) return;', 4],
  ['unsteady', '', 'int x = a[i], y = *(const volatile int*)(b + i); if (x < n) return;', 4],
  ['pair', '', 'int2 p = ((const int2*)a)[i]; int x = p.x, y = p.y; if (x < n) return;', 2],
  ['inLoop', '', 'int x, y; for (int k = 0; k < 2; k++) { x = a[i], y = b[i + k]; if (x < n) continue; USE }', 5],
];

const PROGRAM = `
#include <cuda_runtime.h>
#define USE { o[i] = y; if (x & 1) { for (int j = 0; j < n; j++) atomicAdd(&o[i + j * n], y); } o[i + n * n] = y * x; }
${CASES.map(
  ([name, restrict, code]) => `__global__ void ${name}(const int* ${restrict} a, const int* ${restrict} b, int* ${restrict} o, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  ${code}
  ${name === 'inLoop' ? '' : 'USE'}
}`,
).join('\n')}
__global__ void sharedPair(const int* a, int* o, int n) {
  __shared__ int s[128];
  int i = threadIdx.x;
  s[i] = 5;
  s[i + 64] = i < 32 ? 5 : 1;
  __syncthreads();
  int x = s[2 * i], y = s[2 * i + 1];
  if (x < n) return;
  USE
}
int main() {
  int* a;
  int* o;
  cudaMallocManaged(&a, 4096);
  cudaMalloc(&o, 4096);
  for (int i = 0; i < 1024; i++) a[i] = i % 64 < 32 ? 5 : 1;
  for (int i = 0; i < 64; i++) a[2 * i + 512] = i < 32 ? 5 : 1;
  ${CASES.map(([name]) => `${name}<<<1, 64>>>(a${name === 'pair' ? ' + 512' : ''}, a + 128, o, 3);`).join('\n  ')}
  sharedPair<<<1, 64>>>(a, o, 3);
  return cudaDeviceSynchronize();
}`;

it.each(['compiler', 'interpreter'] as const)(
  'loads that one side of a branch needs are executed there, %s',
  { timeout: 120_000 },
  async (engine) => {
    const { kernels, faults } = await textReport(PROGRAM, { engine });
    expect(faults).toEqual([]);
    const requests = kernels.map(({ kernel, metrics }) => [
      kernel.replace(/\(.*/, ''),
      metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'],
    ]);
    expect(Object.fromEntries(requests.slice(0, -1))).toEqual(Object.fromEntries(CASES.map(([name, , , count]) => [name, count])));
    // One access of eight bytes for each warp.
    expect(kernels.at(-1)?.metrics['smsp__sass_inst_executed_op_shared_ld.sum']).toBe(2);
  },
);
