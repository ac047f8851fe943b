/**
 * Addresses as a part that differs between lanes and a shift that moves all of them alike: `(x + y * width) + plane * size` has the same
 * lanes in every plane and in every iteration of a loop over them, so what they touch is looked at once for each shift within a sector.
 */
import type { Sample } from './evaluate.ts';
import { fingerprint } from './fingerprint.ts';
import { constant, type Form, op, same } from './form.ts';
import { modulo } from './patterns.ts';
import type { LaneValues } from './rows.ts';

/** `(lanes + shift) * scale`, where the shift is one number for all lanes. */
export interface LaneParts {
  /** With the scale in it. */
  readonly lanes: Form;
  readonly shift: Form;
  readonly scale: number;
}

/** The offsets seen in a variant. */
export interface LanePartsMemo {
  readonly fingerprints: Map<Form, number>;
  /** The first ones of those that are the same, by fingerprint. */
  readonly firsts: Map<number, Form[]>;
  readonly spreads: Map<readonly number[], Spread>;
}

/** What the lanes of a warp differ in, in one sample. */
interface Spread {
  readonly exact: boolean;
  readonly least: number;
  readonly most: number;
  /** By the shift within a period. */
  readonly moved: Map<number, readonly number[]>;
}

export function newLanePartsMemo(): LanePartsMemo {
  return { fingerprints: new Map(), firsts: new Map(), spreads: new Map() };
}

/** Undefined where there is no shift to tell apart. */
export function lanePartsOf(memo: LanePartsMemo, offset: Form): LaneParts | undefined {
  if (!offset.lane) return undefined;
  const { base, scale } = unscaled(offset);
  let lanes = base;
  let shift: Form = constant(0);
  while (lanes.f === 'op' && (lanes.op === '+' || lanes.op === '-') && lanes.args.length === 2) {
    const [a, b] = lanes.args;
    if (a.lane === b.lane || (lanes.op === '-' && b.lane)) break;
    shift = op(lanes.op, shift, a.lane ? b : a);
    lanes = a.lane ? a : b;
  }
  if (lanes === base) return undefined;
  return { lanes: firstAlike(memo, op('*', lanes, constant(scale))), shift: firstAlike(memo, shift), scale };
}

/** Indices are multiplied by the size of an element last. */
function unscaled(offset: Form): { readonly base: Form; readonly scale: number } {
  if (offset.f !== 'op' || offset.op !== '*') return { base: offset, scale: 1 };
  const [base, size] = offset.args;
  return size.f === 'const' ? { base, scale: size.v } : { base: offset, scale: 1 };
}

/** One form for all that are the same, however often the source spells them out. */
export function firstAlike({ fingerprints, firsts }: LanePartsMemo, form: Form): Form {
  const key = fingerprint(form, fingerprints);
  const alike = firsts.get(key);
  if (!alike) {
    firsts.set(key, [form]);
    return form;
  }
  const first = alike.find((x) => same(x, form));
  if (!first) alike.push(form);
  return first ?? form;
}

/** Within this, sums of the parts are exact in doubles, in whichever order. */
const EXACT = 2 ** 48;

/**
 * Offsets in a sample less some multiple of `period`; undefined where the parts do not add up exactly, null where one lies further than
 * `EXACT` from the start.
 */
export function offsetsWithin(
  memo: LanePartsMemo,
  { lanes, shift, scale }: LaneParts,
  sample: Sample,
  period: number,
): LaneValues | undefined | null {
  const shifted = sample.value(shift);
  const values = sample.value(lanes);
  if (typeof values === 'number' || typeof shifted !== 'number') return undefined;
  const by = shifted * scale;
  const spread = spreadOf(memo, values);
  if (!spread.exact || !isExact(by)) return undefined;
  if (spread.most + by > EXACT || spread.least + by < -EXACT) return null;
  const rest = modulo(by, period);
  if (rest === 0) return values;
  let moved = spread.moved.get(rest);
  if (!moved) {
    moved = values.map((v) => v + rest);
    spread.moved.set(rest, moved);
  }
  return moved;
}

function spreadOf({ spreads }: LanePartsMemo, values: readonly number[]): Spread {
  let spread = spreads.get(values);
  if (!spread) {
    spread = lookAt(values);
    spreads.set(values, spread);
  }
  return spread;
}

function lookAt(values: readonly number[]): Spread {
  let exact = true;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let lane = 0; lane < values.length; lane++) {
    const value = values[lane];
    if (!isExact(value)) exact = false;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { exact, least, most, moved: new Map() };
}

function isExact(value: number): boolean {
  return Math.abs(value) <= EXACT && Math.floor(value) === value;
}
