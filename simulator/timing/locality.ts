/**
 * What caches make of a launch, from a trace of some of its blocks (machine/access-trace.ts): which share of each instruction's sectors the
 * L1 cache of a multiprocessor has, and how many different sectors the whole grid touches. The blocks that are followed stand for
 * all; their warps take turns request by request. What a grid touches is extrapolated from what a block touches that its
 * neighbour has not touched, up to the size of the allocation.
 */
import type { Trace, TracedRequest, TraceSample } from '../machine/access-trace.ts';

/** Of one instruction, in the blocks that are followed. */
export interface SiteLocality {
  readonly requests: number;
  readonly sectors: number;
  /** Sectors that L1 had or had asked for, and requests all of whose sectors it had: others wait for what has been asked for. */
  readonly hitSectors: number;
  readonly hitRequests: number;
  /** Sectors that the blocks of one multiprocessor touch for the first time. */
  readonly newSectors: number;
  /** Sectors of stores that the same warp has stored to just before: they go to L2 together. */
  readonly mergedSectors: number;
  /** Lines of 128 bytes that its requests touch, each once per request. */
  readonly lines: number;
}

export interface Locality {
  /** By function and site; see `siteKey`. */
  readonly sites: ReadonlyMap<string, SiteLocality>;
  /** Sectors that the grid reads before it has written them, and sectors that it writes: each once. */
  readonly readSectors: number;
  readonly writtenSectors: number;
  /** In how many pieces of 512 bytes atomics are spread evenly, and in how many sectors; Infinity without any. */
  readonly atomicPieces: number;
  readonly atomicSpots: number;
  /** Sectors that blocks ask for which others far from them have asked for before, by allocation: L2 has them if it still has all between. */
  readonly far: readonly FarReuse[];
  /** Instructions of the longest block, divided by those of the mean one. */
  readonly imbalance: number;
  /** Of the sectors that a multiprocessor asks of L2, the share that its neighbour asks for, too. */
  readonly neighbourShare: number;
}

export interface LocalityInput {
  readonly trace: Trace;
  readonly sample: TraceSample;
  /** Blocks of the grid, and requests to global memory that all of them make. */
  readonly blocks: number;
  readonly requests: number;
  /** Bytes of L1 that the followed blocks of a multiprocessor share. */
  readonly l1Bytes: number;
  /** Where an allocation begins and how large it is. */
  readonly allocationOf: (address: number) => { readonly address: number; readonly sizeBytes: number } | undefined;
  /** Reads that L1 does not serve: volatile or atomic ones. */
  readonly bypasses: (site: { readonly function: string; readonly site: number }) => boolean;
}

export const siteKey = (fn: string, site: number): string => `${site} ${fn}`;

/** Of one allocation. */
export interface FarReuse {
  readonly address: number;
  readonly sizeBytes: number;
  /** Over which blocks spread what they ask for. */
  readonly spanBytes: number;
  /** Sectors: each as often as another block asks for it. */
  readonly sectors: number;
  /** By atomics. */
  readonly atomic: boolean;
}

interface Tally {
  requests: number;
  sectors: number;
  hitSectors: number;
  hitRequests: number;
  newSectors: number;
  mergedSectors: number;
  lines: number;
}

export function localityOf(input: LocalityInput): Locality {
  const sites = new Map<string, Tally>();
  const missed = input.sample.groups.map((group) => replay(inTurns(input.trace.requests, new Set(group)), input, sites));
  const { weights } = input.trace;
  const mean = weights.reduce((sum, each) => sum + each, 0) / Math.max(1, weights.length);
  const imbalance = mean > 0 ? Math.max(...weights) / mean : 1;
  return { sites, ...touched(input), ...atomicSpread(input), imbalance, neighbourShare: shareOf(missed) };
}

function shareOf([first, second]: readonly ReadonlySet<number>[]): number {
  if (!second || second.size === 0) return 0;
  let both = 0;
  for (const sector of second) if (first.has(sector)) both++;
  return both / second.size;
}

/** Requests of blocks that run at the same time, one of each warp after the other. */
function* inTurns(
  trace: readonly TracedRequest[],
  blocks: ReadonlySet<number>,
): Generator<{ readonly request: TracedRequest; readonly turn: number }> {
  const warps = new Map<number, TracedRequest[]>();
  for (const request of trace) {
    if (!blocks.has(request.block)) continue;
    const owner = request.block * 64 + request.warp;
    const own = warps.get(owner);
    if (own) own.push(request);
    else warps.set(owner, [request]);
  }
  const queues = [...warps.values()];
  for (let turn = 0, left = queues.length; left > 0; turn++) {
    left = 0;
    for (const queue of queues) {
      if (turn < queue.length) yield { request: queue[turn], turn };
      if (turn + 1 < queue.length) left++;
    }
  }
}

/** An L1 cache: lines of four sectors, the one used last at the end. Stores go through it. Gives back the sectors that it did not have. */
function replay(
  requests: Iterable<{ readonly request: TracedRequest; readonly turn: number }>,
  { l1Bytes, bypasses }: LocalityInput,
  into: Map<string, Tally>,
): ReadonlySet<number> {
  const capacity = Math.max(1, Math.floor(l1Bytes / 128));
  const lines = new Map<number, number>();
  const missed = new Set<number>();
  const stores = new StoreRuns();
  /** By sector: when it was last asked for; of those that L1 does not serve, that they were. */
  const asked = new Map<number, number>();
  /** The line that was used last. */
  let latest = -1;
  for (const { request, turn } of requests) {
    const tally = tallyOf(into, request);
    tally.mergedSectors += stores.merged(request);
    const cached = request.access === 'read' && !bypasses(request);
    let hits = 0;
    let arrived = 0;
    let line = -1;
    for (const sector of request.sectors) {
      if (sector >>> 2 !== line) tally.lines++;
      line = sector >>> 2;
      const before = asked.get(sector);
      if (before === undefined) tally.newSectors++;
      if (!cached) {
        if (before === undefined) asked.set(sector, -1);
        continue;
      }
      const bit = 1 << (sector & 3);
      const had = lines.get(line) ?? 0;
      if (had & bit) {
        hits++;
        if (before !== turn) arrived++;
      } else {
        missed.add(sector);
        asked.set(sector, turn);
      }
      if (latest === line && had & bit) continue;
      if (latest !== line) lines.delete(line);
      lines.set(line, had | bit);
      latest = line;
      if (lines.size > capacity) lines.delete(lines.keys().next().value!);
    }
    tally.requests++;
    tally.sectors += request.sectors.length;
    tally.hitSectors += hits;
    if (arrived === request.sectors.length) tally.hitRequests++;
  }
  return missed;
}

/** Stores of a warp with no other access between them. */
class StoreRuns {
  readonly #byWarp = new Map<number, Set<number>>();

  /** How many sectors of a request are in stores right before it. */
  merged({ access, block, warp, sectors }: TracedRequest): number {
    const owner = block * 64 + warp;
    if (access !== 'write') {
      this.#byWarp.delete(owner);
      return 0;
    }
    let run = this.#byWarp.get(owner);
    if (!run) {
      run = new Set();
      this.#byWarp.set(owner, run);
    }
    let merged = 0;
    for (const sector of sectors) {
      if (run.has(sector)) merged++;
      else run.add(sector);
    }
    return merged;
  }
}

function tallyOf(into: Map<string, Tally>, { function: name, site }: TracedRequest): Tally {
  const key = siteKey(name, site);
  let tally = into.get(key);
  if (!tally) {
    tally = { requests: 0, sectors: 0, hitSectors: 0, hitRequests: 0, newSectors: 0, mergedSectors: 0, lines: 0 };
    into.set(key, tally);
  }
  return tally;
}

/** Sectors of one block by allocation: those that it reads before it writes them, and those that it writes. */
type Touched = Map<number, TouchedSectors>;

interface TouchedSectors {
  readonly read: Set<number>;
  readonly written: Set<number>;
  /** Sectors of the allocation. */
  readonly limit: number;
  atomic: boolean;
}

function touched({
  trace: { requests: trace },
  sample,
  blocks,
  requests,
  allocationOf,
}: LocalityInput): Pick<Locality, 'readSectors' | 'writtenSectors' | 'far'> {
  const byBlock = new Map<number, Touched>();
  for (const request of trace) {
    let own = byBlock.get(request.block);
    if (!own) {
      own = new Map();
      byBlock.set(request.block, own);
    }
    touch(own, request, allocationOf);
  }
  // Where only the first requests of a warp were kept, the rest is taken to go on like them.
  const followed = Math.max(1, new Set(sample.groups.flat()).size);
  const scale = Math.max(1, (requests * followed) / (blocks * Math.max(1, trace.length)));
  const pairs = (sample.groups[1] ?? []).map((block, k) => [byBlock.get(sample.groups[0][k]), byBlock.get(block)] as const);
  const far: FarReuse[] = [];
  const sum = (which: 'read' | 'written'): number => {
    let total = 0;
    const allocations = new Set([...byBlock.values()].flatMap((own) => [...own.keys()]));
    for (const allocation of allocations) {
      const own = [...byBlock.values()].map((each) => each.get(allocation));
      const limit = own.find((each) => each)!.limit;
      const perBlock = own.reduce((count, each) => count + (each?.[which].size ?? 0), 0) / followed;
      const fresh =
        pairs.length === 0
          ? perBlock
          : pairs.reduce((count, [a, b]) => count + added(a?.get(allocation)?.[which], b?.get(allocation)?.[which]), 0) / pairs.length;
      const asked = scale * (perBlock + (blocks - 1) * Math.min(perBlock, fresh));
      total += Math.min(limit, asked);
      if (which === 'read' && asked > limit) far.push(farReuse(own, { address: allocation, limit, sectors: asked - limit }));
    }
    return total;
  };
  return { readSectors: sum('read'), writtenSectors: sum('written'), far };
}

/** What lies in no allocation. */
const NOWHERE = { address: 0, sizeBytes: 2 ** 32 };

function farReuse(
  blocks: readonly (TouchedSectors | undefined)[],
  { address, limit, sectors }: { readonly address: number; readonly limit: number; readonly sectors: number },
): FarReuse {
  let span = 0;
  for (const block of blocks) {
    let [low, high] = [Number.POSITIVE_INFINITY, 0];
    for (const sector of block?.read ?? []) {
      low = Math.min(low, sector);
      high = Math.max(high, sector);
    }
    span = Math.max(span, high - low + 1);
  }
  return { address, sizeBytes: 32 * limit, spanBytes: 32 * span, sectors, atomic: blocks.some((each) => each?.atomic) };
}

function touch(own: Touched, { access, sectors }: TracedRequest, allocationOf: LocalityInput['allocationOf']): void {
  let allocation: { readonly address: number; readonly sizeBytes: number } = NOWHERE;
  for (const sector of sectors) {
    const past = sector * 32 - allocation.address;
    if (allocation === NOWHERE || past < 0 || past >= allocation.sizeBytes) allocation = allocationOf(sector * 32) ?? NOWHERE;
    let sets = own.get(allocation.address);
    if (!sets) {
      sets = { read: new Set(), written: new Set(), limit: Math.ceil(allocation.sizeBytes / 32), atomic: false };
      own.set(allocation.address, sets);
    }
    sets.atomic ||= access === 'atomic';
    if (access !== 'write' && !sets.written.has(sector)) sets.read.add(sector);
    if (access !== 'read') sets.written.add(sector);
  }
}

function added(before: ReadonlySet<number> | undefined, after: ReadonlySet<number> | undefined): number {
  let count = 0;
  for (const sector of after ?? []) if (!before?.has(sector)) count++;
  return count;
}

/** Operations of atomics, divided by those of the busiest piece of memory, and of the busiest sector. */
function atomicSpread(input: LocalityInput): Pick<Locality, 'atomicPieces' | 'atomicSpots'> {
  return { atomicPieces: spread(input, 4), atomicSpots: spread(input, 0) };
}

/** `shift`: of a sector's number, to that of the piece. */
function spread({ trace: { requests: trace }, blocks, sample }: LocalityInput, shift: number): number {
  const pieces = new Map<number, number>();
  const followed = new Map<number, Set<number>>();
  let total = 0;
  for (const { access, sectors, block } of trace) {
    if (access !== 'atomic') continue;
    for (const sector of sectors) {
      const piece = sector >>> shift;
      total++;
      pieces.set(piece, (pieces.get(piece) ?? 0) + 1);
      const own = followed.get(piece) ?? new Set();
      followed.set(piece, own.add(block));
    }
  }
  if (total === 0) return Number.POSITIVE_INFINITY;
  // Pieces that one block alone has touched: other blocks will have pieces of their own.
  const count = Math.max(1, new Set(sample.groups.flat()).size);
  const alone = [...followed.values()].filter((own) => own.size === 1).length;
  const growth = count > 1 && alone === followed.size ? blocks / count : 1;
  return evenPieces([...pieces.values()], total) * growth;
}

/** Counts up to this come up by chance among evenly spread operations. */
const BY_CHANCE = 8;

/** Of few operations, how often two meet says into how many pieces they are spread: the busiest piece is one by chance. */
function evenPieces(counts: readonly number[], total: number): number {
  let busiest = 0;
  let meetings = 0;
  for (const count of counts) {
    busiest = Math.max(busiest, count);
    meetings += count * (count - 1);
  }
  return busiest > BY_CHANCE || counts.length < BY_CHANCE ? total / busiest : (total * (total - 1)) / meetings;
}
