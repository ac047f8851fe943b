/** Mechanical repairs of what a run has found: applied and run again, the finding is gone. */
import { expect, it } from 'vitest';
import { repairOf } from '../../analyzers/repairs.ts';
import { textReport } from '../runtime/simulation.ts';

const PROGRAM = `#include <cstdio>
__global__ void reversed(int* v) {
  __shared__ int s[64];
  s[threadIdx.x] = v[threadIdx.x];
  v[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void neighbours(int* v)
{
  __shared__ int s[32];
  s[threadIdx.x] = v[threadIdx.x]; // { not a block
  if (threadIdx.x < 31) {
    v[threadIdx.x] = s[threadIdx.x] + 1;
  }
  v[threadIdx.x] += s[31 - threadIdx.x];
}
__global__ void narrow(int* v) {
  v[threadIdx.x] = __shfl_down_sync(0x0000ffff, v[threadIdx.x], 1);
}
__global__ void count(int* v, float* f) {
  if (threadIdx.x % 2) v[0] += 2;
  f[threadIdx.x % 3] -= 1.5f;
  v[1]++;
}
int main() {
  int* v;
  cudaMalloc(&v, 1024);
  cudaMemset(v, 0, 1024);
  reversed<<<1, 64>>>(v);
  neighbours<<<1, 32>>>(v);
  narrow<<<1, 32>>>(v);
  count<<<2, 64>>>(v, (float*)(v + 64));
  return cudaDeviceSynchronize();
}`;

it('findings are gone where their repair has been applied', async () => {
  const { findings = [] } = await textReport(PROGRAM, { sanitize: {} });
  const lines = PROGRAM.split('\n');
  const fixes = findings.map((finding) => repairOf(finding, lines));
  expect(new Set(fixes.map((fix) => fix?.title))).toEqual(
    new Set([
      'Put __syncthreads() in front of line 5',
      'Put __syncwarp() in front of line 14',
      'Name all lanes of the warp: 0xffffffff',
      'Add atomically',
    ]),
  );
  const edits = new Map(fixes.flatMap((fix) => fix!.edits).map((edit) => [JSON.stringify(edit.range), edit]));
  // From the end on, so that places stay.
  for (const { range, newText } of [...edits.values()].sort((a, b) => b.range.start.line - a.range.start.line)) {
    const { line, column } = range.start;
    lines[line] = lines[line].slice(0, column) + newText + lines[line].slice(range.end.column);
  }
  const repaired = lines.join('\n');
  expect(repaired).toContain('atomicAdd(&f[threadIdx.x % 3], -(1.5f));');
  expect((await textReport(repaired, { sanitize: {} })).findings).toEqual([]);
});

const at = (line: number) => ({ access: 'write', file: 'a.cu', line });
it.each([
  [
    'a barrier in a condition',
    'block-barrier',
    ['__global__ void k(int* v) {', 'if (v[9]) {', 'v[1] = 1;', 'v[2] = v[1];', '}', '}'],
    3,
    4,
  ],
  ['a barrier between places of one line', 'block-barrier', ['__global__ void k(int* v) {', 'v[1] = 1;', 'v[2] = v[1];', '}'], 3, 3],
  [
    'a barrier between a condition and its statement',
    'block-barrier',
    ['__global__ void k(int* v) {', 'v[1] = 1;', 'if (v[3])', 'v[2] = v[1];', '}'],
    2,
    4,
  ],
  ['a barrier in a function that a kernel calls', 'warp-barrier', ['__device__ void f(int* v) {', 'v[1] = 1;', 'v[2] = v[1];', '}'], 2, 3],
  ['an addition of what the array holds', 'atomic-add', ['v[i] += v[i - 1];'], 1, 1],
  ['an addition in the head of a loop', 'atomic-add', ['for (; v[0] < 3; v[0] += 1)'], 1, 1],
  ['one of two masks', 'full-mask', ['a = __shfl_sync(m, a, 0) + __shfl_sync(n, a, 1);'], 1, 1],
] as const)('no repair: %s', (_, repair, lines, earlier, now) => {
  expect(repairOf({ repair, places: [at(now), at(earlier)] }, lines)).toBeUndefined();
});

it('what is inlined in several places is one finding for each variable', async () => {
  const { findings = [] } = await textReport(
    `__device__ __forceinline__ void put(int* p) { *p = threadIdx.x; }
__device__ int first, second;
__global__ void f(int* o) {
  __shared__ int one[4], two[4];
  put(&one[1]);
  put(&two[1]);
  put(&first);
  put(&second);
  __syncthreads();
  o[0] = one[1] + two[1];
}
int main() {
  int* o;
  cudaMalloc(&o, 4);
  f<<<1, 32>>>(o);
  return cudaDeviceSynchronize();
}`,
    { sanitize: {} },
  );
  const races = findings.filter(({ check }) => check === 'race').map(({ where }) => where?.replace(/\[.*/, ''));
  expect(races.sort()).toEqual(['first', 'one', 'second', 'two']);
});
