/**
 * Bytes that nothing has written, and copies of them. A thread that reads such bytes only to store them elsewhere carries them from its
 * load to the store of the same value: what it stores is then worth no more than what it has read.
 */
import { LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import type { Instruction, Location } from '../ir/types.ts';
import type { AccessEvent } from '../scheduling/probes.ts';
import type { WarpClock } from './block-clocks.ts';
import type { LaunchClock } from './clocks.ts';
import { NEVER } from './event-table.ts';
import type { LocalWrites } from './local-writes.ts';
import type { GlobalShadow, ShadowPage } from './shadow.ts';
import type { Site } from './sites.ts';

/** Where a kernel has read what nothing had written. */
export interface Origin {
  readonly kernel: string;
  readonly location: Location | undefined;
}

/** Bytes of a value that nothing has written. */
interface Carried {
  readonly missing: readonly number[];
  readonly origin: Origin;
}

export interface UnwrittenParts {
  readonly clock: LaunchClock;
  readonly global: GlobalShadow;
  readonly local: LocalWrites | undefined;
  /** By word of shared and global memory that holds a copy: who has read the bytes first. */
  readonly copies: Map<number, Origin>;
}

const NONE: readonly number[] = [];

export class UnwrittenBytes {
  readonly #parts: UnwrittenParts;
  /** By the instruction that has read them, and by thread (warp * 32 + lane): which of its bytes they are. */
  readonly #carried = new Map<Instruction, Map<number, Carried>>();

  constructor(parts: UnwrittenParts) {
    this.#parts = parts;
  }

  get carriesNothing(): boolean {
    return this.#carried.size === 0;
  }

  /** Of a read: the first byte of each lane that nothing has written. */
  each({ mask, addresses, lengths, bytes }: AccessEvent, warp: WarpClock, found: (lane: number, address: number) => void): void {
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const [first] = this.#missing(warp, lane, addresses[lane], lengths ? lengths[lane] : bytes);
      if (first !== undefined) found(lane, addresses[lane] + first);
    }
  }

  writeLocal({ mask, addresses, lengths, bytes }: AccessEvent, { number }: WarpClock): void {
    const { local } = this.#parts;
    if (!local) return;
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      local.write(number * 32 + lane, addresses[lane], lengths ? lengths[lane] : bytes);
    }
  }

  /** Lanes read what they will store. */
  read({ kernel, instruction, mask, addresses, lengths, bytes }: AccessEvent, warp: WarpClock): void {
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const missing = this.#missing(warp, lane, addresses[lane], lengths ? lengths[lane] : bytes);
      if (missing.length > 0) {
        const { location } = instruction;
        const origin = this.#parts.copies.get((addresses[lane] + missing[0]) >>> 2) ?? { kernel, location };
        this.#carry(instruction, warp.number * 32 + lane, { missing, origin });
      } else this.#drop(instruction, warp.number * 32 + lane);
    }
  }

  /** Lanes have stored something: the bytes that they have carried there count as unwritten again. */
  write(event: AccessEvent, { copyOf }: Site, warp: WarpClock): void {
    for (const source of copyOf) if (this.#carried.has(source)) this.#leave(source, event, warp);
  }

  #leave(source: Instruction, { mask, addresses }: AccessEvent, warp: WarpClock): void {
    for (let rest = mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      const thread = warp.number * 32 + lane;
      const carried = this.#carried.get(source)?.get(thread);
      if (!carried) continue;
      this.#drop(source, thread);
      for (const offset of carried.missing) this.#forget(warp, lane, addresses[lane] + offset, carried.origin);
    }
  }

  #carry(by: Instruction, thread: number, what: Carried): void {
    // From now on, compiled code has to tell of stores.
    if (this.#carried.size === 0) this.#parts.clock.tellAll();
    const threads = this.#carried.get(by);
    if (threads) threads.set(thread, what);
    else this.#carried.set(by, new Map([[thread, what]]));
  }

  #drop(by: Instruction, thread: number): void {
    this.#carried.get(by)?.delete(thread);
  }

  /** Which of the bytes at an address nothing has written. */
  #missing(warp: WarpClock, lane: number, address: number, bytes: number): readonly number[] {
    if (address >= LOCAL_BASE && address < SHARED_BASE) {
      const { local } = this.#parts;
      if (!local) return NONE;
      const thread = warp.number * 32 + lane;
      return offsets(bytes, (k) => !local.isWritten(thread, address + k));
    }
    if (address < LOCAL_BASE) return offsets(bytes, (k) => !this.#parts.global.isWritten(address + k));
    const { shared, offset } = this.#parts.clock.sharedAt(warp.block, address);
    return offset + bytes > 4 * shared.words ? NONE : offsets(bytes, (k) => !this.#isWritten(shared, offset + k));
  }

  #isWritten({ cells }: ShadowPage, offset: number): boolean {
    const cell = cells[offset >>> 2];
    return (cell < 0 ? this.#parts.global.split.cells[~cell + (offset & 3)] : cell) !== NEVER;
  }

  #forget(warp: WarpClock, lane: number, address: number, origin: Origin): void {
    const { global, local, copies } = this.#parts;
    if (address >= LOCAL_BASE && address < SHARED_BASE) {
      local?.forget(warp.number * 32 + lane, address);
      return;
    }
    const { shared: page, offset } =
      address >= SHARED_BASE ? this.#parts.clock.sharedAt(warp.block, address) : { shared: global.page(address), offset: address & 0xffff };
    if (offset >= 4 * page.words) return;
    copies.set(address >>> 2, origin);
    const cell = page.cells[offset >>> 2];
    const at = cell < 0 ? ~cell : global.split.split(page, offset >>> 2);
    global.split.cells[at + (offset & 3)] = NEVER;
  }
}

function offsets(bytes: number, isMissing: (offset: number) => boolean): readonly number[] {
  const found: number[] = [];
  for (let k = 0; k < bytes; k++) if (isMissing(k)) found.push(k);
  return found;
}
