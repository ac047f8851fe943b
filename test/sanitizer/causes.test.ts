/** One missing barrier is one finding, which says where a barrier helps. */
import { expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

const PROGRAM = `struct Body { float x, y, z, m; };
__global__ void forces(const Body* bodies, float* out) {
  __shared__ Body tile[64];
  tile[threadIdx.x] = bodies[threadIdx.x];
  float sum = 0;
  for (int k = 0; k < 64; k++) {
    sum += tile[k].x;
    sum += tile[k].m;
  }
  out[threadIdx.x] = sum;
}
__global__ void tiles(const float* in, float* out, int n) {
  __shared__ float s[64], t[64];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    s[threadIdx.x] = in[i];
    t[threadIdx.x] = in[i + 1];
    __syncthreads();
    for (int k = 0; k < 64; k++) sum += s[k] * t[k];
  }
  out[threadIdx.x] = sum;
}
__global__ void scan(int* v) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = v[t];
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    if (t >= d) s[t] += s[t - d];
    __syncthreads();
  }
  v[t] = s[t];
}
__global__ void tree(int* v) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  s[t] = v[t];
  for (int d = 64; d > 0; d /= 2)
    if (t < d) s[t] += s[t + d];
  if (t == 0) v[0] = s[0];
}
int main() {
  float* v;
  cudaMalloc(&v, 4096);
  cudaMemset(v, 0, 4096);
  forces<<<1, 64>>>((Body*)v, v + 512);
  tiles<<<1, 64>>>(v, v + 512, 8);
  scan<<<1, 64>>>((int*)v);
  tree<<<1, 128>>>((int*)v);
  return cudaDeviceSynchronize();
}`;

it('races that one barrier mends are one finding, with what helps', async () => {
  const { findings = [] } = await textReport(PROGRAM, { sanitize: {} });
  const told = findings.map(({ kernel, message, places }) => ({
    kernel: kernel!.slice(0, kernel!.indexOf('(')),
    lines: places.map(({ access, line }) => `${access} ${line}`).sort(),
    missing: message.slice(message.indexOf('in no order: ') + 'in no order: '.length),
  }));
  const round = 'no barrier of the block is between one iteration of the loop and the next; put __syncthreads() at the end of its body';
  expect(told).toEqual([
    {
      kernel: 'forces',
      lines: ['read 7', 'read 8', 'write 4'],
      missing: 'no barrier of the block is between them; put __syncthreads() there',
    },
    { kernel: 'tiles', lines: ['read 19', 'write 16', 'write 17'], missing: round },
    {
      kernel: 'scan',
      lines: ['read 29', 'write 29'],
      missing:
        'no barrier fits into the one line that reads and writes; read into a variable, put __syncthreads() behind that, outside of any condition, and then write',
    },
    // Between lanes of a warp alone as it ran, because the first race hides the others: __syncwarp() would not do.
    { kernel: 'tree', lines: ['read 39', 'write 39'], missing: round },
    { kernel: 'tree', lines: ['read 39', 'write 37'], missing: 'no barrier of the block is between them; put __syncthreads() there' },
  ]);
});
