/** Programs of several ranks: what they compute, what the clock says of it, and how those end that cannot. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fixture, repository, simulate } from '../runtime/simulation.ts';

/** Programs are compiled once. */
const cacheFolder = mkdtempSync(join(tmpdir(), 'mpi-'));
afterAll(() => rmSync(cacheFolder, { recursive: true }));

async function run(name: string, ranks: number, args: readonly string[] = [], more: { readonly timeline?: boolean } = {}) {
  const result = await simulate(join(repository, 'test', 'fixtures', 'mpi', name), { ranks, args, cacheFolder, ...more });
  if (result.kind !== 'finished') throw new Error(JSON.stringify(result));
  return result.report;
}

describe('ranks', () => {
  it('exchange messages of hosts and devices, and take part in collectives of several communicators', async () => {
    const report = await run('calls.cu', 4);
    expect(report.stdout).toBe('ping-pong 10 10\nrequests\ncollectives\ncommunicators\nwrong 0 of 4 ranks\n');
    expect([report.exit, report.ranks, report.faults]).toEqual([0, 4, []]);
    expect(report.kernels.map(({ kernel, rank }) => [kernel, rank])).toEqual([
      ...Array.from({ length: 2 }, () => ['add(int *, int, int)', undefined]),
      ...Array.from({ length: 2 }, () => ['add(int *, int, int)', 1]),
    ]);
    const [line] = Object.values(report.lines['add(int *, int, int)']);
    expect(line.inst).toBeGreaterThan(0);
  });

  it('compute what one computes, bit for bit, and hide an exchange behind what needs no neighbours', async () => {
    const outputs: string[] = [];
    for (const [ranks, hidden] of [[1, '0'], [4, '0'], [4, '1']] as const) outputs.push((await run('halo.cu', ranks, [hidden, '1000'])).stdout); // biome-ignore format: table
    const [hashes, times] = [/hash (\w+)/, /ranks: ([\d.]+) us/].map((pattern) => outputs.map((text) => pattern.exec(text)![1]));
    expect(new Set(hashes).size).toBe(1);
    const [alone, before, meanwhile] = times.map(Number);
    // Four exchanges of ten microseconds.
    expect(before - alone).toBeGreaterThan(35);
    expect(meanwhile - alone).toBeLessThan(20);
    expect((await run('halo.cu', 4, ['1', '1000'])).stdout).toBe(outputs[2]);
  });

  it('have a track each in the timeline', async () => {
    const { timeline } = await run('halo.cu', 2, ['0', '1'], { timeline: true });
    expect(timeline!.tracks.map(({ name, device }) => [name, device])).toEqual([
      ['rank 0 host', undefined],
      ['rank 0 default stream', 0],
      ['rank 1 host', undefined],
      ['rank 1 default stream', 1],
    ]);
    expect(timeline!.tracks[2].spans.some(({ name }) => name === 'MPI_Waitall')).toBe(true);
  });

  it('that wait for each other for ever are a fault that says for what', async () => {
    const { faults } = await run('calls.cu', 2, ['deadlock']);
    const waits = (rank: number) => `rank ${rank} waits in MPI_Recv for a message from rank ${1 - rank} with tag 3`;
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatchObject({ kind: 'deadlock', message: `no rank can go on: ${waits(0)}; ${waits(1)}` });
    expect(faults[0].line).toBeGreaterThan(0);
    // Large messages leave when they are received, as in libraries: two such sends wait for each other.
    expect((await run('calls.cu', 2, ['large'])).faults[0].message).toContain('rank 1 waits in MPI_Send for rank 0 to receive tag 3');
  });

  it('end together', async () => {
    expect(await run('calls.cu', 3, ['abort'])).toMatchObject({ exit: expect.any(Number), faults: [] });
    const { faults, exit } = await run('calls.cu', 2, ['truncated']);
    expect(exit).toBe(1);
    expect(faults.map(({ message }) => message)).toEqual(['rank 1: MPI_Recv: a message of 16 bytes came for a buffer of 12']);
  });
});

it('what mpi.h lacks is named when a program is compiled', async () => {
  const text = '#include <mpi.h>\nint main() { MPI_Init(0, 0); MPI_Put(0); return 0; }';
  const result = await simulate(fixture('from-text.cu'), { text });
  expect(result).toMatchObject({
    kind: 'compile-error',
    diagnostics: [{ line: 2, message: "the simulator does not support this part of MPI ('MPI_Put')" }],
  });
});
