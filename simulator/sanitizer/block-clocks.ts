/**
 * Clocks of a warp and of a block: up to which event its threads know each other's accesses, and what they have acquired from others.
 */
import type { MemoryScope } from '../ir/types.ts';
import { LEDGER_BLOCK, LEDGER_WARP } from '../scheduling/ledger.ts';
import { NEVER } from './event-table.ts';
import { acquired, joined, type KnownNode, type Link, type SyncVariable, withLink } from './knowledge.ts';
import type { LanesAt } from './meeting-checks.ts';
import type { ShadowPage } from './shadow.ts';
import type { Site } from './sites.ts';
import type { Table } from './store.ts';

export const NO_LINKS: readonly Link[] = [];

export class WarpClock {
  /** By lane * 32 + other lane; made when lanes meet in parts. */
  lanes: Int32Array | undefined;
  links = NO_LINKS;
  /** Of single lanes. */
  readonly laneLinks: (readonly Link[])[] = new Array(32).fill(NO_LINKS);
  hasLaneLinks = false;
  /** As LEDGER_WARP says. */
  readonly #record: Int32Array;
  /** By slot of a site, of those that the record has no room for: the event of this warp's last access there. */
  readonly #events: number[] = [];
  /** The latest last. */
  releases: KnownNode[] = [];
  /** At which barriers of the block lanes are. */
  waits: LanesAt[] = [];
  /** When it came to a barrier at which it did not wait. */
  passed = 0;

  constructor(
    readonly block: BlockClock,
    /** In the grid. */
    public number: number,
    readonly index: number,
    record: Int32Array,
  ) {
    this.#record = record;
  }

  /** The last event that others may know: what comes later is a new one. */
  get tick(): number {
    return this.#record[LEDGER_WARP.tick >> 2];
  }

  set tick(event: number) {
    this.#record[LEDGER_WARP.tick >> 2] = event;
  }

  /** Lanes know each other's events up to here. */
  get all(): number {
    return this.#record[LEDGER_WARP.all >> 2];
  }

  set all(event: number) {
    this.#record[LEDGER_WARP.all >> 2] = event;
  }

  eventAt({ slot }: Site): number {
    return slot < LEDGER_WARP.slots ? this.#record[(LEDGER_WARP.events >> 2) + slot] : (this.#events[slot] ?? 0);
  }

  keepEvent({ slot }: Site, event: number): void {
    if (slot < LEDGER_WARP.slots) this.#record[(LEDGER_WARP.events >> 2) + slot] = event;
    else this.#events[slot] = event;
  }

  forgetEvents(): void {
    this.#record.fill(0, LEDGER_WARP.events >> 2);
    this.#events.length = 0;
  }

  reuse(number: number, now: number): void {
    this.number = number;
    this.tick = now;
    this.all = 0;
    this.lanes = undefined;
    this.links = NO_LINKS;
    if (this.hasLaneLinks) this.laneLinks.fill(NO_LINKS);
    this.hasLaneLinks = false;
    if (this.releases.length > 0) this.releases = [];
    if (this.waits.length > 0) this.waits = [];
    this.passed = 0;
  }

  linksOf(lane: number): readonly Link[] {
    const more = this.block.links;
    const own = this.hasLaneLinks ? joined(this.links, this.laneLinks[lane]) : this.links;
    return more.length === 0 ? own : joined(own, more);
  }

  link(lane: number, link: Link): void {
    this.laneLinks[lane] = withLink(this.laneLinks[lane], link);
    this.hasLaneLinks = true;
  }

  /** A fence makes good what lanes have read before it. */
  acquire(mask: number, scope: MemoryScope): void {
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      const links = this.linksOf(lane);
      const good = acquired(links, scope);
      if (good === links) continue;
      this.laneLinks[lane] = good;
      this.hasLaneLinks = true;
    }
  }
}

/** Where what is kept of a block lies. */
export interface BlockTables {
  readonly record: Table;
  readonly shared: Table;
}

export class BlockClock {
  readonly warps: readonly WarpClock[];
  /** By warp * warps + other warp; made when some warps meet. */
  between: Int32Array | undefined;
  links = NO_LINKS;
  /** Threads of the blocks of its cluster know each other's events up to here. */
  ofCluster = 0;
  readonly shared: ShadowPage;
  /** Variables in shared memory. */
  readonly variables = new Map<number, SyncVariable>();

  /** As LEDGER_BLOCK says. */
  readonly #record: Int32Array;
  /** Where compiled code finds it; 0 if it does not. */
  readonly address: number;

  constructor(
    public number: number,
    warps: number,
    { record, shared }: BlockTables,
  ) {
    this.#record = record.words;
    // Compiled code needs both.
    this.address = shared.address === 0 && shared.words.length > 0 ? 0 : record.address;
    const perWarp = LEDGER_WARP.bytes >> 2;
    this.warps = Array.from({ length: warps }, (_, index) => {
      const from = (LEDGER_BLOCK.warps >> 2) + index * perWarp;
      return new WarpClock(this, number * warps + index, index, record.words.subarray(from, from + perWarp));
    });
    this.shared = { cells: shared.words, words: shared.words.length / 3 };
    this.#set(LEDGER_BLOCK.first, number * warps);
    this.#set(LEDGER_BLOCK.count, warps);
    this.#set(LEDGER_BLOCK.shared, shared.address);
    this.#set(LEDGER_BLOCK.words, this.shared.words);
    this.isSimple = true;
  }

  #set(offset: number, value: number): void {
    this.#record[offset >> 2] = value;
  }

  /** Threads of the block know each other's events up to here. */
  get all(): number {
    return this.#record[LEDGER_BLOCK.all >> 2];
  }

  set all(event: number) {
    this.#set(LEDGER_BLOCK.all, event);
  }

  /** Only barriers of the whole block and of whole warps have been there. */
  get isSimple(): boolean {
    return this.#record[LEDGER_BLOCK.open >> 2] !== 0;
  }

  set isSimple(is: boolean) {
    this.#set(LEDGER_BLOCK.open, Number(is));
  }

  /** Its threads have ended, and events get other numbers. */
  forgetEvents(): void {
    for (const warp of this.warps) warp.forgetEvents();
  }

  /** Makes it the clock of another block, which begins behind event `now`. */
  reuse(number: number, now: number): void {
    this.number = number;
    this.all = 0;
    this.ofCluster = 0;
    this.between = undefined;
    this.isSimple = true;
    this.#set(LEDGER_BLOCK.first, number * this.warps.length);
    this.links = NO_LINKS;
    this.shared.cells.fill(NEVER);
    this.variables.clear();
    for (const warp of this.warps) warp.reuse(number * this.warps.length + warp.index, now);
  }
}
