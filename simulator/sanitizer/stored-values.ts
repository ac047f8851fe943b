/** What lanes are about to store, and whether it is what another thread has stored. */
import { CLUSTER_WINDOW_BYTES, LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { meaningOf } from '../ir/intrinsics.ts';
import type { Type } from '../ir/types.ts';
import { leavesOf } from '../machine/cells.ts';
import type { AccessEvent } from '../scheduling/probes.ts';
import { baseOf } from '../scheduling/reporter.ts';

export interface Overwrite {
  readonly event: AccessEvent;
  readonly lane: number;
  /** At most a word that another thread has written. */
  readonly address: number;
  readonly bytes: number;
  /** The lane that has written it, if that was in the same event. */
  readonly other: number | undefined;
  /** Bytes of global memory as they are now. */
  readonly memory: Uint8Array;
}

/** Both store the same value: what memory has is what the other stored, if that was not just now. */
export function storesTheSame({ event, lane, address, bytes, other, memory }: Overwrite): boolean {
  const { addresses } = event;
  const mine = storedBytes(event, lane, address - addresses[lane], bytes, memory);
  if (!mine) return false;
  if (other !== undefined) {
    const start = Math.max(address, addresses[other]);
    const theirs = storedBytes(event, other, start - addresses[other], address + bytes - start, memory);
    // Where it stores elsewhere now, it has been here in an earlier iteration.
    if (!theirs || theirs.length > 0) return theirs !== undefined && same(mine.subarray(start - address), theirs);
  }
  const there = bytesAt(event, address, mine.length, memory);
  return there !== undefined && there.length === mine.length && same(mine, there);
}

/** From a byte of what the lane stores on, so many at most. */
function storedBytes(event: AccessEvent, lane: number, from: number, count: number, memory: Uint8Array): Uint8Array | undefined {
  const { instruction, values, lengths } = event;
  if (instruction.op === 'store') return valueBytes(instruction.value.type, values, lane)?.subarray(from, from + Math.max(0, count));
  if (instruction.op !== 'call' || !lengths) return undefined;
  const [words] = values;
  const word = words[lane * (words.length >> 5)];
  const bytes = Math.max(0, Math.min(count, lengths[lane] - from));
  switch (meaningOf(instruction)?.kind) {
    case 'fillMemory':
      return new Uint8Array(bytes).fill(word);
    case 'copyMemory':
      return bytesAt(event, word + baseOf(instruction.args[1]) + from, bytes, memory);
    default:
      return undefined;
  }
}

/** Of global memory and the block's own shared memory. */
function bytesAt(event: AccessEvent, address: number, count: number, memory: Uint8Array): Uint8Array | undefined {
  const at = address >>> 0;
  if (at < LOCAL_BASE) return memory.subarray(at, at + count);
  const offset = at - SHARED_BASE;
  return offset >= 0 && offset < CLUSTER_WINDOW_BYTES ? event.shared().subarray(offset, offset + count) : undefined;
}

function valueBytes(type: Type, values: readonly Int32Array[], lane: number): Uint8Array | undefined {
  const leaves = leavesOf(type);
  if (leaves.length !== values.length) return undefined;
  const last = leaves[leaves.length - 1];
  const bytes = new Uint8Array(last.offset + last.bytes);
  leaves.forEach(({ offset, bytes: size }, leaf) => {
    const words = values[leaf];
    const perLane = words.length >> 5;
    for (let k = 0; k < size && k < 4 * perLane; k++) bytes[offset + k] = words[perLane * lane + (k >>> 2)] >>> (8 * (k & 3));
  });
  return bytes;
}

/** As far as both go. */
function same(a: Uint8Array, b: Uint8Array): boolean {
  const count = Math.min(a.length, b.length);
  for (let k = 0; k < count; k++) if (a[k] !== b[k]) return false;
  return true;
}
