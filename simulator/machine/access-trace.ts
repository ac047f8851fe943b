/**
 * What some blocks of a launch ask of global memory, request by request: the sectors, in each warp's order. Engines keep it while
 * they execute; models of caches read it. Which blocks are followed depends on the launch alone, so a trace is the same for any
 * number of threads. Of each warp, the first requests are kept.
 */

import { LOCAL_BASE } from '../ir/address-map.ts';
import type { Access, AccessShape } from './request.ts';
import { SECTOR_SHIFT } from './sectors.ts';

/** Which blocks are followed. */
export interface TraceSample {
  /** Blocks that run on one multiprocessor at a time, for each multiprocessor that is followed. */
  readonly groups: readonly (readonly number[])[];
  /** How many are kept of each warp. */
  readonly requestsPerWarp: number;
}

export interface Trace {
  readonly requests: readonly TracedRequest[];
}

/** Blocks of one multiprocessor that are followed at most: more would cost time and hardly change what they share. */
const MOST_BLOCKS = 8;
/** Requests that are kept of the blocks of a multiprocessor together, and the fewest of each warp. */
const MOST_REQUESTS = 8192;
const FEWEST_REQUESTS = 128;

/**
 * Two multiprocessors in the middle of the grid's first blocks. Blocks are taken to go round all multiprocessors in the order of their
 * numbers. `resident`: blocks that one holds at a time, at most. `warps`: of a block.
 */
export function traceSample(
  blocks: number,
  multiprocessors: number,
  { resident, warps }: { resident: number; warps: number },
): TraceSample {
  const first = Math.floor((Math.min(blocks, multiprocessors) - 1) / 2);
  const count = Math.max(1, Math.min(MOST_BLOCKS, resident, Math.ceil(blocks / multiprocessors)));
  const group = (start: number) => Array.from({ length: count }, (_, k) => start + k * multiprocessors).filter((block) => block < blocks);
  return {
    groups: [group(first), group(first + 1)].filter(({ length }) => length > 0),
    requestsPerWarp: Math.max(FEWEST_REQUESTS, Math.floor(MOST_REQUESTS / (count * warps))),
  };
}

/** Where a request comes from. */
export interface TracedSite {
  readonly function: string;
  readonly site: number;
}

export interface TracedRequest extends TracedSite {
  readonly access: Access;
  readonly block: number;
  readonly warp: number;
  /** How many barriers of the grid its warp has passed before it. */
  readonly epoch: number;
  /** Numbers of sectors (address divided by 32): each once, or of an atomic as often as lanes meet at one of its addresses. */
  readonly sectors: Int32Array;
}

const ACCESSES: readonly Access[] = ['read', 'write', 'atomic'];
/** In place of a key: the warp passes a barrier of the grid. */
const EPOCH = -1;
/** Words of a request before its sectors. */
const HEAD = 4;

export class AccessTrace {
  readonly #blocks: ReadonlySet<number>;
  /** By block and warp: requests so far. */
  readonly #requests = new Map<number, number>();
  #words = new Int32Array(1024);
  #length = 0;

  constructor(readonly sample: TraceSample) {
    this.#blocks = new Set(sample.groups.flat());
  }

  follows(block: number): boolean {
    return this.#blocks.has(block);
  }

  passesGridBarrier(block: number, warp: number): void {
    if (this.follows(block)) this.append(Int32Array.of(EPOCH, block, warp, 0));
  }

  /** What has been traced, to be sent to another thread. */
  get words(): Int32Array {
    return this.#words.slice(0, this.#length);
  }

  /** Takes over what another thread has traced. */
  append(words: Int32Array): void {
    this.#reserve(words.length);
    this.#words.set(words, this.#length);
    this.#length += words.length;
  }

  /** Whether more of the warp's requests are kept. `key`: stands for the site. Lanes whose addresses are not in global memory are left out. `combined`: one lane's request remains. */
  add(
    at: { readonly key: number; readonly block: number; readonly warp: number },
    { access, counted }: AccessShape,
    addresses: Int32Array,
    lanes: number,
    combined = false,
  ): boolean {
    if (!counted) return true;
    const owner = at.block * 64 + at.warp;
    const requests = this.#requests.get(owner) ?? 0;
    if (requests >= this.sample.requestsPerWarp) return false;
    this.#reserve(HEAD + 32 * 17);
    const start = this.#length;
    let end = start + HEAD;
    const mask = combined ? lanes & -lanes : lanes;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const address = (addresses[31 - Math.clz32(rest & -rest)] >>> 0) + counted.offset;
      if (address >= LOCAL_BASE) continue;
      const last = (address + counted.bytes - 1) >>> SECTOR_SHIFT;
      for (let sector = address >>> SECTOR_SHIFT; sector <= last; sector++) {
        // Lanes in ascending order: most sectors come one after the other.
        if (access !== 'atomic' && this.#words[end - 1] === sector && end > start + HEAD) continue;
        this.#words[end++] = access === 'atomic' ? address >>> 2 : sector;
      }
    }
    if (end === start + HEAD) return true;
    const count = access === 'atomic' ? meetings(this.#words, start + HEAD, end) : distinct(this.#words, start + HEAD, end);
    this.#words[start] = at.key;
    this.#words[start + 1] = at.block;
    this.#words[start + 2] = at.warp;
    this.#words[start + 3] = ACCESSES.indexOf(access) + 4 * count;
    this.#length = start + HEAD + count;
    this.#requests.set(owner, requests + 1);
    return requests + 1 < this.sample.requestsPerWarp;
  }

  /** Takes note of a request for texels, of which a lane may want several. */
  addTexels(
    at: { readonly key: number; readonly block: number; readonly warp: number },
    access: 'read' | 'write',
    addresses: readonly number[],
  ): void {
    const owner = at.block * 64 + at.warp;
    const requests = this.#requests.get(owner) ?? 0;
    if (requests >= this.sample.requestsPerWarp || addresses.length === 0) return;
    // A texel has at most 16 bytes and is aligned to its size: it lies in one sector.
    const sectors = [...new Set(addresses.map((address) => address >>> SECTOR_SHIFT))].sort((a, b) => a - b);
    this.append(Int32Array.of(at.key, at.block, at.warp, ACCESSES.indexOf(access) + 4 * sectors.length, ...sectors));
    this.#requests.set(owner, requests + 1);
  }

  /** In the order of blocks, and of each block in the order in which it ran. `siteOf`: what a key stands for. */
  result(siteOf: (key: number) => TracedSite | undefined): Trace {
    const all: TracedRequest[] = [];
    const epochs = new Map<number, number>();
    for (let at = 0; at < this.#length; ) {
      const words = this.#words;
      const [key, block, warp, kind] = [words[at], words[at + 1], words[at + 2], words[at + 3]];
      const site = key === EPOCH ? undefined : siteOf(key);
      const owner = block * 64 + warp;
      if (key === EPOCH) epochs.set(owner, (epochs.get(owner) ?? 0) + 1);
      const end = at + HEAD + (kind >> 2);
      if (site) {
        const { function: name, site: number } = site;
        const epoch = epochs.get(owner) ?? 0;
        const sectors = this.#words.subarray(at + HEAD, end);
        all.push({ function: name, site: number, access: ACCESSES[kind & 3], block, warp, epoch, sectors });
      }
      at = end;
    }
    const requests = all.sort((a, b) => a.block - b.block);
    return { requests };
  }

  #reserve(words: number): void {
    if (this.#length + words <= this.#words.length) return;
    const larger = new Int32Array(2 * (this.#length + words));
    larger.set(this.#words.subarray(0, this.#length));
    this.#words = larger;
  }
}

/** Makes the numbers in a range distinct and ascending; says how many there are. */
function distinct(words: Int32Array, start: number, end: number): number {
  if (end - start === 1) return 1;
  const range = words.subarray(start, end).sort();
  let count = 0;
  for (const word of range) if (count === 0 || range[count - 1] !== word) range[count++] = word;
  return count;
}

/** Makes sectors of word addresses, each as often as its busiest address comes; says how many there are. */
function meetings(words: Int32Array, start: number, end: number): number {
  const range = words.subarray(start, end).sort();
  const most = new Map<number, number>();
  let same = 0;
  range.forEach((word, index) => {
    same = index > 0 && range[index - 1] === word ? same + 1 : 1;
    const sector = word >>> 3;
    most.set(sector, Math.max(most.get(sector) ?? 0, same));
  });
  let count = 0;
  for (const [sector, times] of most) for (let k = 0; k < times; k++) range[count++] = sector;
  return count;
}
