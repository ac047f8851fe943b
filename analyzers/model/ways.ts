/** How two moments stand to each other: loops around them, and conditions that lead to them. */
import type { Moment } from './values.ts';

/** `a` is on every way to `b`, in the same rounds of the loops around it, if it comes first. */
export function isOnWayTo(a: Moment, b: Moment): boolean {
  return (
    a.loops.length <= b.loops.length &&
    (a.loops === b.loops || a.loops.every((loop, i) => loop === b.loops[i])) &&
    a.path.length <= b.path.length &&
    (a.path === b.path || a.path.every((step, i) => step.branch === b.path[i].branch && step.side === b.path[i].side))
  );
}

/** In the same rounds of the same loops and under the same conditions. */
export function isBeside(a: Moment, b: Moment): boolean {
  return a.loops.length === b.loops.length && a.path.length === b.path.length && isOnWayTo(a, b);
}
