/** Loads of shared memory that ptxas moves in front of a branch, by the wavefronts that nvcc's machine code (13.0, sm_90) has for them. */
import { expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

/** Kernel, what it does with `s[t]`, loads that a warp executes and their wavefronts. */
const CASES: readonly (readonly [name: string, code: string, wavefronts: number])[] = [
  ['guarded', 'float r = s[t ^ 1].x; if (r > limit) { r += s[t ^ 1].y; MORE }', 4],
  ['threeGuarded', 'float r = s[t ^ 1].x; if (r > limit) { r += s[t ^ 1].y * s[t ^ 1].z + s[t ^ 1].w; MORE }', 4],
  ['gap', 'float r = s[t ^ 1].x + s[t ^ 1].y; if (r > limit) { r += s[t ^ 1].w; MORE }', 4],
  ['behind', 'float r = s[t ^ 1].x; if (r > limit) { MORE } r += s[t ^ 1].y;', 4],
  ['fast', 'float r = s[t ^ 1].x; if (r > limit) { r = expf(r); r += s[t ^ 1].y; MORE }', 4],
  ['atomic', 'float r = s[t ^ 1].x; if (r > limit) { r += atomicAdd(out, r); r += s[t ^ 1].y; MORE }', 4],
  // Two accesses of four bytes each, every fourth word: four wavefronts each.
  ['apart', 'float r = s[t ^ 1].x; if (r > limit) { r += s[t ^ 1].z; MORE }', 8],
  ['divided', 'float r = s[t ^ 1].x; if (r > limit) { r = 2 / r; r += s[t ^ 1].y; MORE }', 8],
  ['stored', 'float r = s[t ^ 1].x; if (r > limit) { other[t] = r; r += s[t ^ 1].y; MORE r += other[t ^ 1]; }', 9],
  ['looped', 'float r = s[t ^ 1].x; for (int i = 0; i < rounds; i++) out[64 + 32 * i + t] = i * r; r += s[t ^ 1].y;', 8],
  ['waited', 'float r = s[t ^ 1].x; __syncthreads(); r += s[t ^ 1].y;', 8],
];

const PROGRAM = `
#include <cuda_runtime.h>
#define MORE out[t + 32] = r; out[t + 64] = r + 1; out[t + 96] = 1; out[t + 128] = 3; out[t + 160] = r * r; out[t + 192] = 4;
struct Best { float value; int at; };
__device__ bool better(const Best& a, const Best& b) { return a.value < b.value || (a.value == b.value && a.at < b.at); }
__global__ void least(Best* out, const Best* in) {
  __shared__ Best s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = in[t + 32];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d && better(s[t + d], s[t])) s[t] = s[t + d];
    __syncthreads();
  }
  if (t == 0) out[0] = s[0];
}
${CASES.map(
  ([name, code]) => `__global__ void ${name}(float* out, const float4* in, float limit, int rounds) {
  __shared__ float4 s[32];
  __shared__ float other[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  ${code}
  out[t] = r;
}`,
).join('\n')}
int main() {
  float* in;
  float* out;
  cudaMallocManaged(&in, 4096);
  cudaMalloc(&out, 65536);
  for (int i = 0; i < 1024; i++) in[i] = 1 + i % 7;
  ${CASES.map(([name]) => `${name}<<<1, 32>>>(out, (float4*)in, 0, 3);`).join('\n  ')}
  least<<<1, 32>>>((Best*)out, (Best*)in);
  return cudaDeviceSynchronize();
}`;

it.each(['compiler', 'interpreter'] as const)(
  'loads of shared memory are wide across branches, %s',
  { timeout: 120_000 },
  async (engine) => {
    const { kernels, faults } = await textReport(PROGRAM, { engine });
    expect(faults).toEqual([]);
    const loaded = (op: string) =>
      Object.fromEntries(
        kernels.map(({ kernel, metrics }) => [kernel.replace(/\(.*/, ''), metrics[`l1tex__data_${op}_mem_shared_op_ld.sum`]]),
      );
    const { least, ...wavefronts } = loaded('pipe_lsu_wavefronts');
    expect(wavefronts).toEqual(Object.fromEntries(CASES.map(([name, , count]) => [name, count])));
    // Pairs of eight bytes have no conflicts; one by one, half of the banks would serve them.
    expect(loaded('bank_conflicts_pipe_lsu').least).toBe(0);
    expect(least).toBeGreaterThan(0);
  },
);
