/**
 * What caches make of a launch, from a trace of some of its blocks (machine/access-trace.ts): which share of each instruction's sectors the
 * L1 cache of a multiprocessor has, and how many different sectors the whole grid touches. The blocks that are followed stand for
 * all; their warps take turns request by request. What a grid touches is extrapolated from what a block touches that its
 * neighbour has not touched, up to the size of the allocation.
 */
import type { Trace, TracedRequest, TraceSample } from '../machine/access-trace.ts';
import { replayL1, type Tally } from './l1-replay.ts';

/** Of one instruction, in the blocks that are followed. */
export interface SiteLocality {
  readonly requests: number;
  readonly sectors: number;
  /** Sectors that L1 had or had asked for, and requests all of whose sectors it had: others wait for what has been asked for. */
  readonly hitSectors: number;
  readonly hitRequests: number;
  /** Sectors that the blocks of one multiprocessor touch for the first time, without those that L2 has fetched with the one beside them. */
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
  /** All requests of the blocks that were followed are known. */
  readonly isWhole: boolean;
  /** Of the sectors that a multiprocessor asks of L2, the share that its neighbour asks for, too. */
  readonly neighbourShare: number;
}

export interface LocalityInput {
  readonly trace: Trace;
  readonly sample: TraceSample;
  /** Blocks of the grid, and requests to global memory that all of them make. */
  readonly blocks: number;
  readonly requests: number;
  /** How often so many blocks as are followed of a multiprocessor would follow each other on it. */
  readonly turns: number;
  /** Bytes of L1 that blocks of a multiprocessor share, and how many share it for each that is followed. */
  readonly l1Bytes: number;
  readonly crowding: number;
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

export function localityOf(input: LocalityInput): Locality {
  const { trace, sample, turns, l1Bytes, crowding, bypasses, allocationOf } = input;
  const { requests } = trace;
  const sites = new Map<string, Tally>();
  const rest: Rest = { scale: scaleOf(input), late: lateHalf(requests) };
  const missed = sample.groups.map((group) =>
    replayL1({ requests, blocks: new Set(group), ...rest, turns: Math.max(1, turns), l1Bytes, crowding, bypasses, allocationOf }, sites),
  );
  const isWhole = [...requestsByWarp(requests).values()].every((count) => count < sample.requestsPerWarp);
  return { sites, ...touched(input, rest), ...atomicSpread(input), isWhole, neighbourShare: shareOf(missed) };
}

function requestsByWarp(requests: readonly TracedRequest[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { block, warp } of requests) {
    const owner = block * 64 + warp;
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return counts;
}

/** What is not known of the warps that are followed: only their first requests are kept. */
interface Rest {
  /** Requests of the grid, divided by those that were kept, as if all blocks made as many as these. */
  readonly scale: number;
  /** Requests in the later half of what is known of their warp: the rest is taken to go on like them. */
  readonly late: ReadonlySet<TracedRequest>;
}

function scaleOf({ trace, sample, blocks, requests }: LocalityInput): number {
  const followed = Math.max(1, new Set(sample.groups.flat()).size);
  return Math.max(1, (requests * followed) / (blocks * Math.max(1, trace.requests.length)));
}

function lateHalf(requests: readonly TracedRequest[]): ReadonlySet<TracedRequest> {
  const counts = new Map<number, number>();
  const ownerOf = ({ block, warp }: TracedRequest) => block * 64 + warp;
  for (const request of requests) counts.set(ownerOf(request), (counts.get(ownerOf(request)) ?? 0) + 1);
  const seen = new Map<number, number>();
  const late = new Set<TracedRequest>();
  for (const request of requests) {
    const owner = ownerOf(request);
    const place = seen.get(owner) ?? 0;
    seen.set(owner, place + 1);
    if (2 * place >= counts.get(owner)!) late.add(request);
  }
  return late;
}

function shareOf([first, second]: readonly ReadonlySet<number>[]): number {
  if (!second || second.size === 0) return 0;
  let both = 0;
  for (const sector of second) if (first.has(sector)) both++;
  return both / second.size;
}

/** Sectors of one block by allocation: those that it reads before it writes them, and those that it writes. */
type Touched = Map<number, TouchedSectors>;

interface TouchedSectors {
  readonly read: Set<number>;
  readonly written: Set<number>;
  /** Sectors of the allocation. */
  readonly limit: number;
  /** Of these, how many a late request touched first. */
  lateRead: number;
  lateWritten: number;
  atomic: boolean;
}

function touched(
  { trace: { requests: trace }, sample, blocks, allocationOf }: LocalityInput,
  { scale, late }: Rest,
): Pick<Locality, 'readSectors' | 'writtenSectors' | 'far'> {
  const byBlock = new Map<number, Touched>();
  for (const request of trace) {
    let own = byBlock.get(request.block);
    if (!own) {
      own = new Map();
      byBlock.set(request.block, own);
    }
    touch(own, request, { allocationOf, isLate: late.has(request) });
  }
  const followed = Math.max(1, new Set(sample.groups.flat()).size);
  const pairs = (sample.groups[1] ?? []).map((block, k) => [byBlock.get(sample.groups[0][k]), byBlock.get(block)] as const);
  const far: FarReuse[] = [];
  const sum = (which: 'read' | 'written'): number => {
    let total = 0;
    const allocations = new Set([...byBlock.values()].flatMap((own) => [...own.keys()]));
    for (const allocation of allocations) {
      const own = [...byBlock.values()].map((each) => each.get(allocation));
      const limit = own.find((each) => each)!.limit;
      const perBlock = own.reduce((count, each) => count + (each?.[which].size ?? 0), 0) / followed;
      const lately = own.reduce((count, each) => count + (each?.[which === 'read' ? 'lateRead' : 'lateWritten'] ?? 0), 0) / followed;
      const fresh =
        pairs.length === 0
          ? perBlock
          : pairs.reduce((count, [a, b]) => count + added(a?.get(allocation)?.[which], b?.get(allocation)?.[which]), 0) / pairs.length;
      // Where only the first requests of a warp were kept, the rest finds as much that is new as the later half of these.
      const whole = perBlock > 0 ? 1 + ((scale - 1) * 2 * lately) / perBlock : 1;
      const asked = whole * (perBlock + (blocks - 1) * Math.min(perBlock, fresh));
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

function touch(
  own: Touched,
  { access, sectors }: TracedRequest,
  { allocationOf, isLate }: Pick<LocalityInput, 'allocationOf'> & { readonly isLate: boolean },
): void {
  let allocation: { readonly address: number; readonly sizeBytes: number } = NOWHERE;
  for (const sector of sectors) {
    const past = sector * 32 - allocation.address;
    if (allocation === NOWHERE || past < 0 || past >= allocation.sizeBytes) allocation = allocationOf(sector * 32) ?? NOWHERE;
    let sets = own.get(allocation.address);
    if (!sets) {
      sets = {
        read: new Set(),
        written: new Set(),
        limit: Math.ceil(allocation.sizeBytes / 32),
        lateRead: 0,
        lateWritten: 0,
        atomic: false,
      };
      own.set(allocation.address, sets);
    }
    sets.atomic ||= access === 'atomic';
    if (access !== 'write' && !sets.written.has(sector)) {
      if (isLate && !sets.read.has(sector)) sets.lateRead++;
      sets.read.add(sector);
    }
    if (access !== 'read') {
      if (isLate && !sets.written.has(sector)) sets.lateWritten++;
      sets.written.add(sector);
    }
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
