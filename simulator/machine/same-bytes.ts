/** Pieces of memory, shared or not. */
import { bytes } from '#platform';

export const sameBytes = bytes.equal;
export const digestOf = bytes.sha256;

const CHUNK_BYTES = 1 << 16;

/** Makes one piece of memory equal to another one of its size; bytes of the chunks that were not. Chunks that are equal stay untouched. */
export function copyChanges(to: Uint8Array, from: Uint8Array): number {
  let changed = 0;
  for (let at = 0; at < from.length; at += CHUNK_BYTES) {
    const source = from.subarray(at, at + CHUNK_BYTES);
    const target = to.subarray(at, at + source.length);
    if (sameBytes(source, target)) continue;
    target.set(source);
    changed += source.length;
  }
  return changed;
}
