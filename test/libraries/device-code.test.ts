/** Device code and libraries that check themselves or repeat what NVIDIA's give, on both engines. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { optionsOf } from '../../cli/run.ts';
import { definesOfCudaVersion } from '../../simulator/options/cuda-version.ts';
import { ENGINE_NAMES } from '../../simulator/options/defaults.ts';
import { fixture, reportOf, simulate, textReport } from '../runtime/simulation.ts';

/** Both engines' report of a program, which must not differ. */
async function onBothEngines(name: string) {
  const [compiled, interpreted] = await Promise.all(
    (['compiler', 'interpreter'] as const).map((engine) => reportOf(fixture(name), { engine })),
  );
  expect(compiled.faults).toEqual([]);
  expect(interpreted.stdout).toBe(compiled.stdout);
  expect(interpreted.kernels).toEqual(compiled.kernels);
  expect(interpreted.lines).toEqual(compiled.lines);
  return compiled;
}

describe('inline PTX', () => {
  it('means what C++ beside it means', async () => {
    const { stdout } = await onBothEngines('ptx.cu');
    expect(stdout).toBe('12800 checks, 0 failures\n22 threads after exit, no error\n');
  });

  it('has barriers in shared memory, and bulk copies that they wait for', async () => {
    const { stdout } = await onBothEngines('mbarrier.cu');
    expect(stdout).toBe('0 0 no error\n');
  });

  it('computes under a predicate, without a branch', async () => {
    const report = await textReport(
      `__global__ void k(int* p) {
  asm volatile("{ .reg .pred q; setp.lt.u32 q, %1, 7; @q add.u32 %0, %0, 1; }" : "+r"(p[threadIdx.x]) : "r"(threadIdx.x));
}
int main() { int* p; cudaMalloc(&p, 128); k<<<1, 32>>>(p); return cudaDeviceSynchronize(); }`,
    );
    expect(report.exit).toBe(0);
    expect(report.lines['k(int *)']['from-text.cu:2']).toMatchObject({ divergentBranches: 0 });
  });
});

describe('what C++ leaves open', () => {
  it('does not take code away that nvcc and GCC keep: undefined arguments and results', async () => {
    const text = `#include <cooperative_groups.h>
#include <cstdio>
__device__ int twice(int x) { return 2 * x; }
__device__ int next(int* counter) {
  auto group = cooperative_groups::coalesced_threads();
  int first;
  if (group.thread_rank() == 0) first = atomicAdd(counter, (int)group.size());
  return group.shfl(first, 0) + group.thread_rank();
}
__device__ int withoutResult(int x, int* p) {
  if (x > 20) return 7;
  *p = twice(x);
}
int begin(int mode) {
  if (mode == 2) printf("begun\\n");
}
__global__ void k(int* counter, int* out) {
  if (threadIdx.x % 3 == 1) out[next(counter)] = 1;
  withoutResult(threadIdx.x, out + 32 + threadIdx.x);
}
int main() {
  int* p;
  cudaMallocManaged(&p, 512);
  begin(2);
  begin(1);
  k<<<1, 32>>>(p + 100, p);
  cudaDeviceSynchronize();
  printf("%d %d %d %d %d %d\\n", p[100], p[10], p[11], p[32 + 19], p[32 + 20], p[32 + 21]);
}`;
    const stdout = 'begun\n11 1 0 38 40 0\n';
    expect(await textReport(text)).toMatchObject({ stdout, faults: [] });
    expect(await textReport(text, { engine: 'interpreter' })).toMatchObject({ stdout, faults: [] });
  });
});

describe('streams of a block', () => {
  it('are made in kernels, and launches into them run', async () => {
    const text = `#include <cstdio>
__global__ void child(int* p, int n) { atomicAdd(p, n); }
__global__ void parent(int* p) {
  cudaStream_t a, b;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  p[1 + threadIdx.x] = cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking) == cudaSuccess && a != b;
  p[3 + threadIdx.x] = cudaStreamCreateWithFlags(&b, cudaStreamDefault);
  child<<<1, 32, 0, a>>>(p, 1);
  child<<<1, 32, 0, b>>>(p, 2);
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  if (threadIdx.x == 0) {
    cudaMemcpyAsync(p + 8, p + 1, 8, cudaMemcpyDeviceToDevice, a);
    cudaMemcpyAsync((char*)(p + 10) + 1, (char*)p + 4, 1, cudaMemcpyDeviceToDevice, a);
    cudaMemsetAsync(p + 11, 1, 4, b);
    printf("%s %s\\n", cudaGetErrorString(cudaMemcpyAsync(p, p, 4, cudaMemcpyHostToDevice, a)), cudaGetErrorName(cudaGetLastError()));
  }
}
int main() {
  int* p;
  cudaMallocManaged(&p, 64);
  parent<<<1, 2>>>(p);
  cudaDeviceSynchronize();
  for (int k = 0; k < 12; k++) printf("%d ", p[k]);
}`;
    const stdout = 'invalid copy direction for memcpy cudaSuccess\n192 1 1 1 1 0 0 0 1 1 256 16843009 ';
    expect(await textReport(text)).toMatchObject({ stdout, faults: [] });
    expect(await textReport(text, { engine: 'interpreter' })).toMatchObject({ stdout, faults: [] });
  });
});

it('launch bounds may have three arguments, and commas of templates', async () => {
  const text = `#include <cstdio>
template <class A, class B> struct Pick { static constexpr int value = 64; };
template <class T> __global__ void __launch_bounds__(Pick<T, int>::value) a(T* p) { *p = 1; }
__global__ void __launch_bounds__(128, 1, 8) b(int* p) { *p = 2; }
__global__ void __launch_bounds__(128, 2) c(int* p) { *p = 3; }
int main() { int* p; cudaMallocManaged(&p, 4); a<<<1, 65>>>(p); printf("%d ", cudaGetLastError()); b<<<1, 128>>>(p); printf("%d ", cudaGetLastError()); b<<<1, 129>>>(p); printf("%d ", cudaGetLastError()); c<<<1, 129>>>(p); printf("%d %d\\n", cudaGetLastError(), *p); }`;
  expect((await textReport(text)).stdout).toBe('1 0 1 1 2\n');
});

it('tiles of several warps compute as loops do', async () => {
  expect((await onBothEngines('tiles.cu')).stdout).toBe('no error 2\n0 wrong\n');
});

it('asynchronous copies and their barriers compute as loops do', async () => {
  expect((await onBothEngines('pipeline.cu')).stdout).toBe('no error\n0 wrong\n');
});

it('memcpy_async of groups, pipelines and barriers copies what loops do, and counts as an H200 counts cp.async', async () => {
  const { stdout, kernels } = await onBothEngines('memcpy-async.cu');
  expect(stdout).toBe('group 0\nbytes 0\ntile 0\npipe 0\nshared_pipe 0\nbar 0\nbar4 0\n');
  // Measured on one H200 (driver 580.159.04, nvcc 13.0, 2026-11-28): requests and sectors of loads, and neither instructions nor wavefronts.
  for (const [name, requests, sectors] of [
    ['group', 8, 32],
    ['tile', 8, 24],
    ['pipe', 32, 128],
  ] as const) {
    expect(kernels.find(({ kernel }) => kernel.startsWith(`${name}(`))?.metrics).toMatchObject({
      'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum': requests,
      'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum': sectors,
      'smsp__sass_inst_executed_op_global_ld.sum': 0,
      'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum': 0,
      'smsp__sass_inst_executed_op_shared_st.sum': 0,
      'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum': name === 'pipe' ? 32 : 8,
    });
  }
});

it("our libcu++'s atomics, barriers and cuda::std do what they are for", async () => {
  expect((await onBothEngines('libcudacxx.cu')).stdout).toBe('no error\n0 wrong, 0 5 5\n');
});

it('vocabulary types, views and algorithms of libcu++ work in kernels as of C++17', async () => {
  expect((await onBothEngines('libcudacxx-types.cu')).stdout).toBe(`optional 6 0 3 12
variant 1 5 1 1 a
expected 4 3.5 -1
span 3 2 3
tuple 9.5
bit 8 7 4 1 8 12 3f800000
algorithm 0 19 7 1 190
complex -2 2
rest 6 3.141593 1 1 3
device
from 9.0
11 4 21 3 12 4 23 4 4
no error
`);
});

it('what lanes do together: small factors of wmma, movmatrix, cuda::ptx, shuffles of any type', async () => {
  const right = Array.from({ length: 4 }, () => '32 right\n').join('');
  expect((await onBothEngines('lanes.cu')).stdout).toBe(`0 wrong\n0 wrong\n0 wrong\n${right}496\nno error 64 319\n`);
});

it('half numbers count up and down, and have constants; CUB calls a function for each index', async () => {
  const text = `#include <cstdio>
#include <cub/device/device_for.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void k(float* out) {
  half h = 1.5f;
  half before = h++;
  --h;
  half2 pair = __floats2half2_rn(1, 2);
  half2 old = pair++;
  ++pair;
  __nv_bfloat16 b = CUDART_ONE_BF16;
  b--;
  out[0] = (float)before + (float)h * 10 + (float)pair.y * 100 + (float)old.x * 1000;
  out[1] = (float)CUDART_ONE_FP16 + (float)b + (pair > old) + (CUDART_INF_FP16 > CUDART_MAX_NORMAL_FP16);
}
int main() {
  float* p;
  cudaMallocManaged(&p, 400);
  k<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  printf("%g %g ", p[0], p[1]);
  cub::DeviceFor::Bulk(10, [p] __device__(int k) { p[k] = k; });
  cudaDeviceSynchronize();
  printf("%g", p[7]);
}`;
  expect((await textReport(text)).stdout).toBe('1416.5 3 7');
});

it('cublasXt multiplies matrices of the host', async () => {
  const text = `#include <cstdio>
#include <cublasXt.h>
int main() {
  float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, 1, 2, 1, 0}, c[4] = {}, one = 1, none = 0;
  double t[4] = {2, 1, 0, 4}, x[2] = {4, 10}, unit = 1;
  int devices[1] = {0};
  cublasXtHandle_t handle;
  cublasXtCreate(&handle);
  printf("%d %d\\n", cublasXtDeviceSelect(handle, 1, devices), cublasXtSetBlockDim(handle, 64));
  cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, a, 2, b, 3, &none, c, 2);
  cublasXtDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 1, &unit, t, 2, x, 2);
  printf("%g %g %g %g %g %g", c[0], c[1], c[2], c[3], x[0], x[1]);
  cublasXtDestroy(handle);
}`;
  expect((await textReport(text)).stdout).toBe('0 0\n6 8 5 8 2 2');
});

it("has Thrust's other vectors, iterators of a program's own, and placeholders", async () => {
  expect((await onBothEngines('thrust-vectors.cu')).stdout).toBe(`universal 16 2 7 10 1
placeholders 9 1 2 84
adaptor 54 9
at 0: 9
at 1: 9
both ways -18 4
new 0 4
allocate 3
own 9
deallocate 3
std::bad_alloc: cudaErrorMemoryAllocation: out of memory
own: cudaErrorInvalidValue: invalid argument 1
1
24 3 2.5
no error
`);
});

it('kernels take structures that own memory of the host, and atomics may be volatile', async () => {
  const text = `#include <cstdio>
#include <memory>
#include <cuda/atomic>
struct Owner { std::shared_ptr<int> shared; std::unique_ptr<int> own; int* words; };
template <typename T> struct Counter { std::shared_ptr<T> kept; volatile cuda::atomic<T>* count; };
__global__ void write(Owner owner) { owner.words[threadIdx.x] = threadIdx.x; }
__global__ void add(Counter<int> counter) { counter.count->fetch_add(2, cuda::memory_order_relaxed); }
int main() {
  Owner owner{std::make_shared<int>(3), std::make_unique<int>(4)};
  cudaMallocManaged(&owner.words, 33 * sizeof(int));
  auto* count = new (owner.words + 32) cuda::atomic<int>(1);
  Counter<int> counter{owner.shared, count};
  add<<<1, 32>>>(counter);
  int* words = owner.words;
  write<<<1, 32>>>(std::move(owner));
  cudaDeviceSynchronize();
  *counter.count = *counter.count + 1;
  printf("%d %d %ld\\n", words[31], counter.count->load(), counter.kept.use_count());
}`;
  expect((await textReport(text)).stdout).toBe('31 66 1\n');
});

it("the sanitizer knows the orders and scopes of our libcu++'s atomics", async () => {
  const text = (order: string, scope: string) =>
    `#include <cuda/atomic>
__global__ void k(int* p) {
  cuda::atomic_ref<int, cuda::thread_scope_SCOPE> flag(p[1]);
  if (blockIdx.x == 0) p[0] = 7, flag.store(1, cuda::memory_order_ORDER);
  else if (flag.load(cuda::memory_order_ORDER) == 1) p[2] = p[0];
}
int main() { int* p; cudaMalloc(&p, 12); cudaMemset(p, 0, 12); k<<<2, 1>>>(p); return cudaDeviceSynchronize(); }`
      .replaceAll('ORDER', order)
      .replace('SCOPE', scope);
  const races = async (order: string, scope: string) => (await textReport(text(order, scope), { sanitize: {} })).findings;
  expect(await races('seq_cst', 'device')).toEqual([]);
  expect(await races('relaxed', 'device')).toMatchObject([{ check: 'race', message: expect.stringContaining('read and write') }]);
  const found = await races('seq_cst', 'block');
  expect(found?.[0]).toMatchObject({ check: 'race', message: expect.stringContaining('one block') });
});

/** Registers and errors are those of an H200 (driver 580.159.04, 2026-11-23); the rest is as the CUDA C++ Programming Guide says. */
const CLUSTERS = [
  'cudaSuccess, cudaSuccess',
  '1032 1043 1020 1885 | 2032 2043 2020 2693 | 3032 3043 3020 3757 | 32 43 20 821 | 5032 5043 5020 5885 | 6032 6043 6020 6693 | 7032 7043 7020 7757 | 4032 4043 4020 4821 | ',
  '1056 clusters of 8 at most; cudaSuccess, cudaSuccess',
  '0 bins wrong',
  '704 clusters of 8 at most; cudaSuccess, cudaSuccess',
  '0 6 0 0 3 2 0 3 0 4 192 0 ',
  '1 6 1 0 3 2 1 3 0 4 192 32 ',
  '5 6 2 1 3 2 5 3 0 4 192 160 ',
  '5 6 2 1 3 2 5 3 3 4 192 160 ',
  '0 1 0 0 1 1 0 3 0 2 64 0 0 1 0 0 1 1 0 3 1 2 64 0 ',
  '-1 clusters of 8 at most; cudaErrorInvalidClusterSize, cudaSuccess',
  '-1 clusters of 8 at most; cudaErrorInvalidClusterSize, cudaSuccess',
  '-1 clusters of 8 at most; cudaErrorInvalidClusterSize, cudaSuccess',
  '-1 clusters of 8 at most; cudaErrorInvalidClusterSize, cudaSuccess',
  'cudaErrorInvalidClusterSize, cudaSuccess',
  '264 clusters of 16 at most; cudaSuccess, cudaSuccess',
  '1 4 1 1',
  '2112 clusters of 8 at most; cudaSuccess, cudaSuccess',
  '10031 10031 30031',
  '2112 clusters of 8 at most; cudaSuccess, cudaSuccess',
  '2112 clusters of 8 at most; cudaSuccess, cudaSuccess',
  '2112 clusters of 8 at most; cudaSuccess, cudaSuccess',
  '1056 clusters of 8 at most; cudaSuccess, cudaSuccess',
  '10031',
  'cudaSuccess, cudaSuccess',
  '1032 32',
  '2112 clusters of 8 at most; cudaSuccess, cudaSuccess',
  '2112 clusters of 8 at most; cudaSuccess, cudaSuccess',
  '2 2 1',
  '2112 clusters of 8 at most; cudaSuccess, cudaErrorIllegalAddress',
];

describe('clusters', () => {
  it.each(['compiler', 'interpreter'] as const)('reach each other and meet, on the %s', async (engine) => {
    const { stdout, faults, kernels } = await reportOf(fixture('clusters.cu'), { engine });
    expect(stdout.trimEnd().split('\n')).toEqual(CLUSTERS);
    expect(faults).toMatchObject([
      { line: 66, message: expect.stringContaining('of block 1 of the cluster: the cluster has no such block, or it has ended') },
    ]);
    expect(kernels).toHaveLength(15);
  });

  it('are ordered by their barrier, for the sanitizer', async () => {
    const text = `#include <cooperative_groups.h>
__global__ void __cluster_dims__(2) k(int* out) {
  __shared__ int s[32];
  auto c = cooperative_groups::this_cluster();
  int* other = c.map_shared_rank(s, c.block_rank() ^ 1);
  other[threadIdx.x] = threadIdx.x;
  c.sync();
  out[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];
  SYNC
  other[31 - threadIdx.x] = 1;
  c.sync();
}
int main() { int* p; cudaMalloc(&p, 256); k<<<2, 32>>>(p); return cudaDeviceSynchronize(); }`;
    const report = (sync: string) => textReport(text.replace('SYNC', sync), { sanitize: {} });
    expect((await report('c.sync();')).findings).toEqual([]);
    expect((await report('')).findings).toMatchObject([{ check: 'race', message: expect.stringContaining('put cluster.sync() there') }]);
  });
});

it('a value that lane 0 alone has may be given to a shuffle by all', async () => {
  const text = `#include <cstdio>
#include <cooperative_groups.h>
__global__ void reserve(int* count, int* out) {
  auto group = cooperative_groups::coalesced_threads();
  int mine = __popc(group.ballot(threadIdx.x % 3 == 0)), first;
  if ((threadIdx.x & 31) == 0) if (mine > 0) first = atomicAdd(count, mine);
  out[threadIdx.x] = group.shfl(first, 0);
}
int main() {
  int* p;
  cudaMallocManaged(&p, 1024);
  reserve<<<1, 64>>>(p, p + 1);
  cudaDeviceSynchronize();
  printf("%d %d %d %d", p[0], p[1], p[32], p[64]);
}`;
  expect((await textReport(text)).stdout).toBe('22 0 0 11');
});

describe('functions of a warp without a mask', () => {
  const text = `#include <cstdio>
__global__ void k(int* p) {
  int lane = threadIdx.x, sum = lane;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor(sum, step);
  p[lane] = sum + __shfl(lane, 5) + __shfl_up(lane, 1) + __shfl_down(lane, 2) + __popc(__ballot(lane > 3)) + __any(lane == 9) + __all(lane < 32);
}
int main() {
  int* p;
  cudaMallocManaged(&p, 128);
  k<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  printf("%d %d", p[0], p[31]);
}`;

  it('compile where the settings name a CUDA before 9', async () => {
    const { stdout } = await textReport(text, { defines: definesOfCudaVersion('8.0') });
    expect(stdout).toBe(`${496 + 5 + 0 + 2 + 28 + 2} ${496 + 5 + 30 + 31 + 28 + 2}`);
  });

  it('are one error, with what to do, elsewhere', async () => {
    expect(definesOfCudaVersion('12.8')).toEqual([]);
    const result = await simulate(fixture('from-text.cu'), { text });
    const errors = result.kind === 'compile-error' ? result.diagnostics.filter(({ severity }) => severity === 'error') : [];
    expect(errors.map(({ message }) => message)).toEqual([
      `the simulator does not support functions of a warp without a mask, which CUDA 9 replaced ('__shfl_xor'): write __shfl_xor_sync(0xffffffff, …), or set "cudaVersion": "8.0" in lanewise.json`,
    ]);
  });
});

describe('cuFFT', () => {
  it('gives the sums that define the transforms, and is named in the report', async () => {
    const { stdout, notes } = await reportOf(fixture('cufft.cu'));
    expect(stdout).toBe('52 checks, 0 failures, no error\n');
    expect(notes?.[0]).toMatch(/^cuFFT: library, not simulated/);
  });
});

describe('cuSOLVER, the cuBLAS without handles, and NVML', () => {
  it('agree with plain loops, and are named in the report', async () => {
    const { stdout, notes } = await reportOf(fixture('cusolver.cu'));
    expect(stdout).toMatch(/^\d+ checks, 0 failures, no error\n$/);
    expect(notes?.slice(0, 2)).toEqual([
      expect.stringMatching(/^cuSOLVER: library, not simulated/),
      expect.stringMatching(/^cuBLAS: library, not simulated/),
    ]);
  });
});

describe('cuSPARSE', () => {
  it('agrees with plain loops, and is named in the report', async () => {
    const { stdout, notes } = await reportOf(fixture('cusparse.cu'));
    expect(stdout).toBe('28 checks, 0 failures, CUSPARSE_STATUS_SUCCESS, no error\n');
    expect(notes).toEqual([expect.stringMatching(/^cuSPARSE: library, not simulated/)]);
  });
});

describe('libraries of plain C++ files', () => {
  it('compile there, with the half precision that they include', async () => {
    const { stdout } = await reportOf(fixture('library-host.cpp'));
    expect(stdout).toBe('half 0.5, product 14\n');
  });
});

describe('texture and surface references', () => {
  it('compile where the settings name a CUDA before 12', async () => {
    const text = `#include <cstdio>
texture<float, 1, cudaReadModeElementType> linear;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> normalised;
texture<float4, cudaTextureType2D> pitched;
texture<int2> whole;
surface<void, 2> image;
__global__ void k(float* out) {
  int i = threadIdx.x, x = i % 4, y = i / 4;
  out[i] = tex1Dfetch(linear, i) + tex2D(normalised, x, y) + tex2D(pitched, 1.5f, 0.5f).z + tex1Dfetch(whole, 2).y;
  float v;
  surf2Dread(&v, image, x * 4, y);
  surf2Dwrite(v + 1, image, x * 4, y);
}
int main() {
  float h[16], *d, *out;
  unsigned char bytes[16];
  for (int i = 0; i < 16; i++) h[i] = i, bytes[i] = 17 * i;
  cudaMalloc(&d, 64);
  cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice);
  size_t offset, pitch;
  int failed = cudaBindTexture(&offset, linear, d, 64) + offset;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>(), floats = cudaCreateChannelDesc<float>();
  cudaArray *array, *surface;
  cudaMallocArray(&array, &format, 4, 4);
  cudaMemcpyToArray(array, 0, 0, bytes, 16, cudaMemcpyHostToDevice);
  normalised.filterMode = cudaFilterModePoint;
  failed += cudaBindTextureToArray(normalised, array, format);
  float4 rows[8] = {{}, {0, 0, 100, 0}}, *p;
  cudaMallocPitch(&p, &pitch, 64, 2);
  cudaMemcpy2D(p, pitch, rows, 64, 64, 2, cudaMemcpyHostToDevice);
  failed += cudaBindTexture2D(NULL, pitched, p, cudaCreateChannelDesc<float4>(), 4, 2, pitch);
  int2 pairs[8] = {{0, 0}, {1, 1}, {2, 1000}}, *q;
  cudaMalloc(&q, 64);
  cudaMemcpy(q, pairs, 64, cudaMemcpyHostToDevice);
  failed += cudaBindTexture(0, whole, q);
  cudaMallocArray(&surface, &floats, 4, 4, cudaArraySurfaceLoadStore);
  cudaMemcpy2DToArray(surface, 0, 0, h, 16, 16, 4, cudaMemcpyHostToDevice);
  failed += cudaBindSurfaceToArray(image, surface);
  cudaMallocManaged(&out, 64);
  k<<<1, 16>>>(out);
  failed += cudaDeviceSynchronize();
  cudaMemcpy2DFromArray(h, 16, surface, 0, 0, 16, 4, cudaMemcpyDeviceToHost);
  failed += cudaUnbindTexture(linear);
  printf("%d failed: %g %g %g, %g %g", failed, out[0], out[3], out[15], h[0], h[15]);
  k<<<1, 16>>>(out);
  printf(", %s", cudaGetErrorName(cudaDeviceSynchronize()));
}`;
    const expected = '0 failed: 1100 1103.2 1116, 1 16, cudaErrorIllegalAddress';
    for (const engine of ['compiler', 'interpreter'] as const) {
      const { stdout } = await textReport(text, { engine, defines: definesOfCudaVersion('11.8') });
      expect(stdout).toBe(expected);
    }
  });
});

describe('Thrust', () => {
  it("gives what NVIDIA's gives on the host", async () => {
    const { stdout, kernels, notes = [] } = await reportOf(fixture('thrust.cu'), { engine: 'interpreter' });
    expect(stdout).toBe(readFileSync(fixture('thrust.stdout'), 'utf8'));
    expect(kernels.filter(({ kernel, library }) => (library === 'Thrust/CUB') !== kernel.includes('thrust::detail::for_each'))).toEqual([]);
    expect(notes.filter((note) => note.startsWith("kernels of Thrust/CUB are those of Lanewise's headers"))).toHaveLength(1);
  });
});

describe('lanes that part in every turn of a loop and meet behind it', () => {
  it('wait for each other, as many as there are', async () => {
    const { stdout, faults, exit } = await textReport(`#include <cstdio>
__global__ void last(const int* keys, const int* values, int* out, size_t n, size_t each) {
  size_t p = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t k = p * each, end = k + each < n ? k + each : n;
  int sum = values[k];
  bool again = k > 0;
  while (++k < end) {
    if (keys[k - 1] == keys[k]) { sum = sum + values[k]; continue; }
    sum = values[k];
    again = true;
  }
  out[p] = sum + 1000 * again;
}
int main() {
  int *keys, *values, *out, wrong = 0;
  cudaMallocManaged(&keys, 2048 * sizeof(int));
  cudaMallocManaged(&values, 2048 * sizeof(int));
  cudaMallocManaged(&out, 32 * sizeof(int));
  for (int k = 0; k < 2048; k++) keys[k] = k / 37, values[k] = 1;
  last<<<1, 32>>>(keys, values, out, 2048, 64);
  cudaDeviceSynchronize();
  for (int t = 0; t < 32; t++) {
    int sum = 1, again = t > 0;
    for (int k = t * 64 + 1; k < t * 64 + 64; k++) {
      if (keys[k - 1] == keys[k]) sum++;
      else sum = 1, again = 1;
    }
    wrong += out[t] != sum + 1000 * again;
  }
  printf("%d wrong\\n", wrong);
}`);
    expect({ stdout, faults, exit }).toEqual({ stdout: '0 wrong\n', faults: [], exit: 0 });
  });
});

describe('words that are read as another type', () => {
  it('are what was stored there, as with nvcc', async () => {
    const { stdout } = await textReport(`#include <cstdio>
__global__ void sum(unsigned* out, int n) {
  unsigned words[4] = {};
  for (int i = 0; i < n; ++i) words[i] = __float_as_uint(1.5f * (threadIdx.x + i));
  float total = 0;
  for (int i = 0; i < 4; ++i) total += ((const float*)words)[i];
  out[threadIdx.x] = __float_as_uint(total);
}
__global__ void both(int* a, float* b) { *a = 1; *b = 2.0f; a[1] = *a; }
int main() {
  unsigned* out;
  cudaMallocManaged(&out, 128);
  sum<<<1, 32>>>(out, 4);
  cudaDeviceSynchronize();
  unsigned third = out[3];
  both<<<1, 1>>>((int*)out, (float*)out);
  cudaDeviceSynchronize();
  printf("%x %x\\n", third, out[1]);
}`);
    expect(stdout).toBe('41d80000 40000000\n');
  });
});

describe('lambdas of main', () => {
  it('are arguments of kernels, with and without arguments of main', async () => {
    const { stdout } = await textReport(`#include <cstdio>
template <class F> __global__ void each(unsigned* o, F f) { o[threadIdx.x] = f(threadIdx.x); }
template <class F> unsigned run(F f) {
  unsigned *d, h[32];
  cudaMalloc(&d, sizeof h);
  each<<<1, 32>>>(d, f);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  return cudaGetLastError() == cudaSuccess ? h[31] : 0;
}
int main(int argc, char** argv) {
  unsigned more = argc;
  printf("%u %u\\n", run([] __device__(unsigned i) { return i * 3; }), run([=] __device__(unsigned i) { return i + more; }));
}`);
    expect(stdout).toBe('93 32\n');
  });
});

describe('tensor cores', () => {
  // Negative factors have bits that name some lanes only, as a mask would; and what a search has not found yet is chosen from, not read.
  it('accuse nobody: neither for their factors nor for a nearest hit that is kept', async () => {
    const report = await textReport(
      `#include <mma.h>
#include <cstdio>
#include <cub/cub.cuh>
using namespace nvcuda;
template <int ITEMS, cub::BlockLoadAlgorithm L, cub::BlockStoreAlgorithm S> __global__ void tiles(int* v) {
  typedef cub::BlockLoad<int, 128, ITEMS, L> Load;
  typedef cub::BlockStore<int, 128, ITEMS, S> Store;
  __shared__ union { typename Load::TempStorage load; typename Store::TempStorage store; } shared;
  int items[ITEMS];
  Load(shared.load).Load(v, items);
  for (int k = 0; k < ITEMS; k++) items[k] = items[k] == threadIdx.x * ITEMS + k ? items[k] + 1 : -1;
  __syncthreads();
  Store(shared.store).Store(v, items);
}
template <int ITEMS, cub::BlockLoadAlgorithm L, cub::BlockStoreAlgorithm S> int moved(int* v) {
  int right = 0;
  for (int i = 0; i < 128 * ITEMS; i++) v[i] = i;
  tiles<ITEMS, L, S><<<1, 128>>>(v);
  cudaDeviceSynchronize();
  for (int i = 0; i < 128 * ITEMS; i++) right += v[i] == i + 1;
  return right;
}
struct Hit { float t; float p[3]; int id; };
__device__ bool hits(int k, float far, Hit& hit) {
  float t = k * 7 % 5 + threadIdx.x * 0.1f;
  if (t < far) { hit.t = t; for (int i = 0; i < 3; i++) hit.p[i] = t * i; hit.id = k; return true; }
  return false;
}
__device__ bool (*chosen)(int, float, Hit&) = hits;
__global__ void nearest(float* out, int n) {
  Hit now; float far = 3.0f; bool any = false;
  for (int k = 1; k < n; k++) if (chosen(k, far, now)) { any = true; far = now.t; }
  out[threadIdx.x] = any ? far : -1.0f;
}
__global__ void multiply(const half* a, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, a + 256, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
int main() {
  half* a; float* c;
  cudaMallocManaged(&a, 1024); cudaMallocManaged(&c, 4096);
  for (int i = 0; i < 512; i++) a[i] = __float2half(i % 256 % 9 - 4.0f);
  multiply<<<1, 32>>>(a, c);
  cudaDeviceSynchronize();
  float first = c[1];
  nearest<<<1, 32>>>(c, 6);
  cudaDeviceSynchronize();
  printf("%g %.1f ", first, c[0]);
  int* v = (int*)c;
  printf("%d ", moved<4, cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_VECTORIZE>(v));
  printf("%d ", moved<8, cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>(v));
  printf("%d", moved<6, cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_TRANSPOSE>(v));
}`,
      { sanitize: {} },
    );
    expect({ findings: report.findings, stdout: report.stdout }).toEqual({ findings: [], stdout: '-17 0.0 512 1024 768' });
    // Two halves or floats, a line of each block of the matrix; and what CUB's transpositions are for.
    const counts = report.kernels.map(({ metrics }) =>
      ['ld', 'st'].map((op) => ['requests', 'sectors'].map((what) => metrics[`l1tex__t_${what}_pipe_lsu_mem_global_op_${op}.sum`])),
    );
    expect(counts).toEqual([
      [[8, 64], [4, 32]],
      [[5, 5], [1, 4]],
      [[16, 64], [4, 64]],
      [[32, 128], [32, 128]],
      [[12, 288], [24, 96]],
    ]); // biome-ignore format: table
  });

  it('multiply what fragments hold, by wmma and mma.sync', async () => {
    const { stdout } = await onBothEngines('mma.cu');
    expect(stdout).toBe('2560 checks, 0 failures, no error\n');
  });

  it('multiply what lies in shared memory for a warpgroup, where tensor maps have put it', async () => {
    const { stdout } = await onBothEngines('warpgroup.cu');
    expect(stdout).toMatch(/^\d+ checks, 0 failures, no error\n$/);
  });
});

describe('CUB', () => {
  it('agrees with loops on the host', async () => {
    const { stdout, notes = [] } = await onBothEngines('cub.cu');
    expect(stdout).toBe('0 failures, no error\n');
    expect(notes.filter((note) => note.startsWith('CUB in kernels: the code is that of Lanewise'))).toHaveLength(1);
    expect(notes.filter((note) => note.startsWith('cuRAND'))).toEqual([]);
  });

  it('sorts, selects, scans and merges arrays as loops do', async () => {
    expect((await onBothEngines('cub-arrays.cu')).stdout).toBe('0 failures, no error\n');
  }, 180_000);

  it('sorts, exchanges and scans items of blocks and warps as loops do', async () => {
    expect((await onBothEngines('cub-blocks.cu')).stdout).toBe('0 failures, no error\n');
  }, 180_000);
});

describe('numbers of 4 and 6 bits', () => {
  it("are NVIDIA's, on the host and in kernels", async () => {
    expect((await onBothEngines('tiny-floats.cu')).stdout).toBe(readFileSync(fixture('tiny-floats.stdout'), 'utf8'));
  }, 120_000);
});

describe('cuRAND', () => {
  it("gives NVIDIA's numbers, in kernels and from the host", async () => {
    const { stdout, notes } = await onBothEngines('curand.cu');
    expect(stdout.split('\n')).toEqual(readFileSync(fixture('curand.stdout'), 'utf8').split('\n'));
    expect(notes).toEqual([
      expect.stringMatching(/^cuRAND: library, not simulated/),
      expect.stringMatching(
        /^cuRAND in kernels: the code is that of Lanewise's headers; that of a CUDA toolkit's cuRAND can have other counters/,
      ),
    ]);
  }, 180_000);
});

describe('Mersenne Twisters of cuRAND', () => {
  it("give an H200's numbers in kernels", async () => {
    expect((await onBothEngines('curand-mtgp32.cu')).stdout).toBe(readFileSync(fixture('curand-mtgp32.stdout'), 'utf8'));
  }, 180_000);

  it("give an H200's numbers, and its errors, from the host", async () => {
    const { stdout, exit } = await reportOf(fixture('curand-twisters.cu'));
    expect({ stdout, exit }).toEqual({ stdout: readFileSync(fixture('curand-twisters.stdout'), 'utf8'), exit: 0 });
  }, 120_000);
});

describe('Poisson numbers of cuRAND', () => {
  it("are NVIDIA's, of every generator of the host", async () => {
    const { stdout, exit } = await reportOf(fixture('curand-poisson.cu'));
    expect({ stdout, exit }).toEqual({ stdout: readFileSync(fixture('curand-poisson.stdout'), 'utf8'), exit: 0 });
  }, 120_000);
});

describe('Sobol sequences of cuRAND', () => {
  it("are NVIDIA's, from the host and in kernels", async () => {
    const { stdout, exit } = await reportOf(fixture('curand-sobol.cu'));
    expect({ stdout, exit }).toEqual({ stdout: readFileSync(fixture('curand-sobol.stdout'), 'utf8'), exit: 0 });
  });

  it('end a kernel that starts one of a dimension that is left out', async () => {
    const { stdout, faults } = await textReport(`#include <curand_kernel.h>
#include <curand.h>
__global__ void start(curandDirectionVectors32_t* v) { curandStateSobol32_t s; curand_init(*v, 0, &s); }
int main() {
  curandDirectionVectors32_t *v, *d;
  curandGetDirectionVectors32(&v, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
  cudaMalloc(&d, sizeof *d);
  cudaMemcpy(d, v + 300, sizeof *d, cudaMemcpyHostToDevice);
  start<<<1, 1>>>(d);
  cudaDeviceSynchronize();
}`);
    expect(stdout).toMatch(/^cuRAND in the simulator has Sobol's direction vectors for the first 257 dimensions/);
    expect(faults).toMatchObject([{ kind: 'trap' }]);
  });
});

describe('cuBLAS', () => {
  it('agrees with plain loops, and the report says that nothing was simulated', async () => {
    const { stdout, notes, kernels } = await reportOf(fixture('cublas.cu'));
    expect(stdout).toBe('76 checks, 0 failures\n');
    expect(kernels).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/^cuBLAS: library, not simulated/)]);
  });

  it('is not named where nothing but a handle was made', async () => {
    const { exit, notes } = await textReport(`#include <cublas_v2.h>
int main() { cublasHandle_t handle; return cublasCreate(&handle) || cublasDestroy(handle); }`);
    expect(exit).toBe(0);
    expect(notes ?? []).toEqual([]);
  });
});

describe('cuBLASLt', () => {
  it('agrees with plain loops in what follows a product, orders, batches and types', async () => {
    const { stdout, notes } = await reportOf(fixture('cublaslt.cu'));
    expect(stdout).toMatch(/^\d+ checks, 0 failures, no error\n$/);
    expect(notes).toEqual([expect.stringMatching(/^cuBLASLt: library, not simulated/)]);
  });
});

describe("nvcc's options for floating-point arithmetic", () => {
  const text = `#include <cstdio>
#include <cstring>
__global__ void k(const float* in, unsigned* out) {
  float a = in[0], b = in[1], c = in[2], small = in[3];
  float results[] = {a * b + c, __fadd_rn(__fmul_rn(b, b), c), small * 0.5f, small + small, expf(in[4]), in[5] < 0 ? 1.0f : 0.0f};
  for (int k = 0; k < 6; ++k) out[k] = __float_as_uint(results[k]);
}
int main() {
  float numbers[] = {1 + 0x1p-23f, 1 + 0x1p-22f, -1, 0x1p-126f, 60, -0x1p-140f}, *in;
  unsigned *out, bits[6];
  cudaMalloc(&in, sizeof numbers);
  cudaMalloc(&out, sizeof bits);
  cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(in, out);
  cudaMemcpy(bits, out, sizeof bits, cudaMemcpyDeviceToHost);
  for (unsigned b : bits) printf("%x ", b);
}`;

  it.each([
    [['-fmad=true'], '34c00001 35000000 400000 1000000 6abcede5 3f800000 '],
    [['-fmad=false'], '34c00000 35000000 400000 1000000 6abcede5 3f800000 '],
    [['--ftz=true'], '34c00001 35000000 0 1000000 6abcede5 0 '],
    [['-use_fast_math', '-ftz=false'], '34c00001 35000000 400000 1000000 6abcedc7 3f800000 '],
  ])('%j', async (options, expected) => {
    const { floats } = optionsOf(['k.cu', ...options]).request;
    for (const engine of ENGINE_NAMES) expect((await textReport(text, { floats, engine })).stdout).toBe(expected);
  });
});
