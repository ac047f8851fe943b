/** What an H200 computed, bit for bit: textures, halves and fp8, tensor cores, groups, words (test/fixtures/hardware/device). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportOf, repository } from './simulation.ts';

const folder = join(repository, 'test', 'fixtures', 'hardware', 'device');

/** Results that differ, by name: how many elements of so many bytes. */
async function differences(program: string, args: readonly string[], bytesOf: (name: string, bytes: number) => number) {
  const { results } = JSON.parse(readFileSync(join(folder, `${program}.json`), 'utf8')) as { results: Record<string, string> };
  const { stdout, exit } = await reportOf(join(folder, `${program}.cu`), { args });
  expect(exit).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => line.slice(0, line.lastIndexOf(' ')))).toEqual(Object.keys(results));
  const different: Record<string, number> = {};
  for (const line of lines) {
    const at = line.lastIndexOf(' ');
    const name = line.slice(0, at);
    const [ours, theirs] = [Buffer.from(line.slice(at + 1), 'hex'), Buffer.from(results[name], 'base64')];
    expect(ours.length, name).toBe(theirs.length);
    const size = bytesOf(name, ours.length);
    let count = 0;
    for (let k = 0; k < ours.length; k += size) if (!ours.subarray(k, k + size).equals(theirs.subarray(k, k + size))) count++;
    if (count > 0) different[name] = count;
  }
  return different;
}

/** Weights of three coordinates or of two levels, single steps of 1/256 off; 8-bit signed and sRGB texels; levels by differences. */
const TEX = {
  '3d-impulse-clamp-linear-texel': 16,
  '3d-f-wrap-linear-norm': 28,
  '3d-f-clamp-linear-texel': 15,
  '3d-f-mirror-linear-norm': 22,
  '3d-f-border-linear-texel': 13,
  '3d-f-wide-clamp-linear-texel': 15,
  '3d-u8-clamp-linear-texel': 14,
  '1d-s8-clamp-linear-texel': 14,
  '2d-s8-clamp-linear-texel': 14,
  '2d-srgb-clamp-linear-texel': 112,
  'mip2-grad-point-clamp-linear-norm': 5,
  'mip2-linear-clamp-linear-norm': 11,
  'mip2-linear-bias-wrap-linear-norm': 26,
  'mip2-grad-linear-clamp-linear-norm': 47,
};

describe('an H200 computes the same', () => {
  it('from textures, but for what docs/cuda-support.md names', async () => {
    expect(await differences('tex', ['64'], () => 4)).toEqual(TEX);
  });

  it('with half, bfloat16 and fp8', async () => {
    // Doubles that are NaN: their highest bits stay.
    expect(await differences('half', [], (_, bytes) => (bytes === 256 ? 1 : 2))).toEqual({ d2h: 2 });
  });

  it('with tensor cores', async () => {
    expect(await differences('mma', [], () => 4)).toEqual({});
  });

  it('with cooperative groups', async () => {
    expect(await differences('groups', [], () => 4)).toEqual({});
  });

  it('with words', async () => {
    // Offsets below 0 from a base without a bit.
    expect(await differences('words', [], () => 4)).toEqual({ __fns: 3 });
  });
});
