/**
 * Shared memory that one thread writes and another reads, before or after, without a barrier between: found by evaluating both addresses
 * for every thread of a block. Left out are accesses at addresses that are not known, and those under conditions on data, but for reads
 * under conditions on what the kernel only reads: that elects no thread, so any may pass.
 */
import {
  conjuncts,
  hangsOnConstantData,
  hangsOnShape,
  isBoundsGuard,
  isOfThreadsAlone,
  loadedNames,
  restrictionsOf,
} from './conditions.ts';
import { blockSampleOf, type Context, type Iterations, iterationsAmong, iterationsOf, sampleOf } from './context.ts';
import type { Sample } from './evaluate.ts';
import { dependsOnLoop, type Form, isDecided, linearParts, same } from './form.ts';
import { hasPlaceInBlock } from './own-place.ts';
import { sideForm } from './path-forms.ts';
import { WORD_BYTES } from './patterns.ts';
import { doubles, LANES } from './rows.ts';
import { activeInBlock, dataVaries } from './splits.ts';
import { sizeOf, type Type } from './types.ts';
import type { MemoryObject, PathStep, RawAccess, RawAtomic, RawBarrier, RawFacts, RawLoop, RawShuffle } from './values.ts';

export interface Hazard {
  readonly write: RawAccess | RawAtomic;
  readonly read: RawAccess;
  /** Threads of different warps meet, or lanes of one warp only. */
  readonly scope: 'block' | 'warp';
  /** What comes first in the order of the text, or of iterations. */
  readonly first: 'write' | 'read';
  /** The second access is in the next iteration of a loop around both. */
  readonly nextIteration: boolean;
  /** The iterations of loops around that one in which they meet; the first of each unless it is given. */
  readonly around?: Iterations;
}

const MAX_PAIRS = 300;

export function hazardsOf(c: Context, facts: RawFacts): Hazard[] {
  const reads = facts.accesses.filter((a) => a.kind === 'load' && isShared(a.object) && decidable(c, a, facts));
  if (reads.length === 0) return [];
  const writes = writesByObject(c, facts);
  const out: Hazard[] = [];
  const table = new Addresses(c);
  const flags = flagsOf(facts);
  const order = new BarrierOrder(facts.barriers, flags);
  for (const first of ['write', 'read'] as const) {
    let compared = 0;
    for (const read of reads)
      for (const write of writes.get(read.object.id) ?? []) {
        if (write.place === read.place || flags.includes(read)) continue;
        for (const nextIteration of [false, true]) {
          const before: Touch = first === 'write' ? write : read;
          const after: Touch = first === 'write' ? read : write;
          if (nextIteration ? after.order > before.order : after.order < before.order) continue;
          const loop = nextIteration ? commonLoop(before, after) : undefined;
          if (nextIteration ? !loop : areExclusive(before, after)) continue;
          if (loop ? order.roundLoop(loop, before, after) : order.between(before, after)) continue;
          if (first === 'read' && !nextIteration && onlyImproves(write, facts)) continue;
          if (compared++ > MAX_PAIRS) break;
          const rounds = loop ? table.secondRound(loop) : roundsOf(c, facts.barriers, before, after);
          const found = table.widest(before, after, first, rounds);
          // In the first iteration of the outer loop the inner one may have one alone, as in a bitonic sort.
          const around = loop && found !== 'block' ? lastAround(c, loop, before, after) : undefined;
          const later = around && table.widest(before, after, first, [[...around, { loop: loop!.shape, iteration: 1 }]], around);
          const scope = later ?? found;
          // A warp that overwrites what its own lanes have read has usually read it in the same statement.
          if (!scope || (scope === 'warp' && (first === 'read' || warpOrdered(facts, before, after, loop)))) continue;
          out.push({ read, write, scope, first, nextIteration, ...(later && { around }) });
        }
      }
  }
  return out;
}

/** A plain access and an atomic whose place in the array data chooses among all of them, with no barrier between. */
export interface UnorderedCount {
  readonly access: RawAccess;
  readonly atomic: RawAtomic;
  /** What comes first in the order of the text. */
  readonly first: 'access' | 'atomic';
}

/** Counters that threads set to zero, or read at the end, while others count. */
export function unorderedCounts(c: Context, facts: RawFacts): UnorderedCount[] {
  if (c.warps === 1) return [];
  const atomics = facts.atomics.filter(
    // A compare-and-swap, or an exchange, orders by itself who goes on, and is retried.
    ({ name, object, offset }) =>
      isShared(object) && offset.data && !offset.unknown && !/CAS|Exch/.test(name) && !hasPlaceInBlock(c, offset),
  );
  if (atomics.length === 0) return [];
  const order = new BarrierOrder(facts.barriers, flagsOf(facts));
  return facts.accesses.flatMap((access) =>
    atomics.flatMap((atomic): UnorderedCount[] => {
      if (access.object.id !== atomic.object.id || access.volatile || areExclusive(access, atomic)) return [];
      const isFirst = access.order < atomic.order;
      if (isFirst !== (access.kind === 'store')) return [];
      const [before, after] = isFirst ? [access, atomic] : [atomic, access];
      if (isApartTogether(c, access, atomic) || !areOfSeveralWarps(c, access, atomic)) return [];
      return order.between(before, after) ? [] : [{ access, atomic, first: isFirst ? 'access' : 'atomic' }];
    }),
  );
}

/** In a loop, or under a condition, that threads may take differently: no barrier fits between the two. Guards of bounds are no such condition. */
function isApartTogether(c: Context, access: RawAccess, atomic: RawAtomic): boolean {
  const diverges = ({ shape: { condition, breaks } }: RawLoop) => breaks || !condition || condition.lane || condition.unknown;
  if (access.loops.some((loop) => (atomic.loops.includes(loop) ? diverges(loop) : loop.shape.breaks || loop.shape.condition?.data)))
    return true;
  return access.path.some(({ branch, side }) => {
    const { form } = branch.condition;
    if (!form.lane || (!form.data && !form.unknown) || isBoundsGuard(c.memos, form)) return false;
    return atomic.path.some((other) => other.branch === branch && other.side === side);
  });
}

/** Surely: the warps of both sides are known, and more than one, or those of one side alone are more than one. */
function areOfSeveralWarps(c: Context, a: Touch, b: Touch): boolean {
  const [one, other] = [warpsOf(c, a), warpsOf(c, b)];
  if (!one || !other) return ((one ?? other)?.size ?? 0) > 1;
  return one.size > 0 && other.size > 0 && new Set([...one, ...other]).size > 1;
}

/** The warps that get to an access; undefined where something unknown chooses among them. */
function warpsOf(c: Context, { path, loops }: Touch): ReadonlySet<number> | undefined {
  if (path.some(({ branch }) => elects(branch.condition.form) || (branch.kind === 'switch' && branch.condition.form.lane)))
    return undefined;
  const heads = loops.flatMap(({ kind, shape: { condition } }) =>
    kind !== 'do' && condition?.lane && !condition.data && !condition.unknown && !condition.symbolic ? [condition] : [],
  );
  const masks = activeInBlock(c, blockSampleOf(c, 0), [...restrictionsOf(c.memos, path), ...heads], 'strict');
  return new Set(masks.flatMap((mask, warp) => (mask === 0 ? [] : [warp])));
}

/** Compares a thread's place in its block with what nobody knows. */
function elects(form: Form): boolean {
  if (form.unknown) return true;
  if (form.f !== 'op' || !form.lane) return false;
  if (/^(!|&&|\|\|)$/.test(form.op)) return form.args.some(elects);
  // A loop over more than the block has threads begins in all of them.
  return (form.data || form.symbolic) && form.args.some((a) => a.f !== 'loop' && a.lane && !a.data && !a.block);
}

/**
 * A minimum, or a store under a condition that compares the element with what may take its place, as in Floyd and Warshall's shortest paths:
 * old and new values of the others do as well. Not an exchange, which stores the other one as well.
 */
function onlyImproves(write: Touch, { accesses }: RawFacts): boolean {
  const { object, offset, path } = write;
  const value = 'value' in write ? write.value?.form : undefined;
  if (value?.f === 'op' && /^f?(min|max)f?$/.test(value.op) && value.args.some((a) => isElement(a, object, offset))) return true;
  return path.some(({ branch, side }) => {
    if (!comparesWith(branch.condition.form, object, offset)) return false;
    const isBeside = (a: RawAccess) => a.path.some((step) => step.branch === branch && step.side === side);
    return accesses.every((a) => a === write || a.kind !== 'store' || a.object.id !== object.id || !isBeside(a));
  });
}

function comparesWith(form: Form, object: MemoryObject, offset: Form): boolean {
  if (form.f !== 'op') return false;
  if (/^(!|&&|\|\|)$/.test(form.op)) return form.args.some((a) => comparesWith(a, object, offset));
  if (!/^[<>]=?$/.test(form.op)) return false;
  return form.args.some((a) => isElement(a, object, offset));
}

function isElement(form: Form, { name }: MemoryObject, offset: Form): boolean {
  return form.f === 'any' && form.from === name && form.address !== undefined && same(form.address, offset);
}

function writesByObject(c: Context, { accesses, atomics }: RawFacts): ReadonlyMap<string, readonly Touch[]> {
  const writes = new Map<string, Touch[]>();
  const add = (w: Touch) => {
    if (!isShared(w.object) || !decidable(c, w)) return;
    const known = writes.get(w.object.id);
    if (known) known.push(w);
    else writes.set(w.object.id, [w]);
  };
  for (const a of accesses) if (a.kind === 'store') add(a);
  for (const a of atomics) add(a);
  return writes;
}

function isShared(object: MemoryObject): boolean {
  return object.space === 'shared';
}

/**
 * `facts`: where conditions on data that the kernel only reads may be in the way. Those on what stands in the array itself may anyway: whether
 * two elements are exchanged is for any thread to see, where the places hang on no parameter: a length that is made up is no power of two.
 */
function decidable(c: Context, a: Touch, facts?: RawFacts): boolean {
  if (a.offset.unknown || (a.offset.data && (dataVaries(a.offset, sampleOf(c, 0, 0)) || !a.offset.lane))) return false;
  return a.path.every(({ branch }) => {
    const { form } = branch.condition;
    if (form.unknown || branch.kind === 'switch') return false;
    return !form.data || (!a.offset.symbolic && hangsOnItself(form, a.object)) || (facts !== undefined && hangsOnConstantData(form, facts));
  });
}

/** Compares elements of the array with each other: no flag that elects a thread, which is one alone. */
function hangsOnItself(form: Form, object: MemoryObject): boolean {
  if (form.f === 'op' && /^(==|!=|!|&&|\|\|)$/.test(form.op)) return form.args.every((a) => !a.data || hangsOnItself(a, object));
  if (form.f !== 'op' || !/^[<>]=?$/.test(form.op) || !form.args.every((a) => a.data)) return false;
  const names = loadedNames(form);
  return names?.size === 1 && names.has(object.name);
}

type Touch = RawAccess | RawAtomic;

/** The last iteration that is known of the loop around one. */
function lastAround(c: Context, loop: RawLoop, before: Touch, after: Touch): Iterations | undefined {
  const outer = before.loops[before.loops.indexOf(loop) - 1];
  if (!outer || !after.loops.includes(outer) || !loop.shape.init.some((form) => form && dependsOnLoop(form, outer.shape))) return undefined;
  return iterationsAmong(c, [outer], 0, 0).at(-1);
}

/** On different sides of a branch that all threads of a block take alike. */
export function areExclusive(a: Touch, b: Touch): boolean {
  return a.path.some(
    ({ branch, side }) => !branch.condition.form.lane && b.path.some((other) => other.branch === branch && other.side !== side),
  );
}

/** Volatile reads that a loop repeats until another thread has written: what comes behind waits for that thread. */
function flagsOf({ loops }: RawFacts): readonly RawAccess[] {
  return loops.flatMap(({ kind, spins }) => (kind !== 'for' && spins?.volatile && isShared(spins.object) ? [spins] : []));
}

function commonLoop(a: Touch, b: Touch): RawLoop | undefined {
  return a.loops.findLast((l) => b.loops.includes(l));
}

/** Which accesses a barrier of the block, or of more, orders, or waiting for a flag. */
class BarrierOrder {
  /** In the order of the program. */
  private readonly orders: readonly number[];
  private readonly barriers: readonly (RawBarrier | RawAccess)[];
  private readonly loops = new Map<RawLoop, { readonly first: number; readonly last: number } | undefined>();

  constructor(barriers: readonly RawBarrier[], flags: readonly RawAccess[]) {
    this.barriers = [...barriers.filter((b) => b.scope !== 'warp' && b.scope !== 'group'), ...flags];
    this.orders = this.barriers.map((b) => b.order);
  }

  /** On the way from one to the other. */
  between(before: Touch, after: Touch): boolean {
    return this.orders.some((order) => order > before.order && order < after.order);
  }

  /** After the one or, in the next iteration, before the other. */
  roundLoop(loop: RawLoop, before: Touch, after: Touch): boolean {
    const inside = this.inLoop(loop);
    return inside !== undefined && (inside.last > before.order || inside.first < after.order);
  }

  private inLoop(loop: RawLoop): { readonly first: number; readonly last: number } | undefined {
    if (!this.loops.has(loop)) {
      const orders = this.barriers.filter((b) => b.loops.includes(loop)).map((b) => b.order);
      this.loops.set(loop, orders.length > 0 ? { first: Math.min(...orders), last: Math.max(...orders) } : undefined);
    }
    return this.loops.get(loop);
  }
}

/** Within a warp `__syncwarp` orders, and so do the shuffles and votes that wait for all their lanes. */
function warpOrdered(facts: RawFacts, before: Touch, after: Touch, loop: RawLoop | undefined): boolean {
  const between = (x: RawBarrier | RawShuffle) =>
    loop ? x.loops.includes(loop) && (x.order > before.order || x.order < after.order) : x.order > before.order && x.order < after.order;
  return facts.barriers.some(between) || facts.shuffles.some((s) => (s.name.endsWith('_sync') || s.name.startsWith('tile.')) && between(s));
}

/** Of all loops. */
export const FIRST: Iterations = [];
const FIRST_ONLY = [FIRST];

/**
 * The first iteration, and the last of a loop around the second access alone: a stencil's first neighbour is often in the lane's own warp.
 * Loops with a barrier are left out, since it orders all iterations but the first.
 */
function roundsOf(c: Context, barriers: readonly RawBarrier[], before: Touch, after: Touch): readonly Iterations[] {
  const loop = after.loops.at(-1);
  if (!loop || before.loops.includes(loop) || barriers.some((b) => b.loops.includes(loop))) return FIRST_ONLY;
  const { condition, breaks } = loop.shape;
  if (breaks || !condition || !isDecided(condition)) return FIRST_ONLY;
  return [FIRST, ...iterationsOf(c, [after.offset], [loop], 0, 0).slice(-1)];
}

/** What the threads of a block touch with one access. */
export interface Touched {
  readonly id: number;
  /** By thread; NaN where a thread does not get there. */
  readonly addresses: readonly number[];
  readonly least: number;
  readonly most: number;
  threads: ThreadsByAddress | undefined;
}

interface Look {
  readonly earlier: Iterations;
  readonly round: Iterations;
  readonly grain: number;
}

/** Of a structure and one of its fields, the structure's size: both belong to one element. Undefined for what cannot be compared. */
function grainOf(a: Type, b: Type): number | undefined {
  const [one, other] = [sizeOf(a), sizeOf(b)];
  if (one === other) return 1;
  if (one === undefined || other === undefined) return undefined;
  const [whole, part] = one > other ? [a, b] : [b, a];
  const isField = whole.t === 'struct' && whole.fields.some(({ type }) => sizeOf(type) === sizeOf(part));
  return isField ? Math.max(one, other) : undefined;
}

/** Where accesses go: each is compared with many others. */
export class Addresses {
  private readonly c: Context;
  private readonly known = new Map<string, Touched | undefined>();
  private readonly where = new Map<Touch, string>();
  private readonly numbers = new Map<Form, number>();
  private readonly seconds = new Map<RawLoop, readonly Iterations[]>();
  private readonly meetings = new Map<string, Hazard['scope'] | undefined>();

  constructor(c: Context) {
    this.c = c;
  }

  /** As the only one to look at. */
  secondRound(loop: RawLoop): readonly Iterations[] {
    const known = this.seconds.get(loop) ?? [[{ loop: loop.shape, iteration: 1 }]];
    this.seconds.set(loop, known);
    return known;
  }

  /** Who meets if the second access is in one of these iterations. */
  widest(
    before: Touch,
    after: Touch,
    first: Hazard['first'],
    rounds: readonly Iterations[],
    earlier: Iterations = FIRST,
  ): Hazard['scope'] | undefined {
    const grain = grainOf(before.type, after.type);
    if (grain === undefined) return undefined;
    let found: Hazard['scope'] | undefined;
    for (const round of rounds) {
      found = this.conflict(before, after, first, { earlier, round, grain }) ?? found;
      if (found === 'block') break;
    }
    return found;
  }

  private conflict(before: Touch, after: Touch, first: Hazard['first'], look: Look): Hazard['scope'] | undefined {
    const scope = this.inSample(before, after, first, look, 0);
    if (!scope || !(before.offset.symbolic || after.offset.symbolic)) return scope;
    // What only some values of the symbols show is not sure.
    const other = this.inSample(before, after, first, look, 1);
    return other && (scope === 'warp' ? scope : other);
  }

  private inSample(before: Touch, after: Touch, first: Hazard['first'], look: Look, seed: number): Hazard['scope'] | undefined {
    const { round, grain } = look;
    const earlier = this.touched(before, seed, look.earlier, grain);
    const later = this.touched(after, seed, round, grain);
    if (!earlier || !later) return undefined;
    const key = `${earlier.id},${later.id},${first}`;
    if (!this.meetings.has(key)) this.meetings.set(key, meeting(earlier, later, first));
    return this.meetings.get(key);
  }

  /** `grain`: bytes to whose multiples addresses are rounded down; 1 for as they are. */
  touched(a: Touch, seed: number, round: Iterations, grain = 1): Touched | undefined {
    let key = `${this.whereOf(a)}:${seed}/${grain}`;
    for (const { loop, iteration } of round) key += `:${loop.id}=${iteration}`;
    if (this.known.has(key)) return this.known.get(key);
    const out = this.lookAt(a, seed, round, grain);
    this.known.set(key, out);
    return out;
  }

  /** The same for accesses at the same addresses under the same conditions, such as a load and the store that follows. */
  private whereOf(a: Touch): string {
    let where = this.where.get(a);
    if (where === undefined) {
      const { base, scale, distance } = linearParts(a.offset);
      const conditions = restrictionsOf(this.c.memos, a.path).map((form) => this.numberOf(form));
      where = `${this.numberOf(base)}*${scale}+${distance}:${conditions}`;
      this.where.set(a, where);
    }
    return where;
  }

  private numberOf(form: Form): number {
    const number = this.numbers.get(form) ?? this.numbers.size;
    this.numbers.set(form, number);
    return number;
  }

  private lookAt(a: Touch, seed: number, round: Iterations, grain: number): Touched | undefined {
    const exact = addressesOf(this.c, a, seed, round);
    if (!exact) return undefined;
    const addresses = grain === 1 ? exact : exact.map((at) => at - (at % grain));
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let thread = 0; thread < addresses.length; thread++) {
      const at = addresses[thread];
      if (at < least) least = at;
      if (at > most) most = at;
    }
    return { id: this.known.size, addresses, least, most, threads: undefined };
  }
}

/** By thread of the block; NaN where a thread does not get there. Undefined where an address is not known. */
function addressesOf(c: Context, a: Touch, seed: number, round: Iterations): readonly number[] | undefined {
  const addresses = doubles(c.warps * LANES).fill(Number.NaN);
  if (a.path.some((step) => isOfOtherBlocks(c, sideForm(step)))) return addresses;
  const sample = blockSampleOf(c, seed, round);
  const masks = activeInBlock(c, sample, restrictionsOf(c.memos, a.path), 'strict');
  const offsets = sample.value(a.offset);
  const margins = marginsOf(c, sample, a.path);
  for (let thread = 0; thread < addresses.length; thread++) {
    if (((masks[thread >>> 5] >>> (thread & 31)) & 1) === 0 || margins.some((isAt) => isAt(thread))) continue;
    const at = typeof offsets === 'number' ? offsets : offsets[thread];
    if (Number.isNaN(at)) return undefined;
    addresses[thread] = at;
  }
  return addresses;
}

/** `blockDim.x <= 32`, where blocks are larger. */
function isOfOtherBlocks(c: Context, form: Form): boolean {
  if (form.lane || !hangsOnShape(form) || !isOfThreadsAlone(form)) return false;
  return [0, 1].every((seed) => sampleOf(c, 0, seed).value(form) === 0);
}

/**
 * `row < rows`, `threadIdx.y < last`: how many rows of the block pass is not known, and that the outermost one does is not sure. Indices
 * that leave a row of an array there are what such guards are for.
 */
function marginsOf(c: Context, sample: Sample, path: readonly PathStep[]): readonly ((thread: number) => boolean)[] {
  return path
    .flatMap((step) => conjuncts(c.memos, sideForm(step)))
    .flatMap((form) => {
      const isNegated = form.f === 'op' && form.op === '!';
      const guard = isNegated ? form.args[0] : form;
      if (guard.f !== 'op' || guard.args.length !== 2 || !isBoundsGuard(c.memos, guard)) return [];
      const [x, y] = guard.args;
      const place = x.lane ? x : y;
      if ((x.lane && y.lane) || place.block || place.data || place.unknown) return [];
      const values = sample.value(place);
      if (typeof values === 'number') return [];
      const isUpper = ((place === x) === guard.op.startsWith('<')) !== isNegated;
      const margin = values.reduce(isUpper ? (a, b) => Math.max(a, b) : (a, b) => Math.min(a, b));
      return [(thread: number) => values[thread] === margin];
    });
}

/** The threads of the first by address; undefined where none of the other meets any but itself. */
export function threadsThatMeet(earlier: Touched, later: Touched): ThreadsByAddress | undefined {
  if (later.least > earlier.most || later.most < earlier.least) return undefined;
  earlier.threads ??= new ThreadsByAddress(earlier);
  return earlier === later && earlier.threads.areAlone ? undefined : earlier.threads;
}

function meeting(earlier: Touched, later: Touched, first: Hazard['first']): Hazard['scope'] | undefined {
  const { addresses } = later;
  const threads = threadsThatMeet(earlier, later);
  if (!threads) return undefined;
  let scope: Hazard['scope'] | undefined;
  for (let thread = 0; thread < addresses.length; thread++) {
    const entry = threads.entryAt(addresses[thread]);
    if (entry === 0 || entry === thread + 1) continue;
    const from = threads.threadsOf(entry);
    // What a thread wrote itself it may read; of several that write one word, who wins is another question.
    if (typeof from !== 'number' && first === 'write' && from.has(thread)) continue;
    scope = furthest(thread, from) ?? scope;
    if (scope === 'block') break;
  }
  return scope;
}

/** Shared memory of a block has so many words at most, whatever the device: addresses further apart are made of invented numbers. */
const MOST_WORDS = 2 ** 16;

/** The thread at an address, or all of them where several meet: a table, since hundreds of pairs ask for each of a thousand threads. */
class ThreadsByAddress {
  private readonly first: number;
  private readonly step: number;
  /** One more than the thread; below zero, one less than the place among `several`. */
  private readonly table: Int16Array | undefined;
  private readonly several: Set<number>[] = [];
  /** In place of a table that would be too long. */
  private readonly map = new Map<number, number>();

  constructor({ addresses, least, most }: Touched) {
    this.first = least;
    this.step = areWords(addresses, least) ? WORD_BYTES : 1;
    const length = (most - least) / this.step + 1;
    this.table = length <= MOST_WORDS && Number.isInteger(length) ? new Int16Array(length) : undefined;
    if (this.table) this.fill(this.table, addresses);
    else this.collect(addresses);
  }

  /** No two threads are at one address. */
  get areAlone(): boolean {
    return this.several.length === 0;
  }

  /** 0 where no thread is. */
  entryAt(address: number): number {
    const { table, first, step } = this;
    if (!table) return this.map.get(address) ?? 0;
    const place = (address - first) / step;
    const slot = place | 0;
    // What is no place in the table, or of a thread that does not get there, would be looked for as the name of a property.
    return slot === place && slot >= 0 && slot < table.length ? table[slot] : 0;
  }

  threadsOf(entry: number): number | ReadonlySet<number> {
    return entry > 0 ? entry - 1 : this.several[-entry - 1];
  }

  private fill(table: Int16Array, addresses: readonly number[]): void {
    const { first, step } = this;
    for (let thread = 0; thread < addresses.length; thread++) {
      const place = (addresses[thread] - first) / step;
      const slot = place | 0;
      if (slot !== place) continue;
      const entry = table[slot];
      table[slot] = entry === 0 ? thread + 1 : this.joined(entry, thread);
    }
  }

  private collect(addresses: readonly number[]): void {
    for (const [thread, at] of addresses.entries()) {
      const entry = this.map.get(at);
      if (!Number.isNaN(at)) this.map.set(at, entry === undefined ? thread + 1 : this.joined(entry, thread));
    }
  }

  /** The entry of an address where some thread is already. */
  private joined(entry: number, thread: number): number {
    if (entry > 0) return -this.several.push(new Set([entry - 1, thread]));
    this.several[-entry - 1].add(thread);
    return entry;
  }
}

/** Whole words apart, all of them. */
function areWords(addresses: readonly number[], from: number): boolean {
  for (let thread = 0; thread < addresses.length; thread++) {
    const words = (addresses[thread] - from) / WORD_BYTES;
    if (words !== Math.floor(words) && !Number.isNaN(words)) return false;
  }
  return true;
}

/** Whether a thread meets one of its own warp or of another; undefined where it meets itself alone. */
function furthest(thread: number, others: number | ReadonlySet<number>): Hazard['scope'] | undefined {
  if (typeof others === 'number') return scopeOf(thread, others);
  let scope: Hazard['scope'] | undefined;
  for (const other of others) {
    scope = scopeOf(thread, other) ?? scope;
    if (scope === 'block') break;
  }
  return scope;
}

function scopeOf(thread: number, other: number): Hazard['scope'] | undefined {
  if (other === thread) return undefined;
  return Math.floor(other / LANES) === Math.floor(thread / LANES) ? 'warp' : 'block';
}
