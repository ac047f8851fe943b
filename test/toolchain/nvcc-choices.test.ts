/** What nvcc's optimiser makes of loops and functions, by the requests that an H200 counted for the same shapes in HeCBench. */
import { expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

const PROGRAM = `
#include <cuda_runtime.h>
// interleave: what the loop stores is not loaded again, what it only reads may have changed.
__global__ void kept(unsigned* dest, const unsigned* src) {
  for (int i = 0; i < 100; i++) dest[threadIdx.x] += src[threadIdx.x];
}
// ecdh: a function that stores through its pointers and reads them back is inlined, where they are known not to meet.
__device__ void step(int x, int* p, int* q) {
  *p = x % 17;
  *q = (*p * x) % 17;
}
__device__ void steps(int n, int* p, int* q) {
  *p = n;
  *q = 1;
  for (int i = 0; i < n; i++) step(*p + *q, p, q);
}
__global__ void inlined(int n, int* __restrict__ p, int* __restrict__ q) { steps(n, p + threadIdx.x, q + threadIdx.x); }
// overlap: the first round stays in the loop, which is unrolled by four.
__global__ void first(int* out, const int* in, int rounds) {
  for (int i = 0; i < rounds; i++) out[threadIdx.x] = (i == 0 ? in[threadIdx.x] : out[threadIdx.x]) + 1;
}
// atomicAggregate: nobody reads what the shuffle gives, nor then what the atomic returns.
__device__ int counted(int* p) {
  int before = 0;
  if (threadIdx.x % 32 == 0) before = atomicAdd(p, 32);
  return __shfl_sync(0xffffffff, before, 0) + threadIdx.x;
}
__global__ void unread(int* p) { counted(p); }
__global__ void read(int* p) { p[threadIdx.x] = counted(p); }
int main() {
  unsigned* memory;
  cudaMalloc(&memory, 4096);
  kept<<<1, 32>>>(memory, memory + 32);
  inlined<<<1, 32>>>(50, (int*)memory + 64, (int*)memory + 128);
  first<<<1, 32>>>((int*)memory + 192, (int*)memory + 256, 8);
  unread<<<1, 32>>>((int*)memory);
  read<<<1, 32>>>((int*)memory);
  return cudaDeviceSynchronize();
}`;

it('loads are kept over a loop, results of inlined functions in registers, and what nobody reads is left out', {
  timeout: 120_000,
}, async () => {
  const { kernels } = await textReport(PROGRAM);
  const requests = kernels
    .slice(0, 3)
    .map(({ metrics }) => ['ld', 'st'].map((op) => metrics[`l1tex__t_requests_pipe_lsu_mem_global_op_${op}.sum`]));
  expect(requests).toEqual([
    [100 + 1, 100],
    [0, 4],
    [2, 2],
  ]);
  const atomics = kernels
    .slice(3)
    .map(({ metrics }) => ['red', 'atom'].map((op) => metrics[`l1tex__t_requests_pipe_lsu_mem_global_op_${op}.sum`]));
  expect(atomics).toEqual([
    [1, 0],
    [0, 1],
  ]);
});
