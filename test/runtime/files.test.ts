/** Programs of several source files: each file's device code by itself, hosts linked, names as the user gave them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { reportOf, simulate } from './simulation.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-files-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
  releaseClang();
});

function source(name: string, text: string): string {
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

// Four files are compiled in two threads, three passes of them without precompiled headers.
vi.setConfig({ testTimeout: 180_000 });

const names = [{ folder: folder + sep, given: '../project/' }];

source(
  'src/shared.h',
  `#pragma once
#ifdef __CUDACC__
inline __device__ int twice(int x) { return 2 * x; }
inline __global__ void both(int* p) { *p = twice(21); }
inline const char* header() { return __FILE__; }
#endif
int first();
int second();
`,
);
/** A file with a static kernel, a static variable, and an inline kernel that other files have, too. */
function unit(name: string, start: number, fn: string): string {
  return source(
    name,
    `#include "shared.h"
#include <cstdio>
static __device__ int counter = ${start};
static __global__ void kernel(int* p) { *p = counter++; }
int ${fn}() {
  int *p, own, common;
  cudaMalloc(&p, 4);
  kernel<<<1, 1>>>(p);
  cudaMemcpy(&own, p, 4, cudaMemcpyDeviceToHost);
  both<<<1, 1>>>(p);
  cudaMemcpy(&common, p, 4, cudaMemcpyDeviceToHost);
  cudaFree(p);
  printf("%s %s %d\\n", __FILE__, header(), common);
  return own;
}
`,
  );
}
const first = unit('src/first.cu', 5, 'first');
const second = unit('src/second.cu', 70, 'second');
const main = source(
  'main.cpp',
  `#include <cstdio>
#include <cuda_runtime.h>
#include "src/shared.h"
#ifdef __CUDACC__
#error "this is no CUDA file"
#endif
extern "C" int plain(int);
int main(int, char** argv) {
  float* p = nullptr;
  cudaDeviceProp properties;
  if (cudaMalloc(&p, 400) != cudaSuccess || cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
  const int a = first(), b = second(), c = first();
  printf("%s %d %d %d %d %s\\n", argv[0], a, b, c, plain(4), properties.name);
}
`,
);
const plain = source('plain.c', 'int plain(int class) { return class + 1; }\n');

describe('a program of several files', () => {
  it('has static device symbols per file, one host program, and files without device code', async () => {
    const report = await reportOf(main, { others: [first, plain, second], names });
    expect(report.stdout.split('\n')).toEqual([
      '../project/src/first.cu ../project/src/shared.h 42',
      '../project/src/second.cu ../project/src/shared.h 42',
      '../project/src/first.cu ../project/src/shared.h 42',
      'main 5 70 6 5 NVIDIA H200',
      '',
    ]);
    expect(report.program).toBe('main.cpp');
    expect(report.kernels.map(({ kernel }) => kernel)).toEqual(new Array(3).fill(['kernel(int *)', 'both(int *)']).flat());
    expect(Object.keys(report.lines['kernel(int *)'])).toEqual(['first.cu:4', 'second.cu:4']);
  });

  it('may have its main function anywhere', async () => {
    const result = await simulate(first, { others: [second] });
    expect(result).toMatchObject({ kind: 'refused', message: expect.stringMatching(/^no main function/) });
  });

  it('is told which files define a kernel twice', async () => {
    const text = '__global__ void same(int* p) { *p = 1; }\n';
    const others = [source('one.cu', text), source('two.cu', text)];
    const result = await simulate(source('host.cpp', 'int main() {}\n'), { others, names });
    if (result.kind !== 'compile-error') throw new Error(result.kind);
    expect(result.diagnostics.map(({ file, message }) => ({ file, message }))).toEqual([
      {
        file: others[1],
        message:
          'the kernel same(int*) is defined in ../project/one.cu and in ../project/two.cu: make it static, or define it in only one of them',
      },
    ]);
  });

  it('is told which host function no file defines', async () => {
    const report = await reportOf(main, { others: [first, plain] });
    expect(report.faults.map(({ message }) => message)).toEqual(['the program calls second(), which none of its files defines']);
  });

  it('has its device code linked where one file uses what another defines', async () => {
    const own = 'static __device__ int own(int x) { return x + OWN; }\n';
    const tables = source(
      'tables.cu',
      `#define OWN 100
${own}__constant__ int scale = 3;
__device__ int table[4] = {1, 2, 3, 4};
__device__ int scaled(int x) { return own(x * scale); }
__global__ void second(int* out) { out[4 + threadIdx.x] = scaled(table[threadIdx.x]); }
`,
    );
    const user = source(
      'user.cu',
      `#include <cstdio>
#define OWN 1
${own}extern __constant__ int scale;
extern __device__ int table[4];
__device__ int scaled(int x);
__global__ void second(int* out);
__global__ void first(int* out) { out[threadIdx.x] = scaled(threadIdx.x) + own(table[threadIdx.x]) + scale; }
int main() {
  int *out, four = 4, host[4];
  cudaMallocManaged(&out, 32);
  cudaMemcpyToSymbol(scale, &four, 4);
  first<<<1, 4>>>(out);
  second<<<1, 4>>>(out);
  cudaMemcpyFromSymbol(host, table, 16);
  for (int k = 0; k < 8; k++) printf("%d ", out[k]);
  printf("%d %s", host[3], cudaGetErrorName(cudaDeviceSynchronize()));
}
`,
    );
    const report = await reportOf(user, { others: [tables], names });
    expect(report.stdout).toBe('106 111 116 121 104 108 112 116 4 cudaSuccess');
    expect(Object.keys(report.lines)).toEqual(['first(int *)', 'second(int *)']);
    expect(Object.keys(report.lines['second(int *)']).sort()).toEqual(['tables.cu:2', 'tables.cu:5', 'tables.cu:6']);
  });

  it('is told which device code none of its files defines', async () => {
    const text = 'extern __device__ int far;\n__device__ int f(int);\n__global__ void k() {\n  far = f(1);\n}\nint main() {}\n';
    const result = await simulate(source('extern.cu', text));
    if (result.kind !== 'compile-error') throw new Error(result.kind);
    const rest = "is not defined in any of the program's files: add the file that defines it to the command, or define it here";
    expect(result.diagnostics.map(({ line, message }) => `${line} ${message}`).sort()).toEqual([
      `4 the device function f(int) ${rest}`,
      `4 the device variable far ${rest}`,
    ]);
  });

  it('is refused when a file is given twice or is not there', async () => {
    expect(await simulate(main, { others: [main] })).toEqual({ kind: 'refused', message: `${main} is given twice` });
    const absent = join(folder, 'absent.cu');
    expect(await simulate(main, { others: [absent] })).toEqual({ kind: 'refused', message: `${absent}: no such file` });
  });
});

describe('a C file', () => {
  it('has the runtime API, vector types and complex numbers, and may be as GCC takes it', async () => {
    const kernel = source('scale.cu', `__global__ void times(float* d, float by) { d[threadIdx.x] *= by; }
extern "C" void scale(float* d, int n, float by) { times<<<1, n>>>(d, by); }
`); // biome-ignore format: as it is
    const file = source('scale.c', `#include <cuda_runtime.h>
#include <cuda.h>
#include <cuComplex.h>
#include <stdio.h>
void scale(float* d, int n, float by);
int main(void) {
  int class = 3;
  struct cudaDeviceProp properties;
  float h[4] = {1, 2, 3, 4}, *d;
  cudaStream_t stream;
  cudaGetDeviceProperties(&properties, 0);
  cudaStreamCreate(&stream);
  cudaMalloc((void**)&d, sizeof h);
  cudaMemcpyAsync(d, h, sizeof h, cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
  scale(d, 4, class);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  float4 v = make_float4(5, 6, 7, 8);
  dim3 grid = {1, 2, 3};
  cudaLaunchConfig_t config = {grid, grid, 0, stream};
  cuDoubleComplex z = cuCmul(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, 4));
  typeof(h[0]) last = h[3];
  printf("%d %g %g %u %g %g\\n", properties.major, last, v.w, config.gridDim.z, cuCreal(z), cuCimag(z));
  implicit(cudaFree((void*)1));
  return 0;
}
implicit(int error) { return puts(cudaGetErrorString((cudaError_t)error)); }
`); // biome-ignore format: as it is
    expect((await reportOf(file, { others: [kernel] })).stdout).toBe('9 12 8 3 -5 10\ninvalid argument\n');
  });

  it('is told where a header is C++ here', async () => {
    const result = await simulate(source('library.c', '#include <cublas_v2.h>\nint main(void) { return 0; }\n'));
    if (result.kind !== 'compile-error') throw new Error(result.kind);
    expect(result.diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining('this CUDA header is C++ in the simulator')]);
  });
});

it('a fault names its file as the user would', async () => {
  source('src/kernel.h', '__global__ void store(int* p) {\n  *p = 1;\n}\n');
  const file = source('fault.cu', '#include "src/kernel.h"\nint main() { store<<<1, 1>>>(nullptr); return cudaDeviceSynchronize(); }\n');
  expect((await reportOf(file)).faults).toMatchObject([{ file: 'src/kernel.h', line: 2 }]);
  expect((await reportOf(file, { names })).faults).toMatchObject([{ file: '../project/src/kernel.h', line: 2 }]);
  expect((await reportOf(file, { names: [...names, { folder: join(folder, 'src') + sep, given: 'S/' }] })).faults).toMatchObject([
    { file: 'S/kernel.h', line: 2 },
  ]);
});
