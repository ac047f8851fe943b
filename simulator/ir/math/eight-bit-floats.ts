/** Conversions from and to numbers of 8 bits, each an instruction of its own from compute capability 8.9 on (PTX ISA, "cvt", .e4m3x2 and .e5m2x2). */

/** __NV_E4M3 and __NV_E5M2: bits of the fraction, the smallest normal exponent, the code of the largest number, and what is beyond it. */
const FORMATS = [
  { fraction: 3, least: -6, most: 0x7e, beyond: 0x7f },
  { fraction: 2, least: -14, most: 0x7b, beyond: 0x7c },
];

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** To the nearest, ties to even, by the bits of a single. NaN has no sign. */
function codeOf(value: number, kind: number, saturates: number): number {
  if (Number.isNaN(value)) return 0x7f;
  const { fraction, least, most, beyond } = FORMATS[kind];
  single[0] = value;
  const sign = (bits[0] >>> 24) & 0x80;
  const magnitude = bits[0] & 0x7fffffff;
  const exponent = magnitude >>> 23;
  const first = least + 127;
  const dropped = 23 - fraction + Math.max(0, first - Math.max(1, exponent));
  // Below half of the smallest number.
  if (dropped > 24) return sign;
  const isSubnormal = exponent < first;
  const kept = isSubnormal ? (magnitude & 0x7fffff) | (exponent === 0 ? 0 : 0x800000) : magnitude - ((first - 1) << 23);
  const code = (kept + (1 << (dropped - 1)) - 1 + ((kept >>> dropped) & 1)) >>> dropped;
  return sign | (code <= most ? code : saturates ? most : beyond);
}

/** Two singles to their codes, the first one in the low byte. */
export function pairOfEightBits(low: number, high: number, kind: number, saturates: number): number {
  return codeOf(low, kind, saturates) | (codeOf(high, kind, saturates) << 8);
}

/** The bits of the half that a code stands for, which is exact. */
export function halfOfEightBits(code: number, kind: number): number {
  const sign = (code & 0x80) << 8;
  const size = code & 0x7f;
  if (kind === 1) return size > 0x7c ? 0x7fff : sign | (size << 8);
  if (size === 0x7f) return 0x7fff;
  if (size >= 8) return sign | ((size << 7) + (8 << 10));
  if (size === 0) return sign;
  const exponent = 31 - Math.clz32(size);
  return sign | ((exponent + 6) << 10) | ((size << (10 - exponent)) & 0x3ff);
}
