/**
 * What has been published at a word, one publication after the other, as the latest event of each thread, warp and block that is known: so
 * a question about an event takes a few comparisons, however many threads have published for each other.
 */
import { EACH_LANE, type Entry, type KnownNode, type Link, type Query, type Release, reaches, SyncVariable } from './knowledge.ts';

/** Whom a number stands for: a thread (warp * 32 + lane), a warp, a block, or everybody. */
const KINDS = { thread: 0, warp: 1, block: 2, all: 3 } as const;
const keyOf = (kind: keyof typeof KINDS, number: number): number => 4 * number + KINDS[kind];

/** How much is remembered of who knows what in a launch, in changes. */
export interface KnowledgeSize {
  changes: number;
}

/** By key the latest event that is known, at each publication. */
class Versions {
  /** How many changes there have been, and of each, in the order of publications: when, whose and the latest event. */
  count = 0;
  #orders = new Int32Array(16);
  #keys = new Int32Array(16);
  #events = new Int32Array(16);
  /** By key its changes. */
  readonly #byKey = new Map<number, number[]>();
  readonly #size: KnowledgeSize;

  constructor(size: KnowledgeSize) {
    this.#size = size;
  }

  raise(key: number, event: number, order: number): void {
    if (event <= 0) return;
    const changes = this.#byKey.get(key);
    if (changes === undefined) this.#byKey.set(key, [this.count]);
    else if (this.#events[changes[changes.length - 1]] >= event) return;
    else changes.push(this.count);
    if (this.count === this.#orders.length) this.#grow();
    this.#orders[this.count] = order;
    this.#keys[this.count] = key;
    this.#events[this.count] = event;
    this.count++;
    this.#size.changes++;
  }

  #grow(): void {
    [this.#orders, this.#keys, this.#events] = [this.#orders, this.#keys, this.#events].map((old) => {
      const wider = new Int32Array(2 * old.length);
      wider.set(old);
      return wider;
    });
  }

  /** The latest event that was known at a publication. */
  at(key: number, until: number): number {
    const changes = this.#byKey.get(key);
    if (changes === undefined) return 0;
    const before = partition(changes.length, (k) => this.#orders[changes[k]] <= until);
    return before === 0 ? 0 : this.#events[changes[before - 1]];
  }

  /** Takes over changes from one on, up to a publication, and says where those end. */
  take(from: Versions, { begin, until, order }: { readonly begin: number; readonly until: number; readonly order: number }): number {
    const end = partition(from.count, (k) => from.#orders[k] <= until);
    for (let k = begin; k < end; k++) this.raise(from.#keys[k], from.#events[k], order);
    return Math.max(begin, end);
  }
}

/** How many of the first indices hold, where those that hold come first. */
function partition(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether links count that no acquire fence has made good: of those that others have followed. */
class Knowledge {
  readonly versions: Versions;
  readonly #pendingToo: boolean;
  readonly #links = new Set<readonly Link[]>();
  /** How many changes of another word's are in it, and releases that are. */
  readonly #joined = new Map<Knowledge | Release, number>();

  constructor(pendingToo: boolean, size: KnowledgeSize) {
    this.versions = new Versions(size);
    this.#pendingToo = pendingToo;
  }

  add({ node, lane, order }: Entry): void {
    this.#addNode(node, lane, order);
    this.addLinks(node.links, order);
  }

  addLinks(links: readonly Link[], order: number): void {
    const open = [links];
    for (let at = open.pop(); at; at = open.pop()) {
      // Threads that have met have the same.
      if (this.#links.has(at)) continue;
      this.#links.add(at);
      for (const link of at) {
        if (link.pending && !this.#pendingToo) continue;
        const { source } = link;
        if (source instanceof SyncVariable) {
          for (const known of source.knownTo(link)) this.#join(known.of(this.#pendingToo), link.until, order);
        } else if (!this.#joined.has(source) && reaches(source.scope, source.node.block, link, { anyScope: false })) {
          this.#joined.set(source, 1);
          this.#addNode(source.node, source.lane, order);
          open.push(source.node.links);
        }
      }
    }
  }

  /** As `nodeKnows` in knowledge.ts, without links. */
  #addNode({ warp, block, lanes, floor, own, ofWarp, ofBlock, ofLanes, ofWarps }: KnownNode, lane: number, order: number): void {
    const { versions } = this;
    versions.raise(keyOf('all', 0), floor, order);
    versions.raise(keyOf('block', block), ofBlock, order);
    versions.raise(keyOf('warp', warp), ofWarp, order);
    for (let other = 0; other < 32; other++) {
      const isOwn = lane === EACH_LANE ? (lanes >>> other) & 1 : other === lane;
      if (isOwn) versions.raise(keyOf('thread', warp * 32 + other), own, order);
      if (ofLanes && lane !== EACH_LANE) versions.raise(keyOf('thread', warp * 32 + other), ofLanes[lane * 32 + other], order);
    }
    ofWarps?.forEach((event, index) => {
      const other = block * ofWarps.length + index;
      if (other !== warp) versions.raise(keyOf('warp', other), event, order);
    });
  }

  #join(other: Knowledge, until: number, order: number): void {
    // What it has known itself, it knows.
    if (other === this) return;
    const begin = this.#joined.get(other) ?? 0;
    this.#joined.set(other, this.versions.take(other.versions, { begin, until, order }));
  }
}

export class PublishedKnowledge {
  readonly #strict: Knowledge;
  readonly #loose: Knowledge;

  constructor(size: KnowledgeSize) {
    this.#strict = new Knowledge(false, size);
    this.#loose = new Knowledge(true, size);
  }

  add(entry: Entry): void {
    this.#strict.add(entry);
    this.#loose.add(entry);
  }

  /** What is known before anything is published. */
  addLinks(links: readonly Link[]): void {
    this.#strict.addLinks(links, 0);
    this.#loose.addLinks(links, 0);
  }

  of(pendingToo: boolean): Knowledge {
    return pendingToo ? this.#loose : this.#strict;
  }

  /** Whether an event was known when so many had published. */
  at(until: number, { event, thread, warp, block, pendingToo }: Query): boolean {
    const { versions } = this.of(pendingToo);
    const knows = (kind: keyof typeof KINDS, number: number): boolean => event <= versions.at(keyOf(kind, number), until);
    return knows('thread', thread) || knows('warp', warp) || knows('block', block) || knows('all', 0);
  }
}
