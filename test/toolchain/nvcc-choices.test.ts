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
// perlin: a table that is only constant lies in global memory, one that is __constant__ in constant memory.
__device__ const int table[64] = {3, 1, 2};
__constant__ const int inConstantMemory[64] = {3, 1, 2};
__constant__ int nobodys[64];
__global__ void tables(int* p) {
  static const int own[16] = {1, 2, 3};
  p[threadIdx.x] = table[p[threadIdx.x] & 63] + own[p[threadIdx.x] & 15] + inConstantMemory[p[threadIdx.x] & 63] + table[1];
}
// chemv: a sum in memory is loaded by the unrolled loop and by its remainder; one that only this pointer can reach is loaded once.
__global__ void sum(float* to, const float* from, int n) {
  for (int i = 0; i < n; i++) to[threadIdx.x] += from[i];
}
__global__ void sumApart(float* __restrict__ to, const float* __restrict__ from, int n) {
  for (int i = 0; i < n; i++) to[threadIdx.x] += from[i];
}
// gemv: a structure moves in parts as wide as it is known to be aligned, also where all of it is one number then.
struct Bytes { unsigned char a, b, c, d; };
__global__ void copied(Bytes* to, const Bytes* from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void viewed(int* to, const Bytes* from) {
  Bytes all = from[threadIdx.x];
  to[threadIdx.x] = *(int*)&all;
}
// A store that a later one makes useless is left out if both are in one block.
__global__ void stored(float* __restrict__ to, const float* __restrict__ from, int n) {
  to[threadIdx.x] = 0;
  for (int i = 0; i < n; i++) to[threadIdx.x] += from[i];
  to[threadIdx.x] = 1;
  to[threadIdx.x] *= 2;
}
int main() {
  unsigned* memory;
  cudaMalloc(&memory, 4096);
  kept<<<1, 32>>>(memory, memory + 32);
  inlined<<<1, 32>>>(50, (int*)memory + 64, (int*)memory + 128);
  first<<<1, 32>>>((int*)memory + 192, (int*)memory + 256, 8);
  unread<<<1, 32>>>((int*)memory);
  read<<<1, 32>>>((int*)memory);
  tables<<<1, 32>>>((int*)memory);
  sum<<<1, 32>>>((float*)memory, (float*)memory + 512, 6);
  sum<<<1, 32>>>((float*)memory, (float*)memory + 512, 4);
  sumApart<<<1, 32>>>((float*)memory, (float*)memory + 512, 6);
  copied<<<1, 32>>>((Bytes*)memory + 64, (Bytes*)memory);
  viewed<<<1, 32>>>((int*)memory + 128, (Bytes*)memory);
  stored<<<1, 32>>>((float*)memory, (float*)memory + 512, 6);
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
    .slice(3, 5)
    .map(({ metrics }) => ['red', 'atom'].map((op) => metrics[`l1tex__t_requests_pipe_lsu_mem_global_op_${op}.sum`]));
  expect(atomics).toEqual([
    [1, 0],
    [0, 1],
  ]);
  const loads = kernels.slice(5).map(({ metrics }) => metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum']);
  // Each index of `tables` is loaded once.
  expect(loads).toEqual([1 + 2, 6 + 2, 4 + 1, 6 + 1, 4, 4, 6]);
  expect(kernels.slice(9).map(({ metrics }) => metrics['l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'])).toEqual([4, 1, 3]);
});

// Half of the lanes need four rounds and half three: a warp executes four, or seven (three and then four) where the loop is unrolled by four.
// Where NVVM leaves a loop that goes on by a number, ptxas has it do four rounds, two and one: seven again (its machine code).
const LOOPS = [
  { loop: 'for (int i = t; i < n; i += 32)', requests: 7 },
  { loop: 'for (int i = t; i < n; i += 32u)', requests: 7 },
  { loop: 'for (unsigned i = t; i < n; i += 32)', requests: 7 },
  { loop: 'for (int i = t; i < 112; i += blockDim.x)', requests: 4 },
  // NVVM does not know that an index is below 1024 or not negative: no loop is written out for the rounds that there can be then.
  { loop: 'for (int i = t; i < 112; i += 32)', requests: 7 },
  { loop: 'for (int k = 0, i = t; k < (n - t + 31) / 32; k++, i += 32)', requests: 7 },
  { loop: 'for (int i = 96 - t / 16; i < wide; i++)', requests: 4 },
  { loop: 'for (int k = 1, i = t; k <= (n - t + 31) / 32; k++, i += 32)', requests: 7 },
  { loop: 'for (int i = t; i <= last; i += 32)', requests: 7 },
  { loop: 'for (const float *p = in + t, *e = in + n; p < e; p += 32) for (int i = p - in, once = 0; !once; once = 1)', requests: 4 },
  { loop: 'for (int i = t; i < n; i += 32) for (int j = 0; j < one; j++)', requests: 4 },
  // Of one address it is one load for ptxas, in each block: of the four copies, and of three rounds that remain.
  { loop: 'for (int i = t; i < n; i += 32) sum += __ldg(in + t) * __ldg(in + t),', requests: 7 + 1 + 3 },
];

it('unrolls the loops whose rounds nvcc counts', { timeout: 120_000 }, async () => {
  const kernels = LOOPS.map(
    ({ loop }, index) => `__global__ void loop${index}(const float* __restrict__ in, float* out, int n, int last, long wide, int one) {
      const int t = threadIdx.x;
      float sum = 0;
      ${loop} sum += in[i];
      out[t] = sum;
    }`,
  );
  const launches = LOOPS.map((_, index) => `loop${index}<<<1, 32>>>(memory, memory + 256, 112, 111, 99, 1);`);
  const report = await textReport(`#include <cuda_runtime.h>
    ${kernels.join('\n')}
    int main() { float* memory; cudaMalloc(&memory, 4096); ${launches.join('\n')} return cudaDeviceSynchronize(); }`);
  const found = report.kernels.map(({ metrics }, index) => ({
    loop: LOOPS[index].loop,
    requests: metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'],
  }));
  expect(found).toEqual(LOOPS);
});

// nvcc's machine code of odd-even sorting has copies of the round in which `r & 1` is known: pairs at even places are one access of 8 bytes,
// without conflicts, others two with one conflict each.
it('unrolls loops of many rounds whose number is known', { timeout: 120_000 }, async () => {
  const { kernels } = await textReport(`#include <cuda_runtime.h>
    __global__ void sort(int* out, const int* in) {
      __shared__ int s[64];
      int t = threadIdx.x;
      s[t] = in[t];
      s[t + 32] = in[t + 32];
      for (int r = 0; r < 128; r++) {
        __syncthreads();
        int i = 2 * t + (r & 1);
        if (i + 1 < 64 && s[i] > s[i + 1]) {
          int kept = s[i];
          s[i] = s[i + 1];
          s[i + 1] = kept;
        }
      }
      __syncthreads();
      out[t] = s[t];
    }
    int main() { int* memory; cudaMalloc(&memory, 4096); cudaMemset(memory, 0, 4096); sort<<<1, 32>>>(memory + 64, memory); return cudaDeviceSynchronize(); }`);
  expect(kernels[0].metrics['l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum']).toBe(64 * 2);
});

// The way down of a scan: nvcc's PTX loads `s[j]` again behind the store to `s[i]` where i may be j.
it('loads again what a store of its own value may have been to', { timeout: 120_000 }, async () => {
  const { kernels, faults } = await textReport(`#include <cuda_runtime.h>
    __global__ void down(int* out, const int* in, int offset) {
      __shared__ int s[64];
      int t = threadIdx.x;
      s[t] = in[t];
      s[t + 32] = in[t + 32];
      __syncthreads();
      int i = offset * (2 * t + 1) - 1, j = offset * (2 * t + 2) - 1;
      int kept = s[i];
      s[i] = s[j];
      s[j] += kept;
      __syncthreads();
      out[t] = s[t];
    }
    __global__ void swapped(int* all, int offset) {
      int i = threadIdx.x, j = i + offset;
      int kept = all[i];
      all[i] = all[j];
      all[j] = kept;
    }
    int main() {
      int* memory;
      cudaMalloc(&memory, 4096);
      cudaMemset(memory, 0, 4096);
      down<<<1, 32>>>(memory + 64, memory, 1);
      swapped<<<1, 32>>>(memory, 32);
      return cudaDeviceSynchronize();
    }`);
  expect(faults).toEqual([]);
  expect(kernels[0].metrics['smsp__sass_inst_executed_op_shared_ld.sum']).toBe(4);
  expect(kernels[1].metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum']).toBe(2);
});

// A filter of 40 weights over 8 outputs, all written out: nvcc's PTX loads each weight once, however much code is in between.
it('loads what does not change once in a block of thousands of instructions', { timeout: 120_000 }, async () => {
  const { kernels, faults } = await textReport(`#include <cuda_runtime.h>
    __global__ void filter(float* out, const float* in) {
      __shared__ float weights[64];
      weights[threadIdx.x] = in[threadIdx.x];
      __syncthreads();
      #pragma unroll
      for (int i = 0; i < 8; i++) {
        float sum = 0;
        #pragma unroll
        for (int j = 0; j < 40; j++) sum += weights[threadIdx.x ^ j] * in[threadIdx.x + i * 7 + j * 33 + i * j];
        out[threadIdx.x + i * 32] = sum;
      }
    }
    int main() {
      float* memory;
      cudaMalloc(&memory, 1 << 16);
      cudaMemset(memory, 0, 1 << 16);
      filter<<<1, 32>>>(memory + 8192, memory);
      return cudaDeviceSynchronize();
    }`);
  expect(faults).toEqual([]);
  expect(kernels[0].metrics['smsp__sass_inst_executed_op_shared_ld.sum']).toBe(40);
});

// nvcc's machine code (13.0) has no branch in front of `best = v`, nor in front of the store of a warp's sum, which is put together from
// the two halves that a shuffle brings.
it('does not branch for the better of two values, nor for the sum of a warp', { timeout: 120_000 }, async () => {
  const { kernels, faults, stdout } = await textReport(`#include <cstdio>
    __global__ void least(const int* x, int* out, int n) {
      int best = x[threadIdx.x], at = 0;
      for (int k = 1; k < n; k++) {
        int v = x[k * 32 + threadIdx.x];
        if (v < best || (v == best && (k ^ 5) < at)) { best = v; at = k ^ 5; }
      }
      out[threadIdx.x] = best * 100 + at;
    }
    __global__ void total(const double* x, double* out) {
      __shared__ double sums[4];
      double v = x[threadIdx.x];
      for (int o = 16; o > 0; o /= 2) v += __shfl_xor_sync(0xffffffff, v, o);
      if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v;
      __syncthreads();
      if (threadIdx.x < 4) out[threadIdx.x] = sums[threadIdx.x];
    }
    int main() {
      int *x, *out;
      double *d, *sums;
      cudaMallocManaged(&x, 32 * 40 * 4), cudaMallocManaged(&out, 128), cudaMallocManaged(&d, 128 * 8), cudaMallocManaged(&sums, 32);
      for (int i = 0; i < 32 * 40; i++) x[i] = i * 7919 % 23;
      for (int i = 0; i < 128; i++) d[i] = i;
      least<<<1, 32>>>(x, out, 40);
      total<<<1, 128>>>(d, sums);
      cudaDeviceSynchronize();
      for (int i = 0; i < 32; i++) {
        int best = x[i], at = 0;
        for (int k = 1; k < 40; k++) if (x[k * 32 + i] < best || (x[k * 32 + i] == best && (k ^ 5) < at)) best = x[k * 32 + i], at = k ^ 5;
        if (out[i] != best * 100 + at) printf("wrong at %d\\n", i);
      }
      printf("%g %g\\n", sums[0], sums[3]);
    }`);
  expect(faults).toEqual([]);
  expect(stdout).toBe('496 3568\n');
  const divergent = kernels.map(({ metrics }) => metrics['smsp__sass_branch_targets_threads_divergent.sum']);
  expect(divergent).toEqual([0, 0]);
});

// By nvcc's PTX (13.0), a load of shared memory stays over stores to what a kernel gets as a pointer, and one of global memory over stores
// and atomics to shared memory: in templates, in arrays of the file and in those that a launch sizes as in others.
it('knows shared memory from what a kernel gets as a pointer', { timeout: 120_000 }, async () => {
  const { kernels, faults, stdout } = await textReport(`#include <cstdio>
    #include <cuda_runtime.h>
    extern __shared__ float sized[];
    __shared__ float ofFile;
    template <class T> __global__ void ofTemplate(T* o, const T* p, int n) {
      __shared__ T s;
      if (threadIdx.x == 0) s = p[0];
      __syncthreads();
      for (int i = threadIdx.x; i < n; i += blockDim.x) o[i] = s * p[i];
    }
    __global__ void file(float* o, const float* p, int n) {
      if (threadIdx.x == 0) ofFile = p[0];
      __syncthreads();
      for (int i = threadIdx.x; i < n; i += blockDim.x) o[i] = ofFile * p[i];
    }
    __global__ void launch(float* o, const float* p, int n) {
      if (threadIdx.x == 0) sized[5] = p[0];
      __syncthreads();
      for (int i = threadIdx.x; i < n; i += blockDim.x) o[i] = sized[5] * p[i];
    }
    __global__ void kept(float* o, const float* p, int n) {
      for (int i = threadIdx.x; i < n; i += blockDim.x) sized[i] = p[0] + sized[i ^ 1];
      o[threadIdx.x] = sized[threadIdx.x];
    }
    __global__ void count(int* o, const int* p, int n) {
      __shared__ int bins[32];
      bins[threadIdx.x] = 0;
      __syncthreads();
      for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&bins[i & 7], p[0]);
      __syncthreads();
      o[threadIdx.x] = atomicCAS(&bins[threadIdx.x], p[1], 7) + atomicExch(&bins[threadIdx.x ^ 1], 3) + bins[threadIdx.x];
    }
    int main() {
      float *o, *p;
      cudaMallocManaged(&o, 4096), cudaMallocManaged(&p, 4096);
      for (int i = 0; i < 1024; i++) p[i] = i + 2;
      ofTemplate<<<1, 32>>>(o, p, 320);
      cudaDeviceSynchronize();
      printf("%g ", o[9]);
      file<<<1, 32>>>(o, p, 320);
      cudaDeviceSynchronize();
      printf("%g ", o[10]);
      launch<<<1, 32, 64>>>(o, p, 320);
      cudaDeviceSynchronize();
      printf("%g ", o[11]);
      kept<<<1, 32, 1280>>>(o, p, 320);
      cudaDeviceSynchronize();
      for (int i = 0; i < 2; i++) ((int*)p)[i] = i + 1;
      count<<<1, 32>>>((int*)o, (int*)p, 320);
      cudaDeviceSynchronize();
      printf("%d %d\\n", ((int*)o)[0], ((int*)o)[9]);
    }`);
  expect(faults).toEqual([]);
  expect(stdout).toBe('22 24 26 83 3\n');
  const loads = (space: string) => kernels.map(({ metrics }) => metrics[`smsp__sass_inst_executed_op_${space}_ld.sum`]);
  expect(loads('shared').slice(0, 3)).toEqual([1, 1, 1]);
  expect(loads('global')).toEqual([11, 11, 11, 1, 2]);
});

// nvcc's PTX (13.0) of 324 chains: one store behind all branches if each computes the address itself and nothing else leads there.
it('stores once behind a chain of branches', { timeout: 120_000 }, async () => {
  const { kernels, faults, stdout } = await textReport(`#include <cstdio>
    __global__ void chain(const int* a, int* o, int n) {
      int i = threadIdx.x, v = a[i];
      if (v < 10) o[i] = 1; else if (v < 20) o[i] = v * 2; else if (v < n) o[i] = v * v; else o[i] = 0;
    }
    __global__ void loop(const int* a, int* o, int n) {
      for (int i = threadIdx.x; i < n; i += 32) { int v = a[i]; if (v < 10) o[i] = 1; else if (v < 20) o[i] = v * 2; else o[i] = v + n; }
    }
    __global__ void guarded(const int* a, int* o, int n) {
      int i = threadIdx.x;
      if (i < n) { int v = a[i]; if (v < 10) o[i] = 1; else if (v < 20) o[i] = v * 2; else o[i] = v + n; }
    }
    __global__ void numbers(const int* a, int* o) {
      int i = threadIdx.x, v = a[i];
      if (v < 10) o[i] = 1; else if (v < 20) o[i] = 2; else o[i] = 3;
    }
    __global__ void first(const int* a, int* o, int n) {
      int i = threadIdx.x;
      if (i == 0) o[i] = a[i]; else if (i == n) o[i] = a[i] * 2; else o[i] = a[i - 1] + a[i + 1];
    }
    __global__ void loaded(const int* a, const int* b, int* o, int n) {
      int i = threadIdx.x;
      if (a[i] < 15) o[i] = b[i]; else o[i] = b[i + n];
    }
    int main() {
      int *a, *o;
      cudaMallocManaged(&a, 512), cudaMallocManaged(&o, 512);
      for (int i = 0; i < 128; i++) a[i] = i;
      auto print = [&] { cudaDeviceSynchronize(); int sum = 0; for (int i = 0; i < 32; i++) sum += o[i] * (i + 1); printf("%d ", sum); };
      chain<<<1, 32>>>(a, o, 25), print();
      loop<<<1, 32>>>(a, o, 32), print();
      guarded<<<1, 32>>>(a, o, 30), print();
      numbers<<<1, 32>>>(a, o), print();
      first<<<1, 32>>>(a, o, 31), print();
      loaded<<<1, 32>>>(a, a + 32, o, 32), print();
    }`);
  expect(faults).toEqual([]);
  let sums = '';
  const add = (of: (i: number) => number) => {
    sums += `${Array.from({ length: 32 }, (_, i) => of(i) * (i + 1)).reduce((sum, each) => sum + each)} `;
  };
  const of = (n: number) => (v: number) => (v < 10 ? 1 : v < 20 ? v * 2 : v + n);
  add((v) => (v < 10 ? 1 : v < 20 ? v * 2 : v < 25 ? v * v : 0));
  add(of(32));
  const rest = of(30);
  add((v) => (v < 30 ? rest(v) : of(32)(v)));
  add((v) => (v < 10 ? 1 : v < 20 ? 2 : 3));
  add((i) => (i === 0 ? 0 : i === 31 ? 62 : 2 * i));
  add((i) => (i < 15 ? i + 32 : i + 64));
  expect(stdout).toBe(sums);
  const requests = (op: string) => kernels.map(({ metrics }) => metrics[`l1tex__t_requests_pipe_lsu_mem_global_op_${op}.sum`]);
  expect(requests('st')).toEqual([1, 1, 3, 3, 3, 1]);
  expect(requests('ld')).toEqual([1, 1, 1, 1, 4, 2]);
});

// nvcc's PTX (13.0) of 336 kernels: which side stores zero says whether all meet. A lane's place in shared memory stays written.
it('stores of zero meet by their place among the branches, shared variables stay written', { timeout: 240_000 }, async () => {
  const { kernels, faults } = await textReport(`#include <cstdio>
    __global__ void ifZero(const int* a, int* o) { int i = threadIdx.x; if (a[i] < 9) o[i] = 0; else o[i] = a[i + 3] * 3; }
    __global__ void elseZero(const int* a, int* o) { int i = threadIdx.x; if (a[i] < 9) o[i] = a[i + 3] * 3; else o[i] = 0; }
    __global__ void middleZero(const int* a, int* o) {
      int i = threadIdx.x;
      if (a[i] < 9) o[i] = a[i + 3] * 3; else if (a[i + 5] < 30) o[i] = 0; else o[i] = a[i + 4] * 5;
    }
    __global__ void runs(const int* a, int* o, int n) {
      for (int i = threadIdx.x; i < n; i += 32) { int v = a[i]; if (v < 9) o[i] = 0; else o[i] = v * 3; }
    }
    __global__ void elseRuns(const int* a, int* o, int n) {
      for (int i = threadIdx.x; i < n; i += 32) { int v = a[i]; if (v < 9) o[i] = v * 3; else o[i] = 0; }
    }
    __global__ void whileRuns(const int* a, int* o, int n) {
      int i = threadIdx.x;
      while (i < n) { if (a[i] < 9) o[i] = 0; else o[i] = a[i + 1] * 3; i += 32; }
    }
    __global__ void indexed(const int* a, int* o, int n, int m) {
      for (int i = threadIdx.x; i < n; i += 32) if (i < m) o[i] = a[i]; else o[i] = 7;
    }
    __global__ void counted(const int* a, int* o, int n) {
      __shared__ int count[32];
      count[threadIdx.x] = 0;
      for (int i = 0; i < n; i++) if (a[i] == threadIdx.x) count[threadIdx.x]++;
      o[threadIdx.x] = count[threadIdx.x];
    }
    int main() {
      int *a, *o;
      cudaMallocManaged(&a, 512), cudaMallocManaged(&o, 512);
      for (int i = 0; i < 128; i++) a[i] = i;
      ifZero<<<1, 32>>>(a, o), elseZero<<<1, 32>>>(a, o), middleZero<<<1, 32>>>(a, o);
      runs<<<1, 32>>>(a, o, 32), elseRuns<<<1, 32>>>(a, o, 32), whileRuns<<<1, 32>>>(a, o, 32), indexed<<<1, 32>>>(a, o, 32, 9);
      counted<<<1, 32>>>(a, o, 32);
      cudaDeviceSynchronize();
    }`);
  expect(faults).toEqual([]);
  const metrics = (name: string) => kernels.map(({ metrics: each }) => each[name]);
  expect(metrics('l1tex__t_requests_pipe_lsu_mem_global_op_st.sum')).toEqual([1, 2, 3, 2, 1, 1, 1, 1]);
  expect(metrics('smsp__sass_inst_executed_op_shared_st.sum').at(-1)).toBe(33);
});

// nvcc's PTX (13.0) of 90 loops: up to the lane's own index, over it, and on from there, if the loop stands behind a condition.
it('splits a loop at the index that it asks for', { timeout: 120_000 }, async () => {
  const { kernels, faults, stdout } = await textReport(`#include <cstdio>
    __global__ void pairs(const int* a, int* o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { int s = 0; for (int j = 0; j < n; j++) if (j != i) s += a[j] ^ i; o[i] = s; } }
    __global__ void shifted(const int* a, int* o, int n, int m, int d) { int t = threadIdx.x, i = t + d; if (t < m) { int s = 0; for (int j = 0; j < n; j++) { if (i == j) s += 1000; else s += a[j] * (j + 1); } o[t] = s; } }
    __global__ void below(const int* a, int* o, int n, int d) { int i = threadIdx.x + d; if (threadIdx.x < 64) { int s = 0; for (int j = 0; j < n; j++) { if (j < i) s += a[j]; else s -= a[j] * 3; } o[threadIdx.x] = s; } }
    __global__ void upto(const int* a, int* o, int n, int d) { int i = threadIdx.x + d; if (threadIdx.x < 64) { int s = 0; for (int j = 0; j < n; j++) { if (j <= i) s += a[j]; else { s -= a[j] * 3; if (s > 100000) break; } } o[threadIdx.x] = s; } }
    __global__ void leaves(const int* a, int* o, int n, int d) { int i = threadIdx.x + d; if (threadIdx.x < 64) { int s = 0; for (int j = 0; j < n; j++) { if (j == i) break; if (a[j] == 7) continue; s += a[j]; } o[threadIdx.x] = s; } }
    __global__ void unsign(const int* a, int* o, unsigned n, unsigned d) { unsigned i = threadIdx.x + d; if (threadIdx.x < 64) { int s = 0; for (unsigned j = 0; j < n; ++j) { s += i != j ? a[j] : 5; } o[threadIdx.x] = s; } }
    __global__ void ranks(const float* a, float* o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; int c = 0; for (int j = 0; j < n; j++) if (j != i && (a[j] < a[i] || (a[j] == a[i] && j < i))) c++; o[c] = a[i]; }
    __global__ void above(const int* a, int* o, int n, int d) { int i = threadIdx.x + d; if (threadIdx.x < 64) { int s = 0; for (int j = 0; j < n; j++) { if (j > i) s += a[j] * j; } o[threadIdx.x] = s; } }
    __global__ void all(const int* a, int* o, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0; for (int j = 0; j < n; j++) if (j != i) s += a[j] ^ i; o[i] = s; }
    int main() {
      int *a, *o;
      float *f, *g; cudaMallocManaged(&a, 4096); cudaMallocManaged(&o, 4096); cudaMallocManaged(&f, 4096); cudaMallocManaged(&g, 4096);
      for (int i = 0; i < 1024; i++) a[i] = i * 7919 % 101, f[i] = i * 7919 % 37;
      int bad = 0;
      auto check = [&](const char* name, int count, auto of) { cudaDeviceSynchronize(); for (int t = 0; t < count; t++) if (o[t] != of(t)) { printf("%s wrong at %d: %d %d\\n", name, t, o[t], of(t)); bad++; break; } };
      pairs<<<2, 64>>>(a, o, 100), all<<<2, 64>>>(a, o + 512, 100);
      check("pairs", 100, [&](int i) { int s = 0; for (int j = 0; j < 100; j++) if (j != i) s += a[j] ^ i; return s; });
      for (int d : {-40, -3, 0, 5, 90, 200}) for (int n : {0, 1, 37, 100}) {
        shifted<<<1, 64>>>(a, o, n, 50, d); check("shifted", 50, [&](int t) { int s = 0; for (int j = 0; j < n; j++) s += t + d == j ? 1000 : a[j] * (j + 1); return s; });
        below<<<1, 64>>>(a, o, n, d); check("below", 64, [&](int t) { int s = 0; for (int j = 0; j < n; j++) s += j < t + d ? a[j] : -3 * a[j]; return s; });
        upto<<<1, 64>>>(a, o, n, d); check("upto", 64, [&](int t) { int s = 0; for (int j = 0; j < n; j++) { if (j <= t + d) s += a[j]; else { s -= a[j] * 3; if (s > 100000) break; } } return s; });
        leaves<<<1, 64>>>(a, o, n, d); check("leaves", 64, [&](int t) { int s = 0; for (int j = 0; j < n; j++) { if (j == t + d) break; if (a[j] == 7) continue; s += a[j]; } return s; });
        unsign<<<1, 64>>>(a, o, n, d); check("unsign", 64, [&](int t) { int s = 0; for (unsigned j = 0; j < n; j++) s += t + (unsigned)d != j ? a[j] : 5; return s; });
        above<<<1, 64>>>(a, o, n, d); check("above", 64, [&](int t) { int s = 0; for (int j = 0; j < n; j++) if (j > t + d) s += a[j] * j; return s; });
      }
      ranks<<<2, 64>>>(f, g, 100); cudaDeviceSynchronize(); for (int i = 1; i < 100; i++) if (g[i] < g[i - 1]) bad++, printf("ranks\\n");
      printf("%d\\n", bad);
    }`);
  expect(faults).toEqual([]);
  expect(stdout).toBe('0\n');
  const sectors = kernels.slice(0, 2).map(({ metrics }) => {
    const [all, requests] = ['sectors', 'requests'].map((unit) => metrics[`l1tex__t_${unit}_pipe_lsu_mem_global_op_ld.sum`]);
    return all / requests;
  });
  expect(sectors[0]).toBeGreaterThan(2);
  expect(sectors[1]).toBe(1);
});

// simplemoc: of rows of one array, n elements apart, NVVM does not conclude from a loop up to n that n is not 0.
it('loads a row again behind a store to another', { timeout: 120_000 }, async () => {
  const { kernels } = await textReport(`#include <cuda_runtime.h>
    __global__ void rows(const float* __restrict__ in, float* __restrict__ v, int n) {
      float *a = v + 3 * n, *b = v + 4 * n;
      for (int i = 0; i < n; i++) {
        a[i] = in[i];
        b[i] = 2;
        v[i] = a[i];
      }
    }
    int main() { float* memory; cudaMalloc(&memory, 4096); rows<<<1, 32>>>(memory, memory + 64, 8); return cudaDeviceSynchronize(); }`);
  expect(kernels[0].metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum']).toBe(8 * 2);
});

// By nvcc's PTX and machine code: what a choice between two places chose is loaded, if they differ in one index or one array alone.
const CHOICES = [
  { choice: 'MAX(in[t], in[t + k])', loads: 3 },
  { choice: 'MAX(in[t], other[t])', loads: 3 },
  { choice: 'MAX(in[t], other[t + k])', loads: 2 },
  { choice: 'MAX(in[t], in[0])', loads: 2 },
  { choice: 'MAX(in[1], in[2])', loads: 3 },
  { choice: 'MAX(MAX(in[t], in[t + 1]), in[t + k])', loads: 5 },
  { choice: 'MAX(pairs[t].y, pairs[k].y)', loads: 3 },
  { choice: 'MAX(pairs[t].x, pairs[t].y)', loads: 1 },
  { choice: 'larger(in, t, k)', loads: 3 },
  { choice: 'reference(in[t], in[k])', loads: 2 },
  { choice: '(one = in[t], two = in[k], MAX(one, two))', loads: 2 },
  { choice: 'largerOfOwn(in, k)', loads: 4 },
  // Which of the two it is follows from a counter: all but the first round are known.
  { choice: 'rounds(in, other, k)', loads: 1 + 1 },
];

it('loads what a choice between two places has chosen', { timeout: 120_000 }, async () => {
  const kernels = CHOICES.map(
    ({ choice }, index) => `__global__ void choice${index}(const float* in, const float* other, float* out, const float2* pairs, int k) {
      int t = threadIdx.x;
      float one, two;
      out[t] = ${choice};
    }`,
  );
  const launches = CHOICES.map((_, index) => `choice${index}<<<1, 32>>>(memory, memory + 128, memory + 256, (float2*)memory, 4);`);
  const report = await textReport(`#include <cuda_runtime.h>
    #define MAX(a, b) ((a) > (b) ? (a) : (b))
    __device__ float larger(const float* a, int i, int j) { return a[i] > a[j] ? a[i] : a[j]; }
    __device__ const float& reference(const float& a, const float& b) { return a > b ? a : b; }
    __device__ float chosenOf(const float* a, int i, int j) { return a[i] > a[j] ? a[i] : a[j]; }
    __device__ float largerOfOwn(const float* in, int k) {
      float own[8];
      for (int i = 0; i < 8; i++) own[i] = in[8 * threadIdx.x % 64 + i];
      return chosenOf(own, 2, 3) + MAX(own[4], own[5]);
    }
    __device__ float rounds(const float* in, const float* other, int k) {
      float sum = 0;
      for (int i = 0; i < 8; i++) sum += i == 0 ? in[threadIdx.x] : other[threadIdx.x];
      return sum;
    }
    ${kernels.join('\n')}
    __global__ void reduced(float* out, const float* in) {
      __shared__ float s[64];
      int t = threadIdx.x;
      s[t] = in[t];
      s[t + 32] = in[t + 32];
      __syncthreads();
      s[t] = MAX(s[t], s[t + 32]);
      out[t] = s[t];
    }
    int main() { float* memory; cudaMalloc(&memory, 4096); cudaMemset(memory, 0, 4096); ${launches.join('\n')} reduced<<<1, 32>>>(memory + 256, memory); return cudaDeviceSynchronize(); }`);
  const found = CHOICES.map(({ choice }, index) => ({
    choice,
    loads: report.kernels[index].metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'],
  }));
  expect(found).toEqual(CHOICES);
  expect(report.kernels.at(-1)!.metrics['smsp__sass_inst_executed_op_shared_ld.sum']).toBe(3);
});

// nvcc's PTX: what lies between two conditions that are the same, or behind a loop that some lanes have left early, is there once.
it('does not copy what lies between two branches for each side of the first', { timeout: 120_000 }, async () => {
  const { kernels } = await textReport(`#include <cuda_runtime.h>
    __global__ void between(float* out, const float* in, int n) {
      int i = threadIdx.x;
      float v = 0;
      if (i < n) v = in[i];
      out[i + 64] = v;
      if (i < n) out[i] = v * 2;
    }
    __global__ void searched(int* out, const int* in, int n) {
      int i = threadIdx.x, at = i;
      for (;;) {
        if (at >= n) break;
        if (in[at] == i % 2) break;
        at += 32;
      }
      out[i] = at;
      if (at < n) out[i + n] = in[at + 1];
    }
    int main() {
      float* memory;
      cudaMalloc(&memory, 4096);
      cudaMemset(memory, 0, 4096);
      between<<<1, 32>>>(memory + 128, memory, 20);
      searched<<<1, 32>>>((int*)memory + 128, (int*)memory, 64);
      return cudaDeviceSynchronize();
    }`);
  expect(kernels.map(({ metrics }) => metrics['l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'])).toEqual([2, 2]);
});

// nvcc's PTX of 80 loops: those that index an array of the thread's own are written out up to some 3,000 instructions, so that the array is in
// registers; others up to 400 (a table of a switch is none of either).
const OWN_ARRAYS = [
  { loop: 'for (int k = 0; k < 64; k++)', local: 0 },
  { loop: 'for (int k = 0; k < 160; k++)', local: 0 },
  { loop: 'for (int k = 0; k < 256; k++)', local: 256 },
  { loop: '_Pragma("unroll 1") for (int k = 0; k < 64; k++)', local: 64 },
  { loop: 'for (int k = 0; k < n; k++)', local: 64 },
];

it('writes loops out that index an array of the thread, further than others', { timeout: 120_000 }, async () => {
  const kernels = OWN_ARRAYS.map(
    ({ loop }, index) => `__global__ void hash${index}(unsigned* out, const unsigned* in, int n) {
      unsigned w[16];
      for (int k = 0; k < 16; k++) w[k] = in[threadIdx.x * 16 + k];
      unsigned a = 1, b = 2, c = 3, d = 4;
      ${loop} {
        unsigned kept = d, sum = a + ((b & c) | (~b & d)) + w[(k * 5 + 1) % 16];
        d = c;
        c = b;
        b += sum << 7 | sum >> 25;
        a = kept;
      }
      out[threadIdx.x] = a ^ b ^ c ^ d;
    }`,
  );
  const launches = OWN_ARRAYS.map((_, index) => `hash${index}<<<1, 32>>>(memory + 512, memory, 64);`);
  const report = await textReport(`#include <cuda_runtime.h>
    ${kernels.join('\n')}
    __global__ void chosen(int* out, const int* in) {
      int v = 0;
      switch (in[threadIdx.x]) {
        case 0: v = 3; break;
        case 1: v = 17; break;
        case 2: v = 5; break;
        case 3: v = 99; break;
        case 4: v = -4; break;
      }
      out[threadIdx.x] = v;
    }
    int main() { unsigned* memory; cudaMalloc(&memory, 4096); cudaMemset(memory, 0, 4096); ${launches.join('\n')} chosen<<<1, 32>>>((int*)memory + 512, (int*)memory); return cudaDeviceSynchronize(); }`);
  const found = OWN_ARRAYS.map(({ loop }, index) => ({
    loop,
    local: report.kernels[index].metrics['smsp__sass_inst_executed_op_local_ld.sum'],
  }));
  expect(found).toEqual(OWN_ARRAYS);
  expect(report.kernels.at(-1)!.metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum']).toBe(1);
});

// nvcc's PTX (13.0) of checksums has shifts: LLVM 22 would know them, and load a word of a table for each byte.
it('computes a checksum bit by bit where the program does', { timeout: 120_000 }, async () => {
  const { kernels, faults, stdout } = await textReport(`#include <cstdio>
    #include <cuda_runtime.h>
    __global__ void checksum(unsigned* o, const unsigned char* text, int n) {
      unsigned c = ~0u;
      for (int i = 0; i < n; i++) {
        c ^= text[i];
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
      }
      o[threadIdx.x] = ~c;
    }
    int main() {
      unsigned* memory;
      cudaMallocManaged(&memory, 4096);
      snprintf((char*)memory, 16, "123456789");
      checksum<<<1, 32>>>(memory + 16, (unsigned char*)memory, 9);
      cudaDeviceSynchronize();
      printf("%x\\n", memory[16]);
    }`);
  expect(faults).toEqual([]);
  expect(stdout).toBe('cbf43926\n');
  expect(kernels[0].metrics['l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum']).toBe(9);
});
