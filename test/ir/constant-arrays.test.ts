/** What arrays of constants in kernels cost: the expected counts are those of the instructions in nvcc's machine code (13.0, sm_90). */
import { expect, it } from 'vitest';
import { ENGINE_NAMES } from '../../simulator/options/defaults.ts';
import { textReport } from '../runtime/simulation.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => (i * 37 + 3) % 100).join(', ');

/** Function by function: its body, which has `k`, and the local stores and loads of one warp that computes it. */
const CASES: readonly [body: string, stores: number, loads: number][] = [
  [`const int v[4] = {${numbers(4)}}; return v[k & 3];`, 0, 0],
  [`int v[4] = {${numbers(4)}}; return v[k & 3];`, 0, 0],
  ['const int v[4][2] = {{3, 40}, {77, 14}, {51, 88}, {25, 62}}; return v[k & 3][0] - v[k & 3][1];', 0, 0],
  [`const float v[9] = {${numbers(9)}}; return v[k % 9];`, 0, 0],
  [`const int v[13] = {${numbers(13)}}; return v[k % 13] - v[k / 16 % 13];`, 0, 0],
  [`const int v[16] = {${numbers(16)}}; return v[k & 15];`, 0, 0],
  [`const int v[16] = {${numbers(16)}}; return v[k & 15] - v[k >> 4 & 15];`, 4, 2],
  [`const short v[5] = {${numbers(5)}}; return v[k % 5];`, 0, 0],
  [`const short v[10] = {${numbers(10)}}; return v[k % 10];`, 3, 1],
  [`const char v[20] = {${numbers(20)}}; return v[k % 20];`, 3, 1],
  [`const char v[5] = {${numbers(5)}}; return v[k % 5];`, 5, 1],
  [`const double v[8] = {${numbers(8)}}; return v[k & 7];`, 4, 1],
  [`const int v[64] = {${numbers(64)}}; return v[k & 63];`, 16, 1],
  [`const int v[512] = {${numbers(512)}}; return v[k & 511];`, 128, 1],
  [`int v[64] = {${numbers(64)}}; v[k & 63] = k; return v[k >> 2 & 63];`, 17, 1],
  [`const int v[24] = {${numbers(24)}}; int s = 0; for (int j = 0; j < 24; j++) s += v[j]; return s * (k & 7);`, 0, 0],
  ['float s = 0;\n#pragma unroll 1\n  for (unsigned j = 0; j < n; j++) s += f12(j + k);\n  return s;', 48, 3],
];

const PROGRAM = `#include <cstdio>
${CASES.map(
  ([body], f) => `__host__ __device__ float f${f}(unsigned k, unsigned n = 3) { ${body} }
__global__ void k${f}(const unsigned* in, float* out, unsigned n) { out[threadIdx.x] = f${f}(in[threadIdx.x], n); }`,
).join('\n')}
int main() {
  unsigned in[32], *i;
  float out[32], *o;
  for (int t = 0; t < 32; t++) in[t] = t * 29 % 71;
  cudaMalloc(&i, sizeof in);
  cudaMalloc(&o, sizeof out);
  cudaMemcpy(i, in, sizeof in, cudaMemcpyHostToDevice);
  int wrong = 0;
${CASES.map(
  (_, f) => `  k${f}<<<1, 32>>>(i, o, 3);
  cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; t++) wrong += out[t] != f${f}(in[t]);`,
).join('\n')}
  printf("%d wrong\\n", wrong);
}
`;

it.each(ENGINE_NAMES)('arrays of constants, %s', { timeout: 240_000 }, async (engine) => {
  const { stdout, kernels } = await textReport(PROGRAM, { engine });
  expect(stdout).toBe('0 wrong\n');
  const requests = (space: string, op: string) =>
    kernels.map(({ metrics }) => metrics[`l1tex__t_requests_pipe_lsu_mem_${space}_op_${op}.sum`]);
  expect(requests('local', 'st')).toEqual(CASES.map(([, stores]) => stores));
  expect(requests('local', 'ld')).toEqual(CASES.map(([, , loads]) => loads));
  // That of `k`.
  expect(requests('global', 'ld')).toEqual(CASES.map(() => 1));
});
