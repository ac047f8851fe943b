/** Memory is zeroed when it comes into use, and what has never been used is zero: touching it would make it real. */
import { sameBytes } from './same-bytes.ts';

const CHUNK_BYTES = 1 << 16;
const ZEROS = new Uint8Array(CHUNK_BYTES);

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Zeroes [start, end) without writing to what is zero, if there is much of it. */
export function clearBytes(bytes: Uint8Array, start: number, end: number): void {
  if (end - start <= CHUNK_BYTES) {
    zero(bytes.subarray(start, end));
    return;
  }
  for (let at = start; at < end; at += CHUNK_BYTES) {
    const piece = bytes.subarray(at, Math.min(end, at + CHUNK_BYTES));
    if (!sameBytes(piece, ZEROS.subarray(0, piece.length))) zero(piece);
  }
}

/** Elements of a shared buffer are stored one at a time: the wider, the fewer. */
function zero(piece: Uint8Array): void {
  const { buffer, byteOffset, length } = piece;
  if (byteOffset % 8 === 0 && length % 8 === 0) new Float64Array(buffer, byteOffset, length / 8).fill(0);
  else piece.fill(0);
}

/** What of a memory has been in use. */
export class UsedRanges {
  /** Ascending; no two of them touch. */
  #ranges: readonly Range[] = [];

  /** Zeroes what has been in use of [start, end), which is in use from now on. */
  use(bytes: Uint8Array, start: number, end: number): void {
    for (const used of this.#ranges) {
      if (used.start < end && used.end > start) clearBytes(bytes, Math.max(start, used.start), Math.min(end, used.end));
    }
    const touching = this.#ranges.filter((used) => used.start <= end && used.end >= start);
    const joined = {
      start: Math.min(start, ...touching.map((used) => used.start)),
      end: Math.max(end, ...touching.map((used) => used.end)),
    };
    this.#ranges = [...this.#ranges.filter((used) => !touching.includes(used)), joined].sort((a, b) => a.start - b.start);
  }
}
