/** Bit operations on unsigned integers of any width: both engines' meaning of LLVM's bit intrinsics. */

export function countLeadingZeros(value: bigint, bits: number): number {
  return value === 0n ? bits : bits - value.toString(2).length;
}

export function countTrailingZeros(value: bigint, bits: number): number {
  return value === 0n ? bits : (value & -value).toString(2).length - 1;
}

/** Set bits of a 32-bit mask. */
export function popcount(mask: number): number {
  let bits = mask - ((mask >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function popcountBig(value: bigint): number {
  let count = 0;
  for (let rest = value; rest !== 0n; rest >>= 32n) {
    let word = Number(rest & 0xffffffffn);
    for (; word !== 0; word &= word - 1) count++;
  }
  return count;
}

export function bitReverse(value: bigint, bits: number): bigint {
  let result = 0n;
  for (let bit = 0; bit < bits; bit++) result = (result << 1n) | ((value >> BigInt(bit)) & 1n);
  return result;
}

export function byteSwap(value: bigint, bits: number): bigint {
  let result = 0n;
  for (let bit = 0; bit < bits; bit += 8) result = (result << 8n) | ((value >> BigInt(bit)) & 0xffn);
  return result;
}

/** PTX prmt.b32: picks four bytes of the pair (low, high) by the selector's nibbles; bit 3 of a nibble replicates the sign. */
export function permuteBytes(low: number, high: number, selector: number): number {
  const bytes = [low, low >> 8, low >> 16, low >> 24, high, high >> 8, high >> 16, high >> 24].map((b) => b & 255);
  let result = 0;
  for (let index = 0; index < 4; index++) {
    const pick = (selector >>> (4 * index)) & 15;
    const byte = bytes[pick & 7];
    result |= (pick & 8 ? (byte & 0x80 ? 0xff : 0) : byte) << (8 * index);
  }
  return result;
}

/** PTX fns: position of the n-th set bit of a mask, counted from `base` upwards (n > 0) or downwards (n < 0); all ones if none. */
export function findNthSet(mask: number, base: number, n: number): number {
  if (n === 0) return (mask >>> base) & 1 ? base : -1;
  const step = n > 0 ? 1 : -1;
  let left = Math.abs(n);
  for (let bit = base; bit >= 0 && bit < 32; bit += step) if ((mask >>> bit) & 1 && --left === 0) return bit;
  return -1;
}
