/**
 * Sectors of global memory requests: what one warp instruction asks of the memory system, from the addresses of its active lanes.
 * Rules and their evidence: shared/hardware (612 single warp instructions on an H200). Pure but for scratch space.
 */

import { popcount } from '../ir/math/bits.ts';
import { DistinctSet } from './distinct-set.ts';

export const SECTOR_BYTES = 32;
export const SECTOR_SHIFT = 5;

/** One address per lane, read as unsigned. */
export type LaneAddresses = Int32Array | Uint32Array;

const sectors = new DistinctSet();
const words = new DistinctSet();
const mostAtOneAddress = new Map<number, number>();

/** Distinct 32-byte pieces that the active lanes touch with `bytes` each. Exact on all hardware samples of loads. */
export function countSectors(addresses: LaneAddresses, mask: number, bytes: number): number {
  sectors.clear();
  let previous = -1;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const first = (addresses[lane] >>> 0) >>> 5;
    const last = ((addresses[lane] >>> 0) + bytes - 1) >>> 5;
    if (first === previous && last === previous) continue;
    for (let sector = first; sector <= last; sector++) sectors.add(sector);
    previous = last;
  }
  return sectors.size;
}

/** The fewest sectors that hold what the same number of lanes touches; lanes that share addresses need no more than they touch. */
export function idealSectors(actualSectors: number, mask: number, bytes: number): number {
  return Math.min(actualSectors, Math.ceil((popcount(mask) * bytes) / SECTOR_BYTES));
}

/**
 * Sectors of a global reduction or atomic: lanes on one address go one after the other, so a sector counts as often as the busiest
 * of its addresses has lanes. Hardware counts 1 or 2 more on 16 of 216 samples: where two lanes share a sector at different words and
 * a lane between them uses the later one's bank (the word's address modulo 32). Not always, though; the whole rule is not known.
 */
export function atomicSectors(addresses: LaneAddresses, mask: number): number {
  words.clear();
  mostAtOneAddress.clear();
  let total = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const address = addresses[lane] >>> 0;
    const lanes = words.add(address);
    const sector = address >>> 5;
    const most = mostAtOneAddress.get(sector) ?? 0;
    if (lanes <= most) continue;
    mostAtOneAddress.set(sector, lanes);
    total++;
  }
  return total;
}
