/**
 * Neighbouring elements of a shared array that the compiler moves with one wider instruction: `s[2 * t]` and `s[2 * t + 1]` become one
 * access of 64 bits, which has no bank conflict where each of the two alone would have one. It does so where the elements are read (or
 * written) at the same time, and where the first of them is aligned in all lanes; arrays in shared memory are aligned to 16 bytes.
 */

import { type Context, sampleOf } from './context.ts';
import { distance, misalignment } from './distances.ts';
import { tripCounts } from './evaluate.ts';
import { isDecided } from './form.ts';
import { modulo } from './patterns.ts';
import { LANES, laneOf } from './rows.ts';
import { sizeOf } from './types.ts';
import type { MemoryObject, RawAccess, RawLoop } from './values.ts';
import { isBeside } from './ways.ts';

/** What one instruction moves at most. */
const WIDEST_BYTES = 16;

export interface WiderAccess {
  readonly bytes: number;
  /** Bytes from the first element to that of the access. */
  readonly before: number;
  /** Orders of the first and the last of the accesses. */
  readonly from: number;
  readonly to: number;
}

/**
 * The instruction that moves this access with its neighbours among `all`; undefined where it goes alone. `fills`: nvcc (13.0) loads three of
 * four words with the fourth one, if the first is among them, where that is known to be there (simulator/simt/access-merging.ts).
 */
export function movedTogether(c: Context, a: RawAccess, all: readonly RawAccess[], fills = false): WiderAccess | undefined {
  const size = sizeOf(a.type);
  if (size === undefined || a.volatile) return undefined;
  const near = nearbyIn(c, all).get(a.object)!.get(a.epoch)!;
  const partners = near.filter((b) => b.kind === a.kind && !b.volatile && sizeOf(b.type) === size && isBeside(a, b));
  if (partners.length < 2) return undefined;
  const distances = new Map<RawAccess, number | undefined>([[a, 0]]);
  const distanceTo = (b: RawAccess): number | undefined => {
    if (!distances.has(b)) distances.set(b, distance(c, a, b));
    return distances.get(b);
  };
  for (let bytes = WIDEST_BYTES; bytes > size; bytes /= 2) {
    const before = misalignment(c, a, bytes);
    if (before === undefined) continue;
    const group: RawAccess[] = [];
    for (let at = -before; at < bytes - before; at += size) {
      const member = at === 0 ? a : nearest(a, partners, (b) => distanceTo(b) === at);
      if (member) group.push(member);
    }
    const isFilled = fills && a.kind === 'load' && size === 4 && group.length >= 3 && group.some((b) => distanceTo(b) === -before);
    if ((group.length < bytes / size && !isFilled) || near.some((b) => separates(b, group, distanceTo))) continue;
    const orders = group.map((b) => b.order);
    return { bytes, before, from: Math.min(...orders), to: Math.max(...orders) };
  }
  return undefined;
}

/** The same for a load in a loop that the compiler writes out, whose iterations go from element to element. */
export function movedByLoop(c: Context, a: RawAccess, all: readonly RawAccess[]): WiderAccess | undefined {
  const size = sizeOf(a.type);
  const loop = a.loops.at(-1);
  const condition = loop?.shape.condition;
  if (!size || a.volatile || a.kind !== 'load' || loop?.kind !== 'for' || !condition || !isDecided(condition)) return undefined;
  const trips = tripCounts(loop.shape, sampleOf(c, 0, 0), MOST_TRIPS + 1);
  if (
    typeof trips !== 'number' ||
    trips > MOST_TRIPS ||
    all.some((b) => b.kind === 'store' && b.object === a.object && b.loops.includes(loop))
  )
    return undefined;
  const isStart = (bytes: number) => [0, 1].every((seed) => goesOnFrom(c, a, loop, { size, bytes, seed }));
  for (let bytes = WIDEST_BYTES; bytes > size; bytes /= 2)
    if (trips * size >= bytes && isStart(bytes)) return { bytes, before: 0, from: a.order, to: a.order };
  return undefined;
}

/** Loops of more iterations are not written out. */
const MOST_TRIPS = 16;

/** In all lanes from a multiple of `bytes`, by an element at a time. */
function goesOnFrom(
  c: Context,
  { offset }: RawAccess,
  { shape }: RawLoop,
  { size, bytes, seed }: { readonly size: number; readonly bytes: number; readonly seed: number },
): boolean {
  const [first, second] = [0, 1].map((iteration) => sampleOf(c, 0, seed, [{ loop: shape, iteration }]).value(offset));
  for (let lane = 0; lane < LANES; lane++) {
    const at = laneOf(first, lane);
    if (modulo(at, bytes) !== 0 || laneOf(second, lane) - at !== size) return false;
  }
  return true;
}

/** Accesses to the same array between the same barriers. */
function nearbyIn({ memos }: Context, all: readonly RawAccess[]): Map<MemoryObject, Map<number, RawAccess[]>> {
  let nearby = memos.nearby.get(all);
  if (nearby) return nearby;
  nearby = new Map();
  for (const a of all) {
    const byEpoch = nearby.get(a.object) ?? new Map<number, RawAccess[]>();
    nearby.set(a.object, byEpoch);
    const list = byEpoch.get(a.epoch);
    if (list) list.push(a);
    else byEpoch.set(a.epoch, [a]);
  }
  memos.nearby.set(all, nearby);
  return nearby;
}

function nearest(a: RawAccess, among: readonly RawAccess[], fits: (b: RawAccess) => boolean): RawAccess | undefined {
  const away = (b: RawAccess) => Math.abs(b.order - a.order);
  let best: RawAccess | undefined;
  for (const b of among) if (fits(b) && (!best || away(b) < away(best))) best = b;
  return best;
}

/** Whether `b` lies between members of the group and touches one that would have to move past it. */
function separates(b: RawAccess, group: readonly RawAccess[], distanceTo: (b: RawAccess) => number | undefined): boolean {
  const [{ kind }] = group;
  if (group.includes(b) || (kind === 'load' && b.kind === 'load')) return false;
  const orders = group.map((m) => m.order);
  if (b.order < Math.min(...orders) || b.order > Math.max(...orders)) return false;
  const at = distanceTo(b);
  // Loads move up to the first of them, stores down to the last.
  const moved = group.filter((m) => (kind === 'load' ? m.order > b.order : m.order < b.order));
  return moved.some((m) => {
    const from = distanceTo(m);
    if (at === undefined || from === undefined) return true;
    // What was stored just before is not read again.
    if (b.kind === 'load' && at === from) return false;
    return at < from + sizeOf(m.type)! && from < at + (sizeOf(b.type) ?? Number.POSITIVE_INFINITY);
  });
}
