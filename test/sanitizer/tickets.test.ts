/** What is said of blocks that count themselves, where the last one reads what the others have left. */
import { expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

const sum = (fence: string, last: string) => `__device__ unsigned ticket;
__global__ void sum(const float* x, float* partial, float* result) {
  __shared__ bool isLast;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = x[blockIdx.x];
    ${fence}
    isLast = ${last} == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && threadIdx.x == 0) {
    ${fence}
    float all = 0;
    for (int b = 0; b < gridDim.x; ++b) all += partial[b];
    *result = all;
  }
}
int main() {
  float *x, *partial, *result;
  cudaMalloc(&x, 64);
  cudaMalloc(&partial, 64);
  cudaMalloc(&result, 4);
  cudaMemset(x, 0, 64);
  sum<<<16, 64>>>(x, partial, result);
  return cudaDeviceSynchronize();
}`;

it.each(['atomicInc(&ticket, gridDim.x)', 'atomicAdd(&ticket, 1)'])(
  'a count by %s is advised a fence, and with fences nothing is reported',
  async (last) => {
    const { findings = [] } = await textReport(sum('', last), { sanitize: {} });
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/the count by which a block learns that others are done orders nothing by itself: put __threadfence\(\)/),
    ]);
    expect((await textReport(sum('__threadfence();', last), { sanitize: {} })).findings).toEqual([]);
  },
);
