/** Sizes, alignments and offsets of 200 generated types are nvcc's on both sides (scripts/layouts.mjs). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { reportOf, repository } from './simulation.ts';

const fixtures = join(repository, 'test/fixtures/layouts');
const { expected } = JSON.parse(readFileSync(join(fixtures, 'expected.json'), 'utf8')) as { expected: Record<string, number> };
const questions = Object.keys(expected);

const text = `#include "types.h"
#include <cstdio>
static const unsigned long long onHost[] = {\n${questions.join(',\n')}\n};
__device__ unsigned long long onDevice[] = {\n${questions.join(',\n')}\n};
__global__ void copyAll(unsigned long long* out, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = onDevice[i];
}
int main() {
  const int count = ${questions.length};
  unsigned long long *copied, fromDevice[count];
  cudaMalloc(&copied, sizeof fromDevice);
  copyAll<<<1, 256>>>(copied, count);
  if (cudaMemcpy(fromDevice, copied, sizeof fromDevice, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  for (int i = 0; i < count; i++) printf("%llu %llu\\n", onHost[i], fromDevice[i]);
}
`;

it('are the same as with nvcc on the host and on the device', async () => {
  const report = await reportOf(join(fixtures, 'layouts.cu'), { text });
  expect(report.exit).toBe(0);
  const answers = report.stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number));
  const table = (side: number) => Object.fromEntries(questions.map((question, index) => [question, answers[index][side]]));
  expect(table(0)).toEqual(expected);
  expect(table(1)).toEqual(expected);
});
