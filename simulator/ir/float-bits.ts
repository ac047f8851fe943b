/** Numbers to the bits of the floating-point formats. */
import type { Type } from './types.ts';

type Format = Extract<Type, { kind: 'float' }>['format'];

const view = new DataView(new ArrayBuffer(8));

export function bitsOfDouble(value: number): bigint {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

/** Bits of the format from those of a double, which is how LLVM writes float constants too; NaN payloads are kept. */
export function bitsFromDouble(double: bigint, format: Format): bigint {
  if (format === 'double') return double;
  const sign = double >> 63n;
  const nan = ((double >> 52n) & 0x7ffn) === 0x7ffn && (double & 0xfffffffffffffn) !== 0n;
  if (format === 'float') {
    if (nan) return (sign << 31n) | 0x7f800000n | ((double >> 29n) & 0x7fffffn) || 0x7fc00000n;
    view.setBigUint64(0, double);
    view.setFloat32(0, view.getFloat64(0));
    return BigInt(view.getUint32(0));
  }
  const [exponentBits, fractionBits] = format === 'half' ? [5, 10] : [8, 7];
  if (nan) return (sign << 15n) | (((1n << BigInt(exponentBits + 1)) - 1n) << BigInt(fractionBits - 1));
  view.setBigUint64(0, double & 0x7fffffffffffffffn);
  return (sign << 15n) | BigInt(roundToFormat(view.getFloat64(0), exponentBits, fractionBits));
}

/** Bits of a non-negative number in a small format, rounded to nearest, ties to even. */
function roundToFormat(value: number, exponentBits: number, fractionBits: number): number {
  const bias = 2 ** (exponentBits - 1) - 1;
  const infinity = (2 ** exponentBits - 1) * 2 ** fractionBits;
  if (value === Number.POSITIVE_INFINITY) return infinity;
  const exponent = Math.max(value === 0 ? 1 - bias : Math.floor(Math.log2(value)), 1 - bias);
  const scaled = value / 2 ** (exponent - fractionBits);
  let fraction = Math.floor(scaled);
  const rest = scaled - fraction;
  if (rest > 0.5 || (rest === 0.5 && fraction % 2 === 1)) fraction++;
  // A fraction that reached the next power of two carries into the exponent by itself; below 2^fractionBits it is subnormal.
  return Math.min(infinity, (exponent + bias - 1) * 2 ** fractionBits + fraction);
}
