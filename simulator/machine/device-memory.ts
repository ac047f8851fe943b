/**
 * The device's global memory: one WebAssembly memory that worker threads share, and the allocations in it. Byte n of it has the address n
 * (see address-map.ts), so that it reaches from the start up to the top of the device's region; what nobody touches costs nothing.
 * Allocation is first fit by address in a region that grows downwards, so the same program gets the same addresses each run.
 * The engines' own scratch space (contexts, shared and local memory of running blocks) comes from below all that through
 * `allocateScratch`: no pointer of a program leads there.
 */

import { ALLOCATION_ALIGN_BYTES, DEVICE_TOP } from '../ir/address-map.ts';
import { alignUp } from '../ir/layout.ts';
import { AddressLine } from './address-line.ts';
import { type Image, ImageObjects } from './images/image.ts';
import type { Texture } from './images/texture.ts';
import { copyChanges, digestOf, sameBytes } from './same-bytes.ts';
import { UsedRanges } from './zeroing.ts';

const PAGE_BYTES = 65536;
/** Sizes of the memory: the first one that the system grants. Windows and strict Linux systems count what is reserved. */
const RESERVED_PAGES = [65536, 32768, 16384, 12288];
/** The region grows by so many bytes, or by as many as there are; for allocations from LARGE_BYTES on by what they need. */
const STEP_BYTES = 1 << 28;
const LARGE_BYTES = 1 << 24;
/**
 * An allocation of 2 GiB starts at a multiple of 1 MiB at least: the addresses that memtest's kernel0_write makes by setting one bit each
 * of its start are all different on the H200 (h200-hecbench-third.json: 36,847 sectors are 18 of 2,047 threads and 1 of the last). Here
 * all do that are large enough not to waste more than one part in 64. Smaller ones were not measured.
 */
const ALIGNED_BYTES = 1 << 26;
const LARGE_ALIGN_BYTES = 1 << 20;
/** The region begins with bytes that no allocation has, so that one before an allocation is not the host's. */
const MARGIN_BYTES = 4096;
/** Scratch space ends here at the latest: the engines compute its addresses with signed words. */
const SCRATCH_END = 0x80000000;
/** Nothing of the engines lies at address 0. */
const SCRATCH_START = 4096;

export interface Allocation {
  /** Generic address of the first byte. */
  readonly address: number;
  readonly sizeBytes: number;
  /** What a message calls it: "cudaMalloc at line 12", "__device__ table". */
  readonly label: string;
  /** Index of the device that it belongs to; undefined for memory that all devices see. */
  readonly owner?: number;
}

/** Engines' own memory: an access of the program to it is a fault. */
export interface Scratch {
  readonly address: number;
  readonly sizeBytes: number;
}

/** Memory that the program had and gave back. */
export interface FreedAllocation extends Allocation {
  /** Which call did it, and when: "cudaFree after 3 kernel launches". */
  readonly freedBy: string;
}

/** Whoever wants to know what of the program's memory has been written, and by whom. */
export interface MemoryObserver {
  allocated(allocation: Allocation): void;
  /** The host has written; kernels do so unseen. */
  written(address: number, sizeBytes: number): void;
  /** The host has had bytes of the device copied within the device. */
  copied(to: number, from: number, sizeBytes: number): void;
}

/** As many freed allocations are remembered, for messages. */
const REMEMBERED = 1024;

/** Names of contents, and places of the host's writes, that are remembered: all are forgotten at once. */
const MOST_CONTENTS = 1 << 14;
/** Most bytes of the host's that are looked at to know them again, and how often that is tried at a place where they differ each time. */
const MOST_DIGESTED_BYTES = 1 << 27;
const NEW_CONTENTS = 4;
/** Most bytes of the host's that came before and are kept, so that they need not be digested when they come again. */
const MOST_KEPT_BYTES = 1 << 26;

/** What the host has written to a place. */
interface Written {
  times: number;
  isRepeated?: boolean;
  readonly latest: string[];
  /** What came there more than once, the last time. */
  kept?: { readonly bytes: Uint8Array; readonly digest: string };
}

/** Bytes that have all got one value. */
interface Fill {
  readonly address: number;
  readonly sizeBytes: number;
  readonly value: number;
}

export class DeviceMemory {
  readonly memory = reserve();
  readonly bytes = new Uint8Array(this.memory.buffer);
  readonly view = new DataView(this.memory.buffer);
  readonly line = new AddressLine(Math.min(DEVICE_TOP, this.bytes.length));
  /** Increases with every allocation and release: engines drop what they cached about allocations when it changes. */
  generation = 0;
  /** Increases with every release. */
  releases = 0;
  observer: MemoryObserver | undefined;
  /** The device to which what is allocated now belongs. */
  owner = 0;
  /** By the handles that kernels get. */
  readonly textures = new ImageObjects<Texture>();
  readonly surfaces = new ImageObjects<Image>();
  /** Bytes behind each allocation that nothing else gets. */
  guardBytes = 0;
  /** So many bytes of freed allocations are not given out again. */
  quarantineBytes = 0;
  readonly #top = this.line.deviceStart;
  /** By address, ascending. */
  #allocations: Allocation[] = [];
  /** Those that the kernel that runs cannot see. */
  #hidden: readonly Allocation[] = [];
  /** By address, ascending. */
  readonly #scratch: Scratch[] = [];
  /** Addresses that only `back` puts memory at; by address, ascending. */
  readonly #reserved: Scratch[] = [];
  /** The latest last. */
  readonly #freed: FreedAllocation[] = [];
  /** Freed allocations that stay out of use, the oldest first. */
  readonly #quarantine: Allocation[] = [];
  /** By the start of each allocation: see `version`. */
  readonly #versions = new Map<number, number>();
  /** By allocation and what `changed` was told of it. */
  readonly #contents = new Map<string, number>();
  /** By place: how often the host has written there, and what. */
  readonly #written = new Map<string, Written>();
  /** By the start of each allocation: its latest fill, and the version that it gave. */
  readonly #fills = new Map<number, Fill & { readonly version: number }>();
  #keptBytes = 0;
  #latestVersion = 0;
  readonly #used = new UsedRanges();

  /** Most bytes of the program's allocations together. */
  readonly #mostBytes: number;
  #heldBytes = 0;

  constructor(mostBytes = Number.POSITIVE_INFINITY) {
    this.#mostBytes = mostBytes;
  }

  /** By address, ascending. */
  get allocations(): readonly Allocation[] {
    return [...this.#allocations];
  }

  /** While a kernel runs it sees the memory of some devices only: what belongs to others is not there. All is until `show`. */
  hide(isSeen: (owner: number) => boolean): void {
    this.#hidden = this.#allocations.filter(({ owner }) => owner !== undefined && !isSeen(owner));
    if (this.#hidden.length === 0) return;
    const hidden = new Set(this.#hidden);
    this.#allocations = this.#allocations.filter((each) => !hidden.has(each));
    this.generation++;
  }

  show(): void {
    if (this.#hidden.length === 0) return;
    this.#allocations = byAddress([...this.#allocations, ...this.#hidden]);
    this.#hidden = [];
    this.generation++;
  }

  /** What lies at an address and belongs to a device whose memory is hidden. */
  hiddenAt(address: number): Allocation | undefined {
    return this.#hidden.find((each) => address >= each.address && address < each.address + each.sizeBytes);
  }

  /** Zeroed memory of `sizeBytes` (at least 1); undefined when there is no room. `shared`: all devices see it. */
  allocate(sizeBytes: number, label: string, shared: 'shared' | 'own' = 'own'): Allocation | undefined {
    if (this.#heldBytes + sizeBytes > this.#mostBytes) return undefined;
    const needed = roundUp(sizeBytes) + this.guardBytes;
    let address = sizeBytes >= ALIGNED_BYTES ? this.#room(needed, LARGE_ALIGN_BYTES) : undefined;
    address ??= this.#room(needed, ALLOCATION_ALIGN_BYTES);
    // Better an allocation that was in use before than none.
    while (address === undefined && this.#quarantine.shift()) address = this.#gap(needed, ALLOCATION_ALIGN_BYTES);
    return address === undefined ? undefined : this.#place(address, sizeBytes, label, shared === 'own' ? this.owner : undefined);
  }

  /** Zeroed memory at an address that the host gave it; undefined where the engines work, or the device has memory, there. */
  allocateAt(address: number, sizeBytes: number, label: string): Allocation | undefined {
    const end = address + roundUp(sizeBytes);
    const meets = (other: Scratch): boolean => other.address < end && other.address + roundUp(other.sizeBytes) > address;
    if (address < this.#scratchEnd() || this.#heldBytes + sizeBytes > this.#mostBytes) return undefined;
    if (this.line.overlaps && [...this.#allocations, ...this.#kept()].some(meets)) return undefined;
    return this.#place(address, sizeBytes, label, undefined);
  }

  /** Zeroed memory for the engines themselves. */
  allocateScratch(sizeBytes: number): Scratch | undefined {
    const needed = roundUp(sizeBytes);
    const end = Math.min(SCRATCH_END, this.#top, this.#allocations[0]?.address ?? SCRATCH_END);
    let address = firstFit(this.#scratch, needed, { start: SCRATCH_START, end });
    // Behind what host and device both see, if need be.
    address ??= firstFit(byAddress([...this.#scratch, ...this.#allocations, ...this.#kept()]), needed, {
      start: SCRATCH_START,
      end: Math.min(SCRATCH_END, this.line.deviceStart),
    });
    if (address === undefined) return undefined;
    this.#used.use(this.bytes, address, address + needed);
    const scratch = { address, sizeBytes };
    insert(this.#scratch, scratch);
    return scratch;
  }

  releaseScratch(address: number): void {
    const index = this.#scratch.findIndex((each) => each.address === address);
    if (index >= 0) this.#scratch.splice(index, 1);
  }

  /** False if no allocation starts at `address`. `freedBy`: for messages about later accesses. */
  release(address: number, freedBy?: string): boolean {
    const index = this.#allocations.findIndex((a) => a.address === address);
    if (index < 0) return false;
    const [released] = this.#allocations.splice(index, 1);
    this.releases++;
    this.#heldBytes -= released.sizeBytes;
    this.#versions.delete(address);
    this.#fills.delete(address);
    if (this.quarantineBytes > 0) this.#keepBack(released);
    if (freedBy !== undefined && this.#freed.push({ ...released, freedBy }) > REMEMBERED) this.#freed.shift();
    this.generation++;
    return true;
  }

  #keepBack(released: Allocation): void {
    this.#quarantine.push(released);
    let held = this.#quarantine.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    while (held > this.quarantineBytes) held -= this.#quarantine.shift()!.sizeBytes;
  }

  /** Addresses for memory that comes later; undefined when there is no room. */
  reserve(sizeBytes: number, align: number): number | undefined {
    const address = this.#room(roundUp(sizeBytes) + this.guardBytes, align);
    if (address !== undefined) insert(this.#reserved, { address, sizeBytes });
    return address;
  }

  unreserve(address: number): void {
    const index = this.#reserved.findIndex((each) => each.address === address);
    if (index >= 0) this.#reserved.splice(index, 1);
  }

  /** The reservation that an address belongs to. */
  reservationAt(address: number): Scratch | undefined {
    const candidate = this.#reserved[lastAtOrBelow(this.#reserved, address)];
    return candidate && address < candidate.address + candidate.sizeBytes ? candidate : undefined;
  }

  /** Puts zeroed memory at reserved addresses; what lies side by side in a reservation is one allocation. False when there is no room. */
  back(address: number, sizeBytes: number, { label, owner }: Pick<Allocation, 'label' | 'owner'>): boolean {
    if (this.#heldBytes + sizeBytes > this.#mostBytes) return false;
    this.#place(address, sizeBytes, label, owner);
    this.#join(address);
    this.#join(address + sizeBytes);
    return true;
  }

  /** Takes the memory away again that `back` has put at these addresses. */
  unback(address: number, sizeBytes: number, freedBy: string): void {
    const index = lastAtOrBelow(this.#allocations, address);
    const whole = this.#allocations[index];
    const [end, wholeEnd] = [address + sizeBytes, whole.address + whole.sizeBytes];
    const before = { ...whole, sizeBytes: address - whole.address };
    const behind = { ...whole, address: end, sizeBytes: wholeEnd - end };
    const left = [before, behind].filter((each) => each.sizeBytes > 0);
    this.#allocations.splice(index, 1, ...left);
    this.#versions.delete(whole.address);
    for (const each of left) this.changed(each.address);
    this.#heldBytes -= sizeBytes;
    this.#freed.push({ ...whole, address, sizeBytes, freedBy });
    if (this.#freed.length > REMEMBERED) this.#freed.shift();
    this.releases++;
    this.generation++;
  }

  /** The program's allocation that holds all of [address, address + sizeBytes). */
  find(address: number, sizeBytes: number): Allocation | undefined {
    const candidate = this.#allocations[lastAtOrBelow(this.#allocations, address)];
    if (!candidate) return undefined;
    return address + sizeBytes <= candidate.address + candidate.sizeBytes ? candidate : undefined;
  }

  /**
   * A number for what the allocation that starts at an address holds: while it is the same, so are the bytes. No two contents, and no two
   * allocations, ever have the same one. undefined where none starts.
   */
  version(address: number): number | undefined {
    return this.#versions.get(address);
  }

  /**
   * Has to be told when bytes of the allocation that holds an address have been written. `content`: what follows from that alone, if
   * something does: the allocation then has the version again that it had when it was told the same before.
   */
  changed(address: number, content?: string): void {
    const allocation = this.#allocations[lastAtOrBelow(this.#allocations, address)];
    // What a kernel has written and freed has no version any more.
    if (allocation) this.#versions.set(allocation.address, content ? this.#versionOf(allocation, content) : ++this.#latestVersion);
  }

  /** What an allocation held when it had this version has been written to it. */
  restored(address: number, version: number): void {
    this.#versions.set(address, version);
  }

  #versionOf({ address, sizeBytes }: Allocation, content: string): number {
    const key = `${address} ${sizeBytes} ${content}`;
    let version = this.#contents.get(key);
    if (version === undefined) {
      if (this.#contents.size === MOST_CONTENTS) this.#contents.clear();
      version = ++this.#latestVersion;
      this.#contents.set(key, version);
    }
    return version;
  }

  /** What of the host's comes to an address, for `changed`; undefined unless as much came there before, and where it was new each time. */
  #contentOf(address: number, bytes: Uint8Array): string | undefined {
    const allocation = this.#allocations[lastAtOrBelow(this.#allocations, address)];
    if (!allocation || bytes.length > MOST_DIGESTED_BYTES) return undefined;
    const key = `${allocation.address} ${allocation.sizeBytes} ${address} ${bytes.length}`;
    const before = this.#written.get(key) ?? { times: 0, latest: [] };
    if (this.#written.size === MOST_CONTENTS) this.#forgetWritten();
    this.#written.set(key, before);
    before.times++;
    if (before.times === 1 || (before.times > NEW_CONTENTS && !before.isRepeated)) return undefined;
    return this.#partOf(allocation, address, bytes.length, this.#digestOf(bytes, before));
  }

  /** Comparing takes a tenth of the time of digesting. */
  #digestOf(bytes: Uint8Array, before: Written): string {
    if (before.kept && sameBytes(before.kept.bytes, bytes)) return before.kept.digest;
    const digest = digestOf(bytes);
    if (before.latest.includes(digest)) {
      before.isRepeated = true;
      this.#keep(bytes, digest, before);
    }
    if (before.latest.length < NEW_CONTENTS) before.latest.push(digest);
    return digest;
  }

  #keep(bytes: Uint8Array, digest: string, before: Written): void {
    const more = before.kept ? 0 : bytes.length;
    if (this.#keptBytes + more > MOST_KEPT_BYTES) return;
    this.#keptBytes += more;
    before.kept = { bytes: bytes.slice(), digest };
  }

  #forgetWritten(): void {
    this.#written.clear();
    this.#keptBytes = 0;
  }

  /** A name for what an allocation holds when a part of it has been replaced. */
  #partOf(allocation: Allocation, address: number, sizeBytes: number, part: string): string {
    if (address === allocation.address && sizeBytes === allocation.sizeBytes) return part;
    return `${this.#versions.get(allocation.address)} ${address} ${sizeBytes} ${part}`;
  }

  /**
   * Gives every byte of a piece of one allocation a value. Where that is what the allocation got last, nothing is written: programs that
   * take times clear a buffer as large as the L2 cache before each launch.
   */
  fill(address: number, sizeBytes: number, value: number): void {
    const allocation = this.#allocations[lastAtOrBelow(this.#allocations, address)];
    const latest = allocation && this.#fills.get(allocation.address);
    if (latest && latest.version === this.#versions.get(allocation.address) && holds(latest, { address, sizeBytes, value })) return;
    this.bytes.fill(value, address, address + sizeBytes);
    if (!allocation) return;
    this.changed(address, this.#partOf(allocation, address, sizeBytes, `filled ${value}`));
    this.#fills.set(allocation.address, { address, sizeBytes, value, version: this.#versions.get(allocation.address)! });
  }

  /** Writes to memory of one allocation; writing what is there already changes nothing. */
  write(address: number, bytes: Uint8Array): void {
    this.#observe(address, bytes);
    this.renew(address, bytes);
  }

  #observe(address: number, bytes: Uint8Array): void {
    if (bytes.buffer === this.bytes.buffer) this.observer?.copied(address, bytes.byteOffset, bytes.length);
    else this.observer?.written(address, bytes.length);
  }

  /** As `write`, of memory that the host sees, too: it has been written there before. Bytes of the chunks that changed. */
  renew(address: number, bytes: Uint8Array): number {
    const target = this.bytes.subarray(address, address + bytes.length);
    // Device memory onto itself may overlap.
    const within = bytes.buffer === target.buffer;
    const changed = within ? (sameBytes(target, bytes) ? 0 : bytes.length) : copyChanges(target, bytes);
    if (changed === 0) return 0;
    const content = within ? this.#contentWithin(address, bytes) : this.#contentOf(address, bytes);
    if (within) target.set(bytes);
    this.changed(address, content);
    return changed;
  }

  #contentWithin(address: number, { byteOffset, length }: Uint8Array): string | undefined {
    const target = this.#allocations[lastAtOrBelow(this.#allocations, address)];
    const source = this.find(byteOffset, length);
    if (!target || !source) return undefined;
    return this.#partOf(target, address, length, `copied ${this.#versions.get(source.address)} ${byteOffset}`);
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
      const distance = address < a.address ? a.address - address : Math.max(0, address - (a.address + a.sizeBytes) + 1);
      if (distance < bestDistance) [best, bestDistance] = [a, distance];
    }
    return best;
  }

  /** Where the region has room, or can get it. */
  #room(needed: number, align: number): number | undefined {
    const most = needed + align - ALLOCATION_ALIGN_BYTES;
    const { deviceLimit, deviceFloor } = this.line;
    return (
      this.#gap(needed, align) ??
      (this.#extend(most, deviceLimit) || this.#extend(most, deviceFloor) ? this.#gap(needed, align) : undefined)
    );
  }

  /** Where the region has room. */
  #gap(needed: number, align: number): number | undefined {
    const start = this.line.deviceStart + MARGIN_BYTES;
    const others = this.#kept();
    const taken = others.length === 0 ? this.#allocations : byAddress([...this.#allocations, ...others]);
    return firstFit(taken, needed, { start, end: this.#top, guardBytes: this.guardBytes, align });
  }

  /** Lowers the region, not below `lowest`, until it has room at its start. */
  #extend(needed: number, lowest: number): boolean {
    const { line } = this;
    const taken = byAddress([...this.#allocations, ...this.#kept()]);
    const first = taken.find(({ address }) => address >= line.deviceStart)?.address ?? this.#top;
    const most = first - needed - MARGIN_BYTES;
    const limit = Math.max(lowest, this.#scratchEnd());
    const wanted = needed < LARGE_BYTES ? Math.min(most, line.deviceStart - STEP_BYTES) : most;
    const start = Math.floor(Math.max(limit, wanted) / PAGE_BYTES) * PAGE_BYTES;
    return start <= most && start >= limit && line.lowerDevice(start);
  }

  /** What takes addresses without being there for the program. */
  #kept(): readonly Scratch[] {
    return [...this.#quarantine, ...this.#hidden, ...this.#reserved];
  }

  /** Makes what begins at an address one with what ends there in the same reservation. */
  #join(address: number): void {
    const index = this.#allocations.findIndex((each) => each.address === address);
    const [first, second] = [this.#allocations[index - 1], this.#allocations[index]];
    if (!first || !second || first.address + first.sizeBytes !== address || first.owner !== second.owner) return;
    if (this.reservationAt(first.address)?.address !== this.reservationAt(address)?.address) return;
    this.#allocations.splice(index - 1, 2, { ...first, sizeBytes: first.sizeBytes + second.sizeBytes });
    this.#versions.delete(address);
    this.changed(first.address);
  }

  #scratchEnd(): number {
    const last = this.#scratch.at(-1);
    return last ? last.address + roundUp(last.sizeBytes) : 0;
  }

  #place(address: number, sizeBytes: number, label: string, owner: number | undefined): Allocation {
    this.#used.use(this.bytes, address, address + roundUp(sizeBytes));
    this.#heldBytes += sizeBytes;
    const allocation = { address, sizeBytes, label, owner };
    insert(this.#allocations, allocation);
    this.changed(address);
    this.generation++;
    this.observer?.allocated(allocation);
    return allocation;
  }
}

function reserve(): WebAssembly.Memory {
  for (const pages of RESERVED_PAGES.slice(0, -1)) {
    try {
      return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    } catch {
      // There may be room for less.
    }
  }
  const pages = RESERVED_PAGES[RESERVED_PAGES.length - 1];
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

function roundUp(sizeBytes: number): number {
  return Math.ceil(Math.max(1, sizeBytes) / ALLOCATION_ALIGN_BYTES) * ALLOCATION_ALIGN_BYTES;
}

/** The lowest address between `start` and `end` with room among ranges that ascend. */
function firstFit(
  taken: readonly Scratch[],
  needed: number,
  {
    start,
    end,
    guardBytes = 0,
    align = ALLOCATION_ALIGN_BYTES,
  }: { readonly start: number; readonly end: number; readonly guardBytes?: number; readonly align?: number },
) {
  let address = alignUp(start, align);
  for (const { address: next, sizeBytes } of taken) {
    if (next + sizeBytes + guardBytes <= start) continue;
    if (next >= end || next - address >= needed) break;
    address = alignUp(next + roundUp(sizeBytes) + guardBytes, align);
  }
  return address + needed <= end ? address : undefined;
}

function byAddress<R extends Scratch>(ranges: R[]): R[] {
  return ranges.sort((a, b) => a.address - b.address);
}

/** Whether a fill leaves every byte as the earlier one made it. */
function holds(earlier: Fill, { address, sizeBytes, value }: Fill): boolean {
  return earlier.value === value && earlier.address <= address && address + sizeBytes <= earlier.address + earlier.sizeBytes;
}

function insert<T extends Scratch>(ranges: T[], range: T): void {
  ranges.splice(lastAtOrBelow(ranges, range.address) + 1, 0, range);
}

function lastAtOrBelow(ranges: readonly Scratch[], address: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ranges[middle].address <= address) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
