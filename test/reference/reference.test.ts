/**
 * The programs that an H200 ran (../shared/reference), with what it printed and counted (../shared/hardware). Both lie outside the
 * repository; where they are absent, the fixtures of the other tests are what there is.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../protocol/report.ts';
import { reportOf, repository } from '../runtime/simulation.ts';

const shared = join(repository, '..', 'shared');
const measured = join(shared, 'hardware', 'h200-reference.json');

interface Measured {
  readonly stdout: string;
  readonly kernels: readonly { readonly kernel: string; readonly metrics: Readonly<Record<string, number>> }[];
}

const EXACT = [
  'vector_add',
  'reduction',
  'lost_update',
  'transpose',
  'access_patterns',
  'bank_conflicts',
  'stencil',
  'scan',
  'last_block',
  'atomics',
];
const FURTHER = ['grid_sync', 'nested_reduce', 'streams', 'l2_window', 'math_kernels'];
const COUNTED = ['vector_add', 'access_patterns', 'bank_conflicts', 'transpose', 'stencil', 'scan', 'reduction'];
const COUNTERS = ['requests', 'sectors'].flatMap((what) => ['ld', 'st'].map((op) => `l1tex__t_${what}_pipe_lsu_mem_global_op_${op}.sum`));

/** `reduce` for `void reduce<int>(const T1 *)`: Nsight Compute writes template parameters where the simulator writes types. */
const baseName = (kernel: string) => kernel.replace(/^(void|int|float|double)\s+/, '').replace(/[<(].*$/s, '');

describe.skipIf(!existsSync(measured))('programs that an H200 ran', () => {
  const hardware = existsSync(measured) ? (JSON.parse(readFileSync(measured, 'utf8')) as Record<string, Measured>) : {};
  const run = (name: string, ...args: string[]) => reportOf(join(shared, 'reference', `${name}.cu`), { args });

  for (const name of [...EXACT, ...FURTHER]) {
    it(name, { timeout: 180_000 }, async () => {
      const report = await run(name);
      expect(report).toMatchObject({ stdout: hardware[name].stdout, exit: 0, faults: [] });
      if (COUNTED.includes(name)) expect(counted(report)).toEqual(counted(hardware[name]));
    });
  }

  it('divergence: its sums to 0.1', { timeout: 180_000 }, async () => {
    const numbers = (text: string) => [...text.matchAll(/sum=(\S+)/g)].map(([, sum]) => Number(sum));
    const { stdout } = await run('divergence');
    const expected = numbers(hardware.divergence.stdout);
    expect(numbers(stdout)).toHaveLength(expected.length);
    numbers(stdout).forEach((sum, version) => {
      expect(Math.abs(sum - expected[version])).toBeLessThanOrEqual(0.1);
    });
  });

  it('matmul of 64 checks itself: all versions agree', { timeout: 180_000 }, async () => {
    const { stdout, exit } = await run('matmul', '64');
    const results = [...stdout.matchAll(/version=\d n=64 (.*)/g)].map(([, result]) => result);
    expect(results).toHaveLength(4);
    expect(new Set(results).size).toBe(1);
    expect(exit).toBe(0);
  });

  it('histogram of 65536 checks itself', { timeout: 180_000 }, async () => {
    const { stdout } = await run('histogram', '65536');
    expect(stdout.match(/ ok$/gm)).toHaveLength(3);
  });
});

/** Requests and sectors of each launch. */
function counted({ kernels }: Measured | Report) {
  return kernels.map(({ kernel, metrics }) => [baseName(kernel), ...COUNTERS.map((counter) => metrics[counter])]);
}
