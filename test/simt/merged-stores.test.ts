/** Stores of several branches, by the requests that nvcc's PTX (13.0) makes for them where lanes of one warp take all of them. */
import { expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

const COMPUTED = [
  'float p = a[i + 3] * 2, q = a[i + 5] * 3;',
  'float p = a[i + 19] * 2 - 1, q = a[i + 18] * 3 - 2;',
  'float p = a[i + 9] / 4, q = a[i + 8] + 1;',
];
const chain = (first: string, second: string, third: string) =>
  `if (a[i] < 1) { ${first} } else if (a[i] < 2) { ${second} } else { ${third} }`;
const either = (first: string, second: string) => `if (a[i] < 1) { ${first} } else { ${second} }`;
const RESULTS = [
  ['p', 'q'],
  ['p - 1', 'q - 2'],
  ['p / 5', 'q + 3'],
];
const storing = (p: string, q: string) =>
  COMPUTED.map((code, index) => `${code} ${p} = ${RESULTS[index][0]}; ${q} = ${RESULTS[index][1]};`);
const [first, second, third] = storing('o[i]', 'w[i]');
const [firstNext, secondNext, thirdNext] = storing('o[i]', 'o[i + 1]');
const [firstPair, secondPair] = storing('o[2 * i]', 'o[2 * i + 1]');
const ready = (p: string, q: string) => COMPUTED.map((code) => `${code} ${p} = p; ${q} = q;`);

/** Kernel, its code, and the requests of its stores. */
const CASES: readonly (readonly [name: string, code: string, stores: number])[] = [
  // What the first store has is computed behind the second one's on one side: it stays on both.
  ['lastOfTwo', either(first, second), 3],
  ['lastOfThree', chain(first, second, third), 4],
  ['neighbours', chain(firstNext, secondNext, thirdNext), 4],
  ['pair', either(firstPair, secondPair), 3],
  // All is ready where the stores begin.
  ['both', either(...(ready('o[i]', 'w[i]').slice(0, 2) as [string, string])), 2],
  ['bothNeighbours', either(...(ready('o[2 * i]', 'o[2 * i + 1]').slice(0, 2) as [string, string])), 2],
  ['allOfThree', chain(...(ready('o[i]', 'w[i]') as [string, string, string])), 2],
  ['guarded', `if (i >= n) return; ${either(first, second)}`, 4],
  [
    'fields',
    either(
      's[i].x = a[i + 3]; s[i].y = a[i + 4] * 3; s[i].z = a[i + 8];',
      's[i].x = a[i + 13] * 2; s[i].y = a[i + 14]; s[i].z = a[i + 18];',
    ),
    4,
  ],
  [
    'structure',
    either('Three t = {a[i + 3], a[i + 4] * 3, a[i + 8]}; s[i] = t;', 'Three t = {a[i + 13] * 2, a[i + 14], a[i + 18]}; s[i] = t;'),
    3,
  ],
  // Nothing in front has an access by the index that the stores share.
  ['behindLoop', `float t = 0; for (int k = 0; k < n; k++) t += a[k * n + i] * 0; if (t < i - 4) { ${first} } else { ${second} }`, 4],
  // Lanes differ only in the round in which they leave a loop, which NVVM does not see.
  [
    'counted',
    `int x = 0; while (a[x] + 3 * x < i) x++; ${either('o[i] = a[x + 9] * 2;', 'o[i] = a[x + 8] / 3;').replace('a[i]', 'a[x]')}`,
    2,
  ],
  [
    'sought',
    `int x = i; while (a[x] < 1) x++; ${either('o[i] = a[x + 9] * 2;', 'o[i] = a[x + 8] / 3;').replace('a[i] < 1', 'a[x] < 2')}`,
    1,
  ],
];

const PROGRAM = `
#include <cuda_runtime.h>
struct Three { float x, y, z; };
${CASES.map(
  ([
    name,
    code,
  ]) => `__global__ void ${name}(const float* __restrict__ a, float* __restrict__ o, float* __restrict__ w, Three* __restrict__ s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  ${code}
}`,
).join('\n')}
int main() {
  float* a;
  float* o;
  cudaMallocManaged(&a, 4096);
  cudaMalloc(&o, 4096);
  for (int i = 0; i < 1024; i++) a[i] = i % 3;
  ${CASES.map(([name]) => `${name}<<<1, 32>>>(a, o, o + 256, (Three*)(o + 512), 32);`).join('\n  ')}
  return cudaDeviceSynchronize();
}`;

it.each(['compiler', 'interpreter'] as const)(
  'stores of branches are one as far as nvcc makes them one, %s',
  { timeout: 120_000 },
  async (engine) => {
    const { kernels, faults } = await textReport(PROGRAM, { engine });
    expect(faults).toEqual([]);
    const requests = kernels.map(({ kernel, metrics }) => [
      kernel.replace(/\(.*/, ''),
      metrics['l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'],
    ]);
    expect(Object.fromEntries(requests)).toEqual(Object.fromEntries(CASES.map(([name, , count]) => [name, count])));
  },
);
