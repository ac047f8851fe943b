/**
 * The common case of race-detector.ts, for a whole warp at once: plain accesses of whole words, and relaxed atomics of one, in a launch in
 * which only barriers order anything, that find nothing to report. Whatever else comes up is left to the detector, which does the same
 * lane by lane: an access that was begun here may be done again there from its first lane.
 */
import { LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import type { AccessEvent, LanePattern } from '../scheduling/probes.ts';
import type { LaunchClock, WarpClock } from './clocks.ts';
import { type EventTable, LONG_AGO, NEVER } from './event-table.ts';
import type { GlobalShadow, ShadowPage } from './shadow.ts';
import type { Site, Sites } from './sites.ts';
import { type WordRow, wordRow } from './word-rows.ts';
import type { WrittenRange } from './written-memory.ts';

export interface RowParts {
  readonly clock: LaunchClock;
  readonly events: EventTable;
  readonly sites: Sites;
  readonly global: GlobalShadow;
  readonly written?: readonly WrittenRange[];
}

/** What holds for all accesses of an instruction with one pattern. */
interface KnownRow {
  readonly site: Site;
  /** undefined for accesses that are not looked at here. */
  readonly row: WordRow | undefined;
}

export class RowChecks {
  readonly #parts: RowParts;
  readonly #clock: LaunchClock;
  readonly #events: EventTable;
  // Of the access under way.
  #page!: ShadowPage;
  #base = 0;
  #warp!: WarpClock;
  /** Cells up to this one are ordered before what comes now, whoever's they are. */
  #quick = 0;

  constructor(parts: RowParts) {
    this.#parts = parts;
    this.#clock = parts.clock;
    this.#events = parts.events;
  }

  /** Whether it is done. */
  access(event: AccessEvent): boolean {
    const { pattern } = event;
    if (pattern === undefined) return false;
    const { site, row } = this.#knownRow(event, pattern);
    if (row === undefined || !this.#begin(event)) return false;
    const { first } = event;
    if (first >= LOCAL_BASE && first < SHARED_BASE) return true;
    const reads = site.access === 'read';
    if (reads && first < LOCAL_BASE && this.#isOnlyRead(first + row.low, first + row.high)) return this.#isWritten(site, first, row);
    if (!this.#find(first, row.low, row.high)) return false;
    const own = this.#clock.eventOf(this.#warp, site) << 5;
    return reads ? this.#read(row, own) : this.#write(row, own);
  }

  /** Read-modify-writes of one word by each lane. */
  atomic(event: AccessEvent, site: Site): boolean {
    const { scope, strength } = site;
    if (event.bytes !== 4 || strength !== 'atomic' || scope === 'block' || site.releases || site.acquires) return false;
    if (!this.#begin(event)) return false;
    const own = this.#clock.eventOf(this.#warp, site) << 5;
    const { addresses } = event;
    for (let rest = event.mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      if (!this.#find(addresses[lane], 0, 4) || !this.#modify(own | lane, site)) return false;
    }
    return true;
  }

  #knownRow(event: AccessEvent, pattern: LanePattern): KnownRow {
    let known = pattern.kept as KnownRow | undefined;
    if (!known) {
      const site = this.#parts.sites.of(event.instruction, event.access, event.function);
      const simple = site.strength === 'plain' && !site.releases && !site.acquires && event.lengths === undefined;
      known = { site, row: simple ? wordRow(pattern, event.bytes) : undefined };
      pattern.kept = known;
    }
    return known;
  }

  /** Whether barriers of blocks and of whole warps alone say what is ordered. */
  #begin({ block, warp }: AccessEvent): boolean {
    const clock = this.#clock.block(block);
    this.#warp = clock.warps[warp];
    return !this.#clock.releases && this.#clock.isAlone && clock.between === undefined && this.#warp.lanes === undefined;
  }

  /** Finds the page of bytes around an address; false if they are not in one, or no words. */
  #find(address: number, low: number, high: number): boolean {
    if ((address & 3) !== 0) return false;
    const { block } = this.#warp;
    const { floor } = this.#clock;
    if (address >= SHARED_BASE) {
      const offset = address - SHARED_BASE;
      if (offset + low < 0 || offset + high > 4 * block.shared.words) return false;
      this.#page = block.shared;
      this.#base = offset >>> 2;
      // Nobody else sees it.
      this.#quick = ((block.all > floor ? block.all : floor) << 5) | 31;
      return true;
    }
    const offset = address & 0xffff;
    if (address >= LOCAL_BASE || offset + low < 0 || offset + high > 0x10000) return false;
    this.#page = this.#parts.global.page(address);
    this.#base = offset >>> 2;
    this.#quick = (floor << 5) | 31;
    return true;
  }

  #isOnlyRead(low: number, high: number): boolean {
    const { written } = this.#parts;
    if (written === undefined) return false;
    for (let k = 0; k < written.length; k++) if (low < written[k].end && high > written[k].start) return false;
    return true;
  }

  #isWritten({ used }: Site, first: number, { words, low, high }: WordRow): boolean {
    if (!used) return true;
    const offset = first & 0xffff;
    if ((first & 3) !== 0 || offset + low < 0 || offset + high > 0x10000) return false;
    const { global } = this.#parts;
    const page = global.known(first);
    if (!page) return global.blank(first) === LONG_AGO;
    const { cells } = page;
    const base = offset >>> 2;
    for (let k = 0; k < words.length; k++) if (cells[base + words[k]] <= NEVER) return false;
    return true;
  }

  #read({ words, firstLanes, lastLanes }: WordRow, own: number): boolean {
    const { cells, words: stride } = this.#page;
    const base = this.#base;
    const quick = this.#quick;
    // Readers of a word that stay as they are.
    let firstStays = -1;
    let secondStays = -1;
    for (let k = 0; k < words.length; k++) {
      const at = base + words[k];
      const lane = firstLanes[k];
      const last = lastLanes[k];
      const written = cells[at];
      if (written <= NEVER) return false;
      if (written > quick && !(this.#isOrdered(written, lane) && (lane === last || this.#isOrdered(written, last)))) return false;
      const first = cells[at + stride];
      const second = cells[at + 2 * stride];
      if (first <= quick && (lane === last || second <= quick)) {
        cells[at + stride] = own | lane;
        if (lane !== last) cells[at + 2 * stride] = own | last;
      } else if (first >>> 5 !== firstStays || second >>> 5 !== secondStays) {
        if (this.#bothStay(first, second)) {
          firstStays = first >>> 5;
          secondStays = second >>> 5;
          continue;
        }
        this.#keepRead(at, own | lane);
        if (lane !== last) this.#keepRead(at, own | last);
      }
    }
    return true;
  }

  #write({ words, firstLanes, distinct }: WordRow, own: number): boolean {
    if (!distinct) return false;
    const { cells, words: stride } = this.#page;
    const base = this.#base;
    const quick = this.#quick;
    for (let k = 0; k < words.length; k++) {
      const at = base + words[k];
      const lane = firstLanes[k];
      const written = cells[at];
      const first = cells[at + stride];
      const second = cells[at + 2 * stride];
      if (written < 0 || (written > quick && !this.#isOrdered(written, lane))) return false;
      if (first > quick && !this.#isOrdered(first, lane)) return false;
      if (second > quick && !this.#isOrdered(second, lane)) return false;
      cells[at] = own | lane;
      cells[at + stride] = NEVER;
      cells[at + 2 * stride] = NEVER;
    }
    return true;
  }

  /** Of a word that only this instruction has accessed since the last barrier. */
  #modify(own: number, site: Site): boolean {
    const { cells, words: stride } = this.#page;
    const at = this.#base;
    const written = cells[at];
    if (written <= NEVER && (written < NEVER || site.used)) return false;
    if (written >>> 5 > this.#clock.floor && this.#events.sites[written >>> 5] !== site.index) return false;
    if (cells[at + stride] > this.#quick || cells[at + 2 * stride] > this.#quick) return false;
    cells[at] = own;
    return true;
  }

  /** Whether the access of a cell, which is not of an earlier launch, comes before that of a lane of the warp now. */
  #isOrdered(cell: number, lane: number): boolean {
    if (cell <= this.#quick) return true;
    const event = cell >>> 5;
    const { all, block, number } = this.#warp;
    const other = this.#events.warps[event];
    if (other === number) return (cell & 31) === lane || event <= all || event <= block.all;
    return event <= block.all && this.#isInBlock(other);
  }

  #isInBlock(warp: number): boolean {
    const index = warp - this.#warp.block.number * this.#clock.warpsPerBlock;
    return index >= 0 && index < this.#clock.warpsPerBlock;
  }

  /** Two unordered reads of other warps that are as far apart as one of them and this warp. */
  #bothStay(first: number, second: number): boolean {
    const { number } = this.#warp;
    const a = this.#events.warps[first >>> 5];
    const b = this.#events.warps[second >>> 5];
    if (a === number || b === number || this.#isOrdered(first, 0) || this.#isOrdered(second, 0)) return false;
    return this.#distance(a, number) <= this.#distance(a, b);
  }

  /** As the detector remembers reads. */
  #keepRead(at: number, own: number): void {
    const { cells, words: stride } = this.#page;
    const lane = own & 31;
    const first = cells[at + stride];
    if (first === own) return;
    if (this.#isOrdered(first, lane)) {
      cells[at + stride] = own;
      return;
    }
    const second = cells[at + 2 * stride];
    if (this.#isOrdered(second, lane) || this.#isFarther(first, second)) cells[at + 2 * stride] = own;
  }

  #isFarther(first: number, second: number): boolean {
    const { warps } = this.#events;
    const a = warps[first >>> 5];
    const b = warps[second >>> 5];
    const { number } = this.#warp;
    if (b === number) return true;
    return a !== number && this.#distance(a, number) > this.#distance(a, b);
  }

  #distance(a: number, b: number): number {
    if (a === b) return 0;
    const perBlock = this.#clock.warpsPerBlock;
    return Math.floor(a / perBlock) === Math.floor(b / perBlock) ? 1 : 2;
  }
}
