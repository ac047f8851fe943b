/** Accesses whose lanes lie in a known pattern, as words of memory: what of it holds for every access that lies so. */
import type { LanePattern, LedgerRow } from '../scheduling/probes.ts';

export interface WordRow extends Pick<LedgerRow, 'words' | 'firstLanes' | 'lastLanes' | 'low' | 'high'> {
  /** No two lanes access one word. */
  readonly distinct: boolean;
}

/** `bytes` of each lane. undefined if they are not whole words. */
export function wordRow({ mask, offsets }: LanePattern, bytes: number): WordRow | undefined {
  if (bytes === 0 || (bytes & 3) !== 0) return undefined;
  const lanes = new Map<number, { readonly first: number; last: number }>();
  let accesses = 0;
  for (let lane = 0; lane < 32; lane++) {
    if (((mask >>> lane) & 1) === 0) continue;
    if ((offsets[lane] & 3) !== 0) return undefined;
    for (let word = offsets[lane] >> 2, end = word + (bytes >> 2); word < end; word++) {
      accesses++;
      const known = lanes.get(word);
      if (known) known.last = lane;
      else lanes.set(word, { first: lane, last: lane });
    }
  }
  const words = Int32Array.from(lanes.keys());
  return {
    words,
    firstLanes: Int32Array.from(lanes.values(), ({ first }) => first),
    lastLanes: Int32Array.from(lanes.values(), ({ last }) => last),
    distinct: accesses === words.length,
    low: 4 * words.reduce((a, b) => Math.min(a, b)),
    high: 4 * words.reduce((a, b) => Math.max(a, b)) + 4,
  };
}
