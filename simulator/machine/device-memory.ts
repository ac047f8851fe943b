/**
 * The device's global memory: one WebAssembly memory that worker threads share, and the allocations in it. Addresses are generic
 * device addresses (see address-map.ts). Allocation is first fit by address, so the same program gets the same addresses each run.
 * The engines' own scratch space (contexts, shared and local memory of running blocks) comes from the same memory through
 * `allocateInternal` and is not part of what a program may touch.
 */
import { ALLOCATION_ALIGN_BYTES, GLOBAL_BASE, INVALID_START } from './address-map.ts';
import { sameBytes } from './same-bytes.ts';

const PAGE_BYTES = 65536;
/** 2 GB, the upper half of the addresses of 32 bits, but for the page that no pointer points to. */
const MAX_PAGES = (INVALID_START - GLOBAL_BASE) / PAGE_BYTES;
/** Offset 0 stays unused so that no allocation lies at GLOBAL_BASE itself. */
const FIRST_OFFSET = 4096;

export interface Allocation {
  /** Generic address of the first byte. */
  readonly address: number;
  readonly sizeBytes: number;
  /** What a message calls it: "cudaMalloc at line 12", "__device__ table". */
  readonly label: string;
  /** Engines' scratch space: an access of the program to it is a fault. */
  readonly internal: boolean;
}

/** Memory that the program had and gave back. */
export interface FreedAllocation extends Allocation {
  /** Which call did it, and when: "cudaFree after 3 kernel launches". */
  readonly freedBy: string;
}

/** As many freed allocations are remembered, for messages. */
const REMEMBERED = 1024;

export class DeviceMemory {
  readonly memory: WebAssembly.Memory;
  /** Increases with every allocation and release: engines drop what they cached about allocations when it changes. */
  generation = 0;
  /** By address, ascending. */
  readonly #allocations: Allocation[] = [];
  /** The latest last. */
  readonly #freed: FreedAllocation[] = [];
  /** By the start of each allocation: see `version`. */
  readonly #versions = new Map<number, number>();
  #latestVersion = 0;
  #highWater = 0;
  #view: DataView;
  #bytes: Uint8Array;

  constructor() {
    this.memory = new WebAssembly.Memory({ initial: 16, maximum: MAX_PAGES, shared: true });
    this.#view = new DataView(this.memory.buffer);
    this.#bytes = new Uint8Array(this.memory.buffer);
  }

  /** View over all of memory, indexed by offset (address - GLOBAL_BASE). Valid until the next allocation. */
  get view(): DataView {
    if (this.#view.buffer.byteLength !== this.memory.buffer.byteLength) this.#view = new DataView(this.memory.buffer);
    return this.#view;
  }

  get bytes(): Uint8Array {
    if (this.#bytes.byteLength !== this.memory.buffer.byteLength) this.#bytes = new Uint8Array(this.memory.buffer);
    return this.#bytes;
  }

  /** Allocations of the program, ascending by address. */
  get allocations(): readonly Allocation[] {
    return this.#allocations.filter((a) => !a.internal);
  }

  /** Zeroed memory of `sizeBytes` (at least 1); undefined when 2 GB do not hold it. */
  allocate(sizeBytes: number, label: string): Allocation | undefined {
    return this.#place(sizeBytes, label, false);
  }

  allocateInternal(sizeBytes: number, label: string): Allocation | undefined {
    return this.#place(sizeBytes, label, true);
  }

  /** False if no allocation starts at `address`. `freedBy`: for messages about later accesses. */
  release(address: number, freedBy?: string): boolean {
    const index = this.#allocations.findIndex((a) => a.address === address);
    if (index < 0) return false;
    const [released] = this.#allocations.splice(index, 1);
    this.#versions.delete(address);
    if (freedBy !== undefined && this.#freed.push({ ...released, freedBy }) > REMEMBERED) this.#freed.shift();
    this.generation++;
    return true;
  }

  /** The program's allocation that holds all of [address, address + sizeBytes). */
  find(address: number, sizeBytes: number): Allocation | undefined {
    const candidate = this.#allocations[this.#lastAtOrBelow(address)];
    if (!candidate || candidate.internal) return undefined;
    return address + sizeBytes <= candidate.address + candidate.sizeBytes ? candidate : undefined;
  }

  /**
   * A number for what the allocation that starts at an address holds: while it is the same, so are the bytes. No two contents, and no two
   * allocations, ever have the same one. undefined where none starts.
   */
  version(address: number): number | undefined {
    return this.#versions.get(address);
  }

  /** Has to be told when bytes of the allocation that holds an address have been written. */
  changed(address: number): void {
    this.#versions.set(this.#allocations[this.#lastAtOrBelow(address)].address, ++this.#latestVersion);
  }

  /** Writes to memory of one allocation; writing what is there already changes nothing. */
  write(address: number, bytes: Uint8Array): void {
    const offset = address - GLOBAL_BASE;
    const target = this.bytes.subarray(offset, offset + bytes.length);
    if (sameBytes(target, bytes)) return;
    target.set(bytes);
    this.changed(address);
  }

  /** What lay at an address that nothing holds now. */
  freedAt(address: number): FreedAllocation | undefined {
    if (this.find(address, 1)) return undefined;
    return this.#freed.findLast((a) => address >= a.address && address < a.address + a.sizeBytes);
  }

  /** The program's allocation nearest to an address, for messages. */
  nearest(address: number): Allocation | undefined {
    let best: Allocation | undefined;
    let bestDistance = Number.POSITIVE_INFINITY;
    for (const a of this.#allocations) {
      if (a.internal) continue;
      const distance = address < a.address ? a.address - address : Math.max(0, address - (a.address + a.sizeBytes) + 1);
      if (distance < bestDistance) [best, bestDistance] = [a, distance];
    }
    return best;
  }

  #lastAtOrBelow(address: number): number {
    let low = 0;
    let high = this.#allocations.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#allocations[middle].address <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #place(sizeBytes: number, label: string, internal: boolean): Allocation | undefined {
    const needed = Math.ceil(Math.max(1, sizeBytes) / ALLOCATION_ALIGN_BYTES) * ALLOCATION_ALIGN_BYTES;
    let offset = FIRST_OFFSET;
    let index = 0;
    for (; index < this.#allocations.length; index++) {
      const next = this.#allocations[index];
      if (next.address - GLOBAL_BASE - offset >= needed) break;
      offset = Math.ceil((next.address - GLOBAL_BASE + Math.max(1, next.sizeBytes)) / ALLOCATION_ALIGN_BYTES) * ALLOCATION_ALIGN_BYTES;
    }
    if (!this.#reserve(offset + needed)) return undefined;
    // Memory above the high-water mark has never been used: WebAssembly hands it out zeroed.
    const used = Math.min(offset + needed, this.#highWater) - offset;
    // Elements of a shared buffer are stored one at a time: the wider, the fewer.
    if (used > 0) new Float64Array(this.memory.buffer, offset, Math.ceil(used / 8)).fill(0);
    this.#highWater = Math.max(this.#highWater, offset + needed);
    const allocation = { address: GLOBAL_BASE + offset, sizeBytes, label, internal };
    this.#allocations.splice(index, 0, allocation);
    this.changed(allocation.address);
    this.generation++;
    return allocation;
  }

  #reserve(endOffset: number): boolean {
    const missing = Math.ceil(endOffset / PAGE_BYTES) - this.memory.buffer.byteLength / PAGE_BYTES;
    if (missing <= 0) return true;
    if (endOffset > MAX_PAGES * PAGE_BYTES) return false;
    try {
      this.memory.grow(missing);
      return true;
    } catch {
      return false;
    }
  }
}
