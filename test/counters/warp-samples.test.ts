/** Sector and wavefront rules against single warp instructions that an H200 executed. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { popcount } from '../../simulator/ir/math/bits.ts';
import { sharedAtomicWavefronts, sharedWavefronts, sharedWavefrontsIdeal, spinWavefronts } from '../../simulator/machine/banks.ts';
import { atomicSectors, countSectors, idealSectors } from '../../simulator/machine/sectors.ts';

const samplesFile = new URL('../fixtures/hardware/h200-warp-samples.json', import.meta.url);

const sharedFile = new URL('../fixtures/hardware/h200-shared-samples.json', import.meta.url);

interface Sample {
  readonly op: string;
  /** Element index of each lane; -1: inactive. */
  readonly index: readonly number[];
  readonly sectors?: number;
  readonly wavefronts?: number;
}

function lanes(index: readonly number[], bytes: number): { addresses: Uint32Array; mask: number } {
  const addresses = Uint32Array.from(index, (i) => 0x80001000 + Math.max(0, i) * bytes);
  const mask = index.reduce((bits, i, lane) => (i < 0 ? bits : bits | (1 << lane)), 0);
  return { addresses, mask };
}

function elementBytes(op: string): number {
  const last = op.split('.').at(-1)!;
  return /^\d+$/.test(last) ? Number(last) : Number(last.slice(1)) / 8;
}

function counted(sample: Sample): number {
  const bytes = elementBytes(sample.op);
  const { addresses, mask } = lanes(sample.index, bytes);
  if (sample.op.startsWith('global.')) return countSectors(addresses, mask, bytes);
  if (sample.op.startsWith('shared.atom')) return sharedAtomicWavefronts(addresses, mask);
  if (sample.op.startsWith('shared.')) return sharedWavefronts(addresses, mask, bytes, !sample.op.startsWith('shared.st'));
  return atomicSectors(addresses, mask);
}

describe('against the H200', () => {
  const samples: Sample[] = JSON.parse(readFileSync(samplesFile, 'utf8'));
  const ops = [...new Set(samples.map((s) => s.op))];

  it('has all samples', () => expect(samples.length).toBe(612));

  it.each(ops.filter((op) => /^(global|shared)\./.test(op)))('%s is exact', (op) => {
    const of = samples.filter((s) => s.op === op);
    expect(of.map(counted)).toEqual(of.map((s) => s.sectors ?? s.wavefronts));
  });

  it('loads of neighbours that share addresses are served twice as many lanes at a time, stores are not', () => {
    const shared: (Sample & { readonly wavefronts: number; readonly conflicts: number })[] = JSON.parse(readFileSync(sharedFile, 'utf8'));
    expect(shared.length).toBe(810);
    const ours = shared.map(({ op, index }) => {
      const bytes = elementBytes(op);
      const { addresses, mask } = lanes(index, bytes);
      const load = op.startsWith('shared.ld');
      const wavefronts = sharedWavefronts(addresses, mask, bytes, load);
      return { op, index, wavefronts, conflicts: wavefronts - sharedWavefrontsIdeal(addresses, mask, bytes, load) };
    });
    expect(ours).toEqual(shared);
  });

  it('sectors of global reductions and atomics are exact on 200 of 216 samples and at most 2 short on the rest', () => {
    const of = samples.filter((s) => /^(red|atom)\./.test(s.op));
    const short = of.map((s) => s.sectors! - counted(s));
    expect(of.length).toBe(216);
    expect(short.filter((d) => d === 0).length).toBe(200);
    expect(Math.max(...short)).toBeLessThanOrEqual(2);
    expect(Math.min(...short)).toBe(0);
  });
});

describe('rules by hand', () => {
  const byLane = (f: (lane: number) => number) => Uint32Array.from({ length: 32 }, (_, lane) => 0x80000000 + f(lane));

  it.each([
    { name: 'consecutive floats', at: (l: number) => l * 4, bytes: 4, sectors: 4, ideal: 4 },
    { name: 'consecutive floats off by one', at: (l: number) => 4 + l * 4, bytes: 4, sectors: 5, ideal: 4 },
    { name: 'stride of 32 bytes', at: (l: number) => l * 32, bytes: 4, sectors: 32, ideal: 4 },
    { name: 'one word', at: () => 64, bytes: 4, sectors: 1, ideal: 1 },
    { name: 'float4', at: (l: number) => l * 16, bytes: 16, sectors: 16, ideal: 16 },
  ])('global: $name', ({ at, bytes, sectors, ideal }) => {
    expect(countSectors(byLane(at), -1, bytes)).toBe(sectors);
    expect(idealSectors(sectors, -1, bytes)).toBe(ideal);
  });

  it.each([
    { name: 'consecutive words', at: (l: number) => l * 4, bytes: 4, wavefronts: 1, ideal: 1 },
    { name: 'stride of 32 words', at: (l: number) => l * 128, bytes: 4, wavefronts: 32, ideal: 1 },
    { name: 'padded stride', at: (l: number) => l * 132, bytes: 4, wavefronts: 1, ideal: 1 },
    { name: 'consecutive doubles', at: (l: number) => l * 8, bytes: 8, wavefronts: 2, ideal: 2 },
    { name: 'consecutive float4', at: (l: number) => l * 16, bytes: 16, wavefronts: 4, ideal: 4 },
    { name: 'bytes of one word', at: (l: number) => l >> 3, bytes: 1, wavefronts: 1, ideal: 1 },
  ])('shared: $name', ({ at, bytes, wavefronts, ideal }) => {
    for (const load of [true, false]) {
      expect(sharedWavefronts(byLane(at), -1, bytes, load)).toBe(wavefronts);
      expect(sharedWavefrontsIdeal(byLane(at), -1, bytes, load)).toBe(ideal);
    }
  });

  // Measured on an H200: atomicAdd of floats in shared memory, by one warp.
  it.each([
    { name: 'five lanes on one word', at: () => 20, lanes: 5, rounds: 5, wavefronts: 10 },
    { name: '32 lanes on one word', at: () => 20, lanes: 32, rounds: 32, wavefronts: 64 },
    { name: '16 words of one bank', at: (l: number) => 20 + l * 128, lanes: 16, rounds: 16, wavefronts: 32 },
    { name: 'consecutive words', at: (l: number) => l * 4, lanes: 32, rounds: 1, wavefronts: 2 },
  ])('shared float atomics: $name', ({ at, lanes: count, rounds, wavefronts }) => {
    const mask = count === 32 ? -1 : (1 << count) - 1;
    expect(spinWavefronts(byLane(at), mask)).toMatchObject({ rounds, wavefronts });
  });

  it('counts no inactive lane', () => {
    expect(
      countSectors(
        byLane((l) => l * 32),
        0x80000001 | 0,
        4,
      ),
    ).toBe(2);
    expect(
      sharedWavefronts(
        byLane((l) => l * 128),
        0x80000001 | 0,
        4,
        true,
      ),
    ).toBe(2);
    expect(
      atomicSectors(
        byLane(() => 0),
        0x80000001 | 0,
      ),
    ).toBe(2);
    expect(popcount(-1)).toBe(32);
  });
});
