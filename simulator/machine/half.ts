/** The 16-bit float formats: bits to numbers (exact) and numbers to bits (round to nearest, ties to even). */

const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);
const wide = new DataView(new ArrayBuffer(8));

export function halfToNumber(bits: number): number {
  const magnitude = bits & 0x7fff;
  if (magnitude > 0x7c00) return Number.NaN;
  let value = magnitude * 2 ** -24;
  if (magnitude === 0x7c00) value = Number.POSITIVE_INFINITY;
  else if (magnitude >= 0x400) {
    // The same fraction as a single, whose exponents begin 112 lower.
    singleBits[0] = (magnitude + (112 << 10)) << 13;
    value = single[0];
  }
  return bits & 0x8000 ? -value : value;
}

export function numberToHalf(value: number): number {
  return smallFormat(value, { fractionBits: 10, minExponent: -14, maxExponent: 15 });
}

export function bfloatToNumber(bits: number): number {
  singleBits[0] = bits << 16;
  return single[0];
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

function smallFormat(value: number, format: SmallFormat): number {
  // As PTX's conversions do: the canonical NaN is all ones without a sign.
  if (Number.isNaN(value)) return 0x7fff;
  single[0] = value;
  return single[0] === value ? fromSingle(singleBits[0], format) : fromDouble(value, format);
}

/** Of the bits of a single: what is cut off decides by itself, in whole numbers. */
function fromSingle(bits: number, { fractionBits, minExponent, maxExponent }: SmallFormat): number {
  const sign = (bits >>> 16) & 0x8000;
  const magnitude = bits & 0x7fffffff;
  const infinity = (maxExponent - minExponent + 2) << fractionBits;
  const exponent = magnitude >>> 23;
  const first = minExponent + 127;
  const dropped = 23 - fractionBits + Math.max(0, first - Math.max(1, exponent));
  // Below half of the smallest number.
  if (dropped > 24) return sign;
  const isSubnormal = exponent < first;
  const kept = isSubnormal ? (magnitude & 0x7fffff) | (exponent === 0 ? 0 : 0x800000) : magnitude - ((first - 1) << 23);
  const rounded = (kept + (1 << (dropped - 1)) - 1 + ((kept >>> dropped) & 1)) >>> dropped;
  return sign | Math.min(infinity, rounded);
}

function fromDouble(value: number, { fractionBits, minExponent, maxExponent }: SmallFormat): number {
  const infinity = (maxExponent - minExponent + 2) << fractionBits;
  const sign = value < 0 ? 0x8000 : 0;
  const magnitude = Math.abs(value);
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
  wide.setFloat64(0, x);
  return (wide.getUint16(0) >>> 4) - 1023;
}
