/** Products of matrices in types that C++ programs reach by inline PTX alone, and what happens at the ends of the ranges. */
import { describe, expect, it } from 'vitest';
import { type MatrixProduct, registersOf } from '../../simulator/ir/intrinsics/matrices.ts';
import { type Cell, createCell, LANES } from '../../simulator/machine/cells.ts';
import { multiplyMatrices } from '../../simulator/machine/matrix-product.ts';

/** All of A, B and C are one number, given as the register's bits. */
function product(of: Omit<MatrixProduct, 'saturates'> & { saturates?: boolean }, a: number, b: number, c: number): Cell[] {
  const whole = { saturates: false, ...of };
  const filled = (bits: number) => {
    const cell = createCell('i32');
    cell.i.fill(bits);
    return cell;
  };
  const inputs = registersOf(whole).flatMap((count, index) => Array.from({ length: count }, () => filled([a, b, c][index])));
  const results = inputs.slice(-registersOf(whole)[2]);
  multiplyMatrices(whole, inputs, results, -1);
  return results;
}

const SHAPE = { m: 16, n: 8, k: 32 };

describe('a product of matrices', () => {
  it.each([
    // 1.5 and -2 in e4m3, 0.5 in e5m2.
    { a: 'e4m3', b: 'e4m3', x: 0x3c3c3c3c, y: 0xc0c0c0c0, sum: -96 },
    { a: 'e4m3', b: 'e5m2', x: 0x3c3c3c3c, y: 0x38383838, sum: 24 },
    // The smallest subnormal number of e4m3 is 2^-9.
    { a: 'e4m3', b: 'e4m3', x: 0x01010101, y: 0x38383838, sum: 2 ** -4 },
  ] as const)('of $a and $b is $sum', ({ a, b, x, y, sum }) => {
    const results = product({ ...SHAPE, a, b, sum: 'f32' }, x, y, 0);
    expect(results.flatMap(({ f }) => [...f])).toEqual(Array(4 * LANES).fill(sum));
  });

  it('of integers wraps round, or stays in the range', () => {
    const integers = { ...SHAPE, a: 's8', b: 's8', sum: 's32' } as const;
    const most = 2 ** 31 - 1;
    expect(product(integers, 0x01010101, 0x01010101, most)[0].i[5]).toBe(-(2 ** 31) + 31);
    expect(product({ ...integers, saturates: true }, 0x01010101, 0x01010101, most)[0].i[5]).toBe(most);
    expect(product({ ...integers, a: 'u8' }, -1, -1, 0)[3].i[31]).toBe(-255 * 32);
  });

  it('in tf32 does not look at the lowest bits', () => {
    const [first] = product({ m: 16, n: 8, k: 8, a: 'tf32', b: 'tf32', sum: 'f32' }, 0x3f801fff, 0x3f800000, 0);
    expect(first.f[0]).toBe(8);
  });
});
