/**
 * Reports that Nsight Compute has compressed (`.ncu-repz`): frames of Zstandard (RFC 8878) one behind the other. What the file says of its
 * sizes is held against a limit before anything is decompressed.
 */
import { decompress } from 'fzstd';
import { l10n } from '../counters/spoken.ts';

export const ZSTANDARD_MAGIC = '\x28\xb5\x2f\xfd';
const MOST_BLOCK_BYTES = 128 << 10;

/** The decoder moves its window for each block of a frame that does not say how long it is: a few seconds of that. */
const MOST_MOVED_BYTES = 2 ** 36;

/** Throws an Error that says what is wrong. */
export function decompressed(name: string, bytes: Uint8Array, mostBytes: number): Uint8Array {
  try {
    const { most, moved } = sizesOf(bytes);
    if (most > mostBytes) throw new TooLarge(l10n.t('{0} is larger than {1} MiB.', name, mostBytes >> 20));
    if (moved <= MOST_MOVED_BYTES) return decompress(bytes);
  } catch (error) {
    // Otherwise it is what is thrown at the end of the file, at sizes that cannot be and at blocks that are none.
    if (error instanceof TooLarge) throw error;
  }
  throw new Error(unreadable(name));
}

class TooLarge extends Error {}

export function unreadable(name: string): string {
  return l10n.t('{0} is no report of Nsight Compute’s that can be read: ncu --import {0} --csv --page raw exports it as CSV.', name);
}

interface Sizes {
  /** So many bytes come of it at most, or are needed at once. */
  readonly most: number;
  readonly moved: number;
}

function sizesOf(bytes: Uint8Array): Sizes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [at, sum, largest, moved] = [0, 0, 0, 0];
  while (at < bytes.length) {
    if (view.getUint32(at, true) >>> 4 === SKIPPED_FRAME) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    const { size, window, content, hasChecksum } = frameHeader(view, at);
    const needed = content ?? window;
    largest = Math.max(largest, needed);
    moved += needed;
    at += size;
    for (let isLast = false; !isLast; ) {
      const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
      const [type, blockSize] = [(header >> 1) & 3, header >> 3];
      isLast = (header & 1) === 1;
      at += 3 + (type === RUN_OF_ONE_BYTE ? 1 : blockSize);
      sum += type === COMPRESSED ? MOST_BLOCK_BYTES : blockSize;
      moved += content === undefined ? window : 0;
    }
    at += hasChecksum ? 4 : 0;
  }
  return { most: Math.max(sum, largest), moved };
}

const SKIPPED_FRAME = 0x0184d2a5;
const RUN_OF_ONE_BYTE = 1;
const COMPRESSED = 2;

function frameHeader(view: DataView, at: number) {
  const descriptor = view.getUint8(at + 4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3];
  const contentBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6];
  const contentAt = at + (isSingleSegment ? 5 : 6) + dictionaryBytes;
  return {
    size: contentAt + contentBytes - at,
    window: isSingleSegment ? 0 : windowSize(view.getUint8(at + 5)),
    content: contentSize(view, contentAt, contentBytes),
    hasChecksum: (descriptor & 4) !== 0,
  };
}

function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

/** Undefined where the frame does not say. */
function contentSize(view: DataView, at: number, bytes: number): number | undefined {
  switch (bytes) {
    case 0:
      return undefined;
    case 1:
      return view.getUint8(at);
    case 2:
      return view.getUint16(at, true) + 256;
    case 4:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}
