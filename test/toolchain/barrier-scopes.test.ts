/** Barriers in shared memory are instructions of their own on hardware (SYNCS): no access to shared memory is counted for them. */
import { expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

const PROGRAM = `
#include <cuda_runtime.h>
#include <cuda_awbarrier_primitives.h>
#include <cuda/barrier>
#include <cuda/atomic>
__global__ void ours(int* out, const int* in) {
  __shared__ int s[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  __syncthreads();
  for (int r = 0; r < 4; r++) {
    s[threadIdx.x] = in[threadIdx.x] + r;
    ready.arrive_and_wait();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
    auto token = ready.arrive();
    ready.wait(std::move(token));
  }
}
__global__ void primitives(int* out, const int* in) {
  __shared__ int s[64];
  __shared__ __mbarrier_t ready;
  if (threadIdx.x == 0) __mbarrier_init(&ready, blockDim.x);
  __syncthreads();
  s[threadIdx.x] = in[threadIdx.x];
  __mbarrier_token_t token = __mbarrier_arrive(&ready);
  while (!__mbarrier_test_wait(&ready, token)) {}
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void assembly(int* out, const int* in) {
  __shared__ int s[64];
  __shared__ unsigned long long ready;
  unsigned at = (unsigned)__cvta_generic_to_shared(&ready);
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
  __syncthreads();
  s[threadIdx.x] = in[threadIdx.x];
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(at) : "memory");
  unsigned done = 0;
  while (!done) asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at) : "memory");
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
// An atomic of the program's own counts.
__global__ void counted(int* out, const int* in) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> sum;
  if (threadIdx.x == 0) sum.store(0);
  __syncthreads();
  sum.fetch_add(in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x] = sum.load();
}
int main() {
  int* memory;
  cudaMallocManaged(&memory, 4096);
  for (int i = 0; i < 64; i++) memory[i] = i;
  ours<<<1, 64>>>(memory + 64, memory);
  primitives<<<1, 64>>>(memory + 128, memory);
  assembly<<<1, 64>>>(memory + 192, memory);
  counted<<<1, 64>>>(memory + 256, memory);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  return memory[64 + 5] != 7 || memory[128 + 5] != 4 || memory[192 + 5] != 4 || memory[256] != 2016;
}`;

it.each(['compiler', 'interpreter'] as const)('a barrier in shared memory is no access there, %s', { timeout: 120_000 }, async (engine) => {
  const { kernels, faults, exit } = await textReport(PROGRAM, { engine });
  expect(faults).toEqual([]);
  expect(exit).toBe(0);
  const wavefronts = kernels.map(({ kernel, metrics }) => [
    kernel.replace(/\(.*/, ''),
    ...['ld', 'st'].map((op) => metrics[`l1tex__data_pipe_lsu_wavefronts_mem_shared_op_${op}.sum`]),
    metrics['l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum'] > 0,
  ]);
  expect(wavefronts).toEqual([
    ['ours', 8, 8, false],
    ['primitives', 2, 2, false],
    ['assembly', 2, 2, false],
    ['counted', expect.any(Number), expect.any(Number), true],
  ]);
});
