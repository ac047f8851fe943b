/**
 * Loads that need no request, because the compiler has the value in a register: the same address was loaded or stored before, on every way
 * to here, and nothing in between may have changed it. What may have is decided as the compiler does it: a store through another pointer,
 * unless one of the two is `__restrict__` or they point to different kinds of memory, and a barrier, unless the kernel never writes there.
 */

import type { Context } from './context.ts';
import { distance } from './distances.ts';
import { fingerprint } from './fingerprint.ts';
import { type Form, same } from './form.ts';
import type { AccessIndex } from './memo.ts';
import { isVector, sizeOf } from './types.ts';
import type { MemoryObject, Moment, RawAccess, RawAtomic, RawFacts, RawLoop } from './values.ts';
import { isBeside, isOnWayTo } from './ways.ts';

/** So many accesses back a value is looked for: registers are few. */
const REACH = 200;

export function isKept(c: Context, b: RawAccess, facts: RawFacts): boolean {
  // Each use of a structure may be of another field.
  if (b.kind !== 'load' || b.volatile || b.offset.unknown || (b.type.t === 'struct' && !isVector(b.type))) return false;
  const known = indexOf(c, facts);
  const at = known.positions.get(b)!;
  const alike = known.alike(b);
  for (let i = alike.length - 1; i >= 0 && alike[i] >= at - REACH; i--) {
    const a = facts.accesses[alike[i]];
    if (alike[i] >= at || a.volatile || sizeOf(a.type) !== sizeOf(b.type) || !same(a.offset, b.offset) || !isOnWayTo(a, b)) continue;
    return !mayChange(c, a, b, known, facts);
  }
  return false;
}

function indexOf(c: Context, facts: RawFacts): AccessIndex {
  let known = c.memos.index.get(facts);
  if (!known) {
    known = newIndex(facts.accesses, c.patterns.parts.fingerprints);
    c.memos.index.set(facts, known);
  }
  return known;
}

function newIndex(accesses: readonly RawAccess[], fingerprints: Map<Form, number>): AccessIndex {
  const positions = new Map<RawAccess, number>();
  for (const a of accesses) positions.set(a, positions.size);
  // Few objects are asked for: only their accesses are sorted.
  const byObject = new Map<MemoryObject, ReadonlyMap<number, readonly number[]>>();
  const alike = ({ object, offset }: RawAccess) => {
    const byAddress = byObject.get(object) ?? positionsByAddress(accesses, object, fingerprints);
    byObject.set(object, byAddress);
    return byAddress.get(fingerprint(offset, fingerprints))!;
  };
  return { positions, stores: accesses.filter((a) => a.kind === 'store'), alike };
}

/** For the accesses to one object. */
function positionsByAddress(
  accesses: readonly RawAccess[],
  object: MemoryObject,
  fingerprints: Map<Form, number>,
): ReadonlyMap<number, readonly number[]> {
  const positions = new Map<number, number[]>();
  for (let i = 0; i < accesses.length; i++) {
    const a = accesses[i];
    if (a.object !== object) continue;
    const key = fingerprint(a.offset, fingerprints);
    const list = positions.get(key);
    if (list) list.push(i);
    else positions.set(key, [i]);
  }
  return positions;
}

function mayChange(c: Context, a: RawAccess, b: RawAccess, { stores }: AccessIndex, { atomics, barriers, fences }: RawFacts): boolean {
  // A loop around `b` alone brings what comes behind it before it, too.
  const loop = b.loops[a.loops.length];
  for (const s of stores) if (isBetween(a, s, b, loop) && mayTouch(c, s, b) && !isForNextRound(s, b)) return true;
  for (const s of atomics) if (isBetween(a, s, b, loop) && mayTouch(c, s, b)) return true;
  if (isReadOnly(b.object) && !stores.some((s) => s.object === b.object)) return false;
  return barriers.some((m) => isBetween(a, m, b, loop)) || fences.some((m) => isBetween(a, m, b, loop));
}

/** On the way from `a` to `b`, or around the loop. */
function isBetween(a: Moment, m: Moment, b: Moment, loop: RawLoop | undefined): boolean {
  return (m.order > a.order && m.order < b.order) || (loop !== undefined && m.loops.includes(loop));
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
