/** The soak as a program: what it prints and how it exits, on a folder of two files. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from './open.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-soak-'));
const program = join(root, 'build/test/soak-test.mjs');

beforeAll(() => {
  buildSync({
    entryPoints: [join(root, 'test/analyzers/soak.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  writeFileSync(
    join(folder, 'a.cu'),
    '__global__ void f(float* v) { v[threadIdx.x * 32] = 1.0f; }\nvoid run(float* v) { f<<<1, 256>>>(v); }\n',
  );
  writeFileSync(join(folder, 'b.h'), '#pragma once\n__device__ float half(float x);\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function soak(...args: string[]): { code: number | null; out: string } {
  const { status, stdout } = spawnSync(process.execPath, [program, folder, ...args], { encoding: 'utf8' });
  return { code: status, out: stdout };
}

test('sums up what it did', () => {
  expect(soak('--cuts', '5', '--edits', '5')).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 files, each cut off at 5 places and edited 5 times: 1 findings, 0 problems'),
  });
});

test('ends a file that takes too long, and fails', () => {
  const { code, out } = soak('--seconds', '0.001');
  expect(code).toBe(1);
  expect(out).toContain('a.cu: no answer within 0.001 s');
});
