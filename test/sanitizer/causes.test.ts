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
__global__ void inPlace(int* v) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  int around = v[(i + 64) % 256] + v[(i + 192) % 256];
  if (around > 0) v[i] = 0;
  else if (around == 0) v[i] = 1;
}
__global__ void bins(const int* v, int* out) {
  __shared__ int counts[64];
  counts[threadIdx.x] = 0;
  atomicAdd(&counts[v[threadIdx.x] % 64], 1);
  __syncthreads();
  out[threadIdx.x] = counts[threadIdx.x];
}
__global__ void skipping(int* v) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = v[t];
  __syncthreads();
  for (int k = 0; k < 4; k++) {
    if (t + k < 63) {
      s[t] = s[t + 1] + k;
      __syncthreads();
    }
  }
  v[t] = s[t];
}
__global__ void greatest(const int* v, int* best) {
  if (threadIdx.x == 0 && v[blockIdx.x] >= *best) *best = v[blockIdx.x] + blockIdx.x;
}
__global__ void last(int* v) {
  __shared__ int owner;
  owner = threadIdx.x;
  __syncthreads();
  v[blockIdx.x * 64 + threadIdx.x] = owner;
  v[200] = blockIdx.x;
}
int main() {
  float* v;
  cudaMalloc(&v, 4096);
  cudaMemset(v, 0, 4096);
  forces<<<1, 64>>>((Body*)v, v + 512);
  tiles<<<1, 64>>>(v, v + 512, 8);
  scan<<<1, 64>>>((int*)v);
  tree<<<1, 128>>>((int*)v);
  inPlace<<<4, 64>>>((int*)v);
  bins<<<1, 64>>>((int*)v, (int*)v + 256);
  skipping<<<1, 64>>>((int*)v);
  greatest<<<4, 64>>>((int*)v + 512, (int*)v + 600);
  last<<<2, 64>>>((int*)v);
  return cudaDeviceSynchronize();
}`;

it('races that one barrier mends are one finding, with what helps', async () => {
  const { findings = [] } = await textReport(PROGRAM, { sanitize: {} });
  const told = findings.map(({ check, kernel, message, places }) => ({
    ...(check !== 'race' && { check }),
    kernel: kernel!.slice(0, kernel!.indexOf('(')),
    lines: places.map(({ access, line }) => `${access} ${line}`).sort(),
    ...(check === 'race' && { missing: message.slice(message.indexOf('in no order: ') + 'in no order: '.length) }),
  }));
  const round =
    'no barrier of the block is between one iteration of the loop and the next; put __syncthreads() at the end of its body, which all threads must reach in every round';
  // Of one statement no barrier orders the threads.
  const alone =
    'several threads write it in one statement, and no barrier comes between these writes; let one thread write, give each a place of its own, or use an atomic';
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
    {
      kernel: 'inPlace',
      lines: ['read 44', 'write 45', 'write 46'],
      missing:
        'no barrier of the whole grid orders these: __syncthreads() orders one block; read from one array and write to another, end the kernel between them, or use grid.sync() in a cooperative launch, or atomics',
    },
    { kernel: 'bins', lines: ['atomic 51', 'write 50'], missing: 'no barrier of the block is between them; put __syncthreads() there' },
    // The barrier first, which is the cause.
    { check: 'divergent-barrier', kernel: 'skipping', lines: ['barrier 63'] },
    {
      kernel: 'skipping',
      lines: ['read 62', 'write 62'],
      missing: 'a thread that goes past a barrier of the block is not ordered by it; mend that first',
    },
    {
      kernel: 'greatest',
      lines: ['read 69', 'write 69'],
      missing:
        'each reads it, compares it and writes it, and another thread may come between; use an atomic (atomicMax, atomicMin, atomicCAS)',
    },
    { kernel: 'last', lines: ['write 73', 'write 73'], missing: alone },
    { kernel: 'last', lines: ['write 76', 'write 76'], missing: alone },
  ]);
});

const APART = `__global__ void inside(int *out) {
  __shared__ int s[64], r[64];
  const int t = threadIdx.x;
  int more = 0;
  s[t] = t;
  if (blockIdx.x == 0) {
    r[t] = t * 3;
    more = r[63 - t];
  }
  out[blockIdx.x * 64 + t] = s[63 - t] + more;
}
__global__ void nested(int *out, int n) {
  __shared__ int s[64], r[64];
  const int t = threadIdx.x;
  s[t] = r[t] = t;
  __syncthreads();
  for (int o = 0; o < n; o++) {
    int w = r[(t + 33) % 64];
    __syncthreads();
    for (int i = 0; i < n; i++) {
      int v = s[(t + 33) % 64];
      __syncthreads();
      s[t] = v + 1;
    }
    __syncthreads();
    r[t] = w + 1;
  }
  out[t] = s[t] + r[t];
}
__global__ void early(int *out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  int x = s[63 - t];
  __syncthreads();
  if (t < 32) __syncthreads();
  out[t] = x;
}
__global__ void counted(int *count, int *out) {
  atomicAdd(count, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = *count;
}
int main() {
  int *out, *count;
  cudaMalloc(&out, 512);
  cudaMalloc(&count, 4);
  inside<<<2, 64>>>(out);
  nested<<<1, 64>>>(out, 3);
  early<<<1, 64>>>(out);
  counted<<<4, 32>>>(count, out);
  return cudaDeviceSynchronize();
}`;

it('races that take a barrier each are told one by one, and a first value that is missing beside a race', async () => {
  const { findings = [] } = await textReport(APART, { sanitize: {} });
  const told = findings.map(
    ({ check, kernel, places }) => `${kernel!.slice(0, kernel!.indexOf('('))}: ${check}, ${places.map(({ line }) => line)}`,
  );
  expect(told).toEqual([
    'inside: race, 5,10',
    'inside: race, 7,8',
    'nested: race, 23,21',
    'nested: race, 26,18',
    'early: race, 33,34',
    'early: divergent-barrier, 36',
    'counted: uninitialised-read, 40',
    'counted: race, 40,42',
  ]);
  expect(findings.find(({ kernel }) => kernel!.startsWith('early'))?.message).toContain('no barrier of the block is between them');
});
