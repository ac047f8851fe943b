/** Arrays in shared memory that a launch sizes, which nvcc (13.0) declares as aligned to 16 bytes, whatever their elements: as its PTX moves them. */
import { expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

const PROGRAM = `
#include <cuda_runtime.h>
extern __shared__ char bytes[];
extern __shared__ short shorts[];
extern __shared__ float numbers[];
extern __shared__ double doubles[];
__shared__ char fixed[128];
__global__ void ofBytes(int* o) {
  ((int*)bytes)[threadIdx.x] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = bytes[4 * threadIdx.x] + bytes[4 * threadIdx.x + 1] + bytes[4 * threadIdx.x + 2] + bytes[4 * threadIdx.x + 3];
}
__global__ void ofShorts(int* o) {
  ((int*)shorts)[threadIdx.x] = ((int*)shorts)[threadIdx.x + 32] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = shorts[4 * threadIdx.x] + shorts[4 * threadIdx.x + 1] + shorts[4 * threadIdx.x + 2] + shorts[4 * threadIdx.x + 3];
}
__global__ void ofDoubles(double* o) {
  doubles[threadIdx.x] = doubles[threadIdx.x + 32] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = doubles[2 * threadIdx.x] + doubles[2 * threadIdx.x + 1];
}
// NVVM knows that both are one place of eight bytes, and needs no quiet around them as ptxas does.
__global__ void pairs(float* o) {
  numbers[threadIdx.x] = numbers[threadIdx.x + 32] = o[threadIdx.x];
  __syncthreads();
  numbers[2 * threadIdx.x] += 3;
  numbers[2 * threadIdx.x + 1] += 5;
  __syncthreads();
  o[threadIdx.x] = numbers[threadIdx.x];
}
// Of known size, it is aligned as its elements are.
__global__ void ofKnownSize(int* o) {
  for (int i = threadIdx.x; i < 128; i += 32) fixed[i] = o[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = fixed[4 * threadIdx.x] + fixed[4 * threadIdx.x + 1] + fixed[4 * threadIdx.x + 2] + fixed[4 * threadIdx.x + 3];
}
int main() {
  int* memory;
  cudaMallocManaged(&memory, 4096);
  for (int i = 0; i < 32; i++) memory[i] = i % 7 + 256 * (i % 5);
  ofBytes<<<1, 32, 512>>>(memory);
  cudaDeviceSynchronize();
  bool isRight = true;
  for (int i = 0; i < 32; i++) isRight &= memory[i] == i % 7 + i % 5;
  ofShorts<<<1, 32, 512>>>(memory);
  ofDoubles<<<1, 32, 512>>>((double*)memory + 64);
  pairs<<<1, 32, 512>>>((float*)memory + 256);
  ofKnownSize<<<1, 32>>>(memory);
  return cudaDeviceSynchronize() || !isRight;
}`;

it.each(['compiler', 'interpreter'] as const)(
  'arrays that a launch sizes are aligned to 16 bytes, %s',
  { timeout: 120_000 },
  async (engine) => {
    const { kernels, faults, exit } = await textReport(PROGRAM, { engine });
    expect(faults).toEqual([]);
    expect(exit).toBe(0);
    const executed = kernels.map(({ kernel, metrics }) => [
      kernel.replace(/\(.*/, ''),
      ...['ld', 'st'].map((op) => metrics[`smsp__sass_inst_executed_op_shared_${op}.sum`]),
    ]);
    expect(executed).toEqual([
      ['ofBytes', 1, 1],
      ['ofShorts', 1, 2],
      ['ofDoubles', 1, 2],
      ['pairs', 2, 3],
      ['ofKnownSize', 4, 4],
    ]);
  },
);
