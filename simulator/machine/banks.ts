/**
 * Wavefronts of shared memory requests: 32 banks of 4 bytes, one word of each per wavefront. Rules and their evidence:
 * test/fixtures/hardware, single warp instructions on an H200: 252 on random lanes (h200-warp-samples.json) and 810 with lanes that
 * share addresses (h200-shared-samples.json), all exact. Pure but for scratch space.
 */
import { DistinctSet } from './distinct-set.ts';
import type { LaneAddresses } from './sectors.ts';

export const BANKS = 32;
export const WORD_BYTES = 4;

const words = new DistinctSet();
const perBank = new Int32Array(BANKS);

/**
 * Wavefronts of a shared load or store: the largest number of distinct words in one bank, over the whole warp for accesses of up
 * to 4 bytes, summed over the half warps for 8 and over the quarter warps for 16 bytes, or over twice as many lanes for loads of
 * neighbours in pairs.
 */
export function sharedWavefronts(addresses: LaneAddresses, mask: number, bytes: number, load: boolean): number {
  const lanes = lanesAtOnce(addresses, mask, bytes, load);
  let total = 0;
  for (let first = 0; first < 32; first += lanes) total += groupWavefronts(addresses, mask & groupMask(first, lanes), bytes);
  return total;
}

/** The fewest wavefronts that as many lanes at a time and these widths need: what exceeds it is bank conflicts. */
export function sharedWavefrontsIdeal(addresses: LaneAddresses, mask: number, bytes: number, load: boolean): number {
  const lanes = lanesAtOnce(addresses, mask, bytes, load);
  let total = 0;
  for (let first = 0; first < 32; first += lanes) if ((mask & groupMask(first, lanes)) !== 0) total++;
  return total;
}

/** Wavefronts of a shared integer atomic: as many as lanes meet in one bank, on equal addresses too. */
export function sharedAtomicWavefronts(addresses: LaneAddresses, mask: number): number {
  perBank.fill(0);
  let most = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const lanes = ++perBank[(addresses[lane] >>> 2) & (BANKS - 1)];
    if (lanes > most) most = lanes;
  }
  return most;
}

/**
 * A shared atomic of a type without an instruction of its own (float) is a loop of compare-and-swaps, ATOMS.CAST.SPIN: as many rounds
 * as lanes meet in one bank, two wavefronts each. Exact on 44 single warp instructions on an H200 (floats; doubles take a few more);
 * with several warps on one word the rounds that other warps spoil come on top, which depend on time.
 */
export function spinWavefronts(addresses: LaneAddresses, mask: number): { rounds: number; wavefronts: number; ideal: number } {
  const rounds = sharedAtomicWavefronts(addresses, mask);
  return { rounds, wavefronts: 2 * rounds, ideal: 2 };
}

/** Lanes that hardware serves in one pass. */
function lanesAtOnce(addresses: LaneAddresses, mask: number, bytes: number, load: boolean): number {
  if (bytes <= 4) return 32;
  const lanes = bytes <= 8 ? 16 : 8;
  return load && (isPaired(addresses, mask, 1) || isPaired(addresses, mask, 2)) ? 2 * lanes : lanes;
}

/** Whether each lane reads what the lane whose number differs by this bit reads, where both are active. */
function isPaired(addresses: LaneAddresses, mask: number, bit: number): boolean {
  for (let lane = 0; lane < 32; lane++) {
    const other = lane ^ bit;
    if (other > lane && (mask >>> lane) & (mask >>> other) & 1 && addresses[lane] !== addresses[other]) return false;
  }
  return true;
}

function groupMask(first: number, lanes: number): number {
  return lanes === 32 ? -1 : ((1 << lanes) - 1) << first;
}

function groupWavefronts(addresses: LaneAddresses, mask: number, bytes: number): number {
  words.clear();
  perBank.fill(0);
  let most = 0;
  let previous = -1;
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const first = addresses[lane] >>> 2;
    if (first === previous) continue;
    previous = first;
    const last = ((addresses[lane] >>> 0) + bytes - 1) >>> 2;
    for (let word = first; word <= last; word++) {
      if (words.add(word) > 1) continue;
      const inBank = ++perBank[word & (BANKS - 1)];
      if (inBank > most) most = inBank;
    }
  }
  return most;
}
