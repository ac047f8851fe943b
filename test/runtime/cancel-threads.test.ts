/** Cancelling a launch that runs on several threads: they end, their memory is free again, and the next run is right. */
import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startSimulation } from '../../simulator/simulate.ts';
import { fixture, request, textReport } from './simulation.ts';

/** Blocks of their own words, which the engine spreads over threads; a long launch unless told otherwise. */
const PROGRAM = `#include <cstdio>
#include <cstdlib>
__global__ void grow(int* words, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = words[i];
  for (int k = 0; k < rounds; k++) value = value * 5 + k;
  words[i] = value;
}
int main(int argc, char** argv) {
  const int n = 1 << 20, megabytes = 64;
  int* words;
  char* ballast;
  cudaMalloc(&ballast, megabytes << 20);
  cudaMemset(ballast, 1, megabytes << 20);
  cudaMalloc(&words, n * sizeof(int));
  cudaMemset(words, 1, n * sizeof(int));
  // The threads start at the first of these, and are there for the long launch.
  for (int k = 0; k < 60; k++) grow<<<1024, 256>>>(words, 1);
  printf("launched\\n");
  fflush(stdout);
  grow<<<n / 256, 256>>>(words, atoi(argv[1]));
  int last = 0;
  cudaMemcpy(&last, words + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\\n", last);
}`;

const TASKS = '/proc/self/task';
const threads = (): number => (existsSync(TASKS) ? readdirSync(TASKS).length : 0);

async function cancelled(): Promise<unknown> {
  const simulation = startSimulation(request(fixture('from-text.cu'), { text: PROGRAM, args: ['1000000'] }), {
    stdout: () => void wait(400).then(() => simulation.cancel()),
  });
  return simulation.result;
}

it('ends its threads, frees their memory and leaves the next run right', { timeout: 60_000 }, async () => {
  // The first run starts what the process keeps: the compiler's thread.
  expect(await cancelled()).toMatchObject({ kind: 'cancelled' });
  await wait(300);
  const before = { threads: threads(), bytes: process.memoryUsage().rss };
  for (let round = 0; round < 3; round++) expect(await cancelled()).toMatchObject({ kind: 'cancelled' });
  for (let tries = 0; threads() > before.threads && tries < 100; tries++) await wait(50);
  expect(threads()).toBeLessThanOrEqual(before.threads);
  // Each of the three had 68 MB of device memory.
  expect(process.memoryUsage().rss - before.bytes).toBeLessThan(120 * 2 ** 20);
  const report = await textReport(PROGRAM, { args: ['3'] });
  expect(report.stdout).toBe(`launched\n${expectedLast(3)}\n`);
  expect(report.faults).toEqual([]);
});

/** A word that only the second launch grows. */
function expectedLast(rounds: number): number {
  let value = 0x01010101;
  for (let k = 0; k < rounds; k++) value = (Math.imul(value, 5) + k) | 0;
  return value;
}
