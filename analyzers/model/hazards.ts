/**
 * Shared memory that one thread writes and another reads, before or after, without a barrier between: found by evaluating both addresses
 * for every thread of a block. Accesses under conditions on data, or at addresses that are not known, are left out.
 */
import { LANES, laneOf } from './evaluate.ts';
import type { LoopShape } from './form.ts';
import { activeLanes, type Context, dataVaries, iterationsOf, sampleOf } from './splits.ts';
import { sizeOf } from './types.ts';
import type { MemoryObject, RawAccess, RawAtomic, RawBarrier, RawFacts, RawLoop, RawShuffle } from './values.ts';

export interface Hazard {
  readonly write: RawAccess | RawAtomic;
  readonly read: RawAccess;
  /** Threads of different warps meet, or lanes of one warp only. */
  readonly scope: 'block' | 'warp';
  /** What comes first in the order of the text, or of iterations. */
  readonly first: 'write' | 'read';
  /** The second access is in the next iteration of a loop around both. */
  readonly nextIteration: boolean;
}

const MAX_PAIRS = 300;

export function hazardsOf(c: Context, facts: RawFacts): Hazard[] {
  const out: Hazard[] = [];
  const table = new Addresses(c);
  const writes: (RawAccess | RawAtomic)[] = [
    ...facts.accesses.filter((a) => a.kind === 'store' && isShared(a.object)),
    ...facts.atomics.filter((a) => isShared(a.object)),
  ];
  const reads = facts.accesses.filter((a) => a.kind === 'load' && isShared(a.object) && decidable(c, a));
  const pairs = reads.flatMap((read) =>
    writes.filter((w) => w.object.id === read.object.id && w.place !== read.place && decidable(c, w)).map((write) => ({ read, write })),
  );
  for (const first of ['write', 'read'] as const) {
    let compared = 0;
    for (const pair of pairs) {
      for (const nextIteration of [false, true]) {
        const [before, after] = first === 'write' ? [pair.write, pair.read] : [pair.read, pair.write];
        const loop = nextIteration ? commonLoop(before, after) : undefined;
        if (nextIteration ? !loop || after.order > before.order : after.order < before.order) continue;
        if (isOrdered(facts.barriers, before, after, loop)) continue;
        if (compared++ > MAX_PAIRS) break;
        const rounds = loop ? [new Map([[loop.shape, 1]])] : roundsOf(c, facts.barriers, before, after);
        const scope = table.widest({ before, after, first }, rounds);
        // A warp that overwrites what its own lanes have read has usually read it in the same statement.
        if (!scope || (scope === 'warp' && (first === 'read' || warpOrdered(facts, before, after, loop)))) continue;
        out.push({ ...pair, scope, first, nextIteration });
      }
    }
  }
  return out;
}

function isShared(object: MemoryObject): boolean {
  return object.space === 'shared';
}

function decidable(c: Context, a: Touch): boolean {
  if (a.offset.unknown || (a.offset.data && (dataVaries(a.offset, sampleOf(c, 0, 0)) || !a.offset.lane))) return false;
  return a.path.every(({ branch }) => {
    const { form } = branch.condition;
    return !form.unknown && !form.data && branch.kind !== 'switch';
  });
}

type Touch = RawAccess | RawAtomic;

function commonLoop(a: Touch, b: Touch): RawLoop | undefined {
  return a.loops.findLast((l) => b.loops.includes(l));
}

/** A block barrier on the way: after the one and before the other, or round the loop. */
function isOrdered(barriers: readonly RawBarrier[], before: Touch, after: Touch, loop: RawLoop | undefined): boolean {
  return barriers.some((b) => {
    if (b.scope === 'warp' || b.scope === 'group') return false;
    return loop
      ? b.loops.includes(loop) && (b.order > before.order || b.order < after.order)
      : b.order > before.order && b.order < after.order;
  });
}

/** Within a warp `__syncwarp` orders, and so do the shuffles and votes that wait for all their lanes. */
function warpOrdered(facts: RawFacts, before: Touch, after: Touch, loop: RawLoop | undefined): boolean {
  const between = (x: RawBarrier | RawShuffle) =>
    loop ? x.loops.includes(loop) && (x.order > before.order || x.order < after.order) : x.order > before.order && x.order < after.order;
  return facts.barriers.some(between) || facts.shuffles.some((s) => (s.name.endsWith('_sync') || s.name.startsWith('tile.')) && between(s));
}

/** The iteration that an access is in, of loops where it is not the first. */
type Round = ReadonlyMap<LoopShape, number>;

const FIRST: Round = new Map();

/**
 * The first iteration, and the last of a loop around the second access alone: a stencil's first neighbour is often in the lane's own warp.
 * Loops with a barrier are left out, since it orders all iterations but the first.
 */
function roundsOf(c: Context, barriers: readonly RawBarrier[], before: Touch, after: Touch): readonly Round[] {
  const loop = after.loops.at(-1);
  if (!loop || before.loops.includes(loop) || barriers.some((b) => b.loops.includes(loop))) return [FIRST];
  const { condition, breaks } = loop.shape;
  if (breaks || !condition || condition.data || condition.unknown || condition.symbolic || condition.lane) return [FIRST];
  return [FIRST, ...iterationsOf(c, [after.offset], [loop], 0, 0).slice(-1)];
}

interface Pair {
  readonly before: Touch;
  readonly after: Touch;
  readonly first: Hazard['first'];
}

class Addresses {
  private readonly c: Context;
  private readonly known = new Map<string, Map<number, Set<number>> | undefined>();
  private readonly ids = new Map<object, number>();

  constructor(c: Context) {
    this.c = c;
  }

  /** Who meets if the second access is in one of these iterations. */
  widest(pair: Pair, rounds: readonly Round[]): Hazard['scope'] | undefined {
    let found: Hazard['scope'] | undefined;
    for (const round of rounds) {
      found = this.conflict(pair, round) ?? found;
      if (found === 'block') break;
    }
    return found;
  }

  private conflict(pair: Pair, round: Round): Hazard['scope'] | undefined {
    let found: Hazard['scope'] | undefined;
    const symbolic = pair.before.offset.symbolic || pair.after.offset.symbolic;
    for (const seed of symbolic ? [0, 1] : [0]) {
      const scope = this.inSample(pair, seed, round);
      if (!scope) return undefined;
      found = found === 'warp' ? 'warp' : scope;
    }
    return found;
  }

  private inSample({ before, after, first }: Pair, seed: number, round: Round): Hazard['scope'] | undefined {
    if (sizeOf(before.type) !== sizeOf(after.type)) return undefined;
    const earlier = this.threads(before, seed, FIRST);
    const later = this.threads(after, seed, round);
    if (!earlier || !later) return undefined;
    let scope: Hazard['scope'] | undefined;
    for (const [address, threads] of later) {
      const from = earlier.get(address);
      if (!from) continue;
      for (const thread of threads) {
        // What a thread wrote itself it may read; of several that write one word, who wins is another question.
        if (first === 'write' && from.has(thread)) continue;
        for (const other of from) {
          if (other === thread) continue;
          if (Math.floor(other / LANES) !== Math.floor(thread / LANES)) return 'block';
          scope = 'warp';
        }
      }
    }
    return scope;
  }

  /** Which threads of the block touch each address. */
  private threads(a: Touch, seed: number, round: Round): Map<number, Set<number>> | undefined {
    const id = this.ids.get(a) ?? this.ids.size;
    this.ids.set(a, id);
    const key = `${id}:${seed}:${[...round].map(([loop, k]) => `${loop.id}=${k}`)}`;
    if (this.known.has(key)) return this.known.get(key);
    const out = this.compute(a, seed, round);
    this.known.set(key, out);
    return out;
  }

  private compute(a: Touch, seed: number, round: Round): Map<number, Set<number>> | undefined {
    const out = new Map<number, Set<number>>();
    for (let warp = 0; warp < this.c.warps; warp++) {
      const sample = sampleOf(this.c, warp, seed, round);
      const active = activeLanes(this.c, sample, a.path, warp, 'strict');
      if (active === undefined) continue;
      const offsets = sample.value(a.offset);
      for (let lane = 0; lane < LANES; lane++) {
        if (((active >>> lane) & 1) === 0) continue;
        const at = laneOf(offsets, lane);
        if (Number.isNaN(at)) return undefined;
        const set = out.get(at);
        if (set) set.add(warp * LANES + lane);
        else out.set(at, new Set([warp * LANES + lane]));
      }
    }
    return out;
  }
}
