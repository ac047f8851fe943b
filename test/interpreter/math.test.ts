/** The math library against known values, and exact arithmetic against integers. */
import { describe, expect, it } from 'vitest';
import { fmaDouble, fmaErrorSign, fmaSingle } from '../../simulator/ir/math/fma.ts';
import { LIBDEVICE } from '../../simulator/ir/math/libdevice.ts';
import { bfloatToNumber, halfToNumber, numberToBfloat, numberToHalf } from '../../simulator/machine/half.ts';

/** Values from the NIST Digital Library of Mathematical Functions and Abramowitz and Stegun. */
const KNOWN: readonly (readonly [name: string, operands: readonly number[], value: number])[] = [
  ['erf', [0.5], 0.5204998778130465],
  ['erf', [1], 0.8427007929497149],
  ['erf', [-2], -0.9953222650189527],
  ['erf', [3], 0.9999779095030014],
  ['erfc', [0.5], 0.4795001221869535],
  ['erfc', [2], 0.004677734981047266],
  ['erfc', [5], 1.5374597944280349e-12],
  ['erfc', [10], 2.088487583762545e-45],
  ['erfcx', [10], 0.05614099274382259],
  ['erfinv', [0.5], 0.4769362762044699],
  ['erfcinv', [0.001], 2.326753765513525],
  ['normcdf', [1.96], 0.9750021048517795],
  ['normcdfinv', [0.975], 1.959963984540054],
  ['tgamma', [0.5], 1.772453850905516],
  ['tgamma', [5], 24],
  ['tgamma', [4.5], 11.63172839656745],
  ['tgamma', [-1.5], 2.363271801207355],
  ['lgamma', [10.5], 13.940625219403763],
  ['lgamma', [0.1], 2.252712651734206],
  ['lgamma', [-0.5], 1.2655121234846454],
  ['j0', [1], 0.7651976865579666],
  ['j0', [50], 0.05581232766925181],
  ['j1', [2.5], 0.49709410246427405],
  ['jn', [3, 4], 0.4301714738756219],
  ['y0', [1], 0.08825696421567697],
  ['y1', [2.5], 0.14591813796678577],
  ['yn', [3, 4], -0.182022115953485],
  ['cyl_bessel_i0', [1], 1.2660658777520082],
  ['cyl_bessel_i1', [2], 1.5906368546373291],
  ['sinpi', [1 / 6], 0.5],
  ['cospi', [1 / 3], 0.5],
  ['sinpi', [100.5], 1],
  ['cospi', [0.5], 0],
  ['exp10', [-3], 0.001],
  ['rcbrt', [27], 1 / 3],
  ['rhypot', [3, 4], 0.2],
];

const run = (name: string, ...operands: (number | bigint)[]): number => {
  const math = LIBDEVICE[name];
  if (!math) throw new Error(`no function ${name}`);
  return math(...operands);
};

describe('functions that JavaScript does not have', () => {
  it.each(KNOWN)('%s %j', (name, operands, value) => {
    const got = run(`__nv_${name}`, ...operands);
    expect(Math.abs(got - value)).toBeLessThanOrEqual(4e-14 * Math.max(Math.abs(value), 1e-300) + (value === 0 ? 1e-16 : 0));
  });

  it.each([300, 499, 501, 1e4, 1e9, 1e30])('Bessel functions of %d satisfy their identities, in no time', (x) => {
    const [j0, j1, y0, y1] = ['j0', 'j1', 'y0', 'y1'].map((name) => run(`__nv_${name}`, x));
    // DLMF 10.5.2 and 10.6.1.
    expect((j1 * y0 - j0 * y1) * Math.PI * x).toBeCloseTo(2, 9);
    expect((run('__nv_jn', 2, x) + j0) * Math.sqrt(x)).toBeCloseTo((2 / x) * j1 * Math.sqrt(x), 9);
    expect(run('__nv_j1', -x)).toBeCloseTo(-j1, 12);
    expect(run('__nv_cyl_bessel_i0', 3 * x)).toBe(Number.POSITIVE_INFINITY);
    expect(run('__nv_jn', 2_000_000_000, 1)).toBe(0);
    expect(run('__nv_yn', 2_000_000_000, 1)).toBe(Number.NEGATIVE_INFINITY);
  });

  it.each([
    [1000, 3e5],
    [150_000, 3e5],
    [2_000_000, 3e9],
  ])('Bessel functions of order %d of %d satisfy the recurrence', (n, x) => {
    for (const name of ['jn', 'yn']) {
      const [before, here, behind] = [n - 1, n, n + 1].map((order) => run(`__nv_${name}`, order, x) * Math.sqrt(x));
      expect(before + behind).toBeCloseTo((2 * n * here) / x, 4);
    }
  });

  it('do not meet the ends of their ranges', () => {
    expect(run('__nv_erfinv', 1)).toBe(Number.POSITIVE_INFINITY);
    expect(run('__nv_erfcinv', 2)).toBe(Number.NEGATIVE_INFINITY);
    expect(run('__nv_tgamma', 200)).toBe(Number.POSITIVE_INFINITY);
    expect(run('__nv_tgamma', -3)).toBeNaN();
    expect(run('__nv_y0', 0)).toBe(Number.NEGATIVE_INFINITY);
    expect(run('__nv_erfc', 30)).toBe(0);
  });
});

describe('exact functions', () => {
  it('scales', () => {
    expect(run('__nv_ldexp', 1, 1023)).toBe(2 ** 1023);
    expect(run('__nv_ldexp', 1, 1024)).toBe(Number.POSITIVE_INFINITY);
    expect(run('__nv_ldexp', 1, -1074)).toBe(2 ** -1074);
    expect(run('__nv_ldexp', 1.5, -1074)).toBe(2 ** -1073);
    expect(run('__nv_ldexp', 2 ** 1000, -2000)).toBe(2 ** -1000);
    expect(run('__nv_ldexp', -0, 5)).toBe(-0);
    expect(run('__nv_ilogb', 8)).toBe(3);
    expect(run('__nv_ilogb', 2 ** -1074)).toBe(-1074);
    expect(run('__nv_logb', 0)).toBe(Number.NEGATIVE_INFINITY);
  });

  it('takes remainders to the nearest multiple', () => {
    expect(run('__nv_remainder', 5, 3)).toBe(-1);
    expect(run('__nv_remainder', 6, 4)).toBe(-2);
    expect(run('__nv_remainder', 10, 4)).toBe(2);
    expect(run('__nv_remainder', -5, 3)).toBe(1);
    expect(run('__nv_fmod', -5, 3)).toBe(-2);
  });

  it('steps to the next number', () => {
    expect(run('__nv_nextafterf', 1, 2)).toBe(1 + 2 ** -23);
    expect(run('__nv_nextafter', 1, 0)).toBe(1 - 2 ** -53);
    expect(run('__nv_nextafterf', 0, -1)).toBe(-(2 ** -149));
  });

  it.each(['rz', 'ru', 'rd'] as const)('rounds %s on the right side of the exact value', (direction) => {
    let seed = 12345;
    const random = (): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return Math.fround((seed / 2 ** 31 - 1) * 2 ** ((seed % 40) - 20));
    };
    for (let round = 0; round < 300; round++) {
      const [a, b, c] = [random(), random(), random()];
      check(run(`__nv_fadd_${direction}`, a, b), fmaErrorSign(a, 1, b, run(`__nv_fadd_${direction}`, a, b)));
      check(run(`__nv_dmul_${direction}`, a, 1 / b), fmaErrorSign(a, 1 / b, 0, run(`__nv_dmul_${direction}`, a, 1 / b)));
      check(run(`__nv_fmaf_${direction}`, a, b, c), fmaErrorSign(a, b, c, run(`__nv_fmaf_${direction}`, a, b, c)));
      const quotient = run(`__nv_ddiv_${direction}`, a, b);
      check(quotient, -fmaErrorSign(quotient, b, -a, 0) * Math.sign(b));
    }
    // `error`: sign of exact - rounded.
    function check(rounded: number, error: number): void {
      if (error === 0) return;
      const wanted = direction === 'ru' ? -1 : direction === 'rd' ? 1 : rounded > 0 || (rounded === 0 && error > 0) ? 1 : -1;
      expect(error).toBe(wanted);
    }
  });

  it('converts 64-bit integers in every direction', () => {
    expect(run('__nv_ull2float_rz', 0xffffffffffffffffn)).toBe(2 ** 64 - 2 ** 40);
    expect(run('__nv_ull2float_ru', 0xffffffffffffffffn)).toBe(2 ** 64);
    expect(run('__nv_ll2double_rd', BigInt.asUintN(64, -9007199254740993n))).toBe(-9007199254740994);
    expect(run('__nv_uint2float_rd', -1)).toBe(4294967040);
  });
});

describe('fused multiply-add', () => {
  it('rounds once, as exact integer arithmetic says', () => {
    let seed = 99;
    const random = (): number => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      const high = seed;
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return (high / 2 ** 31 - 1 + seed / 2 ** 63) * 2 ** ((seed % 64) - 32);
    };
    for (let round = 0; round < 2000; round++) {
      const [a, b] = [random(), random()];
      // Half of the time the addend nearly cancels the product.
      const c = round % 2 === 0 ? random() : -a * b * (1 + (round % 7) * 2 ** -52);
      expect(isNearest([a, b, c], fmaDouble(a, b, c), 52)).toBe(true);
      const [x, y, z] = [Math.fround(a), Math.fround(b), Math.fround(c)];
      expect(isNearest([x, y, z], fmaSingle(x, y, z), 23)).toBe(true);
    }
  });

  /** True if a * b + c, computed with integers, is at most half a unit of the last place away from the result. */
  function isNearest([a, b, c]: readonly number[], result: number, fractionBits: number): boolean {
    if (result === 0) return a * b + c === 0;
    const scale = 400n;
    const exact = (v: number): bigint => {
      const exponent = Math.floor(Math.log2(Math.abs(v) || 1)) - 60;
      return BigInt(v / 2 ** exponent) * 2n ** (scale + BigInt(exponent));
    };
    const difference = exact(a) * exact(b) + (exact(c) - exact(result)) * 2n ** scale;
    const unit = 2n ** (2n * scale + BigInt(Math.floor(Math.log2(Math.abs(result))) - fractionBits));
    return 2n * (difference < 0n ? -difference : difference) <= unit;
  }

  it('treats the ends of the range exactly', () => {
    expect(fmaDouble(1e300, 1e300, -Number.MAX_VALUE)).toBe(Number.POSITIVE_INFINITY);
    expect(fmaDouble(1e300, 1e10, -1e308)).toBe(1e300 * 1e10 - 1e308);
    expect(fmaDouble(2 ** -600, 2 ** -600, 2 ** -1074)).toBe(2 ** -1074);
    expect(fmaDouble(2 ** -537, 2 ** -537, 2 ** -1074)).toBe(2 ** -1073);
    expect(fmaDouble(-0, 1, 0)).toBe(0);
    expect(fmaDouble(-0, 1, -0)).toBe(-0);
    expect(fmaSingle(2 ** -75, 2 ** -75, 0)).toBe(0);
    expect(fmaSingle(2 ** -75, 2 ** -74, 0)).toBe(2 ** -149);
  });
});

it('powers of two of singles are correctly rounded', () => {
  const run = LIBDEVICE.__nv_exp2f as (x: number) => number;
  const exponents = Array.from({ length: 20_000 }, (_, k) => Math.fround(-150 + (k * 280) / 20_000 + k / 1e6));
  expect(exponents.map((x) => Math.fround(run(x)))).toEqual(exponents.map((x) => Math.fround(2 ** x)));
  // As singles, which results become.
  expect([Number.NaN, -Infinity, Infinity, 1e30, -1e30, 0, -0, 10, -149].map((x) => Math.fround(run(x)))).toEqual([
    Number.NaN,
    0,
    Infinity,
    Infinity,
    0,
    1,
    1,
    1024,
    2 ** -149,
  ]);
});

describe('16-bit formats', () => {
  it('come back from every pattern of bits', () => {
    for (let bits = 0; bits < 65536; bits++) {
      const half = halfToNumber(bits);
      if (Number.isNaN(half)) expect(numberToHalf(half)).toBe(0x7fff);
      else expect(numberToHalf(half)).toBe(bits);
      const brain = bfloatToNumber(bits);
      if (!Number.isNaN(brain)) expect(numberToBfloat(brain)).toBe(bits);
    }
  });

  it.each([
    { name: 'half', toNumber: halfToNumber, toBits: numberToHalf, infinity: 0x7c00 },
    { name: 'bfloat', toNumber: bfloatToNumber, toBits: numberToBfloat, infinity: 0x7f80 },
  ])('are the nearest to singles and doubles, of two the even one: $name', ({ toNumber, toBits, infinity }) => {
    const finite = Array.from({ length: infinity - 1 }, (_, bits) => bits);
    const middle = (bits: number) => (toNumber(bits) + toNumber(bits + 1)) / 2;
    expect(finite.map((bits) => toBits(middle(bits)))).toEqual(finite.map((bits) => bits + (bits & 1)));
    expect(finite.map((bits) => toBits(middle(bits) * (1 + 2 ** -45)))).toEqual(finite.map((bits) => bits + 1));
    expect(finite.map((bits) => toBits(middle(bits) * (1 - 2 ** -45)))).toEqual(finite);
    const largest = toNumber(infinity - 1);
    const halfStep = (largest - toNumber(infinity - 2)) / 2;
    expect([largest + halfStep * 0.999, largest + halfStep, 1e-300, -1e-300].map(toBits)).toEqual([infinity - 1, infinity, 0, 0x8000]);
  });
});
