import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixture, reportOf } from '../runtime/simulation.ts';

const program = fixture('helpers/runtime.cu');

describe('helper headers that ask for the guards of CUDA headers', () => {
  it('declare what belongs to the headers that are there', async () => {
    const report = await reportOf(program);
    expect(report).toMatchObject({ stdout: 'device 0\n1 cudaSuccess\n', exit: 0, faults: [] });
  });

  it('end the program with the name of the error', async () => {
    const report = await reportOf(program, { args: ['too much'] });
    expect(report.stderr).toMatch(/^checks:\d+: cudaMalloc\(.+\): 2 \(cudaErrorMemoryAllocation\)\n$/);
    expect(report.exit).toBe(1);
  });

  it('know the driver API where cuda.h is included before them', async () => {
    const text = `#include <cuda.h>\n${readFileSync(program, 'utf8')}`;
    expect(await reportOf(program, { text })).toMatchObject({ stdout: 'device 0\n1 cudaSuccess\nCUDA_SUCCESS\n', exit: 0 });
  });
});

describe("the helpers of NVIDIA's samples", () => {
  const samples = fixture('helpers/samples.cu');

  it('come with the simulator, and do what samples want of them', async () => {
    const workingDirectory = mkdtempSync(join(tmpdir(), 'lanewise-samples-'));
    const args = ['--quick', '--n=7', '-eps=0.5', '--name=abc'];
    const { stdout, stderr, exit } = await reportOf(samples, { args, workingDirectory });
    rmSync(workingDirectory, { recursive: true });
    expect(stdout.split('\n')).toEqual([
      'GPU Device 0: "Hopper" with compute capability 9.0',
      '',
      '1 1 7 0.5 abc 0',
      '128 3 -3 cudaErrorInvalidValue capable',
      './a.pgm: 1, 4 x 3',
      '1 1 0',
      '8.33% of 12 elements differ by more than 1',
      '8.33% of 12 elements differ by more than 1',
      '0 1 1 0',
      'b.ppm and b.ppm: OK',
      '0.2 3 0 4 1',
      '1 4 4',
      '1 0',
      '1',
      '',
    ]);
    expect(stderr).toMatch(/samples\.cu:\d+ code=21\(cudaErrorInvalidMemcpyDirection\) "cudaMemcpy\(back, d, 12, \(cudaMemcpyKind\)77\)"/);
    expect(exit).toBe(1);
  });

  it('give vectors their operators, on both sides', async () => {
    const { stdout } = await reportOf(fixture('helpers/vectors.cu'));
    expect(stdout).toBe(
      `5 3 9.5 1 4 -1 2 -5 9.75 0.25 0.2 0.153846
-1 2 -3 4 2 8.5 -29.5 8 12 81.25 5 0
0 1 1 1 0 4 2.75 8 4 2 6.5 4
5 8.5 4 2 5 3 1 -2 0 2 0.75 1
2 0.5 3 2 1 3 5 23 4 4 4 5
0 differ
`,
    );
  });

  it("give way to a program's own", async () => {
    const text = '#include <helper_cuda.h>\n#include <cstdio>\nint main() { printf("%d", findCudaDevice(0, nullptr)); }';
    const own = join(mkdtempSync(join(tmpdir(), 'lanewise-own-')), 'helper_cuda.h');
    writeFileSync(own, 'inline int findCudaDevice(int, const char**) { return 42; }\n');
    const report = await reportOf(samples, { text, includeDirs: [dirname(own)] });
    rmSync(dirname(own), { recursive: true });
    expect(report.stdout).toBe('42');
  });
});
