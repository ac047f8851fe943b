/**
 * The host's side of memory accesses: what the compiled code's fast paths do not know. It checks every lane's address, finds out how
 * the request counts and remembers the pattern, so that the next request of its kind stays in WebAssembly.
 */

import { popcount } from '../ir/math/bits.ts';
import { INVALID_ADDRESS, INVALID_START, LOCAL_BASE, SHARED_BASE } from '../machine/address-map.ts';
import { sharedAtomicWavefronts, sharedWavefronts, sharedWavefrontsIdeal, spinWavefronts } from '../machine/banks.ts';
import { FootprintRecorder } from '../machine/footprint.ts';
import type { FaultKind } from '../machine/launch.ts';
import { atomicSectors, countSectors, idealSectors } from '../machine/sectors.ts';
import { siteFacts } from './gather-helper.ts';
import type { MemorySiteFacts } from './kernel-plan.ts';
import { FRAME, INFO, KIND, MEMO, RECORD } from './layout.ts';
import { REDUCTION } from './memory-helpers.ts';

/** Thrown through the compiled code; the engine makes a fault of it. */
export class KernelFault extends Error {
  readonly kind: FaultKind;
  /** Site of the instruction in the kernel; -1 if none is to blame. */
  readonly site: number;
  readonly lane: number;
  readonly address: number | undefined;
  /** The sentence for the user, if it is known here. */
  readonly sentence: string | undefined;

  constructor(kind: FaultKind, at: { readonly site: number; readonly lane: number; readonly address?: number; readonly message?: string }) {
    super(at.message ?? kind);
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

/** An atomic of a warp: where its addresses lie, its record, what makes them generic, and REDUCTION's flags. */
interface AtomicRequest {
  readonly addresses: number;
  readonly mask: number;
  readonly record: number;
  readonly base: number;
  readonly flags: number;
}

interface Lanes {
  globalMask: number;
  sharedMask: number;
  localMask: number;
  allocation: KnownAllocation | undefined;
  /** Lanes of more than one allocation. */
  scattered: boolean;
  /** Lanes that read parameters or constants, which count as no request. */
  uncounted: number;
}

export class MemoryHost {
  #words: Int32Array;
  #data: DataView;
  readonly #sites: ReadonlyMap<number, MemorySiteFacts>;
  readonly #allocations: readonly KnownAllocation[];
  readonly #parameterBytes: number;
  readonly footprint = new FootprintRecorder();
  readonly #addresses = new Int32Array(32);
  readonly #moved = new Int32Array(32);

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
    this.#parameterBytes = options.parameterBytes;
  }

  /** Device memory has grown. */
  useBuffer(buffer: SharedArrayBuffer): void {
    this.#words = new Int32Array(buffer);
    this.#data = new DataView(buffer);
  }

  find(address: number, bytes: number): KnownAllocation | undefined {
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

  /** Kind of the pattern of a request; its counts are recorded. */
  describe(w: number, addresses: number, mask: number, record: number, base: number): number {
    const site = this.#sites.get(record - w)!;
    if (++this.#words[(record + RECORD.misses) >> 2] === 1) this.#words[(record + RECORD.facts) >> 2] = siteFacts(site);
    for (let lane = 0; lane < 32; lane++) this.#addresses[lane] = this.#words[(addresses >> 2) + lane] + base;
    const lanes = this.#resolve(w, mask, site);
    const one = lanes.globalMask === mask && !lanes.scattered;
    if (one || lanes.sharedMask === mask) {
      const kind = this.#remember(mask, record, { site, lanes });
      const delta = lanes.sharedMask === mask ? this.#words[(w + INFO.sharedBase) >> 2] - SHARED_BASE : 0;
      this.#words[(w + INFO.delta) >> 2] = delta + base;
      this.#words[(w + INFO.addresses) >> 2] = addresses;
      return kind;
    }
    this.#countOnce(w, record, site, lanes);
    this.#translate(w, mask, lanes);
    this.#words[(w + INFO.delta) >> 2] = 0;
    this.#words[(w + INFO.addresses) >> 2] = w + INFO.scratch;
    return KIND.general;
  }

  /** Physical address of an access by all lanes to one address. */
  describeUniform(w: number, pointer: number, mask: number, record: number): number {
    const site = this.#sites.get(record - w)!;
    this.#addresses.fill(pointer);
    const lanes = this.#resolve(w, mask, site);
    if (lanes.localMask !== 0) throw new Error('local memory is different in each lane');
    if (lanes.sharedMask !== 0) {
      this.#countOnce(w, record, site, lanes);
      return this.#words[(w + INFO.sharedBase) >> 2] + pointer - SHARED_BASE;
    }
    this.#know(record, lanes.allocation!);
    this.#add(record + RECORD.uniformGlobal, Number(this.#data.getBigInt64(record + RECORD.increment, true)));
    return pointer;
  }

  /** Integer additions that the fast path could not do: their allocation was not known yet, or their lanes lie in several. */
  reduceAdd(w: number, request: AtomicRequest & { readonly values: number }): void {
    const { values, mask } = request;
    this.#countAtomic(w, request);
    for (let lane = 0; lane < 32; lane++) {
      if ((mask >>> lane) & 1)
        Atomics.add(this.#words, this.#words[((w + INFO.scratch) >> 2) + lane] >>> 2, this.#words[(values >> 2) + lane]);
    }
  }

  /** Checks and counts an atomic; the scratch words say where its lanes are. */
  describeAtomic(w: number, request: AtomicRequest): void {
    this.#countAtomic(w, request);
    this.#words[(w + INFO.delta) >> 2] = 0;
    this.#words[(w + INFO.addresses) >> 2] = w + INFO.scratch;
  }

  #countAtomic(w: number, { addresses, mask, record, base, flags }: AtomicRequest): void {
    const site = this.#sites.get(record - w)!;
    for (let lane = 0; lane < 32; lane++) this.#addresses[lane] = this.#words[(addresses >> 2) + lane] + base;
    const lanes = this.#resolve(w, mask, site);
    if (lanes.allocation) this.#know(record, lanes.allocation);
    const counted = (active: number): number => (flags & REDUCTION.combined ? active & -active : active);
    const global = counted(lanes.globalMask & ~lanes.uncounted);
    const shared = counted(lanes.sharedMask);
    if (global !== 0) {
      const sectors = countSectors(this.#addresses, global, site.bytes);
      this.#add(record + RECORD.globalRequests, 1);
      this.#add(record + RECORD.globalSectors, sectors);
      this.#add(record + RECORD.globalSectorsIdeal, idealSectors(sectors, global, site.bytes));
      this.#add(record + RECORD.globalAtomicSectors, atomicSectors(this.#addresses, global));
    }
    if (shared !== 0 && flags & REDUCTION.spins) {
      const { rounds, wavefronts, ideal } = spinWavefronts(this.#addresses, shared);
      this.#add(record + RECORD.sharedRequests, rounds);
      this.#add(record + RECORD.sharedWavefronts, wavefronts);
      this.#add(record + RECORD.sharedWavefrontsIdeal, ideal);
    } else if (shared !== 0) {
      this.#add(record + RECORD.sharedRequests, 1);
      const countsUp = (flags & REDUCTION.countsUp) !== 0;
      this.#add(
        record + RECORD.sharedWavefronts,
        countsUp ? sharedWavefronts(this.#addresses, shared, 4) : sharedAtomicWavefronts(this.#addresses, shared),
      );
      this.#add(record + RECORD.sharedWavefrontsIdeal, 1);
    }
    if ((lanes.localMask & ~lanes.uncounted) !== 0) {
      this.#add(record + RECORD.localRequests, 1);
      this.#add(record + RECORD.localSectors, this.#localSectors(site, lanes.localMask & ~lanes.uncounted));
    }
    this.#translate(w, mask, lanes);
  }

  /** Adds what the memos of a record have collected to its counts. */
  settle(record: number): void {
    for (let k = 0; k < RECORD.memoCount; k++) this.#settleMemo(record, record + RECORD.memos + k * MEMO.bytes);
  }

  #know(record: number, { address, sizeBytes, constant }: KnownAllocation): void {
    this.#words[(record + RECORD.lo) >> 2] = address;
    this.#words[(record + RECORD.size) >> 2] = sizeBytes;
    this.#data.setBigInt64(record + RECORD.increment, constant ? 0n : 1n, true);
  }

  #resolve(w: number, mask: number, site: MemorySiteFacts): Lanes {
    const { bytes } = site;
    const lanes: Lanes = { globalMask: 0, sharedMask: 0, localMask: 0, allocation: undefined, scattered: false, uncounted: 0 };
    const sharedLimit = this.#words[(w + INFO.sharedLimit) >> 2];
    const localBytes = this.#words[(w + INFO.localStride) >> 2];
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const lane = 31 - Math.clz32(bit);
      const address = this.#addresses[lane] >>> 0;
      const fault = (kind: FaultKind): KernelFault => new KernelFault(kind, { site: site.site, lane, address });
      if (address >= INVALID_START) throw new KernelFault('out-of-bounds', { site: site.site, lane, address: INVALID_ADDRESS });
      if ((address & (site.align - 1)) !== 0) throw fault('misaligned');
      if (address >= SHARED_BASE) {
        if (address - SHARED_BASE + bytes > sharedLimit) throw fault('out-of-bounds');
        lanes.sharedMask |= bit;
      } else if (address >= LOCAL_BASE) {
        if (address - LOCAL_BASE + bytes > localBytes) throw fault('out-of-bounds');
        lanes.localMask |= bit;
        if (address - LOCAL_BASE < this.#parameterBytes) lanes.uncounted |= bit;
      } else {
        const known = lanes.allocation;
        if (!known || address < known.address || address + bytes > known.address + known.sizeBytes) {
          const allocation = this.find(address, bytes);
          if (!allocation) throw fault('out-of-bounds');
          // Compiled code goes on by itself only in allocations that a site has been given here.
          this.footprint.add(allocation.address, site.access);
          if (known) lanes.scattered = true;
          lanes.allocation = allocation;
        }
        lanes.globalMask |= bit;
      }
    }
    if (lanes.allocation?.constant) lanes.uncounted |= lanes.globalMask;
    return lanes;
  }

  /** Fills the memo of a pattern in one space, with this request as its first hit. */
  #remember(mask: number, record: number, { site, lanes }: { readonly site: MemorySiteFacts; readonly lanes: Lanes }): number {
    const lowest = 31 - Math.clz32(mask & -mask);
    const first = this.#addresses[lowest];
    // The same number as `check` in memory-helpers.ts computes.
    const rest = mask & (mask - 1);
    const second = this.#addresses[rest === 0 ? lowest : 31 - Math.clz32(rest & -rest)];
    const hash = (Math.imul(second - first, 0x85ebca6b) >>> 28) + ((popcount(mask) * 11) >>> 2);
    const place = (hash + (first >>> 0 < LOCAL_BASE ? (first & 31) >>> 2 : 0)) & (RECORD.memoCount - 1);
    const other = (place + RECORD.memoCount / 2) & (RECORD.memoCount - 1);
    const at = (index: number): number => record + RECORD.memos + index * MEMO.bytes;
    const taken = this.#words[(at(place) + MEMO.mask) >> 2] !== 0;
    const memo = at(taken ? other : place);
    this.#settleMemo(record, memo);
    let low = 0;
    let high = 0;
    let uniform = true;
    let consecutive = mask === -1;
    for (let lane = 0; lane < 32; lane++) {
      const relative = (this.#addresses[lane] - first) | 0;
      this.#words[((memo + MEMO.pattern) >> 2) + lane] = relative;
      if (((mask >>> lane) & 1) === 0) continue;
      low = Math.min(low, relative);
      high = Math.max(high, relative);
      uniform &&= relative === 0;
      consecutive &&= relative === lane * site.bytes;
    }
    const shared = lanes.sharedMask !== 0;
    if (!shared) this.#know(record, lanes.allocation!);
    const { count, ideal } = this.#counts(site, mask, shared);
    const kind = uniform ? KIND.uniform : consecutive ? KIND.consecutive : KIND.general;
    const set = (field: number, value: number): void => {
      this.#words[(memo + field) >> 2] = value;
    };
    set(MEMO.mask, mask);
    // Banks turn with the address: only where an access lies within its word matters, and whether it is aligned.
    const phaseBits = shared ? Math.max(3, site.align - 1) : 31;
    set(MEMO.phaseBits, phaseBits);
    set(MEMO.phase, first & phaseBits);
    set(MEMO.kind, kind);
    set(MEMO.low, low);
    set(MEMO.extent, high - low + site.bytes);
    set(MEMO.count, count);
    set(MEMO.ideal, ideal);
    set(MEMO.space, shared ? 1 : 0);
    const counts = shared || !lanes.allocation!.constant;
    this.#data.setBigInt64(memo + MEMO.hits, counts ? 1n : 0n, true);
    return kind;
  }

  #counts(site: MemorySiteFacts, mask: number, shared: boolean): { count: number; ideal: number } {
    if (!site.counted) return { count: 0, ideal: 0 };
    const { bytes, offset } = site.counted;
    let addresses = this.#addresses;
    if (offset !== 0) {
      for (let lane = 0; lane < 32; lane++) this.#moved[lane] = addresses[lane] + offset;
      addresses = this.#moved;
    }
    if (shared) return { count: sharedWavefronts(addresses, mask, bytes), ideal: sharedWavefrontsIdeal(mask, bytes) };
    const count = countSectors(addresses, mask, bytes);
    return { count, ideal: idealSectors(count, mask, bytes) };
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

  /** Counts a request that no memo describes: lanes in several spaces or allocations, or in local memory. */
  #countOnce(_w: number, record: number, site: MemorySiteFacts, lanes: Lanes): void {
    if (!site.counted) return;
    const global = lanes.globalMask & ~lanes.uncounted;
    if (global !== 0) {
      const { count, ideal } = this.#counts(site, global, false);
      this.#add(record + RECORD.globalRequests, 1);
      this.#add(record + RECORD.globalSectors, count);
      this.#add(record + RECORD.globalSectorsIdeal, ideal);
    }
    if (lanes.sharedMask !== 0) {
      const { count, ideal } = this.#counts(site, lanes.sharedMask, true);
      this.#add(record + RECORD.sharedRequests, 1);
      this.#add(record + RECORD.sharedWavefronts, count);
      this.#add(record + RECORD.sharedWavefrontsIdeal, ideal);
    }
    const local = lanes.localMask & ~lanes.uncounted;
    if (local !== 0) {
      this.#add(record + RECORD.localRequests, 1);
      this.#add(record + RECORD.localSectors, this.#localSectors(site, local));
    }
  }

  /** Hardware interleaves local memory so that the same word of 32 lanes fills one line of 128 bytes. */
  #localSectors({ counted }: MemorySiteFacts, mask: number): number {
    let total = 0;
    for (let byte = 0; byte < counted!.bytes; byte += 4) {
      for (let lane = 0; lane < 32; lane++) {
        this.#moved[lane] = ((this.#addresses[lane] + counted!.offset - LOCAL_BASE + byte) >>> 2) * 128 + lane * 4;
      }
      total += countSectors(this.#moved, mask, 4);
    }
    return total;
  }

  /** Writes the physical address of every active lane to the scratch words. */
  #translate(w: number, mask: number, lanes: Lanes): void {
    const shared = this.#words[(w + INFO.sharedBase) >> 2];
    const local = this.#words[(w + INFO.localBase) >> 2];
    const stride = this.#words[(w + INFO.localStride) >> 2];
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const address = this.#addresses[lane];
      const bit = 1 << lane;
      this.#words[((w + INFO.scratch) >> 2) + lane] =
        lanes.globalMask & bit
          ? address
          : lanes.sharedMask & bit
            ? shared + address - SHARED_BASE
            : local + lane * stride + address - LOCAL_BASE;
    }
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
