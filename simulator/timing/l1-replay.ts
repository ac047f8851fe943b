/**
 * What the L1 cache of a multiprocessor makes of the requests of the blocks that are followed. Their warps take turns request by request.
 * Blocks that come after them find what all of them use; of warps of which only the first requests are known, the rest is taken to go on
 * as the later half of these.
 */
import type { TracedRequest } from '../machine/access-trace.ts';
import { type SiteLocality, siteKey } from './locality.ts';

export interface ReplayInput {
  /** In the order of each warp. */
  readonly requests: readonly TracedRequest[];
  /** The blocks that run on one multiprocessor at the same time. */
  readonly blocks: ReadonlySet<number>;
  /** Those in the later half of what is known of their warp. */
  readonly late: ReadonlySet<TracedRequest>;
  /** Requests of the whole grid, divided by those that as many blocks as are followed would stand for. */
  readonly scale: number;
  /** How often so many blocks follow each other on a multiprocessor. */
  readonly turns: number;
  readonly l1Bytes: number;
  /** For each block that is followed, so many share L1: each with data of its own, besides what they have in common. */
  readonly crowding: number;
  /** Reads that L1 does not serve. */
  readonly bypasses: (site: { readonly function: string; readonly site: number }) => boolean;
  /** Where an allocation begins and how large it is. */
  readonly allocationOf: (address: number) => { readonly address: number; readonly sizeBytes: number } | undefined;
}

export type Tally = { -readonly [K in keyof SiteLocality]: SiteLocality[K] };

/** Of one pass through the requests, by function and site: all of them, and those that are late. */
interface Pass {
  readonly all: Map<string, Tally>;
  readonly late: Map<string, Tally>;
  readonly missed: Set<number>;
}

/** Added to the number of a sector (an address divided by 32, below 2 ** 27), for the one that a later block has in its place. */
const OF_LATER_BLOCKS = 2 ** 27;

/** Adds to the tallies. Gives back the sectors that L1 did not have: of the blocks that come later, where most do. */
export function replayL1(input: ReplayInput, into: Map<string, Tally>): ReadonlySet<number> {
  const inOrder = inTurns(input);
  const shared = input.turns > 1 ? sharedSectors(input) : new Set<number>();
  const l1 = new L1(input, shared);
  const first = l1.pass(inOrder, (sector) => sector);
  const later = shared.size > 0 ? l1.pass(inOrder, (sector) => (shared.has(sector) ? sector : sector + OF_LATER_BLOCKS)) : first;
  for (const [key, all] of first.all) {
    const own = { ...all };
    for (const field of ['hitSectors', 'hitRequests', 'newSectors'] as const) {
      const [once, again] = [first, later].map((pass) => goneOn(pass, { key, field, scale: input.scale }));
      own[field] = (once + (input.turns - 1) * again) / input.turns;
    }
    const tally = tallyOf(into, key);
    for (const field of FIELDS) tally[field] += own[field];
  }
  return (input.turns < 2 ? first : later).missed;
}

const FIELDS = ['requests', 'sectors', 'hitSectors', 'hitRequests', 'newSectors', 'mergedSectors', 'lines'] as const;

function goneOn(
  { all, late }: Pass,
  { key, field, scale }: { readonly key: string; readonly field: 'hitSectors' | 'hitRequests' | 'newSectors'; readonly scale: number },
): number {
  const [known, rest] = [all.get(key)!, late.get(key)];
  const unit = field === 'hitRequests' ? 'requests' : 'sectors';
  if (!rest || rest[unit] === 0) return known[field];
  return known[field] / scale + (1 - 1 / scale) * rest[field] * (known[unit] / rest[unit]);
}

interface Line {
  /** A bit for each that is there. */
  sectors: number;
  readonly weight: number;
}

interface Turn {
  readonly request: TracedRequest;
  readonly turn: number;
}

/** Requests of blocks that run at the same time, one of each warp after the other. */
function inTurns({ requests, blocks }: ReplayInput): readonly Turn[] {
  const warps = new Map<number, TracedRequest[]>();
  for (const request of requests) {
    if (!blocks.has(request.block)) continue;
    const owner = request.block * 64 + request.warp;
    const own = warps.get(owner);
    if (own) own.push(request);
    else warps.set(owner, [request]);
  }
  const turns: Turn[] = [];
  let queues = [...warps.values()];
  for (let turn = 0; queues.length > 0; turn++) {
    for (const queue of queues) turns.push({ request: queue[turn], turn });
    queues = queues.filter((queue) => turn + 1 < queue.length);
  }
  // All wait for each other at a barrier of the grid.
  return turns.sort((a, b) => a.request.epoch - b.request.epoch);
}

/** Sectors that later blocks find: several blocks have touched them, or all blocks together touch a small array again and again. */
function sharedSectors({ requests, blocks, turns, l1Bytes, allocationOf }: ReplayInput): ReadonlySet<number> {
  const owners = new Map<number, number>();
  const shared = new Set<number>();
  // Where one block is followed on each multiprocessor, its neighbour says what blocks share.
  for (const { block, sectors } of requests) {
    if (blocks.size > 1 && !blocks.has(block)) continue;
    for (const sector of sectors) {
      const owner = owners.get(sector);
      if (owner === undefined) owners.set(sector, block);
      else if (owner !== block) shared.add(sector);
    }
  }
  const byArray = new Map<number, { readonly sizeBytes: number; readonly sectors: number[] }>();
  let array: { readonly address: number; readonly sizeBytes: number } = { address: 0, sizeBytes: 0 };
  for (const sector of owners.keys()) {
    const past = 32 * sector - array.address;
    if (past < 0 || past >= array.sizeBytes) array = allocationOf(32 * sector) ?? { address: 32 * sector, sizeBytes: 32 };
    const { address, sizeBytes } = array;
    const own = byArray.get(address) ?? { sizeBytes, sectors: [] };
    own.sectors.push(sector);
    byArray.set(address, own);
  }
  for (const { sizeBytes, sectors } of byArray.values()) {
    if (2 * sizeBytes > l1Bytes || 32 * sectors.length * turns < 2 * sizeBytes) continue;
    for (const sector of sectors) shared.add(sector);
  }
  return shared;
}

/** Lines of four sectors, the one used last at the end. Stores go through it. */
class L1 {
  readonly #input: ReplayInput;
  readonly #shared: ReadonlySet<number>;
  readonly #lines = new Map<number, Line>();
  /** Lines, with those of the blocks that are not followed. */
  #filled = 0;
  /** By sector: when it was last asked for; of those that L1 does not serve, that they were. */
  readonly #asked = new Map<number, number>();
  /** The line that was used last. */
  #latest = -1;
  #turns = 0;
  /** A barrier of the grid empties it: what other multiprocessors have written must be seen (CCTL.IVALL in nvcc's code of grid.sync()). */
  #epoch = 0;

  constructor(input: ReplayInput, shared: ReadonlySet<number>) {
    this.#input = input;
    this.#shared = shared;
  }

  /** `placeOf`: the sector in place of one. */
  pass(inOrder: readonly Turn[], placeOf: (sector: number) => number): Pass {
    const pass: Pass = { all: new Map(), late: new Map(), missed: new Set() };
    const stores = new StorePairs();
    const start = this.#turns;
    for (const { request, turn } of inOrder) {
      this.#turns = start + turn + 1;
      const own = this.#request(request, { placeOf, missed: pass.missed, turn: this.#turns });
      const merged = stores.merged(request);
      const key = siteKey(request.function, request.site);
      for (const tallies of this.#input.late.has(request) ? [pass.all, pass.late] : [pass.all]) {
        const tally = tallyOf(tallies, key);
        tally.requests++;
        tally.sectors += request.sectors.length;
        tally.hitSectors += own.hits;
        if (own.arrived === request.sectors.length) tally.hitRequests++;
        tally.newSectors += own.fresh;
        tally.mergedSectors += merged;
        tally.lines += own.lines;
      }
    }
    return pass;
  }

  #request(
    request: TracedRequest,
    { placeOf, missed, turn }: { readonly placeOf: (sector: number) => number; readonly missed: Set<number>; readonly turn: number },
  ): { readonly hits: number; readonly arrived: number; readonly fresh: number; readonly lines: number } {
    if (request.epoch !== this.#epoch) this.#empty(request.epoch);
    const cached = request.access === 'read' && !this.#input.bypasses(request);
    const own = { hits: 0, arrived: 0, fresh: 0, lines: 0 };
    let line = -1;
    for (const touched of request.sectors) {
      const sector = placeOf(touched);
      if (sector >>> 2 !== line) own.lines++;
      line = sector >>> 2;
      const before = this.#asked.get(sector);
      if (before === undefined && !this.#hasCome(sector, turn)) own.fresh++;
      if (!cached) {
        if (before === undefined) this.#asked.set(sector, -1);
        continue;
      }
      if (this.#has(sector)) {
        own.hits++;
        if (before !== turn) own.arrived++;
      } else {
        missed.add(sector);
        this.#asked.set(sector, turn);
      }
    }
    return own;
  }

  /**
   * L2 fetches two sectors of DRAM at once: the second one is there when it is asked for later (h200-latency.json: 294 cycles instead of 700 for
   * each second sector of a row).
   */
  #hasCome(sector: number, turn: number): boolean {
    const mate = this.#asked.get(sector ^ 1);
    return mate !== undefined && mate !== turn;
  }

  #empty(epoch: number): void {
    this.#epoch = epoch;
    this.#lines.clear();
    this.#filled = 0;
    this.#latest = -1;
  }

  /** Whether a sector is there; it is from now on. */
  #has(sector: number): boolean {
    const [number, bit] = [sector >>> 2, 1 << (sector & 3)];
    let line = this.#lines.get(number);
    const hit = line !== undefined && (line.sectors & bit) !== 0;
    if (this.#latest === number && hit) return true;
    if (!line) {
      line = { sectors: 0, weight: this.#shared.has(sector) ? 1 : this.#input.crowding };
      this.#filled += line.weight;
    } else if (this.#latest !== number) this.#lines.delete(number);
    line.sectors |= bit;
    this.#lines.set(number, line);
    this.#latest = number;
    this.#evict();
    return hit;
  }

  #evict(): void {
    for (const [number, { weight }] of this.#lines) {
      if (128 * this.#filled <= this.#input.l1Bytes || this.#lines.size === 1) return;
      this.#lines.delete(number);
      this.#filled -= weight;
    }
  }
}

/**
 * Two stores of a warp right after each other in the code go to L2 together where they meet in a sector; a third one does not join them. One
 * that is executed again and again comes too late for that (docs/time.md).
 */
class StorePairs {
  /** By warp, what its latest store sent by itself. */
  readonly #byWarp = new Map<number, { readonly site: number; readonly sent: ReadonlySet<number> }>();

  /** How many sectors of a request go with the store before it. */
  merged({ access, block, warp, site, sectors }: TracedRequest): number {
    const owner = block * 64 + warp;
    const before = this.#byWarp.get(owner);
    if (access !== 'write') {
      this.#byWarp.delete(owner);
      return 0;
    }
    const sent = new Set<number>();
    for (const sector of sectors) if (before?.site === site || !before?.sent.has(sector)) sent.add(sector);
    this.#byWarp.set(owner, { site, sent });
    return sectors.length - sent.size;
  }
}

function tallyOf(into: Map<string, Tally>, key: string): Tally {
  let tally = into.get(key);
  if (!tally) {
    tally = { requests: 0, sectors: 0, hitSectors: 0, hitRequests: 0, newSectors: 0, mergedSectors: 0, lines: 0 };
    into.set(key, tally);
  }
  return tally;
}
