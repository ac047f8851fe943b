/**
 * The host's side of memory accesses: what the compiled code's fast paths do not know. It checks every lane's address, finds out how
 * the request counts and remembers the pattern, so that the next request of its kind stays in WebAssembly.
 */

import { LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { popcount } from '../ir/math/bits.ts';
import { FootprintRecorder } from '../machine/footprint.ts';
import type { Assertion, FaultKind } from '../machine/launch.ts';
import {
  type Access,
  COST,
  countedAddresses,
  price,
  priceGlobal,
  priceShared,
  REQUEST_COLUMNS,
  type Reach,
  Request,
  type RequestCost,
  resolve,
} from '../machine/request.ts';
import { SECTOR_BYTES } from '../machine/sectors.ts';
import { PATIENCE, siteFacts } from './gather-helper.ts';
import { REDUCTION } from './helper-parts.ts';
import type { MemorySiteFacts } from './kernel-plan.ts';
import { FRAME, INFO, KIND, MEMO, RECORD } from './layout.ts';

/** As `resolve` in machine/request.ts says: only what reads constant memory is no request to global memory. */
function isCounted({ access }: MemorySiteFacts, { constant }: KnownAllocation): boolean {
  return !constant || access !== 'read';
}

/** Thrown through the compiled code; the engine makes a fault of it. */
export class KernelFault extends Error {
  readonly kind: FaultKind;
  /** Site of the instruction in the kernel; -1 if none is to blame. */
  readonly site: number;
  readonly lane: number;
  readonly address: number | undefined;
  /** The sentence for the user, if it is known here. */
  readonly sentence: string | undefined;
  readonly assertion: Assertion | undefined;

  constructor(
    kind: FaultKind,
    at: {
      readonly site: number;
      readonly lane: number;
      readonly address?: number;
      readonly message?: string;
      readonly assertion?: Assertion;
    },
  ) {
    super(at.message ?? kind);
    this.assertion = at.assertion;
    this.sentence = at.message;
    this.kind = kind;
    this.site = at.site;
    this.lane = at.lane;
    this.address = at.address;
  }
}

/** Lanes of a warp that have parted wait for each other: compiled code cannot run them in turn. */
export class PartedLanes extends Error {}

export interface KnownAllocation {
  readonly address: number;
  readonly sizeBytes: number;
  /** Holds a `__constant__` variable: reading it is no request to global memory. */
  readonly constant: boolean;
}

/** An atomic of a warp: where its addresses lie, its record, and REDUCTION's flags. */
interface AtomicRequest {
  readonly addresses: number;
  readonly mask: number;
  readonly record: number;
  readonly flags: number;
}

export class MemoryHost implements Reach<KnownAllocation> {
  #words: Int32Array;
  #data: DataView;
  readonly #sites: ReadonlyMap<number, MemorySiteFacts>;
  #allocations: readonly KnownAllocation[];
  parameterBytes: number;
  footprint = new FootprintRecorder();
  /** Of a kernel that allocates and releases memory: what holds an address now. */
  live: ((address: number, bytes: number) => KnownAllocation | undefined) | undefined;
  /** Of the block that runs: where its blocks have their shared memory. */
  cluster: { sharedOfRank(rank: number): number | undefined } | undefined;
  readonly #request = new Request<KnownAllocation>();
  readonly #pointers = new Int32Array(32);
  /** Records of sites at which patience has run out. */
  readonly #gathers = new Set<number>();
  /** Area of the worker whose request is looked at. */
  #area = 0;

  /** Allocations ascend by address. */
  constructor(
    buffer: SharedArrayBuffer,
    options: {
      readonly sites: readonly MemorySiteFacts[];
      readonly allocations: readonly KnownAllocation[];
      readonly parameterBytes: number;
    },
  ) {
    this.#words = new Int32Array(buffer);
    this.#data = new DataView(buffer);
    this.#sites = new Map(options.sites.map((s) => [s.record, s]));
    this.#allocations = options.allocations;
    this.parameterBytes = options.parameterBytes;
  }

  /** For another launch of the kernel. */
  begin(
    buffer: SharedArrayBuffer,
    { allocations, parameterBytes }: { readonly allocations: readonly KnownAllocation[]; readonly parameterBytes: number },
  ): void {
    this.useBuffer(buffer);
    this.#allocations = allocations;
    this.parameterBytes = parameterBytes;
    this.footprint = new FootprintRecorder();
    this.#request.allocation = undefined;
    this.cluster = undefined;
    this.live = undefined;
  }

  /** Device memory has grown. */
  useBuffer(buffer: SharedArrayBuffer): void {
    if (buffer === this.#words.buffer) return;
    this.#words = new Int32Array(buffer);
    this.#data = new DataView(buffer);
  }

  // What the lanes of a request may touch.

  get sharedBytes(): number {
    return this.#info(INFO.sharedLimit);
  }

  get sharedAt(): number {
    return this.#info(INFO.sharedBase);
  }

  get localBytes(): number {
    return this.#info(INFO.localStride);
  }

  sharedOfRank(rank: number): number | undefined {
    return this.cluster?.sharedOfRank(rank);
  }

  localPlace(): { at: number; stride: number } {
    return { at: this.#info(INFO.localBase), stride: this.#info(INFO.localStride) };
  }

  isConstant({ constant }: KnownAllocation): boolean {
    return constant;
  }

  /** Compiled code goes on by itself only in allocations that a site has been given here. */
  find(address: number, bytes: number, access: Access): KnownAllocation | undefined {
    const found = this.live ? this.live(address, bytes) : this.#known(address, bytes);
    if (found) this.footprint.add(found.address, access);
    return found;
  }

  #known(address: number, bytes: number): KnownAllocation | undefined {
    const all = this.#allocations;
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (all[middle].address <= address) low = middle + 1;
      else high = middle;
    }
    const found = all[low - 1];
    return found && address + bytes <= found.address + found.sizeBytes ? found : undefined;
  }

  /** Memory has been released: compiled code has to ask again what it may touch. `w`: the worker's area. */
  forgetAllocations(w: number): void {
    for (const record of this.#sites.keys()) {
      this.#words[(w + record + RECORD.lo) >> 2] = 0;
      this.#words[(w + record + RECORD.size) >> 2] = 0;
    }
  }

  /** Kind of the pattern of a request; its counts are recorded. */
  describe(w: number, addresses: number, mask: number, record: number): number {
    const site = this.#sites.get(record - w)!;
    this.#miss(record, site);
    this.#resolve(w, this.#pointersAt(addresses), mask, site);
    const { globalMask, sharedMask, scattered } = this.#request;
    if ((globalMask === mask && !scattered) || sharedMask === mask) {
      const kind = this.#remember(mask, record, site);
      this.#point(w, addresses, site.base + (sharedMask === mask ? this.sharedAt - SHARED_BASE : 0));
      return kind;
    }
    this.#addCost(record, price(this.#request, site));
    this.#pointToScratch(w, mask);
    return KIND.general;
  }

  /** A site that has become a gather is one from the start in the kernel's next launches. */
  #miss(record: number, site: MemorySiteFacts): void {
    const at = (record + RECORD.misses) >> 2;
    const misses = ++this.#words[at];
    if (misses === 1) {
      this.#words[(record + RECORD.facts) >> 2] = siteFacts(site);
      if (this.#gathers.has(site.record)) this.#words[at] = PATIENCE + 1;
    } else if (misses > PATIENCE) this.#gathers.add(site.record);
  }

  /** Physical address of an access by all lanes to one address. */
  describeUniform(w: number, address: number, mask: number, record: number): number {
    const site = this.#sites.get(record - w)!;
    this.#resolve(w, this.#pointers.fill(address - site.base), mask, site);
    const { localMask, sharedMask, clusterMask, allocation, offsets } = this.#request;
    if (localMask !== 0) throw new Error('local memory is different in each lane');
    if ((sharedMask | clusterMask) !== 0) {
      this.#addCost(record, price(this.#request, site));
      return offsets[31 - Math.clz32(mask & -mask)];
    }
    this.#know(record, site, allocation!);
    this.#add(record + RECORD.uniformGlobal, Number(this.#data.getBigInt64(record + RECORD.increment, true)));
    return address;
  }

  /** Integer additions that the fast path could not do: their allocation was not known yet, or their lanes lie in several. */
  reduceAdd(w: number, request: AtomicRequest & { readonly values: number }): void {
    const { values, mask } = request;
    this.describeAtomic(w, request);
    const { offsets } = this.#request;
    for (let lane = 0; lane < 32; lane++) {
      if ((mask >>> lane) & 1) Atomics.add(this.#words, offsets[lane] >>> 2, this.#words[(values >> 2) + lane]);
    }
  }

  /** Checks and counts an atomic; the scratch words say where its lanes are. */
  describeAtomic(w: number, { addresses, mask, record, flags }: AtomicRequest): void {
    const site = this.#sites.get(record - w)!;
    this.#resolve(w, this.#pointersAt(addresses), mask, site);
    const { allocation } = this.#request;
    if (allocation) this.#know(record, site, allocation);
    const has = (flag: number): boolean => (flags & flag) !== 0;
    const rules = { combined: has(REDUCTION.combined), countsUp: has(REDUCTION.countsUp), spins: has(REDUCTION.spins) };
    this.#addCost(record, price(this.#request, site, rules));
    this.#pointToScratch(w, mask);
  }

  /** Adds what the memos of a record have collected to its counts. */
  settle(record: number): void {
    for (let k = 0; k < RECORD.memoCount; k++) this.#settleMemo(record, record + RECORD.memos + k * MEMO.bytes);
  }

  #know(record: number, site: MemorySiteFacts, allocation: KnownAllocation): void {
    const { address, sizeBytes } = allocation;
    this.#words[(record + RECORD.lo) >> 2] = address;
    this.#words[(record + RECORD.size) >> 2] = sizeBytes;
    this.#data.setBigInt64(record + RECORD.increment, isCounted(site, allocation) ? 1n : 0n, true);
  }

  #pointersAt(addresses: number): Int32Array {
    for (let lane = 0; lane < 32; lane++) this.#pointers[lane] = this.#words[(addresses >> 2) + lane];
    return this.#pointers;
  }

  #info(field: number): number {
    return this.#words[(this.#area + field) >> 2];
  }

  #resolve(w: number, pointers: Int32Array, mask: number, site: MemorySiteFacts): void {
    this.#area = w;
    this.#request.allocation = undefined;
    if (resolve(this.#request, pointers, mask, site, this)) return;
    const { kind, lane, address } = this.#request.fault!;
    throw new KernelFault(kind, { site: site.site, lane, address });
  }

  /** Says where the lanes of the request are: `delta` added to the words at `addresses`. */
  #point(w: number, addresses: number, delta: number): void {
    this.#words[(w + INFO.delta) >> 2] = delta;
    this.#words[(w + INFO.addresses) >> 2] = addresses;
  }

  #pointToScratch(w: number, mask: number): void {
    const { offsets } = this.#request;
    const at = (w + INFO.scratch) >> 2;
    for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) this.#words[at + lane] = offsets[lane];
    this.#point(w, w + INFO.scratch, 0);
  }

  /** Fills the memo of a pattern in one space, with this request as its first hit. */
  #remember(mask: number, record: number, site: MemorySiteFacts): number {
    const { addresses, sharedMask, allocation } = this.#request;
    const memo = this.#memoFor(mask, record);
    const first = addresses[31 - Math.clz32(mask & -mask)];
    const { low, high, kind } = this.#storePattern(mask, memo, site.bytes);
    const shared = sharedMask !== 0;
    if (!shared) this.#know(record, site, allocation!);
    const { count, ideal } = this.#patternCost(site, mask, shared);
    // Banks turn with the address: only where an access lies within its word matters, and whether it is aligned.
    const phaseBits = shared ? Math.max(3, site.align - 1) : SECTOR_BYTES - 1;
    const fields = [
      [MEMO.mask, mask],
      [MEMO.phaseBits, phaseBits],
      [MEMO.phase, first & phaseBits],
      [MEMO.kind, kind],
      [MEMO.low, low],
      [MEMO.extent, high - low + site.bytes],
      [MEMO.count, count],
      [MEMO.ideal, ideal],
      [MEMO.space, shared ? 1 : 0],
    ];
    for (const [field, value] of fields) this.#words[(memo + field) >> 2] = value;
    this.#data.setBigInt64(memo + MEMO.hits, shared || isCounted(site, allocation!) ? 1n : 0n, true);
    return kind;
  }

  /** The memo in which a request's pattern is kept, emptied. As `check` in memory-helpers.ts looks for it. */
  #memoFor(mask: number, record: number): number {
    const { addresses } = this.#request;
    const lowest = 31 - Math.clz32(mask & -mask);
    const first = addresses[lowest];
    const rest = mask & (mask - 1);
    const second = addresses[rest === 0 ? lowest : 31 - Math.clz32(rest & -rest)];
    const hash = (Math.imul(second - first, 0x85ebca6b) >>> 28) + ((popcount(mask) * 11) >>> 2);
    const place = (hash + (first >>> 0 < LOCAL_BASE ? (first & (SECTOR_BYTES - 1)) >>> 2 : 0)) & (RECORD.memoCount - 1);
    const other = (place + RECORD.memoCount / 2) & (RECORD.memoCount - 1);
    const at = (index: number): number => record + RECORD.memos + index * MEMO.bytes;
    const taken = this.#words[(at(place) + MEMO.mask) >> 2] !== 0;
    const memo = at(taken ? other : place);
    this.#settleMemo(record, memo);
    return memo;
  }

  /** Writes each lane's address relative to the first active lane's; says how far they reach and how they lie. */
  #storePattern(mask: number, memo: number, bytes: number): { low: number; high: number; kind: number } {
    const { addresses } = this.#request;
    const first = addresses[31 - Math.clz32(mask & -mask)];
    let low = 0;
    let high = 0;
    let uniform = true;
    let consecutive = mask === -1;
    for (let lane = 0; lane < 32; lane++) {
      const relative = (addresses[lane] - first) | 0;
      this.#words[((memo + MEMO.pattern) >> 2) + lane] = relative;
      if (((mask >>> lane) & 1) === 0) continue;
      low = Math.min(low, relative);
      high = Math.max(high, relative);
      uniform &&= relative === 0;
      consecutive &&= relative === lane * bytes;
    }
    return { low, high, kind: uniform ? KIND.uniform : consecutive ? KIND.consecutive : KIND.general };
  }

  /** What each request of a pattern costs, whether or not this one counts: the next may be to another allocation. */
  #patternCost({ access, counted }: MemorySiteFacts, mask: number, shared: boolean): { count: number; ideal: number } {
    if (!counted) return { count: 0, ideal: 0 };
    const { addresses, cost } = this.#request;
    const from = countedAddresses(addresses, counted.offset);
    if (shared) {
      priceShared(cost, from, mask, { access, bytes: counted.bytes });
      return { count: cost[COST.sharedWavefronts], ideal: cost[COST.sharedWavefrontsIdeal] };
    }
    priceGlobal(cost, from, mask, counted.bytes);
    return { count: cost[COST.globalSectors], ideal: cost[COST.globalSectorsIdeal] };
  }

  #settleMemo(record: number, memo: number): void {
    const hits = Number(this.#data.getBigInt64(memo + MEMO.hits, true));
    if (hits === 0) return;
    this.#data.setBigInt64(memo + MEMO.hits, 0n, true);
    const shared = this.#words[(memo + MEMO.space) >> 2] !== 0;
    this.#add(record + (shared ? RECORD.sharedRequests : RECORD.globalRequests), hits);
    this.#add(record + (shared ? RECORD.sharedWavefronts : RECORD.globalSectors), hits * this.#words[(memo + MEMO.count) >> 2]);
    this.#add(record + (shared ? RECORD.sharedWavefrontsIdeal : RECORD.globalSectorsIdeal), hits * this.#words[(memo + MEMO.ideal) >> 2]);
  }

  #addCost(record: number, cost: RequestCost): void {
    cost.forEach((amount, column) => {
      this.#add(record + RECORD[REQUEST_COLUMNS[column]], amount);
    });
  }

  #add(at: number, amount: number): void {
    if (amount !== 0) this.#data.setBigInt64(at, this.#data.getBigInt64(at, true) + BigInt(amount), true);
  }
}

/** Thread index of a lane of the warp whose frame lies at `frame`. */
export function threadOf(words: Int32Array, frame: number, lane: number): [number, number, number] {
  const at = (offset: number): number => words[((frame + offset) >> 2) + lane];
  return [at(FRAME.tidX), at(FRAME.tidY), at(FRAME.tidZ)];
}
