/** Threads that run programs: started ahead, used once, and none left over. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { threads } from '#platform';
import { keepProgramThread, releaseProgramThread } from '../../simulator/program-threads.ts';
import { startSimulation } from '../../simulator/simulate.ts';
import { releaseClang } from '../../simulator/toolchain/clang-pool.ts';
import { request } from './simulation.ts';

const folder = mkdtempSync(join(tmpdir(), 'lanewise-threads-'));
const start = vi.spyOn(threads, 'start');
const started = () => start.mock.calls.filter(([bundle]) => bundle === 'program-worker.mjs').length;

beforeAll(() => {
  writeFileSync(join(folder, 'two.cu'), '#include <cstdio>\nint main() { printf("2\\n"); }\n');
  writeFileSync(join(folder, 'wrong.cu'), 'int main() { return none; }\n');
});
afterEach(() => {
  releaseProgramThread();
  start.mockClear();
});
afterAll(() => {
  releaseClang();
  rmSync(folder, { recursive: true });
});

const run = (name: string) => startSimulation(request(join(folder, name)), {});
type Started = ReturnType<typeof threads.start>;

/** Notes when the thread that was started last ends. */
function noteEnd(name: string, ended: string[]): void {
  (start.mock.results.at(-1)!.value as Started).listen({ ended: () => void ended.push(name) });
}

describe('threads of programs', { timeout: 60_000 }, () => {
  it('one that is kept runs the next program, and that one only', async () => {
    keepProgramThread(50_000);
    keepProgramThread(50_000);
    expect(started()).toBe(1);
    expect(await run('two.cu').result).toMatchObject({ kind: 'finished', report: { stdout: '2\n' } });
    expect(started()).toBe(1);
    expect(await run('two.cu').result).toMatchObject({ kind: 'finished', report: { stdout: '2\n' } });
    expect(started()).toBe(2);
  });

  it('one that could not start is not used', async () => {
    start.mockImplementationOnce((_bundle, options) => threads.start('none.mjs', options));
    keepProgramThread(50_000);
    await vi.waitFor(() => expect(started()).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await run('two.cu').result).toMatchObject({ kind: 'finished' });
  });

  it('one ends with a program that does not compile, or is cancelled before', async () => {
    const ended: string[] = [];
    const wrong = run('wrong.cu');
    noteEnd('wrong', ended);
    expect(await wrong.result).toMatchObject({ kind: 'compile-error' });
    const cancelled = run('two.cu');
    noteEnd('cancelled', ended);
    cancelled.cancel();
    expect(await cancelled.result).toMatchObject({ kind: 'cancelled' });
    // A thread winds up after its result is told, so either may be the first that is gone.
    await expect.poll(() => ended.toSorted(), { timeout: 10_000 }).toEqual(['cancelled', 'wrong']);
  });

  it('one that nobody needs ends after its time', async () => {
    const ended: string[] = [];
    keepProgramThread(300);
    noteEnd('kept', ended);
    await expect.poll(() => ended, { timeout: 10_000 }).toEqual(['kept']);
  });
});
