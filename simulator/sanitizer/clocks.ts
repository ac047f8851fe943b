/**
 * What the threads of a launch know of each other's accesses. A clock says up to which event (event-table.ts) an access is ordered before
 * what comes now: by a barrier of the grid, of the block, or of lanes of the warp, or by what a thread has acquired (knowledge.ts).
 * Lanes that execute together are not ordered by that.
 */
import { CLUSTER_WINDOW_BYTES, SHARED_BASE } from '../ir/address-map.ts';
import type { MemoryScope } from '../ir/types.ts';
import type { Launch } from '../machine/launch.ts';
import { clustersOf } from '../scheduling/cluster.ts';
import { LEDGER, ledgerBlockWords } from '../scheduling/ledger.ts';
import type { Arrival } from '../scheduling/probes.ts';
import { BlockClock, type BlockTables, NO_LINKS, type WarpClock } from './block-clocks.ts';
import type { EventTable } from './event-table.ts';
import { acquired, isOutdated, isWide, joined, type KnownNode, type Link, linkKnows, linkTo, SyncVariable } from './knowledge.ts';
import type { KnowledgeSize } from './published-knowledge.ts';
import type { ShadowPage } from './shadow.ts';
import type { Site } from './sites.ts';
import { Store } from './store.ts';

/** So many of a warp's latest releases can still be acquired through a word that was written plainly. */
const KEPT_RELEASES = 8;

export class LaunchClock {
  #clusters: ReadonlyMap<number, readonly number[]> | undefined;
  /** Everybody knows the launch's own events up to here, where some of earlier launches are not ordered before it. */
  met = 0;
  readonly knowledgeSize: KnowledgeSize = { changes: 0 };
  /** The event before the launch's first. */
  readonly start: number;
  readonly warpsPerBlock: number;
  readonly threads: number;
  readonly #blocks = new Map<number, BlockClock>();
  /** Clocks of blocks that have ended, for others. */
  readonly #ended: BlockClock[] = [];
  #last: BlockClock | undefined;
  readonly #events: EventTable;
  /** Releases of blocks that have ended, by warp. */
  readonly #left = new Map<number, readonly KnownNode[]>();
  readonly #sharedBytes: number;
  readonly #store: Store;
  #floor: number;
  #releases = false;
  /** The first block has its tables where compiled code finds them. */
  #hasTables = false;

  constructor(
    readonly launch: Launch,
    events: EventTable,
    options: { readonly floor: number; readonly sharedBytes: number; readonly store?: Store },
  ) {
    this.#events = events;
    this.#store = options.store ?? new Store();
    this.#floor = options.floor;
    this.start = events.last;
    this.#sharedBytes = options.sharedBytes;
    this.threads = launch.block[0] * launch.block[1] * launch.block[2];
    this.warpsPerBlock = Math.ceil(this.threads / 32);
    this.#store.set(LEDGER.open, Number(this.isAlone));
    this.#store.set(LEDGER.floor, this.floor);
    this.#store.set(LEDGER.block, 0);
    this.#store.set(LEDGER.barriers, 0);
  }

  /** Compiled code tells of every access from now on. */
  tellAll(): void {
    this.#store.set(LEDGER.open, 0);
  }

  /** Nobody asks for the moment at which warps come to a barrier of the block. */
  leaveBarriers(): void {
    this.#store.set(LEDGER.barriers, 1);
  }

  /** Everybody knows all events up to here. */
  get floor(): number {
    return this.#floor;
  }

  /** Some thread has released something. */
  get releases(): boolean {
    return this.#releases;
  }

  /** The block's accesses are what compiled code tells from now on. */
  beginBlock(number: number): void {
    const { address } = this.block(number);
    this.#store.set(LEDGER.block, address);
  }

  /** All earlier launches have ended before it. */
  get isAlone(): boolean {
    return this.floor >= this.start;
  }

  /** The latest event. */
  get now(): number {
    return this.#events.last;
  }

  block(number: number): BlockClock {
    if (this.#last?.number === number) return this.#last;
    let block = this.#blocks.get(number);
    if (!block) {
      block = this.#ended.pop();
      if (block) block.reuse(number, this.#events.last);
      else block = new BlockClock(number, this.warpsPerBlock, this.#newTables());
      // Others reach its shared memory.
      if (this.launch.cluster) block.isSimple = false;
      this.#blocks.set(number, block);
    }
    this.#last = block;
    return block;
  }

  /** Whose shared memory an address leads a block to, and where in it. */
  sharedAt(block: BlockClock, address: number): { readonly shared: ShadowPage; readonly offset: number } {
    const offset = address - SHARED_BASE;
    if (offset < CLUSTER_WINDOW_BYTES) return { shared: block.shared, offset };
    const member = this.clusterAt(block.number)[Math.floor(offset / CLUSTER_WINDOW_BYTES) - 1];
    const { shared } = member === undefined ? block : this.block(member);
    return { shared, offset: offset % CLUSTER_WINDOW_BYTES };
  }

  #newTables(): BlockTables {
    const [record, shared] = [ledgerBlockWords(this.warpsPerBlock), 3 * ((this.#sharedBytes + 3) >>> 2)];
    if (this.#hasTables)
      return { record: { words: new Int32Array(record), address: 0 }, shared: { words: new Int32Array(shared), address: 0 } };
    this.#hasTables = true;
    return { record: this.#store.reuse('block', record), shared: this.#store.reuse('shared', shared) };
  }

  endBlock(number: number): void {
    const block = this.#blocks.get(number);
    if (!block) return;
    for (const { number: warp, releases } of block.warps) if (releases.length > 0) this.#left.set(warp, releases);
    this.#blocks.delete(number);
    this.#ended.push(block);
    this.#last = undefined;
  }

  /** Nobody but shadow memory knows events of the launch: all blocks that have begun have ended, and barriers of blocks alone have ordered. */
  get isBetweenBlocks(): boolean {
    return this.#blocks.size === 0 && this.isAlone && this.floor <= this.start && this.met === 0 && !this.releases;
  }

  /** Events behind the launch's start get other numbers. */
  forgetEvents(): void {
    for (const block of this.#ended) block.forgetEvents();
  }

  /** The event of a warp at a site now: the last one there, unless others may have come to know of it since. */
  eventOf(warp: WarpClock, site: Site): number {
    const known = warp.eventAt(site);
    if (known > warp.tick && known > this.floor && known > this.met) return known;
    const id = this.#events.add(warp.number, site.index);
    warp.keepEvent(site, id);
    return id;
  }

  /** The last release of a thread before an event of its, and before that the last for other blocks, or of its own, if that one is not. */
  releasesBefore(warp: number, lane: number, event: number): readonly KnownNode[] {
    const all = this.#blocks.get(Math.floor(warp / this.warpsPerBlock))?.warps[warp % this.warpsPerBlock].releases ?? this.#left.get(warp);
    const last = all?.findLast(({ lanes, at }) => (lanes >>> lane) & 1 && at < event);
    if (!all || !last) return [];
    if (isWide(last.scope) && !last.merged) return [last];
    const other = all.findLast(
      (node) => (node.lanes >>> lane) & 1 && node.at < event && node !== last && (last.merged ? !node.merged : isWide(node.scope)),
    );
    return other ? [other, last] : [last];
  }

  /** Threads of lanes release what they know. */
  release(warp: WarpClock, mask: number, scope: MemoryScope): void {
    const { releases } = warp;
    this.#releases = true;
    this.tellAll();
    const common = this.#knowledge(warp, scope);
    if (warp.hasLaneLinks) {
      for (let lane = 0; lane < 32; lane++)
        if ((mask >>> lane) & 1) releases.push({ ...common, lanes: 1 << lane, links: warp.linksOf(lane) });
    } else releases.push({ ...common, lanes: mask, links: warp.linksOf(0) });
    const most = warp.hasLaneLinks ? 32 * KEPT_RELEASES : KEPT_RELEASES;
    if (releases.length > most) releases.splice(0, releases.length - most);
    warp.tick = this.#events.last;
  }

  /** What a thread knows when it launches a grid. */
  knowledgeOf(warp: WarpClock, lane: number): KnownNode {
    warp.tick = this.#events.last;
    return { ...this.#knowledge(warp, 'device'), lanes: 1 << lane, links: warp.linksOf(lane) };
  }

  #knowledge(warp: WarpClock, scope: MemoryScope): Omit<KnownNode, 'lanes' | 'links'> {
    const { block } = warp;
    return {
      warp: warp.number,
      block: block.number,
      floor: Math.max(this.floor, this.met),
      at: this.#events.last,
      own: this.#events.last,
      ofWarp: warp.all,
      ofBlock: block.all,
      ofLanes: warp.lanes?.slice(),
      ofWarps: block.between?.slice(warp.index * this.warpsPerBlock, (warp.index + 1) * this.warpsPerBlock),
      scope,
    };
  }

  /** Lanes of a warp have met. */
  meetLanes(warp: WarpClock, mask: number, alive: number): void {
    const now = this.#events.last;
    warp.tick = now;
    this.#shareLinks(warp, mask, alive);
    if ((alive & ~mask) === 0) {
      warp.all = now;
      if (this.releases) this.#shareReleases([warp]);
      return;
    }
    warp.block.isSimple = false;
    warp.lanes ??= new Int32Array(1024);
    const known = new Int32Array(32);
    for (let lane = 0; lane < 32; lane++) {
      if (((mask >>> lane) & 1) === 0) continue;
      for (let other = 0; other < 32; other++) known[other] = Math.max(known[other], warp.lanes[lane * 32 + other]);
    }
    for (let other = 0; other < 32; other++) if ((mask >>> other) & 1) known[other] = now;
    for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) warp.lanes.set(known, lane * 32);
  }

  #shareLinks(warp: WarpClock, mask: number, alive: number): void {
    if (!warp.hasLaneLinks) return;
    let links = warp.links;
    for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) links = joined(links, warp.laneLinks[lane]);
    links = acquired(links, 'system');
    if ((alive & ~mask) === 0) {
      warp.links = links;
      warp.laneLinks.fill(NO_LINKS);
      warp.hasLaneLinks = false;
      return;
    }
    for (let lane = 0; lane < 32; lane++) if ((mask >>> lane) & 1) warp.laneLinks[lane] = links;
  }

  /** Threads of a block have met: all that have not exited, or those of some warps. */
  meetBlock(block: BlockClock, arrivals: readonly Arrival[], wholeBlock: boolean): void {
    const now = this.#events.last;
    for (const { warp } of arrivals) block.warps[warp].tick = now;
    if (!wholeBlock) {
      this.#meetWarps(block, arrivals, now);
      return;
    }
    block.all = now;
    if (this.releases) this.#shareReleases(block.warps);
    for (const warp of block.warps) {
      if (!warp.hasLaneLinks && warp.links.length === 0) continue;
      this.#shareLinks(warp, -1, -1);
      block.links = joined(block.links, acquired(warp.links, 'system'));
      warp.links = NO_LINKS;
    }
  }

  /**
   * A fence before a barrier makes visible what its thread has written; a thread that publishes behind the barrier does it for all that
   * have met there, without a fence of its own.
   */
  #shareReleases(warps: readonly WarpClock[]): void {
    const isNew = ({ merged, scope }: KnownNode): boolean => !merged && (scope === 'device' || scope === 'system');
    if (!warps.some(({ releases }) => releases.length > 0 && isNew(releases[releases.length - 1]))) return;
    const all = new Map<KnownNode, Link>();
    for (const { releases, block } of warps) {
      for (const node of releases) {
        if (node.merged) for (const link of node.links) if (!(link.source instanceof SyncVariable)) all.set(link.source.node, link);
        if (isNew(node)) all.set(node, linkTo(node, block.number));
      }
    }
    const links = [...all.values()].filter((link) => !isOutdated(link, all));
    const common = { lanes: -1, at: this.#events.last, own: 0, floor: 0, ofWarp: 0, ofBlock: 0, ofLanes: undefined, ofWarps: undefined };
    for (const { number, block, releases } of warps) {
      releases.push({ ...common, warp: number, block: block.number, links, scope: 'device', merged: true });
      if (releases.length > 2 * KEPT_RELEASES) releases.splice(0, releases.length - KEPT_RELEASES);
    }
  }

  #meetWarps(block: BlockClock, arrivals: readonly Arrival[], now: number): void {
    const n = this.warpsPerBlock;
    block.isSimple = false;
    block.between ??= new Int32Array(n * n);
    const known = new Int32Array(n);
    let links = NO_LINKS;
    for (const { warp, passing } of arrivals) {
      for (let other = 0; other < n; other++) known[other] = Math.max(known[other], block.between[warp * n + other]);
      links = joined(links, block.warps[warp].linksOf(0));
      known[warp] = passing ? block.warps[warp].passed : now;
    }
    links = acquired(links, 'system');
    for (const { warp, passing } of arrivals) {
      if (passing) continue;
      block.between.set(known, warp * n);
      block.warps[warp].links = links;
      // Lanes of a warp that waits have met as well.
      block.warps[warp].all = now;
    }
  }

  /** All threads of a cluster that have not exited have met. */
  meetCluster(arrivals: readonly Arrival[]): void {
    const [first] = arrivals;
    if (!first) return;
    const now = this.#events.last;
    for (const member of this.clusterAt(first.block)) {
      const block = this.block(member);
      block.all = now;
      block.ofCluster = now;
      block.isSimple = false;
      for (const warp of block.warps) warp.tick = now;
    }
  }

  /** The blocks of the cluster that one belongs to. */
  clusterAt(block: number): readonly number[] {
    if (!this.launch.cluster) return [block];
    this.#clusters ??= new Map(clustersOf(this.launch).flatMap((members) => members.map((member) => [member, members] as const)));
    return this.#clusters.get(block)!;
  }

  /** All blocks have met. */
  meetGrid(): void {
    if (this.isAlone) this.#floor = this.#events.last;
    else this.met = this.#events.last;
    this.#store.set(LEDGER.floor, this.#floor);
  }

  /** Whether a cell's access comes before what a lane does now. Slow: for those that `isOrdered` in race-detector.ts does not know. */
  linksKnow(warp: WarpClock, lane: number, cell: number, how: { readonly pendingToo: boolean; readonly anyScope: boolean }): boolean {
    const links = warp.linksOf(lane);
    if (links.length === 0) return false;
    const event = cell >>> 5;
    const other = this.#events.warps[event];
    if (other < 0) return false;
    const query = {
      event,
      warp: other,
      lane: cell & 31,
      block: Math.floor(other / this.warpsPerBlock),
      thread: other * 32 + (cell & 31),
      asked: new Map(),
      size: this.knowledgeSize,
      ...how,
    };
    return links.some((link) => linkKnows(link, query));
  }
}
