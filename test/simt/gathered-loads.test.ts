/** Copies of vectors whose parts are used behind branches, by the loads that nvcc's PTX (13.0) has for them. */
import { expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

/** Kernel, what it does with `a[t]` (of four numbers, aligned to 16 bytes), and how often the warp loads: each lane takes all branches. */
const CASES: readonly (readonly [name: string, type: string, code: string, requests: number])[] = [
  ['members', 'float4', 'auto v = a[t]; if (t < n) o[t] = v.x; if (t + 1 < n) o[t + 1] = v.y; if (t + 2 < n) o[t + 2] = v.z + v.w;', 1],
  [
    'twice',
    'float4',
    'auto v = a[t]; if (t < n) { o[t] = v.x; o[t + 99] = v.x * v.x; } if (t + 1 < n) { o[t + 1] = v.y; o[t + 199] = v.z * v.w; }',
    1,
  ],
  [
    'indexed',
    'float4',
    'auto v = a[t];\n#pragma unroll\nfor (int k = 0; k < 4; k++) { if (t * 4 + k >= n) continue; float x = ((float*)&v)[k]; o[t * 4 + k] = x * x + x; }',
    1,
  ],
  [
    'inLoop',
    'float4',
    'for (int i = t; i < 64; i += 32) { auto v = a[i];\n#pragma unroll\nfor (int k = 0; k < 4; k++) if (i * 4 + k < n) o[i * 4 + k] = ((float*)&v)[k]; }',
    2,
  ],
  [
    'sides',
    'int4',
    'auto v = a[t]; if (v.x > t) { o[t] = v.y; o[t + 77] = v.y * v.y; } else { o[t + 99] = v.z; o[t + 155] = v.z * v.z; } if (t < n) o[t + 3] = v.w * v.w;',
    1,
  ],
  ['left', 'float4', 'auto v = a[t]; if (v.w < 0) return; o[t] = v.x; o[t + 100] = v.y; o[t + 200] = v.z;', 1],
  [
    'structure',
    'Mixed',
    'auto v = a[t]; if (t < n) o[t] = v.x; if (t + 1 < n) o[t + 1] = v.y; if (t + 2 < n) o[t + 2] = v.z; if (t + 3 < n) o[t + 3] = v.w;',
    1,
  ],
  [
    'unchanging',
    'float4 __restrict__',
    'auto v = a[t]; if (t < n) o[t] = v.x; if (t + 1 < n) o[t + 1] = v.y; if (t + 2 < n) o[t + 2] = v.z + v.w;',
    1,
  ],
  [
    'pair',
    'double2',
    'auto v = a[t]; if (t < n) { o[t] = v.x; o[t + 77] = v.x * v.x; } if (t * 3 < n) { o[t + 99] = v.y; o[t + 155] = v.y * v.y; }',
    1,
  ],
  // Each field is a load of its own where the program takes it, or where fields are copied one by one.
  ['apart', 'float4', 'if (t < n) o[t] = a[t].x; if (t + 1 < n) o[t + 1] = a[t].y;', 2],
  ['fields', 'Fields', 'auto v = a[t]; if (t < n) o[t] = v.x; if (t + 1 < n) o[t + 1] = v.y;', 2],
];

const PROGRAM = `
#include <cuda_runtime.h>
struct __align__(16) Mixed { float x; int y; float z; int w; };
struct Fields { float x, y, z, w; };
${CASES.map(
  ([name, type, code]) => `__global__ void ${name}(float* o, const ${type.replace(' ', '* ')}${type.includes(' ') ? '' : '*'} a, int n) {
  int t = threadIdx.x;
  ${code}
}`,
).join('\n')}
int main() {
  char* memory;
  cudaMallocManaged(&memory, 1 << 16);
  for (int i = 0; i < 256; i++) ((float*)memory)[i] = i;
  float* o = (float*)(memory + 4096);
  ${CASES.map(([name, type]) => `${name}<<<1, 32>>>(o, (const ${type.split(' ')[0]}*)memory, 1000);`).join('\n  ')}
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  // What the first kernel stores for the last lane: a[31].z + a[31].w.
  members<<<1, 32>>>(o, (const float4*)memory, 1000);
  cudaDeviceSynchronize();
  return o[33] == 126 + 127 && o[0] == 0 ? 0 : 2;
}`;

it.each(['compiler', 'interpreter'] as const)('parts of one copy are one load, %s', { timeout: 120_000 }, async (engine) => {
  const { kernels, faults, exit } = await textReport(PROGRAM, { engine });
  expect(faults).toEqual([]);
  expect(exit).toBe(0);
  const loads = kernels
    .slice(0, CASES.length)
    .map(({ kernel, metrics }) => [kernel.replace(/\(.*/, ''), metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum']]);
  expect(loads).toEqual(CASES.map(([name, , , requests]) => [name, requests]));
});
