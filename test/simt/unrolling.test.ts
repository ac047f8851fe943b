/**
 * Which loops are unrolled, how often and with which remainder shows in requests: a warp executes the most rounds that a lane needs of the
 * remainder and, then, of the loop. Shapes are those of nvcc 13.0's PTX (-O3 -arch=sm_90).
 */
import { expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

const STORE = 'float s[4] = {f, f + 1, f + 2, f + 3}; *reinterpret_cast<float4*>';
const PROGRAM = `#include <cstdio>
// Lanes 0 to 15 need four rounds, the others three.
__global__ void constantStep(float* a, long n) { for (long i = threadIdx.x; i < n; i += 32) a[i] = i; }
__global__ void anyStep(float* a, int n, int m) { for (int i = threadIdx.x; i < n; i += m) a[i] = i; }
__global__ void gridStep(float* a, long n) { for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) a[i] = i; }
// The counter may wrap round: the number of rounds is not known before.
__global__ void wrappingStep(float* a, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] = i; }
__global__ void registers(float* a, long n) { for (long i = threadIdx.x; i < n; i += blockDim.x) a[i] = i; }
// Without a sign, an end that is a number shows that it does not wrap round, if it is far enough from zero or the largest number: with 20
// rounds or more, and downwards. Lanes 0 to 15 need 20, 16 and 4 rounds, the others one less.
__global__ void manyRounds(float* a) { for (unsigned i = threadIdx.x; i < 624; i += 32) a[i] = i; }
__global__ void fewRounds(float* a) { for (unsigned i = threadIdx.x; i < 496; i += 32) a[i] = i; }
__global__ void downwards(float* a, unsigned n) { for (unsigned i = n - threadIdx.x; i > 31; i -= 32) a[i] = i; }
// As rmsnorm of HeCBench, which does 240 requests for 96 vectors on an H200 (h200-hecbench-third.json, blocks of 32).
__global__ void rows(float* out, long n, float f) {
  float* row = out + (int)blockIdx.x * n;
  for (long i = (int)threadIdx.x / 32 * 128 + (int)threadIdx.x % 32 * 4; i < n; i += (int)blockDim.x * 4) { ${STORE}(row + i) = *reinterpret_cast<float4*>(s); }
}
__global__ void oneStep(float* out, long n, float f) {
  for (long i = (int)threadIdx.x / 32 * 128 + (int)threadIdx.x % 32 * 4; i < n; i += (int)blockDim.x * 4) { ${STORE}(out + i) = *reinterpret_cast<float4*>(s); }
}
__global__ void wholeVectors(float4* out, long n, float f) {
  float4* row = out + (int)blockIdx.x * n;
  for (long i = (int)threadIdx.x / 32 * 32 + (int)threadIdx.x % 32; i < n; i += (int)blockDim.x) { row[i].x = f; row[i].y = f + 1; row[i].z = f + 2; row[i].w = f + 3; }
}
__global__ void shortIndex(float* out, int n, int m, float f) {
  float* row = out + (int)blockIdx.x * (long)n;
  for (int i = m + (int)threadIdx.x * 4; i < n; i += (int)blockDim.x * 4) { ${STORE}(row + i) = *reinterpret_cast<float4*>(s); }
}
int main() {
  float* a; cudaMalloc(&a, 12288 * 4);
  constantStep<<<1, 32>>>(a, 112); anyStep<<<1, 32>>>(a, 112, 32); gridStep<<<1, 32>>>(a, 112); wrappingStep<<<1, 32>>>(a, 112); registers<<<1, 32>>>(a, 112);
  manyRounds<<<1, 32>>>(a); fewRounds<<<1, 32>>>(a); downwards<<<1, 32>>>(a, 143);
  rows<<<1, 32>>>(a, 12288, 1); oneStep<<<1, 32>>>(a, 12288, 1); wholeVectors<<<1, 32>>>((float4*)a, 3072, 1); shortIndex<<<1, 32>>>(a, 12288, 0, 1);
}
`;

it('loops are unrolled as nvcc unrolls them', async () => {
  const { kernels } = await textReport(PROGRAM);
  const requests = kernels.map(({ kernel, metrics }) => [
    kernel.replace(/\(.*/, ''),
    metrics['l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'],
  ]);
  expect(Object.fromEntries(requests)).toEqual({
    constantStep: 7,
    anyStep: 7,
    gridStep: 7,
    wrappingStep: 4,
    registers: 4,
    manyRounds: 23,
    fewRounds: 16,
    downwards: 7,
    rows: 240,
    oneStep: 96,
    wholeVectors: 96,
    shortIndex: 96,
  });
});
