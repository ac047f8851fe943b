/** Runs of which nobody has asked for checks: what they find, how far they look, and that they count as they would without. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

/** The second kernel's addresses depend on what memory holds, so that checks are dear: it is looked at in part. Its last block races, too, and leaves bytes unwritten that the third reads. */
const PROGRAM = `__global__ void neighbours(int* v) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  v[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void chase(int* v, const int* next) {
  int at = threadIdx.x;
  for (int k = 0; k < 256; ++k) at = next[at];
  v[blockIdx.x * 64 + (blockIdx.x == 1023 ? 5 : threadIdx.x)] = at + threadIdx.x;
}
__global__ void sum(int* v, const int* w) { v[threadIdx.x] = w[threadIdx.x] + w[threadIdx.x + 64 * 1023]; }
int main() {
  int *v, *w, *next;
  cudaMalloc(&v, 256 * 1024);
  cudaMalloc(&w, 256 * 1024);
  cudaMalloc(&next, 256);
  cudaMemset(next, 0, 256);
  neighbours<<<1024, 64>>>(v);
  chase<<<1024, 64>>>(w, next);
  sum<<<1, 64>>>(v, w);
  return cudaDeviceSynchronize();
}`;

/** The program is compiled once for each way. */
const cacheFolder = mkdtempSync(join(tmpdir(), 'lanewise-brief-'));
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }));

it('races are found in any run, as far as the budget goes, and nothing else changes', { timeout: 180_000 }, async () => {
  const without = await textReport(PROGRAM, { sanitize: 'off', cacheFolder });
  expect(without.findings).toBeUndefined();
  const brief = await textReport(PROGRAM, { sanitize: undefined, cacheFolder });
  expect(brief.findings?.map(({ check, kernel, places }) => [check, kernel, ...places.map(({ line }) => line)])).toEqual([
    ['race', 'neighbours(int *)', 3, 4],
  ]);
  expect(brief.notes).toEqual([
    'races and uninitialised reads were looked for in 2 of 3 executed launches as a whole, 1 in part; --sanitize (in the editor lanewise.run.sanitize) looks at everything',
  ]);
  const counted = ({ kernels, lines, stdout, faults }: typeof brief) => ({ kernels, lines, stdout, faults });
  expect(counted(brief)).toEqual(counted(without));
  const interpreted = await textReport(PROGRAM, { sanitize: undefined, cacheFolder, engine: 'interpreter' });
  expect({ ...counted(interpreted), findings: interpreted.findings, notes: interpreted.notes }).toEqual({
    ...counted(brief),
    findings: brief.findings,
    notes: brief.notes,
  });
  const all = await textReport(PROGRAM, { sanitize: {}, cacheFolder });
  expect(all.findings?.map(({ kernel }) => kernel)).toEqual(['neighbours(int *)', 'chase(int *, const int *)', 'sum(int *, const int *)']);
  expect(all.notes).toBeUndefined();
});

it('a variable of a function that the kernel calls has its name, and not that of another kernel at the same place', async () => {
  const program = `__device__ int sum(int v) {
  __shared__ int part[2];
  part[threadIdx.x / 32] = v;
  __syncthreads();
  return part[1 - threadIdx.x / 32];
}
__global__ void other(int* v) {
  __shared__ int tile[64];
  tile[threadIdx.x] = v[threadIdx.x];
  __syncthreads();
  v[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void twice(int* v) { int a = sum(v[threadIdx.x]); v[threadIdx.x] = sum(a); }
int main() {
  int* v;
  cudaMalloc(&v, 256);
  cudaMemset(v, 0, 256);
  other<<<1, 64>>>(v);
  twice<<<1, 64>>>(v);
  return cudaDeviceSynchronize();
}`;
  const { findings } = await textReport(program, { sanitize: undefined, cacheFolder });
  expect(findings?.map(({ kernel, message }) => `${kernel}: ${message.replace(/:.*/, '')}`)).toEqual([
    'twice(int *): read and write of part[1] in shared memory by two threads, in no order',
  ]);
});

const REPEATS = `__global__ void fill(int* v) { v[threadIdx.x] = threadIdx.x; v[31 - threadIdx.x] = 7; }
int main() {
  int* v;
  cudaMalloc(&v, 128);
  for (int k = 0; k < 5; ++k) fill<<<1, 32>>>(v);
  return cudaDeviceSynchronize();
}`;

it('launches that repeat an earlier one are counted without being looked at again', async () => {
  const { findings, kernels, notes } = await textReport(REPEATS, { sanitize: undefined, cacheFolder });
  // One word gets 7 from both.
  expect(findings?.map(({ count }) => count)).toEqual([31]);
  expect(kernels.map(({ repeats = false }) => repeats)).toEqual([false, true, true, true, true]);
  expect(notes).toBeUndefined();
});
