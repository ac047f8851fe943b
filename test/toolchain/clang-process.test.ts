/** Clang's process: it comes when needed, goes when told, and takes nothing with it when it is killed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { clangProcessId, keepClang, releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { compileProgram } from '../../simulator/toolchain/compile.ts';

// Each starts Clang's process, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 180_000 });
const patience = { timeout: 30_000 };

const folder = mkdtempSync(join(tmpdir(), 'lanewise-process-'));
afterAll(() => {
  releaseClang();
  rmSync(folder, { recursive: true });
});

const compile = () =>
  compileProgram({
    file: join(folder, 'a.cu'),
    text: '__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n',
    includeDirs: [],
    defines: [],
  });

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

it('is started anew when it was killed, and the compilation goes on', async () => {
  const compiling = compile();
  await expect.poll(clangProcessId, patience).toBeDefined();
  const killed = clangProcessId()!;
  process.kill(killed, 'SIGKILL');
  expect(await compiling).toMatchObject({ kind: 'compiled' });
  expect(clangProcessId()).not.toBe(killed);
});

it('serves one compilation after the other, and ends when it is let go', async () => {
  await compile();
  const id = clangProcessId()!;
  await compile();
  expect(clangProcessId()).toBe(id);
  releaseClang();
  expect(clangProcessId()).toBeUndefined();
  await expect.poll(() => isRunning(id), patience).toBe(false);
});

it('ends by itself when it has had no work for a while', async () => {
  await compile();
  const id = clangProcessId()!;
  keepClang(50);
  await expect.poll(() => isRunning(id), patience).toBe(false);
  expect(clangProcessId()).toBeUndefined();
});
