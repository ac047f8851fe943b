/** The 16-bit float formats: bits to numbers (exact) and numbers to bits (round to nearest, ties to even). */

const word = new DataView(new ArrayBuffer(4));

export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

export function numberToHalf(value: number): number {
  return smallFormat(value, { fractionBits: 10, minExponent: -14, maxExponent: 15 });
}

export function bfloatToNumber(bits: number): number {
  word.setInt32(0, bits << 16);
  return word.getFloat32(0);
}

export function numberToBfloat(value: number): number {
  return smallFormat(value, { fractionBits: 7, minExponent: -126, maxExponent: 127 });
}

interface SmallFormat {
  readonly fractionBits: number;
  /** Exponents of the smallest and largest normal numbers. */
  readonly minExponent: number;
  readonly maxExponent: number;
}

function smallFormat(value: number, { fractionBits, minExponent, maxExponent }: SmallFormat): number {
  const infinity = (maxExponent - minExponent + 2) << fractionBits;
  // As PTX's conversions do: the canonical NaN is all ones without a sign.
  if (Number.isNaN(value)) return 0x7fff;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude === Number.POSITIVE_INFINITY) return sign | infinity;
  const exponent = Math.max(minExponent, exponentOf(magnitude));
  const unit = 2 ** (exponent - fractionBits);
  // Dividing by a power of two is exact, and so is the rest of a number below 2^(fractionBits + 1).
  const scaled = magnitude / unit;
  const below = Math.floor(scaled);
  const rest = scaled - below;
  const rounded = rest > 0.5 || (rest === 0.5 && below % 2 === 1) ? below + 1 : below;
  // A fraction that reached the next power of two carries into the exponent by itself; below 2^fractionBits it is subnormal.
  return sign | Math.min(infinity, ((exponent - minExponent) << fractionBits) + rounded);
}

/** floor(log2(x)) of a positive finite number. */
function exponentOf(x: number): number {
  const wide = new DataView(new ArrayBuffer(8));
  wide.setFloat64(0, x);
  return (wide.getUint16(0) >>> 4) - 1023;
}
