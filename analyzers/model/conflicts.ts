/**
 * Two threads of a block that access one place between the same barriers, and one of them at least writes: two writes of different values, in
 * shared and global memory, and a write and a read in global memory (hazards.ts has those of shared memory). Addresses, conditions and
 * written values are computed for every thread; what hangs on data, on flags or on locks is left out.
 */
import { loadedNames } from './conditions.ts';
import { blockSampleOf, type Context } from './context.ts';
import type { Form } from './form.ts';
import { Addresses, areExclusive, FIRST, threadsThatMeet } from './hazards.ts';
import { LANES, type LaneValues, laneOf } from './rows.ts';
import { sizeOf } from './types.ts';
import type { MemoryObject, RawAccess, RawFacts } from './values.ts';

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
  const accesses = facts.accesses.filter((access) => isComparable(access) && isKnown(access, facts));
  const found: Conflict[] = [];
  const places = new Addresses(c);
  let compared = 0;
  for (const write of accesses) {
    if (write.kind !== 'store') continue;
    for (const other of accesses) {
      if (!mayMeet(write, other) || isOrdered(facts, write, other) || areExclusive(write, other)) continue;
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

/** Whether a thread stores may hang on what stands in the array itself, around it: any thread may find that it has to. */
function isKnown({ offset, path, kind, object, readModifyWrite }: RawAccess, facts: RawFacts): boolean {
  if (offset.unknown || offset.data) return false;
  const mayHang = kind === 'store' && !readModifyWrite && object.space === 'global';
  return path.every(({ branch }) => {
    const { form } = branch.condition;
    if (form.unknown || branch.kind === 'switch') return false;
    if (!form.data) return true;
    return mayHang && isOfItself(form, object, facts);
  });
}

/** The data is the array's own. What a loop has made of it has no names: then it is, where the kernel loads nothing else. */
function isOfItself(form: Form, { name }: MemoryObject, { accesses }: RawFacts): boolean {
  const names = loadedNames(form);
  if (!names || names.size > 1) return false;
  if (names.size === 1) return names.has(name);
  return accesses.every(({ kind, object }) => kind === 'store' || object.space === 'local' || object.name === name);
}

function mayMeet(write: RawAccess, other: RawAccess): boolean {
  if (write.object.id !== other.object.id || sizeOf(write.type) !== sizeOf(other.type)) return false;
  // In the same iteration, so that nothing of what a loop orders is between.
  if (write.loops.length > other.loops.length || write.loops.some((loop, index) => loop !== other.loops[index])) return false;
  // Of further loops around a read, such as those over its neighbours, the first iteration.
  const further = other.loops.slice(write.loops.length);
  if (further.length > 0) {
    // Behind its own write, a thread may read what it has written itself.
    if (other.kind !== 'load' || other.order > write.order || further.some(({ containsBarrier }) => containsBarrier)) return false;
  }
  // Of `a[i] = a[i - 1] + a[i]`, what it reads of its own is lost-update's.
  if (other.kind === 'load') return write.object.space === 'global' && !(write.readModifyWrite && other.readModifyWrite);
  // Each pair of writes once.
  return (
    !write.readModifyWrite && !other.readModifyWrite && other.order >= write.order && write.value !== undefined && other.value !== undefined
  );
}

/** Some barrier, of whomever, is between. */
function isOrdered({ barriers }: RawFacts, a: RawAccess, b: RawAccess): boolean {
  const [from, to] = [Math.min(a.order, b.order), Math.max(a.order, b.order)];
  return barriers.some(({ order }) => order > from && order < to);
}

class Comparison {
  private readonly c: Context;
  private readonly write: RawAccess;
  private readonly other: RawAccess;
  private readonly places: Addresses;

  constructor(c: Context, write: RawAccess, other: RawAccess, places: Addresses) {
    this.c = c;
    this.write = write;
    this.other = other;
    this.places = places;
  }

  /** Two threads that meet whatever the parameters are. */
  meeting(): Conflict['threads'] | undefined {
    // Lanes of one warp run different statements one after the other.
    if (this.c.warps === 1 && this.write !== this.other) return undefined;
    const writes = this.places.touched(this.write, 0, FIRST);
    const others = this.places.touched(this.other, 0, FIRST);
    const writers = writes && others && threadsThatMeet(writes, others);
    if (!writers) return undefined;
    const first = this.look(0);
    if (!first) return undefined;
    const pairs: Conflict['threads'][] = [];
    for (let thread = 0; thread < first.others.length && pairs.length < MAX_PAIRS; thread++) {
      const entry = writers.entryAt(first.others[thread]);
      const there = entry === 0 ? undefined : writers.threadsOf(entry);
      if (typeof there === 'number') this.add(pairs, there, thread, first);
      else if (there) this.addAll(pairs, there, thread, first);
    }
    const looks = pairs.length > 0 ? SEEDS.map((seed) => this.look(seed)) : [];
    return pairs.find(([writer, thread]) =>
      looks.every((look) => look && look.writes[writer] === look.others[thread] && this.isWrong(writer, thread, look)),
    );
  }

  /** Of the first warp, two are enough. */
  private addAll(pairs: Conflict['threads'][], writers: ReadonlySet<number>, thread: number, look: Look): void {
    let index = 0;
    for (const writer of writers) if (index++ < 2 || writer >= LANES) this.add(pairs, writer, thread, look);
  }

  private add(pairs: Conflict['threads'][], writer: number, thread: number, look: Look): void {
    if (pairs.length < MAX_PAIRS && this.isWrong(writer, thread, look)) pairs.push([writer, thread]);
  }

  private look(seed: number): Look | undefined {
    const writes = this.places.touched(this.write, seed, FIRST)?.addresses;
    const others = this.places.touched(this.other, seed, FIRST)?.addresses;
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
