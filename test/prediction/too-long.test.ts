/** A way through a kernel that is too long for the stack costs that kernel's prediction, and no other's. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { KernelShape } from '../../protocol/compiled.ts';
import { predictFile } from '../../simulator/predict-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-too-long-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Goes down and up a stack of its own: where each lane goes on hangs on what it has chosen. */
const TEXT = `__global__ void deep(int *v, int n) {
  unsigned taken[17], open[17];
  unsigned all = (1u << n) - 1u;
  int level = 1, found = 0;
  taken[1] = 1u << threadIdx.x % n;
  open[1] = all & ~taken[1];
  while (level >= 1) {
    if (open[level] == 0) { level--; continue; }
    unsigned bit = open[level] & (0u - open[level]);
    open[level] &= ~bit;
    if (level == n - 1) { found++; continue; }
    taken[level + 1] = taken[level] | bit;
    level++;
    open[level] = all & ~taken[level];
  }
  v[threadIdx.x] = found;
}
__global__ void spread(float *v, int n) { v[threadIdx.x * 8] = 1; }
`;

it('leaves that kernel out, and says which', async () => {
  const file = join(folder, 'deep.cu');
  writeFileSync(file, TEXT);
  const shape = (kernel: string): KernelShape => {
    return { id: kernel, kernel, templateArgs: [], block: [32, 1, 1], grid: [1, 1, 1], args: [{ align: 256 }, undefined] };
  };
  const result = await predictFile({ file, includeDirs: [], defines: [], shapes: [shape('deep'), shape('spread')] });
  if (result.kind !== 'predicted') throw new Error(JSON.stringify(result));
  expect(result.tooLong).toEqual(['deep']);
  expect(result.kernels.find(({ id }) => id === 'spread')!.sites[0].means!.sectors).toBe(32);
  expect(result.kernels.find(({ id }) => id === 'deep')!.sites.every(({ means }) => means === undefined)).toBe(true);
});
