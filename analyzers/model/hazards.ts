/**
 * Shared memory that one thread writes and another reads without a barrier between: found by evaluating both addresses for every thread of
 * a block. Accesses under conditions on data, or at addresses that are not known, are left out.
 */
import { LANES, laneOf } from './evaluate.ts';
import type { LoopShape } from './form.ts';
import { activeLanes, type Context, dataVaries, sampleOf } from './splits.ts';
import { sizeOf } from './types.ts';
import type { MemoryObject, RawAccess, RawAtomic, RawBarrier, RawFacts, RawLoop, RawShuffle } from './values.ts';

export interface Hazard {
  readonly write: RawAccess | RawAtomic;
  readonly read: RawAccess;
  /** Threads of different warps meet, or lanes of one warp only. */
  readonly scope: 'block' | 'warp';
  /** The read is in the next iteration of a loop around both. */
  readonly nextIteration: boolean;
}

const MAX_PAIRS = 300;

export function hazardsOf(c: Context, facts: RawFacts): Hazard[] {
  const out: Hazard[] = [];
  const table = new Addresses(c);
  let pairs = 0;
  const writes: (RawAccess | RawAtomic)[] = [
    ...facts.accesses.filter((a) => a.kind === 'store' && isShared(a.object)),
    ...facts.atomics.filter((a) => isShared(a.object)),
  ];
  const reads = facts.accesses.filter((a) => a.kind === 'load' && isShared(a.object));
  for (const read of reads) {
    for (const write of writes) {
      if (write.object.id !== read.object.id || write.place === read.place || !decidable(c, read) || !decidable(c, write)) continue;
      for (const nextIteration of [false, true]) {
        if (pairs > MAX_PAIRS) return out;
        const loop = nextIteration ? commonLoop(write, read) : undefined;
        if (nextIteration ? !loop || read.order > write.order : read.order < write.order) continue;
        if (isOrdered(facts.barriers, write, read, loop)) continue;
        pairs++;
        const scope = table.conflict(write, read, loop?.shape);
        if (!scope || (scope === 'warp' && warpOrdered(facts, write, read, loop))) continue;
        out.push({ write, read, scope, nextIteration });
      }
    }
  }
  return out;
}

function isShared(object: MemoryObject): boolean {
  return object.space === 'shared';
}

function decidable(c: Context, a: RawAccess | RawAtomic): boolean {
  if (a.offset.unknown || (a.offset.data && (dataVaries(a.offset, sampleOf(c, 0, 0)) || !a.offset.lane))) return false;
  return a.path.every(({ branch }) => {
    const { form } = branch.condition;
    return !form.unknown && !form.data && branch.kind !== 'switch';
  });
}

function commonLoop(a: RawAccess | RawAtomic, b: RawAccess): RawLoop | undefined {
  return a.loops.findLast((l) => b.loops.includes(l));
}

/** A block barrier on the way: after the write and before the read, or round the loop. */
function isOrdered(barriers: readonly RawBarrier[], write: RawAccess | RawAtomic, read: RawAccess, loop: RawLoop | undefined): boolean {
  return barriers.some((b) => {
    if (b.scope === 'warp' || b.scope === 'group') return false;
    return loop ? b.loops.includes(loop) && (b.order > write.order || b.order < read.order) : b.order > write.order && b.order < read.order;
  });
}

/** Within a warp `__syncwarp` orders, and so do the shuffles and votes that wait for all their lanes. */
function warpOrdered(facts: RawFacts, write: RawAccess | RawAtomic, read: RawAccess, loop: RawLoop | undefined): boolean {
  const between = (x: RawBarrier | RawShuffle) =>
    loop ? x.loops.includes(loop) && (x.order > write.order || x.order < read.order) : x.order > write.order && x.order < read.order;
  return facts.barriers.some(between) || facts.shuffles.some((s) => (s.name.endsWith('_sync') || s.name.startsWith('tile.')) && between(s));
}

class Addresses {
  private readonly c: Context;
  private readonly known = new Map<string, Map<number, Set<number>> | undefined>();
  private readonly ids = new Map<object, number>();

  constructor(c: Context) {
    this.c = c;
  }

  conflict(write: RawAccess | RawAtomic, read: RawAccess, loop: LoopShape | undefined): Hazard['scope'] | undefined {
    let found: Hazard['scope'] | undefined;
    const symbolic = write.offset.symbolic || read.offset.symbolic;
    for (const seed of symbolic ? [0, 1] : [0]) {
      const scope = this.inSample(write, read, seed, loop);
      if (!scope) return undefined;
      found = found === 'warp' ? 'warp' : scope;
    }
    return found;
  }

  private inSample(write: RawAccess | RawAtomic, read: RawAccess, seed: number, loop: LoopShape | undefined): Hazard['scope'] | undefined {
    if (sizeOf(write.type) !== sizeOf(read.type)) return undefined;
    const writers = this.threads(write, seed, loop ? 0 : undefined, loop);
    const readers = this.threads(read, seed, loop ? 1 : undefined, loop);
    if (!writers || !readers) return undefined;
    let scope: Hazard['scope'] | undefined;
    for (const [address, threads] of readers) {
      const from = writers.get(address);
      if (!from) continue;
      for (const thread of threads) {
        if (from.has(thread)) continue;
        for (const writer of from) {
          if (Math.floor(writer / LANES) !== Math.floor(thread / LANES)) return 'block';
          scope = 'warp';
        }
      }
    }
    return scope;
  }

  /** Which threads of the block touch each address. */
  private threads(
    a: RawAccess | RawAtomic,
    seed: number,
    iteration: number | undefined,
    loop: LoopShape | undefined,
  ): Map<number, Set<number>> | undefined {
    const id = this.ids.get(a) ?? this.ids.size;
    this.ids.set(a, id);
    const key = `${id}:${seed}:${iteration}:${loop?.id}`;
    if (this.known.has(key)) return this.known.get(key);
    const out = this.compute(a, seed, iteration, loop);
    this.known.set(key, out);
    return out;
  }

  private compute(
    a: RawAccess | RawAtomic,
    seed: number,
    iteration: number | undefined,
    loop: LoopShape | undefined,
  ): Map<number, Set<number>> | undefined {
    const out = new Map<number, Set<number>>();
    for (let warp = 0; warp < this.c.warps; warp++) {
      const sample = sampleOf(this.c, warp, seed, loop && iteration ? new Map([[loop, iteration]]) : undefined);
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
