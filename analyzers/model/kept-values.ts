/**
 * Loads that need no request, because the compiler has the value in a register: the same address was loaded or stored before, on every way
 * to here, and nothing in between may have changed it. What may have is decided as the compiler does it: a store through another pointer,
 * unless one of the two is `__restrict__` or they point to different kinds of memory, and a barrier, unless the kernel never writes there.
 */
import { distance } from './distances.ts';
import { same } from './form.ts';
import type { Context } from './splits.ts';
import { isVector, sizeOf } from './types.ts';
import type { MemoryObject, Moment, RawAccess, RawAtomic, RawFacts } from './values.ts';
import { isBeside, isOnWayTo } from './ways.ts';

/** So many accesses back a value is looked for: registers are few. */
const REACH = 200;

export function isKept(c: Context, b: RawAccess, facts: RawFacts): boolean {
  // Of a structure each use may be of another field.
  if (b.kind !== 'load' || b.volatile || b.offset.unknown || (b.type.t === 'struct' && !isVector(b.type))) return false;
  const { accesses } = facts;
  const at = accesses.indexOf(b);
  for (let i = at - 1; i >= Math.max(0, at - REACH); i--) {
    const a = accesses[i];
    if (a.object !== b.object || a.volatile || sizeOf(a.type) !== sizeOf(b.type) || !isOnWayTo(a, b) || !same(a.offset, b.offset)) continue;
    return !mayChange(c, a, b, facts);
  }
  return false;
}

function mayChange(c: Context, a: RawAccess, b: RawAccess, { accesses, atomics, barriers, fences }: RawFacts): boolean {
  // A loop around `b` alone brings what comes behind it before it, too.
  const loop = b.loops[a.loops.length];
  const between = (m: Moment) => (m.order > a.order && m.order < b.order) || (loop !== undefined && m.loops.includes(loop));
  if (accesses.some((s) => s.kind === 'store' && between(s) && mayTouch(c, s, b) && !isForNextRound(s, b))) return true;
  if (atomics.some((s) => between(s) && mayTouch(c, s, b))) return true;
  if (isReadOnly(b.object) && !accesses.some((s) => s.kind === 'store' && s.object === b.object)) return false;
  return barriers.some(between) || fences.some(between);
}

/** What every round stores at its end stays in the register that the next one reads. */
function isForNextRound(s: RawAccess, b: RawAccess): boolean {
  const isSameElement = s.object === b.object && sizeOf(s.type) === sizeOf(b.type) && same(s.offset, b.offset);
  return isSameElement && !s.volatile && s.order > b.order && isBeside(s, b);
}

function isReadOnly({ space, restricted }: MemoryObject): boolean {
  return space === 'constant' || restricted === true;
}

function mayTouch(c: Context, store: RawAccess | RawAtomic, b: RawAccess): boolean {
  if (store.object !== b.object) return mayAlias(store.object, b.object);
  const far = distance(c, b, store);
  if (far === undefined) return true;
  return far < (sizeOf(b.type) ?? Number.POSITIVE_INFINITY) && -far < (sizeOf(store.type) ?? Number.POSITIVE_INFINITY);
}

function mayAlias(x: MemoryObject, y: MemoryObject): boolean {
  if (x.restricted || y.restricted) return false;
  if (x.space !== y.space) return x.space === 'unknown' || y.space === 'unknown';
  // Two arrays that a kernel declares are two; pointers may lead to the same.
  return x.space === 'global' || x.space === 'unknown';
}
