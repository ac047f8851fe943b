/**
 * Accesses that surely leave their shared or local array: the index hangs on the thread and on counted loops alone, and so does every
 * condition on the way. What hangs on parameters, data or other blocks is left out.
 */
import { restrictionsOf } from './conditions.ts';
import { blockSampleOf, type Context, type Iterations } from './context.ts';
import { advancesEvenly, tripCounts } from './evaluate.ts';
import { dependsOnLoop, type Form, isDecided, isLeftByBreak } from './form.ts';
import { LANES, laneOf } from './rows.ts';
import { activeInBlock } from './splits.ts';
import { sizeOf } from './types.ts';
import type { RawAccess, RawLoop } from './values.ts';

export interface OutsideAccess {
  readonly access: RawAccess;
  /** Bytes from the array's start, of the thread that leaves it furthest. */
  readonly offset: number;
  /** Its place in the block, x changing fastest. */
  readonly thread: number;
}

interface Trust {
  /** Otherwise nothing is said of what hangs on the thread. */
  readonly blockKnown: boolean;
  /** That conditions on which all threads agree let them through. */
  readonly uniformPasses?: boolean;
}

export function outsideAccess(c: Context, access: RawAccess, { blockKnown, uniformPasses }: Trust): OutsideAccess | undefined {
  const { object, offset, type, path } = access;
  const [bytes, size] = [sizeOf(object.type), sizeOf(type)];
  if ((object.space !== 'shared' && object.space !== 'local') || object.dynamicShared || object.type.t !== 'array') return undefined;
  if (!bytes || !size || !isKnown(c, offset) || (offset.lane && !blockKnown)) return undefined;
  // A test of something else may be what keeps threads out.
  const mayFail = (form: Form) => !isKnown(c, form) && (form.lane || !uniformPasses);
  if (path.some(({ branch }) => branch.kind !== 'loop-exit' && mayFail(branch.condition.form))) return undefined;
  const ends = endsOf(c, access);
  for (const iterations of ends ?? []) {
    const found = furthest(c, access, iterations, bytes - size);
    if (found) return { access, ...found };
  }
  return undefined;
}

function isKnown(c: Context, form: Form): boolean {
  const { data, unknown, symbolic, block } = form;
  return !data && !unknown && !symbolic && !block && !isLeftByBreak(form) && isFollowed(c, form);
}

/** Loops are followed for some iterations. Of one that goes on longer only variables that advance evenly are known, and none that it has left. */
function isFollowed(c: Context, form: Form, seen = new Set<Form>()): boolean {
  if ((form.f !== 'op' && form.f !== 'loop') || seen.has(form)) return true;
  seen.add(form);
  if (form.f === 'op') return form.args.every((each) => isFollowed(c, each, seen));
  const { loop, index, after } = form;
  const mayGoOn = !after && advancesEvenly(loop, index);
  if (!mayGoOn && blockSampleOf(c, 0).tripsOf(loop) === undefined) return false;
  return [...loop.init, ...loop.next].every((each) => each === undefined || isFollowed(c, each, seen));
}

/** More loops around each other have too many corners. */
const MOST_LOOPS = 3;
const MOST_TRIPS = 1024;

/** First and last iterations of all loops that the index hangs on; undefined where one of them is not known. */
export function endsOf(c: Context, { offset, loops }: RawAccess): readonly Iterations[] | undefined {
  const around = loops.filter(({ shape }) => dependsOnLoop(offset, shape));
  if (around.length > MOST_LOOPS || loops.some(({ shape }) => shape.breaks)) return undefined;
  let ends: Iterations[] = [[]];
  for (const loop of around) {
    const trips = tripsOf(c, loop, loops);
    if (trips === undefined) return undefined;
    ends = ends.flatMap((end) => [0, trips - 1].map((iteration) => [...end, { loop: loop.shape, iteration }]));
  }
  return ends;
}

function tripsOf(c: Context, { shape, kind }: RawLoop, loops: readonly RawLoop[]): number | undefined {
  const { condition } = shape;
  if (kind !== 'for' || !condition || !isDecided(condition)) return undefined;
  if (loops.some((other) => other.shape !== shape && dependsOnLoop(condition, other.shape))) return undefined;
  if (!c.trips.has(shape)) {
    const trips = tripCounts(shape, blockSampleOf(c, 0), MOST_TRIPS);
    c.trips.set(shape, typeof trips === 'number' && trips > 0 ? trips : undefined);
  }
  return c.trips.get(shape);
}

function furthest(
  c: Context,
  { offset, path }: RawAccess,
  iterations: Iterations,
  last: number,
): Omit<OutsideAccess, 'access'> | undefined {
  const sample = blockSampleOf(c, 0, iterations);
  const values = sample.value(offset);
  const masks = activeInBlock(c, sample, restrictionsOf(c.memos, path), 'strict');
  // Unsigned numbers below zero are large, which conditions here do not know.
  const mayWrap = path.some(({ branch }) => branch.condition.form.lane);
  let found: Omit<OutsideAccess, 'access'> | undefined;
  for (let thread = 0; thread < c.warps * LANES; thread++) {
    if (((masks[Math.floor(thread / LANES)] >>> (thread % LANES)) & 1) === 0) continue;
    const at = laneOf(values, thread);
    if (Number.isNaN(at)) return undefined;
    if (at > Math.max(last, found?.offset ?? 0) || (at < 0 && !mayWrap && !found)) found = { offset: at, thread };
  }
  return found;
}
