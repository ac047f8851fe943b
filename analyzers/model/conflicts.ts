/**
 * Two threads of a block that access one place between the same barriers, and one of them at least writes: two writes of different values, in
 * shared and global memory, and a write and a read in global memory (hazards.ts has those of shared memory). Addresses, conditions and
 * written values are computed for every thread; what hangs on data, on flags or on locks is left out.
 */
import { blockSampleOf, type Context } from './context.ts';
import { addressesOf } from './hazards.ts';
import { LANES, type LaneValues, laneOf } from './rows.ts';
import { sizeOf } from './types.ts';
import type { RawAccess, RawFacts } from './values.ts';

export interface Conflict {
  readonly write: RawAccess;
  /** May be the write itself, by another thread. */
  readonly other: RawAccess;
  /** Numbers of the two threads in the block. */
  readonly threads: readonly [write: number, other: number];
}

/** Comparisons of a kernel, and pairs of threads of a comparison that are held to other values of the symbols. */
const MAX_COMPARED = 300;
const MAX_PAIRS = 64;
/** Values of parameters and of the grid: what meets in one choice alone may be chance. */
const SEEDS = [1, 2, 3];

export function conflictsOf(c: Context, facts: RawFacts): Conflict[] {
  if (facts.incomplete || facts.fences.length > 0 || facts.atomics.some(({ name }) => /CAS|Exch/.test(name))) return [];
  const accesses = facts.accesses.filter((access) => isComparable(access) && isKnown(access));
  const found: Conflict[] = [];
  const places = new Places(c);
  let compared = 0;
  for (const write of accesses) {
    if (write.kind !== 'store' || write.readModifyWrite) continue;
    for (const other of accesses) {
      if (!mayMeet(write, other) || isOrdered(facts, write, other)) continue;
      if (compared++ > MAX_COMPARED) return found;
      const threads = new Comparison(c, write, other, places).meeting();
      if (threads) found.push({ write, other, threads });
    }
  }
  return found;
}

/** Arrays of the kernel and of the file by themselves: what a pointer from elsewhere leads to may be several things. */
function isComparable({ object, volatile, type }: RawAccess): boolean {
  if (volatile || object.volatile || sizeOf(type) === undefined || /[[\]|~*]/.test(object.id)) return false;
  return object.space === 'shared' || (object.space === 'global' && /^(parameter:|::)/.test(object.id));
}

function isKnown({ offset, path }: RawAccess): boolean {
  if (offset.unknown || offset.data) return false;
  return path.every(({ branch: { kind, condition } }) => !condition.form.unknown && !condition.form.data && kind !== 'switch');
}

function mayMeet(write: RawAccess, other: RawAccess): boolean {
  if (write.object.id !== other.object.id || sizeOf(write.type) !== sizeOf(other.type)) return false;
  // In the same iteration, so that nothing of what a loop orders is between.
  if (write.loops.length !== other.loops.length || write.loops.some((loop, index) => loop !== other.loops[index])) return false;
  if (other.kind === 'load') return write.object.space === 'global';
  // Each pair of writes once.
  return !other.readModifyWrite && other.order >= write.order && write.value !== undefined && other.value !== undefined;
}

/** Some barrier, of whomever, is between. */
function isOrdered({ barriers }: RawFacts, a: RawAccess, b: RawAccess): boolean {
  const [from, to] = [Math.min(a.order, b.order), Math.max(a.order, b.order)];
  return barriers.some(({ order }) => order > from && order < to);
}

/** Where accesses go in the first choice of values: each is compared with many others. */
class Places {
  private readonly c: Context;
  private readonly addresses = new Map<RawAccess, readonly number[] | undefined>();
  private readonly writers = new Map<RawAccess, ReadonlyMap<number, readonly number[]>>();

  constructor(c: Context) {
    this.c = c;
  }

  addressesOf(access: RawAccess): readonly number[] | undefined {
    if (!this.addresses.has(access)) this.addresses.set(access, addressesOf(this.c, access, 0, []));
    return this.addresses.get(access);
  }

  /** By address, a few of the threads that write there. */
  writersOf(write: RawAccess): ReadonlyMap<number, readonly number[]> {
    const known = this.writers.get(write);
    if (known) return known;
    const writers = new Map<number, number[]>();
    for (const [thread, at] of this.addressesOf(write)!.entries()) {
      if (Number.isNaN(at)) continue;
      const there = writers.get(at);
      if (!there) writers.set(at, [thread]);
      else if (there.length < 2 || thread >= LANES) there.push(thread);
    }
    this.writers.set(write, writers);
    return writers;
  }
}

class Comparison {
  private readonly c: Context;
  private readonly write: RawAccess;
  private readonly other: RawAccess;
  private readonly places: Places;

  constructor(c: Context, write: RawAccess, other: RawAccess, places: Places) {
    this.c = c;
    this.write = write;
    this.other = other;
    this.places = places;
  }

  /** Two threads that meet whatever the parameters are. */
  meeting(): Conflict['threads'] | undefined {
    const others = this.places.addressesOf(this.other);
    if (!others || !this.places.addressesOf(this.write)) return undefined;
    const writers = this.places.writersOf(this.write);
    if (!others.some((at) => writers.has(at))) return undefined;
    const first = this.look(0);
    if (!first) return undefined;
    const pairs: Conflict['threads'][] = [];
    for (const [thread, at] of first.others.entries()) {
      for (const writer of writers.get(at) ?? []) {
        if (pairs.length < MAX_PAIRS && this.isWrong(writer, thread, first)) pairs.push([writer, thread]);
      }
    }
    const looks = pairs.length > 0 ? SEEDS.map((seed) => this.look(seed)) : [];
    return pairs.find(([writer, thread]) =>
      looks.every((look) => look && look.writes[writer] === look.others[thread] && this.isWrong(writer, thread, look)),
    );
  }

  private look(seed: number): Look | undefined {
    const writes = addressesOf(this.c, this.write, seed, []);
    const others = this.write === this.other ? writes : addressesOf(this.c, this.other, seed, []);
    if (!writes || !others) return undefined;
    const values = this.other.kind === 'store' ? [this.write, this.other].map((access) => this.valuesOf(access, seed)) : undefined;
    return { writes, others, values };
  }

  /** What threads write; NaN where that is not known. */
  private valuesOf({ value }: RawAccess, seed: number): LaneValues {
    const { form } = value!;
    return form.unknown || form.data ? Number.NaN : blockSampleOf(this.c, seed).value(form);
  }

  /** The two are different threads that nothing orders, and do not write the same. */
  private isWrong(writer: number, thread: number, { values }: Look): boolean {
    if (writer === thread) return false;
    const inWarp = Math.floor(writer / LANES) === Math.floor(thread / LANES);
    // Lanes of a warp that store in one instruction: one value stays. In different ones they mostly run in lock step.
    if (inWarp && this.write !== this.other) return false;
    if (!values) return true;
    const [mine, theirs] = [laneOf(values[0], writer), laneOf(values[1], thread)];
    return !Number.isNaN(mine) && !Number.isNaN(theirs) && mine !== theirs;
  }
}

interface Look {
  readonly writes: readonly number[];
  readonly others: readonly number[];
  readonly values: readonly LaneValues[] | undefined;
}
