/**
 * Values that a butterfly of exchanges has made equal in a warp: `v += __shfl_xor_sync(mask, v, s)` with distances that lead from each lane
 * to every other, written out or in a loop.
 */
import { Sample, type Shape, tripCounts } from './evaluate.ts';
import { anything, type Form, isDecided, type LoopShape, type OpForm, op, same, symbol } from './form.ts';
import { laneOf } from './rows.ts';
import { EXCHANGE } from './scalars.ts';

/** What `__shfl_xor_sync(mask, operand, distance)` gives. */
export function exchange(operand: Form, distance: Form): Form {
  return operand.lane ? op(EXCHANGE, operand, distance, anything({ data: true, unknown: false })) : operand;
}

interface Step {
  /** What the lanes had before. */
  readonly before: Form;
  readonly distance: Form;
}

const COMBINING = /^([+*&|^]|&&|\|\||min|max)$/;

/** For `v + exchange(v)` and kin. */
function stepIn(form: Form): Step | undefined {
  if (form.f !== 'op') return undefined;
  const { args } = form;
  if (form.op === 'select') return isComparison(args[0]) ? stepOfPair(args[1], args[2]) : undefined;
  return COMBINING.test(form.op) ? stepOfPair(args[0], args[1]) : undefined;
}

/** The condition looks at what it chooses between, as both lanes of a pair do alike. */
function isComparison(form: Form): boolean {
  return form.f === 'op' && /^[<>]=?$/.test(form.op) && stepOfPair(form.args[0], form.args[1]) !== undefined;
}

/** Operators of one operand have no second one. */
function stepOfPair(a: Form | undefined, b: Form | undefined): Step | undefined {
  if (!a || !b) return undefined;
  const exchanged = isExchange(b) ? b : isExchange(a) ? a : undefined;
  if (!exchanged) return undefined;
  const [before, distance] = exchanged.args;
  return same(exchanged === b ? a : b, before) ? { before, distance } : undefined;
}

function isExchange(form: Form): form is OpForm {
  return form.f === 'op' && form.op === EXCHANGE;
}

/** The form itself, or one value for all lanes where a chain of exchanges that ends here makes them agree. */
export function agreed(form: Form): Form {
  if (form.f !== 'op' || !form.lane || !form.args.some(isExchange)) return form;
  const distances: number[] = [];
  for (let step = stepIn(form); step?.distance.f === 'const'; step = stepIn(step.before)) distances.push(step.distance.v);
  return reachesAll(distances) ? agreement() : form;
}

/** What lanes agree on. */
export function agreement(): Form {
  return symbol('', 'loaded', { data: true, block: true });
}

/** Whether exchanges over these distances lead from each lane to every other. */
function reachesAll(distances: readonly number[]): boolean {
  let reached = new Set([0]);
  for (const distance of distances) reached = new Set([...reached, ...[...reached].map((lane) => lane ^ distance)]);
  return [...reached].filter((lane) => lane < 32).length === 32;
}

/** By which distance the end of an iteration combines a variable of the loop with that of another lane; undefined where it is anything else. */
export function exchangedOver(end: Form, loop: LoopShape, index: number): Form | undefined {
  const step = stepIn(end);
  const isVariable = step?.before.f === 'loop' && step.before.loop === loop && step.before.index === index && !step.before.after;
  return isVariable ? step.distance : undefined;
}

const ONE_THREAD: Shape = { block: [1, 1, 1], grid: [1, 1, 1] };
/** More iterations than a butterfly has. */
const MOST_TRIPS = 8;

/** Whether the exchanges of all iterations together make the lanes agree. */
export function makesAgree(loop: LoopShape, distance: Form): boolean {
  const { condition } = loop;
  if (loop.breaks || !condition || !isDecided(condition) || !isDecided(distance)) return false;
  const sample = new Sample({ shape: ONE_THREAD, warp: 0, warps: 1, seed: 0, budget: { left: 128 } }, undefined);
  const trips = tripCounts(loop, sample, MOST_TRIPS);
  if (typeof trips !== 'number') return false;
  return reachesAll(Array.from({ length: trips }, (_, k) => laneOf(sample.at(loop, k).value(distance), 0)));
}
