/**
 * What has been published at a word, one publication after the other, as the latest event of each thread, warp and block that is known: so
 * a question about an event takes a few comparisons, however many threads have published for each other.
 */
import { EACH_LANE, type Entry, type KnownNode, type Link, type Query, type Release, reaches, SyncVariable } from './knowledge.ts';

/** Whom a number stands for: a thread (warp * 32 + lane), a warp, a block, or everybody. */
const KINDS = { thread: 0, warp: 1, block: 2, all: 3 } as const;
const keyOf = (kind: keyof typeof KINDS, number: number): number => 4 * number + KINDS[kind];

interface Change {
  readonly order: number;
  readonly key: number;
  readonly event: number;
}

/** By key the latest event that is known, at each publication. */
class Versions {
  /** In the order of publications. */
  readonly changes: Change[] = [];
  readonly #byKey = new Map<number, Change[]>();

  raise(key: number, event: number, order: number): void {
    if (event <= 0) return;
    let changes = this.#byKey.get(key);
    if (!changes) {
      changes = [];
      this.#byKey.set(key, changes);
    }
    const last = changes.at(-1);
    if (last && last.event >= event) return;
    const change = { order, key, event };
    changes.push(change);
    this.changes.push(change);
  }

  /** The latest event that was known at a publication. */
  at(key: number, until: number): number {
    const changes = this.#byKey.get(key);
    return changes?.[behind(changes, until) - 1]?.event ?? 0;
  }
}

/** How many changes there are up to a publication. */
function behind(changes: readonly Change[], until: number): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (changes[middle].order <= until) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether links count that no acquire fence has made good: of those that others have followed. */
class Knowledge {
  readonly versions = new Versions();
  readonly #pendingToo: boolean;
  readonly #links = new Set<readonly Link[]>();
  /** How many changes of another word's are in it, and releases that are. */
  readonly #joined = new Map<Knowledge | Release, number>();

  constructor(pendingToo: boolean) {
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
    const { changes } = other.versions;
    const end = behind(changes, until);
    for (let k = this.#joined.get(other) ?? 0; k < end; k++) this.versions.raise(changes[k].key, changes[k].event, order);
    this.#joined.set(other, Math.max(end, this.#joined.get(other) ?? 0));
  }
}

export class PublishedKnowledge {
  readonly #strict = new Knowledge(false);
  readonly #loose = new Knowledge(true);

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
