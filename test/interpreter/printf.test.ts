/** Device printf, directive by directive, against what C's printf gives. */
import { describe, expect, it } from 'vitest';
import { formatPrintf, parsePrintf } from '../../simulator/machine/printf.ts';

type Value = number | bigint | string | { readonly double: number };

/** Packs arguments as Clang does for vprintf and formats. */
function format(text: string, ...values: readonly Value[]): string {
  const bytes = new Uint8Array(1024);
  const view = new DataView(bytes.buffer);
  let at = 16;
  let stringAt = 600;
  const place = (size: number): number => {
    at = Math.ceil(at / size) * size;
    at += size;
    return at - size;
  };
  for (const value of values) {
    if (typeof value === 'bigint') view.setBigUint64(place(8), BigInt.asUintN(64, value), true);
    else if (typeof value === 'number') view.setInt32(place(4), value, true);
    else if (typeof value === 'string') {
      bytes.set(new TextEncoder().encode(value), stringAt);
      view.setBigUint64(place(8), BigInt(stringAt), true);
      stringAt += value.length + 1;
    } else view.setFloat64(place(8), value.double, true);
  }
  const memory = { read: (address: number, count: number) => bytes.subarray(address, address + count) };
  return new TextDecoder().decode(formatPrintf(parsePrintf(new TextEncoder().encode(text)), 16, memory));
}

const d = (double: number) => ({ double });

describe('integers', () => {
  it.each([
    ['%d|%5d|%-5d|%05d|%+d|% d', [42, 42, 42, 42, 42, 42], '42|   42|42   |00042|+42| 42'],
    ['%d %i', [-1, -2147483648], '-1 -2147483648'],
    ['%u %x %X %o %#x %#o', [-1, 255, 255, 8, 255, 8], '4294967295 ff FF 10 0xff 010'],
    ['%.3d|%8.3d|%.0d|', [7, 7, 0], '007|     007||'],
    ['%ld %lu %lx %zu', [-5000000000n, -16n, 1n << 63n, 1n << 40n], '-5000000000 18446744073709551600 8000000000000000 1099511627776'],
    ['%zd %td %jd|%5.3ld|%-8lu|%d', [-1n, -7n, -9n, 42n, 7n, 3], '-1 -7 -9|  042|7       |3'],
    ['%lld %llu %llx', [-5n, -5n, 255n], '-5 18446744073709551611 ff'],
    ['%hd %hhu', [65537, 511], '1 255'],
    ['%*d|%-*d|', [5, 1, 5, 1], '    1|1    |'],
    ['%c%c%%', [72, 105], 'Hi%'],
    ['%p %p', [0x80001000n, 0x123456789abcn], '0x80001000 0x123456789abc'],
  ] as const)('%j', (text, values, expected) => expect(format(text, ...values)).toBe(expected));
});

describe('strings', () => {
  it.each([
    ['%s|%6s|%-6s|%.2s|', ['abc', 'abc', 'abc', 'abc'], 'abc|   abc|abc   |ab|'],
    ['%s', [0n], '(null)'],
    ['100%% of %d', [3], '100% of 3'],
    ['%q', [], '%q'],
  ] as const)('%j', (text, values, expected) => expect(format(text, ...values)).toBe(expected));
});

describe('floating point', () => {
  it.each([
    ['%f %.2f %.0f', [d(1.5), d(2.345), d(2.5)], '1.500000 2.35 3'],
    ['%8.3f|%-8.1f|%08.2f', [d(-1.5), d(1.25), d(-3.156)], '  -1.500|1.3     |-0003.16'],
    ['%e %.2E', [d(12345.678), d(0.00012)], '1.234568e+04 1.20E-04'],
    ['%g %g %g %g', [d(0.0001), d(0.00001), d(123456), d(1234567)], '0.0001 1e-05 123456 1.23457e+06'],
    ['%g %.3g %#g', [d(100), d(2.0), d(1)], '100 2 1.00000'],
    ['%f %F %e', [d(Number.POSITIVE_INFINITY), d(Number.NEGATIVE_INFINITY), d(Number.NaN)], 'inf -INF nan'],
    ['%a', [d(1)], '0x1p+0'],
    ['%+.1f % .1f', [d(2), d(2)], '+2.0  2.0'],
    ['%f', [d(-0)], '-0.000000'],
    ['%.1f', [d(1e22)], '10000000000000000000000.0'],
  ] as const)('%j', (text, values, expected) => expect(format(text, ...values)).toBe(expected));
});

it('aligns each argument by its size', () => {
  expect(format('%d %f %d %lld %d', 1, d(0.5), 2, 3n, 4)).toBe('1 0.500000 2 3 4');
});
