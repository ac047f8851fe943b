/**
 * Who knows what by releases and acquires: a thread that releases leaves a node, what it knows at that moment; a thread that acquires
 * gets links to nodes. Barriers are not here: they make all of a group know all of it, which clocks.ts keeps as numbers.
 */
import type { MemoryScope } from '../ir/types.ts';
import { type KnowledgeSize, PublishedKnowledge } from './published-knowledge.ts';

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
export interface Entry {
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
  readonly #entries: Entry[] = [];
  /** What those have published whose scope takes in other blocks. */
  readonly #wide: PublishedKnowledge;
  /** By block: what those of it have published, and how many of them for it alone. */
  readonly #byBlock = new Map<number, { readonly entries: Entry[]; narrow: number; added: number; readonly known: PublishedKnowledge }>();
  /** The cell of the last read-modify-write: another one there means that a plain write has come between. */
  cell = 0;
  readonly #size: KnowledgeSize;

  constructor(size: KnowledgeSize) {
    this.#size = size;
    this.#wide = new PublishedKnowledge(size);
  }

  get until(): number {
    return this.#entries.length;
  }

  publish(node: KnownNode, lane: number, scope: MemoryScope): void {
    const entry = { node, lane, scope, order: this.#entries.length + 1 };
    this.#entries.push(entry);
    if (isWide(scope)) this.#wide.add(entry);
    if (scope === 'thread') return;
    let ofBlock = this.#byBlock.get(node.block);
    if (!ofBlock) {
      ofBlock = { entries: [], narrow: 0, added: 0, known: new PublishedKnowledge(this.#size) };
      this.#byBlock.set(node.block, ofBlock);
    }
    ofBlock.entries.push(entry);
    if (!isWide(scope)) ofBlock.narrow++;
  }

  /** What somebody who has read the word can know. */
  knownTo({ block, scope, until }: Link): readonly PublishedKnowledge[] {
    const ofBlock = this.#byBlock.get(block);
    const wide = isWide(scope);
    if (!ofBlock || (wide && ofBlock.narrow === 0)) return wide ? [this.#wide] : [];
    // No further than it is asked about: what an entry has acquired may lead back here, to those before it.
    const { entries } = ofBlock;
    for (; ofBlock.added < entries.length && entries[ofBlock.added].order <= until; ofBlock.added++)
      ofBlock.known.add(entries[ofBlock.added]);
    return wide ? [this.#wide, ofBlock.known] : [ofBlock.known];
  }

  knows(query: Query, link: Link): boolean {
    if (query.anyScope) return this.#entries.some(({ order, node, lane }) => order <= link.until && nodeKnows(node, lane, query, true));
    return this.knownTo(link).some((known) => known.at(link.until, query));
  }
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
  readonly size: KnowledgeSize;
}

export function linkKnows(link: Link, query: Query): boolean {
  if (link.pending && !query.pendingToo) return false;
  if ((query.asked.get(link.source) ?? -1) >= link.until) return false;
  // Who has read it for a block alone may have read it for all, too.
  if (isWide(link.scope)) query.asked.set(link.source, link.until);
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
  return nodeKnows(node, lane, { ...of, pendingToo: false, anyScope: false, asked: new Map(), size: { changes: 0 } }, true);
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
  if (!linksToo || node.links.length === 0) return false;
  if (query.anyScope) return node.links.some((link) => linkKnows(link, { event, ...query }));
  return knowledgeOf(node.links, query.size).at(0, { event, ...query });
}

const OF_LINKS = new WeakMap<readonly Link[], PublishedKnowledge>();

/** What all know who have these links. */
function knowledgeOf(links: readonly Link[], size: KnowledgeSize): PublishedKnowledge {
  let known = OF_LINKS.get(links);
  if (!known) {
    known = new PublishedKnowledge(size);
    known.addLinks(links);
    OF_LINKS.set(links, known);
  }
  return known;
}

/** Whether the scopes of both sides of a publication take in the other thread. */
export function reaches(scope: MemoryScope, block: number, reader: Link, { anyScope }: Pick<Query, 'anyScope'>): boolean {
  return anyScope || (block === reader.block ? scope !== 'thread' : isWide(scope) && isWide(reader.scope));
}

/** Releases to a cluster are taken to reach the block alone. */
export function isWide(scope: MemoryScope): boolean {
  return scope === 'device' || scope === 'system';
}

const WIDTHS: Readonly<Record<MemoryScope, number>> = { thread: 0, block: 1, cluster: 1, device: 2, system: 3 };

export function narrower(a: MemoryScope, b: MemoryScope): MemoryScope {
  return WIDTHS[a] < WIDTHS[b] ? a : b;
}

/** Pairs of links from which on they are told apart by keys. */
const MANY = 256;

/** Adds a link, in place of an older one of the same source, or of the same thread: it knew no more then. */
export function withLink(links: readonly Link[], link: Link): readonly Link[] {
  const isAlike = (each: Link): boolean => each.pending === link.pending && each.scope === link.scope;
  const old = links.find((each) => isAlike(each) && (each.source === link.source || areOfOneThread(each, link)));
  if (!old) return [...links, link];
  return isNewer(link, old) ? links.map((each) => (each === old ? link : each)) : links;
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
  if (a.length * b.length < MANY) return b.reduce<readonly Link[]>(withLink, a);
  const numbers = new Map<object, number>();
  const keyOf = ({ source, pending, scope, block }: Link): string => {
    const isThreads = !(source instanceof SyncVariable) && !source.node.merged;
    if (isThreads)
      return [pending, scope, block, source.node.warp, source.lane, source.lane === EACH_LANE && source.node.lanes, source.scope].join();
    const number = numbers.get(source) ?? numbers.size;
    numbers.set(source, number);
    return [pending, scope, number].join();
  };
  const all = new Map(a.map((link) => [keyOf(link), link]));
  let isNew = false;
  for (const link of b) {
    const key = keyOf(link);
    const old = all.get(key);
    if (old && !isNewer(link, old)) continue;
    all.set(key, link);
    isNew = true;
  }
  return isNew ? [...all.values()] : a;
}

/** Of one source, or of one thread. */
function isNewer(link: Link, old: Link): boolean {
  return old.source === link.source ? link.until > old.until : (link.source as Release).node.at > (old.source as Release).node.at;
}

/** Links that a fence has made good; one for a block alone leaves the rest to later ones. */
export function acquired(links: readonly Link[], scope: MemoryScope): readonly Link[] {
  if (!links.some(({ pending }) => pending)) return links;
  return links.reduce<readonly Link[]>((all, link) => {
    if (!link.pending) return withLink(all, link);
    const good = withLink(all, { ...link, pending: false, scope: narrower(link.scope, scope) });
    return isWide(link.scope) && !isWide(scope) ? withLink(good, link) : good;
  }, []);
}

/** What all lanes of a node have released, as threads of a block get it. */
export function linkTo(node: KnownNode, block: number): Link {
  return { source: releaseOf(node, EACH_LANE, node.scope), until: 0, block, scope: 'system', pending: false };
}

/** All lanes have released again since. */
export function isOutdated({ source }: Link, all: ReadonlyMap<KnownNode, Link>): boolean {
  if (source instanceof SyncVariable) return false;
  const { warp, at, lanes } = source.node;
  for (const other of all.keys()) if (other.warp === warp && other.at > at && (lanes & ~other.lanes) === 0) return true;
  return false;
}
