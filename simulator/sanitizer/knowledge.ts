/**
 * Who knows what by releases and acquires: a thread that releases leaves a node, what it knows at that moment; a thread that acquires
 * gets links to nodes. Barriers are not here: they make all of a group know all of it, which clocks.ts keeps as numbers.
 */
import type { MemoryScope } from '../ir/types.ts';

/** What a thread knew when it released: its own events, and those that barriers and earlier acquires had told it of. */
export interface KnownNode {
  readonly warp: number;
  /** Threads of the warp that have released so. */
  readonly lanes: number;
  /** The last event before. */
  readonly at: number;
  readonly block: number;
  /** Everybody's events up to here. */
  readonly floor: number;
  /** Events of its own, of its warp and of its block. */
  readonly own: number;
  readonly ofWarp: number;
  readonly ofBlock: number;
  /** Of other lanes of the warp, by lane * 32 + lane, where they have met in parts. */
  readonly ofLanes: Int32Array | undefined;
  /** Of other warps of the block, where some of them have met. */
  readonly ofWarps: Int32Array | undefined;
  readonly links: readonly Link[];
  /** It stands for releases of others with whom its threads have met; they are its links. */
  readonly merged?: true;
  readonly scope: MemoryScope;
}

export const EACH_LANE = -1;

/** A node that has been published at an address by a read-modify-write. */
interface Entry {
  readonly node: KnownNode;
  readonly lane: number;
  readonly order: number;
  readonly scope: MemoryScope;
}

/** A thread has read what another published. */
export interface Link {
  readonly source: Release | SyncVariable;
  /** Of a variable: which of its entries, by their order. */
  readonly until: number;
  /** In which block the reader is, and among whom its reading orders. */
  readonly block: number;
  readonly scope: MemoryScope;
  /** No acquire fence has followed yet. */
  readonly pending: boolean;
}

/** `lane`: EACH_LANE for all of the node's. */
export interface Release {
  readonly node: KnownNode;
  readonly lane: number;
  readonly scope: MemoryScope;
}

const RELEASES = new WeakMap<KnownNode, Release[]>();

/** One object for each: what has been linked, or asked, is seen by that. */
export function releaseOf(node: KnownNode, lane: number, scope: MemoryScope): Release {
  const known = RELEASES.get(node) ?? [];
  if (known.length === 0) RELEASES.set(node, known);
  let release = known.find((each) => each.lane === lane && each.scope === scope);
  if (!release) {
    release = { node, lane, scope };
    known.push(release);
  }
  return release;
}

/** A word that threads read and modify: each sees all that those before it have published there. */
export class SyncVariable {
  readonly #byThread = new Map<number, Entry[]>();
  /** `most`: nobody of the block's publishers knew later events of others. */
  readonly #byBlock = new Map<number, { readonly entries: Entry[]; most: number }>();
  /** Entries whose threads had acquired something that those before had not. */
  readonly #linked: { readonly entry: Entry; readonly links: readonly Link[] }[] = [];
  /** By whom they reach, and source: what is in `#linked`. */
  readonly #sources = new Map<string, Map<Link['source'], Link[]>>();
  #order = 0;
  /** The cell of the last read-modify-write: another one there means that a plain write has come between. */
  cell = 0;

  get until(): number {
    return this.#order;
  }

  publish(node: KnownNode, lane: number, scope: MemoryScope): void {
    const entry = { node, lane, scope, order: ++this.#order };
    append(this.#byThread, node.warp * 32 + lane, entry);
    const ofBlock = this.#byBlock.get(node.block) ?? { entries: [], most: 0 };
    this.#byBlock.set(node.block, ofBlock);
    ofBlock.entries.push(entry);
    ofBlock.most = Math.max(ofBlock.most, latestOfOthers(node));
    const links = node.links.length === 0 ? node.links : this.#newOf(node.links, `${node.block} ${scope}`);
    if (links.length > 0) this.#linked.push({ entry, links });
  }

  /** Links that no entry before has which the same threads see. */
  #newOf(links: readonly Link[], reach: string): readonly Link[] {
    const sources = this.#sources.get(reach) ?? new Map<Link['source'], Link[]>();
    this.#sources.set(reach, sources);
    return links.filter((link) => {
      const known = sources.get(link.source);
      if (known?.some((each) => tellsMore(each, link))) return false;
      if (known) known.push(link);
      else sources.set(link.source, [link]);
      return true;
    });
  }

  knows(query: Query, link: Link): boolean {
    const visible = (entry: Entry): boolean => entry.order <= link.until && reaches(entry.scope, entry.node.block, link, query);
    const direct = lastVisible(this.#byThread.get(query.thread), visible);
    if (direct && nodeKnows(direct.node, direct.lane, query, false)) return true;
    const inBlock = this.#byBlock.get(query.block);
    if (inBlock && query.event <= inBlock.most) {
      if (inBlock.entries.some((entry) => visible(entry) && nodeKnows(entry.node, entry.lane, query, false))) return true;
    }
    return this.#linked.some(({ entry, links }) => visible(entry) && links.some((each) => linkKnows(each, query)));
  }
}

const LATEST = new WeakMap<KnownNode, number>();

/** The latest event of other threads that barriers had told of. */
function latestOfOthers(node: KnownNode): number {
  let latest = LATEST.get(node);
  if (latest === undefined) {
    latest = Math.max(node.floor, node.ofWarp, node.ofBlock);
    for (const known of [node.ofLanes, node.ofWarps]) if (known) for (const event of known) if (event > latest) latest = event;
    LATEST.set(node, latest);
  }
  return latest;
}

/** Whether an event of a thread is known. */
export interface Query {
  readonly event: number;
  readonly warp: number;
  readonly lane: number;
  readonly block: number;
  /** warp * 32 + lane. */
  readonly thread: number;
  /** Links count that no acquire fence has made good yet, or that have too small a scope. */
  readonly pendingToo: boolean;
  readonly anyScope: boolean;
  /** Variables that have been asked, and up to which entry. */
  readonly asked: Map<Release | SyncVariable, number>;
}

export function linkKnows(link: Link, query: Query): boolean {
  if (link.pending && !query.pendingToo) return false;
  if ((query.asked.get(link.source) ?? -1) >= link.until) return false;
  query.asked.set(link.source, link.until);
  // What comes further down the chain was acquired by others: that they did it properly is another question.
  if (link.source instanceof SyncVariable) return link.source.knows(query, link);
  const { node, lane, scope } = link.source;
  return reaches(scope, node.block, link, query) && nodeKnows(node, lane, query, true);
}

/** Whether a thread knew of the access of a cell when it left a node. */
export function knewOf(
  node: KnownNode,
  lane: number,
  { cell, warp, warpsPerBlock }: { readonly cell: number; readonly warp: number; readonly warpsPerBlock: number },
): boolean {
  const of = { event: cell >>> 5, warp, lane: cell & 31, block: Math.floor(warp / warpsPerBlock), thread: warp * 32 + (cell & 31) };
  return nodeKnows(node, lane, { ...of, pendingToo: false, anyScope: false, asked: new Map() }, true);
}

function nodeKnows(node: KnownNode, lane: number, { event, ...query }: Query, linksToo: boolean): boolean {
  if (event <= node.floor) return true;
  if (query.warp === node.warp) {
    if (lane === EACH_LANE) {
      if (((node.lanes >>> query.lane) & 1 && event <= node.own) || event <= node.ofWarp || event <= node.ofBlock) return true;
    } else if (query.lane === lane ? event <= node.own : event <= node.ofWarp || event <= node.ofBlock) return true;
    if (node.ofLanes && lane !== EACH_LANE && event <= node.ofLanes[lane * 32 + query.lane]) return true;
  } else if (query.block === node.block) {
    if (event <= node.ofBlock) return true;
    if (node.ofWarps && event <= node.ofWarps[query.warp % node.ofWarps.length]) return true;
  }
  return linksToo && node.links.some((link) => linkKnows(link, { event, ...query }));
}

/** Whether the scopes of both sides of a publication take in the other thread. */
function reaches(scope: MemoryScope, block: number, reader: Link, { anyScope }: Query): boolean {
  return anyScope || (block === reader.block ? scope !== 'thread' : isWide(scope) && isWide(reader.scope));
}

/** A cluster is one block: the simulator launches no larger ones. */
function isWide(scope: MemoryScope): boolean {
  return scope === 'device' || scope === 'system';
}

const WIDTHS: Readonly<Record<MemoryScope, number>> = { thread: 0, block: 1, cluster: 1, device: 2, system: 3 };

export function narrower(a: MemoryScope, b: MemoryScope): MemoryScope {
  return WIDTHS[a] < WIDTHS[b] ? a : b;
}

/** Who has the first need not be told of the second, of the same source. */
function tellsMore(a: Link, b: Link): boolean {
  return a.until >= b.until && a.pending === b.pending && a.scope === b.scope && a.block === b.block;
}

/** Adds a link, in place of an older one of the same source, or of the same thread: it knew no more then. */
export function withLink(links: readonly Link[], link: Link): readonly Link[] {
  const old = links.find((each) => each.pending === link.pending && (each.source === link.source || areOfOneThread(each, link)));
  if (!old) return [...links, link];
  const isNewer = old.source === link.source ? link.until > old.until : (link.source as Release).node.at > (old.source as Release).node.at;
  return isNewer ? links.map((each) => (each === old ? link : each)) : links;
}

/** Both are releases of one thread that reach the same threads. */
function areOfOneThread(a: Link, b: Link): boolean {
  if (a.source instanceof SyncVariable || b.source instanceof SyncVariable) return false;
  const [{ node, lane, scope }, other] = [a.source, b.source];
  if (node.warp !== other.node.warp || lane !== other.lane || scope !== other.scope || a.scope !== b.scope || a.block !== b.block)
    return false;
  return !node.merged && !other.node.merged && (lane !== EACH_LANE || node.lanes === other.node.lanes);
}

export function joined(a: readonly Link[], b: readonly Link[]): readonly Link[] {
  if (a.length === 0 || a === b) return b;
  return b.reduce<readonly Link[]>(withLink, a);
}

/** Links that a fence has made good. */
export function acquired(links: readonly Link[], scope: MemoryScope): readonly Link[] {
  if (!links.some(({ pending }) => pending)) return links;
  return links.reduce<readonly Link[]>(
    (all, link) => withLink(all, link.pending ? { ...link, pending: false, scope: narrower(link.scope, scope) } : link),
    [],
  );
}

function append<K>(map: Map<K, Entry[]>, key: K, entry: Entry): void {
  const entries = map.get(key);
  if (entries) entries.push(entry);
  else map.set(key, [entry]);
}

function lastVisible(entries: readonly Entry[] | undefined, visible: (entry: Entry) => boolean): Entry | undefined {
  return entries?.findLast(visible);
}
