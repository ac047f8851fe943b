/**
 * Asynchronous copies to shared memory for which their thread has not waited (cp.async). Until then nothing orders what they write, not
 * even for the thread that has begun them: their events are of no thread. Once it has waited, they count as its writes of that moment, so
 * that a barrier has to come behind the wait. Their words are split meanwhile, which keeps compiled code from checking them by itself.
 */
import type { AccessEvent } from '../scheduling/probes.ts';
import type { BlockClock, WarpClock } from './block-clocks.ts';
import type { LaunchClock } from './clocks.ts';
import { type EventTable, NEVER } from './event-table.ts';
import type { ShadowPage, SplitWords } from './shadow.ts';
import type { Site } from './sites.ts';

/** Copies of one instruction, by the lanes that have not waited for theirs. */
interface Batch {
  readonly site: Site;
  readonly event: number;
  readonly addresses: Uint32Array;
  readonly bytes: number;
  mask: number;
  /** Lanes that have made them part of a group, and by lane which one. */
  committed: number;
  readonly groups: Int32Array;
}

interface OfWarp {
  batches: Batch[];
  /** Those of them of which some lane has made no part of a group. */
  uncommitted: Batch[];
  /** By lane: how many groups there have been. */
  readonly groups: Int32Array;
}

/** The event's warp, as events of copies have it. */
export function copiedBy(warp: number): number {
  return ~warp;
}

/** Whose event it is, of a thread or of a copy that it has begun. */
export function warpOf(recorded: number): number {
  return recorded < 0 ? ~recorded : recorded;
}

export class PendingCopies {
  readonly #clock: LaunchClock;
  readonly #events: EventTable;
  readonly #split: SplitWords;
  readonly #warps = new Map<WarpClock, OfWarp>();

  constructor(clock: LaunchClock, events: EventTable, split: SplitWords) {
    this.#clock = clock;
    this.#events = events;
    this.#split = split;
  }

  /** Copies that begin; gives their event. */
  begin(warp: WarpClock, site: Site, { mask, addresses, bytes }: AccessEvent): number {
    const event = this.#events.add(copiedBy(warp.number), site.index);
    const batch = { site, event, addresses: addresses.slice(), bytes, mask, committed: 0, groups: new Int32Array(32) };
    const { batches, uncommitted } = this.#of(warp);
    batches.push(batch);
    uncommitted.push(batch);
    return event;
  }

  /** What they write is in the shadow. */
  begun(warp: WarpClock): void {
    const batch = this.#of(warp).batches.at(-1)!;
    this.#each(warp, batch, batch.mask, ({ cells, ...page }, word) => {
      if (cells[word] >= 0) this.#split.split({ cells, ...page }, word);
    });
  }

  commit(warp: WarpClock, mask: number): void {
    const own = this.#of(warp);
    const { groups } = own;
    for (const batch of own.uncommitted) {
      const now = batch.mask & mask & ~batch.committed;
      batch.committed |= now;
      forLanes(now, (lane) => (batch.groups[lane] = groups[lane]));
    }
    own.uncommitted = own.uncommitted.filter((batch) => (batch.mask & ~batch.committed) !== 0);
    forLanes(mask, (lane) => groups[lane]++);
  }

  /** Lanes have waited for all their copies but those of so many of the latest groups; of all, for those that are in no group, too. */
  wait(warp: WarpClock, mask: number, allBut: number | undefined): void {
    const { batches, groups } = this.#of(warp);
    for (const batch of batches) {
      let done = batch.mask & mask;
      if (allBut !== undefined) {
        done &= batch.committed;
        forLanes(done, (lane) => {
          if (batch.groups[lane] >= groups[lane] - allBut) done &= ~(1 << lane);
        });
      }
      if (done !== 0) this.#complete(warp, batch, done);
    }
    this.#of(warp).batches = batches.filter((batch) => batch.mask !== 0);
  }

  /** Who has exited waits for nothing any more. */
  endBlock({ warps, shared }: BlockClock): void {
    for (const warp of warps) {
      for (const batch of this.#warps.get(warp)?.batches ?? []) {
        this.#each(warp, batch, batch.mask, (page, word) => {
          if (page === shared && page.cells[word] < 0) this.#split.join(page, word, NEVER);
        });
      }
      this.#warps.delete(warp);
    }
  }

  #of(warp: WarpClock): OfWarp {
    let own = this.#warps.get(warp);
    if (!own) {
      own = { batches: [], uncommitted: [], groups: new Int32Array(32) };
      this.#warps.set(warp, own);
    }
    return own;
  }

  #complete(warp: WarpClock, batch: Batch, lanes: number): void {
    const event = this.#events.add(warp.number, batch.site.index);
    this.#each(warp, batch, lanes, (page, word, lane) => {
      const [before, now] = [(batch.event << 5) | lane, (event << 5) | lane];
      if (page.cells[word] < 0) this.#split.rewrite(page, word, before, now);
    });
    batch.mask &= ~lanes;
  }

  /** The words of a batch. */
  #each(warp: WarpClock, { addresses, bytes }: Batch, lanes: number, visit: (page: ShadowPage, word: number, lane: number) => void): void {
    forLanes(lanes, (lane) => {
      const { shared, offset } = this.#clock.sharedAt(warp.block, addresses[lane]);
      for (let at = offset; at < offset + bytes && at >>> 2 < shared.words; at += 4) visit(shared, at >>> 2, lane);
    });
  }
}

function forLanes(mask: number, visit: (lane: number) => void): void {
  for (let rest = mask; rest !== 0; rest &= rest - 1) visit(31 - Math.clz32(rest & -rest));
}
