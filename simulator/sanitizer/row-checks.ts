/**
 * The common case of race-detector.ts, for a whole warp at once: plain accesses of whole words, and relaxed atomics of one, in a launch in
 * which only barriers order anything, that find nothing to report. Whatever else comes up is left to the detector, which does the same
 * lane by lane: an access that was begun here may be done again there from its first lane.
 */
import { LOCAL_BASE, SHARED_BASE } from '../ir/address-map.ts';
import { LEDGER_SITES, LEDGER_WARP } from '../scheduling/ledger.ts';
import type { AccessEvent, LanePattern, LedgerRow, Settled } from '../scheduling/probes.ts';
import type { WarpClock } from './block-clocks.ts';
import type { LaunchClock } from './clocks.ts';
import { type EventTable, NEVER } from './event-table.ts';
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

interface Run {
  readonly from: number;
  readonly to: number;
}

/** What holds for all accesses of an instruction with one pattern. */
interface KnownRow {
  readonly site: Site;
  /** undefined for accesses that are not looked at here. */
  readonly row: WordRow | undefined;
  /** What there is to say of it when nothing was found. */
  readonly settled: Settled | true;
}

const NO_WORDS = { words: new Int32Array(), firstLanes: new Int32Array(), lastLanes: new Int32Array(), low: 0, high: 4 };

/** Compiled code may do the same from now on. */
function settledAs({ index, slot, used }: Site, row: Omit<LedgerRow, 'site' | 'slot' | 'used'>): Settled | true {
  if (index >= LEDGER_SITES || slot >= LEDGER_WARP.slots) return true;
  const { words, firstLanes, lastLanes, low, high } = row;
  return { kind: 'row', row: { site: index, slot, used, words, firstLanes, lastLanes, low, high } };
}

export class RowChecks {
  readonly #parts: RowParts;
  readonly #clock: LaunchClock;
  readonly #events: EventTable;
  /** Memory that the launch only reads and that something has written. */
  readonly #runs: Run[] = [];
  readonly #atomics = new Map<Site, Settled | true>();
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

  /** Whether it is done, or which later ones need not be looked at either. */
  access(event: AccessEvent): boolean | Settled {
    const { pattern } = event;
    if (pattern === undefined) return false;
    const { first } = event;
    if (first >= LOCAL_BASE && first < SHARED_BASE) return false;
    const { site, row, settled } = this.#knownRow(event, pattern);
    if (row === undefined || !this.#begin(event)) return false;
    const reads = site.access === 'read';
    if (reads && first < LOCAL_BASE && this.#isOnlyRead(first + row.low, first + row.high)) return this.#onlyRead(site, first, row);
    if (!this.#find(first, row.low, row.high)) return false;
    const own = this.#clock.eventOf(this.#warp, site) << 5;
    const done = reads ? this.#read(row, own, first >= SHARED_BASE) : this.#write(row, own);
    return done === true ? settled : done;
  }

  /** Read-modify-writes of one word by each lane. */
  atomic(event: AccessEvent, site: Site): boolean | Settled {
    const { scope, strength } = site;
    if (event.bytes !== 4 || strength !== 'atomic' || scope === 'block' || site.releases || site.acquires) return false;
    if (!this.#begin(event)) return false;
    const own = this.#clock.eventOf(this.#warp, site) << 5;
    const { addresses } = event;
    for (let rest = event.mask; rest !== 0; rest &= rest - 1) {
      const lane = 31 - Math.clz32(rest & -rest);
      if (!this.#find(addresses[lane], 0, 4) || !this.#modify(own | lane, site)) return false;
    }
    let settled = this.#atomics.get(site);
    if (!settled) {
      settled = settledAs(site, NO_WORDS);
      this.#atomics.set(site, settled);
    }
    return settled;
  }

  #knownRow(event: AccessEvent, pattern: LanePattern): KnownRow {
    let known = pattern.kept as KnownRow | undefined;
    if (!known) {
      const site = this.#parts.sites.of(event.instruction, event.access, event.function);
      const simple = site.strength === 'plain' && !site.releases && !site.acquires && !site.isAsync && event.lengths === undefined;
      const row = simple ? wordRow(pattern, event.bytes) : undefined;
      const isEasy = row !== undefined && (row.distinct || site.access === 'read');
      known = { site, row, settled: isEasy ? settledAs(site, row) : true };
      pattern.kept = known;
    }
    return known;
  }

  /** Whether barriers of blocks and of whole warps alone say what is ordered. */
  #begin({ block, warp }: AccessEvent): boolean {
    const clock = this.#clock.block(block);
    this.#warp = clock.warps[warp];
    return (
      !this.#clock.launch.cluster &&
      !this.#clock.releases &&
      this.#clock.isAlone &&
      clock.between === undefined &&
      this.#warp.lanes === undefined
    );
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

  /** Memory that nobody writes to in this launch. */
  #onlyRead({ used, copies }: Site, first: number, { low, high }: WordRow): boolean | Settled {
    const [start, end] = [first + low, first + high];
    const run = used || copies ? this.#writtenRun(start, end) : { from: 0, to: LOCAL_BASE };
    if (!run || (first & 3) !== 0) return false;
    let { from, to } = run;
    for (const each of this.#parts.written!) {
      if (each.end <= start) from = Math.max(from, each.end);
      else to = Math.min(to, each.start);
    }
    return { kind: 'range', from, to, low, high };
  }

  /** Bytes around some that something has written; undefined if nobody has written all of those. */
  #writtenRun(start: number, end: number): Run | undefined {
    const known = this.#runs.find(({ from, to }) => from <= start && end <= to);
    if (known) return known;
    const { global } = this.#parts;
    const run = { from: global.writtenFrom(start), to: global.writtenUntil(start) };
    if (run.to < end) return undefined;
    this.#runs.push(run);
    return run;
  }

  #read({ words, firstLanes, lastLanes }: WordRow, own: number, inBlock: boolean): boolean | Settled {
    const { cells, words: stride } = this.#page;
    const base = this.#base;
    const quick = this.#quick;
    // Readers of the word before this one, if they are other warps, and whether the second gives way to this warp.
    let firstReader = -1;
    let secondReader = -1;
    let givesWay = false;
    let repeats = inBlock;
    for (let k = 0; k < words.length; k++) {
      const at = base + words[k];
      const lane = firstLanes[k];
      const last = lastLanes[k];
      const written = cells[at];
      if (written <= NEVER) return false;
      if (written > quick) repeats = false;
      if (written > quick && !(this.#isOrdered(written, lane) && (lane === last || this.#isOrdered(written, last)))) return false;
      const first = cells[at + stride];
      const second = cells[at + 2 * stride];
      if (first <= quick && (lane === last || second <= quick)) {
        repeats = false;
        cells[at + stride] = own | lane;
        if (lane !== last) cells[at + 2 * stride] = own | last;
        continue;
      }
      if (first >>> 5 !== firstReader || second >>> 5 !== secondReader) {
        if (k > 0) repeats = false;
        if (!this.#areOthers(first, second)) {
          repeats = false;
          this.#keepRead(at, own | lane);
          if (lane !== last) this.#keepRead(at, own | last);
          continue;
        }
        firstReader = first >>> 5;
        secondReader = second >>> 5;
        givesWay = this.#isFarther(first, second);
      }
      if (!givesWay) continue;
      repeats = false;
      cells[at + 2 * stride] = own | last;
    }
    return repeats ? this.#repeats(firstReader, secondReader) : true;
  }

  /** The readers of all words are two other warps, and no third one takes their place. */
  #repeats(first: number, second: number): Settled {
    const { warps } = this.#events;
    const perBlock = this.#clock.warpsPerBlock;
    return { kind: 'repeats', exceptWarps: [warps[first] % perBlock, warps[second] % perBlock] };
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

  /** Of a word that only this instruction has accessed since the last barrier. As `#keepPlain` of the detector where others have before. */
  #modify(own: number, site: Site): boolean {
    const { cells, words: stride } = this.#page;
    const at = this.#base;
    const written = cells[at];
    if (written <= NEVER && (written < NEVER || site.used)) return false;
    if (cells[at + stride] > this.#quick || cells[at + 2 * stride] > this.#quick) return false;
    const { floor } = this.#clock;
    const last = this.#events.sites[written >>> 5];
    if (written >>> 5 > floor && last !== site.index) {
      if (written > this.#quick || this.#parts.sites.all[last - 1].strength === 'atomic') return false;
      cells[cells[at + stride] >>> 5 <= floor ? at + stride : at + 2 * stride] = written;
    }
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

  /** Two reads of other warps that nothing orders before this one. */
  #areOthers(first: number, second: number): boolean {
    const { number } = this.#warp;
    const { warps } = this.#events;
    if (warps[first >>> 5] === number || warps[second >>> 5] === number) return false;
    return !this.#isOrdered(first, 0) && !this.#isOrdered(second, 0);
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
