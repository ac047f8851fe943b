/**
 * Sectors and wavefronts of one warp-level request, by the rules that measurements settled (sectors: distinct 32-byte pieces; wavefronts:
 * most words in one bank, over the warp for 4 bytes, halves for 8, quarters for 16, twice as many lanes for loads of neighbours in
 * pairs: as in simulator/machine/banks.ts).
 */
import { LANES, type LaneValues, laneOf } from './rows.ts';

export const SECTOR_BYTES = 32;
const BANKS = 32;
export const WORD_BYTES = 4;

export interface Request {
  /** Byte offsets per lane. */
  readonly offsets: LaneValues;
  readonly bytes: number;
  /** One bit per lane. */
  readonly active: number;
}

/** Up to here a quotient that is rounded to a double has the right integer below it. */
const DIVISIBLE = 2 ** 48;

/** The rest of a division that rounds down, so never negative. */
export function modulo(value: number, period: number): number {
  // The remainder of doubles is a function call, and takes ten times as long.
  if (Math.abs(value) <= DIVISIBLE && Math.floor(value) === value) return value - Math.floor(value / period) * period;
  return ((value % period) + period) % period;
}

export function sectorsOf({ offsets, bytes, active }: Request): { sectors: number; ideal: number } {
  if (typeof offsets === 'number') {
    const sectors = Math.floor((offsets + bytes - 1) / SECTOR_BYTES) - Math.floor(offsets / SECTOR_BYTES) + 1;
    return { sectors, ideal: idealSectors(sectors, countLanes(active) * bytes) };
  }
  let sectors = 0;
  let last = Number.NEGATIVE_INFINITY;
  let lanes = 0;
  for (let lane = 0; lane < LANES; lane++) {
    if (((active >>> lane) & 1) === 0) continue;
    const at = offsets[lane];
    lanes++;
    const first = Math.floor(at / SECTOR_BYTES);
    // Counted from the first: beyond 2^53 adding one changes nothing, and a loop up to the last sector would never end.
    const more = Math.floor((at + bytes - 1) / SECTOR_BYTES) - first;
    for (let k = 0; k <= more; k++) {
      const sector = first + k;
      // Most requests go upwards, so most sectors lie behind all that were seen.
      if (sector > last) last = sector;
      else if (isAmong(sector, sectors)) continue;
      SECTORS[sectors++] = sector;
    }
  }
  return { sectors, ideal: idealSectors(sectors, lanes * bytes) };
}

/** Those of the request that is being counted. */
const SECTORS: number[] = [];

function isAmong(sector: number, count: number): boolean {
  for (let i = 0; i < count; i++) if (SECTORS[i] === sector) return true;
  return false;
}

/** As Nsight Compute counts it: what the active lanes' bytes would need side by side, never more than what is touched. */
function idealSectors(touched: number, bytes: number): number {
  return Math.min(touched, Math.max(1, Math.ceil(bytes / SECTOR_BYTES)));
}

/** The distinct words of a part of a request: in each bank so many, `SLOTS` apart. */
const SLOTS = LANES * 4;
const WORDS = new Float64Array(BANKS * SLOTS);
const COUNTS = new Uint8Array(BANKS);

/** Adds a word to its bank; returns how many distinct ones the bank has then. */
function addWord(word: number): number {
  // The low bits of a number below 2^53 survive, also of a negative one.
  const bank = word & (BANKS - 1);
  const end = bank * SLOTS + COUNTS[bank];
  for (let at = bank * SLOTS; at < end; at++) if (WORDS[at] === word) return 0;
  WORDS[end] = word;
  COUNTS[bank]++;
  return COUNTS[bank];
}

const ALL = -1;

/** For a whole warp whose lanes are so many words apart: the largest power of two in their number, up to the number of banks. */
function lanesInOneBank(words: number): number {
  return Math.min(BANKS, (words & -words) >>> 0 || BANKS);
}

export function wavefrontsOf(request: Request, kind: 'load' | 'store'): { wavefronts: number; ideal: number } {
  const { offsets, bytes, active } = request;
  const parts = partsServed(request, kind);
  const lanes = LANES / parts;
  let wavefronts = 0;
  let used = 0;
  if (typeof offsets === 'number') {
    // One address has each of its words in a bank of its own.
    for (let part = 0; part < parts; part++) if (((active >>> (part * lanes)) & (2 ** lanes - 1)) !== 0) used++;
    return { wavefronts: used, ideal: Math.max(1, used) };
  }
  const words = bytes <= WORD_BYTES && active === ALL ? (strideOf(request) ?? 0) / WORD_BYTES : 0;
  if (words !== 0 && Number.isInteger(words)) return { wavefronts: lanesInOneBank(words), ideal: 1 };
  for (let part = 0; part < parts; part++) {
    COUNTS.fill(0);
    let any = false;
    let most = 0;
    for (let lane = part * lanes; lane < (part + 1) * lanes; lane++) {
      if (((active >>> lane) & 1) === 0) continue;
      any = true;
      const at = offsets[lane];
      for (let b = 0; b < bytes; b += WORD_BYTES) {
        const inBank = addWord(Math.floor((at + b) / WORD_BYTES));
        if (inBank > most) most = inBank;
      }
    }
    if (!any) continue;
    used++;
    wavefronts += most;
  }
  return { wavefronts, ideal: Math.max(1, used) };
}

/** The parts of a warp that hardware serves one after the other. */
function partsServed(request: Request, kind: 'load' | 'store'): number {
  const { bytes } = request;
  if (bytes <= 4) return 1;
  const parts = bytes <= 8 ? 2 : 4;
  return kind === 'load' && (isPaired(request, 1) || isPaired(request, 2)) ? parts / 2 : parts;
}

/** Whether each lane is at the place of the lane whose number differs by this bit, where both are active. */
function isPaired({ offsets, active }: Request, bit: number): boolean {
  if (typeof offsets === 'number') return true;
  for (let lane = 0; lane < LANES; lane++) {
    const other = lane ^ bit;
    if (other > lane && (active >>> lane) & (active >>> other) & 1 && offsets[lane] !== offsets[other]) return false;
  }
  return true;
}

/** The largest number of active lanes at one offset. */
export function lanesAtOneAddress({ offsets, active }: Request): number {
  const counts = new Map<number, number>();
  for (let lane = 0; lane < LANES; lane++) {
    if (((active >>> lane) & 1) === 0) continue;
    const at = laneOf(offsets, lane);
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

/** Bytes from each active lane to the next, when it is the same everywhere and most of them have the next one beside them. */
export function strideOf({ offsets, active }: Request): number | undefined {
  if (typeof offsets === 'number') return (active & (active >>> 1)) !== 0 ? 0 : undefined;
  let stride: number | undefined;
  for (let lane = 0; lane + 1 < LANES; lane++) {
    if (((active >>> lane) & 3) !== 3) continue;
    const d = offsets[lane + 1] - offsets[lane];
    if (stride === undefined) stride = d;
    else if (stride !== d) return undefined;
  }
  // Of every second lane those at the end of a row and at the start of the next may be the only neighbours.
  return 2 * countLanes(active & (active >>> 1)) < countLanes(active) - 1 ? undefined : stride;
}

/** How many stretches of neighbouring elements the active lanes touch, in the lanes' order. */
export function piecesOf({ offsets, bytes, active }: Request): number {
  if (typeof offsets === 'number') return 1;
  let pieces = 0;
  let next: number | undefined;
  for (let lane = 0; lane < LANES; lane++) {
    if (((active >>> lane) & 1) === 0) continue;
    if (offsets[lane] !== next) pieces++;
    next = offsets[lane] + bytes;
  }
  return pieces;
}

/** At how many different places the active lanes are. */
export function placesOf({ offsets, active }: Request): number {
  if (typeof offsets === 'number') return 1;
  return new Set(offsets.filter((_, lane) => ((active >>> lane) & 1) !== 0)).size;
}

export function countLanes(mask: number): number {
  let n = 0;
  for (let v = mask >>> 0; v !== 0; v &= v - 1) n++;
  return n;
}
