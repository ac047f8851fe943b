/**
 * Files that are mostly zeros, such as objects with large arrays: WebAssembly's objects contain what other formats only count. Between
 * threads and processes only the pieces go that hold something, and memory that nobody has written to costs nothing.
 */

/** Length, and what is not zero with its offset. */
export interface PackedBytes {
  readonly length: number;
  readonly pieces: readonly (readonly [number, Uint8Array])[];
}

const BLOCK_BYTES = 1 << 16;
/** A smaller file is one piece. */
const LARGE_BYTES = 1 << 22;

export function pack(bytes: Uint8Array): PackedBytes {
  const { length } = bytes;
  // A copy: a view would take all of its buffer along.
  if (length < LARGE_BYTES) return { length, pieces: [[0, bytes.slice()]] };
  const pieces: [number, Uint8Array][] = [];
  for (let start = 0; start < length; ) {
    let end = start;
    while (end < length && !isZero(bytes, end, end + BLOCK_BYTES)) end += BLOCK_BYTES;
    if (end > start) pieces.push([start, bytes.slice(start, end)]);
    start = Math.max(end, start + BLOCK_BYTES);
  }
  return { length, pieces };
}

export function unpack({ length, pieces }: PackedBytes): Uint8Array {
  if (pieces.length === 1 && pieces[0][1].length === length) return pieces[0][1];
  const bytes = new Uint8Array(length);
  for (const [offset, piece] of pieces) bytes.set(piece, offset);
  return bytes;
}

/** Of the bytes that there are in the range. */
export function isZero(bytes: Uint8Array, start = 0, end = bytes.length): boolean {
  const last = Math.min(end, bytes.length);
  let at = start;
  for (; at < last && (bytes.byteOffset + at) % 4 !== 0; at++) if (bytes[at] !== 0) return false;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, Math.max(0, last - at) >> 2);
  for (let k = 0; k < words.length; k++) if (words[k] !== 0) return false;
  for (at += 4 * words.length; at < last; at++) if (bytes[at] !== 0) return false;
  return true;
}
