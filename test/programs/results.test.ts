/** What an H200 computed, bit for bit: textures, halves and fp8, tensor cores, groups, words (test/fixtures/hardware/device). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reportOf, repository } from '../runtime/simulation.ts';

const folder = join(repository, 'test', 'fixtures', 'hardware', 'device');

/** Results that differ, by name: how many elements of so many bytes. */
async function differences(
  program: string,
  args: readonly string[],
  bytesOf: (name: string, bytes: number) => number,
  differ = isDifferent,
) {
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
    for (let k = 0; k < ours.length; k += size) if (differ(ours.subarray(k, k + size), theirs.subarray(k, k + size))) count++;
    if (count > 0) different[name] = count;
  }
  return different;
}

function isDifferent(ours: Buffer, theirs: Buffer): boolean {
  return !ours.equals(theirs);
}

/** Of floats and doubles: more than so many units in the last place apart; NaN are alike. */
function isFurther(units: bigint) {
  return (ours: Buffer, theirs: Buffer): boolean => {
    const [a, b] = [ours, theirs].map((bytes) => (bytes.length === 4 ? bytes.readFloatLE() : bytes.readDoubleLE()));
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) !== Number.isNaN(b);
    const [x, y] = [ours, theirs].map(inOrder);
    return (x > y ? x - y : y - x) > units;
  };
}

/** Bits as a number that counts the values of the format. */
function inOrder(bytes: Buffer): bigint {
  const bits = bytes.length === 4 ? BigInt(bytes.readInt32LE()) : bytes.readBigInt64LE();
  return bits < 0n ? -(bits & ((1n << BigInt(8 * bytes.length - 1)) - 1n)) : bits;
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

/** Where loads that only one side needs keep Clang from computing it in front of the branch, or a product from staying in front of a loop. */
const FMA = { 'float e70': 6, 'float e75': 13, 'float e173': 7, 'float e174': 12 };

/** Of 96 numbers each, those further apart than 4 units in the last place: near zeros of functions, by what the unit rounds, and denormals. */
const MATH = {
  'double cyl_bessel_i0': 1,
  'double cyl_bessel_i1': 1,
  'double j0': 27,
  'double j1': 23,
  'double jn2': 42,
  'double lgamma': 40,
  'double tgamma': 5,
  'double y0': 48,
  'double y1': 41,
  'double yn2': 44,
  'float __cosf': 9,
  'float __log10f': 1,
  'float __logf': 1,
  'float __powf': 23,
  'float __sinf': 27,
  'float __tanf': 36,
  'float cos_approx_f32': 9,
  'float div_approx_ftz_f32': 2,
  'float div_full_ftz_f32': 2,
  'float j0f': 8,
  'float j1f': 7,
  'float jnf2': 22,
  'float lg2_approx_ftz_f32': 4,
  'float lgammaf': 5,
  'float min_ftz_f32': 3,
  'float mul_ftz_f32': 4,
  'float rcp_approx_ftz_f32': 3,
  'float rsqrt_approx_ftz_f32': 4,
  'float sin_approx_f32': 27,
  'float sin_approx_ftz_f32': 27,
  'float sqrt_approx_ftz_f32': 4,
  'float tanh_approx_f32': 42,
  'float y0f': 17,
  'float y1f': 16,
  'float ynf2': 19,
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

  it('with fused products', async () => {
    expect(await differences('fma', [], () => 4, isFurther(0n))).toEqual(FMA);
  });

  it('with the mathematics library, nearly', async () => {
    expect(await differences('math', ['96'], (name) => (name.startsWith('float') ? 4 : 8), isFurther(4n))).toEqual(MATH);
  });

  it('with cooperative groups', async () => {
    expect(await differences('groups', [], () => 4)).toEqual({});
  });

  it('with words', async () => {
    // Offsets below 0 from a base without a bit.
    expect(await differences('words', [], () => 4)).toEqual({ __fns: 3 });
  });
});
