/** `lanewise check --compile`: what the compiled device code adds to findings, and takes away. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../protocol/finding.ts';
import type { Report } from '../../protocol/report.ts';
import { repository } from '../runtime/simulation.ts';

interface Checked {
  readonly path: string;
  readonly findings: readonly Finding[];
  readonly notCompiled?: string;
  readonly unclear?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'lanewise-check-compile-'));

/** The text does not follow what lanes get from each other. */
const PROGRAM = `#include <cuda_runtime.h>
#define REVERSED(value) __shfl_sync(0xffffffff, value, 31 - threadIdx.x)
__global__ void spread(float *v) {
  v[REVERSED(threadIdx.x * 8)] = 1;
}

__global__ void merged(const float2 *in, float *out) {
  int i = threadIdx.x;
  out[i] = in[i].x + in[i].y;
}
__global__ void strided(const float *in, float *out, int stride) {
  out[threadIdx.x] = in[threadIdx.x * stride];
}
__global__ void tree(int *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 1; step < n; step *= 2) {
    if (i % (2 * step) == 0) data[i] += data[i + step];
    __syncthreads();
  }
}
__global__ void table(float *v) {
  const float weights[256] = {${Array.from({ length: 256 }, (_, i) => i).join(', ')}};
  v[threadIdx.x] = weights[(threadIdx.x * 17) & 255];
}
// lanewise: allow(uncoalesced-access) on purpose
__global__ void allowed(float *v) { v[REVERSED(threadIdx.x * 8)] = 1; }
__global__ void before(const float *v, float *out, int n) {
  float sum = v[REVERSED(threadIdx.x * 8)];
  for (int k = 0; k < n; k++) sum += sinf(v[k * 32 + threadIdx.x]);
  out[threadIdx.x] = sum;
}
__global__ void once(const float *__restrict__ in, float *__restrict__ out, int width) {
  for (int k = 0; k < 16; k += 16) {
    out[threadIdx.x * width + k] = in[threadIdx.x + k * width];
  }
}
int main() {
  float *v;
  cudaMalloc(&v, 1 << 20);
  spread<<<1, 32>>>(v);
  before<<<1, 32>>>(v, v, 100);
  allowed<<<1, 32>>>(v);
  merged<<<1, 256>>>((float2 *)v, v);
  strided<<<1, 256>>>(v, v, 2);
  once<<<1, 256>>>(v, v, 64);
  tree<<<1, 128>>>((int *)v, 128);
  table<<<1, 256>>>(v);
  return 0;
}
`;

/** What the compiler knows of branches, and code of a header that comes with CUDA. */
const MORE = `#include <cuda_runtime.h>
#include <curand_kernel.h>
__global__ void border(const float *in, float *out) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  if (x > 0 && y > 0 && x < 63 && y < 63)
    for (int k = -1; k <= 1; k++) sum += sinf(in[(y + k) * 64 + x - 1]) * cosf(in[(y + k) * 64 + x + 1]);
  out[y * 64 + x] = sum;
  out[4096 + y * 64 + x] = 2 * sum;
}
struct Best {
  double v;
  long long at;
};
__device__ bool better(const Best &a, const Best &b) { return a.v < b.v || (a.v == b.v && a.at < b.at); }
__global__ void best(const Best *in, Best *out) {
  __shared__ Best s[128];
  int t = threadIdx.x;
  s[t] = in[t];
  for (int d = 64; d > 0; d /= 2) {
    __syncthreads();
    if (t < d && better(s[t + d], s[t])) s[t] = s[t + d];
  }
  if (t == 0) out[0] = s[0];
}
__global__ void steps(short *a) {
  __shared__ short s[64];
  int p = threadIdx.x;
  s[p] = a[p];
  for (int r = 0; r < 64; r++) {
    __syncthreads();
    if (p % 2 == r % 2 && p + 1 < 64 && s[p] > s[p + 1]) {
      short t = s[p];
      s[p] = s[p + 1];
      s[p + 1] = t;
    }
  }
  __syncthreads();
  a[p] = s[p];
}
__global__ void library(curandState *states) { curand_init(1, threadIdx.x, 0, &states[threadIdx.x]); }
__global__ void draw(curandState *states, float *out) {
  curandState own = states[threadIdx.x];
  for (int k = 0; k < 8; k++) out[k * 64 + threadIdx.x] = curand_uniform(&own);
  states[threadIdx.x] = own;
}
__global__ void inner(const float *in, float *out) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.x == 0 || threadIdx.x == 31) return;
  out[i] = in[i - 1] + in[i + 1];
}
__global__ void bits(const unsigned long long *in, int *out) {
  unsigned long long x = in[threadIdx.x];
  char count;
  for (count = 0; x; count++) x &= x - 1;
  out[threadIdx.x] = count;
}
int main() {
  float *v;
  cudaMalloc(&v, 1 << 20);
  inner<<<64, 32>>>(v, v);
  border<<<dim3(2, 8), dim3(32, 8)>>>(v, v);
  best<<<1, 128>>>((Best *)v, (Best *)v);
  steps<<<1, 64>>>((short *)v);
  library<<<1, 64>>>((curandState *)v);
  draw<<<1, 64>>>((curandState *)v, v);
  return 0;
}
`;

/** Its sizes are what nobody gives on the command line, or nobody's. */
const ARGUMENTS = `#include <cstdlib>
#include <cuda_runtime.h>
__global__ void rows(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= width || y >= height) return;
  float v = in[y * width + x];
  out[y * width + x] = 2 * v;
}
__global__ void fill(float *v, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v[i] = sinf(v[i]);
}
__global__ void alone(float *v, const int *to) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = v[i];
  if (threadIdx.x % 32 == 5)
    for (int k = 0; k < to[0]; k++) sum += sqrtf(sum);
  if (threadIdx.x % 32 == 7)
    for (int k = 0; k < to[1]; k++) sum += sqrtf(sum);
  v[i] = sum;
}
__global__ void shifted(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
}
int main(int argc, char **argv) {
  int width = argc > 1 ? atoi(argv[1]) : 1001, height = 64;
  float *in, *out;
  cudaMalloc(&in, 1 << 20);
  cudaMalloc(&out, 1 << 20);
  rows<<<dim3((width + 31) / 32, 8), dim3(32, 8)>>>(in, out, width, height);
  fill<<<4, 128>>>(out, width);
  alone<<<4, 128>>>(out, (int *)in);
  shifted<<<4, 128>>>(in, out);
  return 0;
}
`;
const USAGE = ARGUMENTS.replace('argc > 1 ? atoi(argv[1]) : 1001', 'atoi(argv[1])').replace(
  '  int width',
  '  if (argc != 2) return 1;\n  int width',
);

/** Where lanes part and the text does not show it, and where they do not although it looks so. */
const PARTING = `#include <cstdlib>
#include <cuda_runtime.h>
__global__ void scaled(const float *in, float *out, float width) {
  int i = threadIdx.x;
  out[i] = (float)i / width;
  out[i + 32] = in[i] / width;
}
__global__ void ofRow(const float *in, float *out, int n) {
  float sum = 0;
  for (int k = threadIdx.x; k < n; k += blockDim.x) sum += sinf(in[blockIdx.x * n + k]);
  for (int k = threadIdx.x; k < n % 1000; k += blockDim.x) sum += cosf(in[blockIdx.x * n + k]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void ofWarps(const float *in, float *out, int n) {
  float sum = 0;
  for (int k = threadIdx.x; k < n % 1000 * 32; k += blockDim.x) sum += sinf(in[blockIdx.x * n + k]);
  n = (n % 1000 + 31) / 32 * 32;
  for (int j = threadIdx.x; j < n; j += blockDim.x) sum += cosf(in[blockIdx.x * n + j]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void shifted(const float *in, float *out, int n) {
  float sum = 0;
  for (int k = threadIdx.x + 5; k < n % 1000; k += blockDim.x) sum += sinf(in[blockIdx.x * n + k]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void waits(clock_t ticks) {
  unsigned start = (unsigned)clock();
  clock_t passed = 0;
  while (passed < ticks) {
    unsigned now = (unsigned)clock();
    passed = (clock_t)(now - start);
  }
}
__global__ void bins(const unsigned char *in, int n, unsigned *sums) {
  __shared__ unsigned own[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) own[b] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&own[in[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    if (own[b]) atomicAdd(&sums[b], own[b]);
}
__global__ void rule(const unsigned char *in, unsigned char *out, int w) {
  int i = threadIdx.x + 32, n = 0;
  for (int d = -1; d <= 1; d++) n += in[i + d] + in[i + d + w];
  out[i] = (n == 3 || (n == 2 && in[i + 2 * w])) ? 1 : 0;
}
int main(int argc, char **argv) {
  if (argc != 2) return 1;
  int n = atoi(argv[1]);
  float *v;
  cudaMalloc(&v, 1 << 20);
  scaled<<<1, 32>>>(v, v, n);
  ofRow<<<8, 128>>>(v, v, n);
  ofWarps<<<8, 128>>>(v, v, n);
  shifted<<<8, 128>>>(v, v, n);
  waits<<<1, 32>>>(1000);
  bins<<<1, 256>>>((unsigned char *)v, n, (unsigned *)v);
  rule<<<1, 32>>>((unsigned char *)v, (unsigned char *)v, n);
  return 0;
}
`;

/** A header whose launches are in a part of a program, beside the one that has the main function. */
const LAUNCHED = `__global__ void swapped(float *v) { v[__shfl_sync(0xffffffff, threadIdx.x * 8, 31 - threadIdx.x)] = 1; }
`;
const LAUNCHES = `#include "launched.cuh"
void launch(float *v) { swapped<<<1, 32>>>(v); }
`;

/** A library's accesses, and blocks that do not agree on what a request costs. */
const TILE = `#include <cuda_runtime.h>
#include <mma.h>
using namespace nvcuda;
__global__ void tile(const half *a, const half *b, half *c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> fc;
  wmma::fill_fragment(fc, 0.f);
  wmma::load_matrix_sync(fa, a, 64);
  wmma::load_matrix_sync(fb, b, 64);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 64, wmma::mem_row_major);
}
__global__ void clamped(const unsigned char *in, unsigned char *out, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= w || y >= h) return;
  unsigned char before = in[y * w + (x > 0 ? x - 1 : 0)];
  out[y * w + x] = before;
}
int main() { half *v; cudaMalloc(&v, 1 << 20); tile<<<1, 32>>>(v, v, v);
  clamped<<<dim3(17, 601), dim3(32, 8)>>>((unsigned char *)v, (unsigned char *)v, 517, 4801);
  return 0;
}
`;

/** A loop whose rounds the compiler writes out, in which a branch of few instructions is predicated, and one that it does not. */
const LEVELS = `__global__ void levels(const int *in, long long *out) {
  __shared__ long long s[128];
  s[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    if (threadIdx.x % (2 * step) == 0) s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
struct Four { float a, b, c, d; };
__global__ void kept(const Four *in, float *out) {
  __shared__ Four s[100];
  int t = threadIdx.x;
  while (t < 100) {
    s[t] = in[t];
    t += 64;
  }
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x].a + s[99 - threadIdx.x].b;
}
__global__ void turns(const int *in, int *out, int n) {
  int sum = 0;
  for (int k = 1; k < n; k++) sum += in[k] % (n - k);
  out[threadIdx.x] = sum;
}
__global__ void cells(const int *in, int *out, int n, int width) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int x = i % width;
    int y = i / width;
    out[y * 64 + x] = in[i];
  }
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 65536);
  cudaMalloc(&out, 65536);
  cells<<<1, 256>>>(in, out, 256, 16);
  levels<<<64, 128>>>(in, (long long *)out);
  kept<<<1, 64>>>((Four *)in, (float *)out);
  turns<<<1, 32>>>(in, out, 10000);
  return 0;
}
`;

/** The text does not follow what lanes get from each other. */
const USED = `__global__ void reversed(float *v) { v[__shfl_sync(0xffffffff, threadIdx.x * 8, 31 - threadIdx.x)] = 1; }
`;
const USER = `#include <cuda_runtime.h>
#include "used.cuh"
int main() {
  unsigned char *v;
  cudaMalloc(&v, 1 << 20);
  reversed<<<1, 32>>>((float *)v);
  return 0;
}
`;

const UNCLOSED = `__global__ void half(float *v) {
  if (threadIdx.x < 4) {
    v[threadIdx.x] = 1;

int main() { return 0; }
`;

function checked(...args: string[]): Map<string, Checked> {
  const command = [join(repository, 'dist', 'cli.mjs'), 'check', '--format', 'json', ...args];
  const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return new Map((JSON.parse(stdout) as Checked[]).map((file) => [file.path, file]));
}

/** Lines, from 1, and messages of a rule's findings. */
function said(file: Checked | undefined, rule: string): (readonly [line: number, message: string])[] {
  return (file?.findings ?? []).filter((f) => f.rule === rule).map((f) => [f.range.start.line + 1, f.message] as const);
}

/** Alone it lacks its element type, and says nothing of its blocks. */
const PART = `__global__ void columns(const element* in, element* out, int n) {
  out[threadIdx.y * n + blockIdx.x] = in[threadIdx.y * n + blockIdx.x];
}
`;
const WHOLE = `typedef float element;
#include "part.cu"
int main() {
  element *in, *out;
  cudaMalloc(&in, 4096 * 32);
  cudaMalloc(&out, 4096 * 32);
  columns<<<32, dim3(1, 32)>>>(in, out, 1024);
  return cudaDeviceSynchronize();
}
`;

/** Places that the text does not follow, or not in full. */
const PLACES = `#include <cuda_runtime.h>
#define REVERSED(value) __shfl_sync(0xffffffff, value, 31 - threadIdx.x)
__global__ void some(const float *in, float *v) {
  int to = REVERSED(threadIdx.x * 8);
  if (in[threadIdx.x] > 0)
    v[to] = 1;
}
__global__ void three(float *v) {
  int to = REVERSED(threadIdx.x * 8);
  if (threadIdx.x >= 29) v[to] = 1;
}
__constant__ double fixed[256];
__device__ double few[4];
__global__ void lookup(const unsigned *in, const double *table, double *out, int n) {
  unsigned word = in[threadIdx.x];
  const unsigned char *bytes = (const unsigned char *)&word;
  double sum = table[bytes[0]];
  sum += fixed[bytes[1]] + few[bytes[1] & 3];
  out[threadIdx.x] = sum + table[bytes[2]];
}
__global__ void apart(float *out, int n) {
  out[threadIdx.x * n]
    // A line of its own.
    = 1;
}
__global__ void lastPair(const unsigned *v, unsigned *out, int rows, int n) {
  const unsigned *own = v + 2 * threadIdx.x;
  int p = 2 * rows * n - 2 * n;
  out[threadIdx.x] = own[p] | own[p + 1];
}
__global__ void from(float *v, int start) {
  int to = REVERSED(threadIdx.x * 2);
  v[to + start] = 2;
}
__global__ void upToEnd(float *v, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  int to = REVERSED(i * 8);
  if (i < n) v[to] = 3;
}
__global__ void first(float *v, int n) {
  int to = REVERSED(threadIdx.x * 8);
  if (threadIdx.x < n) v[to] = 4;
}
struct Quad { float x, y, z, w; };
__global__ void quads(const Quad *in, Quad *out, int n) {
  int i = REVERSED(threadIdx.x);
  out[i] = in[i];
}
__global__ void halves(const float *in, float *out) {
  int m = __brev(__brev(threadIdx.x) >> 1);
  float first = in[m];
  float second = in[m + 1];
  out[threadIdx.x] = first * second;
}
__global__ void everyOther(float *v) {
  if (REVERSED(threadIdx.x) & 1) v[REVERSED(threadIdx.x) & 31] *= 2;
}
void run(float *v, int n) {
  quads<<<8, 32>>>((Quad *)v, (Quad *)v + 32, n);
  halves<<<1, 32>>>(v, v + 64);
  everyOther<<<8, 32>>>(v);
  first<<<8, 32>>>(v, n);
  from<<<1, 32>>>(v, n);
  lastPair<<<1, 64>>>((unsigned *)v, (unsigned *)v, n, n);
  upToEnd<<<8, 32>>>(v, n);
}
int main(int argc, char **argv) {
  float *v;
  cudaMalloc(&v, 1 << 20);
  some<<<1, 32>>>(v, v);
  three<<<1, 32>>>(v);
  lookup<<<1, 32>>>((unsigned *)v, (double *)v, (double *)v, argc);
  apart<<<1, 32>>>(v, argc);
  return 0;
}
`;

/** Without its Makefile nobody knows what it is made of. */
const MADE = `#include "element.h"
#include <cuda_runtime.h>
__global__ void spread(ELEMENT *v) { v[__shfl_sync(0xffffffff, threadIdx.x * APART, 31 - threadIdx.x)] = 1; }
int main() {
  ELEMENT *v;
  cudaMalloc(&v, 1 << 20);
  spread<<<1, 32>>>(v);
  return 0;
}
`;

describe('check --compile', () => {
  let text: Map<string, Checked>;
  let compiled: Map<string, Checked>;

  beforeAll(() => {
    writeFileSync(join(folder, 'program.cu'), PROGRAM);
    writeFileSync(join(folder, 'more.cu'), MORE);
    writeFileSync(join(folder, 'levels.cu'), LEVELS);
    writeFileSync(join(folder, 'arguments.cu'), ARGUMENTS);
    writeFileSync(join(folder, 'usage.cu'), USAGE);
    writeFileSync(join(folder, 'tile.cu'), TILE);
    writeFileSync(join(folder, 'parting.cu'), PARTING);
    writeFileSync(join(folder, 'launched.cuh'), LAUNCHED);
    writeFileSync(join(folder, 'launches.cu'), LAUNCHES);
    writeFileSync(join(folder, 'broken.cu'), '__global__ void spread(float* v) { v[threadIdx.x * 32] = 1.0f; missing(); }\n');
    writeFileSync(join(folder, 'other.h'), '\n__device__ int wrong() { return absent; }\n');
    writeFileSync(join(folder, 'includes.cu'), '#include "other.h"\n__global__ void f(int* v) { v[0] = wrong(); }\n');
    writeFileSync(join(folder, 'header.cuh'), '__global__ void spread(float* v) { v[threadIdx.x * 32] = 1.0f; }\n');
    writeFileSync(join(folder, 'used.cuh'), USED);
    writeFileSync(join(folder, 'user.cu'), USER);
    writeFileSync(join(folder, 'part.cu'), PART);
    writeFileSync(join(folder, 'whole.cu'), WHOLE);
    writeFileSync(join(folder, 'unclosed.cu'), UNCLOSED);
    writeFileSync(join(folder, 'texture.cu'), 'texture<float, 1> t;\n__global__ void f(float* v) { v[threadIdx.x] = 1; }\n');
    writeFileSync(join(folder, 'heads.cu'), '#ifdef A\nvoid f(int a,\n#else\nvoid f(long a,\n#endif\n  int b) { }\n');
    writeFileSync(join(folder, 'places.cu'), PLACES);
    mkdirSync(join(folder, 'made'));
    mkdirSync(join(folder, 'common'));
    writeFileSync(join(folder, 'common/element.h'), '#define ELEMENT float\n');
    writeFileSync(join(folder, 'made/Makefile'), 'CFLAGS = -I../common -DAPART=8\n');
    writeFileSync(join(folder, 'made/program.cu'), MADE);
    text = checked('.');
    compiled = checked('.', '--compile');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('accesses that the text does not show are found, with the number that a run counts', () => {
    const findings = said(compiled.get('program.cu'), 'uncoalesced-access');
    expect(said(text.get('program.cu'), 'uncoalesced-access').some(([line]) => line === 4)).toBe(false);
    expect(findings).toContainEqual([4, expect.stringContaining('32 sectors per request instead of 4')]);
    expect(findings).toContainEqual([12, expect.stringContaining('8 sectors per request instead of 4')]);
  });

  it('what lanes waste at least is told where the start alone is unknown, and at most where data says which of them take part', () => {
    const findings = compiled.get('places.cu')!.findings.filter(({ rule }) => rule === 'uncoalesced-access');
    const at = (part: string) => {
      const line = PLACES.split('\n').findIndex((each) => each.includes(part));
      return findings.filter(({ range }) => range.start.line === line).map(({ severity, message }) => [severity, message]);
    };
    expect(at('    v[to] = 1')).toEqual([['hint', expect.stringContaining('up to 32 sectors per request instead of 4')]]);
    expect(at('>= 29')).toEqual([[expect.any(String), expect.stringContaining('touch 3 sectors per request instead of 1')]]);
    expect(at('to + start')).toEqual([['warning', expect.stringContaining('at least 8 sectors per request instead of 4')]]);
    expect(new Set(at('own[p] | own[p + 1]').map(([, message]) => message.replace(/;.*/, '')))).toEqual(
      new Set(['each thread moves its own 8 consecutive bytes in pieces of 4: at least 8 sectors per request instead of 4']),
    );
    expect(at('threadIdx.x < n')).toEqual([['warning', expect.stringContaining('up to 32 sectors per request instead of 4')]]);
    expect(at('  if (i < n)')).toEqual([['warning', expect.stringContaining('touch 32 sectors per request instead of 4')]]);
  });

  it('what each thread could move at once is told by the bytes, and lanes with others between them by a hint', () => {
    const findings = compiled.get('places.cu')!.findings.filter(({ rule }) => rule === 'uncoalesced-access');
    const lineOf = (part: string) => PLACES.split('\n').findIndex((each) => each.includes(part));
    const at = (part: string) => findings.find(({ range }) => range.start.line === lineOf(part));
    expect(at('out[i] = in[i]')?.message).toContain('its own 16 consecutive bytes in pieces of 4');
    expect(at('out[i] = in[i]')?.message).toContain('16 sectors per request instead of 4');
    // The text takes it for 32 sectors.
    expect(at('first = in[m]')?.message).toMatch(/in pieces of 4: 8 sectors per request instead of 4; .* \(`float2`\)/);
    expect(at('everyOther')).toBeUndefined();
    expect(at('& 1) v[')).toMatchObject({ severity: 'hint', message: expect.stringContaining('others between them do not') });
  });

  it('a loaded index that the text has lost is told, for the first place of each array', () => {
    const line = PLACES.split('\n').findIndex((each) => each.includes('sum = table[')) + 1;
    const at = (file: Checked | undefined) => said(file, 'uncoalesced-access').filter(([where]) => where >= line && where <= line + 2);
    expect(at(text.get('places.cu'))).toEqual([]);
    expect(at(compiled.get('places.cu'))).toEqual([
      [
        line,
        expect.stringContaining(
          'loaded data says where each lane goes in `table`: up to 32 sectors per request, where neighbouring elements take 8',
        ),
      ],
    ]);
    const [found] = compiled.get('places.cu')!.findings.filter(({ range }) => range.start.line + 1 === line);
    expect(found.severity).toBe('hint');
    expect(found.related.map(({ range }) => range.start.line + 1)).toEqual([line + 2]);
  });

  it('a store whose sign is on another line stays a finding', () => {
    const line = PLACES.split('\n').findIndex((each) => each.includes('out[threadIdx.x * n]')) + 1;
    expect(said(compiled.get('places.cu'), 'uncoalesced-access')).toContainEqual([line, expect.stringContaining('n × 4 bytes apart')]);
  });

  it('a Makefile says what a program is compiled with, and so do options', () => {
    const program = compiled.get('made/program.cu');
    const spread = [3, expect.stringContaining('32 sectors per request instead of 4')];
    expect(program?.notCompiled).toBeUndefined();
    expect(said(program, 'uncoalesced-access')).toContainEqual(spread);
    writeFileSync(join(folder, 'alone.cu'), MADE);
    const alone = checked('alone.cu');
    expect(alone.get('alone.cu')?.notCompiled).toContain("'element.h' file not found");
    expect(said(checked('alone.cu', '-I', 'common', '-D', 'APART=8').get('alone.cu'), 'uncoalesced-access')).toContainEqual(spread);
    rmSync(join(folder, 'alone.cu'));
  });

  it('a loop that counts bits, which compilers know, is no loop that lanes leave', () => {
    const line = MORE.split('\n').findIndex((each) => each.includes('x &= x - 1')) + 1;
    expect(said(compiled.get('more.cu'), 'divergent-loop').map(([at]) => at)).not.toContain(line);
  });

  it('an access whose line the compiler has lost stays a finding', () => {
    const line = PROGRAM.split('\n').findIndex((each) => each.includes('width + k] =')) + 1;
    expect(said(compiled.get('program.cu'), 'uncoalesced-access').map(([at]) => at)).toContain(line);
  });

  it('a loop whose rounds are written out divides by constants, and has no branch around a sum of 64 bits', () => {
    const file = compiled.get('levels.cu');
    expect(JSON.stringify(text.get('levels.cu'))).toContain('run-time value `(2 * step)`');
    expect(JSON.stringify(file)).not.toMatch(/run-time value `\(2 \* step\)`|one side/);
    const division = expect.stringContaining('GPUs have no integer division');
    // A remainder is what the quotient, which is needed as well, leaves.
    expect(said(text.get('levels.cu'), 'slow-integer-division')).toContainEqual([29, division]);
    expect(said(file, 'slow-integer-division')).toEqual([
      [24, division],
      [30, division],
    ]);
  });

  it('structures that are stored whole into shared memory have no conflict, whatever is loaded in their line', () => {
    const line = LEVELS.split('\n').findIndex((each) => each.includes('s[t] = in[t]')) + 1;
    expect(said(text.get('levels.cu'), 'bank-conflict').map(([at]) => at)).not.toContain(line);
    expect(said(compiled.get('levels.cu'), 'bank-conflict').map(([at]) => at)).not.toContain(line);
  });

  it('what is done once beside a loop is a hint', () => {
    const [once] = compiled
      .get('program.cu')!
      .findings.filter(({ rule, range }) => rule === 'uncoalesced-access' && range.start.line === 27);
    expect(once).toMatchObject({ severity: 'hint', message: expect.stringContaining('32 sectors per request instead of 4') });
  });

  it('a branch that the compiler keeps is no finding beside the one about its condition', () => {
    const program = compiled.get('program.cu');
    expect(said(program, 'divergent-branch').some(([line]) => line === 17)).toBe(false);
    const [tree] = program!.findings.filter(({ rule }) => rule === 'modulo-indexing');
    expect(tree.related.some(({ folded }) => folded?.rule === 'divergent-branch')).toBe(true);
  });

  it('a local table is local, and no access to global memory', () => {
    const program = compiled.get('program.cu');
    expect(said(program, 'local-array-index').map(([line]) => line)).toEqual([22]);
    expect(said(program, 'uncoalesced-access').some(([line]) => line === 23)).toBe(false);
  });

  it('what is merged into one access is no finding', () => {
    expect(said(compiled.get('program.cu'), 'uncoalesced-access').some(([line]) => line === 9)).toBe(false);
  });

  it('a border of the data is told by the share of warps that hold it', () => {
    const border = [6, expect.stringContaining('tells the border of the data apart, in 97 % of executions')];
    expect(said(compiled.get('more.cu'), 'divergent-branch')).toContainEqual(border);
  });

  it('comparisons of data that the compiler keeps as branches are hints', () => {
    const chain = [15, expect.stringContaining('its right-hand side is too expensive to evaluate in all lanes')];
    expect(said(text.get('more.cu'), 'divergent-branch')).not.toContainEqual(chain);
    expect(said(compiled.get('more.cu'), 'divergent-branch')).toContainEqual(chain);
  });

  it('lanes that leave at once part from nobody', () => {
    expect(said(compiled.get('more.cu'), 'divergent-branch').some(([line]) => line === 49)).toBe(false);
  });

  it('a term that thread indices decide is told beside data', () => {
    const term = [32, expect.stringContaining('16 of 32 lanes on one side')];
    expect(said(compiled.get('more.cu'), 'divergent-branch')).toContainEqual(term);
  });

  it('sizes that the command line may give are those of a program without arguments, and the finding says so', () => {
    const rows = [
      6,
      expect.stringMatching(/most rows begin in the middle of a sector: 4\.79 .* \(as the program runs without arguments\)/),
    ];
    const rounds = [10, expect.stringMatching(/leave this loop in different rounds \(as the program runs without arguments\)/)];
    expect(said(compiled.get('arguments.cu'), 'uncoalesced-access')).toContainEqual(rows);
    expect(said(compiled.get('arguments.cu'), 'divergent-loop')).toContainEqual(rounds);
    // One that ends without arguments says nothing of its sizes.
    expect(JSON.stringify(compiled.get('usage.cu'))).not.toContain('without arguments');
    expect(said(compiled.get('usage.cu'), 'divergent-loop')).toEqual([]);
  });

  it('what not all blocks agree on is said of those that were looked at', () => {
    const rows = [17, expect.stringMatching(/most rows begin in the middle of a sector: about 1\.\d+ sectors per request instead of 1/)];
    expect(said(compiled.get('tile.cu'), 'uncoalesced-access')).toContainEqual(rows);
  });

  it('rows that begin inside of sectors are a warning where they cost nearly twice as many', () => {
    const severities = (name: string) =>
      compiled
        .get(name)!
        .findings.filter(({ message }) => message.includes('most rows begin'))
        .map((f) => f.severity);
    expect(severities('tile.cu')).toEqual(['warning']);
    expect(severities('arguments.cu')).toEqual(['hint']);
  });

  it('what a run will count as divergent and costs little is one hint for each kernel', () => {
    const [counted, ...others] = compiled.get('arguments.cu')!.findings.filter(({ rule }) => rule === 'divergent-branch');
    expect(others).toEqual([]);
    expect(counted).toMatchObject({
      severity: 'hint',
      message: expect.stringMatching(/^lanes of a warp part here in all warps that come here,/),
    });
    expect([counted, ...counted.related].map(({ range }) => range.start.line + 1)).toEqual([15, 17]);
  });

  const lineOf = (part: string) => PARTING.split('\n').findIndex((each) => each.includes(part)) + 1;
  const parting = (rule: string, part: string) => said(compiled.get('parting.cu'), rule).filter(([line]) => line === lineOf(part));

  it('a division by which some lanes divide zero is told, and no other', () => {
    const inside = expect.stringMatching(/^lanes of a warp part inside of this operation:/);
    expect(parting('divergent-branch', '(float)i / width')).toEqual([[expect.any(Number), inside]]);
    expect(parting('divergent-branch', 'in[i] / width')).toEqual([]);
  });

  it('the last round of a block over what a division leaves is told', () => {
    const rest = expect.stringMatching(/^unless the number of elements is a multiple of 32, one warp goes on/);
    expect(parting('divergent-loop', 'k < n % 1000; k')).toEqual([[expect.any(Number), rest]]);
  });

  it('of a size that is given, which is mostly a multiple of 32, nothing is told', () => {
    expect(parting('divergent-loop', 'k < n; k += blockDim.x')).toEqual([]);
  });

  it('nothing is told of a row that is a multiple of 32 by its form, nor where lanes begin elsewhere', () => {
    expect(parting('divergent-loop', 'k < n % 1000 * 32')).toEqual([]);
    expect(parting('divergent-loop', 'j < n')).toEqual([]);
    expect(parting('divergent-loop', 'k = threadIdx.x + 5')).toEqual([]);
  });

  it('a clock is the same for all lanes', () => {
    expect(parting('divergent-loop', 'while (passed < ticks)')).toEqual([]);
  });

  it('what skips an atomic that would add nothing is no finding after compiling, either', () => {
    const places = compiled.get('parting.cu')!.findings.flatMap(({ range, related }) => [range, ...related.map((other) => other.range)]);
    expect(places.map(({ start }) => start.line + 1)).not.toContain(lineOf('if (own[b])'));
  });

  it('a load behind && that the compiler leaves to some lanes is told', () => {
    const data = expect.stringMatching(/^lanes of a warp part here where the values that they have loaded/);
    expect(parting('divergent-branch', 'n == 2 &&')).toEqual([[expect.any(Number), data]]);
  });

  it('a request that begins inside a sector is one finding, whichever rule says it', () => {
    const there = compiled.get('arguments.cu')!.findings.filter(({ range }) => range.start.line === 22);
    expect(there.map(({ rule }) => rule)).toEqual(['misaligned-access']);
    expect(there[0].related).toMatchObject([{ message: '5 sectors per request instead of 4' }]);
  });

  it('what a library stores is not for its caller to arrange', () => {
    expect(said(compiled.get('more.cu'), 'uncoalesced-access').some(([line]) => line === 41)).toBe(false);
    expect(said(compiled.get('tile.cu'), 'uncoalesced-access').some(([line]) => line < 14)).toBe(false);
  });

  it("the state of a library's generator is a hint that says what can be done", () => {
    const there = compiled.get('more.cu')!.findings.filter(({ range }) => range.start.line === 42);
    expect(there.map(({ severity, message }) => [severity, message.split(':')[0]])).toEqual([
      ['hint', 'each lane moves a `curandState` of its own, too large for one instruction'],
    ]);
    expect(there[0].related.map(({ range }) => range.start.line)).toEqual([44]);
  });

  it('comments that suppress a rule hold for what the compiler shows', () => {
    expect(said(compiled.get('program.cu'), 'uncoalesced-access').some(([line]) => line === 26)).toBe(false);
  });

  it('a file that does not compile keeps the findings of its text, and says why', () => {
    const { findings, notCompiled } = compiled.get('broken.cu')!;
    expect(notCompiled).toContain('missing');
    expect(findings).toEqual(text.get('broken.cu')!.findings);
    expect(findings.length).toBeGreaterThan(0);
    expect(compiled.get('includes.cu')!.notCompiled).toMatch(/^other\.h, line 2: .*absent/);
  });

  it('what is missing here is called so in the words of a run', () => {
    expect(compiled.get('texture.cu')!.notCompiled).toMatch(/^line 1: the simulator does not support texture references/);
  });

  it('a program that is named is compiled without being asked for, and other files are not', () => {
    const named = checked('program.cu', 'broken.cu');
    expect(named.get('program.cu')).toEqual(compiled.get('program.cu'));
    expect(named.get('broken.cu')).toEqual(text.get('broken.cu'));
    expect(checked('program.cu', '--no-compile').get('program.cu')).toEqual(text.get('program.cu'));
  });

  it('a header is judged as the programs that include it are compiled', () => {
    const reversed = [1, expect.stringContaining('32 sectors per request instead of 4')];
    expect(said(text.get('used.cuh'), 'uncoalesced-access')).not.toContainEqual(reversed);
    expect(said(compiled.get('used.cuh'), 'uncoalesced-access')).toContainEqual(reversed);
  });

  it('a header is judged as a source that launches its kernels is compiled, wherever the main function is', () => {
    const swapped = [1, expect.stringContaining('32 sectors per request instead of 4')];
    expect(said(text.get('launched.cuh'), 'uncoalesced-access')).not.toContainEqual(swapped);
    expect(said(compiled.get('launched.cuh'), 'uncoalesced-access')).toContainEqual(swapped);
  });

  it('a source that a program includes is judged with it', () => {
    expect(compiled.get('part.cu')!.notCompiled).toBeUndefined();
    const far = [2, expect.stringContaining('4096 bytes apart: 32 sectors per request instead of 4')];
    for (const checks of [text, compiled]) expect(said(checks.get('part.cu'), 'uncoalesced-access')).toContainEqual(far);
  });

  it('a bracket that is never closed is said, by the text or by the compiler', () => {
    expect(text.get('unclosed.cu')!.unclear).toContain('line 1');
    expect(compiled.get('unclosed.cu')!.notCompiled).toContain('line 5');
    expect(text.get('program.cu')!.unclear).toBeUndefined();
    expect(text.get('heads.cu')!.unclear).toBeUndefined();
  });

  it('a header alone is judged by its text', () => {
    expect(compiled.get('header.cuh')).toEqual(text.get('header.cuh'));
  });

  it('what a request of a line takes on average is what a run of it counts', () => {
    const example = join(repository, 'examples/reduction.cu');
    const [[line, message]] = said([...checked(example, '--compile').values()][0], 'bank-conflict');
    const [, wavefronts, ideal] = /a request takes ([\d.]+) wavefronts instead of ([\d.]+) on average/.exec(message)!.map(Number);
    const json = join(folder, 'reduction.json');
    const run = spawnSync(process.execPath, [join(repository, 'dist/cli.mjs'), 'run', example, '--quiet', '--no-sanitize', '--json', json]);
    expect(run.status).toBe(0);
    const { lines } = JSON.parse(readFileSync(json, 'utf8')) as Report;
    const [counted] = Object.values(lines).flatMap((places) => places[`reduction.cu:${line}`] ?? []);
    expect(counted.sharedWavefronts).toBeGreaterThan(1000);
    expect(wavefronts / ideal).toBeCloseTo(counted.sharedWavefronts / counted.sharedWavefrontsIdeal, 1);
  });
});
