/** `lanewise run --schedules`: what depends on the order of threads shows, and what a program orders does not. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../protocol/report.ts';
import { repository } from '../runtime/simulation.ts';

/** A block takes the next prefix that it finds, whether or not it has been written: as launched it always has. */
const LOOK_BACK = `#include <cstdio>
__global__ void scan(int* sums, volatile int* states) {
  int k = blockIdx.x - 1, sum = 0;
  sums[2 * blockIdx.x] = 1;
  __threadfence();
  states[blockIdx.x] = 1;
  if (k >= 0) {
    while (states[k] == 0) {}
    __threadfence();
    sum = sums[2 * k + 1];
  }
  sums[2 * blockIdx.x + 1] = sum + 1;
  __threadfence();
  states[blockIdx.x] = 2;
}
int main() {
  int *sums, *states;
  cudaMalloc(&sums, 64);
  cudaMalloc(&states, 32);
  cudaMemset(sums, 0, 64);
  cudaMemset(states, 0, 32);
  scan<<<4, 1>>>(sums, states);
  cudaDeviceSynchronize();
}
`;

const folder = mkdtempSync(join(tmpdir(), 'lanewise-schedules-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Blocks are ordered by nothing but __syncthreads(); in the order of blocks as launched, sums to the right come out right. */
function wholeGrid(side: 'left' | 'right', blocks: number): string {
  const add =
    side === 'left'
      ? 'if (i % (2 * stride) == 0) data[i] += data[i + stride];'
      : 'if ((i + 1) % (2 * stride) == 0) data[i] += data[i - stride];';
  return `#include <cstdio>
__global__ void reduce(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int stride = 1; stride < n; stride *= 2) {
    ${add}
    __syncthreads();
  }
}
int main() {
  const int n = 128 * ${blocks};
  static int ones[n];
  int sum, *d;
  for (int i = 0; i < n; ++i) ones[i] = 1;
  cudaMalloc(&d, sizeof ones);
  cudaMemcpy(d, ones, sizeof ones, cudaMemcpyHostToDevice);
  reduce<<<${blocks}, 128>>>(d, n);
  cudaMemcpy(&sum, d + ${side === 'left' ? '0' : 'n - 1'}, 4, cudaMemcpyDeviceToHost);
  printf("%d\\n", sum);
}
`;
}
const WHOLE_GRID = wholeGrid('right', 4);

/** Whatever comes first, some term is rounded. */
const FLOAT_SUM = `#include <cstdio>
__global__ void sum(float* out) { atomicAdd(out, 1.0f / (1 + blockIdx.x * blockDim.x + threadIdx.x)); }
int main() {
  float total, *d;
  cudaMalloc(&d, 4);
  cudaMemset(d, 0, 4);
  sum<<<8, 128>>>(d);
  cudaMemcpy(&total, d, 4, cudaMemcpyDeviceToHost);
  printf("%.8f\\n", total);
}
`;

/** Blocks that wait for later ones, a lock, and barriers of the grid. */
const WAITING = `#include <cooperative_groups.h>
#include <cstdio>
__global__ void chain(volatile int* flag, volatile int* out) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x + 1 < gridDim.x) while (flag[blockIdx.x + 1] == 0) {}
  __threadfence();
  out[blockIdx.x] = blockIdx.x + 1 < gridDim.x ? out[blockIdx.x + 1] + 1 : 1;
  __threadfence();
  flag[blockIdx.x] = 1;
}
__global__ void locked(int* lock, volatile int* count) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    *count = *count + 1;
    __threadfence();
    atomicExch(lock, 0);
    done = true;
  }
}
__global__ void mirrored(int* data, int* out) {
  auto grid = cooperative_groups::this_grid();
  int i = grid.thread_rank(), n = grid.size();
  data[i] = i;
  grid.sync();
  out[i] = data[n - 1 - i];
}
int main() {
  int *a, *b, r[3];
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMemset(a, 0, 4096);
  cudaMemset(b, 0, 4096);
  chain<<<36, 32>>>(a, b);
  cudaMemcpy(r, b, 4, cudaMemcpyDeviceToHost);
  cudaMemset(a, 0, 4096);
  cudaMemset(b, 0, 4096);
  locked<<<3, 64>>>(a, b);
  cudaMemcpy(r + 1, b, 4, cudaMemcpyDeviceToHost);
  void* args[] = {&a, &b};
  cudaLaunchCooperativeKernel((void*)mirrored, dim3(4), dim3(64), args);
  cudaMemcpy(r + 2, b + 7, 4, cudaMemcpyDeviceToHost);
  printf("%d %d %d\\n", r[0], r[1], r[2]);
}
`;

interface Ran {
  readonly code: number | null;
  readonly err: string;
  readonly report: Report;
}

function run(text: string, ...options: string[]): Ran {
  const file = join(folder, 'program.cu');
  const json = join(folder, 'report.json');
  writeFileSync(file, text);
  const command = [join(repository, 'dist', 'cli.mjs'), 'run', file, '--json', json, ...options];
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
  return { code: status, err: stderr, report: JSON.parse(readFileSync(json, 'utf8')) as Report };
}

test('a reduction over the grid prints several sums, and a race is named', () => {
  const { code, err, report } = run(WHOLE_GRID, '--schedules', '4', '-q');
  expect(report.schedules!.map(({ schedule }) => schedule)).toEqual(['as-launched', 'reversed', 'adversarial', 'random:1']);
  expect(report.schedules![0].stdout).toBe('512\n');
  expect(new Set(report.schedules!.map(({ stdout }) => stdout)).size).toBeGreaterThan(1);
  expect(report.findings!.map(({ check }) => check)).toEqual(['race']);
  expect(err).toContain('a race decides which');
  expect(code).toBe(1);
}, 180_000);

test('so does one of 256 blocks to the left', () => {
  const { report } = run(wholeGrid('left', 256), '--schedules', '3', '-q');
  expect(new Set(report.schedules!.map(({ stdout }) => stdout)).size).toBeGreaterThan(1);
  expect(report.findings!.map(({ check }) => check)).toEqual(['race']);
}, 180_000);

test('a race that only some orders show is found, with the order', () => {
  const { code, err, report } = run(LOOK_BACK, '--schedules', '2', '-q');
  expect(report.findings!.map(({ check, schedule }) => ({ check, schedule }))).toEqual([{ check: 'race', schedule: 'reversed' }]);
  expect(err).toContain('found in  the order reversed, not before');
  expect(code).toBe(1);
}, 180_000);

test('no race is said to be missing where none was looked for', () => {
  const { err, report } = run(WHOLE_GRID, '--schedules', '4', '--no-sanitize', '-q');
  expect(report.findings).toBeUndefined();
  expect(err).toContain('races were not looked for: run without --no-sanitize');
  expect(err).not.toContain('no race was found');
}, 180_000);

test('a floating-point sum of atomics depends on the order without a race', () => {
  const { code, err, report } = run(FLOAT_SUM, '--schedules', '4', '-q');
  expect(new Set(report.schedules!.map(({ stdout }) => stdout)).size).toBeGreaterThan(1);
  expect(report.findings).toEqual([]);
  expect(err).toContain('no race was found');
  expect(code).toBe(0);
}, 180_000);

test('what waits comes to its end in every order, with the same result', () => {
  const { code, err, report } = run(WAITING, '--schedules', '4', '-q');
  expect(report.schedules!.map(({ stdout, faults }) => ({ stdout, faults }))).toEqual(
    Array(4).fill({ stdout: '36 192 248\n', faults: [] }),
  );
  expect(err).toContain('4 runs, all with the same output and result');
  expect(code).toBe(0);
}, 180_000);

test('a schedule is the same each time, with its seed', () => {
  const outputs = [1, 1, 2].map((seed) => run(WHOLE_GRID, '--schedule', `random:${seed}`, '-q').report.stdout);
  expect(outputs[0]).toBe(outputs[1]);
  expect(run(WHOLE_GRID, '--schedule', 'reversed', '-q').report.stdout).not.toBe('512\n');
}, 180_000);
