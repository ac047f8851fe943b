/**
 * Whether a hazard that was found in the first iterations of loops happens in those that count: a barrier in a loop leaves only its last
 * iteration unordered with what follows, and a loop may end before its second one.
 */
import { type Context, type Iterations, sampleOf } from './context.ts';
import { dependsOnLoop, isDecided } from './form.ts';
import type { Hazard } from './hazards.ts';
import { laneOf } from './rows.ts';
import type { RawAccess, RawAtomic, RawLoop } from './values.ts';

export function happens(c: Context, hazard: Hazard): boolean {
  const { read, write, first, nextIteration, around = [] } = hazard;
  const [before, after] = first === 'write' ? [write, read] : [read, write];
  const ordered = before.loops.filter((loop) => loop.containsBarrier && !after.loops.includes(loop));
  if (ordered.some((loop) => changesIn(before, loop))) return false;
  const common = before.loops.findLast((loop) => after.loops.includes(loop));
  if (nextIteration) return common === undefined || reaches(c, common, 1, around);
  return [...before.loops, ...after.loops].every((loop) => reaches(c, loop, 0));
}

/** Lane 0 of the first warp comes to the iteration, or nobody knows. */
function reaches(c: Context, { kind, shape }: RawLoop, iteration: number, around: Iterations = []): boolean {
  const { condition } = shape;
  if (kind === 'do' || !condition || !isDecided(condition)) return true;
  return laneOf(sampleOf(c, 0, 0, [...around, { loop: shape, iteration }]).value(condition), 0) !== 0;
}

/** Which words, or which threads, hangs on the iteration. */
function changesIn({ offset, path }: RawAccess | RawAtomic, { shape }: RawLoop): boolean {
  return (
    dependsOnLoop(offset, shape) || path.some(({ branch }) => branch.kind !== 'loop-exit' && dependsOnLoop(branch.condition.form, shape))
  );
}
