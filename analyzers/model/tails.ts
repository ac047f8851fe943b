/**
 * The end of the data: `if (n - i < 8) for (k = i; k < n; k++)`. Two guards of bounds that leave a gap of fixed width between them let
 * through no more lanes than places fit into it, wherever the data ends.
 */
import { conjuncts, isBoundsGuard } from './conditions.ts';
import { type Context, sampleOf } from './context.ts';
import { type Form, op } from './form.ts';
import { sideForm } from './path-forms.ts';
import { LANES, type LaneValues, laneOf } from './rows.ts';
import type { PathStep } from './values.ts';

/** How many lanes of a warp get there at most. */
export function mostLanes(c: Context, path: readonly PathStep[]): number {
  let most = c.memos.mostLanes.get(path);
  if (most === undefined) {
    most = lanesThrough(c, path);
    c.memos.mostLanes.set(path, most);
  }
  return most;
}

function lanesThrough(c: Context, path: readonly PathStep[]): number {
  const guards = path.flatMap((step) => conjuncts(c.memos, sideForm(step))).filter((form) => isGuardOfLanes(c, form));
  if (guards.length < 2) return LANES;
  const below = guards.flatMap((form) => belowZero(form) ?? []);
  let most = LANES;
  for (const [i, a] of below.entries()) for (const b of below.slice(i + 1)) most = Math.min(most, lanesBetween(c, a, b));
  return most;
}

function isGuardOfLanes(c: Context, form: Form): boolean {
  return form.lane && !form.data && !form.unknown && isBoundsGuard(c.memos, form);
}

/** Holds where the form is below zero, or at it. */
interface Below {
  readonly form: Form;
  readonly atZero: boolean;
}

function belowZero(form: Form, isNegated = false): Below | undefined {
  if (form.f !== 'op') return undefined;
  const [a, b] = form.args;
  if (form.op === '!') return belowZero(a, !isNegated);
  if (!/^[<>]=?$/.test(form.op)) return undefined;
  const isLess = form.op.startsWith('<') !== isNegated;
  return { form: isLess ? op('-', a, b) : op('-', b, a), atZero: form.op.endsWith('=') !== isNegated };
}

/** Where the sum of both is one number, the one leaves the other a gap of so many integers. */
function lanesBetween(c: Context, a: Below, b: Below): number {
  const lanes = [0, 1].map((seed) => {
    const [x, y] = [a, b].map(({ form }) => sampleOf(c, 0, seed).value(form));
    const sum = laneOf(x, 0) + laneOf(y, 0);
    const step = stepOf(x);
    for (let lane = 0; lane < LANES; lane++) if (laneOf(x, lane) + laneOf(y, lane) !== sum) return LANES;
    const places = -sum - 1 + Number(a.atZero) + Number(b.atZero);
    return step ? Math.ceil(Math.max(0, places) / step) : LANES;
  });
  return lanes[0] === lanes[1] ? Math.min(LANES, lanes[0]) : LANES;
}

/** From lane to lane, where it is the same for all. */
function stepOf(values: LaneValues): number | undefined {
  const step = laneOf(values, 1) - laneOf(values, 0);
  for (let lane = 1; lane + 1 < LANES; lane++) if (laneOf(values, lane + 1) - laneOf(values, lane) !== step) return undefined;
  return Number.isInteger(step) && step !== 0 ? Math.abs(step) : undefined;
}
