/** Rows as nvcc's line table has them: what counts at a line of CUDA's headers, and what at the calling line as well. */
import { describe, expect, it } from 'vitest';
import { headerLine, signature } from '../../simulator/counters/nvcc-rows.ts';
import { textReport } from '../runtime/simulation.ts';

describe('functions of CUDA headers', () => {
  it.each([
    ['_Z9atomicAddPii', 'atomicAdd(int*,int)'],
    ['_ZL9atomicAddPjj', 'atomicAdd(unsignedint*,unsignedint)'],
    ['_ZL5__ldgIfET_PKS0_', '__ldg(float*)'],
    ['_ZN18cooperative_groups12thread_block4syncEv', 'cooperative_groups::thread_block::sync()'],
  ])('%s is %s', (linkageName, text) => expect(signature(linkageName)).toBe(text));

  it('are found at the innermost inlined call', () => {
    const user = { file: 'a.cu', line: 7, column: 1, scope: 'k', linkageName: '_Z1kPi' };
    const add = { file: 'h.h', line: 3, column: 1, scope: 'atomicAdd', linkageName: '_ZL9atomicAddPdd', inlinedAt: user };
    const inner = { file: 'h.h', line: 90, column: 1, scope: 'helper', linkageName: '_ZL6helperPd', inlinedAt: add };
    expect(headerLine(inner)).toBe('sm_60_atomic_functions.hpp:294');
    expect(headerLine(user)).toBeUndefined();
    expect(headerLine(undefined)).toBeUndefined();
  });
});

/** Each atomic and load on a line of its own; what nvcc 13.0 -O3 -arch=sm_90 -lineinfo makes of them was read from its machine code. */
const PROGRAM = `__global__ void k(const int* at, const int* w, int* bins, float* sums, int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = 0; __syncthreads();
  const int i = threadIdx.x, j = at[i];
  atomicAdd(bins + j, 5);
  atomicAdd(bins + j, w[i]);
  atomicAdd(out, w[i]);
  atomicAdd(sums + j, 2.5f);
  atomicAdd(&s[j], 1);
  atomicAdd(&s[j], 3);
  __syncthreads();
  out[1 + i] = s[i] + __ldg(w + j);
}
int main() {
  int* d; cudaMalloc(&d, 4096); cudaMemset(d, 0, 4096);
  k<<<1, 32>>>(d, d + 64, d + 128, (float*)(d + 192), d + 256);
  return cudaDeviceSynchronize();
}
`;

it('a program counts at both lines what nvcc has at both', { timeout: 240_000 }, async () => {
  const [caller, nvcc] = [await textReport(PROGRAM), await textReport(PROGRAM, { lineTable: 'nvcc' })];
  expect(nvcc.kernels).toEqual(caller.kernels);
  const [ours, theirs] = [Object.values(caller.lines)[0], Object.values(nvcc.lines)[0]];
  const at = (lines: typeof ours, line: number) => lines[`from-text.cu:${line}`];
  expect(Object.keys(ours).every((line) => line.startsWith('from-text.cu:'))).toBe(true);
  // A constant is loaded before the address is known, and the atomic comes after that.
  expect(at(theirs, 5)?.globalSectors ?? 0).toBe(0);
  expect(at(theirs, 8)?.globalSectors ?? 0).toBe(0);
  expect(at(theirs, 10)?.sharedWavefronts ?? 0).toBe(0);
  for (const line of [6, 7, 12]) expect(at(theirs, line).globalSectors, `line ${line}`).toBe(at(ours, line).globalSectors);
  expect(at(theirs, 9).sharedWavefronts).toBe(at(ours, 9).sharedWavefronts);
  const ints = theirs['device_atomic_functions.hpp:107'];
  // Three of integers in global memory: two of one word each per warp, and one that is aggregated.
  expect(ints.globalSectors).toBe(3);
  expect(ints.sharedWavefronts).toBe(at(ours, 9).sharedWavefronts + at(ours, 10).sharedWavefronts);
  expect(theirs['sm_20_atomic_functions.hpp:84'].globalSectors).toBe(1);
  expect(theirs['sm_32_intrinsics.hpp:112'].globalSectors).toBe(1);
});
