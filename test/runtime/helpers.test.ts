import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixture, reportOf } from './simulation.ts';

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
