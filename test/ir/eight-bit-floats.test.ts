/** Numbers of 8 bits: which halves they stand for, and which of them is nearest. */
import { describe, expect, it } from 'vitest';
import { halfOfEightBits, pairOfEightBits } from '../../simulator/ir/math/eight-bit-floats.ts';
import { halfToNumber } from '../../simulator/machine/half.ts';

const KINDS = { e4m3: 0, e5m2: 1 };
const numbersOf = (kind: number) => Array.from({ length: 128 }, (_, code) => halfToNumber(halfOfEightBits(code, kind)));
const codeOf = (value: number, kind: number, saturates = 1) => pairOfEightBits(value, 0, kind, saturates);

describe.each(Object.entries(KINDS))('%s', (_, kind) => {
  const finite = numbersOf(kind).filter((each) => Number.isFinite(each));

  it('grows from code to code, and each number has its code', () => {
    finite.forEach((value, code) => {
      if (code > 0) expect(value).toBeGreaterThan(finite[code - 1]);
      expect(codeOf(value, kind)).toBe(code);
      expect(codeOf(-value, kind)).toBe(code === 0 ? 0x80 : 0x80 | code);
    });
  });

  it('takes the nearest number, and the even code of two', () => {
    finite.slice(1).forEach((value, before) => {
      const middle = (finite[before] + value) / 2;
      expect(codeOf(middle, kind)).toBe(before % 2 === 0 ? before : before + 1);
      expect(codeOf(middle * (1 + 2 ** -20), kind)).toBe(before + 1);
    });
  });

  it('ends at its largest number or beyond it, as asked', () => {
    const most = finite.length - 1;
    for (const value of [1e9, Number.POSITIVE_INFINITY]) {
      expect(codeOf(value, kind)).toBe(most);
      expect(codeOf(value, kind, 0)).toBe(most + 1);
    }
    expect(codeOf(Number.NaN, kind)).toBe(0x7f);
    expect(halfOfEightBits(0xff, kind)).toBe(0x7fff);
  });
});

it('pairs have the first number in the low byte', () => {
  expect(pairOfEightBits(1, -2, KINDS.e4m3, 1)).toBe(0xc038);
  expect(pairOfEightBits(1, -2, KINDS.e5m2, 1)).toBe(0xc03c);
});
