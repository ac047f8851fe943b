/** What runs note of the host's calls: each of a broken program, and not of its repaired twin. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { textReport } from '../runtime/simulation.ts';

const PROGRAM = `#include <cstdio>
int main(int count, char** words) {
  const int which = count > 1 ? atoi(words[1]) : 0;
  const bool repaired = count > 2;
  int *a, *b, host[16] = {};
  cudaMalloc(&a, 64);
  cudaMalloc(&b, 64);
  if (which == 1 && !repaired) cudaFree(a);
  if (which == 2) cudaMemcpy(a, host, repaired ? 64 : 128, cudaMemcpyHostToDevice);
  if (which == 3) printf("%s\\n", cudaGetErrorName(cudaMemcpy(a, host, repaired ? 64 : 128, cudaMemcpyHostToDevice)));
  if (which == 5) return 0;
  cudaFree(a);
  if (which != 4 || repaired) cudaFree(b);
}`;

/** The program is compiled once. */
const cacheFolder = mkdtempSync(join(tmpdir(), 'lanewise-notes-'));
afterAll(() => rmSync(cacheFolder, { recursive: true, force: true }));

async function notes(which: number, ...more: string[]) {
  // A copy that fails is noted by the sanitizer alone, the rest in every run.
  return (await textReport(PROGRAM, { sanitize: which === 2 ? {} : undefined, cacheFolder, args: [String(which), ...more] })).notes ?? [];
}

describe('calls of the host', () => {
  it.each([
    [
      'a second cudaFree',
      1,
      [
        'a call failed and the program went on: cudaFree: cudaErrorInvalidValue (invalid argument) at from-text.cu:12; it never asked for the error',
      ],
    ],
    [
      'a copy that is too long',
      2,
      [
        'a call failed and the program went on: cudaMemcpy: cudaErrorInvalidValue (invalid argument) at from-text.cu:9; it never asked for the error',
      ],
    ],
    ['a failure that is printed', 3, []],
    ['one of two that is never freed', 4, ['1 of 2 allocations was never freed: cudaMalloc no. 2 (64 bytes, from-text.cu:7)']],
    ['a program that frees nothing', 5, []],
  ] as const)('%s', async (_, which, expected) => {
    expect(await notes(which)).toEqual(expected);
    expect(await notes(which, 'repaired')).toEqual([]);
  });
});

const RING = `__global__ void ring(int* data, int* flags) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int round = 0; round < 8; ++round) {
    data[i] += round;
    __threadfence();
    atomicExch(&flags[i], round);
    atomicAdd(&flags[(i * 7 + round * 13) % n], 0);
    __threadfence();
  }
}
int main() {
  int *data, *flags;
  cudaMalloc(&data, 1 << 16);
  cudaMalloc(&flags, 1 << 16);
  cudaMemset(data, 0, 1 << 16);
  cudaMemset(flags, 0, 1 << 16);
  ring<<<32, 128>>>(data, flags);
  return cudaDeviceSynchronize();
}`;

it('a launch whose threads publish more than can be remembered is looked at in part, and that is said', async () => {
  const { notes, findings } = await textReport(RING, { sanitize: undefined, cacheFolder });
  expect(findings).toBeUndefined();
  expect(notes).toEqual([
    'races and uninitialised reads were looked for in 0 of 1 executed launches as a whole, 1 in part; --sanitize (in the editor lanewise.run.sanitize) looks at everything',
  ]);
});

const MANAGED = `#include <cstdlib>
__managed__ int factor = 3;
__global__ void scale(int* data) { data[blockIdx.x * blockDim.x + threadIdx.x] *= factor; }
int main(int count, char** words) {
  int* data;
  cudaMallocManaged(&data, 1 << 20);
  for (int i = 0; i < 1 << 18; ++i) data[i] = i;
  if (count > 1) cudaMemPrefetchAsync(data, 1 << 20, 0);
  if (count > 1) cudaMemPrefetchAsync(&factor, 4, 0);
  for (int round = 0; round < 2; ++round) scale<<<1024, 256>>>(data);
  factor = 4;
  return cudaDeviceSynchronize();
}`;

describe('managed memory', () => {
  it('whose way to the device kernels wait for is noted, unless it was prefetched', async () => {
    // 300 microseconds until the first fault is served, then 9.5 bytes per nanosecond, and 60 with 50: h200-microbenchmarks.json.
    expect((await textReport(MANAGED, { sanitize: undefined, cacheFolder })).notes).toContain(
      '1 launch waits about 410 µs for 1.0 MiB of managed memory to come to the device, which the times of kernels leave out; cudaMemPrefetchAsync moves it ahead of its use, in about 81 µs',
    );
    const { notes = [] } = await textReport(MANAGED, { sanitize: undefined, cacheFolder, args: ['prefetch'] });
    expect(notes.filter((note) => note.includes('managed'))).toEqual([]);
  });

  it('of a variable is called what it is declared as', async () => {
    const { findings = [] } = await textReport(MANAGED, { sanitize: {}, cacheFolder });
    expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining('of __managed__ factor (4 bytes)')]);
  });
});
